/* sections: uses what a library that is loaded later has in memory, and what threads have of their own; the accesses are
 * known beforehand. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int small[8], sum;
static _Thread_local int own[100];

__attribute__((noinline)) static int add(const int *from, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += from[i];
	return s;
}

__attribute__((noinline)) static void set(int *to, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = i;
}

int main(void)
{
	uintptr_t place = 0;

#pragma omp parallel num_threads(2)
	set(own, 100);
	for (int round = 0; round < 3; round++) {
		void *library = dlopen("./later.so", RTLD_NOW);

		if (!library)
			return puts(dlerror());
		place = (uintptr_t)dlsym(library, "zeros");
		set((int *)place, 30000);
		set(dlsym(library, "data"), 1000);
		sum += add(dlsym(library, "constants"), 10000);
#pragma omp parallel num_threads(2)
		((void (*)(void))dlsym(library, "use"))();
		dlclose(library);
		if (dlopen("./later.so", RTLD_NOW | RTLD_NOLOAD))
			return puts("it stays loaded");
	}
	place = (place + 4095) & -(uintptr_t)4096; /* where the library was */
	int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	set(mmap((void *)place, 65536, PROT_READ | PROT_WRITE, how, -1, 0), 10000); /* reused */
	/* The C library gives back what a thread had of a library that is gone when it gets something of another one. */
	void *library = dlopen("./other.so", RTLD_NOW);

	if (!library)
		return puts(dlerror());
	((void (*)(void))dlsym(library, "use"))();
	for (int n = 50; n < 100; n++)
		set(malloc((size_t)n * sizeof(int)), 50); /* blocks */
	printf("%d\n", sum);
	return 0;
}
