# tasks: every task is created once and executed once, wherever; its time is not taken for imbalance.
. "$srcdir/tests/examples/example.sh"
build tasks.c
lines=$(awk '/pragma omp task( |$)/ { printf "%d ", NR }' "$examples/tasks.c")
# shellcheck disable=SC2086
set -- $lines
judge() {
	run 2
	counts "TASK:$1" SUM execC 986 "TASKEXEC:$1" SUM execC 986 "TASK:$2" SUM execC 986 "TASKEXEC:$2" SUM execC 986 \
		TASKWAIT SUM execC 986 "TASK:$3" SUM execC 100 "TASKEXEC:$3" SUM execC 100 &&
		measured 2
}
retry 8 judge "$@" || fail "times"
