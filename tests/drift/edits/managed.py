"""C++, C# and Kotlin."""

from __future__ import annotations

from tests.drift.edits.language import Edits

CPP = Edits(
    "a.cpp",
    """\
#include <b>
#include <a>

namespace net {

template <typename T>
class Client : public Base {
public:
    explicit Client(int n) : n_(n) {}
    int send(std::string order, int times = 1);
    virtual int go(int n) const override { return n - 1; }
private:
    int n_ = 3;
};

// Sends.
template <typename T>
int Client<T>::send(std::string order, int times)
{
    auto text = R"(a
  b)";
    return gateway_->send(order, times, text);
}

class Server {
    int go(int n) { return n + 1; }
};

auto lambda = [](int x) { return x + 1; };
bool operator==(const Client<int> &a, const Client<int> &b) { return a.n_ == b.n_; }
int free_one(int n) noexcept { auto f = [&](int x) { return x + n; }; return f(n); }
}
""",
    ("Client.send", "order, times, text", "times, order, text"),
    (
        ("Client.go", "n + 1", "n + 2", "cosmetic"),
        ("Client.send", "times = 1", "times = 2", "changed"),
        ("Client.send", '  b)"', 'b)"', "changed"),
        ("Client.go", " override", "", "changed"),
        ("Client.go", " const override", " override", "changed"),
        ("Client.go", "virtual int go", "[[nodiscard]] virtual int go", "changed"),
        ("free_one", "x + n", "x - n", "changed"),
        ("free_one", "namespace net {", "namespace net::inner {", "cosmetic"),
        ("lambda", "x + 1", "x + 2", "changed"),
        ("free_one", "class Server {", "class Server {\n int bad( {", "cosmetic"),
        ("Client.Client", "n_(n)", "n_(n + 1)", "changed"),
        ("Client.Client", "explicit Client", "Client", "changed"),
        ("free_one", "bool operator==", "int free_one(double n) { return 1; }\nbool operator==", "touched"),
        ("free_one", "#include <b>\n#include <a>", "#include <a>\n#include <b>", "cosmetic"),
    ),
)  # fmt: skip
CSHARP = Edits(
    "a.cs",
    """\
using B;
using A;

namespace Net
{
    [Serializable]
    public partial class Client<T> : Base where T : class
    {
        public int Limit { get; set; } = 3;
        public string Name => _name ?? "x";
        public int Count
        {
            get { return _count; }
            set { _count = value; }
        }

        /// <summary>Sends.</summary>
        [Log]
        public async Task<T> Send(string order, int times = 1)
        {
            var text = @"a
  b";
            return await _gateway.Call(order, times, text);
        }

        int Go(int n) => n - 1;
        public event EventHandler Changed;
        public static bool operator ==(Client<T> a, Client<T> b) => a.n == b.n;
        public int this[int i] => _list[i];
    }

    public partial class Client<T>
    {
        void Other() { int Local(int x) { return x + 1; } Local(2); }
    }

    class Server { int Go(int n) => n + 1; }
    record Point(int X, int Y);
}
""",
    ("Client.Send", "order, times, text", "times, order, text"),
    (
        ("Client.Limit", "= 3", "= 4", "changed"),
        ("Client.Limit", "get; set; }", "get; private set; }", "changed"),
        ("Client.Name", '"x"', '"y"', "changed"),
        ("Client.Count", "return _count", "return _count + 1", "changed"),
        ("Client.Count", "get { return _count; }", "get\n            {\n                return _count;\n            }", "cosmetic"),
        ("Client.Go", "n + 1", "n + 2", "cosmetic"),
        ("Client.Other", "x + 1", "x + 2", "changed"),
        ("Client.Send", "[Log]", "[Log, Trace]", "changed"),
        ("Client.Send", "        [Log]", '        [SuppressMessage("Style", "X1")]\n        [Log]', "cosmetic"),
        ("Client.Send", "[Log]\n        public", "[Log] public", "cosmetic"),
        ("Client.Send", "times = 1", "times = 2", "changed"),
        ("Client.Send", "public async", "internal async", "changed"),
        ("Client.Send", "public async", "async public", "cosmetic"),
        ("Client.Send", '  b"', 'b"', "changed"),
        ("Client.Send", "class Server {", "class Server { int Bad( {", "cosmetic"),
        ("Point", "int Y)", "long Y)", "changed"),
        ("Client.Go", "        public event", "        int Go(string n) => 1;\n        public event", "touched"),
        ("Client.Go", "using B;\nusing A;", "using A;\nusing B;", "cosmetic"),
    ),
)  # fmt: skip
KOTLIN = Edits(
    "a.kt",
    '''\
package a
import b.B
import a.A

@Serializable
class Client<T : Any>(private val gateway: Gateway, var n: Int = 1) : Base() {
    val limit: Int by lazy { 3 }
    var state: Int = 0
        get() = field + 1
        private set

    companion object {
        const val MAX = 3
        fun make(n: Int) = Client<Any>(n - 1)
    }

    /** Sends. */
    @Log
    suspend fun send(order: String, times: Int = 1): T {
        val text = """
            a
              b
        """.trimIndent()
        return gateway.call(order, times, text)
    }

    init {
        check(n > 0)
    }

    private fun go(n: Int) = n + 1
}

class Server {
    private fun go(n: Int) = n - 1
}

fun String.up(n: Int): String = this + n
fun Int.up(n: Int): Int = this + n
inline fun <reified T> top(list: List<T>, f: (T) -> Int): Int {
    return list.sumOf { f(it) + 1 }
}
object Single { fun run(): Int = 1 }
data class Point(val x: Int, val y: Int)
sealed interface Shape
typealias Name = String
''',
    ("Client.send", "order, times, text", "times, order, text"),
    (
        ("Client.go", "n - 1\n}", "n - 2\n}", "cosmetic"),
        ("Client.send", "times: Int = 1", "times: Int = 2", "changed"),
        ("Client.send", "suspend fun", "fun", "changed"),
        ("Client.send", "    @Log\n", "    @Log\n    @Trace\n", "changed"),
        ("Client.make", "        fun make", '        @Suppress("unused")\n        fun make', "cosmetic"),
        ("Client.send", "    @Log\n    suspend", "    @Log suspend", "cosmetic"),
        ("Client.send", "              b\n", "             b\n", "changed"),
        ("Client.send", '            a\n              b\n        """', '          a\n            b\n      """', "cosmetic"),
        ("Client.state", "field + 1", "field + 2", "changed"),
        ("Client.state", "        private set\n", "", "changed"),
        ("Client.MAX", "MAX = 3", "MAX = 4", "changed"),
        ("Client.make", "n - 1)", "n - 2)", "changed"),
        ("up", "object Single", "fun Long.up(n: Int): Long = this\nobject Single", "touched"),
        ("top", "f(it) + 1", "f(it) + 2", "changed"),
        ("top", "{ f(it) + 1 }", "{\n        (f(it) + 1)\n    }", "cosmetic"),
        ("top", "reified T", "reified T : Any", "changed"),
        ("top", "class Server {", "class Server { fun bad( {", "cosmetic"),
        ("Single.run", "Int = 1 }", "Int = 2 }", "changed"),
        ("Point", "val y: Int", "val y: Long", "changed"),
        ("top", "import b.B\nimport a.A", "import a.A\nimport b.B", "cosmetic"),
    ),
)  # fmt: skip
