"""Refs as the ledger handles them beyond `interface.Repository`: several prefixes listed in one call with what is
damaged, and many refs deleted at once.

A ref of the ledger holds an object id and nothing else. Git passes over one that leads nowhere without a word, follows
one that names another ref, and waits for ever for a FIFO; each is told here, and kept from the rest.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gitmem.errors import InvalidDataError
from gitmem.git import parsing
from gitmem.git.failures import failure, ref_failure
from gitmem.git.interface import Layout, Repository
from gitmem.git.runner import Runner
from gitmem.wire.loose_refs import loose_refs, odd_file

OURS = "refs/ai/"
_SHOWN = "--format=%(objectname) %(refname) %(symref)"


class ListedRefs(NamedTuple):
    """Refs as git lists them.

    Args:
        refs: Object id by full name.
        damaged: What is wrong, in words, by the name of each ref that holds no object id.
    """

    refs: Mapping[str, str]
    damaged: Mapping[str, str]


def list_refs(repository: Repository, *prefixes: str) -> ListedRefs:
    """Refs below some prefixes, by one process at most.

    Raises:
        InvalidDataError: When something that git must not open stands where it would open it on the way.
    """
    common = str(repository.layout.common_dir)
    names: list[str] = []
    odd: dict[str, str] = {}
    for prefix in prefixes:
        found, strange = loose_refs(common, prefix)
        names += found
        odd |= strange
    plain = None if odd else _from_files(common, names, prefixes)
    if plain is not None:
        return ListedRefs(plain, {})
    damaged = _beside(names, odd, prefixes) if odd else {}
    asked = _without(common, names, odd, prefixes) if odd else prefixes
    status, out, err = (
        Runner(repository.layout).run("for-each-ref", _SHOWN, *asked) if asked else (0, b"", b"")
    )
    if status:
        raise failure("for-each-ref", status, err)
    rows = [line.split(" ") for line in parsing.lines(out)]
    damaged |= {name: f"a symbolic ref to {target}" for _, name, target in rows if target}
    damaged |= dict.fromkeys(parsing.broken_refs(err), "no object id stands in it")
    refs = {name: oid for oid, name, target in rows if not target}
    silent = [name for name in names if name not in refs and name not in damaged]
    damaged |= {name: "it leads to no object" for name in silent if os.path.lexists(f"{common}/{name}")}
    return ListedRefs(refs, dict(sorted(damaged.items())))


def _from_files(common: str, names: Sequence[str], prefixes: Sequence[str]) -> dict[str, str] | None:
    """The same from the files that hold refs; None wherever git has to judge: reftable, odd names, no object id.

    The packed ones are read last: git writes them before it removes a file.
    """
    if Path(common, "reftable").exists() or not all(map(_PLAIN_NAME.fullmatch, names)):
        return None
    found: dict[str, str] = {}
    for name in names:
        try:
            held = Path(common, name).read_bytes()
        except FileNotFoundError:
            if Path(common, name).is_symlink():
                return None
            continue
        except OSError:
            return None
        if _OBJECT_ID.fullmatch(held) is None or not held.strip(b"0\n"):
            return None
        found[name] = held[:-1].decode("ascii")
    packed = _packed_below(common, prefixes)
    if packed is None:
        return None
    for name, oid in packed:
        if _PLAIN_NAME.fullmatch(name) is None:
            return None
        found.setdefault(name, oid)
    return dict(sorted(found.items()))


def _packed_below(common: str, prefixes: Sequence[str]) -> list[tuple[str, str]] | None:
    """Name and object id of packed refs; None where the file is not as git writes it."""
    try:
        data = Path(common, "packed-refs").read_bytes()
    except FileNotFoundError:
        return []
    except OSError:
        return None
    if _PACKED.fullmatch(data) is None:
        return None
    rows = (line.partition(" ") for line in parsing.lines(data))
    return [(name, oid) for oid, _, name in rows if name.startswith(tuple(prefixes))]


_PACKED = re.compile(rb"(?:#[^\n]*\n|\^?[0-9a-f]{40}(?:[0-9a-f]{24})?(?: [^\n]+)?\n)*")
_OBJECT_ID = re.compile(rb"(?:[0-9a-f]{40}|[0-9a-f]{64})\n")
_PART = r"[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*(?<!\.lock)"
_PLAIN_NAME = re.compile(rf"(?:{_PART}/)+{_PART}")
"""Names that git takes without a second look."""


def _beside(names: Sequence[str], odd: Mapping[str, str], prefixes: Sequence[str]) -> dict[str, str]:
    """Refs that git cannot be asked for, since it opens all files of a folder at once.

    Raises:
        InvalidDataError: When that is the case for all that was asked for.
    """
    for name, kind in odd.items():
        if not any(name.startswith(prefix) for prefix in prefixes):
            raise _odd(name, kind)
    folders = {_folder(name): name for name in odd}
    told = {name: f"it stands beside {folders[_folder(name)]}" for name in names if _folder(name) in folders}
    return told | {name: f"it is {kind}, which git waits for: remove it" for name, kind in odd.items()}


def _without(common: str, names: Sequence[str], odd: Mapping[str, str], prefixes: Sequence[str]) -> list[str]:
    """Folders that hold no file of the odd ones, in place of prefixes that do.

    Raises:
        InvalidDataError: When git would meet an odd file there all the same.
    """
    shut = {_folder(name): name for name in odd}
    every = {*names, *(name for name in _packed(common) if name.startswith(tuple(prefixes)))}
    asked = {_folder(name) for name in every} - shut.keys()
    for folder, name in shut.items():
        if any(
            one.startswith(folder) for one in asked
        ):  # on its way there git opens the files of each folder
            raise _odd(name, odd[name])
    return sorted(asked)


def _folder(name: str) -> str:
    return name[: name.rindex("/") + 1]


def _packed(common: str) -> list[str]:
    """Names of packed refs."""
    try:
        lines = parsing.lines(Path(common, "packed-refs").read_bytes())
    except OSError:
        return []
    return [line.partition(" ")[2] for line in lines if not line.startswith(("#", "^"))]


def _odd(name: str, kind: str) -> InvalidDataError:
    return InvalidDataError(f"damaged ref: {name} is {kind}, which git waits for", hint="remove it")


def refuse_odd(layout: Layout, name: str) -> None:
    """Keep git from opening a ref of the ledger that is no file.

    Raises:
        InvalidDataError: Naming it.
    """
    if not name.startswith(OURS):
        return
    kind = odd_file(str(layout.common_dir), name)
    if kind:
        raise _odd(name, kind)


def refuse_odd_below(layout: Layout, prefix: str = OURS) -> None:
    """Keep git from looking at all refs where it would wait for one that is no file, as an exchange with a remote does.

    Raises:
        InvalidDataError: Naming it.
    """
    for name, kind in loose_refs(str(layout.common_dir), prefix)[1].items():
        raise _odd(name, kind)


def read_ref(runner: Runner, name: str) -> str | None:
    """What a ref holds; None when there is none.

    Raises:
        InvalidDataError: It is damaged; of the ledger's also: it is no file, names another ref, or leads nowhere.
    """
    refuse_odd(runner.layout, name)
    status, out, err = runner.run("for-each-ref", _SHOWN, name)
    if status:
        raise failure("for-each-ref", status, err)
    rows = [row for row in (line.split(" ") for line in parsing.lines(out)) if row[1] == name]
    if rows and (not rows[0][2] or not name.startswith(OURS)):
        return rows[0][0]
    if rows:
        raise InvalidDataError(f"damaged ref: {name} is a symbolic ref to {rows[0][2]}", hint="remove it")
    file = Path(runner.layout.common_dir, name)
    is_silent = name.startswith(OURS) and os.path.lexists(file) and not file.is_dir()
    if is_silent or name in parsing.broken_refs(err):
        raise InvalidDataError(f"damaged ref: {name}", hint="git fsck tells more")
    return None


def delete_refs(repository: Repository, refs: Mapping[str, str]) -> None:
    """Delete refs that still hold these object ids: all of them or none.

    Raises:
        RaceError: One was moved or is locked by somebody else.
    """
    if not refs:
        return
    asked = "".join(f"delete {name}\0{oid}\0" for name, oid in refs.items())
    status, _, err = Runner(repository.layout).run(
        "update-ref", "--no-deref", "-z", "--stdin", stdin=asked.encode("utf-8", "surrogateescape")
    )
    if status:
        raise ref_failure(next(iter(refs)), status, err)
