"""Each rule by which a reader rejects, on a commit that was forged with git itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.git.opening import Backend
from gitmem.store.ledger import RunLedger
from gitmem.wire.event import encode_message
from tests.support.forging import chain, forge, point
from tests.support.repo import Repo, sealed_environment
from tests.support.writers import ledger


@pytest.fixture(params=["program", "library"])
def book(
    repo: Repo, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunLedger]:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    backend: Backend = request.param
    with ledger(repo.path, backend=backend) as opened:
        yield opened


def found(book: RunLedger, run: str = "run-1") -> list[tuple[str, str]]:
    """Kind and commit of each problem; each message names the commit."""
    problems = book.verify(run).problems
    assert all(problem.commit in problem.message for problem in problems)
    return [(problem.kind, problem.commit) for problem in problems]


def seqs(book: RunLedger) -> list[tuple[int, str]]:
    return [(event.seq, event.writer) for event in book.run("run-1").events()]


def test_a_forged_run_that_keeps_the_rules_has_no_problem(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 3)
    other = forge(repo, first[1], seq=3, writer="w2")
    merged = forge(repo, first[2], other, seq=4)
    point(repo, merged)
    point(repo, other, "w2")

    assert found(book) == []
    assert seqs(book) == [(1, "w1"), (2, "w1"), (3, "w1"), (3, "w2"), (4, "w1")]


def test_a_seq_that_is_not_above_its_parents(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 2)
    same = forge(repo, first[-1], seq=2, id="x")
    after = forge(repo, same, seq=3)
    point(repo, after)

    assert found(book) == [("seq_not_above", same)]
    assert seqs(book) == [(1, "w1"), (2, "w1"), (3, "w1")]


def test_a_seq_below_a_further_parent(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 2)
    other = chain(repo, 5, writer="w2", first=3, parent=first[-1])
    low = forge(repo, first[-1], other[-1], seq=7)
    point(repo, low)

    assert ("seq_not_above", low) in found(book)


def test_a_jump_and_what_stands_on_it(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 1)
    far = forge(repo, first[-1], seq=1_000_002)
    farther = forge(repo, far, seq=1_000_003)
    point(repo, farther)

    assert found(book) == sorted([("seq_jump", far), ("seq_jump", farther)])
    assert seqs(book) == [(1, "w1")]


def test_a_jump_of_a_million_is_allowed_and_a_root_may_not_jump_further(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 1)
    point(repo, forge(repo, first[-1], seq=1_000_001))
    assert found(book) == []

    root = forge(repo, seq=1_000_001)
    point(repo, root)
    assert found(book) == [("seq_jump", root)]


def test_a_doubled_id_within_a_writer_and_not_between_two(book: RunLedger, repo: Repo) -> None:
    first = forge(repo, seq=1, id="same")
    twice = forge(repo, first, seq=2, id="same")
    point(repo, twice)
    point(repo, forge(repo, twice, seq=3, writer="w2", id="same"), "w2")

    assert found(book) == [("doubled_id", twice)]
    assert seqs(book) == [(1, "w1"), (3, "w2")]


def test_over_sixteen_parents(book: RunLedger, repo: Repo) -> None:
    tips = [forge(repo, writer=f"v{number}") for number in range(17)]
    for number, tip in enumerate(tips):
        point(repo, tip, f"v{number}")
    sixteen = forge(repo, *tips[:16], seq=2)
    point(repo, sixteen)
    assert found(book) == []

    seventeen = forge(repo, *tips, seq=2)
    point(repo, seventeen)
    assert found(book) == [("too_many_parents", seventeen)]


def test_a_newer_format_is_named_and_the_rest_is_read(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 1)
    newer = forge(repo, first[-1], seq=2, version=2)
    point(repo, forge(repo, newer, seq=3))

    assert found(book) == [("newer_format", newer)]
    assert seqs(book) == [(1, "w1"), (3, "w1")]


@pytest.mark.parametrize("body", ["", "no json", '{"$format":1,', "[]", '{"$format":1,"seq":2}'])
def test_a_commit_that_is_no_event(book: RunLedger, repo: Repo, body: str) -> None:
    first = chain(repo, 1)
    broken = forge(repo, first[-1], seq=2, body=body)
    point(repo, forge(repo, broken, seq=3))

    assert found(book) == [("unreadable", broken)]
    assert seqs(book) == [(1, "w1"), (3, "w1")]


def test_a_code_commit_as_a_tip(book: RunLedger, repo: Repo) -> None:
    head = repo.commit("code", {"a": "1"})
    point(repo, head)

    assert found(book) == [("unreadable", head)]


def test_a_second_root_of_a_writer(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 2)
    again = forge(repo, seq=1, id="other")
    point(repo, forge(repo, again, first[-1], seq=3))

    kinds = dict(found(book))
    assert kinds["second_root"] == first[0]
    assert kinds["not_previous_tip"] == first[1]


def test_an_event_whose_first_parent_was_not_the_previous_tip(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 3)
    witness = forge(repo, first[-1], seq=4, writer="w2")
    point(repo, witness, "w2")
    rewritten = forge(repo, first[0], seq=2, id="instead")
    point(repo, rewritten)

    assert found(book) == sorted([("not_previous_tip", first[1]), ("not_previous_tip", first[2])])
    assert len(seqs(book)) == 5


@pytest.mark.parametrize("damage", ["deleted", "truncated", "emptied", "swapped"])
def test_a_damaged_commit_is_named_and_the_rest_is_read(book: RunLedger, repo: Repo, damage: str) -> None:
    first = chain(repo, 3)
    other = chain(repo, 1, writer="w2")
    point(repo, first[-1])
    point(repo, other[-1], "w2")
    file = repo.path / ".git" / "objects" / first[0][:2] / first[0][2:]
    file.chmod(0o600)
    content = file.read_bytes()
    if damage == "deleted":
        file.unlink()
    else:
        swapped = repo.path / ".git" / "objects" / other[0][:2] / other[0][2:]
        file.write_bytes({"truncated": content[:30], "emptied": b"", "swapped": swapped.read_bytes()}[damage])

    assert found(book) == [("missing", first[0])]
    assert seqs(book) == [(1, "w2"), (2, "w1"), (3, "w1")]


@pytest.mark.parametrize("content", [b"", b"\0" * 41, b"not an id\n", b"1" * 40 + b"\n"])
def test_a_damaged_ref_is_named_and_the_others_are_read(book: RunLedger, repo: Repo, content: bytes) -> None:
    point(repo, chain(repo, 1, writer="w2")[-1], "w2")
    ref = point(repo, chain(repo, 1)[-1])
    (repo.path / ".git" / ref).write_bytes(content)

    problems = book.verify("run-1").problems

    assert [problem.kind for problem in problems] in (["damaged_ref"], ["missing"])
    assert all(problem.ref == ref or problem.commit == "1" * 40 for problem in problems)
    assert seqs(book) == [(1, "w2")]


def test_a_ref_that_is_no_writer_s(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 1)
    repo.git("update-ref", "refs/ai/runs/run-1/sub/folder", first[-1])
    repo.git("update-ref", "refs/ai/runs/Other/w1", first[-1])

    assert [problem.kind for problem in book.verify("run-1").problems] == ["bad_name"]
    assert seqs(book) == []
    assert book.runs() == {}


def test_an_artifact_that_an_event_carries_and_its_tree_does_not(book: RunLedger, repo: Repo) -> None:
    bare = forge(repo, artifacts=["plan.json"])
    named_only = forge(repo, bare, seq=2, payload={"artifact": "diff.patch"})
    large = forge(repo, named_only, seq=3, payload_artifact="payload-x.json")
    point(repo, large)

    assert found(book) == sorted([("missing_artifact", bare), ("missing_artifact", large)])
    assert len(seqs(book)) == 3


def test_a_link_posing_as_an_artifact(book: RunLedger, repo: Repo) -> None:
    link = repo.git("hash-object", "-w", "--stdin", stdin=b"/etc/passwd")
    folder = repo.git("mktree", stdin=f"120000 blob {link}\tplan.json\n".encode())
    tree = repo.git("mktree", stdin=f"040000 tree {folder}\tartifacts\n".encode())
    message = repo.git("log", "-1", "--format=%B", forge(repo, artifacts=["plan.json"]))
    commit = repo.git("commit-tree", tree, "-F", "-", stdin=message.encode())
    point(repo, commit)

    assert found(book) == [("missing_artifact", commit)]


def test_a_shallow_clone_says_that_history_is_cut(repo: Repo, tmp_path: Path, book: RunLedger) -> None:
    ref = point(repo, chain(repo, 5)[-1])
    Repo(tmp_path / "cut").git("fetch", "-q", "--depth=2", f"file://{repo.path}", f"{ref}:{ref}")

    with (
        ledger(tmp_path / "cut", backend="library") as cut,
        ledger(tmp_path / "cut", backend="program") as other,
    ):
        for one in (cut, other):
            assert [kind for kind, _ in found(one)] == ["incomplete"]
            assert seqs(one) == [(4, "w1"), (5, "w1")]
    assert found(book) == []


def test_a_rejected_tip_is_not_gone_on_from(book: RunLedger, repo: Repo) -> None:
    good = chain(repo, 2)
    point(repo, good[-1])
    far = forge(repo, good[-1], seq=5_000_000, writer="w2")
    point(repo, far, "w2")

    event = book.run("run-1").append(event_type="x", actor="a")

    assert event.seq == 3
    assert found(book) == [("seq_jump", far)]


def long_run(repo: Repo, *, loose: bool) -> None:
    """400 events by one fast-import, packed or loose."""
    parts = [b"reset refs/ai/runs/run-1/w1\n"]
    for seq in range(1, 401):
        event: dict[str, object] = {
            "id": f"e{seq}", "run": "run-1", "writer": "w1", "seq": seq, "type": "finding_noted",
            "at": "2026-07-13T09:28:00+09:00", "actor": "codex", "payload": {"finding": f"발견 {seq}"},
        }  # fmt: skip
        message = encode_message(event)
        head = b"commit refs/ai/runs/run-1/w1\ncommitter a <a@example.org> 1783000000 +0900\ndata %d\n"
        parts.append(head % len(message) + message + b"\n")
    limit = "1000" if loose else "1"
    repo.git("-c", f"fastimport.unpackLimit={limit}", "fast-import", "--quiet", stdin=b"".join(parts))


@pytest.mark.parametrize("loose", [True, False])
def test_a_long_run_is_read_whole_from_packs_and_from_loose_objects(
    book: RunLedger, repo: Repo, *, loose: bool
) -> None:
    long_run(repo, loose=loose)
    assert (len(list((repo.path / ".git" / "objects").glob("pack/*.pack"))) == 0) == loose

    events = book.run("run-1").events()

    assert [event.seq for event in events] == list(range(1, 401))
    assert events[299].payload == {"finding": "발견 300"}
    assert found(book) == []


def test_a_hole_in_a_long_run_is_named_and_what_lies_above_it_is_read(book: RunLedger, repo: Repo) -> None:
    long_run(repo, loose=True)
    hole = repo.git("rev-parse", "refs/ai/runs/run-1/w1~390")
    (repo.path / ".git" / "objects" / hole[:2] / hole[2:]).unlink()

    assert found(book) == [("missing", hole)]
    assert seqs(book) == [(seq, "w1") for seq in range(11, 401)]
