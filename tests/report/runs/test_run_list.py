from __future__ import annotations

from datetime import UTC, datetime

from gitmem.report.look import Look
from gitmem.report.runs.run_list import problem_lines, run_list_document, run_list_lines
from gitmem.report.width import width
from gitmem.usecases.runs.listing import RunListing, RunProblem, RunRow

NOW = datetime(2026, 7, 13, 12, 0, tzinfo=UTC)
ROWS = (
    RunRow(
        "run-1", "결제-중복", "failed_test", 12, "2026-07-13T11:00:00Z", ("w1", "w2"), None, is_current=True
    ),
    RunRow("run-20260713-7k3fa", "checkout", "tested", 5, "2026-07-12T11:00:00Z", ("w1",), None),
    RunRow("run-3", None, "created", 1, "2026-07-11T11:00:00Z", ("w1",), None),
    RunRow("run-4", "日本語のタスク", "created", 1, "2026-07-11T11:00:00Z", ("w1",), None),
    RunRow("run-5", "e\u0301te\u0301", "created", 1, "2026-07-11T11:00:00Z", ("w1",), None),
)


def test_columns_stand_below_each_other_in_every_script() -> None:
    lines = list(run_list_lines(RunListing(ROWS, 0, ()), NOW))
    assert lines[0] == "* run-1               결제-중복       failed_test  12  1 h ago  2"
    assert lines[1] == "  run-20260713-7k3fa  checkout        tested        5  1 d ago  1"
    starts = {width(line[: line.index(row.phase)]) for line, row in zip(lines, ROWS, strict=True)}
    assert len(starts) == 1


def test_a_terminal_gets_a_head_and_no_line_too_long() -> None:
    narrow = run_list_lines(RunListing(ROWS, 0, ()), NOW, Look(width=40))
    assert max(map(width, narrow)) <= 40
    lines = list(run_list_lines(RunListing(ROWS, 0, ()), NOW, Look(width=90)))
    assert lines[0].split() == ["run", "task", "phase", "events", "last", "writers"]
    assert lines[0].index("phase") == lines[2].index("tested")


def test_a_task_cannot_reach_the_terminal_unescaped() -> None:
    row = ROWS[0]._replace(task="\x1b[31mred\u202e\nnext")
    (line,) = run_list_lines(RunListing((row,), 0, ()), NOW)
    assert "\x1b" not in line
    assert "\u202e" not in line


def test_the_document_has_whole_values() -> None:
    document = run_list_document(RunListing(ROWS[:1], 2, (RunProblem("run-9", "broken"),)))
    assert document == {
        "runs": [
            {
                "run": "run-1",
                "task": "결제-중복",
                "phase": "failed_test",
                "events": 12,
                "last_at": "2026-07-13T11:00:00Z",
                "writers": ["w1", "w2"],
                "archived": False,
                "current": True,
            }
        ],
        "ended_not_shown": 2,
        "problems": [{"run": "run-9", "message": "broken"}],
    }


def test_one_line_a_run_tells_its_problems() -> None:
    problems = [RunProblem("run-9", "one"), RunProblem("run-9", "two"), RunProblem("run-8", "three")]
    assert list(problem_lines(problems)) == ["run-9: one (and 1 more)", "run-8: three"]


def test_nothing_to_list_is_no_line() -> None:
    assert list(run_list_lines(RunListing((), 3, ()), NOW, Look(width=80))) == []
