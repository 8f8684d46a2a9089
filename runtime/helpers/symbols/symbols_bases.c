/*
 * Bases: see symbols_bases.h.
 */
#include "runtime/helpers/symbols/symbols_bases.h"

#include <dwarf.h>
#include <string.h>

#include "runtime/helpers/symbols/symbols_type.h"

enum { DEEPEST = 16, MOST_PLAIN = 6 };

int ompp_symbols_is_virtual(Dwarf_Die *inheritance)
{
	Dwarf_Attribute attribute;
	Dwarf_Word how;

	return !dwarf_formudata(dwarf_attr(inheritance, DW_AT_virtuality, &attribute), &how) &&
	       how != DW_VIRTUALITY_none;
}

static uint64_t bases_number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	return dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &number) ? 0 : number;
}

/* Calls each() for the bases and the data members of a class, with their types. */
static void each_part(Dwarf_Die *structure, void (*each)(void *context, Dwarf_Die *part, Dwarf_Die *type),
                      void *context)
{
	Dwarf_Die child, type;

	if (dwarf_child(structure, &child))
		return;
	do {
		Dwarf_Attribute attribute;
		int tag = dwarf_tag(&child);

		if ((tag == DW_TAG_inheritance || tag == DW_TAG_member) &&
		    !dwarf_attr(&child, DW_AT_external, &attribute) &&
		    !dwarf_attr(&child, DW_AT_declaration, &attribute) && ompp_symbols_type_of(&child, &type))
			each(context, &child, &type);
	} while (!dwarf_siblingof(&child, &child));
}

/* What is known of a class. */
struct bases_sum {
	uint64_t end;           /* of its members and bases, without virtual ones */
	uint64_t alignment;     /* of it, with virtual bases */
	uint64_t own;           /* alignment without these */
	int n_bases, n_virtual; /* those that are virtual, in bases, too */
	int n_tables, n_data;   /* pointers to tables of functions, and other members */
	int depth;
};

static uint64_t alignment_of(Dwarf_Die *type, int depth);
static void sum_part(void *context, Dwarf_Die *part, Dwarf_Die *type);

static struct bases_sum sum_of(Dwarf_Die *structure, int depth)
{
	struct bases_sum sum = { .alignment = 1, .own = 1, .depth = depth };
	uint64_t asked = bases_number(structure, DW_AT_alignment);

	if (depth < DEEPEST)
		each_part(structure, sum_part, &sum);
	sum.alignment = asked > sum.alignment ? asked : sum.alignment;
	sum.own = asked > sum.own ? asked : sum.own;
	return sum;
}

static void sum_part(void *context, Dwarf_Die *part, Dwarf_Die *type)
{
	struct bases_sum *sum = context;
	uint64_t alignment = alignment_of(type, sum->depth + 1), asked = bases_number(part, DW_AT_alignment), end;
	int is_base = dwarf_tag(part) == DW_TAG_inheritance;
	Dwarf_Word n_bytes = 0;

	alignment = asked > alignment ? asked : alignment;
	if (is_base) {
		struct bases_sum of = sum_of(type, sum->depth + 1);

		sum->n_bases++;
		sum->n_virtual += of.n_virtual + ompp_symbols_is_virtual(part);
		sum->alignment = alignment > sum->alignment ? alignment : sum->alignment;
		if (ompp_symbols_is_virtual(part))
			return;
		sum->own = of.own > sum->own ? of.own : sum->own;
		sum->n_tables += of.n_tables;
		sum->n_data += of.n_data;
		end = of.end;
	} else {
		const char *name = dwarf_diename(part);

		*(name && !strncmp(name, "_vptr", 5) ? &sum->n_tables : &sum->n_data) += 1;
		sum->alignment = alignment > sum->alignment ? alignment : sum->alignment;
		sum->own = alignment > sum->own ? alignment : sum->own;
		end = dwarf_aggregate_size(type, &n_bytes) ? 0 : n_bytes;
		if (dwarf_hasattr(part, DW_AT_data_bit_offset))
			end = (bases_number(part, DW_AT_data_bit_offset) + bases_number(part, DW_AT_bit_size) + 7) / 8;
	}
	end += bases_number(part, DW_AT_data_member_location);
	sum->end = end > sum->end ? end : sum->end;
}

static uint64_t alignment_of(Dwarf_Die *type, int depth)
{
	Dwarf_Word n_bytes = 0;
	Dwarf_Die of;

	if (depth >= DEEPEST)
		return 1;
	if (ompp_symbols_is_structure(type))
		return sum_of(type, depth).alignment;
	if (dwarf_tag(type) == DW_TAG_array_type && ompp_symbols_type_of(type, &of))
		return alignment_of(&of, depth + 1);
	if (dwarf_aggregate_size(type, &n_bytes) || !n_bytes || n_bytes & (n_bytes - 1))
		return 1;
	return n_bytes < 16 ? n_bytes : 16;
}

/* ---- places ---- */

struct bases_list {
	struct ompp_symbols_base *bases;
	size_t n;
	int depth;
	int is_unknown; /* too many, or one that may lie at the class's begin, as it has a table of functions alone */
};

static void list_part(void *context, Dwarf_Die *part, Dwarf_Die *type)
{
	struct bases_list *list = context;

	if (dwarf_tag(part) != DW_TAG_inheritance || list->depth >= DEEPEST)
		return;
	if (ompp_symbols_is_virtual(part)) {
		struct bases_sum sum = sum_of(type, 0);

		for (size_t i = 0; i < list->n; i++)
			if (dwarf_dieoffset(&list->bases[i].type) == dwarf_dieoffset(type))
				return;
		if (list->n == OMPP_SYMBOLS_BASES || (!sum.n_data && sum.n_tables)) {
			list->is_unknown = 1;
			return;
		}
		if (sum.n_data)
			list->bases[list->n++] = (struct ompp_symbols_base){ .type = *type };
	}
	list->depth++;
	each_part(type, list_part, list);
	list->depth--;
}

static uint64_t up_to(uint64_t at, uint64_t alignment)
{
	return alignment ? (at + alignment - 1) / alignment * alignment : at;
}

/* May the class be one of C, too?  Then what follows it may be behind its padding: debug information does not tell. */
static int may_be_plain(const struct bases_sum *sum)
{
	return !sum->n_tables && !sum->n_bases;
}

/* Places the bases one behind the other.  Returns whether they make the class as large as it is.
 * plain: a bit for each base that may be plain, 1 where it is */
static int place(Dwarf_Die *structure, struct ompp_symbols_base *bases, size_t n, unsigned int plain)
{
	struct bases_sum sum = sum_of(structure, 0);
	uint64_t at = sum.end;
	Dwarf_Word n_bytes = 0;

	for (size_t i = 0; i < n; i++) {
		struct bases_sum of = sum_of(&bases[i].type, 0);

		bases[i].offset = at = up_to(at, of.own);
		bases[i].n_bytes = of.end;
		at += may_be_plain(&of) && plain & 1 ? up_to(of.end, of.own) : of.end;
		plain >>= may_be_plain(&of);
	}
	return !dwarf_aggregate_size(structure, &n_bytes) && up_to(at, sum.alignment) == n_bytes;
}

size_t ompp_symbols_virtual_bases(Dwarf_Die *structure, struct ompp_symbols_base bases[OMPP_SYMBOLS_BASES])
{
	struct ompp_symbols_base others[OMPP_SYMBOLS_BASES];
	struct bases_list list = { .bases = bases };
	unsigned int n_plain = 0;
	int is_placed = 0;

	each_part(structure, list_part, &list);
	for (size_t i = 0; i < list.n; i++) {
		struct bases_sum of = sum_of(&bases[i].type, 0);

		n_plain += (unsigned int)may_be_plain(&of);
	}
	if (!list.n || list.is_unknown || n_plain > MOST_PLAIN)
		return 0;
	memcpy(others, bases, sizeof(others));
	for (unsigned int plain = 0; plain < 1u << n_plain; plain++) {
		if (!place(structure, others, list.n, plain))
			continue;
		for (size_t i = 0; is_placed && i < list.n; i++)
			if (bases[i].offset != others[i].offset)
				return 0;
		memcpy(bases, others, sizeof(others));
		is_placed = 1;
	}
	return is_placed ? list.n : 0;
}

uint64_t ompp_symbols_own_bytes(Dwarf_Die *structure)
{
	struct bases_sum sum = sum_of(structure, 0);
	Dwarf_Word n_bytes = 0;

	if (sum.n_virtual)
		return sum.end;
	return dwarf_aggregate_size(structure, &n_bytes) ? 0 : n_bytes;
}
