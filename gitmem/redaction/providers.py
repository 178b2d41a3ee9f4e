"""Tokens that tell by their own shape whose they are, as the providers (or their public scanners' patterns) describe them.

A line is: kind, folded triggers, shape. A trigger is the literal beginning, so that the hot path finds it by a plain
substring (`gitmem.wire.triggers`). Lengths are the documented ones where they are fixed, else the smallest seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gitmem.redaction.rule import END, MIXED, WORD, Rule

_SHAPES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    # code hosts
    ("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{30,255}"),
    ("github_token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{22,255}"),
    ("gitlab_token", ("glpat-", "gldt-", "glrt-", "glptt-", "glsoat-", "glcbt-", "glimt-", "glagent-", "glft-", "gloas-"), r"gl(?:pat|dt|rt|ptt|soat|cbt|imt|agent|ft|oas)-[A-Za-z0-9_-]{20,255}"),
    ("bitbucket_token", ("atbb", "atctt3"), r"(?:ATBB[A-Za-z0-9]{32}|ATCTT3[A-Za-z0-9_=-]{30,255})"),
    ("atlassian_token", ("atatt",), r"ATATT[A-Za-z0-9_=-]{30,255}"),
    ("sourcegraph_token", ("sgp_",), r"sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}"),
    # clouds
    ("aws_key", ("akia", "asia", "abia", "acca"), rf"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{{16}}{END}"),
    ("google_key", ("aiza", "ya29.", "gocspx-", "1//0"), r"(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,255}|GOCSPX-[A-Za-z0-9_-]{20,40}|1//0[A-Za-z0-9_-]{40,255})"),
    ("firebase_key", (":apa91b",), r"[A-Za-z0-9_-]{8,200}:APA91b[A-Za-z0-9_-]{100,255}"),
    ("alibaba_key", ("ltai",), rf"LTAI[A-Za-z0-9]{{16,26}}{END}"),
    ("tencent_key", ("akid",), rf"AKID[A-Za-z0-9]{{32}}{END}"),
    ("digitalocean_token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[0-9a-f]{32,64}"),
    ("heroku_token", ("hrku-",), r"HRKU-[A-Za-z0-9_-]{30,100}"),
    ("fly_token", ("fo1_", "fm2_"), r"(?:fo1_[A-Za-z0-9_-]{43}|fm2_[A-Za-z0-9+/_=-]{60,2000})"),
    ("netlify_token", ("nfp_",), r"nfp_[A-Za-z0-9]{36,60}"),
    ("render_key", ("rnd_",), rf"rnd_[A-Za-z0-9]{{28,40}}{END}"),
    ("supabase_key", ("sbp_", "sb_secret_"), r"(?:sbp_(?:v0_)?[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,100})"),
    ("planetscale_token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,100}"),
    ("databricks_token", ("dapi",), rf"dapi[0-9a-f]{{32}}(?:-\d)?{END}"),
    ("terraform_token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,100}"),
    ("pulumi_token", ("pul-",), rf"pul-[0-9a-f]{{40}}{END}"),
    ("vault_token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[A-Za-z0-9_-]{20,300}"),
    ("doppler_token", ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."), r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    ("onepassword_token", ("ops_eyj",), r"ops_eyJ[A-Za-z0-9+/_=-]{100,2000}"),
    ("tailscale_key", ("tskey-",), r"tskey-[a-z]+-[A-Za-z0-9-]{10,100}"),
    ("age_key", ("age-secret-key",), r"AGE-SECRET-KEY-1[A-Z0-9]{50,64}"),
    # packages and builds
    ("npm_token", ("npm_",), rf"npm_[A-Za-z0-9]{{36}}{END}"),
    ("pypi_token", ("pypi-",), r"pypi-[A-Za-z0-9_-]{50,255}"),
    ("rubygems_key", ("rubygems_",), r"rubygems_[0-9a-f]{48}"),
    ("docker_token", ("dckr_pat_", "dckr_oat_"), r"dckr_[po]at_[A-Za-z0-9_-]{20,64}"),
    ("jfrog_key", ("akcp",), r"AKCp[A-Za-z0-9]{65,75}"),
    ("nuget_key", ("oy2",), rf"oy2[a-z0-9]{{43}}{END}"),
    ("circleci_token", ("ccipat_", "ccipra_"), r"CCIP(?:AT|RA)_[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    ("buildkite_token", ("bkua_",), r"bkua_[0-9a-f]{40}"),
    # watching
    ("grafana_token", ("glsa_", "glc_ey"), r"(?:glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_ey[A-Za-z0-9+/=]{30,400})"),
    ("newrelic_key", ("nrak-", "nrii-", "nral-"), r"NR(?:AK|II|AL)-[A-Za-z0-9_-]{27,40}"),
    ("sentry_token", ("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    ("dynatrace_token", ("dt0c01.",), r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("posthog_key", ("phx_",), r"phx_[A-Za-z0-9]{40,60}"),
    # models
    ("ai_key", ("sk-",), r"sk-(?:(?:ant|proj|or|svcacct|admin|lf|None)-[A-Za-z0-9_-]{16,255}|[A-Za-z0-9]{20,255})"),
    ("ai_key", ("gsk_", "xai-", "hf_", "api_org_", "r8_"), r"(?:gsk_[A-Za-z0-9]{20,255}|xai-[A-Za-z0-9]{20,255}|(?:hf|api_org)_[A-Za-z0-9]{30,100}|r8_[A-Za-z0-9]{30,100})"),
    ("ai_key", ("nvapi-", "pplx-", "rpa_", "pcsk_", "lsv2_", "tvly-"), r"(?:nvapi-[A-Za-z0-9_-]{60,100}|pplx-[A-Za-z0-9]{40,64}|rpa_[A-Z0-9]{40,64}|pcsk_[A-Za-z0-9_]{50,100}|lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}|tvly-[A-Za-z0-9-]{30,64})"),
    # talking
    ("slack_token", ("xox", "xapp-"), r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,255}"),
    ("telegram_token", (":aa",), rf"\d{{8,10}}:AA[A-Za-z0-9_-]{{32,33}}{END}"),
    ("sendgrid_key", ("sg.",), r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    ("twilio_key", ("sk",), rf"SK[0-9a-f]{{32}}{END}"),
    ("mailgun_key", ("key-",), rf"key-[0-9a-f]{{32}}{END}"),
    ("mailchimp_key", tuple(f"-us{number}" for number in range(1, 10)), rf"[0-9a-f]{{32}}-us\d{{1,2}}{END}"),
    ("brevo_key", ("xkeysib-", "xsmtpsib-"), r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("hubspot_token", ("pat-na", "pat-eu"), r"pat-(?:na|eu)\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    # paying
    ("stripe_key", ("sk_", "rk_", "pk_live", "whsec_"), r"(?:[sr]k_(?:live|test)|pk_live)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{20,100}"),
    ("toss_key", ("_sk_", "_gsk_"), r"(?:live|test)_g?sk_[A-Za-z0-9]{20,64}"),
    ("square_token", ("sq0", "eaaa"), r"(?:sq0[a-z]{3}-[A-Za-z0-9_-]{22,50}|EAAA[A-Za-z0-9_-]{60})"),
    ("shopify_token", ("shpat_", "shpss_", "shpca_", "shppa_"), r"shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32,64}"),
    ("plaid_token", ("access-sandbox-", "access-development-", "access-production-"), r"access-(?:sandbox|development|production)-[0-9a-f-]{36}"),
    # working
    ("linear_key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{30,64}"),
    ("notion_token", ("ntn_", "secret_"), rf"(?:ntn_[A-Za-z0-9]{{30,64}}|secret_[A-Za-z0-9]{{43}}{END})"),
    ("figma_token", ("figd_", "figu_", "figo_"), r"fig[duo]_[A-Za-z0-9_-]{30,100}"),
    ("postman_key", ("pmak-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("contentful_token", ("cfpat-",), r"CFPAT-[A-Za-z0-9_-]{43}"),
    ("typeform_token", ("tfp_",), r"tfp_[A-Za-z0-9_.=-]{40,80}"),
    ("mapbox_token", ("sk.eyj",), r"sk\.eyJ[A-Za-z0-9_-]{20,255}\.[A-Za-z0-9_-]{20,64}"),
    ("adafruit_key", ("aio_",), rf"aio_[A-Za-z0-9]{{28}}{END}"),
)  # fmt: skip

# These begin with somebody's id or a common word, so the hot path asks for their shape (`gitmem.wire.triggers`).
_DOTTED: tuple[tuple[str, str], ...] = (
    ("discord_token", r"[A-Za-z0-9][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])"),
    ("airtable_token", rf"pat[A-Za-z0-9]{{14}}\.[0-9a-f]{{64}}{END}"),
)  # fmt: skip

PROVIDERS: tuple[Rule, ...] = (
    *(Rule(kind, triggers, f"{WORD}({shape})") for kind, triggers, shape in _SHAPES),
    *(Rule(kind, (".",), f"{WORD}({shape})", MIXED) for kind, shape in _DOTTED),
)


def _by_letter(words: Iterable[str]) -> str:
    """An alternation that tries no word whose first letter does not stand there."""
    letters: dict[str, list[str]] = {}
    for word in sorted(set(words)):
        letters.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in letters.items())


PREFIX = re.compile(
    rf"(?:(?<![a-z0-9])|(?<=\\[nrtbf]))(?:{_by_letter(trigger for rule in PROVIDERS for trigger in rule.triggers if trigger[0].isalnum() and len(trigger) > 2)})"
)
"""What a token begins with, in small letters."""
