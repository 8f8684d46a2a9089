# instructions: what a task costs does not grow with the depth of the tasks around it; by instructions, which are the
# same on any machine, busy or not
. "$srcdir/tests/lib.sh"
need valgrind

kinst ${CC:-cc} -O2 -fopenmp "$srcdir/tests/bench/storm.c" -o storm
export OMP_NUM_THREADS=1 OMPP_REPORTFILE=none OMPP_QUIET=1 OMP_STACKSIZE=64M

# instructions ARGS…: of a run in all.
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=out --log-file=log ./storm "$@" >/dev/null 2>err || fail "$*: $(cat err log)"
	sed -n 's/.*Collected : //p' log
}

# each KIND DEPTH: of one construct, the start and the end of the run taken out.
each() {
	none=$(instructions "$1" 0 "$2")
	many=$(instructions "$1" 5000 "$2")
	echo $(((many - none) / 5000))
}

flat=$(each chain 1)
deep=$(each chain 1000)
echo "a task below 1 task: $flat instructions, below 1000 tasks: $deep"
near "a task below 1000 tasks" "$deep" "$flat" 2 || fail "the cost of a task grows with the tasks around it"
