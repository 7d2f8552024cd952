"""The command line: `ricordo --help`."""

from ricordo.cli.main import main

__all__ = ["main"]
