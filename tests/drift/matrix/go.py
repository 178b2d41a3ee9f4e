from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
func SendPayment(gateway Gateway, order string, attempt int) (Answer, error) {
	if attempt > maxAttempts {
		return Answer{}, errors.New("too many attempts")
	}
	answer := gateway.Send(order, "card", attempt)
	if answer.OK {
		return answer, nil
	}
	shop.WaitFor(nextDelay(attempt))
	return SendPayment(gateway, order, attempt+1)
}

"""
RETRY = f"""\
package checkout

import (
	"errors"

	"example.org/shop/shop"
)

const maxAttempts = 4

{INNER}func Describe(order string) string {{
	return "order " + order
}}
"""
PATH = "checkout/retry.go"
NEAR = "checkout/backoff.go"
FAR = "shop/clock.go"
CALLER = "shop/flow.go"

GO = Project(
    name="go",
    files={
        PATH: RETRY,
        NEAR: "package checkout\n\nfunc nextDelay(attempt int) int {\n\treturn 1 << attempt\n}\n",
        FAR: 'package shop\n\nimport "time"\n\nfunc WaitFor(seconds int) {\n\ttime.Sleep(time.Duration(seconds) * time.Second)\n}\n',
        CALLER: "package shop\n\nfunc Buy(order string) error {\n\t_, err := checkout.SendPayment(bank, order, 1)\n\treturn err\n}\n",
    },
    path=PATH,
    function="SendPayment",
    edits={
        "blank lines": ((PATH, "\tanswer :=", "\n\tanswer :="), (PATH, "const max", "\nconst max")),
        "reformat": (
            (PATH, 'gateway.Send(order, "card", attempt)', 'gateway.Send(\n\t\torder,\n\t\t"card",\n\t\tattempt,\n\t)'),
            (PATH, "(gateway Gateway, order string, attempt int)", "(\n\tgateway Gateway,\n\torder string,\n\tattempt int,\n)"),
        ),
        "comment only": ((PATH, "\tif answer.OK {", "\t// Accepted.\n\tif answer.OK { // at once"),),
        "docstring added": ((PATH, "func SendPayment", "// SendPayment waits between two attempts.\nfunc SendPayment"),),
        "symbol renamed": ((PATH, "SendPayment", "SubmitPayment"), (CALLER, "SendPayment", "SubmitPayment")),
        "unrelated change": ((PATH, '"order "', '"the order "'),),
        "lines above": ((PATH, "const maxAttempts = 4\n", "const maxAttempts = 4\n\nfunc Forget(order string) {\n\tdelete(names, order)\n}\n"),),
        "new caller": ((CALLER, "func Buy", "func Give(order string) {\n\tcheckout.SendPayment(shop, order, 1)\n}\n\nfunc Buy"),),
        "logic": ((PATH, "attempt > max", "attempt >= max"),),
        "signature": ((PATH, "attempt int)", "attempt int, card string)"),),
        "callee near": ((NEAR, "1 << attempt", "2 << attempt"),),
        "callee far": ((FAR, "time.Second", "time.Minute"),),
        "constant": ((PATH, "maxAttempts = 4", "maxAttempts = 5"),),
    },
    new_path="checkout/resend.go",
    inner=INNER,
    other=("checkout/sending.go", 'package checkout\n\nconst kind = "card"\n\n{}func Other(order string) string {\n\treturn order\n}\n'),
    near=("nextDelay",),
    far=("WaitFor",),
    constant="maxAttempts",
    summary="`SendPayment` waits between two attempts",
)  # fmt: skip
