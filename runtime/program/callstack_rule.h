/*
 * Callstack rule: how the registers of a function's caller follow from its own, while it is at one of its instructions.
 *
 * Compilers write that for exceptions, as small programs in .eh_frame.  Those are trusted as far as the unwinder of C++
 * trusts them, but nothing is read outside of the loaded file that they are in.
 */
#ifndef OMPP_PROGRAM_CALLSTACK_RULE_H
#define OMPP_PROGRAM_CALLSTACK_RULE_H

#include <stdint.h>

/* What the canonical frame address (CFA) is counted from: the stack pointer of the caller, as it was before the call.
 * OMPP_CFA_NONE is the whole rule where the walk ends: at the first function of a thread, and where nothing is known.
 */
enum ompp_callstack_cfa {
	OMPP_CFA_NONE,
	OMPP_CFA_SP,   /* CFA = stack pointer + cfa */
	OMPP_CFA_FP,   /* CFA = frame pointer + cfa */
	OMPP_CFA_AT_FP /* CFA = the word at frame pointer + cfa: a function that aligns its stack */
};

/* Where the caller's frame pointer is. */
enum ompp_callstack_fp {
	OMPP_FP_SAME,   /* in its register */
	OMPP_FP_AT_CFA, /* the word at CFA + fp */
	OMPP_FP_AT_FP,  /* the word at frame pointer + fp */
	OMPP_FP_LOST    /* nobody knows */
};

/* A rule is one word, which caches keep.  Distances are in words of 8 bytes.  The caller goes on at the address that is
 * the word at CFA + ra. */
struct ompp_callstack_rule {
	uint64_t cfa_from : 2, fp_from : 2;
	int64_t cfa : 28, fp : 16, ra : 16;
};

/* Returns the rule at an address of the program: of the call for callers, which is before the address at which they go
 * on.  It takes the dynamic linker's lock where the C library has no _dl_find_object (host/real.h). */
struct ompp_callstack_rule ompp_callstack_rule(uintptr_t address);

#endif
