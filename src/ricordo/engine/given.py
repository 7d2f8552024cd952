"""What people write, as the nouns that the verbs take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

from ricordo.errors import Invalid
from ricordo.types import And, Compare, Condition, File, Filter, Item, Kind, Match, Op, Query

Content: TypeAlias = str | Path | File | Item
Where: TypeAlias = Condition | Mapping[str, Any]


def items_of(content: Content | Iterable[Content], fields: Mapping[str, Any]) -> list[Item]:
    """What the caller gave as Items; Invalid names a field that Items do not have."""
    many = [content] if isinstance(content, str | Path | File | Item) else list(content)
    return [_item(one, dict(fields)) for one in many]


def _item(content: Content, fields: dict[str, Any]) -> Item:
    if "kind" in fields:
        fields["kind"] = as_kind(fields["kind"])
    for name in ("tags", "parsers"):
        if isinstance(fields.get(name), str):
            raise Invalid(f"{name} is a list of texts, got the text {fields[name]!r}")
        if name in fields:
            fields[name] = tuple(fields[name])
    try:
        if isinstance(content, Item):
            return replace(content, **fields)
        if isinstance(content, Path):
            content = File(name=content.as_posix(), data=content.read_bytes())
        return Item(content=content, **fields)
    except TypeError as error:
        raise Invalid(f"unknown field for a memory: {error}") from error
    except OSError as error:
        raise Invalid(f"{content} cannot be read: {error.strerror}") from error


def as_kind(kind: Kind | str) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise Invalid(f"unknown kind {kind!r}; known are {', '.join(Kind)}") from None


def filter_of(
    bank: str,
    *,
    kinds: Sequence[Kind | str] = (),
    tags: Sequence[str] = (),
    match: Match | str = Match.ANY_STRICT,
    since: datetime | None = None,
    until: datetime | None = None,
    min_importance: float = 0.0,
    document: str | None = None,
    session: str | None = None,
    modality: str | None = None,
    where: Where | None = None,
) -> Filter:
    """A Filter from what people write: kinds and match by name, `where` as {key: value} for equality."""
    for name, given in (("kinds", kinds), ("tags", tags)):
        if isinstance(given, str):
            raise Invalid(f"{name} is a list of texts, got the text {given!r}")
    if isinstance(where, Mapping):
        where = And(of=tuple(Compare(key=k, op=Op.EQ, value=v) for k, v in where.items()))
    try:
        matching = Match(match)
    except ValueError:
        raise Invalid(f"unknown match {match!r}; known are {', '.join(Match)}") from None
    return Filter(
        bank=bank,
        kinds=tuple(as_kind(k) for k in kinds),
        tags=tuple(tags),
        match=matching,
        since=since,
        until=until,
        min_importance=min_importance,
        document=document,
        session=session,
        modality=modality,
        where=where,
    )


def query_of(
    bank: str,
    text: str,
    *,
    limit: int = 10,
    max_tokens: int | None = None,
    arms: Sequence[str] = (),
    expand: bool = True,
    trace: bool = False,
    at: datetime | None = None,
    **filters: Any,
) -> Query:
    """A Query from what people write; the filters are those of `filter_of`.

    limit: how many results, counted in sections. max_tokens: bounds their text. arms: of "words", "vectors", "graph";
    none: the first two. expand: attach the section that each hit stands in. trace: say what each arm gave.
    """
    if limit < 1:
        raise Invalid(f"limit must be 1 or more, got {limit}")
    try:
        filter = filter_of(bank, **filters)
    except TypeError as error:
        raise Invalid(f"unknown option: {error}") from error
    return Query(
        text=text,
        filter=filter,
        limit=limit,
        max_tokens=max_tokens,
        arms=tuple(arms),
        expand=expand,
        trace=trace,
        at=at,
    )
