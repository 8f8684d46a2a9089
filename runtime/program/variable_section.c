/*
 * Variable: see variable.h.  This file knows the sections that variables are in.
 */
#include "runtime/program/variable.h"

#include <elf.h>
#include <string.h>

static int variable_section_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

const char *ompp_variable_section_name(enum ompp_variable_section section)
{
	return section == OMPP_IN_DATA ? "data" : section == OMPP_IN_BSS ? "bss" : "rodata";
}

enum ompp_variable_section ompp_variable_section_of(const struct ompp_elf_section *s)
{
	if (!(s->flags & SHF_ALLOC) || s->flags & SHF_EXECINSTR || variable_section_starts(s->name, ".eh_frame"))
		return OMPP_IN_NONE;
	if (variable_section_starts(s->name, ".rodata") || variable_section_starts(s->name, ".data.rel.ro") ||
	    variable_section_starts(s->name, ".lrodata"))
		return OMPP_IN_RODATA;
	/* The name is looked at before the type, as in separate debug information no section has bytes. */
	if (variable_section_starts(s->name, ".bss") || variable_section_starts(s->name, ".lbss") ||
	    variable_section_starts(s->name, ".tbss"))
		return OMPP_IN_BSS;
	if (variable_section_starts(s->name, ".data") || variable_section_starts(s->name, ".ldata") ||
	    variable_section_starts(s->name, ".tdata"))
		return OMPP_IN_DATA;
	if (s->type != SHT_PROGBITS && s->type != SHT_NOBITS)
		return OMPP_IN_NONE;
	return s->type == SHT_NOBITS ? OMPP_IN_BSS : s->flags & SHF_WRITE ? OMPP_IN_DATA : OMPP_IN_RODATA;
}

enum ompp_variable_section ompp_variables_section(const struct ompp_variables *v, uintptr_t address)
{
	struct ompp_elf_section s;

	for (size_t i = 0; i < v->elf.n_sections; i++)
		if (!ompp_elf_section(&v->elf, i, &s) && s.flags & SHF_ALLOC && !(s.flags & SHF_TLS) &&
		    address - s.address < s.memory_bytes)
			return ompp_variable_section_of(&s);
	return OMPP_IN_NONE;
}
