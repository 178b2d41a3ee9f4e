"""Markdown cut into what may be facts: items of lists and paragraphs, each with its line and the headings above it.

Left out: fenced and indented code, HTML and its comments, tables, horizontal lines, images and front matter. Not a Markdown
parser: rules files are plain, and what is not understood is simply not taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_FENCE: Final = re.compile(r"[ \t]*(?:[-*+>][ \t]+)?(`{3,}|~{3,})(.*)")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*")
_BOLD_HEADING: Final = re.compile(r"[ \t]{0,3}(?:\*\*|__)([^*_]{2,80}?):?(?:\*\*|__):?")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{3,})[ \t]*")
_RULE: Final = re.compile(r" {0,3}(?:[-*_][ \t]*){3,}")
_ITEM: Final = re.compile(r"([ \t]*)([-*+•]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)")
_QUOTE: Final = re.compile(r"[ \t]{0,3}>[ \t]?")
_CALLOUT: Final = re.compile(r"\[!\w+\][ \t]*")
_TABLE: Final = re.compile(r"[ \t]*\|.*|[ \t]*:?-{2,}:?(?:[ \t]*\|[ \t]*:?-{2,}:?)+[ \t]*")
_HTML: Final = re.compile(r"[ \t]*</?[A-Za-z][^>]*>?[ \t]*$|[ \t]*<!.*")
_XML_SECTION: Final = re.compile(r"[ \t]*<(/?)([a-z][\w-]{2,40})>[ \t]*")
_COMPONENT: Final = re.compile(r"[ \t]*<([A-Z]\w*)\b[^>]*(?<!/)>?(?!.*</\1>)(?!.*/>).*")
_LONGEST_LINE: Final = 2_000
_LONGEST_BLOCK: Final = 4_000
"""Characters; nobody writes a rule so long, and patterns on it would take their time."""
_TAB: Final = 4


@dataclass(slots=True)
class Block:
    """An item of a list, or a paragraph.

    Args:
        text: Its words, on one line.
        line: Where it begins, from 1.
        headings: Above it, outermost first.
        indent: Columns before its mark; -1 for a paragraph.
        is_numbered: Whether it is an item of a numbered list.
        children: Items below it.
    """

    text: str
    line: int
    headings: tuple[str, ...]
    indent: int = -1
    is_numbered: bool = False
    children: list[Block] = field(default_factory=list)

    @property
    def is_item(self) -> bool:
        return self.indent >= 0


def blocks(lines: list[str], first: int = 1) -> list[Block]:
    """The blocks of a text.

    Args:
        lines: Its lines, without line ends.
        first: The number of the first one.
    """
    reader = _Reader()
    for number, line in enumerate(lines, first):
        reader.read(line.expandtabs(_TAB), number)
    return reader.found


class _Reader:
    """Reads line by line; what is open is the block that a plain line goes on with."""

    def __init__(self) -> None:
        self.found: list[Block] = []
        self._headings: list[tuple[int, str]] = []
        self._open: Block | None = None
        self._items: list[Block] = []
        self._fence = ""
        self._comment = False
        self._component = ""
        self._after_blank = True

    def read(self, line: str, number: int) -> None:
        if self._is_left_out(line[:_LONGEST_LINE]):
            return
        if not line.strip() or len(line) > _LONGEST_LINE:
            self._open, self._after_blank = None, True
            return
        if not self._heading(line):
            self._text(line, number)
        self._after_blank = False

    def _is_left_out(self, line: str) -> bool:
        """Whether a line is code, a comment or inside a component of a page (``<Steps>``)."""
        if self._comment:
            self._comment = "-->" not in line
            return True
        if self._component:
            self._component = "" if f"</{self._component}>" in line else self._component
            return True
        fence = _FENCE.fullmatch(line)
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not fence[2].strip():
                self._fence = ""
            return True
        if fence and "`" not in fence[2]:
            self._fence, self._open = fence[1], None
            return True
        component = _COMPONENT.fullmatch(line)
        if component:
            self._component, self._open = component[1], None
            return True
        if line.lstrip().startswith("<!--"):
            self._comment = "-->" not in line
            return True
        return False

    def _heading(self, line: str) -> bool:
        found = _HEADING.fullmatch(line)
        if found:
            self._enter(len(found[1]), found[2])
            return True
        if _UNDERLINE.fullmatch(line) and self._open and not self._open.is_item:
            self.found.pop()
            self._enter(1 if "=" in line else 2, self._open.text)
            return True
        bold = _BOLD_HEADING.fullmatch(line.rstrip())
        if bold and self._after_blank:
            self._enter(7, bold[1])
            return True
        if _RULE.fullmatch(line) or _TABLE.fullmatch(line):
            self._close()
            return True
        return self._section(line)

    def _section(self, line: str) -> bool:
        """``<important>`` … ``</important>``, as prompts have them: a heading; other HTML is none."""
        found = _XML_SECTION.fullmatch(line)
        if not found and not _HTML.fullmatch(line):
            return False
        self._close()
        return True

    def _enter(self, level: int, text: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, plain_heading(text)))
        self._close()

    def _close(self) -> None:
        self._open, self._items = None, []

    def _text(self, line: str, number: int) -> None:
        quoted = _QUOTE.match(line)
        if quoted:
            line = _CALLOUT.sub("", line[quoted.end() :])
            if not line.strip():
                return
        item = _ITEM.fullmatch(line)
        if item:
            self._item(item, number)
        elif self._open:
            self._go_on(line)
        else:
            self._paragraph(line, number)

    def _item(self, found: re.Match[str], number: int) -> None:
        indent, mark, text = len(found[1]), found[2], found[3]
        while self._items and self._items[-1].indent >= indent:
            self._items.pop()
        block = Block(text.strip(), number, self._above(), indent, mark[0].isdigit())
        (self._items[-1].children if self._items else self.found).append(block)
        self._items.append(block)
        self._open = block

    def _paragraph(self, line: str, number: int) -> None:
        indent = len(line) - len(line.lstrip())
        if indent >= _TAB and not self._items:
            return  # indented code
        if indent and self._items:
            self._open = self._items[-1]
            self._go_on(line)
            return
        self._items = []
        self._open = Block(line.strip(), number, self._above())
        self.found.append(self._open)

    def _go_on(self, line: str) -> None:
        if self._open and len(self._open.text) < _LONGEST_BLOCK:
            self._open.text = f"{self._open.text} {line.strip()}"

    def _above(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._headings)


def plain_heading(text: str) -> str:
    """A heading without marks, numbers and pictures: ``2.1 🧪 **Testing**`` is ``Testing``."""
    plain = re.sub(r"[*`]{1,3}|\[([^\]]*)\]\([^)]*\)|\{#[^}]*\}", r"\1", text)
    return re.sub(r"^(?:[\W_]|\d+[.)]\s|\d+(?:\.\d+)+\s?)*(?=[\w`])", "", plain).strip(" :#")
