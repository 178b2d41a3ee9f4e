from __future__ import annotations

import pytest

from gitmem.drift.placement import says_placement

PLACED = [
    "Add endpoints in `src/services/`, not in components.",
    "Add endpoints in `src/services/`, not in `src/components/`.",
    "New endpoints go into `src/services/`, never into components.",
    "All plugins are listed in `plugins/list.json` – add new ones there.",
    "Supported plugins are listed in `plugins/list.json`; add yours there.",
    "Put shared hooks under the `src/hooks/` folder.",
    "엔드포인트는 `src/services/`에 추가한다.",
    "엔드포인트는 `src/components/`가 아니라 `src/services/`에 둔다.",
    "플러그인은 `plugins/list.json`에 있다. 새것은 거기에 추가한다.",
    "To silence a typo edit `_typos.toml`.",
    "오타 예외는 `_typos.toml`을 수정한다.",
    "[説明](https://x.example/a) に従って `_typos.toml` を編集してください。",
    "编辑 `_typos.toml`。",
]
TOLD = [
    "Routes are registered in `app/routes.ts` before auth.",
    "Add at most 3 endpoints in `src/api/`.",
    "Add endpoints in `src/api/` sorted by name.",
    "`src/api/` retries. Add endpoints there.",
    "Endpoints in `src/api/` return JSON.",
    "Secrets are stored in `src/vault.py`, which encrypts them.",
    "Add endpoints there.",
    "Edit `_typos.toml` before each release.",
    "`_typos.toml`을 수정하면 다시 검사한다.",
    "엔드포인트는 `src/api/`에 이름 순서로 추가한다.",
    "`src/api/`에 추가하면 자동으로 등록된다.",
    "비밀은 `src/vault.py`에 두 번 암호화해 둔다. 3일마다 바꾼다.",
]  # fmt: skip


@pytest.mark.parametrize("text", PLACED)
def test_where_something_belongs_is_all_that_is_said(text: str) -> None:
    assert says_placement(text)


@pytest.mark.parametrize("text", TOLD)
def test_how_something_works_is_said_too(text: str) -> None:
    assert not says_placement(text)
