"""Draft ``.ai/elements.yaml`` from the tree of HEAD; what somebody edited is never overwritten."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gitmem.drift.exclusions import generated_globs
from gitmem.errors import NotServedError
from gitmem.git.interface import Repository
from gitmem.knowledge_map.draft import draft_elements
from gitmem.knowledge_map.owners import FILES as OWNERS
from gitmem.knowledge_map.packages import is_manifest
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, TreeEntry
from gitmem.model.element import Elements
from gitmem.store.elements import FILE
from gitmem.store.elements_writing import format_draft, is_untouched
from gitmem.usecases.work_files import refuse_links, replace_file, write_new_file

_READ_LIMIT = 256 * 1024
_MOST_MANIFESTS = 5000

Outcome = Literal["made", "renewed", "same", "kept", "bare", "empty"]


class Drafted(NamedTuple):
    """A draft and what became of it.

    Args:
        elements: The elements drafted.
        text: The file that they make.
        outcome: ``made`` or ``renewed`` (written), ``same`` (it says so already), ``kept`` (the file was edited and
            stays), ``bare`` (there is no work tree), ``empty`` (there is no code to draw).
    """

    elements: Elements
    text: str
    outcome: Outcome


def draft(repo: Repository, tree: str) -> Elements:
    """The elements that a tree itself suggests.

    Args:
        repo: Any repository, bare ones too.
        tree: Commit or tree id.
    """
    entries = [one for one in repo.list_tree(tree) if one.mode in {MODE_FILE, MODE_EXECUTABLE}]
    manifests = [one for one in entries if is_manifest(one.path)][:_MOST_MANIFESTS]
    attributes = [one for one in entries if one.path.rpartition("/")[2] == ".gitattributes"]
    owners = _owners(entries)
    read = _contents(repo, [*manifests, *attributes, *owners])
    generated = [generated_globs(read.get(one.path, b""), one.path.rpartition("/")[0]) for one in attributes]
    return draft_elements(
        [one.path for one in entries],
        {one.path: read.get(one.path, b"") for one in manifests},
        owners=next((read.get(one.path, b"") for one in owners), b""),
        generated=frozenset().union(*generated),
    )


def _owners(entries: list[TreeEntry]) -> list[TreeEntry]:
    """The CODEOWNERS file that a forge takes: the first place that has one."""
    by_path = {one.path: one for one in entries if one.path in OWNERS}
    return [by_path[path] for path in OWNERS if path in by_path][:1]


def _contents(repo: Repository, entries: list[TreeEntry]) -> dict[str, bytes]:
    blobs = repo.read_blobs([one.oid for one in entries], limit=_READ_LIMIT)
    pairs = zip(entries, blobs, strict=True)
    return {one.path: blob.data for one, blob in pairs if blob.data is not None}


def first_elements_file(repo: Repository) -> str | None:
    """The elements file that `gitmem init` makes; None before the first commit, and where there is nothing to draw."""
    head = repo.head()
    drafted = draft(repo, head) if head else Elements()
    return format_draft(drafted) if drafted.elements else None


def write_draft(repo: Repository) -> Drafted:
    """Draft the elements and write them, unless the file was edited.

    Raises:
        NotServedError: There is no commit yet, or the file cannot be written (a symbolic link is on the way).
    """
    head = repo.head()
    if head is None:
        raise NotServedError("there is no commit yet to draft elements from", hint="commit first")
    elements = draft(repo, head)
    text = format_draft(elements)
    top = repo.layout.work_tree
    if top is None:
        return Drafted(elements, text, "bare")
    if not elements.elements:
        return Drafted(elements, text, "empty")
    refuse_links(top, FILE)
    place = top / FILE
    if not place.exists():
        write_new_file(top, FILE, text.encode())
        return Drafted(elements, text, "made")
    present = place.read_bytes().decode("utf-8", "surrogateescape")
    if present == text:
        return Drafted(elements, text, "same")
    if not is_untouched(present):
        return Drafted(elements, text, "kept")
    replace_file(top, FILE, text.encode())
    return Drafted(elements, text, "renewed")
