# Everything a contributor runs. Needs python3 (3.11 or newer), git and make; the first
# target that needs more makes .venv by itself. `make` alone lists the targets.

SHELL := /bin/sh
.DEFAULT_GOAL := help

BIN := .venv/bin
READY := .venv/.ready
CHECKED := $(wildcard src tests benchmarks fuzz tools)
# How long `make fuzz` tries each harness.
SECONDS_EACH ?= 60

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: $(READY) ## Take the five-minute tour on the example skills
	@$(BIN)/python tools/tour.py

.PHONY: test
test: check ## Run every check, then every test
	@$(BIN)/python -m pytest -n auto

.PHONY: test-clients
test-clients: $(READY) ## Install the real clients, and see which skills each gets in a run
	@$(BIN)/python tools/install_clients.py
	@$(BIN)/python -m pytest -n 2 tests/clients

.PHONY: check
check: $(READY) ## Check format, lint, types and imports
	@$(MAKE) --no-print-directory --jobs=4 check-format check-lint check-types check-imports

.PHONY: check-format
check-format: $(READY)
	@$(BIN)/ruff format --quiet --check $(CHECKED)

.PHONY: check-lint
check-lint: $(READY)
	@$(BIN)/ruff check --quiet $(CHECKED)

.PHONY: check-types
check-types: $(READY)
	@$(BIN)/python -m mypy --no-error-summary $(CHECKED)

.PHONY: check-imports
check-imports: $(READY)
	@report=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$report"; exit 1; }

.PHONY: fix
fix: $(READY) ## Format, and repair what the linter can
	@$(BIN)/ruff check --fix $(CHECKED); status=$$?; $(BIN)/ruff format $(CHECKED) && exit $$status

.PHONY: coverage
coverage: $(READY) ## Run the tests, and list the lines that none of them reached
	@$(BIN)/python -m pytest -n auto --cov

.PHONY: bench
bench: $(READY) ## Measure
	@$(BIN)/python -m benchmarks.run

.PHONY: fuzz
fuzz: .venv/.fuzz ## Feed every harness in fuzz/ for SECONDS_EACH seconds (60)
	@mkdir -p .fuzz
	@for harness in fuzz/fuzz_*.py; do \
	  corpus=.fuzz/$$(basename "$$harness" .py); mkdir -p "$$corpus"; \
	  $(BIN)/python "$$harness" -max_total_time=$(SECONDS_EACH) -artifact_prefix=.fuzz/ \
	    "$$corpus" || exit 1; \
	done

.venv/.fuzz: $(READY) requirements/fuzz.txt
	@$(BIN)/python -m pip install -qq --require-hashes -r requirements/fuzz.txt
	@touch $@

.PHONY: docs
docs: $(READY) ## Write the generated pages of the documentation
	@$(BIN)/python tools/generate_docs.py

COMPILE = $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate \
  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)

.PHONY: lock
lock: $(READY) ## Lock the dependencies again (UPGRADE=--upgrade takes newer ones)
	@$(COMPILE) pyproject.toml --output-file requirements/runtime.txt
	@$(COMPILE) pyproject.toml --group dev --output-file requirements/dev.txt
	@$(COMPILE) --python-version 3.11 --group fuzz --output-file requirements/fuzz.txt
	@$(COMPILE) --group clients --output-file requirements/clients.txt

.PHONY: clean
clean: ## Remove everything that was made here
	rm -rf .venv .coverage .coverage.* .fuzz .hypothesis .import_linter_cache .mypy_cache \
	  .pytest_cache .ruff_cache build dist htmlcov
	find . -path ./tests/corpus -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment knows its own directory by name and its interpreter by a link: after a move,
# a copy or an upgrade of Python it is made again.
ifneq ($(shell test -x $(BIN)/python && head -n 1 $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif
$(READY): pyproject.toml requirements/dev.txt tools/bootstrap.sh tools/bootstrap.py
	@tools/bootstrap.sh
