"""Git bundles: refs and all that they reach, in one file. What is wrong with one is told of the file, not of a network."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from gitmem.errors import GitFailedError, InvalidDataError
from gitmem.git.borrowing import borrowing_repository
from gitmem.git.failures import first_line, write_cure
from gitmem.git.formatting import is_oid
from gitmem.git.interface import Repository
from gitmem.git.runner import Runner

CURE = "export the run again where it comes from, or remove this file: ledger.json then gives new events"

_LONGEST_HEAD = 64 << 20
_FETCH = (
    "fetch", "--quiet", "--no-prune", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-recurse-submodules",
    "--no-auto-maintenance", "--no-filter", "--stdin",
)  # fmt: skip


def read_bundle_refs(repository: Repository, file: Path) -> Mapping[str, str]:
    """Object id by full ref name, as a bundle's head says.

    Raises:
        InvalidDataError: A symbolic link, no regular file, no bundle, of another object format than the repository, or
            one that needs commits which it does not hold.
    """
    lines = _head(file)
    capabilities = [line[1:] for line in lines if line.startswith("@")]
    written = next(
        (one.partition("=")[2] for one in capabilities if one.startswith("object-format=")), "sha1"
    )
    ours = repository.layout.object_format
    if written != ours:
        raise _bad(
            file,
            f"its object format is {written!r:.40}, that of this repository is {ours!r}",
            "import it into a repository of that format, or remove this file: ledger.json then gives new events",
        )
    if any(line.startswith("-") for line in lines):
        raise _bad(file, "needs commits that it does not hold")
    rows = [line.partition(" ") for line in lines if not line.startswith("@")]
    if not all(is_oid(oid, ours) and name.startswith("refs/") for oid, _, name in rows):
        raise _bad(file, "no ref and commit in a line of its head")
    return {name: oid for oid, _, name in rows}


def fetch_bundle(repository: Repository, file: Path, refs: Sequence[str]) -> None:
    """Take in the objects that refs of a bundle reach, checked to be whole; no ref is made.

    Raises:
        InvalidDataError: The bundle is damaged, or an object that it should hold is missing.
    """
    asked = "".join(f"{ref}\n" for ref in refs).encode()
    where = os.path.abspath(file)  # noqa: PTH100 - a path that is one whatever its name begins with, no link resolved
    status, _, err = Runner(repository.layout).run(*_FETCH, "--", where, stdin=asked)
    if status:
        raise _bad(file, f"damaged: {first_line(err)}")


def write_bundle(repo: Repository, file: str, refs: Mapping[str, str]) -> None:
    """Write what refs reach, whole.

    Git bundles refs alone, and those of an archived run exist no more: they are made in a repository of its own
    (`borrowing`).

    Raises:
        GitFailedError: A ref is gone, history is cut, or the file cannot be written.
    """
    if all(repo.ref(ref) == oid for ref, oid in refs.items()):
        _bundle(Runner(repo.layout), file, refs)
        return
    with borrowing_repository(repo.layout) as runner:
        asked = "".join(f"create {ref}\0{oid}\0" for ref, oid in refs.items())
        runner.output("update-ref", "-z", "--stdin", stdin=asked.encode())
        _bundle(runner, file, refs)


def _bundle(runner: Runner, file: str, refs: Iterable[str]) -> None:
    asked = "".join(f"{ref}\n" for ref in refs).encode()
    status, _, err = runner.run("bundle", "create", "--quiet", file, "--stdin", stdin=asked)
    if status:
        raise GitFailedError(
            f"git bundle create {file}: {first_line(err)}", hint=write_cure(err.decode("utf-8", "replace"))
        )


def _head(file: Path) -> list[str]:
    """The lines between a bundle's first one and the pack."""
    with open(_opened(file), "rb") as stream:
        if stream.readline(64) not in {b"# v2 git bundle\n", b"# v3 git bundle\n"}:
            raise _bad(file, "no git bundle")
        lines: list[str] = []
        left = _LONGEST_HEAD
        while left > 0:
            line = stream.readline(left)
            if line == b"\n":
                return lines
            if not line.endswith(b"\n"):
                break
            left -= len(line)
            lines.append(line[:-1].decode("utf-8", "surrogateescape"))
    raise _bad(file, "damaged: its head has no end")


def _opened(file: Path) -> int:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if file.is_symlink():
            raise _bad(
                file, "a symbolic link, which gitmem does not follow", "put the file itself there"
            ) from None
        raise _bad(file, str(error.strerror)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _bad(file, "no regular file")
    return descriptor


def _bad(file: Path, reason: str, hint: str = CURE) -> InvalidDataError:
    return InvalidDataError(f"{file}: {reason}", hint=hint, path=str(file))
