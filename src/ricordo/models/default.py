"""Which bundled model is right for this machine."""

from __future__ import annotations

from ricordo.models.e5 import weights_path


def default_embedder() -> str:
    """A registry name: "e5" where its weights are installed, else "fast". Loads no model."""
    return "e5" if weights_path() else "fast"
