"""How results look: Rich for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ricordo.engine.transfer import to_json
from ricordo.types import Answer, Coverage, Hit, Memory, Outcome, Place, Status

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

COLOURS = {Status.STORED: "green", Status.MERGED: "cyan", Status.SKIPPED: "yellow", Status.FAILED: "red"}


_CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n\r"}


def harmless(text: str) -> str:
    """The text with control characters replaced, one for one: what is stored must not steer a terminal."""
    return text.translate(_CONTROLS)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    console.file.write(json.dumps(to_json(value), ensure_ascii=False, indent=2, default=str) + "\n")


def place_words(place: Place, title: str) -> str:
    """Where a passage stands, in words."""
    parts = [title] if title else []
    if place.page is not None:
        parts.append(f"page {place.page}")
    parts += [heading for heading in place.headings if heading != title]
    if place.start is not None:
        parts.append(f"characters {place.start}–{place.end}")
    return harmless(" › ".join(parts))


def coverage_words(coverage: Coverage) -> str:
    """How far vectors are, in words."""
    if coverage.model == "words only":
        return "found by words alone: this bank has no embedder"
    if coverage.complete:
        return f"vectors for all {coverage.total} ({coverage.model})"
    return f"vectors for {coverage.done} of {coverage.total} so far ({coverage.model}); the rest is found by words"


def passage_text(hit: Hit) -> Text:
    """The hit's text on few lines, with the words that were asked for marked."""
    text = Text(harmless(hit.memory.text))
    for start, end in hit.highlights:
        text.stylize("bold yellow", start, end)
    lines = [line for line in text.split("\n", allow_blank=False) if line.plain.strip()]
    return Text(" ").join(lines)


def print_hits(hits: Sequence[Hit], notes: Iterable[str], coverage: Coverage) -> None:
    for number, hit in enumerate(hits, 1):
        where = place_words(hit.memory.place, hit.title) or f"{hit.memory.kind}, {day(hit.memory.at)}"
        console.print(
            f"[bold]{number}.[/] [green]{hit.score:.3f}[/] [blue]{escape(where)}[/] [dim]{hit.memory.id[:8]}[/]"
        )
        console.print(passage_text(hit), soft_wrap=True)
        for arm, given in hit.arms.items():
            console.print(f"   [dim]{arm}: {escape(json.dumps(to_json(given), ensure_ascii=False))}[/]")
    if not hits:
        console.print("nothing found")
    print_notes(notes, coverage)


def print_notes(notes: Iterable[str], coverage: Coverage) -> None:
    for note in notes:
        errors.print(f"[yellow]{escape(note)}[/]")
    errors.print(f"[dim]{coverage_words(coverage)}[/]")


def print_answer(answer: Answer) -> None:
    console.print(escape(harmless(answer.text)), soft_wrap=True)
    for number, hit in enumerate(answer.evidence, 1):
        where = place_words(hit.memory.place, hit.title) or f"{hit.memory.kind}, {day(hit.memory.at)}"
        console.print(f"[dim]\\[{number}][/] [blue]{escape(where)}[/]", soft_wrap=True)
    print_notes(answer.notes, answer.coverage)


def print_outcomes(outcomes: Iterable[Outcome]) -> None:
    for outcome in outcomes:
        about = "; ".join(filter(None, (outcome.reason, *outcome.warnings)))
        named = f" [dim]{outcome.memories[0][:8]}[/]" if outcome.memories else ""
        console.print(
            f"[{COLOURS[outcome.status]}]{outcome.status}[/]{named} {escape(harmless(outcome.item))}"
            + (f" [dim]({escape(about)})[/]" if about else ""),
            soft_wrap=True,
        )


def print_memories(memories: Sequence[Memory]) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "kind", "importance", "at", "text"):
        table.add_column(heading, no_wrap=heading != "text")
    for memory in memories:
        text = harmless(" ".join(memory.text[:200].split()))
        table.add_row(memory.id[:8], memory.kind, f"{memory.importance:.2f}", day(memory.at), escape(text))
    console.print(table)


def day(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def print_fields(memory: Memory) -> None:
    """One memory whole, a field a line."""
    for name, value in to_json(memory).items():
        if name != "text" and value not in (None, "", [], {}):
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            console.print(f"[dim]{name}[/] {escape(harmless(shown))}", soft_wrap=True)
    console.print(harmless(memory.text), markup=False, soft_wrap=True)
