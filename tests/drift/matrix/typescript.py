from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
export async function sendPayment(gateway: Gateway, order: string, attempt = 1): Promise<Answer> {
  if (attempt > MAX_ATTEMPTS) {
    throw new Error('too many attempts');
  }
  const answer = await gateway.send(order, 'card', attempt);
  if (answer.ok) {
    return answer;
  }
  await waitFor(nextDelay(attempt));
  return sendPayment(gateway, order, attempt + 1);
}

"""
RETRY = f"""\
import {{ waitFor }} from '../shop/clock';
import {{ nextDelay }} from './backoff';
import type {{ Answer, Gateway }} from './types';

const MAX_ATTEMPTS = 4;

{INNER}export function describe(order: string): string {{
  return `order ${{order}}`;
}}
"""
PATH = "src/checkout/retry.ts"
NEAR = "src/checkout/backoff.ts"
FAR = "src/shop/clock.ts"
CALLER = "src/shop/flow.ts"

TYPESCRIPT = Project(
    name="typescript",
    files={
        PATH: RETRY,
        NEAR: "export const nextDelay = (attempt: number): number => 2 ** attempt;\n",
        FAR: "export function waitFor(seconds: number): Promise<void> {\n  return new Promise((done) => setTimeout(done, seconds));\n}\n",
        CALLER: "import { sendPayment } from '../checkout/retry';\n\nexport function buy(order: string) {\n  return sendPayment(bank, order);\n}\n",
        "src/checkout/types.ts": "export interface Answer {\n  ok: boolean;\n}\n",
    },
    path=PATH,
    function="sendPayment",
    edits={
        "blank lines": ((PATH, "  const answer", "\n  const answer"), (PATH, "const MAX", "\nconst MAX")),
        "reformat": (
            (PATH, "gateway.send(order, 'card', attempt)", 'gateway.send(\n    order,\n    "card",\n    attempt,\n  )'),
            (PATH, "(gateway: Gateway, order: string, attempt = 1)", "(\n  gateway: Gateway,\n  order: string,\n  attempt = 1,\n)"),
            (PATH, "'too many attempts'", '"too many attempts"'),
        ),
        "comment only": ((PATH, "  if (answer.ok) {", "  // Accepted.\n  if (answer.ok) { // at once"),),
        "docstring added": ((PATH, "export async", "/** Sends it, and waits between two attempts. */\nexport async"),),
        "symbol renamed": ((PATH, "sendPayment", "submitPayment"), (CALLER, "sendPayment", "submitPayment")),
        "unrelated change": ((PATH, "`order ${order}`", "`the order ${order}`"),),
        "lines above": ((PATH, "const MAX_ATTEMPTS = 4;\n", "const MAX_ATTEMPTS = 4;\n\nexport const forget = (order: string) => {\n  names.delete(order);\n};\n"),),
        "new caller": ((CALLER, "export function buy", "export const give = (order: string) => sendPayment(shop, order);\n\nexport function buy"),),
        "logic": ((PATH, "attempt > MAX", "attempt >= MAX"),),
        "signature": ((PATH, "attempt = 1)", "attempt = 1, card = 'visa')"),),
        "callee near": ((NEAR, "2 ** attempt", "3 ** attempt"),),
        "callee far": ((FAR, "(done, seconds)", "(done, seconds / 2)"),),
        "constant": ((PATH, "MAX_ATTEMPTS = 4", "MAX_ATTEMPTS = 5"),),
    },
    new_path="src/checkout/resend.ts",
    inner=INNER,
    other=("src/checkout/sending.ts", "import { MAX_ATTEMPTS } from './retry';\n\nexport const KIND = 'card';\n\n{}export const other = (order: string) => order;\n"),
    near=("nextDelay",),
    far=("waitFor",),
    constant="MAX_ATTEMPTS",
    summary="`sendPayment` waits between two attempts",
)  # fmt: skip
