from __future__ import annotations

import pytest

from gitmem.model.link import decision_number, is_decision, links_in, same_name


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("see [[Api Gateway]] and [[ADR-17|why]].", ["Api Gateway", "ADR-17"]),
        ("[[결제 흐름]]", ["결제 흐름"]),
        ("if [[ -f x ]]; then", []),
        ("`[[Code]]` and ``a ` [[Code]]`` but [[Text]]", ["Text"]),
        ("```sh\n[[Code]]\n```\n[[Text]]", ["Text"]),
        ("~~~\n[[Code]]\n~~~\n[[Text]]", ["Text"]),
        ("[[]] [[ ]] [[a\nb]] [[a[b]] [a]", []),
        ("[[|x]]", []),
    ],
)
def test_links(text: str, targets: list[str]) -> None:
    found = list(links_in(text))
    assert [link.target for link in found] == targets
    assert all(text.startswith(f"[[{link.target}", link.start) for link in found)


@pytest.mark.parametrize(
    ("target", "number"), [("ADR-17", 17), ("adr 0017", 17), ("ADR17", 17), ("ADR-x", None), ("Cadr-1", None)]
)
def test_a_link_may_name_a_decision(target: str, number: int | None) -> None:
    assert decision_number(target) == number


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("docs/adr/0017-use-x.md", True),
        ("docs/adr/ADR-17.md", True),
        ("docs/adr/adr_017_x.md", True),
        ("docs/adr/old/17.md", True),
        ("docs/adr/0171-use-x.md", False),
        ("docs/adr/use-17.md", False),
        ("docs/other/0017-use-x.md", False),
        ("docs/adrs/0017.md", False),
    ],
)
def test_a_decision_lies_in_its_folder_and_leads_with_its_number(path: str, found: bool) -> None:
    assert is_decision(path, 17, ("docs/adr/",)) is found


def test_names_are_the_same_to_a_reader_after_folding() -> None:
    assert same_name("Café  Rules", "cafe\u0301 rules")
    assert not same_name("a", "b")
