/*
 * Operations: how many operations on numbers an x86-64 instruction does, by the rules by which code built with kinst
 * --work counts its own (counters/work.h).
 *
 * A vector instruction does one operation for each element of its registers, bitwise logic of integers one for each 8
 * bytes.  Not counted are copies, comparisons of integers, tests, jumps, computing addresses (lea), changes of the
 * stack pointer, bitwise logic of floating-point numbers, and the idioms that set a register to 0.  Operations of the
 * x87 count as those of other precisions.
 */
#ifndef OMPP_EMULATOR_OPERATIONS_H
#define OMPP_EMULATOR_OPERATIONS_H

#include <stdint.h>

#include "runtime/counters/work.h"
#include "runtime/emulator/instruction.h"

/* Adds those of an instruction to the words of a block.  Returns their number. */
unsigned int ompp_operations_add(const struct ompp_instruction *p, uint32_t words[OMPP_WORK_WORDS]);

#endif
