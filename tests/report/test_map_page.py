"""The map's page: what it says, that no text in it is more than text, and how it behaves in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from gitmem.model.element import Element, Level
from gitmem.model.memory import Kind
from gitmem.report.map_page import render_page
from gitmem.usecases.map import Mapped
from tests.support.browser import browser, has_east_asian_letters
from tests.support.maps import TODAY, known, mapped
from tests.support.payloads import PAYLOADS

NAMES = ("Checkout", "결제", "支払い", "配送")


def sample() -> Mapped:
    elements = [Element(name, paths=(f"src/{name}/**",), description=f"About {name}") for name in NAMES]
    elements += [
        Element("web", Level.CONTAINER, ("web/**",)),
        Element("web/cart", paths=("web/cart/**",), inside="web"),
    ]
    paths = [f"src/{name}/{number}" for at, name in enumerate(NAMES) for number in range(9 * at + 5)]
    paths += [f"web/cart/{number}" for number in range(8)] + ["web/a", "web/b"]
    memories = [
        known(
            "retry-key",
            paths=["src/Checkout/**"],
            title="Retries keep the key",
            summary="결제 키는 한 번만 쓴다",
            kind=Kind.PITFALL,
        ),
        known(
            "old", elements=["결제"], days=200, status="challenged", warning="VERIFY — api.py rewritten 61%"
        ),
    ]
    return mapped(elements, paths, memories, {"配送": 30, "支払い": 2, "Checkout": 5})


def many(count: int) -> Mapped:
    elements = [Element(f"element-{number}", paths=(f"e{number}/**",)) for number in range(count)]
    paths = [f"e{number}/{file}" for number in range(count) for file in range(1 + number % 17)]
    memories = [
        known(f"m-{number}", paths=[f"e{number}/**"], days=number % 300) for number in range(0, count, 3)
    ]
    return mapped(elements, paths, memories, {f"element-{number}": number % 50 for number in range(count)})


def hostile() -> Mapped:
    """Each payload as an element, in every field that a repository fills."""
    elements, memories = [], []
    for number, text in enumerate(PAYLOADS):
        name = f"{text}{number}"
        inside = f"{PAYLOADS[number - 1]}{number - 1}" if number % 5 == 4 else None
        elements.append(
            Element(name, paths=(f"p{number}/**",), description=text, tags=(text,), inside=inside)
        )
        one = known(text, elements=[name], title=text, summary=text, warning=text, file=text)
        memory = replace(one.memory, body=text, aliases=(text,))
        memories.append(replace(one, memory=memory, status="challenged"))
    files = [f"p{number}/a" for number in range(len(PAYLOADS))]
    drawn = mapped(elements, files, memories, churn_problem=PAYLOADS[0])
    cells = [
        replace(cell, element=replace(cell.element, paths=(text,)))
        for cell, text in zip(drawn.map.cells, PAYLOADS, strict=True)
    ]
    return replace(drawn, map=replace(drawn.map, cells=tuple(cells)))


class Tags(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_page_has_what_is_known_and_the_policy_lets_nothing_else_run() -> None:
    page = render_page(sample(), today=TODAY)
    for text in (
        "2 of 6 elements documented",
        "Retries keep the key",
        "결제 키는 한 번만 쓴다",
        "rewritten 61%",
    ):
        assert text in page
    policy = next(found["content"] for tag, found in Tags(page).found if found.get("http-equiv"))
    assert policy is not None
    assert "default-src 'none'" in policy
    assert not re.search(r"unsafe|https?:|\*", policy)


def test_no_payload_becomes_markup() -> None:
    assert len(PAYLOADS) >= 60
    plain, evil = (Tags(render_page(one, today=TODAY)).found for one in (sample(), hostile()))
    assert {tag for tag, _ in evil} <= {tag for tag, _ in plain}
    assert {name for _, found in evil for name in found} <= {name for _, found in plain for name in found}
    assert [tag for tag, _ in evil].count("script") == 1
    assert all(re.fullmatch(r"#e\d+", found["href"] or "") for tag, found in evil if "href" in found)
    text = render_page(hostile(), today=TODAY)
    assert not re.search(r"[\x00\x1b\u202e\u2066\u2028\ufeff]", text)


def test_an_empty_map_says_so() -> None:
    page = render_page(mapped([]), today=TODAY)
    assert "There is no element to show" in page
    assert "<svg" not in page


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def window(chromium: Browser) -> BrowserContext:
    return chromium.new_context()


class Shown:
    """A page in a tab, with all that it asked for and complained of."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda one: self.requests.append(one.url))
        page.on("console", lambda one: self.complaints.append(one.text))
        page.on("pageerror", lambda one: self.complaints.append(str(one)))
        page.on("dialog", lambda one: self.complaints.append(one.message))
        self.page.goto(file.as_uri())

    def focused(self) -> str:
        return str(
            self.page.evaluate(
                "document.activeElement.getAttribute('aria-label') || document.activeElement.id"
            )
        )

    def lit(self) -> int:
        return self.page.locator("svg.wide .cell:not(.off)").count()


def show(window: BrowserContext, folder: Path, one: Mapped, *, width: int = 1280, height: int = 900) -> Shown:
    file = folder / "map.html"
    file.write_text(render_page(one, today=TODAY), encoding="utf-8")
    page = window.new_page()
    page.set_viewport_size({"width": width, "height": height})
    return Shown(page, file)


def test_a_click_or_the_keyboard_opens_what_is_known(window: BrowserContext, tmp_path: Path) -> None:
    shown = show(window, tmp_path, sample())
    page, panel = shown.page, shown.page.locator("#panel")
    page.locator("svg.wide .cell", has_text="Checkout").click()
    assert "Retries keep the key" in panel.inner_text()
    page.keyboard.press("Escape")
    assert (panel.is_visible(), shown.focused().split(":")[0]) == (False, "Checkout")
    page.keyboard.press("Enter")
    assert (panel.is_visible(), shown.focused()) == (True, "Element")
    page.locator("#close").click()
    assert not panel.is_visible()
    page.locator("svg.wide .cell", has_text="配送").click()
    assert "Nobody has written a word about it yet" in panel.inner_text()
    page.locator("h1").click()
    assert not panel.is_visible()
    assert (shown.complaints, len(shown.requests)) == ([], 1)


def test_arrows_reach_every_element_and_tab_stops_once(window: BrowserContext, tmp_path: Path) -> None:
    shown = show(window, tmp_path, sample())
    page = shown.page
    assert page.locator('svg.wide .cell[tabindex="0"]').count() == 1
    page.locator("#state").focus()
    page.keyboard.press("Tab")
    reached, waiting = {shown.focused()}, [shown.focused()]
    while waiting:
        start = waiting.pop()
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
            page.evaluate(
                "label => [...document.querySelectorAll('svg.wide .cell')].find(one => one.getAttribute('aria-label') === label).focus()",
                start,
            )
            page.keyboard.press(key)
            if shown.focused() not in reached:
                reached.add(shown.focused())
                waiting.append(shown.focused())
    assert {label.split(":")[0] for label in reached} == {*NAMES, "web", "web/cart"}


def test_the_filter_narrows_picture_and_list(window: BrowserContext, tmp_path: Path) -> None:
    shown = show(window, tmp_path, sample())
    page = shown.page
    page.keyboard.press("/")
    assert shown.focused() == "filter"
    page.keyboard.type("한 번만")
    assert (shown.lit(), page.locator("#found").inner_text()) == (1, "1 of 6")
    assert page.locator("details:visible").count() == 1
    page.keyboard.press("Enter")
    assert shown.focused().startswith("Checkout:")
    page.keyboard.press("Escape")
    assert shown.lit() == 6
    for state, count in (("gap", 4), ("known", 2), ("verify", 1)):
        page.select_option("#state", state)
        assert shown.lit() == count
    page.fill("#filter", "nothing has this")
    assert shown.lit() == 0


def test_a_thousand_elements_fit_their_picture(window: BrowserContext, tmp_path: Path) -> None:
    shown = show(window, tmp_path, many(1000))
    smallest, outside = shown.page.evaluate(
        """() => {
          const frame = document.querySelector("svg.wide").getBoundingClientRect();
          const all = [...document.querySelectorAll("svg.wide .cell > rect:first-of-type")].map(one => one.getBoundingClientRect());
          return [Math.min(...all.map(one => Math.min(one.width, one.height))),
            all.filter(one => one.left < frame.left - 3 || one.right > frame.right + 3 || one.bottom > frame.bottom + 3).length];
        }"""
    )
    assert (smallest > 5, outside) == (True, 0)
    shown.page.fill("#filter", "element-999")
    assert shown.lit() == 1
    assert shown.complaints == []


def test_a_phone_shows_the_tall_picture_without_scrolling_sideways(
    window: BrowserContext, tmp_path: Path
) -> None:
    for one in (sample(), hostile()):
        shown = show(window, tmp_path, one, width=360, height=740)
        assert shown.page.locator("svg.tall").is_visible()
        assert shown.page.locator("svg:visible").count() == 1
        shown.page.locator("svg.tall .cell").last.click()
        assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_korean_japanese_and_chinese_are_drawn_with_real_glyphs(
    window: BrowserContext, tmp_path: Path
) -> None:
    if not has_east_asian_letters():
        pytest.skip("no font for Korean on this machine: apt-get install fonts-noto-cjk")
    shown = show(window, tmp_path, sample())
    drawn = shown.page.evaluate(
        """letters => letters.map(letter => {
          const canvas = document.createElement("canvas");
          const pen = canvas.getContext("2d");
          pen.font = "32px " + getComputedStyle(document.body).fontFamily;
          pen.fillText(letter, 4, 40);
          return [...pen.getImageData(0, 0, 60, 60).data].join();
        })""",
        ["결", "제", "払", "配", "\uf8fe"],
    )
    assert len(set(drawn)) == len(drawn)


def test_no_payload_runs_or_leaves_in_a_real_browser(window: BrowserContext, tmp_path: Path) -> None:
    shown = show(window, tmp_path, hostile())
    page = shown.page
    for cell in page.locator("svg.wide .cell").all()[::7]:
        cell.dispatch_event("click")
    page.fill("#filter", PAYLOADS[0])
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate(
        "window.hit === undefined && document.scripts.length === 1 && !document.images.length"
    )
    assert (shown.complaints, len(shown.requests)) == ([], 1)


def test_without_scripts_and_on_paper_the_list_tells_all(
    chromium: Browser, window: BrowserContext, tmp_path: Path
) -> None:
    shown = show(window, tmp_path, sample()).page
    still = chromium.new_page(java_script_enabled=False)
    still.goto(shown.url)
    still.locator("details", has_text="Checkout").first.locator("summary").click()
    assert still.get_by_text("Retries keep the key").is_visible()
    shown.emulate_media(media="print")
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert shown.get_by_text("Retries keep the key").is_visible()
    assert not shown.locator("#filter").is_visible()
    shown.evaluate("dispatchEvent(new Event('afterprint'))")
    assert shown.locator("details[open]").count() == 0


def test_words_stand_out_from_their_ground_in_light_and_dark(window: BrowserContext, tmp_path: Path) -> None:
    shown = show(window, tmp_path, many(60)).page
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        worst = shown.evaluate(
            """() => {
              const light = (text) => {
                const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map(one => one / 255)
                  .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const ratio = (one, other) => { const [a, b] = [light(one), light(other)].sort(); return (b + 0.05) / (a + 0.05); };
              const cells = [...document.querySelectorAll("svg.wide .cell:not(.gap)")].filter(one => one.querySelector("text"));
              return Math.min(...cells.map(one => ratio(getComputedStyle(one.querySelector("text")).fill,
                getComputedStyle(one.querySelector("rect")).fill)));
            }"""
        )
        assert worst >= 4.5
