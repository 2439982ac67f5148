# Everything needs only Python 3.11+ and make; the first target builds .venv.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
WORKERS ?= 2

# Tests that stand together need the same compiled code: a worker takes them in a row.
PYTEST := python -m pytest -n $(WORKERS) --dist worksteal --ignore tests/browser
# Python keeps what it has read, whatever the caller says: tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo test test-compiled test-plain test-browser test-long browser nightly signatures lint types bench bench-peers bench-games bench-learning wac studies serve clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "plies needs Python 3.11 or newer; set PYTHON=python3.x"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(READY)  ## a small tournament, its table, and a report in build/demo
	@mkdir -p build/demo && rm -f build/demo/demo.db*
	@echo "The first time all games are compiled, which takes some seconds."
	@PLIES_QUIET=1 $(BIN)/plies tournament examples/tournaments/demo.toml --out build/demo/demo.db
	@$(BIN)/plies report build/demo/demo.db

test: $(READY)  ## lint, types and every test
	@$(MAKE) --no-print-directory -j 4 browser lint types test-compiled
	@$(MAKE) --no-print-directory -j 2 test-plain test-browser
	@$(BIN)/python tests/find_browser.py

test-compiled: $(READY)  ## all tests but those in a browser
	@$(BIN)/python -m compileall -q src  # which processes that tests start do not
	$(BIN)/$(PYTEST)

test-plain: $(READY)  ## rules and small searches once more, without the compiler
	NUMBA_DISABLE_JIT=1 $(BIN)/$(PYTEST) -q -m plain

test-browser: $(READY)  ## the pages in a headless Chromium
	$(BIN)/python -m pytest -q tests/browser

test-long: $(READY)  ## what make test skips because it takes long
	PLIES_TEST_LONG=yes $(BIN)/$(PYTEST)

browser: $(READY)  ## find a browser for the tests, or try to install one
	@$(BIN)/python tests/find_browser.py --install

nightly: $(READY)  ## chess against python-chess on a million random positions
	$(BIN)/python tests/chess_oracle.py --positions 1000000

lint: $(READY)  ## ruff: mistakes and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)  ## pyright
	$(BIN)/pyright

signatures: $(READY)  ## the node counts of every method on every game are those that are kept
	$(BIN)/plies bench

bench: $(READY)  ## exact counts and rates of the compiled code
	$(BIN)/python benchmarks/run.py

bench-peers:  ## plies beside other programs, which it installs into .venv-peers
	$(PYTHON) benchmarks/peers/peer_install.py
	.venv-peers/bin/python benchmarks/peers/peer_run.py

bench-games: $(READY)  ## the engine against alpha-beta and MCTS in every game (an hour)
	$(BIN)/python benchmarks/games.py

wac: $(READY)  ## how many tactical chess positions the engine solves, 1 second each
	$(BIN)/python benchmarks/wac.py --least 250

studies: $(READY)  ## every study in full, with its report in build/studies (hours)
	$(BIN)/plies study all --full

bench-learning: $(READY)  ## self-play games of Q-learning, with exact counts
	$(BIN)/python benchmarks/learning.py

serve: $(READY)  ## look at the games in the browser
	$(BIN)/plies serve

clean:  ## remove what was built here (not the compiled code in the user's cache)
	rm -rf .venv .venv-peers build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
