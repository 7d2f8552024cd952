"""Ricordo: memory and retrieval for AI agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ricordo.config import Settings
    from ricordo.engine.engine import BankHandle, Ricordo
    from ricordo.errors import RicordoError
    from ricordo.types import (
        And,
        Answer,
        Compare,
        File,
        Filter,
        Hit,
        Item,
        Kind,
        Match,
        Memory,
        Not,
        Op,
        Or,
        Outcome,
        Place,
        Recalled,
        Retained,
        Status,
        Tagged,
    )

__version__ = "0.1.0"

__all__ = [
    "And",
    "Answer",
    "BankHandle",
    "Compare",
    "File",
    "Filter",
    "Hit",
    "Item",
    "Kind",
    "Match",
    "Memory",
    "Not",
    "Op",
    "Or",
    "Outcome",
    "Place",
    "Recalled",
    "Retained",
    "Ricordo",
    "RicordoError",
    "Settings",
    "Status",
    "Tagged",
]

_HOMES = {
    "BankHandle": "ricordo.engine.engine",
    "Ricordo": "ricordo.engine.engine",
    "RicordoError": "ricordo.errors",
    "Settings": "ricordo.config",
}


def __getattr__(name: str) -> Any:
    """Names are imported when they are used, so that `import ricordo` costs next to nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'ricordo' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "ricordo.types")), name)
