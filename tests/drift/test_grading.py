"""The table of verdicts of drift.md, row by row, on literals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gitmem.drift.capturing import capture_memory, claim_in
from gitmem.drift.grading import Grade, grade, is_strict
from gitmem.drift.scope_change import ScopeAt
from gitmem.model.memory import Claim, Kind, Memory, Scope, Status
from gitmem.model.watch import parse_watch
from tests.support.tree_view import Files, TreeOfText, between, without_history

SEND = "def send(order):\n    log(order)\n    ship(order)\n    return order\n"
SHOP = SEND + "\n\ndef log(order):\n    print(order)\n"
FILES = {"src/shop.py": SHOP, "src/bank.py": "LIMIT = 4\n", "README.md": "# Shop\n"}


def about(summary: str = "`send` ships before it answers", *paths: str, **fields: object) -> Memory:
    memory = Memory(
        "m-1", ".ai/memory/m-1.yaml", Kind.NOTE, "module_constraint", Status.ACTIVE, summary, scope=Scope(paths or ("src/**",))
    )  # fmt: skip
    return replace(memory, **fields)  # type: ignore[arg-type]  # fields of Memory by name


def judge(
    memory: Memory, now: Files, then: Files = FILES, *, history: bool = True, differs: bool = True
) -> Grade:
    old, new = TreeOfText(then), TreeOfText(now)
    globs = memory.scope.paths
    marks = capture_memory(memory, old, old.matching(globs), globs).marks
    scope = ScopeAt(globs, old.matching(globs) if history else (), new.matching(globs), differs=differs)
    interval = between(then, now) if history else without_history(now)
    return grade(memory, claim_in(memory, marks), marks, scope, interval)


def edited(old: str, new: str, path: str = "src/shop.py") -> dict[str, str]:
    assert old in FILES[path]
    return {**FILES, path: FILES[path].replace(old, new)}


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        (FILES, "fresh"),
        ({**FILES, "README.md": "# Bank\n"}, "fresh"),
        ({**FILES, "lib/new.py": "x = 1\n"}, "fresh"),
        (edited("    log(order)", "    # told\n    log( order )"), "cosmetic"),
        (edited("LIMIT = 4", "# at most\nLIMIT = 4", "src/bank.py"), "cosmetic"),
        ({"lib/shop.py": SHOP, "src/bank.py": "LIMIT = 4\n"}, "relocated"),
        (edited("def send", "def post"), "relocated"),
        (edited("LIMIT = 4", "LIMIT = 5", "src/bank.py"), "touched"),
        ({**FILES, "src/new.py": "x = 1\n"}, "touched"),
        (edited("def send(order)", "def send(order: str) -> str"), "touched"),
        (edited("print(order)", "print(order, flush=True)"), "touched"),
        (edited("    log(order)\n", "    tell(order)\n"), "changed"),
        (edited(SEND, "def send(order):\n    a()\n    b()\n    return c\n"), "rewritten"),
        (edited(SEND, ""), "gone"),
        ({"src/bank.py": "LIMIT = 4\n"}, "gone"),
    ],
)
def test_a_memory_with_a_mark(now: Files, verdict: str) -> None:
    assert str(judge(about(), now).verdict) == verdict


def test_a_definition_that_moved_while_something_else_changed_is_touched() -> None:
    now = {**edited("def send", "def post"), "src/bank.py": "LIMIT = 5\n"}
    graded = judge(about(watch=(parse_watch("symbol", "src/shop.py#send"),)), now)
    assert str(graded.verdict) == "touched"
    assert graded.patch == (("symbol: src/shop.py#send", "symbol: src/shop.py#post"),)


def test_a_derived_watch_that_moved_stands_in_no_file_and_is_not_patched() -> None:
    graded = judge(about(), edited("def send", "def post"))
    assert graded.patch == ()
    assert [one.moved for one in graded.findings if one.watch] == ["symbol src/shop.py#post"]


def test_what_moved_out_of_a_scope_that_still_holds_something_is_added_to_it() -> None:
    graded = judge(about(), {"lib/shop.py": SHOP, "src/bank.py": "LIMIT = 4\n", "README.md": "# Shop\n"})
    assert (str(graded.verdict), graded.patch) == ("relocated", (("", "lib/shop.py"),))


def test_the_worst_finding_stands_first_and_scope_rows_after_the_watches() -> None:
    graded = judge(about(), {**edited("    log(order)\n", "    tell(order)\n"), "src/bank.py": "LIMIT = 5\n"})
    assert [(str(one.verdict), one.path) for one in graded.findings] == [
        ("changed", "src/shop.py"),
        ("touched", "src/bank.py"),
        ("touched", "src/shop.py"),
    ]
    assert graded.findings[0].watch == "symbol src/shop.py#send"
    assert all(one.watch is None for one in graded.findings[1:])


# strict
@pytest.mark.parametrize(
    ("type_", "drift", "strict"),
    [
        ("architecture_rule", None, True),
        ("security_rule", None, True),
        ("module_constraint", None, False),
        (None, None, False),
        ("module_constraint", "strict", True),
        ("security_rule", "graded", False),
    ],
)
def test_which_memories_are_strict(type_: str | None, drift: str | None, strict: bool) -> None:
    assert is_strict(about(type=type_, drift=drift)) is strict


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        (edited("LIMIT = 4", "LIMIT = 5", "src/bank.py"), "changed"),
        ({**FILES, "src/new.py": "x = 1\n"}, "changed"),
        (edited("LIMIT = 4", "# at most\nLIMIT = 4", "src/bank.py"), "cosmetic"),
        (edited("def send(order)", "def send(order: str) -> str"), "touched"),
        ({**FILES, "README.md": "# Bank\n"}, "fresh"),
    ],
)
def test_strict_challenges_on_every_change_in_substance(now: Files, verdict: str) -> None:
    graded = judge(about(drift="strict"), now)
    assert str(graded.verdict) == verdict
    assert graded.notes == (("strict: 1 file in scope changed in substance",) if verdict == "changed" else ())


def test_strict_without_the_old_tree_is_unknown_unless_a_watch_tells() -> None:
    graded = judge(about(drift="strict"), edited("LIMIT = 4", "LIMIT = 5", "src/bank.py"), history=False)
    assert str(graded.verdict) == "unknown"
    assert "every change in scope counts" in graded.notes[0]
    changed = judge(about(drift="strict"), edited("    log(order)\n", "    tell(order)\n"), history=False)
    assert str(changed.verdict) == "changed"


@pytest.mark.parametrize("history", [True, False])
def test_a_rule_that_only_forbids_is_kept_by_absence_whatever_else_changes(history: bool) -> None:
    rule = about("Never use `eval`", type="security_rule")
    kept = judge(rule, edited("LIMIT = 4", "LIMIT = 5", "src/bank.py"), history=history)
    assert str(kept.verdict) in {"fresh", "touched"}
    broken = judge(rule, edited("    log(order)\n", "    eval(order)\n"), history=history)
    assert str(broken.verdict) == "changed"
    asked = judge(replace(rule, drift="strict"), edited("LIMIT = 4", "LIMIT = 5", "src/bank.py"))
    assert str(asked.verdict) == "changed"


def test_a_file_that_moved_within_the_scope_and_carries_no_watch_is_nothing_to_follow() -> None:
    memory = about("`send` ships before it answers", "**")
    moved = judge(memory, {"src/shop.py": SHOP, "lib/bank.py": "LIMIT = 4\n", "README.md": "# Shop\n"})
    assert (str(moved.verdict), moved.patch) == ("touched", ())


# presence
def test_presence_is_capped_while_the_place_resolves() -> None:
    memory = about(claim=Claim.PRESENCE)
    assert str(judge(memory, edited("    log(order)\n", "    tell(order)\n")).verdict) == "touched"
    assert (
        str(judge(memory, edited(SEND, "def send(order):\n    a()\n    b()\n    return c\n")).verdict)
        == "touched"
    )
    assert str(judge(memory, edited(SEND, "")).verdict) == "gone"


def test_presence_does_not_hide_a_strict_rule_that_is_gone() -> None:
    assert (
        str(judge(about(claim=Claim.PRESENCE, drift="strict"), {"src/bank.py": "LIMIT = 4\n"}).verdict)
        == "gone"
    )


# no marks: narrow scopes by their files, wide ones by their share of lines
PROSE = "Orders are shipped once a day"
TEN = "".join(f"value_{number} = {number}\n" for number in range(10))
WIDE = {f"src/{number}.py": TEN for number in range(10)}


def replaced(lines: int, at: int = 0) -> dict[str, str]:
    """The wide tree of a hundred lines with so many replaced, from one file on."""
    files, left = dict(WIDE), lines
    for number in range(at, 10):
        count = min(left, 10)
        kept = TEN.splitlines(keepends=True)[count:]
        files[f"src/{number}.py"] = "".join([*(f"other_{one}()\n" for one in range(count)), *kept])
        left -= count
    return files


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [(0, "fresh"), (1, "touched"), (24, "touched"), (25, "changed"), (60, "changed"), (61, "rewritten")],
)
def test_a_wide_scope_without_marks(lines: int, verdict: str) -> None:
    graded = judge(about(PROSE), replaced(lines), WIDE)
    assert str(graded.verdict) == verdict
    assert bool(graded.notes) is (lines > 0)


def test_a_wide_scope_says_its_share() -> None:
    assert judge(about(PROSE), replaced(24), WIDE).notes == ("24% of the scope's lines changed in 3 files",)


def test_formatting_of_a_whole_wide_scope_is_cosmetic() -> None:
    assert (
        str(
            judge(
                about(PROSE), {path: "# x\n" + text.replace(" = ", "=") for path, text in WIDE.items()}, WIDE
            ).verdict
        )
        == "cosmetic"
    )


def test_additions_leave_a_plain_claim_alone_and_challenge_a_negative_one() -> None:
    now = {
        **WIDE,
        **{f"src/new{number}.py": "".join(f"more_{one}()\n" for one in range(10)) for number in range(3)},
    }
    assert str(judge(about(PROSE), now, WIDE).verdict) == "touched"
    assert str(judge(about("Orders are never shipped twice"), now, WIDE).verdict) == "changed"
    assert str(judge(about("주문은 절대 두 번 보내지 않는다"), now, WIDE).verdict) == "changed"
    assert str(judge(about(PROSE, claim=Claim.NEGATIVE), now, WIDE).verdict) == "changed"


@pytest.mark.parametrize(
    "summary",
    [
        "Every order is shipped once it is paid",
        "Notices are sent as text (not as pages)",
        "모든 주문은 결제 뒤에 나간다",
        "所有订单付款后发货",
    ],
)
def test_growth_alone_does_not_challenge_a_universal_claim_or_a_contrast(summary: str) -> None:
    more = {f"src/new{number}.py": "".join(f"more_{one}()\n" for one in range(10)) for number in range(3)}
    assert str(judge(about(summary), {**WIDE, **more}, WIDE).verdict) == "touched"


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        ({"src/a.py": TEN.replace("= 3", "= 33"), "src/b.py": "x = 1\n"}, "changed"),
        ({"src/a.py": TEN, "src/b.py": "y = 2\n"}, "rewritten"),
        ({"src/a.py": "# said\n" + TEN, "src/b.py": "x = 1\n"}, "cosmetic"),
        ({"src/a.py": TEN}, "gone"),
        ({"lib/a.py": TEN, "src/b.py": "x = 1\n"}, "relocated"),
    ],
)
def test_a_narrow_scope_without_names_is_watched_by_its_files(now: Files, verdict: str) -> None:
    assert str(judge(about(PROSE), now, {"src/a.py": TEN, "src/b.py": "x = 1\n"}).verdict) == verdict


def test_an_addition_to_a_narrow_scope() -> None:
    then = {"src/a.py": TEN}
    now = {"src/a.py": TEN, "src/b.py": "x = 1\n"}
    assert str(judge(about(PROSE), now, then).verdict) == "touched"
    assert str(judge(about("Orders are never shipped twice"), now, then).verdict) == "changed"


# additions inside a watch under a negative claim
def test_an_addition_inside_the_watch_counts_as_any_change_of_it() -> None:
    memory = about("`send` never retries")
    assert (
        str(judge(memory, edited("    return order", "    retry(order)\n    return order")).verdict)
        == "changed"
    )
    assert str(judge(memory, {**FILES, "src/new.py": "x = 1\n"}).verdict) == "touched"


# what cannot be checked
def test_a_watch_that_never_found_anything_keeps_a_memory_from_passing_as_fresh() -> None:
    watches = (parse_watch("symbol", "src/shop.py#send"), parse_watch("symbol", "src/shop.py#absent"))
    memory = about(watch=watches)
    graded = judge(memory, {**FILES, "src/bank.py": "LIMIT = 5\n"})
    assert str(graded.verdict) == "unknown"
    assert graded.notes == ("could not be checked: symbol src/shop.py#absent: src/shop.py defines no absent",)
    assert str(judge(memory, edited("    log(order)\n", "    tell(order)\n")).verdict) == "changed"


def test_a_watch_that_cannot_be_compared_now_beside_a_known_one_does_not_decide() -> None:
    watches = (parse_watch("symbol", "src/shop.py#send"), parse_watch("key", "settings.json#limit"))
    then = {**FILES, "settings.json": '{"limit": 4}'}
    graded = judge(about(watch=watches), {**then, "settings.json": "{", "src/bank.py": "LIMIT = 5\n"}, then)
    assert str(graded.verdict) == "touched"
    assert "could not be looked for" in graded.notes[0]


def test_without_the_old_tree_marks_decide() -> None:
    assert str(judge(about(), FILES, history=False, differs=False).verdict) == "fresh"
    assert (
        str(judge(about(), edited("LIMIT = 4", "LIMIT = 5", "src/bank.py"), history=False).verdict)
        == "touched"
    )
    assert (
        str(judge(about(), edited("    log(order)\n", "    tell(order)\n"), history=False).verdict)
        == "changed"
    )
    assert str(judge(about(PROSE), replaced(1), WIDE, history=False).verdict) == "unknown"


# patches
def test_what_moved_is_offered_as_a_patch() -> None:
    then = {f"src/shop/{name}.py": f"# {name}\n{name} = {len(name)}\n" for name in ("a", "bb", "ccc")}
    now = {path.replace("src/shop", "lib/store"): text for path, text in then.items()}
    graded = judge(about(PROSE, "src/shop/**"), now, then)
    assert str(graded.verdict) == "relocated"
    assert graded.patch[0] == ("src/shop/**", "lib/store/**")


SETTINGS = (
    '[format]\nwidth = 88\n\n[project]\nname = "shop"\nneeds = ["httpx", "click", "rich"]\nowner = "ann"\n'
)


@pytest.mark.parametrize(
    ("summary", "old", "new", "fields", "verdict"),
    [
        ("Lines are at most 88 characters", '"ann"', '"bob"', {}, "touched"),
        ("Lines are at most 88 characters", "88", "120", {}, "changed"),
        ("한 줄은 88자까지", '"ann"', '"bob"', {}, "touched"),
        ("한 줄은 88자까지", "88", "120", {}, "changed"),
        ("Lines never pass 88 characters", '"ann"', '"bob"', {}, "touched"),
        ("Never anything of this sort", '"ann"', '"bob"', {}, "changed"),
        ("Lines are at most 88 characters", '"ann"', '"bob"', {"drift": "strict"}, "changed"),
        ("Lines are at most 88 characters", '"ann"', '"bob"', {"watch": (parse_watch("file", "a.toml"),)}, "changed"),
        ("Lines are at most 88 characters", 'needs = ["httpx", "click", "rich"]\nowner = "ann"', "x = 1", {}, "changed"),
    ],
)  # fmt: skip
def test_a_file_watched_for_want_of_names_rests_on_the_lines_that_speak(
    summary: str, old: str, new: str, fields: dict[str, object], verdict: str
) -> None:
    graded = judge(
        about(summary, "a.toml", **fields), {"a.toml": SETTINGS.replace(old, new)}, {"a.toml": SETTINGS}
    )
    assert str(graded.verdict) == verdict
    told = any("the edited lines do not speak of it" in found.reason for found in graded.findings)
    assert told is (verdict == "touched")


def test_stored_marks_alone_do_not_tell_which_lines_were_edited() -> None:
    memory = about("Lines are at most 88 characters", "a.toml")
    now = {"a.toml": SETTINGS.replace('"ann"', '"bob"')}
    assert str(judge(memory, now, {"a.toml": SETTINGS}, history=False).verdict) == "changed"


@pytest.mark.parametrize(
    ("summary", "new", "verdict"),
    [
        ("There is no separate bin shim", "src/bin/cli.py", "changed"),
        ("bin 폴더는 없다", "src/bin/cli.py", "changed"),
        ("There is no separate bin shim", "src/lib/cli.py", "touched"),
        ("There is a separate bin shim", "src/bin/cli.py", "touched"),
    ],
)
def test_a_new_file_called_as_what_is_denied_tells_against_it(summary: str, new: str, verdict: str) -> None:
    then = {f"src/m{n}.py": "x = 1\n" * 40 for n in range(7)}
    assert str(judge(about(summary), {**then, new: "y = 1\n"}, then).verdict) == verdict


@pytest.mark.parametrize(
    ("summary", "verdict"),
    [
        ("The memory backend for tests is in `src/store/`", "touched"),
        ("The memory backend in `src/store/` never keeps more than tests need", "changed"),
    ],
)
def test_files_of_a_folder_of_which_the_words_say_where_it_is(summary: str, verdict: str) -> None:
    code = "".join(f"def keep_memory_{n}(backend):\n    backend.put({n})\n\n\n" for n in range(20))
    then = {"src/store/memory.py": code}
    now = {"src/store/memory.py": code.replace("put(3)", "take(3)")}
    assert str(judge(about(summary, "src/store/**"), now, then).verdict) == verdict


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        ("- run: setup alpha\n- run: check\n- run: push\n", "changed"),
        ("- run: setup alpha\n- run: setup beta --quiet\n- run: push\n", "touched"),
    ],
    ids=["beta is gone", "beta stays"],
)
def test_a_file_that_is_only_placed_is_doubted_when_a_name_of_the_statement_leaves_it(
    now: str, verdict: str
) -> None:
    then = {"ci/run.yml": "- run: setup alpha\n- run: setup beta\n- run: push\n"}
    memory = about("CI (`ci/run.yml`) sets up Alpha and Beta for live checks", "ci/run.yml")
    assert str(judge(memory, {"ci/run.yml": now}, then).verdict) == verdict


def test_a_deleted_file_whose_definition_went_elsewhere_is_told_as_left_not_as_all_gone() -> None:
    now = {"src/bank.py": f"LIMIT = 4\n\n\n{SEND}", "README.md": "# Shop\n"}
    found = judge(about("`send` ships before it answers", "src/shop.py", "src/bank.py"), now)
    rows = [one for one in found.findings if not one.watch and one.path == "src/shop.py"]
    assert str(found.verdict) == "relocated"
    assert [(str(one.verdict), one.share, one.reason) for one in rows] == [
        ("touched", None, "src/shop.py was deleted; what the words rest on in it is elsewhere")
    ]
