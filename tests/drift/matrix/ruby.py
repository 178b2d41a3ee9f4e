from __future__ import annotations

from tests.drift.matrix.project import Project

INNER = """\
    def send_payment(gateway, order, attempt = 1)
      raise ArgumentError, 'too many attempts' if attempt > MAX_ATTEMPTS

      answer = gateway.submit(order, { kind: 'card' }, attempt)
      return answer if answer.ok?

      Shop::Clock.wait_for(Backoff.next_delay(attempt))
      send_payment(gateway, order, attempt + 1)
    end

"""
RETRY = f"""\
# frozen_string_literal: true

require_relative '../shop/clock'
require_relative 'backoff'

module Checkout
  class Retry
    MAX_ATTEMPTS = 4

{INNER}    def describe(order)
      "order #{{order}}"
    end
  end
end
"""
PATH = "lib/checkout/retry.rb"
NEAR = "lib/checkout/backoff.rb"
FAR = "lib/shop/clock.rb"
CALLER = "lib/shop/flow.rb"

RUBY = Project(
    name="ruby",
    files={
        PATH: RETRY,
        NEAR: "module Checkout\n  module Backoff\n    def self.next_delay(attempt)\n      2**attempt\n    end\n  end\nend\n",
        FAR: "module Shop\n  class Clock\n    def self.wait_for(seconds)\n      sleep(seconds)\n    end\n  end\nend\n",
        CALLER: "module Shop\n  class Flow\n    def buy(order)\n      @retry.send_payment(bank, order)\n    end\n  end\nend\n",
    },
    path=PATH,
    function="send_payment",
    edits={
        "blank lines": ((PATH, "      return answer", "\n      return answer"), (PATH, "  class Retry", "\n  class Retry")),
        "reformat": (
            (PATH, "gateway.submit(order, { kind: 'card' }, attempt)", 'gateway.submit(\n        order,\n        { kind: "card" },\n        attempt,\n      )'),
            (PATH, "(gateway, order, attempt = 1)", "(\n      gateway,\n      order,\n      attempt = 1\n    )"),
            (PATH, "'too many attempts'", '"too many attempts"'),
        ),
        "comment only": ((PATH, "      return answer if", "      # Accepted.\n      return answer if # at once\n       "),),
        "docstring added": ((PATH, "    def send_payment", "    # Sends it, and waits between two attempts.\n    #\n    # @return [Answer]\n    def send_payment"),),
        "symbol renamed": ((PATH, "send_payment", "submit_payment"), (CALLER, "send_payment", "submit_payment")),
        "unrelated change": ((PATH, '"order ', '"the order '),),
        "lines above": ((PATH, "MAX_ATTEMPTS = 4\n", "MAX_ATTEMPTS = 4\n\n    def forget(order)\n      @names.delete(order)\n    end\n"),),
        "new caller": ((CALLER, "    def buy", "    def give(order)\n      @retry.send_payment(shop, order)\n    end\n\n    def buy"),),
        "logic": ((PATH, "attempt > MAX", "attempt >= MAX"),),
        "signature": ((PATH, "attempt = 1)", "attempt = 1, card: 'visa')"),),
        "callee near": ((NEAR, "2**attempt", "3**attempt"),),
        "callee far": ((FAR, "sleep(seconds)", "sleep(seconds / 2)"),),
        "constant": ((PATH, "MAX_ATTEMPTS = 4", "MAX_ATTEMPTS = 5"),),
    },
    new_path="lib/checkout/resend.rb",
    inner=INNER,
    other=("lib/checkout/sending.rb", "module Checkout\n  class Sending\n    KIND = 'card'\n\n{}    def other(order)\n      order\n    end\n  end\nend\n"),
    near=("next_delay", "Backoff"),
    far=("wait_for", "Clock"),
    constant="MAX_ATTEMPTS",
    summary="`send_payment` waits between two attempts",
)  # fmt: skip
