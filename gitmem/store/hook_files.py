"""Git's hook files: one marked line in each, chained before what stands there.

The line is the same in every clone, since a hook may lie in a tracked folder (husky's, or what ``core.hooksPath``
names): it calls the launcher, an untracked file in the common git directory, which knows this machine's interpreter. It
stands right behind the ``#!`` line, because many hooks end in ``exec``. Taking it out restores the file byte for byte.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from gitmem.errors import InvalidDataError, NotServedError

LAUNCHER = "gitmem/hook"
TRAILER = "gitmem/trailer"
MARK = b"# gitmem: taken out by `gitmem hooks uninstall`"

_SHEBANG = b"#!/bin/sh\n"
_MADE = MARK + b", with this file\n"
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_COMPILED = (b"\x7fELF", b"\xfe\xed\xfa", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_WITH_INPUT = frozenset({"post-rewrite", "pre-push"})
_LARGEST = 1024 * 1024


class Refusal(NamedTuple):
    """Why a hook file gets no line, and what its owner can do."""

    reason: str
    cure: str


def section(hook: str) -> bytes:
    """The marked line for a hook, with its line end."""
    name = "section-with-input" if hook in _WITH_INPUT else "section"
    return _shim(name).replace(b"@HOOK@", hook.encode("ascii"))


def with_section(content: bytes | None, hook: str) -> bytes | Refusal:
    """What a hook file holds with the line in it; an older line gives way.

    Args:
        content: What it holds now; None when there is no file.
        hook: The hook's name.
    """
    if content is None:
        return _SHEBANG + section(hook) + _MADE
    bare = without_section(content)
    if bare is None:
        return with_section(None, hook)
    first, end, rest = bare.partition(b"\n")
    if not first.startswith(b"#!"):
        return cannot_run(bare) or section(hook) + bare
    return cannot_run(bare) or _refusal(first, bare) or first + end + section(hook) + rest


def without_section(content: bytes) -> bytes | None:
    """What a hook file holds without the line; None when nothing but what gitmem made is left.

    Of a program nothing is taken but a line before it: what it holds inside may be its own way to call the line.
    """
    first, end, rest = content.partition(b"\n")
    if _is_program(rest if MARK in first else content):
        return rest if MARK in first and end else content
    kept = b"".join(line for line in content.splitlines(keepends=True) if MARK not in line)
    return None if kept == _SHEBANG and _MADE in content else kept


def has_section(content: bytes) -> bool:
    return MARK in content


def calls_launcher(content: bytes) -> bool:
    """Whether a hook, or a hook manager's configuration, calls the launcher, in gitmem's own line or in one like it."""
    return MARK in content or LAUNCHER.encode() in content


def cannot_run(content: bytes) -> Refusal | None:
    """Why git cannot run a hook as it is written, or not once a line is put in; None when it can."""
    first, _, rest = content.partition(b"\n")
    if MARK in first and _is_program(rest):
        return Refusal(
            "gitmem's line stands before a program, so git cannot run it",
            "gitmem hooks uninstall restores it; then gitmem hooks install",
        )
    if _is_program(content) and not calls_launcher(content):
        return Refusal(
            "it is a compiled program, or no text: a line of shell would break it",
            'rename it to NAME.bin and run it from a script of shell in its place, exec "$0.bin" "$@"; '
            "then gitmem hooks install",
        )
    if content.startswith(b"#!") and content.partition(b"\n")[0].endswith(b"\r"):
        return Refusal(
            "its lines end in CR LF, so git cannot run it",
            "write it with plain LF line ends, then gitmem hooks install",
        )
    return None


def _is_program(content: bytes) -> bool:
    """Whether a hook is no text of shell: compiled (ELF, Mach-O and PE all hold NUL bytes), or with data behind a script.

    A script that names its shell may be in any encoding of old; without a first line that names one, only UTF-8 is text.
    """
    if b"\0" in content or content.startswith(_COMPILED):
        return True
    if content.startswith(b"#!"):
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return True
    return False


def _refusal(first: bytes, content: bytes) -> Refusal | None:
    words = first[2:].decode("utf-8", "replace").split()
    names = [word.rpartition("/")[2] for word in words if not word.startswith("-") and "=" not in word]
    program = next((name for name in names if name != "env"), "")
    if program not in _SHELLS:
        return Refusal(
            f"it is written for {program or 'no shell'}", "call the line below, a line of shell, from it"
        )
    if b"\n" not in content:
        return Refusal("its first line has no end", "end it with a line end, or remove the empty hook")
    if b"call_lefthook" in content:
        return Refusal(
            "lefthook makes it anew", "add the line below to lefthook.yml as a command of this hook"
        )
    return None


def read_hook(file: Path) -> bytes | None:
    """Content of a hook file; None when there is none.

    Raises:
        InvalidDataError: A symbolic link, a folder, something too large to be a hook.
    """
    if file.is_symlink():
        raise InvalidDataError(
            f"{file} is a symbolic link", hint="gitmem follows none; put the line below where it leads"
        )
    if not file.exists():
        return None
    if not file.is_file() or file.stat().st_size > _LARGEST:
        raise InvalidDataError(f"{file} is no hook", hint="move it out of the folder of hooks")
    return file.read_bytes()


def write_hook(file: Path, content: bytes | None, *, executable: bool = True) -> None:
    """Replace a hook file in one step, its mode kept; None removes it.

    Raises:
        NotServedError: It cannot be written; it is as it was.
    """
    try:
        if content is None:
            file.unlink()
        else:
            _replace(file, content, executable=executable)
    except OSError as error:
        raise NotServedError(
            f"{file} cannot be {'removed' if content is None else 'written'}: {error.strerror or error}; it is as it was",
            hint="make its folder one that you may write to",
            path=str(file),
        ) from None


def _replace(file: Path, content: bytes, *, executable: bool) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode & 0o7777 if file.exists() else 0o755 if executable else 0o644
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(name).chmod(mode)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def launcher() -> bytes:
    """The launcher for this interpreter and this copy of gitmem."""
    root = Path(__file__).resolve().parent.parent.parent
    spec = find_spec("click")  # where the packages lie that a slow path may need
    packages = Path(spec.origin).parent.parent if spec and spec.origin else root
    text = _shim("launcher")
    for name, value in (("PYTHON", sys.executable), ("ROOT", str(root)), ("PACKAGES", str(packages))):
        text = text.replace(f"@{name}@".encode(), os.fsencode(shlex.quote(value)))
    return text


def trailer() -> bytes:
    """The part of the launcher that adds the trailer to a commit message."""
    return _shim("trailer")


def interpreter_of(text: bytes) -> str | None:
    """The interpreter that a launcher calls; None for a text that is no launcher."""
    found = re.search(rb"(?m)^exec (.*) -I -S ", text)
    words = shlex.split(os.fsdecode(found[1])) if found else []
    return words[0] if words else None


@cache
def _shim(name: str) -> bytes:
    """A file of ``hooks/``: beside the package in a checkout, inside of it when installed."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "shims" / name
    return (installed if installed.exists() else package.parent / "hooks" / name).read_bytes()
