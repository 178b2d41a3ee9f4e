"""Statements that still hold: their code moved, or changed in nothing that they rest on."""

from __future__ import annotations

from gitmem.model.verdict import Verdict
from tests.drift.cases.case import KEPT, Case, moved

_QUIET = frozenset({Verdict.FRESH, Verdict.COSMETIC})


def folder_of_tests_renamed() -> Case:
    before = {
        "web/src/__tests__/async/datasets-api.servertest.ts": "describe('datasets', () => {\n  it('creates', () => expect(1).toBe(1));\n});\n",
        "web/src/__tests__/async/traces-api.servertest.ts": "describe('traces', () => {\n  it('lists', () => expect(2).toBe(2));\n});\n",
        "web/src/app.ts": "export const app = 1;\n",
    }
    return Case(
        "R01-langfuse-test-dir-renamed",
        "Add end-to-end test, similar to [datasets-api.servertest.ts](mdc:web/src/__tests__/async/datasets-api.servertest.ts)",
        ("web/src/__tests__/async/datasets-api.servertest.ts",),
        before,
        moved(before, "web/src/__tests__/async/", "web/src/__tests__/server/"),
        frozenset({Verdict.RELOCATED}),
        watches=("path web/src/__tests__/async/datasets-api.servertest.ts",),
    )


_PATTERN = """\
class ActivityPattern:
    def __init__(self, kind, target=None):
        self.kind = kind
        self.target = target

    def match(self, activity):
        return activity.kind == self.kind and (self.target is None or activity.target == self.target)
"""
_BUILDERS = """\
def build_offer(case):
    return {"type": "Offer", "object": case}


def build_accept(offer):
    return {"type": "Accept", "object": offer}


def build_reject(offer):
    return {"type": "Reject", "object": offer}
"""


def module_to_package() -> Case:
    folder = "vultron/wire/as2/extractor"
    pattern_use = "OFFER = ActivityPattern('Offer')\nACCEPT = ActivityPattern('Accept')\n"
    return Case(
        "R02-vultron-extractor-module-to-package",
        "`vultron/wire/as2/extractor.py` | `ActivityPattern` defs (sole AS2→domain mapping point)",
        (f"{folder}.py",),
        {f"{folder}.py": f"{_PATTERN}\n\n{_BUILDERS}\n\n{pattern_use}", "vultron/wire/__init__.py": ""},
        {
            "vultron/wire/__init__.py": "",
            f"{folder}/__init__.py": "from ._builders import build_accept, build_offer, build_reject\nfrom ._pattern import ActivityPattern\n",
            f"{folder}/_pattern.py": _PATTERN,
            f"{folder}/_builders.py": _BUILDERS,
            f"{folder}/_instances.py": f"from ._pattern import ActivityPattern\n\n{pattern_use}",
        },
        frozenset({Verdict.RELOCATED, Verdict.TOUCHED, Verdict.CHANGED}),
        watches=(f"symbol {folder}.py#ActivityPattern",),
    )


_REDIRECTS = "If a request exceeds the configured number of maximum redirections, a TooManyRedirects exception is raised."
_EXCEPTIONS = (
    "class RequestException(IOError):\n    pass\n\n\nclass TooManyRedirects(RequestException):\n    pass\n"
)
_SESSIONS = """\
from .exceptions import TooManyRedirects


class SessionRedirectMixin(object):
    def resolve_redirects(self, resp, req):
        hist = []
        while resp.is_redirect:
            hist.append(resp)
            if len(resp.history) >= self.max_redirects:
                raise TooManyRedirects('Exceeded {} redirects.'.format(self.max_redirects))
            resp = self.send(req)
            yield resp

    def rebuild_proxies(self, request, proxies):
        username, password = request.auth
        if username and password:
            proxies['Proxy-Authorization'] = (username, password)
        return proxies


class Session(SessionRedirectMixin):
    def __init__(self):
        #: Above this a :class:`TooManyRedirects` exception is raised.
        self.max_redirects = 30
        self.adapters = {}

    def close(self):
        for (k, v) in self.adapters.items():
            v.close()
"""
_FORMATTED = (
    _SESSIONS.replace("(object)", "")
    .replace(
        "'Exceeded {} redirects.'.format(self.max_redirects)", 'f"Exceeded {self.max_redirects} redirects."'
    )
    .replace("'Proxy-Authorization'", '"Proxy-Authorization"')
)
_FIXED = _FORMATTED.replace("for (k, v) in", "for k, v in").replace(
    "if username and password:", 'if not request.url.startswith("https") and username and password:'
)


def _requests(sessions: str, folder: str = "requests") -> dict[str, str]:
    return {
        f"{folder}/sessions.py": sessions,
        f"{folder}/exceptions.py": _EXCEPTIONS,
        f"{folder}/__init__.py": "from .exceptions import TooManyRedirects\nfrom .sessions import Session\n",
        "setup.py": "import setuptools\n\nsetuptools.setup()\n",
    }


def src_layout() -> Case:
    return Case(
        "R05-requests-src-layout",
        _REDIRECTS,
        ("requests/sessions.py",),
        _requests(_SESSIONS),
        _requests(_SESSIONS, "src/requests"),
        frozenset({Verdict.RELOCATED}),
        watches=("ident TooManyRedirects",),
    )


def formatted_then_moved() -> Case:
    return Case(
        "R06-requests-black-plus-move",
        _REDIRECTS,
        ("requests/sessions.py",),
        _requests(_SESSIONS),
        _requests(_FIXED, "src/requests"),
        frozenset({Verdict.RELOCATED, Verdict.TOUCHED}),
        watches=("ident TooManyRedirects",),
        between=(_requests(_FORMATTED), _requests(_FIXED)),
        ignored=(1,),
    )


def changed_and_reverted() -> Case:
    tree = {
        "src/fastmcp/prompts/prompt.py": "class Prompt:\n    def __init__(self, name):\n        self.name = name\n",
        "src/fastmcp/prompts/prompt_manager.py": "class PromptManager:\n    def __init__(self):\n        self.prompts = {}\n",
    }
    other = tree | {
        "src/fastmcp/prompts/prompt_manager.py": "class PromptManager:\n    def __init__(self):\n        self.prompts = []\n"
    }
    return Case(
        "N01-fastmcp-revert-pair",
        "Prompts live in `src/fastmcp/prompts/` with `PromptManager`.",
        ("src/fastmcp/prompts/**",),
        tree,
        tree,
        frozenset({Verdict.FRESH}),
        watches=("symbol src/fastmcp/prompts/prompt_manager.py#PromptManager", "path src/fastmcp/prompts/"),
        between=(other,),
    )


_MODELS = """\
from .exceptions import HTTPError


class Request:
    def __init__(self, data=None):
        self.data = data


class Response:
    def raise_for_status(self):
        if 400 <= self.status_code < 600:
            raise HTTPError(self.reason, response=self)

    def pairs(self):
        for (k, vs) in self.items():
            yield k, vs
"""


def formatter_bump() -> Case:
    kept = {"requests/exceptions.py": "class HTTPError(IOError):\n    pass\n"}
    return Case(
        "N03-requests-formatter-bump",
        "Response.raise_for_status() raises HTTPError when we made a bad request (4XX/5XX).",
        ("requests/models.py",),
        kept | {"requests/models.py": _MODELS},
        kept
        | {
            "requests/models.py": _MODELS.replace("(k, vs) in", "k, vs in").replace(
                "class Response", "\nclass Response"
            )
        },
        _QUIET,
        watches=("symbol requests/models.py#Response.raise_for_status", "ident HTTPError"),
    )


def ignored_revision() -> Case:
    return Case(
        "N05-requests-black-pyupgrade-ignored-rev",
        _REDIRECTS,
        ("requests/sessions.py",),
        _requests(_SESSIONS),
        _requests(_FORMATTED),
        KEPT,
        watches=("ident TooManyRedirects",),
        ignored=(1,),
    )


def docstrings_only() -> Case:
    def tree(said: str) -> dict[str, str]:
        return {
            "requests/api.py": f'def post(url, data=None):\n    """Post.\n\n    :param data: {said}\n    """\n    return request("post", url, data)\n',
            "requests/models.py": f'class Request:\n    """A request.\n\n    :param data: {said}\n    """\n\n    def __init__(self, data=None):\n        self.data = data\n',
            "requests/sessions.py": f'class Session:\n    def request(self, method, url, data=None):\n        """Send.\n\n        :param data: {said}\n        """\n        return self.send(method, url, data)\n',
        }

    return Case(
        "N06-requests-docstring-only",
        "You can also pass a list of tuples to the `data` argument.",
        ("requests/api.py", "requests/models.py", "requests/sessions.py"),
        tree("Dictionary or bytes."),
        tree("Dictionary, list of tuples or bytes."),
        _QUIET,
    )


def blank_line() -> Case:
    path = "vultron/core/behaviors/case/nodes/ownership_transfer.py"
    text = "class Node:\n    pass\n\n\nclass AcceptCaseOwnershipTransferNode(Node):\n    def update(self):\n\n        return self.case.owner\n"
    return Case(
        "N07-vultron-blank-line",
        "Case ownership transfer acceptance is executed by the behaviour-tree node `AcceptCaseOwnershipTransferNode`.",
        (path,),
        {path: text},
        {path: text.replace("update(self):\n\n", "update(self):\n")},
        _QUIET,
        watches=(f"symbol {path}#AcceptCaseOwnershipTransferNode",),
    )


def import_type() -> Case:
    path = "packages/browser/src/sdk.ts"
    text = (
        "import { Hub } from '@sentry/core';\nimport { BrowserOptions } from './client';\n\n"
        "export function init(options: BrowserOptions = {}): void {\n  start(new Hub(options));\n}\n\n"
        "export function showReportDialog(hub: Hub): void {\n  hub.show();\n}\n"
    )
    kept = {"packages/browser/src/client.ts": "export interface BrowserOptions {\n  dsn?: string;\n}\n"}
    return Case(
        "N10-sentry-import-type",
        "To use this SDK, call `Sentry.init(options)` as early as possible after loading the page.",
        (path,),
        kept | {path: text},
        kept | {path: text.replace("import {", "import type {")},
        KEPT,
        watches=(f"symbol {path}#init",),
        ignored=(1,),
    )


def cited_symbol_in_a_busy_folder() -> Case:
    folder = "packages/nextjs/src/config"
    before = {
        f"{folder}/util.ts": "export function detectActiveBundler(): string {\n  return process.env.TURBOPACK || process.argv.includes('--turbo') ? 'turbopack' : 'webpack';\n}\n",
        "packages/gatsby/src/config/util.ts": "export const other = 1;\n",
    } | {
        f"{folder}/part{n}.ts": f"export function part{n}(): number {{\n  return {n};\n}}\n" for n in range(8)
    }
    return Case(
        "N11-sentry-detectActiveBundler-symbol",
        "Detection: `process.env.TURBOPACK` or `--turbo` CLI flag (see `src/config/util.ts:detectActiveBundler`).",
        (f"{folder}/**",),
        before,
        before
        | {
            f"{folder}/part{n}.ts": f"export function part{n}(): string {{\n  return 'part {n}';\n}}\n"
            for n in range(8)
        },
        frozenset({Verdict.FRESH, Verdict.TOUCHED}),
        watches=(f"symbol {folder}/util.ts#detectActiveBundler", "ident TURBOPACK"),
    )


def entry_point_that_grew() -> Case:
    def tree(steps: int, extra: str) -> dict[str, str]:
        body = "".join(f"        state = self.step_{n}(state)\n" for n in range(steps))
        helpers = "".join(
            f"\n    def step_{n}(self, state):\n        return state + {n}{extra}\n" for n in range(steps)
        )
        return {
            "src/agents/run.py": (
                "from .run_internal.loop import loop\n\n\nclass Runner:\n    @classmethod\n    def run(cls, agent):\n"
                f"        return AgentRunner().run(agent{extra})\n\n\nclass AgentRunner:\n    def run(self, state):\n{body}"
                f"        return loop(state)\n{helpers}"
            ),
            "src/agents/run_internal/__init__.py": "",
            "src/agents/run_internal/loop.py": "def loop(state):\n    return state\n",
        }

    return Case(
        "N12-openai-runpy-heavy-churn-still-true",
        "`src/agents/run.py` is the runtime entrypoint (`Runner`, `AgentRunner`). Put new runtime logic under "
        "`src/agents/run_internal/` and import it into `run.py`.",
        ("src/agents/run.py",),
        tree(6, ""),
        tree(40, " + 1"),
        KEPT,
        watches=(
            "symbol src/agents/run.py#Runner",
            "symbol src/agents/run.py#AgentRunner",
            "path src/agents/run_internal/",
        ),
    )


HELD = (
    folder_of_tests_renamed(),
    module_to_package(),
    src_layout(),
    formatted_then_moved(),
    changed_and_reverted(),
    formatter_bump(),
    ignored_revision(),
    docstrings_only(),
    blank_line(),
    import_type(),
    cited_symbol_in_a_busy_folder(),
    entry_point_that_grew(),
)
