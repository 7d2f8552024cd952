"""Matrix products on one thread: on a busy machine several of them wait for each other longer than they compute."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from threadpoolctl import ThreadpoolController


class _OneThread:
    """Counts who is inside: the first one in limits the process, the last one out gives back what was set before."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._inside = 0

    @cached_property
    def _libraries(self) -> ThreadpoolController:
        return ThreadpoolController()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        if self._pid != os.getpid():  # forked, perhaps while another thread held the lock
            self._start()
        with self._lock:
            if self._inside == 0:
                self._before = self._libraries.limit(limits=1, user_api="blas")
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self._before.restore_original_limits()


one_thread = _OneThread()
