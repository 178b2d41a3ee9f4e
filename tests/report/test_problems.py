from __future__ import annotations

from gitmem.model.problem import Problem
from gitmem.report.problems import problem_line, unreadable

PROBLEMS = [
    Problem("a.yaml", 3, 7, "scope.paths", "not a list", "write - src/**"),
    Problem("b.yaml", 4, 0, "", "odd\x1b[31m", severity="warning"),
    Problem("c.yaml", 0, 0, "", "too large"),
]


def test_a_line_names_the_place_and_the_cure_and_hides_nothing() -> None:
    assert [problem_line(one) for one in PROBLEMS] == [
        "a.yaml:3:7: error: not a list (write - src/**)",
        "b.yaml:4: warning: odd\\x1b[31m",
        "c.yaml: error: too large",
    ]


def test_only_errors_keep_a_file_from_loading() -> None:
    assert [one.file for one in unreadable(PROBLEMS)] == ["a.yaml", "c.yaml"]
