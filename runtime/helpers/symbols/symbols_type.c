/*
 * Type: see symbols_type.h.
 */
#include "runtime/helpers/symbols/symbols_type.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/text.h"

enum { DEEPEST = 16 };

int ompp_symbols_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute, *given = dwarf_attr_integrate(die, DW_AT_type, &attribute);
	Dwarf_Die plain;

	if (!given || !dwarf_formref_die(given, type))
		return 0;
	if (!dwarf_peel_type(type, &plain))
		*type = plain;
	return 1;
}

int ompp_symbols_is_named(Dwarf_Die *die, const char *name, size_t n)
{
	const char *own = dwarf_diename(die);

	return own && ompp_text_same(own, strlen(own), name, n);
}

int ompp_symbols_is_structure(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void type_append(char *text, size_t n_text, const char *more)
{
	size_t n = strlen(text);

	if (n < n_text - 1)
		strncat(text, more, n_text - 1 - n);
}

/* Returns the number of an array's elements; 0 where it has no end. */
static uint64_t type_count(Dwarf_Die *array)
{
	Dwarf_Die type;
	Dwarf_Word all = 0, one = 0;

	if (!ompp_symbols_type_of(array, &type) || dwarf_aggregate_size(&type, &one) || !one ||
	    dwarf_aggregate_size(array, &all))
		return 0;
	return all / one;
}

static void type_name_at(char *text, size_t n_text, Dwarf_Die *type, int depth)
{
	Dwarf_Die of;
	Dwarf_Attribute attribute;
	const char *name = dwarf_diename(type);
	int tag = dwarf_tag(type),
	    has_type = dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &attribute), &of) != NULL;
	char number[32];

	if (depth == DEEPEST)
		return;
	switch (tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		if (has_type)
			type_name_at(text, n_text, &of, depth + 1);
		else
			type_append(text, n_text, "void");
		type_append(text, n_text, tag == DW_TAG_pointer_type ? " *" : " &");
		break;
	case DW_TAG_array_type:
		if (has_type)
			type_name_at(text, n_text, &of, depth + 1);
		snprintf(number, sizeof(number), "[%llu]", (unsigned long long)type_count(type));
		type_append(text, n_text, strcmp(number, "[0]") ? number : "[]");
		break;
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		if (has_type)
			type_name_at(text, n_text, &of, depth + 1);
		else
			type_append(text, n_text, "void");
		break;
	case DW_TAG_subroutine_type:
		type_append(text, n_text, "function");
		break;
	case DW_TAG_enumeration_type:
		type_append(text, n_text, "enum ");
		type_append(text, n_text, name ? name : "");
		break;
	default:
		type_append(text, n_text, name ? name : tag == DW_TAG_union_type ? "union" : "struct");
		break;
	}
}

void ompp_symbols_type_name(char *text, size_t n_text, Dwarf_Die *type)
{
	text[0] = '\0';
	type_name_at(text, n_text, type, 0);
}
