/* a thread that is cancelled in a critical region */
// compilers: gcc
// notes: left
#include <stdio.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

static int total;

static void *waits(void *ready)
{
#pragma omp parallel num_threads(2) // = PARALLEL SUM execC 2
	{
#pragma omp atomic
		total++;
	}
#pragma omp critical(waits) // = CRITICAL SUM execC 1
	{
		__atomic_store_n((int *)ready, 1, __ATOMIC_RELEASE);
		for (;;)
			pause();
	}
	return NULL;
}

int main(void)
{
	pthread_t other;
	int ready = 0;

	pthread_create(&other, NULL, waits, &ready);
	while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
		usleep(1000);
	pthread_cancel(other);
	pthread_join(other, NULL);
	printf("%d\n", total);
	return 0;
}
