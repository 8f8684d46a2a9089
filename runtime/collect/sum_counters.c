/*
 * Counters: see sum_counters.h.
 */
#include "runtime/collect/sum_counters.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/nearest.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/data_sums/accesses.h"
#include "runtime/sources/source.h"

enum { MAX_HEADING_OBJECTS = 4 };

/* Returns the accesses that a counter counts.  A read-modify-write is a load and a store. */
static int64_t counters_counted(const struct ompp_access *a, enum ompp_access_counter which)
{
	const int64_t *v = a->values;
	int64_t loads = v[OMPP_ACCESS_LOADS] + v[OMPP_ACCESS_ATOMICS];
	int64_t stores = v[OMPP_ACCESS_STORES] + v[OMPP_ACCESS_ATOMICS];
	int64_t load_bytes = v[OMPP_ACCESS_LOAD_BYTES] + v[OMPP_ACCESS_ATOMIC_BYTES];
	int64_t store_bytes = v[OMPP_ACCESS_STORE_BYTES] + v[OMPP_ACCESS_ATOMIC_BYTES];

	switch (which) {
	case OMPP_ACC_LD:
		return loads;
	case OMPP_ACC_ST:
		return stores;
	case OMPP_ACC_LST:
		return loads + stores;
	case OMPP_ACC_ATOMIC:
		return v[OMPP_ACCESS_ATOMICS];
	case OMPP_ACC_LD_BYTES:
		return load_bytes;
	case OMPP_ACC_ST_BYTES:
		return store_bytes;
	case OMPP_ACC_BYTES:
		return load_bytes + store_bytes;
	default:
		return 0;
	}
}

/* Returns the heading of an access counter that has the name of a hardware counter.  The heading says whose accesses
 * are counted, as in "PAPI_LD_INS(a b)". */
static const char *counters_heading(struct ompp_merge *c, const struct ompp_profile *p, const char *name)
{
	char text[256];
	struct ompp_text t;
	size_t i;

	ompp_text_init(&t, text, sizeof(text));
	ompp_text_str(&t, name);
	for (i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++) {
		ompp_text_char(&t, i == OMPP_OBJECT_FIRST_NAMED ? '(' : ' ');
		if (i - OMPP_OBJECT_FIRST_NAMED == MAX_HEADING_OBJECTS - 1 &&
		    p->n_objects > OMPP_OBJECT_FIRST_NAMED + MAX_HEADING_OBJECTS) {
			ompp_text_str(&t, "...");
			break;
		}
		ompp_text_str(&t, p->objects[i].name);
	}
	ompp_text_char(&t, ')');
	return ompp_arena_strdup(c->arena, text);
}

static uint32_t cell_of(const struct ompp_profile *p, uint32_t node, uint32_t row)
{
	uint32_t k;

	for (k = 0; k < p->nodes[node].n_cells; k++)
		if (p->cells[p->nodes[node].first_cell + k].row == row)
			return p->nodes[node].first_cell + k;
	return OMPP_NONE;
}

/* Fills a column with the accesses of one object, or of a sum over objects, at and below each call path.  Constructs
 * that counters do not cover keep missing cells. */
static void counters_fill(const struct ompp_merge *c, const struct ompp_profile *p, size_t column, uint32_t object,
                          enum ompp_access_counter which)
{
	int64_t *values = c->values;
	size_t i;

	for (i = 0; i < c->n_accesses; i++) {
		const struct ompp_access *a = &c->accesses[i];
		uint32_t node;

		if (a->object != object)
			continue;
		for (node = a->node; node != OMPP_NONE; node = p->nodes[node].parent) {
			uint32_t cell = cell_of(p, node, a->row);

			if (cell != OMPP_NONE && values[cell * p->n_metrics + column] != OMPP_MISSING)
				values[cell * p->n_metrics + column] += counters_counted(a, which);
		}
	}
}

static void not_counted(struct ompp_merge *c, const struct ompp_profile *p, size_t column, const char *why)
{
	struct ompp_metric *metric = &c->metrics[column];
	size_t i;

	metric->certainty = OMPP_NOT_COUNTED;
	metric->detail = why;
	for (i = 0; i < p->n_cells; i++)
		c->values[i * p->n_metrics + column] = OMPP_MISSING;
}

static const struct ompp_profile *named_in; /* the profile that ompp_nearest() searches */

static const char *object_name(size_t i)
{
	i += OMPP_OBJECT_FIRST_NAMED;
	return i < named_in->n_objects ? named_in->objects[i].name : NULL;
}

/* Returns why an object is not known: "no data of this name; did you mean a?". */
static const char *unknown_object(struct ompp_merge *c, const struct ompp_profile *p, const char *name)
{
	char text[256];
	struct ompp_text t;
	const char *nearest;

	named_in = p;
	nearest = ompp_nearest(name, strlen(name), object_name, 3);
	ompp_text_init(&t, text, sizeof(text));
	ompp_text_str(&t, "no data is named ");
	ompp_text_str(&t, name);
	if (nearest) {
		ompp_text_str(&t, "; did you mean ");
		ompp_text_str(&t, nearest);
		ompp_text_char(&t, '?');
	} else {
		ompp_text_str(&t, "; name it with inst data, ompp_data_begin() or OMPP_DATA_NAME");
	}
	return ompp_arena_strdup(c->arena, text);
}

static int fill_column(struct ompp_merge *c, const struct ompp_profile *p, size_t column)
{
	const struct ompp_counter *counter = ompp_metrics.column[column].counter;
	struct ompp_metric *metric = &c->metrics[column];
	uint32_t object = OMPP_ALL_DATA;

	if (!p->hooked) {
		not_counted(c, p, column, "the program has no access hooks; build it with kinst --access");
		return 0;
	}
	metric->detail = "of all data, by access hooks";
	if (!strcmp(counter->object, "*")) {
		if (p->n_objects == OMPP_OBJECT_FIRST_NAMED) {
			not_counted(c, p, column, "no data is named that it could count; ACC_LD … count all");
			return 0;
		}
		object = OMPP_NAMED_DATA;
		metric->detail = "of the named data, by access hooks";
		metric->name = strncmp(counter->name, "ACC_", 4) ? counters_heading(c, p, counter->name) : metric->name;
	} else if (counter->object[0]) {
		for (object = OMPP_OBJECT_OTHER;
		     object < p->n_objects && strcmp(p->objects[object].name, counter->object); object++)
			;
		if (object == p->n_objects) {
			const char *why = unknown_object(c, p, counter->object);

			not_counted(c, p, column, why ? why : "");
			return why ? 0 : -ENOMEM;
		}
		if (!p->objects[object].measured) {
			not_counted(c, p, column,
			            "constant data, whose reads compilers do not all hook; build it without const");
			return 0;
		}
		metric->detail = "by access hooks";
	}
	if (!metric->name)
		return -ENOMEM;
	counters_fill(c, p, column, object, counter->access);
	return 0;
}

static int is_named(const struct ompp_profile *p)
{
	size_t i;

	for (i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		if (p->objects[i].n_ranges)
			return 1;
	return 0;
}

/* Notes that a hardware counter counts all data: data that the program itself names was unknown when the counter was
 * chosen, and no number may look as if it were restricted to such data. */
static int say_of_all(struct ompp_merge *c, size_t column)
{
	const struct ompp_counter *counter = ompp_metrics.column[column].counter;
	struct ompp_metric *metric = &c->metrics[column];
	char text[512];
	struct ompp_text t;

	if (!counter || counter->kind != OMPP_COUNTER_THREAD || !ompp_counter_is_hardware(counter) ||
	    metric->certainty == OMPP_NOT_COUNTED || strstr(metric->detail, OMPP_COUNTER_OF_ALL))
		return 0;
	ompp_text_init(&t, text, sizeof(text));
	ompp_text_str(&t, metric->detail);
	ompp_text_str(&t, metric->detail[0] ? "; " : "");
	ompp_text_str(&t, OMPP_COUNTER_OF_ALL);
	metric->detail = ompp_arena_strdup(c->arena, text);
	return metric->detail ? 0 : -ENOMEM;
}

int ompp_collect_counters(struct ompp_merge *c, struct ompp_profile *p)
{
	size_t i;

	for (i = 0; i < ompp_metrics.n_columns; i++)
		if (ompp_metrics.column[i].is_access ? fill_column(c, p, i) : is_named(p) && say_of_all(c, i))
			return -ENOMEM;
	return 0;
}
