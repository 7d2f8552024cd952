"""The forward pass of a BERT encoder in numpy, over texts of any length side by side and without padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ricordo.models.packed import Packed, dequantise
from ricordo.protocols import Vectors

_GELU = (np.float32(7.97457818e-01), np.float32(3.70510349e-02), np.float32(-3.58867446e-04))
"""tanh of this odd polynomial is erf(x / sqrt 2) within 6e-5: fitted, because numpy has a fast tanh and no erf."""
_GELU_FLAT = np.float32(36.0)
"""The square of x from which the polynomial would turn back; tanh is 1 there."""
_GELU_ROWS = 64
"""Rows that stay in the processor's cache while the steps of GELU pass over them."""


@dataclass(frozen=True, slots=True)
class _Norm:
    weight: Vectors
    bias: Vectors
    epsilon: np.float32

    def __call__(self, x: Vectors) -> None:
        x -= x.mean(axis=-1, keepdims=True)
        spread = np.einsum("ij,ij->i", x, x) / np.float32(x.shape[-1])
        x *= (1 / np.sqrt(spread + self.epsilon))[:, None]
        x *= self.weight
        x += self.bias


@dataclass(frozen=True, slots=True)
class _Linear:
    weight: Vectors
    bias: Vectors

    def __call__(self, x: Vectors) -> Vectors:
        y = x @ self.weight
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class _Layer:
    qkv: _Linear
    out: _Linear
    after_attention: _Norm
    up: _Linear
    down: _Linear
    after_down: _Norm


class Encoder:
    """Mean-pooled token states; a fifth of the model is the vocabulary, which stays quantised in the file."""

    def __init__(self, packed: Packed) -> None:
        self._heads = packed.shape.heads
        self._words = packed.tensors["emb.word"]
        hidden = packed.shape.hidden
        self._positions = packed.floats("emb.pos").reshape(-1, hidden) + packed.floats("emb.type")[:hidden]
        self._norm = _norm(packed, "emb.ln")
        self._layers = [_layer(packed, f"l{number}.") for number in range(packed.shape.layers)]

    def __call__(self, segments: Sequence[Sequence[int]]) -> Vectors:
        """One row a segment, not yet of unit length; a segment is the ids of at most `positions` tokens."""
        ends = np.cumsum([len(segment) for segment in segments]).tolist()
        spans = [slice(end - len(segment), end) for end, segment in zip(ends, segments, strict=True)]
        x = dequantise(self._words[np.concatenate(segments)])
        for span in spans:
            x[span] += self._positions[: span.stop - span.start]
        self._norm(x)
        for layer in self._layers:
            x += layer.out(self._attend(layer.qkv(x), spans))
            layer.after_attention(x)
            inner = layer.up(x)
            for first in range(0, len(inner), _GELU_ROWS):
                _twice_gelu(inner[first : first + _GELU_ROWS])
            x += layer.down(inner)
            layer.after_down(x)
        return np.stack([x[span].mean(axis=0) for span in spans])

    def _attend(self, qkv: Vectors, spans: Sequence[slice]) -> Vectors:
        mixed = np.empty((len(qkv), qkv.shape[1] // 3), np.float32)
        for span in spans:
            length = span.stop - span.start
            query, key, value = qkv[span].reshape(length, 3, self._heads, -1).transpose(1, 2, 0, 3)
            weights = query @ key.transpose(0, 2, 1)
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            heads = weights @ value
            heads /= weights.sum(axis=-1, keepdims=True)
            mixed[span] = heads.transpose(1, 0, 2).reshape(length, -1)
        return mixed


def _twice_gelu(x: Vectors) -> None:
    """x becomes x * (1 + erf(x / sqrt 2)); the half is in the weights that follow."""
    square = np.minimum(x * x, _GELU_FLAT)
    inner = square * _GELU[2]
    inner += _GELU[1]
    inner *= square
    inner += _GELU[0]
    inner *= x
    np.tanh(inner, out=inner)
    inner += 1
    x *= inner


def _norm(packed: Packed, name: str) -> _Norm:
    return _Norm(packed.floats(f"{name}.w"), packed.floats(f"{name}.b"), np.float32(packed.shape.epsilon))


def _linear(packed: Packed, name: str, scale: float = 1.0) -> _Linear:
    weight = packed.floats(f"{name}.w") * np.float32(scale)
    return _Linear(np.ascontiguousarray(weight.T), packed.floats(f"{name}.b"))


def _layer(packed: Packed, prefix: str) -> _Layer:
    narrow = (packed.shape.hidden // packed.shape.heads) ** -0.5
    query, key, value = (_linear(packed, prefix + name) for name in "qkv")
    return _Layer(
        qkv=_Linear(
            np.concatenate([query.weight * np.float32(narrow), key.weight, value.weight], axis=1),
            np.concatenate([query.bias * np.float32(narrow), key.bias, value.bias]),
        ),
        out=_linear(packed, prefix + "ao"),
        after_attention=_norm(packed, prefix + "aln"),
        up=_linear(packed, prefix + "fi"),
        down=_linear(packed, prefix + "fo", 0.5),
        after_down=_norm(packed, prefix + "oln"),
    )
