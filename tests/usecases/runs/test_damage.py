"""Sixty kinds of damage: each is named, nothing hangs, nothing is silently left out, other runs still work."""

from __future__ import annotations

import faulthandler
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from gitmem.errors import GitmemError
from gitmem.git.opening import open_repository
from gitmem.git.packing import pack_reachable
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.archiving import archive_runs
from gitmem.usecases.runs.listing import list_runs
from gitmem.usecases.runs.verifying import verify
from tests.support.repo import Repo, sealed_environment

EVENTS = {"run-1": 4, "run-2": 2, "run-3": 2}
OLD = "run-3"
"""The run that is archived."""


class Prepared(NamedTuple):
    """A repository to copy: its folder, and files of its git directory by what they are."""

    path: Path
    files: dict[str, str]
    names: dict[str, str]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("damage")
    with pytest.MonkeyPatch.context() as patched:
        for name, value in sealed_environment(folder).items():
            patched.setenv(name, value)
        return _prepared(Repo(folder / "repo"))


def _prepared(repo: Repo) -> Prepared:
    repo.commit("first", {"a": "1"})
    with RunLedger.open(repo.path) as ledger:
        for run in ("run-4", OLD, "run-2", "run-1"):
            book = ledger.run(run)
            book.append(event_type="task_created", actor="human", payload={"task": run})
            if run == "run-1":
                for number in range(2):
                    book.append(
                        event_type="artifact_saved",
                        actor="human",
                        artifacts={f"{number}.log": os.urandom(99)},
                        files={"handoff.md": b"%d" % number},
                    )
            last = "completed" if run == OLD else "next_step_set"
            book.append(event_type=last, actor="human", payload={"next_step": "go on"})
        archive_runs(ledger)
        tips = {run: ledger.run(run).tips() for run in ("run-1", "run-4")}
        writer = ledger.writer()
        list_runs(ledger)
    (ref,) = tips["run-1"]
    repo.git("update-ref", f"refs/ai/runs/run-4/{writer}", tips["run-4"][f"refs/ai/runs/run-4/{writer}"])
    repo.git("symbolic-ref", "AI_RUN", ref)
    return _packed(repo, ref, f"refs/ai/runs/run-4/{writer}", f"refs/ai/archive/{writer}")


def _packed(repo: Repo, ref: str, packed: str, archive: str) -> Prepared:
    """run-4 is packed with its ref; the rest stays loose."""
    git = repo.path / ".git"
    names = {
        "ref": ref,
        "archive": archive,
        "packed-refs": packed,
        "commit": repo.git("rev-parse", f"{ref}~1"),
        "tree": repo.git("rev-parse", f"{ref}:artifacts"),
        "blob": repo.git("rev-parse", f"{ref}:artifacts/0.log"),
        "handoff": repo.git("rev-parse", f"{ref}:handoff.md"),
    }
    refs = repo.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    (git / "packed-refs").unlink(missing_ok=True)
    repo.git("pack-refs", "--all")
    for row in refs:
        name, oid = row.split()
        if name != packed:
            repo.git("update-ref", "-d", name)
            repo.git("update-ref", name, oid)
    assert pack_reachable(open_repository(repo.path), repo.git("rev-parse", packed), at_least=1)
    repo.git("commit-graph", "write", "--reachable")
    (pack,) = (git / "objects" / "pack").glob("*.pack")
    names["pack"] = names["idx"] = names["packed-refs"]
    objects = {name: f"objects/{oid[:2]}/{oid[2:]}" for name, oid in names.items() if len(oid) == 40}
    places = {
        **objects,
        "ref": ref,
        "archive": archive,
        "packed-refs": "packed-refs",
        "pack": f"objects/pack/{pack.name}",
        "idx": f"objects/pack/{pack.with_suffix('.idx').name}",
        "commit-graph": "objects/info/commit-graph",
        "HEAD": "HEAD",
        "config": "config",
    }
    return Prepared(repo.path, places, names)


def _other(target: str, files: dict[str, str]) -> str:
    """Whose content a file gets when it is swapped."""
    partners = {
        "ref": "archive",
        "archive": "ref",
        "commit": "tree",
        "tree": "commit",
        "blob": "handoff",
        "pack": "idx",
    }
    return files[partners.get(target, "blob")]


Damage = Callable[[bytes, bytes], bytes | None]
DAMAGES: dict[str, Damage] = {
    "delete": lambda _data, _other: None,
    "empty": lambda _data, _other: b"",
    "truncate": lambda data, _other: data[: len(data) // 2],
    "flip": lambda data, _other: (
        data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 0x80]) + data[len(data) // 2 + 1 :]
    ),
    "zero": lambda data, _other: bytes(len(data)),
    "swap": lambda _data, other: other,
}
TARGETS = (
    "ref",
    "archive",
    "commit",
    "tree",
    "blob",
    "handoff",
    "pack",
    "idx",
    "packed-refs",
    "HEAD",
    "config",
    "commit-graph",
)
NAMED = {
    "ref": ("refs/ai/runs/run-1/",),
    "archive": ("refs/ai/archive/", f"refs/ai/runs/{OLD}/"),
    "packed-refs": ("refs/ai/runs/run-4/",),
    "pack": ("refs/ai/runs/run-4/",),
    "idx": ("refs/ai/runs/run-4/",),
    "blob": ("'0.log'",),
}
"""Words that name the damage; for the others it is the object id."""
MAY_STOP_EVERYTHING = {"HEAD", "config", "packed-refs"}
"""Without them git itself serves nothing; that is told."""
HARMLESS = {"HEAD", "config", "commit-graph"}
"""What the ledger does not rest on: it is read as a whole, or the failure is told."""


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A loop in C cannot be interrupted: the whole run ends, saying where it stood."""
    faulthandler.dump_traceback_later(60, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("target", TARGETS)
def test_damage_is_named(prepared: Prepared, tmp_path: Path, target: str, damage: str) -> None:
    shutil.copytree(prepared.path, tmp_path / "repo", symlinks=True)
    git = tmp_path / "repo" / ".git"
    file = git / prepared.files[target]
    new = DAMAGES[damage](file.read_bytes(), (git / _other(target, prepared.files)).read_bytes())
    file.unlink()
    if new is not None:
        file.write_bytes(new)
    found = _looked(tmp_path / "repo")
    if isinstance(found, GitmemError):
        assert target in MAY_STOP_EVERYTHING, found
        assert (found.exit_code, bool(found.message)) in {(1, True), (3, True)}
        return
    told, counts = found
    if target in HARMLESS:
        assert (told, counts) == ("", {**EVENTS, "run-4": 2})
        return
    assert any(name in told for name in NAMED.get(target, (prepared.names[target],)))
    assert counts["run-2"] == EVENTS["run-2"]


def _looked(path: Path) -> tuple[str, dict[str, int]] | GitmemError:
    """What verify says, and how many events of each run can still be read; or why nothing could be looked at."""
    try:
        return _verified(path)
    except GitmemError as error:
        return error


def _verified(path: Path) -> tuple[str, dict[str, int]]:
    with RunLedger.open(path) as ledger:
        problems = verify(ledger).problems
        told = "\n".join(f"{one.ref} {one.commit} {one.message}" for one in problems)
        listing = list_runs(ledger, everything=True)
        seen = {row.run for row in listing.rows} | {problem.run for problem in listing.problems}
        lost = {"run-1", "run-2", "run-4", OLD} - seen
        # A ref that is gone without a trace is in no list, but verify names its run.
        assert all(f"/{run}/" in told or (run == OLD and "archive" in told) for run in lost)
        counts = {row.run: row.events for row in listing.rows}
        if not problems:
            assert {run: len(ledger.run(run).events()) for run in counts} == counts
        return told, counts
