/*
 * Section: see section.h.
 */
#define _GNU_SOURCE
#include "runtime/core/section.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/dynamic.h"
#include "runtime/base/note.h"
#include "runtime/base/real.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/data/range.h"

enum { NAME_BYTES = 256 };

/* A segment of a file in memory. */
struct section {
	const char *file;
	uintptr_t lo, hi;
	unsigned int flags;
};

struct sections {
	struct ompp_arena arena;
	struct section *all;
	size_t n, have;
	int n_files;
};

/* Adds the segments of a file to the list.  It runs under the lock of the dynamic linker, so nothing is named here. */
static int add_file(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sections *s = data;
	const char *path = s->n_files++ ? info->dlpi_name : ompp_session_app(),
		   *base = path ? strrchr(path, '/') : NULL;

	(void)size;
	if (!path || !path[0] || ompp_dynamic_holds(info, (uintptr_t)add_file))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		struct section *grown;

		if (p->p_type != PT_LOAD || !p->p_memsz)
			continue;
		grown = ompp_arena_grow(&s->arena, s->all, &s->have, s->n + 1, sizeof(*grown));
		if (!grown)
			return 1;
		s->all = grown;
		grown[s->n++] = (struct section){ ompp_arena_strdup(&s->arena, base ? base + 1 : path),
			                          info->dlpi_addr + p->p_vaddr,
			                          info->dlpi_addr + p->p_vaddr + p->p_memsz, p->p_flags };
	}
	return 0;
}

void ompp_sections_name(void)
{
	struct sections s = { .n = 0 };
	int rc;

	ompp_arena_init(&s.arena, 0);
	rc = ompp_real_each(add_file, &s);
	for (size_t i = 0; i < s.n && s.all[i].file; i++) {
		const struct section *section = &s.all[i];
		char name[NAME_BYTES];
		struct ompp_text t;

		ompp_text_init(&t, name, sizeof(name));
		ompp_text_strn(&t, section->file, strnlen(section->file, sizeof(name) - 16));
		ompp_text_str(&t, section->flags & PF_W ? ": data" : section->flags & PF_X ? ": code" : ": constants");
		ompp_range_begin_rest(name, OMPP_ORIGIN_FILE, section->lo, section->hi);
	}
	if (rc > 0)
		ompp_note_say("OMPP_OBJECTS: no memory for the names of sections; some are in (other)");
	ompp_arena_fini(&s.arena);
}
