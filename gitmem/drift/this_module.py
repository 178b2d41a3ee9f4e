"""Rules that forbid others to import "this module": the statement says who, and its scope is what is meant by *this*.

"sim 은 이 모듈을 절대 import 하지 않는다" in a scope of ``src/i18n/`` and ``src/sim/`` forbids ``src/i18n/`` within ``src/sim/``. Where
the scope has one folder, that is this module, and who must not import it lies elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import basename

from gitmem.drift.area import area
from gitmem.drift.imported import occurrences
from gitmem.drift.places import Places
from gitmem.drift.view import TreeView
from gitmem.model.watch import Polarity, Watch, WatchKind

_MARKS = r"[`*_\"'\s]{0,8}"
# A name ends where its letters do: what may stand right behind it is written in others, but for a last folder of that script.
_ONE = r"[`*]{0,3}[A-Za-z@][A-Za-z0-9_./@-]{0,120}+[`*]{0,3}+"
_JOINT = r"(?:\s/\s?|\s?(?:,|·|、|와|과|및|또는|や|と|和|或)\s?|\s(?:and|or|nor)\s)"
_WHO = rf"(?P<who>(?<![\w./@-]){_ONE}(?:{_JOINT}{_ONE}){{0,9}}(?:(?<=/)[^\W\d_A-Za-z][\w./@-]{{0,40}}?)?)"
_UNIT = r"(?:module|package|folder|directory|layer|crate|library)"
_DO = r"(?:import|depend\s+(?:up)?on|use|reference|require|include|call\s+into|reach\s+into|know(?:\s+about)?)s?(?:ing)?(?:\s+(?:from|anything\s+(?:from|in)))?"
_NOT = r"(?:(?:must|should|shall|may|can|do|does|will|is|are)\s*(?:not|n['’]t|never)|cannot|never)(?:\s+(?:ever|directly|be\s+allowed\s+to|allowed\s+to))*"
_KOREAN_UNIT = r"(?:모듈|패키지|폴더|디렉터리|디렉토리|레이어|계층|크레이트|라이브러리)"
_KOREAN_DO = r"(?:import|임포트|참조|의존|사용|호출|가져오|가져와|불러오|불러와|쓰|써)"
_KOREAN_NOT = r"(?:(?:하)?지\s?(?:않|말|마|못)|하?면\s?안|해서는?\s?안|서는?\s?안|[을를은는]?\s?(?:금지|불가|안\s?함)|\s?안\s?한)"
_SAID = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i)(?:\b(?:code|files?|anything)\s+(?:in|under|from)\s+)?{_WHO}\s+{_MARKS}{_NOT}{_MARKS}{_DO}\s+(?:the\s+code\s+(?:in|of)\s+)?this\s+{_UNIT}\b",
        rf"(?i)\b(?:nothing|no\s+(?:code|file|module))\s+(?:in|under|from)\s+{_WHO}\s+(?:(?:may|can|should|must)\s+)?{_DO}\s+this\s+{_UNIT}\b",
        rf"(?i)\bthis\s+{_UNIT}\s+{_NOT}\s+be\s+(?:imported|used|referenced|required|depended\s+on)\s+(?:from|by|in|inside|within)\s+(?:within\s+)?{_WHO}",
        rf"{_WHO}\s?(?:은|는|이|가|도|에서는?|에서도|쪽에서는?)\s(?:\S+\s)?{_MARKS}이\s?{_KOREAN_UNIT}(?:를|을|에|의\s\S+(?:를|을))?{_MARKS}(?:절대(?:로)?|직접|결코)?{_MARKS}{_KOREAN_DO}{_MARKS}{_KOREAN_NOT}",
        rf"이\s?{_KOREAN_UNIT}(?:를|을|은|는)\s{_WHO}\s?(?:에서|안에서|쪽에서)(?:는|도)?{_MARKS}(?:절대(?:로)?|직접|결코)?{_MARKS}{_KOREAN_DO}{_MARKS}{_KOREAN_NOT}",
        rf"{_WHO}\s?(?:は|から|では)\s?{_MARKS}この(?:モジュール|パッケージ|フォルダ|ディレクトリ|レイヤー?)を?{_MARKS}(?:決して|直接)?{_MARKS}(?:import|インポート|参照|使用|依存)\s?(?:しない|しません|してはいけ|禁止)",
        rf"{_WHO}\s?(?:绝对|絕對)?(?:不得|不能|不要|不可|禁止){_MARKS}(?:import|导入|導入|引入|依赖|依賴|使用|引用){_MARKS}(?:本|此|这个|這個)(?:模块|模組|包|目录|目錄)",
    )
)
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"[A-Za-z@][\w./@-]*")
_JOINTS = frozenset({"and", "or", "nor"})


def bans_of_scope(text: str, places: Places, view: TreeView, files: Sequence[str]) -> tuple[Watch, ...]:
    """The prohibitions of a statement that speak of its own module; none where the tree does not tell who or what is meant.

    Args:
        text: The statement.
        places: Lookup of paths, with the folders of the scope.
        view: The tree.
        files: Files that the scope matches.
    """
    found: dict[Watch, None] = {}
    for who in _said(text):
        for watch in _bans(who, places, view):
            if not occurrences(watch, view, area(watch, view.paths(), files)):
                found[watch] = None
    return tuple(found)


def _said(text: str) -> Iterator[tuple[str, ...]]:
    """Who must not import this module, once for each sentence that says so."""
    line = _SPACE.sub(" ", text)
    for pattern in _SAID:
        for match in pattern.finditer(line):
            yield tuple(name for name in _NAME.findall(match["who"]) if name not in _JOINTS)


def _bans(who: Sequence[str], places: Places, view: TreeView) -> Iterator[Watch]:
    inside = [folder for name in who if (folder := _folder(name, places, view)) is not None]
    own = [f"{one}/" for one in places.folders if one and f"{one}/" not in inside]
    if len(inside) == len(who) and len(own) == 1:
        for folder in inside:
            if not own[0].startswith(folder) and not folder.startswith(own[0]):
                yield Watch(WatchKind.IMPORT, name=own[0], polarity=Polarity.PROHIBITS, inside=(folder,))


def _folder(name: str, places: Places, view: TreeView) -> str | None:
    """The folder that a name means: one of the scope that is called so, else the only one of the tree."""
    plain = name.strip("/")
    for folder in places.folders:
        if folder == plain or basename(folder) == plain:
            return f"{folder}/"
    found = places.find(f"{plain}/")
    return found if found is not None and found.endswith("/") and view.is_folder(found.rstrip("/")) else None
