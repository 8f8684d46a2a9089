/*
 * Join: the traces of several processes as one.
 *
 * Each trace is first read by itself, so that what is derived from the order of its events concerns its process only,
 * and then appended to the joined trace.  Its records, threads, covers, instructions and uses are appended to those of
 * the processes before; objects, sites and regions with equal names are merged.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/flow/flow.h"

enum {
	MOST_THREADS = UINT16_MAX - 1, /* largest number + 1 that fits into a record */
	PIECE_ENTRIES = 1 << 16
};

#define CLOCK_TOLERANCE_NS \
	1000000000 /* by so much the system clock may be adjusted relative to the clock of events \
	            */

/* What identifies an object, a site or a region. */
struct key {
	const char *texts[3];
	uint64_t numbers[3];
};

/* Table of what was found so far, by key. */
struct known {
	struct entry {
		struct key key;
		uint32_t index, process; /* process: the last one that has it */
	} * entries;
	size_t n, have;
	struct ompp_flow_map map; /* hash → entry */
};

struct joining {
	struct ompp_flow *all, *one;
	uint32_t process;
	struct known objects, sites, regions;
	uint32_t *object_of, *site_of, *region_of; /* the numbers in `all` of those in `one` */
	int failed;
};

/* ---- the same names ---- */

static int is_same(const struct key *a, const struct key *b)
{
	for (int i = 0; i < 3; i++)
		if (a->numbers[i] != b->numbers[i] || strcmp(a->texts[i], b->texts[i]))
			return 0;
	return 1;
}

static uint64_t hash_of(const struct key *key)
{
	uint64_t hash = 0;

	for (int i = 0; i < 3; i++)
		hash = ompp_flow_hash_number(ompp_flow_hash_text(hash, key->texts[i]), key->numbers[i]);
	return hash;
}

/* Returns a pointer to the index of the element with this key, which is OMPP_FLOW_NONE if it is new; NULL without
 * memory.
 * are_several: 1 when a process may have several distinct elements with the same key; then the first ones of all
 * processes match, the second ones, and so on
 */
static uint32_t *index_of(struct joining *j, struct known *known, const struct key *key, int are_several)
{
	for (uint64_t hash = hash_of(key);; hash++) {
		uint32_t *at = ompp_flow_map_at(&known->map, hash);
		struct entry *e;

		if (at && *at) {
			e = &known->entries[*at - 1];
			if (!is_same(&e->key, key) || (are_several && e->process == j->process))
				continue;
			e->process = j->process;
			return &e->index;
		}
		e = at ? ompp_flow_grow(&known->entries, &known->n, &known->have, sizeof(*e)) : NULL;
		if (!e) {
			j->failed = 1;
			return NULL;
		}
		*e = (struct entry){ *key, OMPP_FLOW_NONE, j->process };
		*at = (uint32_t)known->n;
		return &e->index;
	}
}

static void known_free(struct known *known)
{
	free(known->entries);
	ompp_flow_map_free(&known->map);
}

/* ---- tables ---- */

/* Adds entries to a table.  Returns the first of them; NULL without memory, or when there are too many. */
static void *join_append(struct joining *j, void *table, size_t *n, size_t *have, const void *from, size_t n_from,
                         size_t entry_bytes)
{
	char **all = table, *more;
	size_t room = *n + n_from;

	if (room >= UINT32_MAX || room > SIZE_MAX / entry_bytes) {
		j->failed = 1;
		return NULL;
	}
	if (room > *have) {
		size_t n_more = room > *have + *have / 2 ? room : *have + *have / 2;

		more = realloc(*all, n_more * entry_bytes);
		if (!more) {
			j->failed = 1;
			return NULL;
		}
		*all = more;
		*have = n_more;
	}
	more = *all ? *all + *n * entry_bytes : NULL;
	if (n_from)
		memcpy(more, from, n_from * entry_bytes);
	*n = room;
	return more;
}

#define APPEND(j, what) \
	join_append(j, &(j)->all->what, &(j)->all->n_##what, &(j)->all->have_##what, (j)->one->what, \
	            (j)->one->n_##what, sizeof(*(j)->one->what))

/* Adds entries to a table that lies in a room, piece by piece.  Returns the first of them, or NULL. */
static void *append_far(struct joining *j, void *table, size_t *n, struct ompp_flow_room *room, const char *from,
                        size_t n_from, size_t entry_bytes)
{
	char *more = n_from ? ompp_flow_more(table, n, room, n_from, entry_bytes) : NULL;

	if (n_from && !more)
		j->failed = 1;
	for (size_t i = 0, k; more && i < n_from; i += k) {
		k = n_from - i < PIECE_ENTRIES ? n_from - i : PIECE_ENTRIES;
		memcpy(more + i * entry_bytes, from + i * entry_bytes, k * entry_bytes);
		ompp_flow_walked(j->all, 0);
		ompp_flow_walked(j->one, 0);
	}
	return more;
}

#define APPEND_FAR(j, what) \
	append_far(j, &(j)->all->what, &(j)->all->n_##what, &(j)->all->what##_room, (const char *)(j)->one->what, \
	           (j)->one->n_##what, sizeof(*(j)->one->what))

/* Returns a new entry of a table. */
#define GROW(j, what) \
	ompp_flow_grow(&(j)->all->what, &(j)->all->n_##what, &(j)->all->have_##what, sizeof(*(j)->all->what))

static uint32_t thread_of(const struct joining *j, uint32_t thread)
{
	return thread == OMPP_FLOW_NONE ? thread : (uint32_t)(j->all->n_threads + thread);
}

/* Adds the sites, whose threads are not added yet. */
static void add_sites(struct joining *j)
{
	for (uint32_t i = 0; i < j->one->n_sites && !j->failed; i++) {
		const struct ompp_flow_site *s = &j->one->sites[i];
		struct key key = { { s->name, s->path, "" }, { 0 } };
		struct ompp_flow_site *to;
		uint32_t *index;

		if (!s->name[0]) { /* without a name nothing shows that it matches another process's */
			key.numbers[0] = j->process + 1u;
			key.numbers[1] = i;
		}
		index = index_of(j, &j->sites, &key, 1);
		if (index && *index == OMPP_FLOW_NONE && (to = GROW(j, sites))) {
			*to = *s;
			to->thread = thread_of(j, s->thread);
			*index = (uint32_t)j->all->n_sites - 1;
		} else if (index && *index != OMPP_FLOW_NONE) {
			to = &j->all->sites[*index];
			to->n_blocks += s->n_blocks;
			to->n_ended += s->n_ended;
			to->n_bytes += s->n_bytes;
		}
		j->failed |= !index || *index == OMPP_FLOW_NONE;
		j->site_of[i] = index ? *index : OMPP_FLOW_NONE;
	}
}

static void add_objects(struct joining *j)
{
	for (uint32_t i = 0; i < j->one->n_objects && !j->failed; i++) {
		const struct ompp_flow_object *o = &j->one->objects[i];
		struct key key = { { o->name, o->path, "" }, { o->site != OMPP_FLOW_NONE } };
		struct ompp_flow_object *to;
		uint32_t *index;

		if (!o->name[0]) {
			key.numbers[1] = j->process + 1u;
			key.numbers[2] = i;
		}
		index = index_of(j, &j->objects, &key, 1);
		if (index && *index == OMPP_FLOW_NONE && (to = GROW(j, objects))) {
			*to = *o;
			to->site = o->site == OMPP_FLOW_NONE ? o->site : j->site_of[o->site];
			to->allocator = thread_of(j, o->allocator);
			*index = (uint32_t)j->all->n_objects - 1;
		} else if (index && *index != OMPP_FLOW_NONE) {
			to = &j->all->objects[*index];
			to->n_accesses += o->n_accesses;
			to->n_touches += o->n_touches;
		}
		j->failed |= !index || *index == OMPP_FLOW_NONE;
		j->object_of[i] = index ? *index : OMPP_FLOW_NONE;
	}
}

/* Adds the regions.  Parents come before their children, and so they do in the joined trace. */
static void add_regions(struct joining *j)
{
	for (uint32_t i = 0; i < j->one->n_regions && !j->failed; i++) {
		const struct ompp_flow_region *r = &j->one->regions[i];
		uint32_t parent = r->parent < i ? j->region_of[r->parent] : OMPP_FLOW_NONE;
		struct key key = { { r->construct, r->name, r->file }, { parent, r->begin_line, r->end_line } };
		uint32_t *index = index_of(j, &j->regions, &key, 0);
		struct ompp_flow_region *to;

		if (index && *index == OMPP_FLOW_NONE && (to = GROW(j, regions))) {
			*to = *r;
			to->parent = parent;
			*index = (uint32_t)j->all->n_regions - 1;
		}
		j->failed |= !index || *index == OMPP_FLOW_NONE;
		j->region_of[i] = index ? *index : OMPP_FLOW_NONE;
	}
}

static void add_covers(struct joining *j)
{
	uint32_t first_member = (uint32_t)j->all->n_members;
	uint32_t *members = APPEND(j, members);
	struct ompp_flow_cover *covers = APPEND(j, covers);

	for (size_t i = 0; i < j->one->n_members && !j->failed; i++)
		members[i] = j->object_of[members[i]];
	for (size_t i = 0; i < j->one->n_covers && !j->failed; i++)
		covers[i].first += first_member;
}

/* Adds the instructions.  If several processes have one at an address, the address finds that of the first process. */
static void add_ips(struct joining *j)
{
	uint32_t first = (uint32_t)j->all->n_ips;

	APPEND(j, ips);
	for (uint32_t i = 0; i < j->one->n_ips && !j->failed; i++) {
		uint32_t *at = ompp_flow_map_at(&j->all->ip_map, j->one->ips[i].key);

		if (!at)
			j->failed = 1;
		else if (!*at)
			*at = first + i + 1;
	}
}

/* ---- records ---- */

/* The offsets in the joined tables of what a record refers to. */
struct firsts {
	uint32_t thread, cover, ip, extra, use;
};

static uint16_t thread_plus(uint16_t thread, const struct firsts *firsts)
{
	return thread ? (uint16_t)(thread + firsts->thread) : 0;
}

static void move_record(const struct joining *j, struct ompp_flow_record *r, const struct firsts *firsts,
                        int64_t moved_ns)
{
	r->time_ns += r->time_ns ? (uint64_t)moved_ns : 0;
	r->thread = thread_plus(r->thread, firsts);
	r->allocator = thread_plus(r->allocator, firsts);
	r->region = r->region ? j->region_of[r->region - 1] + 1 : 0;
	r->extra += r->extra ? firsts->extra : 0;
	switch (r->kind) {
	case OMPP_FLOW_ALLOCATION:
	case OMPP_FLOW_FREE:
		r->set = r->set ? j->site_of[r->set - 1] + 1 : 0;
		break;
	case OMPP_FLOW_ACCESS:
	case OMPP_FLOW_TOUCH:
		r->of.access.ip += firsts->ip;
		r->set += r->set ? firsts->cover : 0;
		break;
	case OMPP_FLOW_USE:
	case OMPP_FLOW_WRITTEN:
		r->of.use += firsts->use;
		r->set += r->set ? firsts->cover : 0;
		break;
	case OMPP_FLOW_SEND:
	case OMPP_FLOW_RECEIVE:
		r->physical += (uint64_t)moved_ns;
		break;
	default:
		break;
	}
}

static void add_records(struct joining *j, const struct firsts *firsts, int64_t moved_ns)
{
	struct ompp_flow_use *uses = APPEND_FAR(j, uses);
	struct ompp_flow_record *records;

	APPEND(j, extras);
	for (size_t i = 0; i < j->one->n_uses && !j->failed; i++)
		uses[i].until_ns += (uint64_t)moved_ns;
	records = APPEND_FAR(j, records);
	for (size_t i = 0; i < j->one->n_records && !j->failed; i++) {
		move_record(j, &records[i], firsts, moved_ns);
		ompp_flow_walked(j->all, i);
	}
}

static void add_threads(struct joining *j, int64_t moved_ns)
{
	struct ompp_flow_thread *threads = APPEND(j, threads);

	for (size_t i = 0; i < j->one->n_threads && !j->failed; i++) {
		threads[i].first_ns += threads[i].first_ns ? (uint64_t)moved_ns : 0;
		threads[i].last_ns += threads[i].last_ns ? (uint64_t)moved_ns : 0;
	}
}

static void add_variables(struct joining *j)
{
	for (size_t i = 0; i < j->one->n_variables && !j->failed; i++) {
		struct ompp_flow_variable *v = GROW(j, variables);

		j->failed |= !v;
		if (!v)
			return;
		*v = j->one->variables[i];
		v->process = (uint32_t)j->all->n_parts - 1;
	}
}

/* Moves ownership of the texts to the joined trace. */
static void add_texts(struct joining *j)
{
	struct ompp_flow_texts **end = &j->one->texts;

	while (*end)
		end = &(*end)->next;
	*end = j->all->texts;
	j->all->texts = j->one->texts;
	j->one->texts = NULL;
}

static int make_numbers(struct joining *j)
{
	j->object_of = malloc((j->one->n_objects + 1) * sizeof(uint32_t));
	j->site_of = malloc((j->one->n_sites + 1) * sizeof(uint32_t));
	j->region_of = malloc((j->one->n_regions + 1) * sizeof(uint32_t));
	return j->object_of && j->site_of && j->region_of ? 0 : -1;
}

static void free_numbers(struct joining *j)
{
	free(j->object_of);
	free(j->site_of);
	free(j->region_of);
}

/* Adds the trace of a process.  Returns 0 or -1. */
static int join_add(struct joining *j, int64_t moved_ns)
{
	const struct firsts firsts = { (uint32_t)j->all->n_threads, (uint32_t)j->all->n_covers, (uint32_t)j->all->n_ips,
		                       (uint32_t)j->all->n_extras, (uint32_t)j->all->n_uses };
	struct ompp_flow_part *part = GROW(j, parts);

	if (!part || make_numbers(j)) {
		free_numbers(j);
		return -1;
	}
	*part = j->one->parts[0];
	part->first_record = j->all->n_records;
	part->process.first_thread = firsts.thread;
	part->process.moved_ns = moved_ns;
	add_sites(j);
	add_objects(j);
	add_regions(j);
	if (!j->failed)
		add_covers(j);
	if (!j->failed)
		add_ips(j);
	if (!j->failed)
		add_records(j, &firsts, moved_ns);
	if (!j->failed)
		add_threads(j, moved_ns);
	add_variables(j);
	add_texts(j);
	free_numbers(j);
	return j->failed ? -1 : 0;
}

/* ---- the info about all ---- */

/* Adds two numbers; UINT64_MAX means not known. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a == UINT64_MAX || b == UINT64_MAX ? UINT64_MAX : a + b;
}

static const char *text_of_both(const char *a, const char *b)
{
	return !strcmp(a, b) ? a : "";
}

static void start_info(struct ompp_flow_info *all, const struct ompp_flow_info *one, int64_t moved_ns)
{
	*all = *one;
	all->start_ns += (uint64_t)moved_ns;
}

/* Adds the info of a trace to that of the joined trace. */
static void add_info(struct ompp_flow_info *all, const struct ompp_flow_info *one, int64_t moved_ns)
{
	uint64_t start_ns = one->start_ns + (uint64_t)moved_ns;

	all->app = all->app[0] ? all->app : one->app;
	all->method = text_of_both(all->method, one->method);
	all->unseen = text_of_both(all->unseen, one->unseen);
	all->latencies = all->latencies[0] ? all->latencies : one->latencies;
	all->period = all->period == one->period ? all->period : 0;
	all->interval_ns = all->interval_ns == one->interval_ns ? all->interval_ns : 0;
	all->ahead_ns = all->ahead_ns > one->ahead_ns ? all->ahead_ns : one->ahead_ns;
	all->pid = 0;
	if (start_ns < all->start_ns) {
		all->start_ns = start_ns;
		all->start_unix_ns = one->start_unix_ns;
	}
	all->is_whole &= one->is_whole;
	all->n_left_out = sum_of(all->n_left_out, one->n_left_out);
	all->n_lost = sum_of(all->n_lost, one->n_lost);
	all->n_bytes += one->n_bytes;
	all->n_damaged += one->n_damaged;
}

/* Returns the offset of the system clock from the clock of events. */
static int64_t clock_of(const struct ompp_flow_info *info)
{
	return (int64_t)(info->start_unix_ns - info->start_ns);
}

/* Returns the offset to add to the times of a trace to convert them to another one's clock. */
static int64_t distance_of(const struct ompp_flow_info *info, const struct ompp_flow_info *reference)
{
	int64_t distance = clock_of(info) - clock_of(reference);

	return distance > CLOCK_TOLERANCE_NS || distance < -CLOCK_TOLERANCE_NS ? distance : 0;
}

/* Checks whether these two can be traces of one program.  Returns 0, or an error. */
static int join_misfit(const struct ompp_flow *a, const struct ompp_flow *b)
{
	const struct ompp_flow_info *x = &a->info, *y = &b->info;

	if (x->pid == y->pid && x->start_ns == y->start_ns && x->start_unix_ns == y->start_unix_ns)
		return ompp_flow_fail(OMPP_FLOW_ERROR_FORM, "the trace of a process that another file is of, too; give "
		                                            "each process once");
	if (x->page_bytes != y->page_bytes)
		return ompp_flow_fail(OMPP_FLOW_ERROR_FORM, "its pages have another size than those of the file "
		                                            "before; give traces of one kind of machine");
	if (x->latencies[0] && y->latencies[0] && strcmp(x->latencies, y->latencies))
		return ompp_flow_fail(OMPP_FLOW_ERROR_FORM, "its latencies have another unit than those of the file "
		                                            "before; give traces of one kind of machine");
	return 0;
}

/* ---- reading all ---- */

static void close_all(struct ompp_flow **flows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ompp_flow_close(flows[i]);
	free(flows);
}

/* Reads the files, and checks that they fit together.  Returns 0 or an error. */
static int open_each(struct ompp_flow **flows, const char *const *paths, size_t n, size_t *failed)
{
	size_t n_threads = 0;
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		*failed = i;
		rc = ompp_flow_open(&flows[i], paths[i]);
		for (size_t k = 0; k < i && !rc; k++)
			rc = join_misfit(flows[k], flows[i]);
		if (rc)
			break;
		n_threads += flows[i]->n_threads;
		if (n_threads > MOST_THREADS)
			rc = ompp_flow_fail(OMPP_FLOW_ERROR_FORM, "more threads than 65,534 together with the files "
			                                          "before; give fewer files");
	}
	return rc;
}

/* Joins the traces, and closes each one when it was added.  Returns 0 or an error. */
static int join(struct ompp_flow *all, struct ompp_flow **flows, size_t n)
{
	struct joining j = { .all = all };
	const struct ompp_flow_info *reference = &flows[0]->info;
	struct ompp_flow_info first;
	int rc = 0;

	for (size_t i = 1; i < n; i++) /* use the clock with the largest times, so that no converted time is negative */
		if (distance_of(&flows[i]->info, reference) < 0)
			reference = &flows[i]->info;
	first = *reference;
	for (size_t i = 0; i < n && !rc; i++) {
		int64_t moved_ns = distance_of(&flows[i]->info, &first);
		struct ompp_flow_info info = flows[i]->info;

		j.one = flows[i];
		j.process = (uint32_t)i;
		rc = join_add(&j, moved_ns);
		if (i)
			add_info(&all->info, &info, moved_ns);
		else
			start_info(&all->info, &info, moved_ns);
		ompp_flow_close(flows[i]);
		flows[i] = NULL;
	}
	all->info.n_events = all->n_records;
	known_free(&j.objects);
	known_free(&j.sites);
	known_free(&j.regions);
	return rc || ompp_flow_sort(all) ? ompp_flow_fail(OMPP_FLOW_ERROR_MEMORY, "not enough memory; give fewer files")
	                                 : 0;
}

int ompp_flow_open_all(struct ompp_flow **flow, const char *const *paths, size_t n_paths, size_t *failed)
{
	size_t unused;
	size_t *which = failed ? failed : &unused;
	struct ompp_flow **flows;
	int rc;

	*flow = NULL;
	*which = 0;
	if (n_paths == 1)
		return ompp_flow_open(flow, paths[0]);
	if (!n_paths)
		return ompp_flow_fail(OMPP_FLOW_ERROR_FILE, "no file; give a trace");
	flows = calloc(n_paths, sizeof(*flows));
	*flow = flows ? calloc(1, sizeof(**flow)) : NULL;
	if (!*flow)
		rc = ompp_flow_fail(OMPP_FLOW_ERROR_MEMORY, "not enough memory; give fewer files");
	else
		rc = open_each(flows, paths, n_paths, which);
	if (!rc)
		rc = join(*flow, flows, n_paths);
	if (flows)
		close_all(flows, n_paths);
	if (rc) {
		ompp_flow_close(*flow);
		*flow = NULL;
	}
	return rc;
}
