"""Typed replies: LaTeX survives inside JSON, and nothing is guessed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from fidelean.llm.objects import MAX_DEPTH, UnreadableObject, known_commands, read_objects
from fidelean.llm.replies import MalformedReply, read_reply

COMMANDS = sorted(known_commands())


class Stated(BaseModel):
    """A reply for these tests."""

    statement: str
    ok: bool | None = None


class Scored(BaseModel):
    """Another one."""

    score: float
    index: int


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf8").splitlines()]


def test_every_reply_of_the_acceptance_file_is_read_as_it_says(shared: Path) -> None:
    entries = lines(shared / "acceptance" / "json_replies.jsonl")
    assert len(entries) >= 8
    for entry in entries:
        read = read_reply(entry["raw"], Stated)
        said = "malformed" if isinstance(read, MalformedReply) else read.statement
        assert said == entry["value"], entry["raw"]


def test_the_commands_leave_out_what_json_escapes() -> None:
    assert {"frac", "nu", "beta", "rho", "theta", "forall", "upsilon", "notin", "neq", "right", "Rightarrow"} <= known_commands()
    assert not {"b", "f", "n", "r", "t", "u"} & known_commands()
    assert len(COMMANDS) > 800
    assert all(name.isascii() and name.isalpha() for name in COMMANDS)


# What may follow a command without becoming part of its name.
AFTER = st.sampled_from(["{1}", "_n", "^2", " x", "", "(", "\\,", "12", "$", "{\\alpha}{b}"])
PIECES = st.lists(
    st.one_of(
        st.builds(lambda name, after: f"\\{name}{after}", st.sampled_from(COMMANDS), AFTER),
        st.sampled_from([" + ", "x", "≤", "a = b, ", "\\{", "\\}", "\\(", "\\)", "\\,", "\\;", "\\!", "\\|", "\\%", "\\$ ", "\\_"]),
    ),
    max_size=12,
).map(" ".join)


def careless(text: str) -> str:
    """Write a JSON string the way a model does that forgets to double backslashes."""
    return '"' + text.replace('"', '\\"') + '"'


@given(PIECES, st.booleans())
def test_latex_comes_back_byte_for_byte(text: str, ascii_only: bool) -> None:
    for written in (careless(text), json.dumps(text, ensure_ascii=ascii_only)):
        bare = f'{{"statement": {written}}}'
        for reply in (bare, f"```json\n{bare}\n```", f"So $\\frac12$: {bare}!"):
            read = read_reply(reply, Stated)
            assert isinstance(read, Stated), reply
            assert read.statement == text


# What JSON escapes by a letter is left out: before the right letters it is read as a command, by the rule (a backspace before "b" as \bb).
@given(st.text(st.characters(codec="utf-8", exclude_characters="\\\b\f\n\r\t"), max_size=60), st.booleans())
def test_text_without_backslashes_comes_back_however_it_is_written(text: str, ascii_only: bool) -> None:
    assert read_reply(json.dumps({"statement": text}, ensure_ascii=ascii_only), Stated) == Stated(statement=text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text("ab é𝔸", max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xyz", max_size=3), inner, max_size=3),
        max_leaves=8,
    )
)
def test_what_json_writes_is_read_as_json_reads_it(value: object) -> None:
    written = json.dumps({"v": value})
    assert read_objects(written) == [json.loads(written)]


@given(st.text('{}[]":,\\ntu\n0a', max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    read = read_reply(text, Stated)
    assert isinstance(read, (Stated, MalformedReply))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (r'{"statement": "a\nb\tc"}', "a\nb\tc"),
        (r'{"statement": "line one\nline two"}', "line one\nline two"),
        (r'{"statement": "\u03b1 \ud835\udd38 \u2264"}', "α 𝔸 ≤"),
        (r'{"statement": "\unknown \R \Hom"}', r"\unknown \R \Hom"),
        (r'{"statement": "\"quoted\" \/ \\\\ \\"}', '"quoted" / \\\\ \\'),
        (r'{"statement": "\\\nu"}', r"\\nu"),
        ('{"statement": "two\nlines"}', "two\nlines"),
        (r'{"statement": "by\n  simp\n  norm_num"}', "by\n  simp\n  norm_num"),
        ('<think>maybe {"statement": "no"}</think>{"statement": "yes"}', "yes"),
        ('The set {1, 2} and {x | x > 0}: {"statement": "yes"}', "yes"),
        ('{"statement": "yes"} or again {"statement": "yes"}', "yes"),
        ('{"thought": 1} {"statement": "yes"}', "yes"),
        ('{"action": "reply", "arguments": {"statement": "yes"}}', "yes"),
        ('{"name": "reply", "parameters": {"statement": "yes"}}', "yes"),
        ('{"statement": "} { \\" ```"}', '} { " ```'),
    ],
)
def test_read(raw: str, expected: str) -> None:
    assert read_reply(raw, Stated) == Stated(statement=expected)


@pytest.mark.parametrize(
    ("raw", "detail"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("correct", "no JSON object"),
        ('{"statement": "a"', "cut off"),
        ('{"statement": "a', "cut off"),
        ('{"outer": {"statement": "inside of what was cut off"}', "cut off"),
        ('{"outer": nonsense, "inner": {"statement": "inside of what cannot be read"}}', "expected a value"),
        ('{"statement": "a"} {"statement": "b"}', "2 different objects"),
        ('{"statement": "a", "statement": "b"}', "occurs twice"),
        ('{"statement": 3}', "statement: "),
        ('{"ok": true}', "statement: Field required"),
        ('{"statement": "a",}', "quoted name"),
        ("{'statement': 'a'}", "no JSON object"),
        ('{"statement": NaN}', "expected a value"),
        (r'{"statement": "\ud800"}', "half of a character"),
        ('{"statement": 1e999}', "too large a number"),
        ('<think>hmm {"statement": "a"}', "still thinking"),
        ('{"a": ' * 50 + "1" + "}" * 50, f"deeper than {MAX_DEPTH}"),
        ('[[{"statement": "a"}, {"statement": "b"}]]', "2 different objects"),
    ],
)
def test_malformed(raw: str, detail: str) -> None:
    read = read_reply(raw, Stated)
    assert isinstance(read, MalformedReply)
    assert detail in read.detail
    assert "\n" not in read.detail


@pytest.mark.parametrize(
    "raw", ['{"score": "0.5", "index": 1}', '{"score": 0.5, "index": "1"}', '{"score": 0.5, "index": 1.5}', '{"score": true, "index": 1}']
)
def test_no_value_becomes_another_one(raw: str) -> None:
    assert isinstance(read_reply(raw, Scored), MalformedReply)


def test_a_whole_number_is_a_number() -> None:
    assert read_reply('{"score": 1, "index": 2}', Scored) == Scored(score=1.0, index=2)


@pytest.mark.parametrize(
    "raw",
    [
        '{"a":' * 30_000,
        '{"' * 30_000,
        "{ " * 100_000,
        '{"a": [' + "1," * 60_000,
        "[" * 100_000,
        '{"n": ' + "9" * 100_000 + "}",
        '{"x": "' * 20_000,
    ],
)
def test_hostile_replies_are_refused_quickly(raw: str) -> None:
    assert isinstance(read_reply(raw, Stated), MalformedReply)


def test_a_reply_of_many_characters_is_not_read() -> None:
    assert read_reply("x" * 400_001, Stated) == MalformedReply("the reply is longer than 400000 characters")


def test_a_fault_names_its_place() -> None:
    with pytest.raises(UnreadableObject, match="at character 7"):
        read_objects('{"a": ?}')
