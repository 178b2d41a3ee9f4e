"""How text may look where it goes: colour or none, cut by width or whole."""

from __future__ import annotations

from typing import NamedTuple

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}


class Look(NamedTuple):
    """What the reader can take.

    Args:
        colour: Whether escape sequences for colour are welcome.
        width: Columns of the terminal; None where lines are never cut (a pipe, a file).
    """

    colour: bool = False
    width: int | None = None

    def paint(self, text: str, *styles: str) -> str:
        """The text in the styles (``bold``, ``dim``, colour names), or as it is without colour."""
        if not (self.colour and styles and text):
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


PLAIN = Look()
