/*
 * Callstack: what a walk to eight callers costs in ns, beside glibc's backtrace() in turn: "NAME NS" a line.  See
 * callstack.sh.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "runtime/program/callstack.h"

enum { N_CALLERS = 8, N_WALKS = 20000, N_NEW = 200 };

static uintptr_t stack_hi;
static volatile size_t sum;
static uintptr_t callers[N_CALLERS];

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static __attribute__((noinline)) void walk(void)
{
	sum += ompp_callstack_here(stack_hi, callers, N_CALLERS);
}

static __attribute__((noinline)) void walk_by_glibc(void)
{
	void *all[N_CALLERS + 1];

	sum += (size_t)backtrace(all, N_CALLERS + 1);
}

/* Walks once with rules that were all forgotten: a library is loaded and unloaded before. */
static double walk_anew_ns(void)
{
	void *library = dlopen("libresolv.so.2", RTLD_NOW);
	double begin;

	if (library)
		dlclose(library);
	ompp_callstack_forget();
	begin = now_ns();
	walk();
	return now_ns() - begin;
}

static __attribute__((noinline)) void measure(void)
{
	double new_ns = 0, begin;

	walk();
	walk_by_glibc();
	begin = now_ns();
	for (int i = 0; i < N_WALKS; i++)
		walk();
	printf("known %.1f\n", (now_ns() - begin) / N_WALKS);
	begin = now_ns();
	for (int i = 0; i < N_WALKS / 10; i++)
		walk_by_glibc();
	printf("backtrace %.1f\n", (now_ns() - begin) / (N_WALKS / 10));
	for (int i = 0; i < N_NEW; i++)
		new_ns += walk_anew_ns();
	printf("new %.1f\n", new_ns / N_NEW);
	begin = now_ns();
	for (int i = 0; i < N_WALKS; i++)
		ompp_callstack_forget();
	printf("forget %.1f\n", (now_ns() - begin) / N_WALKS);
}

/* Callers of several shapes: with more and more saved registers, with a variable frame, with a large one. */
#define CALLER(name, next, kind) \
	static __attribute__((noinline)) void name(size_t n) \
	{ \
		volatile char room[kind % 3 ? 16 : 5000], *more = kind % 4 ? room : alloca(n); \
\
		room[0] = more[0] = 0; \
		next; \
		sum += n + (size_t)room[0] + (size_t)more[0]; \
	}
CALLER(caller_7, measure(), 7)
CALLER(caller_6, caller_7(n + 1), 6)
CALLER(caller_5, caller_6(n + 2), 5)
CALLER(caller_4, caller_5(n + 3), 4)
CALLER(caller_3, caller_4(n + 4), 3)
CALLER(caller_2, caller_3(n + 5), 2)
CALLER(caller_1, caller_2(n + 6), 1)

int main(void)
{
	pthread_attr_t attributes;
	size_t n_bytes;
	void *lo;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &lo, &n_bytes);
	stack_hi = (uintptr_t)lo + n_bytes;
	for (int i = 0; i < 10; i++)
		caller_1(10);
	return 0;
}
