/*
 * Access, pauses: a loop of many gathers that calls another function in each n-th iteration, which the compiler expects
 * to be rare.  Usage: access_pauses N_BETWEEN N_ITERATIONS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, N_LISTS = 8 };

static int list[N_LISTS][N], met[N];
volatile int n_calls;

static __attribute__((noinline)) void pause_here(void)
{
	n_calls++;
}

static __attribute__((noinline)) int go(int n_between, int n_iterations)
{
	int left = n_between, sum = 0;

	for (int i = 0; i < n_iterations; i++) {
		int k = met[i % N];

		list[0][k] = list[1][k] + list[2][k] * list[3][k];
		list[4][k] ^= list[5][k];
		sum += list[6][k] - list[7][k];
		if (__builtin_expect(!--left, 0)) {
			left = n_between;
			pause_here();
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
#pragma pomp inst data(list)
#pragma pomp inst data(met)
	for (int i = 0; i < N; i++) {
		met[i] = (int)((uint32_t)i * 7919u % N);
		for (int k = 0; k < N_LISTS; k++)
			list[k][i] = i ^ k;
	}
	printf("%d\n", go(atoi(argv[1]), atoi(argv[2])));
	return 0;
}
