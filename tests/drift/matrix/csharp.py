from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
    public async Task<Answer> SendPayment(IGateway gateway, string order, int attempt = 1)
    {
        if (attempt > MaxAttempts)
        {
            throw new InvalidOperationException("too many attempts");
        }
        var answer = await gateway.Submit(order, new[] { "card" }, attempt);
        if (answer.Ok)
        {
            return answer;
        }
        await Clock.WaitFor(Backoff.NextDelay(attempt));
        return await SendPayment(gateway, order, attempt + 1);
    }

"""
RETRY = f"""\
using System;
using System.Threading.Tasks;

namespace Shop.Checkout;

public class Retry
{{
    private const int MaxAttempts = 4;

{INNER}    public string Describe(string order)
    {{
        return $"order {{order}}";
    }}
}}
"""
PATH = "src/Checkout/Retry.cs"
NEAR = "src/Checkout/Backoff.cs"
FAR = "src/Shop/Clock.cs"
CALLER = "src/Shop/Flow.cs"

CSHARP = Project(
    name="csharp",
    files={
        PATH: RETRY,
        NEAR: "namespace Shop.Checkout\n{\n    internal static class Backoff\n    {\n        public static int NextDelay(int attempt) => 1 << attempt;\n    }\n}\n",
        FAR: "namespace Shop;\n\npublic static class Clock\n{\n    public static Task WaitFor(int seconds) => Task.Delay(seconds * 1000);\n}\n",
        CALLER: "namespace Shop;\n\npublic class Flow\n{\n    public Task<Answer> Buy(string order) => retry.SendPayment(bank, order);\n}\n",
    },
    path=PATH,
    function="SendPayment",
    edits={
        "blank lines": ((PATH, "        var answer", "\n        var answer"), (PATH, "public class", "\npublic class")),
        "reformat": (
            (PATH, 'gateway.Submit(order, new[] { "card" }, attempt)', 'gateway.Submit(\n            order,\n            new[]\n            {\n                "card",\n            },\n            attempt)'),
            (PATH, "(IGateway gateway, string order, int attempt = 1)\n    {", "(\n        IGateway gateway,\n        string order,\n        int attempt = 1) {"),
        ),
        "comment only": ((PATH, "        if (answer.Ok)\n", "        // Accepted.\n        if (answer.Ok) // at once\n"),),
        "docstring added": ((PATH, "    public async", "    /// <summary>Sends it, and waits between two attempts.</summary>\n    public async"),),
        "symbol renamed": ((PATH, "SendPayment", "SubmitPayment"), (CALLER, "SendPayment", "SubmitPayment")),
        "unrelated change": ((PATH, '"order ', '"the order '),),
        "lines above": ((PATH, "MaxAttempts = 4;\n", "MaxAttempts = 4;\n\n    public void Forget(string order)\n    {\n        names.Remove(order);\n    }\n"),),
        "new caller": ((CALLER, "    public Task", "    public Task<Answer> Give(string order) => retry.SendPayment(shop, order);\n\n    public Task"),),
        "logic": ((PATH, "attempt > Max", "attempt >= Max"),),
        "signature": ((PATH, "attempt = 1)", 'attempt = 1, string card = "visa")'),),
        "callee near": ((NEAR, "1 << attempt", "2 << attempt"),),
        "callee far": ((FAR, "* 1000", "* 500"),),
        "constant": ((PATH, "MaxAttempts = 4", "MaxAttempts = 5"),),
    },
    new_path="src/Checkout/Resend.cs",
    inner=INNER,
    other=("src/Checkout/Sending.cs", 'namespace Shop.Checkout;\n\npublic class Sending\n{\n    private const string Kind = "card";\n\n{}    public string Other(string order) => order;\n}\n'),
    near=("NextDelay", "Backoff"),
    far=("WaitFor", "Clock"),
    constant="MaxAttempts",
    summary="`SendPayment` waits between two attempts",
)  # fmt: skip
