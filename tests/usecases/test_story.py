"""`--explain` on real repositories: what lies behind each kind of verdict."""

from __future__ import annotations

from pathlib import Path

from gitmem.git.opening import open_repository
from gitmem.report.explain import explain
from gitmem.usecases.drift import examine
from gitmem.usecases.request import HEAD, Request, Target
from gitmem.usecases.story import Story, story_of
from tests.support.cli import gitmem
from tests.support.drifting import (
    ABOUT_SEND,
    CODE,
    SHOP,
    confirmed,
    forget_history,
    remembered,
    shallow,
    validated,
)
from tests.support.repo import Repo


def told(path: Path, target: Target = HEAD) -> tuple[Story, str]:
    """The story of the one memory, and the explanation."""
    with open_repository(path) as repository:
        checked = examine(repository, Request(target=target))
        (judgement,) = checked.judgements
        story = story_of(checked, judgement)
        return story, "\n".join(explain(judgement, checked.state.label, story=story))


def test_a_fresh_memory_shows_its_watch_where_it_stands(repo: Repo) -> None:
    baseline = validated(repo)
    story, text = told(repo.path)
    (rest,) = story.resting
    assert (rest.watch, rest.lines, rest.is_equal) == ("symbol src/shop.py#send", (1, 4), True)
    assert story.paths == ("src/bank.py", "src/shop.py")
    assert f"baseline   commit {baseline} (" in text
    assert "by Ada, who looked (.ai/validations/m-001/" in text
    assert text.endswith(
        "its watch holds what was recorded, and nothing in its scope differs from the baseline"
    )


def test_a_validation_that_was_taken_away_is_told_with_the_commit_that_did_it(repo: Repo) -> None:
    validated(repo)
    assert told(repo.path)[0].taken is None
    repo.git("rm", "-rq", ".ai/validations")
    commit = repo.commit("Tidy")
    story, text = told(repo.path)
    assert story.taken is not None
    assert (story.validation, story.taken.commit) == (None, commit)
    said = f'by Ada, in {commit[:12]} (2026-07-13 Ada Tester: "Tidy") (.ai/validations/m-001/'
    assert said in text
    shown = gitmem("show", "m-001", at=repo.path)
    assert said in shown.out
    document = gitmem("show", "m-001", "--json", at=repo.path).document
    assert document["memories"][0]["validation_taken_away"]["commit"] == commit
    confirmed(repo.path, at="2026-07-16T10:00:00+09:00")
    repo.commit("Confirm")
    assert told(repo.path)[0].taken is None


def test_one_that_is_dated_back_is_told_and_an_old_one_that_is_removed_is_not(repo: Repo) -> None:
    validated(repo)
    confirmed(repo.path, at="2026-07-16T10:00:00+09:00", ask=lambda _: True)
    repo.commit("Confirm")
    old, new = sorted((repo.path / ".ai/validations/m-001").iterdir())
    old.unlink()
    repo.commit("Tidy")
    assert told(repo.path)[0].taken is None
    new.write_text(new.read_text().replace("2026-07-16", "2026-07-01"))
    repo.commit("Date back")
    assert told(repo.path)[1].count("the validation of 2026-07-16T10:00:00+09:00 by Ada, in ") == 1


def test_a_moved_watch_is_shown_where_it_is_now(repo: Repo) -> None:
    validated(repo)
    repo.git("rm", "-q", "src/shop.py")
    repo.commit("Move", {"src/till.py": "import os\n\n\n" + SHOP})
    story, text = told(repo.path)
    (rest,) = story.resting
    assert (rest.path, rest.lines, rest.is_equal) == ("src/till.py", (4, 7), True)
    assert "now src/till.py lines 4–7, same content: digest s" in text


def test_around_a_touched_memory_the_watch_is_shown_unchanged(repo: Repo) -> None:
    validated(repo)
    repo.commit("Raise", {"src/bank.py": "LIMIT = 5\n"})
    _, text = told(repo.path)
    assert "FRESH      symbol src/shop.py#send\n           now lines 1–4, same content" in text
    assert "TOUCHED    src/bank.py  changed, 100% of its lines" in text


def test_what_only_looks_different_is_shown_with_equal_digests(repo: Repo) -> None:
    validated(repo)
    repo.commit("Comment", {"src/shop.py": "# shop\n" + SHOP})
    _, text = told(repo.path)
    assert "COSMETIC   symbol src/shop.py#send" in text
    assert "now lines 2–5, same content" in text


def test_what_is_gone_rests_nowhere(repo: Repo) -> None:
    validated(repo)
    repo.git("rm", "-q", "src/shop.py")
    repo.commit("Drop")
    story, _ = told(repo.path)
    assert [(rest.path, rest.now, rest.is_equal) for rest in story.resting] == [(None, None, False)]


def test_a_validation_of_the_work_tree_is_judged_from_the_commit_that_brought_it(repo: Repo) -> None:
    remembered(repo)
    confirmed(repo.path, worktree=True)
    brought = repo.commit("Validate")
    repo.commit("Raise", {"src/bank.py": "LIMIT = 5\n"})
    _, text = told(repo.path)
    assert f"baseline   commit {brought} (" in text
    assert (
        "which brought the validation (its validation was made in the work tree and names no commit)" in text
    )


def test_a_validation_of_the_work_tree_never_misses_a_commit(repo: Repo) -> None:
    remembered(repo)
    confirmed(repo.path, worktree=True)
    repo.commit("Validate")
    _, text = told(repo.path)
    assert (
        "the content recorded with the validation; it was made in the work tree and names no commit" in text
    )
    assert "not in this clone" not in text


def test_a_commit_that_was_squashed_away_is_said_to_be_missing(repo: Repo) -> None:
    baseline = validated(repo)
    repo.commit("Raise", {"src/bank.py": "LIMIT = 5\n"})
    forget_history(repo)
    _, text = told(repo.path)
    assert f"its commit {baseline} is not in this clone (rebased, squashed or not fetched)" in text


def test_in_a_shallow_clone_the_cure_is_told(repo: Repo, tmp_path: Path) -> None:
    validated(repo)
    repo.commit("Raise", {"src/bank.py": "LIMIT = 5\n"})
    clone = shallow(repo, tmp_path / "shallow")
    _, text = told(clone.path)
    assert "git fetch --unshallow brings it" in text
    assert "note: history is missing here (shallow clone)" in gitmem("drift", "--explain", at=clone.path).out


def test_a_memory_that_nobody_confirmed_says_from_where_it_is_judged(repo: Repo) -> None:
    baseline = remembered(repo)
    _, text = told(repo.path)
    assert f"baseline   commit {baseline} (" in text
    assert "inferred from the history of its file: no validation names one" in text
    assert "make it certain: gitmem confirm m-001" in text


def test_watches_of_every_kind_say_where_they_rest(repo: Repo) -> None:
    watch = (
        "[{key: package.json#scripts.lint}, {ident: ship}, {ident: fax, polarity: prohibits},"
        " {path: src/}, {file: src/bank.py}, {lines: 'src/shop.py:3-3', quote: {exact: '    ship(order)'}}]"
    )
    validated(repo, ABOUT_SEND, {**CODE, "package.json": '{"scripts": {"lint": "eslint ."}}'}, watch=watch)
    story, text = told(repo.path)
    assert len(story.resting) == 6
    assert "what it rests on (as its file says)" in text
    assert 'key package.json#scripts.lint\n           value "eslint .", same content' in text
    assert "in code at src/shop.py" in text
    assert "lines src/shop.py:3-3\n           now line 3, same content" in text


def test_the_json_carries_the_same(repo: Repo) -> None:
    validated(repo)
    (one,) = gitmem("drift", "--explain", "--json", at=repo.path).document["memories"]
    (rest,) = one["rests_on"]
    assert (rest["watch"], rest["path"], rest["lines"]) == ("symbol src/shop.py#send", "src/shop.py", [1, 4])
    assert rest["digest_then"] is not None
    assert rest["digest_then"] == rest["digest_now"]
    assert one["validation"]["by"] == "Ada"
    assert one["scope"]["matched"] == ["src/bank.py", "src/shop.py"]
    (plain,) = gitmem("drift", "--json", at=repo.path).document["memories"]
    assert "rests_on" not in plain


def test_what_was_parsed_to_explain_is_kept(repo: Repo) -> None:
    validated(repo)
    repo.commit("Raise", {"src/bank.py": "LIMIT = 5\n"})
    gitmem("drift", "--explain", at=repo.path)
    assert list((repo.path / ".git/gitmem/parses").iterdir())
