/*
 * Unmeasured: lists the constructs that are not instrumented, from the ELF notes of the program and of the libraries
 * that are loaded with it.  Their number becomes a condition of the run, and the first ones get a note each.
 */
#include "runtime/program/unmeasured.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/collect/collect.h"
#include "runtime/collect/note_texts.h"

enum { MOST_NAMED = 16 };

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_note_texts *l = context;

	return strcmp(l->items[x], l->items[y]) > 0;
}

/* Returns whether two notes are about the same construct.  Their reasons may differ between sources. */
static int is_same_construct(const char *a, const char *b)
{
	size_t n = ompp_unmeasured_construct(a);

	return n == ompp_unmeasured_construct(b) && !memcmp(a, b, n);
}

/* Sorts the list by file and keeps each construct once: a header's construct is in each object whose source includes
 * it.  Returns 0 or -ENOMEM. */
static int sort_once(struct ompp_note_texts *l, struct ompp_arena *arena)
{
	uint32_t *order = ompp_arena_alloc(arena, l->n * sizeof(*order));
	const char **sorted = ompp_arena_alloc(arena, l->n * sizeof(*sorted));
	size_t n = 0;

	if (!order || !sorted)
		return -ENOMEM;
	for (size_t i = 0; i < l->n; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, l->n, is_after, l);
	for (size_t i = 0; i < l->n; i++)
		if (!n || !is_same_construct(sorted[n - 1], l->items[order[i]]))
			sorted[n++] = l->items[order[i]];
	l->items = sorted;
	l->n = n;
	return 0;
}

static uint64_t n_files(const struct ompp_note_texts *l)
{
	uint64_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		size_t file = ompp_unmeasured_file(l->items[i]);

		n += !i || file != ompp_unmeasured_file(l->items[i - 1]) || memcmp(l->items[i], l->items[i - 1], file);
	}
	return n;
}

static int add_condition(struct ompp_profile *p, struct ompp_arena *arena, const struct ompp_note_texts *l)
{
	struct ompp_condition *all = ompp_arena_alloc(arena, (p->n_conditions + 1) * sizeof(*all));
	uint64_t files = n_files(l);
	char line[64];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_u64(&t, l->n);
	ompp_text_str(&t, l->n == 1 ? " construct of " : " constructs of ");
	ompp_text_u64(&t, files);
	ompp_text_str(&t, files == 1 ? " file" : " files");
	if (!all)
		return -ENOMEM;
	memcpy(all, p->conditions, p->n_conditions * sizeof(*all));
	all[p->n_conditions] = (struct ompp_condition){ "Not Measured", ompp_arena_strdup(arena, line) };
	if (!all[p->n_conditions++].value)
		return -ENOMEM;
	p->conditions = all;
	return 0;
}

static int add_notes(struct ompp_profile *p, struct ompp_arena *arena, const struct ompp_note_texts *l)
{
	size_t n = l->n < MOST_NAMED ? l->n : MOST_NAMED;
	struct ompp_profile_note *all = ompp_arena_alloc(arena, (p->n_notes + n + 1) * sizeof(*all));

	if (!all)
		return -ENOMEM;
	memcpy(all, p->notes, p->n_notes * sizeof(*all));
	for (size_t i = 0; i < n; i++) {
		const char *text = l->items[i];
		char line[1024];
		struct ompp_text t;

		ompp_text_init(&t, line, sizeof(line));
		ompp_text_str(&t, "not measured: ");
		ompp_text_str(&t, text);
		all[p->n_notes + i] = (struct ompp_profile_note){ ompp_arena_strdup(arena, line), 0 };
		if (!all[p->n_notes + i].text)
			return -ENOMEM;
	}
	p->n_notes += n;
	if (l->n > n)
		all[p->n_notes++] = (struct ompp_profile_note){
			"more constructs are not measured; `ompp regions PROGRAM` lists them", l->n - n
		};
	p->notes = all;
	return 0;
}

int ompp_collect_unmeasured(struct ompp_profile *p, struct ompp_arena *arena)
{
	struct ompp_note_texts l;

	if (ompp_note_texts(&l, OMPP_UNMEASURED_TYPE, arena))
		return -ENOMEM;
	if (!l.n)
		return 0;
	return sort_once(&l, arena) || add_condition(p, arena, &l) || add_notes(p, arena, &l) ? -ENOMEM : 0;
}
