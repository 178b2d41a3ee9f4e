"""`gitmem show`: what a memory rests on and who last found it true, whether or not its file says so."""

from __future__ import annotations

from tests.support.cli import gitmem
from tests.support.drifting import ABOUT_SEND, CODE, PROSE, SHOP, remembered, validated
from tests.support.memories import memory, path_of
from tests.support.repo import Repo


def shown(repo: Repo) -> str:
    return gitmem("show", "m-001", at=repo.path).out


def test_derived_watches_and_the_last_look_are_shown(repo: Repo) -> None:
    baseline = validated(repo)
    out = shown(repo)
    assert "rests on   symbol src/shop.py#send (derived from its words)" in out
    assert "confirmed  1×, last 2026-07-14T10:00:00+09:00 by Ada (looked)" in out
    (one,) = gitmem("show", "m-001", "--json", at=repo.path).document["memories"]
    assert one["rests_on"] == ["symbol src/shop.py#send"]
    assert (one["validation"]["by"], one["validation"]["commit"]) == ("Ada", baseline)


def test_a_memory_that_names_no_code_says_so(repo: Repo) -> None:
    files = {**CODE, **{f"src/{number}.py": f"N = {number}\n" for number in range(6)}}
    validated(repo, PROSE, files)
    assert "rests on   its scope as a whole: its words name no code" in shown(repo)


def test_what_nobody_confirmed_is_shown_with_the_cure(repo: Repo) -> None:
    remembered(repo)
    assert "confirmed  never: gitmem confirm m-001 records what it rests on" in shown(repo)
    (one,) = gitmem("show", "m-001", "--json", at=repo.path).document["memories"]
    assert (one["rests_on"], one["validation"]) == ([], None)


def test_other_words_are_not_the_ones_that_were_confirmed(repo: Repo) -> None:
    validated(repo)
    repo.commit("Reword", {path_of(): memory(summary="'`send` logs first'")})
    out = shown(repo)
    assert "confirmed  1×, not with these words: gitmem confirm m-001" in out
    assert "derived from its words" not in out


def test_a_doubtful_memory_leads_to_the_evidence_and_to_the_answer(repo: Repo) -> None:
    validated(repo, ABOUT_SEND)
    repo.commit("Tell", {"src/shop.py": SHOP.replace("    log(order)\n", "    tell(order)\n")})
    line = "why: gitmem drift m-001 --explain    it still holds: gitmem confirm m-001"
    assert line in shown(repo)
