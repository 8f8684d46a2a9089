/*
 * Storm: sixteen threads allocate and free PAIRS times each.  Of eight blocks one is freed by another thread, through a
 * box that two threads share; and some threads grow a block by realloc() step by step.  It prints nothing of addresses.
 */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 16, PAIRS = 625000, BOXES = 64, STEPS = 1000 };

static _Atomic(char *) boxes[THREADS][BOXES];

int main(void)
{
	long n_kept = 0;

	omp_set_num_threads(THREADS);
#pragma omp parallel reduction(+ : n_kept)
	{
		int me = omp_get_thread_num(), i;
		char *chain = NULL;

		for (i = 0; i < PAIRS; i++) {
			char *p = malloc((size_t)(i % 200 + 1)); /* pairs */

			p[0] = (char)i;
			if (i % 8 == 0) /* the next thread frees what lies in the box, or this one does later */
				p = atomic_exchange(&boxes[(me + i / 8) % THREADS][i / 8 % BOXES], p);
			free(p);
		}
		for (i = 1; i <= STEPS; i++)
			chain = realloc(chain, (size_t)i * 16); /* chain */
		free(chain);
		n_kept += i;
	}
	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < BOXES; k++)
			free(atomic_exchange(&boxes[i][k], NULL));
	printf("%ld\n", n_kept);
	return 0;
}
