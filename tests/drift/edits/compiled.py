"""Go, Rust, Java, Swift and C."""

from __future__ import annotations

from tests.drift.edits.language import Edits

GO = Edits(
    "a.go",
    """\
package a

import (
	"b"
	"a"
)

type Client struct{ n int }
type Server struct{ n int }

// Send sends.
func (c *Client) Send(order string, times int) error {
	note := `a
  b`
	return c.gateway.Send(order, times, note)
}

func (s *Server) Go(n int) int { return n - 1 }
func (c *Client) Go(n int) int { return n + 1 }

func Map[T any](list []T, f func(T) T) []T {
	for i, v := range list {
		list[i] = f(v)
	}
	return list
}

func old(n int) int {
	return n
}
""",
    ("Client.Send", "order, times, note", "times, order, note"),
    (
        ("Client.Send", '\t"b"\n\t"a"', '\t"a"\n\t"b"', "cosmetic"),
        ("Client.Go", "n - 1", "n - 2", "cosmetic"),
        ("Client.Send", "(c *Client) Send", "(c Client) Send", "changed"),
        ("Client.Send", "  b`", "b`", "changed"),
        ("Map", "T any", "T comparable", "changed"),
        ("Map", "[T any](list []T, f func(T) T)", "[T any](\n\tlist []T,\n\tf func(T) T,\n)", "cosmetic"),
        ("Client.Send", "type Server struct{ n int }", "type Server struct{ n int ", "cosmetic"),
        ("Map", "list[i] = f(v)", "list[i] = (f(v))", "cosmetic"),
        ("Client.Send", "package a", "//go:build linux\n\npackage a", "cosmetic"),
        ("old", "old(n int)", "old(n, m int)", "changed"),
    ),
)  # fmt: skip
RUST = Edits(
    "a.rs",
    """\
use b;
use a;

pub struct Client { n: u8 }
pub struct Server { n: u8 }

impl Client {
    /// Sends.
    #[inline]
    pub fn send(&self, order: &str, times: u32) -> Result<u8, E> {
        let note = r#"a
  b"#;
        self.gateway.send(order, times, note)
    }
    fn go(&self, n: u8) -> u8 { n - 1 }
}

impl Server {
    fn go(&self, n: u8) -> u8 { n + 1 }
}

macro_rules! twice {
    ($x:expr) => { $x + $x };
}

fn outer<T: Clone>(n: T) -> T {
    fn inner(x: u8) -> u8 { x + 1 }
    twice!(inner(1));
    n.clone()
}
""",
    ("Client.send", "order, times, note", "times, order, note"),
    (
        ("Client.go", "n + 1", "n + 2", "cosmetic"),
        ("Client.send", "    fn go(&self, n: u8) -> u8 { n - 1 }", "}\n\nimpl Client {\n    fn go(&self, n: u8) -> u8 { n - 1 }", "cosmetic"),
        ("Client.send", "#[inline]", "#[inline]\n    #[must_use]", "changed"),
        ("Client.send", "#[inline]", "#[allow(dead_code)]\n    #[inline]", "cosmetic"),
        ("Client.send", "pub fn", "fn", "changed"),
        ("Client.send", "pub fn", "pub async fn", "changed"),
        ("outer", "x + 1", "x + 2", "changed"),
        ("outer", "inner(1)", "inner(2)", "changed"),
        ("outer", "twice!(inner(1))", "twice!(\n        inner(1)\n    )", "cosmetic"),
        ("twice", "$x + $x", "$x * $x", "changed"),
        ("outer", "T: Clone", "T: Copy", "changed"),
        ("Client.send", '  b"#', 'b"#', "changed"),
        ("Client.send", "impl Server {", "impl Server {\n    fn bad( {\n", "cosmetic"),
        ("Client.go", "macro_rules!", "impl Go for Client {\n    fn go(&self) -> u8 { 1 }\n}\n\nmacro_rules!", "touched"),
        ("outer", "n.clone()", "return n.clone();", "changed"),
        ("outer", "use b;\nuse a;", "use a;\nuse b;", "cosmetic"),
    ),
)  # fmt: skip
JAVA = Edits(
    "A.java",
    '''\
package a;
import java.util.List;
import java.util.Map;

public class Retry {
    /** Sends. */
    public Answer send(String order, int times) {
        return gateway.send(order, times);
    }

    static class Inner {
        int go(int n) { return n - 1; }
    }

    int go(int n) { return n + 1; }

    @Transactional
    private static <T extends Comparable<T>> T most(List<T> list) {
        String note = """
            a
              b
            """;
        return list.stream().map(x -> x).max(note);
    }
}
''',
    ("Retry.send", "(order, times)", "(times, order)"),
    (
        ("Retry.send", "    static class", "    public Answer send(String order) {\n        return send(order, 1);\n    }\n\n    static class", "touched"),
        ("Retry.Inner.go", "n + 1", "n + 2", "cosmetic"),
        ("Retry.go", "n - 1", "n - 2", "cosmetic"),
        ("Retry.Inner.go", "n - 1", "n - 2", "changed"),
        ("Retry.go", "    int go(int n) { return n + 1", '    @SuppressWarnings("unchecked")\n    int go(int n) { return n + 1', "cosmetic"),
        ("Retry.most", "@Transactional", "@Transactional(readOnly = true)", "changed"),
        ("Retry.most", "private static", "static private", "cosmetic"),
        ("Retry.most", "private static", "public static", "changed"),
        ("Retry.most", "T extends Comparable<T>", "T extends Other<T>", "changed"),
        ("Retry.most", "              b", "             b", "changed"),
        ("Retry.most", '            a\n              b\n            """', '        a\n          b\n        """', "cosmetic"),
        ("Retry.most", "x -> x", "x -> (x)", "cosmetic"),
        ("Retry.send", "(order, times);", "((order), (times));", "cosmetic"),
        ("Retry.send", "Retry {", "Retry {\n    void bad( { ", "cosmetic"),
        ("Retry.send", "import java.util.List;\nimport java.util.Map;", "import java.util.Map;\nimport java.util.List;", "cosmetic"),
        ("Retry.send", "String order, int times", "String order, int times, int more", "changed"),
    ),
)  # fmt: skip
SWIFT = Edits(
    "a.swift",
    '''\
import A
import B

class Retry {
    func send(order: String, times: Int) -> Answer {
        return gateway.send(order, times)
    }

    struct Inner {
        func go(_ n: Int) -> Int { return n - 1 }
    }

    func go(_ n: Int) -> Int { return n + 1 }

    @discardableResult
    public func most<T: Comparable>(_ list: [T], times: Int = 1) -> T? {
        let note = """
            a
              \\(b)
            """
        return list.map { ($0, note) }.max()
    }
}
''',
    ("Retry.send", "(order, times)", "(times, order)"),
    (
        ("Retry.send", "    struct", "    func send(order: String) -> Answer {\n        return send(order, 1)\n    }\n\n    struct", "touched"),
        ("Retry.Inner.go", "n + 1", "n + 2", "cosmetic"),
        ("Retry.go", "n - 1", "n - 2", "cosmetic"),
        ("Retry.most", "@discardableResult\n", "", "changed"),
        ("Retry.most", "public func", "func", "changed"),
        ("Retry.most", "T: Comparable", "T: Equatable", "changed"),
        ("Retry.most", "times: Int = 1", "times: Int = 2", "changed"),
        ("Retry.most", "              \\(b)", "             \\(b)", "changed"),
        ("Retry.most", '            a\n              \\(b)\n            """', '        a\n          \\(b)\n        """', "cosmetic"),
        ("Retry.send", "(order, times)\n", "((order), (times))\n", "cosmetic"),
        ("Retry.send", "func send(order: String, times: Int) -> Answer", "func send(order: String, times: Int) async -> Answer", "changed"),
        ("Retry.send", "Retry {", "Retry {\n    func bad( { ", "cosmetic"),
        ("Retry.send", "import A\nimport B", "import B\nimport A", "cosmetic"),
    ),
)  # fmt: skip
C = Edits(
    "a.c",
    """\
#include "b.h"
#include "a.h"

static int helper(int n);

/* Sends. */
int retry_send(const char *order, int times)
{
	const char *note = "a\\
  b";
#ifdef DEBUG
	trace(order);
#else
	log_it(order);
#endif
	return gateway_call(order, times, note);
}

static int helper(int n)
{
	return n - 1;
}

struct point { int x; };
typedef struct { int a; } pair_t;
""",
    ("retry_send", "order, times, note", "times, order, note"),
    (
        ("retry_send", "trace(order)", "trace(0)", "changed"),
        ("retry_send", "#ifdef DEBUG", "#ifdef VERBOSE", "changed"),
        ("helper", "static int helper(int n);\n\n", "", "cosmetic"),
        ("helper", "static int helper(int n);\n\n", "static int helper(int n);\nstatic int other(int n);\n\n", "cosmetic"),
        ("helper", "static int helper(int n)\n", "int helper(int n)\n", "changed"),
        ("helper", "static int helper(int n)\n{", "static int\nhelper(int n) {", "cosmetic"),
        ("retry_send", "struct point { int x; };", "struct point { int x; ", "cosmetic"),
        ("helper", "struct point", "EXPORT_SYMBOL(helper);\nstruct point", "cosmetic"),
        ("helper", "return n - 1", "return (n - 1)", "cosmetic"),
        ("helper", "\treturn n - 1", "\tif (n)\n\t\treturn n - 1", "changed"),
        ("helper", '#include "b.h"\n#include "a.h"', '#include "a.h"\n#include "b.h"', "cosmetic"),
    ),
)  # fmt: skip
