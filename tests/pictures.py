"""Pictures of a terminal for the README: real output of real commands, its colours drawn as SVG.

`python -m tests.pictures` makes them anew in ``.github/pictures/``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from unittest.mock import patch
from xml.sax.saxutils import escape, quoteattr

from gitmem.report.width import width
from tests.support.cli import gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

FOLDER: Final = Path(__file__).parent.parent / ".github" / "pictures"
COLUMNS: Final = 100
PICTURES: Final[Mapping[str, tuple[str, ...]]] = {
    "drift.svg": ("drift", "--range", "main..HEAD"),
    "map.svg": ("map",),
}
_TODAY: Final = date(2026, 7, 20)
_CODE: Final = re.compile(r"\x1b\[([0-9;]*)m")
_OTHER_CODE: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[^\[])|[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
_COLOURS: Final = {"31": "red", "32": "green", "33": "yellow", "34": "blue", "36": "cyan"}
_WEIGHTS: Final = {"1": "bold", "2": "dim"}
_CELL: Final = 8.4
_LINE: Final = 20
_PADDING: Final = 16
_STYLE: Final = """\
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; fill: #d8dee9; white-space: pre; }
.bold { font-weight: bold; } .dim { fill-opacity: 0.6; } .prompt { fill: #8b949e; }
.red { fill: #ff7b72; } .green { fill: #7ee787; } .yellow { fill: #e3b341; } .blue { fill: #79c0ff; } .cyan { fill: #76e3ea; }"""


class Piece(NamedTuple):
    """Text of one line in one style.

    Args:
        text: Without escape sequences.
        styles: Names of classes.
    """

    text: str
    styles: tuple[str, ...] = ()


def pieces(line: str) -> Iterator[Piece]:
    """A line of a terminal, by the colours that its escape sequences switch on and off.

    Args:
        line: Sequences that are no colours, and characters that XML has no place for, are left out.
    """
    styles: dict[str, None] = {}
    begin = 0
    for code in (*_CODE.finditer(line), None):
        text = _OTHER_CODE.sub("", line[begin : code.start() if code else len(line)])
        if text:
            yield Piece(text, tuple(styles))
        if code:
            begin = code.end()
            for number in code[1].split(";"):
                styles = _switched(styles, number)


def _switched(styles: dict[str, None], number: str) -> dict[str, None]:
    if number in _WEIGHTS:
        return {**styles, _WEIGHTS[number]: None}
    if number in _COLOURS:
        return {**{one: None for one in styles if one not in _COLOURS.values()}, _COLOURS[number]: None}
    return {} if number in {"", "0"} else styles


def picture(command: str, output: str) -> str:
    """An SVG of a terminal in which a command was run.

    Args:
        command: As somebody types it.
        output: What it printed, escape sequences included.
    """
    lines = [
        [Piece("$ ", ("prompt",)), Piece(command, ("bold",))],
        *(list(pieces(one)) for one in output.splitlines()),
    ]
    columns = max(sum(width(piece.text) for piece in line) for line in lines)
    size = round(columns * _CELL) + 2 * _PADDING, len(lines) * _LINE + 2 * _PADDING
    title = escape(_OTHER_CODE.sub("", command))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" height="{size[1]}" role="img" xml:space="preserve">',
            f"<title>{title}</title>",
            f"<style>\n{_STYLE}\n</style>",
            '<rect width="100%" height="100%" rx="8" fill="#161b22"/>',
            *(_text(line, number) for number, line in enumerate(lines)),
            "</svg>\n",
        ]
    )


def _text(line: list[Piece], number: int) -> str:
    """One line; each piece stands in its column, whatever font there is."""
    column, shown = 0, []
    for piece in line:
        place = round(_PADDING + column * _CELL, 1)
        kind = f" class={quoteattr(' '.join(piece.styles))}" if piece.styles else ""
        shown.append(f'<tspan x="{place:g}"{kind}>{escape(_OTHER_CODE.sub("", piece.text))}</tspan>')
        column += width(piece.text)
    return f'<text y="{_PADDING + number * _LINE + 15}">{"".join(shown)}</text>'


def shop(folder: Path) -> Repo:
    """A project that knows two things; a branch makes one of them doubtful."""
    send = 'LIMIT = 3\n\n\ndef submit(order):\n    """Send an order."""\n    if order.sent:\n        return None\n    return order.send(LIMIT)\n'
    pay = "RETRIES = 3\n\n\ndef charge(card, amount):\n    return card.charge(amount, retries=RETRIES)\n"
    mail = 'def greet(person):\n    return f"Dear {person.name}"\n'
    repo = Repo(folder / "shop")
    repo.commit(
        "Open the shop", {"src/checkout/api.py": send, "src/payment/card.py": pay, "src/mail/letter.py": mail}
    )
    for number in range(4):
        repo.commit("Word the letter", {"src/mail/letter.py": f"{mail}SIGN = {number}\n"})
    repo.commit("Charge in euros", {"src/payment/card.py": f'{pay}CURRENCY = "EUR"\n'})
    asked = {
        "orders-are-sent-once": ("Orders are sent once", "`submit` sends an order once: a second call returns None", "checkout"),
        "charge-three-times": ("A card is charged three times at most", "`charge` tries `RETRIES` times; 그 뒤에는 사람이 본다", "payment"),
    }  # fmt: skip
    for name, (title, summary, part) in asked.items():
        scope = f"{{paths: [src/{part}/**], does_not_apply_to: [none]}}"
        repo.write(path_of(name), memory(name, f'"{summary}"', title=title, scope=scope))
    _said(repo, "map", "--draft")
    repo.commit("Remember what must hold")
    repo.git("switch", "-q", "-c", "give-back")
    repo.commit("Return the order that was sent", {"src/checkout/api.py": send.replace("None", "order")})
    return repo


def _said(repo: Repo, *words: str) -> str:
    """What a command prints on a terminal, on a day that is always the same."""
    with patch(f"gitmem.cli.{words[0]}.today", lambda: _TODAY):
        done = gitmem(*words, at=repo.path, environment={"COLUMNS": str(COLUMNS)}, terminal=True)
    assert done.code == 0, done.err
    return done.out


def drawn(folder: Path) -> dict[str, str]:
    """Every picture by its name.

    Args:
        folder: Where the project is made.
    """
    repo = shop(folder)
    return {
        name: picture(f"gitmem {' '.join(words)}", _said(repo, *words)) for name, words in PICTURES.items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        for name, text in drawn(Path(place)).items():
            (FOLDER / name).write_text(text, "utf-8")
