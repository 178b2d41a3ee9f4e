"""Who found a memory true, when, and what it is measured against, in words that claim no more than is known."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.drift.content.coarse import INSTALL
from gitmem.model.change import Commit
from gitmem.model.verdict import Judgement
from gitmem.report.sanitise import prose, visible
from gitmem.usecases.story import Story

_DATE = 10


def standing_words(judgement: Judgement, story: Story) -> str:
    """Whether it is approved, and by which branch."""
    branch = visible(story.trusted)
    if not judgement.proposed:
        return f"approved: {branch} holds it" if branch else "approved"
    if story.untrusted:
        return f"proposed: nothing is approved here, {prose(story.untrusted)}"
    what = "an edit of the approved memory, not merged" if story.edits else "not merged"
    return f"proposed, {what} to {branch or 'the trusted branch'}"


def validated_words(judgement: Judgement, story: Story) -> str:
    """When, by whom, how, and where that is written."""
    one = story.validation
    if one is not None:
        how = "who looked" if one.how == "looked" else "who replayed its probe"
        where = "" if story.merged else ", on this branch only"
        return f"{one.at.isoformat()} by {prose(one.by)}, {how} ({visible(one.file)}{where})"
    if judgement.validated_at:
        return f"{prose(judgement.validated_at)}, as its own file says"
    return "never"


def baseline_words(judgement: Judgement, story: Story) -> str:
    """Which state of the code the verdict is measured against, and how that is known."""
    match judgement.how:
        case None:
            return "none"
        case "content":
            return f"the content recorded with the validation; {_unnamed(story)}"
        case "range":
            return f"the start of the range, {_commit(judgement, story)}"
        case "inferred":
            return (
                f"{_commit(judgement, story)}, inferred from the history of its file: no validation names one"
            )
        case _:
            return _recorded(judgement, story)


def unparsed_words(languages: Sequence[str], memory: str) -> str:
    """That definitions could not be watched, and the cure."""
    named = " and ".join(prose(one) for one in languages)
    return (
        f"{named} has no parser here, so its definitions are not watched, only files by white space and names:"
        f" {INSTALL}, then gitmem confirm {visible(memory)}"
    )


def _recorded(judgement: Judgement, story: Story) -> str:
    told = _commit(judgement, story)
    if story.named is None:
        unnamed = "its validation was made in the work tree and names no commit"
        return f"{told}, which brought the validation ({unnamed})" if story.validation is not None else told
    if story.named != judgement.baseline:
        return f"{told}, which holds the content recorded; {_unnamed(story)}"
    if not story.is_here:
        return f"the content recorded with the validation; {_unnamed(story)}"
    return f"{told}, named by the validation"


def _unnamed(story: Story) -> str:
    if story.named is None:
        return "it was made in the work tree and names no commit"
    cure = (
        "a shallow clone: git fetch --unshallow brings it"
        if story.shallow
        else "rebased, squashed or not fetched"
    )
    return f"its commit {visible(story.named)} is not in this clone ({cure})"


def _commit(judgement: Judgement, story: Story) -> str:
    oid = visible(judgement.baseline or "unknown")
    one: Commit | None = story.commit
    if one is None:
        return f"commit {oid}" if story.named == judgement.baseline else oid
    return f'commit {oid} ({one.committed_at[:_DATE]} {prose(one.author.name)}: "{prose(one.subject)}")'
