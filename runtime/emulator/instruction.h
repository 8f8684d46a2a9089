/*
 * Instruction: decodes what identifies an x86-64 instruction: its prefixes, its opcode, and the byte after that.
 */
#ifndef OMPP_EMULATOR_INSTRUCTION_H
#define OMPP_EMULATOR_INSTRUCTION_H

#include <stddef.h>

/* map: 0 for opcodes of one byte, 1 for those behind 0f, 2 behind 0f 38, 3 behind 0f 3a
 * modrm: the byte behind the opcode, which for most tells the operands; 0 when there is none
 * p66, f2, f3: prefixes, which choose between operations
 * wide: operands of 64 bits (REX.W, VEX.W)
 * is_vex: it is one with a prefix of vectors, VEX; then is_long says that its registers have 32 bytes, and `other` is
 *         the number of its third register
 * reg, rm: the numbers of the registers, rm where is_register */
struct ompp_instruction {
	unsigned int map;
	unsigned char op, modrm;
	unsigned char p66, f2, f3, wide, is_vex, is_long, is_locked, is_register;
	unsigned char reg, rm, other;
};

/* Returns 1 when it has an opcode; without, it is none that we know. */
int ompp_instruction_read(const unsigned char *code, size_t n, struct ompp_instruction *to);

#endif
