"""What test tools print, read back: outputs as the tools really wrote them, in `outputs/` or here."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.results.outcome import NOTHING, FailingTest, Outcome
from gitmem.results.plain import plain_log, plain_text, tail
from gitmem.results.reading import error_lines, merge, names, read_output, with_report

OUTPUTS = Path(__file__).parent / "outputs"


def output(name: str) -> Outcome:
    return read_output(plain_text((OUTPUTS / name).read_bytes()))


def test_pytest_with_workers() -> None:
    found = output("pytest-xdist.txt")
    assert names(found.failing) == [
        "test_a.py::test_p[a - b]",
        "test_a.py::test_bad",
        "test_a.py::TestC::test_m",
        "test_a.py::test_p[c[d] - e]",
        "test_b.py",
        "test_a.py::test_e",
    ]
    assert found.failing[1] == FailingTest(
        "test_a.py::test_bad", "AssertionError: Permission denied", "test_a.py"
    )
    assert found.failing[4].reason == "ModuleNotFoundError: No module named 'nonesuch_mod'"
    assert (found.tool, found.passing, found.counts) == (
        "pytest",
        ("test_a.py::test_ok",),
        {"passed": 1, "failed": 4, "errors": 2},
    )


def test_pytest_without_its_summary() -> None:
    found = output("pytest-no-summary.txt")
    assert sorted(names(found.failing)) == [
        "test_a.py::TestC::test_m",
        "test_a.py::test_bad",
        "test_a.py::test_e",
        "test_a.py::test_p[a - b]",
        "test_a.py::test_p[c[d] - e]",
    ]
    assert found.counts == {"passed": 1, "failed": 4, "errors": 1}


@pytest.mark.parametrize(
    ("text", "counts", "crash"),
    [
        ("...  [100%]\n3 passed in 0.01s\n", {"passed": 3, "failed": 0}, ""),
        ("===== 1 failed, 2 passed, 1 xfailed, 3 warnings in 71.20s (0:01:11) =====\n", {"passed": 2, "failed": 1}, ""),
        ("\nno tests ran in 0.01s\n", {"passed": 0, "failed": 0}, "no tests ran"),
        (
            "ERROR: usage: python -m pytest [options]\npython -m pytest: error: unrecognized arguments: --cov\n  inifile: None\n",
            {},
            "python -m pytest: error: unrecognized arguments: --cov",
        ),
        (
            "INTERNALERROR>   File \"c.py\", line 1\nINTERNALERROR> KeyError: 'x'\n\n===== no tests ran in 0.01s =====\n",
            {"passed": 0, "failed": 0},
            "",
        ),
    ],
)  # fmt: skip
def test_what_pytest_ends_with(text: str, counts: dict[str, int], crash: str) -> None:
    found = read_output(text)
    assert (found.tool, dict(found.counts)) == ("pytest", counts)
    assert found.crash == (crash or found.crash)
    assert bool(found.crash) == (bool(crash) or "INTERNALERROR" in text)


def test_unittest() -> None:
    found = output("unittest.txt")
    assert [(one.name, one.reason) for one in found.failing] == [
        ("test_u.T.test_b", "OSError: x"),
        ("test_u.T.test_a", "AssertionError: 1 != 2"),
    ]
    assert found.counts == {"passed": 1, "failed": 1, "errors": 1}


GO = """\
=== RUN   TestAdd
--- PASS: TestAdd (0.00s)
=== RUN   TestTable
=== RUN   TestTable/empty_name
    table_test.go:21: got 3, want 4
--- FAIL: TestTable (0.01s)
    --- FAIL: TestTable/empty_name (0.00s)
        table_test.go:21: got 3, want 4
    --- PASS: TestTable/long (0.00s)
FAIL
FAIL\texample.com/shop/cart\t0.012s
ok  \texample.com/shop/price\t(cached)
# example.com/shop/tax [example.com/shop/tax.test]
tax/tax_test.go:9:2: undefined: rate
FAIL\texample.com/shop/tax [build failed]
?   \texample.com/shop/cmd\t[no test files]
FAIL
"""


def test_go() -> None:
    found = read_output(GO)
    assert found.failing == (
        FailingTest("example.com/shop/cart.TestTable/empty_name", "got 3, want 4", "table_test.go"),
        FailingTest("example.com/shop/tax", "build failed"),
    )
    assert "example.com/shop/cart.TestAdd" in found.passing


GO_JSON = """\
{"Time":"2026-07-13T09:28:00Z","Action":"start","Package":"example.com/shop"}
{"Action":"run","Package":"example.com/shop","Test":"TestTax"}
{"Action":"output","Package":"example.com/shop","Test":"TestTax","Output":"    tax_test.go:7: want 세금\\n"}
{"Action":"fail","Package":"example.com/shop","Test":"TestTax","Elapsed":0.01}
{"Action":"pass","Package":"example.com/shop","Test":"TestAdd","Elapsed":0}
{"Action":"fail","Package":"example.com/shop","Elapsed":0.02}
{"Action":"fail","Package":"example.com/broken","Elapsed":0}
"""


def test_go_as_json() -> None:
    found = read_output(GO_JSON)
    assert found.failing == (
        FailingTest("example.com/shop.TestTax", "want 세금", "tax_test.go"),
        FailingTest("example.com/broken"),
    )
    assert found.passing == ("example.com/shop.TestAdd",)


def test_cargo() -> None:
    found = output("cargo.txt")
    assert [(one.name, one.file) for one in found.failing] == [
        ("tests::sp", ""),
        ("tests::bad", "src/lib.rs"),
        ("works", "tests/it.rs"),
        ("src/lib.rs - f (line 1)", ""),
    ]
    assert found.failing[1].reason == "assertion `left == right` failed: no: 5"
    assert found.counts == {"passed": 1, "failed": 4, "skipped": 1}


def test_nextest() -> None:
    text = (
        "    Starting 2 tests across 1 binary\n"
        "        PASS [   0.005s] shop cart::adds\n"
        "        FAIL [   0.006s] (2/2) shop::it price::rounds\n"
        "     Summary [   0.012s] 2 tests run: 1 passed, 1 failed, 0 skipped\n"
    )
    assert names(read_output(text).failing) == ["shop::it price::rounds"]


@pytest.mark.parametrize("name", ["jest.txt", "jest-verbose.txt"])
def test_jest(name: str) -> None:
    found = output(name)
    assert found.failing == (
        FailingTest(
            "./a.test.js › cart › subtracts",
            "expect(received).toBe(expected) // Object.is equality",
            "./a.test.js",
        ),
        FailingTest("./b.test.js", "Cannot find module 'nonesuch' from 'b.test.js'", "./b.test.js"),
    )
    assert found.counts == {"passed": 1, "failed": 1}


def test_jest_lists_what_passed_as_it_lists_what_failed() -> None:
    assert output("jest-verbose.txt").passing == ("./a.test.js › cart › adds",)


def test_vitest_in_colours() -> None:
    found = output("vitest.txt")
    assert names(found.failing) == ["w.spec.mjs", "v.spec.mjs > cart > subtracts"]
    assert found.failing[1].reason == "AssertionError: expected 1 to be 2 // Object.is equality"


def test_the_protocol_of_node_and_bats() -> None:
    found = output("node-tap.txt")
    assert (names(found.failing), found.passing) == (["subtracts"], ("adds",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "FAILED to reach the server\n",
        "ERROR something\nmake: *** [Makefile:2: all] Error 1\n",
        "3 errors found in 0.2s\n",
        "ok 12 of 13 files copied\n",
    ],
)
def test_other_output_is_no_test_result(text: str) -> None:
    assert read_output(text).failing == ()


@settings(max_examples=40)
@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(read_output(text), Outcome)


@pytest.mark.parametrize(
    "unit",
    [
        "\x1b]",
        "____ a ____\n",
        "FAILED a.py::b\n____ b ____\n",
        "_" * 50,
        "FAILED a.py::b[" * 5,
        "--- FAIL: T (0.00s)\n",
        " - ",
        "1 passed, ",
        "● \n",
    ],
)
def test_long_hostile_output_is_read_in_linear_time(unit: str) -> None:
    """It takes a part of a second; a quadratic reader would take minutes."""
    raw = (unit * (600_000 // len(unit))).encode()
    assert isinstance(read_output(plain_text(raw)), Outcome)


def test_several_tools_in_one_output_are_added_up() -> None:
    found = merge([output("jest.txt"), output("unittest.txt")])
    assert len(found.failing) == 4
    assert found.counts == {"passed": 2, "failed": 2, "errors": 1}
    assert merge([]) == NOTHING


def test_a_report_makes_printed_results_exact() -> None:
    report = Outcome("junit", (FailingTest("a.py::x"),), ("a.py::y",), {"passed": 1, "failed": 1})
    assert with_report(NOTHING, report) == report
    printed = Outcome("pytest", (FailingTest("a.py::X"),), (), {"passed": 1, "failed": 1}, "crashed")
    joined = with_report(printed, report)
    assert (names(joined.failing), joined.passing, joined.crash) == (["a.py::X"], ("a.py::y",), "crashed")
    assert with_report(printed, NOTHING) == printed


def test_error_lines_of_a_compiler() -> None:
    text = "building\nsrc/a.c:3:5: error: expected ';'\n  x\nwarning: unused\nmake: *** [Makefile:2: all] Error 1\n"
    assert error_lines(text) == ("src/a.c:3:5: error: expected ';'", "make: *** [Makefile:2: all] Error 1")


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (b"\x1b[31mred\x1b[0m \x1b]0;title\x07text\r\n", b"red text\n"),
        (b"10%\r20%\r\r\n", b"10%\n20%\n"),
        (b"a\x00b\xff\x08", b"ab\xff"),
        ("한글\x1b(B 日本\n".encode(), "한글 日本\n".encode()),
    ],
)
def test_terminal_control_is_left_out(raw: bytes, plain: bytes) -> None:
    assert plain_log(raw) == plain


@given(st.binary(max_size=200))
def test_plain_stays_plain(raw: bytes) -> None:
    once = plain_log(raw)
    assert not set(once) & (set(range(32)) - {9, 10, 27})
    assert b"\r" not in once


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("one\ntwo\n", 100, "one\ntwo"),
        ("one\ntwo\nthree", 8, "three"),
        ("가나다라마바", 3, "라마바"),
        ("abc", 0, ""),
    ],
)
def test_the_tail_of_a_text(text: str, limit: int, kept: str) -> None:
    assert tail(text, limit) == kept
