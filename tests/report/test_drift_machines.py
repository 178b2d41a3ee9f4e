"""The drift report for machines: annotations, Code Quality, SARIF."""

from __future__ import annotations

import json
import re
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from gitmem.model.problem import Problem
from gitmem.model.verdict import DriftReport, Finding, Verdict
from gitmem.report.drift_gitlab import code_quality
from gitmem.report.drift_place import alerts
from gitmem.report.drift_sarif import sarif
from gitmem.report.drift_workflow import format_annotations
from gitmem.report.sanitise import is_unsafe
from tests.support.judgements import STRIPPED, hostile, judged, many, report

V = Verdict
GONE = Finding(V.GONE, "no longer exists", watch="symbol a.py#f", path="a.py")
LINES = Finding(V.CHANGED, "text changed", watch="lines docs/규칙.md:40-58", path="docs/규칙.md")


@pytest.mark.parametrize(
    ("verdict", "finding", "place"),
    [
        (V.CHANGED, STRIPPED, ("gateway/headers.go", 1)),
        (V.CHANGED, LINES, ("docs/규칙.md", 40)),
        (V.GONE, GONE, (".ai/memory/m-1.yaml", 1)),
        (V.REWRITTEN, Finding(V.REWRITTEN, "replaced", path="src/old/"), (".ai/memory/m-1.yaml", 1)),
    ],
)
def test_an_alert_points_at_what_moved_where_it_is_still_there(
    verdict: Verdict, finding: Finding, place: tuple[str, int]
) -> None:
    (alert,) = alerts(report(judged("m-1", verdict, finding)))
    assert (alert.path, alert.line) == place


def test_only_what_is_challenged_is_an_alert_worst_first() -> None:
    found = report(
        judged("m-1", V.CHANGED, STRIPPED),
        judged("m-2", V.FRESH),
        judged("m-3", V.GONE, GONE),
        judged("m-4", V.TOUCHED),
    )
    assert [one.memory for one in alerts(found)] == ["m-3", "m-1"]


def test_what_a_date_challenges_says_so() -> None:
    due = judged(
        "m-1",
        V.FRESH,
        status="challenged",
        challenged_by=("review",),
        warning="VERIFY — review was due 2026-10-13",
    )
    (alert,) = alerts(report(due))
    assert (alert.rule, "review was due 2026-10-13" in alert.message) == ("review", True)


def test_the_fingerprint_holds_while_lines_and_words_move() -> None:
    moved = STRIPPED.__class__(V.CHANGED, "body changed", path="gateway/other.go")
    (one,), (other,) = (alerts(report(judged("m-1", V.CHANGED, each))) for each in (STRIPPED, moved))
    assert one.fingerprint == other.fingerprint
    assert one.fingerprint != alerts(report(judged("m-2", V.CHANGED, moved)))[0].fingerprint


def test_annotations_are_the_ten_worst_and_a_count() -> None:
    lines = format_annotations(many(30, 2))
    assert [line.split(" ")[0] for line in lines] == ["::warning"] * 10 + ["::notice"]
    assert "20 more" in lines[-1]
    assert all("rule=" not in line and ": gone" in line.replace("%3A", ":") for line in lines[:10])


def test_an_annotation_is_one_line_with_its_breaks_escaped() -> None:
    (line,) = format_annotations(report(judged("m-1", V.CHANGED, STRIPPED)))
    assert line == (
        "::warning file=gateway/headers.go,line=1,title=memory m-1%3A changed::"
        "ApiGateway – the gateway strips custom headers longer than 8 KB%0A"
        "gateway/headers.go StripHeaders: signature changed, 61%25 of its lines – 3 commits, last 4f2a91c 2026-07-01 "
        'Kim: "Drop header cap"%0ALook: gitmem confirm m-1'
    )


def test_what_cannot_be_read_or_checked_is_annotated_too() -> None:
    found = report(
        judged("m-1", V.UNKNOWN),
        problems=(Problem(".ai/memory/a.yaml", 3, 1, "", "bad date"),),
        remarks=("history is cut",),
    )
    assert format_annotations(found) == [
        "::error file=.ai/memory/a.yaml,line=3,title=memory file cannot be read::bad date",
        "::notice title=gitmem drift::1 memory could not be checked%0Ahistory is cut",
    ]


def test_nothing_to_say_is_nothing() -> None:
    assert format_annotations(report(judged("m-1", V.FRESH))) == []
    assert code_quality(report(judged("m-1", V.FRESH))) == []
    assert sarif(report(judged("m-1", V.FRESH)))["runs"][0]["results"] == []


def test_code_quality_has_what_gitlab_reads() -> None:
    (entry,) = code_quality(report(judged("m-1", V.GONE, GONE)))
    assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
    assert entry["location"] == {"path": ".ai/memory/m-1.yaml", "lines": {"begin": 1}}
    assert entry["severity"] == "major"


def test_code_quality_tells_what_is_open_behind_what_is_challenged() -> None:
    found = report(
        judged("m-1", V.GONE, GONE),
        judged("m-2", V.UNKNOWN),
        judged("m-3", V.FRESH)._replace(course="unconfirmed"),
        problems=(Problem(".ai/memory/a.yaml", 3, 1, "id", "bad date"),),
    )
    names = [one["check_name"] for one in code_quality(found)]
    assert sorted(names[1:]) == ["memory/unconfirmed", "memory/unknown", "memory/unreadable"]
    assert names[0] == "memory/gone"


def test_sarif_has_a_rule_for_each_result_and_no_empty_text() -> None:
    log = sarif(
        report(judged("m-1", V.GONE, GONE), judged("m-2", V.CHANGED, LINES), remarks=("", "history is cut"))
    )
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[one["ruleIndex"]]["id"] for one in run["results"]] == ["memory/gone", "memory/changed"]
    assert [one["ruleId"] for one in run["results"]] == ["memory/gone", "memory/changed"]
    uri = run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "docs/%EA%B7%9C%EC%B9%99.md"
    assert not re.search(r'"text": ""', json.dumps(log))


@pytest.mark.parametrize("verdict", [V.CHANGED, V.GONE, V.UNKNOWN])
def test_hostile_text_commands_nothing_and_hides_nothing(verdict: Verdict) -> None:
    found = hostile(verdict)
    for line in format_annotations(found):
        assert line.count("::") >= 2
        assert "\n" not in line
        assert "\r" not in line
        assert re.match(r"::(warning|error|notice)( [a-z]+=[^:,]*(,[a-z]+=[^:,]*)*)?::", line)
    for text in (
        json.dumps(code_quality(found), ensure_ascii=False),
        json.dumps(sarif(found), ensure_ascii=False),
    ):
        assert not any(is_unsafe(character) for character in text)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Text(_Strict):
    text: str = Field(min_length=1)
    markdown: str = Field(default="x", min_length=1)


class _Uri(_Strict):
    uri: str = Field(pattern=r"^[A-Za-z0-9%/._~-]+$")
    uri_base: Literal["ROOT"] = Field(alias="uriBaseId")


class _Region(_Strict):
    start_line: int = Field(alias="startLine", ge=1)


class _Physical(_Strict):
    artifact: _Uri = Field(alias="artifactLocation")
    region: _Region


class _Location(_Strict):
    physical: _Physical = Field(alias="physicalLocation")


class _Rule(_Strict):
    id: str
    name: str
    short: _Text = Field(alias="shortDescription")
    full: _Text = Field(alias="fullDescription")
    help: _Text
    configuration: dict[str, Literal["error", "warning", "note"]] = Field(alias="defaultConfiguration")


class _Driver(_Strict):
    name: str
    version: str = Field(alias="semanticVersion", pattern=r"^\d+\.\d+\.\d+")
    rules: list[_Rule]


class _Tool(_Strict):
    driver: _Driver


class _Result(_Strict):
    rule: str = Field(alias="ruleId")
    index: int = Field(alias="ruleIndex", ge=0)
    level: Literal["error", "warning", "note"]
    message: _Text
    locations: list[_Location] = Field(min_length=1, max_length=1)
    fingerprints: dict[Literal["primaryLocationLineHash"], str] = Field(alias="partialFingerprints")
    properties: dict[str, str]


class _Notification(_Strict):
    level: Literal["error", "note"]
    message: _Text
    locations: list[_Location] = []


class _Invocation(_Strict):
    successful: bool = Field(alias="executionSuccessful")
    notifications: list[_Notification] = Field(alias="toolExecutionNotifications")


class _Run(_Strict):
    tool: _Tool
    bases: dict[Literal["ROOT"], dict[Literal["description"], _Text]] = Field(alias="originalUriBaseIds")
    results: list[_Result]
    invocations: list[_Invocation]


class _Log(_Strict):
    """What of SARIF 2.1.0 is used, as its schema has it; GitHub refuses empty texts besides."""

    of: Literal["https://json.schemastore.org/sarif-2.1.0.json"] = Field(alias="$schema")
    version: Literal["2.1.0"]
    runs: list[_Run] = Field(min_length=1, max_length=1)


@pytest.mark.parametrize(
    "found", [hostile(), hostile(V.GONE), many(30, 2), report()], ids=["changed", "gone", "many", "none"]
)
def test_sarif_is_what_its_schema_asks_for(found: DriftReport) -> None:
    _Log.model_validate(sarif(found))
