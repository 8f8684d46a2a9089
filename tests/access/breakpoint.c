/*
 * Accesses to a few words, for breakpoint.sh.  Thread k, of 3, in the parallel region: 100 (k + 1) loads of `counter`
 * and 10 stores; one store of `flag` in the critical section.  The main thread, after it: 7 loads of `counter`, 5 of
 * the second of `pair`.  With the argument heap: of an element of the heap, once it is named and after it has moved, 20
 * and 30.  With private: 8 by each thread of a variable of its own, all under one name.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "ompp.h"

volatile long counter, flag;
volatile long pair[2];

static void load(volatile long *p, int n)
{
	while (n--)
		(void)*p;
}

static void on_heap(void)
{
	volatile long *first = calloc(1, sizeof(*first)), *second = calloc(1, sizeof(*second));

	if (!first || !second)
		exit(1);
	load(first, 4);
	ompp_papi_set_drange((void *)first, sizeof(*first), "element");
	load(first, 20);
	load(second, 4);
	ompp_papi_set_drange((void *)second, sizeof(*second), "element");
	load(second, 30);
	load(first, 4);
	ompp_data_end("element");
	load(second, 4);
	free((void *)first);
	free((void *)second);
}

static void private(void)
{
	#pragma omp parallel num_threads(3)
	{
		volatile long mine = 0;

		ompp_data_begin((void *)&mine, sizeof(mine), "mine");
		#pragma omp barrier
		load(&mine, 8);
		#pragma omp barrier
		ompp_data_end("mine");
	}
}

int main(int argc, char **argv)
{
	#pragma omp parallel num_threads(3)
	{
		int k = omp_get_thread_num(), i;

		load(&counter, 100 * (k + 1));
		for (i = 0; i < 10; i++)
			counter = i;
		#pragma omp critical
		flag = k;
	}
	load(&counter, 7);
	load(&pair[1], 5);
	if (argc > 1 && !strcmp(argv[1], "heap"))
		on_heap();
	if (argc > 1 && !strcmp(argv[1], "private"))
		private();
	return 0;
}
