# durations: how long visits took is what the program measured around them, and what stands out is found
. "$srcdir/tests/lib.sh"

kinst --strict $CC -O1 -fopenmp "$srcdir/tests/runtime/durations.c" -o durations
export OMPP_OUTFORMAT=CSV OMPP_REPORTFILE="$PWD/report" OMPP_QUIET=1 OMP_NUM_THREADS=2 OMPP_VIEW=durations,properties

# The program's own times contain the visit's and a little more, or a time slice more on a busy machine.  A quantile lies between two bounds.
spread() {
	./durations spread 200 >own
	awk -F, '/^R[0-9]+,PARALLEL,/ { print $7, $8, $9, $10, $11, $12, $13, $14, $15 }' report >row
	paste -d' ' own row | awk '
		function near(own, value, what) {
			if (!(value <= own + 2e-6 && value > own - 0.002 - own / 5))
				bad = bad " " what ": " value " for " own ";"
		}
		function between(own, least, most, what) {
			if (!(least <= own && own - 0.002 - own / 5 <= most && most <= least * 1.6 + 0.0001))
				bad = bad " " what ": " least " to " most " for " own ";"
		}
		{
			if ($8 != 200)
				bad = bad " " $8 " visits;"
			near($1, $9, "first"); near($2, $10, "least"); near($5, $15, "most")
			between($3, $11, $12, "median"); between($4, $13, $14, "95 %")
			if ($16 != $6)
				bad = bad " the longest is number " $16 " for " $6 ";"
		}
		END { if (NR != 1 || bad) { print bad; exit 1 } }' || { cat report own row; fail 'durations'; }
}
retry 10 spread || fail 'durations of visits that sleep'

# 64 visits after the first one lie in 16 slices of 4, and a quarter of these has 16 visits.
grow() {
	./durations grow 65 >own
	awk -F, '/^R[0-9]+,PARALLEL,/ { print $7, $17, $18, $19 }' report >row
	paste -d' ' own row | awk '
		function is_near(own, value) { return value <= own + 2e-6 && value > own - 0.002 - own / 5 }
		{ exit !($3 == 65 && is_near($1, $4) && is_near($2, $5) && $6 > 60) }' || { cat report own row; fail 'grow'; }
}
retry 10 grow || fail 'early and late visits'

# Of what the program has, the findings name the right one, alone, with what it costs: the work of the long visit, and at
# most the time that it took, whatever else the machine does.
found() {
	awk -F, -v name="$1" '/^P[0-9]+,/ && $2 == name { print $9; exit }' report
}
planted() {                               # KIND NAME: what the program has
	./durations "$1" 100 >own
	gain=$(awk -v name="$2" '$0 ~ "^P[0-9]+," name "," && match($0, /,[0-9]+\.[0-9]+,"?(It takes|[0-9])/) {
		print substr($0, RSTART + 1) + 0 }' report)
	awk -v gain="${gain:-0}" -v kind="$1" '{
			wall = kind == "first" ? $1 : $5
			exit !(gain > 0.7 * $7 && gain <= wall)
		}' own || { cat own; grep -h '^P' report; fail "$1"; }
	for other in FirstVisitIsLong FewVisitsAreLong; do
		[ "$other" = "$2" ] || [ -z "$(found $other)" ] || { grep -h '^P' report; fail "$1: $other"; }
	done
}
first() { planted first FirstVisitIsLong; }
few() { planted few FewVisitsAreLong; }
retry 3 first || fail 'a first visit that is long'
retry 3 few || fail 'a visit that is long'
even() {
	./durations even 600 >own
	[ -z "$(found FirstVisitIsLong)$(found FewVisitsAreLong)" ] || { grep -h '^P' report; fail 'equal visits'; }
}
retry 3 even || fail 'equal visits have no finding'

# Tasks have a row for their executions, and none for their making; visits of a storm that were not timed are in none.
cat >tasks.c <<'EOF'
#include <stdio.h>
int main(void)
{
	volatile double x[4] = { 0 };

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 50; i++)
#pragma omp task
		for (int k = 0; k < 1000 * (i + 1); k++)
			x[i % 4] = x[i % 4] + 1;
	printf("%d\n", x[0] > 0);
}
EOF
kinst --strict $CC -O1 -fopenmp tasks.c -o tasks
./tasks >/dev/null
awk -F, '/^R[0-9]+,TASKEXEC,/ { n = $7 } /^R[0-9]+,TASK,/ { made = 1 } END { exit !(n == 50 && !made) }' report ||
	{ cat report; fail 'durations of tasks'; }
