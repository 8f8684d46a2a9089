# roofline: the picture of a roofline in a page: a dot for each region that has operations, at its place among the ceilings,
# with its numbers on hover
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/browser/browser.sh"
unset KINST KINST_FLAGS
export OMPP_QUIET=1 OMP_NUM_THREADS=2
"$builddir/kinst" --work --verbose gcc -c -o none.o -x c /dev/null 2>said || { cat said; fail '--work'; }
grep -q 'operations are counted by .*loops_' said || skip 'no plug-in of gcc that counts operations'
cat >two.c <<'END_OF_C'
#include <stdio.h>
enum { N = 100000 };
static double a[N], b[N];
int main(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		a[i] = i;
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		b[i] = a[i] * 3 + 1;
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		b[i] = ((b[i] * 3 + 1) * a[i] + 2) * a[i] + 3;
	printf("%g\n", b[5]);
	return 0;
}
END_OF_C
"$builddir/kinst" --work --access gcc -O2 -fopenmp two.c -o counted
"$builddir/kinst" --no-access gcc -O2 -fopenmp two.c -o plain
OMPP_OUTDIR=c OMPP_CTR=@roofline OMPP_CACHE='L1=32K/8/64' ./counted
OMPP_OUTDIR=p ./plain
printf 'ompp-machine 1\nhost h\ncpu c\ndate d\nvector V\nthreads 2\nothers 0\n' >m
printf 'flops %s 0 %s\n' '2 8000000000' 'scalar double' '2 64000000000' 'vector FMA double' >>m
printf 'bytes %s 0 %s\n' '2 400000000000' L1 '2 200000000000' L2 '2 30000000000' memory >>m
ompp report --machine=m --times=p/plain.2-0.ompp --format=html c/counted.2-0.ompp >with.html
ompp report --machine=m --times=p/plain.2-0.ompp --format=csv --view=roofline c/counted.2-0.ompp >with.csv
ompp report --machine=m --format=html c/counted.2-0.ompp >without.html
browse "$srcdir/tests/browser/roofline.py" with.html with.csv without.html
