# signals: regions of a handler and of what it interrupts are both counted right
. "$srcdir/tests/lib.sh"

kinst $CC -fopenmp -O2 "$srcdir/tests/runtime/signals.c" -o prog
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report"
for stack in '' own; do
	./prog 3000000 $stack >out 2>err || fail "status $?"
	read -r sum ticks <out
	[ "$sum" = 4499998500000 ] || fail "wrong result"
	[ "$ticks" -gt 10 ] || fail "only $ticks signals"
	[ "$(csv_field report CRITICAL SUM execC)" = 3000000 ] || fail "criticals: $(csv_field report CRITICAL SUM execC)"
	[ "$(csv_field report FLUSH SUM execC)" = 3000000 ] || fail "flushes: $(csv_field report FLUSH SUM execC)"
	for name in tick tock; do
		[ "$(csv_field report "USER REGION:$name" SUM execC)" = "$ticks" ] ||
			fail "$name: $(csv_field report "USER REGION:$name" SUM execC) of $ticks"
	done
	! grep -i 'left without\|without a begin' report || fail "losses"
	echo "$ticks signals"
done

# A handler that comes while its thread is being started is measured, too; strace makes that take long.
if command -v strace >/dev/null && strace -f -o /dev/null true 2>/dev/null; then
	strace -f -o /dev/null ./prog 20 >out 2>err || fail "status $? by strace"
	read -r sum ticks <out
	[ "$ticks" -gt 0 ] || fail "no signal came while the thread was started"
	[ "$(csv_field report "USER REGION:tick" SUM execC)" = "$ticks" ] ||
		fail "tick, at the start: $(csv_field report "USER REGION:tick" SUM execC) of $ticks"
else
	echo "no strace here: handlers at the start of a thread are not tested"
fi
