"""A decision record (ADR) as one fact: its title, and the sentence that decides.

Nygard's form (``## Status``, ``## Decision``), MADR (front matter, ``## Decision Outcome``, ``Chosen option: "…"``) and their
Korean, Japanese and Chinese headings. What is not accepted (proposed, rejected, deprecated, superseded) is left out with
the reason; a record without a status counts as accepted, since most young projects write none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gitmem.model.memory import Kind, Scope
from gitmem.promotion.importing.fact import Extracted, Fact, Skipped
from gitmem.promotion.importing.facts import LONGEST_BODY, LONGEST_SUMMARY, cut, plain, sentences
from gitmem.promotion.importing.front_matter import Head
from gitmem.promotion.importing.markdown import Block
from gitmem.promotion.stemming import terms

_STATUS: Final = re.compile(r"(?i)^(?:status|상태|ステータス|状態|状态|狀態)$")
_STATUS_LINE: Final = re.compile(
    r"(?i)^[\s|*_-]*(?:status|상태|ステータス|状態|状态|狀態)[\s|*_]*[:：|][\s|*_]*(?P<value>\S.*)"
)
_DECISION: Final = re.compile(
    r"(?i)^(?:the )?(?:decisions?(?: outcome| made)?|decided|resolution|결정(?:\s?사항|\s?내용)?|決定(?:事項|内容)?|决定|决策|決策)$"
)
_REFUSED: Final = re.compile(
    r"(?i)\b(?:superseded|supersede|deprecated|rejected|obsolete|replaced|withdrawn|draft|proposed|proposal|pending|wip|under discussion)\b"
    r"|대체|폐기|거부|기각|반려|초안|제안|검토|却下|廃止|置き換え|提案|草案|废弃|廢棄|取代|拒绝|拒絕|提议|提議"
)
_CHOSEN: Final = re.compile(r"(?i)^\W*(?:chosen option|we chose|선택(?:한)?\s?(?:안|옵션)|採用|选择)\W*[:：]")
_TITLE: Final = re.compile(
    r"(?i)^(?:\[?(?:adr|architecture decision record)?[-_ #]*(?P<number>\d{1,6})\]?[\s.:—–-]+)?(?P<title>.+)$"
)
_LONGEST_TITLE: Final = 120
_NUMBER: Final = re.compile(r"(?i)^(?:adr[-_ ]?)?0*(\d{1,6})")


def read_decision_record(
    lines: list[str], head: Head, found: list[Block], source: str, scope: Scope
) -> Extracted:
    """The fact of a decision record.

    Args:
        lines: The file's lines, front matter left out.
        head: The front matter.
        found: The blocks of the lines.
        source: Repository path.
        scope: Where it holds.
    """
    status = _status(lines, head, found)
    refused = _REFUSED.search(status)
    if refused:
        return Extracted(skipped=(Skipped(source, 1, f"its status is “{status[:60]}”"),))
    title = _title(lines, head)
    decided = next(_decided(found), None)
    if not title or decided is None:
        return Extracted(skipped=(Skipped(source, 1, "no decision found under its headings"),))
    said = sentences(_told(decided))
    number = _NUMBER.match(source.rpartition("/")[2])
    named = f"ADR-{number[1]}: {title}" if number else title
    summary = _with_title(title, said[0])
    body = "\n".join((" ".join(said[1:]), *_below(decided))).strip()
    fact = Fact(
        cut(summary, LONGEST_SUMMARY),
        source,
        decided.line,
        scope,
        Kind.CONVENTION,
        "architecture_rule",
        body=cut(body, LONGEST_BODY),
        title=cut(named, _LONGEST_TITLE),
    )
    return Extracted((fact,))


def _status(lines: list[str], head: Head, found: list[Block]) -> str:
    if head.text("status"):
        return head.text("status")
    below = [plain(block.text) for block in found if block.headings and _STATUS.match(block.headings[-1])]
    if below:
        return below[-1]  # a history of it ends with what holds
    told = (_STATUS_LINE.match(line) for line in lines[:30])
    return next((plain(one["value"]).strip("|*_ ") for one in told if one), "")


def _title(lines: list[str], head: Head) -> str:
    heading = next((line for line in lines if re.match(r"#{1,2}\s+\S", line)), "")
    written = plain(heading.lstrip("# ")) or head.text("title")
    found = _TITLE.match(written.strip())
    return found["title"].strip() if found else ""


def _decided(found: list[Block]) -> Iterator[Block]:
    """What names the option chosen; else the first words below the heading of the decision, those of its own headings last."""
    directly = [one for one in found if one.headings and _DECISION.match(one.headings[-1])]
    below = [one for one in found if any(_DECISION.match(name) for name in one.headings[:-1])]
    everything = (*directly, *below)
    yield from (one for one in everything if _CHOSEN.match(plain(one.text)))
    for one in everything:
        if plain(one.text).endswith((":", "：")):
            yield from one.children
        elif len(plain(one.text)) > _LEAST:
            yield one


_LEAST: Final = 8
_SELF_CONTAINED: Final = 0.5
_OPTION: Final = re.compile(r"(?i)^\W*(?:option\s)?(?:[a-z]|\d{1,2})\b\W*(?:\(\w+\)\W*)?(?=[—–:,-]|because)")


def _told(decided: Block) -> str:
    """The words of the decision; one that ends in ``because`` goes on with the list below it."""
    text = _CHOSEN.sub("", plain(decided.text)).strip().replace("“", '"').replace("”", '"')
    text = re.sub(r'^"([^"]+)"', r"\1", text)
    if re.search(r"(?i)\b(?:because|since)\W*$", text) and decided.children:
        text = f"{text.rstrip(':')} {plain(decided.children[0].text)}"
    return re.sub(r"(?i)[\s,]*\b(?:because|since)\W*$", "", text).rstrip(":")


def _below(decided: Block) -> Iterator[str]:
    return (f"- {plain(child.text)}" for child in decided.children)


def _with_title(title: str, decision: str) -> str:
    """The decision in words that stand alone: with the title in front unless it says as much itself."""
    wanted, said = {*_stems(title)}, {*_stems(decision)}
    if wanted and len(wanted & said) >= _SELF_CONTAINED * len(wanted) and not _OPTION.match(decision):
        return decision
    rest = _OPTION.sub("", decision).lstrip(" —–:,-")
    return f"{title.rstrip('.')}{', ' if rest.startswith('because') else ': '}{rest}"


def _stems(text: str) -> tuple[str, ...]:
    return tuple(term.stem for term in terms(text))
