"""Rules about what a text does not know: guesses, and one person's taste."""

from __future__ import annotations

import re

from gitmem.promotion.case import Case
from gitmem.promotion.prose import first_match
from gitmem.promotion.ruling import RuleResult, failed, needs_human, not_applicable, passed

_CONDITION = r"(?:if|when|whenever|while|what|that|which|who|even|although|though)\b[^.;:]{0,60}?"
"""``Code that seems unused is loaded by name`` knows; so does ``when it seems to hang, …``."""
_GUESSES = (
    re.compile(
        r"(?ix)(?<![\w-])(?:maybe(?!\s*[\[(<]|\ (?:types?|monads?|values?|instances?)\b)|perhaps|probably|presumably|supposedly|apparently|possibly\ (?:because|due|caused|from\ a|the\ (?:cause|reason))"
        r"|i\ (?:guess|suspect|assume)|we\ (?:guess|suspect)|my\ guess|not\ (?:entirely\ |quite\ |really\ )?sure(?!\ to\b)|hard\ to\ (?:say|tell)\ why"
        r"|(?:most\ |very\ |quite\ )?likely\ (?:because|due|caused|related|a\ |an\ |the\ )|unclear\ (?:why|whether|if)"
        r"|might\ be\ \w+(?:ed|en)\b|(?:might|could)\ be\ (?:because|due|caused|related|the\ (?:cause|reason))|seemingly|for\ some\ reason"
        r"|it\ appears\ that|^\s*(?:it\ )?looks\ like|^\s*(?:this|it|that)\ might\ be|^\s*(?:could|might)\ be)(?![\w-])"
    ),
    re.compile(r"(?i)(?<![\w-])(?:seems?|seemed|appears?\s+to\s+\w+|appeared\s+to\s+\w+)(?![\w-])"),
    re.compile(
        r"(?<![가-힣])아마(?:도)?(?=[\s,])|것\s?같(?:다|습니다|아요?|음|은데|네요?|애)(?![가-힣])|(?:인|한|는|은|된|할)\s?듯(?:하다|합니다|함|싶다|싶습니다|\s?하다|\s?합니다)?(?=[\s.,)]|$)"
        r"|(?:지도|는지)\s?(?:모른다|모릅니다|모름|모르겠)|확실(?:하지|치)\s?않|추측(?:이다|입니다|된다|됩니다|됨|한다|합니다|임|$)"
        r"|(?:것으로|으로|로|처럼)\s?보(?:인다|입니다|임)(?![가-힣])|추정(?:된다|됩니다|됨|이다|입니다|임)(?![가-힣])|(?:문제|원인|탓|때문|것)\S{0,4}\s?추정"
        r"|추정\s*(?=[.)]|$)|(?:때문|탓|문제|원인)일\s?수도\s?있|아닐까\s?(?:싶|한다|합니다|생각|$)|왠지|어쩌면|혹시\s?(?:모|몰)"
    ),
    re.compile(
        r"たぶん|多分|おそらく|恐らく|かもしれ(?:ない|ません)|と思われ|気がする|みたい(?:だ|です)|推測(?:だ|です|される)|らしい(?:$|です|。)"
    ),
    re.compile(
        r"也许|也許|或许|或許|大概是|好像是?|似乎|可能是因为|可能是因為|估计是|估計是|猜测|猜測|不确定|不確定"
    ),
)
_SEEMS = re.compile(rf"(?i)\b{_CONDITION}(?:seems?|seemed|appears?\s+to\s+\w+|appeared\s+to\s+\w+)\b")
_QUOTED = re.compile(r"'\w{1,20}'|\"\w{1,20}\"|[‘“「『]\w{1,20}[’”」』]")
"""A word that is spoken of and not said."""
_OPINIONS = (
    re.compile(
        r"(?ix)(?<![\w-])(?:i\ (?:(?:really|personally|still|also)\ )?(?:don['’]t\ (?:like|think|want)|think|prefer|like|love|hate|dislike|feel|believe|find)"
        r"|i['’]d\ (?:rather|prefer|like)|in\ my\ (?:opinion|view|experience)|imh?o|my\ (?:preference|taste|favou?rite)|personally(?=,)|to\ my\ taste)(?![\w-])"
    ),
    re.compile(
        r"개인적(?:으로|인)|(?:내|제|나의|저의)\s?(?:생각|의견|취향|견해|느낌)|(?:나는|저는|난|전)\s[^.]{0,40}(?:좋아|좋다|선호|싫|생각)|(?:내가|제가)\s?보기(?:에|엔)|취향(?:이|에|상|으로|$)|마음에\s?(?:든|들)"
    ),
    re.compile(r"個人的に|(?:私|僕|俺)(?:は|としては)[^。]{0,40}(?:思|好|嫌)|私見|私の(?:意見|好み|考え)"),
    re.compile(
        r"(?:我|个人|個人)(?:觉得|覺得|认为|認為|喜欢|喜歡|偏好|更喜)|在我看来|在我看來|我的(?:看法|意见|意見|偏好)"
    ),
)


def unverified_guess(case: Case) -> RuleResult:
    """Words of doubt, or no evidence where its type asks for some."""
    rule = "unverified_guess"
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not deny it")
    if said := first_match(_GUESSES, _SEEMS.sub(" ", _QUOTED.sub(" ", case.text))):
        return failed(rule, f"it says “{said}”", "find out, then say it without doubt")
    if case.type in case.policy.require_evidence and not case.facts.proofs:
        return failed(rule, f"a {case.type} without evidence is a guess", "--evidence REF")
    return passed(rule)


def personal_opinion(case: Case) -> RuleResult:
    """One person's taste; as a team's way of working it may stand."""
    rule = "personal_opinion"
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not deny it")
    if case.type == "team_workflow_rule":
        return not_applicable(rule, "a team may agree on a taste")
    if said := first_match(_OPINIONS, case.text):
        return needs_human(
            rule, f"it says “{said}”", "say the reason instead, or make it a team_workflow_rule"
        )
    return passed(rule)
