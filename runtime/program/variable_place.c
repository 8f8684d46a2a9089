/*
 * Variable: see variable.h.  This file knows the sections that variables are in.
 */
#include "runtime/program/variable.h"

#include <elf.h>
#include <string.h>

static int variable_place_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

const char *ompp_variable_place_name(enum ompp_variable_place place)
{
	return place == OMPP_PLACE_DATA ? "data" : place == OMPP_PLACE_BSS ? "bss" : "rodata";
}

enum ompp_variable_place ompp_variable_place_of(const struct ompp_elf_section *s)
{
	if (!(s->flags & SHF_ALLOC) || s->flags & SHF_EXECINSTR || variable_place_starts(s->name, ".eh_frame"))
		return OMPP_N_PLACES;
	if (variable_place_starts(s->name, ".rodata") || variable_place_starts(s->name, ".data.rel.ro") ||
	    variable_place_starts(s->name, ".lrodata"))
		return OMPP_PLACE_RODATA;
	/* The name is looked at before the type, as in separate debug information no section has bytes. */
	if (variable_place_starts(s->name, ".bss") || variable_place_starts(s->name, ".lbss") ||
	    variable_place_starts(s->name, ".tbss"))
		return OMPP_PLACE_BSS;
	if (variable_place_starts(s->name, ".data") || variable_place_starts(s->name, ".ldata") ||
	    variable_place_starts(s->name, ".tdata"))
		return OMPP_PLACE_DATA;
	if (s->type != SHT_PROGBITS && s->type != SHT_NOBITS)
		return OMPP_N_PLACES;
	return s->type == SHT_NOBITS ? OMPP_PLACE_BSS : s->flags & SHF_WRITE ? OMPP_PLACE_DATA : OMPP_PLACE_RODATA;
}

enum ompp_variable_place ompp_variables_place(const struct ompp_variables *v, uintptr_t address)
{
	struct ompp_elf_section s;

	for (size_t i = 0; i < v->elf.n_sections; i++)
		if (!ompp_elf_section(&v->elf, i, &s) && s.flags & SHF_ALLOC && !(s.flags & SHF_TLS) &&
		    address - s.address < s.memory_bytes)
			return ompp_variable_place_of(&s);
	return OMPP_N_PLACES;
}
