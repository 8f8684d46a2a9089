/*
 * Element: see symbols_element.h.
 */
#include "runtime/helpers/symbols/symbols_element.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/helpers/symbols/symbols_bases.h"
#include "runtime/helpers/symbols/symbols_type.h"

enum { NAME_BYTES = 512, DEEPEST = 16 };

/* Where members are listed: in a structure inside of others. */
struct inside {
	const char *prefix; /* of names: "p.", "v[]." */
	uint64_t offset;
	uint64_t n_bytes; /* of this structure */
	uint32_t kind;    /* OMPP_ELEMENT_UNION in a union */
	uint32_t n_arrays;
	struct ompp_element_array arrays[OMPP_ELEMENT_DEPTH];
	int depth;
	int is_base; /* of a class, which has its virtual bases elsewhere */
};

/* ---- members ---- */

/* Returns a new member at an offset of a structure; NULL when there are too many. */
static struct ompp_element_member *element_add(struct ompp_symbols_element *e, const struct inside *in,
                                               const char *name, uint64_t offset, uint64_t n_bytes, uint32_t kind)
{
	struct ompp_element_member *m;
	char text[NAME_BYTES];

	if (e->n == OMPP_ELEMENT_MOST_MEMBERS || !n_bytes)
		return NULL;
	if (e->n == e->n_have) {
		size_t n_have = e->n_have ? 2 * e->n_have : 64;

		m = realloc(e->members, n_have * sizeof(*m));
		if (!m)
			return NULL;
		e->members = m;
		e->n_have = n_have;
	}
	m = &e->members[e->n++];
	snprintf(text, sizeof(text), "%s%s", in->prefix, name);
	*m = (struct ompp_element_member){ .name = strdup(text),
		                           .type = strdup(""),
		                           .offset = in->offset + offset,
		                           .n_bytes = n_bytes,
		                           .unit = n_bytes,
		                           .kind = kind,
		                           .n_arrays = in->n_arrays };
	memcpy(m->arrays, in->arrays, sizeof(m->arrays));
	return m;
}

static int element_number(Dwarf_Die *die, unsigned int name, uint64_t *number)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;

	if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &word))
		return 0;
	*number = word;
	return 1;
}

static int element_flag(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	bool flag = false;

	return dwarf_attr(die, name, &attribute) && !dwarf_formflag(&attribute, &flag) && flag;
}

/* Finds the bits of a bit field, from the begin of the structure.  Returns 0 when the member is none. */
static int element_bits(Dwarf_Die *die, uint64_t *first, uint64_t *n)
{
	uint64_t offset = 0, n_bytes = 0, from = 0;
	Dwarf_Die type;
	Dwarf_Word size;

	if (!element_number(die, DW_AT_bit_size, n))
		return 0;
	if (element_number(die, DW_AT_data_bit_offset, first))
		return 1;
	/* as until DWARF 3: from the most significant bit of the storage unit */
	element_number(die, DW_AT_data_member_location, &offset);
	if (!element_number(die, DW_AT_byte_size, &n_bytes) && ompp_symbols_type_of(die, &type) &&
	    !dwarf_aggregate_size(&type, &size))
		n_bytes = size;
	element_number(die, DW_AT_bit_offset, &from);
	*first = 8 * offset + 8 * n_bytes - from - *n;
	return 1;
}

static void members_of(struct ompp_symbols_element *e, Dwarf_Die *structure, const struct inside *in);

/* Lists what is in a member that is a structure, or an array of structures. */
static void enter(struct ompp_symbols_element *e, Dwarf_Die *type, const struct inside *in, const char *name,
                  uint64_t offset, uint64_t n, uint64_t n_bytes)
{
	int is_base = strlen(name) > 1 && !strcmp(name + strlen(name) - 2, "::");
	char prefix[NAME_BYTES];
	struct inside inner = *in;

	snprintf(prefix, sizeof(prefix), "%s%s%s%s", in->prefix, name, n != 1 ? "[]" : "",
	         name[0] && !is_base ? "." : "");
	inner.is_base = is_base;
	inner.prefix = prefix;
	inner.offset += offset;
	inner.n_bytes = n_bytes;
	inner.kind = dwarf_tag(type) == DW_TAG_union_type ? OMPP_ELEMENT_UNION : in->kind;
	inner.depth++;
	if (n != 1)
		inner.arrays[inner.n_arrays++] = (struct ompp_element_array){ n_bytes, n };
	members_of(e, type, &inner);
}

static int is_vtable(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name && !strncmp(name, "_vptr", 5);
}

/* Adds a member with bytes of its own.  Its size is not known where it says only where its data is, as descriptors of
 * Fortran do. */
static void element_member(struct ompp_symbols_element *e, Dwarf_Die *die, const struct inside *in, uint64_t offset)
{
	const char *name = dwarf_diename(die);
	struct ompp_element_member *m;
	Dwarf_Die type, of;
	Dwarf_Word n_bytes = 0, unit = 0;
	uint64_t n = 1;
	char text[NAME_BYTES];

	if (!ompp_symbols_type_of(die, &type))
		return;
	of = type;
	if (dwarf_aggregate_size(&type, &n_bytes))
		n_bytes = 0;
	if (dwarf_tag(&type) == DW_TAG_array_type && !dwarf_hasattr(&type, DW_AT_data_location)) {
		if (!ompp_symbols_type_of(&type, &of) || dwarf_aggregate_size(&of, &unit))
			return;
		n = unit ? n_bytes / unit : 0;
		if (!n && !in->n_arrays)
			e->flags |= OMPP_ELEMENT_OPEN;
	}
	if (ompp_symbols_is_structure(&of) && n && in->depth < DEEPEST &&
	    (n == 1 || in->n_arrays < OMPP_ELEMENT_DEPTH)) {
		enter(e, &of, in, name ? name : "", offset, n, n_bytes / n);
		return;
	}
	if (dwarf_tag(&type) == DW_TAG_array_type && dwarf_hasattr(&type, DW_AT_data_location))
		n_bytes = 0;
	m = element_add(e, in, name ? name : "", offset, n_bytes ? n_bytes : UINT64_MAX,
	                is_vtable(die) ? OMPP_ELEMENT_VTABLE : in->kind);
	if (!m)
		return;
	m->unit = n > 1 && unit ? unit : m->n_bytes;
	if (dwarf_tag(&of) == DW_TAG_base_type && element_number(&of, DW_AT_encoding, &n) && n == DW_ATE_complex_float)
		m->unit /= 2;
	if (m->kind == OMPP_ELEMENT_VTABLE)
		snprintf(text, sizeof(text), "vtable");
	else
		ompp_symbols_type_name(text, sizeof(text), &type);
	free((char *)m->type);
	m->type = strdup(text);
}

/* Adds a bit field to the one before when they have a byte in common, or are beside each other. */
static void element_bit_field(struct ompp_symbols_element *e, size_t first_of_structure, Dwarf_Die *die,
                              const struct inside *in, uint64_t bit, uint64_t n)
{
	uint64_t from = bit / 8, end = (bit + n + 7) / 8;
	struct ompp_element_member *m = e->n > first_of_structure ? &e->members[e->n - 1] : NULL;
	char text[NAME_BYTES];

	if (!n)
		return;
	if (m && m->kind == OMPP_ELEMENT_BITS && in->offset + from <= m->offset + m->n_bytes &&
	    in->kind != OMPP_ELEMENT_UNION) {
		snprintf(text, sizeof(text), "%s %s:%llu", m->name, dwarf_diename(die) ? dwarf_diename(die) : "",
		         (unsigned long long)n);
		free((char *)m->name);
		m->name = strdup(text);
		if (in->offset + end > m->offset + m->n_bytes)
			m->unit = m->n_bytes = in->offset + end - m->offset;
		return;
	}
	snprintf(text, sizeof(text), "%s:%llu", dwarf_diename(die) ? dwarf_diename(die) : "", (unsigned long long)n);
	m = element_add(e, in, text, from, end - from, OMPP_ELEMENT_BITS);
	if (m) {
		free((char *)m->type);
		m->type = strdup("bits");
	}
}

/* Lists what is in a base class. */
static void enter_base(struct ompp_symbols_element *e, Dwarf_Die *type, const struct inside *in, uint64_t offset,
                       uint64_t n_bytes)
{
	char name[NAME_BYTES];

	if (in->depth == DEEPEST)
		return;
	snprintf(name, sizeof(name), "%s::", dwarf_diename(type) ? dwarf_diename(type) : "");
	enter(e, type, in, name, offset, 1, n_bytes);
}

static void element_child(struct ompp_symbols_element *e, size_t first, Dwarf_Die *child, const struct inside *in)
{
	uint64_t offset = 0, bit, n;
	Dwarf_Die type;

	switch (dwarf_tag(child)) {
	case DW_TAG_inheritance:
		if (!ompp_symbols_is_virtual(child) && element_number(child, DW_AT_data_member_location, &offset) &&
		    ompp_symbols_type_of(child, &type))
			enter_base(e, &type, in, offset, ompp_symbols_own_bytes(&type));
		return;
	case DW_TAG_member:
		if (element_flag(child, DW_AT_external) || element_flag(child, DW_AT_declaration))
			return;
		if (element_bits(child, &bit, &n)) {
			element_bit_field(e, first, child, in, bit, n);
			return;
		}
		element_number(child, DW_AT_data_member_location, &offset);
		element_member(e, child, in, offset);
		return;
	default:
		return;
	}
}

/* ---- order ---- */

static int member_order(const void *a, const void *b)
{
	const struct ompp_element_member *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->n_bytes != y->n_bytes)
		return x->n_bytes > y->n_bytes ? -1 : 1;
	return x->unit != y->unit ? (x->unit > y->unit ? -1 : 1) : strcmp(x->name, y->name);
}

/* Gives members of unknown size the bytes up to the next one, and adds what is between members, and behind the last, as
 * padding: for those from `first` on, which are the members of one structure. */
static void fill_gaps(struct ompp_symbols_element *e, size_t first, const struct inside *in)
{
	uint64_t at = in->offset, end = in->offset + in->n_bytes;
	size_t n = e->n;

	qsort(e->members + first, n - first, sizeof(*e->members), member_order);
	for (size_t i = first; i < n; i++) {
		struct ompp_element_member *m = &e->members[i];

		if (m->n_bytes == UINT64_MAX) {
			uint64_t next = i + 1 < n ? e->members[i + 1].offset : end;

			m->unit = m->n_bytes = next > m->offset ? next - m->offset : 0;
		}
	}
	for (size_t i = first; i <= n; i++) {
		uint64_t next = i < n ? e->members[i].offset : end, behind;

		if (next > at && at < end && in->kind != OMPP_ELEMENT_UNION)
			element_add(e, in, "(padding)", at - in->offset, (next < end ? next : end) - at,
			            OMPP_ELEMENT_PADDING);
		if (i == n)
			break;
		behind = e->members[i].offset + e->members[i].n_bytes;
		/* what is in an array inside ends with that array */
		if (e->members[i].n_arrays > in->n_arrays) {
			const struct ompp_element_array *a = &e->members[i].arrays[in->n_arrays];

			behind = e->members[i].offset + a->step * (a->n - 1) + e->members[i].n_bytes;
			for (uint32_t k = in->n_arrays + 1; k < e->members[i].n_arrays; k++)
				behind += e->members[i].arrays[k].step * (e->members[i].arrays[k].n - 1);
		}
		at = behind > at ? behind : at;
	}
}

/* Makes one of members that have the same bytes and the same scalars: nothing tells accesses to them apart. */
static void join_alike(struct ompp_symbols_element *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++) {
		struct ompp_element_member *m = &e->members[i], *before = n ? &e->members[n - 1] : NULL;
		char text[NAME_BYTES];

		if (!before || m->kind != OMPP_ELEMENT_UNION || before->kind != OMPP_ELEMENT_UNION ||
		    m->offset != before->offset || m->n_bytes != before->n_bytes || m->unit != before->unit ||
		    m->n_arrays != before->n_arrays || memcmp(m->arrays, before->arrays, sizeof(m->arrays))) {
			e->members[n++] = *m;
			continue;
		}
		snprintf(text, sizeof(text), "%s|%s", before->name, m->name);
		free((char *)before->name);
		before->name = strdup(text);
		snprintf(text, sizeof(text), "%s|%s", before->type, m->type);
		free((char *)before->type);
		before->type = strdup(text);
		free((char *)m->name);
		free((char *)m->type);
	}
	e->n = n;
}

static void members_of(struct ompp_symbols_element *e, Dwarf_Die *structure, const struct inside *in)
{
	struct ompp_symbols_base bases[OMPP_SYMBOLS_BASES];
	size_t first = e->n, n_bases = in->is_base ? 0 : ompp_symbols_virtual_bases(structure, bases);
	Dwarf_Die child;

	if (dwarf_child(structure, &child))
		return;
	do
		element_child(e, first, &child, in);
	while (!dwarf_siblingof(&child, &child));
	for (size_t i = 0; i < n_bases; i++)
		enter_base(e, &bases[i].type, in, bases[i].offset, bases[i].n_bytes);
	if (in->is_base && e->n == first)
		return; /* an empty base class has no bytes of its own */
	fill_gaps(e, first, in);
	qsort(e->members + first, e->n - first, sizeof(*e->members), member_order);
}

void ompp_symbols_element_clear(struct ompp_symbols_element *e)
{
	for (size_t i = 0; i < e->n; i++) {
		free((char *)e->members[i].name);
		free((char *)e->members[i].type);
	}
	e->n = 0;
	e->n_bytes = 0;
	e->flags = 0;
	e->type[0] = '\0';
}

void ompp_symbols_members(struct ompp_symbols_element *e, Dwarf_Die *structure)
{
	struct inside in = { .prefix = "", .kind = dwarf_tag(structure) == DW_TAG_union_type ? OMPP_ELEMENT_UNION : 0 };
	Dwarf_Word n_bytes = 0;

	if (dwarf_aggregate_size(structure, &n_bytes) || !n_bytes || n_bytes > OMPP_ELEMENT_MOST_BYTES)
		return;
	e->n_bytes = in.n_bytes = n_bytes;
	ompp_symbols_type_name(e->type, sizeof(e->type), structure);
	members_of(e, structure, &in);
	join_alike(e);
}
