/*
 * Data facts: see data_facts.h.
 */
#include "reports/tables/data_facts.h"

#include <errno.h>

#include "reports/analysis/traffic.h"
#include "reports/tables/fact.h"
#include "runtime/base/sort.h"

enum { MAX_OBJECTS = 32 }; /* at most so many are described, those with the most traffic */

static const char *const origins[] = { [OMPP_ORIGIN_NONE] = "-",
	                               [OMPP_ORIGIN_PRAGMA] = "inst data in the source",
	                               [OMPP_ORIGIN_CALL] = "a call in the program",
	                               [OMPP_ORIGIN_ADDRESS] = "OMPP_DATA_ADDR",
	                               [OMPP_ORIGIN_SYMBOL] = "OMPP_DATA_NAME, found in a symbol table",
	                               [OMPP_ORIGIN_HEAP] = "OMPP_OBJECTS=all, allocated there",
	                               [OMPP_ORIGIN_FILE] = "OMPP_OBJECTS=all, what else the file has" };

/* Describes an object by the labels that ompP used. ompP's offsets are those of the counted part, which is always the
 * whole here. */
static void object_facts(const struct ompp_object *o, int is_counted, struct ompp_table *table, struct ompp_text *t)
{
	if (o->address != OMPP_MISSING) {
		ompp_text_str(t, "0x");
		ompp_text_hex(t, (uint64_t)o->address);
		ompp_fact(table, "Data Address", t);
	} else {
		ompp_number_fact(table, "Data Address", OMPP_MISSING);
	}
	ompp_number_fact(table, "Data Size", o->bytes);
	ompp_text_fact(table, "Data Name", o->name);
	ompp_number_fact(table, "Data Start Offs.", o->bytes == OMPP_MISSING ? OMPP_MISSING : 0);
	ompp_number_fact(table, "Data End   Offs.", o->bytes);
	ompp_text_str(t, origins[o->origin]);
	if (o->is_private) {
		ompp_text_str(t, "; each thread has its own, ");
		ompp_text_u64(t, o->n_ranges);
		ompp_text_str(t, o->n_ranges == 1 ? " range" : " ranges, the last one is shown");
	} else if (o->n_ranges > 1) {
		ompp_text_str(t, "; set ");
		ompp_text_u64(t, o->n_ranges);
		ompp_text_str(t, " times, the last one is shown");
	}
	ompp_text_str(t, !o->n_ranges ? "; no range was set" : o->is_live ? "" : "; ended before the program did");
	ompp_text_str(t, o->measured ? "" : is_counted ? "; not measured" : "; its accesses are not counted");
	ompp_fact(table, "Data Origin", t);
}

static int costs_less(const void *costs, uint32_t x, uint32_t y)
{
	const int64_t *cost = costs;

	return cost[x] != cost[y] ? cost[x] < cost[y] : x > y;
}

static int is_later(const void *unused, uint32_t x, uint32_t y)
{
	(void)unused;
	return x > y;
}

/* Chooses the named objects in their order; of too many those with the most traffic. */
static size_t choose_objects(const struct ompp_analysis *a, uint32_t *order, size_t *n_more)
{
	const struct ompp_profile *p = a->profile;
	int64_t *cost = ompp_arena_alloc(a->arena, p->n_objects * sizeof(*cost));
	size_t n = 0;

	for (uint32_t i = OMPP_OBJECT_FIRST_NAMED; i < p->n_objects; i++)
		if (a->traffic->shown[i])
			order[n++] = i;
	*n_more = n > MAX_OBJECTS ? n - MAX_OBJECTS : 0;
	if (!*n_more || !cost)
		return n - *n_more;
	for (size_t i = 0; i < p->n_accesses; i++) {
		int64_t values[OMPP_N_TRAFFIC];
		uint32_t object = p->accesses[i].object;

		ompp_traffic_of(p, &p->accesses[i], values);
		cost[object] = ompp_add(cost[object], ompp_traffic_cost(a->traffic, values));
	}
	ompp_sort(order, n, costs_less, cost);
	ompp_sort(order, MAX_OBJECTS, is_later, NULL);
	return MAX_OBJECTS;
}

static void put_size(struct ompp_text *t, int64_t n, const char *unit)
{
	if (n == OMPP_MISSING)
		ompp_text_char(t, '-');
	else
		ompp_text_grouped(t, n);
	ompp_text_str(t, unit);
}

static void cache_facts(const struct ompp_cache_level *level, struct ompp_table *table, struct ompp_text *t)
{
	ompp_text_str(t, level->name);
	ompp_text_str(t, ": modelled, ");
	put_size(t, level->bytes, " bytes, ");
	put_size(t, level->ways, " ways, lines of ");
	put_size(t, level->line_bytes, " bytes");
	ompp_text_str(t, level->shared ? ", shared by all threads" : ", one a thread");
	ompp_fact(table, "Cache Model", t);
}

int ompp_data_facts(const struct ompp_analysis *a, struct ompp_table *table, struct ompp_text *t)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *order = ompp_arena_alloc(a->arena, p->n_objects * sizeof(*order));
	size_t n, n_more;

	if (!order)
		return -ENOMEM;
	n = choose_objects(a, order, &n_more);
	for (size_t i = 0; i < n; i++)
		object_facts(&p->objects[order[i]], a->traffic->is_counted, table, t);
	if (n_more) {
		ompp_text_u64(t, n_more);
		ompp_text_str(t, " with less traffic are not described here");
		ompp_fact(table, "More Objects", t);
	}
	if (a->traffic->is_counted)
		ompp_text_fact(table, "Data Method", p->data_method);
	for (size_t i = 0; i < p->n_cache_levels; i++)
		cache_facts(&p->cache_levels[i], table, t);
	return 0;
}
