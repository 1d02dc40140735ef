# Every target works on a fresh checkout: the virtual environment is made when it is missing or outdated.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: demo test lint types tests nightly bench transcripts answers clean

demo: $(VENV)/core
	$(BIN)/envhub demo

test: lint types tests

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

tests: $(VENV)/dev
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

nightly: $(VENV)/dev
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "nightly or not nightly"

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks --markdown docs/benchmarks.md

transcripts: $(VENV)/dev
	$(BIN)/python docs/transcripts.py

answers: $(VENV)/dev
	$(BIN)/python docs/answers.py

clean:
	rm -rf $(VENV) .venvs build dist *.egg-info

$(VENV)/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "envhub needs Python 3.11 or later; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/core: $(VENV)/pip pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/dev: $(VENV)/pip pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/core
