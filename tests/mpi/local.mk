# mpi: programs of several ranks
script_tests += tests/mpi/calls.sh tests/mpi/one_file.sh tests/mpi/ranks.sh tests/mpi/traces.sh
turn_tests += tests/mpi/launchers.sh
turn_tests += tests/mpi/efficiency.sh tests/mpi/messages.sh tests/mpi/onesided.sh tests/mpi/rank_course.sh tests/mpi/waits.sh
EXTRA_DIST += tests/mpi/calls.py tests/mpi/efficiency.py tests/mpi/messages.py tests/mpi/onesided.py tests/mpi/ranks.py tests/mpi/rank_course.py tests/mpi/waits.py tests/mpi/traces.c tests/mpi/traces.py
