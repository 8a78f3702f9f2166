# make            lists the targets
# make demo       sets up .venv and shows what Lastlook does, on real files in a temporary folder
# make test       sets up .venv and runs the whole test suite
# Words after ARGS= go to the tool behind a target: make test ARGS="-k slot -x"

.DEFAULT_GOAL := help
SHELL := /bin/sh
ARGS ?=
PAIRS ?= 1000000
BIN := .venv/bin

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo '  ARGS="..." is passed on, as in: make test ARGS="-k slot"'

.PHONY: setup-run
setup-run:
	@scripts/setup run

.PHONY: setup
setup: ## make .venv with everything that work on Lastlook needs
	@scripts/setup dev

.PHONY: demo
demo: setup-run ## show what it does, on real files in a temporary folder
	@$(BIN)/lastlook demo $(ARGS)

.PHONY: quick
quick: setup ## the fast tests alone, without coverage
	$(BIN)/pytest -m "not slow" $(ARGS)

.PHONY: test
test: setup ## the whole test suite, with the coverage it must reach
	@scripts/test $(ARGS)

.PHONY: test-all
test-all: setup ## the suite on every Python from 3.11 to 3.14 that is here
	@scripts/test_all $(ARGS)

.PHONY: conformance
conformance: setup ## the published suites in LASTLOOK_DATA, the vectors, and the second implementation
	$(BIN)/pytest -p no:randomly tests/conformance tests/spec $(ARGS)

.PHONY: injective
injective: setup ## random pairs of values, whose fingerprints must tell them apart: PAIRS=10000000
	@$(BIN)/python scripts/injective $(PAIRS) $(ARGS)

.PHONY: lint
lint: setup ## style and format, nothing changed
	$(BIN)/ruff check $(ARGS)
	$(BIN)/ruff format --check

.PHONY: format
format: setup ## put style and format right where a tool can
	$(BIN)/ruff check --fix-only $(ARGS)
	$(BIN)/ruff format

.PHONY: types
types: setup ## mypy, strict
	$(BIN)/mypy $(ARGS)

.PHONY: imports
imports: setup ## which part may import which
	$(BIN)/lint-imports --no-cache $(ARGS)

.PHONY: docs
docs: setup ## build the documentation into site/, strictly
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet $(ARGS)

.PHONY: cov
cov: setup ## coverage as pages in htmlcov/
	$(BIN)/pytest --cov --cov-branch --cov-report=html --cov-report=term $(ARGS)

.PHONY: bench
bench: setup-run ## what Lastlook costs beside the published four lines
	@$(BIN)/python bench/overhead.py $(ARGS)

.PHONY: package
package: setup ## build wheel and sdist, install the wheel in a clean environment, and run it
	@scripts/package $(ARGS)

.PHONY: lock
lock: setup ## make the locked requirements anew: ARGS="--upgrade" for the newest versions
	@scripts/lock $(ARGS)

.PHONY: clean
clean: ## remove all that make made, .venv too
	rm -rf .venv .cache build dist site htmlcov coverage.json .coverage .hypothesis \
		.mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find src tests bench examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
