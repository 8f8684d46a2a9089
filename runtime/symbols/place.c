/*
 * Place: where a function begins, by the line tables of debug information; see runtime/base/debuginfo.h.
 *
 * The file that was asked about last stays open, as questions about one come together.
 */
#include "runtime/symbols/place.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct { char *path; int fd; Elf *elf; Dwarf *dwarf; } last = { .fd = -1 };

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

/* The unit that the address is in.  gcc writes a table of them; of clang's each has to be asked. */
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

int ompp_symbols_place(const char *path, uintptr_t address, const char **file)
{
	Dwarf *dwarf = open_file(path);
	Dwarf_Line *line;
	Dwarf_Die unit;
	int number;

	*file = NULL;
	if (!dwarf || !find_unit(dwarf, address, &unit))
		return 0;
	line = dwarf_getsrc_die(&unit, address);
	if (!line || dwarf_lineno(line, &number) || number <= 0)
		return 0;
	*file = dwarf_linesrc(line, NULL, NULL);
	return *file ? number : 0;
}
