# examples: each program's report says what its header promises; FastTree is the real program
script_tests += \
	tests/examples/barrier.sh \
	tests/examples/first_touch.sh \
	tests/examples/imbalance.sh \
	tests/examples/library.sh \
	tests/examples/matvec.sh \
	tests/examples/matvec_data.sh \
	tests/examples/mem.sh \
	tests/examples/mpi.sh \
	tests/examples/python.sh \
	tests/examples/sensor.sh \
	tests/examples/tasks.sh \
	tests/examples/templates.sh \
	tests/examples/userregions.sh
turn_tests += tests/examples/ci.sh tests/examples/critical.sh tests/examples/locks.sh \
	tests/examples/management.sh tests/examples/nested.sh tests/examples/sections.sh \
	tests/examples/single.sh
turn_tests += tests/examples/zones.sh
slow_tests += \
	tests/examples/advice.sh tests/examples/fasttree.sh
EXTRA_DIST += tests/examples/python_check.py tests/examples/python_extrap.py tests/examples/example.sh tests/examples/good.c
