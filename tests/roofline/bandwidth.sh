# bandwidth: times with other numbers of threads are not below what a region's bytes take at the roof of the memory, which is
# one thread's for one, and all threads' for more; a fast memory changes none of them
. "$srcdir/tests/lib.sh"
need python3
ompp=$builddir/ompp
kinst=$builddir/kinst
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2 XDG_CACHE_HOME="$work/cache"
. "$srcdir/tests/roofline/machine_lib.sh"
"$kinst" --work --verbose gcc -c -o none.o -x c /dev/null 2>said || { cat said; fail '--work'; }
grep -q 'operations are counted by .*loops_' said || skip 'no plug-in of gcc that counts operations'

# Each loop fetches two arrays from the memory, which are many times the cache, and writes one: 24 bytes an iteration.
cat >stream.c <<'END_OF_C'
#include <stdio.h>
enum { N = 100000, TIMES = 3 };
static double a[N], b[N], c[N];
int main(void)
{
	for (int k = 0; k < TIMES; k++) {
#pragma omp parallel for
		for (int i = 0; i < N; i++)
			a[i] = b[i] + k;
	}
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < N; i++)
			b[i] = a[i];
#pragma omp for
		for (int i = 0; i < N; i++)
			c[i] = b[i] + 1;
	}
	printf("%g\n", c[7]);
	return 0;
}
END_OF_C
"$kinst" --work --access gcc -O2 -fopenmp stream.c -o stream || fail 'stream.c'
export OMPP_SPAN=1 OMPP_CTR=@roofline OMPP_CACHE='L1=32K/8/64'
run stream profile

# machines: the first one with half the bandwidth for one thread
machine 1000000 | sed 's/^bytes 1 1000000 /bytes 1 500000 /' >slow
machine 1000000000000000 >fast
report() {
	name=$1
	shift
	"$ompp" report "$@" --view=span --format=csv profile/profile.ompp >$name.csv 2>said || { cat said; fail "$name: status $?"; }
}
report slow --machine=slow
report fast --machine=fast
report none # no machine was measured here
same 'a memory that is fast' none.csv fast.csv
! grep -q bandwidth fast.csv || fail 'bandwidth limits, with a memory that is fast'
python3 - slow.csv <<'P' || fail 'times at the roof of the memory'
import csv, re, sys

text = open(sys.argv[1]).read()
def block(tag):
    return list(csv.DictReader(re.search('(?m)^##BEG ' + tag + '\n((?:.*\n)*?)##END', text)[1].splitlines()))

regions, run = block('region by threads'), block('time by threads')
want = {'7': 3 * 100000 * 24, '11': 2 * 100000 * 24, '12': 2 * 100000 * 24}
assert len(regions) == 18 and len(run) == 9, text
sums = {}
for row in regions:
    seconds = want[row['begin']] / (5e5 if row['threads'] == '1' else 1e6)
    for column in ('at least', 'likely', 'at most'):
        assert abs(float(row[column]) - seconds) < 0.01 * seconds, (column, seconds, row)
    assert row['limited by'] == 'bandwidth', row
    sums[row['threads']] = sums.get(row['threads'], 0) + float(row['likely'])
for row in run:
    assert row['limited by'] == 'bandwidth' and float(row['likely']) >= sums[row['threads']] - 1e-6, (row, sums)
P
