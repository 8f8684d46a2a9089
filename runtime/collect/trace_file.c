/*
 * Trace file: see trace_file.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/trace_file.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/auxv.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/collect/destination.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/site.h"
#include "runtime/data_sums/allocations.h"
#include "runtime/data_sums/sum_samples.h"
#include "runtime/host/holder.h"
#include "runtime/host/past.h"
#include "runtime/host/stream.h"
#include "runtime/ranges/small.h"
#include "runtime/sources/sampling.h"
#include "runtime/terms/option.h"

enum {
	CONTENT_BYTES = 64 * 1024, /* of a block */
	FULL_BYTES = CONTENT_BYTES - 2 * OMPP_FLOW_EVENT_BYTES,
	MOST_DEPTH = 32,
	MOST_TRIES = 100,
	OLD_NS = 100000000, /* a block older than this is written, even if it is not full */
	MOST_PLACES = 1 << 15,
	MOST_FILES = 2,
	N_PAGES = 1 << 8,      /* whose variables are known to be defined */
	MOST_SMALLS = 1 << 15, /* later ones stay in the rest of their file's data */
	NAMES_PART = 8         /* this fraction of the limit is reserved for the names at the end */
};

/* Memory that is in use while a trace is written; allocated at the start. */
struct ompp_trace_tables {
	unsigned char head[OMPP_FLOW_BLOCK_HEAD_BYTES];
	unsigned char content[CONTENT_BYTES]; /* bytes in the block that is not written yet; they follow its header */
	size_t n_bytes;
	uint32_t n_events;
	uint64_t first_ns; /* the time of its first event */
	struct ompp_flow_state state;
	struct ompp_flow_definition definition;
	/* what is defined already, a bit each */
	unsigned char objects[OMPP_MAX_OBJECTS / 8], covers[OMPP_MAX_COVERS / 8], sites[OMPP_MAX_SITES / 8],
		threads[OMPP_MAX_THREADS / 8], code[OMPP_PAST_FILES / 8], smalls[MOST_SMALLS / 8];
	struct {
		uintptr_t page;
		uint32_t cover, n_known; /* n_known: of all variables, at that time */
	} pages[N_PAGES];
	/* the paths of regions, from 1 on, and a hash table of them */
	struct {
		uint32_t parent, region;
	} places[MOST_PLACES];
	uint32_t n_places, slots[2 * MOST_PLACES];
};

static struct ompp_trace_file *files[MOST_FILES]; /* those that are open; set while the session starts */

int ompp_trace_file_hold(struct ompp_trace_file *f, int most_sleeps)
{
	return ompp_holder_take(&f->holder, 0, most_sleeps);
}

void ompp_trace_file_let_go(struct ompp_trace_file *f)
{
	ompp_holder_drop(&f->holder);
}

/* ---- the file ---- */

static void give_up(struct ompp_trace_file *f, int error)
{
	char line[512];
	struct ompp_text t;

	f->state = OMPP_TRACE_GIVEN_UP;
	f->error = error;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, f->option);
	ompp_text_str(&t, ": ");
	ompp_text_strn(&t, f->path, strnlen(f->path, 300));
	ompp_text_str(&t, ": events not written: ");
	ompp_text_str(&t, ompp_output_error(error));
	ompp_text_str(&t, "; set OMPP_OUTDIR or OMPP_REPORTFILE");
	ompp_note_say(line);
}

static int trace_file_create(struct ompp_trace_file *f)
{
	struct stat st;
	int fd = -EEXIST, rc;

	for (unsigned int i = 0; i < MOST_TRIES && fd == -EEXIST;
	     i++) { /* one may be left by a process that was killed */
		ompp_destination_early(f->path, f->suffix, i);
		fd = ompp_sys_open(f->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0666);
	}
	if (fd < 0)
		return fd;
	rc = ompp_sys_fstat(fd, &st);
	f->device = st.st_dev;
	f->file = st.st_ino;
	f->n_bytes = 0;
	if (rc) {
		ompp_sys_close(fd);
		return rc;
	}
	f->state = OMPP_TRACE_BEGUN;
	return fd;
}

/* Opens the file to write at its end.  Returns the descriptor or -errno. */
static int trace_file_reopen(struct ompp_trace_file *f)
{
	struct stat st;
	int fd, rc;

	if (f->state == OMPP_TRACE_NOT_BEGUN)
		return trace_file_create(f);
	fd = ompp_sys_open(f->path, O_WRONLY | O_NOFOLLOW | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	rc = ompp_sys_fstat(fd, &st);
	if (!rc && (st.st_dev != f->device || st.st_ino != f->file || !S_ISREG(st.st_mode)))
		rc = -EBADF;
	if (rc)
		ompp_sys_close(fd);
	return rc ? rc : fd;
}

static uint32_t unit_of_latencies(void)
{
	static const char *const units[] = { "", "cycles", "TSC cycles", "cntvct ticks" };
	uint32_t i = OMPP_COUNT_OF(units) - 1;

	while (i && strcmp(ompp_sampling.latencies, units[i]) != 0)
		i--;
	return i;
}

static int write_head(struct ompp_trace_file *f, int fd)
{
	unsigned char bytes[OMPP_FLOW_HEAD_BYTES];
	const struct ompp_session *s = &ompp_session;
	struct ompp_flow_head head = { .version = OMPP_FLOW_VERSION,
		                       .pid = (uint32_t)s->pid,
		                       .page_bytes = (uint32_t)ompp_page_bytes(),
		                       .latencies = unit_of_latencies(),
		                       .start_ns = (uint64_t)s->start.monotonic_ns,
		                       .start_unix_ns = (uint64_t)s->start_unix_ns,
		                       .period = ompp_sampling.period };
	int rc;

	ompp_flow_head_put(&head, bytes);
	rc = ompp_stream_write(fd, bytes, sizeof(bytes), 0);
	f->n_bytes += rc ? 0 : sizeof(bytes);
	return rc;
}

/* Writes the current block.  If it cannot be written completely, the file is cut back to where the block began.
 * Returns 0, or -1 when it is not written. */
static int write_block(struct ompp_trace_file *f, uint64_t most)
{
	size_t n = OMPP_FLOW_BLOCK_HEAD_BYTES + f->tables->n_bytes;
	struct ompp_flow_block block = { .type = OMPP_FLOW_BLOCK_EVENTS,
		                         .n_bytes = (uint32_t)f->tables->n_bytes,
		                         .n_plain_bytes = (uint32_t)f->tables->n_bytes,
		                         .n_events = f->tables->n_events,
		                         .time_ns = f->tables->first_ns };
	int fd, rc = 0;

	if (f->n_bytes + n + OMPP_FLOW_HEAD_BYTES > most && f->state != OMPP_TRACE_GIVEN_UP)
		f->state = OMPP_TRACE_FULL;
	if (f->state == OMPP_TRACE_GIVEN_UP || f->n_bytes + n + OMPP_FLOW_HEAD_BYTES > most)
		return -1;
	fd = trace_file_reopen(f);
	if (fd < 0) {
		give_up(f, fd);
		return -1;
	}
	ompp_flow_block_put(&block, f->tables->content, f->tables->head);
	if (!f->n_bytes)
		rc = write_head(f, fd);
	if (!rc)
		rc = ompp_stream_write(fd, f->tables->head, n, 0);
	if (rc)
		ompp_sys_truncate(fd, (off_t)f->n_bytes);
	else
		f->n_bytes += n;
	ompp_sys_close(fd);
	if (rc)
		give_up(f, rc);
	return rc;
}

static void trace_file_empty(struct ompp_trace_file *f)
{
	f->tables->n_bytes = f->tables->n_events = 0;
	f->tables->first_ns = 0;
	memset(&f->tables->state, 0, sizeof(f->tables->state));
}

int ompp_trace_file_is_closed(const struct ompp_trace_file *f)
{
	return f->state == OMPP_TRACE_FULL || f->state == OMPP_TRACE_GIVEN_UP;
}

void ompp_trace_file_lose(struct ompp_trace_file *f, uint64_t n)
{
	__atomic_fetch_add(f->state == OMPP_TRACE_FULL ? &f->n_full : &f->n_lost, n, __ATOMIC_RELAXED);
	ompp_note_add(f->state == OMPP_TRACE_FULL ? f->full : OMPP_NOTE_TRACE_LOST, n);
}

void ompp_trace_file_flush(struct ompp_trace_file *f)
{
	uint64_t most = (uint64_t)ompp_session.options.number[f->limit];

	if (f->tables->n_bytes && write_block(f, f->tables->n_events ? most - most / NAMES_PART : most))
		ompp_trace_file_lose(f, f->tables->n_events);
	trace_file_empty(f);
}

/* ---- definitions ---- */

static void define_text(struct ompp_trace_file *f, const char *text)
{
	struct ompp_flow_definition *d = &f->tables->definition;

	d->texts[d->n_texts].text = text;
	d->texts[d->n_texts++].n_bytes = strlen(text);
}

static void define_number(struct ompp_trace_file *f, uint64_t number)
{
	f->tables->definition.numbers[f->tables->definition.n_numbers++] = number;
}

static void trace_file_define(struct ompp_trace_file *f, enum ompp_flow_define what)
{
	f->tables->definition.what = what;
	f->tables->definition.n_numbers = f->tables->definition.n_texts = 0;
}

static void end_definition(struct ompp_trace_file *f)
{
	size_t n = ompp_flow_define(&f->tables->definition, f->tables->content + f->tables->n_bytes,
	                            CONTENT_BYTES - f->tables->n_bytes);

	if (!n) {
		ompp_trace_file_flush(f);
		n = ompp_flow_define(&f->tables->definition, f->tables->content, CONTENT_BYTES);
	}
	f->tables->n_bytes += n;
}

/* Sets a bit, and returns whether it was set before. */
static int test_and_set(unsigned char *bits, uint32_t i)
{
	int was = bits[i / 8] >> i % 8 & 1;

	bits[i / 8] |= (unsigned char)(1 << i % 8);
	return was;
}

static void define_code(struct ompp_trace_file *f, const struct ompp_past_file *file)
{
	uint64_t id[OMPP_IMAGE_ID_BYTES / sizeof(uint64_t)] = { 0 };

	for (size_t i = 0; i < file->image.n_id; i++)
		id[i / 8] |= (uint64_t)file->image.id[i] << i % 8 * 8;
	trace_file_define(f, OMPP_FLOW_DEFINE_FILE);
	define_number(f, file->number);
	define_number(f, file->lo);
	define_number(f, file->hi);
	define_number(f, file->bias);
	define_number(f, file->is_program);
	define_number(f, file->image.device);
	define_number(f, file->image.inode);
	define_number(f, file->image.n_bytes);
	define_number(f, file->image.modified_ns);
	define_number(f, file->image.n_id);
	for (size_t i = 0; i < OMPP_COUNT_OF(id); i++)
		define_number(f, id[i]);
	define_text(f, file->path);
	end_definition(f);
}

void ompp_trace_file_code(struct ompp_trace_file *f, uint64_t key)
{
	const struct ompp_past_file *file = ompp_past_at(key);

	if (!file && !ompp_past_number(key) && !(key >> 63))
		file = ompp_past_file(ompp_past_meet((uintptr_t)key));
	if (file && !test_and_set(f->tables->code, (uint32_t)(file - ompp_past_file(0))))
		define_code(f, file);
}

void ompp_trace_file_site(struct ompp_trace_file *f, uint32_t index)
{
	const struct ompp_site *site = ompp_site(index);

	if (!site || test_and_set(f->tables->sites, index))
		return;
	for (uint32_t i = 0; i < site->n_callers; i++)
		ompp_trace_file_code(f, site->callers[i] - 1);
	trace_file_define(f, OMPP_FLOW_DEFINE_SITE);
	define_number(f, index);
	define_number(f, site->thread == OMPP_SITE_MAIN ? 1 : site->thread);
	for (uint32_t i = 0; i < site->n_callers; i++)
		define_number(f, site->callers[i]);
	end_definition(f);
}

static void define_object(struct ompp_trace_file *f, uint32_t index)
{
	const struct ompp_object_def *object = ompp_object(index);

	if (test_and_set(f->tables->objects, index))
		return;
	ompp_trace_file_site(f, object->site);
	trace_file_define(f, OMPP_FLOW_DEFINE_OBJECT);
	define_number(f, index);
	define_number(f, object->site);
	define_text(f, object->name);
	end_definition(f);
}

void ompp_trace_file_cover(struct ompp_trace_file *f, uint32_t index)
{
	const struct ompp_cover *cover = ompp_cover(index);
	uint32_t n = cover->n_objects < OMPP_FLOW_MOST_NUMBERS - 1 ? cover->n_objects : OMPP_FLOW_MOST_NUMBERS - 1;

	if (test_and_set(f->tables->covers, index))
		return;
	for (uint32_t i = 0; i < n; i++)
		define_object(f, cover->objects[i]);
	trace_file_define(f, OMPP_FLOW_DEFINE_COVER);
	define_number(f, index);
	for (uint32_t i = 0; i < n; i++)
		define_number(f, cover->objects[i]);
	end_definition(f);
}

uint64_t ompp_trace_file_small(struct ompp_trace_file *f, uint32_t small)
{
	if (!small || small >= MOST_SMALLS)
		return 0;
	if (!test_and_set(f->tables->smalls, small)) {
		trace_file_define(f, OMPP_FLOW_DEFINE_OBJECT);
		define_number(f, OMPP_MAX_OBJECTS + small);
		define_number(f, 0);
		define_text(f, ompp_small_name(small));
		end_definition(f);
		trace_file_define(f, OMPP_FLOW_DEFINE_COVER);
		define_number(f, OMPP_MAX_COVERS + small);
		define_number(f, OMPP_MAX_OBJECTS + small);
		end_definition(f);
	}
	return OMPP_MAX_COVERS + small;
}

static void define_variable(struct ompp_trace_file *f, uint32_t number, const struct ompp_small_extent *extent)
{
	trace_file_define(f, OMPP_FLOW_DEFINE_VARIABLE);
	define_number(f, number);
	define_number(f, extent->lo);
	define_number(f, extent->hi - extent->lo);
	define_text(f, ompp_small_name(number));
	end_definition(f);
}

/* Returns 1 when the variables of a page were defined recently; otherwise marks them as defined. */
static int is_page_defined(struct ompp_trace_file *f, uint32_t cover, uintptr_t page)
{
	size_t i = page / ompp_page_bytes() % N_PAGES;
	uint32_t n = ompp_smalls_n();
	int was = f->tables->pages[i].page == page && f->tables->pages[i].cover == cover &&
	          f->tables->pages[i].n_known == n;

	f->tables->pages[i].page = page;
	f->tables->pages[i].cover = cover;
	f->tables->pages[i].n_known = n;
	return was;
}

void ompp_trace_file_lying(struct ompp_trace_file *f, uint32_t cover, uintptr_t page, uint64_t n_pages)
{
	struct ompp_small_extent extent;
	const char *object;
	uint32_t number;

	if (!ompp_small_may_be(cover))
		return;
	object = ompp_object(ompp_cover(cover)->objects[0])->name;
	for (uint64_t i = 0; i < n_pages; i++, page += ompp_page_bytes()) {
		uintptr_t at = page, end = is_page_defined(f, cover, page) ? page : page + ompp_page_bytes();

		while ((number = ompp_small_next(&at, end, object, &extent)))
			if (number < MOST_SMALLS && !test_and_set(f->tables->smalls, number))
				define_variable(f, number, &extent);
	}
}

/* is_found: 1 when the report has looked up where calls and functions are in the source */
static void define_place(struct ompp_trace_file *f, uint32_t place, uint32_t parent, uint32_t region, int is_found)
{
	const struct ompp_region_def *def = ompp_region_by_id(region);
	int by_source = is_found && def->source;

	trace_file_define(f, OMPP_FLOW_DEFINE_PLACE);
	define_number(f, place);
	define_number(f, parent);
	define_number(f, region);
	define_number(f, by_source ? def->source_line : def->begin_line);
	define_number(f, by_source ? def->source_line : def->end_line);
	define_text(f, ompp_construct_name(def->construct));
	define_text(f, is_found ? ompp_region_shown_name(def) : def->name);
	define_text(f, by_source ? def->source : def->file);
	end_definition(f);
}

/* Defines the places again of which the source was not known when they were met. */
static void define_found(struct ompp_trace_file *f)
{
	for (uint32_t i = 1; i <= f->tables->n_places; i++)
		if (ompp_region_by_id(f->tables->places[i].region)->source)
			define_place(f, i, f->tables->places[i].parent, f->tables->places[i].region, 1);
}

/* Returns the place of a region in another one; 0 when there is no room for it. */
static uint32_t place_in(struct ompp_trace_file *f, uint32_t parent, uint32_t region)
{
	uint32_t at = (uint32_t)(((uint64_t)parent << 32 | region) * 0x9E3779B97F4A7C15u >> 40), i;

	while ((i = f->tables->slots[at % (2 * MOST_PLACES)])) {
		if (f->tables->places[i].parent == parent && f->tables->places[i].region == region)
			return i;
		at++;
	}
	if (f->tables->n_places + 1 == MOST_PLACES || ompp_trace_file_is_closed(f))
		return 0;
	i = f->tables->slots[at % (2 * MOST_PLACES)] = ++f->tables->n_places;
	f->tables->places[i].parent = parent;
	f->tables->places[i].region = region;
	define_place(f, i, parent, region, 0);
	return i;
}

static int is_change(uint32_t region)
{
	enum ompp_construct construct = ompp_region_by_id(region)->construct;

	return ompp_construct_is_parallel(construct) || construct == OMPP_USER_REGION ||
	       ompp_construct_is_mpi(construct);
}

uint32_t ompp_trace_file_place(struct ompp_trace_file *f, const struct ompp_callnode *node, int changes)
{
	uint32_t ids[MOST_DEPTH], n = 0, last = 0, place = 0;

	for (; node && n < MOST_DEPTH; node = node->parent) {
		uint32_t id = OMPP_KEY_ID(node->key);

		if (id && id != UINT32_MAX && id != last && (!changes || is_change(id)))
			ids[n++] = last = id;
	}
	while (n-- > 0)
		place = place_in(f, place, ids[n]);
	return place;
}

void ompp_trace_file_thread(struct ompp_trace_file *f, const struct ompp_thread *t, const struct ompp_callnode *node)
{
	if (f->tables->threads[t->slot / 8] >> t->slot % 8 & 1)
		return;
	while (node && (OMPP_KEY_PART(node->key) != OMPP_PART_TEAM || node->key == UINT64_MAX))
		node = node->parent;
	if (!node)
		return;
	test_and_set(f->tables->threads, t->slot);
	trace_file_define(f, OMPP_FLOW_DEFINE_THREAD);
	define_number(f, t->slot);
	define_number(f, OMPP_KEY_RANK(node->key));
	end_definition(f);
}

void ompp_trace_file_rank(struct ompp_trace_file *f, int rank, uint32_t n_ranks)
{
	if (f->is_rank_told || rank < 0 || (f->state == OMPP_TRACE_NOT_BEGUN && !f->tables->n_bytes && !f->n_bytes))
		return;
	f->is_rank_told = 1;
	trace_file_define(f, OMPP_FLOW_DEFINE_RANK);
	define_number(f, (uint64_t)rank);
	define_number(f, n_ranks);
	end_definition(f);
}

/* ---- events ---- */

/* Writes how uses of pages are found, before the first of them. */
static void define_uses(struct ompp_trace_file *f)
{
	f->is_method_told = 1;
	trace_file_define(f, OMPP_FLOW_DEFINE_USES);
	define_number(f, f->interval_ns);
	define_text(f, f->method);
	define_text(f, f->unseen);
	end_definition(f);
}

void ompp_trace_file_put(struct ompp_trace_file *f, enum ompp_flow_code code, uint32_t fields)
{
	if (f->tables->n_bytes > FULL_BYTES)
		ompp_trace_file_flush(f);
	if (f->method && !f->is_method_told)
		define_uses(f);
	if (!f->tables->n_events++)
		f->tables->first_ns = f->values[OMPP_FLOW_TIME];
	f->tables->n_bytes += ompp_flow_put(&f->tables->state, code, f->values, fields,
	                                    f->tables->content + f->tables->n_bytes);
}

int ompp_trace_file_begin(struct ompp_trace_file *f, uint64_t n, int most_sleeps)
{
	if (ompp_trace_file_hold(f, most_sleeps)) {
		__atomic_fetch_add(&f->n_lost, n, __ATOMIC_RELAXED);
		ompp_note_add(OMPP_NOTE_TRACE_LOST, n);
		return -1;
	}
	if (!ompp_trace_file_is_closed(f))
		return 0;
	ompp_trace_file_lose(f, n);
	ompp_trace_file_let_go(f);
	return -1;
}

void ompp_trace_file_flush_old(struct ompp_trace_file *f, uint64_t now)
{
	if (f->tables->n_events && now - f->tables->first_ns > OLD_NS)
		ompp_trace_file_flush(f);
}

/* ---- names, which are known at the last report ---- */

/* Takes the right to add a name.  Returns 0 when this is not the last report, or when there is no trace. */
static int begin_name(struct ompp_trace_file *f)
{
	if (!f || !atomic_load(&ompp_session.ended) || ompp_trace_file_hold(f, OMPP_TRACE_MOST_SLEEPS))
		return 0;
	if (f->n_bytes || f->tables->n_bytes)
		return 1;
	ompp_trace_file_let_go(f);
	return 0;
}

static void name_line(uint64_t ip, uint32_t line, const char *function, const char *file)
{
	for (int i = 0; i < MOST_FILES; i++) {
		struct ompp_trace_file *f = files[i];

		if (!begin_name(f))
			continue;
		trace_file_define(f, OMPP_FLOW_DEFINE_LINE);
		define_number(f, ip);
		define_number(f, line);
		define_text(f, function);
		define_text(f, file);
		end_definition(f);
		ompp_trace_file_let_go(f);
	}
}

static void name_site(uint32_t site, const char *name, const char *path)
{
	for (int i = 0; i < MOST_FILES; i++) {
		struct ompp_trace_file *f = files[i];

		if (!begin_name(f))
			continue;
		trace_file_define(f, OMPP_FLOW_DEFINE_NAME);
		define_number(f, site);
		define_text(f, name);
		define_text(f, path);
		end_definition(f);
		ompp_trace_file_let_go(f);
	}
}

/* ---- begin and end ---- */

int ompp_trace_file_open(struct ompp_trace_file *f)
{
	int i;

	f->tables = ompp_space_reserve(sizeof(*f->tables));
	if (!f->tables)
		return -ENOMEM;
	for (i = 0; files[i]; i++)
		;
	files[i] = f;
	ompp_collect_line_found = name_line;
	ompp_collect_site_named = name_site;
	return 0;
}

void ompp_trace_file_end(struct ompp_trace_file *f)
{
	char path[OMPP_PATH_BYTES], line[640];
	struct ompp_text t;

	ompp_trace_file_flush(f);
	if (!f->n_bytes)
		return;
	define_found(f);
	trace_file_define(f, OMPP_FLOW_DEFINE_APP);
	define_text(f, ompp_session_app());
	end_definition(f);
	trace_file_define(f, OMPP_FLOW_DEFINE_END);
	define_number(f, f->n_full);
	define_number(f, f->n_lost);
	if (f->ahead_ns)
		define_number(f, f->ahead_ns);
	end_definition(f);
	ompp_trace_file_flush(f);
	ompp_destination_beside(path, f->suffix);
	if (path[0] && strcmp(path, f->path) && !ompp_sys_rename(f->path, path))
		memcpy(f->path, path, sizeof(path));
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, f->what);
	ompp_text_str(&t, ": ");
	ompp_text_strn(&t, f->path, strnlen(f->path, 400));
	if (f->error) {
		ompp_text_str(&t, ": cut off: ");
		ompp_text_str(&t, ompp_output_error(f->error));
		ompp_text_str(&t, "; set OMPP_OUTDIR or OMPP_REPORTFILE");
	}
	ompp_session_say(line);
}

void ompp_trace_file_after_fork(struct ompp_trace_file *f)
{
	f->holder = 0;
	if (!f->tables)
		return;
	f->state = OMPP_TRACE_NOT_BEGUN;
	f->n_bytes = f->n_full = f->n_lost = f->ahead_ns = 0;
	f->is_method_told = f->is_rank_told = f->error = 0;
	trace_file_empty(f);
	memset(f->tables->objects, 0, sizeof(f->tables->objects));
	memset(f->tables->covers, 0, sizeof(f->tables->covers));
	memset(f->tables->smalls, 0, sizeof(f->tables->smalls));
	memset(f->tables->pages, 0, sizeof(f->tables->pages));
	memset(f->tables->sites, 0, sizeof(f->tables->sites));
	memset(f->tables->threads, 0, sizeof(f->tables->threads));
	memset(f->tables->code, 0, sizeof(f->tables->code));
	memset(f->tables->slots, 0, sizeof(f->tables->slots));
	f->tables->n_places = 0;
}
