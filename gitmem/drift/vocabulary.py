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
