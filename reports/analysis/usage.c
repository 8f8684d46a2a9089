/*
 * Usage: see usage.h.
 */
#include "reports/analysis/usage.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sort.h"

const char *ompp_usage_class_name(enum ompp_usage_class class)
{
	static const char *const names[] = {
		[OMPP_USAGE_UNTOUCHED] = "not touched",       [OMPP_USAGE_READ_ONLY] = "read-only",
		[OMPP_USAGE_WRITE_ONCE] = "write-once",       [OMPP_USAGE_PRIVATE] = "private",
		[OMPP_USAGE_PARTITIONED] = "partitioned",     [OMPP_USAGE_SHARED_READ] = "shared-read",
		[OMPP_USAGE_PARTS_WRITTEN] = "parts-written", [OMPP_USAGE_SHARED_WRITTEN] = "shared-written"
	};

	return names[class];
}

/* Returns how many bytes of a row's label name its process: those of "r0" in "r0:2", where several processes were
 * merged. */
static size_t process_bytes(const struct ompp_profile *p, uint32_t row)
{
	return p->n_merged ? strcspn(p->rows[row].label, ":") : 0;
}

static int same_process(const struct ompp_profile *p, uint32_t x, uint32_t y)
{
	size_t n = process_bytes(p, x);

	return n == process_bytes(p, y) && !memcmp(p->rows[x].label, p->rows[y].label, n);
}

/* Sorts the accesses by object, by counting them. */
static int usage_group(struct ompp_usage *u)
{
	const struct ompp_profile *p = u->profile;
	uint32_t *next = ompp_arena_alloc(u->analysis->arena, (p->n_objects + 1) * sizeof(*next));

	u->first = ompp_arena_alloc(u->analysis->arena, (p->n_objects + 1) * sizeof(uint32_t));
	u->by_object = ompp_arena_alloc(u->analysis->arena, p->n_accesses * sizeof(uint32_t));
	if (!next || !u->first || !u->by_object)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_accesses; i++)
		u->first[p->accesses[i].object + 1]++;
	for (size_t o = 0; o < p->n_objects; o++)
		next[o + 1] = u->first[o + 1] += u->first[o];
	for (uint32_t i = 0; i < p->n_accesses; i++)
		u->by_object[next[p->accesses[i].object]++] = i;
	return 0;
}

static int64_t key_of(const struct ompp_profile *p, uint32_t node)
{
	return node ? 2 * (int64_t)p->nodes[node].region + (p->nodes[node].construct == OMPP_TASKEXEC) : OMPP_SERIAL;
}

/* Counts the parts of an object; with fill, sums up their accesses, too. */
static void usage_divide(struct ompp_usage *u, uint32_t object, int fill)
{
	const struct ompp_profile *p = u->profile;
	size_t first_part = u->n_parts;

	for (uint32_t i = u->first[object]; i < u->first[object + 1]; i++) {
		const struct ompp_access *access = &p->accesses[u->by_object[i]];
		int64_t key = key_of(p, access->node), values[OMPP_N_TRAFFIC];
		uint32_t *part = &u->part_of[key + 1];

		if (*part <= first_part) {
			*part = (uint32_t)++u->n_parts;
			if (fill)
				u->parts[*part - 1] = (struct ompp_object_part){ .object = object, .key = key };
		}
		if (!fill)
			continue;
		ompp_traffic_of(p, access, values);
		ompp_traffic_add(u->parts[*part - 1].values, values);
	}
}

static int find_parts(struct ompp_usage *u)
{
	const struct ompp_profile *p = u->profile;

	u->part_of = ompp_arena_alloc(u->analysis->arena, (2 * p->n_regions + 1) * sizeof(uint32_t));
	if (!u->part_of)
		return -ENOMEM;
	for (uint32_t o = 0; o < p->n_objects; o++)
		usage_divide(u, o, 0);
	u->parts = ompp_arena_alloc(u->analysis->arena, u->n_parts * sizeof(*u->parts));
	if (!u->parts)
		return -ENOMEM;
	memset(u->part_of, 0, (2 * p->n_regions + 1) * sizeof(uint32_t));
	u->n_parts = 0;
	for (uint32_t o = 0; o < p->n_objects; o++)
		usage_divide(u, o, 1);
	return 0;
}

static int64_t usage_known(int64_t n)
{
	return n == OMPP_MISSING ? 0 : n;
}

static void add_use(struct ompp_usage *u, const struct ompp_access *access, const int64_t values[OMPP_N_TRAFFIC])
{
	uint32_t thread = ompp_thread_row(u->profile, access->row);
	struct ompp_object_use *use = &u->uses[thread];

	if (usage_known(values[OMPP_TRAFFIC_ACCESSES]) <= 0)
		return;
	if (!use->accesses)
		u->users[u->n_users++] = thread;
	use->accesses = ompp_add(use->accesses, values[OMPP_TRAFFIC_ACCESSES]);
	use->writes = ompp_add(use->writes, ompp_add(usage_known(values[OMPP_TRAFFIC_STORES]),
	                                             usage_known(values[OMPP_TRAFFIC_ATOMICS])));
	use->store_bytes = ompp_add(use->store_bytes, usage_known(access->values[OMPP_ACCESS_STORE_BYTES]));
	use->store_bytes = ompp_add(use->store_bytes, usage_known(access->values[OMPP_ACCESS_ATOMIC_BYTES]));
}

/* Returns the first user of the next process. */
static size_t end_of_process(const struct ompp_usage *u, size_t i)
{
	size_t end = i + 1;

	while (end < u->n_users && same_process(u->profile, u->users[i], u->users[end]))
		end++;
	return end;
}

/* Returns the class of an object in one process, whose threads are users[0] to users[n − 1]. once: its range was set
 * once. */
static enum ompp_usage_class usage_classify(const struct ompp_usage *u, const struct ompp_object *o, int once,
                                            const uint32_t *users, size_t n)
{
	size_t n_writers = 0;
	int64_t store_bytes = 0;

	for (size_t i = 0; i < n; i++) {
		n_writers += u->uses[users[i]].writes > 0;
		store_bytes = ompp_add(store_bytes, u->uses[users[i]].store_bytes);
	}
	if (o->is_private)
		return OMPP_USAGE_PRIVATE;
	if (!n_writers)
		return OMPP_USAGE_READ_ONLY;
	if (n_writers == 1 && once && o->bytes != OMPP_MISSING && store_bytes <= o->bytes)
		return OMPP_USAGE_WRITE_ONCE;
	if (n == 1)
		return OMPP_USAGE_PRIVATE;
	if (o->parts == OMPP_PARTS_OWN)
		return OMPP_USAGE_PARTITIONED;
	if (n_writers == 1)
		return OMPP_USAGE_SHARED_READ;
	return o->parts == OMPP_PARTS_WRITTEN ? OMPP_USAGE_PARTS_WRITTEN : OMPP_USAGE_SHARED_WRITTEN;
}

static int is_later(const void *unused, uint32_t x, uint32_t y)
{
	(void)unused;
	return x > y;
}

/* Finds out who uses the object, how evenly, and in which way. */
static void usage_judge(struct ompp_usage *u, uint32_t object, struct ompp_object_whole *w)
{
	const struct ompp_object *o = &u->profile->objects[object];
	uint32_t n_processes = 0;
	int64_t sum = 0;

	w->n_threads = (uint32_t)u->n_users;
	w->min = u->n_users ? INT64_MAX : 0;
	for (size_t i = 0; i < u->n_users; i++) {
		int64_t n = u->uses[u->users[i]].accesses;

		sum = ompp_add(sum, n);
		w->min = n < w->min ? n : w->min;
		w->max = n > w->max ? n : w->max;
	}
	w->avg = u->n_users ? sum / (int64_t)u->n_users : 0;
	if (object < OMPP_OBJECT_FIRST_NAMED || o->has_names || w->values[OMPP_TRAFFIC_LOADS] == OMPP_MISSING ||
	    w->values[OMPP_TRAFFIC_STORES] == OMPP_MISSING || w->values[OMPP_TRAFFIC_ATOMICS] == OMPP_MISSING)
		return;
	w->class = OMPP_USAGE_UNTOUCHED;
	ompp_sort(u->users, u->n_users, is_later, NULL); /* so that rows of a process are neighbours */
	for (size_t i = 0; i < u->n_users; i = end_of_process(u, i))
		n_processes++;
	for (size_t i = 0; i < u->n_users; i = end_of_process(u, i)) {
		size_t n = end_of_process(u, i) - i;
		enum ompp_usage_class class = usage_classify(u, o, o->n_ranges == n_processes, u->users + i, n);

		w->class = class > w->class ? class : w->class;
	}
}

static int find_wholes(struct ompp_usage *u)
{
	const struct ompp_profile *p = u->profile;

	u->wholes = ompp_arena_alloc(u->analysis->arena, p->n_objects * sizeof(*u->wholes));
	u->uses = ompp_arena_alloc(u->analysis->arena, p->n_rows * sizeof(*u->uses));
	u->users = ompp_arena_alloc(u->analysis->arena, p->n_rows * sizeof(*u->users));
	if (!u->wholes || !u->uses || !u->users)
		return -ENOMEM;
	u->all_bytes = OMPP_MISSING;
	for (uint32_t o = 0; o < p->n_objects; o++) {
		struct ompp_object_whole *w = &u->wholes[o];

		for (int k = 0; k < OMPP_N_TRAFFIC && !p->objects[o].measured; k++)
			w->values[k] = OMPP_MISSING;
		for (int k = 0; k < OMPP_N_TRAFFIC; k++) /* what nobody counts is missing, and not 0 */
			if (!(u->traffic->all_known >> k & 1) && (u->traffic->all_known || k >= OMPP_TRAFFIC_L1))
				w->values[k] = OMPP_MISSING;
		for (uint32_t i = u->first[o]; i < u->first[o + 1]; i++) {
			const struct ompp_access *access = &p->accesses[u->by_object[i]];
			int64_t values[OMPP_N_TRAFFIC];

			ompp_traffic_of(p, access, values);
			ompp_traffic_add(w->values, values);
			add_use(u, access, values);
		}
		usage_judge(u, o, w);
		for (size_t i = 0; i < u->n_users; i++)
			u->uses[u->users[i]] = (struct ompp_object_use){ 0 };
		u->n_users = 0;
		if (w->values[OMPP_TRAFFIC_BYTES] != OMPP_MISSING)
			u->all_bytes = ompp_add(usage_known(u->all_bytes), w->values[OMPP_TRAFFIC_BYTES]);
		u->has_atomics |= usage_known(w->values[OMPP_TRAFFIC_ATOMICS]) > 0;
	}
	return 0;
}

/* Named objects first, the costliest first; then (other) and (stack). */
static int objects_after(const struct ompp_usage *u, uint32_t x, const int64_t *values_x, uint32_t y,
                         const int64_t *values_y)
{
	int named_x = x >= OMPP_OBJECT_FIRST_NAMED, named_y = y >= OMPP_OBJECT_FIRST_NAMED;
	int64_t cost_x = ompp_traffic_cost(u->traffic, values_x), cost_y = ompp_traffic_cost(u->traffic, values_y);

	if (named_x != named_y)
		return named_x < named_y;
	if (cost_x != cost_y)
		return cost_x < cost_y;
	if (values_x[OMPP_TRAFFIC_BYTES] != values_y[OMPP_TRAFFIC_BYTES])
		return values_x[OMPP_TRAFFIC_BYTES] < values_y[OMPP_TRAFFIC_BYTES];
	return x > y;
}

int ompp_usage_whole_is_after(const void *usage, uint32_t x, uint32_t y)
{
	const struct ompp_usage *u = usage;

	return objects_after(u, x, u->wholes[x].values, y, u->wholes[y].values);
}

int ompp_usage_part_is_after(const void *usage, uint32_t x, uint32_t y)
{
	const struct ompp_usage *u = usage;
	const struct ompp_object_part *px = &u->parts[x], *py = &u->parts[y];

	if (objects_after(u, px->object, px->values, py->object, py->values))
		return 1;
	if (objects_after(u, py->object, py->values, px->object, px->values))
		return 0;
	return x > y;
}

int ompp_usage_init(struct ompp_usage *u, const struct ompp_analysis *a)
{
	int rc;

	memset(u, 0, sizeof(*u));
	u->analysis = a;
	u->profile = a->profile;
	u->traffic = a->traffic;
	rc = usage_group(u);
	if (!rc)
		rc = find_parts(u);
	return rc ? rc : find_wholes(u);
}
