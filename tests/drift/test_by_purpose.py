"""What a place to add to, and a place that is said to be old still, mean for an edit or a move."""

from __future__ import annotations

import pytest

from gitmem.drift.by_purpose import is_added_to, is_still_at
from tests.drift.test_grading import about, judge

MODELS = "export const providerModels = {\n" + "".join(f"  p{n}: 'm{n}',\n" for n in range(12)) + "};\n"
GET = "\nexport function getDefaultModelId(id) {\n  return find(id);\n}\n"
ADD = (
    "Add the provider to the `providerModels` map so `getDefaultModelId()` returns the correct default model"
)
PLACE = "src/models.ts"


@pytest.mark.parametrize(
    "text",
    [
        "Add the provider to the `providerModels` map so that it is found",
        "New routes are registered in `providerModels`",
        "Include it under `Registry.providerModels`",
        "새 공급자는 `providerModels`에 추가한다",
        "새 공급자는 `providerModels` 맵에 반드시 등록합니다",
        "新しいものは `providerModels` に追加する",
        "新的提供者要添加到 `providerModels`",
    ],
)
def test_a_place_to_add_to(text: str) -> None:
    assert is_added_to(text, "providerModels")


@pytest.mark.parametrize(
    "text",
    [
        "`providerModels` maps a provider to its default model",
        "Adding is not needed. The names in `other` come from `providerModels`",
        "Add nothing to `other`; `providerModels` is frozen",
        "`providerModels`는 추가 설정을 갖지 않는다",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not is_added_to(text, "providerModels")


@pytest.mark.parametrize(
    ("summary", "now", "verdict"),
    [
        (ADD, MODELS.replace("  p3", "  q1: 'm',\n  p3"), "touched"),
        (ADD, MODELS.replace("p3: 'm3'", "p3: 'm4'"), "touched"),
        (ADD, "export const providerModels = load();\n", "rewritten"),
        (ADD, "export const more = 1;\n", "gone"),
        ("`providerModels` has twelve entries", MODELS.replace("  p3", "  q1: 'm',\n  p3"), "changed"),
    ],
)
def test_it_is_doubted_once_most_of_it_is_another(summary: str, now: str, verdict: str) -> None:
    assert str(judge(about(summary), {PLACE: now + GET}, {PLACE: MODELS + GET}).verdict) == verdict


@pytest.mark.parametrize(
    ("text", "still"),
    [
        ("Polls are in `features/poll/` (legacy UI still in `components/poll/`)", True),
        ("The old UI remains in `src/components/poll`", True),
        ("예전 화면은 아직 `components/poll/`에 있다", True),
        ("旧UIはまだ `components/poll/` にある", True),
        ("旧界面仍在 `components/poll/`", True),
        ("Still to do: nothing. The UI is in `components/poll/`", False),
        ("The UI is in `components/poll/`, and `other/` still exists", False),
    ],
)
def test_what_is_said_to_be_there_still(text: str, *, still: bool) -> None:
    assert is_still_at(text, "src/components/poll/") is still


@pytest.mark.parametrize(
    ("summary", "verdict"),
    [
        ("The old screens are still in `src/legacy/`", "changed"),
        ("The screens are in `src/legacy/`", "relocated"),
    ],
)
def test_what_was_still_there_and_moved_makes_it_false(summary: str, verdict: str) -> None:
    files = {f"{{}}/screen{n}.py": f"def screen{n}():\n    return {n} * 12\n" for n in range(3)}
    then = {name.format("src/legacy"): text for name, text in files.items()}
    now = {name.format("src/screens"): text for name, text in files.items()}
    assert str(judge(about(summary), now, then).verdict) == verdict


SERVER = "class Server:\n    def __init__(self, tool_serializer=None):\n        self.tool_serializer = tool_serializer\n"
DEPRECATED = "The `tool_serializer` parameter on `Server` is deprecated. Return a result instead."


@pytest.mark.parametrize(
    ("summary", "now", "verdict"),
    [
        (DEPRECATED, {"src/server.py": "class Server:\n    pass\n"}, "changed"),
        (DEPRECATED, {"src/server.py": SERVER + "\n\ndef more():\n    return 1\n"}, "touched"),
        ("`tool_serializer`는 사용 중단되었다", {"src/server.py": "class Server:\n    pass\n"}, "gone"),
        (
            "Never use `tool_serializer` in new code",
            {"src/server.py": "class Server:\n    pass\n"},
            "touched",
        ),
    ],
)
def test_what_is_removed_is_deprecated_no_more(summary: str, now: dict[str, str], verdict: str) -> None:
    other = {"tests/test_server.py": "tool_serializer = 1\n"}
    assert str(judge(about(summary), {**now, **other}, {"src/server.py": SERVER, **other}).verdict) == verdict
