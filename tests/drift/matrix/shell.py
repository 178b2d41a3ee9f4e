from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
send_payment() {
    local gateway="$1" order="$2" attempt="${3:-1}"
    if [ "$attempt" -gt "$MAX_ATTEMPTS" ]; then
        echo 'too many attempts' >&2
        return 1
    fi
    if "$gateway" submit "$order" --kind 'card' | grep -q accepted; then
        return 0
    fi
    wait_for "$(next_delay "$attempt")"
    send_payment "$gateway" "$order" "$((attempt + 1))"
}

"""
RETRY = f"""\
#!/usr/bin/env bash
. "$(dirname "$0")/backoff.sh"

MAX_ATTEMPTS=4

{INNER}describe() {{
    echo "order $1"
}}
"""
PATH = "lib/checkout/retry.sh"
NEAR = "lib/checkout/backoff.sh"
FAR = "lib/shop/clock.sh"
CALLER = "lib/shop/flow.sh"

SHELL = Project(
    name="shell",
    files={
        PATH: RETRY,
        NEAR: "next_delay() {\n    echo $((1 << $1))\n}\n",
        FAR: 'function wait_for {\n    sleep "$1"\n}\n',
        CALLER: '. lib/checkout/retry.sh\n\nbuy() {\n    send_payment bank "$1"\n}\n',
    },
    path=PATH,
    function="send_payment",
    edits={
        "blank lines": ((PATH, "    wait_for", "\n    wait_for"), (PATH, "MAX_ATTEMPTS=4", "\nMAX_ATTEMPTS=4")),
        "reformat": (
            (PATH, " | grep -q accepted; then", " \\\n        | grep -q accepted\n    then"),
            (PATH, "send_payment() {", "send_payment()\n{"),
        ),
        "comment only": ((PATH, "    wait_for", "    # Not yet.\n    wait_for"), (PATH, "return 0", "return 0 # at once")),
        "docstring added": ((PATH, "send_payment()", "# Sends it, and waits between two attempts.\nsend_payment()"),),
        "symbol renamed": ((PATH, "send_payment", "submit_payment"), (CALLER, "send_payment", "submit_payment")),
        "unrelated change": ((PATH, '"order ', '"the order '),),
        "lines above": ((PATH, "MAX_ATTEMPTS=4\n", 'MAX_ATTEMPTS=4\n\nforget() {\n    rm "names/$1"\n}\n'),),
        "new caller": ((CALLER, "buy() {", 'give() {\n    send_payment shop "$1"\n}\n\nbuy() {'),),
        "logic": ((PATH, "-gt", "-ge"),),
        "signature": ((PATH, ':-1}"', ':-1}" card="$4"'),),
        "callee near": ((NEAR, "1 <<", "2 <<"),),
        "callee far": ((FAR, 'sleep "$1"', 'sleep "${1}m"'),),
        "constant": ((PATH, "MAX_ATTEMPTS=4", "MAX_ATTEMPTS=5"),),
    },
    new_path="lib/checkout/resend.sh",
    inner=INNER,
    other=("lib/checkout/sending.sh", '#!/usr/bin/env bash\nKIND=card\n\n{}other() {\n    echo "$1"\n}\n'),
    near=("next_delay",),
    far=("wait_for",),
    constant="MAX_ATTEMPTS",
    summary="`send_payment` waits between two attempts",
)  # fmt: skip
