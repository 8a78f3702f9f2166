"""Listings, and one plan in full."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from lastlook.core.lifecycle import Confirmation, JournalRow, Look, PlanRecord, State
from lastlook.core.members import capture_members
from lastlook.core.plan import ActionPlan
from lastlook.core.screens import journal_screen, pending_screen, show_screen
from lastlook.errors import StoreCorrupt
from tests.unit.core.refund import REF, REFUNDED, at, evidence, fresh, plan


def record(about: ActionPlan, state: State, **more: Any) -> PlanRecord:
    given: dict[str, Any] = {
        "id": about.id, "lineage": about.lineage, "number": about.number,
        "follows": about.follows, "requested_by": about.requested_by, "key": None,
        "body": about.body, "seal": about.seal, "state": state, "state_at": at(12, 9, 13),
    }  # fmt: skip
    return PlanRecord(**{**given, **more})


def yes(about: ActionPlan, by: str = "person:ana") -> Confirmation:
    return Confirmation(plan=about.id, seal=about.seal, shown="sha256:00", by=by, at=at(12, 2, 40))


def row(about: ActionPlan, number: int, state: State, data: Any = None, **more: Any) -> JournalRow:
    given = {"was": None, "at": at(12, number), "by": "lastlook", "epoch": 0, "step": 0, **more}
    return JournalRow(plan=about.id, row=number, state=state, data=data, **given)


CHANGED = {"changed": {REF: ["/items", "/payment_history"]}, "unreadable": {}}


def test_the_journal_reads_to_the_letter() -> None:
    records = [
        record(plan(), State.BLOCKED_STALE, confirmation=yes(plan())),
        record(fresh(), State.EXECUTED, state_at=at(12, 10, 2), confirmation=yes(fresh())),
    ]
    rows = [
        row(plan(), 2, State.CONFIRMED, {"channel": "tty"}),
        row(plan(), 3, State.BLOCKED_STALE, CHANGED),
        row(fresh(), 2, State.CONFIRMED, {"channel": "tty"}),
    ]
    screen = journal_screen(
        records,
        rows,
        zone=ZoneInfo("Europe/Berlin"),
        where="~/.local/state/lastlook/plans.db",
        why="no lastlook.toml above this folder",
        verified="journal intact (head 9c1e04ab, 4,118 rows)",
    )
    assert screen.plain() == (
        "WHEN (Europe/Berlin)  PLAN    WHAT                    ASKED BY       YES BY     OUTCOME\n"
        "10-03 14:09:13        k7f3    Refund order #W1006327  support-agent  ana (tty)  "
        "not run: items, payment_history changed\n"
        "10-03 14:10:02        k7f3.2  Refund order #W1006327  support-agent  ana (tty)  executed\n"
        "2 plans, 2 yeses, 1 executed, 1 not run.   "
        "journal intact (head 9c1e04ab, 4,118 rows)\n"
        "Kept in ~/.local/state/lastlook/plans.db (no lastlook.toml above this folder)"
    )


def narrow(width: int, name: str = "support-agent") -> list[str]:
    about = plan(requested_by=f"agent:{name}", intent="Refund order #W1006327 " * 2 + "at once")
    records = [
        record(about, State.BLOCKED_STALE, confirmation=yes(about)),
        record(fresh(), State.EXECUTED),
    ]
    rows = [row(about, 3, State.BLOCKED_STALE, CHANGED)]
    said = {"where": "/plans.db", "verified": "journal intact (head 9c1e04ab, 4,118 rows)"}
    return journal_screen(records, rows, width=width, **said).plain().splitlines()


def test_a_journal_keeps_to_the_columns_there_are() -> None:
    assert narrow(80) == [
        "WHEN (UTC)      PLAN    WHAT              ASKED BY       YES BY  OUTCOME",
        '10-03 12:09:13  k7f3    Refund order ...  support-agent  "ana"',
        "    not run: items, payment_history changed",
        "10-03 12:09:13  k7f3.2  Refund order ...  support-agent  -       executed",
        "2 plans, 1 yes, 1 executed, 1 not run.",
        "journal intact (head 9c1e04ab, 4,118 rows)",
        "Kept in /plans.db",
    ]


def test_what_has_no_room_beside_stands_below() -> None:
    assert narrow(50)[:4] == [
        "WHEN (UTC)      PLAN    WHAT",
        "    ASKED BY  YES BY  OUTCOME",
        "10-03 12:09:13  k7f3    Refund order ...",
        '    support-agent  "ana"  not run: items,',
    ]
    assert narrow(50)[4] == "    payment_history changed"


def test_a_list_that_fits_is_left_as_it_is() -> None:
    assert narrow(200)[:3] == [line for line in narrow(10_000) if "10-03" in line or "WHEN" in line]
    assert narrow(200)[3].endswith("not run.   journal intact (head 9c1e04ab, 4,118 rows)")
    head, line, *_ = pending_screen([record(plan(), State.PENDING)], width=80).plain().splitlines()
    assert head.startswith("WHEN (UTC)")
    assert line.endswith("  waits for a yes")


@pytest.mark.parametrize("width", [30, 40, 60, 80, 100])
@pytest.mark.parametrize("name", ["a", "a-name-that-is-longer-than-most-terminals-are-wide" * 2])
def test_no_line_of_a_list_is_wider_than_the_terminal(width: int, name: str) -> None:
    longest = max(width, 44)  # when, plan and a short intent stay on one line
    assert all(len(line) <= longest for line in narrow(width, name))


def test_a_changed_tool_is_named_as_such() -> None:
    data = {"changed": {"tool:book.sh": ["/command/files/book.sh"]}, "unreadable": {}}
    assert "not run: tool book.sh changed" in listed(State.BLOCKED_STALE, data)


def listed(state: State, data: Any = None, **more: Any) -> str:
    rows = [row(plan(), 1, State.PENDING), row(plan(), 2, state, data)]
    return journal_screen([record(plan(), state, **more)], rows).plain()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            {"changed": {REF: ["/items"]}, "unreadable": {"b:1": "no_answer"}},
            "not run: items changed; b:1 could not be read",
        ),
        ({"changed": {}, "unreadable": {"b:1": "x"}}, "not run: b:1 could not be read"),
        (None, "not run"),
        ("odd", "not run"),
    ],
)
def test_a_block_in_the_journal_names_what_changed_and_what_was_not_read(
    data: Any, text: str
) -> None:
    assert listed(State.BLOCKED_STALE, data).splitlines()[1].endswith(f"  {text}")


def test_a_no_is_listed_with_its_reason() -> None:
    assert "  rejected: too much\n" in listed(State.REJECTED, {"why": "too much"})
    assert "  rejected\n" in listed(State.REJECTED, {"why": ""})


def test_every_state_has_words() -> None:
    for state in State:
        line = listed(state).splitlines()[1]
        assert "support-agent" in line
        assert line.rsplit("  ", 1)[1]


@pytest.mark.parametrize(
    ("by", "shown"),
    [("person:ana", '"ana"'), ("policy:small", "policy:small"), ("person:ana b", '"ana b"')],
)
def test_a_name_that_the_program_states_stands_in_quotes(by: str, shown: str) -> None:
    assert f"  {shown}  " in listed(State.CONFIRMED, {"seal": "x"}, confirmation=yes(plan(), by))


def test_the_counts_name_what_there_is() -> None:
    states = [State.UNKNOWN, State.PARTIAL, State.FAILED, State.PENDING]
    text = journal_screen([record(plan(), state) for state in states], []).plain()
    assert text.endswith("\n4 plans, 0 yeses, 1 failed, 1 stopped halfway, 1 unknown.")
    assert journal_screen([], []).plain() == "0 plans, 0 yeses."


def test_a_plan_that_is_not_what_was_sealed_is_not_listed_by_its_words() -> None:
    text = pending_screen([record(plan(), State.PENDING, body=plan(intent="Thief").body)]).plain()
    assert "(can't be read)" in text
    assert "Thief" not in text
    broken = b"{}"
    from lastlook.core.plan import seal_of

    text = pending_screen([record(plan(), State.PENDING, body=broken, seal=seal_of(broken))])
    assert "(can't be read)" in text.plain()


def test_plans_that_wait_are_listed_with_their_end() -> None:
    waiting = plan(expires_at=at(14, 17), intent="word " * 12 + "end")
    records = [record(waiting, State.PENDING), record(fresh(), State.PARKED)]
    text = pending_screen(records, where="memory").plain()
    first, second = (
        f"{line:66}support-agent  "
        for line in (
            "10-03 12:09:13  k7f3    word word word word word word word wo...",
            "10-03 12:09:13  k7f3.2  Refund order #W1006327",
        )
    )
    assert text.splitlines() == [
        "WHEN (UTC)      PLAN    WHAT                                      ASKED BY       STATE",
        f"{first}waits for a yes, good until 14:17",
        f"{second}parked: too many questions",
        "2 plans wait for a person.",
        "Kept in memory",
    ]
    assert pending_screen(records[:1]).plain().endswith("\n1 plan waits for a person.")


def test_wide_intents_are_cut_by_columns() -> None:
    text = pending_screen([record(plan(intent="漢" * 30), State.PENDING)]).plain()
    assert f"  {'漢' * 18}...  " in text


def seen(*cells: Any) -> list[Any]:
    return [[REF, [list(cell) for cell in cells]]]


def look(moment: str, minute: int, cells: list[Any]) -> Look:
    return Look(moment=moment, at=at(14, minute), seen=cells)


def test_one_plan_is_shown_with_what_happened() -> None:
    rows = [
        row(fresh(), 1, State.PENDING, by="agent:support-agent"),
        row(fresh(), 2, State.CONFIRMED, {"channel": "tty"}, by="person:ana"),
        row(fresh(), 3, State.EXECUTING, step=1),
        row(fresh(), 4, State.EXECUTED, step=1),
    ]
    held = record(fresh(), State.EXECUTED, confirmation=yes(fresh()))
    text = show_screen(fresh(), held, rows).plain()
    assert text == (
        "Refund order #W1006327                           plan k7f3.2, follows k7f3\n"
        "stands at           executed, 12:09:13\n"
        "asked by            support-agent, 2026-10-03 14:02:11 UTC\n"
        "yes by              ana (tty), 2026-10-03 12:02:40 UTC\n"
        "was shown           sha256:00\n"
        f"seal                {fresh().seal[:60]}\n"
        f"                    {fresh().seal[60:]}\n"
        "\n"
        "WHAT HAPPENED (UTC)\n"
        "  10-03 12:01:00    pending, by support-agent\n"
        "  10-03 12:02:00    confirmed, by person:ana\n"
        "  10-03 12:03:00    executing, step 1, by lastlook\n"
        "  10-03 12:04:00    executed, step 1, by lastlook"
    )
    assert "yes by" not in show_screen(plan(), record(plan(), State.PENDING), []).plain()


def facts(about: ActionPlan, *looks: Look) -> str:
    screen = show_screen(about, record(about, State.PENDING), [], looks, facts=True)
    return screen.plain().split("FACTS\n")[1]


def test_the_facts_stand_in_three_columns() -> None:
    items, paid, status = plan().evidence[0].cells
    other = ("value", REFUNDED["items"])
    text = facts(
        plan(),
        look("at_yes", 2, seen(items, paid, status)),
        look("before_step_1", 9, seen(other, ("value", [1]), ("value", "lost"))),
        look("before_step_2", 10, []),
    )
    assert text == (
        "  orders:#W1006327\n"
        "                    read & shown        at the yes          right before it ran\n"
        "                    14:02:11            14:02:00            14:09:00\n"
        "    items           3 items             the same            2 items\n"
        "    payment_history 1 item              the same            1 item, other\n"
        '    status          "delivered"         the same            "lost"'
    )


def test_what_was_not_looked_at_or_not_read_is_told() -> None:
    text = facts(plan(), look("before_yes", 2, [[REF, []], ["other:1", []]]))
    assert '\n    status          "delivered"         not read            -' in text
    assert "\n                    14:02:11            14:02:00            -\n" in text


def test_facts_stand_below_each_other_where_there_is_no_room_beside() -> None:
    looks = [look("at_yes", 2, seen(*plan().evidence[0].cells))]
    screen = show_screen(
        plan(), record(plan(), State.PENDING), [], looks, facts=True, width=60
    )  # fmt: skip
    assert all(len(line) <= 60 for line in screen.plain().splitlines())
    assert (
        screen.plain()
        .split("FACTS\n")[1]
        .startswith(
            "  orders:#W1006327\n"
            "      read & shown          14:02:11\n"
            "      at the yes            14:02:00\n"
            "      right before it ran   -\n"
            "    items\n"
            "      read & shown          3 items\n"
            "      at the yes            the same\n"
        )
    )


def test_a_plan_that_rests_on_nothing_has_no_facts() -> None:
    assert facts(plan(evidence=())) == "  It rests on nothing."


def test_long_facts_stand_below_each_other() -> None:
    long = "x" * 30
    about = plan(evidence=(evidence({"v": long, "a_name_of_many_characters": 1},
                                    ["v", "a_name_of_many_characters"], REF),))  # fmt: skip
    cells = about.evidence[0].cells
    text = facts(about, look("at_yes", 2, seen(*cells)))
    assert (
        "\n    v\n"
        f'      read & shown          "{long}"\n'
        "      at the yes            the same\n"
        "      right before it ran   -"
    ) in text
    assert "\n    a_name_of_many_characters\n      read & shown          1\n" in text


def test_facts_of_absences_and_queries_are_named_only() -> None:
    absence = evidence(None, (), "a:1", kind="absence")
    query = capture_members({"s1": {"n": 1}}, ["n"], ref="q:1", cap=3)
    text = facts(plan(evidence=(absence, query)))
    assert "\n    (absence)\n  q:1\n" in text
    assert text.endswith("\n    (query)")


def test_a_secret_that_changed_is_other_and_not_shown() -> None:
    salts = {f"{REF}#/pin": b"x" * 32}
    about = plan(evidence=(evidence({"pin": 4711}, "pin (secret)", REF, salts=salts),))
    text = facts(about, look("at_yes", 2, seen(("secret", "00" * 32))))
    assert "    pin             (secret)            (secret), other     -" in text


def test_records_and_rows_survive_json() -> None:
    from lastlook.core.telling import record_data, row_data

    held = record(plan(), State.EXECUTED, confirmation=yes(plan()), outcome=b'{"outcome":"executed"}',
                  salts={"a#b": b"secret"})  # fmt: skip
    data = record_data(held)
    assert data["state"] == "executed"
    assert data["outcome"] == {"outcome": "executed"}
    assert data["confirmation"]["by"] == "person:ana"
    assert data.keys().isdisjoint({"body", "salts"})
    assert record_data(record(plan(), State.PENDING))["outcome"] is None
    assert msgspec.json.decode(msgspec.json.encode(data)) == data
    assert row_data(row(plan(), 1, State.PENDING))["state"] == "pending"


@pytest.mark.parametrize(
    "seen_then",
    [
        None, 1, [1], [[REF]], [[REF, None]], [[REF, [1, 2, 3]]], [[REF, [[], [], []]]],
        [[REF, [["value"], ["value"], ["value"]]]], [[REF, [["value", 1, 2]] * 3]],
        [[REF, [[["value"], 1]] * 3]], [[1, []]],
    ],
    ids=str,
)  # fmt: skip
def test_a_damaged_look_is_named_instead_of_shown(seen_then: Any) -> None:
    with pytest.raises(StoreCorrupt, match="looked at for plan k7f3") as damaged:
        facts(plan(), look("at_yes", 2, seen_then))
    assert damaged.value.where == "k7f3"
    assert "lastlook doctor" in damaged.value.fix


def test_a_damaged_look_through_a_wildcard_is_named_instead_of_shown() -> None:
    about = plan(evidence=(evidence({"a": [1, 2]}, ["$.a[*]"], REF),))
    with pytest.raises(StoreCorrupt):
        facts(about, look("at_yes", 2, [[REF, [["value", 1]]]]))
    assert "the same" in facts(about, look("at_yes", 2, seen(*about.evidence[0].cells)))


def test_what_a_look_did_not_read_or_found_gone_is_told() -> None:
    gone = [[REF, [["absent"], ["absent"], ["secret", "00"]]]]
    assert "(not there)" in facts(plan(), look("at_yes", 2, gone))
    assert "not read" in facts(plan(), look("at_yes", 2, []))


@pytest.mark.parametrize(
    "data",
    [
        {"changed": [1], "unreadable": 5}, {"changed": {REF: 5}}, {"changed": {"tool:a b": [1]}},
        {"changed": {REF: [None, {}]}}, [1], "text",
    ],
    ids=str,
)  # fmt: skip
def test_a_row_that_somebody_else_wrote_takes_no_listing_down(data: Any) -> None:
    assert "not run" in listed(State.BLOCKED_STALE, data)


def test_what_is_stored_of_a_yes_is_shown_visibly() -> None:
    shown, seal = "\x1b[2J\u202e", "\u200b"
    given = Confirmation(plan="k7f3", seal=seal, shown=shown, by="person:\x1bana", at=at(14, 2))
    held = record(plan(), State.CONFIRMED, confirmation=given, seal=seal)
    text = show_screen(plan(), held, [row(plan(), 1, State.CONFIRMED, {"channel": "\x07"})]).plain()
    assert text.replace("\n", "").isprintable()
    assert '"\\u{1B}[2J\\u{202E}"' in text
