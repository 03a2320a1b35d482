#!/bin/sh
# Finds a Python that can do the set-up and hands over to set_up.py beside this file, with the same arguments.
# PYTHON=/path/to/python overrides the search.
set -u
here=$(dirname "$0")

is_new_enough() {
    command -v "$1" >/dev/null 2>&1 && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

can_make_environments() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1 || "$1" -c 'import pip, venv' >/dev/null 2>&1
}

found=""
for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3 python}; do
    is_new_enough "$candidate" || continue
    found=$candidate
    can_make_environments "$candidate" && exec "$candidate" "$here/set_up.py" "$@"
done

if [ -n "$found" ]; then
    echo "set-up: $found cannot make environments: install its venv or pip package (Debian, Ubuntu: apt install python3-venv), then run this again" >&2
else
    echo "set-up: no Python 3.11 or later found: install one (or name it: make PYTHON=/path/to/python3 ...), then run this again" >&2
fi
exit 3
