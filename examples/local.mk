# examples: one phenomenon a program; the header says what its report must show, tests/examples checks it
examplesdir = $(pkgdatadir)/examples
dist_examples_DATA = \
	examples/barrier.c \
	examples/critical.c \
	examples/first_touch.c \
	examples/flow_private.c \
	examples/imbalance.c \
	examples/locks.c \
	examples/management.c \
	examples/matvec.c \
	examples/matvec.f90 \
	examples/matvec_data.c \
	examples/matvec_data.f90 \
	examples/mem_loads.c \
	examples/mem_loads.f90 \
	examples/mem_overflow.c \
	examples/mem_stores.c \
	examples/mem_traffic.c \
	examples/mpi.c \
	examples/nested.c \
	examples/sections.c \
	examples/sensor_files.c \
	examples/sensor_uncore.c \
	examples/single.c \
	examples/spin.h \
	examples/tasks.c \
	examples/templates.cpp \
	examples/userregions.c \
	examples/zones.c
examples_cidir = $(examplesdir)/ci
dist_examples_ci_DATA = examples/ci/github.yml examples/ci/gitlab.yml
examples_librarydir = $(examplesdir)/library
dist_examples_library_DATA = \
	examples/library/main.c \
	examples/library/solve.h \
	examples/library/solve_fill.c \
	examples/library/solve_sum.c
# the module ompp of Python
examples_pythondir = $(examplesdir)/python
dist_examples_python_DATA = examples/python/plot.py examples/python/pyproject.toml
examples_python_omppdir = $(examples_pythondir)/ompp
dist_examples_python_ompp_DATA = examples/python/ompp/__init__.py examples/python/ompp/__main__.py \
	examples/python/ompp/calltree.py examples/python/ompp/extrap.py examples/python/ompp/stacks.py \
	examples/python/ompp/text.py
