/*
 * naming: ways to name data and what their ends leave, in known numbers of stores (one a line of the table in naming.sh).
 * The first argument says which part runs.
 */
#include <ompp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEAM 2

struct pair { long left, right; };

static long fixed[100];                         /* found by OMPP_DATA_ADDR and by its symbol */
static const long table[8] = { 1, 2, 3, 5, 8, 13, 21, 34 };
static _Alignas(64) long counters[TEAM], padded[TEAM][64];
volatile long word;

static void put(volatile long *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = i;
}

/* A thread's own block each, under one name. */
static void own_blocks(void)
{
#pragma omp parallel num_threads(TEAM)
	{
		volatile long *block = calloc(100, sizeof(*block));

#pragma omp inst data(block, 100 * sizeof(*block), "mine")
		put(block, 40);
#pragma omp barrier
		free((void *)(size_t)block);
	}
}

/* A field of a struct, and rows that follow one another under one name. */
static void nested(void)
{
	static struct pair pairs[10];
	static long rows[4][50];

#pragma omp inst data(pairs)
	for (int i = 0; i < 10; i++) {
#pragma omp inst data(&pairs[i].right, sizeof(long), "right")
		((volatile struct pair *)pairs)[i].left = i;
		((volatile struct pair *)pairs)[i].right = i;
	}
	for (int i = 0; i < 4; i++) {
		ompp_papi_set_drange(rows[i], sizeof(rows[i]), "row");
		put(rows[i], 50);
		put(rows[(i + 1) % 4], 3);      /* not the row that has the name */
	}
	ompp_data_end("row");
	put(rows[3], 50);
}

static void lines(void)
{
#pragma omp inst data(counters)
#pragma omp inst data(padded)
#pragma omp parallel for num_threads(TEAM) schedule(static, 1)
	for (int t = 0; t < TEAM; t++)
		for (int i = 0; i < 1000; i++) {
			((volatile long *)counters)[t]++;
			((volatile long *)padded[t])[0]++;
		}
}

/* Ranges of no memory at all, and huge ones around what is there. */
static void impossible(int n)
{
	static volatile long small[8];

	for (int i = 0; i < 3; i++) {
#pragma omp inst data(fixed, (n - 9) * sizeof(fixed[0]), "negative")
		ompp_data_begin((const void *)(UINTPTR_MAX - 100), 8, "kernel's");
	}
	ompp_data_begin((const void *)small, SIZE_MAX / 4, "endless");
	for (uintptr_t i = 0; i < 100; i++)
		ompp_data_begin((const void *)((uintptr_t)small & ~(uintptr_t)4095), ((uintptr_t)1 << 45) + i, "huge");
	put(small, 8);
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";
	long sum = 0;

	if (!strcmp(part, "address"))
		fprintf(stderr, "%p\n", (void *)fixed);
	put(fixed, 70);
	if (!strcmp(part, "names")) {
		own_blocks();
		ompp_region_begin("nested");
		nested();
		ompp_region_end("nested");
	}
	if (!strcmp(part, "impossible"))
		impossible(argc);
	if (!strcmp(part, "lines"))
		lines();
	if (!strcmp(part, "const")) {
#pragma omp inst data(table)
		for (int i = 0; i < 8; i++)
			sum += table[i * argc & 7];
	}
	if (!strcmp(part, "words")) {
		ompp_data_begin((const void *)&word, sizeof(word), "word");
		for (int i = 0; i < 5; i++)
			word = i;
#pragma omp parallel num_threads(TEAM)
		for (int i = 0; i < 10; i++)
			sum += word;
		ompp_data_end("word");
		word = 7;
	}
	return sum == 1;
}
