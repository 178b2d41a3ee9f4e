"""The class of a failure, each rule with outputs as tools and shells print them."""

from __future__ import annotations

from typing import Any

import pytest

from gitmem.results.classes import (
    AGENT,
    ENVIRONMENT,
    FLAKY,
    HARNESS,
    VERIFICATION,
    Evidence,
    failure_class,
    is_code,
    is_test_file,
    was_interrupted,
)
from gitmem.results.command_line import command_line
from gitmem.results.outcome import FailingTest, Outcome
from gitmem.results.reading import read_output

CODE = frozenset({"src/cart.py"})


def judge(text: str, exit_code: int = 1, **more: Any) -> str:
    more = {"changed": CODE, **more}
    return failure_class(Evidence(exit_code, read_output(text), text, **more))


@pytest.mark.parametrize(
    "line",
    [
        "sh: 1: jest: not found",
        "/bin/sh: 1: ./run: not found",
        "bash: line 1: jest: command not found",
        "bash: 줄 1: jest: 명령어를 찾을 수 없음",
        "bash: jest: コマンドが見つかりません",
        "bash: jest: 未找到命令",
        "bash: jest: Kommando nicht gefunden.",
        "bash: jest : commande introuvable",
        "bash: jest: orden no encontrada",
        "zsh: command not found: jest",
        "fish: Unknown command: jest",
        "make: jest: No such file or directory",
        "make: *** [Makefile:2: test] Error 127",
        "make: *** [Makefile:2: test] 오류 127",
        "npm ERR! code 127",
        "error: no such command: `nextest`",
        "./app: error while loading shared libraries: libx.so.1: cannot open shared object file: No such file",
        "'jest' is not recognized as an internal or external command,",
        "/usr/bin/python3: No module named pytest",
        "ModuleNotFoundError: No module named 'requests'",
        "Error: Cannot find module 'express'",
        "main.go:4:2: no required module provides package github.com/x/y; to add it:",
        "browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium-1091/chrome-linux/chrome",
        "Error: Could not find Chrome (ver. 119.0). This can occur if either",
        "curl: (6) Could not resolve host: pypi.org",
        "socket.gaierror: [Errno -3] Temporary failure in name resolution",
        "Error: getaddrinfo ENOTFOUND registry.npmjs.org",
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "cp: 'a' 쓰는 중 오류: 장치에 남은 공간이 없음",
        "cp: error writing 'a': No space left on device",
        "OSError: [Errno 28] No space left on device: '/build'",
        "mkdir: cannot create directory '/opt/x': Permission denied",
        "mkdir: '/opt/x' 디렉터리를 만들 수 없습니다: 허가 거부",
        "mkdir: ディレクトリ `/opt/x' を作成できません: 許可がありません",
        "mkdir: 无法创建目录 '/opt/x': 权限不够",
        "mkdir: das Verzeichnis »/opt/x« kann nicht angelegt werden: Keine Berechtigung",
        "touch: cannot touch 'x': Read-only file system",
        "Got permission denied while trying to connect to the Docker daemon socket",
    ],
)
def test_where_no_test_ran_the_machine_is_to_blame(line: str) -> None:
    assert judge(f"$ run\n{line}\nsome more\n") == ENVIRONMENT


@pytest.mark.parametrize(("code", "more"), [(127, {}), (126, {}), (127, {"not_started": True})])
def test_a_command_that_is_not_there(code: int, more: dict[str, Any]) -> None:
    assert judge("", code, **more) == ENVIRONMENT


@pytest.mark.parametrize(
    "line",
    [
        "user not found",
        "order 17: not found in the cart",
        "FAIL: got 'Permission denied', want 'ok'",
        "the answer was: Permission denied by policy",
        "404 page not found",
        "ModuleNotFoundError: No module named 'cart.prices'",
        "Error: Cannot find module './prices'",
        "src/cart.py:3: error: Name 'x' is not defined",
    ],
)
def test_words_of_the_work_itself_are_no_sign(line: str) -> None:
    assert judge(f"{line}\n", is_own=frozenset({"cart"}).__contains__) == AGENT


PYTEST = "=== short test summary info ===\n{}\n=== {} in 0.12s ===\n"


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("AssertionError: assert 'Permission denied' == 'ok'", AGENT),
        ("AssertionError: ModuleNotFoundError: No module named 'x'", AGENT),
        ("assert 'sh: 1: x: not found' in out", AGENT),
        ("Failed: DID NOT RAISE <class 'PermissionError'>", AGENT),
        ("ValueError: connection refused", AGENT),
        ("", AGENT),
        ("ModuleNotFoundError: No module named 'requests'", ENVIRONMENT),
        ("ModuleNotFoundError: No module named 'cart.prices'", AGENT),
        ("ImportError: cannot import name 'total' from 'cart'", AGENT),
        ("ConnectionRefusedError: [Errno 111] Connection refused", ENVIRONMENT),
        ("requests.exceptions.ConnectionError: HTTPSConnectionPool: Failed to establish a new connection", ENVIRONMENT),
        ("OSError: [Errno 28] No space left on device", ENVIRONMENT),
        ("PermissionError: [Errno 13] Permission denied: '/etc/shadow'", ENVIRONMENT),
        ("playwright._impl._errors.Error: BrowserType.launch: Executable doesn't exist at /x", ENVIRONMENT),
    ],
)  # fmt: skip
def test_a_failed_test_is_the_machines_fault_by_its_exception_alone(reason: str, expected: str) -> None:
    line = f"FAILED tests/test_cart.py::test_total{f' - {reason}' if reason else ''}"
    text = PYTEST.format(line, "1 failed") + "sh: 1: unrelated: not found\n"
    assert judge(text, is_own=frozenset({"cart"}).__contains__) == expected


def test_one_assertion_among_machine_faults_is_the_agents() -> None:
    lines = (
        "FAILED tests/a.py::x - ConnectionRefusedError: [Errno 111] Connection refused\n"
        "FAILED tests/a.py::y - assert 1 == 2"
    )
    assert judge(PYTEST.format(lines, "2 failed")) == AGENT


@pytest.mark.parametrize(
    ("text", "code", "more"),
    [
        ("INTERNALERROR> Traceback\nINTERNALERROR> KeyError: 'x'\n", 3, {}),
        ("ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --cov\n", 4, {}),
        ("\nno tests ran in 0.01s\n", 5, {}),
        ("● Validation Error:\n\n  Preset zzz not found relative to rootDir /x.\n", 1, {}),
        ("● Unrecognized CLI Parameter:\n", 1, {}),
        ("No tests found, exiting with code 1\n", 1, {}),
        ("<--- Last few GCs --->\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n", 134, {}),
        ("", 139, {"signal": 11}),
        ("3 passed\n", 137, {"signal": 9}),
        ("", 124, {}),
        ("", 130, {"signal": 2}),
        ("panic: test timed out after 10m0s\nFAIL\texample.com/x\t600.01s\n--- FAIL: TestA (600.00s)\nFAIL\texample.com/x\t600.01s\n", 1, {}),
        (PYTEST.format("FAILED a.py::x - worker 'gw0' crashed while running 'a.py::x'", "1 failed"), 1, {}),
    ],
)  # fmt: skip
def test_the_tool_itself_failed(text: str, code: int, more: dict[str, Any]) -> None:
    assert judge(text, code, **more) == HARNESS


def test_a_full_disk_under_the_tool_is_the_machine() -> None:
    text = "INTERNALERROR> OSError: [Errno 28] No space left on device\n\nno tests ran in 0.01s\n"
    assert judge(text, 3) == ENVIRONMENT


def test_what_fails_each_time_on_unchanged_code_is_not_flaky() -> None:
    text = PYTEST.format("FAILED a.py::x - assert 1 == 2", "1 failed")
    assert judge(text, changed=frozenset()) == FLAKY
    assert judge(text, changed=frozenset(), failures=2) == ENVIRONMENT
    assert judge(text, changed=frozenset({"a.py"}), failures=2) == AGENT


@pytest.mark.parametrize(
    ("code", "text", "was_stopped", "expected"),
    [
        (130, "", False, True),
        (141, "y\ny\n", False, True),
        (143, "", False, True),
        (137, "", False, False),
        (1, "1 failed\n", False, False),
        (1, "1 failed\n", True, True),
        (0, "1 passed\n", True, False),
        (2, "!!!!!!!!! KeyboardInterrupt !!!!!!!!!\nno tests ran\n", False, True),
        (1, "E   KeyboardInterrupt\n", False, False),
        (1, "signal: interrupt\nFAIL\n", False, True),
    ],
)
def test_what_somebody_stopped_is_no_result(code: int, text: str, was_stopped: bool, expected: bool) -> None:
    assert was_interrupted(code, text, was_stopped=was_stopped) is expected


def test_passing_when_tried_again_is_flaky() -> None:
    text = PYTEST.format("FAILED a.py::x - ConnectionRefusedError: [Errno 111] x", "1 failed")
    assert judge(text, passed_on_retry=True) == FLAKY


OLD = FailingTest("tests/test_cart.py::test_total", "assert 1 == 2", "tests/test_cart.py")
NEW = FailingTest("tests/test_tax.py::test_rate", "assert 1 == 2", "tests/test_tax.py")
NAMELESS = FailingTest("shop.CartTest.adds", "expected 1")


@pytest.mark.parametrize(
    ("failing", "changed", "expected"),
    [
        ([NEW], {"tests/test_tax.py"}, VERIFICATION),
        ([NEW], {"tests/test_tax.py", "src/cart.py"}, VERIFICATION),
        ([NEW, OLD], {"tests/test_tax.py", "src/cart.py"}, AGENT),
        ([OLD], {"src/cart.py"}, AGENT),
        ([OLD], {"tests/conftest.py"}, AGENT),
        ([OLD], set(), FLAKY),
        ([OLD], {"README.md", ".ai/memory/a.yaml", "docs/a.png"}, FLAKY),
        ([OLD], None, AGENT),
        ([NAMELESS], {"src/test/java/shop/CartTest.java"}, VERIFICATION),
        ([NAMELESS], {"src/test/java/shop/CartTest.java", "src/main/java/shop/Cart.java"}, AGENT),
        ([FailingTest("example.com/x.TestA", "", "a_test.go")], {"pkg/a_test.go", "pkg/a.go"}, VERIFICATION),
        ([FailingTest("x", "", "./a.test.js")], {"web/a.test.js"}, VERIFICATION),
        ([], {"src/cart.py"}, AGENT),
        ([], set(), FLAKY),
    ],
)
def test_what_changed_since_the_last_pass_decides(
    failing: list[FailingTest], changed: set[str] | None, expected: str
) -> None:
    outcome = Outcome("pytest", tuple(failing))
    told = None if changed is None else frozenset(changed)
    assert failure_class(Evidence(1, outcome, "", changed=told)) == expected


@pytest.mark.parametrize(
    "path",
    [
        "tests/helper.py",
        "test_a.py",
        "a_test.go",
        "src/a.test.tsx",
        "a.spec.mjs",
        "src/test/java/ATest.java",
        "ATests.swift",
        "spec/a_spec.rb",
        "src/__tests__/a.js",
    ],
)
def test_test_files(path: str) -> None:
    assert is_test_file(path)


@pytest.mark.parametrize(
    "path", ["src/contest.py", "src/latest.go", "testimony.py", "src/attest.ts", "protest/a.py"]
)
def test_other_files(path: str) -> None:
    assert not is_test_file(path)


def test_prose_is_no_code() -> None:
    assert not any(map(is_code, ["README.md", ".ai/memory/x.yaml", "docs/a.PNG"]))
    assert all(map(is_code, ["a.py", "Makefile", "package.json", "deploy/.env"]))


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (("pytest", "-q", "tests/a b.py"), "pytest -q 'tests/a b.py'"),
        (("run", "--token", "abc123", "-v"), "run --token '[masked:argument]' -v"),
        (("run", "--db-password", "abc 123"), "run --db-password '[masked:argument]'"),
        (("run", "--token", "--verbose"), "run --token --verbose"),
        (("run", "x" * 3000), None),
    ],
)
def test_a_command_as_text(command: tuple[str, ...], line: str | None) -> None:
    told = command_line(command)
    assert told.replace("[masked:argument]", "'[masked:argument]'") == line if line else len(told) == 2000
