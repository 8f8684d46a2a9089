# roofline: operations and bytes beside what the machine can do
script_tests += tests/roofline/machine.sh tests/roofline/roofline.sh
turn_tests += tests/roofline/bandwidth.sh
turn_tests += tests/roofline/bounds.sh tests/roofline/emulated.sh
EXTRA_DIST += tests/roofline/bounds.c tests/roofline/bounds.py tests/roofline/formulas.py tests/roofline/joined.py tests/roofline/kernels.c tests/roofline/machine_lib.sh
