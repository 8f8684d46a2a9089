/*
 * Data Structures: what the program did with each data object, in which region, by which threads; and the cache lines
 * that threads write side by side.  All numbers are exclusive to their region, so that shares add up to the whole.
 */
#include "reports/views/view.h"

#include <errno.h>
#include <string.h>

#include "reports/views/sort.h"
#include "reports/views/traffic.h"
#include "runtime/base/text.h"

enum { MAX_TEXT_LINES = 40, MAX_NAME_COLUMNS = 24, SERIAL = -1 };

/* How threads use an object, in the order of what it may cost. */
enum class { UNKNOWN, UNTOUCHED, READ_ONLY, WRITE_ONCE, PRIVATE, SHARED_READ, SHARED_WRITTEN };

static const char *const classes[] = {
	[UNTOUCHED] = "not touched", [READ_ONLY] = "read-only", [WRITE_ONCE] = "write-once", [PRIVATE] = "private",
	[SHARED_READ] = "shared-read", [SHARED_WRITTEN] = "shared-written"
};

/* An object in all. */
struct whole {
	int64_t    values[OMPP_N_TRAFFIC];
	uint32_t   n_threads;                   /* that touch it */
	int64_t    min, avg, max;               /* accesses of each of them */
	enum class class;
};

/* An object in one region. */
struct part {
	uint32_t object;
	int64_t  key;                           /* 2 × region, + 1 for its TASKEXEC; or SERIAL */
	int64_t  values[OMPP_N_TRAFFIC];
};

/* What one thread did with the object at hand. */
struct use { int64_t accesses, writes, store_bytes; };

struct data {
	const struct ompp_analysis *analysis;
	const struct ompp_profile  *profile;
	struct ompp_traffic *traffic;
	uint32_t     *first;                    /* by object: of by_object; one more at the end */
	uint32_t     *by_object;                /* accesses */
	struct whole *wholes;                   /* by object */
	struct part  *parts;   size_t n_parts;
	int64_t       all_bytes;                /* of all objects whose bytes are known; OMPP_MISSING: of none */
	int           has_atomics;              /* some object has */
	int           is_text;                  /* else records */
	/* of the object at hand */
	struct use   *uses;                     /* by row of a thread */
	uint32_t     *users;   size_t n_users;  /* these rows */
	uint32_t     *part_of;                  /* by key + 1: its part + 1 */
};

/* Rank 0 of a team is the thread that forked it. */
static uint32_t thread_of(const struct ompp_profile *p, uint32_t row)
{
	while (!p->rows[row].rank && p->rows[row].parent != OMPP_NONE)
		row = p->rows[row].parent;
	return row;
}

/* Bytes of a row's label that name its process: "r0" of "r0:2" where several processes were merged. */
static size_t process_bytes(const struct ompp_profile *p, uint32_t row)
{
	return p->mpi_rank < 0 && p->mpi_size > 0 ? strcspn(p->rows[row].label, ":") : 0;
}

static int same_process(const struct ompp_profile *p, uint32_t x, uint32_t y)
{
	size_t n = process_bytes(p, x);

	return n == process_bytes(p, y) && !memcmp(p->rows[x].label, p->rows[y].label, n);
}

/* Sort the accesses by object, counting them. */
static int group(struct data *d)
{
	const struct ompp_profile *p = d->profile;
	uint32_t *next = ompp_arena_alloc(d->analysis->arena, (p->n_objects + 1) * sizeof(*next));

	d->first = ompp_arena_alloc(d->analysis->arena, (p->n_objects + 1) * sizeof(uint32_t));
	d->by_object = ompp_arena_alloc(d->analysis->arena, p->n_accesses * sizeof(uint32_t));
	if (!next || !d->first || !d->by_object)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_accesses; i++)
		d->first[p->accesses[i].object + 1]++;
	for (size_t o = 0; o < p->n_objects; o++)
		next[o + 1] = d->first[o + 1] += d->first[o];
	for (uint32_t i = 0; i < p->n_accesses; i++)
		d->by_object[next[p->accesses[i].object]++] = i;
	return 0;
}

static int64_t key_of(const struct ompp_profile *p, uint32_t node)
{
	return node ? 2 * (int64_t)p->nodes[node].region + (p->nodes[node].construct == OMPP_TASKEXEC) : SERIAL;
}

/* The accesses of an object: how many parts they have; with fill, also their sums. */
static void divide(struct data *d, uint32_t object, int fill)
{
	const struct ompp_profile *p = d->profile;
	size_t first_part = d->n_parts;

	for (uint32_t i = d->first[object]; i < d->first[object + 1]; i++) {
		const struct ompp_access *access = &p->accesses[d->by_object[i]];
		int64_t key = key_of(p, access->node), values[OMPP_N_TRAFFIC];
		uint32_t *part = &d->part_of[key + 1];

		if (*part <= first_part) {
			*part = (uint32_t)++d->n_parts;
			if (fill)
				d->parts[*part - 1] = (struct part){ .object = object, .key = key };
		}
		if (!fill)
			continue;
		ompp_traffic_of(p, access, values);
		ompp_traffic_add(d->parts[*part - 1].values, values);
	}
}

static int find_parts(struct data *d)
{
	const struct ompp_profile *p = d->profile;

	d->part_of = ompp_arena_alloc(d->analysis->arena, (2 * p->n_regions + 1) * sizeof(uint32_t));
	if (!d->part_of)
		return -ENOMEM;
	for (uint32_t o = 0; o < p->n_objects; o++)
		divide(d, o, 0);
	d->parts = ompp_arena_alloc(d->analysis->arena, d->n_parts * sizeof(*d->parts));
	if (!d->parts)
		return -ENOMEM;
	memset(d->part_of, 0, (2 * p->n_regions + 1) * sizeof(uint32_t));
	d->n_parts = 0;
	for (uint32_t o = 0; o < p->n_objects; o++)
		divide(d, o, 1);
	return 0;
}

static int64_t known(int64_t n)
{
	return n == OMPP_MISSING ? 0 : n;
}

static void add_use(struct data *d, const struct ompp_access *access, const int64_t values[OMPP_N_TRAFFIC])
{
	uint32_t thread = thread_of(d->profile, access->row);
	struct use *use = &d->uses[thread];

	if (known(values[OMPP_TRAFFIC_ACCESSES]) <= 0)
		return;
	if (!use->accesses)
		d->users[d->n_users++] = thread;
	use->accesses = ompp_add(use->accesses, values[OMPP_TRAFFIC_ACCESSES]);
	use->writes = ompp_add(use->writes, ompp_add(known(values[OMPP_TRAFFIC_STORES]),
	                                             known(values[OMPP_TRAFFIC_ATOMICS])));
	use->store_bytes = ompp_add(use->store_bytes, known(access->values[OMPP_ACCESS_STORE_BYTES]));
	use->store_bytes = ompp_add(use->store_bytes, known(access->values[OMPP_ACCESS_ATOMIC_BYTES]));
}

/* The first user of the next process. */
static size_t end_of_process(const struct data *d, size_t i)
{
	size_t end = i + 1;

	while (end < d->n_users && same_process(d->profile, d->users[i], d->users[end]))
		end++;
	return end;
}

/* The class of an object in one process, whose threads are users[0] to users[n − 1]; its range was set once, or not. */
static enum class classify(const struct data *d, const struct ompp_object *o, int once, const uint32_t *users, size_t n)
{
	size_t n_writers = 0;
	int64_t store_bytes = 0;

	for (size_t i = 0; i < n; i++) {
		n_writers += d->uses[users[i]].writes > 0;
		store_bytes = ompp_add(store_bytes, d->uses[users[i]].store_bytes);
	}
	if (o->is_private)
		return PRIVATE;
	if (!n_writers)
		return READ_ONLY;
	if (n_writers == 1 && once && o->bytes != OMPP_MISSING && store_bytes <= o->bytes)
		return WRITE_ONCE;
	if (n == 1)
		return PRIVATE;
	return n_writers > 1 ? SHARED_WRITTEN : SHARED_READ;
}

static int is_later(const void *unused, uint32_t x, uint32_t y)
{
	(void)unused;
	return x > y;
}

/* Who uses the object, how evenly, and how. */
static void judge(struct data *d, uint32_t object, struct whole *w)
{
	const struct ompp_object *o = &d->profile->objects[object];
	uint32_t n_processes = 0;
	int64_t sum = 0;

	w->n_threads = (uint32_t)d->n_users;
	w->min = d->n_users ? INT64_MAX : 0;
	for (size_t i = 0; i < d->n_users; i++) {
		int64_t n = d->uses[d->users[i]].accesses;

		sum = ompp_add(sum, n);
		w->min = n < w->min ? n : w->min;
		w->max = n > w->max ? n : w->max;
	}
	w->avg = d->n_users ? sum / (int64_t)d->n_users : 0;
	if (object < OMPP_OBJECT_FIRST_NAMED || w->values[OMPP_TRAFFIC_LOADS] == OMPP_MISSING ||
	    w->values[OMPP_TRAFFIC_STORES] == OMPP_MISSING || w->values[OMPP_TRAFFIC_ATOMICS] == OMPP_MISSING)
		return;
	w->class = UNTOUCHED;
	ompp_sort(d->users, d->n_users, is_later, NULL);        /* rows of a process are neighbours */
	for (size_t i = 0; i < d->n_users; i = end_of_process(d, i))
		n_processes++;
	for (size_t i = 0; i < d->n_users; i = end_of_process(d, i)) {
		enum class class = classify(d, o, o->n_ranges == n_processes, d->users + i, end_of_process(d, i) - i);

		w->class = class > w->class ? class : w->class;
	}
}

static int find_wholes(struct data *d)
{
	const struct ompp_profile *p = d->profile;

	d->wholes = ompp_arena_alloc(d->analysis->arena, p->n_objects * sizeof(*d->wholes));
	d->uses = ompp_arena_alloc(d->analysis->arena, p->n_rows * sizeof(*d->uses));
	d->users = ompp_arena_alloc(d->analysis->arena, p->n_rows * sizeof(*d->users));
	if (!d->wholes || !d->uses || !d->users)
		return -ENOMEM;
	d->all_bytes = OMPP_MISSING;
	for (uint32_t o = 0; o < p->n_objects; o++) {
		struct whole *w = &d->wholes[o];

		for (int k = 0; k < OMPP_N_TRAFFIC && !p->objects[o].measured; k++)
			w->values[k] = OMPP_MISSING;
		for (int k = 0; k < OMPP_N_TRAFFIC; k++)        /* what nobody counts is not 0 */
			if (!(d->traffic->all_known >> k & 1) && (d->traffic->all_known || k >= OMPP_TRAFFIC_L1))
				w->values[k] = OMPP_MISSING;
		for (uint32_t i = d->first[o]; i < d->first[o + 1]; i++) {
			const struct ompp_access *access = &p->accesses[d->by_object[i]];
			int64_t values[OMPP_N_TRAFFIC];

			ompp_traffic_of(p, access, values);
			ompp_traffic_add(w->values, values);
			add_use(d, access, values);
		}
		judge(d, o, w);
		for (size_t i = 0; i < d->n_users; i++)
			d->uses[d->users[i]] = (struct use){ 0 };
		d->n_users = 0;
		if (w->values[OMPP_TRAFFIC_BYTES] != OMPP_MISSING)
			d->all_bytes = ompp_add(known(d->all_bytes), w->values[OMPP_TRAFFIC_BYTES]);
		d->has_atomics |= known(w->values[OMPP_TRAFFIC_ATOMICS]) > 0;
	}
	return 0;
}

/* Named objects first, the costliest first; then (other) and (stack). */
static int objects_after(const struct data *d, uint32_t x, const int64_t *values_x, uint32_t y, const int64_t *values_y)
{
	int named_x = x >= OMPP_OBJECT_FIRST_NAMED, named_y = y >= OMPP_OBJECT_FIRST_NAMED;
	int64_t cost_x = ompp_traffic_cost(d->traffic, values_x), cost_y = ompp_traffic_cost(d->traffic, values_y);

	if (named_x != named_y)
		return named_x < named_y;
	if (cost_x != cost_y)
		return cost_x < cost_y;
	if (values_x[OMPP_TRAFFIC_BYTES] != values_y[OMPP_TRAFFIC_BYTES])
		return values_x[OMPP_TRAFFIC_BYTES] < values_y[OMPP_TRAFFIC_BYTES];
	return x > y;
}

static int whole_is_after(const void *data, uint32_t x, uint32_t y)
{
	const struct data *d = data;

	return objects_after(d, x, d->wholes[x].values, y, d->wholes[y].values);
}

static int part_is_after(const void *data, uint32_t x, uint32_t y)
{
	const struct data *d = data;
	const struct part *px = &d->parts[x], *py = &d->parts[y];

	if (objects_after(d, px->object, px->values, py->object, py->values))
		return 1;
	if (objects_after(d, py->object, py->values, px->object, px->values))
		return 0;
	return x > y;
}

/* The order of the numbers: in text what the objects are sorted by comes first, in records what was counted. */
static const unsigned char *kinds(const struct data *d)
{
	static const unsigned char text[OMPP_N_TRAFFIC] = {
		OMPP_TRAFFIC_L1, OMPP_TRAFFIC_L2, OMPP_TRAFFIC_L3, OMPP_TRAFFIC_BYTES, OMPP_TRAFFIC_ACCESSES,
		OMPP_TRAFFIC_LOADS, OMPP_TRAFFIC_STORES, OMPP_TRAFFIC_ATOMICS
	};
	static const unsigned char records[OMPP_N_TRAFFIC] = {
		OMPP_TRAFFIC_LOADS, OMPP_TRAFFIC_STORES, OMPP_TRAFFIC_ATOMICS, OMPP_TRAFFIC_ACCESSES, OMPP_TRAFFIC_BYTES,
		OMPP_TRAFFIC_L1, OMPP_TRAFFIC_L2, OMPP_TRAFFIC_L3
	};

	return d->is_text ? text : records;
}

/* Columns of numbers.  Text leaves out what nobody counted, atomics where there are none, and, with only_last, the
 * levels above the last. */
static void traffic_columns(const struct data *d, int only_last, struct ompp_table *table)
{
	enum ompp_traffic_kind last = ompp_traffic_last_level(d->traffic);

	for (int i = 0; i < OMPP_N_TRAFFIC; i++) {
		enum ompp_traffic_kind kind = (enum ompp_traffic_kind)kinds(d)[i];
		int in_text = ompp_traffic_has(d->traffic->all_known, kind) &&
		              (kind != OMPP_TRAFFIC_ATOMICS || d->has_atomics) &&
		              (kind < OMPP_TRAFFIC_L1 || !only_last || kind == last);

		ompp_table_column(table, ompp_traffic_title(kind), in_text ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
		if (kind == OMPP_TRAFFIC_BYTES)
			ompp_table_column(table, "(%)", OMPP_IN_BOTH);
	}
}

static void traffic_values(const struct data *d, const int64_t values[OMPP_N_TRAFFIC], struct ompp_table *table)
{
	int64_t bytes = values[OMPP_TRAFFIC_BYTES];

	for (int i = 0; i < OMPP_N_TRAFFIC; i++) {
		ompp_table_number(table, OMPP_KIND_METRIC, values[kinds(d)[i]]);
		if (kinds(d)[i] == OMPP_TRAFFIC_BYTES)
			ompp_table_number(table, OMPP_KIND_SHARE,
			                  bytes == OMPP_MISSING ? OMPP_MISSING : ompp_share(bytes, d->all_bytes));
	}
}

/* "(12 more)" */
static const char *more_text(const struct data *d, size_t n)
{
	char buffer[40];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_char(&t, '(');
	ompp_text_u64(&t, n);
	ompp_text_str(&t, " more)");
	return ompp_arena_strdup(d->analysis->arena, buffer);
}

static const char *heading(const struct data *d, const char *text)
{
	int is_modelled = ompp_traffic_last_level(d->traffic) != OMPP_N_TRAFFIC;
	char buffer[160];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, text);
	ompp_text_str(&t, is_modelled ? "; misses are modelled:" : ":");
	return ompp_arena_strdup(d->analysis->arena, buffer);
}

static void use_values(const struct whole *w, struct ompp_table *table)
{
	int is_known = w->values[OMPP_TRAFFIC_ACCESSES] != OMPP_MISSING;

	ompp_table_number(table, OMPP_KIND_COUNT, is_known ? w->n_threads : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->min : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->avg : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_known ? w->max : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_SHARE, is_known ? ompp_share(w->max - w->avg, w->max) : OMPP_MISSING);
	if (w->class == UNKNOWN)
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
	else
		ompp_table_text(table, classes[w->class]);
}

static void use_columns(struct ompp_table *table, enum ompp_where where)
{
	static const char *const titles[] = { "threads", "min", "avg", "max", "imbal" };

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		ompp_table_column(table, titles[i], where);
	ompp_table_left_column(table, "class", where);
}

/* The objects, all regions together: their numbers, and in records their use. */
static int put_wholes(const struct data *d, const uint32_t *order, size_t n, size_t n_lines, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	int64_t rest[OMPP_N_TRAFFIC] = { 0 };

	ompp_table_start(table, OMPP_STYLE_GRID, "data objects",
	                 heading(d, "Data objects in the whole program, (%) of all bytes"));
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	traffic_columns(d, 0, table);
	use_columns(table, OMPP_IN_RECORDS);
	for (size_t i = 0; i < n_lines; i++) {
		ompp_table_text(table, d->profile->objects[order[i]].name);
		traffic_values(d, d->wholes[order[i]].values, table);
		use_values(&d->wholes[order[i]], table);
	}
	for (size_t i = n_lines; i < n; i++)
		ompp_traffic_add(rest, d->wholes[order[i]].values);
	if (n_lines < n) {
		ompp_table_text(table, more_text(d, n - n_lines));
		traffic_values(d, rest, table);
		use_values(&(struct whole){ .values = { [OMPP_TRAFFIC_ACCESSES] = OMPP_MISSING } }, table);
	}
	return sheet->put(sheet);
}

/* Who uses the named objects, in text. */
static int put_uses(const struct data *d, const uint32_t *order, size_t n_lines, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "", "Threads that access them, accesses of each, and class:");
	ompp_table_left_column(table, "object", OMPP_IN_TEXT);
	use_columns(table, OMPP_IN_TEXT);
	for (size_t i = 0; i < n_lines; i++) {
		if (order[i] < OMPP_OBJECT_FIRST_NAMED)
			continue;
		ompp_table_text(table, d->profile->objects[order[i]].name);
		use_values(&d->wholes[order[i]], table);
	}
	if (!ompp_table_n_rows(table))
		return table->rc;
	return sheet->put(sheet);
}

/* Text shows the first of many lines; records show all. */
static size_t n_printed(const struct data *d, size_t n)
{
	return d->is_text && n > MAX_TEXT_LINES ? MAX_TEXT_LINES : n;
}

static int objects(const struct data *d, struct ompp_sheet *sheet)
{
	uint32_t *order = ompp_arena_alloc(d->analysis->arena, d->profile->n_objects * sizeof(*order));
	size_t n = 0, n_lines;
	int rc;

	if (!order)
		return -ENOMEM;
	for (uint32_t o = 0; o < d->profile->n_objects; o++)
		if (d->traffic->shown[o])
			order[n++] = o;
	ompp_sort(order, n, whole_is_after, d);
	n_lines = n_printed(d, n);
	rc = put_wholes(d, order, n, n_lines, sheet);
	return rc || !d->is_text ? rc : put_uses(d, order, n_lines, sheet);
}

static enum ompp_construct construct_of(const struct data *d, const struct part *part)
{
	return part->key & 1 ? OMPP_TASKEXEC : d->profile->regions[part->key / 2].construct;
}

static const char *region_text(const struct data *d, const struct part *part)
{
	const char *label, *construct;
	struct ompp_text t;
	char *buffer;
	size_t n;

	if (part->key == SERIAL)
		return "(serial)";
	label = ompp_region_label(&d->profile->regions[part->key / 2], d->analysis->arena);
	construct = ompp_construct_name(construct_of(d, part));
	n = label ? strlen(label) + strlen(construct) + 2 : 0;
	buffer = label ? ompp_arena_alloc(d->analysis->arena, n) : NULL;
	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, label);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, construct);
	return buffer;
}

/* In text the first column is both: it is repeated where a table is too wide for one line. */
static const char *key_text(const struct data *d, const char *object, size_t object_columns, const char *region)
{
	size_t n = region ? strlen(object) + object_columns + strlen(region) + 2 : 0;
	char *buffer = region ? ompp_arena_alloc(d->analysis->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, object);
	ompp_text_pad_right(&t, 0, object_columns);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, region);
	return buffer;
}

static void region_values(const struct data *d, const struct part *part, struct ompp_table *table)
{
	if (part && part->key != SERIAL) {
		ompp_view_region_values(table, &d->profile->regions[part->key / 2], construct_of(d, part));
		return;
	}
	ompp_table_text(table, part ? "(serial)" : "");
	for (int i = 0; i < 5; i++)
		ompp_table_text(table, "");
}

static int put_parts(const struct data *d, const uint32_t *order, size_t n, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	size_t n_lines = n_printed(d, n), width = strlen("object");
	int64_t rest[OMPP_N_TRAFFIC] = { 0 };

	for (size_t i = 0; i < n_lines; i++) {
		size_t columns = ompp_text_columns(d->profile->objects[d->parts[order[i]].object].name);

		width = columns > width && columns <= MAX_NAME_COLUMNS ? columns : width;
	}
	ompp_table_start(table, OMPP_STYLE_GRID, "data objects by region",
	                 heading(d, "Data objects by region, each without the regions below it, (%) of all bytes"));
	ompp_table_left_column(table, key_text(d, "object", width, "region"), OMPP_IN_TEXT);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_view_region_columns(table);
	traffic_columns(d, 1, table);
	for (size_t i = 0; i < n_lines; i++) {
		const struct part *part = &d->parts[order[i]];
		const char *object = d->profile->objects[part->object].name;

		ompp_table_text(table, key_text(d, object, width, region_text(d, part)));
		ompp_table_text(table, object);
		region_values(d, part, table);
		traffic_values(d, part->values, table);
	}
	for (size_t i = n_lines; i < n; i++)
		ompp_traffic_add(rest, d->parts[order[i]].values);
	if (n_lines < n) {
		ompp_table_text(table, more_text(d, n - n_lines));
		ompp_table_text(table, "");
		region_values(d, NULL, table);
		traffic_values(d, rest, table);
	}
	return sheet->put(sheet);
}

static int parts(const struct data *d, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = d->analysis;
	uint32_t *order = ompp_arena_alloc(a->arena, d->n_parts * sizeof(*order));
	int all_regions = a->n_order == d->profile->n_regions;
	size_t n = 0;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < d->n_parts; i++) {
		const struct part *part = &d->parts[i];

		if (d->traffic->shown[part->object] &&
		    (part->key == SERIAL ? all_regions : a->shown[part->key / 2]))
			order[n++] = i;
	}
	ompp_sort(order, n, part_is_after, d);
	return n ? put_parts(d, order, n, sheet) : 0;
}

/* "a+64 in R00002 main.c (30-37) LOOP: 1 000 stores, 900 of them after another thread's; 0: 0-7, 1: 8-15" */
static const char *line_text(const struct data *d, const struct ompp_shared_line *line)
{
	const char *object = d->profile->objects[line->object].name;
	const char *region = region_text(d, &(struct part){ .key = 2 * (int64_t)line->region });
	size_t n = region ? strlen(object) + strlen(region) + strlen(line->rows) + 160 : 0;
	char *buffer = region ? ompp_arena_alloc(d->analysis->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, " * ");
	ompp_text_str(&t, object);
	ompp_text_str(&t, line->offset_bytes < 0 ? "" : "+");
	ompp_text_i64(&t, line->offset_bytes);
	ompp_text_str(&t, " in ");
	ompp_text_str(&t, region);
	ompp_text_str(&t, ": ");
	ompp_text_grouped(&t, ompp_count(line->n_stores));
	ompp_text_str(&t, " stores, ");
	ompp_text_grouped(&t, ompp_count(line->n_transfers));
	ompp_text_str(&t, " of them after another thread's; bytes by thread ");
	ompp_text_str(&t, line->rows);
	return buffer;
}

static int put_remark(const char *text, struct ompp_sheet *sheet)
{
	if (sheet->prints != OMPP_IN_TEXT)
		return 0;
	ompp_table_start(&sheet->table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(&sheet->table, "", OMPP_IN_TEXT);
	ompp_table_text(&sheet->table, text);
	return sheet->put(sheet);
}

static int put_lines(const struct data *d, const uint32_t *chosen, size_t n, struct ompp_sheet *sheet)
{
	static const char *const titles[] = { "offset", "stores", "transfers", "rows" };
	int rc;
	struct ompp_table *table = &sheet->table;
	size_t n_lines = n_printed(d, n);

	ompp_table_start(table, d->is_text ? OMPP_STYLE_LINES : OMPP_STYLE_GRID, "shared cache lines",
	                 "Cache lines that several threads write within one region, by the offset in the object:");
	ompp_table_left_column(table, "line", OMPP_IN_TEXT);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_view_region_columns(table);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		ompp_table_column(table, titles[i], OMPP_IN_RECORDS);
	for (size_t i = 0; i < n_lines; i++) {
		const struct ompp_shared_line *line = &d->profile->shared_lines[chosen[i]];

		ompp_table_text(table, d->is_text ? line_text(d, line) : "");
		ompp_table_text(table, d->profile->objects[line->object].name);
		region_values(d, &(struct part){ .key = 2 * (int64_t)line->region }, table);
		ompp_table_number(table, OMPP_KIND_COUNT, line->offset_bytes);
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(line->n_stores));
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(line->n_transfers));
		ompp_table_text(table, line->rows);
	}
	rc = sheet->put(sheet);
	return !rc && n > n_lines ? put_remark(more_text(d, n - n_lines), sheet) : rc;
}

static int lines(const struct data *d, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = d->profile;
	uint32_t *chosen = ompp_arena_alloc(d->analysis->arena, p->n_shared_lines * sizeof(*chosen));
	int is_measured = 0, rc = 0;
	size_t n = 0;

	if (!chosen)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_shared_lines; i++)
		if (d->traffic->shown[p->shared_lines[i].object] && d->analysis->shown[p->shared_lines[i].region])
			chosen[n++] = i;
	for (size_t o = 0; o < p->n_objects; o++)
		is_measured |= p->objects[o].measured;
	if (n)
		rc = put_lines(d, chosen, n, sheet);
	if (!rc && is_measured && !p->sharing)
		rc = put_remark("Cache lines that several threads write (false sharing) were not looked for; set OMPP_SHARING=1 "
		                "in a program built with kinst --access.", sheet);
	else if (!rc && is_measured && !n)
		rc = put_remark("No cache line of these objects was written by several threads within one region.", sheet);
	return rc;
}

static int is_empty(const struct ompp_analysis *a)
{
	return !a->traffic;
}

static int build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct data d = { .analysis = a, .profile = a->profile, .traffic = a->traffic };
	int rc;

	d.is_text = sheet->prints == OMPP_IN_TEXT;
	if (!a->traffic)
		return put_remark("No data object was measured; name data with inst data in the source, ompp_data_begin() or "
		                  "OMPP_DATA_NAME, and build with kinst --access.", sheet);
	rc = group(&d);
	if (!rc)
		rc = find_parts(&d);
	if (!rc)
		rc = find_wholes(&d);
	if (!rc)
		rc = objects(&d, sheet);
	if (!rc)
		rc = parts(&d, sheet);
	return rc ? rc : lines(&d, sheet);
}

const struct ompp_view ompp_view_data = {
	.name = "data", .title = "Data Structures", .tag = "data structures", .build = build, .is_empty = is_empty
};
