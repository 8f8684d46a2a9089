# task_times_many: task_times.sh with 20 programs a part, on 2 to 8 threads.
# PART=3/20 is the third of 20 parts (tests/slices); by itself it takes the first.
PART=${PART:-1/20}
. "$srcdir/tests/runtime/task_times.sh"
