from __future__ import annotations

import json
import re

import pytest

from gitmem.model.problem import Problem
from gitmem.model.verdict import BaselineHow, Finding, Verdict
from gitmem.report.drift import document, format_text, too_many
from gitmem.report.look import Look
from gitmem.report.problems import problem_line
from gitmem.report.sanitise import is_unsafe
from gitmem.report.width import width
from tests.support.judgements import BASELINE, COMMIT, HEAD, STRIPPED, hostile, judged, many, report

V = Verdict
MOVED = Finding(V.RELOCATED, "moved, content the same", path="src/a.py", new_path="src/b.py")
CALLEE = Finding(V.TOUCHED, "something it calls changed", watch="symbol src/a.py#f", path="src/a.py")


class TestText:
    def test_a_challenged_memory_is_told_in_three_lines(self) -> None:
        assert format_text(report(judged("m-021", V.CHANGED, STRIPPED))) == [
            "CHANGED   m-021  ApiGateway – the gateway strips custom headers longer than 8 KB",
            '          gateway/headers.go  StripHeaders: signature changed, 61% of its lines – 3 commits, last 4f2a91c 2026-07-01 Kim: "Drop header cap"',
            "          look: gitmem confirm m-021",
            "1 checked: 0 touched, 1 challenged",
        ]

    def test_the_worst_comes_first_and_what_is_challenged_before_what_is_not(self) -> None:
        lines = format_text(
            report(
                judged("a", V.UNKNOWN, warning="it has no scope"),
                judged(
                    "b",
                    V.FRESH,
                    status="challenged",
                    challenged_by=("review",),
                    warning="VERIFY — review was due 2026-10-13",
                ),
                judged("c", V.CHANGED, STRIPPED),
                judged("d", V.GONE, STRIPPED),
                judged("e", V.RELOCATED, MOVED),
            )
        )
        assert [line.split()[0:2] for line in lines if not line.startswith(" ")][:-1] == [
            ["GONE", "d"], ["CHANGED", "c"], ["REVIEW", "b"], ["UNKNOWN", "a"], ["RELOCATED", "e"],
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("causes", "word"),
        [
            (("review",), "REVIEW"),
            (("expiry", "review"), "EXPIRED"),
            (("mark",), "MARKED"),
            (("drift", "mark"), "FRESH"),
            (("verifier",), "VERIFY"),
        ],
    )
    def test_what_challenges_without_drift_is_the_headword(self, causes: tuple[str, ...], word: str) -> None:
        one = judged("m", V.FRESH, status="challenged", challenged_by=causes, warning="VERIFY — look")
        assert format_text(report(one))[:2] == [
            f"{word:10}m  ApiGateway – the gateway strips custom headers longer than 8 KB",
            "          VERIFY — look",
        ]

    def test_unknown_says_why(self) -> None:
        with_warning = judged("m", V.UNKNOWN, warning="could not be checked: no scope")
        with_note = judged("m", V.UNKNOWN, notes=("the baseline commit is not here",))
        assert format_text(report(with_warning))[1] == "          could not be checked: no scope"
        assert format_text(report(with_note))[1] == "          the baseline commit is not here"
        assert format_text(report(judged("m", V.UNKNOWN)))[1] == "          it could not be checked"

    def test_relocated_offers_the_patch(self) -> None:
        assert format_text(
            report(
                judged(
                    "m",
                    V.RELOCATED,
                    MOVED,
                    notes=("scope: src/a.py becomes src/b.py",),
                    patch=(("src/a.py", "src/b.py"),),
                )
            )
        )[1:4] == [
            "          src/a.py → src/b.py  moved, content the same",
            "          scope: src/a.py becomes src/b.py",
            "          follow it: gitmem confirm m --apply",
        ]

    def test_touched_is_counted_and_listed_only_when_asked(self) -> None:
        found = report(judged("m", V.TOUCHED, CALLEE), judged("n", V.FRESH))
        assert format_text(found) == [
            "1 touched but not challenged: gitmem drift -v",
            "2 checked: 1 fresh, 1 touched, 0 challenged",
        ]
        assert format_text(found, verbose=True) == [
            "TOUCHED   m  ApiGateway – the gateway strips custom headers longer than 8 KB",
            "          src/a.py  f: something it calls changed",
            "FRESH     n  ApiGateway – the gateway strips custom headers longer than 8 KB",
            "2 checked: 1 fresh, 1 touched, 0 challenged",
        ]

    def test_quiet_tells_the_challenged_alone(self) -> None:
        found = report(judged("m", V.TOUCHED, CALLEE), judged("n", V.CHANGED, STRIPPED), remarks=("shallow",))
        assert [line.split()[0] for line in format_text(found, quiet=True)] == [
            "CHANGED",
            "gateway/headers.go",
            "look:",
        ]
        assert format_text(report(judged("m", V.FRESH)), quiet=True) == []

    def test_nothing_checked_is_said_in_words_and_never_green(self) -> None:
        coloured = Look(colour=True)
        assert format_text(report()) == ["nothing was checked: no memory to check"]
        broken = report(problems=(Problem("a.yaml", 1, 1, "", "bad"), Problem("b.yaml", 1, 1, "", "bad")))
        assert format_text(broken) == ["nothing was checked: 2 files could not be read"]
        assert "\x1b[32m" not in "".join(format_text(report(), coloured))

    @pytest.mark.parametrize(
        ("found", "colour"),
        [
            (report(judged("m", V.FRESH)), "32"),
            (report(judged("m", V.UNKNOWN)), "33"),
            (report(judged("m", V.FRESH), problems=(Problem("a", 0, 0, "", "bad"),)), "33"),
            (report(judged("m", V.GONE)), "31"),
        ],
    )
    def test_the_summary_is_green_only_when_all_is_well(self, found: object, colour: str) -> None:
        assert format_text(found, Look(colour=True))[-1].startswith(f"\x1b[{colour}m")  # type: ignore[arg-type]  # a report

    def test_remarks_and_unreadable_files_are_told_once_at_the_end(self) -> None:
        found = report(
            judged("m", V.FRESH),
            remarks=("history is cut: git fetch --unshallow",),
            problems=(Problem("a", 0, 0, "", "bad"),),
        )
        assert format_text(found) == [
            "note: history is cut: git fetch --unshallow",
            "1 checked: 1 fresh, 0 touched, 0 challenged, 1 file unreadable",
        ]

    def test_a_guessed_baseline_and_a_proposal_are_named(self) -> None:
        lines = format_text(report(judged("m", V.CHANGED, STRIPPED, how=BaselineHow.INFERRED, proposed=True)))
        assert lines[0].startswith("CHANGED   m (proposed)  ApiGateway")
        assert lines[2] == "          look: gitmem confirm m  (baseline inferred)"

    def test_more_findings_than_fit_are_counted(self) -> None:
        more = [Finding(V.CHANGED, "logic changed", path=f"src/{n}.py") for n in range(5)]
        lines = format_text(report(judged("m", V.CHANGED, *more)))
        assert lines[1:5] == [
            "          src/0.py  logic changed",
            "          src/1.py  logic changed",
            "          src/2.py  logic changed",
            "          … 2 more: gitmem drift m --explain",
        ]

    @pytest.mark.parametrize(
        ("finding", "line"),
        [
            (Finding(V.GONE, "no longer exists", watch="ident idArgs"), "idArgs: no longer exists"),
            (Finding(V.GONE, "deleted", watch="file src/a.py", path="src/a.py"), "src/a.py  deleted"),
            (Finding(V.CHANGED, "value changed", watch="key package.json#scripts.lint", path="package.json"), "package.json  scripts.lint: value changed"),
            (Finding(V.CHANGED, "", path="a"), "a  changed"),
            (Finding(V.CHANGED, "f: body changed", watch="symbol a#f", path="a"), "a  f: body changed"),
            (Finding(V.TOUCHED, "src/a.py changed", path="src/a.py"), "src/a.py  changed"),
            (Finding(V.CHANGED, "37% of its lines", path="a", share=0.37), "a  37% of its lines"),
            (Finding(V.CHANGED, "logic", path="a", share=0.001), "a  logic, under 1% of its lines"),
            (Finding(V.CHANGED, "logic", path="a", share=0.0), "a  logic"),
            (Finding(V.CHANGED, "logic", path="a", commit=COMMIT, commits=1), "a  logic – 4f2a91c"),
            (Finding(V.CHANGED, "logic", path="a", commits=4), "a  logic – 4 commits"),
        ],
    )  # fmt: skip
    def test_a_finding_reads_as_a_sentence(self, finding: Finding, line: str) -> None:
        assert format_text(report(judged("m", V.GONE, finding)))[1].strip() == line

    def test_the_label_is_left_out_where_it_says_nothing_more(self) -> None:
        assert format_text(report(judged("m", V.FRESH, label="m")), verbose=True)[0].startswith(
            "FRESH     m  the gateway"
        )


class TestVeryMany:
    @pytest.mark.parametrize(
        ("challenged", "fresh", "answer"), [(9, 0, False), (10, 90, False), (10, 89, True), (30, 100, True)]
    )
    def test_over_a_tenth_and_at_least_ten(self, challenged: int, fresh: int, answer: bool) -> None:
        assert too_many(many(challenged, fresh)) is answer

    def test_proposed_memories_do_not_count(self) -> None:
        assert not too_many(report(*(judged(f"m-{n}", V.GONE, proposed=True) for n in range(20))))

    def test_counts_stand_in_place_of_hundreds(self) -> None:
        assert format_text(many(30, 100)) == [
            "30 of 130 memories challenged at once – scopes too wide or baselines too old, more likely than that many false memories",
            "GONE         20  m-001 m-002 m-004 m-005 m-007 …",
            "CHANGED      10  m-000 m-003 m-006 m-009 m-012 …",
            "each: gitmem drift -v    one: gitmem drift ID --explain",
            "130 checked: 100 fresh, 0 touched, 30 challenged",
        ]

    def test_each_is_still_listed_when_asked_and_in_json(self) -> None:
        assert sum("look: gitmem confirm" in line for line in format_text(many(30, 100), verbose=True)) == 30
        memories = document(many(30, 100))["memories"]
        assert isinstance(memories, list)
        assert len(memories) == 130


class TestTerminal:
    def test_lines_are_cut_by_width_and_who_did_it_moves_below(self) -> None:
        lines = format_text(
            report(judged("m-021", V.CHANGED, STRIPPED, summary="결제 " * 40)), Look(width=84)
        )
        assert all(width(line) <= 84 for line in lines)
        assert lines[0].endswith("…")
        assert lines[1] == "          gateway/headers.go  StripHeaders: signature changed, 61% of its lines"
        assert lines[2] == '          – 3 commits, last 4f2a91c 2026-07-01 Kim: "Drop header cap"'

    def test_colour_changes_no_letter(self) -> None:
        found = report(
            judged("m", V.CHANGED, STRIPPED), judged("n", V.UNKNOWN), judged("o", V.RELOCATED, MOVED)
        )
        coloured = [
            re.sub("\x1b\\[[0-9;]*m", "", line)
            for line in format_text(found, Look(colour=True), verbose=True)
        ]
        assert coloured == format_text(found, verbose=True)
        assert "\x1b[1;31mCHANGED" in format_text(found, Look(colour=True))[0]


class TestHostileText:
    @pytest.mark.parametrize("verdict", list(V))
    @pytest.mark.parametrize("status", ["challenged", "active"])
    def test_nothing_hidden_or_obeyed_reaches_a_terminal(self, verdict: Verdict, status: str) -> None:
        found = hostile(verdict, status)
        lines = [*format_text(found, verbose=True), *map(problem_line, found.problems)]
        assert not any(is_unsafe(character) for line in lines for character in line)
        assert not any(line.lstrip().startswith("::") for line in lines)


class TestDocument:
    def test_is_the_one_of_the_command_line_reference(self) -> None:
        found = report(
            judged("m-021", V.CHANGED, STRIPPED, warning="VERIFY — x"),
            problems=(Problem("a.yaml", 3, 7, "kind", "bad", "good"),),
        )
        assert document(found) == {
            "head": HEAD,
            "checked": 1,
            "summary": {"fresh": 0, "cosmetic": 0, "relocated": 0, "touched": 0, "changed": 1, "rewritten": 0, "gone": 0, "unknown": 0},
            "challenged": 1,
            "memories": [
                {
                    "id": "m-021", "title": "Header limit", "file": ".ai/memory/m-021.yaml", "verdict": "changed",
                    "status": "challenged", "proposed": False, "baseline": {"commit": BASELINE, "how": "recorded"},
                    "validated_at": "2026-06-01",
                    "evidence": [
                        {
                            "watch": "symbol gateway/headers.go#StripHeaders", "verdict": "changed", "reason": "signature changed",
                            "path": "gateway/headers.go", "new_path": None, "line": None, "share": 0.61, "commit": COMMIT, "author": "Kim",
                            "at": "2026-07-01T10:00:00+09:00", "commits": 3, "subject": "Drop header cap",
                            "compared": None,
                        }
                    ],
                    "warning": "VERIFY — x", "notes": [], "challenged_by": ["drift"], "matched": 3, "course": None,
                }
            ],
            "problems": [
                {"file": "a.yaml", "line": 3, "column": 7, "field": "kind", "message": "bad", "hint": "good", "severity": "error"}
            ],
            "remarks": [],
            "history_missing": False,
        }  # fmt: skip

    def test_survives_json(self) -> None:
        found = document(hostile())
        assert json.loads(json.dumps(found)) == found

    def test_a_memory_without_baseline_says_null(self) -> None:
        memories = document(report(judged("m", V.UNKNOWN, baseline=None, how=None)))["memories"]
        assert isinstance(memories, list)
        assert memories[0]["baseline"] == {"commit": None, "how": None}
