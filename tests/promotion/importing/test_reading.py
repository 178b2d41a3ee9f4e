"""Rules files as facts: what is one, where it holds, and what is left out."""

from __future__ import annotations

import pytest

from gitmem.model.memory import Kind
from gitmem.promotion.importing.fact import Fact
from gitmem.promotion.importing.reading import MOST_FACTS, read_rules
from gitmem.promotion.importing.sources import base_of, is_found


def facts(text: str, path: str = "AGENTS.md") -> tuple[Fact, ...]:
    return read_rules(path, text).facts


def said(text: str, path: str = "AGENTS.md") -> list[tuple[int, str]]:
    return [(one.line, one.summary) for one in facts(text, path)]


AGENTS = """\
# Shop

This file provides guidance to coding agents. The shop sells books.

## Money

- Store amounts as integer cents, never as floats.
- **Rounding**: Always round half to even.
  - The tax office asks for it.
- `src/money/` - amounts and currencies

```sh
# Never read me: code
make test
```

## Commands

- Build: `make build`
- Run the tests with `make test`

Prices come from the pricing service. Do not cache them in the browser. A stale price was sold once.

<!-- Never take comments -->
| Never | tables |
|---|---|
"""


def test_rules_are_taken_with_their_lines_and_the_rest_is_not() -> None:
    assert said(AGENTS) == [
        (7, "Store amounts as integer cents, never as floats."),
        (8, "Rounding: Always round half to even."),
        (22, "Do not cache them in the browser."),
    ]


def test_a_fact_keeps_its_headings_and_what_belongs_to_it() -> None:
    _, rounding, prices = facts(AGENTS)
    assert rounding.headings == ("Shop", "Money")
    assert rounding.body == "- The tax office asks for it."
    assert prices.body == "A stale price was sold once."
    assert (rounding.kind, prices.kind) == (Kind.CONVENTION, Kind.PITFALL)
    assert rounding.place == "AGENTS.md:8"


@pytest.mark.parametrize(
    "sentence",
    [
        "ViewModel은 Repository를 직접 생성하지 않는다.",
        "커밋 메시지는 한국어로 작성한다.",
        "`src/generated` 아래 파일은 직접 수정하지 마세요.",
        "生成ファイルを直接編集しないでください。",
        "コミットメッセージは日本語で書くこと。",
        "不要直接修改 `src/generated` 下的文件。",
        "所有接口必须返回统一的错误格式。",
        "Never edit files under `src/generated`.",
        "When a job fails, retry it at most three times.",
    ],
)
def test_a_rule_is_told_in_any_of_the_four_languages(sentence: str) -> None:
    assert [one for _, one in said(f"# Rules\n\n- {sentence}\n")] == [sentence]


@pytest.mark.parametrize(
    "line",
    [
        "- `npm test` - run the tests",
        "- Install deps: `pnpm install`",
        "- `src/core/`: the core",
        "- See [the guide](docs/guide.md) for details",
        "This document describes the build.",
        "- 이 문서는 빌드를 설명한다.",
        "- [Never](x.md)",
        "- Ask the user before you change the plan",
        "    Never read indented code",
        "@docs/never-commit.md",
        "- They do not exclude it",
    ],
)
def test_what_tells_no_rule_of_the_project_is_left_out(line: str) -> None:
    assert said(f"# Notes\n\n{line}\n") == []


def test_steps_of_doing_something_once_are_no_rules_but_numbered_rules_are() -> None:
    steps = "## Adding a page\n\n1. Create the route file in `routes`\n2. Add the page to the menu\n3. Never skip the menu test\n"
    assert [one for _, one in said(steps)] == ["Never skip the menu test"]
    rules = "## Rules\n\n1. Create one route file for each page\n"
    assert [one for _, one in said(rules)] == ["Create one route file for each page"]


def test_short_items_below_an_opening_rule_are_one_fact() -> None:
    assert said("Notes\n\n- Never edit by hand:\n  - `dist/`\n  - `src/generated/`\n") == [
        (3, "Never edit by hand: `dist/`, `src/generated/`")
    ]


def test_items_below_a_topic_are_facts_of_their_own() -> None:
    (one, other) = facts("- **Testing**\n  - Use real databases in tests\n  - Never sleep in a test\n")
    assert (one.headings, one.line, other.line) == (("Testing",), 2, 3)


def test_a_long_reason_behind_a_dash_goes_to_the_body() -> None:
    reason = (
        "it keeps the rendered pages stable while several people edit them at the same time in two branches"
    )
    (fact,) = facts(
        f"- Link every term to its reference page by an anchor and not by its number — {reason}\n"
    )
    assert fact.summary == "Link every term to its reference page by an anchor and not by its number"
    assert fact.body == reason


def test_marks_links_and_tags_are_dropped_and_code_is_kept() -> None:
    assert said("- **Always** run [`make lint`](Makefile) before `a <!-- b -->` is pushed<br>\n") == [
        (1, "Always run `make lint` before `a <!-- b -->` is pushed")
    ]


@pytest.mark.parametrize(
    ("path", "globs"),
    [
        ("AGENTS.md", ()),
        (".claude/CLAUDE.md", ()),
        (".github/copilot-instructions.md", ()),
        ("web/CLAUDE.md", ("web/**",)),
        ("pkg/a[b]/AGENTS.md", (r"pkg/a\[b\]/**",)),
        ("docs/notes.md", ()),
        ("services/pay/docs/notes.md", ("services/pay/**",)),
    ],
)
def test_a_file_holds_for_its_folder(path: str, globs: tuple[str, ...]) -> None:
    (fact,) = facts("- Never commit secrets here\n", path)
    assert fact.scope.paths == globs
    assert fact.scope.project is not bool(globs)
    assert fact.type == ("module_constraint" if globs else "team_workflow_rule")


@pytest.mark.parametrize(
    ("path", "head", "globs"),
    [
        (".cursor/rules/a.mdc", "globs: *.ts, src/**/*.tsx\nalwaysApply: false", ("**/*.ts", "src/**/*.tsx")),
        (".cursor/rules/a.mdc", 'globs: ["*.ts", "*.js"]', ("**/*.ts", "**/*.js")),
        (".cursor/rules/a.mdc", "globs:\n  - api/**\n  - '*.go'", ("api/**", "**/*.go")),
        (".cursor/rules/a.mdc", "globs: *.ts\nalwaysApply: true", ()),
        (".cursor/rules/a.mdc", "description: Money\nglobs:\nalwaysApply: false", ()),
        ("apps/web/.cursor/rules/a.mdc", "globs: *.ts", ("apps/web/**/*.ts",)),
        ("apps/web/.cursor/rules/a.mdc", "globs: **/*", ("apps/web/**",)),
        (".github/instructions/a.instructions.md", "applyTo: '**/*.{ts,tsx}'", ("**/*.{ts,tsx}",)),
        (".github/instructions/a.instructions.md", 'applyTo: "**"', ()),
    ],
)
def test_globs_of_cursor_and_copilot_are_translated(path: str, head: str, globs: tuple[str, ...]) -> None:
    (fact,) = facts(f"---\n{head}\n---\n\n- Never use floats for money\n", path)
    assert fact.scope.paths == globs
    assert fact.scope.project is not bool(globs)


def test_a_glob_that_cannot_be_read_is_told_and_the_folder_stands_for_it() -> None:
    read = read_rules(".cursor/rules/a.mdc", "---\nglobs: '!dist/**'\n---\n- Never use floats for money\n")
    assert read.facts[0].scope.project
    assert "negated" in read.skipped[0].reason


def test_a_heading_that_is_a_folder_narrows_the_scope() -> None:
    (fact,) = facts("## `packages/api/`\n\n- Never return raw errors here\n")
    assert (fact.scope.paths, fact.under_folder) == (("packages/api/**",), "packages/api")


def test_a_book_is_cut_and_says_so() -> None:
    book = "".join(f"- Never call function number {at} from a view\n" for at in range(MOST_FACTS + 5))
    read = read_rules("AGENTS.md", book)
    assert len(read.facts) == MOST_FACTS
    assert [one.line for one in read.skipped] == [MOST_FACTS + 1]


NYGARD = """\
# 7. Keep prices in cents

Date: 2026-01-02

## Status

{}

## Context

Floats lose cents.

## Decision

We will keep prices in cents as integers. Formatting happens in the browser.
"""


def test_a_decision_record_is_one_fact_with_its_title() -> None:
    (fact,) = facts(NYGARD.format("Accepted"), "docs/adr/0007-cents.md")
    assert fact.summary == "We will keep prices in cents as integers."
    assert (fact.title, fact.line, fact.type) == ("ADR-7: Keep prices in cents", 15, "architecture_rule")
    assert fact.body == "Formatting happens in the browser."
    assert fact.scope.project


@pytest.mark.parametrize("status", ["Superseded by ADR-9", "Proposed", "Rejected", "폐기됨", "却下"])
def test_a_decision_that_does_not_stand_is_left_out_with_its_status(status: str) -> None:
    read = read_rules("docs/adr/0007-cents.md", NYGARD.format(status))
    assert read.facts == ()
    assert status in read.skipped[0].reason


def test_the_option_chosen_gets_the_title_in_front_when_it_does_not_stand_alone() -> None:
    madr = '---\nstatus: accepted\n---\n# Where prices live\n\n## Decision Outcome\n\nChosen option: "Option B — a table", because it is shared.\n'
    (fact,) = facts(madr, "pkg/shop/docs/decisions/0003-prices.md")
    assert fact.summary == "Where prices live: a table, because it is shared."
    assert fact.scope.paths == ("pkg/shop/**",)


def test_korean_headings_of_a_decision_are_read() -> None:
    text = "# ADR-12: 금액은 정수로\n\n## 상태\n\n승인됨\n\n## 결정\n\n금액은 센트 단위의 정수로 저장한다.\n"
    (fact,) = facts(text, "docs/adr/0012-cents.md")
    assert (fact.title, fact.summary) == ("ADR-12: 금액은 정수로", "금액은 센트 단위의 정수로 저장한다.")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("AGENTS.md", True),
        ("a/b/CLAUDE.md", True),
        (".cursor/rules/deep/x.mdc", True),
        ("app/.cursor/rules/x.mdc", True),
        (".github/instructions/x.instructions.md", True),
        ("docs/adr/0001-x.md", True),
        ("docs/adr/README.md", False),
        ("README.md", False),
        ("node_modules/x/AGENTS.md", False),
        (".claude/skills/x/AGENTS.md", False),
        ("docs/AGENTS.txt", False),
    ],
)
def test_rules_files_are_known_by_their_paths(path: str, *, found: bool) -> None:
    assert is_found(path) is found


def test_the_folder_that_a_decision_speaks_for_is_the_one_with_the_documentation() -> None:
    assert base_of("docs/architecture/decisions/0001-x.md") == ""
    assert base_of("services/pay/doc/adr/0001-x.md") == "services/pay"


@pytest.mark.parametrize("mark", ["[", "*", "`", "[a](", "<A", "- **a**: ", "never ", "<!--"])
def test_endless_marks_are_read_to_the_end_and_tell_nothing(mark: str) -> None:
    assert len(facts(mark * (100_000 // len(mark)) + "\n")) <= 1
    assert len(facts((f"- {mark * (1_500 // len(mark))}\n") * 10)) <= 10


def test_general_advice_is_left_out_and_said_so() -> None:
    read = read_rules("AGENTS.md", "- Write clear and readable code\n- Write clear messages in `errors.py`\n")
    assert [one.line for one in read.facts] == [2]
    assert read.skipped[0].reason.startswith("general advice")


def test_what_stands_inside_a_component_of_a_page_is_left_out() -> None:
    page = '<ParamField path="id" required>\nIt must be a valid UUID here.\n</ParamField>\n\nNever reuse an order id.\n'
    assert [one for _, one in said(page)] == ["Never reuse an order id."]


def test_emphasis_before_a_particle_is_dropped_and_a_star_of_a_glob_is_kept() -> None:
    assert [
        one
        for _, one in said("- 금액은 **센트 단위 정수**로 저장한다.\n- Never commit *.env or *.pem files\n")
    ] == [
        "금액은 센트 단위 정수로 저장한다.",
        "Never commit *.env or *.pem files",
    ]


def test_names_with_underscores_and_code_spans_stay_as_they_are() -> None:
    line = "- **Never** import from `pkg/__init__.py` or __main__ in __any other__ module, use ``a `b` c``\n"
    assert [one for _, one in said(line)] == [
        "Never import from `pkg/__init__.py` or __main__ in any other module, use ``a `b` c``"
    ]


@pytest.mark.parametrize(
    ("opening", "item", "rule"),
    [
        ("Agents MUST NOT:", "Add tracking of any kind", "Agents MUST NOT: Add tracking of any kind"),
        ("Privacy comes first. Never:", "Log the address of a user", "Never: Log the address of a user"),
        ("**Do not:**", "Hardcode API keys in `src`", "Do not: Hardcode API keys in `src`"),
        ("## Don't", "Mock the database in `tests/api`", "Don't: Mock the database in `tests/api`"),
        ("## Forbidden patterns", "Commit to `main`", "Forbidden patterns: Commit to `main`"),
        (
            "## 금지 사항",
            "컨트롤러에서 `Repository` 직접 호출",
            "금지 사항: 컨트롤러에서 `Repository` 직접 호출",
        ),
        ("## 禁止事項", "`src/generated` を直接編集する", "禁止事項: `src/generated` を直接編集する"),
        ("Agents MUST NOT:", "Never skip `make lint`", "Never skip `make lint`"),
        ("## Don't", "Prefer `Clock` for the time", "Prefer `Clock` for the time"),
    ],
)
def test_items_below_an_opening_that_forbids_keep_its_meaning(opening: str, item: str, rule: str) -> None:
    assert said(f"# Rules\n\n{opening}\n\n- {item}\n") == [(5, rule)]


@pytest.mark.parametrize(
    "opening",
    [
        "If the tests do not pass:",
        "For files that must not be edited:",
        "When you cannot find it:",
        "Agents must:",
        "## Do",
        "## Do's and don'ts",
        "## Why we never do this",
    ],
)
def test_other_openings_forbid_nothing(opening: str) -> None:
    assert said(f"# Rules\n\n{opening}\n\n- Run `make lint` before a commit\n")[-1:] == [
        (5, "Run `make lint` before a commit")
    ]


def test_an_opening_forbids_only_its_own_list() -> None:
    text = "# Rules\n\nAgents must not:\n\n- Add tracking of any kind\n\nBefore a commit:\n\n- Run `make lint` each time\n"
    assert said(text) == [(5, "Agents must not: Add tracking of any kind"), (9, "Run `make lint` each time")]
    assert said("- Never:\n  - Add tracking of any kind\n") == [(2, "Never: Add tracking of any kind")]
