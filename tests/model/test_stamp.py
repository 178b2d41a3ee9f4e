"""Commands that show what a run has saved."""

from __future__ import annotations

from gitmem.model.stamp import Stamp


def test_what_was_saved_is_shown_where_it_lies() -> None:
    stamp = Stamp(places={"artifacts/a.log": "AI_RUN", "artifacts/b.log": "refs/x", "handoff.md": "AI_RUN"})
    assert stamp.show_artifact("a.log") == "git show AI_RUN:artifacts/a.log"
    assert stamp.show_artifact("artifacts/b.log") == "git show refs/x:artifacts/b.log"
    assert stamp.show_artifact("handoff.md") == "git show AI_RUN:handoff.md"
    assert stamp.show_artifact("c.log") is None
    assert stamp.show_file("decisions.md") is None


def test_without_looking_everything_is_at_the_run() -> None:
    assert Stamp().show_artifact("a.log") == "git show AI_RUN:artifacts/a.log"
    assert Stamp(ref="refs/x").show_file("decisions.md") == "git show refs/x:decisions.md"


def test_a_name_cannot_leave_the_command() -> None:
    assert Stamp().show_artifact("a;rm -rf ~") == "git show 'AI_RUN:artifacts/a;rm -rf ~'"
    assert Stamp().show_artifact("결제.log") == "git show 'AI_RUN:artifacts/결제.log'"
