"""What a vector must be before a store takes it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ricordo.errors import Conflict, Invalid
from ricordo.protocols import Vectors


def unit(vector: Vectors, what: str) -> NDArray[np.float64]:
    """The vector at length one; Invalid where it has no direction."""
    wide = np.asarray(vector, np.float64)
    if wide.ndim != 1 or not len(wide):
        raise Invalid(f"{what} must be one row of numbers, got the shape {wide.shape}")
    length = float(np.linalg.norm(wide))
    if not np.isfinite(length) or length == 0:
        raise Invalid(f"{what} has the length {length} and so no direction; an embedder must not give such a vector")
    return wide / length


def check_dimension(space: str, dimension: int, vector: NDArray[np.float64], what: str) -> None:
    if len(vector) != dimension:
        raise Conflict(
            f"{what} has {len(vector)} dimensions and the space {space!r} has {dimension}; "
            "use the space's model, or another space and reindex"
        )
