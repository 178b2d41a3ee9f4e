from __future__ import annotations

import pytest
from hypothesis import given

from gitmem.store.path_quoting import quote_path, unquote_path
from tests.store.strategies import paths
from tests.support.repo import Repo

CASES = {
    "src/a b/결제.py": "src/a b/결제.py",
    'a"b': 'a"b',
    '"a': '"\\"a"',
    "a\nb": '"a\\nb"',
    "a\\b\t": '"a\\\\b\\t"',
    "caf\udce9": '"caf\\351"',
    "a\u202eb": '"a\\342\\200\\256b"',
    " a": '" a"',
}


@pytest.mark.parametrize("path", CASES)
def test_a_path_is_quoted_only_where_it_must_be(path: str) -> None:
    assert quote_path(path) == CASES[path]


@given(paths)
def test_quoting_can_be_undone_and_leaves_clean_text(path: str) -> None:
    quoted = quote_path(path)
    assert unquote_path(quoted) == path
    quoted.encode()


@pytest.mark.parametrize("text", ['"a', '"', '"a"b"', '"\\x41"', '"\\"'])
def test_what_git_does_not_write_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not quoted as git quotes paths"):
        unquote_path(text)


def test_git_quotes_the_same_way(repo: Repo) -> None:
    names = ["a\nb", "caf\udce9", 'x\\"y\x7f', "tab\tback\b"]
    repo.commit("odd names", dict.fromkeys(names, "x"))
    listed = repo.git("ls-files").split("\n")
    assert sorted(map(quote_path, names)) == sorted(listed)
