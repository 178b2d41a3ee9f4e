"""Whatever the caches hold – all of it, nothing, a part, or what an earlier state left – the findings are the same.

The memories rest on several languages, and one content stands under names that are read in different ways.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.git.opening import open_repository
from gitmem.model.verdict import Judgement
from gitmem.usecases.checking import check
from gitmem.usecases.confirm import ConfirmRequest, confirm
from gitmem.usecases.drift import examine
from gitmem.usecases.request import Request
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

TODAY = date(2026, 7, 20)
NOW = datetime(2026, 7, 14, 12, tzinfo=UTC)
PYTHON = "LIMIT = {n}\n\n\ndef total(items):\n    # {note}\n    if len(items) > LIMIT:\n        return helper(items)\n    return {n}\n\n\ndef helper(items):\n    return items[:{m}]\n"
SCRIPT = (
    "export function fetchRows(limit: number) {{\n  // {note}\n  return rows.slice({n}, limit + {m});\n}}\n"
)
GO = 'package shop\n\nimport "fmt"\n\n// {note}\nfunc Total(n int) int {{\n\tfmt.Println(n)\n\treturn n + {n}*{m}\n}}\n'
KEYS = '{{"scripts": {{"lint": "eslint {n}", "test": "run {m}"}}, "note": "{note}"}}\n'
TEMPLATES = {
    "src/total.py": PYTHON,
    "src/total.txt": PYTHON,
    "lib/total.pyi": PYTHON,
    "web/rows.ts": SCRIPT,
    "web/rows.tsx": SCRIPT,
    "shop/total.go": GO,
    "package.json": KEYS,
    "package-lock.json": KEYS,
}
MEMORIES = {
    "m-001": memory(
        "m-001", "The sum `total` stops at `LIMIT` and never skips `helper`", scope="{paths: [src/**]}"
    ),
    "m-002": memory("m-002", "The plain text says it too", scope="{paths: [src/total.txt]}"),
    "m-003": memory("m-003", "The call `fetchRows` adds the offset", scope="{paths: [web/**]}"),
    "m-004": memory("m-004", "Go sums with `Total`", scope="{paths: [shop/*.go]}"),
    "m-005": memory("m-005", "Lint with `npm run lint`", scope="{paths: [package.json]}"),
    "m-006": memory("m-006", "The lock file is not looked into", scope="{paths: [package-lock.json]}"),
    "m-007": memory("m-007", "Never import `requests`", scope="{paths: [src, lib]}"),
}
Values = tuple[int, int, str]
Edits = Mapping[str, Values | None]

_values = st.tuples(
    st.integers(1, 3), st.integers(1, 2), st.sampled_from(("a note", "another", "import requests"))
)
_edits: st.SearchStrategy[Edits] = st.dictionaries(
    st.sampled_from(sorted(TEMPLATES)), st.none() | _values, min_size=1, max_size=5
)
_parts = st.lists(st.tuples(_edits, st.integers(0, 255)), min_size=1, max_size=3)


def _written(path: str, values: Values) -> str:
    n, m, note = values
    return TEMPLATES[path].format(n=n, m=m, note=note)


def _start(folder: Path) -> Repo:
    repo = Repo(folder)
    sources = {path: _written(path, (1, 1, "a note")) for path in TEMPLATES}
    repo.commit("Start", {**sources, **{path_of(name): text for name, text in MEMORIES.items()}})
    with open_repository(repo.path) as repository:
        confirm(repository, ConfirmRequest(tuple(MEMORIES), "ada", NOW), ask=lambda _: True)
    repo.commit("Confirm")
    return repo


def _apply(repo: Repo, edits: Edits) -> None:
    for path, values in edits.items():
        if values is None:
            repo.git("rm", "-q", "--ignore-unmatch", path)
        else:
            repo.write(path, _written(path, values))
    repo.git("add", "-A")
    repo.git("commit", "-qm", "Edit", "--allow-empty")


def _answer(repo: Repo, *ids: str) -> Mapping[str, Judgement]:
    with open_repository(repo.path) as repository:
        return {one.id: one for one in check(repository, Request(today=TODAY, ids=ids)).judgements}


def _looked(repo: Repo) -> Mapping[str, Judgement]:
    """What a check says that asks for no earlier verdict."""
    with open_repository(repo.path) as repository:
        checked = examine(repository, Request(today=TODAY))
        return {one.id: one for one in checked.judgements}


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _mix(kept: Path, older: Path, choice: int) -> None:
    """Of the files that are kept some go, and some become what an earlier state left; `choice` tells which."""
    for number, file in enumerate(_files(kept)):
        pick = (choice >> (number % 7)) & 3
        before = older / file.relative_to(kept)
        if pick == 1:
            file.unlink()
        elif pick == 2 and before.exists():
            shutil.copyfile(before, file)


def _with(kept: Path, aside: Path, ask: Callable[[], Mapping[str, Judgement]]) -> Mapping[str, Judgement]:
    """What is said without caches, which stand as they were afterwards."""
    kept.rename(aside)
    try:
        return ask()
    finally:
        shutil.rmtree(kept, ignore_errors=True)
        aside.rename(kept)


def _each_alone(repo: Repo, names: Iterable[str]) -> Mapping[str, Judgement]:
    return {name: one for name in names for one in _answer(repo, name).values()}


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(_parts)
def test_whatever_the_caches_hold_the_findings_are_the_same(steps: list[tuple[Edits, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo, older, aside = _start(Path(folder) / "repo"), Path(folder) / "older", Path(folder) / "aside"
        kept = repo.path / ".git" / "gitmem"
        _answer(repo)
        for edits, choice in steps:
            shutil.copytree(kept, older, dirs_exist_ok=True)
            _apply(repo, edits)
            cold = _with(kept, aside, lambda: _answer(repo))
            assert _answer(repo) == cold, "what the state before left"
            assert _answer(repo) == cold, "what this state left"
            assert _looked(repo) == cold, "parses alone"
            _mix(kept, older, choice)
            assert _answer(repo) == cold, "a part of it, or what was older"
            assert _each_alone(repo, cold) == cold, "each memory by itself"


def test_what_is_compared_there_differs() -> None:
    """The property above is worth something only where verdicts differ, and one content is read in several ways."""
    with tempfile.TemporaryDirectory() as folder:
        repo = _start(Path(folder) / "repo")
        _apply(repo, dict.fromkeys(TEMPLATES, (1, 1, "another")))
        commented = {name: one.verdict.value for name, one in _answer(repo).items()}
        assert {commented["m-003"], commented["m-004"]} == {"cosmetic"}
        assert commented["m-002"] != "cosmetic"
        _apply(
            repo, {"web/rows.ts": (2, 2, "a note"), "shop/total.go": (3, 1, "a note"), "src/total.txt": None}
        )
        assert {one.verdict.value for one in _answer(repo).values()} >= {"gone", "rewritten", "touched"}
