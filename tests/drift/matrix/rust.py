from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
pub fn send_payment(gateway: &Gateway, order: &str, attempt: u32) -> Result<Answer, Error> {
    if attempt > MAX_ATTEMPTS {
        return Err(Error::new("too many attempts"));
    }
    let answer = gateway.send(order, "card", attempt)?;
    if answer.ok {
        return Ok(answer);
    }
    wait_for(next_delay(attempt));
    send_payment(gateway, order, attempt + 1)
}

"""
RETRY = f"""\
use crate::checkout::backoff::next_delay;
use crate::shop::clock::wait_for;

const MAX_ATTEMPTS: u32 = 4;

{INNER}pub fn describe(order: &str) -> String {{
    format!("order {{}}", order)
}}
"""
PATH = "src/checkout/retry.rs"
NEAR = "src/checkout/backoff.rs"
FAR = "src/shop/clock.rs"
CALLER = "src/shop/flow.rs"

RUST = Project(
    name="rust",
    files={
        PATH: RETRY,
        NEAR: "pub fn next_delay(attempt: u32) -> u64 {\n    2u64.pow(attempt)\n}\n",
        FAR: "use std::thread;\n\npub fn wait_for(seconds: u64) {\n    thread::sleep(Duration::from_secs(seconds));\n}\n",
        CALLER: "use crate::checkout::retry::send_payment;\n\npub fn buy(order: &str) {\n    send_payment(&BANK, order, 1).unwrap();\n}\n",
    },
    path=PATH,
    function="send_payment",
    edits={
        "blank lines": ((PATH, "    let answer", "\n    let answer"), (PATH, "const MAX", "\nconst MAX")),
        "reformat": (
            (PATH, 'gateway.send(order, "card", attempt)?', 'gateway.send(\n        order,\n        "card",\n        attempt,\n    )?'),
            (PATH, "(gateway: &Gateway, order: &str, attempt: u32)", "(\n    gateway: &Gateway,\n    order: &str,\n    attempt: u32,\n)"),
        ),
        "comment only": ((PATH, "    if answer.ok {", "    // Accepted.\n    if answer.ok { // at once"),),
        "docstring added": ((PATH, "pub fn send", "/// Sends it, and waits between two attempts.\npub fn send"),),
        "symbol renamed": ((PATH, "send_payment", "submit_payment"), (CALLER, "send_payment", "submit_payment")),
        "unrelated change": ((PATH, '"order {}"', '"the order {}"'),),
        "lines above": ((PATH, "u32 = 4;\n", "u32 = 4;\n\npub fn forget(order: &str) {\n    NAMES.remove(order);\n}\n"),),
        "new caller": ((CALLER, "pub fn buy", "pub fn give(order: &str) {\n    send_payment(&SHOP, order, 1).ok();\n}\n\npub fn buy"),),
        "logic": ((PATH, "attempt > MAX", "attempt >= MAX"),),
        "signature": ((PATH, "attempt: u32)", "attempt: u32, card: &str)"),),
        "callee near": ((NEAR, "2u64.pow", "3u64.pow"),),
        "callee far": ((FAR, "from_secs", "from_millis"),),
        "constant": ((PATH, "u32 = 4", "u32 = 5"),),
    },
    new_path="src/checkout/resend.rs",
    inner=INNER,
    other=("src/checkout/sending.rs", 'use super::retry::MAX_ATTEMPTS;\n\nconst KIND: &str = "card";\n\n{}pub fn other(order: &str) -> &str {\n    order\n}\n'),
    near=("next_delay",),
    far=("wait_for",),
    constant="MAX_ATTEMPTS",
    summary="`send_payment` waits between two attempts",
)  # fmt: skip
