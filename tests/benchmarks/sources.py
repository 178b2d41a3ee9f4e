"""Seeded source files that look and parse like a real project's, in several languages.

A file is known by its path and a state: one number a function. Another number is another logic; `remark` adds a
comment that changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

AREAS = ("services", "packages", "lib", "apps", "internal", "plugins")
NOUNS = (
    "account",
    "address",
    "audit",
    "basket",
    "billing",
    "cache",
    "catalog",
    "checkout",
    "client",
    "config",
    "contact",
    "coupon",
    "customer",
    "delivery",
    "discount",
    "document",
    "event",
    "export",
    "feature",
    "gateway",
    "import",
    "inventory",
    "invoice",
    "ledger",
    "locale",
    "mail",
    "market",
    "media",
    "member",
    "metric",
    "notice",
    "offer",
    "order",
    "page",
    "parcel",
    "partner",
    "payment",
    "permission",
    "pipeline",
    "policy",
    "price",
    "product",
    "profile",
    "quota",
    "receipt",
    "refund",
    "region",
    "report",
    "retry",
    "review",
    "role",
    "route",
    "rule",
    "schedule",
    "search",
    "session",
    "setting",
    "shipment",
    "stock",
    "storage",
    "subscription",
    "supplier",
    "tag",
    "task",
    "tax",
    "team",
    "template",
    "tenant",
    "ticket",
    "token",
    "trace",
    "transfer",
    "user",
    "vendor",
    "voucher",
    "wallet",
    "webhook",
    "workflow",
    "zone",
)
VERBS = (
    "apply",
    "build",
    "check",
    "collect",
    "compare",
    "count",
    "create",
    "load",
    "merge",
    "parse",
    "render",
    "resolve",
    "send",
    "sort",
    "split",
)
PARTS = ("api", "core", "domain", "handlers", "models", "storage", "views", "jobs", "internal", "testing")
EXTENSIONS = ("py", "py", "ts", "ts", "go", "java", "rs", "md", "yaml", "json")


@dataclass(frozen=True, slots=True)
class Source:
    """One file of the project.

    Args:
        path: Where it lies.
        functions: Names of its functions.
        numbers: One a function: what its logic rests on.
        remark: A comment at the top.
    """

    path: str
    functions: tuple[str, ...]
    numbers: tuple[int, ...]
    remark: str = ""

    @property
    def extension(self) -> str:
        return PurePosixPath(self.path).suffix[1:]

    @property
    def folder(self) -> str:
        return str(PurePosixPath(self.path).parent)

    def changed(self, which: int, number: int) -> Source:
        """The same file after the logic of one function changed."""
        which %= len(self.numbers)
        return replace(self, numbers=(*self.numbers[:which], number, *self.numbers[which + 1 :]))

    def text(self) -> str:
        """The file's content."""
        return _RENDER.get(self.extension, _markdown)(self)


def definition(source: Source, function: str) -> str:
    """Qualified name of a function of the file."""
    return f"{_owner(source)}.{function}" if source.extension == "java" else function


def _owner(source: Source) -> str:
    name = _camel(PurePosixPath(source.path).stem)
    return name[0].upper() + name[1:]


def project(rng: random.Random, files: int) -> Iterator[tuple[str, list[Source]]]:
    """Components with their files: folder of the component, then its sources; `files` in all.

    Base names repeat across components, as `index.ts` and `models.py` do.
    """
    size = max(8, min(90, files // 12))
    made, number = 0, 0
    while made < files:
        count = min(size, files - made)
        folder = f"{AREAS[number % len(AREAS)]}/{NOUNS[number % len(NOUNS)]}"
        if number >= len(NOUNS):
            folder += f"_{number // len(NOUNS)}"
        yield folder, list(_component(rng, folder, count))
        made, number = made + count, number + 1


def _component(rng: random.Random, folder: str, count: int) -> Iterator[Source]:
    folders = [folder, *_below(rng, folder)]
    taken: set[str] = set()
    while len(taken) < count:
        name = rng.choice(NOUNS)
        if rng.random() < 0.85:
            name += f"_{rng.choice(VERBS)}{rng.choice(('', '', '_v2', '_test'))}"
        path = f"{rng.choice(folders)}/{name}.{rng.choice(EXTENSIONS)}"
        if path in taken:
            continue
        taken.add(path)
        functions = _functions(rng, path)
        yield Source(path, functions, tuple(rng.randrange(10_000) for _ in functions))


def _below(rng: random.Random, folder: str) -> Iterator[str]:
    """Folders of a component: about one for every three files, as large projects have."""
    for part in rng.sample(PARTS, rng.randint(5, 8)):
        yield f"{folder}/{part}"
        for inner in rng.sample(PARTS, rng.randint(2, 4)):
            yield f"{folder}/{part}/{inner}"


def _functions(rng: random.Random, path: str) -> tuple[str, ...]:
    names = rng.sample(
        [f"{verb}_{noun}" for verb in VERBS for noun in rng.sample(NOUNS, 4)], rng.randint(3, 7)
    )
    if path.endswith((".ts", ".go", ".java")):
        return tuple(_camel(name) for name in names)
    return tuple(names)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _python(source: Source) -> str:
    body = "\n\n".join(
        f"def {name}(items, limit={number}):\n"
        f'    """{name.replace("_", " ").capitalize()} with the limit of its caller."""\n'
        f"    total = 0\n    for item in items:\n        if item.weight > limit:\n            continue\n"
        f"        total += item.weight * {number % 97 + 1}\n    return total\n"
        for name, number in _pairs(source)
    )
    return f"{_hash_remark(source)}from __future__ import annotations\n\n\n{body}"


def _typescript(source: Source) -> str:
    body = "\n".join(
        f"export function {name}(items: Item[], limit = {number}): number {{\n  let total = 0;\n"
        f"  for (const item of items) {{\n    if (item.weight > limit) {{\n      continue;\n    }}\n"
        f"    total += item.weight * {number % 97 + 1};\n  }}\n  return total;\n}}\n"
        for name, number in _pairs(source)
    )
    return f'{_slash_remark(source)}import {{ Item }} from "./item";\n\n{body}'


def _go(source: Source) -> str:
    body = "\n".join(
        f"func {name}(items []Item) int {{\n\ttotal := 0\n\tfor _, item := range items {{\n"
        f"\t\tif item.Weight > {number} {{\n\t\t\tcontinue\n\t\t}}\n\t\ttotal += item.Weight * {number % 97 + 1}\n"
        f"\t}}\n\treturn total\n}}\n"
        for name, number in _pairs(source)
    )
    return f"{_slash_remark(source)}package {PurePosixPath(source.folder).name}\n\n{body}"


def _java(source: Source) -> str:
    body = "\n".join(
        f"    int {name}(List<Item> items) {{\n        int total = 0;\n        for (Item item : items) {{\n"
        f"            if (item.weight() > {number}) {{\n                continue;\n            }}\n"
        f"            total += item.weight() * {number % 97 + 1};\n        }}\n        return total;\n    }}\n"
        for name, number in _pairs(source)
    )
    owner = _camel(PurePosixPath(source.path).stem)
    return (
        f"{_slash_remark(source)}import java.util.List;\n\nclass {owner[0].upper()}{owner[1:]} {{\n{body}}}\n"
    )


def _rust(source: Source) -> str:
    body = "\n".join(
        f"pub fn {name}(items: &[Item]) -> u64 {{\n    let mut total = 0;\n    for item in items {{\n"
        f"        if item.weight > {number} {{\n            continue;\n        }}\n"
        f"        total += item.weight * {number % 97 + 1};\n    }}\n    total\n}}\n"
        for name, number in _pairs(source)
    )
    return f"{_slash_remark(source)}use crate::item::Item;\n\n{body}"


def _yaml(source: Source) -> str:
    return _hash_remark(source) + "".join(
        f"{name}:\n  limit: {number}\n  retries: {number % 7}\n  enabled: true\n"
        for name, number in _pairs(source)
    )


def _json(source: Source) -> str:
    rows = ",\n".join(
        f'  "{name}": {{ "limit": {number}, "retries": {number % 7} }}' for name, number in _pairs(source)
    )
    return f"{{\n{rows}\n}}\n"


def _markdown(source: Source) -> str:
    return f"# {PurePosixPath(source.path).stem}\n\n" + "".join(
        f"## {name}\n\nThe limit is {number}; heavier items are skipped.\n\n"
        for name, number in _pairs(source)
    )


def _pairs(source: Source) -> Sequence[tuple[str, int]]:
    return list(zip(source.functions, source.numbers, strict=True))


def _hash_remark(source: Source) -> str:
    return f"# {source.remark}\n" if source.remark else ""


def _slash_remark(source: Source) -> str:
    return f"// {source.remark}\n" if source.remark else ""


_RENDER = {
    "py": _python,
    "ts": _typescript,
    "go": _go,
    "java": _java,
    "rs": _rust,
    "yaml": _yaml,
    "json": _json,
}
