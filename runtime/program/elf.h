/*
 * Elf: finds sections, symbols and the build-id of an ELF file of this machine's kind, in a read-only mapping.
 *
 * Nothing in the file is trusted: data outside of the file are treated as missing, and a string ends with its section
 * at the latest.  No memory is allocated; all returned pointers point into the mapping.
 */
#ifndef OMPP_PROGRAM_ELF_H
#define OMPP_PROGRAM_ELF_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct ompp_elf {
	const char *data;
	size_t n_bytes;
	size_t n_sections;
	size_t sections_at, names_at, names_bytes; /* offsets of the section headers and of their names in the file */
	int is_mapped;
};

struct ompp_elf_section {
	const char *name;    /* "" when it cannot be read */
	uint32_t type, link; /* SHT_*; a symbol table links to its string table */
	uint64_t flags;      /* SHF_* */
	uintptr_t address;   /* in the file's own address space */
	size_t memory_bytes; /* in memory */
	const char *data;    /* in the file; NULL and 0 for sections without bytes there */
	size_t n_bytes;
};

struct ompp_elf_symbols {
	const char *table, *strings;
	size_t n, strings_bytes;
};

/* Map a file, or use n_bytes of the caller, which must not change until the close.  Return 0, -ENOEXEC when it is no
 * ELF file or has another word size or byte order, or another -errno. */
int ompp_elf_open(struct ompp_elf *elf, const char *path);
int ompp_elf_open_memory(struct ompp_elf *elf, const void *data, size_t n_bytes);
void ompp_elf_close(struct ompp_elf *elf);

/* Finds section i, which is below n_sections.  Returns 0, or -EINVAL when it lies outside of the file. */
int ompp_elf_section(const struct ompp_elf *elf, size_t i, struct ompp_elf_section *section);

/* Finds the first section of a name that is not empty.  Returns 0 or -ENOENT. */
int ompp_elf_section_named(const struct ompp_elf *elf, const char *name, struct ompp_elf_section *section);

/* Finds the symbol table of a type, SHT_SYMTAB or SHT_DYNSYM.  Returns 0 or -ENOENT. */
int ompp_elf_symbols(const struct ompp_elf *elf, uint32_t type, struct ompp_elf_symbols *symbols);

/* Copies symbol i, which is below n, and returns its name; "" when it is not terminated in the file. */
const char *ompp_elf_symbol(const struct ompp_elf_symbols *symbols, size_t i, ElfW(Sym) * symbol);

/* Finds the GNU build-id, and returns its length in bytes; 0 when there is none. */
size_t ompp_elf_build_id(const struct ompp_elf *elf, const unsigned char **id);

#endif
