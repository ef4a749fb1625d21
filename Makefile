# Every target works from a clean checkout and makes what it needs. It needs Python >= 3.11, a C
# compiler and make; the rest goes into a virtual environment of its own.
#
#   make test PYTHON=python3.13 VENV=.venv-3.13     another Python, beside the first
#   make test UV=uv                                 let uv install instead of pip
#   make test CONSTRAINTS=tools/oldest.txt          the oldest versions that pyproject.toml allows
#   make test TESTS="-m 'not slow'"                 options of pytest
#   make bench-peers BENCH_PEERS="--pairs 1000"     options of the tool
#   make benchmarks BENCH="--benchmark-max-time=0.1 --benchmark-min-rounds=2"   a short one

PYTHON ?= python3
VENV ?= .venv
UV ?=
CONSTRAINTS ?=
FUZZ_ROWS ?= 1000000
BENCH_PEERS ?=
INSTRUCTIONS ?=
FUZZ_RECORDS ?=
WORDINGS ?= --positions 100000
FIRST_ROLLS ?=
BESIDE_GNUBG ?=
AARCH64 ?=
BENCH ?=
CERTIFY ?=
DIST ?=
TESTS ?=

BIN := $(VENV)/bin
PY := $(BIN)/python
ifeq ($(UV),)
NEW_VENV = $(PYTHON) -m venv --clear $(VENV)
INSTALL = $(PY) -m pip install --quiet
else
NEW_VENV = $(UV) venv --quiet --clear --python $(PYTHON) $(VENV)
INSTALL = $(UV) pip install --quiet --python $(PY)
endif
ifneq ($(CONSTRAINTS),)
INSTALL += --constraint $(CONSTRAINTS)
endif

# Stamps. The first one names the Python, so that another PYTHON makes the environment anew.
MADE := $(VENV)/made-by-$(subst /,-,$(PYTHON))
# One kernel lies in src/: what another environment compiled (against another NumPy) is not taken
# for one's own.
KERNEL := build/kernel/$(subst /,-,$(VENV))
HAS_CLI := $(VENV)/has-cli
HAS_CLUSTER := $(VENV)/has-cluster
HAS_TEST := $(VENV)/has-test
HAS_LINT := $(VENV)/has-lint
HAS_BENCH := $(VENV)/has-bench
SOURCES := pyproject.toml setup.py nardy_core.pyx $(wildcard src/nardy_core/*)

export PIP_DISABLE_PIP_VERSION_CHECK = 1
unexport PYTHONPATH

MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.DELETE_ON_ERROR:

.PHONY: help
help:
	@echo 'make demo       the long opening, a million random games, a rollout, the check of real decisions'
	@echo 'make test       all tests; benches once, untimed'
	@echo 'make proofs     the tests that take minutes each'
	@echo 'make bench      benches, timed'
	@echo 'make bench-peers'
	@echo '                the same pairs through other engines from PyPI; part of docs/benchmarks.md'
	@echo 'make benchmarks docs/benchmarks.md anew, all of it: on a quiet machine'
	@echo 'make equity-chart'
	@echo '                docs/match_equity.svg anew'
	@echo 'make learning-curve'
	@echo '                docs/learning.svg anew, from the logs of training'
	@echo 'make strength   what the shipped networks win, and how far from exact they are (two minutes)'
	@echo 'make first-rolls'
	@echo '                docs/first_rolls.md anew (FIRST_ROLLS=options of the tool): half an hour'
	@echo 'make beside-gnubg'
	@echo '                rollouts here and by the program gnubg, values and games a second'
	@echo 'make fuzz-records'
	@echo '                damaged files and ids through every reader (FUZZ_RECORDS=options of the tool)'
	@echo 'make wordings   every play of 100,000 positions of each game read back in twenty wordings (an hour;'
	@echo '                WORDINGS=options of the tool)'
	@echo 'make instructions'
	@echo '                instructions per after-state against the stored ceiling (valgrind)'
	@echo 'make lint       style, types, stub, order of imports, a build without a warning'
	@echo 'make debug      tests on a checked build (indices, C assertions)'
	@echo 'make sanitize   FUZZ_ROWS odd rows through a build with ASan and UBSan (gcc, Linux)'
	@echo 'make annotate   where the kernel touches Python, as a page of HTML'
	@echo 'make signature  one number that says whether behaviour changed'
	@echo 'make aarch64    the kernel on that processor, under emulation (Debian packages)'
	@echo 'make memory     what ten million pairs in one call need (8 GB)'
	@echo 'make certify    the long proof (about an hour, can be resumed)'
	@echo 'make dist       sdist and wheels, each tested where it is installed'
	@echo 'make test-oldest, make test-newest'
	@echo '                make test on the oldest (with the oldest requirements) or newest Python at hand'
	@echo 'make clean      remove what was built; VENV stays (make clean-all: that too)'

# --- set-up ---------------------------------------------------------------------------------------

$(MADE):
	@command -v $(PYTHON) > /dev/null || { echo "There is no '$(PYTHON)' here. Install Python 3.11 or newer, or name one: make PYTHON=..."; exit 1; }
	@$(PYTHON) tools/check_python.py
	@echo 'setting up $(VENV)'
	@test ! -e $(VENV) || ls $(VENV)/made-by-* > /dev/null 2>&1 || { echo "'$(VENV)' is there and make did not make it: name another with VENV=..."; exit 1; }
	$(NEW_VENV)
	@touch $@

# has-build: what compiles the kernel and what nardy imports; has-EXTRA: that extra.
$(VENV)/has-%: pyproject.toml tools/requirements.py $(MADE)
	@$(PY) tools/requirements.py $* > $@.txt
	$(INSTALL) -r $@.txt
	@touch $@

# Any change compiles the whole extension (two C files), so the editable install is as good as a
# build in place.
$(KERNEL): $(SOURCES) $(VENV)/has-build
	@echo 'compiling the kernel: about a minute'
	@rm -rf build/kernel src/nardy/*.so; mkdir -p build/kernel
	$(INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@

.PHONY: build
build: $(KERNEL)

# --- use and test ---------------------------------------------------------------------------------

.PHONY: demo
demo: $(KERNEL) $(HAS_CLI)
	@$(PY) examples/demo.py

.PHONY: test
test: $(KERNEL) $(HAS_CLI) $(HAS_CLUSTER) $(HAS_TEST)
	$(PY) -m pytest --benchmark-disable $(TESTS)

.PHONY: proofs
proofs: $(KERNEL) $(HAS_CLI) $(HAS_CLUSTER) $(HAS_TEST)
	$(PY) -m pytest --benchmark-disable -m proof

.PHONY: test-oldest
test-oldest:
	@python=$$($(PYTHON) tools/pythons.py | head -n 1); echo "== $$python, oldest requirements"; \
	$(MAKE) test PYTHON=$$python VENV=.venv-oldest CONSTRAINTS=tools/oldest.txt

.PHONY: test-newest
test-newest:
	@python=$$($(PYTHON) tools/pythons.py | tail -n 1); echo "== $$python"; \
	$(MAKE) test PYTHON=$$python VENV=.venv-newest

.PHONY: bench
bench: $(KERNEL) $(HAS_TEST)
	$(PY) -m pytest benches --benchmark-only --benchmark-columns=min,median,iqr,rounds --benchmark-sort=name

# The peers go into $(VENV)/peers, each into an environment of its own.
MEASURED := build/benchmarks
PEERS_REPORT = $(PY) tools/bench_peers.py $(BENCH_PEERS)
KERNEL_REPORT = $(PY) -m pytest benches/bench_kernel.py --quiet --benchmark-only --benchmark-columns=min,median,rounds $(BENCH)

.PHONY: bench-peers
bench-peers: $(KERNEL) $(HAS_BENCH)
	$(PEERS_REPORT)
	$(PY) tools/benchmarks.py --peers $(MEASURED)/peers.json

.PHONY: benchmarks
benchmarks: $(KERNEL) $(HAS_TEST) $(HAS_BENCH)
	@mkdir -p $(MEASURED)
	$(KERNEL_REPORT) --benchmark-json=$(MEASURED)/kernel.json
	NARDY_WIDTH=baseline $(KERNEL_REPORT) --benchmark-json=$(MEASURED)/baseline.json -k 'reused or playouts'
	$(PEERS_REPORT)
	$(PY) tools/benchmarks.py --kernel $(MEASURED)/kernel.json --baseline $(MEASURED)/baseline.json --peers $(MEASURED)/peers.json

.PHONY: equity-chart
equity-chart: $(KERNEL) $(HAS_BENCH)
	$(PY) tools/equity_chart.py

.PHONY: learning-curve
learning-curve: $(KERNEL) $(HAS_BENCH)
	$(PY) tools/learning_curve.py

.PHONY: strength
strength: $(KERNEL)
	$(PY) tools/strength.py
	$(PY) tools/network_errors.py

.PHONY: first-rolls
first-rolls: $(KERNEL) $(HAS_BENCH) $(HAS_CLI)
	$(PY) tools/opening_values.py $(FIRST_ROLLS)

.PHONY: beside-gnubg
beside-gnubg: $(KERNEL)
	$(PY) tools/rollouts_beside_gnubg.py $(BESIDE_GNUBG)

.PHONY: fuzz-records
fuzz-records: $(KERNEL)
	$(PY) tools/fuzz_records.py $(FUZZ_RECORDS)

.PHONY: wordings
wordings: $(KERNEL)
	$(PY) tools/right_words.py --game long $(WORDINGS)
	$(PY) tools/right_words.py --game short $(WORDINGS)

.PHONY: instructions
instructions: $(KERNEL)
	@$(PY) tools/count_instructions.py $(INSTRUCTIONS)

.PHONY: signature
signature: $(KERNEL)
	@$(PY) tools/signature.py

.PHONY: memory
memory: $(KERNEL)
	@for game in long short; do for threads in 1 2; do $(PY) tools/peak_memory.py $$game $$threads; done; done

.PHONY: aarch64
aarch64: $(KERNEL)
	PYTHON=$(PY) tools/aarch64.sh $(AARCH64)

.PHONY: certify
certify: $(KERNEL) $(HAS_TEST)
	$(PY) tools/certify.py $(CERTIFY)

# --- other forms of the kernel, each in its own folder: the one in use stays -----------------------

.PHONY: debug
debug: $(KERNEL) $(HAS_CLI) $(HAS_TEST)
	NARDY_DEBUG=1 $(PY) setup.py --quiet build --build-lib build/debug/lib --build-temp build/debug/temp
	PYTHONPATH=build/debug/lib $(PY) -m pytest --benchmark-disable -m 'not slow' $(TESTS)

# Python and numpy are not sanitized: leaks are theirs, and their blocks must come from malloc to
# be watched. libstdc++ is loaded early, or ASan cannot follow numpy's C++ exceptions.
.PHONY: sanitize
sanitize: $(KERNEL) $(HAS_TEST)
	NARDY_SANITIZE=1 $(PY) setup.py --quiet build --build-lib build/sanitize/lib --build-temp build/sanitize/temp
	PYTHONPATH=build/sanitize/lib PYTHONMALLOC=malloc \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libstdc++.so.6)" \
	$(PY) tools/fuzz_rows.py --rows $(FUZZ_ROWS)

.PHONY: annotate
annotate: $(KERNEL)
	NARDY_ANNOTATE=1 CYTHON_FORCE_REGEN=1 $(PY) setup.py --quiet --name
	@ls build/cython-*/nardy_core.html
	@echo "A yellow line inside 'with nogil' is a bug."

# --- checks ---------------------------------------------------------------------------------------

# numpy's own annotations return Any here and there; in the package that is worth a word, in tests not.
NUMPY_ANY := --no-warn-return-any

.PHONY: lint
lint: $(KERNEL) $(HAS_CLI) $(HAS_TEST) $(HAS_LINT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH="$(BIN):$$PATH" cython-lint nardy_core.pyx src/nardy_core
	$(BIN)/mypy src
	$(BIN)/mypy $(NUMPY_ANY) tests
	$(BIN)/mypy $(NUMPY_ANY) tools examples $(wildcard benches)
	$(BIN)/stubtest nardy.nardy_core
	$(PY) -m pytest --quiet tests/test_import_order.py
	@rm -rf build/lint; mkdir -p build/lint
	@echo 'compiling the kernel, listening for warnings'
	@CYTHON_FORCE_REGEN=1 $(PY) setup.py build_ext --build-lib build/lint --build-temp build/lint > build/lint/log 2>&1 \
	    || { cat build/lint/log; exit 1; }
	@! grep -iE -A 9 'warning|performance hint' build/lint/log

.PHONY: dist
dist: $(KERNEL)
	$(PY) tools/check_dist.py $(DIST)

# --- end ------------------------------------------------------------------------------------------

.PHONY: clean
clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks src/*.egg-info
	rm -f src/nardy/*.so
	find src tests tools benches examples -name __pycache__ -prune -exec rm -rf {} + 2> /dev/null || true

.PHONY: clean-all
clean-all: clean
	for folder in .venv .venv-oldest .venv-newest; do test ! -e $$folder/pyvenv.cfg || rm -rf $$folder; done
