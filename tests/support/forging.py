"""Events as somebody else's program could write them: commits made with git itself."""

from __future__ import annotations

import json

from tests.support.repo import Repo


def forge(
    repo: Repo,
    *parents: str,
    seq: object = 1,
    writer: str = "w1",
    id: str = "",  # noqa: A002 - what the field is called
    run: str = "run-1",
    body: str | None = None,
    version: int = 1,
    **fields: object,
) -> str:
    """Commit id of an event with these fields; `body` replaces the JSON."""
    event = {
        "id": id or f"{writer}-{seq}",
        "run": run,
        "writer": writer,
        "seq": seq,
        "type": "finding_noted",
        "at": "2026-07-13T09:28:00+09:00",
        "actor": "codex",
        "payload": {"finding": f"{writer} {seq}"},
        **fields,
    }
    text = body if body is not None else f'{{"$format":{version},{json.dumps(event)[1:]}'
    tree = repo.git("mktree", stdin=b"")
    chain = [word for parent in parents for word in ("-p", parent)]
    return repo.git("commit-tree", tree, *chain, "-F", "-", stdin=f"#{seq} forged\n\n{text}\n".encode())


def chain(
    repo: Repo, count: int, *, writer: str = "w1", first: int = 1, parent: str | None = None
) -> list[str]:
    """Some events in a row."""
    made: list[str] = []
    for seq in range(first, first + count):
        before = made[-1:] or ([parent] if parent else [])
        made.append(forge(repo, *before, seq=seq, writer=writer))
    return made


def point(repo: Repo, commit: str, writer: str = "w1", run: str = "run-1") -> str:
    """Let a writer's ref of a run name a commit."""
    ref = f"refs/ai/runs/{run}/{writer}"
    repo.git("update-ref", ref, commit)
    return ref
