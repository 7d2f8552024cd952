"""The time that one file may use, so that a reader stops in good order before it is stopped."""

from __future__ import annotations

import time

from ricordo.parse.reading import Limits

_SHARE = 0.75
"""The rest is for putting in order what was read."""


class Budget:
    """Counts from when it is made: wall time, and the CPU time of this process."""

    def __init__(self, limits: Limits) -> None:
        self._wall_end = time.monotonic() + _SHARE * limits.wall_seconds
        self._cpu_end = time.process_time() + _SHARE * limits.cpu_seconds

    def left(self) -> float:
        """Seconds until the nearer end; below zero once it has passed."""
        return min(self._wall_end - time.monotonic(), self._cpu_end - time.process_time())
