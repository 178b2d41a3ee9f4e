from __future__ import annotations

import pytest

from gitmem.drift.content.reading import compare, key_names, key_value
from gitmem.drift.derive import derive
from gitmem.drift.stated import is_about_value, tells
from gitmem.model.memory import Scope
from tests.support.tree_view import TreeOfText

FILES = {
    ".editorconfig": "[*.py]\nmax_line_length = 100\n",
    ".env.example": "# limits\nexport MAX_UPLOAD_MB=25 # as the proxy\nURL='http://a#b'\n",
    "app/application.yml": "server:\n  port: 8080\nspring:\n  jpa:\n    open-in-view: false\n",
    "app/jobs.properties": "! workers\npool.size = 10\nqueue.name: orders\n",
    "app/settings.py": "MAX_UPLOAD = 25\n",
    "config/a.toml": 'timeout_seconds = 30\n[db]\npool_size = 5\nurl = "pg"\n',
    "config/b.toml": "timeout_seconds = 60\n[cache]\npool_size = 7\n",
    "setup.cfg": "[flake8]\nmax-line-length = 100\nextend-ignore =\n    E203\n[mypy]\nstrict = True\n",
    "tox.ini": "[tox]\nenv_list = py311, py312\n[testenv]\ncommands = pytest\n",
}
SHOP = TreeOfText(FILES)


def watches(text: str, *globs: str) -> list[str]:
    found = derive([text], Scope(paths=globs), SHOP, files=SHOP.matching(globs))
    return [str(one) for one in found.watches]


@pytest.mark.parametrize(
    ("text", "globs", "expected"),
    [
        ("`MAX_UPLOAD_MB` is 25", [".env.example"], ["key .env.example#MAX_UPLOAD_MB"]),
        ("MAX_UPLOAD_MB is 25 by default", [".env.example"], ["key .env.example#MAX_UPLOAD_MB"]),
        ("`max_upload_mb` is 25", [".env.example"], ["key .env.example#MAX_UPLOAD_MB"]),
        ("`timeout_seconds`는 30이다", ["config/**"], ["key config/a.toml#timeout_seconds"]),
        ("`timeout_seconds`は60です", ["config/**"], ["key config/b.toml#timeout_seconds"]),
        (
            "`timeout_seconds` is 15 at most",
            ["config/**"],
            ["key config/a.toml#timeout_seconds", "key config/b.toml#timeout_seconds"],
        ),
        ("`db.pool_size` is five", ["config/**"], ["key config/a.toml#db.pool_size"]),
        ("`pool_size` is 7", ["config/*"], ["key config/b.toml#cache.pool_size"]),
        (
            "The pool size `pool.size` defaults to 10",
            ["app/**"],
            ['key app/jobs.properties#"pool.size"'],
        ),
        ("The queue `queue.name` is orders", ["app/*.properties"], ['key app/jobs.properties#"queue.name"']),
        ("line length is 100 (`max-line-length`)", ["setup.cfg"], ["key setup.cfg#flake8.max-line-length"]),
        ("`max-line-length = 100`", ["setup.cfg"], ["key setup.cfg#flake8.max-line-length"]),
        ("`max_line_length` is 100", [".editorconfig"], ['key .editorconfig#"*.py".max_line_length']),
        ("mypy is strict: `strict` is on", ["setup.cfg"], ["key setup.cfg#mypy.strict"]),
        ("`env_list` has py311 and py312", ["tox.ini"], ["key tox.ini#tox.env_list"]),
        ("We listen at `server.port` 8080", ["app/application.yml"], ["key app/application.yml#server.port"]),
        (
            "`spring.jpa.open-in-view` is off",
            ["app/**"],
            ["key app/application.yml#spring.jpa.open-in-view"],
        ),
        ("`MAX_UPLOAD` is 25", ["app/**"], ["symbol app/settings.py#MAX_UPLOAD"]),
        ("Ask before you touch `pool_size`", ["config/a.toml"], ["ident pool_size"]),
    ],
)
def test_a_setting_is_found_by_its_bare_name(text: str, globs: list[str], expected: list[str]) -> None:
    assert watches(text, *globs) == expected


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("is 25", "25", True),
        ("is 125", "25", False),
        ("is 25.5", "25", False),
        ("at most 25MB", "25", True),
        ("30초", "30", True),
        ("up to 1,000", "1000", True),
        ("up to 1_000", '"=1_000"', True),
        ("three times", "3", True),
        ("the level is DEBUG", '"debug"', True),
        ("the debugger", '"debug"', False),
        ("it is enabled", "true", True),
        ("켜져 있다", "true", True),
        ("it is disabled", "true", False),
        ("a and b", '["a","b"]', False),
        ("", '""', False),
    ],
)
def test_tells_a_value(text: str, value: str, told: bool) -> None:
    assert tells(text, value) == told


@pytest.mark.parametrize(
    ("text", "value", "about"),
    [
        ("ask before you touch `x`", "25", False),
        ("`x` is 20", "25", True),
        ("`x` lists what we run", '["a"]', True),
        ("`x2` is ours", "25", False),
    ],
)
def test_is_about_a_value(text: str, value: str, about: bool) -> None:
    assert is_about_value(text, value) == about


@pytest.mark.parametrize(
    ("path", "old", "new", "difference"),
    [
        (".env", "A=1\n", "# why\nexport A=1 # so\n", "cosmetic"),
        (".env", "A='x # y'\n", "A='x # z'\n", "substantive"),
        (".env", "A=x#y\n", "A=x#z\n", "substantive"),
        ("a.properties", "a.b = 1\n", "! why\n# so\na.b: 1\n", "cosmetic"),
        ("a.properties", "a = b\\\n    c\n", "a = bc\n", "cosmetic"),
        ("a.properties", "a 1\n", "a 2\n", "substantive"),
    ],
)
def test_comments_of_settings_say_nothing(path: str, old: str, new: str, difference: str) -> None:
    assert str(compare(path, old.encode(), new.encode()).difference) == difference


def test_keys_of_properties_and_environments() -> None:
    assert key_names("a.properties", b"a.b=1\nc d\n") == ('"a.b"', "c")
    assert key_value("a.properties", b"a.b=1\nc d\n", "a.b") == '"1"'
    assert key_value(".env", b"export A = 1 # x\n", "A") == '"1"'
