from __future__ import annotations

import contextlib
import copy
from typing import Any

import pytest

from gitmem.errors import GitmemError, InvalidDataError, UsageError
from gitmem.usecases.acting.occasion import EVENTS, read_occasion
from tests.support.forge import REPOSITORY
from tests.support.workflow import pull_request_event, push_event, schedule_event

BASE, HEAD, NONE = "a" * 40, "b" * 40, "0" * 40
DISPATCH = {"ref": "refs/heads/main", "repository": {"default_branch": "main"}}


def read(name: str, event: dict[str, Any], ref: str = "refs/heads/main") -> Any:
    return read_occasion(name, event, repository=REPOSITORY, ref=ref)


@pytest.mark.parametrize(
    ("name", "event", "kind", "base", "before"),
    [
        ("push", push_event(BASE, HEAD), "branch", None, BASE),
        ("push", push_event(NONE, HEAD), "branch", None, None),
        ("push", push_event(BASE, HEAD, ref="refs/heads/x"), "change", None, None),
        ("pull_request", pull_request_event(BASE, HEAD), "change", BASE, None),
        ("pull_request_review", pull_request_event(BASE, HEAD, review={}), "change", BASE, None),
        ("merge_group", {**DISPATCH, "merge_group": {"base_sha": BASE, "head_sha": HEAD}}, "change", BASE, None),
        ("schedule", schedule_event(), "branch", None, None),
        ("workflow_dispatch", DISPATCH, "branch", None, None),
        ("workflow_dispatch", {**DISPATCH, "ref": "refs/heads/x"}, "change", None, None),
    ],
)  # fmt: skip
def test_what_each_event_is_about(
    name: str, event: dict[str, Any], kind: str, base: str | None, before: str | None
) -> None:
    told = read(name, event)
    assert (told.kind, told.base, told.before, told.default_branch, told.idle) == (
        kind,
        base,
        before,
        "main",
        "",
    )


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (push_event(BASE, NONE, deleted=True), "the branch was deleted"),
        (push_event(NONE, HEAD, ref="refs/tags/v1"), "this is no branch"),
    ],
)
def test_events_with_nothing_to_check(event: dict[str, Any], why: str) -> None:
    assert read("push", event).idle == why


def test_a_closed_pull_request_is_left_alone() -> None:
    event = pull_request_event(BASE, HEAD)
    event["pull_request"]["state"] = "closed"
    assert read("pull_request", event).idle == "the pull request is closed"


def test_a_pull_request_from_elsewhere_is_a_fork() -> None:
    assert read("pull_request", pull_request_event(BASE, HEAD, fork=True)).pull.is_fork
    assert not read("pull_request", pull_request_event(BASE, HEAD)).pull.is_fork
    gone = pull_request_event(BASE, HEAD)
    gone["pull_request"]["head"]["repo"] = None
    told = read("pull_request", gone).pull
    assert (told.is_fork, told.repository) == (True, "")


@pytest.mark.parametrize("name", ["pull_request_target", "issue_comment", ""])
def test_other_events_are_refused(name: str) -> None:
    with pytest.raises(UsageError) as told:
        read(name, pull_request_event(BASE, HEAD))
    assert told.value.hint


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("pull_request", "base", "sha"), "HEAD", "base.sha"),
        (("pull_request", "base", "sha"), "--upload-pack=x", "base.sha"),
        (("pull_request", "head", "sha"), None, "head.sha"),
        (("pull_request", "number"), "7/../../x", "number"),
        (("pull_request", "number"), True, "number"),
        (("pull_request",), [], "pull_request"),
        (("repository", "default_branch"), 3, "default_branch"),
    ],
)
def test_what_is_not_as_a_forge_writes_it_is_named(path: tuple[str, ...], value: object, field: str) -> None:
    event = pull_request_event(BASE, HEAD)
    inner: Any = event
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    with pytest.raises(InvalidDataError, match=field):
        read("pull_request", event)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("ref", None), ("ref", 3), ("ref", ["refs/heads/main"]), ("before", None), ("before", 0), ("before", "main"),
        ("after", None), ("after", ""), ("after", {"sha": HEAD}), ("after", "HEAD"), ("deleted", "true"),
    ],
)  # fmt: skip
def test_a_push_that_is_not_whole_is_refused_and_says_what_is_wrong(field: str, value: object) -> None:
    with pytest.raises(InvalidDataError, match=f"the event's {field} is") as told:
        read("push", push_event(BASE, HEAD) | {field: value})
    assert told.value.hint
    left_out = push_event(BASE, HEAD)
    del left_out[field]
    if field != "deleted":  # older servers leave it out
        with pytest.raises(InvalidDataError, match=field):
            read("push", left_out)


@pytest.mark.parametrize(
    ("ref", "number"),
    [
        (f"refs/heads/gh-readonly-queue/main/pr-104-{HEAD}", 104),
        (f"refs/heads/gh-readonly-queue/release/2.0/pr-7-{HEAD}", 7),
        (f"refs/heads/gh-readonly-queue/main/pr-0-{HEAD}", None),
        ("refs/heads/gh-readonly-queue/main/pr-7-main", None),
        (None, None),
    ],
)
def test_a_merge_queue_names_the_pull_request_that_it_tries(ref: str | None, number: int | None) -> None:
    group = {"base_sha": BASE, "head_sha": HEAD, "head_ref": ref}
    assert read("merge_group", {**DISPATCH, "merge_group": group}).queued == number


@pytest.mark.parametrize("repository", ["", "acme", "acme/shop/../x", "acme/shop?x", "a b/c"])
def test_a_repository_is_an_owner_and_a_name(repository: str) -> None:
    with pytest.raises(InvalidDataError, match="owner/name"):
        read_occasion("push", push_event(BASE, HEAD), repository=repository)


ODD: tuple[Any, ...] = (None, True, -1, "", [], {"sha": {}})


def paths(event: Any, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every place of an event."""
    inner = (
        [paths(value, (*before, name)) for name, value in event.items()] if isinstance(event, dict) else []
    )
    return [*([before] if before else []), *(path for some in inner for path in some)]


@pytest.mark.parametrize("name", EVENTS)
def test_no_event_file_breaks_the_reader(name: str) -> None:
    whole = {
        **pull_request_event(BASE, HEAD),
        **push_event(BASE, HEAD),
        "merge_group": {"base_sha": BASE, "head_sha": HEAD},
    }
    for path in paths(whole):
        for value in ODD:
            event = copy.deepcopy(whole)
            inner: Any = event
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = value
            with contextlib.suppress(GitmemError):
                assert read(name, event).default_branch
