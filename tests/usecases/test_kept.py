"""What an earlier check kept changes no answer: warm, cold, damaged and stale, after any commit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.drift.first_pass import affected
from gitmem.drift.scopes import ScopeIndex, ScopeSpec
from gitmem.errors import NotServedError
from gitmem.git.opening import open_repository
from gitmem.model.change import MODE_FILE, MODE_GITLINK, Change
from gitmem.model.verdict import DriftReport, Judgements, Verdict
from gitmem.report.drift import format_text
from gitmem.report.drift_gitlab import code_quality
from gitmem.report.drift_markdown import format_markdown
from gitmem.report.drift_workflow import format_annotations
from gitmem.usecases.checking import check
from gitmem.usecases.confirm import ConfirmRequest, confirm
from gitmem.usecases.contents import Contents
from gitmem.usecases.kept import _in_scope
from gitmem.usecases.past import PastView
from gitmem.usecases.request import Request
from gitmem.usecases.views import CommitView
from tests.support.memories import memory, path_of
from tests.support.repo import Repo, sealed_environment

TODAY = date(2026, 7, 20)
NOW = datetime(2026, 7, 14, 12, tzinfo=UTC)
BODY = "def {name}(value):\n    total = value + {number}\n    if total > 10:\n        return helper(total)\n    return total\n"
SOURCES = {
    "src/a.py": BODY.format(name="first", number=1) + "\n\n" + BODY.format(name="second", number=2),
    "src/b.py": BODY.format(name="third", number=3),
    "src/deep/c.py": BODY.format(name="helper", number=4),
    "lib/tool.js": "export function tool(x) {\n  return x * 2;\n}\n",
    "package.json": '{"scripts": {"lint": "eslint ."}}\n',
    "README.md": "# Words\n",
}
MEMORIES = {
    "m-001": memory("m-001", "The function `first` adds one", scope="{paths: [src/a.py]}"),
    "m-002": memory("m-002", "Everything below is pure", scope="{paths: [src/**]}"),
    "m-003": memory(
        "m-003",
        "The function `tool` doubles",
        scope='{paths: ["**/*.js"]}',
        watch="[symbol: lib/tool.js#tool]",
    ),
    "m-004": memory("m-004", "Lint with `npm run lint`", scope="{paths: [package.json]}"),
    "m-005": memory(
        "m-005",
        "Never import `requests`",
        scope="{paths: [src]}",
        watch="[{ident: requests, polarity: prohibits}]",
    ),
    "m-006": memory(
        "m-006", "Nobody looked at `third`", scope="{paths: [src/b.py]}", review_after="2026-07-25"
    ),
    "m-007": memory("m-007", "No tests of helpers", scope="{paths: [src/*/*.py], exclude: [src/deep/x.py]}"),
}


def start(folder: Path) -> Repo:
    repo = Repo(folder)
    repo.commit("Start", {**SOURCES, **{path_of(name): text for name, text in MEMORIES.items()}})
    confirmed(repo, *(name for name in MEMORIES if name != "m-006"))
    return repo


def confirmed(repo: Repo, *names: str) -> None:
    with open_repository(repo.path) as repository:
        confirm(repository, ConfirmRequest(names, "ada", NOW), ask=lambda _: True)
    repo.git("add", "-A", ".ai")
    repo.git("commit", "-qm", "Confirm", "--allow-empty")


def answer(repo: Repo, day: date = TODAY) -> DriftReport:
    with open_repository(repo.path) as repository:
        return check(repository, Request(today=day))


def answer_without(repo: Repo, day: date = TODAY) -> DriftReport:
    """What a clone says that keeps nothing."""
    kept, aside = repo.path / ".git" / "gitmem", repo.path / ".git" / "aside"
    if kept.exists():
        kept.rename(aside)
    try:
        return answer(repo, day)
    finally:
        shutil.rmtree(kept, ignore_errors=True)
        if aside.exists():
            aside.rename(kept)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return start(tmp_path / "repo")


# after any commit
def _number(text: str, number: int) -> str:
    return text.replace("total > 10", f"total > {number}")


EDITS: dict[str, Callable[[Repo, int], object]] = {
    "logic": lambda repo, n: repo.write("src/a.py", _number(SOURCES["src/a.py"], n)),
    "comment": lambda repo, n: repo.write("src/b.py", f"# {n}\n" + SOURCES["src/b.py"]),
    "other": lambda repo, n: repo.write("README.md", f"# {n}\n"),
    "new": lambda repo, n: repo.write(f"src/new{n}.py", f"import requests\nx = {n}\n"),
    "new name": lambda repo, n: repo.write(f"lib/{n}/index.js", "export const y = 1;\n"),
    "helper": lambda repo, n: repo.write("src/deep/c.py", BODY.format(name="helper", number=n)),
    "move": lambda repo, n: _moved(repo, "src/deep", f"src/moved{n}"),
    "delete": lambda repo, _: repo.git("rm", "-rq", "--ignore-unmatch", "lib/tool.js"),
    "key": lambda repo, n: repo.write("package.json", f'{{"scripts": {{"lint": "eslint {n}"}}}}\n'),
    "back": lambda repo, _: repo.git("checkout", "-q", "HEAD~1", "--", "."),
    "origin": lambda repo, _: [repo.write(path, text) for path, text in SOURCES.items()],
    "executable": lambda repo, _: (
        (repo.path / "src" / "b.py").chmod(0o755) if (repo.path / "src" / "b.py").exists() else None
    ),
    "memory": lambda repo, n: repo.write(
        path_of("m-002"), memory("m-002", f"Pure {n}", scope="{paths: [src/*.py]}")
    ),
    "damaged memory": lambda repo, _: repo.write(path_of("m-008"), "id: [\n"),
    "validation": lambda repo, n: _validated(repo, f"m-00{n % 7 + 1}"),
    "ignored": lambda repo, _: repo.write(".git-blame-ignore-revs", repo.head() + "\n"),
    "policy": lambda repo, n: repo.write(
        ".ai/policies/memory-policy.yaml", f"drift:\n  challenge_on: [{('touched', 'changed')[n % 2]}]\n"
    ),
}


def _validated(repo: Repo, identity: str) -> None:
    with suppress(NotServedError):  # earlier steps may have left nothing in its scope
        confirmed(repo, identity)


def _moved(repo: Repo, old: str, new: str) -> None:
    if (repo.path / old).exists() and not (repo.path / new).exists():
        repo.move(old, new)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from(sorted(EDITS)), st.integers(2, 30)), min_size=2, max_size=6))
def test_after_any_commits_the_answer_is_that_of_a_clone_that_keeps_nothing(
    steps: list[tuple[str, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = start(Path(folder) / "repo")
        assert answer(repo) == answer(repo)
        for name, number in steps:
            EDITS[name](repo, number)
            repo.git("add", "-A")
            repo.git("commit", "-qm", name, "--allow-empty")
            told = answer_without(repo)
            now = answer(repo)
            assert _told_in_words(now) == _told_in_words(told), (steps, name)
            assert now == told, (steps, name)
            assert answer(repo) == told, (steps, name, "again")


def _told_in_words(report: DriftReport) -> list[object]:
    """What the faces make of it that read only what they tell."""
    return [
        [str(one) for one in report.telling],
        [one.id for one in report.challenged],
        len(report.judgements),
        format_text(report),
        format_text(report, quiet=True),
        format_markdown(report),
        format_annotations(report),
        code_quality(report),
        format_text(report, verbose=True),
    ]


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from(sorted(EDITS)), st.integers(2, 30)), min_size=1, max_size=6))
def test_a_tree_told_by_what_differs_is_the_tree_itself(steps: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = start(Path(folder) / "repo")
        old = repo.head()
        for name, number in steps:
            EDITS[name](repo, number)
            repo.git("add", "-A")
            repo.git("commit", "-qm", name, "--allow-empty")
        with open_repository(repo.path) as repository:
            contents = Contents(repository)
            for one, other in ((old, repo.head()), (repo.head(), old)):
                now, plain = (CommitView(repository, tree, contents) for tree in (other, one))
                (changes,) = repository.diff_all([one], other).values()
                told = PastView(repository, one, contents, now, changes)
                assert list(told.paths().items()) == list(plain.paths().items())
                assert told.links == plain.links
                assert all((path in told.paths()) == (path in plain.paths()) for path in now.paths())
                assert told.paths().get("absent", "x") == "x"
                assert told.is_folder("src/deep") == plain.is_folder("src/deep")
                assert told.folder_id("src") == plain.folder_id("src")
                for globs in (("src/**",), ("src/*.py", "lib/"), ("**/*.py",), ("src",), ("src/a.py",)):
                    assert told.matched_paths(ScopeSpec(globs)) == plain.matched_paths(ScopeSpec(globs))
                assert told.match(ScopeSpec(("src/**",))) == plain.match(ScopeSpec(("src/**",)))


def test_a_submodule_is_told_by_what_differs(repo: Repo, tmp_path: Path) -> None:
    old = repo.commit("file", {"sub": "a file\n"})
    repo.git("rm", "-q", "sub")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{old},sub")
    repo.git("commit", "-qm", "submodule")
    with open_repository(repo.path) as repository:
        contents = Contents(repository)
        for one, other in ((old, repo.head()), (repo.head(), old)):
            now, plain = (CommitView(repository, tree, contents) for tree in (other, one))
            told = PastView(repository, one, contents, now, repository.diff_all([one], other)[one])
            assert told.links == plain.links
            for globs in (("sub/**",), ("sub",), ("sub/",), ("*",)):
                assert told.matched_paths(ScopeSpec(globs)) == plain.matched_paths(ScopeSpec(globs)), globs


_pieces = st.sampled_from(
    ["a", "b", "*", "**", "*.py", "a.py", "{a,b}", "{a/b,c}", "[ab]", ".", "", "..", "\\a", "!a", "a\\/b"]
)
_globs = st.lists(_pieces, min_size=1, max_size=4).map("/".join)
_paths = st.lists(st.sampled_from(["a", "b", "c", "a.py", "\\a", "!a"]), min_size=1, max_size=4).map("/".join)


@settings(max_examples=200, deadline=None)
@given(st.lists(_globs, min_size=1, max_size=6), _paths, st.sampled_from([MODE_FILE, MODE_GITLINK]))
def test_no_scope_that_a_path_concerns_is_passed_over(globs: list[str], path: str, mode: int) -> None:
    """Those are left out first whose last name no changed path has."""
    specs = []
    for glob in globs:
        with suppress(ValueError):
            ScopeIndex([ScopeSpec((glob,))])
            specs.append(ScopeSpec((glob,)))
    changes = [Change("modified", path, path, mode, mode, "0" * 40, "1" * 40)]
    told = _in_scope(dict(enumerate(specs)), range(len(specs)), changes)
    assert told == affected(changes, ScopeIndex(specs))


# what decides besides commits
def test_what_nobody_reads_of_fresh_memories_stays_packed(repo: Repo) -> None:
    answer(repo)
    report = answer(repo)
    assert isinstance(report.judgements, Judgements)
    assert len(report.judgements) > len(report.telling)
    assert report.judgements[-1].verdict is Verdict.FRESH
    assert report.judgements[:2] == tuple(report.judgements)[:2]
    assert hash(report.judgements) == hash(tuple(report.judgements))
    assert report.judgements != list(report.judgements)


def test_dates_are_judged_on_the_day(repo: Repo) -> None:
    before, after = TODAY, TODAY + timedelta(days=30)
    assert [answer(repo, day) for day in (before, after, before)] == [
        answer_without(repo, day) for day in (before, after, before)
    ]
    assert {one.id: one.challenged_by for one in answer(repo, after).judgements}["m-006"] == ("review",)


def test_a_branch_that_proposes_memories_is_told_apart_from_the_trusted_one(repo: Repo) -> None:
    answer(repo)
    repo.git("switch", "-qc", "topic")
    repo.commit("Propose", {path_of("m-009"): memory("m-009", "The function `second` adds two")})
    assert answer(repo) == answer_without(repo)
    assert {one.id for one in answer(repo).judgements if one.proposed} == {"m-009"}
    repo.git("switch", "-q", "main")
    repo.commit("Go on", {"README.md": "more\n"})
    assert answer(repo) == answer_without(repo)
    repo.git("switch", "-q", "topic")
    assert answer(repo) == answer_without(repo)
    repo.git("config", "gitmem.trustedRef", "topic")
    assert answer(repo) == answer_without(repo)
    assert not any(one.proposed for one in answer(repo).judgements)


def test_history_that_comes_later_is_seen(repo: Repo, tmp_path: Path) -> None:
    repo.commit("Change", {"src/a.py": _number(SOURCES["src/a.py"], 99)})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(tmp_path / "shallow"))
    clone = Repo(tmp_path / "shallow", init=False)
    cut = answer(clone)
    assert cut.history_missing
    assert answer(clone) == cut == answer_without(clone)
    clone.git("fetch", "-q", "--unshallow")
    whole = answer(clone)
    assert not whole.history_missing
    assert answer(clone) == whole == answer_without(clone)


def test_a_baseline_that_comes_later_is_seen(repo: Repo, tmp_path: Path) -> None:
    base = repo.git("rev-parse", "HEAD~1")
    repo.commit("Change", {"src/a.py": _number(SOURCES["src/a.py"], 99)})
    tree = repo.git("rev-parse", "HEAD^{tree}")
    squashed = repo.git("commit-tree", tree, "-m", "Squashed")
    repo.git("update-ref", "refs/heads/squashed", squashed)
    clone = Repo(tmp_path / "clone")
    clone.git("fetch", "-q", "-u", f"file://{repo.path}", "squashed:refs/heads/main")
    clone.git("reset", "-q", "--hard", "main")
    assert clone.git("cat-file", "-t", base, check=False) == ""
    first = answer(clone)
    assert answer(clone) == first == answer_without(clone)
    clone.git("fetch", "-q", f"file://{repo.path}", "main:refs/heads/other")
    assert answer(clone) == answer_without(clone)


# a cache is never a source of truth
def _kept_files(repo: Repo) -> list[Path]:
    """Everything but the parses, which `tests/store/test_parses.py` damages."""
    folder = repo.path / ".git" / "gitmem"
    return sorted(file for file in folder.rglob("*.marshal") if file.parent.name != "parses")


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:],
        lambda data: b"gitmem cache 0 " + data[15:],
        lambda data: b"\x00" * len(data),
        lambda data: data + b"more",
    ],
)
def test_a_damaged_file_is_as_none(damage: Callable[[bytes], bytes], repo: Repo) -> None:
    repo.commit("Change", {"src/a.py": _number(SOURCES["src/a.py"], 99)})
    told = answer(repo)
    files = _kept_files(repo)
    assert len(files) >= 3
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
        assert answer(repo) == told
    assert answer(repo) == told


def test_what_another_gitmem_kept_is_as_nothing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    told = answer(repo)
    from gitmem.store import shelf

    values = shelf.Shelf(repo.path / ".git")
    file = next(one for one in _kept_files(repo) if one.name.startswith("verdicts-"))
    monkeypatch.setattr(shelf, "edition", lambda: "another")
    before = file.read_bytes()
    assert shelf.Shelf(repo.path / ".git").get("verdicts", "any") is None
    assert answer(repo) == told
    assert file.read_bytes() != before, "it was written anew"
    assert values is not None


def test_nothing_is_written_but_the_cache(repo: Repo) -> None:
    def listed() -> dict[str, bytes]:
        files = (one for one in repo.path.rglob("*") if one.is_file())
        told = {str(one.relative_to(repo.path)): one.read_bytes() for one in files}
        return {name: data for name, data in told.items() if not name.startswith(".git/gitmem/")}

    shutil.rmtree(repo.path / ".git" / "gitmem")
    before = listed()
    answer(repo)
    answer(repo)
    assert listed() == before
    assert _kept_files(repo)


def test_without_a_place_to_keep_anything_the_answer_is_the_same(repo: Repo) -> None:
    told = answer(repo)
    shutil.rmtree(repo.path / ".git" / "gitmem")
    (repo.path / ".git" / "gitmem").write_text("in the way")
    assert answer(repo) == told


def test_few_values_are_kept_of_each_kind(repo: Repo) -> None:
    for number in range(12):
        repo.commit("Edit", {path_of("m-002"): memory("m-002", f"Pure {number}")})
        answer(repo)
    names = [file.name.partition("-")[0] for file in _kept_files(repo)]
    assert {name: names.count(name) for name in names if name != "parsed.marshal"} == dict.fromkeys(
        ("facts", "bases", "index", "verdicts"), 8
    )


def test_checks_at_once_do_not_hinder_each_other(repo: Repo) -> None:
    told = answer(repo)
    shutil.rmtree(repo.path / ".git" / "gitmem")
    command = [sys.executable, "-m", "gitmem", "drift"]
    running = [subprocess.Popen(command, cwd=repo.path, stdout=subprocess.PIPE) for _ in range(4)]
    outputs = {one.communicate()[0] for one in running}
    assert len(outputs) == 1
    assert not list((repo.path / ".git" / "gitmem").rglob("*.tmp"))
    assert answer(repo) == told


# what a check with nothing to look at loads
SLOW = [
    *(
        "pygit2",
        "pydantic",
        "ruamel",
        "yaml",
        "unidiff",
        "subprocess",
        "json",
        "difflib",
        "hashlib",
        "tree_sitter",
    ),
    *("gitmem.drift.scopes", "gitmem.drift.content", "gitmem.model.memory", "gitmem.model.glob"),
    "gitmem.usecases.drift",
]


def _loaded(repo: Repo, *arguments: str) -> Iterator[str]:
    program = (
        "import sys; from gitmem._main import main; sys.argv = ['gitmem', *sys.argv[1:]]; code = main();"
        " sys.stdout.write('\\n' + ' '.join(sys.modules)); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=repo.path,
        env={**sealed_environment(repo.path.parent), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    modules = done.stdout.rpartition("\n")[2].split()
    return (slow for slow in SLOW if any(one == slow or one.startswith(f"{slow}.") for one in modules))


def test_a_check_with_nothing_to_look_at_loads_nothing_slow(repo: Repo) -> None:
    confirmed(repo, "m-006")
    assert {"gitmem.drift.content", "gitmem.model.memory"} <= set(_loaded(repo, "drift")), (
        "the first loads them"
    )
    assert list(_loaded(repo, "drift")) == []
    repo.commit("Elsewhere", {"README.md": "more\n"})
    told = set(_loaded(repo, "drift"))
    assert told <= {"gitmem.drift.scopes", "gitmem.model.glob", "hashlib"}, (
        "scopes without a folder are matched"
    )
    repo.commit("Change", {"src/a.py": _number(SOURCES["src/a.py"], 99)})
    assert "gitmem.usecases.drift" in set(_loaded(repo, "drift"))
    assert list(_loaded(repo, "drift")) == [], "the close look was kept"


def test_the_verdicts_cover_what_there_is_to_tell(repo: Repo) -> None:
    """The property above is worth something only where verdicts differ."""
    repo.commit(
        "Change", {"src/a.py": _number(SOURCES["src/a.py"], 99), "src/b.py": "# x\n" + SOURCES["src/b.py"]}
    )
    repo.git("rm", "-q", "lib/tool.js")
    repo.commit("More", {"src/z.py": "import requests\n"})
    told = {one.id: one.verdict for one in answer(repo).judgements}
    assert len(set(told.values())) >= 3
    assert told["m-001"] is Verdict.CHANGED
