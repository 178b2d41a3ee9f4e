"""The run ledger: appending, alone and at once, replaying, and refreshing a cached fold."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.measure import BASE, base, command_cpu, gitmem_program, own_cpu, race, ratio_row, rounds
from tests.benchmarks.rows import Row
from tests.support.repo import Repo, sealed_environment

RUN = "run-1"
AT = "2026-07-13T09:28:00+09:00"
TYPES = ("implementation_completed", "test_failed", "commit_recorded", "test_passed", "memory_delivered")


def rows(quick: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        # The code that is measured runs in this process too, and must not see this machine's configuration.
        os.environ.update(sealed_environment(Path(folder)))
        yield _single(Path(folder), quick)
        yield _hot(Path(folder), quick)
        yield _artifacts(Path(folder), quick)
        yield from _at_once(Path(folder), quick)
        yield _creations(Path(folder), quick)
        yield from _long_runs(Path(folder), quick)
        yield _many_runs(Path(folder), quick)
        yield _sync(Path(folder), quick)


def _single(folder: Path, quick: bool) -> Row:
    from tests.support.writers import ledger

    repo = Repo(folder / "single")
    repo.commit("first", {"a": "1"})
    tree = repo.git("mktree", stdin=b"")
    count = 50 if quick else 200
    with ledger(repo.path) as book:
        run = book.run(RUN)

        def appends() -> None:
            for number in range(count):
                run.append(
                    event_type="finding_noted", actor="codex", payload={"finding": f"finding {number}"}
                )

        def plumbing() -> None:
            for number in range(count):
                new = subprocess.run(
                    ["git", "-C", str(repo.path), "commit-tree", tree, "-m", f"#{number} finding_noted"],
                    capture_output=True, check=True,
                ).stdout.decode().strip()  # fmt: skip
                subprocess.run(["git", "-C", str(repo.path), "update-ref", "refs/ai/bench", new], check=True)

        figures = race(
            {"work": lambda: own_cpu(appends), "base": lambda: own_cpu(plumbing)}, rounds=rounds(quick)
        )
    return ratio_row(
        "single append in process",
        "git commit-tree + git update-ref",
        0.25,
        figures,
        detail=f"{count} appends",
    )


def _hot(folder: Path, quick: bool) -> Row:
    repo = Repo(folder / "hot")
    repo.commit("first", {"a": "1"})
    git_dir = str(repo.path / ".git")
    event = {"type": "commit_recorded", "at": AT, "actor": "git", "payload": {"subject": "Fix retry"}}
    code = (
        "from gitmem.wire.append import append_event;"
        f"append_event(git_dir={git_dir!r}, common_dir={git_dir!r}, run={RUN!r}, event={event!r})"
    )
    # Isolated and without site, as the installed launcher starts it.
    root = str(Path(__file__).parents[2])
    argv = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {root!r}); {code}"]
    figures = race({"work": lambda: command_cpu(argv, cwd=repo.path), "base": base}, rounds=rounds(quick))
    return ratio_row(
        "append from a hook, whole process", BASE, 0.30, figures, detail="three processes of git"
    )


def _artifacts(folder: Path, quick: bool) -> Row:
    """What the last artifacts cost against the first; a flat tree would be quadratic."""
    from tests.support.writers import ledger

    repo = Repo(folder / "artifacts")
    count = 1_000 if quick else 10_000
    share = count // 10
    with ledger(repo.path) as book:
        run = book.run(RUN)

        def save(first: int) -> float:
            return own_cpu(
                lambda: [
                    run.append(
                        event_type="artifact_saved",
                        actor="a",
                        artifacts={f"log-{number}.txt": b"%d" % number},
                    )
                    for number in range(first, first + share)
                ]
            )

        tenths = [save(first) for first in range(0, count, share)]
    figures = {"work": tenths[-1], "base": tenths[1]}
    return ratio_row(
        f"last tenth of {count:,} artifacts", "second tenth", 1.5, figures, detail=f"{share} appends in each"
    )


def _at_once(folder: Path, quick: bool) -> Iterator[Row]:
    from tests.support.writers import at_once, check_history

    processes, count = 8, 60 if quick else 500
    figures: dict[str, float] = {}
    for arm in ("work", "base"):
        repo = Repo(folder / f"at-once-{arm}")
        repo.commit("first", {"a": "1"})
        start = time.perf_counter()
        if arm == "work":
            acked = at_once(repo.path, RUN, processes=processes, count=count)
            figures[arm] = time.perf_counter() - start
            events = check_history(repo, RUN, acked)  # nothing lost, doubled, out of order; no garbage commit
            assert len(events) == processes * count
        else:
            _each_its_own(repo, processes, count)
            figures[arm] = time.perf_counter() - start
    # A rate: how fast the shared ref is against one ref for each, by wall time, since waiting is what is compared.
    rate = {"work": figures["base"], "base": figures["work"]}
    said = f"{processes * count / figures['work']:.0f} events/s; 0 lost, 0 garbage commits"
    yield Row(
        f"{processes} processes × {count} appends, rate",
        "one ref for each process",
        0.6,
        rate["work"] / rate["base"],
        figures["base"] * 1000,
        said,
        at_least=True,
    )
    lost = _lost_without_lock(Repo(folder / "no-lock"), processes, count // 2)
    yield Row(
        "control: force-created ref without the lock, lost", "all appends", 0.01, lost, None, at_least=True
    )


def _each_its_own(repo: Repo, processes: int, count: int) -> None:
    """The same work, each process on a run and in a clone directory of its own: nobody waits for a lock."""
    from tests.support.writers import CONTEXT, append_many

    copies = [repo.path.with_name(f"{repo.path.name}-{number}") for number in range(processes)]
    for copy in copies:
        shutil.copytree(repo.path, copy)
    results = CONTEXT.Queue()
    workers = [
        CONTEXT.Process(
            target=append_many,
            args=(copy, f"run-{number}", f"agent-{number}"),
            kwargs={"count": count, "backend": "library", "results": results},
        )
        for number, copy in enumerate(copies)
    ]
    for worker in workers:
        worker.start()
    for _ in workers:
        results.get(timeout=600)
    for worker in workers:
        worker.join()


def _lost_without_lock(repo: Repo, processes: int, count: int) -> float:
    from tests.support.writers import CONTEXT

    repo.commit("first", {"a": "1"})
    workers = [CONTEXT.Process(target=_naive, args=(repo.path, count)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    reached = int(repo.git("rev-list", "--count", "refs/ai/naive")) - 1
    return 1 - reached / (processes * count)


def _naive(path: Path, count: int) -> None:
    import pygit2

    repository = pygit2.Repository(str(path))
    who = pygit2.Signature("a", "a@example.org", 0, 0)
    tree = repository.TreeBuilder().write()
    for number in range(count):
        while True:
            try:
                held = repository.references.get("refs/ai/naive")
                parent = held.target if held else repository.head.target
                commit = repository.create_commit(None, who, who, f"#{number}", tree, [parent])
                repository.references.create("refs/ai/naive", commit, force=True)
                break
            except (OSError, ValueError, KeyError, pygit2.GitError):
                continue


def _creations(folder: Path, quick: bool) -> Row:
    from tests.support.writers import at_once, check_history

    repo = Repo(folder / "races")
    repo.commit("first", {"a": "1"})
    races = 5 if quick else 25
    lost = 0
    for number in range(races):
        acked = at_once(repo.path, f"race-{number}", processes=8, count=1)
        lost += 8 - len(check_history(repo, f"race-{number}", acked))
    return Row(
        f"{races} races of 8 processes that create one run, lost", "8 events each", 0.0, float(lost), None
    )


def _long_runs(folder: Path, quick: bool) -> Iterator[Row]:
    from tests.support.writers import ledger

    long, short = (10_000, 1_000) if quick else (100_000, 10_000)
    refreshed: dict[str, float] = {}
    for name, count in (("base", short), ("work", long)):
        repo = Repo(folder / f"events-{count}")
        _import_events(repo, count)
        if name == "work":
            yield _replay(repo, count, quick)
        with ledger(repo.path) as book:
            book.run(RUN).snapshot()
        refreshed[name] = _refresh(repo, quick)
    yield ratio_row(
        f"one new event on a cached fold at {long:,}", f"the same at {short:,}", 1.5, refreshed,
        detail="a new process's first look: refs, cache read and written",
    )  # fmt: skip


def _import_events(repo: Repo, count: int) -> None:
    from gitmem.wire.event import encode_message

    parts = [f"blob\nmark :1\ndata 0\n\nreset refs/ai/runs/{RUN}/w1\n".encode()]
    for seq in range(1, count + 1):
        event: dict[str, object] = {
            "id": f"{seq:020d}", "run": RUN, "writer": "w1", "seq": seq, "type": TYPES[seq % len(TYPES)], "at": AT,
            "actor": "codex", "code": f"{seq:040x}",
            "payload": {
                "command": "pytest -q tests/checkout", "exit_code": seq % 2, "duration_s": 1.5,
                "failing": ["CheckoutViewModelTests.testRetry"], "files": [f"src/{seq % 50}.py"],
                "subject": "Fix the retry of a failed submit", "artifact": "test-result.json",
            },
        }  # fmt: skip
        message = encode_message(event)
        parts.append(
            b"commit refs/ai/runs/%b/w1\ncommitter a <a@example.org> %d +0900\ndata %d\n%b\n"
            % (RUN.encode(), 1_783_000_000 + seq // 10, len(message), message)
        )
    repo.git("fast-import", "--quiet", stdin=b"".join(parts))


def _replay(repo: Repo, count: int, quick: bool) -> Row:
    from gitmem.git.opening import open_repository
    from gitmem.store.ledger import RunLedger

    log = [
        "git",
        "-C",
        str(repo.path),
        "log",
        "-z",
        "--encoding=UTF-8",
        "--format=%B",
        f"--glob=refs/ai/runs/{RUN}",
    ]

    def replay() -> None:
        with RunLedger(open_repository(repo.path, prefer="library")) as book:
            assert len(book.run(RUN).load().events) == count

    figures = race({"work": lambda: own_cpu(replay), "base": lambda: command_cpu(log)}, rounds=rounds(quick))
    return ratio_row(
        f"replay {count:,} events", "git log -z --format=%B", 1.1, figures, detail="read, judge, sort, fold"
    )


def _refresh(repo: Repo, quick: bool) -> float:
    from gitmem.store.run_reading import refresh
    from tests.support.writers import ledger

    def one() -> float:
        with ledger(repo.path) as writing:
            writing.run(RUN).append(event_type="finding_noted", actor="codex", payload={"finding": "x"})
        with ledger(repo.path) as book:
            return own_cpu(lambda: refresh(book.repository, RUN))

    return race({"one": one}, rounds=2 * rounds(quick))["one"]


def _sync(folder: Path, quick: bool) -> Row:
    from gitmem.usecases.runs.syncing import sync
    from tests.support.writers import ledger

    seed = Repo(folder / "synced")
    seed.commit("first", {"a": "1"})
    seed.git("init", "-q", "--bare", str(folder / "remote.git"))
    seed.git("remote", "add", "origin", (folder / "remote.git").as_uri())
    with ledger(seed.path) as book:
        for number in range(50):
            book.run(f"run-{number}").append(
                event_type="finding_noted", actor="codex", payload={"finding": "x"}
            )
        sync(book)

        def listed() -> None:
            subprocess.run(
                ["git", "-C", str(seed.path), "ls-remote", "origin"], capture_output=True, check=True
            )

        figures = race(
            {"work": lambda: own_cpu(lambda: sync(book)), "base": lambda: own_cpu(listed)},
            rounds=4 * rounds(quick),
        )
    return ratio_row("sync, nothing new", "git ls-remote on the same remote", 2.5, figures, detail="50 runs")


def _many_runs(folder: Path, quick: bool) -> Row:
    """`run list` of 3,000 runs, whole process; 3.3 × of BASE is the 0.3 s that the targets allow."""
    from tests.support.many_runs import write_runs

    repo = Repo(folder / "many")
    repo.commit("first", {"a": "1"})
    count = 300 if quick else 3_000
    write_runs(repo, count)
    argv = [gitmem_program(), "run", "list"]
    figures = race({"work": lambda: command_cpu(argv, cwd=repo.path), "base": base}, rounds=rounds(quick))
    return ratio_row("run list, warm, whole process", BASE, 3.3, figures, detail=f"{count} runs")
