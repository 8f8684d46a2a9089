/*
 * Callstack: who called, fast enough to be asked at each allocation.
 *
 * Callers are found by what compilers write for exceptions (callstack_rule.h), so programs need no frame pointers.  The
 * rules of addresses that were met before are kept in a fixed table that all threads share.
 *
 * All of it may be called inside malloc, in signal handlers, and while the dynamic linker's lock is held: there is no
 * heap, no errno and no waiting for other threads.  One case waits: at an address that was not met before, in a static
 * program or with a glibc before 2.35, the dynamic linker's lock is taken (the one of dl_iterate_phdr(), which a thread
 * may take again, and which is not held while constructors run).
 */
#ifndef OMPP_PROGRAM_CALLSTACK_H
#define OMPP_PROGRAM_CALLSTACK_H

#include <stddef.h>
#include <stdint.h>

/* Finds the callers of the function whose registers are given: the addresses at which they go on, the innermost first.
 * Returns how many, at most n_most.
 *
 * pc, sp, fp: the program counter (of the instruction that is executed next), the stack pointer, and the register that
 * compilers use as frame pointer, whatever is in it
 * stack_hi: the end of the stack that sp is in.  Nothing is read but the memory from sp to it, which has to be
 * readable, and what the loaded files have for exceptions
 *
 * The walk goes upwards, so it ends whatever is on the stack.  It ends at the first function of the thread; at code
 * that no file says anything about (a compiler's at run time, assembler; no guesses are made by the frame pointer); at
 * a signal handler, whose caller is the kernel: the last address is then where the handler returns to; and behind
 * stack_hi.  What is on a damaged stack may come out as a caller.  Elsewhere than on x86-64 and aarch64 no callers are
 * found. */
size_t ompp_callstack(uintptr_t pc, uintptr_t sp, uintptr_t fp, uintptr_t stack_hi, uintptr_t *callers, size_t n_most);

/* Forgets the rules when files were loaded or unloaded since the last call.  Until then callers in a file that was
 * loaded where another one was may be wrong, never the memory that is read.  It takes the dynamic linker's lock for
 * some instructions, so it is to be called now and then, outside of signal handlers. */
void ompp_callstack_forget(void);

/* Finds the callers of the function that this is in, which must not be inlined: callers[0] is the address that it
 * returns to. */
static inline __attribute__((always_inline)) size_t ompp_callstack_here(uintptr_t stack_hi, uintptr_t *callers,
                                                                        size_t n_most)
{
	uintptr_t pc = 0, sp = 0, fp = 0;
	size_t n;

#if defined(__x86_64__)
	__asm__ volatile("leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2" : "=a"(pc), "=c"(sp), "=d"(fp));
#elif defined(__aarch64__)
	/* As x30 is clobbered, the function has saved it. */
	__asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29" : "=&r"(pc), "=&r"(sp), "=&r"(fp) : : "x30");
#endif
	n = ompp_callstack(pc, sp, fp, stack_hi, callers, n_most);
	/* The function must still be there meanwhile: with this the call is not its last instruction. */
	__asm__ volatile("" : "+r"(n));
	return n;
}

#endif
