# work: operations on numbers that the program's code counts
script_tests += tests/work/operations.sh
EXTRA_DIST += tests/work/operations.py
