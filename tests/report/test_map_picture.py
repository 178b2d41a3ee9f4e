"""What is written in the cells of the map's picture."""

from __future__ import annotations

from gitmem.knowledge_map.cells import Cell
from gitmem.model.element import Element
from gitmem.report.map_picture import draw
from gitmem.report.treemap import Rect


def labels(names: list[str], frame: Rect) -> list[str]:
    cells = [Cell(Element(name, paths=(f"src/{name}/**",)), 4, (), 0, None) for name in names]
    return [one.label for one in draw(cells, [()] * len(cells), frame)]


def test_neighbours_whose_names_begin_alike_are_told_apart_by_their_ends() -> None:
    names = ["Shop.Hosting.Redis", "Shop.Hosting.Kafka", "Shop.Hosting.결제", "Mail"]
    *cut, mail = labels(names, Rect(0, 0, 180, 120))
    assert [(one[0], one.rpartition(".")[2]) for one in cut] == [
        ("…", "Redis"),
        ("…", "Kafka"),
        ("…", "결제"),
    ]
    assert mail == "Mail"


def test_a_name_that_begins_like_no_other_keeps_its_beginning() -> None:
    long, mail = labels(["Authentication service", "Mail"], Rect(0, 0, 180, 60))
    assert (long[:6], long[-1], mail) == ("Authen", "…", "Mail")
