/*
 * Callstack: unwinds the call stack, fast enough for each allocation.
 *
 * Callers are found with the unwind tables that compilers write for exceptions (callstack_rule.h), so programs need no
 * frame pointers.  The rules of addresses that were seen before are cached in a table of fixed size that all threads
 * share.
 *
 * All of it may be called inside malloc, in signal handlers, and while the dynamic linker's lock is held: there is no
 * heap, no errno and no waiting for other threads.  One case waits: for an address that is not in the cache, in a
 * static program or with a glibc before 2.35, the dynamic linker's lock is taken (the recursive one of
 * dl_iterate_phdr(), which is not held while constructors run).
 */
#ifndef OMPP_PROGRAM_CALLSTACK_H
#define OMPP_PROGRAM_CALLSTACK_H

#include <stddef.h>
#include <stdint.h>

/* Finds the callers of the function whose registers are given: their return addresses, the innermost first.  Returns
 * how many, at most n_most.
 *
 * pc, sp, fp: the program counter (of the instruction that is executed next), the stack pointer, and the frame pointer
 * register, whatever its contents
 * stack_hi: the end of the stack that sp is in.  Only the memory from sp to it, which has to be readable, and the
 * unwind tables of the loaded files are read
 *
 * The walk only goes upwards, so it always ends.  It ends at the thread's first function; at code without unwind tables
 * (JIT code, assembler; we do not guess by the frame pointer); at a signal handler, whose caller is the kernel: the
 * last address is then the handler's return address; and at stack_hi.  On a damaged stack wrong callers may be
 * returned.  Callers are found only on x86-64 and aarch64. */
size_t ompp_callstack(uintptr_t pc, uintptr_t sp, uintptr_t fp, uintptr_t stack_hi, uintptr_t *callers, size_t n_most);

/* Discards the cached rules when files were loaded or unloaded since the last call.  Until then callers in a file that
 * was loaded where another one was may be wrong, but no invalid memory is read.  It takes the dynamic linker's lock for
 * some instructions, so call it now and then, outside of signal handlers. */
void ompp_callstack_forget(void);

/* Finds the callers of the current function, which must not be inlined: callers[0] is its return address. */
static inline __attribute__((always_inline)) size_t ompp_callstack_here(uintptr_t stack_hi, uintptr_t *callers,
                                                                        size_t n_most)
{
	uintptr_t pc = 0, sp = 0, fp = 0;
	size_t n;

#if defined(__x86_64__)
	__asm__ volatile("leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2" : "=a"(pc), "=c"(sp), "=d"(fp));
#elif defined(__aarch64__)
	/* x30 is listed as clobbered, so that the function saves it. */
	__asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29" : "=&r"(pc), "=&r"(sp), "=&r"(fp) : : "x30");
#endif
	n = ompp_callstack(pc, sp, fp, stack_hi, callers, n_most);
	/* The function's frame must still exist during the call: this prevents a tail call. */
	__asm__ volatile("" : "+r"(n));
	return n;
}

#endif
