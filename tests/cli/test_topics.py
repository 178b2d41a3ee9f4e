"""Concepts in one screen each: true, short, and named by the command that shows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gitmem.cli.concepts import topics
from tests.support.cli import gitmem
from tests.test_docs import known_words

NAMES = topics()
_ROWS, _COLUMNS = 26, 80


def text_of(topic: str, at: Path) -> str:
    done = gitmem("help", topic, at=at)
    assert done.code == 0
    return done.out


@pytest.mark.parametrize("topic", NAMES)
def test_a_concept_fits_on_a_screen(topic: str, tmp_path: Path) -> None:
    lines = text_of(topic, tmp_path).splitlines()
    assert len(lines) <= _ROWS
    assert max(map(len, lines)) <= _COLUMNS


@pytest.mark.parametrize("topic", NAMES)
def test_a_concept_names_only_commands_and_options_that_exist(topic: str, tmp_path: Path) -> None:
    text = text_of(topic, tmp_path)
    words = {first for first, *_ in known_words()}
    for line in re.findall(r"^ {4}gitmem .*$", text, re.MULTILINE):
        command = line.split()[1]
        assert command in words, line
        inner = [word for word in line.split()[2:3] if (command, word) in known_words()]
        help_ = gitmem(command, *inner, "--help", at=tmp_path).out
        assert [
            option for option in re.findall(r"(?<=\s)--[a-z-]+", line.split(" -- ")[0]) if option not in help_
        ] == []
    assert set(re.findall(r"gitmem help ([a-z]+)", text)) <= set(NAMES)


@pytest.mark.parametrize("topic", NAMES)
def test_a_setting_that_a_concept_names_is_read_somewhere(topic: str, tmp_path: Path) -> None:
    source = "".join(file.read_text("utf-8") for file in (Path(__file__).parents[2] / "gitmem").rglob("*.py"))
    for name in re.findall(r"gitmem\.[a-z]+[A-Z]\w+", text_of(topic, tmp_path)):
        assert name in source


def test_help_names_every_concept(tmp_path: Path) -> None:
    shown = " ".join(gitmem("help", "--help", at=tmp_path).out.split())
    assert f"Concepts: {', '.join(NAMES)}." in shown
    assert ", ".join(NAMES) in gitmem("help", "nothing", at=tmp_path).err


def test_a_concept_as_data(tmp_path: Path) -> None:
    document = gitmem("help", "trust", "--json", at=tmp_path).document
    assert document["topic"] == "trust"
    assert document["text"].startswith("Approval is a fact of git")
