"""Evidence looked up for real: the test is in the tree and was seen to pass, the commit is merged, the document is on
the trusted branch, the review passed, the artifact is in the ledger (domain.md section 3, "Rules made exact").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from shlex import quote
from typing import Final

from gitmem.errors import GitmemError, NotFoundError
from gitmem.git.interface import Repository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE
from gitmem.model.memory import Memory
from gitmem.promotion.case import Proof, Source
from gitmem.results.test_names import parse_test_name
from gitmem.store.ledger import RunLedger
from gitmem.usecases.gating.passes import Passes
from gitmem.usecases.gating.reviews import artifact_proof, review_proof
from gitmem.usecases.gating.tests_named import TestFinder
from gitmem.usecases.gating.told import Told

_HEX: Final = re.compile(r"[0-9a-f]{7,64}")
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_ANCHOR: Final = re.compile(r"(?:#[^#/]*|:\d+(?:-\d+)?)$")
_MOST: Final = 100
"""References of one lesson that are looked up."""


@dataclass(frozen=True, slots=True)
class Standpoint:
    """From where evidence is looked at.

    Args:
        head: The commit whose tests count; None while unborn.
        trusted: The commit that what is merged must be reachable from; None where no branch is trusted.
        name: What people call it.
    """

    head: str | None
    trusted: str | None
    name: str


class ProofReader:
    """Looks up the evidence of many lessons; what one look finds serves all.

    Args:
        ledger: The ledger, with its repository.
        told: What its runs tell.
        standpoint: From where.
    """

    def __init__(self, ledger: RunLedger, told: Told, standpoint: Standpoint) -> None:
        self._ledger = ledger
        self._repository: Repository = ledger.repository
        self._told = told
        self._at = standpoint
        self._tests = TestFinder(self._repository, standpoint.head) if standpoint.head else None
        self._passes = Passes(self._repository, told)

    def proofs(self, memory: Memory, fixed_by: str | None, run: str | None) -> tuple[Proof, ...]:
        """Every evidence reference of a lesson.

        Args:
            memory: The lesson.
            fixed_by: The commit that a passing test must contain; the commits of the evidence when None.
            run: The run that it comes from, whose artifacts are looked at first.
        """
        return tuple(self._each(memory, fixed_by, run))[:_MOST]

    def _each(self, memory: Memory, fixed_by: str | None, run: str | None) -> Iterator[Proof]:
        held = memory.evidence
        commits = [self._commit(one) for one in held.commits]
        changes = [fixed_by] if fixed_by else [oid for oid, _ in commits if oid]
        for reference in held.tests:
            yield self._test(reference, changes)
        yield from (proof for _, proof in commits)
        for reference in held.documents:
            yield self._document(reference)
        for reference in held.reviews:
            yield review_proof(self._ledger, self._told, reference, run)
        for reference in held.artifacts:
            yield artifact_proof(self._ledger, self._told, reference, run)

    def _test(self, reference: str, changes: Sequence[str]) -> Proof:
        source, cure = Source.PASSING_TEST, "gitmem run exec --as test -- COMMAND"
        if self._tests is None:
            return Proof(source, reference, None, said="there is no commit to look at", cure="commit first")
        if not self._tests.find(reference):
            return self._uncommitted(source, reference, parse_test_name(reference).file, "no such test here")
        seen = self._passes.seen(reference, [self._today(one) for one in changes])
        if seen.is_nameless:
            cure = f"{cure} {quote(reference)}, or one that lists what passed: pytest -v, go test -v, gitmem run exec --junit FILE"
        return Proof(
            source,
            reference,
            exists=True,
            counts=seen.counts,
            said=seen.said,
            cure="" if seen.counts else cure,
        )

    def _today(self, commit: str) -> str:
        return self._told.successor(commit)

    def _commit(self, reference: str) -> tuple[str | None, Proof]:
        proof = Proof(Source.MERGED_DIFF, reference, exists=False, said="no such commit here")
        if not _HEX.fullmatch(reference):
            return None, replace(proof, said="it is no id of a commit")
        oid = self._resolved(reference)
        if oid is None:
            shallow = self._repository.layout.shallow
            cure = "git fetch --unshallow" if shallow else ""
            return None, replace(proof, exists=None if shallow else False, cure=cure)
        if self._at.trusted is None:
            return oid, replace(proof, exists=True, said="no branch is trusted here", cure="git fetch")
        if self._repository.merge_base(oid, self._at.trusted) == oid:
            return oid, replace(proof, exists=True, counts=True, said=f"merged in {self._at.name}")
        unsure = " as far as this shallow clone tells" if self._repository.layout.shallow else ""
        return oid, replace(
            proof,
            exists=True,
            said=f"not merged in {self._at.name}{unsure}",
            cure="merge it together with this",
        )

    def _resolved(self, reference: str) -> str | None:
        """The commit as it is called today: one that was rebased away counts as the one in its place."""
        for name in dict.fromkeys((self._told.successor(reference), reference)):
            try:
                return self._told.successor(self._repository.resolve(name))
            except NotFoundError:
                continue
        return None

    def _document(self, reference: str) -> Proof:
        source = Source.DOCUMENT
        if _URL.match(reference):
            return Proof(
                source, reference, None, said="lies outside the repository", cure="a person opens it"
            )
        path = _ANCHOR.sub("", reference.strip()).removeprefix("./")
        if self._is_file(self._at.trusted, path):
            return Proof(source, reference, exists=True, counts=True, said=f"on {self._at.name}")
        if self._is_file(self._at.head, path):
            said = f"not on {self._at.name or 'a trusted branch'} yet"
            return Proof(source, reference, exists=True, said=said, cure="merge the document")
        return self._uncommitted(source, reference, path, "no such file")

    def _uncommitted(self, source: Source, reference: str, path: str, said: str) -> Proof:
        """What no commit holds: absent, or waiting in the work tree, which only its owner can see."""
        changed = self._changed_files
        if path and path.removeprefix("./") in changed:
            told = f"{path} is not committed as it is"
            return Proof(source, reference, None, said=told, cure="commit it")
        return Proof(source, reference, exists=False, said=said)

    @cached_property
    def _changed_files(self) -> frozenset[str]:
        if self._repository.layout.work_tree is None:
            return frozenset()
        try:
            return self._repository.status().all
        except GitmemError:
            return frozenset()

    def _is_file(self, tree: str | None, path: str) -> bool:
        if tree is None or not path:
            return False
        try:
            entry = self._repository.entry(tree, path)
        except GitmemError:
            return False
        return entry is not None and entry.mode in {MODE_FILE, MODE_EXECUTABLE}
