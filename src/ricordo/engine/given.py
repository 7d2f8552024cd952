"""What people write, as the nouns that the verbs take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

from ricordo.errors import Invalid
from ricordo.types import (
    And,
    Compare,
    Condition,
    File,
    Filter,
    Item,
    Kind,
    Match,
    Not,
    Op,
    Or,
    Query,
    Strategy,
    Tagged,
)

Content: TypeAlias = str | Path | File | Item
Where: TypeAlias = Condition | Mapping[str, Any]


def items_of(content: Content | Iterable[Content], fields: Mapping[str, Any]) -> list[Item]:
    """What the caller gave as Items; Invalid names a field that Items do not have."""
    if isinstance(content, Mapping | bytes) or not isinstance(content, str | Path | File | Item | Iterable):
        raise Invalid(f"only text, Path, File and Item, or several of them, can be stored, got {content!r}")
    many = [content] if isinstance(content, str | Path | File | Item) else list(content)
    return [_item(one, dict(fields)) for one in many]


def need(name: str, value: Any, *kinds: type) -> None:
    """Invalid unless the value is of one of these types, or None; a truth value is no number."""
    if value is None or (isinstance(value, kinds) and not (isinstance(value, bool) and bool not in kinds)):
        return
    raise Invalid(f"{name} must be of type {' or '.join(k.__name__ for k in kinds)}, got {value!r}")


ITEM_TYPES: Mapping[str, tuple[type, ...]] = {
    "id": (str,),
    "document": (str,),
    "context": (str,),
    "session": (str,),
    "modality": (str,),
    "importance": (int, float),
    "at": (datetime,),
    "expires": (datetime,),
    "data": (Mapping,),
    "source": (Mapping,),
    "strategy": (Strategy,),
}


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise Invalid(f"{name} is a list of texts, got {value!r}")
    texts = tuple(value)
    for text in texts:
        need(f"each of {name}", text, str)
    return texts


def _item(content: Content, fields: dict[str, Any]) -> Item:
    if not isinstance(content, str | Path | File | Item):
        raise Invalid(f"only text, Path, File and Item can be stored, got {content!r}")
    for name, kinds in ITEM_TYPES.items():
        need(name, fields.get(name), *kinds)
    if "kind" in fields:
        fields["kind"] = as_kind(fields["kind"])
    for name in ("tags", "parsers"):
        if name in fields:
            fields[name] = _texts(name, fields[name])
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
    kinds, tags = _texts("kinds", kinds), _texts("tags", tags)
    for name, given in (("since", since), ("until", until)):
        need(name, given, datetime)
    for name, text in (("document", document), ("session", session), ("modality", modality)):
        need(name, text, str)
    need("min_importance", min_importance, int, float)
    need("where", where, Mapping, Compare, Tagged, And, Or, Not)
    if isinstance(where, Mapping):
        for key in where:
            need("a key of where", key, str)
        where = And(of=tuple(Compare(key=k, op=Op.EQ, value=v) for k, v in where.items()))
    try:
        matching = Match(match)
    except ValueError:
        raise Invalid(f"unknown match {match!r}; known are {', '.join(Match)}") from None
    return Filter(
        bank=bank,
        kinds=tuple(as_kind(k) for k in kinds),
        tags=tags,
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
    if not isinstance(text, str):
        raise Invalid(f"the query must be a text, got {text!r}")
    need("max_tokens", max_tokens, int)
    need("at", at, datetime)
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise Invalid(f"limit must be 1 or more, got {limit!r}")
    try:
        filter = filter_of(bank, **filters)
    except TypeError as error:
        raise Invalid(f"unknown option: {error}") from error
    return Query(
        text=text,
        filter=filter,
        limit=limit,
        max_tokens=max_tokens,
        arms=_texts("arms", arms),
        expand=expand,
        trace=trace,
        at=at,
    )
