"""Statuses of HTTP: told by number or phrase, bound to the line that gives them by number or name."""

from __future__ import annotations

import pytest

from gitmem.drift.by_line import standing
from gitmem.drift.derive import derive
from gitmem.drift.statuses import status_names
from gitmem.model.memory import Scope
from gitmem.model.verdict import CHALLENGING
from gitmem.model.watch import WatchKind
from tests.support.tree_view import TreeOfText, between, judged, mark_of

LINES = {
    "app.py": 'raise HTTPException(status_code=404, detail="missing")',
    "named.py": "return Response(status=HTTPStatus.NOT_FOUND)",
    "fast.py": "raise HTTPException(status.HTTP_404_NOT_FOUND)",
    "a.go": "func f() { http.Error(w, msg, http.StatusNotFound) }",
    "a.ts": "res.status(HttpStatus.NOT_FOUND).send()",
    "a.rb": "head :not_found",
}


def lines(text: str, path: str, code: str) -> list[str]:
    view = TreeOfText({path: f"{code}\n"})
    found = derive([text], Scope(paths=(path,)), view, files=[path]).watches
    return [str(one) for one in found if str(one).startswith("lines ")]


@pytest.mark.parametrize("path", LINES)
def test_a_status_is_bound_to_the_line_that_gives_it(path: str) -> None:
    assert lines("Unknown users get a 404.", path, LINES[path]) == [f"lines {path}:1-1"]


@pytest.mark.parametrize(
    "text",
    [
        "It responds with 404 Not Found.",
        "answers with a `404`",
        "없는 항목은 404를 반환한다.",
        "存在しない項目は404を返す。",
        "未知用户返回 404。",
    ],
)
def test_a_status_is_told_in_four_languages(text: str) -> None:
    assert lines(text, "app.py", LINES["app.py"]) == ["lines app.py:1-1"]


@pytest.mark.parametrize(
    "text", ["See issue #404.", "It gets 404 items.", "The list fails after 404 ms.", "Rule 404"]
)
def test_other_numbers_are_no_status(text: str) -> None:
    assert lines(text, "named.py", LINES["named.py"]) == []


def test_a_number_that_is_no_status_has_no_names() -> None:
    assert status_names("299") == frozenset()
    assert {"CREATED", "Created", "StatusCreated"} <= status_names("201")


@pytest.mark.parametrize(
    ("new", "is_challenged"),
    [
        ("func f() { fail(w, http.StatusNotFound) }", False),
        ("func f() { http.Error(w, msg, http.StatusForbidden) }", True),
    ],
)
def test_a_line_that_is_written_otherwise_and_gives_the_same_status_still_says_it(
    new: str, *, is_challenged: bool
) -> None:
    text = "Unknown users get a 404."
    then, now = {"a.go": f"package a\n\n{LINES['a.go']}\n"}, {"a.go": f"package a\n\n{new}\n"}
    found = derive([text], Scope(paths=("a.go",)), TreeOfText(then), files=["a.go"])
    watch = next(one for one in found.watches if one.kind is WatchKind.LINES)
    (_, seen), *_ = standing(text, [(mark_of(watch, then), judged(watch, then, now))], between(then, now))
    assert (seen.verdict in CHALLENGING) is is_challenged
