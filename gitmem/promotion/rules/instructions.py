"""Text that reads as an order to an agent rather than as a fact about the project (targets.md, security 4)."""

from __future__ import annotations

import re

from gitmem.model.text_folding import hidden_characters
from gitmem.promotion.case import Case
from gitmem.promotion.prose import MAX_TEXT, shorten
from gitmem.promotion.ruling import RuleResult, needs_human, passed

_ORDERS = re.compile(
    r"""(?ix)
      \b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|every|these|those|previous|prior|earlier|above|other|system)\s+){1,4}(?:instructions?|rules?|prompts?|guidelines?|directives?|messages?)\b
    | (?:^|[.!?:\n]\s{0,20})you\s+are\s+(?:an?\s+(?:ai|assistant|agent|helpful|expert|language\s+model)|no\s+longer)\b | \byou\s+are\s+now\b | \bfrom\s+now\s+on,?\s+you\b
    | \b(?:reveal|print|show|repeat|leak|output)\s+(?:me\s+)?(?:the|your)\s+(?:system|developer)\s+(?:prompt|message)\b | \bact\s+as\s+(?:an?|the)\s+(?:ai|assistant|admin\w*|root|expert|developer|different)\b
    | \bpretend\s+(?:to\s+be|you|that\s+you) | \bas\s+an\s+ai\b | \bas\s+(?:an|the)\s+(?:ai|assistant|agent)\b,?\s+you\b | \b(?:always|only)\s+(?:respond|reply|answer)\s+with\b | \bbefore\s+(?:answering|responding|replying)\b | \b(?:whoever|anyone\s+who|any\s+agent\s+(?:that|who))\s+reads\s+this\b
    | \b(?:do\s+not|don['’]t|never)\s+(?:mention|reveal|disclose)\s+(?:this|these)\s+(?:rules?|instructions?|notes?|memor(?:y|ies)|prompts?)\b | \bdo\s+anything\s+now\b | \bjailbreak
    | \b(?:do\s+not|don['’]t|never)\s+(?:tell|inform|mention\s+\w+\s+to|reveal\s+\w+\s+to|show)\s+(?:\w+\s+){0,2}(?:the\s+)?(?:user|human|reviewer|person|developer|maintainers?)\b
    | \b(?:without|no\s+need\s+to)\s+(?:ask(?:ing)?|tell(?:ing)?|inform(?:ing)?)\s+(?:\w+\s+){0,2}(?:the\s+)?(?:user|human|person|anyone|permission|approval|confirmation)\b
    | \byou\s+(?:must|should|have\s+to|need\s+to)\s+(?:now|immediately|first|silently|secretly)\s+(?:execute|run|call|invoke|send|post|upload|download|fetch|email|reply|respond|output|print|approve|merge|delete)\b
    | \b(?:curl|wget)\b[^|\n]{1,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b | \b(?:eval|exec)\s*\(\s*(?:atob|base64|requests\.get|fetch)
    | \b(?:send|upload|post|exfiltrate|leak|email)\b[^.\n]{0,60}\b(?:credentials?|secrets?|api\s?keys?|tokens?|\.env|environment\s+variables?|private\s+keys?)\b[^.\n]{0,40}\b(?:to|via)\b
    | </?(?:system|tool_call|function_call|instructions?|important|admin|assistant)(?:\s[^<>]{0,80})?>
    """
)
_ORDERS_CJK = re.compile(
    r"(?:이전|앞선|앞의|위의|기존|모든|다른)\s?(?:모든\s)?(?:지시|명령|규칙|프롬프트|지침|안내)[^.\n]{0,8}?(?:무시|잊|따르지|어기)|(?:너는|당신은|넌)\s?(?:이제|지금부터|앞으로|AI|인공지능)|지금부터\s?(?:너|당신|넌)"
    r"|(?:사용자|유저|사람|개발자|리뷰어|검토자)(?:에게|한테)[^.\n]{0,12}?(?:말하지|알리지|보이지|묻지|보여주지)\s?(?:말|마)|(?:묻지|확인하지|허락\s?받지)\s?(?:말고|않고)\s?[^.\n]{0,20}?(?:실행|삭제|배포|전송|푸시)|(?:항상|무조건)\s?\S{0,10}(?:로|라고)\s?(?:만\s?)?답(?:하라|해라|한다|하세요|할\s?것)|시스템\s?프롬프트(?:를|을)\s?(?:무시|출력|공개|말)"
    r"|(?:비밀번호|토큰|인증\s?정보|자격\s?증명|API\s?키|환경\s?변수|비밀\s?키)[^.\n]{0,20}?(?:전송|보내|업로드|유출|출력)(?:하라|해라|하세요|해\s?줘|할\s?것|한다)"
    r"|(?:以前|これまで|上記|すべて|全て)の(?:指示|命令|ルール|プロンプト)[^。]{0,6}?(?:無視|忘れ)|あなたは(?:今から|これから|AI)|ユーザーに[^。]{0,10}?(?:言わ|知らせ|伝え)(?:ない|ず)"
    r"|(?:忽略|无视|無視|忘记|忘記)[^。]{0,6}?(?:之前|以上|先前|所有|上面|任何)[^。]{0,4}?(?:指令|指示|规则|規則|提示|命令)|你现在是|你現在是|从现在起|從現在起|不要(?:告诉|告訴|通知)(?:用户|使用者|用戶)"
)


def instruction_like(case: Case) -> RuleResult:
    """An order to whoever reads it, or characters that hide what is read."""
    rule, text = "instruction_like", case.delivered[:MAX_TEXT]
    cure = "a person reads it; say a fact about the project instead"
    for pattern in (_ORDERS, _ORDERS_CJK):
        if found := pattern.search(text):
            return needs_human(rule, f"it reads as an order to an agent: “{shorten(found.group())}”", cure)
    hidden = next(iter(hidden_characters(text)), None)
    if hidden is not None:
        return needs_human(rule, f"it holds a hidden character, U+{ord(hidden[1]):04X}", "remove it")
    return passed(rule)
