/*
 * Helper thread: see helper_thread.h.
 */
#define _GNU_SOURCE
#include "runtime/core/helper_thread.h"

#include <errno.h>
#include <linux/prctl.h>
#include <stdint.h>

#include "runtime/base/space.h"
#include "runtime/base/sys.h"

enum { STACK_BYTES = 64 * 1024 };

/* The thread sanitizer has thread-local data of its own in each function. */
#if defined(__x86_64__) && defined(__LP64__) && !defined(__SANITIZE_THREAD__)

/* Returns in the calling thread; the new one has another stack, which has no frame to return to. */
static long clone_and_run(unsigned long flags, void *stack, void (*run)(void))
{
	long result;

	__asm__ volatile("syscall\n\t"
	                 "test %%rax, %%rax\n\t"
	                 "jnz 1f\n\t"
	                 "xor %%ebp, %%ebp\n\t"
	                 "call *%[run]\n\t"
	                 "hlt\n"
	                 "1:"
	                 : "=a"(result)
	                 : "a"((long)SYS_clone), "D"(flags), "S"(stack), "d"(0L), [run] "r"(run)
	                 : "rcx", "r11", "r10", "r8", "memory");
	return result;
}

#elif defined(__aarch64__) && defined(__LP64__) && !defined(__SANITIZE_THREAD__)

static long clone_and_run(unsigned long flags, void *stack, void (*run)(void))
{
	register long what __asm__("x8") = SYS_clone, result __asm__("x0") = (long)flags;
	register long where __asm__("x1") = (long)stack, parent __asm__("x2") = 0, tls __asm__("x3") = 0,
			    child __asm__("x4") = 0;
	register void (*function)(void) __asm__("x9") = run;

	__asm__ volatile("svc #0\n\t"
	                 "cbnz x0, 1f\n\t"
	                 "mov x29, xzr\n\t"
	                 "blr x9\n\t"
	                 "brk #1\n"
	                 "1:"
	                 : "+r"(result)
	                 : "r"(what), "r"(where), "r"(parent), "r"(tls), "r"(child), "r"(function)
	                 : "memory", "x30");
	return result;
}

#else

static long clone_and_run(unsigned long flags, void *stack, void (*run)(void))
{
	(void)flags, (void)stack, (void)run;
	return -ENOSYS;
}

#endif

static void (*to_run)(void);

static void helper_thread_begin(void)
{
	OMPP_SYS2(prctl, PR_SET_NAME, "ompp");
	to_run();
}

int ompp_helper_thread(void (*run)(void))
{
	const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	char *stack = ompp_space_take(STACK_BYTES);
	uint64_t all = UINT64_MAX, before;
	long rc;

	if (!stack)
		return -ENOMEM;
	to_run = run;
	ompp_sys_sigmask(SIG_SETMASK, &all, &before); /* the new thread has the same mask */
	rc = clone_and_run(flags, stack + STACK_BYTES - 64,
	                   helper_thread_begin); /* inside of the mapping, as tools expect */
	ompp_sys_sigmask(SIG_SETMASK, &before, NULL);
	if (rc >= 0)
		return 0;
	ompp_sys_munmap(stack, STACK_BYTES);
	return (int)rc;
}
