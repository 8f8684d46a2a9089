/*
 * Delegate: see delegate.h.
 */
#define _GNU_SOURCE
#include "runtime/session/delegate.h"

#include <errno.h>
#include <linux/prctl.h>
#include <stdatomic.h>

#include "runtime/base/auxv.h"
#include "runtime/base/filter.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/host/clone.h"

enum { STACK_BYTES = 512 * 1024, REST_NS = 1000000 };
enum { IDLE, ASKED, DONE };

static int *is_alive; /* in a page that is wiped by fork(): a child has no delegate */
static uint32_t id;   /* thread id of the delegate; the kernel writes 0 when it ends */
static int parent;    /* the program's process */
static _Atomic int is_asking;

/* Written by the thread that asks, up to ASKED; then by the delegate, up to DONE. */
static struct {
	void (*run)(void *arg);
	void *arg;
	uintptr_t thread; /* the requesting thread's thread pointer */
	int is_last;
	_Atomic int state;
} job;

#if defined(__x86_64__)

static uintptr_t delegate_thread(void)
{
	uintptr_t p;

	__asm__("mov %%fs:0, %0" : "=r"(p));
	return p;
}

static void become_thread(uintptr_t thread)
{
	enum { SET_FS = 0x1002 };

	ompp_sys_direct(SYS_arch_prctl, SET_FS, (long)thread, 0, 0, 0, 0);
}

#elif defined(__aarch64__)

static uintptr_t delegate_thread(void)
{
	uintptr_t p;

	__asm__("mrs %0, tpidr_el0" : "=r"(p));
	return p;
}

static void become_thread(uintptr_t thread)
{
	__asm__ volatile("msr tpidr_el0, %0" : : "r"(thread) : "memory");
}

#else /* other processors, for which clone.h has nothing either */

static uintptr_t delegate_thread(void)
{
	return 0;
}

static void become_thread(uintptr_t thread)
{
	(void)thread;
}

#endif

static void delegate_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/* ---- its process ---- */

static __attribute__((noinline)) void do_job(void)
{
	ompp_filter_is_free = 1;
	job.run(job.arg);
	ompp_filter_is_free = 0;
}

static __attribute__((noreturn)) void delegate_exit(void)
{
	for (;;)
		ompp_sys_direct(SYS_exit, 0, 0, 0, 0, 0, 0);
}

/* Between two jobs the delegate has no thread-local storage of its own, so it may only make system calls directly. */
static void delegate_work(void)
{
	const struct timespec rest = { 0, REST_NS };

	ompp_sys_direct(SYS_prctl, PR_SET_NAME, (long)"ompp", 0, 0, 0, 0);
	while (ompp_sys_direct(SYS_getppid, 0, 0, 0, 0, 0, 0) == parent) {
		if (atomic_load_explicit(&job.state, memory_order_acquire) != ASKED) {
			ompp_sys_direct(SYS_nanosleep, (long)&rest, 0, 0, 0, 0, 0);
			continue;
		}
		become_thread(job.thread);
		do_job();
		if (job.is_last)
			break; /* The requesting thread notices that the delegate has ended. */
		atomic_store_explicit(&job.state, DONE, memory_order_release);
	}
	delegate_exit();
}

/* ---- the program's side ---- */

int ompp_delegate_start(void)
{
	/* CLONE_FS is left out: a process that shares its folders may not change its name spaces. */
	const unsigned long flags = CLONE_VM | CLONE_FILES | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
	char *stack;
	long rc;

	if (is_alive && *is_alive && OMPP_LOAD(&id))
		return 0;
	if (!is_alive)
		is_alive = ompp_space_alive();
	stack = is_alive ? ompp_space_take(STACK_BYTES) : NULL;
	if (!stack)
		return -ENOMEM;
	ompp_sys_mprotect(stack, ompp_page_bytes(), PROT_NONE);
	parent = ompp_sys_getpid();
	atomic_store(&job.state, IDLE);
	*is_alive = 1;
	rc = ompp_clone(flags, stack + STACK_BYTES - 64, delegate_work, &id);
	if (rc > 0)
		return 0;
	*is_alive = 0;
	ompp_sys_munmap(stack, STACK_BYTES);
	return (int)rc;
}

static int has_delegate(void)
{
	return is_alive && OMPP_LOAD(is_alive) && __atomic_load_n(&id, __ATOMIC_ACQUIRE);
}

int ompp_delegate_call(void (*run)(void *arg), void *arg, int is_last)
{
	uint64_t all = OMPP_ALL_SIGNALS, before;
	int rc;

	if (!has_delegate() || ompp_filter_is_free)
		return -1;
	while (atomic_exchange_explicit(&is_asking, 1, memory_order_acquire))
		delegate_pause();
	/* A handler that came in between would use the same thread-local storage. */
	ompp_sys_sigmask(SIG_BLOCK, &all, &before);
	job.run = run;
	job.arg = arg;
	job.thread = delegate_thread();
	job.is_last = is_last;
	atomic_store_explicit(&job.state, ASKED, memory_order_release);
	while (has_delegate() && atomic_load_explicit(&job.state, memory_order_acquire) != DONE)
		delegate_pause();
	rc = is_last || atomic_load(&job.state) == DONE ? 0 : -1;
	ompp_filter_is_free = 0;
	ompp_sys_sigmask(SIG_SETMASK, &before, NULL);
	atomic_store_explicit(&is_asking, 0, memory_order_release);
	return rc;
}

int ompp_delegate_is_here(void)
{
	return ompp_filter_is_free;
}
