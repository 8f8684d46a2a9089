/*
 * Load: reads the bytes of a trace.  Whatever they are, all valid parts are read, and the invalid bytes are counted.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "reports/flow/code.h"
#include "reports/flow/flow.h"
#include "runtime/host/past.h"

enum {
	TEXTS_BYTES = 64 * 1024,
	MESSAGE_BYTES = 400,
	MOST_PAGES = 1 << 20,                         /* of one event */
	WINDOW_BYTES = 4 * OMPP_FLOW_MOST_BLOCK_BYTES /* of a file that are in memory at a time */
};

/* What one load works with. */
struct loading {
	struct ompp_flow *flow;
	struct ompp_flow_state state;
	struct ompp_flow_definition definition;
	uint64_t values[OMPP_FLOW_N_FIELDS];
	unsigned char *plain; /* buffer for a decompressed block */
	int has_end, has_zstd, failed;
};

/* ---- texts ---- */

const char *ompp_flow_keep(struct ompp_flow *flow, const char *from, size_t n_bytes)
{
	struct ompp_flow_texts *t = flow->texts;
	char *text;

	if (!n_bytes)
		return "";
	if (!t || t->have - t->n_bytes < n_bytes + 1) {
		size_t room = n_bytes + 1 > TEXTS_BYTES ? n_bytes + 1 : TEXTS_BYTES;

		t = malloc(sizeof(*t) + room);
		if (!t)
			return NULL;
		*t = (struct ompp_flow_texts){ flow->texts, 0, room };
		flow->texts = t;
	}
	text = t->bytes + t->n_bytes;
	memcpy(text, from, n_bytes);
	text[n_bytes] = '\0';
	t->n_bytes += n_bytes + 1;
	return text;
}

/* Returns a text of a definition, which lives as long as the trace. */
static const char *text_of(struct loading *l, uint32_t i)
{
	const char *text = i < l->definition.n_texts
	                         ? ompp_flow_keep(l->flow, l->definition.texts[i].text, l->definition.texts[i].n_bytes)
	                         : "";

	l->failed |= !text;
	return text ? text : "";
}

/* ---- definitions ---- */

/* Returns the index of a number; an entry is added if it is new. */
static uint32_t index_of(struct loading *l, struct ompp_flow_map *map, uint64_t number, void *table, size_t *n,
                         size_t *have, size_t entry_bytes)
{
	uint32_t *at = ompp_flow_map_at(map, number);

	if (at && !*at && ompp_flow_grow(table, n, have, entry_bytes))
		*at = (uint32_t)*n;
	if (!at || !*at) {
		l->failed = 1;
		return OMPP_FLOW_NONE;
	}
	return *at - 1;
}

#define INDEX_OF(l, what, number) \
	index_of(l, &(l)->flow->what##_map, number, &(l)->flow->what##s, &(l)->flow->n_##what##s, \
	         &(l)->flow->have_##what##s, sizeof(*(l)->flow->what##s))

static uint32_t site_of(struct loading *l, uint64_t number)
{
	size_t n = l->flow->n_sites;
	uint32_t i = INDEX_OF(l, site, number);

	if (l->flow->n_sites > n) {
		l->flow->sites[i].name = l->flow->sites[i].path = "";
		l->flow->sites[i].thread = OMPP_FLOW_NONE;
	}
	return i;
}

static uint32_t ip_of(struct loading *l, uint64_t number)
{
	size_t n = l->flow->n_ips;
	uint32_t i = INDEX_OF(l, ip, number);

	if (l->flow->n_ips > n) {
		l->flow->ips[i].ip = ompp_past_address(number);
		l->flow->ips[i].key = number;
		l->flow->ips[i].line.function = l->flow->ips[i].line.file = "";
	}
	return i;
}

static uint32_t object_of(struct loading *l, uint64_t number)
{
	size_t n = l->flow->n_objects;
	uint32_t i = INDEX_OF(l, object, number);

	if (l->flow->n_objects > n) {
		l->flow->objects[i].name = l->flow->objects[i].path = "";
		l->flow->objects[i].site = l->flow->objects[i].allocator = OMPP_FLOW_NONE;
	}
	return i;
}

static void define_region(struct loading *l)
{
	const uint64_t *numbers = l->definition.numbers;
	uint32_t parent = numbers[1] ? ompp_flow_map_find(&l->flow->region_map, numbers[1]) : OMPP_FLOW_NONE;
	uint32_t i = INDEX_OF(l, region, numbers[0]);

	if (i == OMPP_FLOW_NONE)
		return;
	l->flow->regions[i] = (struct ompp_flow_region){ .construct = text_of(l, 0),
		                                         .name = text_of(l, 1),
		                                         .file = text_of(l, 2),
		                                         .begin_line = (uint32_t)numbers[3],
		                                         .end_line = (uint32_t)numbers[4],
		                                         .parent = parent < i ? parent : OMPP_FLOW_NONE };
}

static void define_object(struct loading *l)
{
	uint32_t i = object_of(l, l->definition.numbers[0]), site = OMPP_FLOW_NONE;

	if (l->definition.numbers[1])
		site = site_of(l, l->definition.numbers[1]);
	if (i == OMPP_FLOW_NONE)
		return;
	l->flow->objects[i].site = site;
	l->flow->objects[i].name = site == OMPP_FLOW_NONE ? text_of(l, 0) : "";
}

static void define_cover(struct loading *l)
{
	size_t n = l->flow->n_covers;
	uint32_t i = INDEX_OF(l, cover, l->definition.numbers[0]);

	if (i == OMPP_FLOW_NONE || l->flow->n_covers == n)
		return; /* it never changes */
	l->flow->covers[i].first = (uint32_t)l->flow->n_members;
	for (uint32_t k = 1; k < l->definition.n_numbers && !l->failed; k++) {
		uint32_t object = object_of(l, l->definition.numbers[k]);
		uint32_t *member = ompp_flow_grow(&l->flow->members, &l->flow->n_members, &l->flow->have_members,
		                                  sizeof(*member));

		if (!member) {
			l->failed = 1;
			return;
		}
		*member = object;
		l->flow->covers[i].n++;
	}
}

static void keep_callers(struct loading *l, uint32_t site)
{
	struct ompp_flow *flow = l->flow;
	struct ompp_flow_calls *calls = ompp_flow_grow(&flow->calls, &flow->n_calls, &flow->have_calls, sizeof(*calls));

	if (!calls) {
		l->failed = 1;
		return;
	}
	*calls = (struct ompp_flow_calls){ .site = site, .first = (uint32_t)flow->n_callers };
	for (uint32_t i = 2; i < l->definition.n_numbers && i < 2 + OMPP_FLOW_MOST_CALLERS; i++) {
		uintptr_t *caller = ompp_flow_grow(&flow->callers, &flow->n_callers, &flow->have_callers,
		                                   sizeof(*caller));

		if (!caller) {
			l->failed = 1;
			return;
		}
		*caller = (uintptr_t)l->definition.numbers[i];
		flow->calls[flow->n_calls - 1].n++;
	}
}

static void define_site(struct loading *l)
{
	uint32_t i = site_of(l, l->definition.numbers[0]);
	uint64_t thread = l->definition.numbers[1];

	if (i != OMPP_FLOW_NONE && thread && thread <= OMPP_FLOW_MOST_THREADS)
		l->flow->sites[i].thread = (uint32_t)thread - 1;
	if (i != OMPP_FLOW_NONE)
		keep_callers(l, i);
}

static void define_file(struct loading *l)
{
	struct ompp_flow *flow = l->flow;
	const uint64_t *numbers = l->definition.numbers;
	struct ompp_flow_file *f = ompp_flow_grow(&flow->files, &flow->n_files, &flow->have_files, sizeof(*f));

	if (!f) {
		l->failed = 1;
		return;
	}
	f->number = numbers[0];
	f->lo = numbers[1];
	f->hi = numbers[2];
	f->bias = numbers[3];
	f->is_program = numbers[4] != 0;
	f->image = (struct ompp_image){
		.device = numbers[5], .inode = numbers[6], .n_bytes = numbers[7], .modified_ns = numbers[8]
	};
	f->image.n_id = numbers[9] <= OMPP_IMAGE_ID_BYTES ? (uint32_t)numbers[9] : 0;
	for (uint32_t i = 0; i < f->image.n_id; i++)
		f->image.id[i] = (unsigned char)(numbers[10 + i / 8] >> i % 8 * 8);
	f->path = text_of(l, 0);
}

static void define_name(struct loading *l)
{
	uint32_t i = site_of(l, l->definition.numbers[0]);

	if (i == OMPP_FLOW_NONE)
		return;
	l->flow->sites[i].name = text_of(l, 0);
	l->flow->sites[i].path = text_of(l, 1);
}

static void define_line(struct loading *l)
{
	uint32_t i = ip_of(l, l->definition.numbers[0]);

	if (i != OMPP_FLOW_NONE)
		l->flow->ips[i].line = (struct ompp_flow_line){ text_of(l, 0), text_of(l, 1),
			                                        (uint32_t)l->definition.numbers[1] };
}

static void define_end(struct loading *l)
{
	l->has_end = 1;
	l->flow->info.n_left_out = l->definition.numbers[0];
	l->flow->info.n_lost = l->definition.numbers[1];
	l->flow->info.ahead_ns = l->definition.n_numbers > 2 ? l->definition.numbers[2] : 0;
}

/* Makes all threads up to this number.  Returns 0 or -1. */
static int make_threads(struct loading *l, size_t n)
{
	struct ompp_flow *flow = l->flow;

	while (flow->n_threads < n && !l->failed) {
		struct ompp_flow_thread *t = ompp_flow_grow(&flow->threads, &flow->n_threads, &flow->have_threads,
		                                            sizeof(*t));

		if (t)
			t->rank = OMPP_FLOW_NONE;
		else
			l->failed = 1;
	}
	return l->failed ? -1 : 0;
}

static void define_thread(struct loading *l)
{
	uint64_t thread = l->definition.numbers[0], rank = l->definition.numbers[1];

	if (thread < OMPP_FLOW_MOST_THREADS && rank < OMPP_FLOW_NONE && !make_threads(l, thread + 1))
		l->flow->threads[thread].rank = (uint32_t)rank;
}

static void define_app(struct loading *l)
{
	l->flow->info.app = text_of(l, 0);
}

static void define_uses(struct loading *l)
{
	l->flow->info.interval_ns = l->definition.numbers[0];
	l->flow->info.method = text_of(l, 0);
	l->flow->info.unseen = text_of(l, 1);
}

static void define_variable(struct loading *l)
{
	struct ompp_flow_variable *v = ompp_flow_grow(&l->flow->variables, &l->flow->n_variables,
	                                              &l->flow->have_variables, sizeof(*v));

	if (!v) {
		l->failed = 1;
		return;
	}
	v->name = text_of(l, 0);
	v->address = l->definition.numbers[1];
	v->n_bytes = l->definition.numbers[2];
}

static void load_define(struct loading *l)
{
	static const struct {
		uint32_t least_numbers;
		void (*take)(struct loading *l);
	} kinds[] = {
		[OMPP_FLOW_DEFINE_PLACE] = { 5, define_region },  [OMPP_FLOW_DEFINE_OBJECT] = { 2, define_object },
		[OMPP_FLOW_DEFINE_COVER] = { 1, define_cover },   [OMPP_FLOW_DEFINE_SITE] = { 2, define_site },
		[OMPP_FLOW_DEFINE_NAME] = { 1, define_name },     [OMPP_FLOW_DEFINE_LINE] = { 2, define_line },
		[OMPP_FLOW_DEFINE_APP] = { 0, define_app },       [OMPP_FLOW_DEFINE_END] = { 2, define_end },
		[OMPP_FLOW_DEFINE_THREAD] = { 2, define_thread }, [OMPP_FLOW_DEFINE_USES] = { 1, define_uses },
		[OMPP_FLOW_DEFINE_FILE] = { 14, define_file },    [OMPP_FLOW_DEFINE_VARIABLE] = { 3, define_variable },
	};
	uint32_t what = l->definition.what;

	if (what < sizeof(kinds) / sizeof(kinds[0]) && l->definition.n_numbers >= kinds[what].least_numbers)
		kinds[what].take(l);
}

/* ---- events ---- */

/* Returns a number + 1 as a record stores it; 0 (not known) if it is out of range. */
static uint16_t load_small(uint64_t number)
{
	return number < UINT16_MAX ? (uint16_t)number : 0;
}

static uint32_t extra_of(struct loading *l)
{
	const uint64_t *v = l->values;
	struct ompp_flow_extra wanted = { v[OMPP_FLOW_PERIOD], v[OMPP_FLOW_PAGE_BYTES], v[OMPP_FLOW_DATA_SOURCE],
		                          (uint32_t)v[OMPP_FLOW_TID], (uint32_t)v[OMPP_FLOW_DETAIL] };
	uint64_t h = wanted.period * 0x9E3779B97F4A7C15u ^ wanted.page_bytes * 0xC2B2AE3D27D4EB4Fu;
	struct ompp_flow_extra *extra;
	uint32_t *at;

	h = (h ^ h >> 29 ^ wanted.data_source) * 0x165667B19E3779F9u;
	h = (h ^ h >> 30 ^ ((uint64_t)wanted.tid << 32 | wanted.detail)) * 0xC2B2AE3D27D4EB4Fu;
	at = ompp_flow_map_at(&l->flow->extra_map, h);
	if (at && *at && !memcmp(&l->flow->extras[*at - 1], &wanted, sizeof(wanted)))
		return *at;
	extra = at ? ompp_flow_grow(&l->flow->extras, &l->flow->n_extras, &l->flow->have_extras, sizeof(*extra)) : NULL;
	if (!extra) {
		l->failed = 1;
		return 0;
	}
	*extra = wanted;
	return *at = (uint32_t)l->flow->n_extras;
}

static void take_access(struct loading *l, struct ompp_flow_record *r)
{
	const uint64_t *v = l->values;

	r->set = ompp_flow_map_find(&l->flow->cover_map, v[OMPP_FLOW_COVER]) + 1;
	r->of.access.ip = ip_of(l, v[OMPP_FLOW_IP]);
	r->of.access.latency = v[OMPP_FLOW_LATENCY] > UINT32_MAX ? UINT32_MAX : (uint32_t)v[OMPP_FLOW_LATENCY];
	r->home = load_small(v[OMPP_FLOW_HOME]);
	r->cpu = load_small(v[OMPP_FLOW_CPU]);
	r->node = load_small(v[OMPP_FLOW_NODE]);
	r->level = v[OMPP_FLOW_LEVEL] < OMPP_MEM_N_LEVELS * 4 ? (uint8_t)v[OMPP_FLOW_LEVEL]
	                                                      : (uint8_t)(v[OMPP_FLOW_LEVEL] % 4);
	r->physical = v[OMPP_FLOW_PHYSICAL];
	r->extra = extra_of(l);
}

/* is_counted: 1 when the event has the counts of the uses */
static void take_use(struct loading *l, struct ompp_flow_record *r, int is_counted)
{
	struct ompp_flow_use *u = ompp_flow_more(&l->flow->uses, &l->flow->n_uses, &l->flow->uses_room, 1, sizeof(*u));
	const uint64_t *v = l->values;

	if (!u) {
		l->failed = 1;
		return;
	}
	r->of.use = (uint32_t)l->flow->n_uses - 1;
	r->set = ompp_flow_map_find(&l->flow->cover_map, v[OMPP_FLOW_COVER]) + 1;
	r->home = load_small(v[OMPP_FLOW_HOME]);
	r->cpu = is_counted || r->thread ? load_small(v[OMPP_FLOW_CPU]) : 0;
	r->node = is_counted || r->thread ? load_small(v[OMPP_FLOW_NODE]) : 0;
	*u = (struct ompp_flow_use){ .until_ns = r->time_ns + v[OMPP_FLOW_SPAN],
		                     .n_pages = v[OMPP_FLOW_PAGES] < MOST_PAGES ? v[OMPP_FLOW_PAGES] : MOST_PAGES,
		                     .loads = is_counted ? v[OMPP_FLOW_LOADS] : 0,
		                     .stores = is_counted ? v[OMPP_FLOW_STORES] : 0,
		                     .parts = is_counted ? v[OMPP_FLOW_PARTS] : 0,
		                     .page_bytes = is_counted ? v[OMPP_FLOW_PAGE_BYTES] : 0,
		                     .physical = v[OMPP_FLOW_PHYSICAL] };
}

static void take_event(struct loading *l, enum ompp_flow_code code)
{
	static const uint8_t kinds[] = {
		[OMPP_FLOW_CODE_ACCESS] = OMPP_FLOW_ACCESS,    [OMPP_FLOW_CODE_TOUCH] = OMPP_FLOW_TOUCH,
		[OMPP_FLOW_CODE_BEGIN] = OMPP_FLOW_ALLOCATION, [OMPP_FLOW_CODE_END] = OMPP_FLOW_FREE,
		[OMPP_FLOW_CODE_REGION] = OMPP_FLOW_CHANGE,    [OMPP_FLOW_CODE_PAGES] = OMPP_FLOW_USE,
		[OMPP_FLOW_CODE_WRITTEN] = OMPP_FLOW_WRITTEN
	};
	struct ompp_flow *flow = l->flow;
	struct ompp_flow_record *r = ompp_flow_more(&flow->records, &flow->n_records, &flow->records_room, 1,
	                                            sizeof(*r));
	const uint64_t *v = l->values;

	if (!r) {
		l->failed = 1;
		return;
	}
	ompp_flow_walked(flow, flow->n_records);
	*r = (struct ompp_flow_record){ .kind = kinds[code], .time_ns = v[OMPP_FLOW_TIME] };
	r->thread = v[OMPP_FLOW_THREAD] <= OMPP_FLOW_MOST_THREADS ? (uint16_t)v[OMPP_FLOW_THREAD] : 0;
	r->region = v[OMPP_FLOW_PLACE] ? ompp_flow_map_find(&flow->region_map, v[OMPP_FLOW_PLACE]) + 1 : 0;
	make_threads(l, r->thread);
	if (code == OMPP_FLOW_CODE_REGION)
		return;
	r->address = v[OMPP_FLOW_ADDRESS];
	if (code == OMPP_FLOW_CODE_ACCESS || code == OMPP_FLOW_CODE_TOUCH) {
		take_access(l, r);
		return;
	}
	if (code == OMPP_FLOW_CODE_PAGES || code == OMPP_FLOW_CODE_WRITTEN) {
		take_use(l, r, code == OMPP_FLOW_CODE_PAGES);
		return;
	}
	r->set = v[OMPP_FLOW_SITE] ? site_of(l, v[OMPP_FLOW_SITE]) + 1 : 0;
	r->of.bytes = v[OMPP_FLOW_BYTES];
}

/* Reads the events of a block.  Returns how many of its bytes are invalid. */
static size_t take_events(struct loading *l, const unsigned char *at, size_t n_bytes)
{
	const unsigned char *end = at + n_bytes, *next;
	enum ompp_flow_code code;

	memset(&l->state, 0, sizeof(l->state));
	while (at < end && !l->failed) {
		next = ompp_flow_get(&l->state, &code, l->values, &l->definition, at, end);
		if (!next)
			return (size_t)(end - at);
		if (code == OMPP_FLOW_CODE_DEFINE)
			load_define(l);
		else
			take_event(l, code);
		at = next;
	}
	return 0;
}

/* ---- blocks ---- */

static size_t take_blocks(struct loading *l, const unsigned char *bytes, size_t n_bytes, int may_be_compressed,
                          size_t *n_rest);

/* Reads a compressed block.  Returns how many of its bytes are invalid. */
static size_t take_compressed(struct loading *l, const struct ompp_flow_block *block, const unsigned char *at)
{
#ifdef HAVE_ZSTD
	size_t n;

	if (!l->plain)
		l->plain = malloc(OMPP_FLOW_MOST_BLOCK_BYTES);
	if (!l->plain) {
		l->failed = 1;
		return 0;
	}
	if (block->n_plain_bytes / OMPP_FLOW_MOST_RATIO > block->n_bytes)
		return block->n_bytes;
	n = ZSTD_decompress(l->plain, OMPP_FLOW_MOST_BLOCK_BYTES, at, block->n_bytes);
	if (ZSTD_isError(n) || n != block->n_plain_bytes || take_blocks(l, l->plain, n, 0, NULL))
		return block->n_bytes;
	return 0;
#else
	(void)at;
	l->has_zstd = 1;
	return block->n_bytes;
#endif
}

/* Reads blocks; after invalid bytes, searches for the next block.  Returns how many bytes are invalid.
 * n_rest: gets how many bytes are left for the next call; NULL if these are the last bytes */
static size_t take_blocks(struct loading *l, const unsigned char *bytes, size_t n_bytes, int may_be_compressed,
                          size_t *n_rest)
{
	size_t at = 0, n_damaged = 0;

	while (at < n_bytes && !l->failed) {
		const unsigned char *from = bytes + at;
		size_t left = n_bytes - at, n;
		struct ompp_flow_block block;

		if (n_rest && left < OMPP_FLOW_BLOCK_HEAD_BYTES + OMPP_FLOW_MOST_BLOCK_BYTES)
			break;
		if (ompp_flow_block_get(&block, from, left) || block.n_bytes > left - OMPP_FLOW_BLOCK_HEAD_BYTES ||
		    !ompp_flow_block_is_whole(&block, from)) {
			const unsigned char *next = memchr(from + 1, OMPP_FLOW_BLOCK_MAGIC & 0xff, left - 1);

			n = next ? (size_t)(next - from) : left;
			n_damaged += n;
			at += n;
			continue;
		}
		from += OMPP_FLOW_BLOCK_HEAD_BYTES;
		if (block.type == OMPP_FLOW_BLOCK_EVENTS)
			n_damaged += take_events(l, from, block.n_bytes);
		else if (block.type == OMPP_FLOW_BLOCK_ZSTD && may_be_compressed)
			n_damaged += take_compressed(l, &block, from);
		else
			n_damaged += block.n_bytes;
		at += OMPP_FLOW_BLOCK_HEAD_BYTES + block.n_bytes;
	}
	if (n_rest)
		*n_rest = n_bytes - at;
	return n_damaged;
}

/* ---- the trace ---- */

static int out_of_memory(void)
{
	return ompp_flow_fail(OMPP_FLOW_ERROR_MEMORY,
	                      "not enough memory; set OMPP_TRACE_LIMIT or OMPP_PAGES_LIMIT lower for a shorter trace");
}

static int no_file(int error)
{
	char line[MESSAGE_BYTES];

	snprintf(line, sizeof(line), "cannot be read: %s; give a trace (.ompp.flow, .ompp.pages)", strerror(error));
	return ompp_flow_fail(OMPP_FLOW_ERROR_FILE, line);
}

/* Makes the only process of a trace. */
static int note_process(struct ompp_flow *flow)
{
	struct ompp_flow_part *part = ompp_flow_grow(&flow->parts, &flow->n_parts, &flow->have_parts, sizeof(*part));

	if (!part)
		return out_of_memory();
	part->process = (struct ompp_flow_process){ .path = "",
		                                    .info = flow->info,
		                                    .n_threads = (uint32_t)flow->n_threads };
	return 0;
}

/* The bytes of a trace; those of a file are read as they are needed. */
struct input {
	const unsigned char *bytes; /* those in memory */
	size_t n_bytes;
	unsigned char *room; /* [WINDOW_BYTES]: buffer for those of a file; NULL when all are in memory */
	int fd, error;
	size_t n_left, n_read; /* of the file: bytes not yet read; bytes read */
};

/* Keeps the last n_rest bytes, and reads the next ones after them. */
static void read_on(struct input *in, size_t n_rest)
{
	ssize_t now = 1;

	memmove(in->room, in->bytes + in->n_bytes - n_rest, n_rest);
	in->bytes = in->room;
	in->n_bytes = n_rest;
	while (in->n_left && in->n_bytes < WINDOW_BYTES && now > 0) {
		size_t n = WINDOW_BYTES - in->n_bytes;

		now = read(in->fd, in->room + in->n_bytes, n < in->n_left ? n : in->n_left);
		if (now > 0) {
			in->n_bytes += (size_t)now;
			in->n_left -= (size_t)now;
			in->n_read += (size_t)now;
		}
	}
	in->error = now < 0 ? errno : 0;
	if (now <= 0)
		in->n_left = 0; /* the file was truncated meanwhile */
}

/* Reads all blocks after the head.  Returns how many bytes are invalid. */
static size_t take_all(struct loading *l, struct input *in)
{
	size_t n_damaged = 0, n_rest = in->n_bytes - OMPP_FLOW_HEAD_BYTES;

	in->bytes += OMPP_FLOW_HEAD_BYTES;
	in->n_bytes = n_rest;
	while (in->n_left && !l->failed) {
		n_damaged += take_blocks(l, in->bytes, in->n_bytes, 1, &n_rest);
		read_on(in, n_rest);
	}
	return n_damaged + take_blocks(l, in->bytes, in->n_bytes, 1, NULL);
}

static int load(struct loading *l, struct input *in)
{
	static const char *const latencies[] = { "", "cycles", "TSC cycles" };
	struct ompp_flow_head head;
	struct ompp_flow *flow = l->flow;

	if (ompp_flow_head_get(&head, in->bytes, in->n_bytes))
		return ompp_flow_fail(OMPP_FLOW_ERROR_FORM, "not a trace; give a file that OMPP_TRACE=1 or "
		                                            "OMPP_PAGES=auto wrote, whose name ends in "
		                                            ".ompp.flow or .ompp.pages");
	if (!head.version || head.version > OMPP_FLOW_VERSION)
		return ompp_flow_fail(OMPP_FLOW_ERROR_FORM,
		                      "a trace of another version of kinst; read it by that version");
	flow->info = (struct ompp_flow_info){ .app = "",
		                              .method = "",
		                              .unseen = "",
		                              .latencies = latencies[head.latencies < 3 ? head.latencies : 0],
		                              .period = head.period,
		                              .page_bytes = head.page_bytes,
		                              .pid = head.pid,
		                              .start_ns = head.start_ns,
		                              .start_unix_ns = head.start_unix_ns,
		                              .n_left_out = UINT64_MAX,
		                              .n_lost = UINT64_MAX };
	flow->info.n_damaged = take_all(l, in);
	flow->info.n_bytes = in->n_read;
	if (in->error)
		return no_file(in->error);
	if (l->has_zstd)
		return ompp_flow_fail(OMPP_FLOW_ERROR_ZSTD,
		                      "a compressed trace, and kinst was built without zstd; install "
		                      "libzstd-dev and build it anew");
	if (l->failed || ompp_flow_sort(flow) || ompp_flow_add_migrations(flow) || ompp_flow_find_allocators(flow) ||
	    ompp_flow_count(flow))
		return out_of_memory();
	flow->info.n_events = flow->n_records;
	flow->info.is_whole = l->has_end && !flow->info.n_damaged;
	ompp_flow_room_seal(&flow->records_room);
	ompp_flow_room_seal(&flow->order_room);
	ompp_flow_room_seal(&flow->uses_room);
	return note_process(flow);
}

static int open_input(struct ompp_flow **flow, struct input *in)
{
	struct loading *l = calloc(1, sizeof(*l));
	int rc;

	*flow = l ? calloc(1, sizeof(**flow)) : NULL;
	if (!*flow) {
		free(l);
		return out_of_memory();
	}
	l->flow = *flow;
	rc = load(l, in);
	free(l->plain);
	free(l);
	if (rc) {
		ompp_flow_close(*flow);
		*flow = NULL;
	}
	return rc;
}

int ompp_flow_open_bytes(struct ompp_flow **flow, const void *bytes, size_t n_bytes)
{
	struct input in = { .bytes = bytes, .n_bytes = n_bytes, .fd = -1, .n_read = n_bytes };

	return open_input(flow, &in);
}

/* Reads an open file.  It is read and not mapped, as the program that writes it may truncate it meanwhile. */
static int load_file(struct ompp_flow **flow, int fd, size_t n_bytes)
{
	struct input in = { .room = malloc(WINDOW_BYTES), .fd = fd, .n_left = n_bytes };
	int rc;

	if (!in.room)
		return out_of_memory();
	in.bytes = in.room;
	read_on(&in, 0);
	rc = in.error ? no_file(in.error) : open_input(flow, &in);
	free(in.room);
	return rc;
}

/* Notes where the trace was read from. */
static int note_path(struct ompp_flow *flow, const char *path)
{
	size_t n = strlen(path) + 1;
	struct ompp_flow_texts *t = malloc(sizeof(*t) + n);

	if (!t)
		return out_of_memory();
	*t = (struct ompp_flow_texts){ flow->texts, n, n };
	flow->parts->process.path = memcpy(t->bytes, path, n);
	flow->texts = t;
	return 0;
}

int ompp_flow_open(struct ompp_flow **flow, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), rc;
	struct stat st;

	*flow = NULL;
	if (fd < 0)
		return no_file(errno);
	if (fstat(fd, &st))
		rc = no_file(errno);
	else if (!S_ISREG(st.st_mode))
		rc = no_file(S_ISDIR(st.st_mode) ? EISDIR : EINVAL);
	else
		rc = load_file(flow, fd, (size_t)st.st_size);
	close(fd);
	if (!rc)
		rc = note_path(*flow, path);
	if (rc) {
		ompp_flow_close(*flow);
		*flow = NULL;
	}
	return rc;
}

void ompp_flow_close(struct ompp_flow *flow)
{
	if (!flow)
		return;
	while (flow->texts) {
		struct ompp_flow_texts *next = flow->texts->next;

		free(flow->texts);
		flow->texts = next;
	}
	ompp_flow_map_free(&flow->object_map);
	ompp_flow_map_free(&flow->site_map);
	ompp_flow_map_free(&flow->region_map);
	ompp_flow_map_free(&flow->cover_map);
	ompp_flow_map_free(&flow->ip_map);
	ompp_flow_map_free(&flow->extra_map);
	free(flow->parts);
	ompp_flow_room_free(&flow->records_room);
	ompp_flow_room_free(&flow->order_room);
	ompp_flow_room_free(&flow->uses_room);
	free(flow->extras);
	free(flow->objects);
	free(flow->sites);
	free(flow->variables);
	free(flow->regions);
	free(flow->threads);
	free(flow->covers);
	free(flow->members);
	free(flow->ips);
	free(flow->files);
	free(flow->calls);
	free(flow->callers);
	free(flow);
}
