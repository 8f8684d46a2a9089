/* pages: ways to walk through memory, for tests/access/pages.sh: random and strided, by threads and by tasks, small structs
 * whose parts are read together, and copies of structs. */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/kernel.h"

enum { N = 40000, ROW = 700, PIXELS = 4096, APART = 32 };

static double strided[N], random_order[N], backwards[N], by_tasks[N], unaligned[N], few[N];
static int order[N];
static struct {
	unsigned char red, green, blue, opacity;
} pixels[PIXELS * APART] __attribute__((aligned(4096))); /* of which each APARTth is used: half of all lines */
static struct {
	struct vector {
		double x, y, z;
	} v;
	double weight;
} from[PIXELS], to[PIXELS];

static double walk(void)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < N / 2; i += 777)
		sum += strided[i];
#pragma omp parallel for schedule(dynamic, 100)
	for (int i = 0; i < 5000; i++)
		random_order[order[i]] += 1;
#pragma omp parallel for
	for (int t = 0; t < 8; t++)
		for (int i = N - 1 - t * 1000; i > N - 1000 - t * 1000; i -= 3)
			backwards[i] = i;
#pragma omp parallel
#pragma omp single
	for (int row = 0; row < N / ROW / 2; row++) {
#pragma omp task
		for (int i = 0; i < ROW; i++)
			by_tasks[2 * row * ROW + i] = row;
	}
	/* pieces of eight bytes that lie in two pages */
	for (size_t i = 4092; i + 8 < sizeof(unaligned) / 2; i += 4096)
		*(volatile long __attribute__((aligned(1))) *)((char *)unaligned + i) = 1;
	for (size_t i = 0; i < PIXELS; i++) {
		size_t k = i * 1237 % PIXELS;

		sum += pixels[k * APART].red * 3 + pixels[k * APART].green * 2 + pixels[k * APART].blue;
		pixels[k * APART].opacity = k;
		to[i].v = from[k].v;
	}
	few[N / 2] = sum;
	return sum + random_order[order[0]] + backwards[N - 1] + by_tasks[1] + few[N / 2];
}

int main(void)
{
	kernel_array("strided", strided, sizeof(strided));
	kernel_array("random_order", random_order, sizeof(random_order));
	kernel_array("backwards", backwards, sizeof(backwards));
	kernel_array("by_tasks", by_tasks, sizeof(by_tasks));
	kernel_array("unaligned", unaligned, sizeof(unaligned));
	kernel_array("few", few, sizeof(few));
	kernel_array("order", order, sizeof(order));
	kernel_array("pixels", pixels, sizeof(pixels));
	kernel_array("from", from, sizeof(from));
	kernel_array("to", to, sizeof(to));
#pragma omp inst data(strided, sizeof(strided), "strided")
#pragma omp inst data(random_order, sizeof(random_order), "random_order")
#pragma omp inst data(backwards, sizeof(backwards), "backwards")
#pragma omp inst data(by_tasks, sizeof(by_tasks), "by_tasks")
#pragma omp inst data(unaligned, sizeof(unaligned), "unaligned")
#pragma omp inst data(few, sizeof(few), "few")
#pragma omp inst data(order, sizeof(order), "order")
#pragma omp inst data(pixels, sizeof(pixels), "pixels")
#pragma omp inst data(from, sizeof(from), "from")
#pragma omp inst data(to, sizeof(to), "to")
	srand(1);
	for (int i = 0; i < 5000; i++)
		order[i] = rand() % N;
	kernel_sum(walk());
	return 0;
}
