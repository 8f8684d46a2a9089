/*
 * Vector width: see vector_width.h.
 */
#include "runtime/emulator/vector_width.h"

/* Is the operand of 0F op as wide as a register of vectors? */
static int is_vector_0f(unsigned char op, const struct ompp_instruction *p)
{
	int scalar = p->f2 || p->f3;

	switch (op) {
	case 0x10:
	case 0x11:
	case 0x14:
	case 0x15:
	case 0x51:
	case 0x58:
	case 0x59:
	case 0x5c:
	case 0x5d:
	case 0x5e:
	case 0x5f:
	case 0xc2:
		return !scalar;
	case 0x52:
	case 0x53:
		return !scalar && !p->p66;
	case 0x12:
	case 0x16:
		return p->f3; /* movsldup, movshdup; the others are of 8 bytes */
	case 0x28:
	case 0x29:
	case 0x2b:
	case 0x54:
	case 0x55:
	case 0x56:
	case 0x57:
	case 0xc6:
		return 1;
	case 0x2c:
	case 0x2d:
	case 0x5a:
		return p->p66;
	case 0x5b:
		return 1;
	case 0x6f:
	case 0x7f:
		return p->p66 || p->f3;
	case 0x70:
		return p->p66 || scalar;
	case 0x7c:
	case 0x7d:
	case 0xd0:
		return p->p66 || p->f2;
	case 0xe6:
		return p->p66 || p->f2;
	case 0xf0:
		return p->f2;
	case 0xc7:
		return p->wide; /* cmpxchg16b */
	case 0x6e:
	case 0x7e:
	case 0xd6:
	case 0xc4:
	case 0xc5:
	case 0xd7:
	case 0x50:
		return 0;
	default:
		return p->p66 && ((op >= 0x60 && op <= 0x76) || op >= 0xd1);
	}
}

static int is_vector_38(unsigned char op, const struct ompp_instruction *p)
{
	if ((op >= 0x20 && op <= 0x25) || (op >= 0x30 && op <= 0x35))
		return 0; /* each element is extended */
	if (op >= 0xf0)
		return 0; /* movbe, crc32 */
	return p->p66;
}

static int is_vector_3a(unsigned char op, const struct ompp_instruction *p)
{
	if (op == 0x0a || op == 0x0b || (op >= 0x14 && op <= 0x17) || (op >= 0x20 && op <= 0x22))
		return 0; /* scalars */
	return p->p66;
}

static int is_vector(unsigned int map, unsigned char op, const struct ompp_instruction *p)
{
	return map == 1 ? is_vector_0f(op, p) : map == 2 ? is_vector_38(op, p) : map == 3 ? is_vector_3a(op, p) : 0;
}

/* Multiplies and adds, broadcasts, gathers and parts of registers, of VEX alone: 1 for a register, 2 for 16 bytes, 0
 * for less. */
static int vex_width(unsigned int map, unsigned char op, const struct ompp_instruction *p)
{
	if (map == 2) {
		if (op == 0x1a || op == 0x5a)
			return 2; /* vbroadcastf128, vbroadcasti128 */
		if (op == 0x18 || op == 0x19 || op == 0x58 || op == 0x59 || op == 0x78 || op == 0x79)
			return 0; /* broadcasts of an element */
		if (op >= 0x90 && op <= 0x93)
			return 0; /* gathers */
		if (op >= 0x96 && op <= 0xbf)
			return 1;
		if (op == 0x2e || op == 0x2f || op == 0x8e)
			return 0; /* masked stores: by element */
		if (op == 0x2c || op == 0x2d || op == 0x8c)
			return 1;
	}
	if (map == 3 && (op == 0x18 || op == 0x19 || op == 0x38 || op == 0x39))
		return 2; /* vinsertf128, vextractf128 and their like */
	return is_vector(map, op, p);
}

/* cvtdq2pd reads half a register; QEMU 7.2 loads all of it. */
static struct ompp_vector_width of_cvtdq2pd(void)
{
	return (struct ompp_vector_width){ 16, 8, 0 };
}

/* Is it a multiplication and addition of one number? */
static int is_scalar_fma(unsigned int map, unsigned char op)
{
	return map == 2 && op >= 0x96 && op <= 0xbf && (op & 15) >= 9 && op & 1;
}

static struct ompp_vector_width of_vex(const struct ompp_instruction *p)
{
	struct ompp_vector_width o = { 0, 0, 0 };
	unsigned int map = p->map;
	unsigned char op = p->op;
	int width;

	if (map == 1 && op == 0xe6 && p->f3) {
		o = of_cvtdq2pd();
		o.n_bytes <<= p->is_long;
		o.n_accessed <<= p->is_long;
		return o;
	}
	if (map == 1 && op == 0x5a && p->is_long && !p->p66 && !p->f2 && !p->f3) {
		o.n_bytes = 16; /* vcvtps2pd, whose operand is half as wide as the register */
		return o;
	}
	if (map == 2 && p->is_long && ((op >= 0x20 && op <= 0x35) && !(op & 8))) {
		int half = (op & 15) == 0 || (op & 15) == 3 || (op & 15) == 5;

		o.n_bytes = half ? 16 : 0; /* elements are extended to twice their size */
		return o;
	}
	if (map == 1 && op == 0x12 && p->f2) {
		o.n_bytes = p->is_long ? 32 : 0; /* vmovddup */
		return o;
	}
	if (is_scalar_fma(map, op)) { /* QEMU 7.2 loads a whole register for it */
		o.n_bytes = 16;
		o.n_accessed = p->wide ? 8 : 4;
		return o;
	}
	width = vex_width(map, op, p);
	o.n_bytes = width == 2 ? 16 : width ? 16u << p->is_long : 0;
	return o;
}

struct ompp_vector_width ompp_vector_width(const struct ompp_instruction *p)
{
	struct ompp_vector_width o = { 0, 0, p->is_locked };

	if (p->is_vex)
		return of_vex(p);
	if (!p->map)
		o.is_locked |= p->op == 0x86 || p->op == 0x87; /* xchg */
	else if (p->map == 1 && p->op == 0xe6 && p->f3)
		o = of_cvtdq2pd();
	else
		o.n_bytes = is_vector(p->map, p->op, p) ? 16 : 0;
	return o;
}
