/*
 * Callstack rule: see callstack_rule.h.  Each loaded file has a table of its functions in the order of their addresses,
 * .eh_frame_hdr, which the Linux Standard Base describes.
 */
#define _GNU_SOURCE
#include "runtime/program/callstack_rule.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "runtime/host/dynamic.h"
#include "runtime/host/real.h"
#include "runtime/program/callstack_cfi.h"

/* The table begins with a version, the encodings of three things, and two of these: where .eh_frame is, and how many
 * functions there are.  All linkers write the same encodings. */
enum { VERSION = 1, FRAME_ENCODING = 0x1b, COUNT_ENCODING = 0x03, TABLE_ENCODING = 0x3b };

/* Where a function begins, and where its entry is, counted from the begin of the table. */
struct function {
	int32_t address, entry;
};

/* A file from its first byte in memory to behind its last, and its table. */
struct file {
	const unsigned char *lo, *hi, *table;
};

struct search {
	uintptr_t address;
	struct ompp_callstack_rule rule;
};

/* Returns the last function that does not begin behind the distance; its entry is 0 when there is none. */
static struct function last_before(const unsigned char *functions, size_t n, intptr_t distance)
{
	struct function found = { 0, 0 }, f;
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		memcpy(&f, functions + middle * sizeof(f), sizeof(f));
		if (f.address <= distance) {
			found = f;
			lo = middle + 1;
		} else {
			hi = middle;
		}
	}
	return found;
}

static struct ompp_callstack_rule rule_in(const struct file *file, uintptr_t address)
{
	static const unsigned char encodings[] = { VERSION, FRAME_ENCODING, COUNT_ENCODING, TABLE_ENCODING };
	struct ompp_callstack_rule none = { .cfa_from = OMPP_CFA_NONE };
	struct ompp_cfi_bytes b = { file->table, file->lo, file->hi, 0 };
	struct function f;
	size_t n;

	if (file->table < file->lo || file->table >= file->hi)
		return none;
	for (size_t i = 0; i < sizeof(encodings); i++)
		if (ompp_cfi_unsigned(&b, 1) != encodings[i])
			return none;
	ompp_cfi_unsigned(&b, 4);
	n = (size_t)ompp_cfi_unsigned(&b, 4);
	if (b.is_bad || n > (size_t)(b.hi - b.at) / sizeof(f))
		return none;
	f = last_before(b.at, n, (intptr_t)(address - (uintptr_t)file->table));
	if (!f.entry || f.entry < file->lo - file->table || f.entry >= file->hi - file->table)
		return none;
	b.at = file->table + f.entry;
	return ompp_cfi_rule(&b, address);
}

/* Looks into a file that the dynamic linker tells of. */
static int look_in(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *s = data;
	struct file file = { NULL, NULL, NULL };
	uintptr_t lo, hi;

	(void)size;
	if (!ompp_dynamic_holds(info, s->address))
		return 0;
	ompp_dynamic_range(info, &lo, &hi);
	file.lo = (const unsigned char *)lo;
	file.hi = (const unsigned char *)hi;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			file.table = (const unsigned char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	s->rule = rule_in(&file, s->address);
	return 1;
}

struct ompp_callstack_rule ompp_callstack_rule(uintptr_t address)
{
	const struct ompp_real *real = ompp_real();
	struct search s = { address, { .cfa_from = OMPP_CFA_NONE } };
	struct ompp_real_object object;

	if (!real->find_object) {
		ompp_real_each(look_in, &s);
	} else if (!real->find_object((const void *)address, &object)) {
		struct file file = { object.lo, object.hi, object.exceptions };

		s.rule = rule_in(&file, address);
	}
	return s.rule;
}
