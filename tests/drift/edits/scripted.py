"""TypeScript, JavaScript, Python, Ruby, PHP and the shell."""

from __future__ import annotations

from tests.drift.edits.language import Edits

TYPESCRIPT = Edits(
    "a.ts",
    """\
import { b } from './b';
import { a } from './a';

@Injectable()
export class Retry<T> {
  @Get('/')
  async send(order: string, times = 1): Promise<T> {
    const note = `a
  b ${order}`;
    return this.gateway.send(order, times);
  }

  go(n) { return n - 1; }
}

class Other {
  go(n) { return n + 1; }
}

function wait(n: number) {
  const inner = (x) => {
    return x + 1;
  };
  return inner(n);
}

export const pay = (n) => {
  return n * 2;
};
""",
    ("Retry.send", "order, times", "times, order"),
    (
        ("wait", "x + 1", "x + 2", "changed"),
        ("wait", "  const inner", "\t\tconst inner", "cosmetic"),
        ("Retry.send", "  b ${", "    b ${", "changed"),
        ("Retry.go", "n + 1", "n + 2", "cosmetic"),
        ("Retry.send", "@Get('/')", "@Get('/x')", "changed"),
        ("Retry.send", "  @Get('/')\n", "  @Get('/')\n  @Log()\n", "changed"),
        ("Retry.send", "@Get('/')\n  async", '@Get("/") async', "cosmetic"),
        ("Retry.send", "times = 1", "times = 2", "changed"),
        ("Retry.go", "  go(n) { return n - 1", "  async go(n) { return n - 1", "changed"),
        ("Retry.go", "  go(n) { return n - 1", "  private go(n) { return n - 1", "changed"),
        ("wait", "function wait(n", "export function wait(n", "cosmetic"),
        ("wait", "function wait(n", "export default function wait(n", "cosmetic"),
        ("wait", "function wait(n", "async function wait(n", "changed"),
        ("pay", "export const pay", "const pay", "cosmetic"),
        ("pay", "const pay = (n) => {\n  return n * 2;\n};", "function pay(n) {\n  return n * 2;\n}", "changed"),
        ("wait", "inner(n)", "(inner)((n))", "cosmetic"),
        ("wait", "return x + 1;", "return (\n      x + 1\n    )", "cosmetic"),
        ("wait", "wait(n: number)", "wait<U>(n: U)", "touched"),
        ("wait", "class Other {", "class Other {\n  bad( {\n", "cosmetic"),
        ("wait", "function wait", "const x = ;\nfunction wait", "cosmetic"),
        ("Retry.send", "import { b } from './b';\nimport { a } from './a';", "import { a } from './a';\nimport { b } from './b';", "cosmetic"),
    ),
)  # fmt: skip
JAVASCRIPT = Edits(
    "a.js",
    """\
import { b } from './b';
import { a } from './a';

export class Retry {
  async send(order, times = 1) {
    const note = `a
  b ${order}`;
    return this.gateway.send(order, times);
  }

  go(n) { return n - 1; }
}

class Other {
  go(n) { return n + 1; }
}

function wait(n) {
  const inner = (x) => {
    return x + 1;
  };
  return inner(n);
}

export const pay = (n) => {
  return n * 2;
};
""",
    ("Retry.send", "order, times", "times, order"),
    (
        ("wait", "x + 1", "x + 2", "changed"),
        ("Retry.go", "n + 1", "n + 2", "cosmetic"),
        ("wait", "function wait(n", "export function wait(n", "cosmetic"),
        ("Retry.send", "times = 1", "times = 2", "changed"),
        ("Retry.send", "async send", "send", "changed"),
        ("pay", "n * 2", "(n * 2)", "cosmetic"),
        ("Retry.go", "  go(n) { return n - 1", "  static go(n) { return n - 1", "changed"),
    ),
)  # fmt: skip
PYTHON = Edits(
    "a.py",
    '''\
import b
import a


class Retry:
    @log
    def send(self, order, times=1):
        """Send."""
        note = """a
  b"""
        return self.gateway.send(order, times, note)

    def go(self, n):
        return n - 1


class Other:
    def go(self, n):
        return n + 1


def outer(n):
    def inner(x):
        return x + 1

    return inner(n)
''',
    ("Retry.send", "order, times, note", "times, order, note"),
    (
        ("Retry.go", "n + 1", "n + 2", "cosmetic"),
        ("outer", "x + 1", "x + 2", "changed"),
        ("Retry.send", '  b"""', 'b"""', "changed"),
        ("Retry.send", "    @log\n", "    @log\n    @trace\n", "changed"),
        ("Retry.send", "class Other:", "class Other(:", "cosmetic"),
        ("Other.go", "class Retry:", "class Retry(:", "cosmetic"),
        ("outer", "inner(n)", "(inner(\n        (n),\n    ))", "cosmetic"),
        ("outer", "def outer", "async def outer", "changed"),
        ("Retry.send", "times=1", "times=2", "changed"),
        ("Retry.send", "import b\nimport a", "import a\nimport b", "cosmetic"),
        ("outer", "def outer(n):", "def outer(n: int) -> int:", "touched"),
        ("Retry.send", "order, times=1", "order, times=1,", "cosmetic"),
    ),
)  # fmt: skip
RUBY = Edits(
    "a.rb",
    """\
require 'b'
require 'a'

module Net
  class Client < Base
    include Logging
    attr_reader :name

    # Sends.
    def send_it(order, times = 1)
      text = <<~TEXT
        a
          b
      TEXT
      @gateway.call(order, times, text)
    end

    def self.make(n)
      new(n - 1)
    end

    class << self
      def build(n)
        new(n + 1)
      end
    end

    private

    def go(n)
      n.map { |x| x + 1 }
    end
  end

  class Server
    def go(n) = n + 1
  end
end

def top(n)
  if n > 1
    puts "big"
  end
end
""",
    ("Net.Client.send_it", "order, times, text", "times, order, text"),
    (
        ("Net.Client.send_it", "          b", "         b", "changed"),
        ("Net.Client.send_it", "        a\n          b\n      TEXT", "      a\n        b\n      TEXT", "cosmetic"),
        ("Net.Client.go", "(n) = n + 1", "(n) = n + 2", "cosmetic"),
        ("Net.Client.go", "x + 1", "x + 2", "changed"),
        ("Net.Client.make", "n - 1", "n - 2", "changed"),
        ("Net.Client.build", "n + 1)", "n + 2)", "changed"),
        ("Net.Client.make", "def self.make", "def make", "changed"),
        ("Net.Client.send_it", "times = 1", "times = 2", "changed"),
        ("top", 'puts "big"', "puts('big')", "cosmetic"),
        ("top", "n > 1", "(n > 1)", "cosmetic"),
        ("top", "def top(n)", "def top n", "cosmetic"),
        ("Net.Client.send_it", "def top(n)", "def top(n", "cosmetic"),
        ("top", "class Server", "class Server {{", "cosmetic"),
        ("Net.Client.send_it", "require 'b'\nrequire 'a'", "require 'a'\nrequire 'b'", "cosmetic"),
    ),
)  # fmt: skip
PHP = Edits(
    "a.php",
    """\
<?php

namespace Net;

use B\\Two;
use A\\One;

#[Service]
class Client extends Base
{
    use Logging;

    private int $limit = 3;

    public function __construct(private Gateway $gateway, protected int $n = 1)
    {
    }

    /** Sends. */
    #[Log]
    public function send(string $order, int $times = 1): array
    {
        $text = <<<TEXT
          a
            b
          TEXT;
        return $this->gateway->call($order, $times, $text);
    }

    public static function make(int $n): static
    {
        return new static($n - 1);
    }

    private function go($n) { return $n + 1; }
}

class Server
{
    private function go($n) { return $n - 1; }
}

function top(array $list): array
{
    return array_map(fn ($x) => $x + 1, $list);
}
""",
    ("Client.send", "$order, $times, $text", "$times, $order, $text"),
    (
        ("Client.send", "            b", "           b", "changed"),
        ("Client.send", "          a\n            b\n          TEXT", "        a\n          b\n        TEXT", "cosmetic"),
        ("Client.go", "$n - 1; }", "$n - 2; }", "cosmetic"),
        ("Client.send", "$times = 1", "$times = 2", "changed"),
        ("Client.send", "#[Log]", "#[Log, Trace]", "changed"),
        ("Client.send", "    #[Log]\n", "", "changed"),
        ("Client.send", "public function send", "protected function send", "changed"),
        ("Client.make", "public static", "static public", "cosmetic"),
        ("Client.send", "int $times = 1): array", "int $times = 1): ?array", "changed"),
        ("top", "fn ($x) => $x + 1", "fn($x) => ($x + 1)", "cosmetic"),
        ("top", "namespace Net;", "namespace Net\\Inner;", "cosmetic"),
        ("top", "$x + 1", "$x + 2", "changed"),
        ("top", "class Server\n{", "class Server\n{ function bad( {", "cosmetic"),
        ("Client.__construct", "int $n = 1", "int $n = 2", "changed"),
        ("top", "use B\\Two;\nuse A\\One;", "use A\\One;\nuse B\\Two;", "cosmetic"),
    ),
)  # fmt: skip
SHELL = Edits(
    "a.sh",
    """\
#!/bin/bash
# shellcheck disable=SC1091
. ./b.sh
. ./a.sh
set -eu
LIMIT=3
readonly NAME="x"

send_it() {
    local order="$1" times="${2:-1}"
    cat <<EOF
a
  b $order
EOF
    if [ "$times" -gt "$LIMIT" ]; then
        call "$order" "$times"
    fi
    for i in 1 2 3; do echo "$i"; done
    case "$order" in
        a) echo a ;;
        *) echo b ;;
    esac
}

function other {
    echo hi | grep h && echo ok
}

function third() {
    other
}
""",
    ("send_it", '"$order" "$times"', '"$times" "$order"'),
    (
        ("other", "function other {", "other() {", "cosmetic"),
        ("third", "function third() {", "third ()\n{", "cosmetic"),
        ("send_it", "  b $order", "b $order", "changed"),
        ("send_it", "; then", "\n    then", "cosmetic"),
        ("send_it", 'do echo "$i"; done', 'do\n        echo "$i"\n    done', "cosmetic"),
        ("send_it", "a) echo a ;;", "a)\n            echo a\n            ;;", "cosmetic"),
        ("send_it", "1 2 3", "1 2", "changed"),
        ("other", " && ", " &&\n        ", "cosmetic"),
        ("other", " && ", " || ", "changed"),
        ("third", "LIMIT=3", "if true; then\nLIMIT=3", "cosmetic"),
        ("send_it", "${2:-1}", "${2:-2}", "changed"),
        ("NAME", 'NAME="x"', 'NAME="y"', "changed"),
        ("other", ". ./b.sh\n. ./a.sh", ". ./a.sh\n. ./b.sh", "cosmetic"),
    ),
)  # fmt: skip
