"""The facts of a Markdown text: items and sentences that tell a rule, one fact each.

An item is one fact: its first sentences are the rule, the rest and the items below it are its body. An item that ends
with a colon, or names a topic only, is a heading for those below it; when they are short words, they are joined to it.
Below an opening that forbids ("Agents must not:", "금지 사항") each item is a prohibition. Of a paragraph each sentence that tells a rule is a fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gitmem.drift.claims import STAND_IN, claim_of
from gitmem.drift.words import code_spans
from gitmem.model.memory import Claim, Kind, Scope
from gitmem.promotion.importing.fact import Fact, Skipped
from gitmem.promotion.importing.forbidding import forbidden, forbidding
from gitmem.promotion.importing.markdown import Block
from gitmem.promotion.importing.rule_words import (
    is_long_enough,
    is_sample,
    is_step,
    lists_command,
    points_elsewhere,
    tells_rule,
    warns,
)

LONGEST_SUMMARY: Final = 300
LONGEST_BODY: Final = 1_000
_LONGEST_BLOCK: Final = 2_000
_SHORT: Final = 60
_LABEL: Final = re.compile(
    r"(?:\*\*|__)(?P<label>[^*_]{2,80}?)[:：]?(?:\*\*|__)[:：]?\s*(?:[-–—]\s+)?(?P<rest>.*)", re.DOTALL
)
_SENTENCES: Final = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)\s+(?=[\"'`*(\[]*[A-Z가-힣\u3040-\u9fff`])|(?<=[。！？])\s*"
)
_IMAGE: Final = re.compile(r"!\[[^\[\]]{0,300}\]\([^()]{0,500}\)")
_LINK: Final = re.compile(r"\[([^\[\]]{1,300})\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s\"[^\"]{0,200}\")?\)")
_EMPHASIS: Final = re.compile(
    r"(?<![A-Za-z0-9_*])(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*])\1(?![A-Za-z0-9_*])"
    r"|(?<![A-Za-z0-9_*])(_{1,3})(?=[^\s_])([^_\n]*\s[^_\n]*)(?<=[^\s_])\3(?![A-Za-z0-9_*])"
)
"""One word between underscores is a name: ``__init__``."""
_TAGS: Final = re.compile(r"</?(?:b|i|em|strong|br|kbd|sub|sup|details|summary)\s*/?>|<!--.*?-->")
_MENTION: Final = re.compile(r"@[\w./~-]+\.(?:md|mdc)")
_DEPENDENT: Final = re.compile(
    r"(?i)^\W*(?:it|this|that|these|those|they|he|such|both|the (?:former|latter|above))\b|^\W*(?:이는|이것은|그것은|이들은)\s"
)


def facts_of(
    found: Sequence[Block], source: str, scope: Scope, type_: str, short: list[Skipped] | None = None
) -> Iterator[Fact]:
    """The facts of the blocks of a file.

    Args:
        found: Its blocks.
        source: Its repository path.
        scope: Where it holds.
        type_: The policy type of its facts.
        short: Takes the items that are too short to be understood by themselves.
    """
    reading = _Reading(source, scope, type_, short if short is not None else [])
    opening = ""
    above: tuple[str, ...] = ()
    for block in found:
        if not block.is_item or block.headings != above:
            opening, above = _opening(block), block.headings
        yield from reading.block(block, (*block.headings, opening) if opening else block.headings)


def _opening(block: Block) -> str:
    """How a paragraph forbids the items that follow it; empty where it does not, or is an item itself."""
    if block.is_item or not block.text.rstrip("*_ ").endswith((":", "：")):
        return ""
    return forbidding(sentences(plain(block.text))[-1])


class _Reading:
    """What is the same for all facts of a file."""

    def __init__(self, source: str, scope: Scope, type_: str, short: list[Skipped]) -> None:
        self._source = source
        self._scope = scope
        self._type = type_
        self._short = short

    def block(self, block: Block, headings: tuple[str, ...]) -> Iterator[Fact]:
        if len(block.text) > _LONGEST_BLOCK:
            return iter(())
        text = plain(block.text)
        if _MENTION.fullmatch(text) or _says_nothing(text):
            return iter(())
        return self._item(block, text, headings) if block.is_item else self._paragraph(block, headings)

    def _item(self, block: Block, text: str, headings: tuple[str, ...]) -> Iterator[Fact]:
        label, said = _labelled(block.text)
        below = [one for child in block.children if (one := plain(child.text))]
        is_opening = text.endswith((":", "："))
        forbids = forbidding(headings[-1]) if headings and not (label or is_opening) else ""
        said, text = forbidden(forbids, said), forbidden(forbids, text)
        is_rule = label or not is_step(text, headings, is_numbered=block.is_numbered)
        rule = _first_rule(said) if is_rule and not is_opening else None
        if rule is not None:
            summary, rest = _without_reason(*rule)
            body = "\n".join(part for part in (rest, *(f"- {one}" for one in below)) if part)
            yield self._fact(block, _told(label, summary), body, headings)
        elif is_opening and below and tells_rule(text.rstrip(":： ")) and all(map(_is_word, below)):
            yield self._fact(block, f"{text.rstrip(':： ')}: {', '.join(below)}", "", headings)
        else:
            if is_rule and not is_opening and not below and not is_long_enough(text):
                self._short.append(Skipped(self._source, block.line, text))
            for child in block.children:
                yield from self.block(child, (*headings, _topic(label, text)))

    def _paragraph(self, block: Block, headings: tuple[str, ...]) -> Iterator[Fact]:
        label, said = _labelled(block.text)
        kept: list[list[str]] = []
        for sentence in sentences(said):
            if tells_rule(sentence) and not (kept and _DEPENDENT.match(sentence)):
                kept.append([sentence])
            elif kept:
                kept[-1].append(sentence)
        for rule, *rest in kept:
            yield self._fact(block, _told(label, rule), " ".join(rest), headings)

    def _fact(self, block: Block, summary: str, body: str, headings: tuple[str, ...]) -> Fact:
        return Fact(
            cut(summary, LONGEST_SUMMARY),
            self._source,
            block.line,
            self._scope,
            _kind(summary),
            self._type,
            tuple(one for one in headings if one),
            cut(body, LONGEST_BODY),
        )


def _says_nothing(text: str) -> bool:
    return is_sample(text) or lists_command(text) or points_elsewhere(text)


def _kind(summary: str) -> Kind:
    if warns(summary):
        return Kind.PITFALL
    return Kind.NOTE if claim_of(summary) is Claim.PRESENCE else Kind.CONVENTION


def _first_rule(text: str) -> tuple[str, str] | None:
    """The sentence that tells the rule, with those before it that it needs, and what follows; None when none tells one."""
    parts = sentences(text)
    at = next((at for at, one in enumerate(parts) if tells_rule(one)), None)
    if at is None:
        return None
    start = 0 if at and len(" ".join(parts[: at + 1])) <= LONGEST_SUMMARY else at
    before = parts[:start]
    return " ".join(parts[start : at + 1]), " ".join((*before, *parts[at + 1 :]))


_REASON: Final = re.compile(r"\s(?:—|–|--|-)\s")
_LONG: Final = 140


def _without_reason(summary: str, rest: str) -> tuple[str, str]:
    """A long rule without the reason that stands behind a dash; that belongs to its body."""
    if len(summary) > _LONG:
        for found in _REASON.finditer(summary):
            rule, reason = summary[: found.start()], summary[found.end() :]
            if (
                len(rule) > _SHORT
                and rule.count("`") % 2 == 0
                and rule.count("(") == rule.count(")")
                and tells_rule(rule)
            ):
                return rule, f"{reason} {rest}".strip()
    return summary, rest


def sentences(text: str) -> list[str]:
    """The sentences of a text on one line; code spans are not cut."""
    spans = re.sub(r"`[^`]*`", lambda match: "x" * len(match[0]), text)
    cuts = [match.span() for match in _SENTENCES.finditer(spans)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    return [part for start, end in zip(starts, ends, strict=True) if (part := text[start:end].strip())]


def plain(text: str) -> str:
    """Words without links, emphasis and tags; code spans keep their backticks."""
    text = text.replace(STAND_IN, " ")
    spans = [text[start:end] for start, end, _ in code_spans(text)]
    bare = _without_spans(text)
    bare = _LINK.sub(r"\1", _IMAGE.sub("", _TAGS.sub(" ", bare)))
    bare = _EMPHASIS.sub(lambda match: match[2] or match[4], bare)
    left = iter(spans)
    return " ".join(re.sub(STAND_IN, lambda _: next(left), bare).split())


def _without_spans(text: str) -> str:
    """The text with a stand-in for each code span."""
    for start, end, _ in reversed(code_spans(text)):
        text = text[:start] + STAND_IN + text[end:]
    return text


def _labelled(text: str) -> tuple[str, str]:
    """``**Label**: the rest`` in two; the label is empty where the bold words are part of the sentence."""
    found = _LABEL.fullmatch(text.strip())
    rest = plain(found["rest"]) if found else ""
    if (
        found
        and rest
        and (
            text.strip()[len(found["label"]) + 2 :].lstrip("*_")[:1] in ":：-–—"
            or found["label"][-1] in ":："
            or ":**" in text
        )
    ):
        return plain(found["label"]).rstrip(":： "), rest
    return "", plain(text)


def _told(label: str, summary: str) -> str:
    """The rule with its label in front, unless it says as much itself."""
    if not label or label.casefold() in summary.casefold():
        return summary
    return f"{label}: {summary}"


def _topic(label: str, text: str) -> str:
    topic = label or text.rstrip(":： ")
    return topic if len(topic) <= 80 else ""


def _is_word(text: str) -> bool:
    return 0 < len(text) <= _SHORT and not tells_rule(text) and not text.endswith(":")


def cut(text: str, longest: int) -> str:
    """At most so many characters, cut at a blank."""
    if len(text) <= longest:
        return text
    return f"{text[: longest - 1].rpartition(' ')[0] or text[: longest - 1]}…"
