/*
 * Jumps: setjmp() and longjmp() of the program, by ld --wrap.
 *
 * A function that returns twice must not be called by a function that has returned by then.  So the setjmp functions
 * here are a few instructions that save their arguments, call ompp_jump_set(), and jump to the real function with the
 * original stack and return address.  On processors for which there is no such code here, setjmp() is not wrapped, nor
 * is longjmp(), as its buffers are not known.
 */
#include "runtime/access/emulated.h"
#include "runtime/events/jump.h"

#ifdef PIC
#define REAL(name)      name
#define REAL_TEXT(name) #name
#else
#define REAL(name)      __real_##name
#define REAL_TEXT(name) "__real_" #name
#endif

#if defined(__x86_64__)
#define ENTRY "\tendbr64\n"
#define SET_AND_GO(real) \
	"\tpush %rdi\n" \
	"\t.cfi_adjust_cfa_offset 8\n" \
	"\tpush %rsi\n" \
	"\t.cfi_adjust_cfa_offset 8\n" \
	"\tsub $8, %rsp\n" \
	"\t.cfi_adjust_cfa_offset 8\n" \
	"\tcall ompp_jump_set\n" \
	"\tadd $8, %rsp\n" \
	"\t.cfi_adjust_cfa_offset -8\n" \
	"\tpop %rsi\n" \
	"\t.cfi_adjust_cfa_offset -8\n" \
	"\tpop %rdi\n" \
	"\t.cfi_adjust_cfa_offset -8\n" \
	"\tjmp " real "@PLT\n"
#elif defined(__aarch64__)
#define ENTRY "\thint #34\n"
#define SET_AND_GO(real) \
	"\tstp x29, x30, [sp, #-32]!\n" \
	"\t.cfi_def_cfa_offset 32\n" \
	"\t.cfi_offset 29, -32\n" \
	"\t.cfi_offset 30, -24\n" \
	"\tstp x0, x1, [sp, #16]\n" \
	"\tbl ompp_jump_set\n" \
	"\tldp x0, x1, [sp, #16]\n" \
	"\tldp x29, x30, [sp], #32\n" \
	"\t.cfi_restore 29\n" \
	"\t.cfi_restore 30\n" \
	"\t.cfi_def_cfa_offset 0\n" \
	"\tb " real "\n"
#endif

#ifdef SET_AND_GO
#define WRAP_SET(name) \
	__asm__("\t.text\n" \
	        "\t.globl __wrap_" #name "\n" \
	        "\t.type __wrap_" #name ", %function\n" \
	        "__wrap_" #name ":\n" \
	        "\t.cfi_startproc\n" ENTRY SET_AND_GO(REAL_TEXT(name)) "\t.cfi_endproc\n" \
	                                                               "\t.size __wrap_" #name ", . - __wrap_" #name \
	                                                               "\n")

__asm__("\t.hidden ompp_jump_set\n");
WRAP_SET(setjmp);
WRAP_SET(_setjmp);
WRAP_SET(__sigsetjmp);

#define WRAP_JUMP(name) \
	extern void REAL(name)(void *, int) __attribute__((noreturn)); \
	void __wrap_##name(void *buffer, int value) __attribute__((noreturn)); \
	void __wrap_##name(void *buffer, int value) \
	{ \
		ompp_emulated_allocating = 0; \
		ompp_jump_go(buffer); \
		REAL(name)(buffer, value); \
	}

/* With _FORTIFY_SOURCE all of them become this one, which checks that the target lies above. */
WRAP_JUMP(__longjmp_chk)
WRAP_JUMP(longjmp)
WRAP_JUMP(_longjmp)
WRAP_JUMP(siglongjmp)
#endif
