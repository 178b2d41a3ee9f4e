"""Files below ``refs/`` as they lie there: git leaves a ref that leads nowhere out of its lists without a word, and
waits for ever for a FIFO or a device in the place of one.

Where refs are no files (reftable) there is nothing to be found here.
"""

from __future__ import annotations

import os

_KIND = 0o170000
_KINDS = {0o010000: "a FIFO", 0o020000: "a device", 0o060000: "a device", 0o140000: "a socket"}
"""What a file is by its mode, in words, as far as git must not open it."""
_REGULAR = 0o100000
_LONGEST = 1024
_PLAIN = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"


def loose_refs(common_dir: str, prefix: str) -> tuple[list[str], dict[str, str]]:
    """Refs below a prefix that ends with a slash, or the one of that name, as far as they are files.

    Returns:
        Names; and of those that git must not open, also of those that it would open on the way, what they are.
    """
    names: list[str] = []
    odd: dict[str, str] = {}
    parts = prefix.split("/")
    for length in range(1, len(parts)):
        folder = "/".join(parts[:length]) + "/"
        if folder != prefix:
            _look(common_dir, folder, [], odd, deep=False)
    if prefix.endswith("/"):
        _look(common_dir, prefix, names, odd, deep=True)
    elif os.path.lexists(f"{common_dir}/{prefix}"):
        names.append(prefix)
    return names, odd


def odd_file(common_dir: str, name: str) -> str:
    """What stands in the place of a ref, in words, when git must not open it; empty for anything else."""
    try:
        mode = os.stat(f"{common_dir}/{name}").st_mode
    except (OSError, ValueError):  # no name of a file, absent, or a symbolic link that leads nowhere
        return ""
    return _KINDS.get(mode & _KIND, "")


def symbolic_file(file: str) -> str:
    """The ref that a file names; empty when it is none, names none, or does so in a way that git has to judge."""
    try:
        if os.lstat(file).st_mode & _KIND != _REGULAR:
            return ""
        with open(file, "rb") as stream:
            held = stream.read(_LONGEST)
    except (OSError, ValueError):
        return ""
    name = held.removesuffix(b"\n").removeprefix(b"ref: ")
    is_plain = held.startswith(b"ref: refs/") and held.endswith(b"\n") and not name.translate(None, _PLAIN)
    return name.decode("ascii") if is_plain and b".." not in name else ""


def _look(common_dir: str, folder: str, names: list[str], odd: dict[str, str], *, deep: bool) -> None:
    try:
        entries = os.scandir(f"{common_dir}/{folder}")
    except OSError:
        return
    with entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.name.endswith(".lock"):  # as git passes them over
                continue
            name = f"{folder}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if deep:
                    _look(common_dir, f"{name}/", names, odd, deep=True)
                continue
            names.append(name)
            if not entry.is_file(follow_symlinks=False):
                kind = odd_file(common_dir, name)
                if kind:
                    odd[name] = kind
