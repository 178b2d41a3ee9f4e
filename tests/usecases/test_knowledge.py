from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.model.change import TreeEntry
from gitmem.store.cache import Cache
from gitmem.usecases.knowledge import Knowledge, load_knowledge
from gitmem.usecases.listing import list_memories
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo

VALIDATION = "memory: m-001\nat: 2026-07-20T10:00:00+09:00\nby: ada\n"


def load(repo: Repo | Path, tree: str | None = None) -> Knowledge:
    with open_repository(repo.path if isinstance(repo, Repo) else repo) as opened:
        return load_knowledge(opened, tree=tree)


def told(knowledge: Knowledge) -> list[tuple[str, str, str]]:
    """Each memory: id, merged or proposed or edit, summary."""
    state = {(True, False): "merged", (False, False): "proposed", (False, True): "edit"}
    return [(one.memory.id, state[one.merged, one.edits], one.memory.summary) for one in knowledge.memories]


MERGED = [("m-001", "merged", "The gateway strips X- headers")]


def test_what_the_trusted_tip_holds_is_approved(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    knowledge = load(clone)
    assert told(knowledge) == MERGED
    assert knowledge.trusted.name == "origin/main"
    assert knowledge.trusted.why == "origin/HEAD names it"
    assert knowledge.trusted.verified is False
    assert knowledge.problems == ()


# what claims to be approved
def test_a_file_in_the_work_tree_adds_nothing(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.write(path_of("m-002"), memory("m-002", approved_by="alice"))
    assert told(load(clone)) == MERGED


def test_a_file_on_a_topic_branch_is_proposed_whatever_it_claims(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("switch", "-qc", "topic")
    clone.commit("Add", {path_of("m-002"): memory("m-002", "Claims", status="approved", approved_by="alice")})
    assert told(load(clone)) == [*MERGED, ("m-002", "proposed", "Claims")]


def test_a_commit_on_local_main_is_proposed_until_it_is_pushed(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Add", {path_of("m-002"): memory("m-002", "Local")})
    assert told(load(clone)) == [*MERGED, ("m-002", "proposed", "Local")]
    clone.git("push", "-q")
    assert told(load(clone)) == [*MERGED, ("m-002", "merged", "Local")]


def test_an_edit_stands_behind_the_approved_words_and_changes_nothing(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Edit", {path_of(): memory(summary="Now it does not")})
    assert told(load(clone)) == [*MERGED, ("m-001", "edit", "Now it does not")]


def test_one_byte_changed_is_an_edit(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Edit", {path_of(): memory().replace("strips", "strip5")})
    assert [state for _, state, _ in told(load(clone))] == ["merged", "edit"]


def test_free_fields_on_a_branch_make_no_edit_and_no_difference(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Mark", {path_of(): memory(status="challenged", review_after="2099-01-01")})
    knowledge = load(clone)
    assert told(knowledge) == MERGED
    assert knowledge.approved[0].review_after is None


def test_deleting_an_approved_memory_on_a_branch_hides_nothing(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.remove(path_of())
    clone.commit("Remove")
    assert told(load(clone)) == MERGED


def test_breaking_an_approved_memory_on_a_branch_hides_nothing(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Break", {path_of(): "id: [m-001\n"})
    knowledge = load(clone)
    assert told(knowledge) == MERGED
    assert [one.file for one in knowledge.problems] == [path_of()]


def test_replaying_older_approved_words_is_an_edit(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Correct", {path_of(): memory(summary="Corrected")})
    clone.git("push", "-q")
    clone.commit("Bring back", {path_of(): memory()})
    assert told(load(clone)) == [("m-001", "merged", "Corrected"), ("m-001", "edit", MERGED[0][2])]


def test_an_unmerged_heir_retires_nobody(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Add", {path_of("m-002"): memory("m-002", "Heir", supersedes="[m-001]")})
    assert load(clone).heirs == {}
    clone.git("push", "-q")
    assert load(clone).heirs == {"m-001": "m-002"}


def test_a_moved_file_keeps_its_identity(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.move(path_of(), ".ai/memory/gateway/m-001.yaml")
    clone.commit("Move")
    assert told(load(clone)) == MERGED


def test_moved_and_edited_is_an_edit_of_the_same_memory(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.move(path_of(), ".ai/memory/gateway/m-001.yaml")
    clone.commit("Move", {".ai/memory/gateway/m-001.yaml": memory(summary="Moved and changed")})
    assert told(load(clone)) == [*MERGED, ("m-001", "edit", "Moved and changed")]


def test_a_second_file_with_an_approved_id_is_an_edit_and_named(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Double", {".ai/memory/a/m-001.yaml": memory(summary="Other words")})
    knowledge = load(clone)
    assert told(knowledge) == [*MERGED, ("m-001", "edit", "Other words")]
    assert any("id m-001 is taken" in one.message for one in knowledge.problems)


def test_a_forged_remote_tracking_ref_is_never_called_verified(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    forged = clone.commit("Forge", {path_of("m-002"): memory("m-002", "Forged")})
    clone.git("update-ref", "refs/remotes/origin/main", forged)
    knowledge = load(clone)
    assert knowledge.trusted.commit == forged
    assert knowledge.trusted.verified is False


def test_replace_refs_do_not_change_what_is_approved(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    real = clone.head()
    clone.git("switch", "-qc", "evil")
    forged = clone.commit("Forge", {path_of(): memory(summary="Forged")})
    clone.git("switch", "-q", "main")
    clone.git("replace", real, forged)
    blob = clone.git("--no-replace-objects", "rev-parse", f"{real}:{path_of()}")
    clone.git("replace", blob, clone.git("rev-parse", f"{forged}:{path_of()}"))
    assert told(load(clone)) == MERGED


# branches that lag behind or part
def test_a_branch_that_lags_behind_proposes_nothing(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(), path_of("m-002"): memory("m-002", "Gone soon")})
    old = clone.head()
    clone.remove(path_of("m-002"))
    clone.commit("Correct", {path_of(): memory(summary="Corrected")})
    clone.git("push", "-q")
    clone.git("switch", "-q", "--detach", old)
    assert told(load(clone)) == [("m-001", "merged", "Corrected")]


def test_a_branch_that_parted_proposes_only_its_own(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(), path_of("m-002"): memory("m-002", "Gone soon")})
    clone.git("switch", "-qc", "topic")
    clone.commit("Add", {path_of("m-003"): memory("m-003", "Own")})
    clone.git("switch", "-q", "main")
    clone.remove(path_of("m-002"))
    clone.commit("Correct", {path_of(): memory(summary="Corrected")})
    clone.git("push", "-q")
    clone.git("switch", "-q", "topic")
    assert told(load(clone)) == [("m-001", "merged", "Corrected"), ("m-003", "proposed", "Own")]


@pytest.mark.parametrize("how", ["--squash", "--no-ff", "--ff-only"])
def test_every_way_of_merging_approves(tmp_path: Path, how: str) -> None:
    _, clone = hosted(tmp_path)
    clone.git("switch", "-qc", "topic")
    clone.commit("Add", {path_of("m-002"): memory("m-002", "New")})
    clone.git("switch", "-q", "main")
    clone.git("merge", "-q", how, "topic", *(() if how == "--squash" else ("-m", "Merge")))
    if how == "--squash":
        clone.commit("Squash")
    clone.git("push", "-q")
    assert told(load(clone)) == [*MERGED, ("m-002", "merged", "New")]
    clone.git("switch", "-q", "topic")
    assert told(load(clone)) == [*MERGED, ("m-002", "merged", "New")]


def test_a_rebase_merge_approves(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("switch", "-qc", "topic")
    clone.commit("Add", {path_of("m-002"): memory("m-002", "New")})
    clone.git("switch", "-q", "main")
    clone.commit("Other", {"src/b.py": "y = 1\n"})
    clone.git("cherry-pick", "topic")
    clone.git("push", "-q")
    clone.git("switch", "-q", "topic")
    assert told(load(clone)) == [*MERGED, ("m-002", "merged", "New")]


# which branch is trusted
def test_without_any_remote_local_main_is_trusted(repo: Repo) -> None:
    repo.commit("Start", {path_of(): memory()})
    knowledge = load(repo)
    assert told(knowledge) == MERGED
    assert (knowledge.trusted.name, knowledge.trusted.why) == ("main", "there is no remote")


def test_without_a_remote_another_branch_proposes(repo: Repo) -> None:
    repo.commit("Start", {"a": "b"})
    repo.git("switch", "-qc", "topic")
    repo.commit("Add", {path_of(): memory()})
    assert [state for _, state, _ in told(load(repo))] == ["proposed"]


def test_with_a_remote_that_was_never_fetched_nothing_is_approved(repo: Repo) -> None:
    repo.commit("Start", {path_of(): memory()})
    repo.git("remote", "add", "origin", "/nowhere")
    knowledge = load(repo)
    assert [state for _, state, _ in told(knowledge)] == ["proposed"]
    assert knowledge.trusted.commit is None
    assert "git fetch origin" in knowledge.trusted.why


def test_several_remotes_without_origin_need_a_setting(repo: Repo) -> None:
    tip = repo.commit("Start", {path_of(): memory()})
    for name in ("fork", "upstream"):
        repo.git("remote", "add", name, "/nowhere")
        repo.git("update-ref", f"refs/remotes/{name}/main", tip)
    assert "gitmem.trustedRef" in load(repo).trusted.why
    repo.git("config", "gitmem.trustedRef", "upstream/main")
    knowledge = load(repo)
    assert (knowledge.trusted.ref, knowledge.trusted.remote) == ("refs/remotes/upstream/main", "upstream")
    assert told(knowledge) == MERGED


def test_a_setting_that_names_nothing_trusts_nothing_else(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("config", "gitmem.trustedRef", "origin/release")
    knowledge = load(clone)
    assert knowledge.trusted.commit is None
    assert "origin/release" in knowledge.trusted.why
    assert [state for _, state, _ in told(knowledge)] == ["proposed"]


def test_the_remote_head_decides_before_main(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("switch", "-qc", "trunk")
    clone.commit("Add", {path_of("m-002"): memory("m-002", "Trunk")})
    clone.git("push", "-q", "origin", "trunk")
    clone.git("remote", "set-head", "origin", "trunk")
    assert load(clone).trusted.name == "origin/trunk"
    assert told(load(clone)) == [*MERGED, ("m-002", "merged", "Trunk")]


# states of a repository
def test_unborn(repo: Repo) -> None:
    knowledge = load(repo)
    assert (knowledge.memories, knowledge.judged, knowledge.trusted.commit) == ((), None, None)


def test_bare_repository(tmp_path: Path) -> None:
    server, _ = hosted(tmp_path)
    assert told(load(server)) == MERGED


def test_linked_work_tree(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("worktree", "add", "-q", "-b", "topic", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", init=False)
    linked.commit("Add", {path_of("m-002"): memory("m-002", "New")})
    assert told(load(linked)) == [*MERGED, ("m-002", "proposed", "New")]
    assert told(load(clone)) == MERGED


def test_any_commit_may_be_judged(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("switch", "-qc", "topic")
    topic = clone.commit("Add", {path_of("m-002"): memory("m-002", "New")})
    clone.git("switch", "-q", "main")
    assert told(load(clone)) == MERGED
    assert told(load(clone, topic)) == [*MERGED, ("m-002", "proposed", "New")]


def test_a_listing_with_contents_that_are_no_objects_may_be_judged(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    files = {path_of(): memory(), path_of("m-002"): memory("m-002", "Uncommitted")}
    entries = [
        TreeEntry(path, 0o100644, clone.git("hash-object", "--stdin", stdin=text.encode()))
        for path, text in files.items()
    ]
    with open_repository(clone.path) as opened:
        knowledge = load_knowledge(opened, entries=entries, read=lambda path: files[path].encode())
    assert told(knowledge) == [*MERGED, ("m-002", "proposed", "Uncommitted")]


# validations, policy, elements
def test_validations_of_a_branch_are_labelled(tmp_path: Path) -> None:
    _, clone = hosted(
        tmp_path, {path_of(): memory(), ".ai/validations/m-001/20260720-aaaaa.yaml": VALIDATION}
    )
    clone.commit("Look", {".ai/validations/m-001/20260721-bbbbb.yaml": VALIDATION.replace("07-20", "07-21")})
    known = load(clone).validations_of("m-001")
    assert [(one.validation.at.isoformat(), one.merged) for one in known] == [
        ("2026-07-20T10:00:00+09:00", True),
        ("2026-07-21T10:00:00+09:00", False),
    ]
    assert load(clone).validations_of("m-404") == ()


def test_policy_and_elements_come_from_the_trusted_tip(tmp_path: Path) -> None:
    strict = "version: 1\ntrust:\n  require_review: true\n"
    elements = "version: 1\nelements:\n  Api: [src/**]\n"
    _, clone = hosted(
        tmp_path, {"a": "b", ".ai/policies/memory-policy.yaml": strict, ".ai/elements.yaml": elements}
    )
    clone.commit(
        "Loosen",
        {
            ".ai/policies/memory-policy.yaml": "version: 1\n",
            ".ai/elements.yaml": elements.replace("Api", "Web"),
        },
    )
    knowledge = load(clone)
    assert knowledge.policy.require_review is True
    assert [one.name for one in knowledge.elements.elements] == ["Api"]


def test_require_review_takes_unreviewed_memories_for_proposed(tmp_path: Path) -> None:
    strict = "version: 1\ntrust:\n  require_review: true\n"
    _, clone = hosted(tmp_path, {path_of(): memory(), ".ai/policies/memory-policy.yaml": strict})
    clone.commit(
        "Add m-002\n\nReviewed-by: Bob <bob@example.org>", {path_of("m-002"): memory("m-002", "Reviewed")}
    )
    clone.git("push", "-q")
    assert told(load(clone)) == [
        ("m-001", "proposed", MERGED[0][2]),
        ("m-002", "merged", "Reviewed"),
    ]


def test_where_review_is_required_a_direct_push_hides_nothing_reviewed(tmp_path: Path) -> None:
    strict = "version: 1\ntrust:\n  require_review: true\n"
    _, clone = hosted(tmp_path, {".ai/policies/memory-policy.yaml": strict})
    trailer = "\n\nReviewed-by: Bob <bob@example.org>"
    clone.commit(f"Add{trailer}", {path_of(): memory(summary="First")})
    reviewed = clone.commit(f"Correct{trailer}", {path_of(): memory(summary="Reviewed")})
    clone.commit("Push", {path_of(): memory(summary="Pushed")})
    clone.commit("Push again", {path_of(): memory(summary="Pushed again")})
    clone.git("push", "-q")
    assert told(load(clone)) == [("m-001", "merged", "Reviewed"), ("m-001", "edit", "Pushed again")]
    with open_repository(clone.path) as opened:
        listed = list_memories(opened, load_knowledge(opened), drift=None, today=date(2026, 8, 1)).memories
    assert [(one.effective_status, one.approval.commit) for one in listed] == [
        ("active", reviewed),
        ("proposed", None),
    ]


# hostile and broken files
def test_one_bad_file_never_hides_the_others(tmp_path: Path) -> None:
    bad = {
        path_of("broken"): "id: [x\n",
        path_of("no-summary"): "id: no-summary\nstatus: active\nscope: project\n",
        path_of("bad-status"): memory("bad-status", status="done"),
        path_of("two-docs"): memory("two-docs") + "---\nid: other\n",
        path_of("anchor"): memory("anchor", title="&a x"),
        path_of("huge"): memory("huge", body="x" * 70_000),
        path_of("enormous"): memory("enormous", body="x" * 1_100_000),
        ".ai/validations/m-001/20260101-aaaaa.yaml": "memory: [\n",
        ".ai/elements.yaml": "elements: 3\n",
        ".ai/policies/memory-policy.yaml": "version: 99\n",
    }
    _, clone = hosted(tmp_path, {path_of(): memory(), **bad})
    knowledge = load(clone)
    assert told(knowledge) == MERGED
    assert {one.file for one in knowledge.problems} == set(bad)


def test_an_unknown_field_is_named_and_the_memory_loads(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(owner="ada")})
    knowledge = load(clone)
    assert told(knowledge) == MERGED
    assert [(one.field, one.severity) for one in knowledge.problems] == [("owner", "warning")]


def test_the_first_file_keeps_an_id_that_two_claim(tmp_path: Path) -> None:
    _, clone = hosted(
        tmp_path, {".ai/memory/a/m-001.yaml": memory(), ".ai/memory/b/m-001.yaml": memory(summary="B")}
    )
    knowledge = load(clone)
    assert told(knowledge) == MERGED
    assert any(one.file == ".ai/memory/b/m-001.yaml" and "taken" in one.message for one in knowledge.problems)


def test_no_link_is_followed_and_no_submodule_entered(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.write("outside.yaml", memory("m-002", "Through a link"))
    (clone.path / ".ai/memory/m-002.yaml").symlink_to("../../outside.yaml")
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{clone.head()},.ai/memory/sub")
    clone.commit("Link")
    clone.git("push", "-q")
    knowledge = load(clone)
    assert told(knowledge) == MERGED
    named = {one.file: one.message for one in knowledge.problems}
    assert "symbolic link" in named[".ai/memory/m-002.yaml"]


def test_the_whole_folder_as_a_link_is_named(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.write("elsewhere/memory/m-001.yaml", memory())
    (repo.path / ".ai").symlink_to("elsewhere")
    repo.commit("Link")
    knowledge = load(repo)
    assert knowledge.memories == ()
    assert [one.file for one in knowledge.problems] == [".ai"]


@pytest.mark.parametrize("name", ["한글 폴더", "a\nb", 'quo"te', "\udcff"])
def test_odd_folder_names_load(tmp_path: Path, name: str) -> None:
    _, clone = hosted(tmp_path, {f".ai/memory/{name}/m-001.yaml": memory()})
    knowledge = load(clone)
    assert told(knowledge) == MERGED
    assert knowledge.memories[0].memory.file == f".ai/memory/{name}/m-001.yaml"


def test_markdown_notes_are_memories_without_free_fields(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {".ai/memory/pay.md": "review_after: 2026-01-01\n"})
    assert told(load(clone)) == [("pay", "merged", "review_after: 2026-01-01")]
    clone.commit("Edit", {".ai/memory/pay.md": "review_after: 2027-01-01\n"})
    assert [state for _, state, _ in told(load(clone))] == ["merged", "edit"]


# the cache
def test_what_comes_from_the_cache_is_what_was_parsed(tmp_path: Path) -> None:
    bad = {path_of("broken"): "id: [x\n", path_of("odd"): memory("odd", owner="ada")}
    _, clone = hosted(
        tmp_path, {path_of(): memory(), **bad, ".ai/elements.yaml": "version: 1\nelements: {Api: [a]}\n"}
    )
    first = load(clone)
    assert list((clone.path / ".git/gitmem").iterdir())
    assert load(clone) == first
    with open_repository(clone.path) as opened:
        assert load_knowledge(opened, cached=False) == first


def test_a_damaged_cache_is_no_cache(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    load(clone)
    for file in (clone.path / ".git/gitmem").iterdir():
        file.write_bytes(file.read_bytes()[:-3])
    assert told(load(clone)) == MERGED


@pytest.mark.parametrize("odd", [(), ((), ()), (("x",) * 40, ()), (None, (("x",),)), 7])
def test_a_kept_value_of_another_shape_is_parsed_anew(tmp_path: Path, odd: object) -> None:
    _, clone = hosted(tmp_path)
    expected = load(clone).memories
    with open_repository(clone.path) as opened:
        cache = Cache(opened.layout.common_dir / "gitmem")
        kinds = cache._content()
        assert kinds["memory"]
        for kept in kinds.values():
            for key in kept:
                kept[key] = odd
        cache._is_dirty = True
        cache.save()
    assert load(clone).memories == expected
