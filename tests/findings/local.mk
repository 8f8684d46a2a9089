# findings: planted programs, and what has to be found first in each
script_tests += tests/findings/planted.sh
turn_tests += tests/findings/faults.sh
slow_tests += tests/findings/busy.sh tests/findings/numa.sh tests/findings/savings.sh
EXTRA_DIST += \
	tests/findings/ROWS \
	tests/findings/causes.F90 \
	tests/findings/causes.c tests/findings/loops.c \
	tests/findings/causes.cc \
	tests/findings/chunks_loop.F90 \
	tests/findings/chunks_loop.c \
	tests/findings/chunks_loop.cc \
	tests/findings/judge.py \
	tests/findings/mpi_wait.c \
	tests/findings/numa.F90 \
	tests/findings/numa.c \
	tests/findings/numa.cc \
	tests/findings/tasks_depend.c \
	tests/findings/tasks_few.c \
	tests/findings/tasks_if.c \
	tests/findings/tasks_long.c \
	tests/findings/tasks_loop.F90 \
	tests/findings/tasks_loop.c \
	tests/findings/tasks_loop.cc \
	tests/findings/tasks_producer.c \
	tests/findings/tasks_taskloop.c \
	tests/findings/tasks_tree.c \
	tests/findings/work.h
