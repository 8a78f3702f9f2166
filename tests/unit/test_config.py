"""lastlook.toml is read strictly: a mistake is named by file, table and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.config import Config, load_config
from lastlook.config.words import typed_word
from lastlook.core.canonical import from_wire
from lastlook.errors import BadArguments, DeclarationError, NotRegistered

SOURCES = '[sources.slots]\nkind = "files"\nroot = "slots"\n'
TOOLS = '[tools.book]\nrun = ["./book.sh", "{slot_id}"]\nargs = { slot_id = "string" }\n'
PLANS = """\
[plans.book]
intent = "Book {slot_id}"
args = { slot_id = "string" }
reads = [{ ref = "slots:{slot_id}", as = "slot", fields = ["status == \\"available\\""] }]
steps = [{ tool = "book", slot_id = "{slot_id}" }]
"""


def load(folder: Path, text: str) -> Config:
    path = folder / "lastlook.toml"
    path.write_text(text, encoding="utf-8")
    return load_config(str(path))


def program(folder: Path, name: str = "book.sh") -> None:
    (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def refused(folder: Path, text: str) -> DeclarationError:
    with pytest.raises(DeclarationError) as caught:
        load(folder, text)
    return caught.value


def test_the_example_of_the_documentation_is_read(tmp_path: Path) -> None:
    program(tmp_path)
    config = load(tmp_path, SOURCES + TOOLS + PLANS)
    recipe = config.recipe("book")
    assert recipe.intent == "Book {slot_id}"
    assert recipe.reads[0].alias == "slot"
    assert recipe.steps[0].arguments == {"slot_id": "{slot_id}"}
    assert config.arguments("book", ["slot_id=slot-42"]) == {"slot_id": "slot-42"}
    assert config.tool("book").definition.command.folder == str(tmp_path)


def test_roots_are_relative_to_the_file_and_not_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    config = load(tmp_path, SOURCES)
    assert config.source("slots").root == str(tmp_path / "slots")


def test_one_file_of_many_records_is_a_source(tmp_path: Path) -> None:
    (tmp_path / "all.json").write_text('{"slots": [{"id": "a", "n": 1}]}', encoding="utf-8")
    text = '[sources.s]\nkind = "files"\nroot = "all.json"\nid = "id"\nrecords = "/slots"\n'
    reading = load(tmp_path, text + "max_bytes = 4096\n").source("s").read("a")
    assert reading.record == {"id": "a", "n": 1}  # type: ignore[union-attr]  # else it fails


@pytest.mark.parametrize(
    ("text", "where", "what", "fix"),
    [
        ("[source.slots]\n", "[source]", "there is no table", "Did you mean sources?"),
        ("sources = 3\n", "[sources]", "not a table", "[sources.NAME]"),
        ("[sources]\nslots = 3\n", "[sources.slots]", "not a table", "[sources.slots]"),
        ('[sources."a b"]\n', "[sources]", "can't be a name", "letters"),
        ('[sources.Slots]\nkind = "files"\nroot = "x"\n', "[sources.Slots]", "name a source", ""),
        ('[sources.cwd]\nkind = "files"\nroot = "x"\n', "[sources.cwd]", "reserved", ""),
        ('[sources.a]\nkind = "files"\n', "[sources.a]", "missing required key root", "kind, root"),
        (
            '[sources.a]\nkind = "sql"\nroot = "x"\n',
            "[sources.a] kind",
            "invalid enum value",
            "kind, root",
        ),
        (
            '[sources.a]\nkind = "files"\nrot = "x"\n',
            "[sources.a]",
            "unknown key rot",
            "Did you mean root?",
        ),
        ('[sources.a]\nkind = "files"\nroot = 3\n', "[sources.a] root", "expected str", ""),
        ("[tools.a]\nrun = []\n", "[tools.a] run", "length", "run, args"),
        ('[tools.a]\nrun = "ls"\n', "[tools.a] run", "expected array", ""),
        (
            '[tools.a]\nrun = ["ls"]\nargs = { y = "any", x = "text" }\n',
            "[tools.a] args.x",
            "'text' is no type of argument",
            "It takes string, integer, number, boolean, any.",
        ),
        (
            '[tools.a]\nrun = ["ls"]\nargs = { x = "float" }\n',
            "[tools.a] args.x",
            "'float' is no type of argument",
            "Did you mean number?",
        ),
        (
            '[tools.a]\nrun = ["ls"]\nargs = { x = "strin" }\n',
            "[tools.a] args.x",
            "'strin' is no type of argument",
            "Did you mean string?",
        ),
        ('[tools.a]\nrun = ["ls"]\nargs = { tool = "any" }\n', "[tools.a] args", "'tool'", "taken"),
        ('[tools.a]\nrun = ["ls"]\nargs = { "a b" = "any" }\n', "[tools.a] args", "'a b'", "_"),
        ('[tools.a]\nrun = ["ls"]\nnot_applied = [0]\n', "not_applied[0]", ">= 1", ""),
        ('[tools.a]\nrun = ["ls"]\nnot_applied = [256]\n', "not_applied[0]", "<= 255", ""),
    ],
)
def test_a_mistake_in_a_table_is_named_with_file_table_and_key(
    tmp_path: Path, text: str, where: str, what: str, fix: str
) -> None:
    error = refused(tmp_path, text)
    assert str(tmp_path / "lastlook.toml") in error.where
    assert where in error.where
    assert what in error.what
    assert fix in error.fix


@pytest.mark.parametrize(
    ("old", "new", "what", "key"),
    [
        ("slots:{slot_id}", "slot:{slot_id}", "names no source", "reads[0]"),
        ("slots:{slot_id}", "slots", "names no source", "reads[0]"),
        ("slots:{slot_id}", "slots:{slot}", "{slot} names nothing", "reads[0]"),
        ('status == \\"available\\"', "status = free", "status", "reads[0]"),
        ('status == \\"available\\"', "price <= {limit}", "{limit} names nothing", "reads[0]"),
        ('fields = ["status == \\"available\\""]', "absent = false", "a read names", "reads[0]"),
        ("fields = [", "absent = true, fields = [", "a read names", "reads[0]"),
        ("fields =", "felds =", "unknown key felds", "reads[0]"),
        ('as = "slot"', 'as = "a b"', "'a b'", "reads[0]"),
        ('tool = "book"', 'tool = "bok"', "there is no tool 'bok'", "steps[0]"),
        ('tool = "book", ', "", "a step names its tool", "steps[0]"),
        (
            'slot_id = "{slot_id}" }]',
            'slot = "{slot_id}" }]',
            "tool book takes slot_id",
            "steps[0]",
        ),
        (
            'slot_id = "{slot_id}" }]',
            'slot_id = ["{x.y}"] }]',
            "{x.y} names nothing",
            "steps[0]",
        ),
        (
            'slot_id = "{slot_id}" }]',
            'slot_id = { a = "{nope}" } }]',
            "{nope} names nothing",
            "steps[0]",
        ),
        ('intent = "Book {slot_id}"', 'intent = "Book {who}"', "{who} names nothing", "intent"),
        ('intent = "Book {slot_id}"', 'intent = ""', "length", "intent"),
        *(
            (
                "[plans.book]\n",
                f'[plans.book]\napprovers = ["ana", "{name}"]\n',
                what,
                "approvers",
            )
            for name, what in (
                ("agent:bot", "only persons say yes"),
                (" Agent: bot", "only persons say yes"),
                ("policy:small", "only persons say yes"),
                ("person:", "names nobody"),
            )
        ),
        ("[plans.book]\n", "[plans.book]\nexpires_in = 0\n", "> 0", "expires_in"),
        ("[plans.book]\n", "[plans.book]\nexpires_in = 1e12\n", "<=", "expires_in"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_meant_is_refused_when_the_file_is_read(
    tmp_path: Path, old: str, new: str, what: str, key: str
) -> None:
    assert old in PLANS
    error = refused(tmp_path, SOURCES + TOOLS + PLANS.replace(old, new))
    assert what in error.what
    assert f"[plans.book] {key}" in error.where


SEATS = 'fields = ["time", "/pay/total", "$.lines[*]", "seats >= 2"]'


@pytest.mark.parametrize(
    ("hole", "fix"),
    [
        ("{slot.tiem}", "Did you mean {slot.time}? There is {slot_id}, {slot.time}, "),
        ("{slot.pay}", "{slot.pay.total}"),
        ("{slot.price}", "There is {slot_id}, {slot.time}, "),
        ("{slto.time}", "Did you mean {slot.time}?"),
    ],
)
def test_a_hole_that_no_declared_field_fills_is_refused_with_what_there_is(
    tmp_path: Path, hole: str, fix: str
) -> None:
    old = 'fields = ["status == \\"available\\""]'
    text = PLANS.replace(old, SEATS).replace('slot_id = "{slot_id}" }]', f'slot_id = "{hole}" }}]')
    error = refused(tmp_path, SOURCES + TOOLS + text)
    assert error.what == f"{hole} names nothing"
    assert "[plans.book] steps[0]" in error.where
    assert fix in error.fix


@pytest.mark.parametrize(
    ("fields", "hole"),
    [
        (SEATS, "{slot.time}"),
        (SEATS, "{slot.time.zone}"),
        (SEATS, "{slot.pay.total}"),
        (SEATS, "{slot.seats}"),
        ('fields = ["$"]', "{slot.anything}"),
        ('fields = ["seats >= {slot_id}"]', "{slot.seats}"),
        ('fields = ["{slot_id}"]', "{slot.anything}"),
        ('fields = ["seats in {slot_id}"]', "{slot.anything}"),
    ],
)
def test_a_hole_that_a_declared_field_may_fill_is_taken(
    tmp_path: Path, fields: str, hole: str
) -> None:
    old = 'fields = ["status == \\"available\\""]'
    text = PLANS.replace(old, fields).replace('slot_id = "{slot_id}" }]', f'slot_id = "{hole}" }}]')
    load(tmp_path, SOURCES + TOOLS + text)


def test_a_hole_beside_a_read_that_is_not_known_yet_is_told_in_general(tmp_path: Path) -> None:
    old = 'fields = ["status == \\"available\\""]'
    text = PLANS.replace(old, 'fields = ["{slot_id}"]').replace("Book {slot_id}", "{who.x}")
    assert refused(tmp_path, SOURCES + TOOLS + text).fix == "There is {slot_id}, {slot.FIELD}."


def test_a_plan_without_reads_says_why_or_is_refused(tmp_path: Path) -> None:
    reads = next(line for line in PLANS.splitlines() if line.startswith("reads"))
    bare = SOURCES + TOOLS + PLANS.replace(reads, "")
    assert "no_evidence" in refused(tmp_path, bare).fix
    said = bare + 'no_evidence = "nothing can change"\ntwo_people = true\napprovers = ["ana"]\n'
    recipe = load(tmp_path, said).recipe("book")
    assert recipe.no_evidence == "nothing can change"
    assert recipe.approvers == ("person:ana",)


def test_one_name_for_two_reads_is_refused(tmp_path: Path) -> None:
    twice = PLANS.replace("reads = [", 'reads = [{ ref = "cwd:x", as = "slot", fields = ["a"] }, ')
    assert "'slot' can't be the name" in refused(tmp_path, SOURCES + TOOLS + twice).what


@pytest.mark.parametrize(
    ("text", "what"),
    [("a = [", "not TOML"), ("a = 1\na = 2\n", "not TOML"), ("\ufeffa = 1", "byte-order mark")],
)
def test_what_is_not_toml_is_a_typed_error_with_the_file(
    tmp_path: Path, text: str, what: str
) -> None:
    error = refused(tmp_path, text)
    assert what in error.what
    assert error.where == str(tmp_path / "lastlook.toml")


def test_a_file_that_cannot_be_read_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(DeclarationError, match="could not be read"):
        load_config(str(tmp_path / "lastlook.toml"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(DeclarationError, match="folder"):
        load_config(str(tmp_path / "folder"))


def test_a_missing_program_is_named_with_its_table(tmp_path: Path) -> None:
    config = load(tmp_path, SOURCES + TOOLS + PLANS)
    with pytest.raises(DeclarationError) as caught:
        config.tool("book")
    assert "./book.sh" in caught.value.what
    assert "[tools.book]" in caught.value.where
    program(tmp_path)
    (tmp_path / "book.sh").chmod(0o644)
    with pytest.raises(DeclarationError) as caught:
        config.tool("book")
    assert caught.value.fix == "Make it executable: chmod +x ./book.sh"


def test_source_options_that_contradict_each_other_are_named_with_their_table(
    tmp_path: Path,
) -> None:
    config = load(tmp_path, SOURCES + 'id = "id"\nsuffix_in_key = true\n')
    with pytest.raises(DeclarationError) as caught:
        config.source("slots")
    assert "[sources.slots]" in caught.value.where


def test_a_step_argument_without_a_canonical_form_is_named(tmp_path: Path) -> None:
    text = PLANS.replace('slot_id = "{slot_id}" }]', "slot_id = 2026-05-27T07:32:00 }]")
    config = load(tmp_path, SOURCES + TOOLS + text)
    with pytest.raises(DeclarationError) as caught:
        config.recipe("book")
    assert "[plans.book] /slot_id" in caught.value.where


def test_an_unknown_plan_is_not_registered(tmp_path: Path) -> None:
    config = load(tmp_path, SOURCES + TOOLS + PLANS)
    for ask in (config.recipe, lambda name: config.arguments(name, [])):
        with pytest.raises(NotRegistered, match="no plan named bok") as caught:
            ask("bok")
        assert caught.value.fix == "It has book."


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ([], "slot_id is missing"),
        (["slot-42"], "is not NAME=VALUE"),
        (["room=1"], "names no argument"),
        (["slot_id=1", "slot_id=2"], "given twice"),
    ],
)
def test_words_that_are_not_the_arguments_are_refused_with_the_usage(
    tmp_path: Path, words: list[str], what: str
) -> None:
    config = load(tmp_path, SOURCES + TOOLS + PLANS)
    with pytest.raises(BadArguments, match=what) as caught:
        config.arguments("book", words)
    assert caught.value.fix == "Type: lastlook propose book slot_id=STRING"


def test_a_misspelled_argument_gets_the_likely_name_and_the_line_to_type(tmp_path: Path) -> None:
    config = load(tmp_path, SOURCES + TOOLS + PLANS)
    with pytest.raises(BadArguments, match="'slot=1' names no argument") as caught:
        config.arguments("book", ["slot=1"], line="lastlook run book")
    assert caught.value.fix == "Did you mean slot_id? Type: lastlook run book slot_id=STRING"


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "42", "42"),
        ("string", "", ""),
        ("string", "a=b", "a=b"),
        ("integer", "42", 42),
        ("integer", str(2**70), 2**70),
        ("number", "2.5", 2.5),
        ("number", "3", 3),
        ("boolean", "true", True),
        ("any", "42", 42),
        ("any", "null", None),
        ("any", '["a"]', ["a"]),
        ("any", "slot-42", "slot-42"),
    ],
)
def test_a_word_is_a_value_of_its_declared_type(kind: str, text: str, value: Any) -> None:
    assert from_wire(typed_word("x", text, kind)) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("integer", "4.5"),
        ("integer", "true"),
        ("integer", "x"),
        ("integer", ""),
        ("number", '"3"'),
        ("number", "NaN"),
        ("number", "false"),
        ("boolean", "1"),
        ("boolean", "yes"),
        ("string", "\ud800"),
        ("any", "\ud800"),
    ],
)
def test_a_word_of_another_type_is_refused(kind: str, text: str) -> None:
    with pytest.raises(BadArguments):
        typed_word("x", text, kind)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_string_is_taken_as_it_is(text: str) -> None:
    assert typed_word("x", text, "string") == text
