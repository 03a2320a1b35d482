#!/bin/sh
# Remakes both locks: every version and hash for Python 3.11 and later on every platform, without any address.
set -eu
cd "$(dirname "$0")/.."
compile() {
    .venv/bin/uv pip compile --quiet --universal --upgrade --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links --no-config "$@" pyproject.toml
}
compile --group build --output-file requirements.lock
compile --group dev --constraint requirements.lock --output-file requirements-dev.lock
if grep -n '://' requirements.lock requirements-dev.lock; then
    echo "lock: an address got into a lock" >&2
    exit 1
fi
