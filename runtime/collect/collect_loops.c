/*
 * Loops: lists what the compiler said of vectorising the program's loops, from the ELF notes of the program and of the
 * libraries that are loaded with it (program/unmeasured.h).
 */
#include <errno.h>
#include <string.h>

#include "reports/profile/record.h"
#include "runtime/base/sort.h"
#include "runtime/collect/collect.h"
#include "runtime/collect/note_texts.h"
#include "runtime/program/unmeasured.h"

static int is_after(const void *loops, uint32_t x, uint32_t y)
{
	const struct ompp_loop *all = loops;

	return ompp_record_compare(OMPP_SECTION_LOOPS, &all[x], &all[y]) > 0;
}

/* Reads "FILE:LINE: NAME: how".  Returns 0 when the text is none of a loop, 1, or -ENOMEM. */
static int read_loop(const char *text, struct ompp_arena *arena, struct ompp_loop *out)
{
	size_t n_file = ompp_unmeasured_file(text), n_all = ompp_unmeasured_construct(text);
	const char *name;
	uint32_t line = 0;
	char *file;

	if (!n_file || !text[n_all])
		return 0;
	for (name = text + n_file + 1; *name >= '0' && *name <= '9'; name++)
		line = line * 10 + (uint32_t)(*name - '0');
	file = ompp_arena_alloc(arena, n_file + 1);
	if (!file)
		return -ENOMEM;
	memcpy(file, text, n_file);
	file[n_file] = '\0';
	*out = (struct ompp_loop){ .file = file,
		                   .line = line,
		                   .is_vectorized = !strncmp(name + 2, OMPP_LOOP_VECTORIZED ":",
		                                             sizeof(OMPP_LOOP_VECTORIZED ":") - 1),
		                   .how = text + n_all + 2 };
	return 1;
}

int ompp_collect_loops(struct ompp_profile *p, struct ompp_arena *arena)
{
	struct ompp_note_texts l;
	struct ompp_loop *all, *out;
	uint32_t *order;
	size_t n = 0;
	int rc;

	if (ompp_note_texts(&l, OMPP_LOOP_TYPE, arena))
		return -ENOMEM;
	if (!l.n)
		return 0;
	all = ompp_arena_alloc(arena, l.n * sizeof(*all));
	out = ompp_arena_alloc(arena, l.n * sizeof(*out));
	if (!all || !out)
		return -ENOMEM;
	for (size_t i = 0; i < l.n; i++) {
		rc = read_loop(l.items[i], arena, &all[n]);
		if (rc < 0)
			return rc;
		n += (size_t)rc;
	}
	order = ompp_sorted(arena, n, is_after, all);
	if (!order)
		return -ENOMEM;
	/* a header's loop is in each object whose source includes it */
	for (size_t i = 0; i < n; i++)
		if (!p->n_loops || ompp_record_compare(OMPP_SECTION_LOOPS, &out[p->n_loops - 1], &all[order[i]]))
			out[p->n_loops++] = all[order[i]];
	p->loops = out;
	return 0;
}
