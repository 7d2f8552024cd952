"""add, search, ask, list, show, forget."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import click

from ricordo.cli import output
from ricordo.cli.main import FAILED, Call
from ricordo.engine.engine import BankHandle
from ricordo.types import MEMORY_KINDS, And, Compare, Kind, Memory, Op, Status, Version

F = TypeVar("F", bound=Callable[..., Any])

KINDS = click.Choice([str(k) for k in Kind])
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def moment(_ctx: click.Context, _option: click.Parameter, text: str | None) -> datetime | None:
    """An ISO 8601 date or time; without a zone it is local time."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a date or time such as 2026-05-31 or 2026-05-31T09:30") from None


def age(_ctx: click.Context, _option: click.Parameter, text: str | None) -> timedelta | None:
    """A number with a unit: 30d, 12h, 2w."""
    if text is None:
        return None
    if text[-1:] in UNITS and text[:-1].isdigit():
        try:
            given = timedelta(seconds=int(text[:-1]) * UNITS[text[-1]])
            datetime.now(UTC) - given  # an age from before the first year is none
        except (OverflowError, ValueError):
            raise click.BadParameter(f"{text!r} is longer ago than the calendar reaches") from None
        return given
    raise click.BadParameter(f"{text!r} is not an age such as 30d, 12h or 2w")


def pairs(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    for one in given:
        if "=" not in one:
            raise click.BadParameter(f"{one!r} is not of the form key=value")
    return dict(one.split("=", 1) for one in given)


def filters(command: F) -> F:
    """The options that narrow what a command may see."""
    options = [
        click.option("--kind", "kinds", multiple=True, type=KINDS, help="Only memories of this kind (repeatable)."),
        click.option("--tag", "tags", multiple=True, help="Only memories with one of these tags (repeatable)."),
        click.option("--since", callback=moment, help="Happened at or after this time."),
        click.option("--until", callback=moment, help="Happened before this time."),
        click.option("--min-importance", type=float, default=0.0, help="At least this important (0 to 1)."),
        click.option("--session", help="Only of this session."),
        click.option("--document", help="Only of this document's id."),
        click.option("--where", multiple=True, callback=pairs, help="Only where the data has key=value (repeatable)."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def chosen(options: dict[str, Any]) -> dict[str, Any]:
    """The filter options as the engine takes them; a value given as text also matches the number that it spells."""
    where = options.pop("where")
    if where:
        options["where"] = And(of=tuple(Compare(key=k, op=Op.IN, value=_spelt(v)) for k, v in where.items()))
    return options


def _spelt(text: str) -> tuple[Any, ...]:
    if text in ("true", "false"):
        return text, text == "true"
    try:
        return text, float(text)
    except ValueError:
        return (text,)


@click.command("add")
@click.argument("texts", nargs=-1)
@click.option("--file", "paths", multiple=True, type=click.Path(path_type=Path), help="Store a file (repeatable).")
@click.option("--kind", type=KINDS, default="semantic", show_default=True)
@click.option("--document", help="Store the text as this document, in sections and chunks.")
@click.option("--importance", type=float)
@click.option("--tag", "tags", multiple=True)
@click.option("--session")
@click.option("--at", callback=moment, help="When it happened.")
@click.option("--data", multiple=True, callback=pairs, help="key=value to keep with it (repeatable).")
@click.option("--wait/--no-wait", default=True, show_default=True, help="Wait for the vectors.")
@click.pass_obj
def add_command(call: Call, /, texts: tuple[str, ...], paths: tuple[Path, ...], wait: bool, **fields: Any) -> None:
    """Store texts ("-" reads standard input), or files."""
    given: list[str | Path] = [sys.stdin.read() if text == "-" else text for text in texts]
    given += paths
    if not given:
        raise click.UsageError("nothing to add: give a text, - for standard input, or --file")
    if fields["document"] and len(given) > 1:
        raise click.UsageError("--document names one document, so give one text or file")
    kept = {name: value for name, value in fields.items() if value not in (None, (), {})}
    stored = call.run(lambda bank: bank.add(given, wait="vectors" if wait else None, **kept))
    if call.json:
        output.print_json(stored)
    else:
        output.print_outcomes(stored.outcomes)
        if stored.coverage:
            output.print_notes((), stored.coverage)
    if any(o.status is Status.FAILED for o in stored.outcomes):
        raise SystemExit(FAILED)


@click.command("search")
@click.argument("query")
@click.option("--limit", type=int, default=5, show_default=True, help="Results, counted in sections.")
@click.option("--max-tokens", type=int, help="Bound on the results' text.")
@click.option("--trace", is_flag=True, help="Say what each arm gave.")
@filters
@click.pass_obj
def search_command(call: Call, /, query: str, **options: Any) -> None:
    """Find the memories that answer QUERY."""
    found = call.run(lambda bank: bank.search(query, **chosen(options)))
    if call.json:
        output.print_json(found)
    else:
        output.print_hits(found.hits, found.notes, found.coverage)


@click.command("ask")
@click.argument("question")
@click.option("--limit", type=int, default=5, show_default=True, help="Pieces of evidence to look at.")
@filters
@click.pass_obj
def ask_command(call: Call, /, question: str, **options: Any) -> None:
    """Answer QUESTION from memory: cited, or "not known"."""
    answer = call.run(lambda bank: bank.ask(question, **chosen(options)))
    if call.json:
        output.print_json(answer)
    else:
        output.print_answer(answer)
    if not answer.known:
        raise SystemExit(FAILED)


@click.command("list")
@click.option("--limit", type=int, default=20, show_default=True)
@click.option("--offset", type=int, default=0)
@filters
@click.pass_obj
def list_command(call: Call, /, **options: Any) -> None:
    """List memories and documents, newest first."""
    wanted = chosen(options)
    wanted["kinds"] = wanted["kinds"] or (*MEMORY_KINDS, Kind.DOCUMENT)
    memories = call.run(lambda bank: bank.list(**wanted))
    if call.json:
        output.print_json(memories)
    else:
        output.print_memories(memories)


@click.command("show")
@click.argument("id")
@click.pass_obj
def show_command(call: Call, /, id: str) -> None:
    """Show the memory ID (or the beginning of an id) and what it was before."""

    async def both(bank: BankHandle) -> tuple[Memory, list[Version]]:
        memory = await bank.get(id)
        return memory, await bank.history(memory.id)

    memory, versions = call.run(both)
    if call.json:
        output.print_json({"memory": memory, "history": versions})
        return
    output.print_fields(memory)
    for version in versions:
        output.console.print(f"[dim]version {version.number}, until {output.day(version.changed)}: {version.reason}[/]")
        output.console.print(output.harmless(version.text), markup=False, soft_wrap=True)


@click.command("forget")
@click.argument("ids", nargs=-1)
@click.option("--below", type=float, help="Forget what is less important than this.")
@click.option("--older-than", callback=age, help="Forget what happened longer ago: 30d, 12h, 2w.")
@click.option("--keep", type=int, help="Of each kind, forget all but this many of the most important.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice([str(k) for k in MEMORY_KINDS]))
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.pass_obj
def forget_command(call: Call, /, ids: tuple[str, ...], kinds: tuple[str, ...], dry_run: bool, **criteria: Any) -> None:
    """Delete the memories or documents IDS, or those that a criterion names."""
    given = {name: value for name, value in criteria.items() if value is not None}
    if bool(ids) == bool(given):
        raise click.UsageError("give ids, or one of --below, --older-than and --keep")
    if ids and dry_run:
        raise click.UsageError("--dry-run goes with a criterion, not with ids")

    async def work(bank: BankHandle) -> int:
        if ids:
            return await bank.delete(*ids)
        return len(await bank.forget(**given, kinds=kinds or MEMORY_KINDS, dry_run=dry_run))

    count = call.run(work)
    if call.json:
        output.print_json({"forgotten": 0 if dry_run else count, "matched": count})
    else:
        output.console.print(f"{'would forget' if dry_run else 'forgot'} {count}")
