"""Statements that the code falsified (and one that never was true)."""

from __future__ import annotations

from gitmem.model.verdict import Verdict
from tests.drift.cases.case import CHALLENGED, KEPT, Case


def _manager(kind: str) -> str:
    return f"""\
from fastmcp.{kind}s.{kind} import {kind.title()}


class {kind.title()}Manager:
    def __init__(self):
        self._held = {{}}

    def add(self, one):
        self._held[one.name] = one

    def get(self, name):
        return self._held[name]
"""


def managers_deleted() -> Case:
    kinds = ("tool", "resource", "prompt")
    objects = {
        f"src/fastmcp/{kind}s/{kind}.py": f"class {kind.title()}:\n    def __init__(self, name):\n        self.name = name\n"
        for kind in kinds
    }
    managers = {f"src/fastmcp/{kind}s/{kind}_manager.py": _manager(kind) for kind in kinds}
    server = {
        "src/fastmcp/server/server.py": "from fastmcp.tools.tool_manager import ToolManager\n\ntools = ToolManager()\n"
    }
    provider = {
        "src/fastmcp/server/local_provider.py": "class LocalProvider:\n    def add_tool(self, tool):\n        self.tools = [tool]\n",
        "src/fastmcp/server/server.py": "from fastmcp.server.local_provider import LocalProvider\n\nheld = LocalProvider()\n",
    }
    rule = {"AGENTS.md": "Look at the related `ToolManager`.\n"}
    return Case(
        "P01-fastmcp-managers-deleted",
        "There are four major MCP object types (Tools, Resources, Resource Templates, Prompts). Look at not only the object "
        "definition but also the related `Manager` (`ToolManager`, `ResourceManager`, `PromptManager`); resources and resource "
        "templates both are handled by the `ResourceManager`.",
        ("src/fastmcp/tools/**", "src/fastmcp/resources/**", "src/fastmcp/prompts/**"),
        objects | managers | server | rule,
        objects | provider | rule,
        frozenset({Verdict.GONE}),
        watches=("symbol src/fastmcp/tools/tool_manager.py#ToolManager",),
    )


def prune_database() -> Case:
    helper = "export const pruneDatabase = async () => {\n  await db.execute('truncate all');\n};\n"
    kept = {
        "web/src/__tests__/server/traces.test.ts": "import { createTrace } from '../factory';\n\ntest('trace', () => createTrace());\n",
        "web/src/__tests__/factory.ts": "export const createTrace = () => ({ id: 't' });\n",
        "worker/src/__tests__/queue.test.ts": "test('queue', () => expect(1).toBe(1));\n",
    }
    used = {
        "worker/src/__tests__/utils.ts": helper,
        "worker/src/__tests__/queue.test.ts": "import { pruneDatabase } from './utils';\n\nbeforeEach(async () => pruneDatabase());\n",
    }
    return Case(
        "P02-langfuse-pruneDatabase",
        "When writing tests, especially in the __tests__/server directory, ensure that you avoid `pruneDatabase` calls.",
        ("web/src/__tests__/server/**", "worker/src/__tests__/**"),
        kept | used,
        kept,
        frozenset({Verdict.TOUCHED, *CHALLENGED}),
        watches=("ident pruneDatabase (prohibited)", "path web/src/__tests__/server/"),
    )


def _package(scripts: str, dependencies: str) -> str:
    return f'{{\n  "name": "root",\n  "scripts": {{\n{scripts}\n  }},\n  "devDependencies": {{\n{dependencies}\n  }}\n}}\n'


def lint_loses_prettier() -> Case:
    inner = {"dev-packages/e2e/package.json": '{"name": "e2e", "devDependencies": {"left-pad": "1.0.0"}}\n'}
    old = _package(
        '    "lint": "run-s lint:prettier lint:each",\n    "lint:each": "lerna run lint",\n    "lint:prettier": "prettier . --check"',
        '    "eslint": "8.57.0",\n    "lerna": "7.1.1",\n    "prettier": "^3.8.1"',
    )
    new = _package(
        '    "lint": "run-s lint:oxfmt lint:each",\n    "lint:each": "lerna run lint",\n    "lint:oxfmt": "oxfmt . --check"',
        '    "eslint": "8.57.0",\n    "lerna": "7.1.1",\n    "oxfmt": "^0.2.0"',
    )
    return Case(
        "P04-sentry-yarn-lint-prettier",
        "`yarn lint` - Run ESLint and Prettier checks",
        ("package.json",),
        inner | {"package.json": old},
        inner | {"package.json": new},
        CHALLENGED,
        watches=(
            "key package.json#scripts.lint",
            "key package.json#scripts.lint:prettier",
            "ident prettier",
            "ident eslint",
        ),
    )


def lint_means_less() -> Case:
    dependencies = '    "oxfmt": "^0.2.0",\n    "oxlint": "^1.1.0"'
    old = '    "lint": "run-s lint:oxfmt lint:oxlint",\n    "lint:oxfmt": "oxfmt . --check",\n    "lint:oxlint": "oxlint ."'
    new = '    "lint": "oxlint .",\n    "format:check": "oxfmt . --check",\n    "verify": "run-s format:check lint"'
    return Case(
        "P06-sentry-yarn-lint-semantics",
        "| `yarn lint` | Oxlint + Oxfmt |",
        ("package.json",),
        {"package.json": _package(old, dependencies)},
        {"package.json": _package(new, dependencies)},
        CHALLENGED,
        watches=(
            "key package.json#scripts.lint",
            "key package.json#scripts.lint:oxfmt",
            "ident oxlint",
            "ident oxfmt",
        ),
    )


def lerna_to_nx() -> Case:
    before = {
        "lerna.json": '{"version": "10.0.0", "npmClient": "yarn"}\n',
        "package.json": _package(
            '    "build": "lerna run build"', '    "lerna": "7.1.1",\n    "typescript": "~5.8.0"'
        ),
    }
    after = {
        "nx.json": '{"targetDefaults": {"build": {"cache": true}}}\n',
        "package.json": _package(
            '    "build": "nx run-many -t build"', '    "nx": "22.0.0",\n    "typescript": "~5.8.0"'
        ),
    }
    return Case(
        "P07-sentry-lerna-to-nx",
        "This is a Lerna monorepo with 40+ packages in the `@sentry/*` namespace. Lerna manages package dependencies and publishing.",
        ("lerna.json", "package.json"),
        before,
        after,
        CHALLENGED,
        watches=("ident lerna", "path lerna.json"),
    )


_TURBOPACK = """\
import type { Options } from '../types';

export function constructTurbopackConfig(options: Options): Record<string, unknown> {
  const rules: Record<string, unknown> = {};
  const applicationKey = OPTION;
  if (applicationKey) {
    rules['*'] = { loader: 'metadata', options: { applicationKey } };
  }
  return rules;
}
"""
_TYPES = """\
export type Options = {
  silent?: boolean;
TOP  _experimental?: {
MARK    turbopackApplicationKey?: string;
  };
};
"""


def experimental_option_superseded() -> Case:
    folder = "packages/nextjs/src/config"
    kept = {
        f"{folder}/loaders/moduleMetadataInjectionLoader.ts": "export default function loader(code: string): string {\n  return code;\n}\n",
        f"{folder}/turbopack/index.ts": "export { constructTurbopackConfig } from './constructTurbopackConfig';\n",
        "packages/core/src/filter.ts": "export const thirdPartyErrorFilterIntegration = () => ({ name: 'ThirdParty' });\n",
        "packages/nextjs/package.json": '{"name": "@sentry/nextjs", "peerDependencies": {"next": ">=13"}}\n',
    }
    return Case(
        "P09-sentry-turbopackApplicationKey-superseded",
        "Module metadata injection (`moduleMetadataInjectionLoader.ts`) — enables `thirdPartyErrorFilterIntegration` (requires "
        "Next.js 16+ and `_experimental.turbopackApplicationKey`)",
        ("packages/nextjs/src/config/turbopack/**", "packages/nextjs/src/config/types.ts"),
        kept
        | {
            f"{folder}/turbopack/constructTurbopackConfig.ts": _TURBOPACK.replace(
                "OPTION", "options._experimental?.turbopackApplicationKey"
            ),
            f"{folder}/types.ts": _TYPES.replace("TOP", "").replace("MARK", ""),
        },
        kept
        | {
            f"{folder}/turbopack/constructTurbopackConfig.ts": _TURBOPACK.replace(
                "OPTION", "options.applicationKey ?? options._experimental?.turbopackApplicationKey"
            ),
            f"{folder}/types.ts": _TYPES.replace("TOP", "  applicationKey?: string;\n").replace(
                "MARK", "    /** @deprecated Use the top-level `applicationKey`. */\n"
            ),
        },
        CHALLENGED,
        watches=(
            "ident thirdPartyErrorFilterIntegration",
            f"path {folder}/loaders/moduleMetadataInjectionLoader.ts",
        ),
    )


def next_auth_removed() -> Case:
    kept = {
        "apps/web/src/auth/data.ts": "export const getUser = async (id: string) => ({ id });\n",
        "apps/web/src/auth/helpers/guest.ts": "export const isGuest = (id: string) => id.startsWith('guest');\n",
    }
    package = '{"name": "web", "dependencies": {DEPENDENCIES"next": "15.0.0"}}\n'
    return Case(
        "P11-rallly-nextauth-removed",
        "**Authentication**: NextAuth.js setup in `apps/web/src/auth/`",
        ("apps/web/src/auth/**", "apps/web/src/next-auth.ts", "apps/web/package.json"),
        kept
        | {
            "apps/web/src/auth/providers/guest.ts": "export const GuestProvider = { id: 'guest' };\n",
            "apps/web/src/next-auth.ts": "import NextAuth from 'next-auth';\n\nexport const auth = NextAuth({});\n",
            "apps/web/package.json": package.replace("DEPENDENCIES", '"next-auth": "5.0.0", '),
        },
        kept | {"apps/web/package.json": package.replace("DEPENDENCIES", '"better-auth": "1.0.0", ')},
        CHALLENGED,
        watches=("ident next-auth", "path apps/web/src/auth/", "path apps/web/src/next-auth.ts"),
    )


def get_translations_born_false() -> Case:
    tree = {
        ".windsurfrules": "On the server use the `getTranslations` function from @/i18n/server to get the translations.\n",
        "apps/web/src/i18n/server.ts": "export async function getTranslation(ns?: string) {\n  return { t: (key: string) => ns + key };\n}\n",
        "apps/web/src/i18n/client.ts": "export const useTranslation = () => ({ t: (key: string) => key });\n",
    }
    return Case(
        "P13-rallly-getTranslations-born-false",
        "On the server use the `getTranslations` function from @/i18n/server to get the translations.",
        ("apps/web/src/i18n/server.ts",),
        tree,
        tree,
        KEPT,
        watches=("path apps/web/src/i18n/server.ts",),
        born_false=("getTranslations", "getTranslation"),
    )


def use_case_map() -> Case:
    kept = {
        "vultron/core/semantics.py": "from enum import Enum\n\n\nclass MessageSemantics(Enum):\n    SUBMIT = 'submit'\n    ACCEPT = 'accept'\n",
        "vultron/core/use_cases/submit.py": "class SubmitUseCase:\n    def run(self):\n        return 'submitted'\n",
    }
    table = (
        "from vultron.core.semantics import MessageSemantics\nfrom vultron.core.use_cases.submit import SubmitUseCase\n\n"
        "USE_CASE_MAP = {\n    MessageSemantics.SUBMIT: SubmitUseCase,\n}\n"
    )
    registry = (
        '"""One registry for dispatch. Equivalent to the old USE_CASE_MAP dict."""\n\n'
        "from vultron.core.semantics import MessageSemantics\nfrom vultron.core.use_cases.submit import SubmitUseCase\n\n\n"
        "class Entry:\n    def __init__(self, semantics, use_case, pattern):\n        self.semantics, self.use_case, self.pattern = semantics, use_case, pattern\n\n\n"
        "SEMANTIC_REGISTRY = [Entry(MessageSemantics.SUBMIT, SubmitUseCase, 'Offer')]\n"
    )
    return Case(
        "P14-vultron-USE_CASE_MAP",
        "`vultron/core/use_cases/use_case_map.py` | `USE_CASE_MAP`: `MessageSemantics` → use-case class. Register new use cases in "
        "`USE_CASE_MAP`.",
        ("vultron/core/use_cases/use_case_map.py",),
        kept | {"vultron/core/use_cases/use_case_map.py": table},
        kept | {"vultron/core/registry.py": registry},
        frozenset({Verdict.GONE}),
        watches=("symbol vultron/core/use_cases/use_case_map.py#USE_CASE_MAP", "ident MessageSemantics"),
    )


_TINYDB = """\
from tinydb import TinyDB

from vultron.core.ports import DataLayer


class TinyDbDataLayer(DataLayer):
    def __init__(self, path, actor_id):
        self._db = TinyDB(path)
        self._actor_id = actor_id

    def _table(self, name):
        return self._db.table(f"{self._actor_id}_{name}")

    def read(self, name, key):
        return self._table(name).get(doc_id=key)
"""
_SQL = """\
from sqlmodel import Session, create_engine

from vultron.core.ports import DataLayer


class SqliteDataLayer(DataLayer):
    def __init__(self, url):
        self._engine = create_engine(url)

    def read(self, model, key):
        with Session(self._engine) as session:
            return session.get(model, key)
"""


def _adapters(*, tinydb: bool) -> dict[str, str]:
    name, text, package = ("tinydb", _TINYDB, "tinydb>=4") if tinydb else ("sqlite", _SQL, "sqlmodel>=0.0.22")
    return {
        "pyproject.toml": f'[project]\nname = "vultron"\ndependencies = ["fastapi>=0.110", "{package}"]\n',
        "vultron/core/ports.py": "class DataLayer:\n    def read(self, name, key):\n        raise NotImplementedError\n",
        "vultron/core/case.py": "class Case:\n    def close(self):\n        self.open = False\n",
        "vultron/api/main.py": "from fastapi import FastAPI\n\napp = FastAPI()\n",
        "test/test_layers.py": '"""Written when TinyDB was the back end."""\n\n\ndef test_nothing():\n    assert True\n',
        f"vultron/adapters/driven/datalayer_{name}.py": text,
    }


def adr_superseded() -> Case:
    return Case(
        "P15-vultron-adr0012-tinydb",
        "ADR-0012 (status: accepted): DataLayer isolation uses Option B, the TinyDB namespace prefix; it requires only a modified "
        "`_table()` helper in `TinyDbDataLayer`.",
        ("vultron/adapters/driven/datalayer_tinydb.py",),
        _adapters(tinydb=True),
        _adapters(tinydb=False),
        frozenset({Verdict.GONE}),
        watches=("symbol vultron/adapters/driven/datalayer_tinydb.py#TinyDbDataLayer._table",),
    )


def merged_after_validation() -> Case:
    return Case(
        "P16-vultron-timestamp-trap-tinydb",
        "**TinyDB Backend**: `vultron/adapters/driven/datalayer_tinydb.py` - TinyDB implementation",
        ("vultron/adapters/driven/datalayer_tinydb.py",),
        _adapters(tinydb=True),
        _adapters(tinydb=False),
        frozenset({Verdict.GONE}),
        watches=("path vultron/adapters/driven/datalayer_tinydb.py",),
        authored="2026-04-14T11:46:16-04:00",
    )


def parser_left_experimental() -> Case:
    folder = "src/fastmcp/experimental"
    parts = {
        part: f"class Open{part.title()}:\n    def run(self, spec):\n        return [spec, '{part}']\n\n\ndef {part}(spec):\n    return Open{part.title()}().run(spec)\n"
        for part in (
            "components",
            "routing",
            "server",
            "director",
            "formatters",
            "models",
            "parser",
            "schemas",
        )
    }
    where = {part: "server" if part in {"components", "routing", "server"} else "utilities" for part in parts}
    handlers = {
        f"{folder}/sampling/__init__.py": "",
        f"{folder}/sampling/handlers/base.py": "class Handler:\n    def sample(self, text):\n        return text\n",
    }
    shim = "from fastmcp.{} .openapi import *\n"
    return Case(
        "P19-fastmcp-experimental-openapi-parser",
        "| `experimental/` | Experimental features (new OpenAPI parser) |",
        ("src/fastmcp/experimental/**",),
        handlers
        | {f"{folder}/{where[part]}/openapi/{part}.py": text for part, text in parts.items()}
        | {
            f"{folder}/{side}/openapi/__init__.py": "from .parser import *\n"
            for side in ("server", "utilities")
        },
        handlers
        | {f"src/fastmcp/{where[part]}/openapi/{part}.py": text for part, text in parts.items()}
        | {
            f"{folder}/{side}/openapi/__init__.py": shim.format(side).replace(" .", ".")
            for side in ("server", "utilities")
        },
        CHALLENGED,
        watches=(f"path {folder}/", f"path {folder}/utilities/openapi/", f"path {folder}/server/openapi/"),
    )


def pre_commit_to_prek() -> Case:
    def tree(tool: str) -> dict[str, str]:
        return {
            "pyproject.toml": f'[project]\nname = "fastmcp"\ndependencies = ["httpx"]\n\n[dependency-groups]\ndev = ["pytest>=8", "{tool}"]\n',
            ".github/workflows/run-static.yml": f"jobs:\n  static:\n    steps:\n      - run: uv run {tool} run --all-files\n",
            ".github/workflows/marvin.yml": "jobs:\n  marvin:\n    steps:\n      - run: uv run pre-commit install\n",
            ".pre-commit-config.yaml": "repos: []\n",
        }

    return Case(
        "P21-fastmcp-precommit-to-prek",
        "**All Checks**: `uv run pre-commit run --all-files`",
        ("pyproject.toml", ".github/workflows/run-static.yml"),
        tree("pre-commit"),
        tree("prek"),
        CHALLENGED,
        watches=("ident pre-commit",),
    )


def prohibition_of_a_tool_that_left() -> Case:
    return Case(
        "P24-vultron-applyTo-instructions",
        "Core code (`vultron/core/`) must not import FastAPI, TinyDB, or wire-layer modules.",
        ("**/*.py",),
        _adapters(tinydb=True),
        _adapters(tinydb=False),
        frozenset({Verdict.TOUCHED, *CHALLENGED}),
        watches=(
            "import fastapi in vultron/core/ (prohibited)",
            "import tinydb in vultron/core/ (prohibited)",
            "path vultron/core/",
        ),
    )


FALSIFIED = (
    managers_deleted(),
    prune_database(),
    lint_loses_prettier(),
    lint_means_less(),
    lerna_to_nx(),
    experimental_option_superseded(),
    next_auth_removed(),
    get_translations_born_false(),
    use_case_map(),
    adr_superseded(),
    merged_after_validation(),
    parser_left_experimental(),
    pre_commit_to_prek(),
    prohibition_of_a_tool_that_left(),
)
