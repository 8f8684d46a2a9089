/*
 * Mapping: where mappings and stacks begin is what /proc/self/maps and the C library say, also where the kernel refuses
 * to be asked, and asking changes no mapping.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/core/thread_stack.h"
#include "runtime/program/mapping.h"
#include "runtime/program/maps.h"

enum { N_PAGES = 24 };

static size_t page;

struct bounds {
	uintptr_t at, lo, hi;
};

static int find(const struct ompp_mapping *mapping, void *context)
{
	struct bounds *b = context;

	b->lo = mapping->lo;
	b->hi = mapping->hi;
	return mapping->lo <= b->at && b->at < mapping->hi;
}

/* Memory of several mappings: pages that may be used, that may not, and holes, with none behind it. */
static char *make_pages(void)
{
	char *all = mmap(NULL, (N_PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(all != MAP_FAILED);
	assert_int_equal(mprotect(all, page, PROT_NONE), 0);
	assert_int_equal(mprotect(all + 9 * page, 2 * page, PROT_READ), 0);
	assert_int_equal(munmap(all + 13 * page, page), 0);
	assert_int_equal(munmap(all + N_PAGES * page, page), 0);
	return all;
}

static void bounds_are_the_kernels(void **state)
{
	uintptr_t all = (uintptr_t)make_pages(), lo, hi;

	(void)state;
	for (lo = all; lo < all + N_PAGES * page; lo += page)
		for (hi = lo + page; hi <= all + N_PAGES * page; hi += page) {
			struct bounds b = { .at = lo };
			int held = ompp_maps_each(find, &b) == 1 && hi <= b.hi;

			assert_int_equal(ompp_mapping_holds(lo, hi), held);
			for (size_t likely = 0; likely < 14 * page; likely += page)
				assert_int_equal(ompp_mapping_begin(lo, hi, likely), held ? b.lo : 0);
		}
}

static void nothing_changes(void **state)
{
	static char before[1 << 16], after[1 << 16];
	char *all = make_pages();
	FILE *f;

	(void)state;
	f = fopen("/proc/self/maps", "r");
	setvbuf(f, NULL, _IONBF, 0);
	before[fread(before, 1, sizeof(before) - 1, f)] = 0;
	for (int i = 0; i < N_PAGES; i++)
		ompp_mapping_begin((uintptr_t)all + i * page, (uintptr_t)all + N_PAGES * page, page);
	rewind(f);
	after[fread(after, 1, sizeof(after) - 1, f)] = 0;
	fclose(f);
	assert_string_equal(before, after);
}

/* The C library is the oracle: it has made the stack. */
static void *compare_stack(void *depth)
{
	volatile char room[*(size_t *)depth];
	pthread_attr_t attr;
	uintptr_t lo, hi;
	size_t n_bytes;
	void *at;

	room[0] = 0;
	assert_int_equal(pthread_getattr_np(pthread_self(), &attr), 0);
	pthread_attr_getstack(&attr, &at, &n_bytes);
	pthread_attr_destroy(&attr);
	ompp_thread_find_stack(&lo, &hi);
	assert_int_equal(lo, (uintptr_t)at);
	assert_true((uintptr_t)room < hi && hi < (uintptr_t)at + n_bytes);
	return NULL;
}

static void run_with(size_t n_bytes, size_t depth)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	assert_int_equal(pthread_attr_setstacksize(&attr, n_bytes), 0);
	assert_int_equal(pthread_create(&thread, &attr, compare_stack, &depth), 0);
	pthread_attr_destroy(&attr);
	pthread_join(thread, NULL);
}

static void stacks_are_the_c_librarys(void **state)
{
	size_t few = 16 * page, least = (size_t)sysconf(_SC_THREAD_STACK_MIN); /* 128 KiB on 64-bit ARM */

	(void)state;
	for (size_t n = few > least ? few : least; n < 4096 * page; n = n * 7 / 4 / page * page)
		for (size_t depth = 16; depth < n / 2; depth *= 16)
			run_with(n, depth);
}

/* A filter of system calls may refuse the question.  It holds for the rest of the process. */
static void a_filter_may_refuse(void **state)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mremap, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };
	char *all = make_pages();

	(void)state;
	assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
	assert_int_equal(ompp_mapping_holds((uintptr_t)all + page, (uintptr_t)all + 2 * page), -1);
	assert_int_equal(ompp_mapping_begin((uintptr_t)all + page, (uintptr_t)all + 2 * page, page), 0);
	run_with(64 * page, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_are_the_kernels),
		cmocka_unit_test(nothing_changes),
		cmocka_unit_test(stacks_are_the_c_librarys),
		cmocka_unit_test(a_filter_may_refuse),
	};

	page = (size_t)sysconf(_SC_PAGESIZE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
