"""Yardstick 3 of drift.md on small repositories of the same shape: real statements in four situations."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime

import pytest

from gitmem.git.opening import open_repository
from gitmem.model.verdict import CHALLENGING, Judgement, Verdict
from gitmem.usecases.checking import check
from gitmem.usecases.confirm import Confirmed, ConfirmRequest, confirm
from tests.drift.cases.all_cases import CASES
from tests.drift.cases.case import Case
from tests.support.repo import Repo

SITUATIONS = ("full", "shallow", "squashed", "rebased")
NOW = datetime(2026, 7, 13, 1, 0, tzinfo=UTC)


def replace_tree(repo: Repo, tree: dict[str, str]) -> None:
    """Make the work tree hold exactly this, `.ai` aside."""
    for old in repo.path.iterdir():
        if old.name not in {".git", ".ai"}:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for path, text in tree.items():
        repo.write(path, text)


def memory_text(case: Case) -> str:
    globs = "".join(f"    - {json.dumps(glob)}\n" for glob in case.scope)
    summary = json.dumps(case.statement, ensure_ascii=False)
    return (
        "id: m-case\nkind: pitfall\ntype: module_constraint\nstatus: active\n"
        f"summary: {summary}\nscope:\n  paths:\n{globs}created_at: 2026-07-01\n"
    )


def captured(case: Case, repo: Repo) -> Confirmed:
    repo.write(".ai/memory/m-case.yaml", memory_text(case))
    replace_tree(repo, dict(case.before))
    repo.commit("before")
    with open_repository(repo.path) as opened:
        result = confirm(opened, ConfirmRequest(["m-case"], "Ada", NOW))
    repo.commit("validated")
    assert result.asks == ()
    return result.confirmed[0]


def go_on(case: Case, repo: Repo) -> None:
    """The commits between, then the judged one; ignored ones are listed once they exist."""
    listed: list[str] = []
    for place, tree in enumerate((*case.between, case.after), 1):
        replace_tree(repo, {**tree, **_ignore_file(listed)})
        dates = {"GIT_AUTHOR_DATE": case.authored} if case.authored and tree is case.after else None
        commit = repo.commit(f"step {place}", environment=dates)
        if place in case.ignored:
            listed.append(commit)
    if listed and case.ignored[-1] == len(case.between) + 1:
        repo.commit("list it", _ignore_file(listed))


def _ignore_file(listed: list[str]) -> dict[str, str]:
    return {".git-blame-ignore-revs": "".join(f"{commit}\n" for commit in listed)} if listed else {}


def situated(situation: str, case: Case, repo: Repo) -> Repo:
    """The repository as it stands when it is judged."""
    if situation == "squashed":
        orphan(repo)
    if situation == "rebased":
        rebased(repo)
    go_on(case, repo)
    if situation != "shallow":
        return repo
    clone = repo.path.parent / "shallow"
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(clone))
    return Repo(clone, init=False)


def orphan(repo: Repo) -> None:
    """The same content as one commit without history; what came before is pruned."""
    repo.git("checkout", "-q", "--orphan", "squashed")
    repo.git("commit", "-qm", "squashed")
    repo.git("branch", "-qD", "main")
    repo.git("branch", "-qm", "main")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")


def rebased(repo: Repo) -> None:
    """The validated commits on another root, so that the baseline is no ancestor any more."""
    tip = repo.head()
    repo.git("checkout", "-q", "--orphan", "elsewhere")
    repo.git("rm", "-rqf", ".")
    repo.commit("another root", {"NOTES.md": "an older start\n"})
    repo.git("cherry-pick", "--allow-empty", f"{tip}~1", tip)
    repo.git("branch", "-qM", "main")


def judged(repo: Repo) -> Judgement:
    with open_repository(repo.path) as opened:
        (found,) = check(opened).judgements
    return found


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_statement_is_challenged_exactly_when_it_no_longer_holds(
    case: Case, situation: str, repo: Repo
) -> None:
    capture = captured(case, repo)
    found = judged(situated(situation, case, repo))
    lost = {(one.token, one.nearest) for one in capture.captured.unresolved if one.severity == "born_false"}
    if case.born_false is not None:
        assert case.born_false in lost
        return
    assert lost == set()
    should = case.verdicts <= CHALLENGING
    may = bool(case.verdicts & CHALLENGING)
    assert (found.verdict in CHALLENGING) in ({should, may}), (found.verdict, found.findings)
    if situation in {"full", "rebased"}:
        assert found.verdict in case.verdicts, (found.verdict, found.findings)
    else:
        assert found.verdict is not Verdict.UNKNOWN, found.notes
