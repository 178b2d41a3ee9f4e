from __future__ import annotations

import pytest

from gitmem.action.rest import GitHubRest
from gitmem.errors import UsageError
from gitmem.usecases.acting.forge import ForgeError
from tests.support.forge import REPOSITORY, TOKEN, Forge, account

MARKER = "<!-- gitmem:report -->"
HEAD = "a" * 40


def asking(forge: Forge, pauses: list[float] | None = None) -> GitHubRest:
    waited = [] if pauses is None else pauses
    return GitHubRest(forge.address, REPOSITORY, TOKEN, pause=waited.append)


@pytest.mark.parametrize(
    "address", ["http://api.example.com", "file:///etc/passwd", "ftp://127.0.0.1", "", "127.0.0.1"]
)
def test_a_token_travels_by_https_or_not_at_all(address: str) -> None:
    with pytest.raises(UsageError, match="https"):
        GitHubRest(address, REPOSITORY, TOKEN)


def test_each_page_is_read(forge: Forge) -> None:
    for number in range(250):
        forge.review(f"p{number}", "APPROVED", HEAD)
    assert len(asking(forge).reviews(7)) == 250
    assert [one.path.partition("page=100&")[2] for one in forge.asked] == ["page=1", "page=2", "page=3"]
    assert {one.token for one in forge.asked} == {TOKEN}


@pytest.mark.parametrize(
    ("permission", "may"),
    [("admin", True), ("write", True), ("maintain", True), ("triage", False), ("read", False)],
)
def test_who_may_write(forge: Forge, permission: str, may: bool) -> None:
    forge.permissions["kim"] = permission
    assert asking(forge).may_write("kim") is may


def test_a_stranger_may_not_write_and_what_is_forbidden_to_know_is_not_known(forge: Forge) -> None:
    assert asking(forge).may_write("nobody/../x") is False
    assert forge.asked[-1].path.endswith("/collaborators/nobody%2F..%2Fx/permission")
    forge.statuses["GET", "permission"] = [403]
    assert asking(forge).may_write("kim") is None


def test_authors_are_who_opened_it_and_who_wrote_its_commits(forge: Forge) -> None:
    forge.wrote = ["lee", "dana", "lee"]
    assert asking(forge).authors(7) == ["dana", "lee"]


def test_only_merged_pull_requests_brought_a_commit(forge: Forge) -> None:
    forge.pulls[HEAD] = [3]
    assert asking(forge).pulls_of(HEAD) == [3]


def test_what_fails_by_chance_is_asked_again_with_patience(forge: Forge) -> None:
    forge.statuses["GET", "reviews"] = [502, 503, 200]
    pauses: list[float] = []
    assert asking(forge, pauses).reviews(7) == []
    assert (len(forge.asked), len(pauses)) == (3, 2)


def test_what_goes_on_failing_is_said_without_the_token(forge: Forge) -> None:
    forge.statuses["GET", "reviews"] = [500]
    with pytest.raises(ForgeError) as told:
        asking(forge).reviews(7)
    assert (
        told.value.message
        == f"GET /repos/{REPOSITORY}/pulls/7/reviews answered 500: Resource not accessible by integration"
    )
    assert TOKEN not in repr(told.value)


def test_a_comment_is_never_sent_twice(forge: Forge) -> None:
    forge.statuses["POST", "comments"] = [502]
    with pytest.raises(ForgeError):
        asking(forge).write_comment(7, MARKER, None)
    assert len(forge.asked) == 1


@pytest.mark.parametrize("status", [301, 302, 307])
def test_no_redirect_is_followed(forge: Forge, status: int) -> None:
    forge.statuses["GET", "reviews"] = [status]
    with pytest.raises(ForgeError, match=str(status)):
        asking(forge).reviews(7)
    assert [one.path for one in forge.asked if "elsewhere" in one.path] == []


def test_nobody_there_is_an_error_of_the_forge() -> None:
    with pytest.raises(ForgeError, match="no answer"):
        GitHubRest("http://127.0.0.1:9", REPOSITORY, TOKEN).reviews(7)


def test_a_persons_token_finds_that_persons_comment(forge: Forge) -> None:
    forge.comments = [
        {"id": 1, "user": account("mallory"), "body": MARKER},
        {"id": 2, "user": account("kim"), "body": f"{MARKER}\nold"},
        {"id": 3, "user": account("other[bot]", "Bot"), "body": f"about {MARKER}"},
    ]
    assert asking(forge).find_comment(7, MARKER) is None
    forge.me = "kim"
    found = asking(forge).find_comment(7, MARKER)
    assert found is not None
    assert found.id == 2
