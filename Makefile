PYTHON ?= python3
VENV ?= .venv
PY = $(VENV)/bin/python

.PHONY: build
build:
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install -q 'setuptools>=77' 'cython>=3.1,<4' numpy pytest hypothesis
	$(PY) setup.py -q build_ext --inplace
