# jumps: what longjmp() leaves has ended, with the time up to the jump; what was open before goes on
. "$srcdir/tests/lib.sh"
OMPP_OUTFORMAT=PLAIN,CSV OMPP_REPORTFILE=$work/report OMPP_QUIET=1 OMP_NUM_THREADS=2
export OMPP_OUTFORMAT OMPP_REPORTFILE OMPP_QUIET OMP_NUM_THREADS

# COUNT REGION…: each region was executed COUNT times, and none of the pauses is in it
left() {
	count=$1
	shift
	for region; do
		n=$(csv_field report.csv "$region" SUM execC) || fail "$c: no $region"
		[ "$n" = "$count" ] || fail "$c: $region: $n times, not $count"
		t=$(csv_field report.csv "$region" SUM execT)
		awk -v t="$t" 'BEGIN { exit !(t < 0.005) }' || { echo "$region: $t s"; return 1; }
	done
}

judge() {
	./ours >out || fail "$c: ends with $?"
	same "$c: output" want out
	left 20 'USER REGION:before' 'USER REGION:user' 'USER REGION:first' 'USER REGION:second' 'USER REGION:third' \
		LOOP ORDERED TASK TASKEXEC &&
		left 40 'USER REGION:around' 'USER REGION:interrupted' 'USER REGION:handler' &&
		left 120 'USER REGION:deep' &&
		left 3 PARALLEL &&
		left 20 MASTER
}

for c in $CC clang; do
	command -v "${c%% *}" >/dev/null || continue
	for more in "" "-O2 -D_FORTIFY_SOURCE=2" -static; do
		# shellcheck disable=SC2086
		kinst --strict $c $more -fopenmp -w "$srcdir/tests/runtime/jumps.c" -o ours 2>errors || {
			[ "$more" = -static ] || fail "$c $more: $(cat errors)"
			continue
		}
		printf '%d\n' $((20 + 4 * 20 + 20 + 40 + 20 + 20 + 3)) >want
		retry 5 judge || fail "$c $more: times"
		! grep -E 'came without a begin|left without their end|were open' report.txt || fail "$c $more: losses"
	done
done
