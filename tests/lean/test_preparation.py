"""The loader is changed by exact replacement, and an unknown loader is not touched."""

from __future__ import annotations

import pytest

from fidelean.errors import SetupError
from fidelean.lean.preparation import prepare_loader

TABLE = '__indirect_function_table=Module["__indirect_function_table"]=wasmTable=wasmExports["__indirect_function_table"]'
SCRIPT = (
    'var start=1;call(_used);text="_named";'
    "newSymIndex=Object.keys(lib.exports).indexOf(symbol);var pthreadPoolSize=4;"
    'FS.mount(NODEFS,{root:"/home"},"/home");FS.mount(NODEFS,{root:"/tmp"},"/tmp");var cwd=process.cwd();FS.chdir(cwd);'
    'var flags=process.binding("constants")["fs"];'
    "var _used,_unused,_named,__value,wasmTable;"
    "function assignWasmExports(wasmExports){"
    '_used=Module["_used"]=wasmExports["used"];_unused=Module["_unused"]=wasmExports["unused"];'
    '_named=Module["_named"]=wasmExports["named"];__value=Module["__value"]=wasmExports["_value"].value;'
    f"{TABLE}"
    "}var wasmImports;function assignWasmImports(){}"
)


def test_unused_bindings_go_and_used_ones_stay() -> None:
    prepared = prepare_loader(SCRIPT)
    assert (prepared.bindings_found, prepared.bindings_kept) == (5, 3)
    assert "_unused" not in prepared.script
    assert "__value" not in prepared.script
    assert (
        'var _used,_named,__indirect_function_table,wasmTable;function assignWasmExports(wasmExports){_used=Module["_used"]'
        in prepared.script
    )
    assert TABLE in prepared.script


def test_the_host_s_folders_are_not_mounted() -> None:
    script = prepare_loader(SCRIPT).script
    assert "NODEFS" not in script
    assert "process.cwd" not in script
    assert "process.binding" not in script
    assert "pthreadPoolSize=1" in script
    assert "indexOf" not in script


@pytest.mark.parametrize(
    "part",
    [
        "indexOf(symbol)",
        "pthreadPoolSize=4",
        'root:"/home"',
        'process.binding("constants")',
        "function assignWasmExports",
        "}var wasmImports;",
        "var _used",
    ],
)
def test_an_unknown_loader_is_not_touched(part: str) -> None:
    with pytest.raises(SetupError, match="not the known build"):
        prepare_loader(SCRIPT.replace(part, "changed"))


@pytest.mark.parametrize("part", ["var pthreadPoolSize=4;", "function assignWasmExports(wasmExports){"])
def test_a_text_found_twice_is_not_touched(part: str) -> None:
    with pytest.raises(SetupError, match="2 times"):
        prepare_loader(SCRIPT + part)


def test_an_unknown_binding_is_not_touched() -> None:
    with pytest.raises(SetupError, match="unknown export binding"):
        prepare_loader(SCRIPT.replace('_used=Module["_used"]=', '_used=Module["_used"]=other='))
