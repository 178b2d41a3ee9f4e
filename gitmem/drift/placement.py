"""Statements that only say where something belongs: "add endpoints in `api/`, not in components", "listed in `X` – add it there".

They rest on the place itself; what is in it may change, as it does whenever somebody does as they say.
"""

from __future__ import annotations

import re

LONGEST = 240
_PLACE = r"(?:`(?=[^`\n./]*+[./])[^`\n]*+`|\[`?[^`\]\n]{0,300}`?\]\([^)\s:]{1,300}\))"
_VERB = (
    r"(?:add|append|create|declare|define|document|file|go|keep|list|live|place|put|record|register|reside|sit|store|write"
    r"|belong|collect)(?:e?s|e?d|ing)?"
)
_THERE = re.compile(
    rf"(?ix)(?:^|\b) (?:please\s+)? {_VERB}\b [^.]{{0,60}}? \b(?:there|here)\b [\s.!]* $ | (?:거기|여기|그곳)에\s[^.]{{0,40}}?(?:추가|넣|둔|등록)"
)
_ENGLISH = re.compile(
    rf"(?i)\b{_VERB}\b(?:(?!{_PLACE})[^.]){{0,80}}?\b(?:in|into|to|under|inside|at)\s+(?:the\s+)?{_PLACE}"
)
_KOREAN = re.compile(
    rf"{_PLACE}\s?(?:파일|폴더|디렉터리|안)?(?:에|로|으로)\s?(?:[^.\s]+\s){{0,4}}?(?:추가|둔다|둔\s|두고|두며|넣|만든|만들|작성|등록|정리|모아|기록|있다|있습|적는|적어|쓴다)"
)
_EDITED = re.compile(
    rf"(?i)(?:^|\b)(?:please\s+)?(?:edit|update|adjust|customi[sz]e|modify)\s+(?:the\s+)?{_PLACE}|{_PLACE}\s?(?:파일)?(?:을|를)\s?(?:편집|수정|고치|고친|업데이트)"
    rf"|{_PLACE}\s?(?:ファイル)?を(?:編集|修正|更新)|(?:编辑|修改|編輯)\s?{_PLACE}"
)
"""Which file is to be edited."""
_ASIDE = re.compile(
    rf"(?i)[,(–—-]?\s{{0,9}}(?:and\s+)?(?:not|never|rather\s+than|instead\s+of)\s+(?:in(?:to|side)?|to|under|at)?\s*(?:the\s+)?(?:{_PLACE}|[\w/-]+)\)?"
    rf"|{_PLACE}(?:이|가)?\s?아니라|{_PLACE}(?:이|가)\s아닌"
)
_MORE = re.compile(
    r"(?i)\d|\b(?:after|because|before|each|every|exactly|first|if|only|order|sorted|then|unless|when|which|while|whose|with|without"
    r"|alphabetical\w*|must\s+(?:be|have)|returns?|calls?|uses?)\b|순서|먼저|경우|면\s|때\s|마다|각각|모두|반드시|않|없|만\s"
)
_SENTENCES = re.compile(r"(?<=[.!?。])\s+|\n+|;\s+|\s[–—-]\s")


def says_placement(text: str) -> bool:
    """Whether all that a text says is in which file or folder something belongs."""
    if len(text) > LONGEST:
        return False
    said = [one for one in _SENTENCES.split(text.strip()) if one.strip(" .")]
    placed = [_is_placement(one) for one in said]
    return any(placed) and all(
        fits or _THERE.search(one) is not None for fits, one in zip(placed, said, strict=True)
    )


def _is_placement(sentence: str) -> bool:
    plain = _ASIDE.sub("", sentence)
    if not any(said.search(plain) for said in (_ENGLISH, _KOREAN, _EDITED)):
        return False
    return _MORE.search(re.sub(_PLACE, "", plain)) is None
