"""Preparing a copy of the Emscripten loader of Lean: what it does slowly, or opens to the host, is changed by exact replacement.

Each change expects its text exactly as often as it was found in the build that was measured and fails loudly otherwise: a loader that
is not the known one is never patched half. What each change is worth: ``design/embedded-lean.md``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fidelean.errors import SetupError

__all__ = ["Preparation", "prepare_loader"]

_ASSIGN_HEAD = "function assignWasmExports(wasmExports){"
_ASSIGN_TAIL = "}var wasmImports;"
_BINDING = re.compile(r'([A-Za-z_$][\w$]*)=Module\["[^"]+"\]=wasmExports\["[^"]+"\](?:\.value)?')
_TABLE_BINDING = '__indirect_function_table=Module["__indirect_function_table"]=wasmTable=wasmExports["__indirect_function_table"]'
_WORD = re.compile(r"[A-Za-z_$][\w$]*")

_LOOKUP = "newSymIndex=Object.keys(lib.exports).indexOf(symbol);"
_INDEXED_LOOKUP = (
    "lib.symbolIndex??=new Map(Object.keys(lib.exports).map((name,index)=>[name,index]));newSymIndex=lib.symbolIndex.get(symbol)??-1;"
)
_POOL, _SMALL_POOL = "var pthreadPoolSize=4;", "var pthreadPoolSize=1;"
_HOST_MOUNTS = 'FS.mount(NODEFS,{root:"/home"},"/home");FS.mount(NODEFS,{root:"/tmp"},"/tmp");var cwd=process.cwd();'
_NO_MOUNTS = 'var cwd="/work";'
_BINDING_CALL, _PUBLIC_CALL = 'process.binding("constants")["fs"]', 'require("fs").constants'
_REPLACEMENTS = (
    ("symbol lookup", _LOOKUP, _INDEXED_LOOKUP),
    ("thread pool", _POOL, _SMALL_POOL),
    ("mounts of the host's folders", _HOST_MOUNTS, _NO_MOUNTS),
    ("internal constants", _BINDING_CALL, _PUBLIC_CALL),
)


@dataclass(frozen=True, slots=True)
class Preparation:
    """A prepared loader and what was done to it."""

    script: str
    """The text of the prepared ``lean.js``."""
    bindings_found: int
    """Export bindings in the loader as delivered."""
    bindings_kept: int
    """Export bindings that something else in the loader uses."""


def prepare_loader(script: str) -> Preparation:
    """Prepare the text of ``lean.js`` as delivered (about 90 MB, a few seconds).

    Raises:
        SetupError: the text is not that of the known build.
    """
    trimmed, found, kept = _without_unused_bindings(script)
    for what, old, new in _REPLACEMENTS:
        if (count := trimmed.count(old)) != 1:
            raise SetupError(f"the Lean loader is not the known build: {what} found {count} times instead of once; nothing was installed")
        trimmed = trimmed.replace(old, new)
    return Preparation(trimmed, found, kept)


def _without_unused_bindings(script: str) -> tuple[str, int, int]:
    """Drop the export bindings that nothing else mentions, and their declarations; any mention, in code or string, keeps one."""
    head = _only(script, _ASSIGN_HEAD)
    tail = script.find(_ASSIGN_TAIL, head)
    declared = script.rfind("var ", 0, head)
    if tail < 0 or declared < 0 or not re.fullmatch(r"[\w$,]+;", script[declared + 4 : head]):
        raise SetupError("the Lean loader is not the known build: its export bindings have another shape; nothing was installed")
    statements = script[head + len(_ASSIGN_HEAD) : tail].split(";")
    used = set(_WORD.findall(script[:declared])) | set(_WORD.findall(script[tail:]))
    kept = [statement for statement in statements if _target(statement) in used or statement == _TABLE_BINDING]
    names = [*(_target(statement) for statement in kept), "wasmTable"]
    shortened = f"{script[:declared]}var {','.join(names)};{_ASSIGN_HEAD}{';'.join(kept)}{script[tail:]}"
    return shortened, len(statements), len(kept)


def _target(statement: str) -> str:
    if statement == _TABLE_BINDING:
        return "__indirect_function_table"
    match = _BINDING.fullmatch(statement)
    if match is None:
        raise SetupError(f"the Lean loader is not the known build: unknown export binding {statement[:80]!r}; nothing was installed")
    return match[1]


def _only(script: str, text: str) -> int:
    if (count := script.count(text)) != 1:
        raise SetupError(
            f"the Lean loader is not the known build: {text[:60]!r} found {count} times instead of once; nothing was installed"
        )
    return script.index(text)
