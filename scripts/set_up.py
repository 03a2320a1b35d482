"""Sets up ``.venv`` from the lock, then the embedded Lean. Standard library only: it runs before anything is installed.

Each stage is skipped when the stamp in the environment says it is done, so a second run downloads nothing. A stage that fails ends
the set-up with one line and exit code 3; the next run goes on from there. Why pip and not uv installs: ``design/set-up.md``.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Generator

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
STAMP = ENVIRONMENT / "set-up.json"
LOG = ENVIRONMENT / "set-up.log"
LARGE_MB = 5
LOCKS = {False: ROOT / "requirements.lock", True: ROOT / "requirements-dev.lock"}
MODEL_LOCK = ROOT / "requirements-model.lock"

# What pip's log shows, and what to say for it: the first that occurs is the cause.
CAUSES = (
    (r"No space left on device", "the disk is full"),
    (r"DO NOT MATCH THE HASHES", "a downloaded file does not have the hash in the lock"),
    (r"CERTIFICATE_VERIFY_FAILED|SSLError", "the certificate of the package index was not accepted (PIP_CERT names your own)"),
    (r"Connection refused", "the package index refused the connection"),
    (r"Name or service not known|Temporary failure in name resolution|nodename nor servname", "the package index's name does not resolve"),
    (r"timed out|ConnectTimeout|ReadTimeout", "the package index did not answer in time"),
    (r"Network is unreachable|No route to host", "there is no network"),
    (r"ProxyError", "the proxy refused"),
    (r"40[13] Client Error|407 Proxy", "the package index wants other credentials"),
    (r"Permission denied", "a file may not be written"),
)


def fail(message: str) -> NoReturn:
    """End the set-up with one line."""
    print(f"set-up: {message}", file=sys.stderr)
    raise SystemExit(3)


def say(message: str) -> None:
    print(f"set-up: {message}", flush=True)


def digest(*paths: Path) -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


def read_stamp() -> dict[str, str]:
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text(encoding="utf8"))
    except (OSError, ValueError):
        return {}
    # An environment holds absolute paths: one that was moved is not the one that was set up.
    return stamp if stamp.get("root") == str(ROOT) else {}


def write_stamp(**entries: str) -> None:
    new = STAMP.with_suffix(".new")
    new.write_text(json.dumps({**read_stamp(), "root": str(ROOT), **entries}, indent=2) + "\n", encoding="utf8")
    new.replace(STAMP)


@contextlib.contextmanager
def one_at_a_time() -> Generator[None]:
    """Two set-ups of one checkout wait for each other; on file systems without locks they do not."""
    with Path(__file__).open(encoding="utf8") as handle:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def pip_settings() -> dict[str, str]:
    """The user's settings, less those that would install somewhere else than into the environment."""
    dropped = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PYTHONPATH", "PYTHONHOME"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


def runs(*command: str | Path) -> bool:
    try:
        return subprocess.run(command, check=False, capture_output=True, env=pip_settings()).returncode == 0
    except OSError:
        return False


def pip() -> list[str]:
    """How to call pip on the environment: its own, or (where Python came without ensurepip) the one that runs this script."""
    if runs(PYTHON, "-m", "pip", "--version") or runs(PYTHON, "-m", "ensurepip"):
        return [str(PYTHON), "-m", "pip"]
    return [sys.executable, "-m", "pip", "--python", str(PYTHON)]


def make_environment() -> None:
    if runs(PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))") and (read_stamp() or not STAMP.exists()):
        return
    say(f"making .venv with Python {sys.version.split()[0]} ({sys.executable})")
    has_ensurepip = runs(sys.executable, "-c", "import ensurepip")
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", *([] if has_ensurepip else ["--without-pip"]), str(ENVIRONMENT)],
        check=False,
        capture_output=True,
        text=True,
    )
    if made.returncode != 0:
        last = (made.stderr.strip() or made.stdout.strip() or "no message").splitlines()[-1]
        fail(f"making .venv failed: {last} (Debian, Ubuntu: apt install python3-venv)")


class Progress:
    """What pip is at: one line that changes on a terminal, a line now and then elsewhere; nothing where ``total`` is 0."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.count = 0
        self.changing = sys.stdout.isatty()

    def read(self, line: str) -> None:
        """Take a line of pip's output."""
        if name := re.match(r"\s*(?:Collecting|Requirement already satisfied:) ([\w.-]+)", line):
            self.count += 1
            self.show(name[1], worth_a_line=self.count % 10 == 0)
        elif size := re.match(r"\s*Downloading (\w+)-\S+ \(([\d.]+) MB\)", line):
            self.show(f"{size[1]}, {size[2]} MB", worth_a_line=float(size[2]) >= LARGE_MB)
        elif line.startswith("Installing collected"):
            self.show("unpacking", worth_a_line=False)

    def show(self, what: str, *, worth_a_line: bool) -> None:
        if self.total and self.changing:
            print(f"\r\033[Kset-up: {self.count}/{self.total} {what}", end="", flush=True)
        elif self.total and worth_a_line:
            say(f"{self.count}/{self.total} {what}")

    def end(self) -> None:
        if self.total and self.changing:
            print("\r\033[K", end="", flush=True)


def run_pip(arguments: list[str], *, total: int = 0) -> None:
    """Run ``pip install`` with all it has to say in the log, and its progress on the terminal."""
    before = LOG.stat().st_size if LOG.exists() else 0
    command = [*pip(), "install", "--log", str(LOG), "--progress-bar", "off", "--no-warn-script-location", *arguments]
    progress = Progress(total)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=pip_settings(), cwd=ROOT
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            progress.read(line)
    progress.end()
    if process.returncode != 0:
        fail(explain(LOG.read_bytes()[before:].decode(errors="replace") if LOG.exists() else ""))


def explain(output: str) -> str:
    """One line for a pip run that failed."""
    errors = re.findall(r"^(?:\S+ )?ERROR: (.*\S)", output, re.MULTILINE)
    cause = next((said for pattern, said in CAUSES if re.search(pattern, output)), None)
    what = " — ".join(part for part in (cause, errors[-1] if errors else None) if part) or "pip failed"
    # Addresses may carry credentials.
    what = re.sub(r"//[^/@\s]+@", "//...@", what)
    return f"installing packages failed: {what}; run this again to go on (log: {LOG.relative_to(ROOT)})"


def install_packages(*, dev: bool) -> None:
    lock = LOCKS[dev]
    # The lock for development holds all of the other.
    if read_stamp().get(lock.name) == digest(lock) or (not dev and read_stamp().get(LOCKS[True].name) == digest(LOCKS[True])):
        return
    install_lock(lock, megabytes=160 if dev else 95)


def install_model() -> None:
    """The small language model of the tests, with the program that runs it."""
    if read_stamp().get(MODEL_LOCK.name) != digest(MODEL_LOCK):
        install_lock(MODEL_LOCK, megabytes=125)


def install_lock(lock: Path, *, megabytes: int) -> None:
    pinned = [line for line in lock.read_text(encoding="utf8").splitlines() if re.match(r"[\w.-]+==", line) and "'win32'" not in line]
    started = time.monotonic()
    say(f"installing {len(pinned)} locked packages, about {megabytes} MB to download the first time")
    # Wheels only: building from source would fetch what the lock does not pin.
    run_pip(["--require-hashes", "--no-deps", "--only-binary=:all:", "-r", str(lock)], total=len(pinned))
    write_stamp(**{lock.name: digest(lock)})
    say(f"packages are there ({time.monotonic() - started:.0f} s)")


def install_project() -> None:
    manifest = digest(ROOT / "pyproject.toml")
    if read_stamp().get("project") == manifest:
        return
    say("installing fidelean itself, editable")
    run_pip(["--no-deps", "--no-build-isolation", "--quiet", "-e", str(ROOT)])
    write_stamp(project=manifest)


def install_katex() -> None:
    """KaTeX, which typesets the formulas of HTML reports; without it they are shown as written, so its lack stops nothing."""
    module = ROOT / "src" / "fidelean" / "report" / "html" / "katex.py"
    if read_stamp().get("katex") == digest(module):
        return
    if runs(PYTHON, "-m", "fidelean.report.html.katex"):
        write_stamp(katex=digest(module))
    else:
        say("KaTeX could not be fetched with npm: HTML reports will show formulas as written; the next run tries again")


def install_lean() -> None:
    command = ENVIRONMENT / "bin" / "fidelean"
    if runs(command, "lean", "path"):
        return
    said: list[str] = []
    with subprocess.Popen([command, "lean", "install"], stderr=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stderr is not None
        for line in map(str.rstrip, process.stderr):
            said.append(line.removeprefix("fidelean: "))
            # Its last line is the error, and becomes ours.
            if not line.startswith("fidelean: "):
                say(line)
    if process.returncode != 0:
        fail(f"{said[-1] if said else 'installing the embedded Lean failed'}; LEAN=no goes on without Lean")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="the tools for development too")
    parser.add_argument("--model", action="store_true", help="the small language model of the tests too")
    parser.add_argument("--lean", choices=["yes", "no"], default="yes", help="whether to install the embedded Lean")
    arguments = parser.parse_args()
    try:
        with one_at_a_time():
            make_environment()
            install_packages(dev=arguments.dev)
            if arguments.model:
                install_model()
            install_project()
            install_katex()
            if arguments.lean == "yes":
                install_lean()
    except KeyboardInterrupt:
        fail("interrupted; run this again to go on")


if __name__ == "__main__":
    main()
