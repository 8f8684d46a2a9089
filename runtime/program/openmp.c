/*
 * OpenMP: see openmp.h.  A loaded file that defines the function for parallel regions belongs to OpenMP as a whole.  In
 * a static program its functions are recognised by their names in the symbol table; they are contiguous, as they come
 * from one archive, except the cold parts that the compiler has put into another section.
 */
#define _GNU_SOURCE
#include "runtime/program/openmp.h"

#include <elf.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/program_file.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/real.h"
#include "runtime/program/elf.h"

enum { MOST_PIECES = 32, GAP_BYTES = 1024 };

static struct piece {
	uintptr_t lo, hi;
} pieces[MOST_PIECES];
static size_t n_pieces;
static struct piece all = { UINTPTR_MAX, 0 }; /* around the pieces */

static void openmp_add(uintptr_t lo, uintptr_t hi)
{
	size_t i = 0;

	while (i < n_pieces && (lo > pieces[i].hi + GAP_BYTES || hi + GAP_BYTES < pieces[i].lo))
		i++;
	if (i == MOST_PIECES)
		return;
	if (i == n_pieces)
		pieces[n_pieces++] = (struct piece){ lo, hi };
	if (lo < pieces[i].lo)
		pieces[i].lo = lo;
	if (hi > pieces[i].hi)
		pieces[i].hi = hi;
	if (lo < all.lo)
		all.lo = lo;
	if (hi > all.hi)
		all.hi = hi;
}

static int find_file(struct dl_phdr_info *info, size_t size, void *context)
{
	struct ompp_dynamic file;

	(void)size;
	(void)context;
	if (ompp_dynamic_of(&file, info) ||
	    !(ompp_dynamic_function(&file, "GOMP_parallel") || ompp_dynamic_function(&file, "__kmpc_fork_call")))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
			openmp_add(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
			           info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
	return 1;
}

static int is_openmps(const char *name)
{
	static const char *const prefixes[] = { "GOMP_", "gomp_", "__kmp" };

	for (size_t i = 0; i < OMPP_COUNT_OF(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return !strstr(name, ".cold");
	return 0;
}

/* Looks into the program itself, which is the first file. */
static int find_functions(struct dl_phdr_info *info, size_t size, void *context)
{
	struct ompp_elf_symbols symbols;
	struct ompp_elf elf;
	ElfW(Sym) symbol;

	(void)size;
	(void)context;
	if (ompp_elf_open(&elf, ompp_program_file))
		return 1;
	if (!ompp_elf_symbols(&elf, SHT_SYMTAB, &symbols))
		for (size_t i = 0; i < symbols.n; i++)
			if (is_openmps(ompp_elf_symbol(&symbols, i, &symbol)) &&
			    ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
				openmp_add(info->dlpi_addr + symbol.st_value,
				           info->dlpi_addr + symbol.st_value + symbol.st_size);
	ompp_elf_close(&elf);
	return 1;
}

void ompp_openmp_find(void)
{
	if (!ompp_real_each(find_file, NULL))
		ompp_real_each(find_functions, NULL);
}

/* Which libraries there are. */
struct libraries {
	int is_gnu, is_other;
};

/* LLVM's library has the functions of GCC's, too. */
static int find_library(struct dl_phdr_info *info, size_t size, void *context)
{
	struct libraries *found = context;
	struct ompp_dynamic file;

	(void)size;
	if (ompp_dynamic_of(&file, info))
		return 0;
	if (ompp_dynamic_function(&file, "__kmpc_fork_call"))
		found->is_other = 1;
	else if (ompp_dynamic_function(&file, "GOMP_parallel"))
		found->is_gnu = 1;
	return 0;
}

/* The same in the program itself. */
static void find_own_library(struct libraries *found)
{
	struct ompp_elf_symbols symbols;
	struct ompp_elf elf;
	ElfW(Sym) symbol;

	if (ompp_elf_open(&elf, ompp_program_file))
		return;
	if (!ompp_elf_symbols(&elf, SHT_SYMTAB, &symbols))
		for (size_t i = 0; i < symbols.n; i++) {
			const char *name = ompp_elf_symbol(&symbols, i, &symbol);

			if (symbol.st_shndx != SHN_UNDEF && !strncmp(name, "gomp_", 5))
				found->is_gnu = 1;
			else if (symbol.st_shndx != SHN_UNDEF && !strcmp(name, "__kmpc_fork_call"))
				found->is_other = 1;
		}
	ompp_elf_close(&elf);
}

int ompp_openmp_is_gnu(void)
{
	enum { NOT_ASKED, NO, YES };
	static _Atomic uint32_t known;
	uint32_t is = atomic_load_explicit(&known, memory_order_relaxed);
	struct libraries found = { 0 };

	if (is != NOT_ASKED)
		return is == YES;
	ompp_real_each(find_library, &found);
	if (!found.is_gnu && !found.is_other)
		find_own_library(&found);
	is = found.is_gnu && !found.is_other ? YES : NO;
	atomic_store_explicit(&known, is, memory_order_relaxed);
	return is == YES;
}

int ompp_openmp_is_known(void)
{
	return n_pieces > 0;
}

int ompp_openmp_holds(uintptr_t address)
{
	if (address < all.lo || address >= all.hi)
		return 0;
	for (size_t i = 0; i < n_pieces; i++)
		if (address >= pieces[i].lo && address < pieces[i].hi)
			return 1;
	return 0;
}
