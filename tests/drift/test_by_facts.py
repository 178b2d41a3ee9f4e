"""A function that is watched since it uses names of the statement rests on the lines that have them."""

from __future__ import annotations

import pytest

from tests.drift.test_grading import about, judge

STORE = """class StoreError(Exception):
    pass


def open_repository(commit_sha, url):
    log(url)
    prepare(url)
    connect(url)
    settle(url)
    if not match(r"^[0-9a-f]{4,64}$", commit_sha):
        raise ValueError(commit_sha)
    if url is None:
        url = default()
    first = fetch(url)
    second = check(first)
    third = unpack(second)
    return third
"""
RULES = [
    "`commit_sha` must match `^[0-9a-f]{4,64}$`, else `ValueError`.",
    "`commit_sha`는 `^[0-9a-f]{4,64}$`에 맞아야 하고, 아니면 `ValueError`가 난다.",
]


@pytest.mark.parametrize("summary", RULES)
@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("    log(url)\n", "    log(url, True)\n", "touched"),
        ("    log(url)\n", "    log(url)\n    more(url)\n", "touched"),
        ("{4,64}", "{7,64}", "changed"),
        ("raise ValueError(commit_sha)", "raise StoreError(commit_sha)", "gone"),
        ("    if not match", "    if url and not match", "changed"),
        ("    first = fetch(url)\n    second = check(first)\n    third = unpack(second)\n    return third\n", "    return None\n", "changed"),
    ],
)  # fmt: skip
def test_the_lines_of_a_use_decide(summary: str, old: str, new: str, verdict: str) -> None:
    then = {"src/store.py": STORE}
    assert old in STORE
    assert str(judge(about(summary), {"src/store.py": STORE.replace(old, new)}, then).verdict) == verdict


@pytest.mark.parametrize(
    "summary",
    [
        "`open_repository` checks `commit_sha` after it is settled.",
        "Nothing but `commit_sha` is ever checked here.",
        "`commit_sha`만 검사한다.",
    ],
)
def test_what_is_named_itself_or_denied_rests_on_all_of_it(summary: str) -> None:
    then = {"src/store.py": STORE}
    now = {"src/store.py": STORE.replace("    log(url)\n", "    log(url)\n    match(url)\n")}
    assert str(judge(about(summary), now, then).verdict) == "changed"


HOOK = """class Event:
    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        first = prepare(cls)
        second = check(first)
        third = connect(second)
        register(third)
"""


@pytest.mark.parametrize(
    ("head", "verdict"),
    [("(cls, **kwargs: object)", "touched"), ("(cls, name)", "changed"), ("()", "changed")],
)
def test_a_named_function_that_takes_the_same_calls_is_no_other_thing(head: str, verdict: str) -> None:
    now = HOOK.replace("(cls) -> None", f"{head} -> None").replace("subclass__()", "subclass__(**kwargs)")
    memory = about("Events register by `name` via `__init_subclass__`.")
    assert str(judge(memory, {"src/event.py": now}, {"src/event.py": HOOK}).verdict) == verdict


BUILD = "".join(f"entry('src/part{n}.ts')\n" for n in range(20)) + "pack('tsdown', { sourcemaps: true })\n"
LISTS = [
    "Uses **tsdown** with sourcemaps; each entry of a part is listed there.",
    "**tsdown** 으로 빌드하며 entry 는 거기에 적혀 있다.",
]


@pytest.mark.parametrize("summary", LISTS)
@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("entry('src/part3.ts')\n", "entry('src/part3.tsx')\nentry('src/more.ts')\n", "touched"),
        ("pack('tsdown'", "pack('tsup'", "changed"),
        ("".join(f"entry('src/part{n}.ts')\n" for n in range(9)), "entry(all)\n", "changed"),
    ],
)
def test_a_file_watched_whole_rests_on_the_lines_that_have_what_is_said(
    summary: str, old: str, new: str, verdict: str
) -> None:
    assert old in BUILD
    memory = about(summary, "build.ts")
    assert str(judge(memory, {"build.ts": BUILD.replace(old, new)}, {"build.ts": BUILD}).verdict) == verdict


@pytest.mark.parametrize(
    "summary",
    [
        "Only **tsdown** packs each entry.",
        "**tsdown**만 entry 를 묶는다.",
        "**tsdown** packs each entry into `[entries.all]`.",
        "**tsdown** packs each entry 77 times.",
        "Each entry of a part is listed there.",
    ],
)
def test_a_denial_a_stranger_and_plain_words_leave_the_whole_file(summary: str) -> None:
    now = BUILD.replace("entry('src/part3.ts')\n", "entry('src/part3.tsx')\nentry('src/more.ts')\n")
    memory = about(summary, "build.ts")
    assert str(judge(memory, {"build.ts": now}, {"build.ts": BUILD}).verdict) == "changed"
