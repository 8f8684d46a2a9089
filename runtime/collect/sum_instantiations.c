/*
 * Instantiations: see sum_instantiations.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/sum_instantiations.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/core/region.h"
#include "runtime/host/loaded.h"
#include "runtime/program/demangle.h"
#include "runtime/program/elf.h"
#include "runtime/program/short_name.h"

/* Returns 1 when a name has template arguments: a `<` that is not part of an operator's name. */
static int is_instantiation(const char *name)
{
	static const char word[] = "operator";
	const size_t n = sizeof(word) - 1;

	for (const char *p = name; (p = strchr(p, '<')); p += strspn(p, "<=>"))
		if ((size_t)(p - name) < n || memcmp(p - n, word, n) != 0)
			return 1;
	return 0;
}

/* Turns the symbol of a handle, _ZZ12parallel_forI1KEviT_E9__kinst_0, into the name of the function in which it is
 * static; "" when that is no instantiation of a template.  Link-time optimisation may have appended a suffix that
 * begins with a point. */
static void name_instantiation(struct ompp_region_def *def, const char *symbol, struct ompp_arena *arena)
{
	char *own = ompp_arena_strndup(arena, symbol, strcspn(symbol, "."));
	char *name = own ? ompp_demangle(own, OMPP_DEMANGLE_NAME, arena) : NULL, *end = NULL;

	if (name) {
		ompp_short_name(name);
		for (char *p = name; (p = strstr(p, "::")); p += 2)
			end = p;
	}
	if (end)
		*end = '\0';
	ompp_region_found_in(def, end && is_instantiation(name) ? name : "");
}

/* Returns 1 when the region has a handle that was not looked up. */
static int is_waiting(const struct ompp_region_def *def)
{
	return def && def->address && !ompp_region_is_code(def) && !def->instantiation;
}

/* The handles in one file that wait for their names. */
struct handles {
	struct ompp_loaded file;
	struct handle {
		uintptr_t offset; /* in the file */
		struct ompp_region_def *def;
	} * items;
	size_t n, room;
};

/* Lists the handles that are in the same file as that of the first region. */
static int list_handles(struct handles *h, uint32_t first, uint32_t n, struct ompp_arena *arena)
{
	struct ompp_loaded own;

	h->n = 0;
	if (ompp_loaded_find(&h->file, ompp_region_by_id(first)->address))
		return -ENOENT;
	for (uint32_t id = first; id <= n; id++) {
		struct ompp_region_def *def = ompp_region_by_id(id);

		if (!is_waiting(def) || ompp_loaded_find(&own, def->address) || own.bias != h->file.bias ||
		    strcmp(own.path, h->file.path) != 0)
			continue;
		h->items = ompp_arena_grow(arena, h->items, &h->room, h->n + 1, sizeof(*h->items));
		if (!h->items)
			return -ENOMEM;
		h->items[h->n++] = (struct handle){ own.offset, def };
	}
	return 0;
}

/* Names the handles that have symbols in this table. */
static void read_symbols(const struct handles *h, const struct ompp_elf *elf, uint32_t type, struct ompp_arena *arena)
{
	struct ompp_elf_symbols symbols;
	ElfW(Sym) symbol;

	if (ompp_elf_symbols(elf, type, &symbols))
		return;
	for (size_t i = 0; i < symbols.n; i++) {
		const char *name = ompp_elf_symbol(&symbols, i, &symbol);

		if ((symbol.st_info & 15) != STT_OBJECT || strncmp(name, "_ZZ", 3) != 0)
			continue;
		for (size_t k = 0; k < h->n; k++)
			if (h->items[k].offset == symbol.st_value && !h->items[k].def->instantiation)
				name_instantiation(h->items[k].def, name, arena);
	}
}

/* Names the handles in one file; those without a symbol get no name. */
static void name_handles(const struct handles *h, struct ompp_arena *arena)
{
	struct ompp_elf elf;

	if (!ompp_elf_open(&elf, h->file.path)) {
		read_symbols(h, &elf, SHT_SYMTAB, arena);
		read_symbols(h, &elf, SHT_DYNSYM, arena);
		ompp_elf_close(&elf);
	}
	for (size_t k = 0; k < h->n; k++)
		if (!h->items[k].def->instantiation)
			ompp_region_found_in(h->items[k].def, "");
}

/* A region of C, in a header that C++ has, too, stands in no instantiation. */
static const char *instantiation_of(const struct ompp_region_def *def)
{
	return def->instantiation ? def->instantiation : "";
}

static int is_like(const struct ompp_region_def *x, const struct ompp_region_def *y)
{
	return x->construct == y->construct && x->begin_line == y->begin_line && x->end_line == y->end_line &&
	       !strcmp(x->file, y->file) && !strcmp(x->name, y->name) &&
	       !strcmp(instantiation_of(x), instantiation_of(y));
}

/* Returns the id of the first region that has the same place and instantiation. */
static uint32_t first_like(const struct ompp_region_def *def, uint32_t id)
{
	for (uint32_t i = 1; i < id; i++) {
		const struct ompp_region_def *other = ompp_region_by_id(i);

		if (other && is_like(other, def))
			return i;
	}
	return id;
}

void ompp_instantiations_name(void)
{
	uint32_t n = ompp_region_count();
	struct ompp_arena arena;
	struct handles handles = { .n = 0 };
	int has_handles = 0;

	ompp_arena_init(&arena, 0);
	for (uint32_t id = 1; id <= n; id++) {
		struct ompp_region_def *def = ompp_region_by_id(id);

		has_handles |= def && def->instantiation;
		if (!is_waiting(def))
			continue;
		has_handles = 1;
		if (!list_handles(&handles, id, n, &arena))
			name_handles(&handles, &arena);
		if (!def->instantiation)
			ompp_region_found_in(def, "");
	}
	for (uint32_t id = 1; id <= n && has_handles; id++) {
		struct ompp_region_def *def = ompp_region_by_id(id);

		if (def && def->file[0] && !ompp_construct_is_lock(def->construct))
			def->shown_as = first_like(def, id);
	}
	ompp_arena_fini(&arena);
}
