# space: a program that runs within a limit of address space (ulimit -v) runs there with kinst, too, but for the few megabytes
# of libompp itself; what finds no room is said
. "$srcdir/tests/lib.sh"
OMPP_OUTFORMAT=PLAIN,CSV OMPP_REPORTFILE=$work/report OMPP_QUIET=1 OMP_STACKSIZE=64K OMP_WAIT_POLICY=passive
export OMPP_OUTFORMAT OMPP_REPORTFILE OMPP_QUIET OMP_STACKSIZE OMP_WAIT_POLICY
kib=4608 each=144                       # what libompp may add, once and for each thread

$CC -fopenmp "$srcdir/tests/runtime/space.c" -o plain
kinst --strict $CC -fopenmp "$srcdir/tests/runtime/space.c" -o ours

fits() {
	n=$1
	./plain "$n" "$2" >want 2>peak || skip "$n threads cannot be had here"
	peak=$(tail -n 1 peak)
	(ulimit -v "$peak" && ./plain "$n" "$2" >/dev/null 2>&1) || peak=$((peak + 1024))
	rm -f report.*
	(ulimit -v $((peak + kib + n * each)) && ./ours "$n" "$2") >got 2>err ||
		fail "$n threads, $2 MB: ends with $?: $(head -n 3 err)"
	same "$n threads, $2 MB" want got
	[ -s report.csv ] || fail "$n threads, $2 MB, within $((peak + kib + n * each)) KiB: no report.csv, but $(ls report* 2>&1): $(cat err)"
	[ "$(csv_field report.csv PARALLEL SUM execC)" = "$n" ] || fail "$n threads: the report"
	! grep '^Note' report.txt || fail "$n threads: losses"
}
fits 1 0
fits 2 0
fits 2 200
fits 16 50
fits 1000 0

# with less, where the program itself finds room, there is a report, or it is said why not
./plain 2 200 2>peak >want
for less in 100 200 300 400 500 600 700 800 900; do
	rm -f report.*
	(ulimit -v $(($(tail -n 1 peak) + kib + 2 * each - less)) && OMPP_QUIET=0 ./ours 2 200) >got 2>err || continue
	same "$less KiB less" want got
	[ -s report.csv ] || grep -q 'report not written: not enough memory; raise the limit of address space (ulimit -v)$' err ||
		fail "$less KiB less: no report: $(cat err)"
done

# a tree, or a stack of open regions, that finds no room
cat >deep.c <<'EOF'
#include <ompp.h>
static int dive(int n)
{
	volatile int sum;

	ompp_region_begin("dive");
	sum = n ? 1 + dive(n - 1) : 0;
	ompp_region_end("dive");
	return sum;
}
int main(void)
{
	return dive(3000) != 3000;
}
EOF
kinst $CC -fopenmp deep.c -o deep
./deep || fail "deep: ends with $?"
! grep 'deeper than the frame stack' report.txt || fail "deep"
(ulimit -v 20000 && ./deep) || fail "deep, ulimit -v: ends with $?"
grep -q 'deeper than the frame stack.*ulimit -v' report.txt || grep -A1 'deeper than the frame stack' report.txt |
	grep -q 'ulimit -v' || fail "deep, ulimit -v: no note"
