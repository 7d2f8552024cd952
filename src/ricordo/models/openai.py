"""Embeddings from any OpenAI-compatible server: OpenAI, llama.cpp, vLLM, Ollama, and many more."""

from __future__ import annotations

import logging
import sys
from base64 import b64decode
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ricordo.errors import Invalid, ModelFailed
from ricordo.models.endpoint import Endpoint, TooLong
from ricordo.models.rows import clean, halves, slices, unit
from ricordo.models.together import together
from ricordo.protocols import Vectors
from ricordo.secret import Secret
from ricordo.types import content_digest

log = logging.getLogger(__name__)

SHORTEST = 8
"""Characters that any server must take at once."""


class OpenAIEmbedder:
    """`batch` and `batch_bytes` bound one request. A text over the server's own limit is the mean of its parts.

    Models that want it get `query_prefix` or `passage_prefix` before each text. `dimensions` asks for shorter vectors.
    The name holds the model and all that changes its vectors, and not the server.
    """

    def __init__(
        self,
        url: str,
        *,
        model: str,
        key: Secret | str | None = None,
        dimensions: int | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        max_characters: int = 8_000,
        batch: int = 32,
        batch_bytes: int = 64_000,
        concurrency: int = 4,
        timeout: float = 60.0,
        retries: int = 3,
        backoff: float = 0.5,
    ) -> None:
        if not model:
            raise Invalid("the openai embedder needs the name of a model, as the server lists it at /v1/models")
        self.max_characters = max_characters
        prefixes = content_digest(f"{query_prefix}\0{passage_prefix}")[:8] if query_prefix or passage_prefix else ""
        self.name = ":".join(filter(None, ["openai", model, str(dimensions or ""), prefixes]))
        self._endpoint = Endpoint(url, key, timeout=timeout, retries=retries, concurrency=concurrency, backoff=backoff)
        self._model = model
        self._dimensions = dimensions
        self._prefixes = {True: query_prefix, False: passage_prefix}
        self._batch = batch
        self._batch_bytes = batch_bytes
        self._dimension: int | None = None
        self._limit: int | None = None

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._endpoint.shown!r}, model={self._model!r})"

    async def dimension(self) -> int:
        """Found by embedding one word, once."""
        if self._dimension is None:
            await self.embed(["dimension"])
        return self._dimension or 0

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        prefix = self._prefixes[query]
        given = [f"{prefix}{text}" or " " for text in clean(texts, self.max_characters)]
        if not given:
            return np.empty((0, await self.dimension()), np.float32)
        order, groups = self._groups(given)
        rows = np.concatenate(await together(self._rows(group) for group in groups))
        self._dimension = self._dimension or rows.shape[1]
        if rows.shape[1] != self._dimension:
            raise ModelFailed(
                f"{self._endpoint.shown} gave vectors of {rows.shape[1]} numbers, and {self._dimension} before: "
                f"another model answers to the name {self._model!r}"
            )
        return unit(rows, self.name)[np.argsort(order)]

    def _groups(self, texts: Sequence[str]) -> tuple[list[int], list[list[str]]]:
        """The order in which the texts are asked for, and the requests; what the server may refuse stands alone."""
        alone: list[int] = []
        safe: list[int] = []
        for number, text in enumerate(texts):
            over = self._limit is not None and len(text.encode("utf-8")) > self._limit  # a token has a byte or more
            (alone if over else safe).append(number)
        batches = slices([texts[number] for number in safe], most=self._batch, size=self._batch_bytes)
        return [*alone, *safe], [*([texts[number]] for number in alone), *batches]

    async def _rows(self, texts: list[str]) -> NDArray[np.float64]:
        body: dict[str, Any] = {"model": self._model, "input": texts}
        if self._dimensions:
            body["dimensions"] = self._dimensions
        try:
            answer = await self._endpoint.post("embeddings", body)
        except TooLong as error:
            self._learn(error)
            if len(texts) > 1:
                return np.concatenate([await self._rows([text]) for text in texts])
            if len(texts[0]) < SHORTEST:
                raise
            return await self._mean(halves(texts[0]))
        try:
            return _vectors(answer, len(texts))
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise ModelFailed(
                f"{self._endpoint.shown} gave no usable vectors for {len(texts)} texts ({error}); "
                f"is {self._model!r} an embedding model?"
            ) from error

    async def _mean(self, parts: tuple[str, str]) -> NDArray[np.float64]:
        """The mean of the parts' vectors, each weighted by its length."""
        rows = np.concatenate([await self._rows([part]) for part in parts])
        rows = unit(rows, self.name) * np.array([[len(part)] for part in parts])
        return np.asarray(rows.sum(axis=0, keepdims=True), np.float64)

    def _learn(self, error: TooLong) -> None:
        if self._limit is None:
            log.warning("longer texts are split, and the vectors of their parts averaged, because %s", error)
        self._limit = min(filter(None, [error.limit, self._limit]), default=sys.maxsize)

    async def close(self) -> None:
        await self._endpoint.close()


def _vectors(answer: Any, count: int) -> NDArray[np.float64]:
    """The answer's vectors in the order of the texts; ValueError, TypeError or KeyError says what is wrong."""
    data = answer["data"]
    if len(data) != count:
        raise ValueError(f"{len(data)} vectors came back")
    places = [item.get("index", number) for number, item in enumerate(data)]
    if sorted(places) != list(range(count)):
        raise ValueError(f"their indexes are {places[:5]}")
    rows = [_numbers(data[number]["embedding"]) for number in np.argsort(places)]
    if len({row.shape for row in rows}) != 1 or rows[0].ndim != 1 or not rows[0].size:
        raise ValueError("their lengths differ, or are zero")
    return np.stack(rows)


def _numbers(embedding: Any) -> NDArray[np.float64]:
    if isinstance(embedding, str):
        return np.frombuffer(b64decode(embedding, validate=True), "<f4").astype(np.float64)
    return np.array(embedding, np.float64)
