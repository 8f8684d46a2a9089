/*
 * Operations: see operations.h.
 */
#include "runtime/emulator/operations.h"

enum { X87_SQRT = 0xfa, X87_ROUND = 0xfc, X87_TEST = 0xe4, STACK_POINTER = 4, ALL_LOGIC = 8 };

static unsigned int register_bytes(const struct ompp_instruction *p)
{
	return p->is_long ? 32 : 16;
}

static unsigned int put(uint32_t *words, unsigned int word, unsigned int n)
{
	words[word] += n;
	return n;
}

/* ---- floating point, in registers of vectors ---- */

/* Adds n operations of a kind. */
static unsigned int put_float(uint32_t *words, unsigned int kind, int is_double, unsigned int n, int is_packed)
{
	if (is_packed)
		words[OMPP_WORK_VECTOR] += n;
	return put(words, (is_double ? OMPP_WORK_DOUBLE : OMPP_WORK_SINGLE) * OMPP_WORK_KINDS + kind, n);
}

/* An operation whose prefix says of which numbers: none and 66 of all in the register, f3 and f2 of one. */
static unsigned int put_by_prefix(uint32_t *words, const struct ompp_instruction *p, unsigned int kind)
{
	int is_double = p->p66 || p->f2, is_packed = !p->f2 && !p->f3;

	if (p->f2 || p->f3)
		is_double = p->f2;
	return put_float(words, kind, is_double, is_packed ? register_bytes(p) / (is_double ? 8 : 4) : 1, is_packed);
}

/* Returns how many numbers an operation of 0f has whose prefix says so. */
static unsigned int n_by_prefix(const struct ompp_instruction *p)
{
	return p->f2 || p->f3 ? 1 : register_bytes(p) / (p->p66 ? 8 : 4);
}

static unsigned int put_float_0f(uint32_t *words, const struct ompp_instruction *p)
{
	unsigned int n = register_bytes(p);

	switch (p->op) {
	case 0x51:
	case 0x52: /* rsqrt */
		return put_by_prefix(words, p, OMPP_WORK_SQRT);
	case 0x53: /* rcp */
	case 0x5e:
		return put_by_prefix(words, p, OMPP_WORK_DIV);
	case 0x58:
	case 0x5c:
		return put_by_prefix(words, p, OMPP_WORK_ADD);
	case 0x59:
		return put_by_prefix(words, p, OMPP_WORK_MUL);
	case 0x7c: /* haddps, haddpd and their like, which have no forms for one number */
	case 0x7d:
	case 0xd0:
		return p->f2 || p->p66 ? put_float(words, OMPP_WORK_ADD, p->p66, n / (p->p66 ? 8 : 4), 1) : 0;
	case 0x5d:
	case 0x5f:
	case 0xc2:
		return put(words, OMPP_WORK_COMPARE, n_by_prefix(p));
	case 0x2e:
	case 0x2f:
		return put(words, OMPP_WORK_COMPARE, 1);
	case 0x2a: /* the packed ones are of MMX */
	case 0x2c:
	case 0x2d:
		return put(words, OMPP_WORK_CONVERT, p->f2 || p->f3 ? 1 : 2);
	case 0x5a:
		return put(words, OMPP_WORK_CONVERT, p->f2 || p->f3 ? 1 : n / 8);
	case 0x5b:
		return put(words, OMPP_WORK_CONVERT, n / 4);
	case 0xe6:
		return put(words, OMPP_WORK_CONVERT, n / 8);
	default:
		return 0;
	}
}

/* Multiplications and additions: the low digit of their opcode says of how many numbers, and with which signs. */
static unsigned int put_fma(uint32_t *words, const struct ompp_instruction *p)
{
	int is_packed = (p->op & 15) < 9 || !(p->op & 1);
	unsigned int n = is_packed ? register_bytes(p) / (p->wide ? 8 : 4) : 1;

	return put_float(words, OMPP_WORK_MUL, p->wide, n, is_packed) +
	       put_float(words, OMPP_WORK_ADD, p->wide, n, is_packed);
}

static unsigned int put_float_3a(uint32_t *words, const struct ompp_instruction *p)
{
	unsigned int n = register_bytes(p);

	switch (p->op) {
	case 0x08:
	case 0x09:
		return put(words, OMPP_WORK_CONVERT, n / (p->op & 1 ? 8 : 4));
	case 0x0a:
	case 0x0b:
		return put(words, OMPP_WORK_CONVERT, 1);
	case 0x1d: /* vcvtps2ph */
		return put(words, OMPP_WORK_CONVERT, n / 4);
	case 0x40: /* dpps: four products and their sum, of each 16 bytes */
		return put_float(words, OMPP_WORK_MUL, 0, n / 4, 1) + put_float(words, OMPP_WORK_ADD, 0, n / 16 * 3, 1);
	case 0x41:
		return put_float(words, OMPP_WORK_MUL, 1, n / 8, 1) + put_float(words, OMPP_WORK_ADD, 1, n / 16, 1);
	default:
		return 0;
	}
}

/* ---- the x87 ---- */

/* The operation by the middle of the byte behind the opcode: add, multiply, compare twice, subtract and divide twice.
 */
static unsigned int put_x87_by(uint32_t *words, unsigned int which)
{
	static const unsigned char kinds[] = { OMPP_WORK_ADD, OMPP_WORK_MUL, 0, 0, OMPP_WORK_ADD, OMPP_WORK_ADD,
		                               OMPP_WORK_DIV, OMPP_WORK_DIV };

	if (which == 2 || which == 3)
		return put(words, OMPP_WORK_COMPARE, 1);
	return put(words, OMPP_WORK_OTHER * OMPP_WORK_KINDS + kinds[which], 1);
}

/* Instructions of registers alone, d9 to df but da. */
static unsigned int put_x87_register(uint32_t *words, const struct ompp_instruction *p)
{
	unsigned int which = p->reg & 7;

	switch (p->op) {
	case 0xd9:
		if (p->modrm == X87_SQRT)
			return put(words, OMPP_WORK_OTHER * OMPP_WORK_KINDS + OMPP_WORK_SQRT, 1);
		if (p->modrm == X87_ROUND)
			return put(words, OMPP_WORK_CONVERT, 1);
		return p->modrm == X87_TEST ? put(words, OMPP_WORK_COMPARE, 1) : 0;
	case 0xd8:
	case 0xdc:
		return put_x87_by(words, which);
	case 0xde:
		return which == 2 ? 0 : put_x87_by(words, which);
	case 0xda:
		return which == 5 ? put(words, OMPP_WORK_COMPARE, 1) : 0; /* fucompp */
	case 0xdb:
	case 0xdf:
		return which == 5 || which == 6 ? put(words, OMPP_WORK_COMPARE, 1) : 0;
	case 0xdd:
		return which == 4 || which == 5 ? put(words, OMPP_WORK_COMPARE, 1) : 0;
	default:
		return 0;
	}
}

static unsigned int put_x87(uint32_t *words, const struct ompp_instruction *p)
{
	unsigned int which = p->reg & 7;

	if (p->is_register)
		return put_x87_register(words, p);
	if (p->op == 0xd8 || p->op == 0xda || p->op == 0xdc || p->op == 0xde)
		return put_x87_by(words, which);
	/* integers from and to memory */
	if ((p->op == 0xdb && which < 4) || (p->op == 0xdd && which == 1) ||
	    (p->op == 0xdf && which != 4 && which != 6))
		return put(words, OMPP_WORK_CONVERT, 1);
	return 0;
}

/* ---- integers ---- */

/* Bytes of the elements of 0f op, where the operation is an addition or subtraction, or a shift; 0 for others. */
static unsigned int integer_element(unsigned char op)
{
	switch (op) {
	case 0xfc:
	case 0xf8:
	case 0xec:
	case 0xe8:
	case 0xdc:
	case 0xd8:
		return 1;
	case 0xfd:
	case 0xf9:
	case 0xed:
	case 0xe9:
	case 0xdd:
	case 0xd9:
	case 0xd1:
	case 0xe1:
	case 0xf1:
	case 0x71:
		return 2;
	case 0xfe:
	case 0xfa:
	case 0xd2:
	case 0xe2:
	case 0xf2:
	case 0x72:
		return 4;
	case 0xd4:
	case 0xfb:
	case 0xd3:
	case 0xf3:
		return 8;
	default:
		return 0;
	}
}

/* Does the operation set a register to 0, as both operands are the same? */
static int is_idiom(const struct ompp_instruction *p)
{
	return p->is_register && (p->is_vex ? p->other : p->reg) == p->rm;
}

static unsigned int put_vector_0f(uint32_t *words, const struct ompp_instruction *p)
{
	unsigned int n = p->is_vex || p->p66 ? register_bytes(p) : 8, element = integer_element(p->op);

	if (element) /* both subtractions of a register from itself and shifts by itself are rare but the former */
		return is_idiom(p) && p->op >= 0xf8 && p->op <= 0xfb ? 0 : put(words, OMPP_WORK_INT, n / element);
	switch (p->op) {
	case 0x73: /* shifts of 8 bytes; of the whole register none */
		return (p->reg & 7) == 2 || (p->reg & 7) == 6 ? put(words, OMPP_WORK_INT, n / 8) : 0;
	case 0xdb:
	case 0xdf:
	case 0xeb:
		return put(words, OMPP_WORK_INT, n / ALL_LOGIC);
	case 0xef:
		return is_idiom(p) ? 0 : put(words, OMPP_WORK_INT, n / ALL_LOGIC);
	case 0xd5:
	case 0xe4:
	case 0xe5:
		return put(words, OMPP_WORK_INT_MUL, n / 2);
	case 0xf4:
		return put(words, OMPP_WORK_INT_MUL, n / 8);
	case 0xf5:
		return put(words, OMPP_WORK_INT_MUL, n / 2) + put(words, OMPP_WORK_INT, n / 4);
	default:
		return 0;
	}
}

static unsigned int put_integer_0f(uint32_t *words, const struct ompp_instruction *p)
{
	switch (p->op) {
	case 0xaf:
		return put(words, OMPP_WORK_INT_MUL, 1);
	case 0xa4:
	case 0xa5:
	case 0xac:
	case 0xad: /* shld, shrd */
	case 0xc0:
	case 0xc1: /* xadd */
		return put(words, OMPP_WORK_INT, 1);
	default:
		return p->f2 || p->f3 ? 0 : put_vector_0f(words, p);
	}
}

static unsigned int put_38(uint32_t *words, const struct ompp_instruction *p)
{
	unsigned int n = p->is_vex || p->p66 ? register_bytes(p) : 8;

	if (p->is_vex && p->op >= 0x96 && p->op <= 0xbf && (p->op & 15) >= 6)
		return put_fma(words, p);
	switch (p->op) {
	case 0x13: /* vcvtph2ps */
		return p->is_vex ? put(words, OMPP_WORK_CONVERT, n / 4) : 0;
	case 0x01:
	case 0x03:
	case 0x05:
	case 0x07: /* phaddw and their like */
		return put(words, OMPP_WORK_INT, n / 2);
	case 0x02:
	case 0x06:
		return put(words, OMPP_WORK_INT, n / 4);
	case 0x04: /* pmaddubsw */
		return put(words, OMPP_WORK_INT_MUL, n) + put(words, OMPP_WORK_INT, n / 2);
	case 0x0b: /* pmulhrsw */
		return put(words, OMPP_WORK_INT_MUL, n / 2);
	case 0x28: /* pmuldq */
		return put(words, OMPP_WORK_INT_MUL, n / 8);
	case 0x40: /* pmulld */
		return put(words, OMPP_WORK_INT_MUL, n / 4);
	case 0x45:
	case 0x46:
	case 0x47: /* shifts of each element by its own number */
		return p->is_vex ? put(words, OMPP_WORK_INT, n / (p->wide ? 8 : 4)) : 0;
	case 0xf2: /* andn */
	case 0xf3: /* blsr and their like */
	case 0xf7: /* shifts, bextr */
		return p->is_vex ? put(words, OMPP_WORK_INT, 1) : 0;
	case 0xf6: /* mulx; adcx, adox */
		if (p->is_vex)
			return p->f2 ? put(words, OMPP_WORK_INT_MUL, 1) : 0;
		return put(words, OMPP_WORK_INT, 1);
	default:
		return 0;
	}
}

/* Operations that opcodes of one byte choose by the middle of the byte behind: 80 to 83, shifts, f6 and f7, fe and ff.
 */
static unsigned int put_group(uint32_t *words, const struct ompp_instruction *p)
{
	unsigned int which = p->reg & 7;

	switch (p->op) {
	case 0x80:
	case 0x81:
	case 0x83:
		return which == 7 || (p->is_register && p->rm == STACK_POINTER) ? 0 : put(words, OMPP_WORK_INT, 1);
	case 0xf6:
	case 0xf7:
		return which < 2 ? 0
		                 : put(words,
		                       which < 4   ? OMPP_WORK_INT
		                       : which < 6 ? OMPP_WORK_INT_MUL
		                                   : OMPP_WORK_INT_DIV,
		                       1);
	case 0xfe:
	case 0xff:
		return which > 1 ? 0 : put(words, OMPP_WORK_INT, 1);
	default: /* shifts and rotations */
		return put(words, OMPP_WORK_INT, 1);
	}
}

static unsigned int put_one_byte(uint32_t *words, const struct ompp_instruction *p)
{
	unsigned int which = p->op >> 3 & 7;

	if (p->op >= 0xd8 && p->op <= 0xdf)
		return put_x87(words, p);
	if (p->op < 0x40) { /* add, or, adc, sbb, and, sub, xor, cmp, each in six forms */
		if ((p->op & 7) > 5 || which == 7)
			return 0;
		if ((which == 5 || which == 6) && (p->op & 7) < 4 && is_idiom(p))
			return 0;
		return (p->op & 7) < 4 && p->is_register && (p->op & 2 ? p->reg : p->rm) == STACK_POINTER
		             ? 0
		             : put(words, OMPP_WORK_INT, 1);
	}
	switch (p->op) {
	case 0x69:
	case 0x6b:
		return put(words, OMPP_WORK_INT_MUL, 1);
	case 0x80:
	case 0x81:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3:
	case 0xf6:
	case 0xf7:
	case 0xfe:
	case 0xff:
		return put_group(words, p);
	default:
		return 0;
	}
}

unsigned int ompp_operations_add(const struct ompp_instruction *p, uint32_t words[OMPP_WORK_WORDS])
{
	unsigned int n;

	switch (p->map) {
	case 0:
		return put_one_byte(words, p);
	case 1:
		n = put_float_0f(words, p);
		return n ? n : put_integer_0f(words, p);
	case 2:
		return put_38(words, p);
	default:
		if (p->op == 0xf0 && p->is_vex)
			return put(words, OMPP_WORK_INT, 1); /* rorx */
		return put_float_3a(words, p);
	}
}
