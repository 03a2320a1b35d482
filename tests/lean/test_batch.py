"""The layout of a batch, and reading its output: marks count only where and as the batch put them."""

from __future__ import annotations

import json

import pytest

from fidelean.lean.batch import Batch, Snippet
from fidelean.lean.guard import screen
from fidelean.lean.records import Position, Severity

TEXTS = ("theorem t : 1 = 1 := rfl", "def f : Nat := 1\n\ntheorem u : f = 1 := rfl\n")


def snippet(text: str) -> Snippet:
    screening = screen(text)
    assert screening.refusals == ()
    return Snippet(text, screening)


def batch(*texts: str) -> Batch:
    return Batch([snippet(text) for text in texts or TEXTS], token="secret")


def line_of(layout: Batch, text: str) -> int:
    return layout.text.split("\n").index(text) + 1


def message(line: int, data: str, severity: str = "information", column: int = 0) -> str:
    return json.dumps({"severity": severity, "pos": {"line": line, "column": column}, "endPos": None, "data": data, "kind": "[anonymous]"})


def run(layout: Batch, *, scopes: tuple[str, ...] = ("S", "S"), extra: tuple[str, ...] = ()) -> None:
    """What Lean prints about a batch without errors, with ``extra`` lines in front."""
    lines = layout.text.split("\n")
    layout.read(message(lines.index("#where") + 1, "S"), 0.0)
    layout.read(message(line_of(layout, '#print "secret:ready"'), "secret:ready"), 1.0)
    for line in extra:
        layout.read(line, 1.5)
    for index, scope in enumerate(scopes):
        layout.read(message(line_of(layout, f'#print "secret:{index}:begin"'), f"secret:{index}:begin"), 2.0 + index)
        closing = line_of(layout, f'#print "secret:{index}:end"')
        layout.read(message(closing - 1, scope), 2.5 + index)
        layout.read(message(closing, f"secret:{index}:end"), 2.5 + index)


def test_each_snippet_has_its_own_namespace_and_marks() -> None:
    lines = batch().text.split("\n")
    for index, text in enumerate(TEXTS):
        first = lines.index(f"namespace fidelean_room_{index}") + 1
        assert lines[first : first + len(text.split("\n"))] == text.split("\n")
        assert f"end fidelean_room_{index}" in lines
    assert "#check @_root_.f" in lines


def test_every_mark_is_needed() -> None:
    layout = batch()
    assert layout.current == 0
    run(layout, scopes=("S",))
    assert layout.current == 1
    assert [reading.ended is not None for reading in layout.readings] == [True, False]


def test_a_changed_scope_is_found_out() -> None:
    layout = batch()
    run(layout, scopes=("S", "namespace Left"))
    assert [reading.left_open for reading in layout.readings] == [False, True]


@pytest.mark.parametrize(("data", "line"), [("secret:0:end", "theorem t : 1 = 1 := rfl"), ("wrong:0:end", '#print "secret:0:end"')])
def test_a_mark_counts_only_in_its_place_and_with_its_token(data: str, line: str) -> None:
    layout = batch()
    run(layout, scopes=(), extra=(message(line_of(layout, line), data),))
    assert layout.current == 0


def test_diagnostics_go_to_their_snippet_in_its_own_lines() -> None:
    layout = batch()
    place = line_of(layout, "theorem u : f = 1 := rfl")
    behind = line_of(layout, "end fidelean_room_0")
    run(layout, extra=(message(place, "no fidelean_room_1.f here", "error", 12), message(behind, "unexpected end", "error")))
    (first,) = layout.readings[0].diagnostics
    (second,) = layout.readings[1].diagnostics
    assert (first.severity, first.position) == (Severity.ERROR, Position(1, 0))
    assert (second.position, second.message) == (Position(3, 12), "no f here")


def test_a_name_of_the_library_is_noted() -> None:
    layout = batch()
    place = line_of(layout, "#check @_root_.f")
    run(layout, extra=(message(place, "f : Nat"),))
    assert layout.readings[1].taken_names == ["f"]
    other = batch()
    run(other, extra=(message(place, "unknown", "error"),))
    assert (other.readings[1].taken_names, other.readings[1].diagnostics) == ([], [])


@pytest.mark.parametrize(
    "line", ["", "{", "[]", "noise", '{"severity": "error"}', '{"severity": "odd", "pos": {"line": 1, "column": 0}, "data": ""}', "null"]
)
def test_other_output_is_ignored(line: str) -> None:
    layout = batch()
    run(layout, extra=(line, line[:3], json.dumps({"severity": "error", "pos": {"line": "1"}, "data": "x"})))
    assert layout.current is None
    assert all(not reading.diagnostics and not reading.left_open for reading in layout.readings)


def test_imports_go_to_the_head_and_lines_stay() -> None:
    layout = batch("-- first\nimport Std import Init\n\n theorem t : 1 = 1 := rfl")
    lines = layout.text.split("\n")
    assert lines[:2] == ["import Std", "import Init"]
    assert lines[lines.index("namespace fidelean_room_0") + 4] == " theorem t : 1 = 1 := rfl"


def test_tokens_differ() -> None:
    assert Batch([snippet(TEXTS[0])]).text != Batch([snippet(TEXTS[0])]).text
