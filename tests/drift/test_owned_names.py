"""Names behind their type or module: ``Cart::add``, ``Cart#add``."""

from __future__ import annotations

import pytest

from gitmem.drift.derive import Derivation, derive
from gitmem.drift.owned_names import owned_name
from gitmem.drift.words import code_tokens
from gitmem.model.memory import Scope
from gitmem.model.verdict import Verdict
from gitmem.model.watch import Polarity, Watch, WatchKind
from tests.support.tree_view import TreeOfText, judged

RUST = (
    "pub struct Cart {\n    pub total: u32,\n}\n\nimpl Cart {\n    pub fn add(&mut self) -> u32 {\n        self.total += 1;\n"
    "        self.total\n    }\n}\n\npub fn add() -> u32 {\n    3\n}\n"
)
CPP = "namespace shop {\nclass Cart {\n public:\n  int add();\n};\n\nint Cart::add() {\n  return 1;\n}\n}\n"
PHP = (
    "<?php\nnamespace Shop;\n\nclass Cart {\n    const MAX = 50;\n    public static function add() {\n        return 1;\n    }\n}\n"
    "class Other {\n    public function add() {\n        return 2;\n    }\n}\nclass Third {\n    public function add() {\n        return 3;\n    }\n}\n"
)
RUBY = (
    "module Shop\n  class Mailer\n    LIMIT = 50\n\n    def deliver\n      1\n    end\n\n    def sent?\n      true\n    end\n  end\nend\n\n"
    "class Other\n  def deliver\n    2\n  end\nend\n\nclass Third\n  def deliver\n    3\n  end\nend\n"
)
SHOP = {"src/cart.rs": RUST, "lib/cart.cpp": CPP, "web/cart.php": PHP, "app/mailer.rb": RUBY}


def derived(text: str, glob: str) -> Derivation:
    view = TreeOfText(SHOP)
    return derive([text], Scope(paths=(glob,)), view, files=view.matching([glob]))


@pytest.mark.parametrize(
    ("text", "plain", "called"),
    [
        ("Cart::add", "Cart.add", False),
        ("crate::shop::Cart::add", "shop.Cart.add", False),
        ("Self::add()", "add", True),
        ("::shop::Cart", "shop.Cart", False),
        ("Shop\\Cart", "Cart", False),
        ("\\Shop\\Cart::add($item, 2)", "Cart.add", True),
        ("Cart::class", "Cart", False),
        ("Shop::Mailer#sent?", "Shop.Mailer.sent", False),
        ("Shop::Mailer.deliver", "Shop.Mailer.deliver", False),
    ],
)
def test_a_name_behind_its_owner_is_read_as_a_dotted_one(text: str, plain: str, called: bool) -> None:
    found = owned_name(text)
    assert found is not None
    assert (found.plain, found.called) == (plain, called)


@pytest.mark.parametrize(
    "text", ["Cart.add", "Cart", "C#", "#add", "issue#5", "lint:js", "Vec::<u8>::new", "::before", "a::"]
)
def test_other_words_are_none(text: str) -> None:
    found = owned_name(text)
    assert found is None or "." not in found.plain


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Cart::add adds one.", ["Cart.add"]),
        ("Shop::Mailer#deliver이 한 번 보낸다.", ["Shop.Mailer.deliver"]),
        ("Mailer#deliver sends.", ["Mailer.deliver"]),
        ("C# and F# fix issue#5, see web#build.", []),
        ("Run src/a.rs::tests.", []),
    ],
)
def test_in_prose(text: str, names: list[str]) -> None:
    assert [token.text for token in code_tokens(text) if token.owned] == names


@pytest.mark.parametrize(
    ("text", "glob", "watch"),
    [
        ("`Cart::add` adds one.", "src/**", "src/cart.rs#Cart.add"),
        ("Cart::add adds one.", "src/**", "src/cart.rs#Cart.add"),
        ("`crate::cart::Cart::add` adds one.", "src/**", "src/cart.rs#Cart.add"),
        ("`cart::add()` is three.", "src/**", "src/cart.rs#add"),
        ("`Cart::add` is one.", "lib/**", "lib/cart.cpp#Cart.add"),
        ("`shop::Cart::add(int)` is one.", "lib/**", "lib/cart.cpp#Cart.add"),
        ("`Cart::add()` is one.", "web/**", "web/cart.php#Cart.add"),
        ("`\\Shop\\Cart::add` is one.", "web/**", "web/cart.php#Cart.add"),
        ("`Cart::MAX` is 50.", "web/**", "web/cart.php#Cart.MAX"),
        ("`Shop::Mailer` sends once.", "app/**", "app/mailer.rb#Shop.Mailer"),
        ("`Mailer#deliver` is one.", "app/**", "app/mailer.rb#Shop.Mailer.deliver"),
        ("`Mailer#sent?` is true.", "app/**", "app/mailer.rb#Shop.Mailer.sent"),
    ],
)
def test_it_is_watched_as_the_definition_that_it_means(text: str, glob: str, watch: str) -> None:
    found = derived(text, glob)
    assert [str(one) for one in found.watches] == [f"symbol {watch}"]
    assert found.unresolved == ()


@pytest.mark.parametrize(
    ("text", "glob", "token"),
    [
        ("`Cart::clear` empties it.", "src/**", "Cart::clear"),
        ("`Mailer#retract` unsends.", "app/**", "Mailer#retract"),
        ("`Shop::Printer` prints.", "app/**", "Shop::Printer"),
    ],
)
def test_what_its_owner_does_not_have_is_born_false(text: str, glob: str, token: str) -> None:
    assert [(one.token, one.severity) for one in derived(text, glob).unresolved] == [(token, "born_false")]


@pytest.mark.parametrize("text", ["`Vec::add` grows it.", "`std::vector` holds them.", "Queue::add() waits."])
def test_what_a_library_owns_is_not_the_definition_here_of_that_name(text: str) -> None:
    found = derived(text, "src/**")
    assert all(watch.kind is WatchKind.IDENT for watch in found.watches)


def test_a_change_of_the_method_is_told_and_one_of_its_namesake_is_not() -> None:
    watch = derived("`Mailer#deliver` returns 1.", "app/**").watches[0]
    changed = judged(watch, SHOP, {**SHOP, "app/mailer.rb": RUBY.replace("      1\n", "      4\n")})
    other = judged(watch, SHOP, {**SHOP, "app/mailer.rb": RUBY.replace("    2\n", "    5\n")})
    assert (changed.verdict, other.verdict) == (Verdict.CHANGED, Verdict.COSMETIC)


def test_a_prohibited_one_is_looked_for_as_it_is_written() -> None:
    (watch,) = derived("Never call `Vec::with_capacity`.", "src/**").watches
    assert watch == Watch(WatchKind.IDENT, name="Vec::with_capacity", polarity=Polarity.PROHIBITS)
    used = RUST + "\nfn f() -> Vec<u8> {\n    Vec::with_capacity(3)\n}\n"
    assert judged(watch, SHOP, {**SHOP, "src/cart.rs": used}).verdict is Verdict.CHANGED
