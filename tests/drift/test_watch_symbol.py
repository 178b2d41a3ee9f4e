from __future__ import annotations

import pytest

from gitmem.model.watch import Watch, parse_watch
from tests.support.tree_view import judged, mark_of

SEND = """\
def send(gateway, order):
    answer = gateway.send(order)
    if not answer.ok:
        raise ValueError(order)
    log(order)
    return answer
"""
OTHER = "\n\ndef log(order):\n    print(order)\n"
FILE = SEND + OTHER
WATCH = parse_watch("symbol", "a.py#send")


def verdicts(text: str, watch: Watch = WATCH, then: str = FILE) -> list[str]:
    """The verdict with the old tree at hand, and from the stored mark alone."""
    return [
        str(judged(watch, {"a.py": then}, {"a.py": text}, history=known).verdict) for known in (True, False)
    ]


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("", "", "fresh"),
        ("    log(order)", "\n    # told\n    log(order)", "cosmetic"),
        ("gateway.send(order)", "gateway.send(\n        order,\n    )", "cosmetic"),
        ("order):\n    answer", 'order):\n    """Send it."""\n    answer', "cosmetic"),
        ("gateway, order):", "gateway: Gateway, order: str) -> Answer:", "touched"),
        ("if not answer.ok", "if answer.ok", "changed"),
        ("def send(gateway, order)", "def send(gateway, order, again=False)", "changed"),
        ("def send(", "@deprecated('use post')\ndef send(", "changed"),
        ("def send(", "async def send(", "changed"),
    ],
)  # fmt: skip
def test_what_counts_as_a_change(old: str, new: str, verdict: str) -> None:
    assert verdicts(FILE.replace(old, new, 1)) == [verdict, verdict]


def test_the_reason_says_what_changed() -> None:
    signature = judged(WATCH, {"a.py": FILE}, {"a.py": FILE.replace("(gateway, order):", "(gateway):")})
    body = judged(WATCH, {"a.py": FILE}, {"a.py": FILE.replace("    log(order)\n", "")})
    marked = judged(WATCH, {"a.py": FILE}, {"a.py": "@deprecated\n" + FILE})
    reasons = [one.findings[0].reason for one in (signature, body, marked)]
    assert reasons == ["send: signature changed", "send: body changed", "send: now marked deprecated"]


def test_of_a_constant_the_value_changed() -> None:
    seen = judged(parse_watch("symbol", "a.py#LIMIT"), {"a.py": "LIMIT = 4\n"}, {"a.py": "LIMIT = 5\n"})
    assert seen.findings[0].reason == "LIMIT: 4 → 5"


def test_one_that_was_deprecated_before_is_not_newly_so() -> None:
    old = "@deprecated('soon')\n" + FILE
    assert verdicts(old.replace("    log(order)", "    # told\n    log(order)"), then=old) == ["cosmetic"] * 2


def test_over_sixty_per_cent_is_rewritten() -> None:
    four_of_six = FILE.replace("answer = gateway.send(order)", "reply = ask()").replace(
        "if not answer.ok", "if reply"
    )
    four_of_six = four_of_six.replace("raise ValueError(order)", "return None").replace(
        "return answer", "return reply"
    )
    seen = judged(WATCH, {"a.py": FILE}, {"a.py": four_of_six})
    assert str(seen.verdict) == "rewritten"
    assert seen.findings[0].share == pytest.approx(4 / 6)


def test_three_of_six_lines_are_a_change() -> None:
    half = (
        FILE.replace("gateway.send(order)", "gateway.ask()")
        .replace("not answer.ok", "answer")
        .replace("log(", "tell(")
    )
    seen = judged(WATCH, {"a.py": FILE}, {"a.py": half})
    assert str(seen.verdict) == "changed"
    assert seen.findings[0].share == pytest.approx(3 / 6)


# where it went
def test_moved_to_another_file() -> None:
    for known in (True, False):
        seen = judged(WATCH, {"a.py": FILE}, {"a.py": OTHER, "lib/b.py": "X = 1\n\n\n" + SEND}, history=known)
        assert (str(seen.verdict), str(seen.moved)) == ("relocated", "symbol lib/b.py#send")


def test_moved_with_its_whole_file() -> None:
    seen = judged(WATCH, {"a.py": FILE}, {"lib/c.py": FILE})
    assert (str(seen.verdict), str(seen.moved)) == ("relocated", "symbol lib/c.py#send")


def test_renamed_where_it_stands() -> None:
    for known in (True, False):
        seen = judged(WATCH, {"a.py": FILE}, {"a.py": FILE.replace("def send(", "def post(")}, history=known)
        assert (str(seen.verdict), str(seen.moved)) == ("relocated", "symbol a.py#post")


def test_renamed_and_moved() -> None:
    seen = judged(WATCH, {"a.py": FILE}, {"a.py": OTHER, "b.py": SEND.replace("def send(", "def post(")})
    assert (str(seen.verdict), str(seen.moved)) == ("relocated", "symbol b.py#post")


def test_a_method_that_moved_to_another_class() -> None:
    def shop(name: str) -> str:
        body = "\n".join(
            f"    {line}" if line else "" for line in SEND.replace("(gateway", "(self, gateway").split("\n")
        )
        return f"class {name}:\n    x = 1\n\n{body}\n"

    then = {"a.py": shop("Shop") + "\n\nclass Bank:\n    y = 1\n"}
    seen = judged(
        parse_watch("symbol", "a.py#Shop.send"),
        then,
        {"a.py": "class Shop:\n    x = 1\n", "b.py": shop("Bank")},
    )
    assert (str(seen.verdict), str(seen.moved)) == ("relocated", "symbol b.py#Bank.send")


def test_two_lines_are_too_few_to_be_known_under_another_name_elsewhere() -> None:
    short = "def send(order):\n    return order\n"
    seen = judged(WATCH, {"a.py": short + OTHER}, {"a.py": OTHER, "b.py": short.replace("send", "post")})
    assert str(seen.verdict) == "gone"


def test_two_places_with_that_body_are_no_place() -> None:
    post = SEND.replace("def send(", "def post(")
    seen = judged(WATCH, {"a.py": FILE}, {"a.py": OTHER, "b.py": post, "c.py": post.replace("post", "give")})
    assert str(seen.verdict) == "gone"


def test_a_place_that_had_it_before_does_not_count() -> None:
    then = {"a.py": FILE, "b.py": SEND + "\n\nX = 1\n"}
    seen = judged(WATCH, then, {"a.py": OTHER, "b.py": SEND + "\n\nX = 2\n"})
    assert (str(seen.verdict), seen.moved) == ("gone", None)


def test_a_name_alone_never_relocates() -> None:
    seen = judged(WATCH, {"a.py": FILE}, {"a.py": OTHER, "b.py": "def send():\n    return 1\n"})
    assert (str(seen.verdict), seen.moved) == ("gone", None)
    assert "b.py has one of that name with other content" in seen.findings[0].reason


def test_moved_and_changed_says_both() -> None:
    changed = SEND.replace("    log(order)\n", "    tell(order)\n")
    seen = judged(WATCH, {"a.py": FILE}, {"a.py": OTHER, "b.py": changed})
    (found,) = seen.findings
    assert (str(found.verdict), found.reason, found.new_path) == (
        "changed",
        "send moved to b.py and changed 17%: body changed",
        "b.py",
    )


def test_deleted_with_its_file() -> None:
    for known in (True, False):
        seen = judged(WATCH, {"a.py": FILE}, {"z.py": "X = 1\n"}, history=known)
        assert seen.findings[0].reason == "send no longer exists: a.py was deleted"
        assert str(seen.verdict) == "gone"


def test_of_a_definition_that_was_never_there_nothing_can_be_said() -> None:
    assert verdicts(FILE + "\n\nX = 1\n", parse_watch("symbol", "a.py#absent")) == ["unknown", "unknown"]


# what it uses
def test_what_it_calls_is_kept_with_the_mark() -> None:
    mark = mark_of(
        WATCH,
        {"a.py": FILE.replace("ValueError", "Refused"), "b.py": "class Refused(Exception):\n    pass\n"},
    )
    assert [target for target, _, _ in mark.uses] == ["a.py#log", "b.py#Refused"]


@pytest.mark.parametrize(
    ("new", "notes"),
    [
        ("    print(order)\n", []),
        ("    # told\n    print(order)\n", []),
        ("    print(order, flush=True)\n", ["send uses log, which changed in a.py"]),
    ],
)
def test_a_callee_that_changed_is_a_note_beside_the_verdict(new: str, notes: list[str]) -> None:
    seen = judged(WATCH, {"a.py": FILE}, {"a.py": FILE.replace("    print(order)\n", new)})
    assert [str(one.verdict) for one in seen.findings[1:]] == ["touched" for _ in notes]
    assert [one.reason for one in seen.findings[1:]] == notes


# ignored commits
FORMATTED = FILE.replace("not answer.ok", "answer.ok is False")


def test_what_an_ignored_commit_did_is_folded_away() -> None:
    fold = ({"a.py": FILE}, {"a.py": FORMATTED})
    assert str(judged(WATCH, {"a.py": FILE}, {"a.py": FORMATTED}, folds=[fold]).verdict) == "cosmetic"
    assert str(judged(WATCH, {"a.py": FILE}, {"a.py": FORMATTED}).verdict) == "changed"


def test_an_edit_after_an_ignored_commit_counts() -> None:
    fold = ({"a.py": FILE}, {"a.py": FORMATTED})
    later = FORMATTED.replace("    log(order)\n", "")
    assert str(judged(WATCH, {"a.py": FILE}, {"a.py": later}, folds=[fold]).verdict) == "changed"


def test_an_ignored_commit_does_not_hide_a_deletion() -> None:
    fold = ({"a.py": FILE}, {"a.py": OTHER})
    assert str(judged(WATCH, {"a.py": FILE}, {"a.py": OTHER}, folds=[fold]).verdict) == "gone"


def test_in_a_file_that_no_parser_reads_any_more_text_decides_and_nothing_is_gone() -> None:
    watch = parse_watch("symbol", "a.ts#send")
    before = "export function send(order: Order) {\n  return order.key;\n}\n"
    huge = "// " + "x" * (1024 * 1024) + "\n" + before
    same = judged(watch, {"a.ts": before}, {"a.ts": huge})
    other = judged(watch, {"a.ts": before}, {"a.ts": huge.replace("order.key", "order.id")})
    assert [str(one.verdict) for one in (same, other)] == ["cosmetic", "unknown"]
    assert all("larger than 1 MiB" in one.findings[0].reason for one in (same, other))


def test_a_definition_in_a_file_with_a_syntax_error_is_compared_by_its_text() -> None:
    broken = FILE + "\n\ndef other(:\n    pass\n"
    assert verdicts(broken) == ["cosmetic", "unknown"]
    assert verdicts(broken.replace("    log(order)\n", "")) == ["changed", "unknown"]


# in a file that git pairs
TYPED = FILE.replace("gateway, order):", "gateway: Gateway, order: str) -> Answer:")


@pytest.mark.parametrize(
    "now",
    [
        TYPED,
        TYPED.replace("    log(order)", "    # told\n    log(order)"),
        TYPED.replace("raise ValueError(order)", "raise ValueError(\n            order,\n        )"),
    ],
)
def test_annotations_alone_in_a_file_that_moved_are_a_soft_note(now: str) -> None:
    seen = judged(WATCH, {"a.py": FILE}, {"src/a.py": now})
    assert (str(seen.verdict), str(seen.moved)) == ("touched", "symbol src/a.py#send")
    assert [one.reason for one in seen.findings] == [
        "send moved to src/a.py",
        "send: only type annotations or imports changed",
    ]


def test_annotations_and_a_mark_of_deprecation_are_more_than_a_note() -> None:
    seen = judged(
        WATCH, {"a.py": FILE}, {"src/a.py": TYPED.replace("def send", "@deprecated('x')\ndef send")}
    )
    assert str(seen.verdict) in {"changed", "gone"}


def test_gone_from_a_file_that_moved_names_both() -> None:
    rest = "".join(f"def f{number}(x):\n    return x + {number}\n\n\n" for number in range(9))
    seen = judged(WATCH, {"a.py": FILE + "\n\n" + rest}, {"src/a.py": OTHER + "\n\n" + rest})
    (found,) = seen.findings
    assert (str(found.verdict), found.new_path) == ("gone", "src/a.py")
    assert found.reason == "send no longer exists: gone from src/a.py, which a.py became"


def test_written_anew_in_a_file_that_moved_is_rewritten_and_not_gone() -> None:
    rest = "".join(f"def f{number}(x):\n    return x + {number}\n\n\n" for number in range(9))
    new = "def send(mail):\n    if mail:\n        post(mail)\n"
    (found,) = judged(
        WATCH, {"a.py": FILE + "\n\n" + rest}, {"src/a.py": new + OTHER + "\n\n" + rest}
    ).findings
    assert (str(found.verdict), found.new_path) == ("rewritten", "src/a.py")
    assert found.reason.startswith("send moved to src/a.py and changed ")


def test_annotations_in_a_file_that_nothing_pairs_are_a_change() -> None:
    then = {"a.py": FILE, "b.py": "X = 1\n"}
    seen = judged(WATCH, then, {"a.py": OTHER, "b.py": "X = 1\n\n\n" + TYPED.replace(OTHER, "")})
    assert str(seen.verdict) in {"changed", "gone"}
