"""Yardstick 3 of drift: sentences of real projects, true at one commit, judged at another.

``python -m tests.benchmarks.statements MIRROR CASES.jsonl [--situation full] [--only ID]``

MIRROR is a folder of bare clones (``owner+name`` or ``owner+name/repo``). A case is one JSON object a line: id (P…
falsified, R… moved, N… untouched in substance), repo, statement, scope, commit_a, commit_b, date_a, expected_verdict,
expected_action. Only the statement and the scope become a memory.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.judged import Said, Situation, Trial, bare_clone

MEMORY = "m-case"
KINDS = {"P": "falsified", "R": "moved", "N": "untouched in substance"}
NO_ANSWER = "no answer"
NOTED = frozenset({"touched", "changed", "rewritten", "gone"})


Tally = Counter[tuple[Situation, str, str]]
"""How often by situation, kind and outcome: right, wrong, no answer."""


@dataclass(frozen=True, slots=True)
class Case:
    """One statement with the commit where it held and the commit to judge."""

    id: str
    repo: str
    statement: str
    scope: tuple[str, ...]
    commit_a: str
    commit_b: str
    date_a: str
    expected_verdict: str
    expected_action: str

    @property
    def kind(self) -> str:
        return self.id[0]

    @property
    def falsified(self) -> bool:
        return self.kind == "P"

    def memory(self) -> str:
        """The memory's file: statement and scope, nothing else that could help."""
        scope = "".join(f"    - {_quoted(glob)}\n" for glob in self.scope)
        return (
            f"id: {MEMORY}\nkind: pitfall\ntype: module_constraint\nstatus: active\n"
            f"summary: {_quoted(self.statement)}\nscope:\n  paths:\n{scope}created_at: {self.date_a}\n"
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What gitmem said of one case in one situation."""

    verdict: str
    status: str
    capture: str = ""

    @property
    def challenged(self) -> bool:
        return self.status == "challenged"


def is_right(case: Case, answer: Answer) -> bool:
    """Whether the answer is what the case expects.

    `challenge` asks for a challenged memory, `challenge-low` for at least a note, `at capture` for "born false" while
    confirming; anything else for no challenge.
    """
    if answer.status == NO_ANSWER:
        return False
    if "at capture" in case.expected_action:
        return "born false" in answer.capture.lower()
    low = "challenge-low" in case.expected_action
    if case.falsified:
        return answer.verdict in NOTED if low else answer.challenged
    return low or not answer.challenged


def load_cases(path: Path) -> list[Case]:
    """Read the case file."""
    return [_case(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _case(line: str) -> Case:
    given = json.loads(line)
    fields = {name: given[name] for name in Case.__dataclass_fields__}
    return Case(**{**fields, "scope": tuple(given["scope"])})


def judge(case: Case, bare: Path, situations: Sequence[Situation]) -> Iterator[tuple[Situation, Answer]]:
    """Confirm the statement at commit A and judge it at commit B in each situation."""
    with tempfile.TemporaryDirectory(prefix="statement-") as folder:
        trial = Trial(Path(folder), bare, case.commit_a, {MEMORY: case.memory()})
        confirmed = trial.confirm(MEMORY)
        for situation in situations:
            yield situation, _answer(trial.judge(case.commit_b, situation), confirmed)


def _answer(said: Said, confirmed: Said) -> Answer:
    try:
        found = next(row for row in said.document["memories"] if row["id"] == MEMORY)
    except (ValueError, KeyError, StopIteration) as error:
        told = (said.err or confirmed.err or repr(error)).strip().partition("\n")[0]
        return Answer(told[:120], NO_ANSWER)
    return Answer(found["verdict"], found["status"], confirmed.out + confirmed.err)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line a case and the totals; 0 when every falsified one was caught and nothing cried wolf."""
    options = _parser().parse_args(arguments)
    cases = [case for case in load_cases(options.cases) if not options.only or case.id in options.only]
    tally: Tally = Counter()
    for case, situation, answer in _answers(cases, options.mirror, options.situation or [Situation.FULL]):
        right = is_right(case, answer)
        outcome = answer.status if answer.status == NO_ANSWER else "right" if right else "wrong"
        tally[situation, case.kind, outcome] += 1
        print(
            f"{case.id:<48} {situation:<8} expected {case.expected_verdict:<16} "
            f"got {answer.verdict:<10} {answer.status:<11} {'ok' if right else 'WRONG'}",
            flush=True,
        )
    print(*_totals(tally), sep="\n")
    return int(any(outcome != "right" for _, _, outcome in tally))


def _answers(
    cases: Iterable[Case], mirror: Path, situations: Sequence[Situation]
) -> Iterator[tuple[Case, Situation, Answer]]:
    for case in cases:
        bare = bare_clone(mirror, case.repo)
        if bare is None:
            print(f"{case.id:<48} no clone of {case.repo}")
            continue
        for situation, answer in judge(case, bare, situations):
            yield case, situation, answer


def _totals(tally: Tally) -> Iterator[str]:
    for situation, kind in sorted({(situation, kind) for situation, kind, _ in tally}):
        right, wrong, silent = (tally[situation, kind, outcome] for outcome in ("right", "wrong", NO_ANSWER))
        said = (
            f"{right} caught, {wrong} missed" if kind == "P" else f"{wrong} false alarms of {right + wrong}"
        )
        unanswered = f", {silent} without an answer" if silent else ""
        yield f"{situation:<8} {KINDS.get(kind, kind):<24} {said}{unanswered}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.statements")
    parser.add_argument("mirror", type=Path, help="folder of bare clones")
    parser.add_argument("cases", type=Path, help="cases, one JSON object a line")
    parser.add_argument("--situation", action="append", type=Situation, choices=list(Situation))
    parser.add_argument("--only", action="append", metavar="ID", help="one case")
    return parser


if __name__ == "__main__":
    sys.exit(main())
