"""What commits on top of HEAD must leave alone for a brief without a run to stay as it is, told as plain values.

Only where that is little: every memory is fresh by the first pass, the trusted branch is HEAD's own or is told apart by
its ``.ai`` folder alone, and history guesses up to an anchor. Whatever says otherwise asks everything anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gitmem.drift.reach import reach_of
from gitmem.errors import GitmemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.git.program import ProgramRepository
    from gitmem.usecases.vantage import Outlook, Vantage

_AI = ".ai"


class Leave(NamedTuple):
    """What may come on top of HEAD.

    Args:
        head: The commit that was told about.
        room: How many commits at most, none with the mark of `gitmem.usecases.recalling.anchoring`; None for any.
        reach: Paths that none of them may touch (`gitmem.drift.reach`).
    """

    head: str
    room: int | None
    reach: dict[bytes, tuple[bytes, ...] | None]


def leave_of(repo: ProgramRepository, outlook: Outlook, *, guesses: bool) -> Leave | None:
    """What leaves a brief as it is; None where each commit may change it.

    Args:
        repo: The repository.
        outlook: From where the brief was looked.
        guesses: Whether history was asked for the places of the task.
    """
    try:
        head = repo.head()
        if head is None:
            return None
        reach = _reach(repo, outlook, head)
        if reach is None:
            return None
        if not guesses or outlook.vantage is None:
            return Leave(head, None, reach)
        from gitmem.usecases.recalling.anchoring import anchor_of

        room = anchor_of(repo, head).room
        return Leave(head, room, reach) if room else None
    except (GitmemError, ValueError, OSError):
        return None


def _reach(
    repo: ProgramRepository, outlook: Outlook, head: str
) -> dict[bytes, tuple[bytes, ...] | None] | None:
    vantage = outlook.vantage
    if vantage is None:
        tip = outlook.trusted.commit
        names = [f"{one}:{_AI}" for one in (head, tip) if one]
        # Nothing is known here, and nothing is asked but whether that stays so.
        return reach_of((), (_AI,)) if all(one is None for one in repo.find_objects(names)) else None
    folders = _decisions(repo, vantage)
    if vantage.head != head or folders is None or not _is_apart(repo, outlook, vantage):
        return None
    from gitmem.usecases.kept import KeptVerdicts
    from gitmem.usecases.recalling.rules_files import rules_reach

    bases = KeptVerdicts(repo).settled_bases(vantage)
    if bases is None:
        return None
    globs = (glob for basis in bases for glob in basis.include)
    objects = (path for basis in bases for path, _ in basis.objects)
    return reach_of(globs, (_AI, *rules_reach(repo, head), *folders, *objects))


def _is_apart(repo: ProgramRepository, outlook: Outlook, vantage: Vantage) -> bool:
    """Whether commits on HEAD's branch that leave ``.ai`` alone leave what is known alone (`gitmem.usecases.vantage`)."""
    merged, own, *parted = vantage.known.split(" ")
    return outlook.trusted.ref == repo.head_ref() or merged == own or parted == ["ahead"]


def _decisions(repo: ProgramRepository, vantage: Vantage) -> Sequence[str] | None:
    """Folders of decision records, which links may lead to; None where what is known was not indexed."""
    from gitmem.store.term_index import DAMAGE, load_index
    from gitmem.usecases.recalling.cards import Heads
    from gitmem.usecases.recalling.kept_documents import index_file

    index = load_index(index_file(repo))
    if index is None:
        return None
    try:
        if f" {vantage.known.split(' ')[0]} " not in index.state:
            return None
        return [folder.strip("/") for folder in Heads._make(index.heads).adr]
    except DAMAGE:
        return None
    finally:
        index.close()
