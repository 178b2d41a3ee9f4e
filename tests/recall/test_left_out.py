"""What is left out: what every agent reads anyway, and what another domain keeps for itself."""

from __future__ import annotations

import pytest

from gitmem.recall.repeating import repeated
from gitmem.recall.routing import is_routed

RULES = """# Rules

- **Never** call `api.internal` from the
  checkout code.
- 결제 재시도는 세 번까지만 한다.
"""


@pytest.mark.parametrize(
    ("summary", "wanted"),
    [
        ("Never call api.internal from the checkout code", True),
        ("never  CALL `api.internal` from the checkout code.", True),
        ("결제 재시도는 세 번까지만 한다", True),
        ("Never call api.internal from the gateway code", False),
        ("checkout", False),
        ("", False),
    ],
)
def test_a_rule_that_a_rules_file_says_is_repeated(summary: str, wanted: bool) -> None:
    assert repeated({"m": summary}, [RULES]) == ({"m"} if wanted else set())


def test_nothing_is_repeated_without_rules_files() -> None:
    assert repeated({"m": "Never call api.internal from the checkout code"}, []) == frozenset()


INCLUDE = ("memory/checkout", "memory/shared/*.yaml")


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        (".ai/memory/checkout/a.yaml", True),
        (".ai/memory/checkout/deep/a.yaml", True),
        (".ai/memory/shared/a.yaml", True),
        (".ai/memory/gateway/a.yaml", False),
        ("", False),
    ],
)
def test_a_domain_reads_what_its_entries_hold(file: str, wanted: bool) -> None:
    assert is_routed("checkout", INCLUDE, file=file, project=False) is wanted


def test_what_is_for_the_whole_project_or_names_the_domain_is_read_and_the_anti_scope_never() -> None:
    assert is_routed("checkout", (), file="x", project=True)
    assert is_routed("checkout", (), file="x", project=False, applies_to=["checkout"])
    assert not is_routed(
        "checkout", INCLUDE, file=".ai/memory/checkout/a.yaml", project=True, does_not_apply_to=["checkout"]
    )


def test_a_broken_entry_holds_nothing() -> None:
    assert not is_routed("checkout", ("memory/[",), file=".ai/memory/[", project=False)
