/*
 * Dynamic: see dynamic.h.  The tables are described in the generic ABI ("Hash Table") and, for DT_GNU_HASH, by the
 * linkers that produce it: 4 words (number of buckets, first symbol, size of the Bloom filter in words, its shift), the
 * filter, the buckets, and one hash per symbol; its lowest bit marks the end of the chain.
 */
#define _GNU_SOURCE
#include "runtime/host/dynamic.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#define HIDDEN_VERSION 0x8000u

/* The dynamic linker adds the bias to the addresses in the section, where that can be written to. */
static const void *dynamic_at(const struct ompp_dynamic *d, ElfW(Addr) address)
{
	return (const void *)(address < d->bias ? address + d->bias : address);
}

int ompp_dynamic_open(struct ompp_dynamic *d, uintptr_t bias, const ElfW(Dyn) * section)
{
	const ElfW(Dyn) * e;
	ElfW(Addr) name = 0;

	*d = (struct ompp_dynamic){ .bias = bias, .name = "" };
	for (e = section; e && e->d_tag != DT_NULL; e++)
		switch (e->d_tag) {
		/* clang-format off */
		case DT_SONAME:   name = e->d_un.d_val; break;
		case DT_STRTAB:   d->strings = dynamic_at(d, e->d_un.d_ptr); break;
		case DT_SYMTAB:   d->symbols = dynamic_at(d, e->d_un.d_ptr); break;
		case DT_VERSYM:   d->versions = dynamic_at(d, e->d_un.d_ptr); break;
		case DT_GNU_HASH: d->gnu_hash = dynamic_at(d, e->d_un.d_ptr); break;
		case DT_HASH:     d->hash = dynamic_at(d, e->d_un.d_ptr); break;
		default:          break;
			/* clang-format on */
		}
	if (!d->strings || !d->symbols || (!d->gnu_hash && !d->hash))
		return -ENOENT;
	if (name)
		d->name = d->strings + name;
	return 0;
}

const ElfW(Dyn) * ompp_dynamic_section(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return NULL;
}

int ompp_dynamic_of(struct ompp_dynamic *d, const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *section = ompp_dynamic_section(info);

	return section ? ompp_dynamic_open(d, info->dlpi_addr, section) : -ENOENT;
}

int ompp_dynamic_at(struct ompp_dynamic *d, const ElfW(Ehdr) * head)
{
	const ElfW(Phdr) *p = (const void *)((const char *)head + head->e_phoff);
	struct dl_phdr_info info = { .dlpi_phdr = p, .dlpi_phnum = head->e_phnum };

	for (int i = head->e_phnum - 1; i >= 0; i--)
		if (p[i].p_type == PT_LOAD)
			info.dlpi_addr = (ElfW(Addr))head + p[i].p_offset - p[i].p_vaddr;
	return ompp_dynamic_of(d, &info);
}

int ompp_dynamic_holds(const struct dl_phdr_info *info, uintptr_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && address - info->dlpi_addr - p->p_vaddr < p->p_memsz)
			return 1;
	}
	return 0;
}

int ompp_dynamic_is_own(const struct dl_phdr_info *info)
{
	static const char own; /* no other file can stand in for it, as for a symbol */

	return ompp_dynamic_holds(info, (uintptr_t)&own);
}

void ompp_dynamic_range(const struct dl_phdr_info *info, uintptr_t *lo, uintptr_t *hi)
{
	*lo = UINTPTR_MAX;
	*hi = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;

		if (p->p_type != PT_LOAD)
			continue;
		*lo = begin < *lo ? begin : *lo;
		*hi = end > *hi ? end : *hi;
	}
}

/* Returns symbol i when it is the function that is looked for, and NULL otherwise. */
static void *function_of(const struct ompp_dynamic *d, uint32_t i, const char *name)
{
	const ElfW(Sym) *s = &d->symbols[i];

	if (s->st_shndx == SHN_UNDEF || (s->st_info & 15) != STT_FUNC || strcmp(d->strings + s->st_name, name))
		return NULL;
	return d->versions && d->versions[i] & HIDDEN_VERSION ? NULL : (void *)(d->bias + s->st_value);
}

uint32_t ompp_dynamic_hash(const char *name)
{
	uint32_t hash = 5381;

	for (const char *c = name; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	return hash;
}

static void *by_gnu_hash(const struct ompp_dynamic *d, const char *name)
{
	const uint32_t n_buckets = d->gnu_hash[0], first = d->gnu_hash[1], n_filter = d->gnu_hash[2];
	const uint32_t *buckets = d->gnu_hash + 4 + n_filter * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *hashes = buckets + n_buckets;
	uint32_t hash = ompp_dynamic_hash(name), i;
	void *found = NULL;

	i = n_buckets ? buckets[hash % n_buckets] : 0;
	if (i < first)
		return NULL;
	do
		if (((hashes[i - first] ^ hash) & ~1u) == 0)
			found = function_of(d, i, name);
	while (!found && !(hashes[i++ - first] & 1));
	return found;
}

static void *by_hash(const struct ompp_dynamic *d, const char *name)
{
	const uint32_t n_buckets = d->hash[0], *buckets = d->hash + 2, *chain = buckets + n_buckets;
	uint32_t hash = 0;
	void *found = NULL;

	for (const char *c = name; *c; c++) {
		hash = (hash << 4) + (unsigned char)*c;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	for (uint32_t i = n_buckets ? buckets[hash % n_buckets] : 0; i && !found; i = chain[i])
		found = function_of(d, i, name);
	return found;
}

void *ompp_dynamic_function(const struct ompp_dynamic *d, const char *name)
{
	return d->gnu_hash ? by_gnu_hash(d, name) : by_hash(d, name);
}

/* How many symbols there are that are not defined is not told where DT_GNU_HASH finds none (first symbol 1, whatever
 * precedes); so those are taken that relocations name. */
int ompp_dynamic_wants(const struct ompp_dynamic *d, const ElfW(Dyn) * section, int (*is_it)(const char *name))
{
	const ElfW(Rela) * list[2] = { NULL, NULL };
	size_t n_bytes[2] = { 0, 0 };

	for (const ElfW(Dyn) *e = section; e->d_tag != DT_NULL; e++)
		switch (e->d_tag) {
		/* clang-format off */
		case DT_RELA:     list[0] = dynamic_at(d, e->d_un.d_ptr); break;
		case DT_RELASZ:   n_bytes[0] = e->d_un.d_val; break;
		case DT_JMPREL:   list[1] = dynamic_at(d, e->d_un.d_ptr); break;
		case DT_PLTRELSZ: n_bytes[1] = e->d_un.d_val; break;
		case DT_PLTREL:   if (e->d_un.d_val != DT_RELA) return 0; break;
		default:          break;
			/* clang-format on */
		}
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; list[k] && i < n_bytes[k] / sizeof(*list[k]); i++) {
			const ElfW(Sym) *s = &d->symbols[ELF64_R_SYM(list[k][i].r_info)];

			if (s->st_shndx == SHN_UNDEF && is_it(d->strings + s->st_name))
				return 1;
		}
	return 0;
}
