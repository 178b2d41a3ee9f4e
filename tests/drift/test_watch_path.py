from __future__ import annotations

import pytest

from gitmem.drift.watch_path import is_what_it_is_called
from gitmem.model.watch import Watch, parse_watch
from tests.support.tree_view import Files, judged

FOLDER = parse_watch("path", "src/legacy/")
PATH = parse_watch("path", "src/a.py")
FILE = parse_watch("file", "src/a.py")
TEXT = "".join(f"def f{number}(x):\n    return x + {number}\n\n\n" for number in range(5))
OTHER = "".join(f"class C{number}:\n    y = {number}\n\n\n" for number in range(5))


def told(watch: Watch, then: Files, now: Files, *, history: bool = True) -> tuple[str, str | None]:
    seen = judged(watch, then, now, history=history)
    return (str(seen.verdict), str(seen.moved) if seen.moved else None)


def legacy(folder: str, *names: str) -> dict[str, str]:
    return {f"{folder}/{name}.py": f"# {name}\nvalue_{name} = {len(name)}\n" for name in names}


LEGACY = legacy("src/legacy", "a", "bb", "ccc", "dddd", "eeeee")


# folders
@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    ("now", "verdict", "moved"),
    [
        (LEGACY, "fresh", None),
        ({**LEGACY, "src/legacy/new.py": "x = 1\n"}, "fresh", None),
        ({**LEGACY, "src/legacy/a.py": "edited = True\n"}, "fresh", None),
        (legacy("src/legacy", "a", "bb"), "fresh", None),
        (legacy("src/legacy", "a"), "rewritten", None),
        (legacy("lib/old", "a", "bb", "ccc", "dddd", "eeeee"), "relocated", "path lib/old/"),
        (legacy("lib/old", "a", "bb", "ccc"), "relocated", "path lib/old/"),
        (legacy("lib/old", "a", "bb"), "gone", None),
        ({**legacy("one", "a", "bb"), **legacy("two", "ccc", "dddd", "eeeee")}, "relocated", "path two/"),
        ({"README.md": "x\n"}, "gone", None),
        ({**legacy("src/archive", "a", "bb", "ccc", "dddd", "eeeee"), "src/legacy/x.py": OTHER}, "rewritten", None),
    ],
)  # fmt: skip
def test_a_folder(now: Files, verdict: str, moved: str | None, history: bool) -> None:
    assert told(FOLDER, {**LEGACY, "z.py": TEXT}, {**now, "z.py": TEXT}, history=history) == (verdict, moved)


def test_swapped_folders_hold_something_else() -> None:
    current = {f"src/current/{number}.py": f"current_{number} = {number}\n" for number in range(5)}
    swapped = {path.replace("legacy", "tmp"): text for path, text in LEGACY.items()}
    now = {path.replace("current", "legacy"): text for path, text in current.items()}
    now |= {path.replace("tmp", "current"): text for path, text in swapped.items()}
    seen = judged(FOLDER, {**LEGACY, **current}, now)
    assert (str(seen.verdict), seen.moved) == ("rewritten", None)
    assert "it is now in src/current/" in seen.findings[0].reason


def test_a_folder_that_became_a_file_is_gone() -> None:
    assert told(FOLDER, LEGACY, {"src/legacy": "text\n"}) == ("gone", None)


# a path to a file: that it exists
@pytest.mark.parametrize(
    ("now", "verdict", "moved"),
    [
        ({"src/a.py": TEXT}, "fresh", None),
        ({"src/a.py": TEXT.replace("x + 1", "x - 1")}, "fresh", None),
        ({"src/a.py": OTHER}, "rewritten", None),
        ({"lib/b.py": TEXT}, "relocated", "path lib/b.py"),
        ({"src/a/__init__.py": TEXT}, "relocated", "path src/a/__init__.py"),
        ({"src/a/__init__.py": "from .f import f0\n", "src/a/f.py": OTHER}, "relocated", "path src/a/"),
        ({"lib/a.py": OTHER}, "gone", None),
    ],
)
def test_a_path_is_there_and_the_same_thing(now: Files, verdict: str, moved: str | None) -> None:
    assert told(PATH, {"src/a.py": TEXT, "z.py": "z = 1\n"}, {**now, "z.py": "z = 1\n"}) == (verdict, moved)


def test_what_a_swapped_file_held_is_named() -> None:
    then = {"src/a.py": TEXT, "src/b.py": OTHER}
    seen = judged(PATH, then, {"src/a.py": OTHER, "src/b.py": TEXT})
    assert str(seen.verdict) == "rewritten"
    assert seen.findings[0].reason == "src/a.py now holds something else; what it held is now src/b.py"


def test_a_path_without_the_old_tree_is_found_by_its_object_id() -> None:
    assert told(PATH, {"src/a.py": TEXT}, {"lib/a.py": TEXT}, history=False) == ("relocated", "path lib/a.py")
    assert told(PATH, {"src/a.py": TEXT}, {"lib/a.py": OTHER}, history=False) == ("gone", None)


def test_without_the_old_tree_a_namesake_is_told_and_decides_nothing() -> None:
    (found,) = judged(PATH, {"src/a.py": TEXT}, {"lib/a.py": OTHER}, history=False).findings
    assert found.reason.startswith("src/a.py no longer exists; lib/a.py has its name")
    (found,) = judged(
        PATH, {"src/a.py": TEXT}, {"lib/a.py": OTHER, "app/a.py": "x = 1\n"}, history=False
    ).findings
    assert found.reason == "src/a.py no longer exists"


@pytest.mark.parametrize(
    ("alone", "verdict"), [(("a", "bb", "ccc"), "relocated"), (("a",), "gone"), ((), "gone")]
)
def test_without_the_old_tree_what_many_folders_have_shows_no_move(
    alone: tuple[str, ...], verdict: str
) -> None:
    common = {name: f"{name} = 1\n" for name in ("licence.py", "settings.py", "build.py", "types.py")}
    then = {f"apps/cron/{name}": text for name, text in common.items()} | legacy(
        "apps/cron", "a", "bb", "ccc"
    )
    now = {f"apps/{app}/{name}": text for app in ("web", "jobs") for name, text in common.items()}
    now |= legacy("apps/jobs", *alone)
    assert told(parse_watch("path", "apps/cron/"), then, now, history=False)[0] == verdict


def test_a_path_that_was_never_there() -> None:
    assert told(parse_watch("path", "src/none/"), {"src/a.py": TEXT}, {"src/a.py": OTHER})[0] == "unknown"


# a whole file: what it says
@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        (TEXT, "fresh"),
        (TEXT.replace("    return x + 1", "    # said\n    return (x + 1)"), "cosmetic"),
        ("import os\n\n\n" + TEXT, "touched"),
        (TEXT.replace("f1(x)", "f1(x: int) -> int"), "touched"),
        (TEXT.replace("x + 1", "x - 1"), "changed"),
    ],
)
def test_a_file_is_its_content(now: str, verdict: str, history: bool) -> None:
    assert told(FILE, {"src/a.py": TEXT}, {"src/a.py": now}, history=history) == (verdict, None)


def test_a_file_that_was_rewritten_says_how_much() -> None:
    (found,) = judged(FILE, {"src/a.py": TEXT}, {"src/a.py": OTHER}).findings
    assert (str(found.verdict), found.reason, found.share) == ("rewritten", "src/a.py rewritten 100%", 1.0)


@pytest.mark.parametrize(
    ("new", "verdict", "reason"),
    [
        (TEXT, "relocated", "src/a.py is now lib/b.py"),
        ("# said\n" + TEXT, "relocated", "src/a.py is now lib/b.py"),
        ("import os\n" + TEXT, "touched", "b.py: only type annotations or imports changed"),
        (TEXT.replace("x + 1", "x - 1"), "changed", "lib/b.py changed 10%"),
        (OTHER, "gone", "src/a.py no longer exists"),
    ],
)
def test_a_renamed_file_is_judged_where_it_is(new: str, verdict: str, reason: str) -> None:
    (found,) = judged(FILE, {"src/a.py": TEXT}, {"lib/b.py": new}).findings
    assert (str(found.verdict), found.reason) == (verdict, reason)


def test_a_renamed_file_with_other_imports_offers_its_new_place() -> None:
    seen = judged(FILE, {"src/a.py": TEXT}, {"lib/b.py": "import os\n" + TEXT})
    assert (str(seen.moved), seen.findings[0].new_path) == ("file lib/b.py", "lib/b.py")


def test_a_folder_follows_files_that_git_pairs_though_much_in_them_changed() -> None:
    then = {f"lib/{n}.py": "".join(f"x{k} = {n}{k}\n" for k in range(20)) for n in range(5)}
    now = {
        f"src/lib/{n}.py": "".join(f"x{k} = {n}{k}\n" for k in range(11)) + "y = 1\n" * 9 for n in range(5)
    }
    seen = judged(parse_watch("path", "lib/"), then, now)
    assert (str(seen.verdict), str(seen.moved)) == ("relocated", "path src/lib/")


def test_binary_content_differs_or_not() -> None:
    watch = parse_watch("file", "logo.png")
    old, new = b"\x89PNG\0" + b"a" * 50, b"\x89PNG\0" + b"b" * 50
    assert told(watch, {"logo.png": old}, {"logo.png": old})[0] == "fresh"
    assert told(watch, {"logo.png": old}, {"logo.png": new})[0] in {"changed", "rewritten"}
    assert told(watch, {"logo.png": old}, {"logo.png": new}, history=False)[0] == "changed"


# the check that proved a memory
VERIFIER = parse_watch("verifier", "tests/test_a.py#test_total")
CHECK = "def test_total():\n    assert total() == 3\n"


def test_a_check_that_changed_challenges_in_its_own_words() -> None:
    then = {"tests/test_a.py": CHECK}
    (found,) = judged(VERIFIER, then, {"tests/test_a.py": CHECK.replace("3", "4")}).findings
    assert (str(found.verdict), found.path) == ("changed", "tests/test_a.py")
    assert found.reason == "the check that proved this changed: test_total: body changed"
    assert found.watch == "verifier tests/test_a.py#test_total"


@pytest.mark.parametrize(
    ("new", "verdict"),
    [
        (CHECK, "fresh"),
        ("# said\n" + CHECK, "cosmetic"),
        (CHECK + "\n\ndef test_other():\n    pass\n", "cosmetic"),
        ("def test_other():\n    pass\n", "gone"),
    ],
)
def test_a_check_among_others(new: str, verdict: str) -> None:
    for known in (True, False):
        assert (
            str(judged(VERIFIER, {"tests/test_a.py": CHECK}, {"tests/test_a.py": new}, history=known).verdict)
            == verdict
        )


def test_a_check_given_as_a_whole_file() -> None:
    watch = parse_watch("verifier", "tests/run.sh")
    assert (
        str(judged(watch, {"tests/run.sh": "pytest a\n"}, {"tests/run.sh": "pytest b\n"}).verdict)
        == "rewritten"
    )


def test_a_check_that_moved_is_followed() -> None:
    seen = judged(VERIFIER, {"tests/test_a.py": CHECK}, {"tests/unit/test_a.py": CHECK})
    assert str(seen.verdict) == "relocated"
    assert str(seen.moved) == "verifier tests/unit/test_a.py#test_total"


def test_without_the_old_tree_a_folder_follows_its_names_behind_one_that_is_unchanged() -> None:
    names = ("a", "bb", "ccc", "dddd", "eeeee")
    edited = {path: text + "more = 1\n" for path, text in legacy("lib/old", *names).items()}
    now = edited | legacy("lib/old", "a")
    assert told(FOLDER, LEGACY, now, history=False) == ("relocated", "path lib/old/")
    assert told(FOLDER, LEGACY, edited, history=False) == ("gone", None)


REST = {f"lib/{n}.py": "".join(f"x{k} = {n}{k}\n" for k in range(20)) for n in range(5)}


@pytest.mark.parametrize(("kept", "verdict"), [(5, "relocated"), (2, "relocated"), (1, "gone"), (0, "gone")])
def test_a_folder_goes_where_some_of_its_files_are_recognised_and_most_stand_by_name(
    kept: int, verdict: str
) -> None:
    now = {
        f"src/{path}": text if n < kept else f"other = {n}\n" * 20
        for n, (path, text) in enumerate(REST.items())
    }
    assert told(parse_watch("path", "lib/"), REST, now)[0] == verdict


def test_a_folder_does_not_go_where_few_of_its_files_stand() -> None:
    now = {path.replace("lib", "src/lib"): text for path, text in list(REST.items())[:2]}
    assert told(parse_watch("path", "lib/"), REST, now)[0] == "gone"


def test_a_folder_renamed_together_with_one_inside_is_followed() -> None:
    inner = {**legacy("src/legacy/src/legacy", "a", "bb", "ccc"), "src/legacy/build.py": TEXT}
    now = {path.replace("legacy/", "legacykit/"): text for path, text in inner.items()}
    assert told(FOLDER, inner, now) == ("relocated", "path src/legacykit/")


def test_files_of_a_folder_that_went_several_ways_lead_nowhere() -> None:
    now = {f"src/new/{path.rpartition('/')[2][:-3]}/x.py": text for path, text in LEGACY.items()}
    assert told(FOLDER, LEGACY, now)[0] == "gone"


SCHEMA = "".join(f"model M{n} {{ id Int }}\n" for n in range(20))
OWN = parse_watch("path", "db/schema.prisma")


def quartered(folder: str) -> dict[str, str]:
    """The schema in four files."""
    lines = SCHEMA.splitlines(keepends=True)
    return {f"{folder}/{n}.prisma": "".join(lines[n::4]) for n in range(4)}


@pytest.mark.parametrize(
    ("now", "verdict", "place"),
    [
        ({"db/schema/main.prisma": SCHEMA.replace("M1 ", "N1 ") + SCHEMA.replace("M", "X") * 4}, "relocated", "db/schema/main.prisma"),
        (quartered("db/schema"), "relocated", "db/schema/"),
        ({"db/schema/main.prisma": SCHEMA[:100]}, "gone", None),
        ({"db/schema/main.sql": SCHEMA.replace("M1 ", "N1 ") + SCHEMA.replace("M", "X") * 4}, "gone", None),
        (quartered("db/other"), "gone", None),
    ],
)  # fmt: skip
def test_a_file_is_followed_into_a_new_folder_of_its_name(
    now: Files, verdict: str, place: str | None
) -> None:
    before = {"db/schema.prisma": SCHEMA, "db/seed.ts": "x\n"}
    expected = f"path {place}" if place else None
    assert told(OWN, before, {**now, "db/seed.ts": "x\n"}) == (verdict, expected)


def test_a_folder_that_was_there_before_is_not_what_a_file_became() -> None:
    before = {"db/schema.prisma": SCHEMA, "db/schema/old.prisma": "model O {}\n"}
    now = {"db/schema/old.prisma": "model O {}\n", **quartered("db/schema")}
    assert told(OWN, before, now)[0] == "gone"


BOLT = {f"core/ui/kit/src/net/{n}.kt": "".join(f"val x{k} = {n}{k}\n" for k in range(9)) for n in range(10)}


@pytest.mark.parametrize(("strays", "verdict"), [(0, "relocated"), (3, "relocated"), (5, "gone")])
def test_a_folder_follows_most_of_its_files_into_one_of_its_name_however_they_lie_there(
    strays: int, verdict: str
) -> None:
    now = {
        path.replace(
            "core/ui/kit/src/net",
            f"other{n}" if n < strays else f"parts/bolt/kit/src/{'app' if n % 2 else 'lib'}",
        ): text
        for n, (path, text) in enumerate(BOLT.items())
    }
    assert told(parse_watch("path", "core/ui/kit/"), BOLT, now)[0] == verdict


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("README.v2.md", True), (".eslintrc.cjs", True), ("docs/.vale.yml", True), ("_typos.toml", True), ("vite.config.ts", True),
        ("src/readme_writer.py", False), ("src/config.ts", False), ("app/settings.toml", False),
    ],
)  # fmt: skip
def test_files_that_are_what_they_are_called(path: str, known: bool) -> None:
    assert is_what_it_is_called(path) is known


@pytest.mark.parametrize(
    ("path", "verdict"),
    [
        ("docs/guide.md", "fresh"),
        ("AGENTS.md", "fresh"),
        ("docs/api.rst", "fresh"),
        ("docs/guide.txt", "rewritten"),
    ],
)
def test_a_document_that_was_written_anew_is_still_that_document(path: str, verdict: str) -> None:
    old = "".join(f"How to do the {number}th thing\n" for number in range(9))
    new = "".join(f"What became of part {number}\n" for number in range(9))
    assert told(parse_watch("path", path), {path: old}, {path: new}) == (verdict, None)
    assert told(parse_watch("path", path), {path: old}, {"z.py": TEXT}) == ("gone", None)
