/*
 * aos: particles as an array of structs, moved for some steps by two threads; one field of one of them is an object of
 * its own inside the array.
 */
#include "kernel.h"

enum { N = 400 * SCALE, STEPS = 5, ONE = 231 };

static struct particle {
	double x, v;
	float  mass;
	char   alive;
} p[N];

int main(void)
{
	double sum = 0;
	int i, k, n_alive = 0;

#pragma pomp inst data(p)
#pragma pomp inst data(&p[ONE].x, sizeof(p[ONE].x), "one")
	kernel_array("p", p, sizeof(p));
	kernel_array("one", &p[ONE].x, sizeof(p[ONE].x));
	for (i = 0; i < N; i++) {
		p[i].x = i;
		p[i].v = 1 + i % 3;
		p[i].mass = (float)(i % 7);
		p[i].alive = i % 5 != 0;
		n_alive += i % 5 != 0;
	}
	for (k = 0; k < STEPS; k++) {
#pragma omp parallel for schedule(static) num_threads(2)
		for (i = 0; i < N; i++) {
			if (p[i].alive) {
				double v = p[i].v - 0.01 * (double)p[i].mass;

				p[i].v = v;
				p[i].x += v;
			}
		}
	}
	for (i = 0; i < N; i++)
		sum += p[i].x;
	kernel_sum(sum);
	kernel_expect("p", (uint64_t)(STEPS * (N + 3 * n_alive) + N), (uint64_t)(4 * N + 2 * STEPS * n_alive), 0);
	kernel_expect("one", STEPS + 1, 1 + STEPS, 0);
	return 0;
}
