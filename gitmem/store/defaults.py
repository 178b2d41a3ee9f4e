"""What ``gitmem init`` puts below ``.ai``: policies with their defaults written out, an elements draft, the schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gitmem.model.element import ADR_FOLDERS
from gitmem.store.elements import FILE as ELEMENTS
from gitmem.store.policies import COMPACTION_POLICY, MEMORY_POLICY, ROUTES
from gitmem.store.yaml_writing import scalar

SCHEMA_FOLDER = ".ai/schema"


def schema_line(file: str, schema: str) -> str:
    """The comment by which editors find a file's schema: a path inside the repository, so that no host is named.

    Args:
        file: Repository path of the file, below ``.ai``.
        schema: The schema's name, for example ``memory``.
    """
    up = "../" * (file.count("/") - 1) or "./"
    return f"# yaml-language-server: $schema={up}schema/{schema}.schema.json\n"


_MEMORY_POLICY = """\
# What may become durable memory, and what the gate asks for. Every value below is the default.
version: 1

durable_memory:
  # Types that may be proposed.
  allow:
    - architecture_rule
    - security_rule
    - verified_failure_pattern
    - verified_fix_pattern
    - module_constraint
    - team_workflow_rule
    - temporary_workaround
  # What a memory must not be.
  deny:
    - raw_chat_history
    - unverified_guess
    - full_build_log
    - temporary_file_path
    - personal_opinion
    - duplicated_note
  # Types that need evidence, and what counts as such.
  require_evidence:
    - verified_failure_pattern
    - verified_fix_pattern
  evidence_sources:
    - passing_test
    - accepted_review
    - merged_diff
    - official_project_document
  # How long until a memory is due for review: days (180d), weeks (26w) or permanent.
  retention:
    architecture_rule: permanent
    module_constraint: permanent
    verified_fix_pattern: 180d
    temporary_workaround: 14d

promotion:
  require:
    - evidence
    - no_conflict_with_existing_memory
    - accepted_review
    - human_approval_for_architecture_rules
  reject_if:
    - unverified_guess
    - one_off_workaround
    - user_specific_secret
    - duplicated_memory
    - stale_rule
  # Types whose proposal opens without asking once replay passed. Merging stays a person's act.
  auto: []

drift:
  # Verdicts that challenge a memory.
  challenge_on: [changed, rewritten, gone]

recall:
  # default, classic or balanced
  profile: default

trust:
  # true: what came to the trusted branch without a review is not knowledge yet.
  require_review: false

# Named commands for verification.probe, run only by an explicit command in a clean checkout:
# probes:
#   public-contract-regression: make contract-test
"""
_COMPACTION_POLICY = """\
# What is put into an agent's context. The originals stay in the ledger.
version: 1
inject:
  - current_handoff
  - current_plan
  - current_diff_stat
  - latest_failure
  - approved_memory
summarize:
  - previous_attempts
  - previous_reviews
  - long_tool_outputs
archive_only:
  - full_build_logs
  - previous_diffs
  - raw_agent_transcripts
limits:
  max_injected_files: 10
  max_log_tail_characters: 6000
  max_previous_attempts: 3
"""
_ROUTES = """\
# For each task domain the memories it reads, as paths or globs relative to .ai/:
# routes:
#   payment:
#     include:
#       - memory/payment/**
version: 1
routes: {}
"""


def elements_head(adr: Iterable[str]) -> str:
    """What an elements file begins with, up to its elements.

    Args:
        adr: Folders of decision records.
    """
    folders = "\n".join(f"  - {scalar(folder)}" for folder in adr)
    return f"{schema_line(ELEMENTS, 'elements')}{_ELEMENTS_HEAD}{folders}"


_ELEMENTS_HEAD = """\
# The architecture's elements and their paths, for memories whose scope names an element, and for gitmem map.
# Each has a level (system, container or component, which is meant when none is written), paths, and when it helps a
# description, tags (other words for it) and inside (the element that holds it).
version: 1
# Where decision records lie, for links such as [[ADR-17]].
adr:
"""
EMPTY_ELEMENTS = f"""\
{elements_head(ADR_FOLDERS)}
elements: {{}}
#  Checkout:
#    level: component        # system, container or component
#    paths: ["src/checkout/**"]
"""
_IGNORE = """\
# Runs live under refs/ai/runs; a copy of them in files is nobody's to commit.
/runs/
"""
_README = """\
# .ai

- `memory/` – what this project knows: one YAML file a memory, approved by merging it
- `validations/` – when somebody last looked and it still held
- `policies/` – what may be remembered, and what an agent's context receives
- `elements.yaml` – the architecture's elements and their paths
- `schema/` – for editors that check YAML

`gitmem lint` checks all of it, `gitmem drift` says which memories the code has moved under.

A memory is one fact, in a file that is called as its id:

    # memory/orders-are-sent-once.yaml
    id: orders-are-sent-once
    title: Orders are sent once
    kind: pitfall                # pitfall, convention or note
    type: module_constraint      # one of durable_memory.allow in policies/memory-policy.yaml
    status: active               # counts only once this is merged
    summary: "`submit` sends an order once: a second call returns None."
    scope:
      paths: [src/checkout/**]   # where it is delivered
    # What it rests on is taken from the words; write it to say it yourself:
    # watch:
    #   - symbol: src/checkout/api.py#submit
    #   - key: package.json#scripts.lint

`gitmem confirm orders-are-sent-once --worktree` records what the code is now; commit both files together.
"""


def default_files(elements: str | None = None) -> Mapping[str, str]:
    """Repository path and text of every file that a new ``.ai`` holds.

    Args:
        elements: The elements file when one was drafted.
    """
    from gitmem.store.schema import FOLDER

    written = {
        MEMORY_POLICY: schema_line(MEMORY_POLICY, "memory-policy") + _MEMORY_POLICY,
        COMPACTION_POLICY: schema_line(COMPACTION_POLICY, "compaction-policy") + _COMPACTION_POLICY,
        ROUTES: _ROUTES,
        ELEMENTS: elements or EMPTY_ELEMENTS,
        ".ai/.gitignore": _IGNORE,
        ".ai/README.md": _README,
    }
    shipped = sorted(FOLDER.glob("*.schema.json"))
    return {**written, **{f"{SCHEMA_FOLDER}/{one.name}": one.read_text(encoding="utf-8") for one in shipped}}
