"""The question: every value that runs, what the yes rests on, and the terms."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone
from typing import Any

import pytest
from msgspec.structs import replace

from lastlook.core.canonical import to_wire
from lastlook.core.fields import parse_field
from lastlook.core.members import capture_members
from lastlook.core.plan import (
    ActionPlan,
    Command,
    Origin,
    PinnedFile,
    SideEffect,
    ToolDefinition,
    Write,
)
from lastlook.core.prompt import Question
from lastlook.core.screens import details_screen, question_screen, shown_digest
from lastlook.core.screens.fields import asked_of
from tests.unit.core.refund import REF, SCHEMA, at, evidence, fresh, plan, step


def asked(about: ActionPlan, **more: Any) -> str:
    return question_screen(Question(plan=about, **more)).plain()


def of_arguments(**arguments: Any) -> str:
    sealed = {name: to_wire(value) for name, value in arguments.items()}
    return asked(plan(steps=(step(arguments=sealed),)))


def test_a_value_that_fits_on_a_line_stands_on_one() -> None:
    text = of_arguments(to=["kim", "bo"], note={"b": 1, "a": None}, empty={}, none=[])
    assert '  to       ["kim", "bo"]\n' in text
    assert '  note     {"a": null, "b": 1}\n' in text
    assert "  empty    {}\n" in text
    assert "  none     []\n" in text


def test_a_nested_value_is_shown_in_full_over_several_lines() -> None:
    text = of_arguments(mail={"to": ["kim@example.com", "x" * 60], "cc": [], "n": 2**70})
    assert (
        "  1 refund          mail     {\n"
        '                               "cc": [],\n'
        f'                               "n": {2**70},\n'
        '                               "to": [\n'
        '                                 "kim@example.com",\n'
        f'                                 "{"x" * 46}\n'
        f'                                 {"x" * 14}"\n'
        "                               ]\n"
        "                             }\n"
    ) in text


def test_a_very_long_text_is_shown_to_its_end_and_measured() -> None:
    text = of_arguments(note="n" * 5000 + "!")
    assert text.count("n") >= 5000
    assert '!"\n                             (5,001 characters, sha256 ' in text


def test_arguments_stand_in_the_order_of_the_tool_and_others_by_name() -> None:
    odd = step(arguments={"z": 1, "a": 2, "to": 3, "order_id": 4})
    text = asked(plan(steps=(odd,)))
    assert [text.index(f"  {name} ") for name in ("order_id", "to", "a", "z")] == sorted(
        text.index(f"  {name} ") for name in ("order_id", "to", "a", "z")
    )


@pytest.mark.parametrize(
    "schema",
    [None, [], {"required": "to"}, {"$$ref": 3, "$$defs": []}, {"required": [["to"]]}],
)
def test_an_odd_schema_does_no_harm(schema: Any) -> None:
    about = plan(tools=(ToolDefinition(name="refund", arguments=schema),))
    assert '  1 refund          amount    2577.53\n                    order_id  "' in asked(about)


def test_a_step_without_arguments_stands_alone() -> None:
    assert "\n  1 refund\n    pays " in of_arguments()


def test_a_long_argument_name_stands_above_its_value() -> None:
    text = of_arguments(a_very_long_argument_name_indeed=1, **{"not plain": 2})
    assert "  1 refund          a_very_long_argument_name_indeed\n" in text
    assert '                    "not plain"  2\n' in text


def test_a_result_of_an_earlier_step_is_named() -> None:
    late = step(2, 2, arguments={"all": {"$result": [1, ""]}, "id": [{"$result": [1, "/id"]}]})
    text = asked(plan(steps=(step(), late)))
    assert "  2 refund          all      (result of step 1)\n" in text
    assert "                    id       [(result of step 1, /id)]\n" in text
    assert "Before each later step what that step rests on is read again" in text
    assert "\nBetween each look and its step there is a gap (checked, not locked).\n" in text


def test_effect_undo_and_writes_are_told() -> None:
    writes = (Write(ref=REF, fields=("/status", "/a b", "/c, d")), Write(ref="log: x"))
    effect = SideEffect(step=1, text="pays; twice", undo="call back", writes=(REF, "audit:1"))
    about = plan(steps=(step(writes=writes),), estimated_side_effects=(effect,))
    text = asked(about)
    assert '\n    "pays; twice"; undo: call back\n' in text
    assert (
        f'\n    changes         {REF} (status, a b, "c, d")\n'
        '                    "log: x"\n                    audit:1\n'
    ) in text


def test_a_step_without_effect_and_writes_says_so() -> None:
    about = plan(steps=(step(writes=()),), estimated_side_effects=())
    text = asked(about)
    assert (
        "\n    calls refund; can't be undone\n    changes         nothing that it declares\n"
    ) in text
    named = SideEffect(step=1, text="refund", undo="call back")
    assert "\n    calls refund; undo: call back\n" in asked(plan(estimated_side_effects=(named,)))


def test_words_that_could_pass_for_ours_are_quoted() -> None:
    effect = SideEffect(step=1, text="calls refund")
    text = asked(plan(estimated_side_effects=(effect,)))
    assert '\n    "calls refund"; can\'t be undone\n' in text


@pytest.mark.parametrize(
    ("tool", "effect", "said"),
    [
        ("refund", "pays 3", "the refund"),
        ("refund", "refund", "step 1"),
        ("cancel_order", "cancels it", "step 1"),
        ("book.sh", "books it", "step 1"),
    ],
)
def test_the_act_is_called_by_its_tool_only_where_that_reads_as_a_noun_might(
    tool: str, effect: str, said: str
) -> None:
    about = plan(
        steps=(step(tool=tool),), estimated_side_effects=(SideEffect(step=1, text=effect),)
    )
    assert f"\nBetween that look and {said} there is a gap (checked, not locked).\n" in asked(about)
    command = Command(run=("ls",), program="/bin/ls", sha256="ab", folder="/")
    ran = plan(
        steps=about.steps, tools=(ToolDefinition(name=tool, command=command),),
        estimated_side_effects=about.estimated_side_effects,
    )  # fmt: skip
    assert "Between that look and step 1 there is a gap" in asked(ran)


def test_what_a_step_alone_rests_on_is_told() -> None:
    text = asked(plan(steps=(step(evidence=(REF, "b c:1")), step(2, 2, evidence=()))))
    assert f'\n    rests on        {REF}, "b c:1"\n' in text
    assert "\n    rests on        nothing\n" in text


def test_a_command_shows_which_program_runs_where_and_with_what() -> None:
    command = Command(
        run=("./book.sh", "{slot id}"), program="/home/ana/book.sh", sha256="ab" * 8,
        files=(PinnedFile(name="x y.py", path="/home/ana/x y.py", sha256="cd" * 8),),
        folder="/home/ana",
        environment=("PATH", "HOME"),
    )  # fmt: skip
    tool = ToolDefinition(name="refund", kind="command", command=command, arguments=SCHEMA)
    text = asked(plan(tools=(tool,)))
    assert (
        '\n    runs            ./book.sh "{slot id}"\n'
        "    program         /home/ana/book.sh\n"
        "      sha256 abababababababab\n"
        '    with it         "/home/ana/x y.py"\n'
        "      sha256 cdcdcdcdcdcdcdcd\n"
        "    in              /home/ana\n"
        "    environment     PATH, HOME\n"
    ) in text
    bare = Command(run=("ls",), program="/bin/ls", sha256="ab", folder="/")
    text = asked(plan(tools=(ToolDefinition(name="refund", command=bare),)))
    assert "with it" not in text
    assert "\n    environment     no variables\n" in text
    gone = Command(run=("ls",), program="", sha256="", folder="/", environment=("*",))
    text = asked(plan(tools=(ToolDefinition(name="refund", command=gone),)))
    assert '\n    program         ""\n      (not there)\n' in text
    assert "\n    environment     all variables\n" in text


def test_a_command_without_words_of_its_own_says_once_what_it_runs() -> None:
    command = Command(run=("./book.sh", "a"), program="/b", sha256="ab", folder="/")
    effect = SideEffect(step=1, text="runs ./book.sh a")

    def about(own: str = "", **arguments: object) -> str:
        tool = ToolDefinition(name="book.sh", kind="command", command=command, effect=own)
        steps = (step(tool="book.sh", arguments=arguments),)
        return asked(plan(tools=(tool,), steps=steps, estimated_side_effects=(effect,)))

    assert "\n  1 book.sh\n    runs            ./book.sh a\n" in about()
    assert "\n    can't be undone\n" in about()
    assert "\n    runs ./book.sh a; can't be undone\n" in about(price=3)
    assert "\n    runs ./book.sh a; can't be undone\n" in about("books it")


def test_each_condition_is_told_with_what_it_is_now() -> None:
    record = {"a": 3, "b": 150, "c": "free", "d": 100, "e": 100, "s": 1, "w": [1, 2], "g": 1}
    fields = ["a >= 2", "b <= 200", "c == 'free'", "d within 5%", "e within 5", "s (strict, nfc)",
              "$.w[*]", "g in [1]", "/a_name_that_is_much_too_long/for_the_column (optional)",
              "x (optional)"]  # fmt: skip
    text = asked(plan(evidence=(evidence(record, fields, "r:1"),)))
    for line in (
        "a               is at least 2    now 3",
        "b               is at most 200    now 150",
        'c               is "free"',
        "d               stays within 5% of 100",
        "e               stays within 5 of 100",
        "s               stays  1  (nfc, strict)",
        "$.w[*]          stays  2 matches",
        "g               is one of 1    now 1",
        "x               stays  (not there)",
        "/a_name_that_is_much_too_long/for_the_column\n                    stays  (not there)",
    ):
        assert f"\n    {line}\n" in text


def test_a_condition_on_each_match_says_each() -> None:
    text = asked(plan(evidence=(evidence({"w": [5, 6]}, "$.w[*] >= 2", "r:1"),)))
    assert "\n    $.w[*]          each is at least 2    now 2 matches\n" in text
    text = asked(plan(evidence=(evidence({"w": [5]}, "$.w[*] within 1", "r:1"),)))
    assert "\n    $.w[*]          each stays within 1 of 1 match\n" in text


def test_a_label_in_between_makes_the_column_wider() -> None:
    text = asked(plan(evidence=(evidence({"a_name_of_22_characters": 1}, "$", "r:1"),)))
    assert "\n    $               stays  1 member\n" in text
    named = evidence({"a_name_of_22_character": 1, "b": 2}, ["a_name_of_22_character", "b"], "r:1")
    text = asked(plan(evidence=(named,)))
    assert "\n    a_name_of_22_character stays  1\n" in text
    assert "\n    b                      stays  2\n" in text


def test_secrets_and_their_literals_are_masked() -> None:
    salts = {"r:1#/pin": b"x" * 32, "r:1#/token": b"y" * 32, "r:1#/tier": b"z" * 32}
    fields = ["pin >= 4711 (secret)", "token (secret)", "tier in ['gold', 'lead'] (secret)"]
    record = {"pin": 5000, "token": "tok", "tier": "gold"}
    about = plan(evidence=(evidence(record, fields, "r:1", salts=salts),))
    text = asked(about) + details_screen(about).plain()
    assert "\n    pin             is at least (secret)\n" in text
    assert "\n    tier            is one of (secret)\n" in text
    assert "\n    token           stays  (secret)\n" in text
    for word in ("4711", "5000", '"tok"', "gold", "lead"):
        assert word not in text


def test_absence_and_members_of_a_query_are_told() -> None:
    rows = {"s1": {"status": "free", "n": 1}, "s2": {"status": "free", "n": 2}}
    query = capture_members(rows, ["status == 'free'", "n"], ref="slots:free", cap=9,
                            params={"day": 3}, captured_at=at(14, 2, 13))  # fmt: skip
    absence = evidence(None, (), "slots:s9", kind="absence", consistency="eventual")
    session = evidence({"v": 1}, "v", "r:1", consistency="session")
    text = asked(plan(evidence=(query, absence, session)))
    assert "THIS YES HOLDS WHILE                             read 14:02:11 to 14:02:13\n" in text
    assert (
        '\n  slots:free {"day": 3}\n    members         stay  2 members  (cap 9)\n'
        '      "s1"\n        status          is "free"\n        n               stays  1\n'
    ) in text
    assert (
        "\n  slots:s9          does not exist\n"
        "    reads may be old: this source is only eventually consistent\n"
    ) in text
    assert "\n    read within one session: what others wrote may be missing\n" in text


@pytest.mark.parametrize(
    ("may", "line"),
    [("grow", "may grow, none may go:  1 member"), ("shrink", "may go, none may come:  1 member")],
)
def test_members_that_may_come_or_go_are_told(may: Any, line: str) -> None:
    query = capture_members({"s1": {}}, ref="slots:free", cap=9, may=may)
    text = asked(plan(evidence=(query,)))
    assert f"\n    members         {line}  (cap 9)\n" in text
    assert "read at an unknown time" in text


def test_a_plan_that_rests_on_nothing_says_so_aloud() -> None:
    text = asked(plan(evidence=(), no_evidence="it only greets"))
    assert "\nThis plan rests on nothing: it only greets\n" in text
    assert "THIS YES HOLDS WHILE" not in text
    assert "This plan rests on nothing: no reason is given" in asked(plan(evidence=()))
    both = asked(plan(no_evidence="only half"))
    assert "\nSaid besides: rests on nothing: only half\n" in both


def test_the_terms_of_a_yes_are_told() -> None:
    text = asked(
        plan(
            expires_at=at(14, 17), approvers=("person:ana", "person:bo lee"), two_people=True,
            requested_by="person:kim", requires_confirmation=False, origin=Origin(kind="hand"),
        ),
        kept_in_memory=True,
    )  # fmt: skip
    assert text.endswith(
        "\nThis yes is good until 14:17."
        '\nOnly person:ana or "person:bo lee" may say yes.'
        "\nIt takes a second person: person:kim may not say yes."
        "\nA policy of the program says yes; no person is asked."
        "\nThese steps were given by hand: after a block none is worked out again."
        "\nkept in memory: a yes does not survive this process"
        "\n\nRun this?   y yes   n no   d details  >"
    )
    assert "good until 2026-10-04 14:17:30." in asked(plan(expires_at=at(14, 17, 30, day=4)))


def test_a_parked_plan_is_shown_and_can_not_be_confirmed() -> None:
    text = asked(fresh(), parked=True)
    assert text.endswith("\nParked: too many questions about one thing. It can't be confirmed.")
    assert "y yes" not in text


def test_times_are_told_in_the_zone_asked_for() -> None:
    berlin = timezone(timedelta(hours=2))
    text = question_screen(Question(plan=plan()), zone=berlin).plain()
    assert "asked by support-agent, 16:02:11 " in text
    assert text.splitlines()[10].endswith("read 16:02:11")


def test_what_is_not_what_it_looks_like_gets_a_warning() -> None:
    text = of_arguments(a="p\u0430ul", b="x\u200b", c=" y", d="e\u0301", e="é and 漢字")
    assert '\n    look closely: "p\u0430ul" has Latin and Cyrillic letters in one word\n' in text
    assert '"x\\u{200B}" holds hidden characters, shown as \\u{...}\n' in text
    assert '\n    look closely: " y" begins or ends with a space\n' in text
    assert "has letters with separate accents" in text
    assert text.count("look closely") == 4
    text = asked(plan(intent="Pay p\u0430ul", evidence=(evidence({"v": "x\u200b"}, "v", "r:1"),)))
    assert '\n    look closely: "Pay p\u0430ul" has Latin' in text
    assert '\n    look closely: "x\\u{200B}" holds' in text


def test_prose_that_could_pass_for_layout_is_quoted() -> None:
    text = asked(plan(intent="Refund      plan zzzz", requested_by="agent:bot, 10:00:00"))
    assert text.startswith('"Refund      plan zzzz"')
    assert '\nasked by "agent:bot, 10:00:00", 14:02:11' in text


def test_a_long_intent_moves_the_plan_to_the_next_line() -> None:
    lines = asked(plan(intent=("word " * 20 + "end"))).splitlines()
    assert lines[0] == " ".join(["word"] * 15)
    assert lines[1] == "  word word word word word end"
    assert lines[2] == "plan k7f3".rjust(74)


def test_the_digest_of_what_was_shown_is_that_of_the_text_in_utc() -> None:
    from hashlib import sha256

    text = question_screen(Question(plan=plan()), zone=UTC).plain()
    assert shown_digest(plan()) == "sha256:" + sha256(text.encode()).hexdigest()
    assert shown_digest(fresh()) != shown_digest(plan())


class TestAfresh:
    def test_a_new_step_and_one_that_is_gone_are_told(self) -> None:
        old = plan(steps=(step(), step(1, 2, tool="mail", arguments={"to": "kim"})))
        new = fresh(steps=(step(1, 1, tool="log", arguments={}), step(2529.02, 2)))
        text = asked(new, previous=old)
        assert "\n    1 log           new step\n" in text
        assert "\n    2 refund        was step 1\n" in text
        assert "\n                    amount   2577.53 -> 2529.02       worked out again\n" in text
        assert "\n    2 mail          step gone\n" in text

    def test_arguments_that_came_and_went_are_told(self) -> None:
        old = plan(steps=(step(arguments={"order_id": "#W1006327", "old": 1}),))
        new = fresh(steps=(step(arguments={"order_id": "#W1006327", "new": [1, 2]}),))
        text = asked(new, previous=old)
        assert "    1 refund        new      (not there) -> 2 items    worked out again\n" in text
        assert "                    old      1 -> (not there)         worked out again\n" in text

    def test_nested_arguments_are_compared_inside_and_look_alikes_named(self) -> None:
        old = plan(steps=(step(arguments={"to": "p\u0430ul", "all": [1, 2]}),))
        new = fresh(steps=(step(arguments={"to": "paul", "all": [2, 3]}),))
        text = asked(new, previous=old)
        assert "all      2 items -> 2 items       worked out again\n" in text
        assert "\n                      gone   1\n                      new    3\n" in text
        assert "look the same; differ in hidden or look-alike" in text

    def test_an_edited_file_of_a_command_is_named(self) -> None:
        command = Command(run=("./a",), program="/d/a", sha256="ab" * 32, folder="/d")
        old, new = (
            ToolDefinition(name="refund", kind="command", command=replace(command, sha256=digest))
            for digest in ("ab" * 32, "cd" * 32)
        )
        text = asked(fresh(tools=(new,)), previous=plan(tools=(old,)))
        assert "\n  The file ./a was edited.\n" in text
        assert "not the same" not in text
        other = replace(new, version="2")
        text = asked(fresh(tools=(other,)), previous=plan(tools=(old,)))
        assert "The tool refund is not the same as before." in text

    def test_a_step_in_which_nothing_is_different_is_unchanged(self) -> None:
        given = step(arguments={"order_id": "#W1006327"})
        text = asked(fresh(steps=(given,)), previous=plan(steps=(given,)))
        assert "\n    1 refund        unchanged\n" in text

    def test_a_given_argument_that_changed_is_not_left_out(self) -> None:
        old = plan(steps=(step(arguments={"order_id": "#W1"}),))
        new = fresh(steps=(step(arguments={"order_id": "#W1006327"}),))
        assert 'order_id  "#W1" -> "#W1006327"' in asked(new, previous=old)

    def test_by_hand_only_what_is_different_is_listed(self) -> None:
        hand = Origin(kind="hand")
        old = plan(origin=hand, steps=(step(), step(1, 2)))
        text = asked(fresh(origin=hand, steps=(step(), step(2, 2))), previous=old)
        assert "    1 refund" not in text.split("WILL RUN")[0]
        assert "\n    2 refund        amount   1 -> 2\n" in text

    def test_another_intent_tool_planner_code_and_writes_are_told(self) -> None:
        origin = Origin(kind="planner", name="refund_order", digest="cd" * 32)
        tool = ToolDefinition(name="refund", arguments=SCHEMA, version="2")
        new = fresh(
            intent="Refund half", origin=origin, tools=(tool, ToolDefinition(name="mail")),
            steps=(step(writes=(Write(ref="b:1"),)),),
        )  # fmt: skip
        text = " ".join(asked(new, previous=plan()).split())
        assert "It is now for: Refund half. Before: Refund order #W1006327." in text
        assert "The tool refund is not the same as before." in text
        assert "The tool mail" not in text
        assert "It changes other records or fields than before." in text
        assert "The code of planner refund_order is not the same as before." in text
        text = asked(fresh(2577.53), previous=plan())
        assert "as before" not in text


def test_details_hold_what_the_question_sums_up_and_no_more_than_helps_to_decide() -> None:
    tool = ToolDefinition(
        name="refund", description="Refund it.\nAt once.", arguments=SCHEMA, version="2",
        effect="pays {amount}", undo="call", writes=("a:{x}",), not_applied=("ValueError",),
    )  # fmt: skip
    template = {"reads": [{"ref": "r:1", "fields": ["pin >= 4711 (secret)", "a >= {n} (secret)"]}],
                "note": "plain", "n": 3}  # fmt: skip
    rows = {"s1": {"n": 1}}
    query = capture_members(rows, ["n"], ref="slots:free", cap=9, captured_at=at(14, 2))
    about = plan(
        tools=(tool,), expires_at=at(14, 17), steps=(step(), step(1, 2)),
        origin=Origin(kind="template", name="", arguments={"a": [1]}, template=template),
        evidence=(evidence(version='W/"1"', source_config="sha256:ab"), query),
    )  # fmt: skip
    text = details_screen(about).plain()
    assert text.startswith("DETAILS  Refund order #W1006327")
    assert f"\n  seal {about.seal}\n" in text
    for line in (
        "  made by       a command line",
        "    a           [1]",
        "  good until    2026-10-03 14:17:00 UTC",
        '    description "Refund it.\\u{0A}At once."',
        '    version     "W/\\"1\\""',
        f"    fingerprint {evidence().fingerprint[:16]}...",
        '    "s1"',
        '    status      status in ["delivered", "returned"]',
    ):
        assert f"\n{line}\n" in text
    assert '\n    "s1"\n    n           1\n' in text
    assert text.endswith('\n    not applied "ValueError"')
    for word in ("consistency", "source", "template", "properties", "1" * 64, "4711"):
        assert word not in text
    assert '"Jigsaw Puzzle"' in text
    unread = plan(evidence=(evidence({"v": 1}, "v", "r:1", captured_at=None),))
    assert "read at" not in details_screen(unread).plain()
    bare = plan(evidence=(), origin=Origin(), tools=(ToolDefinition(name="refund"),))
    assert "EVIDENCE" not in details_screen(bare).plain()
    late = plan(evidence=(evidence({"v": 1}, "v", "r:1", consistency="eventual"),))
    assert "\n    consistency eventual\n" in details_screen(late).plain()


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        (Origin(kind="planner", name="refund_order"), "planner refund_order"),
        (Origin(kind="guarded", name="refund"), "guarded refund"),
        (Origin(kind="template", name="book"), "plan book of lastlook.toml"),
        (Origin(kind="hand"), "hand: its steps were given as they are"),
    ],
)
def test_details_say_who_worked_the_plan_out(origin: Origin, said: str) -> None:
    assert f"\n  made by       {said}\n" in details_screen(plan(origin=origin)).plain()


def test_details_have_the_program_as_the_question_has_it() -> None:
    command = Command(run=("ls",), program="/bin/ls", sha256="ab" * 32, folder="/")
    about = plan(tools=(ToolDefinition(name="refund", kind="command", command=command),))
    lines = f"    program         /bin/ls\n      sha256 {'ab' * 32}\n"
    assert lines in asked(about)
    assert lines in details_screen(about).plain()


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("status == 'free'", 'status is "free"'),
        ("n within 5%", "n stays within 5%"),
        ("n", "n stays"),
        ("n >= 4711 (secret)", "n is at least (secret)"),
    ],
)
def test_what_is_asked_of_a_field_can_stand_in_a_sentence(field: str, text: str) -> None:
    assert asked_of(parse_field(field)) == text
