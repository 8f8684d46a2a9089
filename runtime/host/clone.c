/*
 * Clone: see clone.h.
 */
#define _GNU_SOURCE
#include "runtime/host/clone.h"

#include <errno.h>

#include "runtime/base/sys.h"

/* The thread sanitizer has thread-local data of its own in each function. */
#if defined(__x86_64__) && defined(__LP64__) && !defined(__SANITIZE_THREAD__)

/* Returns in the calling thread; the new one has another stack, which has no frame to return to. */
static long clone_and_run(unsigned long flags, void *stack, void (*run)(void), uint32_t *id)
{
	register long child __asm__("r10") = (long)id;
	long result;

	__asm__ volatile("syscall\n\t"
	                 "test %%rax, %%rax\n\t"
	                 "jnz 1f\n\t"
	                 "xor %%ebp, %%ebp\n\t"
	                 "call *%[run]\n\t"
	                 "hlt\n"
	                 "1:"
	                 : "=a"(result)
	                 : "a"((long)SYS_clone), "D"(flags), "S"(stack), "d"(id), "r"(child), [run] "r"(run)
	                 : "rcx", "r11", "r8", "memory");
	return result;
}

#elif defined(__aarch64__) && defined(__LP64__) && !defined(__SANITIZE_THREAD__)

static long clone_and_run(unsigned long flags, void *stack, void (*run)(void), uint32_t *id)
{
	register long what __asm__("x8") = SYS_clone, result __asm__("x0") = (long)flags;
	register long where __asm__("x1") = (long)stack, parent __asm__("x2") = (long)id, tls __asm__("x3") = 0,
			    child __asm__("x4") = (long)id;
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

static long clone_and_run(unsigned long flags, void *stack, void (*run)(void), uint32_t *id)
{
	(void)flags, (void)stack, (void)run, (void)id;
	return -ENOSYS;
}

#endif

long ompp_clone(unsigned long flags, void *stack, void (*run)(void), uint32_t *id)
{
	uint64_t all = UINT64_MAX, before;
	long rc;

	ompp_sys_sigmask(SIG_SETMASK, &all, &before); /* the new one has the same mask */
	rc = clone_and_run(flags, stack, run, id);
	ompp_sys_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}
