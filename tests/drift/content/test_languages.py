"""One matrix for every language with a grammar: a small file, edits of it, and what each edit is."""

from __future__ import annotations

import pytest

from gitmem.drift.content.difference import Difference
from gitmem.drift.content.reading import compare

COSMETIC, SOFT, SUBSTANTIVE = Difference.COSMETIC, Difference.SOFT, Difference.SUBSTANTIVE

TYPESCRIPT = """\
import { wait } from './wait';

export async function retry(call, times = 3) {
  for (let i = 0; i < times - 1; i++) {
    try {
      return await call("it's", a - (b - c));
    } catch (error) {
      continue;
    }
  }
  const pick = (x) => [x, times];
  return call(name, { key: times ? (a ?? b) : 1 });
}
"""
JAVASCRIPT = TYPESCRIPT
GO = """\
package net

import "fmt"

// Retry calls.
func Retry(call func(string) error, times int) error {
	for i := 0; i < times-1; i++ {
		if err := call("a b"); err == nil {
			return nil
		}
	}
	total := a - (b - c)
	return fmt.Errorf(name, total, []int{1, 2})
}
"""
RUST = """\
use std::fmt;

/// Retries.
pub fn retry(call: &dyn Fn(&str) -> bool, times: u32) -> Result<u32, Error> {
    for attempt in 0..times - 1 {
        if call("a b") {
            return Ok(attempt);
        }
    }
    let total = a - (b - c);
    log(name, vec![1, 2], [0; 5]);
    Err(Error::new(total))
}
"""
JAVA = """\
package net;

import java.util.List;

/** Retries. */
public class Retry {
    private static final int TIMES = 3;

    public int run(Call call, int times) {
        for (int i = 0; i < times - 1; i++) {
            if (call.go("a b")) {
                return i;
            }
        }
        int total = a - (b - c);
        log(name, new int[] {1, 2});
        return total;
    }
}
"""
SWIFT = """\
import Foundation

/// Retries.
public func retry(_ call: (String) -> Bool, times: Int = 3) -> Int {
    for attempt in 0..<(times - 1) {
        if call("a b") {
            return attempt
        }
    }
    let total = a - (b - c)
    log(name, [1, 2])
    return total
}
"""
C = """\
#include <stdio.h>

#define TIMES 3

/* Retries. */
int retry(int (*call)(const char *), int times)
{
    for (int i = 0; i < times - 1; i++) {
        if (call("a b"))
            return i;
    }
    int total = a - (b - c);
    log(name, total);
    return total;
}
"""
CPP = """\
#include <string>

namespace net {

// Retries.
class Retry : public Base {
public:
    int run(const Call &call, int times) {
        for (int i = 0; i < times - 1; i++) {
            if (call("a b")) {
                return i;
            }
        }
        auto pick = [&](int x) { return x; };
        int total = a - (b - c);
        log(name, std::vector<int>{1, 2});
        return total;
    }
};

}
"""
CSHARP = """\
using System;

namespace Net
{
    /// <summary>Retries.</summary>
    public class Retry
    {
        private const int Times = 3;

        public int Run(Func<string, bool> call, int times)
        {
            for (int i = 0; i < times - 1; i++)
            {
                if (call("a b"))
                {
                    return i;
                }
            }
            int total = a - (b - c);
            Log(name, new[] { 1, 2 });
            return total;
        }
    }
}
"""
RUBY = """\
require 'net'

# Retries.
class Retry
  TIMES = 3

  def run(call, times = TIMES)
    (0...times - 1).each do |i|
      return i if call.call("a b")
    end
    total = a - (b - c)
    log(name, [1, 2])
    total
  end
end
"""
PHP = """\
<?php

use Net\\Call;

/** Retries. */
function retry(callable $call, int $times = 3): int
{
    for ($i = 0; $i < $times - 1; $i++) {
        if ($call("a b")) {
            return $i;
        }
    }
    $total = $a - ($b - $c);
    log($name, [1, 2]);
    return $total;
}
"""
KOTLIN = """\
package net

import java.util.List

/** Retries. */
fun retry(call: (String) -> Boolean, times: Int = 3): Int {
    for (i in 0 until times - 1) {
        if (call("a b")) {
            return i
        }
    }
    val total = a - (b - c)
    log(name, listOf(1, 2))
    return total
}
"""
SHELL = """\
#!/bin/sh
LIMIT=3

# Retries.
retry() {
    for i in 1 2 3; do
        if call "a b" -x; then
            return 0
        fi
    done
    total=$((a - (b - c)))
    log "$name" | grep -c x
}
"""

# Per language: path, base text, and edits (what it is, old piece, new piece, expected difference).
MATRIX = {
    "typescript": (
        "a.ts",
        TYPESCRIPT,
        [
            ("blank lines", "  const pick", "\n\n  const pick", COSMETIC),
            ("line ends", "\n", "\r\n", COSMETIC),
            ("wrapped call", 'call("it\'s", a - (b - c))', "call(\n  'it\\'s',\n  a - (b - c),\n)", COSMETIC),
            ("line comment", "continue;", "continue; // again", COSMETIC),
            ("doc comment", "export async", "/** Retries. */\nexport async", COSMETIC),
            ("semicolon left out", "continue;", "continue", COSMETIC),
            ("arrow parentheses", "(x) => [x, times]", "x => [x, times]", COSMETIC),
            ("quoted key", "{ key:", "{ 'key':", COSMETIC),
            ("redundant parentheses", "(a ?? b)", "a ?? b", COSMETIC),
            ("annotations", "(call, times = 3)", "(call: Call, times: number = 3): Promise<void>", SOFT),
            ("type argument", "await call(", "await call<string>(", SOFT),
            ("variable type", "const pick =", "const pick: Pick =", SOFT),
            ("optional parameter", "(x) =>", "(x?: number) =>", SOFT),
            ("import type", "import {", "import type {", SOFT),
            ("import from elsewhere", "./wait", "./later", SOFT),
            ("logic", "continue;", "break;", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("comparison", "i < times", "i <= times", SUBSTANTIVE),
            ("constant", "times = 3", "times = 4", SUBSTANTIVE),
            ("signature", "(call, times = 3)", "(call, log, times = 3)", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"it\'s"', '"its"', SUBSTANTIVE),
            ("white space in a string", '"it\'s"', '"it\'s "', SUBSTANTIVE),
            ("string instead of a name", "call(name", "call('name'", SUBSTANTIVE),
            ("await", "return await call", "return call", SUBSTANTIVE),
            ("const instead of let", "let i", "const i", SUBSTANTIVE),
            ("loop condition moved", "i < times - 1; i++", "; i < times - 1", SUBSTANTIVE),
            (
                "array instead of object",
                "{ key: times ? (a ?? b) : 1 }",
                "[times ? (a ?? b) : 1]",
                SUBSTANTIVE,
            ),
            ("cast", "a - (b - c)", "a - ((b - c) as any)", SUBSTANTIVE),
            ("export", "export async", "async", SUBSTANTIVE),
        ],
    ),
    "javascript": (
        "a.js",
        JAVASCRIPT,
        [
            ("blank lines", "  const pick", "\n\n  const pick", COSMETIC),
            ("wrapped call", 'call("it\'s", a - (b - c))', "call(\n  'it\\'s',\n  a - (b - c),\n)", COSMETIC),
            ("line comment", "continue;", "continue; // again", COSMETIC),
            ("doc comment", "export async", "/** Retries. */\nexport async", COSMETIC),
            ("arrow parentheses", "(x) => [x, times]", "x => [x, times]", COSMETIC),
            ("import", "./wait", "./later", SOFT),
            ("logic", "continue;", "break;", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("constant", "times = 3", "times = 4", SUBSTANTIVE),
            ("signature", "(call, times = 3)", "(call, log, times = 3)", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"it\'s"', '"its"', SUBSTANTIVE),
            ("string instead of a name", "call(name", "call('name'", SUBSTANTIVE),
        ],
    ),
    "go": (
        "a.go",
        GO,
        [
            ("blank lines", "\ttotal", "\n\n\ttotal", COSMETIC),
            ("line ends", "\n", "\r\n", COSMETIC),
            ("wrapped call", "fmt.Errorf(name, total,", "fmt.Errorf(\n\t\tname,\n\t\ttotal,", COSMETIC),
            ("comment", "return nil", "return nil // done", COSMETIC),
            ("doc comment", "// Retry calls.", "// Retry calls again.", COSMETIC),
            ("trailing comma", "[]int{1, 2}", "[]int{\n\t\t1,\n\t\t2,\n\t}", COSMETIC),
            ("import", 'import "fmt"', 'import (\n\t"fmt"\n\t"os"\n)', SOFT),
            ("build tag", "package net", "//go:build linux\n\npackage net", SUBSTANTIVE),
            ("logic", "err == nil", "err != nil", SUBSTANTIVE),
            ("operator", "times-1", "times+1", SUBSTANTIVE),
            ("constant", "i := 0", "i := 1", SUBSTANTIVE),
            ("signature", "times int)", "times int64)", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("string instead of a name", "fmt.Errorf(name", 'fmt.Errorf("name"', SUBSTANTIVE),
            ("loop condition moved", "i := 0; i < times-1; i++", "; i < times-1; ", SUBSTANTIVE),
            ("pointer", "[]int{", "[]*int{", SUBSTANTIVE),
        ],
    ),
    "rust": (
        "a.rs",
        RUST,
        [
            ("blank lines", "    let total", "\n\n    let total", COSMETIC),
            ("wrapped call", "Err(Error::new(total))", "Err(\n        Error::new(total),\n    )", COSMETIC),
            ("comment", "return Ok(attempt);", "return Ok(attempt); // done", COSMETIC),
            ("doc comment", "/// Retries.", "/// Retries again.\n///\n/// Often.", COSMETIC),
            ("doc attribute", "/// Retries.", '#[doc = "Retries."]', COSMETIC),
            ("trailing comma", "vec![1, 2]", "vec![1, 2,]", COSMETIC),
            ("use", "use std::fmt;", "use std::{fmt, io};", SOFT),
            ("logic", 'if call("a b")', 'if !call("a b")', SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("constant", "0..times", "1..times", SUBSTANTIVE),
            ("signature", "times: u32)", "times: u64)", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("string instead of a name", "log(name", 'log("name"', SUBSTANTIVE),
            ("array length", "[0; 5]", "[0, 5]", SUBSTANTIVE),
            ("repeat in a macro", "vec![1, 2]", "vec![1; 2]", SUBSTANTIVE),
            ("semicolon after the value", "Err(Error::new(total))", "Err(Error::new(total));", SUBSTANTIVE),
            ("attribute", "pub fn retry", "#[cfg(unix)]\npub fn retry", SUBSTANTIVE),
            ("reference", "Fn(&str)", "Fn(&mut str)", SUBSTANTIVE),
            ("visibility", "pub fn", "fn", SUBSTANTIVE),
        ],
    ),
    "java": (
        "A.java",
        JAVA,
        [
            ("blank lines", "        int total", "\n\n        int total", COSMETIC),
            (
                "wrapped call",
                "log(name, new int[] {1, 2})",
                "log(\n            name,\n            new int[] {1, 2,})",
                COSMETIC,
            ),
            ("comment", "return i;", "return i; // done", COSMETIC),
            ("doc comment", "/** Retries. */", "/**\n * Retries again.\n */", COSMETIC),
            ("modifier order", "private static final", "static private final", COSMETIC),
            ("import", "java.util.List", "java.util.Set", SOFT),
            ("logic", "if (call", "if (!call", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("constant", "TIMES = 3", "TIMES = 4", SUBSTANTIVE),
            ("signature", "int times)", "long times)", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("string instead of a name", "log(name", 'log("name"', SUBSTANTIVE),
            ("array dimensions", "new int[] {1, 2}", "new int[][] {1, 2}", SUBSTANTIVE),
            ("annotation", "public int run", "@Transactional public int run", SUBSTANTIVE),
            ("loop condition moved", "int i = 0; i < times - 1; i++", "; i < times - 1;", SUBSTANTIVE),
        ],
    ),
    "swift": (
        "a.swift",
        SWIFT,
        [
            ("blank lines", "    let total", "\n\n    let total", COSMETIC),
            (
                "wrapped call",
                "log(name, [1, 2])",
                "log(\n        name,\n        [\n            1,\n            2,\n        ]\n    )",
                COSMETIC,
            ),
            ("comment", "return attempt", "return attempt // done", COSMETIC),
            ("doc comment", "/// Retries.", "/// Retries again.", COSMETIC),
            ("import", "import Foundation", "import Foundation\nimport Network", SOFT),
            ("logic", "if call", "if !call", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("constant", "Int = 3", "Int = 4", SUBSTANTIVE),
            ("signature", "times: Int =", "times: Int64 =", SUBSTANTIVE),
            ("label", "(_ call:", "(call:", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("string instead of a name", "log(name", 'log("name"', SUBSTANTIVE),
            ("subscript instead of a call", 'call("a b")', 'call["a b"]', SUBSTANTIVE),
            ("access", "public func", "func", SUBSTANTIVE),
        ],
    ),
    "c": (
        "a.c",
        C,
        [
            ("blank lines", "    int total", "\n\n    int total", COSMETIC),
            ("wrapped call", "log(name, total)", "log(\n        name,\n        total)", COSMETIC),
            ("comment", "return i;", "return i; /* done */", COSMETIC),
            ("doc comment", "/* Retries. */", "// Retries again.", COSMETIC),
            ("include", "<stdio.h>", "<stdlib.h>", SOFT),
            ("logic", "if (call", "if (!call", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("macro", "TIMES 3", "TIMES 4", SUBSTANTIVE),
            ("signature", "int times)", "long times)", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("string instead of a name", "log(name", 'log("name"', SUBSTANTIVE),
            ("pointer", "int total", "int *total", SUBSTANTIVE),
            ("loop condition moved", "int i = 0; i < times - 1; i++", "; i < times - 1;", SUBSTANTIVE),
        ],
    ),
    "cpp": (
        "a.cpp",
        CPP,
        [
            ("blank lines", "        int total", "\n\n        int total", COSMETIC),
            (
                "wrapped call",
                "log(name, std::vector<int>{1, 2})",
                "log(\n  name,\n  std::vector<int>{1, 2})",
                COSMETIC,
            ),
            ("comment", "return i;", "return i; // done", COSMETIC),
            ("doc comment", "// Retries.", "/** Retries. */", COSMETIC),
            ("include", "<string>", "<vector>", SOFT),
            ("logic", "if (call", "if (!call", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("signature", "const Call &call", "Call &call", SUBSTANTIVE),
            ("access", "public:", "private:", SUBSTANTIVE),
            ("base class", "public Base", "public Other", SUBSTANTIVE),
            ("capture", "[&]", "[=]", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("string instead of a name", "log(name", 'log("name"', SUBSTANTIVE),
        ],
    ),
    "csharp": (
        "a.cs",
        CSHARP,
        [
            ("blank lines", "            int total", "\n\n            int total", COSMETIC),
            ("wrapped call", "Log(name, new[] { 1, 2 })", "Log(\n name,\n new[] { 1, 2, })", COSMETIC),
            ("comment", "return i;", "return i; // done", COSMETIC),
            ("doc comment", "<summary>Retries.", "<summary>Retries again.", COSMETIC),
            ("using", "using System;", "using System;\nusing System.Linq;", SOFT),
            ("logic", "if (call", "if (!call", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("constant", "Times = 3", "Times = 4", SUBSTANTIVE),
            ("signature", "int times)", "long times)", SUBSTANTIVE),
            ("attribute", "public int Run", "[Pure] public int Run", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("string instead of a name", "Log(name", 'Log("name"', SUBSTANTIVE),
        ],
    ),
    "ruby": (
        "a.rb",
        RUBY,
        [
            ("blank lines", "    total =", "\n\n    total =", COSMETIC),
            ("wrapped call", "log(name, [1, 2])", "log(\n      name,\n      [1, 2,]\n    )", COSMETIC),
            ("quotes", '"a b"', "'a b'", COSMETIC),
            ("comment", "TIMES = 3", "TIMES = 3 # thrice", COSMETIC),
            ("doc comment", "# Retries.", "# Retries again.", COSMETIC),
            ("call without parentheses", "log(name, [1, 2])", "log name, [1, 2]", COSMETIC),
            ("require", "require 'net'", "require 'net'\nrequire 'set'", SOFT),
            ("logic", "return i if", "return i unless", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("range", "0...times", "0..times", SUBSTANTIVE),
            ("constant", "TIMES = 3", "TIMES = 4", SUBSTANTIVE),
            ("signature", "(call, times = TIMES)", "(call, times: TIMES)", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("interpolation", '"a b"', '"a #{b}"', SUBSTANTIVE),
            ("string instead of a name", "log(name", "log('name'", SUBSTANTIVE),
        ],
    ),
    "php": (
        "a.php",
        PHP,
        [
            ("blank lines", "    $total", "\n\n    $total", COSMETIC),
            ("wrapped call", "log($name, [1, 2])", "log(\n        $name,\n        [1, 2,],\n    )", COSMETIC),
            ("quotes", '"a b"', "'a b'", COSMETIC),
            ("comment", "return $i;", "return $i; // done", COSMETIC),
            ("doc comment", "/** Retries. */", "/**\n * Retries again.\n */", COSMETIC),
            ("use", "use Net\\Call;", "use Net\\Other;", SOFT),
            ("logic", "if ($call", "if (!$call", SUBSTANTIVE),
            ("operator", "$times - 1", "$times + 1", SUBSTANTIVE),
            ("constant", "$times = 3", "$times = 4", SUBSTANTIVE),
            ("signature", "int $times", "?int $times", SUBSTANTIVE),
            ("parentheses with a meaning", "$a - ($b - $c)", "$a - $b - $c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("interpolation", '"a b"', '"a $b"', SUBSTANTIVE),
            ("string instead of a variable", "log($name", "log('name'", SUBSTANTIVE),
        ],
    ),
    "kotlin": (
        "a.kt",
        KOTLIN,
        [
            ("blank lines", "    val total", "\n\n    val total", COSMETIC),
            (
                "wrapped call",
                "log(name, listOf(1, 2))",
                "log(\n        name,\n        listOf(1, 2),\n    )",
                COSMETIC,
            ),
            ("comment", "return i\n", "return i // done\n", COSMETIC),
            ("doc comment", "/** Retries. */", "/** Retries again. */", COSMETIC),
            ("import", "java.util.List", "java.util.Set", SOFT),
            ("logic", "if (call", "if (!call", SUBSTANTIVE),
            ("operator", "times - 1", "times + 1", SUBSTANTIVE),
            ("constant", "Int = 3", "Int = 4", SUBSTANTIVE),
            ("signature", "times: Int =", "times: Long =", SUBSTANTIVE),
            ("parentheses with a meaning", "a - (b - c)", "a - b - c", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("string instead of a name", "log(name", 'log("name"', SUBSTANTIVE),
            ("var", "val total", "var total", SUBSTANTIVE),
        ],
    ),
    "shell": (
        "a.sh",
        SHELL,
        [
            ("blank lines", "    total=", "\n\n    total=", COSMETIC),
            ("comment", "return 0", "return 0 # done", COSMETIC),
            ("doc comment", "# Retries.", "# Retries again.", COSMETIC),
            ("continued line", "| grep", "|\n        grep", COSMETIC),
            ("interpreter", "#!/bin/sh", "#!/bin/bash", SUBSTANTIVE),
            ("logic", "if call", "if ! call", SUBSTANTIVE),
            ("constant", "LIMIT=3", "LIMIT=4", SUBSTANTIVE),
            ("option", "-x", "-y", SUBSTANTIVE),
            ("argument", "grep -c x", "grep -c y", SUBSTANTIVE),
            ("quotes around a variable", '"$name"', "$name", SUBSTANTIVE),
            ("string", '"a b"', '"a  b"', SUBSTANTIVE),
            ("pipe instead of a list", "| grep", "; grep", SUBSTANTIVE),
            ("parentheses with a meaning", "(a - (b - c))", "(a - b - c)", SUBSTANTIVE),
        ],
    ),
}
CASES = [
    pytest.param(path, base, old, new, expected, id=f"{language}: {what}")
    for language, (path, base, edits) in MATRIX.items()
    for what, old, new, expected in edits
]


@pytest.mark.parametrize(("path", "base", "old", "new", "expected"), CASES)
def test_judges_an_edit(path: str, base: str, old: str, new: str, expected: Difference) -> None:
    assert old in base
    edited = base.replace(old, new)
    there = compare(path, base.encode(), edited.encode())
    assert there == (expected, "syntax", None)
    assert compare(path, edited.encode(), base.encode()).difference is expected


PIECES = [
    ("a.js", "(a?.b).c;", "a?.b.c;", SUBSTANTIVE),
    ("a.js", "x = f((a, b));", "x = f(a, b);", SUBSTANTIVE),
    ("a.js", "x = [a];", "x = {a};", SUBSTANTIVE),
    ("a.js", "x = `a`;", "x = `b`;", SUBSTANTIVE),
    ("a.js", "x = `a ${b} c`;", "x = `a  ${b} c`;", SUBSTANTIVE),
    ("a.js", "q = gql`query {\n  a\n}`;", "q = gql`query { a }`;", COSMETIC),
    ("a.js", "x = /a b/;", "x = /a  b/;", SUBSTANTIVE),
    ("a.js", "const a = require('a');", "const a = require('b');", SUBSTANTIVE),
    ("a.js", "while (x);\nf();", "while (x) f();", SUBSTANTIVE),
    ("a.jsx", "x = <p>Hi there</p>;", "x = (\n  <p>\n    Hi{' '}\n    there\n  </p>\n);", COSMETIC),
    ("a.jsx", "x = <p>Hi</p>;", "x = <p>{/* greeting */}Hi</p>;", COSMETIC),
    ("a.jsx", "x = <p>Save</p>;", "x = <p>Send</p>;", SUBSTANTIVE),
    ("a.jsx", "x = <p a='b' />;", 'x = <p a="b" />;', COSMETIC),
    ("a.ts", "type U = 'a' | 'b';", "type U =\n  | 'a'\n  | 'b';", COSMETIC),
    ("a.ts", "interface A { b: string }", "interface A { b: number }", SUBSTANTIVE),
    ("a.ts", "interface A { b: string }", "interface A {\n  /** b */\n  b: string;\n}", COSMETIC),
    ("a.ts", "interface A { b: string }", "interface A { b?: string }", SUBSTANTIVE),
    ("a.ts", "type A = { b: string };", "type A = { b: number };", SUBSTANTIVE),
    ("a.ts", "declare function f(a: string): void;", "declare function f(a: number): void;", SUBSTANTIVE),
    ("a.ts", "class A { b = 1 }", "class A { b: number = 1 }", SOFT),
    ("a.ts", "class A { b(c) {} }", "class A<T> implements B { b(c?: T): void {} }", SOFT),
    ("a.ts", "class A { b(c) {} }", "class A { b(c: string): void; b(c) {} }", SOFT),
    ("a.ts", "class A { public declare b }", "class A { declare public b }", COSMETIC),
    ("a.ts", "class A { constructor(b) {} }", "class A { constructor(private b) {} }", SUBSTANTIVE),
    ("a.ts", "enum A { B = 1 }", "enum A { B = 2 }", SUBSTANTIVE),
    ("a.ts", "export { A } from './a';", "export { A } from './b';", SUBSTANTIVE),
    ("a.ts", "function f() { return 1 }", "function f(x: string): 1;\nfunction f() { return 1 }", SOFT),
    ("a.go", "package a\n\nvar x = `a`\n", "package a\n\nvar x = `a `\n", SUBSTANTIVE),
    ("a.go", "package a\n\nvar x = y[1:]\n", "package a\n\nvar x = y[:1]\n", SUBSTANTIVE),
    ("a.go", "package a\n\nvar x = f(a...)\n", "package a\n\nvar x = f(a)\n", SUBSTANTIVE),
    ("a.go", "package a\n\nvar x = 'a'\n", 'package a\n\nvar x = "a"\n', SUBSTANTIVE),
    ("a.rs", "fn f() { m!([1]) }", "fn f() { m!((1)) }", SUBSTANTIVE),
    ("a.rs", "fn f() { x(|a| a) }", "fn f() { x(a | a) }", SUBSTANTIVE),
    ("a.rs", 'fn f() { x("a") }', 'fn f() { x(b"a") }', SUBSTANTIVE),
    ("a.rs", "#![allow(dead_code)]\nfn f() {}", "fn f() {}", COSMETIC),
    ("a.rs", "fn f() { (1,) }", "fn f() { (1) }", SUBSTANTIVE),
    ("A.java", "class A { int[] b; }", "class A { int b; }", SUBSTANTIVE),
    ("A.java", "class A { char b = 'a'; }", 'class A { char b = "a"; }', SUBSTANTIVE),
    ("a.swift", 'let a = "x\\(b)y"', 'let a = "x\\(c)y"', SUBSTANTIVE),
    ("a.swift", "let a = b ?? c", "let a = b!", SUBSTANTIVE),
    ("a.swift", "let a = f { $0 }", "let a = f { $1 }", SUBSTANTIVE),
]


@pytest.mark.parametrize(("path", "old", "new", "expected"), PIECES)
def test_judges_a_piece(path: str, old: str, new: str, expected: Difference) -> None:
    there = compare(path, old.encode(), new.encode())
    assert there == (expected, "syntax", None)


def test_a_file_with_syntax_errors_is_compared_by_leaves() -> None:
    old = "function f() { return 1 }\nconst x = ;\n"
    cosmetic = compare("a.js", old.encode(), old.replace("return", "/* why */ return").encode())
    assert (cosmetic.difference, cosmetic.level) == (COSMETIC, "leaves")
    assert "syntax errors" in (cosmetic.note or "")
    assert compare("a.js", old.encode(), old.replace("1", "2").encode()).difference is SUBSTANTIVE
