# signals: regions of a handler and of what it interrupts are both counted right, also while memory accesses are sampled
. "$srcdir/tests/lib.sh"

kinst $CC -fopenmp -O2 "$srcdir/tests/runtime/signals.c" -o prog
kinst --access $CC -fopenmp -O2 "$srcdir/tests/runtime/signals.c" -o hooked
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_SAMPLE_PERIOD=20

# handlers WHAT: those of the run just done were measured as often as they came
handlers() {
	for name in tick tock; do
		[ "$(csv_field report "USER REGION:$name" SUM execC)" = "$ticks" ] ||
			fail "$1: $name: $(csv_field report "USER REGION:$name" SUM execC) of $ticks"
	done
	! grep -i 'left without\|without a begin' report || fail "$1: losses"
}

# each PROGRAM SAMPLE [STACK]
each() {
	OMPP_SAMPLE=$2 "./$1" 3000000 $3 >out 2>err || fail "$*: status $?"
	read -r sum ticks <out
	[ "$sum" = 4499998500000 ] || fail "$*: wrong result"
	[ "$ticks" -gt 10 ] || fail "$*: only $ticks signals"
	for type in CRITICAL FLUSH; do
		[ "$(csv_field report $type SUM execC)" = 3000000 ] || fail "$*: $type: $(csv_field report $type SUM execC)"
	done
	handlers "$*"
	echo "$*: $ticks signals"
}
each prog off ''
each prog off own
each prog touch ''
each hooked hook own

# A handler that comes while its thread is being started is measured, too; strace makes that take long.  With samples the
# first thread is started before main(), where no handler comes; the second one is as without.
if command -v strace >/dev/null && strace -f -o /dev/null true 2>/dev/null; then
	for run in 'prog off' 'prog off team' 'prog touch team' 'hooked hook team'; do
		set -- $run
		OMPP_SAMPLE=$2 strace -f -o /dev/null "./$1" 20 ${3:-} >out 2>err || fail "$run: status $? by strace"
		read -r sum ticks <out
		[ "$sum" = 190 ] || fail "$run: wrong result by strace"
		[ "$ticks" -gt 0 ] || fail "$run: no signal came while the thread was started"
		handlers "$run, at the start"
		# strace lets most handlers come at system calls, also behind the clock's reading of an end: what they take
		# is in a region that was shorter, and there are too few others for that not to show
		rm -f report*
	done
else
	echo "no strace here: handlers at the start of a thread are not tested"
fi
