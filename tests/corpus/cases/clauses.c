/* Combined constructs whose clauses must be shared out rightly.
 * Regions: PARALLEL LOOP 3, PARALLEL LOOP 2, PARALLEL LOOP 2, PARALLEL 2, MASTER 1, PARALLEL SECTIONS 2, PARALLEL
 * 2, SINGLE 2, CRITICAL 2, BARRIER 2, LOOP 2, ORDERED 6. */
#include <omp.h>
#include <stdio.h>

static int global, copied;
#pragma omp threadprivate(copied)
static int calls;

static int threads(void)
{
	return ++calls, 3;
}

int main(void)
{
	int a[40], sum = 0, first = 5, last = 0, both = 7, priv = -1, lin = 0, i, j;
	double *p = (double[4]){ 0 };

	copied = 4;
#pragma omp parallel for default(none) shared(a, first) private(priv) firstprivate(both) lastprivate(last, both) \
	reduction(+ : sum) num_threads(threads()) if (first > 4) schedule(dynamic, 2) copyin(copied)
	for (i = 0; i < 40; i++) {
		priv = i;
		a[i] = priv + both - 7 + copied - 4;
		last = a[i];
		sum += a[i];
		if (i == 39)
			both = 9;
	}
#pragma omp parallel for simd default(none) shared(a) linear(lin : 2) reduction(max : sum) num_threads(2)
	for (j = 0; j < 40; j++) {
		lin += 2;
		sum = sum > a[j] ? sum : a[j];
	}
#pragma omp parallel for default(none) reduction(+ : p[0 : 4]) num_threads(2) collapse(2)
	for (i = 0; i < 4; i++)
		for (j = 0; j < 3; j++)
			p[i] += j;
#pragma omp parallel master num_threads(2) default(shared)
	global++;
#pragma omp parallel sections firstprivate(first) lastprivate(last) num_threads(2)
	{
#pragma omp section
		last = first;
#pragma omp section
		last = first + 1;
	}
#pragma omp parallel num_threads(2) private(i) default(none) shared(global)
	{
		int own = 3;

#pragma omp single copyprivate(own)
		own = 8;
#pragma omp critical
		global += own;
#pragma omp barrier
#pragma omp for ordered nowait
		for (i = 0; i < 6; i++)
#pragma omp ordered
			global = global * 2 % 1009 + i;
	}
	printf("%d %d %d %d %d %d %g %d %d\n", sum, last, both, lin, j, global, p[0] + p[1] + p[2] + p[3], calls, priv);
	return omp_in_parallel();
}
