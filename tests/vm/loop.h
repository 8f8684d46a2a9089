/*
 * Loop: executes a known number of instructions, LOOP_INSTRUCTIONS for each round, on 64-bit ARM.
 */
#ifndef VM_LOOP_H
#define VM_LOOP_H

#include <stdint.h>

enum { LOOP_INSTRUCTIONS = 4 };

static inline void loop(uint64_t rounds)
{
	__asm__ volatile("1:	nop\n"
	                 "	nop\n"
	                 "	subs	%0, %0, #1\n"
	                 "	b.ne	1b"
	                 : "+r"(rounds)
	                 :
	                 : "cc");
}

#endif
