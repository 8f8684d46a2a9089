/*
 * Filter: see filter.h.  The machine is described in seccomp(2) and bpf(4); the kernel has checked that all jumps go
 * forward and end with a return.  What the kernel would not accept is refused here.
 */
#define _GNU_SOURCE
#include "runtime/base/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"

#if defined(__x86_64__)
enum { ARCH_HERE = (int)AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { ARCH_HERE = (int)AUDIT_ARCH_AARCH64 };
#else
enum { ARCH_HERE = 0 };
#endif

enum { PAUSE_NS = 20, WORDS = BPF_MEMWORDS };

struct filter {
	struct filter *older;
	size_t n;
	struct sock_filter code[];
};

int ompp_filtered;
__thread int ompp_filter_is_free __attribute__((tls_model("initial-exec")));

static struct filter *newest; /* written by the thread that puts a filter in place; read by all */
static int process;           /* its number */
static uintptr_t main_thread; /* the thread pointer of the main thread; 0: not known */

/* Memory for the time after the first filter.  Pieces are taken from its front, and only the last one can be given
 * back. */
static struct {
	uintptr_t start, end, page_bytes;
	_Atomic uintptr_t next;
} pool;

static inline uintptr_t thread_pointer(void)
{
#if defined(__x86_64__)
	uintptr_t p;

	__asm__("mov %%fs:0, %0" : "=r"(p));
	return p;
#elif defined(__aarch64__)
	uintptr_t p;

	__asm__("mrs %0, tpidr_el0" : "=r"(p));
	return p;
#else
	return (uintptr_t)&ompp_filter_is_free;
#endif
}

/* ---- memory ---- */

void ompp_filter_reserve(void *memory, size_t n_bytes, size_t page_bytes)
{
	pool.start = (uintptr_t)memory;
	pool.end = pool.start + (memory ? n_bytes : 0);
	pool.page_bytes = page_bytes;
	atomic_store_explicit(&pool.next, pool.start, memory_order_relaxed);
}

static long pool_take(size_t n_bytes)
{
	uintptr_t page = pool.page_bytes, at;

	n_bytes = (n_bytes + page - 1) / page * page;
	at = atomic_load_explicit(&pool.next, memory_order_relaxed);
	do {
		if (n_bytes > pool.end - at)
			return -ENOMEM;
	} while (!atomic_compare_exchange_weak_explicit(&pool.next, &at, at + n_bytes, memory_order_relaxed,
	                                                memory_order_relaxed));
	return (long)at;
}

static long pool_give(uintptr_t at, size_t n_bytes)
{
	uintptr_t page = pool.page_bytes, end = at + (n_bytes + page - 1) / page * page;

	if (at >= pool.start && at < pool.end && end == atomic_load_explicit(&pool.next, memory_order_relaxed)) {
		memset((void *)at, 0, end - at); /* as new memory is */
		atomic_compare_exchange_strong_explicit(&pool.next, &end, at, memory_order_relaxed,
		                                        memory_order_relaxed);
	}
	return 0;
}

/* ---- the machine ---- */

struct machine {
	uint32_t a, x, memory[WORDS];
};

/* Returns 0; or -1 for a division by zero, by which the program ends, and where there is no such operation. */
static int calculate(struct machine *m, const struct sock_filter *f)
{
	uint32_t v = BPF_SRC(f->code) == BPF_X ? m->x : f->k;

	switch (BPF_OP(f->code)) {
	/* clang-format off */
	case BPF_ADD: m->a += v; return 0;
	case BPF_SUB: m->a -= v; return 0;
	case BPF_MUL: m->a *= v; return 0;
	case BPF_DIV: m->a = v ? m->a / v : 0; return v ? 0 : -1;
	case BPF_AND: m->a &= v; return 0;
	case BPF_OR:  m->a |= v; return 0;
	case BPF_XOR: m->a ^= v; return 0;
	case BPF_LSH: m->a <<= v & 31; return 0;
	case BPF_RSH: m->a >>= v & 31; return 0;
	case BPF_NEG: m->a = -m->a; return 0;
	default:      return -1;
		/* clang-format on */
	}
}

/* Returns by how many instructions to jump. */
static size_t jump(const struct machine *m, const struct sock_filter *f)
{
	uint32_t v = BPF_SRC(f->code) == BPF_X ? m->x : f->k;
	int is;

	switch (BPF_OP(f->code)) {
	/* clang-format off */
	case BPF_JA:  return f->k;
	case BPF_JEQ: is = m->a == v; break;
	case BPF_JGT: is = m->a > v; break;
	case BPF_JGE: is = m->a >= v; break;
	default:      is = (m->a & v) != 0; break;
		/* clang-format on */
	}
	return is ? f->jt : f->jf;
}

/* Loads a word.  Returns 0; or -1 for what is not known here: where in libompp the call is made. */
static int load(struct machine *m, const struct sock_filter *f, const struct seccomp_data *data, uint32_t *to)
{
	switch (BPF_MODE(f->code)) {
	case BPF_ABS:
		if (f->k > sizeof(*data) - sizeof(*to) || f->k % sizeof(*to) ||
		    f->k - offsetof(struct seccomp_data, instruction_pointer) < sizeof(data->instruction_pointer))
			return -1;
		memcpy(to, (const char *)data + f->k, sizeof(*to));
		return 0;
	case BPF_IMM:
		*to = f->k;
		return 0;
	case BPF_LEN:
		*to = sizeof(*data);
		return 0;
	case BPF_MEM:
		*to = f->k < WORDS ? m->memory[f->k] : 0;
		return 0;
	default:
		return -1;
	}
}

static uint32_t run(const struct filter *filter, const struct seccomp_data *data)
{
	struct machine m = { 0 };
	int rc = 0;

	for (size_t i = 0; i < filter->n && !rc; i++) {
		const struct sock_filter *f = &filter->code[i];

		switch (BPF_CLASS(f->code)) {
		case BPF_LD:
			rc = load(&m, f, data, &m.a);
			break;
		case BPF_LDX:
			rc = load(&m, f, data, &m.x);
			break;
		case BPF_ST:
		case BPF_STX:
			if (f->k < WORDS)
				m.memory[f->k] = BPF_CLASS(f->code) == BPF_ST ? m.a : m.x;
			break;
		case BPF_ALU:
			rc = calculate(&m, f);
			break;
		case BPF_JMP:
			i += jump(&m, f);
			break;
		case BPF_RET:
			return BPF_RVAL(f->code) == BPF_A ? m.a : f->k;
		default: /* BPF_MISC */
			if (BPF_MISCOP(f->code) == BPF_TAX)
				m.x = m.a;
			else
				m.a = m.x;
		}
	}
	return SECCOMP_RET_KILL_THREAD;
}

/* ---- the filters ---- */

/* What the strict mode is as a filter. */
static const struct sock_filter strict[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 1, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

int ompp_filter_copy(void *to, const void *from, size_t n_bytes)
{
	struct {
		const void *at;
		size_t n;
	} here = { to, n_bytes }, there = { from, n_bytes };
	long n = OMPP_SYS6(process_vm_readv, ompp_sys_getpid(), &here, 1, &there, 1, 0);

	if (n >= 0)
		return n == (long)n_bytes ? 0 : -EFAULT;
	if (n == -EFAULT)
		return -EFAULT;
	memcpy(to, from, n_bytes); /* an older filter, or a kernel without this call */
	return 0;
}

int ompp_filter_add(const struct sock_filter *code, size_t n)
{
	struct filter *filter;
	size_t n_bytes;
	long place;
	int rc = 0;

	if (code && (!n || n > BPF_MAXINSNS))
		return -EINVAL;
	if (!code) {
		code = strict;
		n = sizeof(strict) / sizeof(strict[0]);
	}
	n_bytes = sizeof(*filter) + n * sizeof(*code);
	place = pool_take(n_bytes);
	if (place < 0)
		return (int)place;
	filter = (struct filter *)place;
	if (code == strict)
		memcpy(filter->code, code, n * sizeof(*code));
	else
		rc = ompp_filter_copy(filter->code, code, n * sizeof(*code));
	if (rc) {
		pool_give((uintptr_t)filter, n_bytes);
		return rc;
	}
	filter->n = n;
	filter->older = newest;
	__atomic_store_n(&newest, filter, __ATOMIC_RELEASE);
	OMPP_STORE(&ompp_filtered, 1);
	return 0;
}

/* Its memory stays, as another thread may be reading it. */
void ompp_filter_drop(void)
{
	__atomic_store_n(&newest, newest->older, __ATOMIC_RELEASE);
	OMPP_STORE(&ompp_filtered, newest != NULL);
}

uint32_t ompp_filter_says(long number, const long arguments[6])
{
	struct seccomp_data data = { .nr = (int)number, .arch = (uint32_t)ARCH_HERE };
	uint32_t says = SECCOMP_RET_ALLOW, one;

	for (int i = 0; i < 6; i++)
		data.args[i] = (uint64_t)arguments[i];
	for (const struct filter *f = __atomic_load_n(&newest, __ATOMIC_ACQUIRE); f; f = f->older) {
		one = run(f, &data);
		/* the kernel takes the strictest, which is the least as a signed number */
		if ((int32_t)(one & SECCOMP_RET_ACTION_FULL) < (int32_t)(says & SECCOMP_RET_ACTION_FULL))
			says = one;
	}
	return says;
}

int ompp_filter_refuses(long number, long a, long b)
{
	const long arguments[6] = { a, b, 0, 0, 0, 0 };

	return OMPP_LOAD(&ompp_filtered) && ompp_filter_says(number, arguments) != SECCOMP_RET_ALLOW;
}

void ompp_filter_begin(void)
{
	process = ompp_sys_getpid();
	if (process == ompp_sys_gettid())
		main_thread = thread_pointer();
}

/* ---- calls ---- */

/* Returns a number that no other thread has, where the kernel may not be asked: above all those of the kernel. */
static long thread_number(void)
{
	uintptr_t pointer = thread_pointer();

	return pointer == main_thread ? process : (long)(0x40000000 | (pointer >> 6 & 0x3fffffff));
}

/* Waits for about this long, without the kernel. */
static void filter_pause(const struct timespec *wait)
{
	int64_t n = wait ? (wait->tv_sec * 1000000000 + wait->tv_nsec) / PAUSE_NS : 1;

	for (int64_t i = 0; i < n; i++) {
#if defined(__x86_64__)
		__builtin_ia32_pause();
#else
		__asm__ volatile("" ::: "memory");
#endif
	}
}

/* Answers a call that may not be made. */
static long answer(long number, const long arguments[6], int error)
{
	switch (number) {
	case SYS_getpid:
		return process;
	case SYS_gettid:
		return thread_number();
	case SYS_mmap:
#if defined(__s390x__) /* see ompp_sys_mmap() */
		arguments = (const long *)arguments[0];
#endif
		return arguments[3] & MAP_ANONYMOUS ? pool_take((size_t)arguments[1]) : -error;
	case SYS_munmap:
		return pool_give((uintptr_t)arguments[0], (size_t)arguments[1]);
	case SYS_rt_sigprocmask:
		if (arguments[2])
			*(uint64_t *)arguments[2] = 0;
		return 0;
	case SYS_nanosleep:
		filter_pause((const struct timespec *)arguments[0]);
		return 0;
	case SYS_sched_yield:
	case SYS_futex: /* who waits looks again, and who is to be woken does not sleep for long */
		filter_pause(NULL);
		return 0;
	default:
		return -error;
	}
}

/* A process that does the work has times of its own. */
static int is_of_caller(long number, long what)
{
	return number == SYS_getrusage ||
	       (number == SYS_clock_gettime && (what == CLOCK_PROCESS_CPUTIME_ID || what == CLOCK_THREAD_CPUTIME_ID));
}

long ompp_filter_call(long number, long a, long b, long c, long d, long e, long f)
{
	const long arguments[6] = { a, b, c, d, e, f };
	uint32_t says;

	if (ompp_filter_is_free) {
		if (number == SYS_getpid)
			return process;
		return is_of_caller(number, a) ? -ENOSYS : ompp_sys_direct(number, a, b, c, d, e, f);
	}
	says = ompp_filter_says(number, arguments);
	if (says == SECCOMP_RET_ALLOW)
		return ompp_sys_direct(number, a, b, c, d, e, f);
	return answer(number, arguments,
	              (says & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO && says & SECCOMP_RET_DATA
	                      ? (int)(says & SECCOMP_RET_DATA)
	                      : ENOSYS);
}
