/*
 * samples_hook: accesses in known numbers, for samples by access hooks.
 * Usage: samples_hook kinds LIBRARY | objects | faults FILE
 *   kinds    each kind of access, in the program and in a library that it loads
 *   objects  many objects with accesses of their own
 *   faults   first touches and later accesses; the number of page faults meanwhile goes to the file
 * Each prints the same whether it is sampled or not.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <ompp.h>

enum { N = 1000, OBJECTS = 200, BIG = 4096 * 512 };

static long plain[N], atomics[N];
static volatile long volatiles[N];
static char blocks[2][N];
struct part {
	char bytes[200];
};
static long objects[OBJECTS][64];

static int kinds(const char *library)
{
	void *handle = dlopen(library, RTLD_NOW);
	void (*store)(long *, int) = handle ? (void (*)(long *, int))dlsym(handle, "store_all") : NULL;
	static long theirs[N];

	ompp_data_begin(plain, sizeof(plain), "plain");
	ompp_data_begin((void *)volatiles, sizeof(volatiles), "volatiles");
	ompp_data_begin(atomics, sizeof(atomics), "atomics");
	ompp_data_begin(blocks, sizeof(blocks), "blocks");
	ompp_data_begin(theirs, sizeof(theirs), "theirs");
#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		plain[i] += i;
		volatiles[i] += i;
#pragma omp atomic
		atomics[i] += i;
	}
	for (int i = 0; i < N; i++)
		memcpy(blocks[0], blocks[1], (size_t)i);
		*(struct part *)blocks[0] = *(const struct part *)blocks[1]; /* which some compilers copy by a hook of ranges */
	memset(blocks[0], 'a', N - 1);
	if (!store)
		return 1;
	store(theirs, N);
	printf("%ld %ld %ld %ld %zu\n", plain[N - 1], (long)volatiles[N - 1], atomics[N - 1], theirs[N - 1],
	       strlen(blocks[0]));
	dlclose(handle);
	return 0;
}

static int many(void)
{
	char name[16];
	long sum = 0;

	for (int i = 0; i < OBJECTS; i++) {
		snprintf(name, sizeof(name), "o%d", i);
		ompp_data_begin(objects[i], sizeof(objects[i]), name);
	}
	/* other objects are accessed between those of one */
	for (int k = 0; k < 2000; k++)
		for (int i = 0; i < OBJECTS; i++)
			for (int j = 0; j < 5 + i % 10; j++)
				objects[i][(j + k) & 63] += k;
	for (int i = 0; i < OBJECTS; i++)
		sum += objects[i][0];
	printf("%ld\n", sum);
	return 0;
}

static int faults(const char *file)
{
	struct rusage before, after;
	long *big = mmap(NULL, BIG * sizeof(long), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), sum = 0;
	FILE *stream;

	madvise(big, BIG * sizeof(long), MADV_NOHUGEPAGE);
	ompp_data_begin(big, BIG * sizeof(long), "big");
	getrusage(RUSAGE_SELF, &before);
#pragma omp parallel for
	for (int i = 0; i < BIG / 2; i++)
		big[i] = i;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < BIG; i++)
		sum += big[i];
	getrusage(RUSAGE_SELF, &after);
	printf("%ld\n", sum);
	stream = fopen(file, "w");
	if (!stream)
		return 1;
	fprintf(stream, "%ld\n", after.ru_minflt - before.ru_minflt);
	return fclose(stream) != 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "kinds"))
		return kinds(argv[2]);
	if (argc > 2 && !strcmp(argv[1], "faults"))
		return faults(argv[2]);
	return many();
}
