/* Structured blocks without braces, labels, loops in a row: where opari2 closes a region too early.
 * Regions: PARALLEL 4, ATOMIC 2, ATOMIC 2, PARALLEL LOOP 4, CRITICAL 10, CRITICAL 10, PARALLEL LOOP 3, PARALLEL 2,
 * LOOP 2, TASK 4, TASKEXEC 4, ATOMIC 3, SINGLE 2, PARALLEL SECTIONS 2, ATOMIC 1, ATOMIC 1. */
#include <stdio.h>
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define TWICE 2

static int sum, count;

static void work(int x)
{
#pragma omp parallel num_threads(2)
	if (x)
#pragma omp atomic
		sum++;
	else
#pragma omp atomic
		sum += 10;
	count++;
#pragma omp parallel for num_threads(2) schedule(static, TWICE)
	EACH(i, 10)
		if (i & 1)
#pragma omp critical
			sum += i;
		else
#pragma omp critical
			sum += 2 * i;
}

int main(void)
{
	int total = 0, last = -1, i, j;

	work(0);
	work(1);
#pragma omp parallel for collapse(2) reduction(+ : total) lastprivate(last) num_threads(3)
	for (i = 0; i < 6; i++)
		for (j = 0; j < 5; j++) {
			total += i * j;
			last = i * j;
		}
#pragma omp parallel num_threads(2)
	{
#pragma omp for nowait
		for (i = 0; i < 4; i++)
#pragma omp task firstprivate(i)
			if (i)
#pragma omp atomic
				sum += i;
			else
				;
#pragma omp single
		goto_free: ;
	}
	switch (total) {
	case 150:
#pragma omp parallel sections num_threads(2)
	{
#pragma omp atomic
		sum++;
#pragma omp section
#pragma omp atomic
		sum++;
	}
	default:
		break;
	}
	printf("%d %d %d %d\n", sum, count, total, last);
	return 0;
}
