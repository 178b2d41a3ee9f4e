"""A first elements file from a repository's own structure: what each ecosystem declares, and what folders say."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from gitmem.knowledge_map.covering import Coverage, ancestors
from gitmem.knowledge_map.draft import draft_elements
from gitmem.knowledge_map.packages import find_packages, is_manifest
from gitmem.model.element import ADR_FOLDERS, Elements
from gitmem.model.glob import parse_glob
from gitmem.store.elements import FILE, parse_elements
from gitmem.store.elements_writing import format_draft


def drawn(
    files: Mapping[str, str] | list[str], owners: str = "", generated: frozenset[str] = frozenset()
) -> Elements:
    held = files if isinstance(files, Mapping) else dict.fromkeys(files, "")
    manifests = {path: text.encode() for path, text in held.items() if is_manifest(path)}
    return draft_elements(held, manifests, owners=owners.encode(), generated=generated)


def paths(elements: Elements) -> dict[str, str]:
    return {one.name: " ".join(one.paths) for one in elements.elements}


def levels(elements: Elements) -> dict[str, str]:
    return {one.name: str(one.level) for one in elements.elements}


def code(*folders: str, suffix: str = "ts", count: int = 2) -> dict[str, str]:
    return {f"{folder}/f{number}.{suffix}": "" for folder in folders for number in range(count)}


def test_npm_workspaces_are_elements_and_their_templates_and_settings_are_not() -> None:
    files = {
        "package.json": '{"name": "shop", "workspaces": {"packages": ["apps/*", "./packages/*", "!packages/old"]}}',
        "apps/web/package.json": '{"name": "@shop/web"}',
        "packages/cart/package.json": '{"name": "@shop/cart"}',
        "packages/old/package.json": '{"name": "@shop/old"}',
        "packages/eslint-config/package.json": '{"name": "@shop/eslint-config"}',
        "packages/cart/templates/basic/package.json": '{"name": "basic"}',
        "packages/cart/esm/package.json": '{"type": "module"}',
        "examples/demo/package.json": '{"name": "demo"}',
        **code("apps/web/src", "packages/cart/src", "packages/old", "packages/cart/esm", "examples/demo"),
        **code("packages/eslint-config", count=1),
    }
    found = drawn(files)
    assert paths(found) == {"web": "apps/web/**", "cart": "packages/cart/**", "old": "packages/old/**"}
    assert levels(found) == {"web": "container", "cart": "component", "old": "component"}


def test_pnpm_workspaces_are_read_from_their_own_file() -> None:
    files = {
        "package.json": "{}",
        "pnpm-workspace.yaml": "packages:\n  # all\n  - 'libs/**'\n  - \"tools/cli\" # one\ncatalog:\n  - nothing\n",
        "libs/a/b/package.json": '{"name": "deep"}',
        "tools/cli/package.json": '{"name": "cli"}',
        "nothing/package.json": "not json",
        **code("libs/a/b", "tools/cli", "nothing"),
    }
    assert paths(drawn(files)) == {"deep": "libs/a/b/**", "cli": "tools/cli/**", "nothing": "nothing/**"}


def test_cargo_members_are_elements_and_a_binary_is_a_container() -> None:
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/fork"]\n',
        "crates/core/Cargo.toml": '[package]\nname = "shop_core"\n',
        "crates/cli/Cargo.toml": '[package]\nname = "shop"\n',
        "crates/cli/src/main.rs": "",
        "crates/broken/Cargo.toml": "[package\n",
        "crates/fork/Cargo.toml": '[package]\nname = "fork"\n',
        **code("crates/core/src", "crates/cli/src", "crates/broken/src", suffix="rs"),
    }
    found = drawn(files)
    assert paths(found) == {
        "broken": "crates/broken/**",
        "shop": "crates/cli/**",
        "shop_core": "crates/core/**",
    }
    assert levels(found)["shop"] == "container"


def test_one_go_module_gives_its_commands_and_packages() -> None:
    files = {
        "go.mod": "module example.org/shop/v2\n",
        "cmd/shopd/main.go": "",
        "cmd/shopd/flags.go": "",
        "internal/cart/cart_test.go": "",
        **code("internal/cart", "internal/pay", "pkg/money", "web", suffix="go"),
        "internal/cart/testdata/x.go": "",
    }
    assert paths(drawn(files)) == {
        "shopd": "cmd/shopd/**",
        "cart": "internal/cart/**",
        "pay": "internal/pay/**",
        "money": "pkg/money/**",
        "web": "web/**",
    }


def test_several_go_modules_are_elements() -> None:
    files = {
        "go.work": "use (\n ./api\n ./store\n)\n",
        "api/go.mod": "module example.org/api",
        "store/go.mod": "module example.org/store",
        **code("api", "store", suffix="go"),
    }
    assert paths(drawn(files)) == {"api": "api/**", "store": "store/**"}


def test_maven_and_gradle_modules_are_elements_and_aggregators_are_not() -> None:
    files = {
        "pom.xml": "",
        "stores/pom.xml": "",
        "stores/store-redis/pom.xml": "",
        "stores/store-sql/pom.xml": "",
        "gateway/build.gradle.kts": "",
        "buildSrc/build.gradle.kts": "",
        **code("stores/store-redis/src/main/java/org/shop", "stores/store-sql/src/main/java", suffix="java"),
        **code("gateway/src/main/kotlin", "gateway/src/test/kotlin", suffix="kt"),
    }
    assert paths(drawn(files)) == {
        "gateway": "gateway/**",
        "store-redis": "stores/store-redis/**",
        "store-sql": "stores/store-sql/**",
    }


def test_a_python_source_layout_gives_its_packages_and_the_modules_beside_them() -> None:
    files = {
        "pyproject.toml": '[project]\nname = "shop"\n',
        **code("src/shop/cart", "src/shop/pay", suffix="py"),
    }
    files |= {
        "src/shop/__init__.py": "",
        "src/shop/money.py": "",
        "tests/test_cart.py": "",
        "docs/conf.py": "",
        "setup.py": "",
    }
    assert paths(drawn(files)) == {
        "shop": "src/shop/*",
        "cart": "src/shop/cart/**",
        "pay": "src/shop/pay/**",
    }


def test_a_flat_package_gives_its_modules() -> None:
    names = ("__init__", "adapters", "api", "auth", "models", "sessions")
    found = drawn([f"src/requests/{name}.py" for name in names])
    assert paths(found) == {name: f"src/requests/{name}.py" for name in names[1:]}


def test_python_projects_side_by_side_are_elements() -> None:
    files = {
        "pyproject.toml": "[tool.uv.workspace]\nmembers = ['*']\n",
        "core/pyproject.toml": '[project]\nname = "shop-core"\n',
        "api/pyproject.toml": '[tool.poetry]\nname = "shop-api"\n',
        "api/Dockerfile": "",
        "lint/pyproject.toml": "[tool.ruff]\n",
        **code("core/shop_core", "api/shop_api", "lint", suffix="py"),
    }
    found = drawn(files)
    assert paths(found) == {"shop-api": "api/**", "shop-core": "core/**", "lint": "lint/**"}
    assert levels(found)["shop-api"] == "container"


def test_dotnet_projects_are_elements_and_test_projects_are_not() -> None:
    files = {
        "Shop.sln": "",
        "src/Shop.Core/Shop.Core.csproj": '<Project Sdk="Microsoft.NET.Sdk">',
        "src/Shop.Web/Shop.Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web">',
        "src/Shop.Core.Tests/Shop.Core.Tests.csproj": "",
        "src/Bench/Shop.Benchmarks.csproj": "",
        **code("src/Shop.Core", "src/Shop.Web", "src/Shop.Core.Tests", suffix="cs"),
    }
    found = drawn(files)
    assert levels(found) == {"Shop.Core": "component", "Shop.Web": "container"}


def test_targets_of_a_swift_package_are_elements() -> None:
    manifest = """
    targets: [
      .target(name: "Cart", dependencies: [.product(name: "X", package: "y")]),
      .executableTarget(name: "shop", dependencies: ["Cart"], path: "Tools/shop"),
      .testTarget(name: "CartTests", dependencies: ["Cart"]),
    ]"""
    files = {
        "Package.swift": manifest,
        **code("Sources/Cart", "Tools/shop", "Tests/CartTests", suffix="swift"),
    }
    found = drawn(files)
    assert paths(found) == {"Cart": "Sources/Cart/**", "shop": "Tools/shop/**"}
    assert levels(found) == {"Cart": "component", "shop": "container"}


def test_without_packages_the_owners_file_tells_the_parts() -> None:
    owners = "# teams\n*  @all\n/src/cart/ @cart\n/src/pay/** @pay\nsrc/pay/cards/*  @pay # inner\n*.md @docs\n/gone/ @x\n[Section]\n"
    found = drawn([*code("src/cart", "src/pay", "src/pay/cards", "src/misc", suffix="py")], owners)
    assert paths(found) == {
        "cart": "src/cart/**",
        "misc": "src/misc/**",
        "pay": "src/pay/**",
        "cards": "src/pay/cards/**",
    }
    assert [one.inside for one in found.elements if one.name == "cards"] == ["pay"]


def test_what_no_package_holds_becomes_an_element_too() -> None:
    files = {"web/package.json": '{"name": "web"}', **code("web", "ops/deploy"), **code("scripts", count=1)}
    files |= code("legacy", suffix="php", count=40)
    assert paths(drawn(files)) == {"legacy": "legacy/**", "ops": "ops/**", "web": "web/**"}


def test_a_large_part_is_a_container_with_its_folders_inside() -> None:
    files = {
        "apps/web/package.json": '{"name": "web"}',
        "packages/ui/package.json": '{"name": "ui"}',
        **code("packages/ui/src", count=10),
        **code("apps/web/src/cart", "apps/web/src/pay", "apps/web/src/components/[id]", count=20),
    }
    found = drawn(files)
    assert paths(found) == {
        "web": "apps/web/**",
        "web/cart": "apps/web/src/cart/**",
        "web/components": "apps/web/src/components/**",
        "web/pay": "apps/web/src/pay/**",
        "ui": "packages/ui/**",
    }
    assert {one.name: one.inside for one in found.elements if one.inside} == dict.fromkeys(
        ("web/cart", "web/components", "web/pay"), "web"
    )


def test_names_are_made_unique_by_their_folders() -> None:
    files = {
        "crates/parser/Cargo.toml": '[package]\nname = "shop_parser"\n',
        "napi/parser/package.json": '{"name": "shop-parser"}',
        **code("crates/parser", "napi/parser"),
    }
    assert paths(drawn(files)) == {"crates/parser": "crates/parser/**", "napi/parser": "napi/parser/**"}


def test_parts_of_a_container_bear_the_name_that_it_got() -> None:
    files = {
        "rust/shop/Cargo.toml": '[package]\nname = "shop"\n',
        "js/shop/package.json": '{"name": "shop"}',
        **code("js/shop", count=1),
        **code("rust/shop/src/cart", "rust/shop/src/pay", "rust/shop/src/ship", suffix="rs", count=20),
    }
    names = [one.name for one in drawn(files).elements]
    assert names == ["js/shop", "rust/shop", "rust/shop/cart", "rust/shop/pay", "rust/shop/ship"]


def test_generated_and_vendored_files_are_left_out() -> None:
    files = [*code("src/api", "src/made", "vendor/lib", "src/node_modules/x", "src/pay", "src/gen")]
    found = drawn(files, generated=frozenset({"src/made/**"}))
    assert paths(found) == {"api": "src/api/**", "pay": "src/pay/**"}


WILD = (
    "결제",
    "장바구니",
    "{a,b}",
    "x*y",
    "[id]",
    "[[...slug]]",
    "{id}",
    "a[b",
    "c}d",
    "e]f",
    "2026-01-01",
    "null",
    ": x",
    "#h",
    "- d",
    "'q'",
    '"d"',
    "7",
    "a\\b",
)


def test_korean_names_and_wild_characters_in_paths_mean_those_paths() -> None:
    files = [*code(*(f"src/{name}" for name in WILD))]
    found = drawn(files)
    assert {one.name for one in found.elements} == set(WILD)
    for element in found.elements:
        held = [path for path in files if parse_glob(element.paths[0]).matches(path.encode())]
        assert {path.split("/")[1] for path in held} == {element.name}
    parsed = parse_elements(FILE, format_draft(found).encode())
    assert (parsed.elements, parsed.problems) == (found, ())


def test_nothing_to_draw_gives_no_element_and_the_first_file() -> None:
    for files in ([], ["README.md"], ["tests/test_a.py"], ["docs/a.ts"]):
        assert drawn(files) == Elements()
    assert parse_elements(FILE, format_draft(Elements()).encode()).elements == Elements()


def test_folders_of_decisions_are_found_wherever_they_lie() -> None:
    found = drawn(
        [
            *code("src/a", "src/b"),
            "architecture/decisions/0001-use-git.md",
            "architecture/decisions/0002-b.md",
        ]
    )
    assert found.adr == (*ADR_FOLDERS, "architecture/decisions")


def test_paths_that_no_file_of_text_can_hold_are_passed_over() -> None:
    found = drawn(
        [
            *code("src/a", "src/b"),
            "src/\udcff/x.py",
            "src/\udcff/y.py",
            "src/new\nline/x.py",
            "src/new\nline/y.py",
        ]
    )
    assert paths(found) == {"a": "src/a/**", "b": "src/b/**"}


def test_hostile_manifests_are_folders_with_a_manifest() -> None:
    hostile = (
        "[" * 100_000,
        '{"name": ["x"], "workspaces": 7}',
        "\x00",
        '{"name": "a\\nb"}',
        '{"name": "' + "x" * 500 + '"}',
    )
    for text in hostile:
        names = {
            one.name
            for one in find_packages(
                ["p/package.json", "p/Cargo.toml"],
                {"p/package.json": text.encode(), "p/Cargo.toml": text.encode()},
            )
        }
        assert names <= {"p"}


NAMES = st.sampled_from(
    [
        "src",
        "lib",
        "packages",
        "core",
        "Core",
        "app",
        "a",
        "b",
        "결제",
        "test",
        "x y",
        "[id]",
        "c,d",
        "{e,f}",
        "7",
        "{",
    ]
)
TREES = st.lists(
    st.tuples(
        st.lists(NAMES, max_size=4),
        st.sampled_from(["m.py", "n.ts", "o.go", "index.js", "package.json", "Cargo.toml"]),
    ),
    max_size=40,
)


@given(TREES)
def test_whatever_the_tree_the_draft_reads_back_and_every_glob_finds_code(
    tree: list[tuple[list[str], str]],
) -> None:
    files = ["/".join([*folders, name]) for folders, name in tree]
    found = drawn(dict.fromkeys(files, '{"name": "core"}'))
    parsed = parse_elements(FILE, format_draft(found).encode())
    assert (parsed.elements, parsed.problems) == (found, ())
    folded = [one.name.casefold() for one in found.elements]
    assert len(set(folded)) == len(folded)
    for element in found.elements:
        assert any(parse_glob(element.paths[0]).matches(path.encode()) for path in files)
    assert all(one.inside is None or one.inside in ancestors(found.elements) for one in found.elements)
    assert Coverage(found, files).overlaps == ()
