"""Who writes: the id of this clone, in ``<common git dir>/gitmem/writer``.

One line for each place that this git directory has been used at: ``<id> <real path of the common git dir>``. A path
that is not listed belongs to a copy, which gets an id of its own before its first append; a directory that is seen
under two paths (a container's and the host's) keeps one id for each. All processes and work trees of a clone share it.
``-`` for a path stands for an id that nobody writes under any more: what it wrote is still this clone's to send.
"""

from __future__ import annotations

import os

LENGTH = 10

_NOWHERE = b"-"
_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_LETTERS = frozenset(_CROCKFORD)


def writer_id(common_dir: str) -> str | None:
    """The id of the clone at this path; None before its first append."""
    place = os.fsencode(os.path.realpath(common_dir))
    return next((name for name, path in _lines(_file(common_dir)) if path == place), None)


def writer_ids(common_dir: str) -> tuple[str, ...]:
    """Every id that this git directory has written under, at this path or at those it lay at before."""
    return tuple(name for name, _ in _lines(_file(common_dir)))


def own_writer_ids(common_dir: str) -> tuple[str, ...]:
    """The id of the clone at this path, and those that it does not write under any more; not those of other paths."""
    place = os.fsencode(os.path.realpath(common_dir))
    return tuple(name for name, path in _lines(_file(common_dir)) if path in {place, _NOWHERE})


def list_writer_id(common_dir: str, name: str) -> None:
    """Count what an id wrote, or is going to, as this clone's. The caller holds the clone's lock."""
    lines = _lines(_file(common_dir))
    if all(name != one for one, _ in lines):
        _replace(_file(common_dir), [*lines, (name, _NOWHERE)])


def change_writer_id(common_dir: str, name: str) -> None:
    """Write under another id from the next append on; the one before stays listed. The caller holds the clone's lock."""
    place = os.fsencode(os.path.realpath(common_dir))
    lines = [(one, _NOWHERE if path == place else path) for one, path in _lines(_file(common_dir))]
    _replace(_file(common_dir), [*(line for line in lines if line[0] != name), (name, place)])


def make_writer_id(common_dir: str) -> str:
    """The id, made when there is none. The caller holds the clone's lock.

    Raises:
        OSError: When it cannot be written.
    """
    known = writer_id(common_dir)
    if known is not None:
        return known
    name = random_name(LENGTH)
    file = _file(common_dir)
    _replace(file, [*_lines(file), (name, os.fsencode(os.path.realpath(common_dir)))])
    return name


def random_name(length: int) -> str:
    """Crockford base-32 characters at random."""
    return "".join(_CROCKFORD[byte & 31] for byte in os.urandom(length))


def _file(common_dir: str) -> str:
    return f"{common_dir}/gitmem/writer"


def _replace(file: str, lines: list[tuple[str, bytes]]) -> None:
    temporary = f"{file}.{os.getpid()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    try:
        os.write(descriptor, b"".join(b"%b %b\n" % (name.encode("ascii"), path) for name, path in lines))
    finally:
        os.close(descriptor)
    os.replace(temporary, file)


def _lines(file: str) -> list[tuple[str, bytes]]:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return []
    with os.fdopen(descriptor, "rb") as stream:
        rows = [line.partition(b" ") for line in stream.read(1 << 20).split(b"\n")]
    names = [(name.decode("ascii", "replace"), path) for name, _, path in rows if path]
    return [(name, path) for name, path in names if len(name) == LENGTH and _LETTERS.issuperset(name)]
