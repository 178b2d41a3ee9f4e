"""What git's plumbing prints, as values. Pure: bytes in, values out.

Whole outputs are decoded at once with surrogate escapes and split on NUL, the one byte that no path holds.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

from gitmem.errors import InvalidDataError
from gitmem.model.change import Change, ChangeStatus, Commit, Person, TreeEntry

_STATUSES: dict[str, ChangeStatus] = {
    "A": "added",
    "D": "deleted",
    "M": "modified",
    "T": "type_changed",
    "R": "renamed",
}


class IndexRow(NamedTuple):
    """One row of ``ls-files -s -t``.

    Args:
        tag: ``H`` cached, ``S`` skip-worktree, ``M`` unmerged, ``C`` changed, ``R`` removed, ``?`` untracked.
        mode: As in git; 0 when untracked.
        oid: Object id in the index; empty when untracked.
        stage: 0, or 1 to 3 of a conflict.
        path: From the repository's root.
    """

    tag: str
    mode: int
    oid: str
    stage: int
    path: str


def text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def lines(raw: bytes) -> list[str]:
    """The lines of an output; `str.splitlines` would also part at characters that a ref name may hold."""
    return text(raw).removesuffix("\n").split("\n") if raw else []


def records(raw: bytes) -> list[str]:
    """The NUL-terminated records of an output."""
    parts = text(raw).split("\0")
    if parts[-1] == "":
        parts.pop()
    return parts


def ref_rows(out: bytes) -> dict[str, str]:
    """Rows of ``for-each-ref --format=%(objectname) %(refname)`` by name."""
    rows = (line.partition(" ") for line in lines(out))
    return {name: oid for oid, _, name in rows}


def broken_refs(err: bytes) -> set[str]:
    """Names of the refs that ``for-each-ref`` complained of."""
    marker = "warning: ignoring broken ref "
    return {line.removeprefix(marker) for line in lines(err) if line.startswith(marker)}


def tree_entries(raw: bytes) -> list[TreeEntry]:
    """Rows of ``ls-tree -z``: ``MODE TYPE OID<TAB>PATH``."""
    modes: dict[str, int] = {}
    entries = []
    for record in records(raw):
        meta, _, path = record.partition("\t")
        mode = meta[:6]
        if mode not in modes:
            modes[mode] = int(mode, 8)
        entries.append(TreeEntry(path, modes[mode], meta[meta.rindex(" ") + 1 :]))
    return entries


def index_rows(raw: bytes) -> list[IndexRow]:
    """Rows of ``ls-files -z -s -t``: ``TAG MODE OID STAGE<TAB>PATH``, or ``? PATH`` when untracked."""
    rows = []
    for record in records(raw):
        if record.startswith("? "):
            rows.append(IndexRow("?", 0, "", 0, record[2:]))
            continue
        meta, _, path = record.partition("\t")
        tag, mode, oid, stage = meta.split(" ")
        rows.append(IndexRow(tag, int(mode, 8), oid, int(stage), path))
    return rows


def changes(parts: list[str]) -> tuple[Change, ...]:
    """Rows of ``diff-tree -r -z --raw``: ``:MODE MODE OID OID STATUS``, then one path, two for a rename."""
    rest = iter(parts)
    return tuple(
        _change(meta, next(rest), next(rest)) if meta[-1].isdigit() else _change(meta, next(rest))
        for meta in rest
    )


def _change(meta: str, path: str, renamed_to: str | None = None) -> Change:
    old_mode, new_mode, old_oid, new_oid, letter = meta[1:].split(" ")
    status = _STATUSES[letter[0]]
    return Change(
        status,
        None if status == "added" else path,
        None if status == "deleted" else renamed_to or path,
        int(old_mode, 8),
        int(new_mode, 8),
        None if status == "added" else old_oid,
        None if status == "deleted" else new_oid,
        int(letter[1:]) if renamed_to is not None else None,
    )


def commits_with_changes(raw: bytes) -> list[tuple[str, tuple[Change, ...]]]:
    """Output of ``diff-tree --stdin -z --raw``: a commit id, then its rows, for each commit."""
    found: list[tuple[str, list[str]]] = []
    rest = iter(records(raw))
    for part in rest:
        # A row starts with a colon and owns the paths behind it; what else stands where a row could is an id.
        if not part.startswith(":"):
            found.append((part.strip("\n"), []))
            continue
        rows = found[-1][1]
        rows += [part, next(rest)]
        if part.rpartition(" ")[2].startswith("R"):
            rows.append(next(rest))
    return [(oid, changes(rows)) for oid, rows in found]


def compared_trees(raw: bytes) -> list[tuple[Change, ...]]:
    """Output of ``diff-tree --stdin -z --raw`` for pairs of trees: a line of two ids, then its rows, for each pair."""
    found: list[list[Change]] = []
    known: dict[str, Change] = {}  # neighbouring baselines share most rows
    rows: list[Change] = []
    rest = iter(records(raw))
    for part in rest:
        meta = part
        while meta and meta[0] != ":":
            meta = meta.partition("\n")[2]
            rows = []
            found.append(rows)
        if not meta:
            continue
        path = next(rest)
        place = next(rest) if meta[-1].isdigit() else None
        key = f"{meta}\0{path}" if place is None else f"{meta}\0{path}\0{place}"
        row = known.get(key)
        if row is None:
            row = known[key] = _change(meta, path, place)
        rows.append(row)
    return [tuple(one) for one in found]


def commit(oid: str, raw: bytes, *, cut: bool = False) -> Commit:
    """A raw commit object.

    Args:
        oid: Its id.
        raw: The object's content.
        cut: Whether history is cut here (shallow clone); the parents are then left out.

    Raises:
        InvalidDataError: When it is not a commit that git could have written.
    """
    head, _, body = raw.partition(b"\n\n")
    headers: dict[bytes, bytes] = {}
    parents = []
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"parent":
            parents.append(value.decode("ascii", "replace"))
        elif key:
            headers.setdefault(key, value)
    try:
        author, authored_at = _signature(headers[b"author"])
        committer, committed_at = _signature(headers[b"committer"])
        tree = headers[b"tree"].decode("ascii")
    except (KeyError, ValueError) as error:
        raise InvalidDataError(f"damaged commit {oid}", hint="git fsck --full tells more") from error
    return Commit(
        oid=oid,
        tree=tree,
        parents=() if cut else tuple(parents),
        author=author,
        authored_at=authored_at,
        committer=committer,
        committed_at=committed_at,
        message=_message(body, headers.get(b"encoding", b"utf-8")),
    )


def _message(body: bytes, encoding: bytes) -> str:
    try:
        return body.decode(encoding.decode("ascii"), "replace")
    except (LookupError, ValueError):  # an encoding that does not exist, or that is none of text
        return body.decode("utf-8", "replace")


def person(raw: bytes) -> Person:
    """``Name <mail> …`` as git writes it."""
    name, _, rest = raw.partition(b"<")
    return Person(
        name.decode("utf-8", "replace").strip(), rest.rpartition(b">")[0].decode("utf-8", "replace")
    )


def _signature(raw: bytes) -> tuple[Person, str]:
    seconds, zone = raw.rpartition(b"> ")[2].split()
    return person(raw), rfc3339(int(seconds), zone.decode("ascii"))


def rfc3339(seconds: int, zone: str) -> str:
    """A git time stamp with its offset (``+0900``); years that RFC 3339 cannot write are held at its ends."""
    sign = -1 if zone.startswith("-") else 1
    digits = zone.lstrip("+-")
    try:
        offset = timezone(sign * timedelta(hours=int(digits[:-2] or 0), minutes=int(digits[-2:])))
    except ValueError:
        offset = UTC
    try:
        return datetime.fromtimestamp(seconds, offset).isoformat()
    except (OverflowError, ValueError, OSError):
        return "9999-12-31T23:59:59+00:00" if seconds > 0 else "0001-01-01T00:00:00+00:00"
