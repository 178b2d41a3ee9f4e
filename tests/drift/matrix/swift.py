from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
public func sendPayment(_ gateway: Gateway, order: String, attempt: Int = 1) throws -> Answer {
    guard attempt <= maxAttempts else {
        throw PaymentError.message("too many attempts")
    }
    let answer = gateway.send(order, kind: "card", attempt: attempt)
    if answer.ok {
        return answer
    }
    waitFor(nextDelay(attempt))
    return try sendPayment(gateway, order: order, attempt: attempt + 1)
}

"""
RETRY = f"""\
import Foundation

let maxAttempts = 4

{INNER}func describe(_ order: String) -> String {{
    return "order " + order
}}
"""
PATH = "Sources/Checkout/Retry.swift"
NEAR = "Sources/Checkout/Backoff.swift"
FAR = "Sources/Shop/Clock.swift"
CALLER = "Sources/Shop/Flow.swift"

SWIFT = Project(
    name="swift",
    files={
        PATH: RETRY,
        NEAR: "func nextDelay(_ attempt: Int) -> Int {\n    return 1 << attempt\n}\n",
        FAR: "import Foundation\n\nfunc waitFor(_ seconds: Int) {\n    Thread.sleep(forTimeInterval: Double(seconds))\n}\n",
        CALLER: "func buy(_ order: String) throws {\n    _ = try sendPayment(bank, order: order)\n}\n",
    },
    path=PATH,
    function="sendPayment",
    edits={
        "blank lines": ((PATH, "    let answer", "\n    let answer"), (PATH, "let max", "\nlet max")),
        "reformat": (
            (PATH, 'gateway.send(order, kind: "card", attempt: attempt)', 'gateway.send(\n        order,\n        kind: "card",\n        attempt: attempt\n    )'),
            (PATH, "(_ gateway: Gateway, order: String, attempt: Int = 1)", "(\n    _ gateway: Gateway,\n    order: String,\n    attempt: Int = 1\n)"),
        ),
        "comment only": ((PATH, "    if answer.ok {", "    // Accepted.\n    if answer.ok { // at once"),),
        "docstring added": ((PATH, "public func", "/// Sends it, and waits between two attempts.\npublic func"),),
        "symbol renamed": ((PATH, "sendPayment", "submitPayment"), (CALLER, "sendPayment", "submitPayment")),
        "unrelated change": ((PATH, '"order "', '"the order "'),),
        "lines above": ((PATH, "maxAttempts = 4\n", "maxAttempts = 4\n\nfunc forget(_ order: String) {\n    names.remove(order)\n}\n"),),
        "new caller": ((CALLER, "func buy", "func give(_ order: String) throws {\n    _ = try sendPayment(shop, order: order)\n}\n\nfunc buy"),),
        "logic": ((PATH, "attempt <= max", "attempt < max"),),
        "signature": ((PATH, "attempt: Int = 1)", 'attempt: Int = 1, card: String = "visa")'),),
        "callee near": ((NEAR, "1 << attempt", "2 << attempt"),),
        "callee far": ((FAR, "Double(seconds)", "Double(seconds) / 2"),),
        "constant": ((PATH, "maxAttempts = 4", "maxAttempts = 5"),),
    },
    new_path="Sources/Checkout/Resend.swift",
    inner=INNER,
    other=("Sources/Checkout/Sending.swift", 'let kind = "card"\n\n{}func other(_ order: String) -> String {\n    return order\n}\n'),
    near=("nextDelay",),
    far=("waitFor",),
    constant="maxAttempts",
    summary="`sendPayment`는 두 번의 시도 사이에 기다린다",
)  # fmt: skip
