"""Merging into settings, over documents of all shapes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.agents.block import has_block, with_block, without_block
from gitmem.agents.parts import JsonFile
from gitmem.agents.table import AGENTS

PARTS = [part for agent in AGENTS.values() for part in agent.parts if isinstance(part, JsonFile)]
THEIRS = {"matcher": "x", "hooks": [{"type": "command", "command": "bd prime"}]}
plain = st.none() | st.booleans() | st.integers() | st.text(max_size=6)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
documents = st.fixed_dictionaries(
    {"깊은 key": values},
    optional={
        "hooks": st.dictionaries(
            st.sampled_from(["SessionStart", "sessionStart", "Stop", "AfterTool"]),
            st.lists(st.just(THEIRS), min_size=1, max_size=2),
            min_size=1,
            max_size=3,
        ),
        "mcpServers": st.dictionaries(
            st.sampled_from(["other", "x"]), st.just({"command": "npx"}), min_size=1
        ),
        "permissions": values,
    },
)
layouts = st.sampled_from([None, 1, 2, 4, "\t"])
line_ends = st.sampled_from(["\n", "\r\n"])


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(PARTS), documents, layouts, line_ends)
def test_put_in_twice_is_put_in_once_and_taken_out_leaves_what_was_there(
    part: JsonFile, document: dict[str, Any], indent: Any, line_end: str
) -> None:
    text = (json.dumps(document, indent=indent, ensure_ascii=False) + "\n").replace("\n", line_end)
    once = part.put(text)
    assert part.put(once) == once
    held = json.loads(once)
    assert [key for key in held if key in document] == list(document)
    assert all(held[key] == value for key, value in document.items() if key not in ("hooks", "mcpServers"))
    assert all(
        [one for one in held["hooks"][event] if one == THEIRS] == groups
        for event, groups in document.get("hooks", {}).items()
    )
    assert all(held["mcpServers"][name] == server for name, server in document.get("mcpServers", {}).items())
    rest = json.loads(part.take_out(once))
    added = {key for key, value in part.base.items() if key not in document} | {
        names[0][0] for names in part.names if names[0][0] not in document
    }
    assert {key: value for key, value in rest.items() if key not in added} == document


words = st.text(alphabet=st.sampled_from("a#한 \n-`<>"), max_size=30)


@settings(max_examples=60, deadline=None)
@given(words, line_ends, st.booleans())
def test_a_block_goes_in_once_and_comes_out_whole(text: str, line_end: str, ends: bool) -> None:
    text = (text + ("\n" if ends else "")).replace("\n", line_end)
    once = with_block(text, "body\n")
    assert with_block(once, "body\n") == once
    assert has_block(once, "body\n")
    assert once.startswith(text)
    assert without_block(once).rstrip("\r\n") == text.rstrip("\r\n")
    renewed = with_block(once, "another\n")
    assert renewed.startswith(text)
    assert renewed.count("gitmem:begin") == 1
