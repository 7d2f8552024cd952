"""Matrix products on one thread: on a busy machine several of them wait for each other longer than they compute."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Limits BLAS in the whole process, and gives back what was set before.

    Only the thread that entered may leave: while it is inside, threadpoolctl ignores what others ask of OpenBLAS.
    """
    limit: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limit
