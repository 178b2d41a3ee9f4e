from __future__ import annotations

from datetime import datetime

import pytest

from gitmem.errors import LifecycleError, NotFoundError
from gitmem.git.opening import open_repository
from gitmem.usecases.checking import check
from gitmem.usecases.marking import challenge, mark_challenged
from tests.support.drifting import SHOP, confirmed, judged, validated
from tests.support.memories import path_of
from tests.support.repo import Repo

NOW = datetime.fromisoformat("2026-07-15T10:00:00+09:00")
FILE = path_of()


def doubt(repo: Repo, hour: int) -> None:
    with open_repository(repo.path) as opened:
        challenge(opened, ["m-001"], "I doubt it", NOW.replace(hour=hour))
    repo.commit("doubted")


def seen(repo: Repo, hour: int) -> None:
    """Look, and confirm what was seen."""
    at = f"2026-07-15T{hour}:00:00+09:00"
    (asking,) = confirmed(repo.path, at=at).asks
    assert confirmed(repo.path, at=at, seen=asking.token).confirmed
    repo.commit("confirmed")


def test_a_mark_is_cleared_by_a_confirmation_later_on_the_same_day(repo: Repo) -> None:
    validated(repo)
    doubt(repo, 11)
    assert judged(repo.path).status == "challenged"
    seen(repo, 12)
    assert judged(repo.path).status == "active"


def test_a_confirmation_from_before_the_mark_does_not_clear_it(repo: Repo) -> None:
    validated(repo)
    doubt(repo, 13)
    seen(repo, 12)
    assert judged(repo.path).status == "challenged"


def test_marking_writes_verdict_and_reason_and_leaves_every_other_line(repo: Repo) -> None:
    validated(repo)
    before = repo.read(FILE)
    repo.commit("change", {"src/shop.py": SHOP.replace("    ship(order)\n", "")})
    with open_repository(repo.path) as opened:
        report = check(opened)
        assert mark_challenged(opened, report, NOW) == (FILE,)
        assert mark_challenged(opened, report, NOW) == ()
    after = repo.read(FILE)
    added = [line for line in after.splitlines() if line not in before.splitlines()]
    assert [line.partition(":")[0] for line in added] == ["status", "challenged_at", "challenged_because"]
    assert "send: body changed" in after


def test_another_spelling_of_status_is_edited_where_it_stands(repo: Repo) -> None:
    validated(repo)
    text = repo.read(FILE).replace("status: active", "promotion_status: approved")
    repo.commit("other spelling", {FILE: text})
    with open_repository(repo.path) as opened:
        challenge(opened, ["m-001"], "I doubt it", NOW)
    assert "promotion_status: challenged" in repo.read(FILE)


def test_what_has_no_such_move_or_no_such_id_is_refused(repo: Repo) -> None:
    validated(repo)
    with open_repository(repo.path) as opened, pytest.raises(NotFoundError, match="m-2"):
        challenge(opened, ["m-2"], "?", NOW)
    text = repo.read(FILE).replace("status: active", "status: deprecated")
    repo.commit("deprecated", {FILE: text})
    with (
        open_repository(repo.path) as opened,
        pytest.raises(LifecycleError, match="deprecated to challenged"),
    ):
        challenge(opened, ["m-001"], "?", NOW)
