/*
 * Allocator: see symbols_allocator.h.
 */
#include "runtime/helpers/symbols/symbols_allocator.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/helpers/symbols/symbols_type.h"

int ompp_symbols_argument_of(Dwarf_Die *class, Dwarf_Die *type)
{
	Dwarf_Die child;

	if (dwarf_child(class, &child))
		return 0;
	do
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter && ompp_symbols_is_named(&child, "_Tp", 3))
			return ompp_symbols_type_of(&child, type);
	while (!dwarf_siblingof(&child, &child));
	return 0;
}

/* Is what stands in these scopes, the innermost first, the C++ library's? */
static int is_in_library(Dwarf_Die *around, int n)
{
	for (int i = 0; i < n; i++) {
		const char *name = dwarf_tag(&around[i]) == DW_TAG_namespace ? dwarf_diename(&around[i]) : NULL;

		if (name && (!strcmp(name, "std") || !strcmp(name, "__gnu_cxx")))
			return 1;
	}
	return 0;
}

int ompp_symbols_allocated(Dwarf_Die *function, Dwarf_Die *type)
{
	static const char *const allocators[] = { "allocator<", "new_allocator<", "__new_allocator<", "vector<" };
	Dwarf_Attribute attribute;
	Dwarf_Die at = *function, origin, *around = NULL;
	const char *name;
	int n, is_found = 0;

	while (dwarf_formref_die(dwarf_attr(&at, DW_AT_abstract_origin, &attribute), &origin) ||
	       dwarf_formref_die(dwarf_attr(&at, DW_AT_specification, &attribute), &origin))
		at = origin;
	n = dwarf_getscopes_die(&at, &around);
	name = n > 1 && ompp_symbols_is_structure(&around[1]) ? dwarf_diename(&around[1]) : NULL;
	if (name && !is_in_library(around, n))
		name = NULL;
	for (size_t i = 0; name && i < sizeof(allocators) / sizeof(allocators[0]) && !is_found; i++)
		is_found = !strncmp(name, allocators[i], strlen(allocators[i])) &&
		           ompp_symbols_argument_of(&around[1], type);
	free(around);
	return is_found;
}
