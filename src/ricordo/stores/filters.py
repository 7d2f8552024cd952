"""A Filter as the text of an SQL condition on `memories`, with every value behind a placeholder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from ricordo.errors import Invalid
from ricordo.stores.cells import ELEMENT, NO_KEY, OTHER, TAG, Range, ranges, raw
from ricordo.stores.checks import check_filter
from ricordo.stores.rows import CODES
from ricordo.stores.values import micros, pack
from ricordo.types import And, Compare, Condition, Filter, Match, Not, Op, Or, Tagged

MOST_VALUES = 10_000
_CHAIN = 200


@dataclass(frozen=True, slots=True)
class Clause:
    sql: str
    values: tuple[Any, ...] = ()


ALWAYS = Clause("1")
NEVER = Clause("0")


def where(filter: Filter, bank: int, now: datetime) -> Clause:
    """The whole filter."""
    linked = [_not(clause) if negated else clause for clause, negated in _linked(filter, bank)]
    return every([Clause("bank = ?", (bank,)), *_plain(filter, now), *linked])


def beyond_columns(filter: Filter, bank: int) -> Iterator[tuple[Clause, bool]]:
    """What a view's columns cannot answer: clauses of which all must hold, or (negated) none may.

    Apart, because SQLite finds the few rows of a condition by its index, and the many others by reading everything.
    """
    mine = Clause("bank = ?", (bank,))
    parts = _linked(filter, bank)
    wanted = [clause for clause, negated in parts if not negated]
    if wanted:
        yield every([mine, *wanted]), False
    for clause, negated in parts:
        if negated:
            yield every([mine, clause]), True


def _plain(filter: Filter, now: datetime) -> list[Clause]:
    parts = []
    if filter.kinds:
        parts.append(Clause(f"kind in ({marks(filter.kinds)})", tuple(CODES[kind] for kind in filter.kinds)))
    if filter.since is not None:
        parts.append(Clause("at >= ?", (micros(filter.since),)))
    if filter.until is not None:
        parts.append(Clause("at < ?", (micros(filter.until),)))
    if not filter.min_importance <= 0:
        parts.append(Clause("importance >= ?", (filter.min_importance,)))
    if filter.modality is not None:
        parts.append(Clause("modality = ?", (pack(filter.modality),)))
    if not filter.expired:
        parts.append(Clause("(expires is null or expires > ?)", (micros(now),)))
    return parts


def _linked(filter: Filter, bank: int) -> list[tuple[Clause, bool]]:
    """Clauses and whether each is negated."""
    check_filter(filter)
    parts = [
        Clause(f"{column} = ?", (pack(value),))
        for column, value in (("document", filter.document), ("parent", filter.parent), ("session", filter.session))
        if value is not None
    ]
    tagged = _tagged(filter.tags, filter.match, bank)
    conditions = [] if filter.where is None else list(_conjuncts(filter.where))
    return [
        *((clause, False) for clause in (*parts, tagged) if clause is not ALWAYS),
        *((_condition(condition, bank), negated) for condition, negated in conditions),
    ]


def _conjuncts(condition: Condition) -> Iterator[tuple[Condition, bool]]:
    """The conditions that must all hold, each with whether it is negated."""
    match condition:
        case And():
            for inner in condition.of:
                yield from _conjuncts(inner)
        case Not():
            yield condition.of, True
        case Compare(op=Op.NE):
            yield replace(condition, op=Op.EQ), True
        case Compare(op=Op.EXISTS) if not condition.value:
            yield replace(condition, value=True), True
        case _:
            yield condition, False


def marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def every(parts: Sequence[Clause]) -> Clause:
    return _joined(parts, " and ", ALWAYS)


def _joined(parts: Sequence[Clause], word: str, empty: Clause) -> Clause:
    """In groups, since SQLite bounds how deep an expression is, and a chain is as deep as it is long."""
    while len(parts) > 1:
        groups = [parts[start : start + _CHAIN] for start in range(0, len(parts), _CHAIN)]
        parts = [
            Clause(f"({word.join(part.sql for part in group)})", tuple(v for part in group for v in part.values))
            for group in groups
        ]
    return parts[0] if parts else empty


def _condition(condition: Condition, bank: int) -> Clause:
    match condition:
        case And():
            return every([_condition(c, bank) for c in condition.of])
        case Or():
            return _joined([_condition(c, bank) for c in condition.of], " or ", NEVER)
        case Not():
            return _not(_condition(condition.of, bank))
        case Tagged():
            return _tagged(condition.tags, condition.match, bank)
        case Compare():
            return _compare(condition, bank)


def _not(clause: Clause) -> Clause:
    return Clause(f"not {clause.sql}", clause.values)


def _tagged(tags: tuple[str, ...], match: Match, bank: int) -> Clause:
    wanted = sorted({raw(tag) for tag in tags})
    if match is Match.EXACT:
        count = Clause("tagged = ?", (len(wanted),))
        return every([count, _holds(wanted, bank, all_of_them=True)]) if wanted else count
    if not wanted:
        return ALWAYS
    found = _holds(wanted, bank, all_of_them=match in (Match.ALL, Match.ALL_STRICT))
    if match in (Match.ANY, Match.ALL):
        return Clause(f"(tagged = 0 or {found.sql})", found.values)
    return found


def _holds(tags: list[bytes], bank: int, *, all_of_them: bool) -> Clause:
    _bounded(tags)
    having = f" group by row having count(*) = {len(tags)}" if all_of_them and len(tags) > 1 else ""
    return _rows(NO_KEY, [Clause(f"type = {TAG} and value in ({marks(tags)}){having}", tuple(tags))], bank)


def _rows(key: bytes, conditions: Sequence[Clause], bank: int) -> Clause:
    """Rows with a cell of the key that meets one of the conditions."""
    if not conditions:
        return NEVER
    select = "select row from cells where bank = ? and key = ? and "
    sql = " union all ".join(f"{select}{condition.sql}" for condition in conditions)
    return Clause(f"row in ({sql})", tuple(v for condition in conditions for v in (bank, key, *condition.values)))


def _bounded(values: Sequence[object]) -> None:
    if len(values) > MOST_VALUES:
        raise Invalid(f"a condition may name {MOST_VALUES} values, got {len(values)}; ask in several queries")


def _compare(compare: Compare, bank: int) -> Clause:
    key = raw(compare.key)
    match compare.op:
        case Op.EXISTS:
            exists = _rows(key, [Clause(f"type <= {OTHER}")], bank)
            return exists if compare.value else _not(exists)
        case Op.IN:
            values = tuple(compare.value)
            return _cells(key, [r for value in values for r in ranges(Op.EQ, value)], bank)
        case Op.CONTAINS:
            return _cells(key, [Range(r.type + ELEMENT, "=", r.value) for r in ranges(Op.EQ, compare.value)], bank)
        case Op.NE:
            return _not(_cells(key, ranges(Op.EQ, compare.value), bank))
    return _cells(key, ranges(compare.op, compare.value), bank)


def _cells(key: bytes, wanted: Iterable[Range], bank: int) -> Clause:
    def kind(r: Range) -> tuple[int, str]:
        return r.type, r.sign

    parts = []
    for (code, sign), group in groupby(sorted(wanted, key=kind), key=kind):
        values = [r.value for r in group]
        _bounded(values)
        test = f"in ({marks(values)})" if sign == "=" else f"{sign} ?"
        parts.append(Clause(f"type = {code} and value {test}", tuple(values)))
    return _rows(key, parts, bank)
