from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
suspend fun sendPayment(gateway: Gateway, order: String, attempt: Int = 1): Answer {
    if (attempt > MAX_ATTEMPTS) {
        throw IllegalStateException("too many attempts")
    }
    val answer = gateway.submit(order, listOf("card"), attempt)
    if (answer.ok) {
        return answer
    }
    waitFor(nextDelay(attempt))
    return sendPayment(gateway, order, attempt + 1)
}

"""
RETRY = f"""\
package org.example.checkout

import org.example.shop.waitFor

private const val MAX_ATTEMPTS = 4

{INNER}fun describe(order: String): String {{
    return "order $order"
}}
"""
PATH = "src/checkout/Retry.kt"
NEAR = "src/checkout/Backoff.kt"
FAR = "src/shop/Clock.kt"
CALLER = "src/shop/Flow.kt"

KOTLIN = Project(
    name="kotlin",
    files={
        PATH: RETRY,
        NEAR: "package org.example.checkout\n\ninternal fun nextDelay(attempt: Int): Int = 1 shl attempt\n",
        FAR: "package org.example.shop\n\nsuspend fun waitFor(seconds: Int) {\n    delay(seconds * 1000L)\n}\n",
        CALLER: "package org.example.shop\n\nclass Flow(private val bank: Gateway) {\n    suspend fun buy(order: String) = sendPayment(bank, order)\n}\n",
    },
    path=PATH,
    function="sendPayment",
    edits={
        "blank lines": ((PATH, "    val answer", "\n    val answer"), (PATH, "private const", "\nprivate const")),
        "reformat": (
            (PATH, 'gateway.submit(order, listOf("card"), attempt)', 'gateway.submit(\n        order,\n        listOf(\n            "card",\n        ),\n        attempt,\n    )'),
            (PATH, "(gateway: Gateway, order: String, attempt: Int = 1)", "(\n    gateway: Gateway,\n    order: String,\n    attempt: Int = 1,\n)"),
        ),
        "comment only": ((PATH, "    if (answer.ok) {", "    // Accepted.\n    if (answer.ok) { /* at once */"),),
        "docstring added": ((PATH, "suspend fun send", "/** Sends it, and waits between two attempts. */\nsuspend fun send"),),
        "symbol renamed": ((PATH, "sendPayment", "submitPayment"), (CALLER, "sendPayment", "submitPayment")),
        "unrelated change": ((PATH, '"order ', '"the order '),),
        "lines above": ((PATH, "MAX_ATTEMPTS = 4\n", "MAX_ATTEMPTS = 4\n\nfun forget(order: String) {\n    names.remove(order)\n}\n"),),
        "new caller": ((CALLER, "    suspend fun buy", "    suspend fun give(order: String) = sendPayment(shop, order)\n\n    suspend fun buy"),),
        "logic": ((PATH, "attempt > MAX", "attempt >= MAX"),),
        "signature": ((PATH, "Int = 1)", 'Int = 1, card: String = "visa")'),),
        "callee near": ((NEAR, "1 shl attempt", "2 shl attempt"),),
        "callee far": ((FAR, "1000L", "500L"),),
        "constant": ((PATH, "MAX_ATTEMPTS = 4", "MAX_ATTEMPTS = 5"),),
    },
    new_path="src/checkout/Resend.kt",
    inner=INNER,
    other=("src/checkout/Sending.kt", 'package org.example.checkout\n\nconst val KIND = "card"\n\n{}fun other(order: String) = order\n'),
    near=("nextDelay",),
    far=("waitFor",),
    constant="MAX_ATTEMPTS",
    summary="`sendPayment` waits between two attempts",
)  # fmt: skip
