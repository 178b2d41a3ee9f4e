"""Memories confirmed at one commit of a real clone and judged at another, in four situations.

Nothing of the clone is copied but its files into a temporary work tree; objects are read through an alternate.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tests.support.repo import Repo

TIME_LIMIT_S = 900


class Situation(StrEnum):
    """How much of the past the judged clone still has (drift.md "How it is judged", 3)."""

    FULL = "full"
    SHALLOW = "shallow"
    SQUASH = "squash"
    REBASED = "rebased"


@dataclass(frozen=True, slots=True)
class Said:
    """What a gitmem command answered."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Mapping[str, Any]:
        """The JSON document on stdout.

        Raises:
            ValueError: When there is none; the message ends with the error output.
        """
        try:
            parsed = json.loads(self.out)
        except ValueError:
            raise ValueError(f"exit {self.code}: {self.err.strip()[-200:] or self.out[-200:]}") from None
        assert isinstance(parsed, dict)
        return parsed


def bare_clone(mirror: Path, repository: str) -> Path | None:
    """The bare clone of ``owner/name`` below a folder of clones; None when it is not there."""
    name = repository.replace("/", "+")
    for path in (mirror / name / "repo", mirror / name, mirror / f"{name}.git"):
        if (path / "objects").is_dir():
            return path.resolve()
    return None


class Trial:
    """A temporary clone in which memories are confirmed at one commit; `judge` carries them to another."""

    def __init__(self, folder: Path, bare: Path, commit: str, memories: Mapping[str, str]) -> None:
        """Check out `commit` and commit the memories (id to YAML text) on top of it."""
        self._folder = folder
        self._bare = bare
        self._repo = read_from(folder / "trial", bare)
        self._start = _complete(self._repo, commit)
        self._repo.git("update-ref", "refs/heads/main", self._start)
        self._repo.git("reset", "-q", "--hard", "main")
        for identity, text in memories.items():
            self._repo.write(f".ai/memory/{identity}.yaml", text)
        self._own = [self._record("Add memories")]

    def confirm(self, *identities: str) -> Said:
        """Confirm the memories where they stand and commit the validations."""
        said = gitmem(self._repo, "confirm", *identities)
        self._own.append(self._record("Validate"))
        return said

    def judge(self, commit: str, situation: Situation = Situation.FULL) -> Said:
        """What ``gitmem drift --json`` says when main holds the tree of `commit` and the memories."""
        tree = self._carried(_complete(self._repo, commit))
        match situation:
            case Situation.FULL:
                return _drift(self._repo, _commit(self._repo, tree, self._own[-1].commit))
            case Situation.SHALLOW:
                return self._shallow(_commit(self._repo, tree, self._own[-1].commit))
            case Situation.SQUASH:
                repo = self._without_own_commits("squash")
                return _drift(repo, _commit(repo, tree, _commit(repo, self._own[-1].tree, self._start)))
            case Situation.REBASED:
                return self._rebased(tree)

    def _record(self, message: str) -> _Recorded:
        self._repo.git("add", "-f", ".ai")
        self._repo.git("commit", "-q", "--allow-empty", "-m", message)
        return _Recorded(self._repo.head(), self._repo.git("rev-parse", "HEAD^{tree}"))

    def _carried(self, commit: str) -> str:
        """The tree of a commit with our ``.ai`` folder in place of its own."""
        index = {"GIT_INDEX_FILE": str(self._folder / "carried.index")}
        self._repo.git("read-tree", commit, environment=index)
        self._repo.git("rm", "-rq", "--cached", "--ignore-unmatch", ".ai", environment=index)
        self._repo.git("read-tree", "--prefix=.ai/", f"{self._own[-1].commit}:.ai", environment=index)
        return self._repo.git("write-tree", environment=index)

    def _shallow(self, judged: str) -> Said:
        self._repo.git("update-ref", "refs/heads/judged", judged)
        path = self._folder / "shallow"
        shutil.rmtree(path, ignore_errors=True)
        repo = Repo(path)
        repo.git("fetch", "-q", "--depth=1", f"file://{self._repo.path}", "judged")
        return _drift(repo, judged)

    def _without_own_commits(self, name: str) -> Repo:
        """The same objects without the commits that the validation names, as after a rebase and ``git gc``."""
        path = self._folder / name
        shutil.rmtree(path, ignore_errors=True)
        repo = read_from(path, self._bare)
        shutil.copytree(self._repo.path / ".git" / "objects", path / ".git" / "objects", dirs_exist_ok=True)
        for recorded in self._own:
            (path / ".git" / "objects" / recorded.commit[:2] / recorded.commit[2:]).unlink()
        return repo

    def _rebased(self, tree: str) -> Said:
        repo = self._without_own_commits("rebased")
        tip = _commit(repo, repo.git("rev-parse", f"{self._start}^{{tree}}"), self._start)
        for recorded in self._own:
            tip = _commit(repo, recorded.tree, tip)
        return _drift(repo, _commit(repo, tree, tip))


@dataclass(frozen=True, slots=True)
class _Recorded:
    commit: str
    tree: str


def gitmem(repo: Repo, *arguments: str) -> Said:
    """Run this very checkout's gitmem in a repository, whatever else is installed."""
    done = subprocess.run(
        [sys.executable, "-m", "gitmem", *arguments],
        cwd=repo.path,
        env={**repo.environment, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=False,
        timeout=TIME_LIMIT_S,
    )
    return Said(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def _drift(repo: Repo, judged: str) -> Said:
    repo.git("update-ref", "refs/heads/main", judged)
    return gitmem(repo, "drift", "--json")


def read_from(path: Path, bare: Path) -> Repo:
    """An empty repository that sees the objects of a bare clone; no remote, so main is the trusted branch."""
    repo = Repo(path)
    alternates = path / ".git" / "objects" / "info" / "alternates"
    alternates.parent.mkdir(exist_ok=True)
    alternates.write_text(f"{bare / 'objects'}\n", encoding="utf-8")
    return repo


def _commit(repo: Repo, tree: str, parent: str) -> str:
    return repo.git("commit-tree", tree, "-p", parent, "-m", "Carry over")


def _complete(repo: Repo, commit: str) -> str:
    """The commit, or one on top of it without the files whose content the clone does not have."""
    rows = [row for row in repo.git("ls-tree", "-rz", commit).split("\0") if " blob " in row]
    files = {row.partition("\t")[2]: row.split()[2] for row in rows}
    asked = "\n".join(set(files.values())).encode()
    answers = repo.git("cat-file", "--batch-check", stdin=asked).splitlines()
    missing = {answer.split()[0] for answer in answers if answer.endswith(" missing")}
    if not missing:
        return commit
    index = {"GIT_INDEX_FILE": str(repo.path / ".git" / "complete.index")}
    repo.git("read-tree", commit, environment=index)
    absent = [path for path, oid in files.items() if oid in missing]
    repo.git("update-index", "--force-remove", "--", *absent, environment=index)
    return _commit(repo, repo.git("write-tree", environment=index), commit)
