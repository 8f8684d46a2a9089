/*
 * Filter: what a seccomp filter says is what the kernel makes of it, for programs of chance, one alone and two
 * together; calls that a filter does not allow are not made, and those that have an answer without the kernel get it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/base/filter.h"
#include "runtime/base/sys.h"

enum {
	N_PROGRAMS = 300,
	N_CALLS = 40,
	MOST_STEPS = 40,
	NO_CALL = 900,
	NO_FILTERS = 77,
	PAGE_BYTES = 4096,
	RESERVE_BYTES = 1 << 20
};

static int *is_last; /* in shared memory: 1 when a child's next call is to end it */

static uint64_t seed = 88172645463325252u;

static uint32_t chance(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

/* A number of chance: small, large, or of few bits. */
static uint32_t number(void)
{
	return chance(3) ? chance(8) : chance(2) ? UINT32_C(1) << chance(32) : (uint32_t)(seed >> 16);
}

/* The words of struct seccomp_data without the address of the call. */
static uint32_t word(void)
{
	uint32_t n = chance(14);

	return 4 * (n < 2 ? n : n + 2);
}

/* Makes an instruction that is none of the last three of a program of n.  It jumps at most to the first of these. */
static struct sock_filter step(size_t i, size_t n)
{
	static const uint16_t calculations[] = { BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_AND,
		                                 BPF_OR,  BPF_XOR, BPF_LSH, BPF_RSH };
	static const uint16_t jumps[] = { BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET };
	uint32_t left = (uint32_t)(n - 3 - i - 1), source = chance(2) ? BPF_K : BPF_X;
	uint16_t what;

	switch (chance(8)) {
	case 0:
		what = calculations[chance(9)];
		if (source == BPF_K && (what == BPF_LSH || what == BPF_RSH))
			return (struct sock_filter)BPF_STMT(BPF_ALU | what | BPF_K, chance(32));
		return (struct sock_filter)BPF_STMT(BPF_ALU | what | source, number() | (what == BPF_DIV));
	case 1:
		return (struct sock_filter)BPF_STMT(BPF_ALU | BPF_NEG, 0);
	case 2:
		return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, word());
	case 3:
		return (struct sock_filter)BPF_STMT((chance(2) ? BPF_LD : BPF_LDX) |
		                                            (chance(2) ? BPF_IMM : BPF_W | BPF_LEN),
		                                    number());
	case 4:
		return (struct sock_filter)BPF_STMT((chance(2) ? BPF_ST : BPF_STX), chance(4));
	case 5:
		return (struct sock_filter)BPF_STMT((chance(2) ? BPF_LD : BPF_LDX) | BPF_MEM, chance(4));
	case 6:
		return (struct sock_filter)BPF_STMT(BPF_MISC | (chance(2) ? BPF_TAX : BPF_TXA), 0);
	default:
		if (!chance(4))
			return (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, chance(left + 1));
		return (struct sock_filter)BPF_JUMP(BPF_JMP | jumps[chance(4)] | source, number(),
		                                    (uint8_t)chance(left + 1), (uint8_t)chance(left + 1));
	}
}

/* Makes a program that allows the real calls, and answers others by an errno that all that it did leads to. */
static size_t make_program(struct sock_filter *code)
{
	size_t n = 3 + 8 + chance(MOST_STEPS), i = 0;

	code[i++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	code[i++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, NO_CALL, 1, 0);
	code[i++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	for (uint32_t k = 0; k < 4; k++) /* no memory is read that was not written */
		code[i++] = (struct sock_filter)BPF_STMT(BPF_ST, k);
	for (; i < n - 3; i++)
		code[i] = step(i, n);
	code[i++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xfff);
	code[i++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_OR | BPF_K, SECCOMP_RET_ERRNO);
	code[i++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_A, 0);
	return i;
}

static int put(const struct sock_filter *code, size_t n)
{
	struct sock_fprog program = { (unsigned short)n, (struct sock_filter *)(uintptr_t)code };

	if (ompp_filter_add(code, n))
		return -1;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? -1 : 0;
}

/* In a child: returns 0 when the kernel does what the filters say. */
static int compare(int n_filters)
{
	struct sock_filter code[MOST_STEPS + 16];

	for (int i = 0; i < n_filters; i++)
		if (put(code, make_program(code)))
			return NO_FILTERS;
	for (int i = 0; i < N_CALLS; i++) {
		long call = NO_CALL + (long)chance(8), a[6], got;
		uint32_t says;

		for (int k = 0; k < 6; k++)
			a[k] = (long)((uint64_t)number() << 32 | number());
		says = ompp_filter_says(call, a);
		*is_last = says == SECCOMP_RET_KILL_THREAD; /* a division by 0 */
		got = syscall(call, a[0], a[1], a[2], a[3], a[4], a[5]);
		got = got < 0 ? errno : got;
		if ((says & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_ERRNO || got != (long)(says & SECCOMP_RET_DATA))
			return 1;
	}
	return 0;
}

static int in_child(int (*run)(int), int argument)
{
	int status;
	pid_t child;

	*is_last = 0;
#ifdef __SANITIZE_THREAD__
	skip(); /* the sanitizer makes system calls of its own in the child, which a filter of chance refuses */
#endif
	child = fork();
	if (!child)
		ompp_filter_reserve(mmap(NULL, RESERVE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		                         0),
		                    RESERVE_BYTES, PAGE_BYTES);

	if (!child) { /* not by _exit, before which the address sanitizer calls sigaltstack */
		syscall(SYS_exit_group, run(argument));
		_exit(1);
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	if (*is_last)
		return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? 0 : 1;
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_chance(void **state)
{
	(void)state;
	for (int i = 0; i < N_PROGRAMS; i++) {
		int status = in_child(compare, 1 + i % 2);

		if (status == NO_FILTERS)
			skip();
		assert_int_equal(status, 0);
		for (int k = 0; k < 1000; k++) /* another program for the next child */
			chance(2);
	}
}

/* In a child under a filter that ends it by each call but one: what has an answer. */
static int answers(int unused)
{
	static const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	pid_t self = getpid();
	uint64_t mask = 1;
	char *memory, *again;
	struct timespec wait = { 0, 1000 };
	struct rusage usage;

	(void)unused;
	ompp_filter_begin();
	if (put(code, sizeof(code) / sizeof(code[0])))
		return NO_FILTERS;
	if (ompp_sys_getpid() != self || ompp_sys_gettid() != self)
		return 1;
	if (ompp_sys_sigmask(SIG_SETMASK, NULL, &mask) || mask)
		return 2;
	memory = (char *)ompp_sys_mmap(0, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if ((intptr_t)memory < 0 && (intptr_t)memory > -4096)
		return 3;
	memset(memory, 1, 10000);
	if (ompp_sys_munmap(memory, 10000))
		return 4;
	again = (char *)ompp_sys_mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (again != memory || again[0] || again[4999])
		return 5;
	if (ompp_sys_mmap(0, SIZE_MAX / 4, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != -ENOMEM)
		return 6;
	if (ompp_sys_mmap(0, 4096, PROT_READ, MAP_PRIVATE, 0, 0) != -ENOSYS ||
	    ompp_sys_open("/", O_RDONLY, 0) != -ENOSYS)
		return 7;
	ompp_sys_yield();
	OMPP_SYS2(nanosleep, &wait, NULL);
	return ompp_sys_getrusage(RUSAGE_SELF, &usage) == -ENOSYS ? 0 : 8;
}

static void test_answers(void **state)
{
	int status = in_child(answers, 0);

	(void)state;
	if (status == NO_FILTERS)
		skip();
	assert_int_equal(status, 0);
}

/* What the kernel would not take is not taken; what it has refused after all is forgotten. */
static int forgets(int unused)
{
	static const struct sock_filter code[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 5) };

	(void)unused;
	if (ompp_filter_add(code, 0) != -EINVAL || ompp_filter_add(code, 5000) != -EINVAL ||
	    ompp_filter_add((const struct sock_filter *)16, 4) != -EFAULT || ompp_filtered)
		return 1;
	if (ompp_filter_add(code, 1) || !ompp_filter_refuses(SYS_getppid, 0, 0) || OMPP_SYS0(getppid) != -5)
		return 2;
	if (ompp_filter_add(NULL, 0) || OMPP_SYS0(getppid) == getppid())
		return 3;
	ompp_filter_drop();
	ompp_filter_drop();
	return ompp_filtered || ompp_filter_refuses(SYS_getppid, 0, 0) || OMPP_SYS0(getppid) != getppid() ? 4 : 0;
}

static void test_forgets(void **state)
{
	(void)state;
	assert_int_equal(in_child(forgets, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chance),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_forgets),
	};

	is_last = mmap(NULL, sizeof(*is_last), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return is_last == MAP_FAILED ? 99 : cmocka_run_group_tests(tests, NULL, NULL);
}
