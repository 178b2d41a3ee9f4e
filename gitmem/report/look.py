"""How text may look where it goes: colour or none, cut by width or whole."""

from __future__ import annotations

from typing import NamedTuple

from gitmem.report.width import cut, width

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


class Span(NamedTuple):
    """Sanitised text in one style.

    Args:
        text: What is shown.
        styles: ``bold``, ``dim`` and colour names, separated by a space; empty for plain.
    """

    text: str
    styles: str = ""


class Look(NamedTuple):
    """What the reader can take.

    Args:
        colour: Whether escape sequences for colour are welcome.
        width: Columns of the terminal; None where lines are never cut (a pipe, a file).
    """

    colour: bool = False
    width: int | None = None

    def line(self, *spans: Span | str) -> str:
        """One line of the spans, cut to the width before any colour is laid on."""
        left, shown = self.width, []
        for span in spans:
            text, styles = span if isinstance(span, Span) else (span, "")
            kept = cut(text, left)
            shown.append(self.paint(kept, *styles.split()))
            if kept != text:
                break
            left = left if left is None else left - width(kept)
        return "".join(shown)

    def paint(self, text: str, *styles: str) -> str:
        """The text in the styles, or as it is without colour; `line` also cuts, so paint only what it gave."""
        if not (self.colour and styles and text):
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


PLAIN = Look()
