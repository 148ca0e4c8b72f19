# The set-up is pinned by constraints.txt and runs once: a second call installs nothing.
# Variables: make test PYTHON=python3.12 VENV=.venv-3.12 WORKERS=4
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
RL_VENV ?= .venv-rl
RAY_VENV ?= .venv-ray
SITE_VENV ?= .venv-site
JS_VENV ?= .venv-js
TYPESCRIPT := 7.0.2
FOLDER ?= build/player
WORKERS ?= 2
MARKDOWN := README.md CHANGELOG.md CONTRIBUTING.md docs benchmarks/maps tests/peers
OTHER_PYTHONS ?= 3.12 3.13
GYMNASIUM ?= 1.2.2
PIP := -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help setup demo play test test-rl test-ray test-all-pythons test-gymnasium coverage lint types contract check format hooks \
  bench speed-plots frames player-speed peers planner rl-curves best wasm wasm-check player web-types docs pictures site dist clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "Variables: PYTHON=$(PYTHON) VENV=$(VENV) WORKERS=$(WORKERS), for example: make test PYTHON=python3.12 VENV=.venv-3.12"

setup: $(READY) ## Create the virtual environment and install everything

demo: $(READY) ## Let the planner solve and play bundled maps in the terminal and save a GIF
	$(BIN)/shover demo

play: $(READY) ## Open the window
	$(BIN)/shover play

test: $(READY) ## Run the tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal tests

# Stable-Baselines3 and torch are large, so they have their own environment.
test-rl: $(RL_VENV)/ready ## Run the Stable-Baselines3 tests in their own environment
	$(RL_VENV)/bin/python -m pytest tests/rl

# Ray is large too. The tests start clusters of two nodes on this machine.
test-ray: $(RAY_VENV)/ready ## Run the tests of jobs on a Ray cluster and of RLlib in their own environment
	$(RAY_VENV)/bin/python -m pytest tests/ray

# PYENV_VERSION lets pyenv's shims find the version. Without pyenv it has no effect.
test-all-pythons: ## Run the tests on the other supported Python versions (3.12 and 3.13) that are installed
	@for version in $(OTHER_PYTHONS); do \
	  if PYENV_VERSION=$$version python$$version -c '' 2> /dev/null; then \
	    echo "Python $$version"; \
	    PYENV_VERSION=$$version $(MAKE) test PYTHON=python$$version VENV=.venv-$$version || failed="$$failed $$version"; \
	  else \
	    echo "Python $$version is not installed: skipped"; \
	  fi; \
	done; \
	if [ -n "$$failed" ]; then echo "The tests fail on Python$$failed"; exit 1; fi

test-gymnasium: ## Run the environment tests with another Gymnasium: GYMNASIUM=1.2.2 (the lowest, the default) or newest
	test -x .venv-gymnasium/bin/python || $(PYTHON) -m venv .venv-gymnasium
	grep -v '^gymnasium==' constraints.txt > .venv-gymnasium/constraints.txt
	.venv-gymnasium/bin/python $(PIP) --upgrade -c .venv-gymnasium/constraints.txt -e ".[all,dev]" \
	  gymnasium$(if $(filter newest,$(GYMNASIUM)),,==$(GYMNASIUM))
	.venv-gymnasium/bin/python -m pytest -n $(WORKERS) --dist worksteal tests/core tests/shover tests/sokoban tests/race

# Coverage cannot look into compiled code or other processes. Uncompiled code is slow: tests/conftest.py skips slow tests. Exit
# code 1 (failed tests) is accepted, because some tests give a planner a time limit that suits compiled code only.
coverage: $(READY) ## Measure the coverage of the tests that finish in time without compiled code
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --cov --cov-report=term --tb=no -rN tests \
	  --ignore=tests/terminal --ignore=tests/project --ignore=tests/web --ignore=tests/desktop/test_real_window.py || [ $$? = 1 ]

lint: $(READY) ## Check the style (ruff)
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(READY) ## Check the types (pyright)
	$(BIN)/pyright --pythonpath $(BIN)/python

contract: $(READY) ## Check the import contracts (import-linter)
	$(BIN)/lint-imports

# Node is needed only for the types of the web player. In CI, it must be installed.
check: lint types contract $(if $(CI)$(shell command -v npm),web-types) ## Check style, types and import contracts

format: $(READY) ## Format the sources and apply ruff's fixes
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .

hooks: $(READY) ## Install the pre-commit hooks into this clone
	$(BIN)/python $(PIP) pre-commit
	$(BIN)/pre-commit install

bench: $(READY) ## Measure the speed of the package
	$(BIN)/shover bench

speed-plots: $(READY) ## Measure and draw what a step costs, for the docs
	$(BIN)/python benchmarks/step_cost.py

frames: $(READY) ## Measure the frame rate of the window
	$(BIN)/python benchmarks/frames.py

player-speed: $(READY) ## Measure the size and the speed of the web player (needs Chromium)
	$(BIN)/python benchmarks/player.py

peers: $(READY) ## Compare the speed with other packages (installs them into .peers)
	$(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/sokoban.py

planner: $(READY) ## Measure the planner of Shover-World
	$(BIN)/python benchmarks/planner.py

# Ten runs of up to ten minutes on each of two cores. Runs that are in out/rl are not repeated.
rl-curves: $(RL_VENV)/ready $(RAY_VENV)/ready ## Run the training examples with five seeds each and draw the learning curves for the docs
	$(RL_VENV)/bin/python examples/curves.py --seeds 5 --jobs 2 --out out/rl --picture docs/pictures/rl-curves.png \
	  --ray-python $(RAY_VENV)/bin/python

best: $(READY) ## Search for better plans for the benchmark maps and keep them
	$(BIN)/python benchmarks/best.py

wasm: $(READY) ## Compile the rules to WebAssembly and describe the games in JSON (needs wasm-ld: Debian's lld, or ziglang)
	$(BIN)/python -m shoverworld.web.compiler

player: ## Copy the web player into FOLDER (build/player) for a static host
	$(PYTHON) src/shoverworld/web/export.py $(FOLDER)

# TypeScript only checks the types: the player has no build step.
web-types: $(JS_VENV)/ready ## Check the types of the web player (tsc)
	$(JS_VENV)/node_modules/.bin/tsc -p src/shoverworld/web/tsconfig.json

wasm-check: $(READY) ## Compare the WebAssembly modules with the engine for a million steps of each game
	$(BIN)/python -m tests.web.compare_many 1000000

docs: $(READY) ## Generate the pages and pictures of the docs
	$(BIN)/python docs/make.py

pictures: $(READY) ## Generate the screenshots of the docs (those of the web player need Chromium)
	$(BIN)/python docs/screens.py
	$(BIN)/python docs/solver_pictures.py
	$(BIN)/python docs/web_screens.py

# The pages are built from sources alone, so their environment does not contain this package.
site: $(SITE_VENV)/ready player ## Build the documentation site with the web player into site/ and check all links
	$(SITE_VENV)/bin/python docs/stage.py $(FOLDER)
	$(SITE_VENV)/bin/zensical build --strict --clean
	$(SITE_VENV)/bin/python docs/links.py $(MARKDOWN) site --base /shoverworld/

dist: $(READY) ## Build the source distribution and the wheel into dist/ and check their metadata
	$(BIN)/python $(PIP) build twine
	rm -rf dist && $(BIN)/python -m build && $(BIN)/twine check --strict dist/*

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "shoverworld needs Python 3.11 or later: set PYTHON, as in make test PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) -c constraints.txt -e ".[all,dev]"
	touch $@

$(RL_VENV)/ready: pyproject.toml constraints.txt
	test -x $(RL_VENV)/bin/python || $(PYTHON) -m venv $(RL_VENV)
	$(RL_VENV)/bin/python $(PIP) torch==2.13.0
	$(RL_VENV)/bin/python $(PIP) -c constraints.txt -e ".[rl]"
	touch $@

$(RAY_VENV)/ready: pyproject.toml constraints.txt
	test -x $(RAY_VENV)/bin/python || $(PYTHON) -m venv $(RAY_VENV)
	$(RAY_VENV)/bin/python $(PIP) torch==2.13.0
	grep -v '^gymnasium==' constraints.txt > $(RAY_VENV)/constraints.txt  # RLlib pins an older Gymnasium
	$(RAY_VENV)/bin/python $(PIP) -c $(RAY_VENV)/constraints.txt -e ".[ray,rllib]" pytest pytest-timeout
	touch $@

$(SITE_VENV)/ready: constraints.txt
	test -x $(SITE_VENV)/bin/python || $(PYTHON) -m venv $(SITE_VENV)
	$(SITE_VENV)/bin/python $(PIP) -c constraints.txt zensical mkdocstrings-python markdown-it-py ruff
	touch $@

$(JS_VENV)/ready: Makefile
	npm install --silent --no-fund --no-audit --no-package-lock --prefix $(JS_VENV) typescript@$(TYPESCRIPT)
	touch $@

clean: ## Delete the virtual environments and everything that was built
	rm -rf $(VENV) $(RL_VENV) $(RAY_VENV) $(SITE_VENV) .venv-* .peers .cache build dist out site .coverage htmlcov
