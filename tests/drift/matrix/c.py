from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
int send_payment(struct gateway *gateway, const char *order, int attempt)
{
    struct answer answer;

    if (attempt > MAX_ATTEMPTS) {
        return -ELOOP;
    }
    if (gateway->submit(gateway, order, "card", attempt, &answer) == 0 && answer.ok) {
        return 0;
    }
    wait_for(next_delay(attempt));
    return send_payment(gateway, order, attempt + 1);
}

"""
RETRY = f"""\
#include <checkout/retry.h>
#include "backoff.h"
#include <errno.h>

#define MAX_ATTEMPTS 4

{INNER}const char *describe(const char *order)
{{
    return joined("order ", order);
}}
"""
HEADER = """\
#ifndef RETRY_H
#define RETRY_H

struct gateway;

int send_payment(struct gateway *gateway, const char *order, int attempt);
const char *describe(const char *order);

#endif
"""
PATH = "src/checkout/retry.c"
HEAD = "include/checkout/retry.h"
NEAR = "src/checkout/backoff.c"
FAR = "src/shop/clock.c"
CALLER = "src/shop/flow.c"

C = Project(
    name="c",
    files={
        PATH: RETRY,
        HEAD: HEADER,
        NEAR: '#include "backoff.h"\n\nint next_delay(int attempt)\n{\n    return 1 << attempt;\n}\n',
        "src/checkout/backoff.h": "int next_delay(int attempt);\n",
        FAR: '#include "clock.h"\n\nvoid wait_for(int seconds)\n{\n    sleep(seconds);\n}\n',
        "src/shop/clock.h": "void wait_for(int seconds);\n",
        CALLER: "#include <checkout/retry.h>\n\nint buy(const char *order)\n{\n    return send_payment(&bank, order, 1);\n}\n",
    },
    path=PATH,
    function="send_payment",
    edits={
        "blank lines": ((PATH, "    if (gateway->", "\n    if (gateway->"), (PATH, "#define", "\n#define")),
        "reformat": (
            (PATH, '(gateway, order, "card", attempt, &answer)', '(\n            gateway, order,\n            "card", attempt,\n            &answer)'),
            (PATH, "struct gateway *gateway, const char *order, int attempt)\n{", "struct gateway* gateway,\n                 const char* order,\n                 int attempt) {"),
        ),
        "comment only": ((PATH, "    wait_for(", "    /* Not yet. */\n    wait_for( // a while\n        "),),
        "docstring added": ((PATH, "int send_payment", "/**\n * Sends it, and waits between two attempts.\n */\nint send_payment"),),
        "symbol renamed": ((PATH, "send_payment", "submit_payment"), (HEAD, "send_payment", "submit_payment"), (CALLER, "send_payment", "submit_payment")),
        "unrelated change": ((PATH, '"order "', '"the order "'),),
        "lines above": ((PATH, "MAX_ATTEMPTS 4\n", "MAX_ATTEMPTS 4\n\nvoid forget(const char *order)\n{\n    removed(names, order);\n}\n"),),
        "new caller": ((CALLER, "int buy", "int give(const char *order)\n{\n    return send_payment(&shop, order, 1);\n}\n\nint buy"),),
        "logic": ((PATH, "attempt > MAX", "attempt >= MAX"),),
        "signature": ((PATH, "int attempt)", "int attempt, const char *card)"), (HEAD, "order, int attempt)", "order, int attempt, const char *card)")),
        "callee near": ((NEAR, "1 << attempt", "2 << attempt"),),
        "callee far": ((FAR, "sleep(seconds)", "sleep(seconds / 2)"),),
        "constant": ((PATH, "MAX_ATTEMPTS 4", "MAX_ATTEMPTS 5"),),
    },
    new_path="src/checkout/resend.c",
    inner=INNER,
    other=("src/checkout/sending.c", '#include <checkout/retry.h>\n\nstatic const char *kind = "card";\n\n{}const char *other(const char *order)\n{\n    return order;\n}\n'),
    near=("next_delay",),
    far=("wait_for",),
    constant="MAX_ATTEMPTS",
    summary="`send_payment` waits between two attempts",
)  # fmt: skip
