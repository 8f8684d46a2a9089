/*
 * Sheet all: see sheet_all.h.
 */
#define _GNU_SOURCE
#include "reports/watch/sheet_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/checksum.h"

enum { FIRST_SLOTS = 256 }; /* a power of two, as all sizes of the table */

static uint64_t all_hash(uint64_t hash, const char *text)
{
	return ompp_checksum(ompp_checksum(hash, text, text ? strlen(text) : 0), "\xff", 1);
}

static int all_is_same(const struct ompp_sheet_column *a, const struct ompp_sheet_column *b)
{
	return !strcmp(a->sensor, b->sensor) && !strcmp(a->event, b->event) && a->is_share == b->is_share &&
	       (a->source ? b->source && !strcmp(a->source, b->source) : !b->source);
}

/* Returns the slot of the column, which is empty when it is not there. */
static size_t *all_slot(const struct ompp_sheet_all *all, const struct ompp_sheet_column *c)
{
	uint64_t hash = all_hash(all_hash(all_hash(OMPP_CHECKSUM_START, c->sensor), c->event), c->source);
	size_t i = (size_t)(hash ^ hash >> 32) & (all->n_slots - 1);

	while (all->slots[i] && !all_is_same(&all->sheet.columns[all->slots[i] - 1], c))
		i = (i + 1) & (all->n_slots - 1);
	return &all->slots[i];
}

/* Makes room for one more column; at most half of the slots are taken.  Returns 0 or -ENOMEM. */
static int all_grow(struct ompp_sheet_all *all)
{
	struct ompp_sheet *s = &all->sheet;
	size_t n_slots = all->n_slots ? 2 * all->n_slots : FIRST_SLOTS, *slots;
	struct ompp_sheet_column *columns;

	if (s->n < s->room)
		return 0;
	columns = realloc(s->columns, n_slots / 2 * sizeof(*columns));
	if (!columns)
		return -ENOMEM;
	s->columns = columns;
	slots = calloc(n_slots, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(all->slots);
	all->slots = slots;
	all->n_slots = n_slots;
	s->room = n_slots / 2;
	for (size_t i = 0; i < s->n; i++)
		*all_slot(all, &s->columns[i]) = i + 1;
	return 0;
}

/* Adds a copy of a column.  Returns 0 or -ENOMEM. */
static int all_add(struct ompp_sheet_all *all, const struct ompp_sheet_column *c)
{
	struct ompp_sheet_column *copy = &all->sheet.columns[all->sheet.n++];

	*copy = *c;
	copy->sensor = strdup(c->sensor);
	copy->event = strdup(c->event);
	copy->unit = strdup(c->unit);
	copy->source = c->source ? strdup(c->source) : NULL;
	copy->what = copy->of = NULL;
	return copy->sensor && copy->event && copy->unit && (copy->source || !c->source) ? 0 : -ENOMEM;
}

int ompp_sheet_all_join(struct ompp_sheet_all *all, const struct ompp_sheet *sheet)
{
	int rc = 0;

	if (all->sheet.generation == sheet->generation)
		return 0; /* its columns were added before */
	all->sheet.generation = sheet->generation;
	for (size_t i = 0; i < sheet->n && !rc; i++) {
		rc = all_grow(all);
		if (!rc && !*all_slot(all, &sheet->columns[i])) {
			*all_slot(all, &sheet->columns[i]) = all->sheet.n + 1;
			rc = all_add(all, &sheet->columns[i]);
		}
	}
	return rc;
}

size_t ompp_sheet_all_find(const struct ompp_sheet_all *all, const struct ompp_sheet_column *c)
{
	size_t found = all->n_slots ? *all_slot(all, c) : 0;

	return found ? found - 1 : SIZE_MAX;
}

void ompp_sheet_all_free(struct ompp_sheet_all *all)
{
	for (size_t i = 0; i < all->sheet.n; i++) {
		free((char *)all->sheet.columns[i].sensor);
		free((char *)all->sheet.columns[i].event);
		free((char *)all->sheet.columns[i].unit);
		free((char *)all->sheet.columns[i].source);
	}
	free(all->slots);
	ompp_sheet_free(&all->sheet);
	*all = (struct ompp_sheet_all){ 0 };
}
