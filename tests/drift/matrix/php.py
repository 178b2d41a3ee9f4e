from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
    public function sendPayment(Gateway $gateway, string $order, int $attempt = 1): Answer
    {
        if ($attempt > self::MAX_ATTEMPTS) {
            throw new RuntimeException('too many attempts');
        }
        $answer = $gateway->submit($order, ['kind' => 'card'], $attempt);
        if ($answer->ok) {
            return $answer;
        }
        Clock::waitFor(nextDelay($attempt));
        return $this->sendPayment($gateway, $order, $attempt + 1);
    }

"""
RETRY = f"""\
<?php

declare(strict_types=1);

namespace Shop\\Checkout;

use RuntimeException;
use Shop\\Clock;

final class Retry
{{
    private const MAX_ATTEMPTS = 4;

{INNER}    public function describe(string $order): string
    {{
        return "order $order";
    }}
}}
"""
PATH = "src/Checkout/Retry.php"
NEAR = "src/Checkout/backoff.php"
FAR = "src/Shop/Clock.php"
CALLER = "src/Shop/Flow.php"

PHP = Project(
    name="php",
    files={
        PATH: RETRY,
        NEAR: "<?php\n\nnamespace Shop\\Checkout;\n\nfunction nextDelay(int $attempt): int\n{\n    return 2 ** $attempt;\n}\n",
        FAR: "<?php\n\nnamespace Shop;\n\nclass Clock\n{\n    public static function waitFor(int $seconds): void\n    {\n        sleep($seconds);\n    }\n}\n",
        CALLER: "<?php\n\nnamespace Shop;\n\nclass Flow\n{\n    public function buy(string $order)\n    {\n        return $this->retry->sendPayment($this->bank, $order);\n    }\n}\n",
    },
    path=PATH,
    function="sendPayment",
    edits={
        "blank lines": ((PATH, "        $answer =", "\n        $answer ="), (PATH, "final class", "\nfinal class")),
        "reformat": (
            (PATH, "$gateway->submit($order, ['kind' => 'card'], $attempt)", '$gateway->submit(\n            $order,\n            [\n                "kind" => "card",\n            ],\n            $attempt,\n        )'),
            (PATH, "(Gateway $gateway, string $order, int $attempt = 1): Answer\n    {", "(\n        Gateway $gateway,\n        string $order,\n        int $attempt = 1,\n    ): Answer {"),
            (PATH, "'too many attempts'", '"too many attempts"'),
        ),
        "comment only": ((PATH, "        if ($answer->ok) {", "        # Accepted.\n        if ($answer->ok) { // at once"),),
        "docstring added": ((PATH, "    public function send", "    /**\n     * Sends it, and waits between two attempts.\n     */\n    public function send"),),
        "symbol renamed": ((PATH, "sendPayment", "submitPayment"), (CALLER, "sendPayment", "submitPayment")),
        "unrelated change": ((PATH, '"order ', '"the order '),),
        "lines above": ((PATH, "MAX_ATTEMPTS = 4;\n", "MAX_ATTEMPTS = 4;\n\n    public function forget(string $order): void\n    {\n        unset($this->names[$order]);\n    }\n"),),
        "new caller": ((CALLER, "    public function buy", "    public function give(string $order)\n    {\n        return $this->retry->sendPayment($this->shop, $order);\n    }\n\n    public function buy"),),
        "logic": ((PATH, "$attempt > self", "$attempt >= self"),),
        "signature": ((PATH, "$attempt = 1)", "$attempt = 1, string $card = 'visa')"),),
        "callee near": ((NEAR, "2 ** $attempt", "3 ** $attempt"),),
        "callee far": ((FAR, "sleep($seconds)", "usleep($seconds)"),),
        "constant": ((PATH, "MAX_ATTEMPTS = 4", "MAX_ATTEMPTS = 5"),),
    },
    new_path="src/Checkout/Resend.php",
    inner=INNER,
    other=("src/Checkout/Sending.php", "<?php\n\nnamespace Shop\\Checkout;\n\nclass Sending\n{\n    const KIND = 'card';\n\n{}    public function other(string $order)\n    {\n        return $order;\n    }\n}\n"),
    near=("nextDelay",),
    far=("waitFor", "Clock"),
    constant="MAX_ATTEMPTS",
    summary="`sendPayment` waits between two attempts",
)  # fmt: skip
