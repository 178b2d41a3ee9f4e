"""`gitmem brief` as text and as JSON: what a session should read, within bytes and tokens.

Tokens are estimated, since every model counts its own: four ASCII characters for one, one for each other character.
That is about right for English and code and too many, never too few, for Korean, Japanese and Chinese.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gitmem.compaction import LeftOut, Part
from gitmem.model.stamp import stamp_lines
from gitmem.model.visible_text import code, fenced, sentence
from gitmem.report.waiting import waiting_line
from gitmem.usecases.brief import Brief

MOST_BYTES: Final = 9_000
_RESERVED: Final = 0.1
"""Of the limit, kept for naming what is left out."""
_SHORTEST_BLOCK: Final = 40
_SHARES: Final = {"latest_failure": 0.4, "approved_memory": 0.35, "current_plan": 0.2}
_WHOLE_SHARE: Final = 0.65
"""Of the limit, up to which rejected approaches stay whole; over it they are shortened, each of them."""
_HEADER_SHARE: Final = 0.35
_PRIORITY: Final = (
    "Do Not Repeat",
    "Current Goal",
    "Current Phase",
    "Next Action",
    "Last Test",
    "latest_failure",
    "approved_memory",
    "Decisions",
    "Remaining Risks",
    "Current Findings",
    "current_diff_stat",
    "Last Completed Step",
    "Files Allowed to Edit",
    "current_plan",
    "Adopted Approach",
    "Changed Files",
    "previous_attempts",
    "previous_reviews",
    "long_tool_outputs",
)


class Cost(NamedTuple):
    """Size of some lines: UTF-8 bytes, and quarters of an estimated token."""

    bytes: int
    quarters: int

    def fits(self, room: Cost) -> bool:
        return self.bytes <= room.bytes and self.quarters <= room.quarters

    def less(self, other: Cost) -> Cost:
        return Cost(self.bytes - other.bytes, self.quarters - other.quarters)

    def plus(self, other: Cost) -> Cost:
        return Cost(self.bytes + other.bytes, self.quarters + other.quarters)

    def most(self, other: Cost) -> Cost:
        return Cost(max(self.bytes, other.bytes), max(self.quarters, other.quarters))

    def least(self, other: Cost) -> Cost:
        return Cost(min(self.bytes, other.bytes), min(self.quarters, other.quarters))

    def share(self, part: float) -> Cost:
        return Cost(int(self.bytes * part), int(self.quarters * part))


class BriefText(NamedTuple):
    """A brief within its limit, all that it leaves out, and the ids of the memories in it."""

    text: str
    left_out: tuple[LeftOut, ...]
    memories: tuple[str, ...] = ()


def estimated_tokens(text: str) -> int:
    """About how many tokens a model sees, rounded up."""
    return -(-_cost(text).quarters // 4)


def brief_document(brief: Brief, text: BriefText) -> dict[str, Any]:
    return {
        "text": text.text,
        "bytes": len(text.text.encode()),
        "run": brief.run,
        "memories": list(text.memories),
        "left_out": [{"what": one.what, "see": one.see} for one in text.left_out],
    }


def format_brief(brief: Brief, *, budget: int | None = None, most_bytes: int = MOST_BYTES) -> BriefText:
    """The text, empty when there is nothing to say.

    Args:
        brief: What was loaded.
        budget: Most tokens, as estimated; None for no limit but the bytes.
        most_bytes: Most bytes in UTF-8.
    """
    limit = Cost(most_bytes, 4 * most_bytes if budget is None else 4 * budget)
    queued = waiting_line(brief.queued)
    if brief.is_empty:
        return BriefText("", ())
    if brief.material is None:
        return _without_run(brief, queued, limit, "" if budget is not None else " --json")
    snapshot, stamp = brief.material.snapshot, brief.material.stamp
    stamped = ["# gitmem brief", "", *stamp_lines(snapshot, stamp)]
    headers = [
        [*stamped, "", queued] if queued else stamped,
        stamped,
        ["# gitmem brief", "", f"run {code(snapshot.run_id)}"],
        [],
    ]
    run = "" if stamp.ref == "AI_RUN" else f" --run {snapshot.run_id}"
    whole = f"gitmem brief{run}{'' if budget is not None else ' --json'}"
    return _fitted(headers, brief, limit, whole)


def _without_run(brief: Brief, queued: str, limit: Cost, more: str) -> BriefText:
    said = [one for one in (sentence(brief.remark), queued) if one]
    if brief.compacted.parts:
        headed = [line for one in said for line in ("", one)]
        headers = [["# gitmem brief", *headed], ["# gitmem brief", *headed[:2]], ["# gitmem brief"], []]
        return _fitted(headers, brief, limit, f"gitmem brief{more}")
    line = "".join(f"{one}\n" for one in said)
    return BriefText(line if _cost(line).fits(limit) else "", ())


def _fitted(headers: Sequence[list[str]], brief: Brief, limit: Cost, whole: str) -> BriefText:
    """Within the limit: of a small one the header takes the least, and that something is left out is said first of all."""
    compacted, most = brief.compacted, limit.share(_HEADER_SHARE)
    header = next((one for one in headers if _cost_of(one).fits(most)), [])
    cut = [] if header in headers[:2] else [LeftOut("as of when it was told", whole)]
    naming = _cost_of(_counted(len(compacted.parts) + len(compacted.left_out) + len(cut), whole))
    reserved = naming.most(limit.share(_RESERVED))
    kept, left_out = _keep(compacted.parts, limit.less(reserved).less(_cost_of(header)), limit)
    named = [*left_out, *cut, *compacted.left_out]
    lines = [*header, *(line for part in compacted.parts for line in kept.get(part, ()))]
    lines += _named(named, limit.less(_cost_of(lines)), whole)
    shown = lines[1:] if lines[:1] == [""] else lines
    is_worth_it = bool(shown and (kept or named)) and _cost_of(shown).fits(limit)
    text = "\n".join(shown) + "\n" if is_worth_it else ""
    return BriefText(text, tuple(named), _told_ids(brief, kept) if text else ())


def _told_ids(brief: Brief, kept: Mapping[Part, list[str]]) -> tuple[str, ...]:
    shown = {line for part, lines in kept.items() if part.kind == "approved_memory" for line in lines}
    return tuple(one.id for one in brief.memories.told if one.id and one.text in shown)


def _keep(parts: Sequence[Part], room: Cost, limit: Cost) -> tuple[dict[Part, list[str]], list[LeftOut]]:
    """Lines of each part that fits, first come those that matter most; what was cut grows into the room left at the end."""
    ranked = sorted(parts, key=_rank)
    kept: dict[Part, list[str]] = {}
    for part in ranked:
        share = _WHOLE_SHARE if part.shorter else _SHARES.get(part.kind, 1)
        kept[part] = _cut(part, room.least(limit.share(share)))
        if part.shorter and _drops(part, kept[part]):  # all else goes before a line of it does
            kept[part] = _cut(part, room)
        room = room.less(_cost_of(kept[part]))
    for part in ranked:
        if kept[part] != _lines(part):
            room = room.plus(_cost_of(kept[part]))
            kept[part] = _cut(part, room)
            room = room.less(_cost_of(kept[part]))
    left_out = [
        LeftOut(_missing(part, kept[part]), part.see) for part in ranked if kept[part] != _lines(part)
    ]
    return {part: lines for part, lines in kept.items() if lines}, left_out


def _drops(part: Part, lines: list[str]) -> bool:
    """Whether lines of the part are left out, and not only shortened."""
    return not lines or any(lines[-1] == _more(part, over) for over in range(1, len(part.lines)))


def _rank(part: Part) -> int:
    name = part.heading if part.kind == "current_handoff" else part.kind
    return _PRIORITY.index(name) if name in _PRIORITY else len(_PRIORITY)


def _missing(part: Part, lines: list[str]) -> str:
    if not lines:
        return part.heading
    if part.shorter:
        over = next((over for over in range(1, len(part.lines)) if lines[-1] == _more(part, over)), 0)
        what = f"{over} of {len(part.lines)} lines" if over else "its lines are shortened"
        return f"{part.heading}: {what}"
    over = len([line for line in part.lines if line not in lines])
    what = "memories" if part.kind == "approved_memory" else "lines"
    return f"{part.heading}: {over} of {len(part.lines)} {what}" if over else f"{part.heading}: a part of it"


def _lines(part: Part, block: str | None = None, count: int | None = None) -> list[str]:
    """The part as lines, whole by default."""
    shown = part.lines if count is None else part.lines[:count]
    text = part.block if block is None else block
    lines = [*shown, *(["", *fenced(text)] if text else [])]
    return ["", f"## {part.heading}", "", *(lines[1:] if lines[:1] == [""] else lines)] if lines else []


def _cut(part: Part, room: Cost) -> list[str]:
    """As much of the part as the room has; nothing when not even its first line fits."""
    whole = _lines(part)
    if _cost_of(whole).fits(room):
        return whole
    if part.shorter:
        return _cut_evenly(part, room)
    for count in range(len(part.lines), 0, -1):
        lines = _lines(part, "", count)
        if part.lines[count - 1] and _cost_of(lines).fits(room):
            return _with_block(part, room) or lines if count == len(part.lines) else lines
    return [] if part.lines else _with_block(part, room)


def _cut_evenly(part: Part, room: Cost) -> list[str]:
    """All lines as short as need be; when not even the shortest fit, the first of them and how many more there are."""
    for lines in part.shorter:
        shown = _lines(part._replace(lines=lines))
        if _cost_of(shown).fits(room):
            return shown
    shortest = part.shorter[-1]

    def counted(count: int) -> list[str]:
        return _lines(part._replace(lines=(*shortest[:count], _more(part, len(shortest) - count))))

    low, high = 0, len(shortest) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _cost_of(counted(middle)).fits(room) else (low, middle - 1)
    return counted(low) if low else []


def _more(part: Part, over: int) -> str:
    return f"- … {over} more: {code(part.see)}"


def _with_block(part: Part, room: Cost) -> list[str]:
    """All lines and the most of the block that fits; empty when that is too little to be worth it."""
    low, high = 0, len(part.block)
    while low < high:
        middle = (low + high + 1) // 2
        fits = _cost_of(_lines(part, _shortened(part, middle))).fits(room)
        low, high = (middle, high) if fits else (low, middle - 1)
    return _lines(part, _shortened(part, low)) if low >= _SHORTEST_BLOCK else []


def _shortened(part: Part, characters: int) -> str:
    """The start or the end of the block, at a line's edge where there is one."""
    if part.keeps_end:
        kept = part.block[len(part.block) - characters :]
        _, newline, rest = kept.partition("\n")
        return f"…\n{rest if newline and rest else kept}"
    kept = part.block[:characters]
    first, newline, _ = kept.rpartition("\n")
    return f"{first if newline and first else kept}\n…"


def _named(left_out: Sequence[LeftOut], room: Cost, whole: str) -> list[str]:
    """What is left out, as far as the room goes; the last line says how many more."""
    if not left_out:
        return []
    lines = ["", "## Left Out", ""]
    for number, one in enumerate(left_out):
        line = f"- {sentence(one.what)}: {code(one.see)}"
        rest = f"- … {len(left_out) - number - 1} more: {code(whole)}"
        is_last = number + 1 == len(left_out)
        if not _cost_of([*lines, line, *([] if is_last else [rest])]).fits(room):
            lines = [*lines, f"- … {len(left_out) - number} more: {code(whole)}"] if number else []
            break
        lines = [*lines, line]
    names = ", ".join(dict.fromkeys(sentence(one.what.partition(":")[0]) for one in left_out))
    shorter = ["", f"Left out: {names}; see {code(whole)}"]
    candidates = (lines, shorter, _counted(len(left_out), whole))
    return next((one for one in candidates if one and _cost_of(one).fits(room)), [])


def _counted(number: int, whole: str) -> list[str]:
    return ["", f"Left out: {number}, see {code(whole)}"]


def _cost(text: str) -> Cost:
    ascii_characters = len(text.encode("ascii", "ignore"))
    others = len(text) - ascii_characters
    return Cost(len(text.encode()), ascii_characters + 4 * others)


def _cost_of(lines: Iterable[str]) -> Cost:
    return _cost("".join(f"{line}\n" for line in lines))
