# entries: of criticals, ordered regions and locks that are entered very often and very shortly some visits are timed and all
# are counted; waiting, what is done inside, and leaving are estimates, each with its error, beside what the program measured
# itself, also where one thread sleeps inside now and then and the others wait
. "$srcdir/tests/lib.sh"

# The program reads a clock of its own around each, and prints for each thread how often it was in, and the times.
cat >entries.c <<'EOC'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 2 };

static struct { long n, enter, body, exit, room[4]; } sums[MOST_THREADS];
static omp_lock_t lock;
static omp_nest_lock_t nest;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Sleeps in one of so many visits. */
static long inside(long i, long rest)
{
	struct timespec nap = { 0, 100000 };

	if (rest && i % rest == rest - 1)
		nanosleep(&nap, NULL);
	return now();
}

static void add(long from, long in, long out)
{
	long end = now();
	int me = omp_get_thread_num();

	sums[me].n++;
	sums[me].enter += in - from;
	sums[me].body += out - in;
	sums[me].exit += end - out;
}

int main(int argc, char **argv)
{
	const char *kind = argv[1];
	long n = atol(argv[2]), rest = atol(argv[argc - 1]);

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	if (!strcmp(kind, "ordered")) {
#pragma omp parallel for ordered schedule(static, 1)
		for (long i = 0; i < n; i++) {
			long from = now(), in, out;

#pragma omp ordered
			{
				in = now();
				out = inside(i, rest);
			}
			add(from, in, out);
		}
	} else {
#pragma omp parallel
		for (long i = 0; i < n; i++) {
			long from = now(), in, out;

			if (!strcmp(kind, "critical")) {
#pragma omp critical
				{
					in = now();
					out = inside(i, rest);
				}
			} else if (!strcmp(kind, "lock")) {
				omp_set_lock(&lock);
				in = now();
				out = inside(i, rest);
				omp_unset_lock(&lock);
			} else {
				omp_set_nest_lock(&nest);
				in = now();
				out = inside(i, rest);
				omp_unset_nest_lock(&nest);
			}
			add(from, in, out);
		}
	}
	for (int t = 0; t < MOST_THREADS && sums[t].n; t++)
		printf("%d %ld %.6f %.6f %.6f\n", t, sums[t].n, (double)sums[t].enter / 1e9, (double)sums[t].body / 1e9,
		       (double)sums[t].exit / 1e9);
	return 0;
}
EOC
kinst ${CC:-cc} -O2 -fopenmp entries.c -o entries
export OMPP_COSTLY=sample OMPP_QUIET=1 OMPP_OUTFORMAT=csv OMPP_REPORTFILE="$PWD/report.csv" OMPP_PROFILE=0

# cells: of the threads, as "thread count enterT error bodyT error exitT error"; errors are 0 where all visits were timed.
cells() {
	awk -F, '/^##BEG .* flat profile/ { getline; getline; split("", col); for (i = 1; i <= NF; i++) col[$i] = i; on = "enterT" in col; next }
		/^##END/ { on = 0 }
		function error(name) { name = name " +-"; return name in col ? $col[name] : 0 }
		on && $1 != "SUM" { print $1, $col["execC"], $col["enterT"], error("enterT"), $col["bodyT"], error("bodyT"), $col["exitT"], error("exitT") }' report.csv
}

# A visit of the sample that loses its processor stands for dozens, so that one run in some dozens is tried again.
# Each is within 4 errors, and 200 ns a visit: what the readings of both clocks take, which is in one of the two times alone;
# and a hundredth of the time, as a thread may lose its processor between these readings.
are_near() {
	join truth cells >both
	cat both
	awk '{ for (i = 0; i < 3; i++) { d = $(7 + 2 * i) - $(3 + i); far = 4 * $(8 + 2 * i) + $2 * 200e-9 + $(3 + i) / 100
		if ($2 != $6 || d > far || -d > far) bad = 1 } } END { exit bad || !NR }' both
}

# near_truth SEED KIND N REST
near_truth() {
	seed=$1
	shift
	OMPP_SAMPLE_SEED=$seed ./entries "$@" | sort >truth
	cells | sort >cells
	[ "$(wc -l <cells)" = "$(wc -l <truth)" ] || fail "$*: $(cat cells)"
	are_near && return
	echo "$*, seed $seed: the program (left), and the estimates"
	return 1
}

# With one thread there is a storm each time.
export OMP_NUM_THREADS=1
for kind in critical lock nest ordered; do
	retry 3 near_truth 1 $kind 100000 0 || fail "$kind by one thread"
	awk '$4 <= 0 || $6 <= 0 || $8 <= 0 { exit 1 }' cells || fail "$kind: no errors: $(cat cells)"
done
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
for seed in 1 2 3; do
	for kind in critical lock nest; do
		retry 3 near_truth $seed $kind 50000 0 || fail "$kind, seed $seed"
		retry 3 near_truth $seed $kind 50000 1000 || fail "$kind with sleep, seed $seed"
	done
done
retry 3 near_truth 1 ordered 20000 0 || fail ordered

# Where one visit in thousands sleeps, no sample would meet the waits: they are found all the same, and for sure.
found() {
	OMPP_SAMPLE_SEED=$1 ./entries "$2" 200000 4000 >truth
	cells >cells
	cat truth cells
	grep -q "^P[0-9]*,$3," report.csv || { echo "no $3"; return 1; }
	{ sed 's/^/truth /' truth; cat cells; } | awk '$1 == "truth" { waited += $4; next } { sure += $3 - 2 * $4 } END { exit !(sure > waited / 2) }'
}
for seed in 1 2 3; do
	retry 5 found $seed critical CriticalSectionContention || fail "waits of a critical that few visits have, seed $seed"
	retry 5 found $seed lock LockContention || fail "waits for a lock that few visits have, seed $seed"
done

# All three have their marks and errors, in each format.
export OMP_NUM_THREADS=1
OMPP_OUTFORMAT=text OMPP_REPORTFILE="$PWD/report.txt" ./entries lock 100000 0 >/dev/null
grep -q 'LOCK.*\[.*~[0-9<.]* %\]' report.txt || fail "no mark: $(grep LOCK report.txt)"
grep -q 'bodyT~ *+- *enterT~ *+-' report.txt && grep -q 'exitT~ *+-' report.txt || fail "no columns of errors"
env -u OMPP_REPORTFILE OMPP_PROFILE=1 ./entries critical 100000 0 >/dev/null
ompp report --format=json entries.*.ompp >report.json || fail "JSON: $?"
for name in enter body exit; do
	grep -o "\"${name}_error_ns\":\[[^]]*\]" report.json | grep -q '[1-9]' || fail "JSON has no error of $name"
done

# OMPP_COSTLY=exact times all.
OMPP_COSTLY=exact ./entries critical 100000 0 >/dev/null
cells >cells
awk '$2 != 100000 || $4 || $6 || $8 { exit 1 }' cells || fail "exact: $(cat cells)"
