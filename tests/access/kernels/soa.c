/*
 * soa: particles as a struct of arrays, moved for some steps by two threads; each array is an object, and so is the
 * struct that holds them all.
 */
#include "kernel.h"

enum { N = 400 * SCALE, STEPS = 5 };

static struct {
	double x[N], v[N];
	float  mass[N];
	char   alive[N];
} p;

int main(void)
{
	double sum = 0;
	int i, k, n_alive = 0;

#pragma pomp inst data(p.x)
#pragma pomp inst data(p.v)
#pragma pomp inst data(p.mass, sizeof(p.mass), "mass")
#pragma pomp inst data(p.alive, sizeof(p.alive), "alive")
#pragma pomp inst data(&p, sizeof(p), "all")
	kernel_array("p.x", p.x, sizeof(p.x));
	kernel_array("p.v", p.v, sizeof(p.v));
	kernel_array("mass", p.mass, sizeof(p.mass));
	kernel_array("alive", p.alive, sizeof(p.alive));
	kernel_array("all", &p, sizeof(p));
	for (i = 0; i < N; i++) {
		p.x[i] = i;
		p.v[i] = 1 + i % 3;
		p.mass[i] = (float)(i % 7);
		p.alive[i] = i % 5 != 0;
		n_alive += i % 5 != 0;
	}
	for (k = 0; k < STEPS; k++) {
#pragma omp parallel for schedule(static) num_threads(2)
		for (i = 0; i < N; i++) {
			if (p.alive[i]) {
				double v = p.v[i] - 0.01 * (double)p.mass[i];

				p.v[i] = v;
				p.x[i] += v;
			}
		}
	}
	for (i = 0; i < N; i++)
		sum += p.x[i];
	kernel_sum(sum);
	kernel_expect("p.x", (uint64_t)(STEPS * n_alive + N), (uint64_t)(N + STEPS * n_alive), 0);
	kernel_expect("p.v", (uint64_t)(STEPS * n_alive), (uint64_t)(N + STEPS * n_alive), 0);
	kernel_expect("mass", (uint64_t)(STEPS * n_alive), N, 0);
	kernel_expect("alive", STEPS * N, N, 0);
	kernel_expect("all", (uint64_t)(STEPS * (N + 3 * n_alive) + N), (uint64_t)(4 * N + 2 * STEPS * n_alive), 0);
	return 0;
}
