# uncore: a counter of the whole machine, in a program: read once for each parallel region, shown by NUMA node.
#
# The PMU is a constructed one whose event is the kernel's own clock of two processors, so its counts are known: the
# wall time of the region, twice.
. "$srcdir/tests/lib.sh"
[ "$(id -u)" = 0 ] || skip "only root may put another folder over that of the PMUs"
unshare -m true 2>/dev/null || skip "mounts are not permitted here"
last=$(($(getconf _NPROCESSORS_ONLN) - 1))
[ $last -gt 1 ] && last=1

cat >p.c <<'P'
#include <stdio.h>
#include <time.h>
static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}
int main(void)
{
	long from, ns = 0;
	for (int i = 0; i < 3; i++) {
		from = now();
#pragma omp parallel num_threads(2)
		{
			long start = now();
			while (now() - start < 20000000)
				;
#pragma omp parallel num_threads(2)
			{ }
		}
		ns += now() - from;
	}
	printf("%ld\n", ns);
	return 0;
}
P
cat >machine.sh <<'M'
mount -t tmpfs none /sys/bus/event_source/devices || exit 77
d=/sys/bus/event_source/devices/uncore_sim_0
mkdir -p $d/events $d/format
echo 1 >$d/type
echo 0-$1 >$d/cpumask
echo config:0-7 >$d/format/event
echo event=0x00 >$d/events/clock
shift
exec "$@"
M
on_machine() {
	unshare -m sh machine.sh $last "$@"
}

kinst $CC -O1 -fopenmp p.c -o p
export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=report.csv OMPP_CTR=uncore_sim_0/clock/
on_machine ./p >out 2>err || fail "ends with $?: $(cat err)"
grep -v "^ompp: report: " err && fail "$(cat err)"
# one value for each NUMA node; the outermost team alone reads
nodes=$(awk '/^##BEG R[0-9]* nodes/ { n++ } END { print n + 0 }' report.csv)
[ "$nodes" = 1 ] || fail "$nodes regions have values of the machine, not 1"
sum=$(awk -F, '/^##BEG R[0-9]* nodes/ { inside = 1; next } /^##END/ { inside = 0 } inside && $1 == "uncore_sim_0/clock/" { print $NF }' report.csv)
near "the region's clock" "${sum:-none}" $(($(cat out) * (last + 1))) 5 || fail "$(grep -A5 ' nodes' report.csv)"
grep -q 'uncore_sim_0/clock/.*whole machine' report.csv || fail "the header: $(grep CTR report.csv)"

# who may not is told what is needed; the program runs on
if level=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null) && [ "$level" -gt 0 ] && command -v setpriv >/dev/null; then
	chmod 755 .
	on_machine setpriv --reuid=65534 --clear-groups env OMPP_REPORTFILE=stdout ./p >out 2>err || fail "as another user: $?"
	grep -q "perf_event_paranoid is $level; .* 0" err || fail "as another user: $(cat err)"
	grep -q 'uncore_sim_0/clock/.*not counted' out || fail "as another user: $(grep CTR out)"
fi
