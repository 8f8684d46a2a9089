/*
 * Callstack rule: how to compute the registers of a function's caller from its own, at a given instruction.
 *
 * Compilers write these rules for exceptions, as small programs in .eh_frame.  We trust them as much as the C++
 * unwinder does, but read nothing outside of the loaded file that contains them.
 */
#ifndef OMPP_PROGRAM_CALLSTACK_RULE_H
#define OMPP_PROGRAM_CALLSTACK_RULE_H

#include <stdint.h>

/* The base of the canonical frame address (CFA), i.e. the caller's stack pointer before the call.  OMPP_CFA_NONE is the
 * whole rule where the walk ends: at a thread's first function, and where nothing is known. */
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
	OMPP_FP_LOST    /* not known */
};

/* A rule fits into one word, for caching.  Offsets are in words of 8 bytes.  The return address is the word at CFA +
 * ra. */
struct ompp_callstack_rule {
	uint64_t cfa_from : 2, fp_from : 2;
	int64_t cfa : 28, fp : 16, ra : 16;
};

/* Returns the rule at an address of the program; for callers use an address in the call instruction, which is before
 * the return address.  It takes the dynamic linker's lock if the C library has no _dl_find_object (host/real.h). */
struct ompp_callstack_rule ompp_callstack_rule(uintptr_t address);

#endif
