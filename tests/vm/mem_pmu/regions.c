/*
 * Regions: accesses that are planted (mem_pmu.c) in known regions, by known threads, to known objects, at known times.
 *
 * Usage: regions WHAT.  It ends with 0, or prints what is wrong and ends with 1.
 *	plain     a few accesses in each place
 *	late      accesses whose times are long ago or out of order, and ranges that have ended since
 *	long      more accesses in one region than a ring holds, with pauses
 *	storm     the same without pauses
 *	many N    N threads
 *	fork      a child plants, too
 *	wild      a child that is made by the system call itself has region changes, too
 *	off       accesses while measuring is off
 *	blocks    small blocks of memory: while they are there, before they began, and behind their end
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <omp.h>
#include <ompp.h>

#include "planted.h"

static int device;
static double a[512], b[512], c[512], *nobodys;

enum { L1 = PERF_MEM_LVLNUM_L1, L3 = PERF_MEM_LVLNUM_L3, RAM = PERF_MEM_LVLNUM_RAM };

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static _Thread_local uintptr_t ip; /* of what is planted */

static void plant_at(int n, int is_store, const void *address, uint64_t level, unsigned int latency, uint64_t time_ns)
{
	struct planted_access access = { .kind = is_store ? PLANTED_STORE : PLANTED_LOAD,
		                         .latency = latency,
		                         .ip = ip ? ip : (uintptr_t)now,
		                         .address = (uintptr_t)address,
		                         .data_source = (is_store ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD) |
		                                        level << PERF_MEM_LVLNUM_SHIFT,
		                         .time_ns = time_ns };

	for (int i = 0; i < n; i++)
		if (ioctl(device, PLANT_ACCESS, &access)) {
			perror("/dev/mem_pmu");
			exit(1);
		}
}

static void plant(int n, int is_store, const void *address, uint64_t level, unsigned int latency)
{
	plant_at(n, is_store, address, level, latency, 0);
}

static void plain(void)
{
	plant(7, 0, a, RAM, 300);
#pragma omp parallel num_threads(3)
	{
		int t = omp_get_thread_num();

		plant(10 + t, 0, a, L1, 4);
#pragma omp for
		for (int i = 0; i < 3; i++)
			plant(20 + t, 1, b + 64 * i, L3, 40);
#pragma omp critical(one)
		plant(3, 0, c, RAM, 500);
		plant(2, 0, nobodys, L1, 4);
#pragma omp master
		{
			ip = (uintptr_t)ompp_off; /* the profiler's own access */
			plant(9, 0, a, L1, 4);
			ip = 0;
		}
	}
#pragma omp parallel num_threads(2)
	plant(5, 0, b, L1, 4);
}

static void late(void)
{
	double *block = aligned_alloc(4096, 4096);
	uint64_t in_first, in_second, very_early, old;

	ompp_data_begin(block, 4096, "old");
#pragma omp parallel num_threads(1)
	{
		plant(1, 0, a, L1, 4);
		usleep(1000);
		very_early = now();
		usleep(1000);
	}
	plant_at(2, 0, c, L1, 4, very_early); /* of the parallel region above */
#pragma omp parallel num_threads(1)
	{
#pragma omp critical(first)
		{
			usleep(1000);
			in_first = old = now();
			usleep(1000);
		}
		ompp_data_end("old");
		ompp_data_begin(block, 4096, "new");
#pragma omp critical(second)
		{
			usleep(1000);
			in_second = now();
			usleep(1000);
			plant(1, 0, block, L1, 4);             /* new, second */
			plant_at(5, 0, a, L1, 4, in_first);    /* a, first */
			plant_at(6, 0, a, L1, 4, in_second);   /* a, second */
			plant_at(7, 0, block, L1, 4, old);     /* old, first */
		}
		plant_at(8, 0, b, L1, 4, in_second);           /* b, second, out of order */
		plant_at(9, 0, b, L1, 4, in_first);            /* b, first */
		plant(10, 0, b, L1, 4);                        /* b, outside of both */
		for (int i = 0; i < 5000; i++) {
#pragma omp critical(third)
			b[0] += i;
		}
		plant_at(11, 0, b, L1, 4, in_first);           /* too late */
		plant(12, 0, c, L1, 4);
	}
}

static void many_in_one(int n, int step)
{
#pragma omp parallel num_threads(2)
	for (int i = 0; i < n; i++) {
		plant(1, 0, a, L1, 4);
		if (step && i % step == 0)
			usleep(50000);
	}
}

static void threads(int n)
{
#pragma omp parallel num_threads(n)
	plant(6, 0, a, L1, 4);
}

static int forks(void)
{
	int status = 0;
	pid_t child;

	plant(4, 0, a, L1, 4);
	child = fork();
	if (!child) {
#pragma omp parallel num_threads(1)
		plant(11, 0, b, L1, 4);
		return 0;
	}
	waitpid(child, &status, 0);
	plant(5, 0, a, L1, 4);
	return status;
}

static int wild(void)
{
	int status = 0;
	pid_t child;

	plant(3, 0, a, L1, 4);
	child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, NULL, NULL, 0);
	if (!child) {
		for (int i = 0; i < 5000; i++) {
#pragma omp critical(wild)
			b[0] += i;
		}
		_exit(0);
	}
	waitpid(child, &status, 0);
	plant(4, 0, a, L1, 4);
	return status;
}

static void off(void)
{
	plant(2, 0, a, L1, 4);
	usleep(1000);
	ompp_off();
	plant(30, 0, a, L1, 4);
	usleep(1000);
	ompp_on();
	plant(3, 0, a, L1, 4);
}

static void blocks(void)
{
	double *kept = malloc(200), *gone, *again; /* kept */
	uint64_t early;

	usleep(2000);
	plant(3, 0, kept + 24, L1, 4);
	early = now();
	usleep(2000);
	gone = malloc(3000); /* gone */
	usleep(2000);
	plant(4, 0, gone, L1, 4);
	plant_at(5, 0, gone, L1, 4, early); /* nobody knows of what */
	plant(6, 0, kept + 25, L1, 4);      /* beyond the block */
#pragma omp parallel num_threads(1)
	{ /* whose samples before it are taken with its end */
		for (int i = 0; i < 5000; i++) {
#pragma omp critical(fourth)
			b[0] += i;
		}
	}
	early = now();
	free(gone);
	again = malloc(3000); /* again */
	usleep(2000);
	if (again == gone)
		plant_at(7, 0, again, L1, 4, early); /* of the one before */
	plant(8, 0, again, L1, 4);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int status = 0;

	device = open("/dev/mem_pmu", O_RDWR | O_CLOEXEC);
	if (device < 0) {
		perror("/dev/mem_pmu");
		return 1;
	}
	nobodys = calloc(1, 4096);
	memset(a, 1, sizeof(a));
	memset(b, 1, sizeof(b));
	memset(c, 1, sizeof(c));
	ompp_data_begin(a, sizeof(a), "a");
	ompp_data_begin(b, sizeof(b), "b");
	ompp_data_begin(c, sizeof(c), "c");
	if (!strcmp(what, "plain"))
		plain();
	else if (!strcmp(what, "late"))
		late();
	else if (!strcmp(what, "long"))
		many_in_one(3000, 300);
	else if (!strcmp(what, "storm"))
		many_in_one(20000, 0);
	else if (!strcmp(what, "many"))
		threads(atoi(argv[2]));
	else if (!strcmp(what, "fork"))
		status = forks();
	else if (!strcmp(what, "wild"))
		status = wild();
	else if (!strcmp(what, "off"))
		off();
	else if (!strcmp(what, "blocks"))
		blocks();
	return status != 0;
}
