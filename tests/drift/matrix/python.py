from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
def send_payment(gateway, order, attempt=1):
    if attempt > MAX_ATTEMPTS:
        raise ValueError("too many attempts")
    answer = gateway.send(order, "card", attempt)
    if answer.ok:
        return answer
    wait_for(next_delay(attempt))
    return send_payment(gateway, order, attempt + 1)


"""
RETRY = f'''\
"""Payments that are tried again."""

from shop.clock import wait_for
from src.checkout.backoff import next_delay

MAX_ATTEMPTS = 4


{INNER}def describe(order):
    return f"order {{order}}"
'''
PATH = "src/checkout/retry.py"
NEAR = "src/checkout/backoff.py"
FAR = "src/shop/clock.py"
CALLER = "src/shop/flow.py"

PYTHON = Project(
    name="python",
    files={
        PATH: RETRY,
        NEAR: "def next_delay(attempt):\n    return 2**attempt\n",
        FAR: "import time\n\n\ndef wait_for(seconds):\n    time.sleep(seconds)\n",
        CALLER: "from src.checkout.retry import send_payment\n\n\ndef buy(order):\n    return send_payment(None, order)\n",
    },
    path=PATH,
    function="send_payment",
    edits={
        "blank lines": ((PATH, "    answer =", "\n    answer ="), (PATH, "MAX_ATTEMPTS = 4\n", "MAX_ATTEMPTS = 4\n\n")),
        "reformat": (
            (PATH, 'gateway.send(order, "card", attempt)', "gateway.send(\n        order,\n        'card',\n        attempt,\n    )"),
            (PATH, "(gateway, order, attempt=1)", "(\n    gateway,\n    order,\n    attempt=1,\n)"),
        ),
        "comment only": ((PATH, "    if answer.ok:", "    # Accepted.\n    if answer.ok:  # at once"),),
        "docstring added": ((PATH, "attempt=1):\n", 'attempt=1):\n    """Send it, and wait between two attempts."""\n'),),
        "symbol renamed": ((PATH, "send_payment", "submit_payment"), (CALLER, "send_payment", "submit_payment")),
        "unrelated change": ((PATH, 'f"order {order}"', 'f"the order {order}"'),),
        "lines above": ((PATH, "MAX_ATTEMPTS = 4\n", "MAX_ATTEMPTS = 4\nNAMES = {}\n\n\ndef forget(order):\n    NAMES.pop(order)\n"),),
        "new caller": ((CALLER, "def buy", "def give(order):\n    send_payment(order, order)\n\n\ndef buy"),),
        "logic": ((PATH, "attempt > MAX", "attempt >= MAX"),),
        "signature": ((PATH, "attempt=1):", "attempt=1, card=None):"),),
        "callee near": ((NEAR, "2**attempt", "3**attempt"),),
        "callee far": ((FAR, "sleep(seconds)", "sleep(seconds / 2)"),),
        "constant": ((PATH, "MAX_ATTEMPTS = 4", "MAX_ATTEMPTS = 5"),),
    },
    new_path="src/checkout/resend.py",
    inner=INNER,
    other=("src/checkout/sending.py", 'from src.checkout.retry import MAX_ATTEMPTS\n\nKIND = "card"\n\n\n{}def other(order):\n    return order\n'),
    near=("next_delay",),
    far=("wait_for",),
    constant="MAX_ATTEMPTS",
    summary="`send_payment` waits between two attempts",
)  # fmt: skip
