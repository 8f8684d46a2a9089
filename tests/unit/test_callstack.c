/*
 * Callstack: callers are those that glibc's backtrace() finds, in functions of many shapes; the walk ends at what is no
 * stack, reads nothing beside it, and is the same for all threads, with rules that are known and new.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/host/real.h"
#include "runtime/program/callstack.h"
#include "runtime/program/callstack_rule.h"

#if defined(__x86_64__) || defined(__aarch64__)

#ifdef __clang__
#define OWN_FRAME __attribute__((noinline))
#else
#define OWN_FRAME __attribute__((noipa))
#endif

enum { MAX_CALLERS = 256 };

struct walk {
	uintptr_t callers[MAX_CALLERS];
	size_t n;
};

/* Of the calling thread: where its stack ends, and its last walk. */
static __thread uintptr_t stack_hi;
static __thread struct walk last;
static __thread volatile int n_uses; /* what it counts is done behind a call, which so is no jump */

static void find_stack(void)
{
	pthread_attr_t attributes;
	size_t n_bytes;
	void *lo;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
	assert_int_equal(pthread_attr_getstack(&attributes, &lo, &n_bytes), 0);
	pthread_attr_destroy(&attributes);
	stack_hi = (uintptr_t)lo + n_bytes;
}

/* Compares with glibc's, which begins in this function, or in a sanitizer's function of that name.  The threads of the
 * test call it, so it asserts nothing itself.  Returns 1 when all are the same. */
OWN_FRAME static int is_as_glibc(void)
{
	void *expected[MAX_CALLERS + 2];
	size_t n_expected = (size_t)backtrace(expected, MAX_CALLERS + 2), at = 0;

	last.n = ompp_callstack_here(stack_hi, last.callers, MAX_CALLERS);
	while (at < 3 && at < n_expected && (uintptr_t)expected[at] != last.callers[0])
		at++;
	n_expected -= at;
	if (n_expected > MAX_CALLERS)
		n_expected = MAX_CALLERS;
	return at > 0 && last.n == n_expected && last.callers[0] == (uintptr_t)__builtin_return_address(0) &&
	       !memcmp(expected + at, last.callers, last.n * sizeof(expected[0]));
}

/* ---- functions of many shapes ---- */

OWN_FRAME static int plain(void)
{
	int same = is_as_glibc();

	n_uses++;
	return same;
}

OWN_FRAME static int with_saved_registers(int a, int b, int c, int d, int e)
{
	int same = plain() & plain();

	n_uses += a + b + c + d + e;
	return same;
}

OWN_FRAME static int with_variable_frame(size_t n_bytes)
{
	volatile char *room = alloca(n_bytes);
	int same;

	room[0] = room[n_bytes - 1] = 1;
	same = with_saved_registers(1, 2, 3, 4, 5);
	n_uses += room[n_bytes - 1];
	return same;
}

OWN_FRAME static int with_large_frame(void)
{
	volatile char room[100000];
	int same;

	room[0] = room[sizeof(room) - 1] = 1;
	same = with_variable_frame(100);
	n_uses += room[0];
	return same;
}

/* It aligns its stack, and has arguments on it. */
OWN_FRAME static int with_alignment(int a, int b, int c, int d, int e, int f, int g, size_t n_bytes)
{
	_Alignas(64) volatile char room[64];
	volatile char *more = alloca(n_bytes);
	int same;

	assert_int_equal((uintptr_t)room % 64, 0);
	room[0] = more[0] = 1;
	same = with_large_frame();
	n_uses += room[0] + more[0] + a + b + c + d + e + f + g;
	return same;
}

/* It has a frame pointer, which the function above has to give back. */
OWN_FRAME static int with_frame_pointer(size_t n_bytes)
{
	volatile char *room = alloca(n_bytes);
	int same = with_alignment(1, 2, 3, 4, 5, 6, plain(), n_bytes + (size_t)plain());

	room[0] = 1;
	n_uses += room[0];
	return same;
}

static void callers_are_as_glibc_finds_them(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) { /* with new rules, and with known ones */
		assert_true(plain());
		assert_true(with_saved_registers(1, 2, 3, 4, 5));
		assert_true(with_variable_frame(10));
		assert_true(with_variable_frame(3000));
		assert_true(with_large_frame());
		assert_true(with_alignment(1, 2, 3, 4, 5, 6, 7, 50));
		assert_true(with_frame_pointer(20));
		assert_true(last.n > 7); /* the functions above, and those of cmocka and the C library */
	}
}

/* The walk is the last that it does, when compilers like to leave a function first. */
OWN_FRAME static size_t walk_at_last(uintptr_t *callers, int a, int b)
{
	int same = plain();

	n_uses += a + b + same;
	return ompp_callstack_here(stack_hi, callers, MAX_CALLERS);
}

OWN_FRAME static void call_it(size_t n_bytes)
{
	volatile char *room = alloca(n_bytes);
	uintptr_t callers[MAX_CALLERS];
	size_t n = walk_at_last(callers, 1, 2);

	assert_true(is_as_glibc());
	assert_int_equal(n, last.n);
	assert_memory_equal(callers + 1, last.callers + 1, (n - 1) * sizeof(callers[0]));
	room[0] = 1;
}

static void the_function_is_there_while_it_is_walked(void **state)
{
	(void)state;
	call_it(100);
}

static jmp_buf out;

OWN_FRAME static __attribute__((noreturn)) void leave(void)
{
	longjmp(out, 1 + is_as_glibc());
}

/* Its last instruction is the call, so that the address behind it is the next function's. */
OWN_FRAME static __attribute__((noreturn)) void never_return(void)
{
	volatile char room[1000];

	room[0] = 1;
	n_uses += room[0];
	leave();
}

static void calls_that_never_return_are_walked(void **state)
{
	int result = setjmp(out);

	(void)state;
	if (!result)
		never_return();
	assert_int_equal(result, 2);
}

OWN_FRAME static int recursion(int depth)
{
	int same = depth ? recursion(depth - 1) : is_as_glibc();

	n_uses++;
	return same;
}

static void recursion_is_walked(void **state)
{
	(void)state;
	assert_true(recursion(100));
	assert_true(last.n > 100);
	assert_true(recursion(2 * MAX_CALLERS));
	assert_int_equal(last.n, MAX_CALLERS);
	for (size_t i = 2; i < MAX_CALLERS; i++)
		assert_int_equal(last.callers[i], last.callers[1]);
}

static int all_same;

static int compare(const void *a, const void *b)
{
	all_same &= is_as_glibc();
	return *(const int *)a - *(const int *)b;
}

static void libraries_are_walked(void **state)
{
	int numbers[] = { 5, 3, 9, 1, 7, 2 };

	(void)state;
	all_same = 1;
	qsort(numbers, 6, sizeof(numbers[0]), compare);
	assert_int_equal(numbers[0], 1);
	assert_true(all_same);
}

/* ---- signals ---- */

static uintptr_t returns_to;
static struct walk in_handler;

static void handle(int sig)
{
	(void)sig;
	returns_to = (uintptr_t)__builtin_return_address(0);
	in_handler.n = ompp_callstack_here(stack_hi, in_handler.callers, MAX_CALLERS);
}

static void the_walk_ends_at_a_handler(void **state)
{
	struct sigaction action = { .sa_handler = handle }, before;

	(void)state;
	assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
	assert_true(plain());
	in_handler.n = 0;
	raise(SIGUSR1);
	assert_true(in_handler.n > 0);
	assert_int_equal(in_handler.callers[0], returns_to);
#ifndef __SANITIZE_THREAD__ /* its library calls the handler, at the end of raise() */
	assert_int_equal(in_handler.n, 1);
#endif
	assert_true(plain());
	sigaction(SIGUSR1, &before, NULL);
}

/* ---- stacks that are none ---- */

/* The registers of a function, which stays on the stack. */
struct registers {
	uintptr_t pc, sp, fp;
};

static inline __attribute__((always_inline)) struct registers registers_here(void)
{
	struct registers r;

#if defined(__x86_64__)
	__asm__ volatile("leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2" : "=a"(r.pc), "=c"(r.sp), "=d"(r.fp));
#else
	__asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29" : "=&r"(r.pc), "=&r"(r.sp), "=&r"(r.fp) : : "x30");
#endif
	return r;
}

OWN_FRAME static void walk_parts(void)
{
	uintptr_t full[MAX_CALLERS], part[MAX_CALLERS];
	struct registers r = registers_here();
	size_t n = ompp_callstack(r.pc, r.sp, r.fp, stack_hi, full, MAX_CALLERS), n_last = 0;

	assert_true(n > 5);
	for (uintptr_t hi = r.sp; hi < stack_hi; hi++) {
		size_t n_part = ompp_callstack(r.pc, r.sp, r.fp, hi, part, MAX_CALLERS);

		assert_true(n_part >= n_last && n_part <= n);
		assert_true(n_part == n_last || hi % sizeof(uintptr_t) == 0); /* no part of a word is read */
		assert_memory_equal(part, full, n_part * sizeof(part[0]));
		n_last = n_part;
	}
	assert_int_equal(n_last, n);
	for (size_t most = 0; most <= n; most++) {
		memset(part, 0, sizeof(part));
		assert_int_equal(ompp_callstack(r.pc, r.sp, r.fp, stack_hi, part, most), most);
		assert_memory_equal(part, full, most * sizeof(part[0]));
		assert_int_equal(part[most], 0);
	}
	assert_int_equal(ompp_callstack(r.pc, stack_hi, r.fp, stack_hi, part, MAX_CALLERS), 0);
	assert_int_equal(ompp_callstack(r.pc, stack_hi + 8, r.fp, stack_hi, part, MAX_CALLERS), 0);
	assert_int_equal(ompp_callstack(0, r.sp, r.fp, stack_hi, part, MAX_CALLERS), 0);
	assert_int_equal(ompp_callstack(UINTPTR_MAX, r.sp, r.fp, stack_hi, part, MAX_CALLERS), 0);
	assert_int_equal(ompp_callstack(r.pc | (uintptr_t)1 << 60, r.sp, r.fp, stack_hi, part, MAX_CALLERS), 0);
	n_uses++;
}

static void parts_of_a_stack_give_the_first_callers(void **state)
{
	(void)state;
	walk_parts();
}

/* Where the C library's instructions are. */
static int find_code(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t *code = data;

	(void)size;
	if (!strstr(info->dlpi_name, "libc.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			code[0] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			code[1] = code[0] + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

static uint64_t random_word(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Returns a word as they are on stacks: of code, of the stack itself, small, or any. */
static uintptr_t some_word(const uintptr_t *code, uintptr_t lo, size_t n_bytes)
{
	uint64_t kind = random_word() % 8, value = random_word();

	return kind < 4 ? code[0] + value % (code[1] - code[0])
	     : kind < 6 ? lo + value % (n_bytes + 64) / (kind < 5 ? 8 : 1) * (kind < 5 ? 8 : 1)
	     : kind < 7 ? value % 1000
	                : value;
}

static void garbage_is_walked_without_harm(void **state)
{
	const size_t n_words = 512, page = (size_t)sysconf(_SC_PAGESIZE), n_bytes = n_words * sizeof(uintptr_t);
	char *guarded = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t code[2] = { 0, 0 }, callers[64], lo = (uintptr_t)guarded + 2 * page - n_bytes;
	uintptr_t *words = (uintptr_t *)lo;
	size_t n_deep = 0;

	(void)state;
	assert_ptr_not_equal(guarded, MAP_FAILED);
	assert_true(n_bytes <= page);
	assert_int_equal(mprotect(guarded + page, page, PROT_READ | PROT_WRITE), 0);
	if (!dl_iterate_phdr(find_code, code))
		skip(); /* a static program */
	for (int round = 0; round < 300; round++) {
		for (size_t i = 0; i < n_words; i++)
			words[i] = some_word(code, lo, n_bytes);
		for (int i = 0; i < 100; i++) {
			uintptr_t sp = lo + random_word() % n_words * sizeof(uintptr_t);
			size_t n = ompp_callstack(some_word(code, lo, n_bytes), sp, some_word(code, lo, n_bytes),
			                          lo + n_bytes - random_word() % 2 * 3, callers, 64);

			assert_true(n <= 64 && n <= (lo + n_bytes - sp) / sizeof(uintptr_t));
			n_deep += n > 1;
		}
	}
	assert_true(n_deep > 1000); /* many words led on */
	munmap(guarded, 3 * page);
}

/* ---- the table of rules ---- */

static uint64_t bits_of(struct ompp_callstack_rule rule)
{
	uint64_t bits;

	memcpy(&bits, &rule, sizeof(bits));
	return bits;
}

/* Tells whether a rule leads into a stack of n_words, in whose middle the frame pointer is.  At the end of functions
 * the frame pointer is no longer on the stack, although the rule says so; no function is called there. */
static int leads_into(struct ompp_callstack_rule rule, int64_t n_words)
{
	int64_t cfa = rule.cfa + (rule.cfa_from == OMPP_CFA_SP ? 0 : n_words / 2);
	int64_t fp = rule.fp + (rule.fp_from == OMPP_FP_AT_CFA ? cfa : n_words / 2);

	return rule.cfa_from != OMPP_CFA_NONE && cfa > 0 && cfa <= n_words && cfa + rule.ra >= 0 &&
	       (rule.fp_from == OMPP_FP_SAME || rule.fp_from == OMPP_FP_LOST || (fp >= 0 && fp < n_words));
}

/* More addresses than the table has room for give the same caller whether their rules are new or known, and that which
 * the rule says. */
static void known_rules_are_those_of_new_ones(void **state)
{
	enum { N_WORDS = 4096 };
	static uintptr_t stack[N_WORDS];
	uintptr_t code[2] = { 0, 0 }, lo = (uintptr_t)stack, fp = (uintptr_t)(stack + N_WORDS / 2), first, second;
	size_t n_found = 0, n_by_fp = 0;

	(void)state;
	if (!dl_iterate_phdr(find_code, code))
		skip();
	for (size_t i = 0; i < N_WORDS; i++)
		stack[i] = lo + i * sizeof(stack[0]); /* so that a caller tells where it was read */
	for (uintptr_t pc = code[0]; pc < code[1]; pc += 7) {
		struct ompp_callstack_rule rule = ompp_callstack_rule(pc);
		uintptr_t cfa = (rule.cfa_from == OMPP_CFA_SP ? lo : fp) + (uintptr_t)(rule.cfa * 8);
		size_t n = leads_into(rule, N_WORDS) ? 1 : 0;

		assert_int_equal(ompp_callstack(pc, lo, fp, lo + sizeof(stack), &first, 1), n);
		assert_int_equal(ompp_callstack(pc, lo, fp, lo + sizeof(stack), &second, 1), n);
		if (!n)
			continue;
		assert_int_equal(first, cfa + (uintptr_t)(rule.ra * 8));
		assert_int_equal(second, first);
		n_by_fp += rule.cfa_from != OMPP_CFA_SP;
		n_found++;
	}
	assert_true(n_found > 10000);
	assert_true(n_by_fp > 1000);
}

/* The files are found by another function of the C library before glibc 2.35. */
static void both_ways_to_files_give_the_same(void **state)
{
	struct ompp_real *real = (struct ompp_real *)(uintptr_t)ompp_real(), before = *real;
	uintptr_t code[2] = { 0, 0 };
	size_t n = 0;

	(void)state;
	if (!real->find_object || !dl_iterate_phdr(find_code, code))
		skip();
	for (uintptr_t pc = code[0]; pc < code[1]; pc += 1001, n++) {
		uint64_t one = bits_of(ompp_callstack_rule(pc));

		real->find_object = NULL;
		assert_int_equal(bits_of(ompp_callstack_rule(pc)), one);
		*real = before;
	}
	assert_true(n > 100);
	real->find_object = NULL;
	ompp_callstack_forget();
	assert_true(with_frame_pointer(30));
	*real = before;
	assert_int_equal(ompp_callstack_rule((uintptr_t)&before).cfa_from, OMPP_CFA_NONE);
}

/* Loads and unloads a library that the test has no other use for, so that rules are forgotten. */
static int change_files(void)
{
	void *library = dlopen("libresolv.so.2", RTLD_NOW);

	if (library)
		dlclose(library);
	ompp_callstack_forget();
	return library != NULL;
}

static void rules_that_were_forgotten_are_found_again(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		if (!change_files())
			skip();
		assert_true(with_frame_pointer(30));
		assert_true(with_frame_pointer(30));
	}
}

/* ---- threads ---- */

static int is_over;

static void *walk_often(void *arg)
{
	int depth = *(const int *)arg, same = 1;

	find_stack();
	for (int i = 0; i < 300 || (!__atomic_load_n(&is_over, __ATOMIC_RELAXED) && i < 100000); i++)
		same &= recursion((depth + i) % 40) & with_variable_frame((size_t)(i % 500 + 1));
	return same ? arg : NULL;
}

static void threads_share_rules(void **state)
{
	int depths[] = { 1, 5, 10, 30 };
	pthread_t threads[4];
	void *result;

	(void)state;
	is_over = 0;
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, walk_often, &depths[i]), 0);
	for (int i = 0; i < 100; i++)
		change_files();
	__atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		assert_ptr_equal(result, &depths[i]);
	}
}

static int find_own_stack(void **state)
{
	(void)state;
	find_stack();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_are_as_glibc_finds_them),
		cmocka_unit_test(the_function_is_there_while_it_is_walked),
		cmocka_unit_test(calls_that_never_return_are_walked),
		cmocka_unit_test(recursion_is_walked),
		cmocka_unit_test(libraries_are_walked),
		cmocka_unit_test(the_walk_ends_at_a_handler),
		cmocka_unit_test(parts_of_a_stack_give_the_first_callers),
		cmocka_unit_test(garbage_is_walked_without_harm),
		cmocka_unit_test(known_rules_are_those_of_new_ones),
		cmocka_unit_test(both_ways_to_files_give_the_same),
		cmocka_unit_test(rules_that_were_forgotten_are_found_again),
		cmocka_unit_test(threads_share_rules),
	};

	return cmocka_run_group_tests(tests, find_own_stack, NULL);
}

#else

static void no_callers_are_found(void **state)
{
	uintptr_t callers[4];

	(void)state;
	assert_int_equal(ompp_callstack_here(UINTPTR_MAX, callers, 4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_callers_are_found) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
