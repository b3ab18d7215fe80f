# make run    serve the page        make test   every check, with its own set-up
# make check  the quick checks      make lock   pin dependencies anew (needs uv)
# make bench  measure the engine     make translations   gather the texts to translate, and compile

HOST ?= 127.0.0.1
PORT ?= 8080
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := engine web e2e tests hatch_build.py
CATALOGUES := $(wildcard web/translations/*/LC_MESSAGES/messages.po)
TEMPLATE := build/messages.pot
BUNDLED := pyproject.toml hatch_build.py package.json package-lock.json $(wildcard web/assets/*.js) static/js/words.js $(CATALOGUES)
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$p -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$p && break; done)

.PHONY: help run bench test check format lint types contracts unit browser translations lock clean

help:
	@sed -n 's/^# //p' Makefile

run: $(VENV)/.installed
	@exec $(BIN)/patchyard serve --host $(HOST) --port $(PORT)

bench: $(VENV)/.installed
	@$(BIN)/patchyard bench

test: format lint types contracts unit browser

check: format lint types contracts
	$(BIN)/pytest tests -n $(WORKERS) -m "not slow" --quiet

format: $(VENV)/.dev
	$(BIN)/ruff format --check --quiet $(SOURCES) || { echo "Not formatted as the project formats: run $(BIN)/ruff format $(SOURCES)"; exit 1; }

lint: $(VENV)/.dev
	$(BIN)/ruff check $(SOURCES)

types: $(VENV)/.dev
	$(BIN)/mypy

contracts: $(VENV)/.dev
	$(BIN)/lint-imports --no-logo

unit: $(VENV)/.dev
	sh tests/web/storage/get_etcd.sh
	sh tests/clients/get_kubectl.sh $(BIN)
	$(BIN)/pytest tests -n $(WORKERS) --durations 5

browser: $(VENV)/.dev
	sh e2e/get_chromium.sh $(BIN)
	$(BIN)/pytest e2e -n $(WORKERS) --durations 8

# Texts are gathered without their places, so that moving one changes no catalogue.
translations: $(VENV)/.dev
	@mkdir -p build
	$(BIN)/pybabel --quiet extract --mapping pyproject.toml --no-default-keywords --keywords "_ gettext ngettext:1,2 marked said said_many:1,2 say" \
	  --ignore-dirs ".* node_modules build" --no-location --sort-output --width 120 --output-file $(TEMPLATE) .
	for language in zh_Hant zh_Hans; do \
	  $(BIN)/pybabel --quiet update --input-file $(TEMPLATE) --output-dir web/translations --locale $$language \
	    --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --width 120 || exit 1; done
	$(BIN)/pybabel --quiet compile --directory web/translations

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --upgrade --extra cel pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --upgrade --extra cel --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean:
	rm -rf $(VENV) node_modules static/vendor build dist test-results

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer was found on PATH. Install one, or say where it is: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "$(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt install python3-venv"; exit 1; }

$(VENV)/.installed: requirements.lock $(BUNDLED) | $(BIN)/python
	@echo "Installing into $(VENV) (first start, or something changed) ..."
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps -e .
	@$(BIN)/python -m compileall -q engine web  # else the first start compiles, or every one where none may be written
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.installed
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@
