"""Definitions in languages with a grammar: names, kinds, lines, renames, uses, deprecation."""

from __future__ import annotations

import pytest

from gitmem.drift.content.difference import Difference, of_symbols
from gitmem.drift.content.outline import Outline, Symbol
from gitmem.drift.content.reading import outline


def read(path: str, source: str) -> Outline:
    found = outline(path, source.encode())
    assert found
    return found


def symbol(path: str, source: str, name: str) -> Symbol:
    found = read(path, source).symbol(name)
    assert found, (name, [one.name for one in read(path, source).symbols])
    return found


TYPESCRIPT = """\
/** Talks. */
@Injectable()
export class Client<T> extends Base {
  private limit: number = 3;
  @Input() name?: string;

  @Get('/')
  async go(n: number): Promise<void> {
    const inner = () => n;
  }

  get state() { return 1; }
  set state(value) { this.s = value; }
}

export const fetchAll = async (ids: string[]) => {
  return ids;
};

const A = 1,
  B = 2;
export const api = {
  list() { return 1; },
  take: (x) => x,
  path: '/v1',
};
export default function () {}
interface Options { retries: number; run(): void }
type Name = string;
enum Level { Low = 1, High = 2 }
namespace Inner { export function deep() {} }
function over(x: string): void;
function over(x: any) {}
const { left, right: other } = both;
"""
GO = """\
package net

const (
	Low = iota
	High
)

// Client talks.
type Client struct {
	Limit int
	name, alias string
}

type Doer interface {
	Do(n int) error
}

func (c *Client) Go(n int) error {
	return c.Go(n - 1)
}

func New() *Client { return nil }

var (
	first  = 1
	second = 2
)
"""
RUST = """\
/// Talks.
#[derive(Debug)]
pub struct Client {
    limit: u32,
}

impl Client {
    pub const MAX: u32 = 3;

    #[inline]
    pub fn go(&self, n: u32) -> u32 {
        self.go(n - 1)
    }
}

impl fmt::Display for Client {
    fn fmt(&self) {}
}

enum Level { Low, High(u8) }
trait Doer { fn act(&self); }
static LIMIT: u32 = 3;
mod inner { fn deep() {} }
macro_rules! twice { ($x:expr) => { $x }; }
impl Other { fn alone() {} }
"""
JAVA = """\
package net;

/** Talks. */
@Service
public class Client {
    private static final int MAX = 3;
    int low, high;

    public Client() {}

    @Override
    public int go(int n) {
        return go(n - 1);
    }

    int go(String s) { return 1; }

    enum Level { LOW, HIGH }

    interface Doer { void act(); }
}
"""
SWIFT = """\
import Foundation

/// Talks.
public final class Client: Base {
    let limit = 3
    var state: Int { return 1 }

    init(n: Int) {
        self.n = n
    }

    func go(n: Int) -> Int {
        return go(n: n - 1)
    }
}

extension Client {
    func more() {}
}

extension String {
    func up() {}
}

struct Point { var x: Int }
enum Level { case low, high(Int) }
protocol Doer { func act() }
typealias Name = String
let top = 1
"""
KOTLIN = """\
package net

class Client(val limit: Int) : Base() {
    val state = 1

    companion object {
        const val MAX = 3
    }

    fun go(n: Int): Int {
        return go(n - 1)
    }
}

interface Doer {
    fun act()
}

object Single {
    fun run() {}
}

fun String.up(): String = this
"""
RUBY = """\
module Net
  LIMIT = 3

  class Client < Base
    def go(n)
      go(n - 1)
    end

    def self.make
      new
    end
  end
end
"""
PHP = """\
<?php
namespace Net;

function helper($n) { return helper($n - 1); }

class Client extends Base {
    const MAX = 3;
    private int $limit = 3;

    public function go(int $n): int {
        return $this->go($n - 1);
    }
}

interface Doer { public function act(); }
"""
CSHARP = """\
namespace Net
{
    public class Client
    {
        private const int Max = 3;
        public int Limit { get; set; }

        public Client() { }

        public int Go(int n)
        {
            return Go(n - 1);
        }
    }

    interface IDoer { void Act(); }
    enum Level { Low, High }
}
"""
CPP = """\
#define MAX 3
namespace net {
template <typename T>
class Client : public Base {
public:
    Client(int n);
    int go(int n) { return this->go(n - 1); }
private:
    int limit;
};

int Client::more(int n) const { return more(n - 1); }
enum class Level { Low, High };
int helper(int n) { return helper(n - 1); }
}
"""
SHELL = """\
#!/bin/sh
LIMIT=3
export NAME=x

go() {
    inner=1
    go "$inner"
}

function other {
    echo hi
}
"""
NAMES = [
    (
        "a.ts",
        TYPESCRIPT,
        (
            "Client class 2-14; Client.limit field 4-4; Client.name field 5-5; Client.go method 7-10; "
            "Client.state method 12-13; fetchAll function 16-18; A constant 20-20; B constant 21-21; api constant 22-26; "
            "api.list method 23-23; api.take method 24-24; api.path field 25-25; Options interface 28-28; "
            "Options.retries field 28-28; Options.run method 28-28; Name type 29-29; Level enum 30-30; "
            "Level.Low field 30-30; Level.High field 30-30; Inner namespace 31-31; Inner.deep function 31-31; "
            "over function 32-33; left constant 34-34; other constant 34-34"
        ),
    ),
    (
        "a.go",
        GO,
        (
            "Low constant 4-4; High constant 5-5; Client struct 9-12; Client.Limit field 10-10; Client.name field 11-11; "
            "Client.alias field 11-11; Doer interface 14-16; Doer.Do method 15-15; Client.Go method 18-20; "
            "New function 22-22; first constant 25-25; second constant 26-26"
        ),
    ),
    (
        "a.rs",
        RUST,
        (
            "Client struct 2-5; Client.limit field 4-4; Client.MAX constant 8-8; Client.go method 10-13; "
            "Client.fmt method 17-17; Level enum 20-20; Level.Low field 20-20; Level.High field 20-20; Doer trait 21-21; "
            "Doer.act method 21-21; LIMIT constant 22-22; inner module 23-23; inner.deep function 23-23; "
            "twice macro 24-24; Other impl 25-25; Other.alone method 25-25"
        ),
    ),
    (
        "Client.java",
        JAVA,
        (
            "Client class 4-21; Client.MAX constant 6-6; Client.low field 7-7; Client.high field 7-7; "
            "Client.Client method 9-9; Client.go method 11-16; Client.Level enum 18-18; Client.Level.LOW field 18-18; "
            "Client.Level.HIGH field 18-18; Client.Doer interface 20-20; Client.Doer.act method 20-20"
        ),
    ),
    (
        "a.swift",
        SWIFT,
        (
            "Client class 4-15; Client.limit property 5-5; Client.state property 6-6; Client.init method 8-10; "
            "Client.go method 12-14; Client.more method 18-18; String extension 21-23; String.up method 22-22; "
            "Point struct 25-25; Point.x property 25-25; Level enum 26-26; Level.low field 26-26; Level.high field 26-26; "
            "Doer protocol 27-27; Doer.act method 27-27; Name type 28-28; top property 29-29"
        ),
    ),
    (
        "a.kt",
        KOTLIN,
        (
            "Client class 3-13; Client.limit property 3-3; Client.state property 4-4; Client.MAX property 7-7; "
            "Client.go method 10-12; Doer interface 15-17; Doer.act method 16-16; Single object 19-21; "
            "Single.run method 20-20; up function 23-23"
        ),
    ),
    (
        "a.rb",
        RUBY,
        (
            "Net module 1-13; Net.LIMIT constant 2-2; Net.Client class 4-12; Net.Client.go method 5-7; "
            "Net.Client.make method 9-11"
        ),
    ),
    (
        "a.php",
        PHP,
        (
            "helper function 4-4; Client class 6-13; Client.MAX constant 7-7; Client.limit field 8-8; "
            "Client.go method 10-12; Doer interface 15-15; Doer.act method 15-15"
        ),
    ),
    (
        "a.cs",
        CSHARP,
        (
            "Client class 3-14; Client.Max constant 5-5; Client.Limit property 6-6; Client.Client method 8-8; "
            "Client.Go method 10-13; IDoer interface 16-16; IDoer.Act method 16-16; Level enum 17-17; "
            "Level.Low field 17-17; Level.High field 17-17"
        ),
    ),
    (
        "a.cpp",
        CPP,
        (
            "MAX macro 1-1; Client class 3-10; Client.Client declaration 6-6; Client.go method 7-7; Client.limit field 9-9; "
            "Client.more method 12-12; Level enum 13-13; Level.Low field 13-13; Level.High field 13-13; "
            "helper function 14-14"
        ),
    ),
    ("a.sh", SHELL, "LIMIT constant 2-2; NAME constant 3-3; go function 5-8; other function 10-12"),
]


@pytest.mark.parametrize(("path", "source", "expected"), NAMES, ids=[row[0] for row in NAMES])
def test_finds_definitions_with_their_lines_and_kinds(path: str, source: str, expected: str) -> None:
    found = read(path, source)
    assert (found.level, found.note) == ("syntax", None)
    listed = {
        f"{one.name} {one.kind} {one.start}-{one.end}" for one in found.symbols if one.name != "default"
    }
    assert listed == set(expected.split("; "))


RENAMES = [
    ("a.ts", TYPESCRIPT, "Client.go", "go(", "run("),
    ("a.ts", "function f(n) { return f(n - 1) }", "f", "f(", "g("),
    ("a.ts", "export const f = (n) => f(n - 1);", "f", "f", "k"),
    ("a.ts", "class A { m(n) { return this.m(n) } }", "A.m", "m(", "k("),
    ("a.ts", "class A { m() { return new A() } }", "A", "A", "B"),
    ("a.go", GO, "Client.Go", "Go", "Run"),
    ("a.rs", RUST, "Client.go", "go(", "run("),
    ("Client.java", JAVA, "Client.go", "go(", "run("),
    ("a.swift", SWIFT, "Client.go", "go(", "run("),
    ("a.kt", KOTLIN, "Client.go", "go(", "run("),
    ("a.rb", RUBY, "Net.Client.go", "go(", "run("),
    ("a.php", PHP, "Client.go", "go(", "run("),
    ("a.php", PHP, "helper", "helper", "other"),
    ("a.cs", CSHARP, "Client.Go", "Go(", "Run("),
    ("a.cpp", CPP, "Client.go", "go(", "run("),
    ("a.cpp", CPP, "Client.more", "more(", "less("),
    ("a.cpp", CPP, "helper", "helper", "other"),
    ("a.sh", SHELL, "go", "go", "run"),
]


@pytest.mark.parametrize(("path", "source", "name", "old", "new"), RENAMES)
def test_a_renamed_symbol_keeps_its_body(path: str, source: str, name: str, old: str, new: str) -> None:
    scope, _, own = name.rpartition(".")
    renamed = own.replace(old.strip("("), new.strip("("))
    before = symbol(path, source, name)
    after = symbol(path, source.replace(old, new), f"{scope}.{renamed}" if scope else renamed)
    assert before.body == after.body
    assert before.digest != after.digest
    changed = symbol(path, source.replace(old, new).replace("n - 1", "n - 2"), after.name)
    if changed.digest != after.digest:
        assert changed.body != after.body


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.ts", "function f(n) { return f(n) }", "function g(n) { return f(n) }"),
        (
            "a.go",
            "package a\n\nfunc f(n int) int { return f(n) }\n",
            "package a\n\nfunc g(n int) int { return f(n) }\n",
        ),
        ("a.rs", "fn f(n: u8) { f(n) }", "fn g(n: u8) { f(n) }"),
    ],
)
def test_calling_the_old_name_is_another_body(path: str, old: str, new: str) -> None:
    assert symbol(path, old, "f").body != symbol(path, new, "g").body


MOVES = [
    ("a.ts", TYPESCRIPT, "Client.go"),
    ("a.go", GO, "Client.Go"),
    ("a.rs", RUST, "Client.go"),
    ("Client.java", JAVA, "Client.go"),
    ("a.swift", SWIFT, "Client.go"),
    ("a.kt", KOTLIN, "Client.go"),
    ("a.rb", RUBY, "Net.Client.go"),
    ("a.php", PHP, "Client.go"),
    ("a.cs", CSHARP, "Client.Go"),
    ("a.cpp", CPP, "Client.go"),
    ("a.sh", SHELL, "go"),
]


@pytest.mark.parametrize(("path", "source", "name"), MOVES)
def test_a_symbol_does_not_change_with_what_stands_around_it(path: str, source: str, name: str) -> None:
    comment = "#" if path.endswith((".rb", ".sh")) else "//"
    lines = source.split("\n")
    shifted = [*lines[:1], f"{comment} moved", "", "", *lines[1:]]
    before, after = symbol(path, source, name), symbol(path, "\n".join(shifted), name)
    assert (before.digest, before.body, before.signature) == (after.digest, after.body, after.signature)
    assert after.start == before.start + 3


@pytest.mark.parametrize(("path", "source", "name"), MOVES)
def test_the_signature_leaves_the_body_out(path: str, source: str, name: str) -> None:
    body_edit = (
        source.replace("n - 1", "n - 2").replace("const inner", "const other").replace('go "$', 'run "$')
    )
    before, after = symbol(path, source, name), symbol(path, body_edit, name)
    assert before.digest != after.digest
    assert before.signature == after.signature


@pytest.mark.parametrize(
    ("path", "old", "new", "name"),
    [
        ("a.ts", "function f(a) {}", "function f(a, b) {}", "f"),
        ("a.ts", "const f = (a) => a;", "const f = (a, b) => a;", "f"),
        ("a.go", "package a\n\nfunc f(a int) {}\n", "package a\n\nfunc f(a int) error {}\n", "f"),
        ("a.rs", "fn f(a: u8) {}", "fn f(a: u8) -> u8 {}", "f"),
        ("A.java", "class A { void f(int a) {} }", "class A { void f(long a) {} }", "A.f"),
        ("a.swift", "func f(a: Int) {}", "func f(a: Int) async {}", "f"),
    ],
)
def test_the_signature_holds_parameters_and_result(path: str, old: str, new: str, name: str) -> None:
    assert symbol(path, old, name).signature != symbol(path, new, name).signature


USES = [
    (
        "a.ts",
        (
            "function f(a, { b, c: d }, ...e) { const x = a + LIMIT; for (const i of e) { helper(i, d); }"
            " try { pkg.run(b, (y) => y + x) } catch (bad) { log(bad) } return this.other(); }"
        ),
        "LIMIT helper pkg pkg.run run log other",
    ),
    (
        "a.go",
        (
            "package a\n\nfunc (s *S) f(a, b int) int {\n\tx := a + LIMIT\n\tfor i, v := range list {\n"
            "\t\tpkg.Run(i, v, x, b)\n\t}\n\treturn s.other(x)\n}\n"
        ),
        "S LIMIT list pkg pkg.Run Run other int",
    ),
    (
        "a.rs",
        (
            "fn f(a: Kind, (b, c): P) { let x = a + LIMIT; if let Some(y) = z { helper(y, b, c); }"
            " list.iter(|q| q + x); }"
        ),
        "Kind P LIMIT z helper list list.iter iter",
    ),
    (
        "A.java",
        "class A { int f(Kind a) { int x = a + LIMIT; for (int i : list) { helper(i); } return run(y -> y + x); } }",
        "Kind LIMIT list helper run",
    ),
    (
        "a.swift",
        (
            "func f(_ a: Kind) -> Int { let x = a + LIMIT; guard let d = e else { return 1 }\n"
            " for i in list { helper(i, d) }\n return x }"
        ),
        "Kind LIMIT e list helper",
    ),
    ("a.php", "<?php\nfunction f($a) { $x = $a + LIMIT; return helper($x); }", "LIMIT helper"),
    (
        "a.rb",
        "def f(a, b = 1, *c, k: 2)\n  x = a + LIMIT\n  list.each { |i| helper(i, x, b, c, k) }\nend\n",
        "LIMIT list helper",
    ),
]


@pytest.mark.parametrize(("path", "source", "expected"), USES, ids=[row[0] for row in USES])
def test_uses_names_that_it_reads_and_does_not_bind(path: str, source: str, expected: str) -> None:
    uses = symbol(path, source, "f").uses
    assert set(expected.split()) <= uses
    assert uses.isdisjoint(set("abcdxyiqks") | {"f", "bad", "v", "this", "self"} - {"e", "z"})


DEPRECATED = [
    ("a.ts", "/** @deprecated use g */\nexport function f() {}", "f"),
    ("a.ts", "class A {\n  /**\n   * Old.\n   * @deprecated\n   */\n  f() {}\n}", "A.f"),
    ("a.ts", "class A {\n  @deprecated()\n  f() {}\n}", "A.f"),
    ("a.ts", "// @deprecated\nexport const f = () => 1;", "f"),
    ("a.go", "package a\n\n// F does.\n//\n// Deprecated: use G.\nfunc F() {}\n", "F"),
    ("a.rs", "#[deprecated]\nfn f() {}", "f"),
    ("a.rs", '/// Old.\n#[deprecated(since = "1")]\n#[inline]\npub fn f() {}', "f"),
    ("A.java", "class A {\n  @Deprecated\n  void f() {}\n}", "A.f"),
    ("A.java", "class A {\n  /** @deprecated use g */\n  void f() {}\n}", "A.f"),
    ("a.swift", '@available(*, deprecated, message: "x")\nfunc f() {}', "f"),
    ("a.kt", '@Deprecated("x")\nfun f() {\n}\n', "f"),
    ("a.php", "<?php\n#[Deprecated]\nfunction f() {}", "f"),
    ("a.cs", 'class A { [Obsolete("x")] void F() { } }', "A.F"),
    ("a.cpp", "[[deprecated]] void f() {}", "f"),
    ("a.rb", "# @deprecated\ndef f\nend\n", "f"),
]


@pytest.mark.parametrize(("path", "source", "name"), DEPRECATED)
def test_sees_a_deprecation_mark(path: str, source: str, name: str) -> None:
    assert symbol(path, source, name).deprecated


@pytest.mark.parametrize(
    ("path", "source", "name"),
    [
        ("a.ts", "/** @deprecated */\nfunction g() {}\n\nfunction f() {}", "f"),
        ("a.ts", "/** @deprecated */\n\n\n\nfunction f() {}", "f"),
        ("a.ts", "function f() { warn('deprecated'); }", "f"),
        ("a.rs", "#[deprecated]\nfn g() {}\nfn f() {}", "f"),
        ("A.java", "class A {\n  @Deprecated\n  void g() {}\n  void f() {}\n}", "A.f"),
    ],
)
def test_a_mark_on_something_else_does_not_count(path: str, source: str, name: str) -> None:
    assert not symbol(path, source, name).deprecated


def test_an_attribute_belongs_to_the_definition_after_it() -> None:
    old = "#[cfg(unix)]\nfn f() {}\n\nfn g() {}\n"
    new = old.replace("unix", "windows")
    assert symbol("a.rs", old, "f").digest != symbol("a.rs", new, "f").digest
    assert symbol("a.rs", old, "g").digest == symbol("a.rs", new, "g").digest


def test_a_constant_counted_by_iota_depends_on_its_place() -> None:
    new = GO.replace("\tLow = iota", "\tLowest = iota\n\tLow")
    assert symbol("a.go", GO, "High").digest != symbol("a.go", new, "High").digest


def test_typescript_annotations_leave_the_core_alone() -> None:
    old = "export const f = (a, b = 1) => a;"
    new = "export const f: F<string> = (a: string, b: number = 1): string => a;"
    assert of_symbols(symbol("a.ts", old, "f"), symbol("a.ts", new, "f")) is Difference.SOFT
    other = "export const f = (a: string, b: number = 2) => a;"
    assert of_symbols(symbol("a.ts", old, "f"), symbol("a.ts", other, "f")) is Difference.SUBSTANTIVE


def test_a_symbol_beside_a_syntax_error_keeps_its_fingerprint() -> None:
    good = "function f() { return 1 }\n"
    broken = read("a.ts", good + "const x = ;\n")
    assert broken.level == "leaves"
    assert broken.symbol("f") == read("a.ts", good).symbol("f")


def test_a_class_changes_with_its_method_and_its_sibling_does_not() -> None:
    new = JAVA.replace("n - 1", "n + 1")
    assert symbol("Client.java", JAVA, "Client").digest != symbol("Client.java", new, "Client").digest
    assert (
        symbol("Client.java", JAVA, "Client.Client").digest
        == symbol("Client.java", new, "Client.Client").digest
    )


def test_a_header_with_classes_is_read_as_cpp() -> None:
    assert read("a.h", CPP).language == "cpp"
    assert read("a.h", "int f(int a);\n").language == "c"
