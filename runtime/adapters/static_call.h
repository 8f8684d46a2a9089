/*
 * Static call: lets a static program call a function through a pointer of ours, as dynamically linked programs call it
 * through the GOT.  host/redirect.h changes these pointers.
 *
 * kinst links static programs with --wrap=NAME for each such function, so that calls lead to __wrap_NAME.  It jumps to
 * the pointer's target, which is the program's own function at first.  libompp_access.a has its own __wrap_NAME for
 * some of them; that one jumps to ompp_static_NAME, which is the same jump.
 */
#ifndef OMPP_ADAPTERS_STATIC_CALL_H
#define OMPP_ADAPTERS_STATIC_CALL_H

#include "runtime/host/redirect.h"

#if defined(__x86_64__)
#define OMPP_STATIC_JUMP(word) "\tjmp *" word "+8(%rip)\n"
#elif defined(__aarch64__)
#define OMPP_STATIC_JUMP(word) \
	"\thint #34\n" /* bti c: the program may have its address */ \
	"\tadrp x16, " word "+8\n" \
	"\tldr x16, [x16, #:lo12:" word "+8]\n" \
	"\tbr x16\n"
#endif

#ifdef OMPP_STATIC_JUMP

/* Defines the pointer and the jump of a function.  real: how the real function is declared (weak or not). */
#define OMPP_STATIC_CALL_AS(name, real) \
	extern void __real_##name(void) real; \
	extern struct ompp_static_call ompp_static_word_##name __attribute__((visibility("hidden"))); \
	struct ompp_static_call ompp_static_word_##name \
		__attribute__((section("ompp_static_calls"), aligned(8), used)) = { #name, __real_##name, \
		                                                                    __real_##name }; \
	__asm__("\t.text\n" \
	        "\t.globl ompp_static_" #name "\n" \
	        "\t.hidden ompp_static_" #name "\n" \
	        "\t.type ompp_static_" #name ", %function\n" \
	        "\t.weak __wrap_" #name "\n" \
	        "\t.hidden __wrap_" #name "\n" \
	        "\t.type __wrap_" #name ", %function\n" \
	        "ompp_static_" #name ":\n" \
	        "__wrap_" #name ":\n" \
	        "\t.cfi_startproc\n" OMPP_STATIC_JUMP("ompp_static_word_" #name) "\t.cfi_endproc\n" \
	                                                                         "\t.size ompp_static_" #name \
	                                                                         ", . - ompp_static_" #name "\n" \
	                                                                         "\t.size __wrap_" #name \
	                                                                         ", . - __wrap_" #name "\n")

#else
#define OMPP_STATIC_CALL_AS(name, real) extern void __real_##name(void) real
#endif

#define OMPP_STATIC_CALL(name)      OMPP_STATIC_CALL_AS(name, )
#define OMPP_STATIC_CALL_WEAK(name) OMPP_STATIC_CALL_AS(name, __attribute__((weak)))

#endif
