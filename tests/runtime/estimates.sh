# estimates: of very many short visits some are timed and all are counted; what the report says of their time is an estimate
# with its error, beside what the program measured itself; OMPP_COSTLY=exact, the default, times all of them
. "$srcdir/tests/lib.sh"

# The program holds each visit for HOLD ns, one of 100 for 2 us, by a clock of its own, and prints what all took together.
cat >hold.c <<'EOC'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long n = atol(argv[argc - 1]), sum = 0;

	for (long i = 0; i < n; i++) {
#pragma pomp inst begin(hold)
		long start = now(), ends = start + (i % 100 ? HOLD : 2000), at;

		while ((at = now()) < ends)
			;
		sum += at - start;
#pragma pomp inst end(hold)
	}
	printf("%.6f\n", (double)sum / 1e9);
	return 0;
}
EOC
export OMPP_COSTLY=sample OMPP_QUIET=1 OMPP_OUTFORMAT=csv OMPP_REPORTFILE="$PWD/report.csv" OMPP_PROFILE=0

# column NAME: of the flat profile's sum
column() {
	awk -F, -v name="$1" '/^##BEG .* flat profile/ { getline; getline; for (i = 1; i <= NF; i++) col[$i] = i; on = 1; next }
		/^##END/ { on = 0 } on && $1 == "SUM" && col[name] { print $col[name] }' report.csv
}

# Visits that are long beside their events are no storm; how long those take, the processor decides, and its neighbours:
# they are as short as it takes for three runs in a row to have an estimate.
is_storm() {
	for run in 1 2 3; do
		./hold 200000 >/dev/null
		[ "$(column 'execT +-')" ] || return 1
	done
}
for hold in 200 120 70 40; do
	kinst ${CC:-cc} -O2 -fopenmp -DHOLD=$hold hold.c -o hold
	! is_storm || break
done

# is_near: the estimate is within 4 errors and 40 ns a visit, as the program reads the clock in it
is_near() {
	time=$(column execT) error=$(column 'execT +-')
	echo "the program: $truth s, execT: $time +- $error s"
	awk -v t="$truth" -v e="$time" -v s="$error" 'BEGIN { d = e - t; if (d < 0) d = -d; exit !(s > 0 && d < 4 * s + 200000 * 40e-9) }'
}

near_truth() {
	truth=$(OMPP_SAMPLE_SEED=$1 ./hold 200000)
	is_near
}

retry 5 near_truth 3 || fail "the estimate"
[ "$(column execC)" = 200000 ] || fail "counts: $(column execC)"
grep -q '^Sample Seed,"\?3, given' report.csv || fail "the seed: $(grep Seed report.csv)"

# beside a program that takes half of its processor, which visits without time lose as others: the error says so each time;
# where the other program came while the first visits were timed, they are long, no storm is found, and all visits are timed
processor=$(taskset -cp $$ | sed 's/.*[ ,-]//')
taskset -c "$processor" sh -c 'while :; do :; done' &
other=$!
n_near=0
for seed in 1 2 3 4 5; do
	truth=$(OMPP_SAMPLE_SEED=$seed taskset -c "$processor" ./hold 200000)
	is_near && n_near=$((n_near + 1)) && continue
	[ -z "$error" ] || { kill $other; fail "the error of an estimate on a busy processor"; }
done
kill $other
[ "$n_near" -gt 0 ] || fail "no estimate on a busy processor"

is_marked() {
	OMPP_OUTFORMAT=text OMPP_REPORTFILE="$PWD/report.txt" ./hold 200000 >/dev/null
	grep -q 'hold.*\[.*~[0-9<.]* %\]' report.txt || { grep hold report.txt; return 1; }
	grep -q 'execT~ *+- *execC' report.txt
}
retry 5 is_marked || fail "no mark, or no column of errors"

# the line of the region has the same number and error beside its source
in_its_line() {
	rm -f hold.*.ompp
	env -u OMPP_REPORTFILE OMPP_PROFILE=1 ./hold 200000 >/dev/null
	ompp annotate --format=csv-raw --file=hold.c hold.*.ompp >lines.csv || fail "annotate: $?"
	ompp report --format=csv-raw --view=flat hold.*.ompp >report.csv
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		$col["execC"] == 200000 { print $col["execT"], $col["execT +-"]; exit }' lines.csv >beside
	echo "$(column execT) $(column 'execT +-')" >flat
	same "annotate (left) and the flat profile" beside flat
	[ "$(column 'execT +-')" ]
}
retry 5 in_its_line || fail "no estimate beside the source"

OMPP_COSTLY=exact ./hold 200000 >/dev/null
[ "$(column execC)" = 200000 ] || fail "exact: counts"
[ -z "$(column 'execT +-')" ] || fail "exact: an error"
! grep -q 'Sample Seed' report.csv || fail "exact: nothing is chosen by chance"

OMPP_QUIET=0 OMPP_COSTLY=exakt ./hold 10 2>said >/dev/null
grep -q "OMPP_COSTLY: 'exakt'.*did you mean exact" said || fail "a word that is none: $(cat said)"
