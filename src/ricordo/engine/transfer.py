"""A whole bank as JSON lines, and back: records, history and edges. Vectors are an index, and are made again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import AsyncIterator, Iterable
from datetime import datetime
from typing import Any

from ricordo.engine.parts import Parts, check_bank_id, ensure_bank, need_bank, spaces_of
from ricordo.errors import Conflict, Invalid
from ricordo.types import Changes, Entity, Filter, Json, Kind, Memory, Place, Relation, Version

FORMAT = 1
PAGE = 1000


def to_json(value: Any) -> Any:
    """Nouns as plain JSON: dataclasses as objects, times as ISO 8601."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {k: to_json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(v) for v in value]
    return value


def _line(type_: str, value: Any) -> str:
    return json.dumps({"type": type_, **to_json(value)}, ensure_ascii=True, separators=(",", ":"))


async def export_lines(parts: Parts, bank_id: str) -> AsyncIterator[str]:
    """One line for the bank, then one for each memory, version, entity and relation."""
    bank = await need_bank(parts, bank_id)
    settings = {k: v for k, v in bank.settings.items() if k not in ("model", "building")}
    yield _line("bank", {"format": FORMAT, **to_json(dataclasses.replace(bank, settings=settings))})
    ids = await parts.records.ids(Filter(bank=bank_id, expired=True))  # offsets would shift beside a writer
    for start in range(0, len(ids), PAGE):
        for memory in await parts.records.get(bank_id, ids[start : start + PAGE]):
            yield _line("memory", memory)
            for version in await parts.records.history(bank_id, memory.id):
                yield _line("version", version)
    entities, relations = await parts.graph.dump(bank_id)
    for entity in entities:
        yield _line("entity", entity)
    for relation in relations:
        yield _line("relation", relation)


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def memory_from(row: Json, bank: str) -> Memory:
    """A memory of the bank from its JSON form."""
    place = row["place"]
    return Memory(
        **{
            **{k: v for k, v in row.items() if k != "type"},
            "bank": bank,
            "kind": Kind(row["kind"]),
            "at": _time(row["at"]),
            "created": _time(row["created"]),
            "expires": _time(row["expires"]),
            "tags": tuple(row["tags"]),
            "place": Place(**{**place, "headings": tuple(place["headings"])}),
        }
    )


def _read(number: int, line: str, bank: str) -> Memory | Version | Entity | Relation | Json:
    try:
        row = json.loads(line)
        kind = row["type"]
        fields = {k: v for k, v in row.items() if k != "type"}
        if kind == "bank":
            if row["format"] > FORMAT:
                raise Invalid(f"this export has format {row['format']}; this release reads up to {FORMAT}")
            return fields
        if kind == "memory":
            return memory_from(row, bank)
        if kind == "version":
            return Version(**{**fields, "tags": tuple(row["tags"]), "changed": _time(row["changed"])})
        if kind == "entity":
            return Entity(**{**fields, "bank": bank, "aliases": tuple(row["aliases"])})
        if kind == "relation":
            return Relation(**{**fields, "bank": bank})
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, Invalid):
            raise
        raise Invalid(f"line {number} is not a line of an export: {error!r}") from error
    raise Invalid(f"line {number} has the unknown type {kind!r}")


async def import_lines(parts: Parts, lines: Iterable[str], bank_id: str) -> int:
    """How many memories were written into the bank, which must be empty or absent; nothing is, when a line is wrong."""
    check_bank_id(bank_id)
    if await parts.banks.get(bank_id) and await parts.records.count(Filter(bank=bank_id, expired=True)):
        raise Conflict(f"bank {bank_id!r} already holds memories; import into a new bank, or delete this one first")
    rows = [_read(n, line, bank_id) for n, line in enumerate(lines, 1) if line.strip()]
    if not rows or not isinstance(rows[0], dict):
        raise Invalid("this is not an export of a bank: its first line must describe the bank")
    bank = await ensure_bank(parts, bank_id)
    head = rows[0]
    await parts.banks.put(
        dataclasses.replace(
            bank, name=head["name"], mission=head["mission"], settings={**head["settings"], **bank.settings}
        )
    )
    memories = tuple(r for r in rows if isinstance(r, Memory))
    await parts.records.write(
        Changes(
            bank=bank_id,
            put=memories,
            versions=tuple(r for r in rows if isinstance(r, Version)),
            entities=tuple(r for r in rows if isinstance(r, Entity)),
            relations=tuple(r for r in rows if isinstance(r, Relation)),
            spaces=spaces_of(bank),
        )
    )
    return len(memories)
