/*
 * Location: finds where functions begin and instructions are in the source, by debug information; see
 * runtime/program/debuginfo.h.
 *
 * The file that was asked about last stays open, as questions about one file come together.
 */
#include "runtime/helpers/symbols/symbols_location.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/base/text.h"
#include "runtime/program/demangle.h"
#include "runtime/program/short_name.h"
#include "runtime/program/templates.h"

enum symbol_owner { OF_OTHERS, MAY_BE_OURS, OURS }; /* we are kinst's libraries */

/* A function by the table of symbols. */
struct symbol {
	uintptr_t address, n_bytes;
	const char *name; /* in the file */
	enum symbol_owner owner;
};

static struct {
	char *path;
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	struct symbol *symbols; /* by address; NULL until they are asked for */
	size_t n_symbols;
	int has_exported; /* these are only those that it exports */
} last = { .fd = -1 };

static void close_last(void)
{
	free(last.symbols);
	last.symbols = NULL;
	last.n_symbols = 0;
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

Dwarf *ompp_symbols_open(const char *path)
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

int ompp_symbols_location(const char *path, uintptr_t address, const char **file)
{
	Dwarf *dwarf = ompp_symbols_open(path);
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
	} else if (plain) {
		ompp_demangle_procedure(plain);
	}
	text[0] = '\0';
	if (plain)
		strncat(text, plain, sizeof(text) - 1);
	ompp_arena_fini(&arena);
	return text;
}

static int symbol_is_after(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->address != y->address ? (x->address > y->address ? 1 : -1) : strcmp(x->name, y->name);
}

/* May a function be one of kinst's by its name? */
static int is_own_name(const char *name)
{
	return ompp_text_begins(name, "ompp_") || ompp_text_begins(name, "__ompp_") ||
	       ompp_text_begins(name, "__tsan_") || ompp_text_begins(name, "__wrap_") ||
	       ompp_text_begins(name, "POMP2_");
}

/* Functions that may be kinst's by their names are where the function before them or behind them is, as those of an
 * archive lie together; kinst links an object of its own (files.c) between the program's and the archive. */
static void decide_own(void)
{
	enum symbol_owner before = OF_OTHERS;

	for (size_t i = 0, end; i < last.n_symbols; i = end + 1) {
		enum symbol_owner owner;

		for (end = i; end < last.n_symbols && last.symbols[end].owner == MAY_BE_OURS; end++)
			;
		owner = before == OURS || (end < last.n_symbols && last.symbols[end].owner == OURS) ? OURS : OF_OTHERS;
		for (size_t k = i; k < end; k++)
			last.symbols[k].owner = owner;
		before = end < last.n_symbols ? last.symbols[end].owner : OF_OTHERS;
	}
}

/* The local symbols of a source follow its name; the first of them is ompp_own where the source is kinst's
 * (base/own.h).  Hidden ones follow an empty name, or with some linkers any, and global ones come last: of these the
 * source is not known. */
static void read_symbols(Elf_Data *data, size_t strings, size_t n)
{
	enum symbol_owner owner = OF_OTHERS;
	GElf_Sym symbol;

	last.symbols = calloc(n + 1, sizeof(*last.symbols));
	for (size_t i = 0; last.symbols && i < n && gelf_getsym(data, (int)i, &symbol); i++) {
		const char *name = elf_strptr(last.elf, strings, symbol.st_name);
		int is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL, type = GELF_ST_TYPE(symbol.st_info);

		name = name ? name : "";
		if (!is_local || GELF_ST_VISIBILITY(symbol.st_other) != STV_DEFAULT)
			owner = MAY_BE_OURS;
		else if (type == STT_FILE)
			owner = name[0] ? OF_OTHERS : MAY_BE_OURS;
		else if (symbol.st_shndx == SHN_ABS && !strcmp(name, "ompp_own"))
			owner = OURS;
		/* an undefined one may have the address of its entry for calls, and the size that it has elsewhere */
		if (name[0] && symbol.st_size && type == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
			last.symbols[last.n_symbols++] = (struct symbol){ symbol.st_value, symbol.st_size, name,
				                                          owner == MAY_BE_OURS && !is_own_name(name)
				                                                  ? OF_OTHERS
				                                                  : owner };
	}
	if (last.symbols)
		qsort(last.symbols, last.n_symbols, sizeof(*last.symbols), symbol_is_after);
	decide_own();
}

static void find_symbols_in(unsigned int type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (!last.symbols && last.elf && (section = elf_nextscn(last.elf, section))) {
		Elf_Data *data = gelf_getshdr(section, &header) && header.sh_type == type && header.sh_entsize
		                       ? elf_getdata(section, NULL)
		                       : NULL;

		if (data)
			read_symbols(data, header.sh_link, header.sh_size / header.sh_entsize);
	}
}

/* A stripped library still has the symbols that it exports. */
static void find_symbols(void)
{
	if (last.symbols)
		return;
	find_symbols_in(SHT_SYMTAB);
	last.has_exported = !last.symbols;
	if (last.has_exported)
		find_symbols_in(SHT_DYNSYM);
}

/* Returns the symbol whose function holds the address; NULL when there is none.  gcc gives the functions that it makes
 * of parallel regions no name elsewhere. */
static const struct symbol *symbol_at(uintptr_t address)
{
	size_t lo = 0, hi;

	find_symbols();
	for (hi = last.n_symbols; lo < hi;) {
		size_t middle = lo + (hi - lo) / 2;

		if (last.symbols[middle].address <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	while (lo && last.symbols[lo - 1].address == last.symbols[hi - 1].address)
		lo--; /* the first of several names of one function */
	return lo < last.n_symbols && address - last.symbols[lo].address < last.symbols[lo].n_bytes ? &last.symbols[lo]
	                                                                                            : NULL;
}

static const char *symbol_of(uintptr_t address)
{
	const struct symbol *symbol = symbol_at(address);

	return symbol ? symbol->name : NULL;
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
	Dwarf *dwarf = ompp_symbols_open(path);
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

/* Clang finds GCC's headers from its own folder: /usr/bin/../lib/gcc/…/include/x86_64-linux-gnu/c++/12/mutex. */
int ompp_symbols_is_of_system(const char *file)
{
	const char *include = strstr(file, "/include/");

	return !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9) ||
	       (include && strstr(include, "/c++/"));
}

/* ---- the frames of a call ---- */

static struct ompp_debug_frame frames[OMPP_DEBUG_MOST_FRAMES];
static size_t n_frames;

static void forget_frames(void)
{
	for (size_t i = 0; i < n_frames; i++)
		free((char *)frames[i].function);
	n_frames = 0;
}

/* Keeps a frame.  When there are too many, those between the innermost and the outermost ones are left out.
 * name: as the linker knows it, or NULL */
static void keep_frame(const struct ompp_symbols_spot *at, const char *name)
{
	if (n_frames == OMPP_DEBUG_MOST_FRAMES)
		free((char *)frames[--n_frames].function);
	frames[n_frames++] = (struct ompp_debug_frame){
		.file = at->file ? at->file : "",
		.function = strdup(name ? in_source(name) : ""),
		.line = at->line > 0 ? (unsigned int)at->line : 0,
		.column = at->line > 0 && at->column > 0 ? (unsigned int)at->column : 0,
		.is_of_system = !at->file || ompp_symbols_is_of_system(at->file),
	};
}

struct ompp_symbols_spot ompp_symbols_instruction(Dwarf_Die *unit, uintptr_t address)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	struct ompp_symbols_spot at = { NULL, 0, 0 };

	if (!line || dwarf_lineno(line, &at.line) || at.line <= 0)
		return (struct ompp_symbols_spot){ NULL, 0, 0 };
	if (dwarf_linecol(line, &at.column))
		at.column = 0;
	at.file = dwarf_linesrc(line, NULL, NULL);
	return at.file ? at : (struct ompp_symbols_spot){ NULL, 0, 0 };
}

struct ompp_symbols_spot ompp_symbols_spot_at(Dwarf *dwarf, uintptr_t address)
{
	Dwarf_Die unit;

	return find_unit(dwarf, address, &unit) ? ompp_symbols_instruction(&unit, address)
	                                        : (struct ompp_symbols_spot){ NULL, 0, 0 };
}

static int number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	return dwarf_formudata(dwarf_attr(die, name, &attr), &number) || number > INT_MAX ? 0 : (int)number;
}

struct ompp_symbols_spot ompp_symbols_call_of(Dwarf_Die *inlined, Dwarf_Die *unit)
{
	Dwarf_Files *files;
	struct ompp_symbols_spot at = { NULL, number_of(inlined, DW_AT_call_line),
		                        number_of(inlined, DW_AT_call_column) };

	if (at.line && !dwarf_getsrcfiles(unit, &files, NULL))
		at.file = dwarf_filesrc(files, (size_t)number_of(inlined, DW_AT_call_file), NULL, NULL);
	return at.file ? at : (struct ompp_symbols_spot){ NULL, 0, 0 };
}

/* Finds the innermost scope at an address, at or below a scope that need not contain it: a module of Fortran contains
 * no addresses, nor does f those of a function that gcc made of a parallel region of it, "f._omp_fn.0".  Returns 0 when
 * there is none. */
static int innermost_below(Dwarf_Die *scope, Dwarf_Addr address, Dwarf_Die *found)
{
	int is_found = dwarf_haspc(scope, address) > 0;
	Dwarf_Die child;

	if (is_found)
		*found = *scope;
	if (dwarf_child(scope, &child))
		return is_found;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_module)
			is_found |= innermost_below(&child, address, found);
	} while (!dwarf_siblingof(&child, &child));
	return is_found;
}

int ompp_symbols_scopes(Dwarf *dwarf, uintptr_t address, Dwarf_Die *unit, Dwarf_Die **chain)
{
	Dwarf_Die *scopes = NULL, innermost;
	int n;

	*chain = NULL;
	if (!find_unit(dwarf, address, unit))
		return -1;
	n = dwarf_getscopes(unit, address, &scopes);
	/* the scopes that contain the innermost one in this function, and not where that one is written */
	if (n > 0)
		n = dwarf_getscopes_die(&scopes[0], chain);
	else
		n = innermost_below(unit, address, &innermost) ? dwarf_getscopes_die(&innermost, chain) : 0;
	free(scopes);
	return n > 0 ? n : 0;
}

/* Keeps the frames of an address. */
static void find_frames(Dwarf *dwarf, uintptr_t address)
{
	Dwarf_Die *chain, unit;
	struct ompp_symbols_spot at;
	int n = ompp_symbols_scopes(dwarf, address, &unit, &chain), ends = 0;

	if (n < 0)
		return;
	at = ompp_symbols_instruction(&unit, address);
	for (int i = 0; i < n && !ends; i++) {
		int tag = dwarf_tag(&chain[i]);

		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		ends = tag == DW_TAG_subprogram;
		keep_frame(&at, name_of(&chain[i]) || !ends ? name_of(&chain[i]) : symbol_of(address));
		if (!ends)
			at = ompp_symbols_call_of(&chain[i], &unit);
	}
	if (!ends && at.file)
		keep_frame(&at, symbol_of(address));
	free(chain);
}

/* Returns a symbol's name as the source has it, with what the compiler appended to the name of a part that it cut out:
 * "f", "ns::f._omp_fn.0". */
static const char *symbol_in_source(const char *name)
{
	static char text[600];
	const char *rest = name + strcspn(name, ".");

	text[0] = '\0';
	strncat(text, in_source(name), 511);
	strncat(text, rest, sizeof(text) - 1 - strlen(text));
	return text;
}

void ompp_symbols_call(const char *path, uintptr_t address, struct ompp_debug_call *call)
{
	Dwarf *dwarf = ompp_symbols_open(path);
	const struct symbol *symbol;

	forget_frames();
	if (dwarf)
		find_frames(dwarf, address);
	symbol = symbol_at(address);
	*call = (struct ompp_debug_call){
		.frames = frames,
		.n_frames = n_frames,
		.symbol = symbol ? symbol_in_source(symbol->name) : "",
		.offset = symbol ? address - symbol->address : 0,
		.is_of_system = symbol && (last.has_exported || ompp_templates_name(symbol->name)),
		.is_own = symbol && symbol->owner == OURS,
	};
}
