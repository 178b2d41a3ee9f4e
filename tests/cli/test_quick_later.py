"""The brief after further commits: what was kept is told only as long as nothing it depends on was touched."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.cli import quick_brief, quick_later
from gitmem.git.opening import open_repository
from gitmem.store.ledger import RunLedger
from gitmem.usecases.confirm import ConfirmRequest, confirm
from gitmem.usecases.recalling import anchoring
from gitmem.usecases.runs.inbox import inbox
from tests.support.memories import memory, path_of
from tests.support.repo import Repo, sealed_environment

SOURCE = "def {name}(value):\n    total = value + 1\n    if total > 10:\n        return helper(total)\n    return total\n"
TASK = ("--task", "retry a failed payment of the gateway")
TOUCHING = (*TASK, "--path", "src/pay.py")


def scoped(name: str, summary: str, scope: str, **more: str) -> str:
    return memory(name, summary, scope=scope, **more)


FILES = {
    "src/pay.py": SOURCE.format(name="pay"),
    "src/gate.py": SOURCE.format(name="strip"),
    "web/deep/index.ts": "export function show(x: number) {\n  return x * 2;\n}\n",
    "README.md": "# Words\n",
    path_of("retry"): scoped("retry", "A failed payment is retried", "{paths: [src/pay.py]}"),
    path_of("header"): scoped("header", "The gateway strips headers, see [[ADR-7]]", '{paths: ["src/*.py"]}'),
    path_of("index"): scoped("index", "Payment pages stand in index files", '{paths: ["**/index.ts"]}'),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A history long enough that the index of commits ends before HEAD, and memories that were confirmed."""
    repo = Repo(tmp_path_factory.mktemp("later") / "repo")
    steps = [
        f"commit refs/heads/main\ncommitter Ada <ada@example.org> {1_700_000_000 + number} +0000\ndata 12\nStep {number:07d}\n"
        for number in range(anchoring.WINDOW + 8)
    ]
    repo.git("fast-import", "--quiet", stdin="".join(steps).encode())
    repo.commit("Retry a failed payment", FILES)
    confirmed(repo, 12)
    return repo


def confirmed(repo: Repo, hour: int) -> None:
    names = ("retry", "header", "index")
    with open_repository(repo.path) as repository:
        confirm(
            repository,
            ConfirmRequest(names, "ada", datetime(2026, 7, 14, hour, tzinfo=UTC)),
            ask=lambda _: True,
        )
    repo.commit("Confirm")


@pytest.fixture
def project(made: Repo, tmp_path: Path) -> Repo:
    return copied(made, tmp_path / "repo")


def copied(made: Repo, path: Path) -> Repo:
    shutil.copytree(made.path, path, symlinks=True)
    return Repo(path, init=False)


def told(repo: Repo, *arguments: str) -> str:
    out = io.StringIO()
    with (
        patch.dict(os.environ, sealed_environment(repo.path.parent), clear=True),
        patch.object(sys, "stdout", out),
        chdir(repo.path),
    ):
        assert quick_brief.quick_brief(arguments) == 0
    return out.getvalue()


def told_by_nothing_kept(repo: Repo, *arguments: str) -> str:
    kept, aside = repo.path / ".git/gitmem/cache", repo.path / ".git/gitmem/aside"
    kept.rename(aside)
    try:
        return told(repo, *arguments)
    finally:
        shutil.rmtree(kept)
        aside.rename(kept)


def is_told_from_what_was_kept(repo: Repo, *arguments: str) -> bool:
    with patch.object(quick_brief, "_answer", side_effect=AssertionError):
        try:
            told(repo, *arguments)
        except AssertionError:
            return False
    return True


def commit_without_mark(repo: Repo, files: dict[str, str | bytes]) -> None:
    """A commit whose id does not begin with the mark, so that the index of commits ends where it did."""
    for number in range(20):
        repo.commit(f"Change {number}", files)
        if not repo.head().startswith(anchoring.MARK):
            return
        repo.git("reset", "-q", "--soft", "HEAD~1")


def test_the_mark_is_the_same_on_both_ways() -> None:
    assert quick_later.MARK == anchoring.MARK


def test_commits_of_other_files_leave_it_as_it_is(project: Repo) -> None:
    first = told(project, *TASK)
    assert "(id: `retry`)" in first
    for number in range(3):
        commit_without_mark(project, {f"docs/{number}.md": "x\n", "src/notes.txt": f"{number}\n"})
        assert is_told_from_what_was_kept(project, *TASK)
        assert told(project, *TASK) == first == told_by_nothing_kept(project, *TASK)


@pytest.mark.parametrize(
    "path",
    [
        "src/pay.py",
        "src/new.py",
        "web/other/index.ts",
        "AGENTS.md",
        "docs/adr/0007-headers.md",
        ".cursor/rules/a.mdc",
        ".ai/policies/memory-policy.yaml",
    ],
)
def test_a_commit_of_what_it_depends_on_asks_anew(project: Repo, path: str) -> None:
    told(project, *TASK)
    commit_without_mark(project, {path: "version: 1\n"})
    assert not is_told_from_what_was_kept(project, *TASK)


def test_a_merge_a_mark_too_many_commits_and_another_line_ask_anew(project: Repo) -> None:
    told(project, *TASK)
    start = project.head()
    project.git("checkout", "-q", "--detach")
    commit_without_mark(project, {"docs/side.md": "x\n"})
    side = project.head()
    project.git("checkout", "-q", "main")
    project.git("merge", "-q", "--no-ff", "-m", "Merge", side)
    assert not is_told_from_what_was_kept(project, *TASK)
    project.git("reset", "-q", "--hard", f"{start}~2")
    assert not is_told_from_what_was_kept(project, *TASK)
    project.git("reset", "-q", "--hard", start)
    for number in range(17):
        commit_without_mark(project, {f"docs/{number}.md": "x\n"})
    assert not is_told_from_what_was_kept(project, *TASK)
    project.git("reset", "-q", "--hard", start)
    assert is_told_from_what_was_kept(project, *TASK)
    for number in count():  # the start itself may have the mark
        project.commit(f"Marked {number}", {"docs/marked.md": "x\n"})
        if project.head().startswith(anchoring.MARK):
            break
        project.git("reset", "-q", "--hard", start)
    assert not is_told_from_what_was_kept(project, *TASK)


def test_in_a_short_history_each_commit_is_asked_for_unless_paths_are_named(
    tmp_path: Path,
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("Start", FILES)
    confirmed(repo, 12)
    told(repo, *TASK)
    told(repo, *TOUCHING)
    repo.commit("Elsewhere", {"docs/a.md": "x\n"})
    assert not is_told_from_what_was_kept(repo, *TASK)
    assert is_told_from_what_was_kept(repo, *TOUCHING)


def test_a_challenged_memory_asks_anew(project: Repo) -> None:
    project.commit("Touch", {"src/pay.py": SOURCE.format(name="pay").replace("10", "20")})
    assert "[VERIFY" in told(project, *TASK)
    commit_without_mark(project, {"docs/a.md": "x\n"})
    assert not is_told_from_what_was_kept(project, *TASK)


def test_where_nothing_is_known_only_memories_change_that(made: Repo, tmp_path: Path) -> None:
    repo = copied(made, tmp_path / "repo")
    repo.remove(".ai")
    repo.commit("Nothing is known")
    assert told(repo, *TASK) == ""
    repo.commit("Code", {"src/pay.py": "x = 1\n"})
    assert is_told_from_what_was_kept(repo, *TASK)
    repo.commit("Memory", {path_of("retry"): FILES[path_of("retry")]})
    assert not is_told_from_what_was_kept(repo, *TASK)


def test_damaged_or_missing_what_must_stay_asks_anew(project: Repo) -> None:
    told(project, *TASK)
    commit_without_mark(project, {"docs/a.md": "x\n"})
    (reach,) = (project.path / ".git/gitmem/cache").glob("reach-*")
    whole = reach.read_bytes()
    for data in (b"", whole[:-1], whole[:30] + b"x" + whole[31:]):
        reach.write_bytes(data)
        assert not is_told_from_what_was_kept(project, *TASK)
    reach.unlink()
    assert not is_told_from_what_was_kept(project, *TASK)


def test_the_way_after_commits_loads_nothing_slow(project: Repo) -> None:
    told(project, *TASK)
    commit_without_mark(project, {"docs/a.md": "x\n"})
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; sys.argv = ['gitmem', 'brief', *{TASK!r}]\n"
        "from gitmem._main import _dispatch\n"
        "code = _dispatch(sys.argv[1:])\n"
        "sys.stderr.write('\\n'.join(sys.modules))\n"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        cwd=project.path,
        env=project.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name for name in done.stderr.split() if name.startswith("gitmem.")}
    assert {name.split(".")[1] for name in loaded} == {"_main", "cli", "drift", "wire"}
    assert {name for name in loaded if name.startswith("gitmem.drift.")} == {"gitmem.drift.reach"}
    assert not {"re", "typing", "dataclasses", "json", "click"} & set(done.stderr.split())


# any changes
def append(repo: Repo, event_type: str, **payload: object) -> None:
    with RunLedger(open_repository(repo.path)) as ledger:
        inbox(ledger).append(event_type=event_type, actor="human", payload=payload)


def confirmed_again(repo: Repo, number: int) -> None:
    repo.git("reset", "-q", "--hard")  # what is not committed cannot be confirmed
    confirmed(repo, number % 20)


def merge(repo: Repo, number: int) -> None:
    repo.git("checkout", "-q", "-b", f"merged-{number}")
    repo.commit(f"m{number}", {f"docs/m{number}.md": "x\n", f"src/m{number}.txt": "x\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", f"Merge {number}", f"merged-{number}")


CHANGES: dict[str, Callable[[Repo, int], object]] = {
    "elsewhere": lambda repo, n: repo.commit(f"Retry {n} payments", {f"docs/{n}.md": "x\n"}),
    "elsewhere again": lambda repo, n: repo.commit(f"e{n}", {"README.md": f"{n}\n"}),
    "in scope": lambda repo, n: repo.commit(f"c{n}", {"src/pay.py": SOURCE.format(name="pay") + f"x = {n}\n"}),
    "new in scope": lambda repo, n: repo.commit(f"i{n}", {f"web/{n}/index.ts": "export const y = 1;\n"}),
    "not committed": lambda repo, n: repo.write("src/gate.py", f"y = {n}\n"),
    "memory": lambda repo, n: repo.commit(
        f"m{n}", {path_of("header"): scoped("header", f"The gateway strips {n} headers of payments", "{paths: [src/gate.py]}")}
    ),
    "confirm": confirmed_again,
    "decision": lambda repo, n: repo.commit(f"a{n}", {"docs/adr/0007-x.md": f"# {n}\n"}),
    "rules": lambda repo, n: repo.commit(f"r{n}", {"AGENTS.md": "- A failed payment is retried.\n" * (n % 2)}),
    "event": lambda repo, n: append(repo, "finding_noted", finding=f"finding {n}"),
    "outcome": lambda repo, n: append(repo, "session_ended", session=f"s-{n}", summary=f"payment {n}", used_memories=["index"]),
    "branch": lambda repo, n: repo.git("checkout", "-q", "-f", "-B", f"topic-{n % 3}"),
    "main": lambda repo, _: repo.git("checkout", "-q", "-f", "main"),
    "merge": merge,
    "back": lambda repo, _: repo.git("reset", "-q", "--hard", "HEAD~1"),
    "pack": lambda repo, _: repo.git("pack-refs", "--all"),
}  # fmt: skip


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(st.sampled_from(["elsewhere", "elsewhere again"]), st.sampled_from(sorted(CHANGES))),
        min_size=4,
        max_size=7,
    )
)
def test_after_any_changes_it_is_what_is_told_where_nothing_was_kept(
    made: Repo, tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    repo = copied(made, tmp_path_factory.mktemp("any") / "repo")
    told(repo, *TASK)
    for number, name in enumerate(names):
        CHANGES[name](repo, number)
        assert told(repo, *TASK) == told_by_nothing_kept(repo, *TASK), name
    assert told(repo, *TOUCHING) == told_by_nothing_kept(repo, *TOUCHING)
    shutil.rmtree(repo.path)
