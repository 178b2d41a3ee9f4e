"""Word lists of the language of statements; which word is what, no rules."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


EXTENSIONS = _words(
    "py pyi ipynb ts tsx mts cts js jsx mjs cjs vue svelte astro go rs java kt kts swift c h cc cpp hpp cs "
    "rb php sh bash zsh ps1 sql proto graphql json jsonc json5 toml yaml yml ini cfg conf env xml html css "
    "scss sass less md mdx mdc rst txt csv lock tf gradle prisma ex exs erl hs ml scala clj lua dart zig "
    "nix tpl j2 properties plist dmg exe dll dylib jar war whl ipa apk deb rpm tgz gz svg jpg jpeg gif ico pdf"
)
BARE_FILES = _words(
    "Makefile Dockerfile Jenkinsfile Gemfile Rakefile Procfile Justfile justfile Vagrantfile Brewfile "
    "CODEOWNERS"
)
LITERALS = _words(
    "true false null none undefined nan inf get post put patch delete head options string number boolean "
    "bool int float str bytes object any unknown void never self this cls args kwargs yes no on off utf-8 "
    "ascii lf crlf json yaml toml xml html css http https ssh tcp udp ok error warning info debug todo "
    "fixme main master head origin if else for while return import from class def function const let var "
    "async await try except catch finally raise throw with as is in not and or new export default type "
    "interface enum public private protected static x y z i j k n a b c foo bar baz camelcase pascalcase "
    "snake_case kebab-case screaming_snake_case upper_snake_case"
)
PROSE_COMPOUNDS = _words(
    "JavaScript TypeScript GitHub GitLab macOS iOS iPhone iPad iPadOS YouTube LinkedIn PostgreSQL MySQL "
    "MongoDB DevOps README VSCode IntelliJ PyCharm WebStorm ChatGPT OpenAI StackOverflow JetBrains "
    "DynamoDB LaTeX OAuth OAuth2 APIs URLs IDs PRs CLIs SDKs ADRs LLMs DTOs UUIDs PDFs VMs TTLs"
)
SENTENCE_OPENERS = _words(
    "add all always an any are as ask at avoid be before build but by call change check choose click code "
    "commit create debug default define delete deploy do each edit ensure every export find first fix "
    "follow for format from get give go help how if import importing imports in install is it keep let lint list look make "
    "match more move must never new no not note on once only open or our put read remove rename request "
    "return review run save see send set should show some start stop switch tests test that the then there "
    "these they this to try type update use used using validate verify wait we when where which while with "
    "write you your"
)
FOREIGN_NAMES = _words(
    "Promise Array Object Map Set WeakMap JSON Math Date RegExp Symbol Buffer URL Error TypeError console "
    "process window document globalThis localStorage sessionStorage setTimeout setInterval clearTimeout "
    "parseInt parseFloat isNaN useState useEffect useMemo useCallback useRef useContext readFileSync "
    "writeFileSync stringify forEach innerHTML addEventListener HTTPError"
)
"""Names of the platforms: that no code here has them says nothing."""
UNTELLING = _words(
    "the and for with from this that are use used uses using run runs not all any each every only into onto over under "
    "your you our its has have had was were will can may must should would could also more most than then when where "
    "which while with what who how why but via per set sets get gets new old see etc one two three there here other some "
    "such same own out off they we them their true false null none config file files code project add adds call calls "
    "instead never always make makes does don before after default value name 니다 합니 습니 한다 된다 하고 하는 있다 으로 에서 "
    "설정 配置 設定 입니 하지 않음 않는 사용 경우 때문 모든 通过 使用 所有 可以 需要 必须 不要 場合 使用 以下 必要"
)
"""Words that stand in lines about anything."""
ENGLISH_TERMS = {
    "버전": "version",
    "재시도": "retry",
    "시간 초과": "timeout",
    "타임아웃": "timeout",
    "제한": "limit",
    "캐시": "cache",
    "인증": "auth",
    "권한": "permission",
    "로그인": "login",
    "로그": "log",
    "배포": "deploy",
    "빌드": "build",
    "의존성": "dependency dependencies",
    "포트": "port",
    "경로": "path",
    "데이터베이스": "database",
    "토큰": "token",
    "사용자": "user",
    "요청": "request",
    "응답": "response",
    "오류": "error",
    "에러": "error",
    "결제": "payment pay",
    "주문": "order",
    "테스트": "test",
    "메시지": "message",
    "이벤트": "event",
    "큐": "queue",
    "암호화": "encrypt",
    "비밀번호": "password",
    "バージョン": "version",
    "再試行": "retry",
    "リトライ": "retry",
    "タイムアウト": "timeout",
    "制限": "limit",
    "キャッシュ": "cache",
    "認証": "auth",
    "権限": "permission",
    "ログイン": "login",
    "ログ": "log",
    "デプロイ": "deploy",
    "ビルド": "build",
    "依存": "dependency dependencies",
    "ポート": "port",
    "データベース": "database",
    "トークン": "token",
    "ユーザー": "user",
    "リクエスト": "request",
    "レスポンス": "response",
    "エラー": "error",
    "決済": "payment pay",
    "注文": "order",
    "テスト": "test",
    "版本": "version",
    "重试": "retry",
    "超时": "timeout",
    "限制": "limit",
    "缓存": "cache",
    "认证": "auth",
    "权限": "permission",
    "登录": "login",
    "日志": "log",
    "部署": "deploy",
    "构建": "build",
    "依赖": "dependency dependencies",
    "端口": "port",
    "数据库": "database",
    "令牌": "token",
    "用户": "user",
    "请求": "request",
    "响应": "response",
    "错误": "error",
    "支付": "payment pay",
    "订单": "order",
    "测试": "test",
}
"""What code calls what Korean, Japanese and Chinese statements say in their own words."""
OWN_COMMANDS = _words(
    "install i ci add remove rm up upgrade update why link unlink publish pack init create dlx exec audit "
    "outdated cache config login logout version info list ls help dedupe import patch store env set get "
    "run-many affected graph generate bootstrap sync lock build check test bench clippy fmt doc run new "
    "mod vet tool work clean fix search tree metadata"
)
"""What package managers and build tools do themselves: no script of the project need be called so."""
