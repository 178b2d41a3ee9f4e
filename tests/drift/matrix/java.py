from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
    public Answer sendPayment(Gateway gateway, String order, int attempt) {
        if (attempt > MAX_ATTEMPTS) {
            throw new IllegalStateException("too many attempts");
        }
        Answer answer = gateway.send(order, "card", attempt);
        if (answer.ok()) {
            return answer;
        }
        Clock.waitFor(Backoff.nextDelay(attempt));
        return sendPayment(gateway, order, attempt + 1);
    }

"""
RETRY = f"""\
package org.example.checkout;

import org.example.shop.Clock;

public class Retry {{
    private static final int MAX_ATTEMPTS = 4;

{INNER}    public String describe(String order) {{
        return "order " + order;
    }}
}}
"""
PATH = "src/checkout/Retry.java"
NEAR = "src/checkout/Backoff.java"
FAR = "src/shop/Clock.java"
CALLER = "src/shop/Flow.java"

JAVA = Project(
    name="java",
    files={
        PATH: RETRY,
        NEAR: "package org.example.checkout;\n\nclass Backoff {\n    static int nextDelay(int attempt) {\n        return 1 << attempt;\n    }\n}\n",
        FAR: "package org.example.shop;\n\npublic class Clock {\n    public static void waitFor(int seconds) {\n        Thread.sleep(seconds * 1000L);\n    }\n}\n",
        CALLER: "package org.example.shop;\n\npublic class Flow {\n    Answer buy(String order) {\n        return retry.sendPayment(bank, order, 1);\n    }\n}\n",
    },
    path=PATH,
    function="sendPayment",
    edits={
        "blank lines": ((PATH, "        Answer answer", "\n        Answer answer"), (PATH, "public class", "\npublic class")),
        "reformat": (
            (PATH, 'gateway.send(order, "card", attempt)', 'gateway.send(\n            order,\n            "card",\n            attempt)'),
            (PATH, "(Gateway gateway, String order, int attempt) {", "(\n            Gateway gateway,\n            String order,\n            int attempt)\n    {"),
        ),
        "comment only": ((PATH, "        if (answer.ok()) {", "        // Accepted.\n        if (answer.ok()) { // at once"),),
        "docstring added": ((PATH, "    public Answer", "    /** Sends it, and waits between two attempts. */\n    public Answer"),),
        "symbol renamed": ((PATH, "sendPayment", "submitPayment"), (CALLER, "sendPayment", "submitPayment")),
        "unrelated change": ((PATH, '"order "', '"the order "'),),
        "lines above": ((PATH, "MAX_ATTEMPTS = 4;\n", "MAX_ATTEMPTS = 4;\n\n    void forget(String order) {\n        names.remove(order);\n    }\n"),),
        "new caller": ((CALLER, "    Answer buy", "    Answer give(String order) {\n        return retry.sendPayment(shop, order, 1);\n    }\n\n    Answer buy"),),
        "logic": ((PATH, "attempt > MAX", "attempt >= MAX"),),
        "signature": ((PATH, "int attempt)", "int attempt, String card)"),),
        "callee near": ((NEAR, "1 << attempt", "2 << attempt"),),
        "callee far": ((FAR, "1000L", "500L"),),
        "constant": ((PATH, "MAX_ATTEMPTS = 4", "MAX_ATTEMPTS = 5"),),
    },
    new_path="src/checkout/Resend.java",
    inner=INNER,
    other=("src/checkout/Sending.java", 'package org.example.checkout;\n\npublic class Sending {\n    static final String KIND = "card";\n\n{}    String other(String order) {\n        return order;\n    }\n}\n'),
    near=("nextDelay", "Backoff"),
    far=("waitFor", "Clock"),
    constant="MAX_ATTEMPTS",
    summary="`sendPayment` waits between two attempts",
)  # fmt: skip
