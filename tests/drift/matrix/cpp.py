from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
Answer Retry::sendPayment(Gateway &gateway, const std::string &order, int attempt)
{
    if (attempt > kMaxAttempts) {
        throw std::runtime_error("too many attempts");
    }
    auto answer = gateway.submit(order, std::vector<std::string>{"card"}, attempt);
    if (answer.ok()) {
        return answer;
    }
    waitFor(nextDelay(attempt));
    return sendPayment(gateway, order, attempt + 1);
}

"""
RETRY = f"""\
#include <checkout/retry.hpp>

#include <stdexcept>

namespace shop::checkout {{

constexpr int kMaxAttempts = 4;

{INNER}std::string Retry::describe(const std::string &order) const
{{
    return "order " + order;
}}

}} // namespace shop::checkout
"""
HEADER = """\
#pragma once

namespace shop::checkout {

class Retry {
public:
    Answer sendPayment(Gateway &gateway, const std::string &order, int attempt = 1);
    std::string describe(const std::string &order) const;
};

} // namespace shop::checkout
"""
PATH = "src/checkout/retry.cpp"
HEAD = "include/checkout/retry.hpp"
NEAR = "src/checkout/backoff.cpp"
FAR = "src/shop/clock.cpp"
CALLER = "src/shop/flow.cpp"

CPP = Project(
    name="cpp",
    files={
        PATH: RETRY,
        HEAD: HEADER,
        NEAR: '#include "backoff.hpp"\n\nnamespace shop::checkout {\n\nint nextDelay(int attempt)\n{\n    return 1 << attempt;\n}\n\n}\n',
        "src/checkout/backoff.hpp": "#pragma once\n\nnamespace shop::checkout {\nint nextDelay(int attempt);\n}\n",
        FAR: '#include "clock.hpp"\n\nnamespace shop {\n\nvoid waitFor(int seconds)\n{\n    std::this_thread::sleep_for(std::chrono::seconds(seconds));\n}\n\n}\n',
        "src/shop/clock.hpp": "#pragma once\n\nnamespace shop {\nvoid waitFor(int seconds);\n}\n",
        CALLER: "#include <checkout/retry.hpp>\n\nAnswer buy(const std::string &order)\n{\n    return retry.sendPayment(bank, order);\n}\n",
    },
    path=PATH,
    function="sendPayment",
    edits={
        "blank lines": ((PATH, "    auto answer", "\n    auto answer"), (PATH, "constexpr", "\nconstexpr")),
        "reformat": (
            (PATH, 'gateway.submit(order, std::vector<std::string>{"card"}, attempt)', 'gateway.submit(\n        order,\n        std::vector<std::string>{\n            "card",\n        },\n        attempt)'),
            (PATH, "(Gateway &gateway, const std::string &order, int attempt)\n{", "(\n    Gateway& gateway,\n    const std::string& order,\n    int attempt) {"),
        ),
        "comment only": ((PATH, "    if (answer.ok()) {", "    // Accepted.\n    if (answer.ok()) { // at once"),),
        "docstring added": ((PATH, "Answer Retry::", "/// Sends it, and waits between two attempts.\nAnswer Retry::"),),
        "symbol renamed": ((PATH, "sendPayment", "submitPayment"), (HEAD, "sendPayment", "submitPayment"), (CALLER, "sendPayment", "submitPayment")),
        "unrelated change": ((PATH, '"order "', '"the order "'),),
        "lines above": ((PATH, "kMaxAttempts = 4;\n", "kMaxAttempts = 4;\n\nvoid Retry::forget(const std::string &order)\n{\n    names.erase(order);\n}\n"),),
        "new caller": ((CALLER, "Answer buy", "Answer give(const std::string &order)\n{\n    return retry.sendPayment(shop, order);\n}\n\nAnswer buy"),),
        "logic": ((PATH, "attempt > kMax", "attempt >= kMax"),),
        "signature": ((PATH, "int attempt)", "int attempt, Card card)"), (HEAD, "attempt = 1)", "attempt = 1, Card card = {})")),
        "callee near": ((NEAR, "1 << attempt", "2 << attempt"),),
        "callee far": ((FAR, "seconds(seconds)", "minutes(seconds)"),),
        "constant": ((PATH, "kMaxAttempts = 4", "kMaxAttempts = 5"),),
    },
    new_path="src/checkout/resend.cpp",
    inner=INNER,
    other=("src/checkout/sending.cpp", '#include <checkout/retry.hpp>\n\nnamespace shop::checkout {\n\nstatic const char *kind = "card";\n\n{}std::string other(const std::string &order)\n{\n    return order;\n}\n\n}\n'),
    near=("nextDelay",),
    far=("waitFor",),
    constant="kMaxAttempts",
    summary="`sendPayment` waits between two attempts",
)  # fmt: skip
