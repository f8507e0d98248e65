# `make run` serves on http://127.0.0.1:8888, `make test` tests, `make check` checks,
# `make test-compose` tests the containers. Each sets up what it needs.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test test-mysql test-compose check setup servers clean

run: setup
	$(BIN)/python main.py serve

test: setup servers
	$(BIN)/python -m pytest $(ARGS)

# The same tests over a real MariaDB, where they ask for no database of their own.
test-mysql: setup servers
	SMARTVOYAGE_TEST_DATABASE=mariadb $(BIN)/python -m pytest $(ARGS)

test-compose:
	@tests/compose/run

check: setup
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest tests/architecture

setup: $(READY)

$(READY): requirements.txt
	@.ci/python-ready $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	@touch $(READY)

servers:
	@.ci/servers-ready

clean:
	rm -rf $(VENV) .data .mypy_cache .ruff_cache .pytest_cache .hypothesis
