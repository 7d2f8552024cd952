"""A numpy array that grows at its end, while slices that were handed out before keep what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Growing:
    """Appends in amortised constant time; what was appended never changes."""

    def __init__(self, dtype: Any, width: int | None = None) -> None:
        self._data: NDArray[Any] = np.empty((0,) if width is None else (0, width), dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    @property
    def nbytes(self) -> int:
        return self._data.nbytes

    def reserve(self, more: int) -> None:
        """Makes room, exactly for the first rows and with some to spare for later ones."""
        need = self._used + more
        if need > len(self._data):
            room = need if not self._used else max(need, self._used + self._used // 4 + 16)
            grown = np.empty((room, *self._data.shape[1:]), self._data.dtype)
            grown[: self._used] = self._data[: self._used]
            self._data = grown

    def extend(self, rows: Any) -> None:
        if len(rows):
            self.reserve(len(rows))
            self._data[self._used : self._used + len(rows)] = rows
            self._used += len(rows)

    def view(self) -> NDArray[Any]:
        return self._data[: self._used]
