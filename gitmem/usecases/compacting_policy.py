"""The compaction policy that counts: the trusted branch's, else HEAD's (targets.md, security 2)."""

from __future__ import annotations

from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.policy import CompactionPolicy
from gitmem.store.cache import Cache
from gitmem.store.run_cache import cache_folder
from gitmem.usecases.trusted import trusted_branch

PATH = ".ai/policies/compaction-policy.yaml"
_LARGEST = 64 * 1024
_KIND = "compaction"


class CountingPolicy(NamedTuple):
    """A policy, and why it is the default one although there is a file; empty when nothing is wrong."""

    policy: CompactionPolicy
    problem: str = ""


def compaction_policy(repo: Repository) -> CountingPolicy:
    """The policy of the trusted branch's tip, of HEAD when there is none; the default where no file is.

    A file that cannot be read gives the default and the reason; never raises.
    """
    try:
        commit = trusted_branch(repo).commit or repo.head()
        entry = repo.entry(commit, PATH) if commit else None
        if entry is None:
            return CountingPolicy(CompactionPolicy())
        cache = Cache(cache_folder(repo.layout), _KIND)
        held = cache.get(_KIND, entry.oid)
        if held is not None:
            return CountingPolicy(CompactionPolicy(*held))
        data = repo.read_blob(entry.oid, limit=_LARGEST).data
    except (GitmemError, TypeError) as error:
        return CountingPolicy(CompactionPolicy(), f"{PATH}: {error}")
    if data is None:
        return CountingPolicy(CompactionPolicy(), f"{PATH}: larger than {_LARGEST} bytes, or missing here")
    counting = _parsed(data)
    if not counting.problem:
        cache.put(_KIND, entry.oid, _plain(counting.policy))
        cache.save()
    return counting


def _parsed(data: bytes) -> CountingPolicy:
    from gitmem.store.policies import parse_compaction_policy

    parsed = parse_compaction_policy(PATH, data)
    if parsed.policy is not None:
        return CountingPolicy(parsed.policy)
    first = parsed.problems[0]
    return CountingPolicy(CompactionPolicy(), f"{PATH}:{first.line}: {first.message}")


def _plain(policy: CompactionPolicy) -> tuple[tuple[str, ...] | int, ...]:
    return (
        policy.inject,
        policy.summarize,
        policy.archive_only,
        policy.max_injected_files,
        policy.max_log_tail_characters,
        policy.max_previous_attempts,
    )
