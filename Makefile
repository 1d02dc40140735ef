# Every target works on a fresh checkout: the virtual environment is made when it is missing or outdated.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

OLDEST_PILLOW := .venvs/pillow-10.4.0
TYPESCRIPT := .venvs/typescript-5.9.3

PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

.PHONY: demo test lint types types-pages quick test-slow types-trainer nightly coverage bench transcripts answers recording pages docs clean

demo: $(VENV)/core
	$(BIN)/envhub demo

# Lint, types and the quick tests. It installs neither torch nor a browser nor a solver.
test: lint types quick

lint: $(VENV)/quick types-pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tests/house/plain_english.py

# The JSDoc types of the web pages. A machine without npm leaves them to CI.
types-pages:
	@if command -v npm >/dev/null; then \
		$(MAKE) --no-print-directory $(TYPESCRIPT) && node $(TYPESCRIPT)/node_modules/typescript/bin/tsc --project tests/web; \
	elif [ -n "$$CI" ]; then echo "npm is not installed" >&2; exit 1; \
	else echo "npm is not installed: the types of the web pages are not checked"; fi

$(TYPESCRIPT):
	npm install --silent --no-audit --no-fund --no-save --prefix $@ typescript@5.9.3

types: $(VENV)/quick
	$(BIN)/mypy envhub

quick: $(VENV)/quick
	$(PYTEST) --tier quick

# Everything that make test leaves out, but for soaks and other projects' packages, which are nightly.
test-slow: types-trainer $(OLDEST_PILLOW)
	$(PYTEST) --tier slow

types-trainer: $(VENV)/dev
	$(BIN)/mypy

nightly: $(VENV)/dev
	$(PYTEST) --tier all

# Branch coverage of the quick and the slow tests, child processes included; TESTS names a part of them.
coverage: $(VENV)/dev
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(JOBS) --dist worksteal $(TESTS); status=$$?; \
		$(BIN)/coverage combine --quiet && $(BIN)/coverage report; exit $$status

bench: $(VENV)/dev
	$(BIN)/python -m benchmarks --markdown docs/benchmarks.md

transcripts: $(VENV)/dev
	$(BIN)/python docs/transcripts.py
	$(BIN)/python docs/services.py
	$(BIN)/python docs/experiments.py
	$(BIN)/python docs/records.py

answers: $(VENV)/dev
	$(BIN)/python docs/answers.py

# The pages that are generated: catalogue, cards of the gallery, coverage, families, the answers of the API guide, the comparison with peers.
pages: $(VENV)/core
	for page in catalogue cards coverage family_pages api differs notebooks; do $(BIN)/python docs/$$page.py || exit 1; done

# The picture of an episode in the README.
recording: $(VENV)/core
	$(BIN)/python docs/recording.py

# The documentation site, in build/site.
docs: $(VENV)/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

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

# A picture has the same pixels with every release that we support; the newest one is in the environment.
$(OLDEST_PILLOW): $(VENV)/pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $@ pillow==10.4.0

$(VENV)/docs: $(VENV)/pip pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@ $(VENV)/core

$(VENV)/quick: $(VENV)/pip pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[quick]'
	touch $@ $(VENV)/core

$(VENV)/dev: $(VENV)/pip pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/core $(VENV)/quick
