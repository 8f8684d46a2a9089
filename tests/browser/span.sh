# span: the section Parallelism of a page: its tables of times with other numbers of threads and of what changes gain are those of
# the report, and the flame graph of the longest path has boxes as wide as it is long there; a page without a path has none
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/browser/browser.sh"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=4
cat >path.c <<'END_OF_C'
#include <time.h>
static void nap(int ms)
{
	struct timespec t = { 0, ms * 1000000L };
	nanosleep(&t, NULL);
}
static void merge(void)
{
	for (int i = 0; i < 8; i++)
#pragma omp task
		nap(15);
#pragma omp task
	nap(5);
#pragma omp taskwait
}
int main(void)
{
	nap(30);
#pragma omp parallel
#pragma omp single
	merge();
#pragma omp parallel
	nap(20);
	return 0;
}
END_OF_C
"$builddir/kinst" "${CC:-gcc}" -fopenmp path.c -o path || fail 'path.c'
# on a machine that is busy nothing is said of what changes gain
measure() {
	rm -rf with
	OMPP_WHAT_IF=1 OMPP_OUTDIR=with ./path || fail "status $?"
	ompp report --format=csv --view=span with/path.4-0.ompp >with.csv || fail "csv: $?"
	grep -q '^##BEG what if$' with.csv
}
retry 20 measure || skip 'the machine is too busy for gains'
OMPP_OUTDIR=without ./path || fail "status $?"
for format in html json; do
	ompp report --format=$format with/path.4-0.ompp >with.$format || fail "$format: $?"
done
ompp report --format=html without/path.4-0.ompp >without.html || fail "html: $?"
browse "$srcdir/tests/browser/span.py" with.html with.csv with.json without.html
