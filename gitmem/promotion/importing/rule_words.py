"""By which words a sentence tells a rule, and by which it is only prose: English, Korean, Japanese and Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gitmem.drift.words import TokenKind, code_tokens

_IMPERATIVES: Final = (
    "add adhere adopt annotate append apply ask assert assume attach avoid await backport base be begin bind block bump cache call capture catch check choose "
    "clean clear close commit compare compose configure confirm consider construct convert copy create declare default define delegate delete deploy derive "
    "design disable do document don't edit emit enable encode ensure escape exclude export expose extend extract fail fall favor favour fetch filter fix follow "
    "format gate generate give group guard handle hash hide hoist honor import include increment inherit initialize inject inline install invoke isolate join "
    "keep launch leave limit link list load localize lock log look maintain make map mark match memoize merge migrate minimize mirror mock move name nest never "
    "normalize note omit only open organize override parse pass persist pick pin place populate prefer prefix preserve prevent propagate provide pull push put "
    "quote raise re-export re-run read rebase rebuild record redact refactor refer regenerate register reject release rely remember remove rename render reorder "
    "replace report request require rerun reserve resolve respect restart restrict retry return reuse revert review rotate round run sanitize save scope select "
    "send separate serialize set share show sign skip sort specify split squash stage start stick stop store stub structure subclass suffix surface switch sync "
    "tag target test throw track translate treat trigger trim trust try type update upgrade use validate verify version wait watch work wrap write"
)
_OPENS: Final = re.compile(
    rf"(?i)^\W*(?:(?:please|always|never|instead|then|also|first|finally|when\s[^,]{{2,60}},|if\s[^,]{{2,80}},|for\s[^,]{{2,60}},|in\s[^,]{{2,60}},|before\s[^,]{{2,60}},|after\s[^,]{{2,60}},|unless\s[^,]{{2,60}},)\s+)*"
    rf"(?:{'|'.join(re.escape(word) for word in _IMPERATIVES.split())})(?![\w/.=(-])(?!\s*(?:=|:|\||—|–|->|→))"
)
_MODAL: Final = re.compile(
    r"(?i)\b(?:must|shall|should|never|cannot|may\snot|mustn['’]t|shouldn['’]t|don['’]t|do\snot|can['’]t|need(?:s)?\sto|have\sto|has\sto|required?(?=\s(?:to|for|in|by)\b)|"
    r"is\srequired|are\srequired|forbidden|prohibited|not\sallowed|disallowed|only\s(?:in|for|when|if|use|via|through|by|from|the|allowed)|avoid|"
    r"always|prefer(?:red)?|instead\sof|rather\sthan|by\sconvention|no\s(?:direct|new|default|inline|raw|hard-?coded|global)\b|is\snot\s(?:supported|safe|thread-safe)|are\snot\s(?:supported|safe))(?![\w-])"
)
_REASON: Final = re.compile(
    r"(?i)\b(?:otherwise|or\selse|because|so\sthat|breaks?|will\sfail|fails\s(?:if|when|without|silently)|causes?|leads\sto|results\sin|gotcha|caveat|beware|watch\sout|careful|"
    r"deadlocks?|silently|race\scondition|not\sthread-safe|is\scritical|depends\son\sthe\sorder)\b"
)
_GERUND: Final = re.compile(r"^\W*[A-Z]?[a-z]+ing\s(?!code\b|tests?\b)")
_MUST: Final = re.compile(r"(?i)\b(?:must|never|should|always|do\snot|don['’]t|cannot|only)\b")
_KOREAN: Final = re.compile(
    r"(?:해야|하여야|어야|아야|여야)\s?(?:한다|합니다|함|하며|하고|됩니다|된다)|(?:하|쓰|두|넣|만들|호출하|사용하|지키|따르|추가하)(?:라|자|세요|십시오)|지\s?(?:않는다|않습니다|않음|말\s?것|말아야|마세요|마라|말라|않도록)|금지|하면\s?안\s?(?:된다|됩니다|됨)"
    r"|(?:반드시|항상|절대|절대로|무조건|가급적|오직)\s|(?:대신|말고)\s[^.]{1,40}(?:쓴다|사용|한다|쓰)|것(?:\.|$)|(?:한다|된다|둔다|쓴다|는다|든다|낸다|긴다|린다|난다|친다|진다)(?:\.|$)|(?:합니다|됩니다|습니다)(?:\.|$)|(?:사용|유지|준수|작성|실행|확인|추가|필수|권장|필요)(?:\.|$)"
)
_JAPANESE: Final = re.compile(
    r"ください|べき|必須|禁止|避け(?:る|ます|て)|いけ(?:ない|ません)|な(?:ければ|らない)|必ず|絶対に|原則|しないこと|すること(?:[。\s]|$)|こと(?:。|$)"
)
_JAPANESE_DOES: Final = re.compile(
    r"(?:する|します|しない|しません|使う|使わない|使いません|書く|書きます|書きません|置く|置きます)(?:[。\s]|$)"
)
_JAPANESE_TOPIC: Final = re.compile(r"(?<![でにと合際時])は")
_CHINESE: Final = re.compile(
    r"必须|必須|应该|應該|应当|不要|不得|不能|不可|禁止|避免|务必|務必|优先|優先|始终|始終|只能|仅在|僅在|总是|總是|请勿|請勿|切勿|需要|建议使用|建議使用|^(?:使用|遵循|保持|确保|確保|运行|運行)"
)
_FLUFF: Final = re.compile(
    r"(?i)^\W*(?:this\s(?:file|document|guide|section|page|repo(?:sitory)?|project|rule|skill)\s(?:points?|provides?|contains?|describes?|defines?|is|explains?|covers?|outlines?|lists?)|see\s(?:also\s)?(?:the\s)?[`\[(]|see\s(?:the\s)?\S+\s(?:for|file)|"
    r"for\s(?:more|further|full|additional)\s(?:details|information|info)|refer\sto\b|read\s(?:the|this)\s|you\sare\s(?:an?|the)\b|welcome|as\san\s(?:ai|expert)|here\s(?:is|are)\b|the\sfollowing\b|below\s(?:is|are)\b|"
    r"note\sthat\sthis\s(?:file|document)|todo\b|tbd\b|example:|examples?\b.{0,30}:$|e\.g\.)|^\W*(?:이\s?(?:문서|파일|저장소|프로젝트)(?:는|은|에서는)\s|자세한\s?(?:내용|것)은|다음은|아래는|예시?:|참고:)|^\W*(?:このファイル|このドキュメント|詳細は|以下)|^\W*(?:本文件|本文档|详见|以下)"
)
_SPEAKER: Final = re.compile(
    r"(?i)\b(?:claude\scode|claude\.ai|copilot|cursor|the\s(?:assistant|agent|model|ai|llm)|your\s(?:response|answer|reply|output|knowledge)|the\suser['’]?s?\s(?:ask|request|want|question|own\s|instruction|says|explicitly|may\snot)|(?:ask|tell|with|unless|inform|remind|from)\sthe\suser\b|"
    r"\bskills?\b(?!\sissue)|think\sstep|ultrathink|be\s(?:concise|brief|helpful|thorough|proactive)|do\swhat\shas\sbeen\sasked|todo\s?list|(?:your|a|each|every)\sturn\b|go\sidle|\byourself\b|human\shandoff|hallucinat|guess(?:ing)?\s|gather(?:ing)?\scontext|\bthis\s(?:file|guide|document)\b|AGENTS\.md|CLAUDE\.md|GEMINI\.md|sub-?agents?|slash\scommand|plan\smode|context\swindow|system\sprompt|commit\sattribution|co-authored-by)"
)
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_HANGUL: Final = re.compile(r"[가-힣]")
_KANA: Final = re.compile(r"[ぁ-ヿ]")
_BAD: Final = re.compile(
    r"(?i)^\W*(?:❌|✗|✖|🚫|bad\b|wrong\b|incorrect\b|don['’]?t:)|^\W*(?:✅|✓|✔|good\b:|correct\b:)"
)
_PITFALL: Final = re.compile(
    r"(?i)\b(?:gotcha|pitfall|beware|watch\sout|careful|caveat|trap|known\sissue|silently|deadlock|footgun|common\smistakes?|do\snot|don['’]t|never|avoid)\b|주의|함정|금지|절대|지\s?(?:않|말|마)|注意|禁止|不要|切勿"
)
_WORD: Final = re.compile(r"[\w`'’./-]+")
_LEAST_WORDS: Final = 4
_LEAST_LETTERS: Final = 10
SHORTEST: Final = 18


def tells_rule(text: str) -> bool:
    """Whether a sentence tells what to do or what happens else, and not what the document is about."""
    plain = text.strip()
    if _FLUFF.search(plain) or plain.endswith((":", "：")) or not is_long_enough(plain):
        return False
    if _HANGUL.search(plain):
        return _KOREAN.search(plain) is not None or _is_english_rule(plain)
    if _KANA.search(plain):
        return _JAPANESE.search(plain) is not None or (
            _JAPANESE_DOES.search(plain) is not None and not _JAPANESE_TOPIC.search(plain)
        )
    if _CJK.search(plain):
        return _CHINESE.search(plain) is not None
    return _is_english_rule(plain)


def _is_english_rule(text: str) -> bool:
    if _DEPENDENT.match(text) or (_GERUND.match(text) and not _MUST.search(text)):
        return False
    return bool(_OPENS.search(text) or _MODAL.search(text) or (_REASON.search(text) and "`" in text))


def is_about_agents(text: str) -> bool:
    """Whether it tells an assistant how to behave in a conversation: nothing that a project knows."""
    return _SPEAKER.search(text) is not None


def is_sample(text: str) -> bool:
    """Whether it shows good or bad code and says nothing by itself."""
    return _BAD.search(text) is not None and not tells_rule(re.sub(r"^\W*\w+\W*", "", text))


_DEPENDENT: Final = re.compile(r"(?i)\W*(?:it|they|these|those|he|she|which|the\s(?:former|latter|above))\s")
_PROCEDURE: Final = re.compile(
    r"(?i)\b(?:troubleshoot\w*|common issues|setup|set-up|install\w*|getting started|quick ?start|overview|usage|playbooks?|steps?|how to|how it works|commands?|prerequisites|local development|examples?|development environment|features?|workflow)\b|설치|시작하기|개요|사용법|セットアップ|概要|使い方|安装|快速开始|概述"
)
_STRONG: Final = re.compile(
    r"(?i)\b(?:must|never|always|only|cannot|do\snot|don['’]t|should|because|otherwise|instead\sof|rather\sthan|avoid)\b"
)
_RULES: Final = re.compile(
    r"(?i)\b(?:rules?|guidelines?|conventions?|principles?|style|standards?|practices?|constraints?|requirements?|do(?:s|n'ts?)?|pitfalls?|gotchas?|important|critical|notes?)\b|규칙|원칙|지침|규약|주의|컨벤션|ルール|規約|原則|注意|规则|规范|原则"
)
_LISTED_COMMAND: Final = re.compile(
    r"^\W{0,40}(?:[\w/().-]{1,80}\s){0,7}?[\w/().-]{1,80}(?::|\s(?:with|via|using|by))\s*`[^`]+`\W*$|^\W*`[^`]+`\s*(?:[-–—:=#]|→|->)"
)


def is_step(text: str, headings: Sequence[str], *, is_numbered: bool) -> bool:
    """Whether an item is a step of doing something once, and no rule that always holds: numbered, or under such a heading."""
    if _STRONG.search(text) or any(_RULES.search(one) for one in headings[-2:]):
        return False
    return is_numbered or any(_PROCEDURE.search(one) for one in headings[-2:])


def lists_command(text: str) -> bool:
    """Whether it only says which command does what, or what lies at a path."""
    return _LISTED_COMMAND.search(text) is not None and _STRONG.search(text) is None


_POINTER: Final = re.compile(
    r"(?i)^\W*(?:see|refer to|read|check|consult|follow|review|use)\b[^.]{0,120}(?:@[\w./~-]+|[\w./-]+\.mdc?`?)(?:\W|\b.{0,60}$)"
)
_VAGUE: Final = re.compile(
    r"(?i)\b(?:appropriate(?:ly)?|proper(?:ly)?|clear(?:ly)?|clean|consisten(?:t|tly|cy)|descriptive|meaningful|efficient(?:ly)?|best practices|maintainab(?:le|ility)|readab(?:le|ility)|"
    r"well[- ](?:structured|documented|named|tested|organi[sz]ed)|good|high[- ]quality|idiomatic|simple|thorough(?:ly)?|comprehensive|relevant|robust|gracefully|carefully|concise|helpful|existing patterns)\b"
    r"|적절(?:히|한|하게)|명확(?:히|한|하게)|깔끔|일관(?:된|성|되게)|가독성|의미\s?있는|適切|明確|一貫|清晰|适当|一致|可读性"
)
_LEAST_TELLING: Final = 14


def points_elsewhere(text: str) -> bool:
    """Whether it only says which document to read."""
    return _POINTER.search(text) is not None


def is_general(text: str) -> bool:
    """Whether it is advice that holds in every project: no name, no number, and words such as ``properly``."""
    if _VAGUE.search(text) is None or re.search(r"[`\d]", text) or len(text.split()) > _LEAST_TELLING:
        return False
    return not any(token.kind is not TokenKind.PRODUCT or token.start for token in code_tokens(text))


def warns(text: str) -> bool:
    """Whether it warns of something, so that it is a pitfall."""
    return _PITFALL.search(text) is not None


def is_long_enough(text: str) -> bool:
    if _CJK.search(text):
        return len(text) >= _LEAST_LETTERS
    return len(text) >= SHORTEST and len(_WORD.findall(text)) >= _LEAST_WORDS
