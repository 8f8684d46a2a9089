/*
 * Doacross calls: the waits of loops with ordered(n), whose iterations wait for named ones and post that they are done.
 *
 * A call of GCC's that waits has an argument for each of the nested loops, and no word of how many they are.  A few
 * instructions pass on what it has in registers, and as many words of the stack as the loop with most of them needs:
 * what lies behind the call's own arguments is the caller's frame, and not looked at.  On processors for which there
 * is no such code here these waits are not measured.
 */
#define _GNU_SOURCE
#include <stdatomic.h>

#include "runtime/base/array.h"
#include "runtime/interpose/gomp_call.h"
#include "runtime/interpose/gomp_calls.h"

#define WORD uintptr_t

/* ---- loops ---- */

/* The most loops in each other that any loop has had so far; the compiler's counts are 32 bits. */
static _Atomic uint32_t most_nested;

static void doacross_note(WORD word)
{
	uint32_t n = (uint32_t)word, most = atomic_load_explicit(&most_nested, memory_order_relaxed);

	while (n > most && !atomic_compare_exchange_weak_explicit(&most_nested, &most, n, memory_order_relaxed,
	                                                          memory_order_relaxed))
		;
}

#define LOOP4(name) OMPP_GOMP_LOOP(4, name, (WORD a, WORD b, WORD c, WORD d), (a, b, c, d), doacross_note(a))
#define LOOP5(name) OMPP_GOMP_LOOP(5, name, (WORD a, WORD b, WORD c, WORD d, WORD e), (a, b, c, d, e), doacross_note(a))
#define LOOP8(name) \
	OMPP_GOMP_LOOP(8, name, (WORD a, WORD b, WORD c, WORD d, WORD e, WORD f, WORD g, WORD h), \
	               (a, b, c, d, e, f, g, h), doacross_note(a))

/* All that begin such a loop, by the number of their arguments; the first is the number of nested loops. */
#define LOOPS(_4, _5, _8) \
	_5(GOMP_loop_doacross_static_start) \
	_5(GOMP_loop_doacross_dynamic_start) \
	_5(GOMP_loop_doacross_guided_start) \
	_4(GOMP_loop_doacross_runtime_start) \
	_8(GOMP_loop_doacross_start) \
	_5(GOMP_loop_ull_doacross_static_start) \
	_5(GOMP_loop_ull_doacross_dynamic_start) \
	_5(GOMP_loop_ull_doacross_guided_start) \
	_4(GOMP_loop_ull_doacross_runtime_start) \
	_8(GOMP_loop_ull_doacross_start)

LOOPS(LOOP4, LOOP5, LOOP8)

/* ---- waits ---- */

#if defined(__x86_64__)
/* rax: where the real function's address is */
#define WAIT \
	"\tpush %rbp\n" \
	"\t.cfi_def_cfa_offset 16\n" \
	"\t.cfi_offset 6, -16\n" \
	"\tmov %rsp, %rbp\n" \
	"\t.cfi_def_cfa_register 6\n" \
	"\tsub $64, %rsp\n" \
	"\tmov %rdi, -8(%rbp)\n" \
	"\tmov %rsi, -16(%rbp)\n" \
	"\tmov %rdx, -24(%rbp)\n" \
	"\tmov %rcx, -32(%rbp)\n" \
	"\tmov %r8, -40(%rbp)\n" \
	"\tmov %r9, -48(%rbp)\n" \
	"\tmov %rax, -56(%rbp)\n" \
	"\tmov 8(%rbp), %rdi\n" \
	"\tlea 16(%rbp), %rsi\n" \
	"\tlea -64(%rbp), %rdx\n" \
	"\tcall ompp_doacross_enter\n" \
	"\tmov %rax, %rcx\n" \
	"\tinc %rax\n" \
	"\tand $-2, %rax\n" \
	"\tshl $3, %rax\n" \
	"\tsub %rax, %rsp\n" \
	"\tmov %rsp, %rdi\n" \
	"\tlea 16(%rbp), %rsi\n" \
	"\trep movsq\n" \
	"\tmov -8(%rbp), %rdi\n" \
	"\tmov -16(%rbp), %rsi\n" \
	"\tmov -24(%rbp), %rdx\n" \
	"\tmov -32(%rbp), %rcx\n" \
	"\tmov -40(%rbp), %r8\n" \
	"\tmov -48(%rbp), %r9\n" \
	"\tmov -56(%rbp), %r11\n" \
	"\txor %eax, %eax\n" \
	"\tcall *(%r11)\n" \
	"\tmov -64(%rbp), %rdi\n" \
	"\tcall ompp_doacross_leave\n" \
	"\tleave\n" \
	"\t.cfi_def_cfa 7, 8\n" \
	"\tret\n"
#define ENTRY(real) "\tendbr64\n\tlea " real "(%rip), %rax\n\tjmp ompp_doacross_call\n"
#elif defined(__aarch64__)
/* x16: where the real function's address is */
#define WAIT \
	"\tstp x29, x30, [sp, #-96]!\n" \
	"\t.cfi_def_cfa_offset 96\n" \
	"\t.cfi_offset 29, -96\n" \
	"\t.cfi_offset 30, -88\n" \
	"\tmov x29, sp\n" \
	"\t.cfi_def_cfa_register 29\n" \
	"\tstp x0, x1, [x29, #16]\n" \
	"\tstp x2, x3, [x29, #32]\n" \
	"\tstp x4, x5, [x29, #48]\n" \
	"\tstp x6, x7, [x29, #64]\n" \
	"\tstr x16, [x29, #80]\n" \
	"\tmov x0, x30\n" \
	"\tadd x1, x29, #96\n" \
	"\tadd x2, x29, #88\n" \
	"\tbl ompp_doacross_enter\n" \
	"\tadd x1, x0, #1\n" \
	"\tand x1, x1, #-2\n" \
	"\tsub sp, sp, x1, lsl #3\n" \
	"\tmov x2, sp\n" \
	"\tadd x1, x29, #96\n" \
	"1:\tcbz x0, 2f\n" \
	"\tldr x3, [x1], #8\n" \
	"\tstr x3, [x2], #8\n" \
	"\tsub x0, x0, #1\n" \
	"\tb 1b\n" \
	"2:\tldp x0, x1, [x29, #16]\n" \
	"\tldp x2, x3, [x29, #32]\n" \
	"\tldp x4, x5, [x29, #48]\n" \
	"\tldp x6, x7, [x29, #64]\n" \
	"\tldr x16, [x29, #80]\n" \
	"\tldr x16, [x16]\n" \
	"\tblr x16\n" \
	"\tldr x0, [x29, #88]\n" \
	"\tbl ompp_doacross_leave\n" \
	"\tmov sp, x29\n" \
	"\t.cfi_def_cfa_register 31\n" \
	"\tldp x29, x30, [sp], #96\n" \
	"\t.cfi_restore 29\n" \
	"\t.cfi_restore 30\n" \
	"\t.cfi_def_cfa_offset 0\n" \
	"\tret\n"
#define ENTRY(real) "\thint #34\n\tadrp x16, " real "\n\tadd x16, x16, :lo12:" real "\n\tb ompp_doacross_call\n"
#endif

#ifdef WAIT
#define HIDDEN __attribute__((visibility("hidden"), used))

/* Begins a wait, and keeps its region in *def.  Returns how many words of the stack to pass on. */
size_t ompp_doacross_enter(uintptr_t site, uintptr_t stack, const struct ompp_region_def **def) HIDDEN;
size_t ompp_doacross_enter(uintptr_t site, uintptr_t stack, const struct ompp_region_def **def)
{
	uint32_t n = atomic_load_explicit(&most_nested, memory_order_relaxed);

	*def = ompp_call_region(OMPP_ORDERED, NULL, site);
	ompp_gomp_enter(*def, OMPP_PART_REGION, (struct ompp_caller){ stack, site });
	return n > OMPP_IN_REGISTERS ? n - OMPP_IN_REGISTERS : 0;
}

void ompp_doacross_leave(const struct ompp_region_def *def) HIDDEN;
void ompp_doacross_leave(const struct ompp_region_def *def)
{
	ompp_gomp_leave(def, OMPP_PART_REGION);
}

#define FUNCTION(name, text) \
	__asm__("\t.pushsection .text\n" \
	        "\t.hidden " name "\n" \
	        "\t.globl " name "\n" \
	        "\t.type " name ", %function\n" name ":\n" \
	        "\t.cfi_startproc\n" text "\t.cfi_endproc\n" \
	        "\t.size " name ", . - " name "\n" \
	        "\t.popsection\n")

FUNCTION("ompp_doacross_call", WAIT);

/* Defines the function for a call that waits. */
#define DOACROSS_WAIT(name) \
	void (*ompp_real_##name)(void) HIDDEN; \
	void ompp_##name(void) HIDDEN; \
	FUNCTION("ompp_" #name, ENTRY("ompp_real_" #name))

DOACROSS_WAIT(GOMP_doacross_wait);
DOACROSS_WAIT(GOMP_doacross_ull_wait);

#define WAIT_ROW(name) { #name, ompp_##name, &ompp_real_##name, OMPP_REDIRECT_UNBUILT },
#define WAIT_ROWS      WAIT_ROW(GOMP_doacross_wait) WAIT_ROW(GOMP_doacross_ull_wait)
#else
#define WAIT_ROWS
#endif

OMPP_GOMP_VISIT_VOID(OMPP_ORDERED, GOMP_doacross_post, (WORD counts), (counts))
OMPP_GOMP_VISIT_VOID(OMPP_ORDERED, GOMP_doacross_ull_post, (WORD counts), (counts))

/* ---- Clang's ---- */

/* LLVM's library tells of such a wait when it is over: its time is known by the call, with the place, the thread and
 * the list of numbers. */
#define DOACROSS_CALL(name) \
	static void (*real_##name)(WORD, WORD, WORD); \
	static void name##_(WORD place, WORD thread, WORD list) \
	{ \
		struct ompp_caller caller = OMPP_CALLER(); \
		const struct ompp_region_def *def = ompp_call_told(OMPP_ORDERED, caller.site); \
		ompp_gomp_enter(def, OMPP_PART_REGION, caller); \
		real_##name(place, thread, list); \
		ompp_gomp_leave(def, OMPP_PART_REGION); \
	}

DOACROSS_CALL(__kmpc_doacross_wait)
DOACROSS_CALL(__kmpc_doacross_post)

void ompp_gomp_start_doacross(void)
{
#define ROW_AND(name) OMPP_CALL_ROW(name),
	static const struct ompp_redirection list[] = {
		LOOPS(ROW_AND, ROW_AND, ROW_AND) WAIT_ROWS OMPP_CALL_ROW(GOMP_doacross_post),
		OMPP_CALL_ROW(GOMP_doacross_ull_post),
		OMPP_CALL_ROW(__kmpc_doacross_wait),
		OMPP_CALL_ROW(__kmpc_doacross_post),
	};

	ompp_redirect_add(list, OMPP_COUNT_OF(list));
}
