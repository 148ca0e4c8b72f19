# Set-up is pinned by constraints.txt and done once: a second call installs nothing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
RL_VENV := .venv-rl
WORKERS ?= 2

.PHONY: demo play test test-rl lint types contract check bench frames peers planner best docs pictures clean

demo: $(READY)
	$(BIN)/shover demo

play: $(READY)
	$(BIN)/shover play

test: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal tests

# Stable-Baselines3 and torch are large, so they live apart.
test-rl: $(RL_VENV)/ready
	$(RL_VENV)/bin/python -m pytest tests/rl

lint: $(READY)
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/pyright

contract: $(READY)
	$(BIN)/lint-imports

check: lint types contract

bench: $(READY)
	$(BIN)/shover bench

frames: $(READY)
	$(BIN)/python benchmarks/frames.py

peers: $(READY)
	$(BIN)/python benchmarks/compare.py
	$(BIN)/python benchmarks/sokoban.py

planner: $(READY)
	$(BIN)/python benchmarks/planner.py

best: $(READY)
	$(BIN)/python benchmarks/best.py

docs: $(READY)
	$(BIN)/python docs/make.py

pictures: $(READY)
	$(BIN)/python docs/screens.py

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "shoverworld needs Python 3.10 or later; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[gui,plot,race,dev]"
	touch $@

$(RL_VENV)/ready: pyproject.toml constraints.txt
	test -x $(RL_VENV)/bin/python || $(PYTHON) -m venv $(RL_VENV)
	$(RL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(RL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[rl]"
	touch $@

clean:
	rm -rf $(VENV) $(RL_VENV) .peers build out
