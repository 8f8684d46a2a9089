/*
 * Diff instances: see diff_instances.h.
 */
#include "reports/compare/diff_instances.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { WHY_BYTES = 240 };

/* An object as one run has it. */
struct seen {
	const struct ompp_allocation *allocation; /* that its blocks are of; NULL for none */
	uint32_t n_allocations;
	const struct ompp_instance *first; /* its instances stand side by side */
	size_t n;
};

struct finder {
	const struct ompp_diff_objects *objects;
	struct ompp_arena *arena;
	struct seen *seen; /* [object * n_runs + run] */
	size_t n_instances;
	struct ompp_diff_instances *out;
};

static struct seen *seen_in(const struct finder *f, size_t object, size_t run)
{
	return &f->seen[object * f->objects->n_runs + run];
}

static void look_at(struct finder *f, size_t run)
{
	const struct ompp_profile *p = &f->objects->profiles[run];
	const uint32_t *of = f->objects->of[run];

	for (size_t i = 0; i < p->n_allocations; i++)
		if (p->allocations[i].object != OMPP_NONE) {
			struct seen *s = seen_in(f, of[p->allocations[i].object], run);

			s->allocation = &p->allocations[i];
			s->n_allocations++;
		}
	for (size_t i = 0; i < p->n_instances; i++) {
		struct seen *s = seen_in(f, of[p->instances[i].object], run);

		s->first = s->n ? s->first : &p->instances[i];
		s->n++;
	}
	f->n_instances += p->n_instances;
}

/* ---- which cannot be matched ---- */

static const char *side_of(const struct finder *f, size_t run)
{
	return run < f->objects->n_a ? "A" : "B";
}

static const char *diff_instances_why(const struct finder *f, size_t run, const char *before, const char *behind)
{
	char buffer[WHY_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, before);
	ompp_text_str(&t, side_of(f, run));
	ompp_text_str(&t, behind);
	return ompp_arena_strdup(f->arena, buffer);
}

static const char *why_other_numbers(const struct finder *f, uint64_t n, uint64_t k)
{
	char buffer[WHY_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "one run allocates ");
	ompp_text_grouped(&t, ompp_count(n));
	ompp_text_str(&t, " of its blocks and another one ");
	ompp_text_grouped(&t, ompp_count(k));
	ompp_text_str(&t, ", so that one number may be different blocks");
	return ompp_arena_strdup(f->arena, buffer);
}

static int has_unknown_order(const struct seen *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->first[i].order == OMPP_MISSING)
			return 1;
	return 0;
}

/* Returns why the instances of an object cannot be matched as one run is; NULL when they can. */
static const char *why_by_run(const struct finder *f, size_t object, size_t run)
{
	const struct seen *s = seen_in(f, object, run), *first = seen_in(f, object, 0);

	if (!s->allocation)
		return diff_instances_why(f, run, "a run of ", " allocates no block of it");
	if (f->objects->profiles[run].n_merged > 1)
		return diff_instances_why(f, run, "a run of ", " is several processes, each with numbers of its own");
	if (s->n_allocations > 1 || has_unknown_order(s))
		return diff_instances_why(f, run, "in a run of ",
		                          " several calls are told apart by nothing, and the order of their "
		                          "blocks is not known");
	if (s->allocation->several_threads)
		return diff_instances_why(f, run, "in a run of ",
		                          " several threads allocate its blocks, whose order may be another "
		                          "one in each run");
	if (!s->allocation->n_told)
		return diff_instances_why(f, run, "in a run of ", " none of its blocks was told apart");
	if (s->allocation->n_blocks != first->allocation->n_blocks)
		return why_other_numbers(f, first->allocation->n_blocks, s->allocation->n_blocks);
	return NULL;
}

/* Returns the instance of a number; NULL when it does not stand out.  Instances are in the order of their times. */
static const struct ompp_instance *diff_instances_find(const struct seen *s, int64_t order)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->first[i].order == order)
			return &s->first[i];
	return NULL;
}

/* Does a block number have different sizes in two runs of one side?  Then the numbers do not identify blocks across
 * runs. */
static int are_sizes_other(const struct finder *f, size_t object, size_t from, size_t end)
{
	for (size_t run = from + 1; run < end; run++) {
		const struct seen *s = seen_in(f, object, run);

		for (size_t i = 0; i < s->n; i++)
			for (size_t k = from; k < run; k++) {
				const struct ompp_instance *other = diff_instances_find(seen_in(f, object, k),
				                                                        s->first[i].order);

				if (other && other->bytes != s->first[i].bytes)
					return 1;
			}
	}
	return 0;
}

static const char *why_not(const struct finder *f, size_t object)
{
	size_t n_a = f->objects->n_a, n_runs = f->objects->n_runs;

	for (size_t run = 0; run < n_runs; run++) {
		const char *text = why_by_run(f, object, run);

		if (text)
			return text;
	}
	if (are_sizes_other(f, object, 0, n_a) || are_sizes_other(f, object, n_a, n_runs))
		return diff_instances_why(f, are_sizes_other(f, object, 0, n_a) ? 0 : n_a, "of two runs of ",
		                          " a block of one number has different sizes");
	return NULL;
}

/* ---- those that are matched ---- */

/* Does any run have instances of it, with more than one block?  For a single block the object's values are enough. */
static int is_of_interest(const struct finder *f, size_t object)
{
	uint64_t most = 0;
	size_t n = 0;

	for (size_t run = 0; run < f->objects->n_runs; run++) {
		const struct seen *s = seen_in(f, object, run);

		n += s->n;
		if (s->allocation && s->allocation->n_blocks > most)
			most = s->allocation->n_blocks;
	}
	return n && most > 1 && f->objects->is_wanted[object];
}

static int comes_later(const void *context, uint32_t x, uint32_t y)
{
	const int64_t *orders = context;

	return orders[x] != orders[y] ? orders[x] > orders[y] : x > y;
}

/* Adds an instance for each number that stands out in any run. */
static int add_object(struct finder *f, uint32_t object)
{
	size_t n_runs = f->objects->n_runs, n = 0;
	int64_t *orders;
	uint32_t *sorted;

	for (size_t run = 0; run < n_runs; run++)
		n += seen_in(f, object, run)->n;
	orders = ompp_arena_alloc(f->arena, (n + 1) * sizeof(*orders));
	if (!orders)
		return -ENOMEM;
	n = 0;
	for (size_t run = 0; run < n_runs; run++)
		for (size_t i = 0; i < seen_in(f, object, run)->n; i++)
			orders[n++] = seen_in(f, object, run)->first[i].order;
	sorted = ompp_sorted(f->arena, n, comes_later, orders);
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct ompp_diff_instance *l = &f->out->list[f->out->n];

		if (i && orders[sorted[i]] == orders[sorted[i - 1]])
			continue;
		*l = (struct ompp_diff_instance){ object, orders[sorted[i]], NULL };
		l->of = ompp_arena_alloc(f->arena, n_runs * sizeof(struct ompp_instance *));
		if (!l->of)
			return -ENOMEM;
		for (size_t run = 0; run < n_runs; run++)
			l->of[run] = diff_instances_find(seen_in(f, object, run), l->order);
		f->out->n++;
	}
	return 0;
}

int ompp_diff_instances(const struct ompp_diff_objects *objects, struct ompp_arena *arena,
                        struct ompp_diff_instances *instances)
{
	struct finder f = { .objects = objects, .arena = arena, .out = instances };

	*instances = (struct ompp_diff_instances){ 0 };
	f.seen = ompp_arena_alloc(arena, (objects->n * objects->n_runs + 1) * sizeof(*f.seen));
	if (!f.seen)
		return -ENOMEM;
	for (size_t run = 0; run < objects->n_runs; run++)
		look_at(&f, run);
	instances->list = ompp_arena_alloc(arena, (f.n_instances + 1) * sizeof(*instances->list));
	instances->unmatched = ompp_arena_alloc(arena, (objects->n + 1) * sizeof(*instances->unmatched));
	if (!instances->list || !instances->unmatched)
		return -ENOMEM;
	for (uint32_t object = 0; object < objects->n; object++) {
		const char *text;

		if (!is_of_interest(&f, object))
			continue;
		text = why_not(&f, object);
		if (text)
			instances->unmatched[instances->n_unmatched++] = (struct ompp_diff_unmatched){
				objects->names[object], text
			};
		else if (add_object(&f, object))
			return -ENOMEM;
	}
	return 0;
}
