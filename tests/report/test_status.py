from __future__ import annotations

from gitmem.report.status import status_document, status_lines
from gitmem.trust.branch import Trusted
from gitmem.usecases.status import MemoryState, Waiting

TRUSTED = Trusted("refs/remotes/origin/main", "a" * 40, "origin/HEAD names it", "origin")


def test_one_screen_tells_branch_counts_and_what_waits() -> None:
    waiting = (
        Waiting("challenged, to be confirmed or retired", 1, "gitmem drift"),
        Waiting("proposed, approved by a merge", 2, "gitmem list --status proposed"),
    )
    state = MemoryState(TRUSTED, {"active": 3, "challenged": 1, "proposed": 2, "archived": 4}, 1, waiting, 0)
    assert list(status_lines(state)) == [
        "trusted   origin/main at aaaaaaaaaaaa (origin/HEAD names it)",
        "memories  3 active, 1 challenged, 2 proposed, 4 archived",
        "          1 cannot be checked against the code: gitmem drift --explain",
        "waiting   1 challenged, to be confirmed or retired: gitmem drift",
        "          2 proposed, approved by a merge: gitmem list --status proposed",
    ]
    document = status_document(state)
    assert document["memories"] == {"active": 3, "challenged": 1, "proposed": 2, "archived": 4}
    assert document["trusted"]["verified"] is False


def test_an_empty_repository_says_what_to_do_first() -> None:
    state = MemoryState(Trusted(None, None, "there is no remote"), {}, None, (), 0)
    assert list(status_lines(state)) == [
        "trusted   no branch: there is no remote",
        "memories  none yet: write one in .ai/memory/, .ai/README.md shows how",
        "waiting   nothing",
    ]


def test_a_branch_name_cannot_reach_the_terminal_unescaped() -> None:
    state = MemoryState(Trusted("refs/heads/\x1b[31m", "a" * 40, "w\x1b]0;"), {}, None, (), 0)
    assert "\x1b" not in "\n".join(status_lines(state))
