"""Edits that leave a statement as true as it was: of a file that is only placed, of a page, of a long definition elsewhere."""

from __future__ import annotations

import pytest

from tests.support.drifting import judged, remembered
from tests.support.repo import Repo

QUEUE = "".join(f"def step_{at}(queue):\n    return queue.orders[{at}]\n\n\n" for at in range(20))
LONG = (
    "def settle(order):\n"
    + "".join(f"    row.field_{at} = load({at})\n" for at in range(60))
    + "    mail(order)\n"
)
IN_QUEUE = "{paths: [src/queue.py]}"


def edited(text: str, times: int) -> str:
    return text.replace("queue.orders", "queue.waiting", times)


@pytest.mark.parametrize(
    "where",
    [
        "Queue of orders: `src/queue.py`",
        "**Queue**: `src/queue.py` holds the orders that wait",
        "주문 대기열: `src/queue.py` 참고",
        "注文の待ち行列: `src/queue.py`",
        "订单队列: `src/queue.py`",
    ],
)
@pytest.mark.parametrize(("times", "status"), [(9, "active"), (20, "challenged")])
def test_a_file_that_is_only_placed_is_doubted_once_most_of_it_is_another(
    repo: Repo, where: str, times: int, status: str
) -> None:
    remembered(repo, f"'{where}'", {"src/queue.py": QUEUE}, scope=IN_QUEUE)
    new = edited(QUEUE, times) if times < 20 else "".join(f"x{at} = {at}\n" for at in range(60))
    repo.commit("Edit", {"src/queue.py": new})
    assert judged(repo.path).status == status


@pytest.mark.parametrize(
    "rule",
    [
        "The queue in `src/queue.py` never loses orders.",
        "The queue in `src/queue.py` holds 20 orders.",
        "`src/queue.py` must keep orders in the queue.",
        "대기열 orders 는 `src/queue.py` 에서만 바꾼다.",
        "`src/queue.py` の queue は必ず orders を保持する",
    ],
)
def test_a_statement_that_says_more_than_where_is_doubted_by_an_edit_that_speaks_of_it(
    repo: Repo, rule: str
) -> None:
    remembered(repo, f"'{rule}'", {"src/queue.py": QUEUE}, scope=IN_QUEUE)
    repo.commit("Edit", {"src/queue.py": edited(QUEUE, 9)})
    assert judged(repo.path).status == "challenged"


@pytest.mark.parametrize(
    ("after", "status"), [("# Other\n\nNothing of it.\n" * 9, "active"), (None, "challenged")]
)
def test_a_page_that_readers_are_sent_to_may_be_rewritten_but_not_go(
    repo: Repo, after: str | None, status: str
) -> None:
    page = "# Speed\n" + "".join(f"Line {at} of the figures.\n" for at in range(30))
    files = {"docs/speed.md": page, "src/a.py": "x = 1\n"}
    remembered(repo, "'How fast it is: see `docs/speed.md`'", files, scope="{paths: [src/a.py]}")
    if after is None:
        repo.remove("docs/speed.md")
        repo.commit("Drop the page")
    else:
        repo.commit("Rewrite the page", {"docs/speed.md": after})
    assert judged(repo.path).status == status


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("load(7)", "fetch(7)", "active"),
        ("mail(order)", "queue(order)", "challenged"),
    ],
)
def test_a_long_definition_is_doubted_by_a_light_edit_that_speaks_of_the_words(
    repo: Repo, old: str, new: str, status: str
) -> None:
    remembered(
        repo, "'`settle` sends a mail for each order'", {"src/pay.py": LONG}, scope="{paths: [src/**]}"
    )
    repo.commit("Edit", {"src/pay.py": LONG.replace(old, new)})
    assert judged(repo.path).status == status


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        (LONG[:400] + "    mail(order)\n", {}),
        (LONG, {"watch": "[{symbol: src/pay.py#settle}]"}),
        (LONG, {"type": "architecture_rule"}),
    ],
    ids=["short", "watched by its author", "strict"],
)
def test_any_edit_counts_of_a_short_one_and_where_the_author_or_the_type_says_so(
    repo: Repo, code: str, fields: dict[str, str]
) -> None:
    remembered(
        repo,
        "'`settle` sends a mail for each order'",
        {"src/pay.py": code},
        **{"scope": "{paths: [src/**]}", **fields},
    )
    repo.commit("Edit", {"src/pay.py": code.replace("load(7)", "fetch(7)")})
    assert judged(repo.path).status == "challenged"


TWO = (
    LONG
    + "\n\ndef charge(order):\n    check(order)\n    lock(order)\n    pay(order)\n    note(order)\n    free(order)\n    tell(order)\n"
)


def test_a_silent_edit_of_a_long_definition_excuses_no_other_definition_of_its_file(repo: Repo) -> None:
    remembered(
        repo,
        "'`settle` sends a mail, `charge` takes the money'",
        {"src/pay.py": TWO},
        scope="{paths: [src/**]}",
    )
    repo.commit(
        "Edit", {"src/pay.py": TWO.replace("load(7)", "fetch(7)").replace("pay(order)", "owe(order)")}
    )
    assert judged(repo.path).status == "challenged"


def test_a_definition_in_a_file_that_the_words_place_is_no_mere_place(repo: Repo) -> None:
    told = "'`charge` in `src/pay.py` takes the money of the order'"
    remembered(repo, told, {"src/pay.py": TWO}, scope="{paths: [src/**]}")
    repo.commit("Edit", {"src/pay.py": TWO.replace("pay(order)", "owe(order)")})
    assert judged(repo.path).status == "challenged"
