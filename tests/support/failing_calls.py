"""System calls that fail from some moment on, in this process and all that it starts: a full disk, a broken one, no right.

The kernel's own filter (seccomp) answers for the call, so git and libgit2 meet the error as they would on a bad disk.
"""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Literal

Call = Literal["create", "rename", "write", "mkdir"]

_LOAD, _EQUAL, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _FIRST = 0, 16
_ANY = (-1, 0, 0)
_CREATES = os.O_CREAT

_CALLS: dict[str, dict[Call, dict[int, tuple[int, int, int]]]] = {
    "x86_64": {
        "create": {2: (1, _ANY_BIT, _CREATES), 257: (2, _ANY_BIT, _CREATES)},
        "rename": {82: _ANY, 264: _ANY, 316: _ANY, 86: _ANY, 265: _ANY},
        "write": {1: (0, _ABOVE, 2), 18: (0, _ABOVE, 2), 20: (0, _ABOVE, 2)},
        "mkdir": {83: _ANY, 258: _ANY},
    },
    "aarch64": {
        "create": {56: (2, _ANY_BIT, _CREATES)},
        "rename": {38: _ANY, 276: _ANY, 37: _ANY},
        "write": {64: (0, _ABOVE, 2), 68: (0, _ABOVE, 2), 66: (0, _ABOVE, 2)},
        "mkdir": {34: _ANY},
    },
}
"""Numbers of system calls; which argument decides, by what test, against what."""


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("jt", ctypes.c_ubyte),
        ("jf", ctypes.c_ubyte),
        ("k", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.POINTER(_Instruction)))


def let_fail(call: Call, errno: int) -> None:
    """From now on and for good: call it in a process that is thrown away."""
    code: list[tuple[int, int, int, int]] = []
    for number, (argument, test, value) in _CALLS[platform.machine()][call].items():
        looked = [] if argument < 0 else [(_LOAD, 0, 0, _FIRST + 8 * argument), (test, 0, 1, value)]
        code += [
            (_LOAD, 0, 0, _NUMBER),
            (_EQUAL, 0, len(looked) + 1, number),
            *looked,
            (_RETURN, 0, 0, _ERRNO | errno),
        ]
    code.append((_RETURN, 0, 0, _ALLOW))
    instructions = (_Instruction * len(code))(*(_Instruction(*one) for one in code))
    program = _Program(len(code), instructions)
    libc = ctypes.CDLL(None, use_errno=True)
    for options in ((38, 1, 0, 0, 0), (22, 2, ctypes.byref(program), 0, 0)):
        if libc.prctl(*options):
            raise OSError(ctypes.get_errno(), "prctl")
