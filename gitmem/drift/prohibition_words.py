"""The patterns by which a statement prohibits: English, Korean, Japanese, Chinese.

All are matched on text in which each character of a name is `STAND_IN`, so that a name is never read as words.
"""

from __future__ import annotations

import re

from gitmem.drift.claims import STAND_IN

SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?:\s|$)|[;；]|\n\s*\n|\n(?=\s*[-*|])")
NOT_ONLY = re.compile(r"(?i)\bnot\s+only\b")

# what is done
IMPORTS = re.compile(
    r"(?i)\bimport|\bdepend|\brequir|\binclud|\breferenc|\bknow|\breach|\bindependent|import|임포트|의존|참조|가져|불러|インポート|依存|导入|導入|引入|依赖|依賴"
)
ADDS = re.compile(r"(?i)\badd|\binstall|\bintroduc|추가|도입|설치|追加|添加")
OTHER = re.compile(
    r"(?i)\b(?:commit|mock|return|rais|throw|catch|log|writ|pass|contain|hard-?cod|expos|export|enabl|run|creat|see)"
    r"|커밋|반환|던지|노출|모킹|만들"
)
IMPORT_NOUN = re.compile(r"(?i)\bimport(?:s|ing)?\b|\bdependenc(?:y|ies)\b|\bdepend(?:s|ing)?\b")
TAKEN_FROM = re.compile(r"(?i)\bimport\w*+\s(?:(?!\bfrom\b|\bimport)[^.])*+\bfrom\b")

_USE = (
    r"(?:(?:use|call|import|invoke|reference|instantiate|create|add|introduce|include|require|install|commit|mock|extend|subclass|export|expose|"
    r"pass|enable|return|raise|throw|catch|log|write|access|see|contain|run|consume|talk\s+to)s?|"
    r"using|used|calling|importing|invoking|depends?(?:ing)?\s+(?:up)?on|rel(?:y|ies|ying)\s+(?:up)?on|referencing|instantiating|creating|adding|"
    r"introducing|including|requiring|installing|committing|mocking|extending|inherit(?:s|ing)?\s+from|subclassing|exporting|exposing|"
    r"passing|enabling|returning|raising|throwing|catching|logging|writing|reach(?:es)?\s+(?:for|into)|"
    r"hard-?codes?|accessing|knows?\s+(?:about|of)|have|has|touch\s+the|go\s+through|running)"
)
_NOT = r"(?:must|should|shall|do|does|may|can|will|to|is|are)(?:\s+not|n['’]t) | cannot | (?:ca|wo)n['’]t | never | not | no\s+longer"
_ADVERBS = r"(?:\s+(?:ever|directly|be|also|even|just|manually|anymore|both|either|allowed|permitted|to))*"
_THING = r"(?:\s+(?:anything|code|the|an?|any|from|of|raw|old|direct|legacy|deprecated|new|global|with|calls?|to|on|dependenc(?:y|ies)|references?|knowledge|imports?|methods?|functions?|modules?|packages?))*"
_STOP = (
    r"(?=\s+(?:in|from|inside|within|under|outside|into|onto|for|on|at|to|about|against|with|when|while|if|unless|until|except|because|since|as|so|by|via|"
    r"before|after|but|more|twice|than|without|alone|anywhere|elsewhere|other|"
    r"instead|rather|where|which|that|use|prefer|is|are|and\s+(?:use|prefer|do|always|never|must))\b|[.;:!?]\s|[.;:!?]$|\s[-–—]+\s|\n\s*\n|[()|]|,\s+(?:use|prefer|but|it|they|which|so|we|and\s+use)\b|$)"
)
_LIST = rf"(?:(?!{_STOP}).)*"
ENGLISH_AHEAD = re.compile(
    rf"""(?ixs)(?:
        (?:{_NOT}){_ADVERBS}\s+{_USE}{_THING}
      | (?:{_NOT})\s+(?:as|via|through|with|by){_THING}
      | \bavoid(?:s|ed|ing)?(?:\s+{_USE})?(?!\s+(?:edit|chang|mod|remov|delet|renam)){_THING}
      | \b(?:instead|in\s+place)\s+of(?:\s+{_USE})? | \brather\s+than(?:\s+{_USE})? | \bwithout(?:\s+{_USE})?
      | \b(?:forbid|ban|prohibit|disallow)s?(?:\s+{_USE})? | \b(?:refrain|abstain)s?\s+from(?:\s+{_USE})?{_THING} | \bstop\s+{_USE}
      | \b(?:forbidden|prohibited|banned|barred)\s+from\s+{_USE}{_THING} | \bnot\s+allowed\s+to\s+{_USE}{_THING}
      | \b(?:there\s+(?:is|are)|has|have|contains?|with)\s+no(?:\s+(?:imports?|dependenc(?:y|ies)|references?)\s+(?:of|on|from|to))?{_THING}
      | \bfree\s+(?:of|from)(?:\s+(?:imports?|dependenc(?:y|ies))\s+(?:of|on|from|to))?
      | \bno\s+(?:direct\s+)?(?:imports?|dependenc(?:y|ies)|references?)\s+from\s[^.;]{{1,80}}?{STAND_IN}\s+(?:on|to|into|of)
      | \bneither\s[^.;]{{1,80}}?\s(?:may|can|should|must|shall)\s+(?:ever\s+|directly\s+)?{_USE}{_THING}
      | \bneither\s[^.;]{{1,80}}?{STAND_IN}\s+(?:imports?|uses?|calls?|depends?\s+on){_THING}
      | \b(?:must|may|should|can|shall)\s+{_USE}\s+neither
      | \b(?:imports?|uses?|depends?\s+on|knows?)\s+nothing\s+(?:from|of|in|about|on){_THING} | \bindependent\s+of{_THING}
      | (?:^|[.;:]\s|[-*]\s)no(?!\s+(?:other\s+)?\w+\s+(?:in|under|inside|within|below|of)\b){_THING} | \bnot(?=\s{STAND_IN})
      | (?:\bnothing|\bno\s+(?:other\s+)?(?:code|file|module|package|one|class|function|test)s?)\s+(?:in|under|inside|within|below|of)\s[^.;]{{1,80}}?
          \s(?:may|can|should|must|shall|is\s+allowed\s+to|are\s+allowed\s+to|ever)\s+(?:ever\s+|directly\s+)?{_USE}{_THING}
      | (?:\bnothing|\bno\s+(?:other\s+)?(?:code|file|module|package|one|class|function|test)s?)\s+(?:in|under|inside|within|below|of)\s[^.;]{{1,80}}?{STAND_IN}
          \s+(?:imports?|uses?|calls?|depends?\s+on){_THING}
      | \bnever(?=\s{STAND_IN}++(?!(?:\(\))?\s(?:without|unless|until|before|after|alone)\b))
      | \bmigrated?\s+(?:away\s+)?from | \breplac(?:es|ed|ing)(?=\s{STAND_IN}) | \bprefer\w*\s+(?:(?!\bover\b|[.;]).)+?\s+over
    )\s+(?P<names>{_LIST})"""
)
ENGLISH_BEHIND = re.compile(
    r"""(?ixs)(?P<names>(?:^|(?<=[.;:!?]\s)|(?<=,\s))(?:(?![.;:!?]\s|,\s(?=\w+\s\w+)).){0,300}?)
        \s{1,9}(?:(?:must|should|shall|may|can|is|are|will)(?:\s+(?:not|never|no \s longer)|n['’]t)(?:\s+ever)?(?:\s+be)?\s+
              (?:used|called|imported|invoked|(?:allowed|permitted)(?!\s+to\b)|referenced|instantiated|added|installed|committed|mocked|present|exist|available|supported|part|depended\s+(?:up)?on)
          | (?:cannot|can['’]t)\s+be\s+(?:used|called|imported|invoked|referenced)
          | (?:is|are)\s+(?:strictly\s+|explicitly\s+)?(?:forbidden|banned|prohibited|disallowed|off-limits|deprecated)(?!\s+(?:from|to)\b)
          | (?:does|do)(?:\s+not|n['’]t)\s+exist)\b"""
)
CONDITION = re.compile(
    r"(?i)\W{0,4}(?:directly\s+)?(?:without|unless|until|before|after|more\s+than|twice)\b|\W{0,4}\s(?:alone|by\s+itself)\b"
)
"""Words behind a name by which it may be used all the same, in the right way."""
OPENING_CONDITION = re.compile(r"(?i)\W*(?:without|unless|until|before|after)\b")
SOMETIMES = re.compile(r"(?i)\W{0,4}(?:if|when|while|with)\b")
WITHOUT = re.compile(r"(?i)\bwithout\b")
NEGATED = re.compile(r"(?i)(?<![\w-])(?:not|never|no|cannot|\w+n['’]t)(?![\w-])")
SOFT = re.compile(r"(?i)\b(?:instead|place)\s+of\b|\brather\s+than\b|\bover\s*$|\bnot\s*$|\breplac|\bmigrat")
PLACE_AHEAD = re.compile(
    r"(?i)(?:\b(?:in|inside|within|under|from|by|below|into|at|of)\s+(?:the\s+|our\s+|any\s+)?(?:code\s+(?:in|under)\s+)?|\b(?:and|or)\s+|,\s*)$"
)
ASIDE = re.compile(
    r"(?i)(?:especially|particularly|notably|e\.g\.|such\s+as|(?:un)?like|see(?:\s+also)?|특히|예를\s?들어|例えば|特に|例如|尤其)[^,.;]{0,12}$"
)
"""Words before a name that is an example or a pointer, so that nothing is limited to it."""

BUT_TESTS = re.compile(
    r"(?i)\b(?:outside(?:\s+of)?|except(?:\s+in)?|other\s+than(?:\s+in)?)\s+(?:the\s+|our\s+)?(?:unit\s+)?tests?\b|\bin\s+(?:production|non-test)\b"
    r"|테스트(?:\s?코드)?\s?(?:밖|외|이외|를\s?제외)|(?:운영|프로덕션)\s?코드|テスト(?:コード)?(?:以外|の外)|(?:除|在)?(?:了)?测试(?:代码)?(?:之外|以外)"
)
ARROW = re.compile(rf"{STAND_IN}\s*(?:→|->|=>|⇒)\s*(?={STAND_IN})")

# only here
_NAME = rf"(?<!{STAND_IN}){STAND_IN}++(?:\(\))?"
_N = rf"{_NAME}(?:\s(?:module|package|folder|director(?:y|ie)|layer|code|class|classe|function|service|file|helper|component|crate|librar(?:y|ie))s?\b)?"
_NS = rf"(?:(?:the|our|an?)\s)?{_N}(?:(?:\s?,\s?|\s)(?:(?:and|or|&)\s)?(?:(?:the|our|an?)\s)?{_N}){{0,12}}"
_MAY = r"(?:(?:may|can|should|must|shall|(?:is|are)\s(?:allowed|permitted|supposed)\sto|gets?\sto)\s(?:ever\s|directly\s)?)?"
_DO = r"(?P<verb>(?:import|use|call|invoke|access|reference|include|instantiate|create|read|write|touch|add|require|consume|know|talk|depend|query)s?(?:\s(?:to|on|about|with|from))?)"
_DONE = r"(?P<verb>(?:imported|allowed|permitted|used|called|invoked|accessed|referenced|included|instantiated|created|read|written|touched|required|consumed|queried|depended\son))"
_JUST = r"(?:only|solely|exclusively|just)"
_AT = r"(?:from\s(?:within\s|inside\s)?|in\s|inside\s(?:of\s)?|within\s|by\s|under\s|through\s|via\s)"
_NOTHING = r"(?:\bnothing(?:\selse)?|\bnobody|\bno\s(?:other\s)?(?:code|file|module|package|one|class|function|layer|place)s?)"
_BUT = r"(?:outside(?:\sof)?|except(?:\s(?:for|in|from|by))?|other\sthan(?:\s(?:in|from|by))?|besides|but|apart\sfrom)"
_NEVER = r"(?:(?:must|should|shall|may|can|do|does|is|are|will)(?:\s(?:not|never)|n['’]t)|cannot|never|not)(?:\sbe)?"
_NOWHERE = (
    r"(?:(?:anywhere|elsewhere)\s)?(?:outside(?:\sof)?|except(?:\s(?:for|in|from|by|inside|within))?|other\sthan(?:\s(?:in|from|by|inside))?"
    r"|but(?:\s(?:in|from))|than(?:\s(?:in|from))?|apart\sfrom(?:\sin)?)\s"
)
_NOUN = r"(?:imports?|uses?|usages?|calls?|references?|access(?:es)?)"
_OF = r"(?:(?:the|our)\s[\w-]+\s(?:[\w-]+\s)?\(|(?:the\s)?(?:file|code|module|class|classe|function|package|layer)s?\s(?:in|under|inside|within|of|from|below)\s)"
ONLY = tuple(
    re.compile(rf"(?is){pattern}")
    for pattern in (
        rf"\bonly\s{_OF}?(?P<places>{_NS})\)?\s{_MAY}(?:directly\s)?{_DO}\s(?:(?:the|any)\s)?(?P<things>{_NS})",
        rf"(?P<places>{_NS})\s(?:is|are)\sthe\s{_JUST}\s(?:\w+\s){{0,3}}?(?:that|which|who|allowed\sto|permitted\sto|to)\s{_MAY}{_DO}\s(?P<things>{_NS})",
        rf"{_NOTHING}\s{_BUT}\s(?P<places>{_NS})\s{_MAY}{_DO}\s(?:from\s)?(?P<things>{_NS})",
        rf"(?P<things>{_NS})\s(?:(?:is|are|must|may|should|can|shall|will)\s)?(?:be\s)?(?:{_JUST}\s)(?:be\s)?(?:ever\s)?{_DONE}\s(?:directly\s)?{_AT}(?P<places>{_NS})",
        rf"(?P<things>{_NS})\s(?:is|are|must\sbe|may\sbe|should\sbe|can\sbe|shall\sbe)\s{_DONE}\s{_JUST}\s{_AT}(?P<places>{_NS})",
        rf"(?P<things>{_NS})\s(?:is|are|must\sbe|may\sbe|should\sbe|can\sbe)\s{_DONE}\s{_AT}(?P<places>{_NS})\s(?:only|alone|exclusively)\b",
        rf"\bno\s(?:direct\s)?(?P<verb>{_NOUN})\s(?:of|to|from)\s(?P<things>{_NS})\s{_NOWHERE}(?P<places>{_NS})",
        rf"\b(?:keep|all|every)\s(?:all\s)?(?P<things>{_NS})\s(?P<verb>{_NOUN})\s(?:(?:belongs?|goe?s?|lives?|stays?|happens?|must\sbe|must\sstay|must\sgo)\s)?{_AT}(?P<places>{_NS})",
        rf"\b(?:keep|all|every)\s(?:all\s)?(?P<verb>{_NOUN})\s(?:of|to|from)\s(?P<things>{_NS})\s(?:(?:belongs?|goe?s?|lives?|stays?|happens?|must\sbe|must\sstay|must\sgo)\s)?{_AT}(?P<places>{_NS})",
        rf"(?P<things>{_NS})\s(?:is|are)\s(?:strictly\s)?(?:private|internal|local)\sto\s(?P<places>{_NS})",
        rf"{_DO}\s(?P<things>{_NS})\s{_JUST}\s{_AT}(?P<places>{_NS})",
        rf"\b{_JUST}\s(?:ever\s)?{_DO}\s(?P<things>{_NS})\s{_AT}(?P<places>{_NS})",
        rf"{_NEVER}\s(?:directly\s|ever\s)?{_DO}\s(?:from\s)?(?P<things>{_NS})\s(?:directly\s)?{_NOWHERE}(?P<places>{_NS})",
        rf"(?P<things>{_NS})\s{_NEVER}\s(?:directly\s|ever\s)?{_DONE}\s(?:directly\s)?{_NOWHERE}(?P<places>{_NS})",
    )
)

# Korean
_KOREAN_USE = (
    r"(?:쓰|사용\s?하|사용되|호출\s?하|부르|임포트\s?하|import\s?하|참조\s?하|의존\s?하|추가\s?하|넣|두|만들|생성\s?하|상속\s?하|도입\s?하|노출\s?하|"
    r"반환\s?하|던지|커밋\s?하|설치\s?하|모킹\s?하|mock\s?하|직접\s?쓰|가져오|불러오|알|갖|가지)"
)
_KOREAN_DONE = r"(?:써|불러|가져와|불러와|넣어|만들어|(?:사용|호출|임포트|import|참조|의존|추가|생성|상속|도입|노출|반환|커밋|설치|접근)\s?해)"
_KOREAN_MAY = (
    r"(?:쓸|부를|가져올|불러올|넣을|(?:사용|호출|임포트|import|참조|의존|추가|생성|도입|설치|접근)\s?할)"
)
_KOREAN_NOUN = (
    r"(?:사용|호출|임포트|import|참조|의존|추가|도입|생성|상속|커밋|노출|직접\s?호출|직접\s?사용|접근)"
)
_KOREAN_NEVER = (
    rf"(?:{_KOREAN_USE}(?:지\s?(?:않|말|마|못)|면\s?안) | {_KOREAN_DONE}(?:서는|선|서)?\s?안\s | {_KOREAN_MAY}\s?수\s?없"
    rf" | {_KOREAN_NOUN}[을를은는]?\s?(?:하지\s?(?:않|말|마|못)|하면\s?안|금지|불가|안\s?함|을\s?피))"
)
_OBJECT = r"(?:\(\))?`?\s?(?:[^\s,.]{0,3}?(?:를|을|은|는|에|이|가|도|와|과)|\s)?"
_KOREAN_ADVERBS = r"(?:직접\s|절대\s|절대로\s|더\s?이상\s|다시\s|새로\s|결코\s)*"
KOREAN = re.compile(
    rf"""(?x){STAND_IN}{_OBJECT}\s*{_KOREAN_ADVERBS}
        (?:{_KOREAN_NEVER} | 금지 | 대신 | 말고 | 없이 | 없(?=[다는고으이음어])
          | [을를]?\s?피(?:한|하|해) | [을를]?\s?(?:안|못)\s?(?:쓴|쓰|사용|부른) | 아니라 | 아닌 | 보다(?:는)?(?=\s{STAND_IN}) )"""
)
BARE = re.compile(
    r"(?ax)(?<![\w./@:#-])(?!(?:import|mock|and|or|push|commit|merge|rebase|deploy|release|force)(?![\w-]))"
    r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*(?![\w/@:-]|\.\w)"
)
"""A lower-case word of ASCII letters, which in a Korean sentence is a name; what one does with Git is none."""
KOREAN_BARE_CUE = re.compile(r"[a-z][^.\n]{0,60}(?:금지|지\s?(?:않|말|마)|면\s?안|수\s?없|서는?\s안)")
KOREAN_BARE = re.compile(
    rf"""(?x){STAND_IN}{_OBJECT}\s*{_KOREAN_ADVERBS}
        (?:(?:쓰|(?:사용|호출|임포트|import|참조|의존|추가|도입|설치)\s?하|가져오|불러오)(?:지\s?(?:않|말|마)|면\s?안)
          | (?:써|(?:사용|호출|임포트|import|참조|의존|추가|도입|설치)\s?해)(?:서는|선|서)\s?안\s
          | (?:쓸|(?:사용|호출|임포트|import|참조|의존|추가|도입|설치)\s?할)\s?수\s?없
          | (?:{_KOREAN_NOUN}[을를은는]?\s?)?금지 )"""
)

# Japanese and Chinese
_JAPANESE_DO = r"(?:使わ|使用し|利用し|呼び出さ|呼ば|import\s?し|インポートし|依存し|追加し|導入し|参照し)"
_JAPANESE_MUST = r"(?:使って|使用して|利用して|呼び出して|呼んで|import\s?して|インポートして|依存して|追加して|導入して|参照して)は(?:いけ|なら|だめ|ダメ)"
JAPANESE = re.compile(
    rf"{STAND_IN}`?\s?(?:を|は|が|に|も|の)?\s?(?:直接|決して|絶対に)?(?:{_JAPANESE_DO}(?:ない|ず|ません)|{_JAPANESE_MUST})"
    rf"|{STAND_IN}`?\s?(?:の|を)?\s?(?:使用|利用|呼び出し|import|インポート|追加|依存|導入|参照)?(?:は|を)?(?:禁止|避け)"
    rf"|{STAND_IN}`?\s?(?:の代わりに|ではなく|なしで|はない|より(?:も)?(?={STAND_IN}))"
)
CHINESE_AHEAD = re.compile(
    r"(?:不要|不得|不能|不可|不应|不應|不许|不許|禁止|避免|切勿|勿|别|別|而不是|代替|取代|没有|沒有)(?:再|直接|在代码中)?"
    r"(?:使用|用|导入|導入|引入|调用|調用|依赖|依賴|import|添加)?\s?`?(?=\s?`?" + STAND_IN + ")"
)
WITHOUT_CJK = re.compile(r"없이|なしで|没有|沒有")
NEGATED_CJK = re.compile(
    r"않|말\s?것|말아|지\s?마|금지|안\s된|수\s?없|ない|ません|禁止|いけ|不(?:要|得|能|可|应|許|许)|切勿|勿"
)
CONDITION_CJK = re.compile(
    r"없이|기\s?전(?:에|까지)|(?:지\s)?않(?:고|은\s채)(?:는|서)?|なしで|ずに|前に|没有|沒有|未[^\s]|之前"
)
SOFT_CJK = re.compile(r"대신|말고|아니라|아닌|보다|の代わりに|ではなく|より|而不是|代替|取代")
_NS_CJK = rf"{_NAME}(?:\s?(?:[,、，/·]|와|과|및|또는|や|と|和|或|그리고)\s?{_NAME}){{0,12}}"
_NOUN_KOREAN = (
    r"(?:\s?(?:모듈|패키지|폴더|디렉터리|디렉토리|레이어|계층|코드|클래스|함수|파일|서비스|라이브러리))?"
)
_HERE = r"\s?(?:(?:안|내|내부|아래|하위)?(?:의|에\s있는)?\s?(?:코드|모듈|파일)|안에서|내에서|내부에서|쪽에서|에서|안|내부|에|를\s?통해서|을\s?통해서)?"
_TOPIC = r"(?:\s?(?:import|임포트|사용|호출|참조|접근))?\s?(?:를|을|은|는|이|가|에)?"
_DO_CJK = r"(?P<verb>(?:import|임포트|사용|호출|참조|의존|접근|이용|허용|가능|생성|추가|도입|설치|가져오|가져온|가져올|불러오|불러온|불러올|쓴|쓰|쓸|써|부르|부른|부를|불러|읽|다룬|다룰))"
_ELSEWHERE = r"\s?(?:이외|외|밖|바깥|외부)(?:의|에|에서|에는|에서는|에서도)?(?:\s?(?:다른\s)?(?:곳|데|코드|모듈|파일|폴더)(?:에서|에서는|에서도|은|는|이)?)?"
_JP_DO = (
    r"(?P<verb>(?:import|インポート|使用|使う|使い|使え|使わ|利用|呼び出|呼ぶ|呼べ|呼ば|依存|参照|アクセス))"
)
_ZH_DO = r"(?P<verb>(?:import|导入|導入|引入|使用|调用|調用|依赖|依賴|访问|訪問|引用))"
ONLY_CJK = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<places>{_NS_CJK}){_NOUN_KOREAN}{_HERE}만(?:이)?\s*(?:직접\s)?(?P<things>{_NS_CJK}){_NOUN_KOREAN}{_TOPIC}\s*{_KOREAN_ADVERBS}{_DO_CJK}",
        rf"(?P<things>{_NS_CJK}){_NOUN_KOREAN}{_TOPIC}\s*(?:오직\s)?(?P<places>{_NS_CJK}){_NOUN_KOREAN}{_HERE}만(?:이)?\s*{_KOREAN_ADVERBS}{_DO_CJK}",
        rf"(?P<places>{_NS_CJK}){_NOUN_KOREAN}{_ELSEWHERE}\s*(?P<things>{_NS_CJK}){_NOUN_KOREAN}{_TOPIC}\s*{_KOREAN_ADVERBS}{_DO_CJK}(?=[^.]*(?:않|말|마|못|안|금지|없))",
        rf"(?P<things>{_NS_CJK}){_NOUN_KOREAN}{_TOPIC}\s*(?P<places>{_NS_CJK}){_NOUN_KOREAN}{_ELSEWHERE}\s*{_KOREAN_ADVERBS}{_DO_CJK}(?=[^.]*(?:않|말|마|못|안|금지|없))",
        rf"(?P<things>{_NS_CJK}){_NOUN_KOREAN}\s?(?:를|을|은|는)\s*(?P<places>{_NS_CJK}){_NOUN_KOREAN}\s?(?P<prep>)(?:안에서|내에서|내부에서|에서)(?:는|도)?\s*{_KOREAN_ADVERBS}{_DO_CJK}(?=\S{{0,4}}\s?(?:지\s?(?:않|말|마|못)|안\s|금지|수\s?없))",
        rf"(?P<places>{_NS_CJK})(?:だけ|のみ)が?\s?(?P<things>{_NS_CJK})(?:を|に)\s?{_JP_DO}",
        rf"(?P<things>{_NS_CJK})(?:は|を|に)\s?(?P<places>{_NS_CJK})(?:から|の中で|で)?(?:だけ|のみ)(?:から|で|が)?\s?{_JP_DO}",
        rf"(?P<places>{_NS_CJK})(?:以外|の外)(?:で|から)?(?:は)?\s?(?P<things>{_NS_CJK})(?:を|に)\s?{_JP_DO}(?=[^。]*(?:ない|ません|禁止|いけ|ず))",
        rf"只有\s?(?P<places>{_NS_CJK})\s?(?:可以|才能|才可以|能|可)\s?{_ZH_DO}\s?(?P<things>{_NS_CJK})",
        rf"(?P<things>{_NS_CJK})\s?只(?:能|可|允许|允許)(?:在|由|从|從|被)\s?(?P<places>{_NS_CJK})\s?(?:中|里|裡|内|內)?\s?(?:被)?{_ZH_DO}",
        rf"除(?:了)?\s?(?P<places>{_NS_CJK})\s?(?:以外|之外|外)?[，,]?\s?(?:其他\S{{0,4}}?)?(?:都)?(?:不得|不要|不能|不可|禁止)\s?{_ZH_DO}\s?(?P<things>{_NS_CJK})",
    )
)
JOINT = re.compile(
    rf"{STAND_IN}+(?:\(\))?`?(?:\s?[,、，/·]\s?(?:또는\s|및\s|or\s|and\s)?|와\s|과\s|나\s|이나\s|\s(?:및|또는|and|or|和|或|과|와)\s|や|と|和|或|、)`?$"
)
