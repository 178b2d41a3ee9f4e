"""Rules about ways around: what holds for a while only, and what makes checks weaker."""

from __future__ import annotations

import re

from gitmem.promotion.case import Case
from gitmem.promotion.prose import sentences, shorten
from gitmem.promotion.ruling import RuleResult, failed, held, needs_human, not_applicable, passed

TEMPORARY = "temporary_workaround"
_NEAR = 60
"""Characters around a word in which its denial stands."""
_WORKAROUNDS = (
    re.compile(
        r"(?ix)(?<![\w-])work-?arounds?(?![\w-])"
        r"|(?<![\w-])(?:for\ now|for\ the\ time\ being|stop-?gap|band-?aid|quick(?:\ and\ dirty)?\ fix|dirty\ hack|(?:ugly|temporary|quick|nasty)\ hack)(?![\w-])"
        r"|(?<![\w-])temporar(?:y|ily)\ (?:fix|patch|solution|measure|disabl\w+|pinn\w+|pin|revert\w*|turn\w*\ off|switch\w*\ off|comment\w*\ out)(?![\w-])"
        r"|\buntil\ (?:upstream|the\ (?:bug|issue|upstream|fix|vendor|upgrade|migration|new\ version|patch|refactoring)|(?:issue\ )?\#\d+|version|v\d|a\ fix)\b[^.;]{0,60}?\b(?:is\ |are\ |has\ been\ |gets\ )?(?:fixed|released|resolved|merged|done|complete|ships?|lands?|out)\b"
    ),
    re.compile(
        r"임시\s?(?:방편|조치|해결|우회|대응|처방|변통|수정|패치|땜)|임시로\s?\S{0,12}\s?(?:막|우회|해결|처리|고[쳐친]|되돌|끄|꺼|끈|비활성|고정)"
        r"|우회책|우회법|우회\s?(?:방법|로\s?해결)|(?:업그레이드|마이그레이션|패치|배포|릴리[스즈])\s?(?:전까지|(?:될|할|되기|하기)\s?(?:때|전)까지)|급한\s?대로|당분간|땜빵|땜질|꼼수|미봉책|(?:고쳐|수정|해결|배포|릴리[스즈])(?:될|질|할)\s?때까지"
    ),
    re.compile(r"暫定(?:対応|的|処置|措置|策)|回避策|応急|とりあえず|当面(?:は|の間)|修正される?まで"),
    re.compile(
        r"(?:临时|臨時|暂时|暫時)(?:方案|解决|解決|修复|修復|措施|绕过|繞過|关闭|關閉|禁用|处理|處理)|权宜|權宜|变通(?:办法|方法)|變通|先这样|先這樣"
    ),
)

_NO_LONGER = re.compile(
    r"(?i)(?:(?<=\w)n['’]t|\b(?:no|not|never|cannot|without|avoid|instead\s+of|rather\s+than))\b[^.;:,–—]{0,30}$|\b(?:old|former|earlier|removed|any)\s+$"
)
_CHECK = (
    r"(?:(?:unit|contract|e2e|end-to-end|integration|smoke|regression|flaky|failing|slow|acceptance|type|lint|security|license|coverage|signature|hash|checksum)[\s-]?)?"
    r"(?:tests?|test\s?suites?|checks?|verif(?:y|ication|ier)s?|validations?|assertions?|asserts?|lint(?:er|ing)?s?|ci(?:\s(?:job|step|checks?))?|code\s?reviews?|reviews?|pre-?commit(?:\shooks?)?|hooks?|type[\s-]?check(?:s|ers?|ing)?|gates?|e2e|scan(?:s|ner|ning)?)"
)
_STOPS = r"(?:in|for|during|from|by|with|when|if|on|at|before|after|unless|until|so|because|since|while|inside|within|under|as|of|to|and|or|but|then)"
_LOOSEN = r"(?:skip(?:s|ped)?|ignor(?:e|es|ed)|disabl(?:e|es|ed)|bypass(?:es|ed)?|suppress(?:es|ed)?|mut(?:e|es|ed)|omit(?:s|ted)?|circumvent(?:s|ed)?|turn(?:s|ed)?\soff|switch(?:es|ed)?\soff|comment(?:s|ed)?\sout|leave(?:s)?\sout|xfail)"
_LOOSENED = r"(?:skipped|ignored|disabled|bypassed|suppressed|muted|omitted|turned\soff|switched\soff|commented\sout|left\sout)"
_FORBIDDEN = re.compile(
    r"(?i)(?:\bn['’]t|(?<=\w)n['’]t|\b(?:never|not|cannot|no|nobody|nothing|without|avoid|forbid\w*|prohibit\w*|refuse\w*|reject\w*|instead\sof|rather\sthan|stop|must\snot|if|when|whenever|whoever|that|which|who|once|unless))\b[^.;:]{0,40}$"
)
_WEAKER = re.compile(
    rf"(?ix)(?<![\w-]){_LOOSEN}\s+(?:(?!{_STOPS}\b)[\w'/-]+\s+){{0,3}}?{_CHECK}(?![\w-])"
    rf"|(?<![\w-]){_CHECK}\s+(?:(?:that|which)\s[^.;:,]{{1,40}}\s)?(?:(?:can|may|should|must|could|will)\s+(?:safely\s+)?be|(?:is|are|get|gets)(?:\s+(?:safely|simply|just|always))?)\s+{_LOOSENED}(?![\w-])"
    rf"|(?:don['’]t|do\s+not|no\s+need\s+to|need\s+not)\s+(?:run|execute)\s+(?:(?!{_STOPS}\b)[\w'/-]+\s+){{0,3}}?{_CHECK}(?=\s*(?:[,.;:]|$)|\s+(?:for\s+small|because|since|every\s+time)\b)"
    r"|\bmark\w*\s+(?:\w+\s+){0,3}tests?\s+(?:as\s+)?(?:skip\w*|xfail|ignored)\b"
    rf"|\b(?:remove|delete|drop)\s+(?:(?:the|any|all|every)\s+)?(?:failing|flaky|broken|red)\s+{_CHECK}(?![\w-])"
    r"|\b(?:lower|reduce|relax|loosen)\s+(?:the\s+)?(?:coverage|quality|lint|test)\s+(?:threshold|gate|limit|bar)\b"
    r"|\b(?:merge|push|deploy|release)\s+(?:\w+\s+){0,3}without\s+(?:(?:a|any|code)\s+)?(?:reviews?|tests?|ci|checks?)\b"
    r"|(?<![\w-])--no-verify(?![\w-])|\[skip\ ci\]"
)
_CHECK_KOREAN = r"(?:테스트|시험|검증|검사|체크|확인\s?절차|린트|린터|타입\s?체크|리뷰|커밋\s?훅|훅|게이트|CI|e2e|E2E|lint|assert\w{0,12}|단언)"
_WEAKER_KOREAN = re.compile(
    rf"{_CHECK_KOREAN}[^.;,\n]{{0,12}}?(?:생략|스킵|무시|비활성화|제외|우회|주석\s?처리)"
    r"(?:한다|합니다|하고|해도|하자|하라|하세요|하기로|할\s?것|해\s?둔다|해\s?두|함|하여|했다|된다|됩니다|해야|\s?가능|(?=\s*[.)]|\s*$))"
    rf"|{_CHECK_KOREAN}[^.;,\n]{{0,12}}?(?:건너뛴다|건너뜁니다|건너뛰고|건너뛰어|건너뛰자|건너뛸\s?것|건너뜀|건너뛰기로|끈다|끕니다|끄고|꺼도|꺼\s?둔|꺼둔|안\s?돌려도|뺀다|뺍니다|빼고|빼도)"
)
_UNCHECKED_KOREAN = re.compile(
    rf"{_CHECK_KOREAN}[^.;\n]{{0,20}}?(?:돌리지|실행하지|수행하지|받지|거치지|하지)\s?않아도\s?(?:된다|됩니다|돼|괜찮)"
    r"|(?:리뷰|테스트|검증|검토|승인)\s?없이\s?\S{0,8}\s?(?:병합|머지|배포|푸시|릴리[스즈])(?:한다|합니다|해도|하고|할\s?수\s?있)"
)
_FORBIDDEN_KOREAN = re.compile(
    r"^[^.;]{0,14}?(?:않|말\s?것|말아|지\s?마|안\s?된|안\s?됩|안\s?돼|금지|못\s?하|수\s?없|때\s?(?:문|는)|경우)"
)
_WEAKER_JAPANESE = re.compile(
    r"(?:テスト|検証|チェック|確認|リント|レビュー)(?:を|は|が)?[^。、]{0,6}?(?:省略|スキップ|無視|無効(?:化|に)?|飛ば)"
    r"(?!し(?:ない|ません|なく|てはいけ|てはなら)|せず|さない|され|禁止|すると|すれば)"
)
_WEAKER_CHINESE = re.compile(
    r"(?<!不要)(?<!不得)(?<!不能)(?<!不可)(?<!禁止)(?<!切勿)(?<!别)(?<!不应)(?:跳过|跳過|忽略|禁用|省略|绕过|繞過|关闭|關閉|停用)(?:了|掉)?[^，。；]{0,6}?(?:测试|測試|检查|檢查|验证|驗證|校验|校驗|lint|CI|审查|審查)"
)


def one_off_workaround(case: Case) -> RuleResult:
    """A way around that says no end; a ``temporary_workaround`` passes only with ``expires_at``."""
    rule, expires = "one_off_workaround", case.memory.expires_at
    if case.type == TEMPORARY:
        if expires is None and not case.is_file:
            expires = case.policy.due(case.type, case.facts.today)  # as its file will say
        if expires is None:
            return held(rule, "a temporary workaround that never expires", "--expires DATE")
        return passed(rule, f"it expires {expires.isoformat()}")
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not reject it")
    said = _way_around(case.text)
    if not said:
        return passed(rule)
    if expires is not None:
        return passed(rule, f"it says “{said}” and expires {expires.isoformat()}")
    return failed(
        rule,
        f"it says “{said}” and has no end",
        f"--type {TEMPORARY} --expires DATE, or say the lasting rule",
    )


def _way_around(text: str) -> str:
    """The words that say that it holds for a while only; empty when none do, or when they are denied."""
    for sentence in sentences(text):
        for pattern in _WORKAROUNDS:
            for found in pattern.finditer(sentence):
                before = sentence[max(0, found.start() - _NEAR) : found.start()]
                after = sentence[found.end() : found.end() + _NEAR]
                if not _NO_LONGER.search(before) and not _FORBIDDEN_KOREAN.search(after):
                    return shorten(found.group())
    return ""


def weakens_verification(case: Case) -> RuleResult:
    """A lesson by which something would be checked less: only a person may say so."""
    rule = "weakens_verification"
    if said := weaker(case.text):
        return needs_human(
            rule, f"it would weaken a check: “{said}”", "a person agrees, or say what to fix instead"
        )
    return passed(rule)


def weaker(text: str) -> str:
    """The words by which a check would be skipped, ignored or disabled; empty when none do."""
    for sentence in sentences(text):
        for found in _WEAKER.finditer(sentence):
            if not _FORBIDDEN.search(sentence[max(0, found.start() - _NEAR) : found.start()]):
                return shorten(found.group())
        for found in _WEAKER_KOREAN.finditer(sentence):
            if not _FORBIDDEN_KOREAN.search(sentence[found.end() : found.end() + _NEAR]):
                return shorten(found.group())
        for pattern in (_UNCHECKED_KOREAN, _WEAKER_JAPANESE, _WEAKER_CHINESE):
            if match := pattern.search(sentence):
                return shorten(match.group())
    return ""
