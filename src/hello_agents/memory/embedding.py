"""Which embedder the environment asks for, and embedders for callers of their own; none invents a vector."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hello_agents.core.config import environment
from ricordo import blocking
from ricordo.errors import Invalid, RicordoError
from ricordo.protocols import Embedder
from ricordo.registry import load

if TYPE_CHECKING:
    from ricordo.protocols import Vectors

log = logging.getLogger(__name__)

DASHSCOPE_URL = "https://dashscope.aliyuncs.com/compatible-mode/v1"
DASHSCOPE_MODEL = "text-embedding-v3"
FALLBACK = ("dashscope", "local", "tfidf")
"""The order of providers after the preferred one. The last of them always works."""
_SAME = {"sentence_transformer": "local", "huggingface": "local"}


def provider_name(name: str) -> str:
    """The provider behind a name or one of its aliases."""
    known = _SAME.get(name.strip().lower(), name.strip().lower())
    if known not in FALLBACK:
        raise Invalid(f"unknown embedding type {name!r}; known are {', '.join((*FALLBACK, *_SAME))}")
    return known


def engine_settings() -> dict[str, str]:
    """What the environment's EMBED_* variables say, as the engine's settings; nothing where they say nothing.

    A server or a key means that server; `tfidf` the embedder without a model; anything else the engine's own choice.
    """
    env = environment()
    wanted = provider_name(env.get("EMBED_MODEL_TYPE", "dashscope"))
    url, key = env.get("EMBED_BASE_URL", ""), env.get("EMBED_API_KEY", "")
    if wanted == "dashscope" and (url or key):
        model = env.get("EMBED_MODEL_NAME", DASHSCOPE_MODEL)
        return {
            "embedder": "openai",
            "embedder_url": url or DASHSCOPE_URL,
            "embedder_model": model,
            "embedder_key": key,
        }
    return {"embedder": "hash"} if wanted == "tfidf" else {}


class EmbeddingModel:
    """An embedder of the engine for callers that do not await."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._dimension: int | None = None

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        if self._dimension is None:
            self._dimension = blocking.run(self._embedder.dimension())
        return self._dimension

    def encode(self, texts: str | Sequence[str]) -> Any:
        """A vector for one text, a list of vectors for many. Raises what keeps them from being made."""
        rows: Vectors = blocking.run(self._embedder.embed([texts] if isinstance(texts, str) else list(texts)))
        return rows[0] if isinstance(texts, str) else list(rows)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class DashScopeEmbedding(EmbeddingModel):
    """Any OpenAI-compatible embedding server; without `base_url`, DashScope's own."""

    def __init__(
        self, model_name: str | None = None, api_key: str | None = None, base_url: str | None = None, **options: Any
    ) -> None:
        env = environment()
        key = api_key or env.get("EMBED_API_KEY", "")
        url = base_url or env.get("EMBED_BASE_URL", "")
        if not (key or url):
            raise Invalid("dashscope embeddings need EMBED_API_KEY, or EMBED_BASE_URL for another server")
        model = model_name or env.get("EMBED_MODEL_NAME", DASHSCOPE_MODEL)
        super().__init__(load("embedder", "openai")(url or DASHSCOPE_URL, model=model, key=key, **options))


class LocalTransformerEmbedding(EmbeddingModel):
    """The model that comes with the engine; another one's name is not downloaded, and said in the log."""

    def __init__(self, model_name: str | None = None) -> None:
        from ricordo.models.default import default_embedder

        chosen = default_embedder()
        if model_name:
            log.warning("%s is not downloaded; the bundled model %s embeds in its place", model_name, chosen)
        super().__init__(load("embedder", chosen)())


class TFIDFEmbedding(EmbeddingModel):
    """Hashed characters, pairs and triples: no model, no vocabulary, nothing to fit."""

    def __init__(self, max_features: int = 384) -> None:
        super().__init__(load("embedder", "hash")(max_features))

    def fit(self, texts: Sequence[str]) -> None:
        """Nothing to do: hashed features need no vocabulary. Kept so that programs which fit first go on working."""


SentenceTransformerEmbedding = HuggingFaceEmbedding = LocalTransformerEmbedding

_CLASSES: dict[str, Callable[..., EmbeddingModel]] = {
    "dashscope": DashScopeEmbedding,
    "local": LocalTransformerEmbedding,
    "tfidf": TFIDFEmbedding,
}


def create_embedding_model(model_type: str = "local", **options: Any) -> EmbeddingModel:
    """The embedder of that type; each takes its own options."""
    try:
        return _CLASSES[provider_name(model_type)](**options)
    except TypeError as error:
        raise Invalid(f"the {model_type} embedding does not take these options: {error}") from error


def create_embedding_model_with_fallback(preferred_type: str = "dashscope", **options: Any) -> EmbeddingModel:
    """The preferred embedder, else the first of dashscope, local and tfidf that can be had; the log says why.

    The options are the preferred one's alone.
    """
    preferred = provider_name(preferred_type)
    try:
        return create_embedding_model(preferred, **options)
    except RicordoError as error:
        log.warning("no %s embedding: %s", preferred, error)
        wrong = error
    for name in FALLBACK:
        if name == preferred:
            continue
        try:
            model = create_embedding_model(name)
        except RicordoError as error:
            log.warning("no %s embedding: %s", name, error)
            continue
        log.warning("%s embeds in place of %s", model, preferred)
        return model
    raise wrong


_lock = threading.Lock()
_shared: EmbeddingModel | None = None


def get_text_embedder() -> EmbeddingModel:
    """The process's embedder, as the environment asks for it."""
    global _shared  # noqa: PLW0603 - one a process is what callers expect
    with _lock:
        if _shared is None:
            env = environment()
            wanted = provider_name(env.get("EMBED_MODEL_TYPE", "dashscope"))
            if wanted == "dashscope" and not (env.get("EMBED_API_KEY") or env.get("EMBED_BASE_URL")):
                wanted = "local"
            _shared = create_embedding_model_with_fallback(wanted)
        return _shared


def refresh_embedder() -> EmbeddingModel:
    """The process's embedder, made anew from the environment as it is now."""
    global _shared  # noqa: PLW0603
    with _lock:
        _shared = None
    return get_text_embedder()


def get_dimension(default: int = 384) -> int:
    """The dimension of the process's embedder; `default` when it does not answer, with the reason in the log."""
    try:
        return get_text_embedder().dimension
    except RicordoError as error:
        log.warning("the embedder does not say its dimension, %d is assumed: %s", default, error)
        return default
