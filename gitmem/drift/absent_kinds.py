"""Statements that the project has none of a kind of tool: "No test framework is configured", 「ORM을 쓰지 않는다」.

Their words stand in no file while they hold, so that no edited line speaks them. Of the kinds below the tools are known by
name: **an edit tells against the words once a new line has one of these names**, or the word of the kind itself, and no other
edit does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.drift.claims import without_names
from gitmem.drift.speaking import Edited

_KINDS = (
    (
        (
            r"\btest(?:s|ing)?\s+(?:frameworks?|runners?|suites?|setup|librar(?:y|ies)|files?)|\btests\b"
            r"|테스트\s?(?:프레임워크|러너|도구|코드)|テスト(?:フレームワーク|ランナー|コード)|测试(?:框架|工具)|測試框架"
        ),
        "test spec jest mocha ava jasmine karma cypress playwright tox nox junit rspec minitest phpunit catch2 gtest",
    ),
    (
        r"\blint(?:er|ers|ing)\b|린터|リンター|静的解析|代码检查",
        "lint biome ruff flake8 rubocop clippy xo standardjs standard checkstyle detekt phpstan credo",
    ),
    (
        r"\bformatter\b|\bcode\s+formatting\b|포매터|포맷터|フォーマッタ|格式化(?:工具|器)",
        "format fmt prettier biome black ruff yapf autopep8 dprint rustfmt gofmt gofumpt clang",
    ),
    (
        r"\bORMs?\b",
        "orm prisma drizzle sequelize knex kysely sqlalchemy sqlmodel peewee tortoise diesel gorm hibernate ecto mongoose",
    ),
    (
        r"\bstate\s+management\b|상태\s?관리|状態管理|状态管理",
        "redux zustand mobx jotai recoil pinia vuex xstate valtio effector riverpod bloc nanostores",
    ),
    (
        r"\bbundlers?\b|번들러|バンドラ|打包(?:工具|器)",
        "bundle webpack vite rollup esbuild parcel turbopack rspack rolldown tsup swc bun",
    ),
    (
        r"\btype[- ]?check(?:er|ing|s)?\b|타입\s?(?:검사|체크)|型チェック|类型检查",
        "typecheck tsc mypy pyright pyre pytype sorbet ty flow typescript",
    ),
    (r"\bpre-?commit\s+hooks?\b|\bgit\s+hooks?\b", "hook husky lefthook precommit commit staged"),
    (
        r"\bcss\s+framework\b|\bui\s+(?:library|framework|kit)\b|\bcomponent\s+library\b",
        "tailwind bootstrap mui material chakra antd mantine radix shadcn bulma daisyui unocss headlessui",
    ),
    (
        r"\bi18n\b|\binternationali[sz]ation\b|다국어|国际化|多言語",
        "i18 intl locale lingui gettext babel fluent",
    ),
)
_NONE = r"(?:\bno|\bwithout(?:\s+any|\s+an?)?|(?:\bnot|n['’]t|\bnever)\s+(?:have|use|need|ship|include|set\s+up|configure)(?:\s+any|\s+an?)?)"
_MISSING = r"(?:is|are|has\s+been|have\s+been)(?:\s+not|n['’]t)\s+(?:configured|used|set\s+up|present|installed|available|in\s+use)"
_READ = tuple(
    (
        re.compile(
            rf"(?i){_NONE}\s+(?:[a-z-]+\s+){{0,2}}?(?:{said})|(?:{said})[\w\s]{{0,10}}?\s{_MISSING}"
            rf"|(?:{said})[^.。\n]{{0,12}}?(?:없|않|(?<![가-힣])안\s|ない|ません|なし)|(?:没有|沒有|不使用|无|無)[^。\n]{{0,8}}?(?:{said})"
        ),
        frozenset(names.split()),
    )
    for said, names in _KINDS
)
_WORDS = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+\d*|[A-Z]+")
_SHORT = 4
"""Letters up to which a name must be a whole word; longer ones count within another, as ``test`` does in ``vitest``."""


def absent_kinds(text: str) -> frozenset[str]:
    """The names of tools of which a statement says that there are none; empty when it says no such thing.

    Args:
        text: The statement.
    """
    plain = without_names(text)
    return frozenset(name for said, names in _READ if said.search(plain) for name in names)


def came(names: frozenset[str], edited: Edited) -> bool:
    """Whether a line that is new in a file has one of the names.

    Args:
        names: In lower case.
        edited: The file before and after.
    """
    old = frozenset(edited.old.split(b"\n"))
    new = (line for line in edited.new.split(b"\n") if line not in old)
    return any(_has(word, names) for line in new for word in _words(line.decode("utf-8", "replace")))


def _words(line: str) -> Iterator[str]:
    return (word.lower() for word in _WORDS.findall(line))


def _has(word: str, names: frozenset[str]) -> bool:
    return word in names or any(len(name) >= _SHORT and name in word for name in names)
