/*
 * Instruction: see instruction.h.
 */
#include "runtime/emulator/instruction.h"

#include <string.h>

enum { WIDE = 8, REG = 4, RM = 1, HIGH = 8 }; /* the bits of REX, and what a bit adds to the number of a register */

/* Reads the bytes of a VEX prefix from `at` on.  Returns where the opcode is; n when it is not whole. */
static size_t read_vex(const unsigned char *code, size_t n, size_t at, struct ompp_instruction *to, unsigned int *rex)
{
	int is_three = code[at] == 0xc4;
	unsigned char last;

	if (at + 2 + (size_t)is_three >= n)
		return n;
	*rex = (code[at + 1] & 0x80 ? 0 : REG) | (is_three && !(code[at + 1] & 0x20) ? RM : 0);
	to->map = is_three ? code[at + 1] & 31 : 1;
	last = code[at + 1 + is_three];
	to->is_vex = 1;
	to->wide = is_three && last >> 7;
	to->is_long = last >> 2 & 1;
	to->other = (unsigned char)(~last >> 3 & 15);
	to->p66 = (last & 3) == 1;
	to->f3 = (last & 3) == 2;
	to->f2 = (last & 3) == 3;
	return at + 2 + (size_t)is_three;
}

static size_t read_prefixes(const unsigned char *code, size_t n, struct ompp_instruction *to)
{
	size_t at = 0;

	for (; at < n; at++) {
		unsigned char c = code[at];

		if (c == 0x66)
			to->p66 = 1;
		else if (c == 0xf2)
			to->f2 = 1;
		else if (c == 0xf3)
			to->f3 = 1;
		else if (c == 0xf0)
			to->is_locked = 1;
		else if (c != 0x2e && c != 0x36 && c != 0x3e && c != 0x26 && c != 0x64 && c != 0x65 && c != 0x67)
			break;
	}
	return at;
}

int ompp_instruction_read(const unsigned char *code, size_t n, struct ompp_instruction *to)
{
	unsigned int rex = 0;
	size_t at;

	memset(to, 0, sizeof(*to));
	at = read_prefixes(code, n, to);
	if (at < n && (code[at] == 0xc4 || code[at] == 0xc5)) {
		at = read_vex(code, n, at, to, &rex);
	} else {
		if (at < n && code[at] >> 4 == 4)
			rex = code[at++];
		to->wide = (rex & WIDE) != 0;
		if (at < n && code[at] == 0x0f) {
			to->map = 1;
			at++;
			if (at < n && (code[at] == 0x38 || code[at] == 0x3a))
				to->map = code[at++] == 0x38 ? 2 : 3;
		}
	}
	if (at >= n)
		return 0;
	to->op = code[at++];
	if (at < n) {
		to->modrm = code[at];
		to->is_register = to->modrm >> 6 == 3;
		to->reg = (unsigned char)((to->modrm >> 3 & 7) + (rex & REG ? HIGH : 0));
		to->rm = (unsigned char)((to->modrm & 7) + (rex & RM ? HIGH : 0));
	}
	return 1;
}
