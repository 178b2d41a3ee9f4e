"""The README's pictures: well-formed, escaped, and what the commands print."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pictures import FOLDER, PICTURES, Piece, drawn, picture, pieces

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"


def lines_of(drawing: str) -> list[str]:
    return ["".join(line.itertext()) for line in ET.fromstring(drawing).iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("plain", [Piece("plain")]),
        ("\x1b[1;31mA\x1b[0m b", [Piece("A", ("bold", "red")), Piece(" b")]),
        ("\x1b[31mA\x1b[32mB\x1b[m", [Piece("A", ("red",)), Piece("B", ("green",))]),
        ("\x1b[2J\x1b]0;x\x07a\x00\ud800", [Piece("0;xa")]),
        ("", []),
    ],
)
def test_colours_become_styles_and_other_sequences_go(line: str, shown: list[Piece]) -> None:
    assert list(pieces(line)) == shown


def test_a_picture_holds_the_text_as_text_and_in_its_columns() -> None:
    drawing = picture("say '<a>'", "\x1b[33m결제 & <script>\x1b[0m end\n")
    assert lines_of(drawing) == ["$ say '<a>'", "결제 & <script> end"]
    assert "<script" not in drawing
    assert '<tspan x="134" class="yellow">' not in drawing
    assert re.search(r'<tspan x="142"> end</tspan>', drawing), (
        "15 columns behind the margin: Korean takes two each"
    )


@given(st.text(), st.text())
def test_any_output_is_well_formed(command: str, output: str) -> None:
    assert len(lines_of(picture(command, output))) == 1 + len(output.splitlines())


def test_the_pictures_are_what_the_commands_print(tmp_path: Path) -> None:
    for name, drawing in drawn(tmp_path).items():
        assert (FOLDER / name).read_text("utf-8") == drawing, "run `python -m tests.pictures`"


def test_the_readme_shows_each_picture_with_words_for_who_cannot_see_it() -> None:
    shown = re.findall(r"!\[([^\]]+)\]\(([^)]+\.svg)\)", (ROOT / "README.md").read_text("utf-8"))
    assert {ROOT / path for _, path in shown} == {FOLDER / name for name in PICTURES}
    assert all(len(words) > 20 for words, _ in shown)
