/*
 * Elf: see elf.h.  Headers and symbols are copied before use, as they may lie at any address in the file.
 */
#define _GNU_SOURCE
#include "runtime/program/elf.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "runtime/base/space.h"
#include "runtime/base/sys.h"

static const unsigned char byte_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
static const unsigned char word_class = sizeof(ElfW(Addr)) == 8 ? ELFCLASS64 : ELFCLASS32;

static int is_inside(size_t n_file, uint64_t at, uint64_t n)
{
	return at <= n_file && n <= n_file - at;
}

static void elf_header(const struct ompp_elf *elf, size_t i, ElfW(Shdr) * h)
{
	memcpy(h, elf->data + elf->sections_at + i * sizeof(*h), sizeof(*h));
}

int ompp_elf_open_memory(struct ompp_elf *elf, const void *data, size_t n_bytes)
{
	ElfW(Ehdr) head;
	ElfW(Shdr) h;
	uint64_t n;
	size_t names;

	*elf = (struct ompp_elf){ .data = data, .n_bytes = n_bytes };
	if (n_bytes < sizeof(head))
		return -ENOEXEC;
	memcpy(&head, data, sizeof(head));
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != word_class ||
	    head.e_ident[EI_DATA] != byte_order)
		return -ENOEXEC;
	if (!head.e_shoff || head.e_shentsize != sizeof(h) || !is_inside(n_bytes, head.e_shoff, sizeof(h)))
		return 0;
	elf->sections_at = head.e_shoff;
	elf_header(elf, 0, &h);
	/* A number of sections that does not fit 16 bits stands in the first section's header. */
	n = head.e_shnum ? head.e_shnum : h.sh_size;
	if (n > (n_bytes - head.e_shoff) / sizeof(h))
		return 0;
	elf->n_sections = (size_t)n;
	names = head.e_shstrndx == SHN_XINDEX ? h.sh_link : head.e_shstrndx;
	if (names >= elf->n_sections)
		return 0;
	elf_header(elf, names, &h);
	if (h.sh_type != SHT_NOBITS && is_inside(n_bytes, h.sh_offset, h.sh_size)) {
		elf->names_at = h.sh_offset;
		elf->names_bytes = h.sh_size;
	}
	return 0;
}

int ompp_elf_open(struct ompp_elf *elf, const char *path)
{
	int fd = ompp_sys_open(path, O_RDONLY | O_CLOEXEC, 0), rc;
	struct stat st;
	long map = 0;

	*elf = (struct ompp_elf){ 0 };
	if (fd < 0)
		return fd;
	rc = ompp_sys_fstat(fd, &st);
	if (!rc && (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(ElfW(Ehdr))))
		rc = -ENOEXEC;
	if (!rc && (map = ompp_space_map((size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) < 0)
		rc = -ENOMEM;
	ompp_sys_close(fd);
	if (rc)
		return rc;
	rc = ompp_elf_open_memory(elf, (const void *)map, (size_t)st.st_size);
	elf->is_mapped = 1;
	if (rc)
		ompp_elf_close(elf);
	return rc;
}

void ompp_elf_close(struct ompp_elf *elf)
{
	if (elf->is_mapped)
		ompp_sys_munmap((void *)(uintptr_t)elf->data, elf->n_bytes);
	*elf = (struct ompp_elf){ 0 };
}

/* Returns the string at this offset of a block of strings; "" when no string ends there inside the block. */
static const char *string_at(const char *strings, size_t n_bytes, size_t at)
{
	return at < n_bytes && memchr(strings + at, '\0', n_bytes - at) ? strings + at : "";
}

int ompp_elf_section(const struct ompp_elf *elf, size_t i, struct ompp_elf_section *section)
{
	ElfW(Shdr) h;

	if (i >= elf->n_sections)
		return -EINVAL;
	elf_header(elf, i, &h);
	*section = (struct ompp_elf_section){
		.name = string_at(elf->data + elf->names_at, elf->names_bytes, h.sh_name),
		.type = h.sh_type,
		.link = h.sh_link,
		.flags = h.sh_flags,
		.address = h.sh_addr,
		.memory_bytes = h.sh_size,
	};
	if (h.sh_type == SHT_NOBITS || h.sh_type == SHT_NULL)
		return 0;
	if (!is_inside(elf->n_bytes, h.sh_offset, h.sh_size))
		return -EINVAL;
	section->data = elf->data + h.sh_offset;
	section->n_bytes = h.sh_size;
	return 0;
}

int ompp_elf_section_named(const struct ompp_elf *elf, const char *name, struct ompp_elf_section *section)
{
	for (size_t i = 0; i < elf->n_sections; i++)
		if (!ompp_elf_section(elf, i, section) && section->n_bytes && !strcmp(section->name, name))
			return 0;
	return -ENOENT;
}

int ompp_elf_symbols(const struct ompp_elf *elf, uint32_t type, struct ompp_elf_symbols *symbols)
{
	struct ompp_elf_section table, strings;

	for (size_t i = 0; i < elf->n_sections; i++)
		if (!ompp_elf_section(elf, i, &table) && table.type == type && table.n_bytes &&
		    !ompp_elf_section(elf, table.link, &strings) && strings.n_bytes) {
			*symbols = (struct ompp_elf_symbols){ table.data, strings.data,
				                              table.n_bytes / sizeof(ElfW(Sym)), strings.n_bytes };
			return 0;
		}
	*symbols = (struct ompp_elf_symbols){ 0 };
	return -ENOENT;
}

const char *ompp_elf_symbol(const struct ompp_elf_symbols *symbols, size_t i, ElfW(Sym) * symbol)
{
	memcpy(symbol, symbols->table + i * sizeof(*symbol), sizeof(*symbol));
	return string_at(symbols->strings, symbols->strings_bytes, symbol->st_name);
}

/* Finds the build-id and returns its length; 0 when there is none.  A note is three words, then its owner and its
 * content, each filled up to a multiple of four bytes. */
static size_t build_id_of(const struct ompp_elf_section *s, const unsigned char **id)
{
	size_t at = 0;

	while (s->n_bytes - at >= 3 * sizeof(uint32_t)) {
		uint32_t head[3];
		size_t owner, content;

		memcpy(head, s->data + at, sizeof(head));
		at += sizeof(head);
		owner = ((size_t)head[0] + 3) & ~(size_t)3;
		content = ((size_t)head[1] + 3) & ~(size_t)3;
		if (owner > s->n_bytes - at || head[1] > s->n_bytes - at - owner)
			return 0;
		if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && !memcmp(s->data + at, "GNU", 4)) {
			*id = (const unsigned char *)s->data + at + owner;
			return head[1];
		}
		if (content > s->n_bytes - at - owner)
			return 0;
		at += owner + content;
	}
	return 0;
}

size_t ompp_elf_build_id(const struct ompp_elf *elf, const unsigned char **id)
{
	struct ompp_elf_section s;
	size_t n = 0;

	for (size_t i = 0; i < elf->n_sections && !n; i++)
		if (!ompp_elf_section(elf, i, &s) && s.type == SHT_NOTE)
			n = build_id_of(&s, id);
	return n;
}
