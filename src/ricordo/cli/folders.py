"""index, demo, parse: files in."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ricordo import samples
from ricordo.cli import output
from ricordo.cli.main import FAILED, Call
from ricordo.engine.engine import BankHandle
from ricordo.engine.index import Plan, Report, check_prune
from ricordo.engine.index import Progress as Step
from ricordo.types import File, Recalled, Status


def progress_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=output.errors,
        transient=True,
    )


async def run_index(bank: BankHandle, todo: Plan, *, wait: bool, quiet: bool, **options: Any) -> Report:
    """Indexes with a bar for files and chunks, then, waiting, a bar for vectors."""
    with progress_bar() as bars:
        bars.disable = quiet
        task = bars.add_task("files", total=len(todo.to_read), rate="")
        began, chunks = time.monotonic(), 0

        def step(now: Step) -> None:
            nonlocal chunks
            chunks += len(now.outcome.memories)
            rate = f"{chunks} pieces, {chunks / max(time.monotonic() - began, 0.001):.0f}/s"
            bars.update(task, completed=now.done, total=now.total, rate=rate)

        report = await bank.carry_out(todo, progress=step, **options)
        if wait:
            await _watch_vectors(bank, bars)
    return report


async def _watch_vectors(bank: BankHandle, bars: Progress) -> None:
    total = (await bank.stats()).waiting
    task = bars.add_task("vectors", total=total, rate="")
    began = time.monotonic()
    waiting = asyncio.ensure_future(bank.wait())
    while not waiting.done():
        left = (await bank.stats()).waiting
        rate = (total - left) / max(time.monotonic() - began, 0.001)
        bars.update(task, completed=max(0, total - left), rate=f"{rate:.1f}/s")
        await asyncio.wait([waiting], timeout=0.25)
    await waiting


@click.command("index")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--prune", is_flag=True, help="Delete the documents whose files are gone.")
@click.option("--force", is_flag=True, help="Prune even when more than half of the files are gone.")
@click.option("--tag", "tags", multiple=True, help="Tag of every document (repeatable).")
@click.option("--wait/--no-wait", default=True, show_default=True, help="Wait for the vectors.")
@click.pass_obj
def index_command(
    call: Call, /, paths: tuple[Path, ...], dry_run: bool, prune: bool, force: bool, tags: tuple[str, ...], wait: bool
) -> None:
    """Bring the bank up to date with files and folders PATHS; unchanged files are not read."""
    if dry_run:
        todo = call.run(lambda bank: bank.plan(*paths))
        _print_plan(call, todo, prune=prune, force=force)
        return

    async def work(bank: BankHandle) -> Report:
        return await run_index(
            bank, await bank.plan(*paths), wait=wait, quiet=call.json, prune=prune, force=force, tags=tags
        )

    report = call.run(work)
    _print_report(call, report, prune=prune)
    if report.failed:
        raise SystemExit(FAILED)


def _print_plan(call: Call, todo: Plan, *, prune: bool, force: bool) -> None:
    gone = [m.data["source"]["path"] for m in todo.gone]
    names = {
        "new": [f.path for f in todo.new],
        "changed": [f.path for f in todo.changed],
        "moved": [f.path for f, _ in todo.moved],
        "removed" if prune else "gone": gone,
    }
    if call.json:
        output.print_json({**names, "unchanged": todo.unchanged, "passed_over": todo.passed_over})
    else:
        for name, paths in names.items():
            for path in paths:
                output.console.print(f"{name:8} {path}", markup=False, soft_wrap=True)
        counts = ", ".join(f"{len(paths)} {name}" for name, paths in names.items())
        output.console.print(f"{counts}, {todo.unchanged} unchanged; nothing was written")
    if prune and not force:
        check_prune(todo)


def _print_report(call: Call, report: Report, *, prune: bool) -> None:
    todo = report.plan
    if call.json:
        output.print_json(
            {
                "outcomes": [replace(o, memories=o.memories[:1]) for o in report.outcomes],
                "unchanged": todo.unchanged,
                "removed": report.removed,
                "gone": [] if prune else [m.data["source"]["path"] for m in todo.gone],
                "passed_over": todo.passed_over,
            }
        )
        return
    output.print_outcomes(o for o in report.outcomes if o.status in (Status.SKIPPED, Status.FAILED) or o.warnings)
    for path, reason in todo.passed_over:
        output.console.print(f"passed over {path} ({reason})", markup=False, style="dim", soft_wrap=True)
    counts = Counter(str(o.status) for o in report.outcomes)
    counts.update(unchanged=todo.unchanged, removed=len(report.removed))
    output.console.print(", ".join(f"{n} {name}" for name, n in counts.items() if n) or "nothing to do")
    if todo.gone and not prune:
        output.console.print(f"{len(todo.gone)} indexed files are gone; --prune deletes what they left")


@click.command("parse")
@click.argument("path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--as", "form", type=click.Choice(["markdown", "blocks", "json"]), default="markdown", show_default=True)
@click.option("--parser", "parsers", multiple=True, help="Parser to try (repeatable, in turn).")
@click.pass_obj
def parse_command(call: Call, /, path: Path, form: str, parsers: tuple[str, ...]) -> None:
    """Show what would be kept of the file PATH, and the warnings."""
    from ricordo import blocking
    from ricordo.engine.parts import open_parsers
    from ricordo.parse.chain import convert_with_fallback
    from ricordo.parse.render import render
    from ricordo.types import READABLE

    file = File(name=path.name, data=path.read_bytes())
    result = blocking.run(convert_with_fallback(open_parsers(call.settings, parsers), file.data, file.name))
    parsed = result.parsed
    if call.json or form == "json":
        output.print_json({"parsed": parsed, "attempts": result.attempts})
    elif form == "blocks":
        for block in parsed.blocks:
            where = f"p{block.page} " if block.page is not None else ""
            shown = block.text or " | ".join(" / ".join(row) for row in block.rows)
            output.console.print(f"{block.kind:10} {where}{shown}", markup=False, soft_wrap=True)
    else:
        output.console.print(output.harmless(render(parsed).text), markup=False, soft_wrap=True)
    for attempt in result.attempts:
        output.errors.print(f"{attempt.parser}: {attempt.status} {attempt.reason}".rstrip(), markup=False, style="dim")
    for warning in parsed.warnings:
        output.errors.print(warning, markup=False, style="yellow")
    if parsed.status not in READABLE:
        raise SystemExit(FAILED)


@click.command("demo")
@click.option("--keep", type=click.Path(path_type=Path), help="Data folder to leave behind; else it is thrown away.")
@click.pass_obj
def demo_command(call: Call, /, keep: Path | None) -> None:
    """Index the bundled sample documents, then answer questions in Chinese and English from them."""
    questions = json.loads(samples.QUESTIONS.read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix="ricordo-demo-") as folder:
        there = replace(call, settings=replace(call.settings, data=keep or Path(folder)))
        began = time.monotonic()

        async def work(bank: BankHandle) -> tuple[Report, list[tuple[str, Recalled]]]:
            report = await run_index(bank, await bank.plan(*samples.documents()), wait=True, quiet=call.json)
            return report, [(q["question"], await bank.search(q["question"], limit=1)) for q in questions]

        report, answers = there.run(work)
        took = time.monotonic() - began
        if call.json:
            output.print_json({"outcomes": report.outcomes, "answers": dict(answers), "seconds": took})
            return
        for outcome in report.outcomes:
            output.console.print(f"[green]{outcome.status}[/] {Path(outcome.item).name}: {len(outcome.memories)}")
        for question, found in answers:
            output.console.print(f"\n[bold]{question}[/]")
            output.print_hits(found.hits, found.notes, found.coverage)
        output.console.print(f"\n{len(report.outcomes)} documents, {len(answers)} questions, {took:.0f} s, no network")
