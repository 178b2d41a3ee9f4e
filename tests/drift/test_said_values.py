"""Defaults, arguments by name and written files of a statement: each is watched where code of the scope has it."""

from __future__ import annotations

import pytest

from tests.drift.test_grounding import fate, judged, watches
from tests.support.tree_view import Files

MODELS = (
    "import os\n\n\ndef default_model():\n"
    '    """Falls back to "gpt-4.1"."""\n'
    '    return os.getenv("DEFAULT_MODEL", "gpt-4.1").lower()\n'
)
SERVER = (
    "class Server:\n    def __init__(\n        self,\n        name: str,\n        *,\n        include_tags: set[str] | None = None,\n"
    "        exclude_tags: set[str] | None = None,\n    ):\n        self.name = name\n\n\n"
    "def connect(url, timeout=30, **options):\n    return url\n"
)
FETCH = 'import os\n\n\ndef save(folder, pages):\n    path = os.path.join(folder, "pages.yaml")\n    return path, pages\n'
CLI = (
    "def build(parser):\n    parser.add_argument('--limit', type=int, default=0, help='at most')\n    parser.add_argument('--dry')\n"
    + "".join(f"    step_{at}(parser)\n" for at in range(12))
)
APP: Files = {
    "app/models.py": MODELS,
    "app/server.py": SERVER,
    "app/fetch.py": FETCH,
    "app/cli.py": CLI,
    "app/other.py": 'KNOWN = ["gpt-4o", "gpt-4.1"]\n',
    "README.md": "`gpt-4.1`\n",
}
LINE = "lines app/models.py:6-6"


def edited(path: str, old: str, new: str) -> Files:
    text = APP[path]
    assert isinstance(text, str)
    assert old in text
    return {**APP, path: text.replace(old, new)}


# defaults
@pytest.mark.parametrize(
    "text",
    [
        "The default model is `gpt-4.1`.",
        "It defaults to [`gpt-4.1`](https://example.org/models/gpt-4.1).",
        "`gpt-4.1` is the default model.",
        "현재 기본값은 낮은 지연 시간을 위해 [`gpt-4.1`](https://example.org/m)입니다.",
        "기본 모델은 `gpt-4.1`이다.",
        "デフォルトは`gpt-4.1`です。",
        "默认模型为 `gpt-4.1`。",
    ],
)
def test_a_default_is_watched_where_code_gives_it(text: str) -> None:
    assert LINE in watches(text, "app/models.py", files=APP)
    other = edited("app/models.py", '", "gpt-4.1")', '", "gpt-5")')
    assert fate(LINE, judged(text, "app/models.py", then=APP, now=other)) == "gone"
    wrapped = edited("app/models.py", "os.getenv(", "read_env(")
    assert fate(LINE, judged(text, "app/models.py", then=APP, now=wrapped)) == "touched"


@pytest.mark.parametrize(
    "text",
    [
        "`gpt-4.1` is one of the models.",
        "The default is set elsewhere. Prefer `gpt-4.1`.",
        "By default models differ; `gpt-4.1` is known",
        "The default model is `gpt-6`.",
        "기본 모델은 설정에 있다. `gpt-4.1`도 된다.",
        "デフォルトは設定にあります。`gpt-4.1`も使えます。",
    ],
)
def test_a_value_that_is_no_default_or_not_there_is_bound_to_no_line(text: str) -> None:
    assert LINE not in watches(text, "app/models.py", files=APP)


# arguments
@pytest.mark.parametrize(
    "text",
    [
        "`Server(include_tags=..., exclude_tags=...)` filters the tools.",
        "`Server(exclude_tags=[...])`로 태그를 뺀다.",
        '`Server(exclude_tags={"x"})`を使う。',
    ],
)
def test_an_argument_by_name_is_watched_as_a_parameter(text: str) -> None:
    watch = "key app/server.py#Server(exclude_tags)"
    assert watch in watches(text, "app/**", files=APP)
    gone = edited(
        "app/server.py", "        exclude_tags: set[str] | None = None,\n", "        **old: object,\n"
    )
    gone = {**gone, "app/old.py": 'REMOVED = {"exclude_tags": "use disable()"}\n'}
    found = judged(text, "app/**", then=APP, now=gone)
    assert (fate(watch, found), found.verdict) == ("gone", "gone")
    more = edited(
        "app/server.py",
        "        exclude_tags: set[str] |",
        "        extra=None,\n        exclude_tags: list[str] |",
    )
    assert fate(watch, judged(text, "app/**", then=APP, now=more)) == "fresh"


def test_a_parameter_is_followed_with_its_callable() -> None:
    text, watch = "Call `connect(timeout=5)`.", "key app/server.py#connect(timeout)"
    assert watch in watches(text, "app/**", files=APP)
    function = SERVER[SERVER.index("def connect") :]
    apart = {**APP, "app/server.py": SERVER.replace(function, ""), "app/link.py": function}
    assert fate(watch, judged(text, "app/**", then=APP, now=apart)) == "relocated"
    other = {**apart, "app/link.py": function.replace("timeout=30", "seconds=30")}
    assert fate(watch, judged(text, "app/**", then=APP, now=other)) == "gone"


@pytest.mark.parametrize(
    "text", ["`connect(retries=3)`", "`unknown(timeout=5)`", "`connect(url == timeout)`", "`connect(url)`"]
)
def test_what_a_callable_does_not_take_by_name_is_bound_to_nothing(text: str) -> None:
    assert not any("(" in one for one in watches(text, "app/**", files=APP))


# written files
@pytest.mark.parametrize(
    "text",
    [
        "The list is saved to `var/pages.yaml`.",
        "전체 문서 목록을 `var/pages.yaml`에 저장합니다.",
        "一覧を`var/pages.yaml`に保存します。",
        "列表写入 `var/pages.yaml`。",
    ],
)
@pytest.mark.parametrize("there", [{}, {"var/pages.yaml": "a: 1\n"}])
def test_a_file_that_code_writes_is_watched_by_its_name_there(text: str, there: Files) -> None:
    then, now = {**APP, **there}, {**edited("app/fetch.py", '"pages.yaml"', 'f"pages.{pages}.yaml"'), **there}
    assert "ident pages.yaml" in watches(text, "app/**", files=then)
    assert str(fate("ident pages.yaml", judged(text, "app/**", then=then, now=now))) == "gone"
    moved = {**edited("app/fetch.py", "os.path.join(folder,", "str(folder /"), **there}
    assert fate("ident pages.yaml", judged(text, "app/**", then=then, now=moved)) == "fresh"


@pytest.mark.parametrize(
    "text", ["See `var/pages.yaml`.", "`var/pages.yaml` 참고", "Writes `var/rows.yaml`."]
)
def test_a_file_that_is_only_named_or_not_written_is_bound_to_nothing(text: str) -> None:
    assert not any(
        one.startswith("ident") for one in watches(text, "app/**", files={**APP, "var/pages.yaml": "a: 1\n"})
    )


# an option with its default
@pytest.mark.parametrize(
    "text",
    [
        "| `--limit N` | 최대 파일 수 (기본: 0=전체) |",
        "| `--limit N` | At most (default: 0) |",
        "| `--limit N` | 最大数（既定: 0） |",
    ],
)
def test_an_option_whose_default_is_bound_leaves_its_file_alone(text: str) -> None:
    assert watches(text, "app/cli.py", files=APP) == ["lines app/cli.py:2-2"]
    more = edited("app/cli.py", "    step_3(parser)\n", "    limit_files(parser)\n    step_3(parser)\n")
    assert judged(text, "app/cli.py", then=APP, now=more).verdict == "touched"
    other = edited("app/cli.py", "default=0", "default=10")
    assert judged(text, "app/cli.py", then=APP, now=other).verdict in {"changed", "gone"}
