"""What a block says of each field: what it was, what it is, and what was asked of it."""

from __future__ import annotations

from typing import Any

import pytest

from lastlook.core.check import Change, Stale, Unresolvable, Valid, check, check_reading
from lastlook.core.evidence import Evidence, Found
from lastlook.core.members import capture_members
from lastlook.core.outcome import BlockedStale, BlockedTampered, BlockedUnresolvable, NotConfirmed
from lastlook.core.plan import ToolDefinition
from lastlook.core.prompt import LookAgain
from lastlook.core.screens import look_again_screen
from lastlook.core.tool_change import changed_tool
from tests.unit.core.refund import REF, REFUNDED, at, blocked, evidence, fresh, plan


def block_of(before: object, after: object, fields: Any, **more: Any) -> str:
    about = plan(evidence=(evidence(before, fields, "orders:1", **more),))
    return blocked(after, about).text()


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ({"v": None}, {}, "v               null -> (not there)"),
        ({"v": ""}, {"v": None}, 'v               "" -> null'),
        ({"v": []}, {"v": None}, "v               [] -> null"),
        ({"v": {}}, {"v": {"a": 1}}, "v               {} -> 1 member"),
        ({"v": 1}, {"v": "1"}, 'v               1 -> "1"    of another type'),
        ({"v": True}, {"v": False}, "v               true -> false"),
    ],
)
def test_absent_null_and_empty_are_shown_differently(before: Any, after: Any, line: str) -> None:
    assert f"\n    {line}\n" in block_of(before, after, "v")


def test_an_optional_field_that_came_was_not_there_before() -> None:
    assert '\n    v               (not there) -> ""\n' in block_of({}, {"v": ""}, "v (optional)")


def test_a_false_condition_says_what_was_asked() -> None:
    text = block_of({"v": 3}, {"v": 1}, "v >= 2")
    assert "\n    v               3 -> 1    must be at least 2\n" in text
    text = block_of({"v": 3}, {"v": 5}, "v <= 4")
    assert "\n    v               3 -> 5    must be at most 4\n" in text
    text = block_of({"v": "a"}, {"v": "c"}, "v in ['a', 'b']")
    assert '\n    v               "a" -> "c"    must be one of "a", "b"\n' in text
    text = block_of({"v": "a"}, {"v": "c"}, "v == 'a'")
    assert '\n    v               "a" -> "c"    must be "a"\n' in text
    text = block_of({"v": 100}, {"v": 106}, "v within 5%")
    assert "\n    v               100 -> 106    must stay within 5%\n" in text
    text = block_of({"v": 100}, {"v": 106}, "v within 5")
    assert "\n    v               100 -> 106    must stay within 5\n" in text


def test_a_field_that_moved_and_still_holds_is_told_beside_one_that_changed() -> None:
    text = block_of({"v": 3, "w": 1, "x": 1}, {"v": 2, "w": 2, "x": 1}, ["v >= 2", "w", "x"])
    assert "\n    w               1 -> 2\n" in text
    assert "\n    v               3 -> 2, which still holds\n" in text
    assert "\n    x               unchanged\n" in text


def test_a_list_is_compared_item_by_item() -> None:
    text = block_of({"v": ["a", "b", "b", "c", "d"]}, {"v": ["d", "a", "b", "c", "e"]}, "v")
    assert "    v               5 items -> 5 items\n" in text
    assert '\n                      gone   "b"\n                      new    "e"\n' in text
    assert '\n                      moved  place 5 -> 1: "d"\n' in text
    assert text.count("moved") == 1


def test_an_unordered_list_has_no_places() -> None:
    text = block_of({"v": ["a", "b", "c"]}, {"v": ["c", "b", "x"]}, "v (unordered)")
    assert "moved" not in text
    assert '\n                      gone   "a"\n                      new    "x"\n' in text


def test_of_many_items_the_rest_is_counted() -> None:
    text = block_of({"v": list(range(50))}, {"v": []}, "v")
    assert text.count("gone ") == 21
    assert "\n                      gone   ... and 30 more\n" in text


def test_long_lists_are_compared_in_good_time() -> None:
    before = [f"item {number}" for number in range(20_000)]
    text = block_of({"v": before}, {"v": [*reversed(before)]}, "v")
    assert "... and 19,979 more" in text


def test_a_long_item_is_cut_at_the_edge_of_the_screen() -> None:
    item = {"a": "x" * 30, "b": "y" * 30}
    text = block_of({"v": [item, "z" * 90, [1, "q" * 60]]}, {"v": []}, "v")
    assert f'gone   {{"a": "{"x" * 30}", ...}}\n' in text
    assert f'gone   "{"z" * 50}\n{" " * 29}{"z" * 40}"\n' in text
    assert "gone   [1, ...]\n" in text


def test_an_object_is_compared_member_by_member() -> None:
    before = {"v": {"city": "X", "zip": "1", "deep": {"k": [1, 2]}, "odd": {"a": 1}}}
    after = {"v": {"city": "Y", "deep": {"k": [2], "n": {"b": 1}}, "odd": 1}}
    text = block_of(before, after, "v")
    assert "    v               4 members -> 3 members\n" in text
    assert '\n                      other  "city": "X" -> "Y"\n' in text
    assert '\n                      other  "deep" / "k": 2 items -> 1 item\n' in text
    assert "\n                      gone   1\n" in text
    assert '\n                      new    "deep" / "n": {"b": 1}\n' in text
    assert '\n                      other  "odd": 1 member -> 1\n' in text
    assert '\n                      gone   "zip": "1"\n' in text


def test_a_tagged_value_is_one_value_and_not_an_object() -> None:
    text = block_of({"v": 2**70}, {"v": 2**70 + 1}, "v")
    assert f"    v               {2**70} -> {2**70 + 1}\n" in text


def test_texts_that_look_the_same_are_told_apart_by_code_point() -> None:
    text = block_of({"v": "p\u0430ul"}, {"v": "paul"}, "v")
    assert 'v               "p\u0430ul" -> "paul"\n' in text
    note = " ".join(text.split("look the same; ")[1].split())
    assert note.startswith(
        "differ in hidden or look-alike characters: "
        "character 2 was U+0430 CYRILLIC SMALL LETTER A, is U+0061 LATIN SMALL LETTER A"
    )
    nested = block_of({"v": {"to": "paul\u200b"}}, {"v": {"to": "paul"}}, "v")
    note = " ".join(nested.split("look the same; ")[1].split())
    assert "character 5 was U+200B ZERO WIDTH SPACE, is not there" in note


def test_matches_of_a_wildcard_are_compared_by_value_where_paths_agree() -> None:
    before = {"w": [{"v": 1}, {"v": 2}]}
    text = block_of(before, {"w": [{"v": 1}, {"v": 3}]}, "$.w[*].v")
    assert "    $.w[*].v        2 matches -> 2 matches\n" in text
    assert "\n                      gone   2\n                      new    3\n" in text
    text = block_of({"w": {"a": 1}}, {"w": {"b": 1}}, "$.w.*")
    assert "    $.w.*           1 match -> 1 match\n" in text
    assert '\n                      gone   [["w", "a"], 1]\n' in text


def test_a_secret_is_never_shown_and_neither_is_what_was_asked_of_it() -> None:
    fields = ["pin >= 4711 (secret)", "token (secret)"]
    salts = {"orders:1#/pin": b"x" * 32, "orders:1#/token": b"y" * 32}
    seen = evidence({"pin": 5000, "token": "tok-1"}, fields, "orders:1", salts=salts)
    found = check_reading(seen, Found({"pin": 1234, "token": "tok-2"}), salts=salts)
    about = plan(evidence=(seen,))
    text = BlockedStale(plan=about, checks=(found,), at=at(14, 9)).text()
    assert "    pin             changed, and not shown (secret)\n" in text
    assert "    token           changed, and not shown (secret)\n" in text
    for word in ("4711", "5000", "1234", "tok-1", "tok-2"):
        assert word not in text


def test_a_long_ref_keeps_what_is_said_of_it_two_columns_away() -> None:
    about = plan(evidence=(evidence({"v": 1}, "v", "orders:" + "9" * 20),))
    assert f"\n  orders:{'9' * 20}  1 of 1 field changed\n" in blocked({"v": 2}, about).text()


def test_a_record_that_came_where_none_was_to_be_exists_now() -> None:
    absence = evidence(None, (), "slots:9", kind="absence")
    about = plan(evidence=(absence,))
    text = BlockedStale(plan=about, checks=(check(absence, {}),), at=at(14, 9)).text()
    assert "\n  slots:9           exists now\n\n" in text


def members(**more: Any) -> Evidence[Any]:
    rows = {"s1": {"status": "free", "n": 1}, "s2": {"status": "free", "n": 2}}
    return capture_members(rows, ["status == 'free'", "n"], ref="slots:free", cap=9, **more)


def test_a_query_is_compared_member_by_member() -> None:
    query = members(params={"day": "mon"})
    now = {"s1": {"status": "taken", "n": 1}, "s3": {"status": "free", "n": 3}}
    about = plan(evidence=(query,))
    text = BlockedStale(plan=about, checks=(check(query, now),), at=at(14, 9)).text()
    assert "\n  slots:free        3 differences among its members\n" in text
    assert '\n    "s1" status     "free" -> "taken"    must be "free"\n' in text
    assert '\n    "s2"            gone   {"n": 2, ' in text
    assert '\n    "s3"            new    {"n": 3, ' in text


def test_a_query_that_may_grow_holds_when_it_has_grown() -> None:
    query = members(may="grow")
    held = check(query, {**{m.key: {"status": "free", "n": i} for i, m in
                            enumerate(query.members, 1)}, "s3": {"status": "free"}})  # fmt: skip
    assert isinstance(held, Valid)
    text = NotConfirmed(plan=plan(evidence=(query,)), checks=(held,)).text()
    assert "\n  slots:free        holds (2 fields)" in text


def test_a_changed_tool_is_told_by_what_changed_in_it() -> None:
    sealed = ToolDefinition(name="refund", version="1", writes=("a:b",))
    stale = changed_tool(sealed, ToolDefinition(name="refund", version="2", writes=("a:c",)))
    text = BlockedStale(plan=plan(), checks=(stale,), at=at(14, 9)).text()
    assert "\n  tool:refund       is not the tool that the yes was for\n" in text
    assert '\n    version         "1" -> "2"\n' in text
    assert '\n                      gone   "a:b"\n                      new    "a:c"\n' in text


def test_all_that_was_looked_at_is_told_also_what_holds() -> None:
    two = (evidence({"v": 1}, "v", "a:1"), evidence({"v": 3}, "v >= 2", "b:1"),
           evidence(None, (), "c:1", kind="absence"))  # fmt: skip
    checks = (check(two[0], {"v": 1}), check(two[1], {"v": 2}),
              Valid(ref="c:1", fields=0, captured="", current=""),
              Unresolvable(ref="d:1", reason="no answer"))  # fmt: skip
    text = BlockedStale(plan=plan(evidence=two), checks=checks, at=at(14, 9)).text()
    assert "\n  a:1               unchanged (1 field)\n" in text
    assert "\n  b:1               holds (1 field)\n" in text
    assert "\n    v               3 -> 2, which still holds\n" in text
    assert "\n  c:1               still does not exist\n" in text
    assert "\n  d:1               could not be read: no answer\n" in text


def test_a_change_without_the_cells_of_now_leaves_the_rest_unchanged() -> None:
    seen = evidence({"v": 1, "w": 2}, ["v", "w"], "r:1")
    change = Change(field="/v", text="v", before=("value", 1), after=("value", 2))
    stale = Stale(ref="r:1", changed=("/v",), changes=(change,), captured="", current="", fields=2)
    text = BlockedStale(plan=plan(evidence=(seen,)), checks=(stale,), at=at(14, 9)).text()
    assert "\n    v               1 -> 2\n    w               unchanged\n" in text


def test_a_member_that_is_the_same_is_not_told() -> None:
    assert "city" not in block_of({"v": {"city": 1, "a": 1}}, {"v": {"city": 1, "a": 2}}, "v")


def test_a_block_before_the_yes_does_not_say_that_a_yes_was_used_up() -> None:
    text = blocked(confirmed_at=None).text()
    assert "\nLooking again at 14:09:13, before anything ran:\n" in text
    assert "\nNothing was done; plan k7f3 will never run.\n" in text
    assert "yes" not in text


def test_a_block_on_another_day_tells_the_day_of_the_yes() -> None:
    text = blocked(at=at(9, 0, day=5)).text()
    assert "You said yes at 2026-10-03 14:02:40. Looking again at 09:00:00" in text


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"fresh": fresh()}, "There is a new question: plan k7f3.2."),
        ({"why_no_fresh": "planning failed"}, "There is no new question: planning failed."),
        ({"why_no_fresh": "Why?"}, "There is no new question: Why?"),
        ({}, "There is no new question: none was made."),
    ],
)
def test_a_block_says_exactly_once_whether_there_is_a_new_question(
    more: dict[str, Any], line: str
) -> None:
    text = blocked(REFUNDED, **more).text()
    assert text.endswith(f"\n{line}")
    assert text.count("new question") == 1


def test_tampered_bytes_are_not_shown() -> None:
    text = BlockedTampered(plan=plan(intent="Pay the thief"), at=at(14, 9)).text()
    assert text.startswith("NOT RUN  plan k7f3\nThe stored plan differs from its seal.\n")
    assert "\nNothing was done; plan k7f3 will never run.\n" in text
    assert "thief" not in text


def test_what_can_not_be_read_and_is_not_in_the_plan_has_no_last_state() -> None:
    gone = Unresolvable(ref="lastlook", reason="the look itself failed")
    text = BlockedUnresolvable(plan=plan(), checks=(gone,), at=at(14, 9)).text()
    assert "\n  lastlook          could not be read: the look itself failed\n\n" in text
    assert "new question" not in text
    why = BlockedUnresolvable(plan=plan(), checks=(gone,), at=at(14, 9), why_no_fresh="x")
    assert why.text().endswith("\nThere is no new question: x.")


def test_several_last_seen_values_stand_below_each_other_and_secrets_are_masked() -> None:
    salts = {"orders:1#/pin": b"x" * 32}
    seen = evidence({"pin": 4711, "v": 1}, ["pin (secret)", "v"], "orders:1", salts=salts,
                    captured_at=at(9, 11, 58, day=2))  # fmt: skip
    gone = Unresolvable(ref="orders:1", reason="not found", kind="not_found")
    outcome = BlockedUnresolvable(plan=plan(evidence=(seen,)), checks=(gone,), at=at(14, 9))
    text = look_again_screen(LookAgain(blocked=outcome)).plain()
    assert "last seen 2026-10-02 09:11:58: pin (secret)   (may be old)\n" in text
    assert "                                               v 1   (may be old)\n" in text
    assert "\nLook again where it should be there, or leave it and plan again.\n" in text


def test_the_words_of_a_source_are_cut() -> None:
    gone = Unresolvable(ref=REF, reason="x" * 10_000)
    text = BlockedUnresolvable(plan=plan(), checks=(gone,), at=at(14, 9)).text()
    assert text.count("x") == 500
