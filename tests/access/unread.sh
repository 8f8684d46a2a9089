# unread: the report names what is stored 16 times as often as it is loaded, by the bytes of loops whose lengths say
# them, and of block copies; not what is loaded a little more often, what atomics change, and what is few bytes.
. "$srcdir/tests/lib.sh"
export OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_SAMPLE=off OMPP_HOT=0 OMP_NUM_THREADS=1
cat >unread.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 16000 };
static void fill(volatile double *x, int n) { for (int i = 0; i < n; i++) x[i] = i; }
static double use(volatile double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
int main(void)
{
	double *never = malloc(N * sizeof *never), *little = malloc(N * sizeof *little), *more = malloc(N * sizeof *more);
	double *few = malloc(100 * sizeof *few), *counts = calloc(N, sizeof *counts), s;
	double *copied = malloc(N * sizeof *copied);
	volatile size_t n_copied = N * sizeof *copied;
	fill(never, N);
	fill(little, N);
	fill(more, N);
	fill(few, 100);
	fill(copied, N);
	memcpy(more, copied, n_copied);
	for (int k = 0; k < 4; k++)
		fill(counts, N);
#pragma omp parallel for
	for (int i = 0; i < 10; i++)
#pragma omp atomic
		counts[i] += 1;
	s = use(little, N / 16) + use(more, N / 8 + 1);
	printf("%g\n", s);
	return 0;
}
C
"$builddir/kinst" --access $CC -g -O1 -fopenmp unread.c -o unread || fail 'no program'
OMPP_REPORTFILE=unread.txt ./unread >out || fail "it ends with $?"
tr '\n' ' ' <unread.txt | tr -s ' ' >line
never='unread.c:9 never = malloc(…) (128 000 stored, 0 loaded)'
little='unread.c:9 little = malloc(…) (128 000 stored, 8 000 loaded)'
grep -qF -e "loaded, or more: $never; $little. If" -e "loaded, or more: $little; $never. If" line ||
	{ cat unread.txt; fail 'other objects are named'; }
