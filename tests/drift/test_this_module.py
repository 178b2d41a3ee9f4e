""" "… must not import this module" forbids the scope's own folder within the one that is named."""

from __future__ import annotations

import pytest

from tests.drift.test_grading import about, judge

THEN = {
    "src/i18n/index.ts": "export const t = (key: string) => key\n",
    "src/sim/step.ts": "export const step = 1\n",
    "src/ui/view.ts": "import { t } from '../i18n/index'\nexport const view = t('a')\n",
}
BOTH, OWN = ("src/i18n/**", "src/sim/**"), ("src/i18n/**",)
BUSY = {
    **THEN,
    "src/sim/step.ts": "".join(f"export const step{n} = {n}\n" for n in range(9)),
    "src/sim/new.ts": "export const x = 2\n",
}
BROKEN = {**THEN, "src/sim/step.ts": "import { t } from '../i18n/index'\nexport const step = t('b')\n"}
BANS = [
    "sim 은 이 모듈을 **절대** import 하지 않는다(ADR-0005).",
    "`src/sim` 에서는 이 모듈을 참조하지 말 것.",
    "이 모듈을 sim 에서 import 금지.",
    "`sim` must never import this module.",
    "Nothing in `src/sim` imports this package.",
    "This module must not be imported from `sim`.",
    "sim はこのモジュールを import しない。",
    "sim 不得导入本模块。",
]


@pytest.mark.parametrize("summary", BANS)
@pytest.mark.parametrize("scope", [BOTH, OWN])
def test_it_is_kept_while_nothing_there_imports_it(summary: str, scope: tuple[str, ...]) -> None:
    assert str(judge(about(summary, *scope), BUSY, THEN).verdict) in {"fresh", "touched"}
    assert str(judge(about(summary, *scope), BROKEN, THEN).verdict) == "changed"


@pytest.mark.parametrize(
    "summary",
    [
        "`sim` imports this module.",
        "sim 은 이 모듈을 import 한다.",
        "`nowhere` must not import this module.",
        "This module must not import `sim`.",
    ],
)
def test_other_sentences_forbid_nothing_of_the_kind(summary: str) -> None:
    found = judge(about(summary, *BOTH), BROKEN, THEN)
    assert not any("import src/i18n/" in (one.watch or "") for one in found.findings)


def test_who_imports_it_already_is_not_forbidden_to() -> None:
    found = judge(about("`ui` must not import this module.", *OWN), THEN, THEN)
    assert not any("import" in (one.watch or "") for one in found.findings)
