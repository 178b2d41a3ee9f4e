from __future__ import annotations

import pytest

from gitmem.model.element import Element, Elements, Level
from gitmem.store.elements import parse_elements

TEXT = """
version: 1
adr: [decisions]
elements:
  Shop: {level: system, paths: ["src/**"]}
  ApiGateway:
    level: container
    paths: [gateway/**, proxy/**]
    description: Routes requests.
    tags: [edge]
    inside: Shop
  결제: [src/payment/**]
"""


def test_elements_have_names_levels_and_paths() -> None:
    parsed = parse_elements("e.yaml", TEXT.encode())
    assert parsed.problems == ()
    assert parsed.elements == Elements(
        (
            Element("Shop", Level.SYSTEM, ("src/**",)),
            Element(
                "ApiGateway",
                Level.CONTAINER,
                ("gateway/**", "proxy/**"),
                "Routes requests.",
                ("edge",),
                "Shop",
            ),
            Element("결제", paths=("src/payment/**",)),
        ),
        ("decisions",),
    )


def test_names_expand_to_paths_each_once() -> None:
    elements = parse_elements("e.yaml", TEXT.encode()).elements
    assert elements is not None
    assert elements.paths_of(["결제", "ApiGateway", "결제", "nobody"]) == (
        "gateway/**",
        "proxy/**",
        "src/payment/**",
    )
    assert elements.named("Shop") == Element("Shop", Level.SYSTEM, ("src/**",))
    assert elements.named("nobody") is None


def test_an_empty_file_has_no_elements_and_the_usual_decision_folders() -> None:
    assert parse_elements("e.yaml", b"version: 1\n").elements == Elements()
    assert Elements().adr == ("docs/adr", "docs/decisions", "doc/adr")


@pytest.mark.parametrize(
    ("text", "severity", "words"),
    [
        ("version: 1\nelements: {A: {level: componnt}}", "error", "unknown elements.A.level componnt"),
        ("version: 1\nelements: {A: {paths: ['[']}}", "error", "'[' is no path pattern"),
        ("version: 1\nelements:\nlevel: system", "error", "level belongs under its element"),
        ("version: 1\nelements: {A: [a], A: [b]}", "error", "A is given twice"),
        ("version: 9", "error", "version 9 is not known"),
        ("version: 1\nelements: {A: {pats: [a]}}", "warning", "unknown field pats in A"),
        ("version: 1\nelements: {A: {inside: B}}", "warning", "A is inside B, which is no element"),
    ],
)
def test_faults(text: str, severity: str, words: str) -> None:
    parsed = parse_elements("e.yaml", text.encode())
    assert (severity, True) in [(one.severity, words in one.message) for one in parsed.problems]
    assert (parsed.elements is None) == (severity == "error")


@pytest.mark.parametrize(
    ("inside", "messages"),
    [
        ({"A": "A"}, ["a circle: A inside A"]),
        ({"A": "B", "B": "C", "C": "A", "D": "A"}, ["a circle: A inside B inside C inside A"]),
        ({"A": "B", "B": "D", "C": "D", "D": ""}, []),
    ],
)
def test_a_circle_of_elements_inside_one_another_is_told_once(
    inside: dict[str, str], messages: list[str]
) -> None:
    lines = [f"  {name}: {{paths: [x], inside: '{holder}'}}" for name, holder in inside.items()]
    parsed = parse_elements("e.yaml", "\n".join(["version: 1", "elements:", *lines, ""]).encode())
    assert [one.message for one in parsed.problems] == messages
    assert parsed.elements is not None
