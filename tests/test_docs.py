"""What the documents show is what happens.

Fenced blocks of ``README.md`` and everything below ``docs/``. Each runs in a folder of its own, thrown away afterwards, in which
``examples`` is the project's:

- ``python``: runs in an interpreter of its own and must not fail; a block ``text`` right after it is compared with what it prints.
- ``console``: each line ``$ fidelean ...`` runs in a shell, and what is below it is compared with its output (both streams).
- ``sh``: not run; its reason stands behind the language (```` ```sh not run: it sets the machine up ````).

``...`` stands for what differs from run to run: alone on a line for any number of lines, within a line for any part of it. A block
that needs Lean says so after its language (```` ```console lean ````) and runs with the tests marked ``live``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from source_tree import PROJECT

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

DOCUMENTS = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL)
NEEDS_LEAN = "lean"
TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a document."""

    document: str
    line: int
    language: str
    needs_lean: bool
    body: str
    printed: str | None
    """The ``text`` block right after it."""
    info: str = ""
    """Everything behind the opening fence."""

    @property
    def id(self) -> str:
        return f"{self.document}:{self.line}"


def blocks_of(text: str, document: str) -> list[Block]:
    found = list(FENCE.finditer(text))
    blocks: list[Block] = []
    for fence, after in zip(found, [*found, None][1:], strict=True):
        language, *rest = fence["info"].split() or [""]
        follows = after and after["info"].strip() == "text" and not text[fence.end() : after.start()].strip()
        printed = after["body"] if after and follows else None
        line = text.count("\n", 0, fence.start()) + 1
        blocks.append(Block(document, line, language, NEEDS_LEAN in rest, fence["body"], printed, fence["info"].strip()))
    return blocks


def blocks(language: str) -> list[ParameterSet]:
    texts = [(path, path.read_text(encoding="utf8")) for path in DOCUMENTS if path.exists()]
    found = [block for path, text in texts for block in blocks_of(text, str(path.relative_to(PROJECT)))]
    return [
        pytest.param(block, id=block.id, marks=[pytest.mark.live, pytest.mark.timeout(TIMEOUT_S)] if block.needs_lean else [])
        for block in found
        if block.language == language
    ]


def pattern(expected: str) -> re.Pattern[str]:
    """``...`` alone on a line matches lines, within a line a part of it; everything else itself, white space at line ends aside."""
    lines = expected.rstrip().split("\n")
    parts = [
        r"(?:.*\n)*?" if line.strip() == "..." else r".*?".join(map(re.escape, line.rstrip().split("..."))) + r"[ ]*\n" for line in lines
    ]
    return re.compile("".join(parts)) if expected.strip() else re.compile("")


def assert_printed(expected: str, output: str) -> None:
    assert pattern(expected).fullmatch(output.rstrip() + "\n" if output.strip() else ""), f"--- expected\n{expected}\n--- printed\n{output}"


def shell_settings() -> dict[str, str]:
    settings = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf8"}
    return {**settings, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{settings.get('PATH', '')}"}


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "examples").symlink_to(PROJECT / "examples", target_is_directory=True)
    return tmp_path


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env=shell_settings(),
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf8",
        timeout=TIMEOUT_S,
    )


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what is printed below it."""
    pieces = re.split(r"^\$ ((?:.*\\\n)*.*)\n?", body, flags=re.MULTILINE)
    assert not pieces[0].strip(), "a console block starts with a command"
    return list(zip(pieces[1::2], pieces[2::2], strict=True))


@pytest.mark.parametrize("block", blocks("python"))
def test_python_blocks_run(block: Block, room: Path) -> None:
    done = run([sys.executable, "-W", "error", "-c", block.body], room)
    assert done.returncode == 0, done.stdout
    if block.printed is not None:
        assert_printed(block.printed, done.stdout)


@pytest.mark.parametrize("block", blocks("console"))
def test_console_blocks_print_what_they_show(block: Block, room: Path) -> None:
    for command, expected in commands(block.body):
        assert re.search(r"(?:^|[|&;] |^[A-Z_]+=\S+ )fidelean ", command), f"only fidelean is run here, use a block sh for: {command}"
        assert_printed(expected, run(["bash", "-c", command], room).stdout)


@pytest.mark.parametrize("block", blocks("sh"))
def test_blocks_that_are_not_run_say_why(block: Block) -> None:
    assert re.fullmatch(r"sh not run: \w.{5,}", block.info)


def test_the_readme_opens_with_the_two_commands() -> None:
    first = next(block for block in blocks_of((PROJECT / "README.md").read_text(encoding="utf8"), "README.md"))
    assert [line.split("#")[0].strip() for line in first.body.splitlines() if line.strip()] == ["make demo", "make test"]


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        ("one\ntwo", "one\ntwo\n"),
        ("one\n...\nfour", "one\ntwo\nthree\nfour"),
        ("one\n...\nfour", "one\nfour"),
        ("in ... s", "in 0.31 s"),
        ("a\n...", "a\nb\nc"),
        ("", ""),
    ],
)
def test_dots_stand_for_what_differs(expected: str, output: str) -> None:
    assert_printed(expected, output)


@pytest.mark.parametrize(
    ("expected", "output"),
    [("one", "one\ntwo"), ("one\ntwo", "one"), ("in ... s", "in 1\n2 s"), ("a+b", "aab"), ("", "anything"), ("one\n...\nfour", "one\ntwo")],
)
def test_everything_else_is_compared(expected: str, output: str) -> None:
    with pytest.raises(AssertionError, match="expected"):
        assert_printed(expected, output)


def test_a_console_block_is_cut_at_its_commands() -> None:
    body = "$ fidelean a \\\n    b\none\ntwo\n$ fidelean c\n"
    assert commands(body) == [("fidelean a \\\n    b", "one\ntwo\n"), ("fidelean c", "")]


def test_a_document_without_blocks_has_none() -> None:
    assert blocks_of("words\n", "d") == []


def test_blocks_are_found_with_their_language_line_and_output() -> None:
    text = "x\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\n```console lean\n$ fidelean a\n```\n"
    assert [(block.line, block.language, block.needs_lean, block.printed) for block in blocks_of(text, "d")] == [
        (3, "python", False, "1\n"),
        (7, "text", False, None),
        (11, "console", True, None),
    ]
