"""A Linux filter on system calls, set from pure Python: no socket, no fork, no new process group.

A thread may still be started, and another program run the way `subprocess` does it (vfork, then exec): the program
inherits the filter. Layout of the filter: linux/filter.h and linux/seccomp.h.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import platform
import struct

log = logging.getLogger(__name__)

_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _SECCOMP_MODE_FILTER = 22, 38, 2
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_THREAD_OR_VFORK = 0x00010000 | 0x00004000
_FOREIGN_ABI = 0x40000000

# audit architecture, clone, clone3, and what is refused: socket, connect, fork, setsid, setpgid, ptrace,
# process_vm_readv, process_vm_writev, io_uring_setup, unshare, bpf, userfaultfd, keyctl
_MACHINES: dict[str, tuple[int, int, int, tuple[int, ...]]] = {
    "x86_64": (0xC000003E, 56, 435, (41, 42, 57, 112, 109, 101, 310, 311, 425, 272, 321, 323, 250)),
    "aarch64": (0xC00000B7, 220, 435, (198, 203, 157, 154, 117, 270, 271, 425, 97, 280, 282, 219)),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def forbid_sockets_and_forks() -> None:
    """Sets the filter on this thread and all that it starts; says so in the log where the kernel has none."""
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        log.info(
            "no filter on system calls is known for %s; the audit hook alone holds readers back", platform.machine()
        )
        return
    code = _filter(*machine)
    program = _Program(len(code) // 8, code)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0
    ):
        log.info("the kernel takes no filter on system calls: %s", errno.errorcode.get(ctypes.get_errno(), "?"))


def _filter(architecture: int, clone: int, clone3: int, refused: tuple[int, ...]) -> bytes:
    refuse, absent = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_AT_LEAST, 0, 1, _FOREIGN_ABI),
        (_RETURN, 0, 0, refuse),
        # glibc falls back from clone3, whose flags a filter cannot see, to clone
        (_JUMP_EQUAL, 0, 1, clone3),
        (_RETURN, 0, 0, absent),
    ]
    for number in refused:
        steps += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, refuse)]
    steps += [
        (_JUMP_EQUAL, 1, 0, clone),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_JUMP_ANY_BIT, 1, 0, _THREAD_OR_VFORK),
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
