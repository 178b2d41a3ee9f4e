"""Reports in JUnit XML, and what is no report."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import InvalidDataError
from gitmem.results.junit_xml import LARGEST, read_junit
from gitmem.results.outcome import FailingTest
from gitmem.results.reading import names

OUTPUTS = Path(__file__).parent / "outputs"


def test_pytest_names_are_those_that_it_prints() -> None:
    found = read_junit((OUTPUTS / "pytest-junit.xml").read_bytes())
    assert names(found.failing) == [
        "test_a.py::test_bad",
        "test_a.py::test_p[a - b]",
        "test_a.py::test_p[c[d] - e]",
        "test_a.py::test_e",
        "test_a.py::TestC::test_m",
    ]
    assert found.passing == ("test_a.py::test_ok",)
    assert found.counts == {"passed": 1, "failed": 4, "errors": 1}


SUREFIRE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="shop.CartTest" tests="3" errors="1" failures="1">
  <properties><property name="a" value="b"/></properties>
  <testcase name="adds" classname="shop.CartTest" time="0.01"/>
  <testcase name="중복 제출" classname="shop.CartTest" time="0.01">
    <failure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="org.opentest4j.AssertionFailedError">trace</failure>
    <system-out>noise</system-out>
  </testcase>
  <testcase name="connects" classname="shop.CartTest">
    <error type="java.net.ConnectException">
java.net.ConnectException: Connection refused
	at x</error>
  </testcase>
  <testcase name="later" classname="shop.CartTest"><skipped/></testcase>
</testsuite>"""


def test_surefire() -> None:
    found = read_junit(SUREFIRE.encode())
    assert found.failing == (
        FailingTest("shop.CartTest.중복 제출", "expected: <1> but was: <2>"),
        FailingTest("shop.CartTest.connects", "java.net.ConnectException"),
    )
    assert found.counts == {"passed": 1, "failed": 1, "errors": 1, "skipped": 1}


def test_a_reason_that_stands_in_the_text() -> None:
    text = '<testsuite><testcase name="a" file="b.js"><failure>\n  first\nsecond</failure></testcase></testsuite>'
    assert read_junit(text.encode()).failing == (FailingTest("a", "first", "b.js"),)


BOMB = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><testsuite>&b;</testsuite>'
EXTERNAL = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><testsuite/>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("text", [BOMB, EXTERNAL, "<!DOCTYPE testsuite><testsuite/>"])
def test_a_document_type_is_refused_in_any_encoding(text: str, encoding: str) -> None:
    with pytest.raises(InvalidDataError, match="document type declaration"):
        read_junit(text.encode(encoding))


@pytest.mark.parametrize(
    "data", [b"", b"no xml", b"<testsuite>", b"<a/><b/>", b"\xff\xfe\x00", b"<a>&x;</a>"]
)
def test_what_is_no_xml_is_named(data: bytes) -> None:
    with pytest.raises(InvalidDataError, match=r"target/a\.xml: no XML"):
        read_junit(data, "target/a.xml")


def test_one_that_is_too_large_is_not_read() -> None:
    with pytest.raises(InvalidDataError, match="too many"):
        read_junit(bytes(LARGEST + 1))


def test_deep_nesting_is_read() -> None:
    assert read_junit(b"<a>" * 100_000 + b"</a>" * 100_000).failing == ()
