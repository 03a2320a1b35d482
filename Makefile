# One command each; every command sets up what it needs first. `make` alone prints this list.
BIN := .venv/bin
LEAN ?= yes
PYTEST := $(BIN)/pytest
SOURCES := $(wildcard src tests scripts benchmarks)

.DEFAULT_GOAL := help
.PHONY: help install install-dev install-model demo test test-heavy test-all check check-static format bench package lock clean distclean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  Options: PYTHON=/path/to/python3 (3.11 or later), LEAN=no (do not install the embedded Lean), ARGS='...' (for pytest)"

install: ## set up .venv and the embedded Lean (done by the others as needed)
	@sh scripts/set_up.sh --lean $(LEAN)

install-dev: ## the same with the tools for development
	@sh scripts/set_up.sh --lean $(LEAN) --dev

install-model: ## the same with a small language model, which some of the slow tests ask
	@sh scripts/set_up.sh --lean $(LEAN) --dev --model

demo: install ## evaluate the example proofs
	@$(BIN)/fidelean evaluate examples/*.md examples/*.tex; code=$$?; test $$code -le 1 || exit $$code

test: install-dev ## run the ordinary tests
	@$(PYTEST) -m "not slow and not live" $(ARGS)

test-heavy: install-model ## run the tests that are slow or start the embedded Lean
	@$(PYTEST) -m "slow or live" $(ARGS)

test-all: install-model ## run every test
	@$(PYTEST) $(ARGS)

check: ## format, lint, types, import layers, ordinary tests
	@code=0; $(MAKE) --no-print-directory check-static || code=1; $(MAKE) --no-print-directory test || code=1; exit $$code

check-static: install-dev ## the same without the tests; all four speak before it fails
	@code=0; \
	$(BIN)/ruff format --check $(SOURCES) || code=1; \
	$(BIN)/ruff check $(SOURCES) || code=1; \
	$(BIN)/basedpyright || code=1; \
	$(BIN)/lint-imports --no-logo || code=1; \
	exit $$code

format: install-dev ## format the code and mend what can be mended
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix $(SOURCES)

bench: install-dev ## print the benchmarks' figures
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python "$$file" || exit $$?; done

package: install-dev ## build the wheel and the source archive into dist/
	@$(BIN)/python -m fidelean.report.html.katex src/fidelean/report/html/katex
	@$(BIN)/hatchling build

lock: install-dev ## remake the locks from pyproject.toml, newest versions
	@sh scripts/lock.sh

clean: ## remove what tools left
	rm -rf dist build .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## remove .venv too
	rm -rf .venv
