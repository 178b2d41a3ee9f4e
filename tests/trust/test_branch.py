from __future__ import annotations

import pytest

from gitmem.trust.branch import Trusted, candidate_refs, choose_remote, configured_refs, remote_of, short_name


@pytest.mark.parametrize(
    ("remotes", "default", "chosen"),
    [
        ((), None, None),
        (("fork", "origin"), None, "origin"),
        (("upstream",), None, "upstream"),
        (("fork", "upstream"), None, None),
        (("fork", "upstream"), "upstream", "upstream"),
        (("fork", "upstream"), "gone", None),
    ],
)
def test_the_remote_that_counts(remotes: tuple[str, ...], default: str | None, chosen: str | None) -> None:
    assert choose_remote(remotes, default) == chosen


def test_the_local_branch_is_a_candidate_only_without_any_remote() -> None:
    assert [ref for ref, _ in candidate_refs(None, None)] == ["refs/heads/main", "refs/heads/master"]
    with_remote = [ref for ref, _ in candidate_refs("origin", "refs/remotes/origin/trunk")]
    assert with_remote == [
        "refs/remotes/origin/trunk",
        "refs/remotes/origin/main",
        "refs/remotes/origin/master",
    ]


def test_a_setting_names_a_ref_in_short_or_in_full() -> None:
    assert configured_refs("refs/heads/x") == ("refs/heads/x",)
    assert configured_refs("origin/dev")[0] == "refs/remotes/origin/dev"
    assert configured_refs("main")[0] == "refs/heads/main"


def test_remote_names_may_hold_slashes() -> None:
    assert remote_of("refs/remotes/team/a/main", ("team", "team/a")) == "team/a"
    assert remote_of("refs/heads/main", ("origin",)) is None


def test_names_are_shown_short() -> None:
    assert short_name("refs/remotes/origin/main") == "origin/main"
    assert Trusted(None, None, "why").name == ""
