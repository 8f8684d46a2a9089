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
#include "reports/flow/define.h"
#include "reports/flow/flow.h"

enum {
	MESSAGE_BYTES = 400,
	MOST_PAGES = 1 << 20,                         /* of one event */
	WINDOW_BYTES = 4 * OMPP_FLOW_MOST_BLOCK_BYTES /* of a file that are in memory at a time */
};

/* What one load works with. */
struct loading {
	struct ompp_flow_defining known;
	struct ompp_flow_state state;
	uint64_t values[OMPP_FLOW_N_FIELDS];
	unsigned char *plain; /* buffer for a decompressed block */
	int has_zstd;
};

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
	at = ompp_flow_map_at(&l->known.flow->extra_map, h);
	if (at && *at && !memcmp(&l->known.flow->extras[*at - 1], &wanted, sizeof(wanted)))
		return *at;
	extra = at ? ompp_flow_grow(&l->known.flow->extras, &l->known.flow->n_extras, &l->known.flow->have_extras,
	                            sizeof(*extra))
	           : NULL;
	if (!extra) {
		l->known.failed = 1;
		return 0;
	}
	*extra = wanted;
	return *at = (uint32_t)l->known.flow->n_extras;
}

static void take_access(struct loading *l, struct ompp_flow_record *r)
{
	const uint64_t *v = l->values;

	r->set = ompp_flow_map_find(&l->known.flow->cover_map, v[OMPP_FLOW_COVER]) + 1;
	r->of.access.ip = ompp_flow_define_ip(&l->known, v[OMPP_FLOW_IP]);
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
	struct ompp_flow_use *u = ompp_flow_more(&l->known.flow->uses, &l->known.flow->n_uses,
	                                         &l->known.flow->uses_room, 1, sizeof(*u));
	const uint64_t *v = l->values;

	if (!u) {
		l->known.failed = 1;
		return;
	}
	r->of.use = (uint32_t)l->known.flow->n_uses - 1;
	r->set = ompp_flow_map_find(&l->known.flow->cover_map, v[OMPP_FLOW_COVER]) + 1;
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

static void take_message(const struct loading *l, struct ompp_flow_record *r)
{
	const uint64_t *v = l->values;

	r->kind = v[OMPP_FLOW_MESSAGE] == 1 ? OMPP_FLOW_SEND : OMPP_FLOW_RECEIVE;
	r->set = v[OMPP_FLOW_PARTNER] < UINT32_MAX ? (uint32_t)v[OMPP_FLOW_PARTNER] : 0;
	r->address = v[OMPP_FLOW_BYTES];
	r->physical = v[OMPP_FLOW_SPAN] < r->time_ns ? r->time_ns - v[OMPP_FLOW_SPAN] : r->time_ns;
	r->of.message.tag = (uint32_t)v[OMPP_FLOW_TAG];
	r->of.message.comm = (uint32_t)v[OMPP_FLOW_COMM];
}

static void take_event(struct loading *l, enum ompp_flow_code code)
{
	static const uint8_t kinds[] = {
		[OMPP_FLOW_CODE_ACCESS] = OMPP_FLOW_ACCESS,    [OMPP_FLOW_CODE_TOUCH] = OMPP_FLOW_TOUCH,
		[OMPP_FLOW_CODE_BEGIN] = OMPP_FLOW_ALLOCATION, [OMPP_FLOW_CODE_END] = OMPP_FLOW_FREE,
		[OMPP_FLOW_CODE_REGION] = OMPP_FLOW_CHANGE,    [OMPP_FLOW_CODE_PAGES] = OMPP_FLOW_USE,
		[OMPP_FLOW_CODE_WRITTEN] = OMPP_FLOW_WRITTEN
	};
	struct ompp_flow *flow = l->known.flow;
	struct ompp_flow_record *r = ompp_flow_more(&flow->records, &flow->n_records, &flow->records_room, 1,
	                                            sizeof(*r));
	const uint64_t *v = l->values;

	if (!r) {
		l->known.failed = 1;
		return;
	}
	ompp_flow_walked(flow, flow->n_records);
	*r = (struct ompp_flow_record){ .kind = kinds[code], .time_ns = v[OMPP_FLOW_TIME] };
	r->thread = v[OMPP_FLOW_THREAD] <= OMPP_FLOW_MOST_THREADS ? (uint16_t)v[OMPP_FLOW_THREAD] : 0;
	r->region = v[OMPP_FLOW_PLACE] ? ompp_flow_map_find(&flow->region_map, v[OMPP_FLOW_PLACE]) + 1 : 0;
	ompp_flow_define_threads(&l->known, r->thread);
	if (code == OMPP_FLOW_CODE_REGION) {
		if (v[OMPP_FLOW_MESSAGE])
			take_message(l, r);
		return;
	}
	r->address = v[OMPP_FLOW_ADDRESS];
	if (code == OMPP_FLOW_CODE_ACCESS || code == OMPP_FLOW_CODE_TOUCH) {
		take_access(l, r);
		return;
	}
	if (code == OMPP_FLOW_CODE_PAGES || code == OMPP_FLOW_CODE_WRITTEN) {
		take_use(l, r, code == OMPP_FLOW_CODE_PAGES);
		return;
	}
	r->set = v[OMPP_FLOW_SITE] ? ompp_flow_define_site(&l->known, v[OMPP_FLOW_SITE]) + 1 : 0;
	r->of.bytes = v[OMPP_FLOW_BYTES];
}

/* Reads the events of a block.  Returns how many of its bytes are invalid. */
static size_t take_events(struct loading *l, const unsigned char *at, size_t n_bytes)
{
	const unsigned char *end = at + n_bytes, *next;
	enum ompp_flow_code code;

	memset(&l->state, 0, sizeof(l->state));
	while (at < end && !l->known.failed) {
		next = ompp_flow_get(&l->state, &code, l->values, &l->known.definition, at, end);
		if (!next)
			return (size_t)(end - at);
		if (code == OMPP_FLOW_CODE_DEFINE)
			ompp_flow_define_take(&l->known);
		else
			take_event(l, code);
		at = next;
	}
	return 0;
}

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
		l->known.failed = 1;
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

	while (at < n_bytes && !l->known.failed) {
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
		                                    .mpi_rank = flow->mpi_rank,
		                                    .mpi_size = flow->mpi_size,
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
	while (in->n_left && !l->known.failed) {
		n_damaged += take_blocks(l, in->bytes, in->n_bytes, 1, &n_rest);
		read_on(in, n_rest);
	}
	return n_damaged + take_blocks(l, in->bytes, in->n_bytes, 1, NULL);
}

static int load(struct loading *l, struct input *in)
{
	static const char *const latencies[] = { "", "cycles", "TSC cycles", "cntvct ticks" };
	struct ompp_flow_head head;
	struct ompp_flow *flow = l->known.flow;

	if (ompp_flow_head_get(&head, in->bytes, in->n_bytes))
		return ompp_flow_fail(OMPP_FLOW_ERROR_FORM, "not a trace; give a file that OMPP_TRACE=1 or "
		                                            "OMPP_PAGES=auto wrote, whose name ends in "
		                                            ".ompp.flow or .ompp.pages");
	if (!head.version || head.version > OMPP_FLOW_VERSION)
		return ompp_flow_fail(OMPP_FLOW_ERROR_FORM,
		                      "a trace of another version of kinst; read it by that version");
	flow->mpi_rank = OMPP_FLOW_NONE;
	flow->info = (struct ompp_flow_info){ .app = "",
		                              .method = "",
		                              .unseen = "",
		                              .latencies = latencies[head.latencies < 4 ? head.latencies : 0],
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
	if (l->known.failed || ompp_flow_sort(flow) || ompp_flow_add_migrations(flow) ||
	    ompp_flow_find_allocators(flow) || ompp_flow_count(flow))
		return out_of_memory();
	flow->info.n_events = flow->n_records;
	flow->info.is_whole = l->known.has_end && !flow->info.n_damaged;
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
	l->known.flow = *flow;
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
