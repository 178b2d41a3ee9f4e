from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.judged import Said, Situation, Trial
from tests.benchmarks.rows import Row, format_table
from tests.benchmarks.statements import NO_ANSWER, Answer, Case, is_right, load_cases
from tests.benchmarks.symbols import Judged, Symbols, shapes, truth
from tests.support.repo import Repo

OLD = "def keep(a, b):\n    return a + b\n\nclass Api:\n    def call(self, x):\n        return x\n"
CASE = Case("P1", "a/b", "Say", ("src/**",), "1" * 40, "2" * 40, "2026-01-01", "gone", "challenge")


def symbols(path: str, text: str) -> Symbols:
    return {(path, name): shape for name, shape in shapes(text).items()}


@pytest.mark.parametrize(
    ("new", "became"),
    [
        (OLD, "same"),
        (OLD.replace("a + b", "(a  +  b)"), "cosmetic"),
        (OLD.replace("b):\n", 'b):\n    """Said."""\n'), "cosmetic"),
        (OLD.replace("(a, b)", "(a: int, b: int) -> int"), "annotation"),
        (OLD.replace("a + b", "a - b"), "changed"),
        (f"@cached\n{OLD}", "changed"),
        (OLD.replace("keep", "kept"), "gone"),
    ],
)
def test_truth_tells_what_became_of_a_function(new: str, became: str) -> None:
    assert truth(symbols("a.py", OLD), symbols("a.py", new))["a.py", "keep"] == became


def test_an_equal_definition_of_that_name_elsewhere_is_moved() -> None:
    new = {**symbols("b.py", OLD.replace("Api", "Base"))}
    assert set(truth(symbols("a.py", OLD), new).values()) == {"moved"}


def test_the_report_names_missed_ones_and_false_alarms() -> None:
    judged = Judged((("changed", "challenged"), ("gone", "touched"), ("moved", "challenged")))
    assert list(judged.report())[-1] == "real 2: 1 caught, 1 missed; 2 challenged; false: 1 moved"


@pytest.mark.parametrize(
    ("kind", "action", "answer", "right"),
    [
        ("P1", "challenge", Answer("gone", "challenged"), True),
        ("P1", "challenge", Answer("touched", "active"), False),
        ("P1", "challenge-low (obsolete)", Answer("touched", "active"), True),
        ("P1", "challenge-low (obsolete)", Answer("fresh", "active"), False),
        ("P1", "lint at capture: unresolved", Answer("fresh", "active", "Born false? x"), True),
        ("P1", "lint at capture: unresolved", Answer("fresh", "active", ""), False),
        ("R1", "auto-relocate, no challenge", Answer("relocated", "active"), True),
        ("N1", "none", Answer("changed", "challenged"), False),
        ("R1", "relocate; challenge-low at most", Answer("changed", "challenged"), True),
        ("N1", "none", Answer("no repository", NO_ANSWER), False),
    ],
)
def test_the_expected_action_decides(kind: str, action: str, answer: Answer, right: bool) -> None:
    assert is_right(replace(CASE, id=kind, expected_action=action), answer) is right


def test_a_case_file_keeps_only_what_may_be_fed(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        '{"id": "P1", "repo": "a/b", "statement": "Say", "scope": ["src/**"], "anchors": {"identifiers": ["x"]}, '
        f'"commit_a": "{"1" * 40}", "commit_b": "{"2" * 40}", "date_a": "2026-01-01", '
        '"expected_verdict": "gone", "expected_action": "challenge"}\n'
    )
    assert load_cases(cases) == [CASE]


@pytest.fixture
def bare(repo: Repo) -> tuple[Path, str, str]:
    """Git directory and two commits of a project."""
    first = repo.commit("One", {"src/a.py": OLD, ".ai/memory/own.yaml": "id: own\n"})
    second = repo.commit("Two", {"src/a.py": OLD.replace("keep", "kept")})
    return repo.path / ".git", first, second


@pytest.mark.parametrize("situation", list(Situation))
def test_the_memories_are_carried_to_the_judged_tree(
    bare: tuple[Path, str, str],
    situation: Situation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[str, str, str]] = []

    def record(repo: Repo, *_: str) -> Said:
        listed = repo.git("ls-tree", "-r", "--name-only", "HEAD")
        code = repo.git("show", "HEAD:src/a.py")
        seen.append((listed, code, repo.git("cat-file", "-t", own, check=False)))
        return Said(0, "{}", "")

    monkeypatch.setattr("tests.benchmarks.judged.gitmem", record)
    git_dir, old, new = bare
    (tmp_path / "trial").mkdir()
    trial = Trial(tmp_path / "trial", git_dir, old, {"m-case": "id: m-case\n"})
    own = Repo(tmp_path / "trial" / "trial", init=False).head()
    trial.judge(new, situation)
    assert seen[0][0].splitlines() == [".ai/memory/m-case.yaml", ".ai/memory/own.yaml", "src/a.py"]
    assert "kept" in seen[0][1]
    assert seen[0][2] == ("commit" if situation is Situation.FULL else "")


def test_a_missed_goal_is_printed_as_missed() -> None:
    rows = [
        Row("a", "b", 1.0, 2.0, 3.0),
        Row("a", "b", 0.6, 0.7, 3.0, at_least=True),
        Row("a", "b", 1, None, None),
    ]
    assert [line.split()[-1] for line in format_table(rows).splitlines()[2:]] == ["MISSED", "ok", "run"]
