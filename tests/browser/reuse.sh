# reuse: the picture of miss ratios in a page: a curve for each region, whose points are the misses of the report, and the
# sizes of the machine's caches
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/browser/browser.sh"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2
cat >two.c <<'END_OF_C'
#include <stdio.h>
enum { N = 1 << 18, M = 1 << 13 };
static double a[N], b[M];
int main(void)
{
	for (int t = 0; t < 4; t++) {
#pragma omp parallel for
		for (int i = 0; i < N; i++)
			a[i] += t;
	}
#pragma omp parallel
	for (int t = 0; t < 20; t++)
		for (int i = 0; i < M; i++)
			if (b[i] > t)
				printf("%d\n", i);
	printf("%g %g\n", a[5], b[5]);
	return 0;
}
END_OF_C
"$builddir/kinst" --access gcc -O2 -fopenmp two.c -o two
OMPP_REUSE=1 ./two >/dev/null
ompp report --format=html two.2-0.ompp >with.html
ompp report --format=csv --view=reuse two.2-0.ompp >with.csv
"$builddir/kinst" gcc -O2 -fopenmp two.c -o plain
./plain >/dev/null
ompp report --format=html plain.2-0.ompp >without.html
browse "$srcdir/tests/browser/reuse.py" with.html with.csv without.html
