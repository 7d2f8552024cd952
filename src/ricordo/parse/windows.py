"""How much memory this process holds, on Windows."""

from __future__ import annotations

import ctypes
import sys


class _Counters(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_uint32),
        ("page_faults", ctypes.c_uint32),
        *(
            (name, ctypes.c_size_t)
            for name in ("peak", "working_set", "a", "b", "c", "d", "page_file", "peak_page_file")
        ),
    )


def working_set() -> int:
    """Bytes resident; PROCESS_MEMORY_COUNTERS of psapi.h."""
    if sys.platform != "win32":
        raise OSError("only Windows counts a working set")
    counters = _Counters()
    counters.size = ctypes.sizeof(counters)
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    ask = kernel.K32GetProcessMemoryInfo
    ask.argtypes = (ctypes.c_void_p, ctypes.POINTER(_Counters), ctypes.c_uint32)
    if not ask(kernel.GetCurrentProcess(), ctypes.byref(counters), counters.size):
        raise ctypes.WinError(ctypes.get_last_error())
    return int(counters.working_set)
