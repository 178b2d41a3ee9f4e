"""Whether edited lines speak of a statement, on literals."""

from __future__ import annotations

import pytest

from gitmem.drift.speaking import Edited, spoken, telling_words

TOML = '[tool.ruff]\nline-length = 88\n\n[project]\nname = "shop"\ndependencies = [\n    "httpx",\n]\n'
PYTHON = (
    "import stripe\n\n\nclass Gateway:\n"
    "    # 결제를 다시 시도한다\n"
    "    def send(self, order):\n        for _ in range(3):\n            post(order)\n\n"
    "    def report(self):\n        '''Tell the ledger.'''\n        return self.rows\n"
) + "".join(f"\n\ndef other_{n}():\n    return {n}\n" for n in range(40))


def speaks(statement: str, path: str, old: str, new: str) -> bool | None:
    return spoken(statement, [Edited(path, old.encode(), new.encode())])[0]


def edit(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("statement", "old", "new", "said"),
    [
        ("Line length: 88 chars maximum", "line-length = 88", "line-length = 120", True),
        ("Line length: 88 chars maximum", '"httpx",', '"requests",', False),
        ("The dependencies are few", '"httpx",', '"requests",', True),
        ("We lint with ruff", "line-length = 88", "line-length = 120", True),
        ("We lint with ruff", 'name = "shop"', 'name = "store"', False),
        ("의존성은 적게 둔다", '"httpx",', '"requests",', True),
        ("依存は少なく", '"httpx",', '"requests",', True),
        ("依赖要少", '"httpx",', '"requests",', True),
        ("줄 길이는 88자", "line-length = 88", "line-length = 120", True),
        ("줄 길이는 88자", 'name = "shop"', 'name = "store"', False),
        ("Nothing here has these nouns", 'name = "shop"', 'name = "store"', None),
    ],
)
def test_a_setting_speaks_by_its_key_its_value_and_its_section(
    statement: str, old: str, new: str, said: bool | None
) -> None:
    assert speaks(statement, "pyproject.toml", TOML, edit(TOML, old, new)) is said


@pytest.mark.parametrize(
    ("statement", "old", "new", "said"),
    [
        ("Orders are sent up to three times", "range(3)", "range(5)", True),
        ("Orders are sent up to three times", "return self.rows", "return list(self.rows)", False),
        ("결제는 여러 번 시도한다", "range(3)", "range(5)", True),
        ("결제는 여러 번 시도한다", "return self.rows", "return list(self.rows)", False),
        ("The ledger is told", "return self.rows", "return list(self.rows)", True),
        ("The ledger is told", "range(3)", "range(5)", False),
        ("Stripe takes the order", "import stripe\n", "import stripe\nimport stripe.errors\n", False),
        ("Reports list the rows", "# 결제를 다시 시도한다", "# rows", False),
    ],
)
def test_code_speaks_by_its_line_its_definition_and_their_comments(
    statement: str, old: str, new: str, said: bool
) -> None:
    assert speaks(statement, "src/gateway.py", PYTHON, edit(PYTHON, old, new)) is said


def test_the_words_of_a_files_own_path_say_nothing_about_its_lines() -> None:
    old = "def report():\n    return report_rows(1)\n\n\nledger = 2\n"
    new = edit(old, "report_rows(1)", "report_rows(2)")
    assert speaks("`src/report.py` reports to the ledger", "src/report.py", old, new) is False
    assert speaks("reports to the ledger", "src/send.py", old, new) is True


def test_a_class_that_is_most_of_its_file_is_like_the_file() -> None:
    methods = "".join(f"    def act_{n}(self):\n        return {n}\n\n" for n in range(40))
    old = f"class Wallet:\n    # the wallet of a customer\n{methods}\n\ncustomer = 1\n"
    new = edit(old, "return 7", "return 8")
    assert speaks("A customer has one wallet", "src/a.py", old, new) is False


def test_a_file_without_the_words_is_silent_while_another_has_them() -> None:
    files = [
        Edited("Dockerfile", b"ARG PYTHON_VERSION=3.11.3\nUSER app\n", b"ARG PYTHON_VERSION=3.11.3\nUSER web\n"),
        Edited("b.toml", b"a = 1\n", b"a = 2\n"),
    ]  # fmt: skip
    assert spoken("Python 3.11.3 で開発", files) == (False, False)
    assert spoken("Python 3.11.3 で開発", files[1:]) == (None,)


def test_a_long_file_speaks_by_the_lines_that_came_and_went() -> None:
    old = "\n".join(f"entry{n} = {n}" for n in range(7_000)) + "\nnpm = 1\n"
    assert speaks("`npm` is needed", "made.txt", old, edit(old, "entry7 = 7", "entry7 = 8")) is False
    assert speaks("`npm` is needed", "made.txt", old, edit(old, "npm = 1", "npm = 2")) is True


def test_words_are_parts_of_names_stems_numbers_and_pairs_of_letters() -> None:
    assert telling_words("maxRetries HTTP_PORT 8080 is") == {"max", "retri", "http", "port", "8080"}
    assert telling_words("재시도 횟수") == {"재시", "시도", "횟수"}
    assert telling_words("音声合成は行う") == {"音声", "声合", "合成"}


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("Use `bun publish` alone", False),
        ("`bun publish` 직접 실행 금지", False),
        ("Use `bun build` alone", True),
        ("Stored in `~/.shop/main.json`", False),
        ("We build with bun", True),
    ],
)
def test_the_words_of_a_code_span_tell_together(statement: str, said: bool) -> None:
    old = '{"scripts": {\n  "make": "bun build a.json"\n}, "publishConfig": {}}\n'
    assert speaks(statement, "src/a.txt", old, edit(old, "bun build a", "bun build b")) is said


LEDGER = (
    "class Ledger(EncodingMixin):\n"
    '    def close(self, day):\n        """Close the books and tell the gateway."""\n        self.check(day)\n        total = sum(self.rows)\n        return total\n'
) + "".join(f"\n\ndef other_{n}():\n    return {n}\n" for n in range(40))


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("The gateway retries each post.", False),
        ("The gateway is told when the books are closed.", True),
        ("Close each day at night.", True),
        ("The encoding is guessed by the gateway.", False),
    ],
)
def test_one_word_of_a_docstring_around_a_line_or_a_base_of_its_class_speaks_of_nothing(
    statement: str, *, said: bool
) -> None:
    new = edit(LEDGER, "sum(self.rows)", "max(self.rows)")
    assert speaks(statement, "src/ledger.py", LEDGER, new) is said
