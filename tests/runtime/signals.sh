# signals: regions of a handler and of what it interrupts are both counted right
. "$srcdir/tests/lib.sh"

kinst $CC -fopenmp -O2 "$srcdir/tests/runtime/signals.c" -o prog
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report"
for stack in '' own; do
	./prog $stack >out 2>err || fail "status $?"
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
