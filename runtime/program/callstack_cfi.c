/*
 * Callstack CFI: see callstack_cfi.h.
 *
 * An entry's program encodes a table of rows as changes from each row to the next: first the program of its common
 * entry (CIE), then its own up to the address.  Of each row we keep the parts of a rule: the CFA, the frame pointer,
 * and the return address.
 */
#include "runtime/program/callstack_cfi.h"

#include <stddef.h>
#include <string.h>

/* DWARF's numbers of the registers. */
#if defined(__x86_64__)
enum { FP = 6, SP = 7 };
#else
enum { FP = 29, SP = 31 };
#endif

/* Encodings of addresses: the format in the lower four bits, what it is counted from in the next three. */
enum {
	ENCODING_ABSOLUTE = 0x00,
	ENCODING_U2 = 0x02,
	ENCODING_U4 = 0x03,
	ENCODING_U8 = 0x04,
	ENCODING_S2 = 0x0a,
	ENCODING_S4 = 0x0b,
	ENCODING_S8 = 0x0c,
	ENCODING_FORMAT = 0x0f,
	ENCODING_FROM = 0xf0,
	ENCODING_FROM_HERE = 0x10
};

/* Instructions.  The first three have an operand in their lower six bits. */
enum {
	CFA_ADVANCE = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
	CFA_NOP = 0x00,
	CFA_SET = 0x01,
	CFA_ADVANCE_1 = 0x02,
	CFA_ADVANCE_2 = 0x03,
	CFA_ADVANCE_4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07,
	CFA_SAME = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER = 0x0a,
	CFA_RECALL = 0x0b,
	CFA_DEFINE = 0x0c,
	CFA_DEFINE_REGISTER = 0x0d,
	CFA_DEFINE_OFFSET = 0x0e,
	CFA_DEFINE_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10,
	CFA_OFFSET_SIGNED = 0x11,
	CFA_DEFINE_SIGNED = 0x12,
	CFA_DEFINE_OFFSET_SIGNED = 0x13,
	CFA_VALUE_OFFSET = 0x14,
	CFA_VALUE_OFFSET_SIGNED = 0x15,
	CFA_VALUE_EXPRESSION = 0x16,
	CFA_SIGNS_ADDRESS = 0x2d, /* aarch64: the return address is signed from here on, or no longer */
	CFA_ARGUMENTS = 0x2e,
	CFA_OFFSET_NEGATIVE = 0x2f
};

/* Operators of expressions: OP_REGISTER + r is the value of register r and a distance. */
enum { OP_READ = 0x06, OP_REGISTER = 0x70 };

/* Where a register of the caller is: OMPP_FP_*, and the distance in bytes. */
struct reg_rule {
	enum ompp_callstack_fp from;
	int64_t distance;
};

/* A row.  The CFA of OMPP_CFA_NONE is in a way that no rule has. */
struct row {
	enum ompp_callstack_cfa cfa_from;
	int64_t cfa;
	struct reg_rule fp, ra;
};

/* Compilers remember one row at a time; the stack that the walk is on may be small. */
enum { MAX_REMEMBERED = 4 };

struct program {
	uint64_t code_unit;
	int64_t data_unit;
	uint64_t ra;    /* the return address's register */
	int has_blocks; /* entries have augmentations, after their length */
	unsigned int encoding;
	uintptr_t at; /* where the row begins */
	struct row row, first, remembered[MAX_REMEMBERED];
	unsigned int n_remembered;
};

/* ---- numbers ---- */

uint64_t ompp_cfi_unsigned(struct ompp_cfi_bytes *b, unsigned int n_bytes)
{
	uint64_t value = 0;

	if (b->is_bad || (size_t)(b->hi - b->at) < n_bytes) {
		b->is_bad = 1;
		return 0;
	}
	for (unsigned int i = 0; i < n_bytes; i++)
		value |= (uint64_t)b->at[i] << 8 * i;
	b->at += n_bytes;
	return value;
}

static int64_t cfi_signed(struct ompp_cfi_bytes *b, unsigned int n_bytes)
{
	unsigned int unused = 64 - 8 * n_bytes;

	return (int64_t)(ompp_cfi_unsigned(b, n_bytes) << unused) >> unused;
}

/* Returns a number of seven bits a byte, the lowest first; the eighth bit says that more follow. */
static uint64_t callstack_cfi_leb(struct ompp_cfi_bytes *b, int is_signed)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		byte = ompp_cfi_unsigned(b, 1);
		if (shift > 63) {
			b->is_bad = 1;
			return 0;
		}
		value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && byte & 0x40 && shift < 64)
		value |= ~(uint64_t)0 << shift;
	return value;
}

static int64_t signed_leb(struct ompp_cfi_bytes *b)
{
	return (int64_t)callstack_cfi_leb(b, 1);
}

static void callstack_cfi_skip(struct ompp_cfi_bytes *b, uint64_t n_bytes)
{
	if (b->is_bad || n_bytes > (uint64_t)(b->hi - b->at))
		b->is_bad = 1;
	else
		b->at += n_bytes;
}

static uint64_t callstack_cfi_number(struct ompp_cfi_bytes *b, unsigned int format)
{
	switch (format) {
	case ENCODING_ABSOLUTE:
	case ENCODING_U8:
	case ENCODING_S8:
		return ompp_cfi_unsigned(b, 8);
	case ENCODING_U2:
		return ompp_cfi_unsigned(b, 2);
	case ENCODING_S2:
		return (uint64_t)cfi_signed(b, 2);
	case ENCODING_U4:
		return ompp_cfi_unsigned(b, 4);
	case ENCODING_S4:
		return (uint64_t)cfi_signed(b, 4);
	default:
		b->is_bad = 1;
		return 0;
	}
}

static uintptr_t address_of(struct ompp_cfi_bytes *b, unsigned int encoding)
{
	uintptr_t here = (uintptr_t)b->at, value = callstack_cfi_number(b, encoding & ENCODING_FORMAT);

	switch (encoding & ENCODING_FROM) {
	case 0:
		return value;
	case ENCODING_FROM_HERE:
		return here + value;
	default:
		b->is_bad = 1;
		return 0;
	}
}

/* ---- rows ---- */

/* Returns the rule of a register; NULL for one that rules do not need. */
static struct reg_rule *register_rule(const struct program *p, struct row *row, uint64_t reg)
{
	return reg == p->ra ? &row->ra : reg == FP ? &row->fp : NULL;
}

static void callstack_cfi_put(struct program *p, uint64_t reg, enum ompp_callstack_fp from, int64_t distance)
{
	struct reg_rule *rule = register_rule(p, &p->row, reg);

	if (rule)
		*rule = (struct reg_rule){ from, distance };
}

/* Returns a distance that is written in units. */
static int64_t distance_of(const struct program *p, uint64_t n_units)
{
	return (int64_t)(n_units * (uint64_t)p->data_unit);
}

static void callstack_cfi_restore(struct program *p, uint64_t reg)
{
	struct reg_rule *rule = register_rule(p, &p->row, reg);

	if (rule)
		*rule = *register_rule(p, &p->first, reg);
}

static void callstack_cfi_define(struct program *p, uint64_t reg, int64_t distance)
{
	p->row.cfa_from = reg == SP ? OMPP_CFA_SP : reg == FP ? OMPP_CFA_FP : OMPP_CFA_NONE;
	p->row.cfa = distance;
}

/* Reads an expression.  Returns 1 when it is a distance from the frame pointer, and says in *reads whether the result
 * is the word there: only these are used where functions align their stack.  Returns 0 for others. */
static int from_fp(struct ompp_cfi_bytes *b, int64_t *distance, int *reads)
{
	uint64_t n_bytes = callstack_cfi_leb(b, 0);
	struct ompp_cfi_bytes e = *b;

	callstack_cfi_skip(b, n_bytes);
	if (b->is_bad)
		return 0;
	e.hi = b->at;
	if (ompp_cfi_unsigned(&e, 1) != OP_REGISTER + FP)
		return 0;
	*distance = signed_leb(&e);
	*reads = e.at < e.hi && ompp_cfi_unsigned(&e, 1) == OP_READ;
	return !e.is_bad && e.at == e.hi;
}

static void define_by_expression(struct program *p, struct ompp_cfi_bytes *b)
{
	int reads = 0;

	if (!from_fp(b, &p->row.cfa, &reads))
		p->row.cfa_from = OMPP_CFA_NONE;
	else
		p->row.cfa_from = reads ? OMPP_CFA_AT_FP : OMPP_CFA_FP;
}

static void put_by_expression(struct program *p, struct ompp_cfi_bytes *b, uint64_t reg)
{
	int64_t distance = 0;
	int reads = 0;

	if (from_fp(b, &distance, &reads) && !reads)
		callstack_cfi_put(p, reg, OMPP_FP_AT_FP, distance);
	else
		callstack_cfi_put(p, reg, OMPP_FP_LOST, 0);
}

static void callstack_cfi_remember(struct program *p, struct ompp_cfi_bytes *b)
{
	if (p->n_remembered < MAX_REMEMBERED)
		p->remembered[p->n_remembered++] = p->row;
	else
		b->is_bad = 1;
}

static void callstack_cfi_recall(struct program *p, struct ompp_cfi_bytes *b)
{
	if (p->n_remembered)
		p->row = p->remembered[--p->n_remembered];
	else
		b->is_bad = 1;
}

/* ---- programs ---- */

/* Executes an instruction that says where registers are. */
static void execute_rule(struct program *p, struct ompp_cfi_bytes *b, unsigned int op)
{
	uint64_t reg = callstack_cfi_leb(b, 0);

	switch (op) {
	case CFA_OFFSET_EXTENDED:
		callstack_cfi_put(p, reg, OMPP_FP_AT_CFA, distance_of(p, callstack_cfi_leb(b, 0)));
		break;
	case CFA_OFFSET_SIGNED:
		callstack_cfi_put(p, reg, OMPP_FP_AT_CFA, distance_of(p, callstack_cfi_leb(b, 1)));
		break;
	case CFA_OFFSET_NEGATIVE:
		callstack_cfi_put(p, reg, OMPP_FP_AT_CFA, distance_of(p, 0 - callstack_cfi_leb(b, 0)));
		break;
	case CFA_RESTORE_EXTENDED:
		callstack_cfi_restore(p, reg);
		break;
	case CFA_SAME:
		callstack_cfi_put(p, reg, OMPP_FP_SAME, 0);
		break;
	case CFA_EXPRESSION:
		put_by_expression(p, b, reg);
		break;
	case CFA_UNDEFINED:
		callstack_cfi_put(p, reg, OMPP_FP_LOST, 0);
		break;
	case CFA_REGISTER:
	case CFA_VALUE_OFFSET:
	case CFA_VALUE_OFFSET_SIGNED:
		callstack_cfi_leb(b, 0);
		callstack_cfi_put(p, reg, OMPP_FP_LOST, 0);
		break;
	case CFA_VALUE_EXPRESSION:
		callstack_cfi_skip(b, callstack_cfi_leb(b, 0));
		callstack_cfi_put(p, reg, OMPP_FP_LOST, 0);
		break;
	default:
		b->is_bad = 1;
		break;
	}
}

/* Executes an instruction that says what the CFA is; others say where registers are. */
static void execute_cfa(struct program *p, struct ompp_cfi_bytes *b, unsigned int op)
{
	uint64_t reg;

	switch (op) {
	case CFA_DEFINE:
		reg = callstack_cfi_leb(b, 0);
		callstack_cfi_define(p, reg, (int64_t)callstack_cfi_leb(b, 0));
		break;
	case CFA_DEFINE_SIGNED:
		reg = callstack_cfi_leb(b, 0);
		callstack_cfi_define(p, reg, distance_of(p, callstack_cfi_leb(b, 1)));
		break;
	case CFA_DEFINE_REGISTER:
		callstack_cfi_define(p, callstack_cfi_leb(b, 0), p->row.cfa);
		break;
	case CFA_DEFINE_OFFSET:
		p->row.cfa = (int64_t)callstack_cfi_leb(b, 0);
		break;
	case CFA_DEFINE_OFFSET_SIGNED:
		p->row.cfa = distance_of(p, callstack_cfi_leb(b, 1));
		break;
	case CFA_DEFINE_EXPRESSION:
		define_by_expression(p, b);
		break;
	case CFA_REMEMBER:
		callstack_cfi_remember(p, b);
		break;
	case CFA_RECALL:
		callstack_cfi_recall(p, b);
		break;
	default:
		execute_rule(p, b, op);
		break;
	}
}

/* Returns where the next row begins, when the instruction says it; otherwise executes the instruction. */
static uintptr_t callstack_cfi_execute(struct program *p, struct ompp_cfi_bytes *b)
{
	unsigned int op = (unsigned int)ompp_cfi_unsigned(b, 1), operand = op & 0x3f;

	switch (op & 0xc0) {
	case CFA_ADVANCE:
		return p->at + operand * p->code_unit;
	case CFA_OFFSET:
		callstack_cfi_put(p, operand, OMPP_FP_AT_CFA, distance_of(p, callstack_cfi_leb(b, 0)));
		return p->at;
	case CFA_RESTORE:
		callstack_cfi_restore(p, operand);
		return p->at;
	default:
		break;
	}
	switch (op) {
	case CFA_NOP:
	case CFA_SIGNS_ADDRESS:
		break;
	case CFA_ARGUMENTS:
		callstack_cfi_leb(b, 0);
		break;
	case CFA_SET:
		return address_of(b, p->encoding);
	case CFA_ADVANCE_1:
		return p->at + ompp_cfi_unsigned(b, 1) * p->code_unit;
	case CFA_ADVANCE_2:
		return p->at + ompp_cfi_unsigned(b, 2) * p->code_unit;
	case CFA_ADVANCE_4:
		return p->at + ompp_cfi_unsigned(b, 4) * p->code_unit;
	default:
		execute_cfa(p, b, op);
		break;
	}
	return p->at;
}

/* Executes instructions until the row that has the address.  Returns 0 when they cannot be understood. */
static int execute_all(struct program *p, struct ompp_cfi_bytes *b, uintptr_t address)
{
	while (b->at < b->hi && !b->is_bad) {
		uintptr_t next = callstack_cfi_execute(p, b);

		if (!b->is_bad && next > address)
			break;
		p->at = next;
	}
	return !b->is_bad;
}

/* ---- entries ---- */

/* Reads the length of an entry, with which b ends then. */
static void callstack_cfi_enter(struct ompp_cfi_bytes *b)
{
	uint64_t n_bytes = ompp_cfi_unsigned(b, 4);

	if (n_bytes > (uint64_t)(b->hi - b->at)) /* as is that of entries of more than 4 GiB, which nobody writes */
		b->is_bad = 1;
	else
		b->hi = b->at + n_bytes;
}

/* Reads what follows the registers of a common entry: a block for each letter of the augmentation.  Signal handlers
 * return into functions with an S: their callers did not call them. */
static void callstack_cfi_augmentation(struct program *p, struct ompp_cfi_bytes *b, const char *letters)
{
	uint64_t n_bytes = callstack_cfi_leb(b, 0);
	struct ompp_cfi_bytes block = *b;

	callstack_cfi_skip(b, n_bytes);
	for (; *letters && !block.is_bad; letters++)
		switch (*letters) {
		case 'R':
			p->encoding = (unsigned int)ompp_cfi_unsigned(&block, 1);
			break;
		case 'P':
			callstack_cfi_number(&block, ompp_cfi_unsigned(&block, 1) & ENCODING_FORMAT);
			break;
		case 'L':
			callstack_cfi_skip(&block, 1);
			break;
		case 'B': /* aarch64: which key signs return addresses */
			break;
		default:
			block.is_bad = 1;
			break;
		}
	b->is_bad |= block.is_bad;
}

/* Reads a common entry, and executes its program. */
static int callstack_cfi_common(struct program *p, struct ompp_cfi_bytes *b)
{
	unsigned int version;
	const char *letters;
	const void *end;

	callstack_cfi_enter(b);
	if (ompp_cfi_unsigned(b, 4)) /* this is a function's entry */
		return 0;
	version = (unsigned int)ompp_cfi_unsigned(b, 1);
	letters = (const char *)b->at;
	end = b->is_bad ? NULL : memchr(b->at, '\0', (size_t)(b->hi - b->at));
	if (!end || (version != 1 && version != 3))
		return 0;
	b->at = (const unsigned char *)end + 1;
	p->code_unit = callstack_cfi_leb(b, 0);
	p->data_unit = signed_leb(b);
	p->ra = version == 1 ? ompp_cfi_unsigned(b, 1) : callstack_cfi_leb(b, 0);
	p->has_blocks = *letters == 'z';
	if (p->has_blocks)
		callstack_cfi_augmentation(p, b, letters + 1);
	else if (*letters)
		return 0;
	return execute_all(p, b, UINTPTR_MAX);
}

/* Returns the distance in words; *fits becomes 0 when a rule cannot say it. */
static int64_t callstack_cfi_words(int64_t distance, unsigned int n_bits, int *fits)
{
	int64_t most = ((int64_t)1 << (n_bits - 1)) - 1;

	if (distance % 8 || distance / 8 > most || distance / 8 < -most)
		*fits = 0;
	return distance / 8;
}

static struct ompp_callstack_rule rule_of(const struct row *row)
{
	int fits = row->ra.from == OMPP_FP_AT_CFA && row->cfa_from != OMPP_CFA_NONE;
	int64_t cfa = callstack_cfi_words(row->cfa, 28, &fits), fp = callstack_cfi_words(row->fp.distance, 16, &fits);
	int64_t ra = callstack_cfi_words(row->ra.distance, 16, &fits);

	if (!fits)
		return (struct ompp_callstack_rule){ .cfa_from = OMPP_CFA_NONE };
	return (struct ompp_callstack_rule){ row->cfa_from, row->fp.from, cfa, fp, ra };
}

struct ompp_callstack_rule ompp_cfi_rule(struct ompp_cfi_bytes *b, uintptr_t address)
{
	static const struct ompp_callstack_rule none;
	struct program p = { .row = { .cfa_from = OMPP_CFA_NONE } };
	struct ompp_cfi_bytes c = *b;
	uint64_t back;
	uintptr_t lo;

	callstack_cfi_enter(b);
	c.at = b->at;
	back = ompp_cfi_unsigned(b, 4); /* from here to the common entry */
	if (b->is_bad || !back || back > (uint64_t)(c.at - c.lo))
		return none;
	c.at -= back;
	if (!callstack_cfi_common(&p, &c))
		return none;
	p.first = p.row;
	p.n_remembered = 0;
	p.at = lo = address_of(b, p.encoding);
	if (b->is_bad || address - lo >= callstack_cfi_number(b, p.encoding & ENCODING_FORMAT))
		return none;
	if (p.has_blocks)
		callstack_cfi_skip(b, callstack_cfi_leb(b, 0));
	return execute_all(&p, b, address) ? rule_of(&p.row) : none;
}
