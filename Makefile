# `make demo` and `make test` do everything a fresh machine with Python 3.11 and make needs.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/installed
# How many processes share the tests of a run: auto is one for each core, 0 none but the first.
export WORKERS ?= auto
PYTEST := $(BIN)/python -m pytest -q -n $(WORKERS)
# Processes share the cores. More threads than cores, of PyTorch or of matrix products, would spin while they wait for
# each other.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
BROWSER ?= chromium
DEMO_LEVEL ?= 30-grand-tour
DEMO_LEVELS ?= 04-jelly-garden 12-locked-up 20-short-fuses 24-hourglass 30-grand-tour

.PHONY: help install demo test test-interpreted test-bounds test-hashes test-generic test-compiled test-lowest test-pythons coverage coverage-report layers compare lint types format check picture clean

help:
	@echo "make demo     show a bundled level, predict five, write the page about them that the README shows"
	@echo "make test     run all tests: interpreted, with bounds checks, for a generic processor, compiled"
	@echo "make lint     ruff: rules and format        make format   apply them"
	@echo "make types    mypy, strict"
	@echo "make layers   that modules import only from those above them in the flow"
	@echo "make check    lint, types, layers and test: what CI runs, but for other versions of Python and packages"
	@echo "make test-lowest  run some of the tests with the oldest versions that pyproject.toml allows"
	@echo "make test-pythons  run some of the tests on every Python that pyproject.toml names and that is found"
	@echo "make coverage run tests/game interpreted and all tests compiled, tell which lines none of them ran"
	@echo "make compare  play 200,000 moves on the engine and on the slow second implementation"
	@echo "make picture  draw the README's pictures again, with Chromium"
	@echo "make clean    remove the virtual environment and caches"

# The stamp is newer than what it was installed from, so that repeated calls cost nothing.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "levelsense needs Python 3.11 or later, found " + sys.version.split()[0] + "; call make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt setuptools
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-build-isolation --no-compile --editable '.[gym,onnx,train,test,ci]'
	@touch $@

install: $(STAMP)

demo: $(STAMP)
	$(BIN)/levelsense show $(DEMO_LEVEL)
	@echo "Agents play five levels; the first run compiles the rules, which takes about half a minute."
	$(BIN)/levelsense report $(DEMO_LEVELS) --target 50% --db demo.db -o demo.html
	$(BIN)/levelsense predict $(DEMO_LEVELS) --target 50% --db demo.db
	@echo "The page is in demo.html: open it in a browser."
	@echo "To go on: source $(VENV)/bin/activate    and then, for example, levelsense play $(DEMO_LEVEL)"

# The short runs go side by side, in one process each: two processes of one run would compile the same kernels. They
# begin with the longest, so that none is left alone at the end. What is left is longer than all of them, and finds
# most of its kernels compiled. ALSO names further runs, as CI does; those that BESIDE names go beside the last run,
# whose processes wait at times for browsers, databases and the clock.
SIDE_BY_SIDE := $(shell nproc 2>/dev/null || echo 2)
test: $(STAMP)
	$(MAKE) --jobs=$(SIDE_BY_SIDE) --output-sync=target WORKERS=0 $(ALSO) test-interpreted test-hashes test-generic test-bounds
	$(MAKE) --jobs=2 --output-sync=target WORKERS=0 OF_COMPILED=$(WORKERS) test-compiled $(BESIDE)
	$(if $(COVERAGE),$(MAKE) coverage-report)

# LEVELSENSE_COMPARE is the share that is played of the comparison with the slow second implementation.
# Besides the game, what is counted on drawn boards for agents and simulated players is fast without the compiler.
DRAWN := tests/agents/test_planes.py tests/agents/test_policy_inputs.py tests/agents/qlearning/test_features.py \
	$(addprefix tests/people/test_,impression.py mind.py outcome.py) tests/studies/test_sokoban.py
test-interpreted: $(STAMP)
	NUMBA_DISABLE_JIT=1 LEVELSENSE_COMPARE=0.005 COVERAGE_FILE=$(CURDIR)/.coverage.interpreted \
		$(PYTEST) $(TRACED) -m "not slow" tests/game $(DRAWN)

test-bounds: $(STAMP)
	NUMBA_BOUNDSCHECK=1 LEVELSENSE_COMPARE=0.005 $(PYTEST) -m "not slow" tests/game

# All tests but the hashes, whose run has compiled most kernels. Each process begins with an equal part of the tests, in
# their order, and ends with some of another's: few files are in two parts, and what a file's tests share is made once.
OF_COMPILED ?= $(WORKERS)
test-compiled: $(STAMP)
	COVERAGE_FILE=$(CURDIR)/.coverage.compiled $(BIN)/python -m pytest -q -n $(OF_COMPILED) --dist=worksteal --durations=15 \
		$(TRACED) --ignore=$(HASHES)

# With COVERAGE=1 the lines of two runs are counted. Lines of kernels run only where they are not compiled: those of
# the game in the first run. Files with other kernels count for the total, and would fill the list of the ten least
# covered.
TRACED = $(if $(COVERAGE),--cov --cov-report= --cov-fail-under=0)
COMPILED_ONLY := */agents/*,*/people/simulated/*,*/gym/kernels.py,*/arithmetic.py
coverage: COVERAGE := 1
coverage: test-interpreted test-compiled coverage-report

coverage-report: $(STAMP)
	@$(BIN)/coverage combine --keep .coverage.interpreted .coverage.compiled >/dev/null
	@echo "Least covered, but for files with kernels that only run compiled:"
	@$(BIN)/coverage report --fail-under=0 --omit='$(COMPILED_ONLY)' >.coverage-report; head -n 12 .coverage-report
	@$(BIN)/coverage report >.coverage-report; status=$$?; sed -n '/^TOTAL/,$$p' .coverage-report; exit $$status

# Every agent and population plays as before; and also if kernels are compiled for no processor in particular. In one
# process each: two would compile the same kernels side by side.
HASHES := tests/test_golden_hashes.py
test-hashes: $(STAMP)
	$(BIN)/python -m pytest -q $(HASHES)

test-generic: $(STAMP)
	NUMBA_CPU_NAME=generic $(BIN)/python -m pytest -q $(HASHES) tests/test_arithmetic.py

# The oldest versions that pyproject.toml allows, in an environment of their own: the statistics, files and databases
# that Polars, SciPy and SQLAlchemy are used for, and the hashes of what Numba and NumPy make of every family of
# agents, of search with its default playouts only: the others are made of the same parts, and compile as long; so is
# the halving search. Of pages one is looked at: the others hold what it holds, drawn by the same packages.
LOWEST := $(VENV)-lowest
OF_LOWEST := $(addprefix tests/prediction/test_,agreement.py bad_data.py band.py calibration.py cohorts.py covariates.py \
	difficulty.py evaluation.py features.py measures.py mixed_binomial.py prior.py quadrature.py \
	selection.py unseen.py walk.py) tests/studio/test_levels.py tests/test_golden_hashes.py tests/report/test_charts.py \
	tests/report/test_page.py::test_everything_is_drawn_offline \
	$(addprefix tests/people/test_,records.py rates.py parquet.py) \
	$(addprefix tests/store/test_,database.py people.py recorder.py results.py verify.py)
test-lowest: $(STAMP)
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) $(LOWEST)
	$(BIN)/uv pip install --quiet --resolution lowest-direct --python $(LOWEST)/bin/python --editable '.[test]'
	$(LOWEST)/bin/python -m pytest -q -n $(WORKERS) -m "not slow" -k "not playout and not halving" $(OF_LOWEST)

# What a version of Python can change, in about a minute: files, texts and errors, every command's options, the
# database, and the hashes of the agents that compile fast.
FAST := tests/test_arithmetic.py tests/test_draws.py tests/test_errors.py tests/test_files.py \
	tests/test_docs.py::test_every_option_is_documented_and_no_other \
	tests/test_golden_hashes.py tests/test_json_text.py tests/test_printable.py tests/test_public_api.py \
	tests/game/test_level.py tests/store/test_results.py tests/prediction/test_mixed_binomial.py
SLOW_HASHES := mcts or halving or beam or sampling or policy or players or training or q-
test-pythons: $(STAMP)
	.ci/test-pythons $(BIN)/uv $(VENV) $(FAST) -k "not (golden_hashes and ($(SLOW_HASHES)))"

compare: $(STAMP)
	LEVELSENSE_COMPARE=1 $(PYTEST) tests/game/test_against_naive.py

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/python -m pytest -q tests/test_layers.py

check: lint types layers test

picture: demo
	$(BIN)/levelsense show 45-last-stand --seed 3 --svg docs/images/show.svg
	LEVELSENSE_BROWSER=$$(command -v $(BROWSER)) $(BIN)/python -m tests.pictures demo.html $(DEMO_LEVEL) docs/images
	$(BIN)/python -m pip install --quiet pillow
	LEVELSENSE_BROWSER=$$(command -v $(BROWSER)) $(BIN)/python -m tests.studio_pictures docs/images

clean:
	rm -rf $(VENV) $(VENV)-* .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis build src/*.egg-info
