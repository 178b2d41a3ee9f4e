"""Patches are masked side by side, line for line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.redaction.patches import masked_patch
from tests.support.leaking import GITHUB

BODY = (
    "MIIEowIBAAKCAQEAuVx2lmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01",
    "xZ1kJ8fP0sLw2QhRk9TtYgUvBnMxCzAqSwEdRfTgYhUjIkOlPqWeRtYuIoPaSdFg",
)
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
HEAD = "diff --git a/k.py b/k.py\n--- a/k.py\n+++ b/k.py\n"


@pytest.mark.parametrize(
    "hunk",
    [
        f"@@ -1,4 +1,4 @@\n {BEGIN}\n-{BODY[0]}\n+{BODY[1]}\n {BODY[0]}\n {END}\n",
        f"@@ -9,3 +9,3 @@ def keys():\n {BODY[0]}\n-{BODY[0]}\n+{BODY[1]}\n {END}\n",
        f"@@ -9,2 +9,2 @@ def keys():\n {BEGIN}\n-{BODY[0]}\n+{BODY[1]}\n\\ No newline at end of file\n",
        f"@@ -0,0 +1,3 @@\n+{BEGIN}\n+{BODY[0]}\n+{END}\n",
        f'@@ -1 +1 @@\n-token = "{GITHUB}"\n+token = read()\n',
    ],
    ids=["whole", "begins above", "goes on below", "new", "one line"],
)  # fmt: skip
def test_no_line_of_a_secret_is_told_and_the_lines_stay_with_their_signs(hunk: str) -> None:
    patch = HEAD + hunk
    told = masked_patch(patch)
    assert not [one for one in (*BODY, GITHUB) if one in told]
    assert [line[:1] for line in told.split("\n")] == [line[:1] for line in patch.split("\n")]
    assert "[masked:" in told


def test_what_only_looks_like_a_hunk_inside_one_is_a_line_of_it() -> None:
    inner = f"+@@ -1 +1 @@\n+{BEGIN}\n+{BODY[0]}\n+{END}\n"
    assert BODY[0] not in masked_patch(f"{HEAD}@@ -0,0 +1,4 @@\n{inner}")


@given(st.text(alphabet="ab@-+ \\\n,1", max_size=200))
def test_what_holds_no_secret_stays_as_it_is(text: str) -> None:
    assert masked_patch(text) == text
