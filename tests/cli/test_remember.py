"""`gitmem remember`."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.cli import Done, gitmem, gitmem_process
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

RULE = "The gateway drops the key on retries"


def remember(repo: Repo, *arguments: str, stdin: str = "", at: str = "") -> Done:
    return gitmem("remember", *arguments, at=repo.path / at, stdin=stdin)


def candidates(repo: Repo, run: str = "inbox") -> list[dict[str, object]]:
    log = gitmem("run", "log", run, "--json", at=repo.path).document
    return [one["payload"]["candidate"] for one in log["events"] if one["type"] == "memory_candidate"]


def start(repo: Repo) -> str:
    repo.commit("first", {"src/pay/retry.py": "x = 1\n"})
    return gitmem("run", "start", "retries", at=repo.path).out.strip()


def approve(repo: Repo, **files: str) -> None:
    repo.commit("Approve", {path_of(): memory(), **files})


def test_a_lesson_goes_to_the_current_run_and_no_file_is_written(repo: Repo) -> None:
    run = start(repo)
    done = remember(repo, RULE, "--kind", "pitfall")
    found = re.match(r"(candidate-\d{8}-[0-9a-hjkmnp-tv-z]{5})  in (\S+)\n", done.out)
    assert found
    assert (done.code, done.err, found[2]) == (0, "", run)
    (held,) = candidates(repo, run)
    assert (held["id"], held["summary"], held["status"]) == (found[1], RULE, "candidate")
    assert (held["created_by"], held["origin"]) == ("Ada Tester", {"run": run, "system": "human"})
    assert repo.git("status", "--porcelain") == ""


def test_without_a_run_it_goes_to_the_inbox(repo: Repo) -> None:
    assert "  in inbox\n" in remember(repo, RULE).out
    (held,) = candidates(repo)
    assert "run" not in json.dumps(held["origin"])


def test_after_the_run_has_ended_too_unless_it_is_named(repo: Repo) -> None:
    run = start(repo)
    gitmem("run", "end", at=repo.path)
    assert "  in inbox\n" in remember(repo, RULE).out
    assert f"  in {run}\n" in remember(repo, "Another rule about queues", "--run", run).out


def test_every_option_stands_in_the_candidate(repo: Repo) -> None:
    run = start(repo)
    approve(repo)
    failed = {"command": "pytest", "failing": ["t::a"], "failure_class": "agent_failure"}
    gitmem("run", "event", "test_failed", "--payload", json.dumps(failed), at=repo.path)
    head = repo.head()
    done = remember(
        repo, f"{RULE}\n\nSeen twice.", "--type", "verified_fix_pattern", "--title", "Keys", "--path", "src/**",
        "--exclude", "src/gen/", "--element", "Pay", "--for", "public_api", "--not-for", "internal_refactor",
        "--evidence", "test:t::a", "--evidence", head[:12], "--evidence", "src/pay/retry.py", "--supersedes", "m-001",
        "--failure-type", "contract_mismatch", "--root-cause", "no key", "--from-event", "2", "--fixed-by", "HEAD",
        "--probe", "pytest t", "--expires", "2027-01-31", "--actor", "codex", "--session", "s-1", "--json",
    )  # fmt: skip
    assert done.document["candidate"] == candidates(repo, run)[0]["id"]
    (held,) = candidates(repo, run)
    (event,) = [
        one["commit"]
        for one in gitmem("run", "log", "--json", at=repo.path).document["events"]
        if one["type"] == "test_failed"
    ]
    del held["id"], held["created_at"]
    assert held == {
        "title": "Keys",
        "kind": "convention",
        "type": "verified_fix_pattern",
        "status": "candidate",
        "summary": RULE,
        "body": "Seen twice.",
        "scope": {
            "paths": ["src/**"],
            "exclude": ["src/gen/"],
            "elements": ["Pay"],
            "applies_to": ["public_api"],
            "does_not_apply_to": ["internal_refactor"],
        },
        "evidence": {"tests": ["t::a"], "commits": [head], "documents": ["src/pay/retry.py"]},
        "verification": {"probe": "pytest t"},
        "origin": {
            "run": run,
            "source_events": [event],
            "failure_class": "agent_failure",
            "failure_type": "contract_mismatch",
            "root_cause": "no key",
        },
        "created_by": "codex/Ada Tester",
        "expires_at": "2027-01-31",
        "supersedes": ["m-001"],
        "fixed_by": head,
    }


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("*.py", "src/pay/*.py"),
        ("retry.py", "src/pay/retry.py"),
        ("./**", "src/pay/**"),
        ("../", "src/"),
        ("src/**", "src/**"),
        ("../*/retry.py", "src/*/retry.py"),
        ("a{b,c}.py", "src/pay/a{b,c}.py"),
        (".", "src/pay"),
        ("../..", "**"),
    ],
)
def test_paths_are_those_of_the_folder_that_one_stands_in(repo: Repo, written: str, meant: str) -> None:
    run = start(repo)
    remember(repo, RULE, "--path", written, at="src/pay")
    assert candidates(repo, run)[0]["scope"] == {"paths": [meant]}


def test_a_folder_with_wildcards_in_its_name_is_meant_literally(repo: Repo) -> None:
    repo.commit("first", {"src/{id}*/a.py": "x = 1\n"})
    remember(repo, RULE, "--path", "*.py", at="src/{id}*")
    assert candidates(repo)[0]["scope"] == {"paths": ["src/\\{id\\}\\*/*.py"]}


def test_a_path_outside_is_refused(repo: Repo) -> None:
    start(repo)
    done = remember(repo, RULE, "--path", "../../*.py")
    assert (done.code, done.out) == (3, "")
    assert "not inside this work tree" in done.err


def test_what_is_known_is_counted_and_not_stored(repo: Repo) -> None:
    approve(repo)
    done = remember(repo, "the gateway strips X- headers.")
    assert (done.code, done.out) == (0, "m-001 says it already: counted as said again\n")
    again = remember(repo, "The gateway strips X- headers", "--json").document
    assert (again["candidate"], again["deduplicated"], again["confirmed"]) == (None, True, "m-001")
    log = gitmem("run", "log", "inbox", "--json", at=repo.path).document["events"]
    assert [(one["type"], one["payload"]) for one in log] == [
        ("memory_confirmed", {"memory": "m-001", "how": "repeated"})
    ] * 2


def test_what_waits_already_is_stored_once(repo: Repo) -> None:
    first = remember(repo, RULE, "--json").document
    again = remember(repo, RULE.lower(), "--json").document
    assert (again["candidate"], again["deduplicated"]) == (first["candidate"], True)
    assert len(candidates(repo)) == 1


def test_a_contradiction_waits_for_a_person(repo: Repo) -> None:
    approve(repo, **{path_of("m-002"): memory("m-002", "Repository manages the retry policy")})
    done = remember(repo, "UseCase manages the retry policy", "--path", "src/**", "--json").document
    assert done["conflict"] == {
        "conflict": True,
        "existing_memory": "m-002",
        "candidate_memory": done["candidate"],
        "resolution": "waiting_human",
        "reason": "name: UseCase against Repository",
    }
    assert candidates(repo)[0]["conflicts"][0]["existing_memory"] == "m-002"  # type: ignore[index]


def test_what_was_denied_is_not_stored_and_says_by_whom_when_and_why(repo: Repo) -> None:
    denied = remember(repo, RULE, "--json").document["candidate"]
    told = {"candidate": denied, "decision": "denied", "by": "kim", "reason": "the gateway is gone"}
    gitmem("run", "event", "promotion_decided", "--run", "inbox", "--payload", json.dumps(told), at=repo.path)
    again = remember(repo, f"{RULE}!", "--json").document
    at = again["denied_before"].pop("at")
    assert again["denied_before"] == {"candidate": denied, "by": "kim", "reason": "the gateway is gone"}
    assert (again["candidate"], len(candidates(repo))) == (None, 1)
    said = remember(repo, RULE).out
    assert said == f"denied before by kim on {at[:10]}: the gateway is gone ({denied}); nothing was stored\n"


def test_a_secret_is_never_recorded_and_named_by_its_kind(repo: Repo) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = remember(repo, f"The gateway wants {token} as its key")
    assert (done.code, done.out) == (2, "")
    assert token not in done.err
    assert "github" in done.err
    assert repo.git("for-each-ref", "refs/ai") == ""


@pytest.mark.parametrize(
    "text",
    ["\x00", "a\x1b[2Jb", "a\u2028b", "a\ufeffb", "a\x85b", "x" * 100_000, "\udc80 half", "---\n- &a [*a]"],
)
def test_hostile_text_is_stored_as_it_is_or_refused_with_the_cure(repo: Repo, text: str) -> None:
    done = remember(repo, f"A rule {text}")
    assert done.code in {0, 2}
    assert "\x1b" not in done.out + done.err
    assert len(done.err) < 2000
    if done.code:
        assert "hint: " in done.err
        assert repo.git("for-each-ref", "refs/ai") == ""
    else:
        assert candidates(repo)[0]["summary"] == " ".join(f"A rule {text}".split())


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "nothing is said"),
        ([" \n"], 2, "nothing is said"),
        (["--from", "x.json", RULE], 2, "--from FILE and TEXT"),
        (["--from", "x.json", "--not-for", "a"], 2, "--from FILE and --not-for"),
        (["--from", "x.json", "--from-event", "3"], 2, "--from FILE and --from-event\n"),
        (["--from", "x.json"], 3, "no such file"),
        ([RULE, "--expires", "soon"], 2, "'soon' is no day"),
        ([RULE, "--fixed-by", "nowhere"], 3, "no such commit here"),
        ([RULE, "--from-event", "3"], 3, "no run is current"),
        ([RULE, "--supersedes", "m-02"], 3, "no memory has this id or title"),
        ([RULE, "--kind", "session_outcome"], 2, "session_outcome"),
        ([RULE, "--path", "src/[z"], 2, "glob 'src/[z'"),
        ([RULE, "--path", ""], 2, "an empty glob"),
    ],
)
def test_a_wrong_word_is_named(repo: Repo, arguments: list[str], code: int, said: str) -> None:
    approve(repo)
    done = remember(repo, *arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert "hint: " in done.err or "; write " in done.err
    assert repo.git("for-each-ref", "refs/ai") == ""


def test_a_title_names_what_it_takes_the_place_of(repo: Repo) -> None:
    approve(repo, **{path_of("m-002"): memory("m-002", "Old words", title="Retry owner")})
    remember(repo, "UseCase manages the retry policy", "--supersedes", "[[retry  owner]]")
    assert candidates(repo)[0]["supersedes"] == ["m-002"]


def test_text_from_standard_input(repo: Repo) -> None:
    remember(repo, "-", stdin=f"{RULE}\n")
    assert candidates(repo)[0]["summary"] == RULE


def test_everywhere(tmp_path: Path) -> None:
    bare = Repo(tmp_path / "bare.git", bare=True)
    assert remember(bare, RULE, "--path", "src/*.py").code == 0
    assert candidates(bare)[0]["scope"] == {"paths": ["src/*.py"]}
    detached = Repo(tmp_path / "detached")
    detached.commit("first", {"a.py": "x = 1\n"})
    detached.git("checkout", "-q", "--detach")
    assert remember(detached, RULE, "--evidence", "a.py").code == 0
    nameless = {
        "GIT_COMMITTER_NAME": "",
        "GIT_AUTHOR_NAME": "",
        "GIT_COMMITTER_EMAIL": "",
        "GIT_AUTHOR_EMAIL": "",
    }
    done = gitmem("remember", "Said by nobody", "--actor", "codex", at=detached.path, environment=nameless)
    assert done.code == 0, done.err


def test_no_repository(tmp_path: Path) -> None:
    done = gitmem("remember", RULE, at=tmp_path)
    assert (done.code, done.out) == (3, "")


def test_two_processes_that_say_the_same_at_once_store_it_once(repo: Repo) -> None:
    repo.commit("first", {"a.py": "x = 1\n"})
    with ThreadPoolExecutor(2) as pool:
        done = list(
            pool.map(lambda _: gitmem_process("remember", RULE, "--json", at=repo.path).document, range(2))
        )
    assert done[0]["candidate"] == done[1]["candidate"]
    assert len(candidates(repo)) == 1


def test_what_holds_everywhere(repo: Repo) -> None:
    remember(repo, RULE, "--project")
    assert candidates(repo)[0]["scope"] == "project"


def test_a_near_memory_may_be_superseded_and_a_near_candidate_waits_too(repo: Repo) -> None:
    approve(repo, **{path_of("m-002"): memory("m-002", "Repository manages the retry policy of orders")})
    first = remember(repo, "Repository manages the whole retry policy of orders")
    assert "similar to m-002 (" in first.out
    assert "): --supersedes m-002 if it takes its place\n" in first.out
    named = first.out.split()[0]
    second = remember(
        repo, "Repository manages all the whole retry policy of orders today", "--json"
    ).document
    assert {(one["id"], one["known"]) for one in second["similar_to"]} == {
        ("m-002", "memory"),
        (named, "candidate"),
    }


def test_what_is_too_long_for_a_memory_is_told_where_to_go(repo: Repo) -> None:
    done = remember(repo, "-", stdin=f"A rule\n\n{'word ' * 20_000}")
    assert done.code == 2
    assert "a memory file holds 65536" in done.err
    assert "--artifact FILE keeps the rest" in done.err


def test_a_candidate_is_no_knowledge(repo: Repo) -> None:
    start(repo)
    remember(repo, RULE, "--path", "src/**")
    assert gitmem("list", "--all", "--json", at=repo.path).document["memories"] == []
    assert "drops the key" not in gitmem("brief", "--path", "src/pay/retry.py", at=repo.path).out


def test_the_log_says_the_lesson(repo: Repo) -> None:
    remember(repo, RULE)
    assert f"memory_candidate  {RULE}\n" in gitmem("run", "log", "inbox", at=repo.path).out


def test_said_again_a_waiting_lesson_gets_what_it_lacked_and_keeps_its_words(repo: Repo) -> None:
    start(repo)
    remember(repo, RULE, "--path", "src/pay/**", "--type", "module_constraint")
    done = remember(
        repo, f"{RULE}.", "--path", "src/**", "--not-for", "refunds", "--evidence", "test:t.py::x"
    )
    assert "says it already: added scope.does_not_apply_to, evidence.tests" in done.out
    more = remember(repo, RULE, "--evidence", "test:t.py::y", "--fixed-by", "HEAD", "--json").document
    assert (more["deduplicated"], more["added"]) == (True, ["evidence.tests", "fixed_by"])
    assert "says it already: nothing was stored" in remember(repo, RULE, "--not-for", "exports").out
    shown = gitmem("gate", more["candidate"], "--json", at=repo.path).document
    assert shown["subject"] == more["candidate"]
    run = gitmem("run", "list", "--json", at=repo.path).document["runs"][0]["run"]
    held = candidates(repo, run)[-1]
    assert held["summary"] == RULE
    assert held["scope"] == {"paths": ["src/pay/**"], "does_not_apply_to": ["refunds"]}
    assert held["evidence"] == {"tests": ["t.py::x", "t.py::y"]}


def test_a_lesson_that_was_proposed_gets_nothing_more(repo: Repo) -> None:
    start(repo)
    scope = ("--path", "src/pay/retry.py", "--not-for", "none", "--type", "module_constraint")
    first = remember(repo, RULE, *scope, "--json").document["candidate"]
    assert gitmem("propose", first, "--branch", at=repo.path).code == 0
    assert remember(repo, RULE, "--title", "Keys", "--json").document["added"] == []
