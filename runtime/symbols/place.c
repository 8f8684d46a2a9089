/*
 * Place: finds where functions begin and instructions are in the source, by debug information; see
 * runtime/program/debuginfo.h.
 *
 * The file that was asked about last stays open, as questions about one file come together.
 */
#include "runtime/symbols/place.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/program/demangle.h"
#include "runtime/program/short_name.h"

static struct {
	char *path;
	int fd;
	Elf *elf;
	Dwarf *dwarf;
} last = { .fd = -1 };

static void close_last(void)
{
	if (last.dwarf)
		dwarf_end(last.dwarf);
	if (last.elf)
		elf_end(last.elf);
	if (last.fd >= 0)
		close(last.fd);
	free(last.path);
	last.path = NULL;
	last.fd = -1;
	last.elf = NULL;
	last.dwarf = NULL;
}

static Dwarf *open_file(const char *path)
{
	if (last.path && !strcmp(last.path, path))
		return last.dwarf;
	close_last();
	last.path = strdup(path);
	last.fd = open(path, O_RDONLY | O_CLOEXEC);
	elf_version(EV_CURRENT);
	last.elf = last.fd < 0 ? NULL : elf_begin(last.fd, ELF_C_READ_MMAP, NULL);
	last.dwarf = last.elf ? dwarf_begin_elf(last.elf, DWARF_C_READ, NULL) : NULL;
	return last.dwarf;
}

/* Finds the unit that the address is in.  gcc writes a table of units by address; each of clang's has to be asked. */
static int find_unit(Dwarf *dwarf, Dwarf_Addr address, Dwarf_Die *die)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die split;
	uint8_t type;

	if (dwarf_addrdie(dwarf, address, die))
		return 1;
	while (!dwarf_get_units(dwarf, unit, &unit, NULL, &type, die, &split))
		if (type != DW_UT_type && type != DW_UT_split_type && dwarf_haspc(die, address) > 0)
			return 1;
	return 0;
}

/* Finds the file and the line of an address in a unit.  Returns 0 when they are not known. */
static int find_line(Dwarf_Die *unit, Dwarf_Addr address, const char **file)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number;

	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return 0;
	*file = dwarf_linesrc(line, NULL, NULL);
	return *file ? number : 0;
}

int ompp_symbols_place(const char *path, uintptr_t address, const char **file)
{
	Dwarf *dwarf = open_file(path);
	Dwarf_Die unit;

	*file = NULL;
	return dwarf && find_unit(dwarf, address, &unit) ? find_line(&unit, address, file) : 0;
}

/* Returns the name of a function as the linker knows it where that says more (C++), else as the source has it. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	return name ? name : dwarf_diename(die);
}

/* Copies a name as the source has it.  Compilers name the parts that they cut out of a function "f._omp_fn.0",
 * "f.constprop.0" or "f.omp_outlined"; names of Clang that begin with a dot tell no function. */
static const char *in_source(const char *name)
{
	static char text[512];
	struct ompp_arena arena;
	size_t n = strcspn(name, ".");
	char *plain;

	ompp_arena_init(&arena, 0);
	plain = ompp_arena_strndup(&arena, name, n);
	if (plain && !strncmp(plain, "_Z", 2)) {
		char *demangled = ompp_demangle(plain, OMPP_DEMANGLE_NAME, &arena);

		if (demangled) {
			ompp_short_name(demangled);
			plain = demangled;
		}
	}
	text[0] = '\0';
	if (plain)
		strncat(text, plain, sizeof(text) - 1);
	ompp_arena_fini(&arena);
	return text;
}

/* Returns the name of the symbol whose function holds the address; NULL when there is none.  gcc gives the functions
 * that it makes of parallel regions no name elsewhere. */
static const char *symbol_of(Dwarf_Addr address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while ((section = elf_nextscn(last.elf, section))) {
		Elf_Data *data = gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB
		                       ? elf_getdata(section, NULL)
		                       : NULL;

		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
			if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && address - symbol.st_value < symbol.st_size)
				return elf_strptr(last.elf, header.sh_link, symbol.st_name);
	}
	return NULL;
}

/* Returns the function of an address: the innermost scope that is one. */
static const char *function_of(Dwarf_Die *unit, Dwarf_Addr address)
{
	const char *name = NULL;
	Dwarf_Die *scopes = NULL;
	int n = dwarf_getscopes(unit, address, &scopes);

	for (int i = 0; i < n && !name; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			name = name_of(&scopes[i]);
	}
	if (n > 0)
		free(scopes);
	name = name ? name : symbol_of(address);
	return name ? in_source(name) : "";
}

int ompp_symbols_line(const char *path, uintptr_t address, const char **file, const char **function)
{
	Dwarf *dwarf = open_file(path);
	Dwarf_Die unit;
	int line;

	*file = NULL;
	*function = "";
	if (!dwarf || !find_unit(dwarf, address, &unit))
		return 0;
	line = find_line(&unit, address, file);
	if (line)
		*function = function_of(&unit, address);
	return line;
}

/* Returns 1 for a source of compilers and libraries: nobody looks there for the cause of an allocation. */
static int is_of_system(const char *file)
{
	return !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9) || strstr(file, "/include/c++/");
}

/* Finds the place that called a function which was inlined there.  Returns 0 when it is not known. */
static int find_call(Dwarf_Die *inlined, Dwarf_Die *unit, const char **file)
{
	Dwarf_Attribute attr;
	Dwarf_Word line, number;
	Dwarf_Files *files;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attr), &line) ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attr), &number) ||
	    dwarf_getsrcfiles(unit, &files, NULL))
		return 0;
	*file = dwarf_filesrc(files, number, NULL, NULL);
	return *file ? (int)line : 0;
}

int ompp_symbols_call(const char *path, uintptr_t address, const char **file, const char **function)
{
	Dwarf_Die unit, *scopes = NULL, *chain = NULL;
	Dwarf *dwarf = open_file(path);
	const char *name = NULL;
	int line, n, i;

	*file = NULL;
	*function = "";
	if (!dwarf || !find_unit(dwarf, address, &unit))
		return 0;
	line = find_line(&unit, address, file);
	n = line ? dwarf_getscopes(&unit, address, &scopes) : 0;
	/* the scopes that contain the innermost one in this function, and not where that one is written */
	n = n > 0 ? dwarf_getscopes_die(&scopes[0], &chain) : 0;
	for (i = 0; i < n && line && !name; i++) {
		int tag = dwarf_tag(&chain[i]);

		if (tag == DW_TAG_inlined_subroutine && is_of_system(*file))
			line = find_call(&chain[i], &unit, file);
		else if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
			name = name_of(&chain[i]);
	}
	free(scopes);
	free(chain);
	if (!line || is_of_system(*file))
		return 0;
	name = name ? name : symbol_of(address);
	*function = name ? in_source(name) : "";
	return line;
}
