/*
 * Varied CFI: unwind tables of functions, as compilers write them and as none does.
 */
#define _GNU_SOURCE
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/program/callstack_cfi.h"
#include "tests/unit/varied_machine.h"

static void put_leb(unsigned char *to, size_t *n, uint64_t value)
{
	do {
		to[(*n)++] = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
		value >>= 7;
	} while (value);
}

static void put_instructions(unsigned char *to, size_t *n, uint32_t how_many)
{
	static const unsigned char ops[] = { 0x02, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
		                             0x0b, 0x0c, 0x0c, 0x0d, 0x0e, 0x0e, 0x0f, 0x10, 0x11, 0x12,
		                             0x13, 0x14, 0x15, 0x16, 0x2e, 0x2f, 0x00, 0x00 };
	static const uint64_t registers[] = { 6, 6, 7, 6, 3, 6, 3, 16 };
	int remembered = 0;

	for (; how_many > 0; how_many--) {
		unsigned char op = VARIED_ONE_OF(ops);

		remembered += op == 0x0a;
		if (op == 0x0b && !remembered && varied_below(9))
			op = 0x0a;
		switch (varied_below(6)) {
		case 0:
		case 1:
			to[(*n)++] = (unsigned char)(0x40 | varied_below(20));
			continue;
		case 2:
			to[(*n)++] = (unsigned char)(0x80 | VARIED_ONE_OF(registers));
			put_leb(to, n, varied_below(6));
			continue;
		case 3:
			to[(*n)++] = (unsigned char)(0xc0 | VARIED_ONE_OF(registers));
			continue;
		default:
			to[(*n)++] = op;
		}
		if (op == 0x02 || op == 0x03 || op == 0x04) {
			to[(*n)++] = (unsigned char)varied_below(30);
			for (int i = 1; i < 1 << (op - 2); i++)
				to[(*n)++] = 0;
		} else if (op == 0x0f || op == 0x10 || op == 0x16) {
			if (op != 0x0f)
				put_leb(to, n, VARIED_ONE_OF(registers));
			to[(*n)++] = 3;
			to[(*n)++] = varied_below(4) ? 0x76 : 0x77;
			to[(*n)++] = (unsigned char)(varied_below(16) * 8 & 0x7f);
			to[(*n)++] = varied_below(2) ? 0x06 : 0x00;
			if (to[*n - 1] == 0) {
				to[*n - 4] = 2;
				--*n;
			}
		} else if (op == 0x0e || op == 0x13 || op == 0x2e) {
			put_leb(to, n, 8 * varied_below(20));
		} else if (op != 0x0a && op != 0x0b && op != 0x00 && op != 0x01) {
			put_leb(to, n, VARIED_ONE_OF(registers));
			if (op == 0x05 || op == 0x09 || op == 0x0c || op == 0x11 || op == 0x12 || op == 0x14 ||
			    op == 0x15 || op == 0x2f)
				put_leb(to, n, op == 0x0c ? 8 * varied_below(9) : varied_below(9));
		}
	}
}

static void put_length(unsigned char *table, size_t at, size_t n)
{
	uint32_t length = (uint32_t)(n - at - 4);

	memcpy(table + at, &length, sizeof(length));
}

static void make_cfi(FILE *to)
{
	static unsigned char table[2048];
	static const char *const augmentations[] = { "zR", "zR", "zR", "", "zPLR", "zRS", "zRB", "x" };
	const char *augmentation = VARIED_ONE_OF(augmentations);
	size_t n = 4, fde, n_all;
	int32_t from;
	uint32_t back, code = 64 + varied_below(100);

	memset(table, 0, sizeof(table));
	n += 4; /* the id of a CIE */
	table[n++] = varied_below(6) ? 1 : (unsigned char)varied_below(5);
	strcpy((char *)table + n, augmentation);
	n += strlen(augmentation) + 1;
	put_leb(table, &n, varied_below(5) ? 1 : 4);
	table[n++] = varied_below(5) ? 0x78 : 0x7c;
	put_leb(table, &n, 16);
	if (*augmentation == 'z') {
		put_leb(table, &n, augmentation[1] == 'P' ? 7 : 1);
		if (augmentation[1] == 'P') {
			table[n++] = 0x1b;
			n += 4;
			table[n++] = varied_below(2) ? 0x1b : 0xff;
		}
		table[n++] = 0x1b;
	}
	table[n++] = 0x0c;
	put_leb(table, &n, 7);
	put_leb(table, &n, 8);
	table[n++] = 0x80 | 16;
	put_leb(table, &n, 1);
	put_instructions(table, &n, varied_below(3));
	n = (n + 3) & ~(size_t)3;
	put_length(table, 0, n);
	fde = n;
	n += 4;
	back = (uint32_t)n;
	memcpy(table + n, &back, sizeof(back));
	n += 4;
	from = (int32_t)(1500 - n); /* the code lies behind the tables */
	memcpy(table + n, &from, sizeof(from));
	n += 4;
	memcpy(table + n, &code, sizeof(code));
	n += 4;
	if (*augmentation == 'z')
		table[n++] = 0;
	put_instructions(table, &n, varied_below(9));
	put_length(table, fde, n);
	n_all = varied_below(3) ? n : varied_damage((char *)table, n, 1400, 0);
	for (uint32_t at = 0; at < code + 8; at += 1 + varied_below(7)) {
		struct ompp_cfi_bytes b = { table + fde, table, table + n_all, 0 };
		struct ompp_callstack_rule r;

		if (n_all <= fde)
			break;
		r = ompp_cfi_rule(&b, (uintptr_t)table + 1500 + at);
		fprintf(to, "%u: %u %d %u %d %d\n", at, r.cfa_from, (int)r.cfa, r.fp_from, (int)r.fp, (int)r.ra);
	}
}

const struct varied_part varied_cfi_parts[] = {
	{ "cfi", 3000, make_cfi },
	{ NULL, 0, NULL },
};
