"""What the Action found, as Markdown: the sticky comment and the job's summary are one text of two lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from gitmem.model.verdict import Verdict
from gitmem.report.action_parts import (
    Place,
    arrived_lines,
    doubt_lines,
    policy_lines,
    proposed_lines,
    settled_lines,
    unconfirmed_lines,
    unknown_lines,
)
from gitmem.report.drift import too_many
from gitmem.report.evidence import counts, plural
from gitmem.report.sanitise import code, inert
from gitmem.usecases.acting.answer import ActionAnswer

MARKER = "<!-- gitmem:report -->"
COMMENT_LIMIT = 65_536
"""GitHub's, for the body of a comment, in characters; those beyond the basic plane are counted twice to be safe."""
SUMMARY_LIMIT = 1_000_000
"""Bytes; GitHub takes 1 MiB for each step."""
_TAIL = 600
"""Kept free for what is said at the end of a text that was cut."""

_MOST = 300
"""Doubts that are written out at all; the shortest of so many fill a comment twice."""

_Entry = Sequence[str]


class _Section(NamedTuple):
    """One part of the text.

    Args:
        heading: What it is about; may be empty.
        entries: Whole entries, the worst first; each as written out, then shorter where it can be.
        left: How many more there are, beyond any hope of room.
    """

    heading: str
    entries: Sequence[tuple[_Entry, ...]]
    left: int = 0


def _removed_line(file: str, answer: ActionAnswer) -> str:
    return f"- {code(file)}{': not approved yet' if file in answer.unagreed else ''}"


def comment(answer: ActionAnswer, where: Place, *, job: str = "") -> str:
    """The body of the comment, its marker first; no longer than the forge takes.

    Args:
        answer: What was found.
        where: Where its readers are.
        job: Address of the run, whose summary says what was cut.
    """
    more = f"[the summary of this run]({job})" if job else "the summary of this run"
    body = _text(answer, where, COMMENT_LIMIT - len(MARKER) - 1, _utf16, f"More of it is in {more}.")
    return f"{MARKER}\n{body}"


def summary(answer: ActionAnswer, where: Place) -> str:
    """The job's summary."""
    return _text(
        answer, where, SUMMARY_LIMIT, _octets, "The rest: `gitmem drift` and `gitmem gate` in a clone."
    )


def quiet_comment() -> str:
    """What takes the place of an earlier comment when there is nothing left to say."""
    return f"{MARKER}\n### gitmem: nothing to do\n\nThis change challenges no memory and proposes none."


def headline(answer: ActionAnswer) -> str:
    """The findings in one line, as counts."""
    by = " by this change" if answer.since else ""
    found = [
        f"{len(answer.doubts)} challenged{by}" if answer.doubts else "",
        f"{len(answer.unconfirmed)} not confirmed" if answer.unconfirmed else "",
        f"{len(answer.proposed)} proposed" if answer.proposed else "",
        f"{len(answer.refused)} refused" if answer.refused else "",
        f"{waiting} not approved yet"
        if (waiting := sum(map(len, (answer.unapproved, answer.unagreed, answer.uncounted))))
        else "",
        f"{len(answer.removed)} removed" if answer.removed else "",
        f"{len(answer.unreviewed)} without review" if answer.unreviewed else "",
    ]
    said = ", ".join(one for one in found if one)
    if said:
        return said
    return "nothing challenged" if answer.report.judgements else "no memory to check"


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _octets(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


# putting together
def _text(answer: ActionAnswer, where: Place, limit: int, measure: Callable[[str], int], cut: str) -> str:
    sections = [one for one in _sections(answer, where) if one.entries]
    lines = [f"### gitmem: {headline(answer)}"]
    closing = list(_closing(answer))
    room = limit - _TAIL - measure("\n".join([*lines, *closing]))
    if room < 0:
        closing, room = [], limit - _TAIL - measure(lines[0])
    left_out = 0
    for section in sections:
        heading = ["", f"**{section.heading}**", ""]
        room -= measure("\n".join(heading)) + 1
        shown, room = _fitting(section.entries, room, measure)
        left = section.left + len(section.entries) - len(shown)
        left_out += left
        if shown:
            lines += [*heading, *(line for entry in shown for line in entry)]
        if left and shown:
            lines.append(f"- … and {left} more")
    if left_out:
        lines += ["", f"This text was cut: {plural(left_out, 'entry')} left out. {cut}"]
    return "\n".join([*lines, *closing])


def _fitting(
    entries: Sequence[tuple[_Entry, ...]], room: int, measure: Callable[[str], int]
) -> tuple[list[_Entry], int]:
    """The first entries that fit, each as long as it may be without pushing the shortest forms of the others out."""
    shortest = [measure("\n".join(forms[-1])) + 1 for forms in entries]
    others = sum(shortest)
    shown: list[_Entry] = []
    for forms, least in zip(entries, shortest, strict=True):
        others -= least
        for form in forms:
            size = measure("\n".join(form)) + 1
            if size + (others if form is not forms[-1] else 0) <= room:
                shown.append(form)
                room -= size
                break
        else:
            return shown, 0
    return shown, room


def _sections(answer: ActionAnswer, where: Place) -> Iterator[_Section]:
    challenged = (
        "Challenged by this change: does it still hold?"
        if answer.since
        else "Challenged: the code under these has moved, or a date has passed"
    )
    doubts = [
        (list(doubt_lines(one, where)), list(doubt_lines(one, where, patch=False)))
        for one in answer.doubts[:_MOST]
    ]
    yield _Section(challenged, doubts, max(0, len(answer.doubts) - _MOST))
    yield _Section(
        "Not confirmed in this change: merged like this they are doubtful",
        _each(map(unconfirmed_lines, answer.unconfirmed)),
    )
    yield _Section("Proposed memories", _each(map(proposed_lines, answer.proposed)))
    yield _Section(
        f"Came to {code(answer.occasion.default_branch)} without an approving review",
        _each(map(arrived_lines, answer.unreviewed)),
    )
    yield _Section(
        f"Came to {code(answer.occasion.default_branch)}; whether it was reviewed is not known",
        _each(map(arrived_lines, answer.unasked)),
    )
    yield _Section("Removed by this change", _each([_removed_line(one, answer)] for one in answer.removed))
    yield _Section(
        "What this change does to the check itself", _each([f"- {inert(one)}"] for one in answer.eased)
    )
    yield _Section("Answered in this change", _each(map(settled_lines, answer.settled)))
    unknown = [one for one in answer.report.telling if one.verdict is Verdict.UNKNOWN]
    if not answer.since:  # what a change cannot be told about is hardly its doing
        yield _Section("Could not be checked", _each(map(unknown_lines, unknown)))
    unreadable = [one for one in answer.report.problems if one.severity == "error"]
    yield _Section(
        "Could not be read", _each([f"- {code(one.file)}: {inert(one.message)}"] for one in unreadable)
    )


def _each(entries: Iterable[Iterable[str]]) -> list[tuple[_Entry, ...]]:
    return [(list(entry),) for entry in entries]


# closing
def _closing(answer: ActionAnswer) -> Iterator[str]:
    told = list(_remarks(answer))
    if told:
        yield ""
    yield from (f"> {line}" for line in told)
    yield ""
    yield _counted(answer)


def _remarks(answer: ActionAnswer) -> Iterator[str]:
    pull = answer.occasion.pull
    if answer.gate_failed:
        yield f"The gate could not judge: {inert(answer.gate_failed)}."
    if too_many(answer.report):
        yield "Very many at once: scopes too wide or baselines too old, more likely than that many false memories."
    if pull and pull.target and pull.target != answer.occasion.default_branch:
        yield f"It is to be merged into {code(pull.target)}, which approves nothing."
    if pull and pull.is_fork:
        yield "It comes from a fork, whose token may only read: there is no comment, this summary stands in for it."
    yield from policy_lines(answer)
    marked = answer.marked
    if marked and marked.refused:
        yield f"The mark was not taken by the server: {inert(marked.refused)}. The next run tries again."
    elif marked:
        yield f"Marked as challenged with {code(marked.commit[:12])}: {', '.join(map(code, marked.files))}."
    yield from (f"{inert(one)}." for one in dict.fromkeys(answer.remarks))


def _counted(answer: ActionAnswer) -> str:
    found = ", ".join(f"{number} {kind}" for kind, number in counts(answer.report.judgements).items())
    checked = f"{len(answer.report.judgements)} checked: {found}" if found else "no memory was checked"
    before = f"; {answer.elsewhere} challenged before this change" if answer.elsewhere else ""
    return f"<sub>{checked}{before}. Judged {code(answer.head[:12])}{_against(answer)}.</sub>"


def _against(answer: ActionAnswer) -> str:
    return f" against {code(answer.since[:12])}" if answer.since else ""
