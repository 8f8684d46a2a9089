/*
 * guard: the processor refuses indirect branches into libompp and this program that do not arrive at a marked instruction
 * (PROT_BTI of 64-bit ARM), as where the dynamic linker loads files that say that they have such marks.  Debian's crt files
 * have none, so this begins behind their start, and is over before their end.
 *
 * Usage: guard LIBRARY; the library has the function triple().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 60, GUARDED = 0x10 /* PROT_BTI */ };

static volatile sig_atomic_t n_signals;

static int protect(struct dl_phdr_info *info, size_t size, void *guarded)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	if (*info->dlpi_name && !strstr(info->dlpi_name, "libompp"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, hi = lo + info->dlpi_phdr[i].p_memsz;

		lo &= -page;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags == (PF_R | PF_X) &&
		    mprotect((void *)lo, hi - lo, PROT_READ | PROT_EXEC | (guarded ? GUARDED : 0)))
			abort();
	}
	return 0;
}

/* A function without a mark. */
__asm__(".text\n\t.balign 4\n\t.globl unmarked\n\t.type unmarked, %function\nunmarked:\n\tret\n\t.size unmarked, 4\n");
extern void unmarked(void) __attribute__((visibility("hidden")));
static void (*volatile to_unmarked)(void) = unmarked;

/* Returns what ends a process that calls it through a pointer; 0 where it comes back. */
static int refused(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		to_unmarked();
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void on_signal(int number)
{
	n_signals += number == SIGUSR1;
}

static void *thread(void *counted)
{
	for (int i = 0; i < N; i++)
		free(malloc((size_t)i));
	++*(int *)counted;
	return NULL;
}

static int order(void)
{
	int done[N] = { 1 }, sum = 0;

#pragma omp parallel for ordered(1) schedule(static, 1)
	for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
		done[i] = done[i - 1] + 1;
#pragma omp ordered depend(source)
	}
	for (int i = 0; i < N; i++)
		sum += done[i];
	return sum;
}

static int fibonacci(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(int argc, char **argv)
{
	int threads = 0, result = 0, (*triple)(int);
	jmp_buf again;
	pthread_t id;
	void *library;

	signal(SIGUSR1, on_signal);
	dl_iterate_phdr(protect, argv);
	printf("refused by signal %d\n", refused());
	fflush(stdout);
#pragma omp parallel num_threads(2)
#pragma omp single
	result = fibonacci(9);
	printf("tasks %d, order %d\n", result, order());
	library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
	triple = library ? (int (*)(int))(uintptr_t)dlsym(library, "triple") : NULL;
	printf("library %d\n", triple ? triple(14) : -1);
	if (pthread_create(&id, NULL, thread, &threads) || pthread_join(id, NULL))
		abort();
	raise(SIGUSR1);
	if (!setjmp(again))
		longjmp(again, 1);
	printf("threads %d, signals %d\n", threads, (int)n_signals);
	fflush(stdout);
	dl_iterate_phdr(protect, NULL);
	return 0;
}
