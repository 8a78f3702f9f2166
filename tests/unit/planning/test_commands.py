"""Commands as tools: what decides what runs is in the definition, and nothing else is passed."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastlook.core.plan import ToolDefinition
from lastlook.core.visible import visible
from lastlook.errors import BadArguments, DeclarationError, TemplateError
from lastlook.planning.commands import CommandTool, spelled
from lastlook.planning.processes import CommandFailed, CommandNotStarted, run_program
from lastlook.planning.programs import find_program
from lastlook.planning.tools import Act

KEY = "k" * 64
SHOW = """\
#!{python}
import json, os, sys
with open("ran.json", "w") as file:
    json.dump([sys.argv[1:], os.getcwd(), dict(os.environ), sys.stdin.read()], file)
print("told")
sys.exit(int(os.environ.get("EXIT", "0")))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "show", SHOW.format(python=sys.executable))
    return tmp_path


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def tool(folder: Path, *run: str, **options: Any) -> CommandTool:
    options.setdefault("arguments", {})
    return CommandTool("show", run or ["./show"], folder=str(folder), **options)


def act(made: CommandTool, **arguments: Any) -> Any:
    handle = Act(key=KEY, plan="k7f3", look=dict)
    return made.act(handle, made.open(made.seal(arguments)))


def ran(folder: Path) -> Any:
    return json.loads((folder / "ran.json").read_text(encoding="utf-8"))


def test_one_element_is_one_argument_whatever_is_in_it(folder: Path) -> None:
    made = tool(folder, "./show", "{a}", "for {b}", arguments={"a": "string", "b": "number"})
    hostile = "x; touch owned `id` $(id) 'q' \" \n*"
    assert act(made, a=hostile, b=2.5) == {"exit": 0}
    assert ran(folder)[0] == [hostile, "for 2.5"]
    assert sorted(os.listdir(folder)) == ["ran.json", "show"]


def test_a_command_runs_in_its_folder_with_its_key_and_without_input(folder: Path) -> None:
    act(tool(folder))
    arguments, where, variables, typed = ran(folder)
    assert (arguments, where, typed) == ([], str(folder), "")
    assert variables["LASTLOOK_IDEMPOTENCY_KEY"] == KEY


def test_only_the_named_variables_are_passed_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "t")
    monkeypatch.setenv("OTHER", "o")
    made = tool(folder, environment=["TOKEN", "NOT_SET"])
    act(made)
    passed = set(ran(folder)[2]) - {"LC_CTYPE"}  # Python's own, set by itself
    assert passed == {"TOKEN", "LASTLOOK_IDEMPOTENCY_KEY"}
    assert made.definition.command.environment == ("TOKEN", "NOT_SET")


def test_what_it_prints_goes_to_standard_error_where_that_is_wanted(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    act(tool(folder))
    assert capfd.readouterr() == ("told\n", "")
    act(tool(folder, output_to_stderr=True))
    assert capfd.readouterr() == ("", "told\n")


def test_an_exit_code_is_a_failure_and_a_promise_only_where_declared(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXIT", "75")
    for declared, promises in (([], False), ([75], True), ([74], False)):
        made = tool(folder, not_applied=declared)
        with pytest.raises(CommandFailed, match="show ended with exit code 75") as caught:
            act(made)
        assert caught.value.code == 75
        assert made.promises_nothing_applied(caught.value) is promises


def test_a_signal_is_a_failure_and_no_promise(folder: Path) -> None:
    write(folder / "show", "#!/bin/sh\nkill -9 $$\n")
    made = tool(folder)
    with pytest.raises(CommandFailed, match="by signal 9") as caught:
        act(made)
    assert not made.promises_nothing_applied(caught.value)


SPOILS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no program": (
        lambda path: write(path, "no first line\n"),
        "./show could not be started: it is no program",
        "A script begins with a line such as #!/bin/sh.",
    ),
    "no interpreter": (
        lambda path: write(path, "#!/no/such/python -u\n"),
        "./show could not be started: its first line names /no/such/python, which can't be run here",
        "Install that, or name another in the first line.",
    ),
    "an interpreter that is a folder": (
        lambda path: write(path, "#! /usr\n"),
        "./show could not be started: its first line names /usr, which can't be run here",
        "Install that, or name another in the first line.",
    ),
    "gone": (lambda path: path.unlink(), "there is no program ./show", ""),
    "not executable": (
        lambda path: path.chmod(0o644),
        "./show is not executable",
        "Make it executable: chmod +x ./show",
    ),
    "a folder": (
        lambda path: (path.unlink(), path.mkdir()),
        "./show is a folder, and no program",
        "",
    ),
}


@pytest.mark.parametrize("how", SPOILS)
def test_a_command_that_cannot_be_started_did_nothing_and_says_why(folder: Path, how: str) -> None:
    spoil, what, fix = SPOILS[how]
    made = tool(folder)
    spoil(folder / "show")
    with pytest.raises(CommandNotStarted) as caught:
        act(made)
    assert (caught.value.what, caught.value.fix) == (what, fix)
    assert made.promises_nothing_applied(caught.value)
    assert not (folder / "ran.json").exists()


def test_a_start_that_fails_for_another_reason_is_told_in_the_systems_words(tmp_path: Path) -> None:
    def started(path: str, folder: Path, *arguments: str) -> CommandNotStarted:
        with pytest.raises(CommandNotStarted) as caught:
            run_program(
                path, ["./x", *arguments], folder=str(folder), variables={}, output_to_stderr=False
            )
        return caught.value

    assert f"its folder {tmp_path}/gone is not there" in started("/bin/sh", tmp_path / "gone").what
    assert "null byte" in started("/bin/sh", tmp_path, "a\0b").what
    assert "No such file" in started(str(tmp_path / "nope"), tmp_path).what
    write(tmp_path / "bare", "#!\n")
    assert "could not be started" in started(str(tmp_path / "bare"), tmp_path).what


def test_a_program_that_is_not_on_the_path_is_told_from_a_file_beside(folder: Path) -> None:
    with pytest.raises(DeclarationError, match="there is no program show on the PATH") as caught:
        find_program(["show"], str(folder))
    assert caught.value.fix == "For the file in this folder: ./show"
    with pytest.raises(DeclarationError, match="no program nosuch on the PATH") as caught:
        find_program(["nosuch"], str(folder))
    assert caught.value.fix == "Install it, or give its path."
    os.mkfifo(folder / "pipe")
    with pytest.raises(DeclarationError, match="pipe is a device or a pipe, and no program"):
        find_program(["./pipe"], str(folder))


def test_a_value_that_begins_with_a_dash_needs_dashes_before_it(folder: Path) -> None:
    bare = tool(folder, "./show", "{a}", arguments={"a": "string"})
    with pytest.raises(BadArguments, match="would be taken for an option") as caught:
        act(bare, a="--force")
    assert '"--"' in caught.value.fix
    over = tool(folder, "./show", "--", "{a}", arguments={"a": "string"})
    act(over, a="--force")
    assert ran(folder)[0] == ["--", "--force"]


def test_an_option_that_the_author_wrote_may_hold_a_value(folder: Path) -> None:
    made = tool(folder, "./show", "--price={a}", "-{b}", arguments={"a": "any", "b": "any"})
    act(made, a=-5, b="x")
    assert ran(folder)[0] == ["--price=-5", "-x"]


def test_two_values_in_one_element_cannot_make_an_option(folder: Path) -> None:
    made = tool(folder, "./show", "{a}{b}", arguments={"a": "string", "b": "string"})
    with pytest.raises(BadArguments, match="option"):
        made.seal({"a": "", "b": "-rf"})


def test_a_nul_character_is_refused(folder: Path) -> None:
    made = tool(folder, "./show", "{a}", arguments={"a": "string"})
    with pytest.raises(BadArguments, match="NUL"):
        made.seal({"a": "a\0b"})


def test_a_list_has_no_plain_text(folder: Path) -> None:
    made = tool(folder, "./show", "{a}", arguments={"a": "any"})
    with pytest.raises(TemplateError, match="list"):
        made.seal({"a": [1]})


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("string", "x", 1),
        ("integer", 3, 3.5),
        ("integer", 3, True),
        ("number", 3, "3"),
        ("number", 2.5, False),
        ("number", {"$decimal": "0.1000000000000000000001"}, None),
        ("boolean", True, 1),
        ("string", "", None),
    ],
)
def test_arguments_are_of_their_declared_types(
    folder: Path, kind: str, good: Any, bad: Any
) -> None:
    made = tool(folder, "./show", "--a={a}", arguments={"a": kind})
    assert made.seal({"a": good}) == {"a": good}
    with pytest.raises(BadArguments, match=f"a is a {kind}"):
        made.seal({"a": bad})


def test_arguments_are_all_there_and_no_others(folder: Path) -> None:
    made = tool(folder, "./show", "{a}", arguments={"a": "any", "b": "any"})
    with pytest.raises(BadArguments, match="takes a, b, not a"):
        made.seal({"a": 1})
    with pytest.raises(BadArguments, match="takes no arguments"):
        tool(folder).seal({"a": 1})


@pytest.mark.parametrize(
    ("run", "options", "what"),
    [
        (["./nope"], {}, "no program ./nope"),
        (["no-such-program-anywhere"], {}, "no program"),
        (["."], {}, "no program"),
        ([""], {}, "no program"),
        (["./sh\0ow"], {}, "no program"),
        (["./{a}"], {"arguments": {"a": "string"}}, "which program runs"),
        (["./show", "{a}"], {}, "names a, which is not an argument"),
        (["./show"], {"effect": "books {a}"}, "names a"),
        (["./show"], {"undo": "frees {a}"}, "names a"),
        (["./show"], {"writes": ["slots:{a}"]}, "names a"),
        (["./show"], {"arguments": {"a": "text"}}, "'text' is no type"),
        (["./show"], {"writes": ["no ref"]}, "ref"),
        (["./show"], {"environment": ["*"]}, "no name of a variable"),
        (["./show"], {"environment": ["A=B"]}, "no name of a variable"),
    ],
)
def test_a_declaration_that_cannot_be_meant_is_refused(
    folder: Path, run: list[str], options: dict[str, Any], what: str
) -> None:
    with pytest.raises(DeclarationError, match=what):
        tool(folder, *run, **options)


def test_a_tool_that_runs_nothing_is_refused(folder: Path) -> None:
    with pytest.raises(DeclarationError, match="runs nothing"):
        CommandTool("none", [], arguments={}, folder=str(folder))


def test_a_program_that_cannot_be_read_is_refused(folder: Path, monkeypatch: Any) -> None:
    if os.geteuid() == 0:
        monkeypatch.setattr("lastlook.planning.programs.open", closed, raising=False)
    (folder / "show").chmod(0o111)
    with pytest.raises(DeclarationError, match="cannot be read"):
        tool(folder)


def closed(*_: object) -> Any:
    """What opening a file is like for whoever may only execute it."""
    raise PermissionError(13, "Permission denied")


def test_a_tool_is_rebuilt_from_its_sealed_definition(folder: Path) -> None:
    made = tool(
        folder, "./show", "{b}", "{a}", arguments={"b": "any", "a": "integer"},
        writes=["slots:{a}#status"], effect="does {b}", undo="undoes {b}", not_applied=[75, 9],
        version="2", environment=["PATH"],
    )  # fmt: skip
    stored = json.dumps(msgspec_to_builtins(made.definition), sort_keys=True)
    sealed = msgspec_from_json(stored)
    again = CommandTool.from_definition(sealed)
    assert again.definition == made.definition
    assert again.seal({"a": 1, "b": "x"}) == {"b": "x", "a": 1}


def msgspec_to_builtins(value: Any) -> Any:
    import msgspec

    return msgspec.to_builtins(value)


def msgspec_from_json(text: str) -> ToolDefinition:
    import msgspec

    return msgspec.json.decode(text, type=ToolDefinition)


EDITS: dict[str, Callable[[Path], object]] = {
    "edited": lambda path: write(path, "#!/bin/sh\n"),
    "replaced by a link": lambda path: (path.unlink(), path.symlink_to("/bin/sh")),
    "gone": lambda path: path.unlink(),
    "not executable": lambda path: path.chmod(0o644),
}


@pytest.mark.parametrize("how", EDITS)
def test_a_program_that_is_another_now_gives_another_definition(folder: Path, how: str) -> None:
    sealed = tool(folder).definition
    EDITS[how](folder / "show")
    rebuilt = CommandTool.from_definition(sealed)
    assert rebuilt.definition != sealed
    if how in {"gone", "not executable"}:
        with pytest.raises(DeclarationError, match=r"no program|not executable"):
            rebuilt.require_program()


def test_a_python_tool_is_no_command() -> None:
    with pytest.raises(DeclarationError, match="not a command"):
        CommandTool.from_definition(ToolDefinition(name="book"))


def test_a_program_on_the_path_is_known_by_the_file_behind_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "alias").symlink_to(folder / "show")
    monkeypatch.setenv("PATH", str(folder))
    found = find_program(["alias"], "/")
    assert (found.found, found.path) == (str(folder / "alias"), str(folder / "show"))


def test_without_an_effect_the_person_is_told_what_runs(folder: Path) -> None:
    made = tool(folder, "./show", "{a}", "two words", arguments={"a": "any"})
    assert made.effect.text({"a": 5}) == "runs ./show 5 'two words'"


def test_what_runs_is_told_so_that_no_two_vectors_read_alike(folder: Path) -> None:
    one = tool(folder, "./show", "a b", "c d").effect.text({})
    other = tool(folder, "./show", "a b' 'c d").effect.text({})
    assert one == "runs ./show 'a b' 'c d'"
    assert other == """runs ./show "a b' 'c d\""""
    filled = tool(folder, "./show", "{a}", "--x={b}", arguments={"a": "any", "b": "any"}).effect
    assert filled.text({"a": "a b", "b": "c d"}) == "runs ./show 'a b' '--x=c d'"
    assert filled.fill({"a": "a b' '--x=c d", "b": ""}) == "runs ./show \"a b' '--x=c d\" --x="


def test_braces_in_what_runs_are_told_as_they_are_passed(folder: Path) -> None:
    made = tool(folder, "./show", "a{{", "}}", "{{b}}", "{.")
    assert made.effect.text({}) == "runs ./show 'a{' '}}' {b} '{.'"
    assert made.open({}) == ["./show", "a{", "}}", "{b}", "{."]


WORDS = st.lists(st.text(st.sampled_from("ab é'\"\\$`!{}.-=\n\t#~*"), max_size=6), max_size=4)


@given(WORDS)
def test_a_shell_reads_what_is_spelled_as_the_vector_that_was_given(words: list[str]) -> None:
    assert shlex.split(spelled(words)) == words


@given(WORDS, WORDS)
def test_two_vectors_are_spelled_alike_only_where_they_are_the_same(
    one: list[str], other: list[str]
) -> None:
    assert (visible(spelled(one)) == visible(spelled(other))) == (one == other)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=4))
def test_values_reach_the_vector_as_they_are(values: list[str]) -> None:
    names = [f"a{n}" for n in range(len(values))]
    made = CommandTool(
        "t", ["/bin/sh", "--", *(f"{{{name}}}" for name in names)],
        arguments=dict.fromkeys(names, "string"), folder="/",
    )  # fmt: skip
    given_values = dict(zip(names, values, strict=True))
    if any("\0" in value for value in values):
        with pytest.raises(BadArguments):
            made.seal(given_values)
    else:
        assert made.open(made.seal(given_values)) == ["/bin/sh", "--", *values]
