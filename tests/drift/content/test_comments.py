"""Comments say nothing in every file whose comments are certain; other content always does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gitmem.drift.content.language import language_of
from gitmem.drift.content.reading import compare
from gitmem.drift.content.text import text_digest
from gitmem.drift.watching import judge_mark
from gitmem.model.watch import parse_watch
from tests.support.tree_view import mark_of, without_history

NGINX = "server {\n  listen 80;\n}\nserver {\n  listen 80;\n}\n"
FILES = [
    ("Dockerfile", "FROM a\nRUN x\n", "# why\n\nFROM a\n\nRUN x\n", "FROM a\nRUN y\n"),
    ("a.ini", "[a]\nb=1\n", "; why\n# so\n\n[a]\nb=1\n", "[a]\nb=2\n"),
    ("a.cfg", "[a]\nb=1\n", "# why\n[a]\nb=1\n", "[a]\nc=1\n"),
    ("a.properties", "b=1\n", "! why\n# so\nb=1\n", "b=2\n"),
    (".env", "B=1\n", "# why\nB=1\n", "B=2\n"),
    ("a.tf", 'a "b" {\n  c = 1\n}\n', '# why\n// so\na "b" { /* x */\n  c = 1\n}\n', 'a "b" {\n  c = 2\n}\n'),
    ("a.hcl", "c = 1\n", "# why\nc = 1\n", "c = 2\n"),
    ("a.sql", "SELECT '--a';\n", "-- why\n/* so */ SELECT '--a';\n", "SELECT '--b';\n"),
    ("a.proto", "message A { int32 b = 1; }\n", "// why\nmessage A {\n int32 b = 1; }\n", "message A { int32 b = 2; }\n"),
    ("a.graphql", "type A { b: Int }\n", "# why\ntype A { b: Int }\n", "type A { b: Int! }\n"),
    ("a.prisma", "model A { b Int }\n", "// why\nmodel A { b Int }\n", "model A { b String }\n"),
    ("nginx.conf", NGINX, "# why\n" + NGINX.replace("80;", "80; # so", 1), NGINX.replace("80", "81", 1)),
    ("sites/shop.conf", NGINX, "# why\n" + NGINX, NGINX.replace("80", "81", 1)),
    (".gitignore", "a\n", "# why\n\na\n", "a #b\n"),
    ("CMakeLists.txt", "add(a)\n", "# why\nadd(a)\n", "add(b)\n"),
    ("a.lua", "a = 1\n", "-- why\na = 1\n", "a = 2\n"),
    ("a.html", "<p>a</p>\n", "<!-- why -->\n<p>a</p>\n", "<p>b</p>\n"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "source", "commented", "changed"), FILES, ids=[one[0] for one in FILES])
def test_a_comment_is_cosmetic_and_a_change_is_not(
    path: str, source: str, commented: str, changed: str
) -> None:
    assert str(compare(path, source.encode(), commented.encode()).difference) == "cosmetic"
    assert str(compare(path, source.encode(), changed.encode()).difference) == "substantive"


def test_a_conf_is_ini_or_blocks_by_what_is_in_it() -> None:
    assert language_of("a.conf", NGINX.encode()) == "nginx"
    assert language_of("a.conf", b"[a]\nb = c;\n") == "ini"
    assert language_of("a.conf", b"a = b\n") == "ini"


@pytest.mark.parametrize(
    ("now", "verdict"), [("FROM  a\n", "cosmetic"), ("# why\nFROM a\n", "changed"), ("FROM b\n", "changed")]
)
def test_a_mark_of_white_space_is_compared_as_it_was_made(now: str, verdict: str) -> None:
    made = mark_of(parse_watch("file", "Dockerfile"), {"Dockerfile": "FROM a\n"})
    old = replace(made, sig=text_digest(b"FROM a\n")[:16], core=None)
    assert str(judge_mark(old, without_history({"Dockerfile": now}), ()).verdict) == verdict
