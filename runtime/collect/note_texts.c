/*
 * Note texts: see note_texts.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/note_texts.h"

#include <errno.h>

#include "runtime/host/real.h"
#include "runtime/program/unmeasured.h"

enum { MOST = 1 << 16 };

struct list {
	uint32_t type;
	const char **items; /* NULL when they are only counted */
	size_t n, room;
};

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct list *l = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const char *notes = (const char *)info->dlpi_addr + segment->p_vaddr, *text;
		size_t at = 0;

		if (segment->p_type != PT_NOTE)
			continue;
		while (l->n < MOST && (text = ompp_unmeasured_next(notes, segment->p_memsz, l->type, &at))) {
			if (l->items && l->n < l->room)
				l->items[l->n] = text;
			l->n++;
		}
	}
	return 0;
}

int ompp_note_texts(struct ompp_note_texts *texts, uint32_t type, struct ompp_arena *arena)
{
	struct list l = { .type = type };

	*texts = (struct ompp_note_texts){ NULL, 0 };
	ompp_real_each(add_module, &l);
	if (!l.n)
		return 0;
	l.room = l.n;
	l.items = ompp_arena_alloc(arena, l.room * sizeof(*l.items));
	if (!l.items)
		return -ENOMEM;
	l.n = 0;
	ompp_real_each(add_module, &l);
	texts->items = l.items;
	texts->n = l.n < l.room ? l.n : l.room; /* another thread may have loaded a library since they were counted */
	return 0;
}
