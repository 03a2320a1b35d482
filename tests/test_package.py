"""What goes into the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from email.parser import Parser
from typing import TYPE_CHECKING

import source_tree
from source_tree import PROJECT, SOURCE

if TYPE_CHECKING:
    from pathlib import Path


def test_the_wheel_holds_the_whole_package_and_nothing_else(tmp_path: Path) -> None:
    ours = {str(path.relative_to(SOURCE.parent)) for path in source_tree.tracked_files() if path.is_relative_to(SOURCE)}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=PROJECT, check=True, capture_output=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    assert "fidelean/py.typed" in held
    assert ours - held == set()
    assert {name for name in held if not name.startswith("fidelean/")} == set()
    fields = Parser().parsestr(metadata)
    assert (fields["License-Expression"], fields["Requires-Python"]) == ("Apache-2.0", ">=3.11")
