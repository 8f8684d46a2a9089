/*
 * Templates: see templates.h.  A file's table has a bit for every two bytes of code, from its first such function to
 * its last one: functions begin at even addresses.
 */
#define _GNU_SOURCE
#include "runtime/program/templates.h"

#include <elf.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/program_file.h"
#include "runtime/base/space.h"
#include "runtime/host/real.h"
#include "runtime/program/elf.h"

enum { MOST_FILES = 32, BYTES_A_BIT = 2, BYTES_A_WORD = 64 * BYTES_A_BIT, MOST_BYTES = 1 << 30 };

/* A file that was looked into.  It is complete before it is counted; then nobody writes it. */
static struct file {
	uintptr_t bias;
	uintptr_t lo, hi; /* in memory; the same where it has no such function */
	uint64_t *bits;
	uintptr_t library_lo, library_hi; /* all of it, where it is the C or the C++ library's; else 0 */
} files[MOST_FILES];
static size_t n_files;

/* Does such a function call what the program gave it?  A lambda of the program's may be inlined into it, as into what a
 * std::thread runs.  One of std::__invoke() that calls a member function of the library's has none. */
static int is_invoker(const char *symbol)
{
	if (strstr(symbol, "6_M_runE") || strstr(symbol, "9_M_invokeE"))
		return 1;
	return (strstr(symbol, "8__invokeI") || strstr(symbol, "13__invoke_implI") ||
	        strstr(symbol, "10__invoke_rI")) &&
	       !strstr(symbol, "MSt") && !strstr(symbol, "MNSt");
}

int ompp_templates_name(const char *symbol)
{
	static const char *const starts[] = { "_ZSt",  "_ZNS",   "_ZNKS",         "_ZZSt",
		                              "_ZZNS", "_ZZNKS", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx" };

	for (size_t i = 0; i < OMPP_COUNT_OF(starts); i++)
		if (!strncmp(symbol, starts[i], strlen(starts[i])))
			return !is_invoker(symbol);
	return !strncmp(symbol, "_ZL", 3) && strstr(symbol, "__gthread_"); /* by which libstdc++ calls pthreads */
}

/* Calls take() for each such function of a file. */
static void templates_each(struct file *f, const struct ompp_elf_symbols *symbols,
                           void (*take)(struct file *f, uintptr_t lo, uintptr_t hi))
{
	ElfW(Sym) symbol;

	for (size_t i = 0; i < symbols->n; i++)
		if (ompp_templates_name(ompp_elf_symbol(symbols, i, &symbol)) &&
		    ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_size &&
		    symbol.st_size < MOST_BYTES)
			take(f, f->bias + symbol.st_value, f->bias + symbol.st_value + symbol.st_size);
}

static void templates_widen(struct file *f, uintptr_t lo, uintptr_t hi)
{
	f->lo = f->lo == f->hi || lo < f->lo ? lo : f->lo;
	f->hi = hi > f->hi ? hi : f->hi;
}

static void templates_mark(struct file *f, uintptr_t lo, uintptr_t hi)
{
	for (uintptr_t at = lo - f->lo; at < hi - f->lo; at += BYTES_A_BIT)
		f->bits[at / BYTES_A_WORD] |= (uint64_t)1 << at / BYTES_A_BIT % 64;
}

static void read_file(struct file *f, const char *path)
{
	struct ompp_elf_symbols symbols;
	struct ompp_elf elf;

	if (ompp_elf_open(&elf, path))
		return;
	if (!ompp_elf_symbols(&elf, SHT_SYMTAB, &symbols)) {
		templates_each(f, &symbols, templates_widen);
		if (f->hi - f->lo - 1 < MOST_BYTES)
			f->bits = ompp_space_reserve((f->hi - f->lo) / BYTES_A_WORD * 8 + 8);
		if (f->bits)
			templates_each(f, &symbols, templates_mark);
	}
	ompp_elf_close(&elf);
	if (!f->bits)
		f->lo = f->hi = 0;
}

/* Finds where a file lies that is the C or the C++ library's. */
static void find_library(struct file *f, const struct dl_phdr_info *info, const char *path)
{
	static const char *const names[] = { "/libc.so.6", "/libpthread.so.0", "/libstdc++.so.6" };
	const char *name = strrchr(path, '/');

	for (size_t i = 0; name && i < OMPP_COUNT_OF(names); i++)
		if (!strcmp(name, names[i]))
			f->library_lo = UINTPTR_MAX;
	for (size_t i = 0; f->library_lo && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t lo = info->dlpi_addr + p->p_vaddr, hi = lo + p->p_memsz;

		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			f->library_lo = lo < f->library_lo ? lo : f->library_lo;
			f->library_hi = hi > f->library_hi ? hi : f->library_hi;
		}
	}
}

static int templates_look(struct dl_phdr_info *info, size_t size, void *context)
{
	size_t n = __atomic_load_n(&n_files, __ATOMIC_RELAXED);
	const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : ompp_program_file;

	(void)size, (void)context;
	for (size_t i = 0; i < n; i++)
		if (files[i].bias == info->dlpi_addr)
			return 0;
	if (n == MOST_FILES)
		return 1;
	files[n] = (struct file){ .bias = info->dlpi_addr };
	read_file(&files[n], path);
	find_library(&files[n], info, path);
	__atomic_store_n(&n_files, n + 1, __ATOMIC_RELEASE);
	return 0;
}

void ompp_templates_look(void)
{
	ompp_real_each(templates_look, NULL);
}

int ompp_templates_hold(uintptr_t address)
{
	size_t n = __atomic_load_n(&n_files, __ATOMIC_ACQUIRE);

	for (size_t i = 0; i < n; i++) {
		const struct file *f = &files[i];

		if (address - f->lo < f->hi - f->lo)
			return f->bits[(address - f->lo) / BYTES_A_WORD] >> (address - f->lo) / BYTES_A_BIT % 64 & 1;
	}
	return 0;
}

int ompp_templates_is_library(uintptr_t address)
{
	size_t n = __atomic_load_n(&n_files, __ATOMIC_ACQUIRE);

	for (size_t i = 0; i < n; i++)
		if (address - files[i].library_lo < files[i].library_hi - files[i].library_lo)
			return 1;
	return 0;
}
