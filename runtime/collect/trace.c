/*
 * Trace: see trace.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/trace.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "reports/flow/code.h"
#include "runtime/base/auxv.h"
#include "runtime/base/clock.h"
#include "runtime/base/mode.h"
#include "runtime/base/note.h"
#include "runtime/base/option.h"
#include "runtime/base/processors.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/stamp.h"
#include "runtime/base/stream.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/collect/allocations.h"
#include "runtime/collect/output.h"
#include "runtime/collect/place.h"
#include "runtime/collect/samples.h"
#include "runtime/core/hardware.h"
#include "runtime/core/heap.h"
#include "runtime/core/region.h"
#include "runtime/core/sample.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/data/site.h"
#include "runtime/sources/sampling.h"

enum {
	CONTENT_BYTES = 64 * 1024, /* of a block */
	FULL_BYTES = CONTENT_BYTES - 2 * OMPP_FLOW_EVENT_BYTES,
	MOST_DEPTH = 32,
	MOST_TRIES = 100,
	MOST_SLEEPS = 1000,
	FEW_SLEEPS = 50, /* while the program waits */
	SLEEP_NS = 20000,
	OLD_NS = 100000000, /* a block that began so long ago is written, whether it is full or not */
	MOST_PLACES = 1 << 15,
	N_RECENT = 4,
	NAMES_PART = 8 /* of the limit, one part in so many is for names at the end */
};

/* The file.  All of it is used by the holder alone. */
static struct {
	enum { NOT_BEGUN, BEGUN, FULL, GIVEN_UP } state;
	char path[OMPP_PATH_BYTES];
	dev_t device; /* which file it is, as another one may get its name */
	ino_t file;
	uint64_t n_bytes, n_full, n_lost; /* events that are left out at the limit, and that could not be written */
} trace;

/* What is in use while a trace is written, made at the start. */
struct tables {
	unsigned char head[OMPP_FLOW_BLOCK_HEAD_BYTES];
	unsigned char content[CONTENT_BYTES]; /* of the block that is not written yet; it stands behind its head */
	size_t n_bytes;
	uint32_t n_events;
	uint64_t first_ns; /* the time of its first event */
	struct ompp_flow_state state;
	struct ompp_flow_definition definition;
	uint64_t values[OMPP_FLOW_N_FIELDS];
	/* what is defined already, a bit each */
	unsigned char objects[OMPP_MAX_OBJECTS / 8], covers[OMPP_MAX_COVERS / 8], sites[OMPP_MAX_SITES / 8],
		threads[OMPP_MAX_THREADS / 8];
	/* the paths of regions, from 1 on, and a hash table of them */
	struct {
		uint32_t parent, region;
	} places[MOST_PLACES];
	uint32_t n_places, slots[2 * MOST_PLACES];
};
static struct tables *own;

static struct ompp_stamp_reading start; /* when the trace began */

/* Where a thread was when its innermost node changed last.  By the thread itself. */
struct stretch {
	uint64_t since_ns; /* 0 when not known */
	uint32_t place, n_recent;
	struct {
		const struct ompp_callnode *node;
		uint32_t place;
	} recent[N_RECENT];
};
static struct stretch *stretches; /* [OMPP_MAX_THREADS] */

static uint32_t holder; /* the thread id of the one who writes; 0 for nobody */

/* most_sleeps: how long to wait for another thread */
static int hold(int most_sleeps)
{
	uint32_t me = (uint32_t)ompp_sys_gettid(), none = 0;
	int n = 0;

	while (!__atomic_compare_exchange_n(&holder, &none, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		if (none == me || n++ >= most_sleeps)
			return -1;
		none = 0;
		ompp_sys_sleep(SLEEP_NS);
	}
	return 0;
}

static void let_go(void)
{
	__atomic_store_n(&holder, 0, __ATOMIC_RELEASE);
}

/* ---- the file ---- */

static void give_up(int error)
{
	char line[512];
	struct ompp_text t;

	trace.state = GIVEN_UP;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_TRACE: ");
	ompp_text_strn(&t, trace.path, strnlen(trace.path, 300));
	ompp_text_str(&t, ": events not written: ");
	ompp_text_str(&t, ompp_output_error(error));
	ompp_text_str(&t, "; set OMPP_OUTDIR or OMPP_REPORTFILE");
	ompp_note_say(line);
}

static int create(void)
{
	struct stat st;
	int fd = -EEXIST, rc;

	for (unsigned int i = 0; i < MOST_TRIES && fd == -EEXIST;
	     i++) { /* one may be left by a process that was killed */
		ompp_place_early(trace.path, i);
		fd = ompp_sys_open(trace.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0666);
	}
	if (fd < 0)
		return fd;
	rc = ompp_sys_fstat(fd, &st);
	trace.device = st.st_dev;
	trace.file = st.st_ino;
	trace.n_bytes = 0;
	if (rc) {
		ompp_sys_close(fd);
		return rc;
	}
	trace.state = BEGUN;
	return fd;
}

/* Opens the file to write at its end.  Returns the descriptor or -errno. */
static int reopen(void)
{
	struct stat st;
	int fd, rc;

	if (trace.state == NOT_BEGUN)
		return create();
	fd = ompp_sys_open(trace.path, O_WRONLY | O_NOFOLLOW | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	rc = ompp_sys_fstat(fd, &st);
	if (!rc && (st.st_dev != trace.device || st.st_ino != trace.file || !S_ISREG(st.st_mode)))
		rc = -EBADF;
	if (rc)
		ompp_sys_close(fd);
	return rc ? rc : fd;
}

static int write_head(int fd)
{
	unsigned char bytes[OMPP_FLOW_HEAD_BYTES];
	const struct ompp_session *s = &ompp_session;
	struct ompp_flow_head head = { .version = OMPP_FLOW_VERSION,
		                       .pid = (uint32_t)s->pid,
		                       .page_bytes = (uint32_t)ompp_page_bytes(),
		                       .latencies = !strcmp(ompp_sampling.latencies, "cycles")     ? 1
		                                  : !strcmp(ompp_sampling.latencies, "TSC cycles") ? 2
		                                                                                   : 0,
		                       .start_ns = (uint64_t)s->start.monotonic_ns,
		                       .start_unix_ns = (uint64_t)s->start_unix_ns,
		                       .period = ompp_sampling.period };
	int rc;

	ompp_flow_head_put(&head, bytes);
	rc = ompp_stream_write(fd, bytes, sizeof(bytes), 0);
	trace.n_bytes += rc ? 0 : sizeof(bytes);
	return rc;
}

/* Writes the block that waits.  When it cannot be written as a whole, the file ends before it.  Returns 0, or -1 when
 * it is not written. */
static int write_block(uint64_t most)
{
	size_t n = OMPP_FLOW_BLOCK_HEAD_BYTES + own->n_bytes;
	struct ompp_flow_block block = { .type = OMPP_FLOW_BLOCK_EVENTS,
		                         .n_bytes = (uint32_t)own->n_bytes,
		                         .n_plain_bytes = (uint32_t)own->n_bytes,
		                         .n_events = own->n_events,
		                         .time_ns = own->first_ns };
	int fd, rc = 0;

	if (trace.n_bytes + n + OMPP_FLOW_HEAD_BYTES > most && trace.state != GIVEN_UP)
		trace.state = FULL;
	if (trace.state == GIVEN_UP || trace.n_bytes + n + OMPP_FLOW_HEAD_BYTES > most)
		return -1;
	fd = reopen();
	if (fd < 0) {
		give_up(fd);
		return -1;
	}
	ompp_flow_block_put(&block, own->content, own->head);
	if (!trace.n_bytes)
		rc = write_head(fd);
	if (!rc)
		rc = ompp_stream_write(fd, own->head, n, 0);
	if (rc)
		ompp_sys_truncate(fd, (off_t)trace.n_bytes);
	else
		trace.n_bytes += n;
	ompp_sys_close(fd);
	if (rc)
		give_up(rc);
	return rc;
}

static void empty(void)
{
	own->n_bytes = own->n_events = 0;
	own->first_ns = 0;
	memset(&own->state, 0, sizeof(own->state));
}

/* Do events come to an end here? */
static int is_closed(void)
{
	return trace.state == FULL || trace.state == GIVEN_UP;
}

/* Counts events that are not in the file. */
static void lose(uint64_t n)
{
	__atomic_fetch_add(trace.state == FULL ? &trace.n_full : &trace.n_lost, n, __ATOMIC_RELAXED);
	ompp_note_add(trace.state == FULL ? OMPP_NOTE_TRACE_FULL : OMPP_NOTE_TRACE_LOST, n);
}

static void flush(void)
{
	uint64_t most = (uint64_t)ompp_session.options.number[OMPP_OPT_TRACE_LIMIT];

	if (own->n_bytes && write_block(own->n_events ? most - most / NAMES_PART : most))
		lose(own->n_events);
	empty();
}

/* ---- definitions ---- */

static void define_text(const char *text)
{
	struct ompp_flow_definition *d = &own->definition;

	d->texts[d->n_texts].text = text;
	d->texts[d->n_texts++].n_bytes = strlen(text);
}

static void define_number(uint64_t number)
{
	own->definition.numbers[own->definition.n_numbers++] = number;
}

static void begin_definition(enum ompp_flow_define what)
{
	own->definition.what = what;
	own->definition.n_numbers = own->definition.n_texts = 0;
}

static void end_definition(void)
{
	size_t n = ompp_flow_define(&own->definition, own->content + own->n_bytes, CONTENT_BYTES - own->n_bytes);

	if (!n) {
		flush();
		n = ompp_flow_define(&own->definition, own->content, CONTENT_BYTES);
	}
	own->n_bytes += n;
}

/* Returns whether a bit was set already, and sets it. */
static int test_and_set(unsigned char *bits, uint32_t i)
{
	int was = bits[i / 8] >> i % 8 & 1;

	bits[i / 8] |= (unsigned char)(1 << i % 8);
	return was;
}

static void define_site(uint32_t index)
{
	const struct ompp_site *site = ompp_site(index);

	if (!site || test_and_set(own->sites, index))
		return;
	begin_definition(OMPP_FLOW_DEFINE_SITE);
	define_number(index);
	define_number(site->thread == OMPP_SITE_MAIN ? 1 : site->thread);
	for (uint32_t i = 0; i < site->n_callers; i++)
		define_number(site->callers[i]);
	end_definition();
}

static void define_object(uint32_t index)
{
	const struct ompp_object_def *object = ompp_object(index);

	if (test_and_set(own->objects, index))
		return;
	define_site(object->site);
	begin_definition(OMPP_FLOW_DEFINE_OBJECT);
	define_number(index);
	define_number(object->site);
	define_text(object->name);
	end_definition();
}

static void define_cover(uint32_t index)
{
	const struct ompp_cover *cover = ompp_cover(index);
	uint32_t n = cover->n_objects < OMPP_FLOW_MOST_NUMBERS - 1 ? cover->n_objects : OMPP_FLOW_MOST_NUMBERS - 1;

	if (test_and_set(own->covers, index))
		return;
	for (uint32_t i = 0; i < n; i++)
		define_object(cover->objects[i]);
	begin_definition(OMPP_FLOW_DEFINE_COVER);
	define_number(index);
	for (uint32_t i = 0; i < n; i++)
		define_number(cover->objects[i]);
	end_definition();
}

static void define_place(uint32_t place, uint32_t parent, uint32_t region)
{
	const struct ompp_region_def *def = ompp_region_by_id(region);

	begin_definition(OMPP_FLOW_DEFINE_PLACE);
	define_number(place);
	define_number(parent);
	define_number(region);
	define_number(def->begin_line);
	define_number(def->end_line);
	define_text(ompp_construct_name(def->construct));
	define_text(def->name);
	define_text(def->file);
	end_definition();
}

/* Returns the place of a region in another one; 0 when there is no room for it. */
static uint32_t place_in(uint32_t parent, uint32_t region)
{
	uint32_t at = (uint32_t)(((uint64_t)parent << 32 | region) * 0x9E3779B97F4A7C15u >> 40), i;

	while ((i = own->slots[at % (2 * MOST_PLACES)])) {
		if (own->places[i].parent == parent && own->places[i].region == region)
			return i;
		at++;
	}
	if (own->n_places + 1 == MOST_PLACES || is_closed())
		return 0;
	i = own->slots[at % (2 * MOST_PLACES)] = ++own->n_places;
	own->places[i].parent = parent;
	own->places[i].region = region;
	define_place(i, parent, region);
	return i;
}

static int is_change(uint32_t region)
{
	enum ompp_construct construct = ompp_region_by_id(region)->construct;

	return ompp_construct_is_parallel(construct) || construct == OMPP_USER_REGION;
}

/* Returns the place of a node: its regions from the outermost one to its own.
 * changes: 1 to leave out all but parallel and user regions */
static uint32_t place_of(const struct ompp_callnode *node, int changes)
{
	uint32_t ids[MOST_DEPTH], n = 0, last = 0, place = 0;

	for (; node && n < MOST_DEPTH; node = node->parent) {
		uint32_t id = OMPP_KEY_ID(node->key);

		if (id && id != UINT32_MAX && id != last && (!changes || is_change(id)))
			ids[n++] = last = id;
	}
	while (n-- > 0)
		place = place_in(place, ids[n]);
	return place;
}

/* Defines a thread when it has a rank in a team. */
static void define_thread(const struct ompp_thread *t, const struct ompp_callnode *node)
{
	if (own->threads[t->slot / 8] >> t->slot % 8 & 1)
		return;
	while (node && (OMPP_KEY_PART(node->key) != OMPP_PART_TEAM || node->key == UINT64_MAX))
		node = node->parent;
	if (!node)
		return;
	test_and_set(own->threads, t->slot);
	begin_definition(OMPP_FLOW_DEFINE_THREAD);
	define_number(t->slot);
	define_number(OMPP_KEY_RANK(node->key));
	end_definition();
}

/* ---- events ---- */

#define FIELD(name) (1u << OMPP_FLOW_##name)

/* Adds an event, whose values are filled. */
static void put(enum ompp_flow_code code, uint32_t fields)
{
	if (own->n_bytes > FULL_BYTES)
		flush();
	if (!own->n_events++)
		own->first_ns = own->values[OMPP_FLOW_TIME];
	own->n_bytes += ompp_flow_put(&own->state, code, own->values, fields, own->content + own->n_bytes);
}

/* Takes the right to add n events.  Returns 0, or -1 when they are lost, which is counted. */
static int begin(uint64_t n, int most_sleeps)
{
	if (hold(most_sleeps)) {
		__atomic_fetch_add(&trace.n_lost, n, __ATOMIC_RELAXED);
		ompp_note_add(OMPP_NOTE_TRACE_LOST, n);
		return -1;
	}
	if (!is_closed())
		return 0;
	lose(n);
	let_go();
	return -1;
}

/* Is this process the one of the trace?  A child of vfork() is not, nor one that our handlers do not know. */
static int is_ours(void)
{
	return ompp_sys_getpid() == ompp_session.pid;
}

/* How the times of a batch of samples are converted to those of CLOCK_MONOTONIC. */
struct times {
	struct ompp_clock_rate rate; /* of the runtime's clock */
	struct ompp_stamp_reading now;
};

/* Returns a sample's time in ns of CLOCK_MONOTONIC.  Hooks give theirs in ticks of the runtime's clock, and no thread
 * id; the processor by the kernel's own clock, where that follows from its counter (base/stamp.h). */
static uint64_t time_of(const struct ompp_thread *t, const struct ompp_sample_pending *p, const struct times *times)
{
	const struct ompp_clock_anchor *begin = &ompp_session.start;
	const struct ompp_mem_sample *s = &p->sample;
	const struct ompp_hardware *h = __atomic_load_n(&t->hardware, __ATOMIC_ACQUIRE);

	if (!s->time_ns)
		return 0;
	if (!s->tid)
		return (uint64_t)(begin->monotonic_ns +
		                  ompp_clock_ns(times->rate, (int64_t)(s->time_ns - begin->ticks)));
	if (p->is_touch || !ompp_stamp_is_counter || !h || !h->scale.mult)
		return s->time_ns;
	return ompp_stamp_ns(ompp_stamp_of(&h->scale, s->time_ns), &start, &times->now);
}

static uint64_t known(uint32_t number)
{
	return number == UINT32_MAX ? 0 : (uint64_t)number + 1;
}

/* Returns the level that served a sample: a hook tells memory by the time alone, and the page's NUMA node its
 * distance. */
static uint64_t level_of(const struct ompp_mem_sample *s, uint32_t node, int home)
{
	return s->level == OMPP_MEM_LEVEL_LOCAL_MEMORY && !s->data_source && home >= 0 && node != OMPP_NUMA_UNKNOWN &&
	                       node != (uint32_t)home
	             ? OMPP_MEM_LEVEL_REMOTE_MEMORY
	             : s->level;
}

static void put_sample(const struct ompp_thread *thread, const struct ompp_sample_pending *p, int home,
                       const struct times *times)
{
	const struct ompp_mem_sample *s = &p->sample;
	uint32_t node = ompp_numa_node_of(s->cpu);
	uint64_t *v = own->values;

	define_thread(thread, p->node);
	define_cover(p->cover);
	v[OMPP_FLOW_PLACE] = place_of(p->node, 0);
	v[OMPP_FLOW_THREAD] = thread->slot + 1;
	v[OMPP_FLOW_COVER] = p->cover;
	v[OMPP_FLOW_TIME] = time_of(thread, p, times);
	v[OMPP_FLOW_IP] = s->ip;
	v[OMPP_FLOW_ADDRESS] = s->address;
	v[OMPP_FLOW_LATENCY] = s->latency;
	v[OMPP_FLOW_LEVEL] = level_of(s, node, home) * 4 + s->kind;
	v[OMPP_FLOW_HOME] = home < 0 ? 0 : (uint64_t)home + 1;
	v[OMPP_FLOW_CPU] = known(s->cpu);
	v[OMPP_FLOW_NODE] = node == OMPP_NUMA_UNKNOWN ? 0 : (uint64_t)node + 1;
	v[OMPP_FLOW_PERIOD] = s->period;
	v[OMPP_FLOW_PAGE_BYTES] = s->page_bytes;
	v[OMPP_FLOW_TID] = s->tid;
	v[OMPP_FLOW_DETAIL] = (uint64_t)s->snoop << 8 | (uint64_t)s->translation << 4 | s->lock;
	v[OMPP_FLOW_DATA_SOURCE] = s->data_source;
	v[OMPP_FLOW_PHYSICAL] = s->physical;
	put(p->is_touch ? OMPP_FLOW_CODE_TOUCH : OMPP_FLOW_CODE_ACCESS,
	    (FIELD(N_FIELDS) - 1) & ~(FIELD(SITE) | FIELD(BYTES)));
}

static void take(const struct ompp_thread *thread, const struct ompp_sample_pending *pending, const int *homes,
                 uint32_t n)
{
	struct ompp_clock_anchor now;
	struct times times;

	if (!is_ours() || begin(n, MOST_SLEEPS))
		return;
	ompp_clock_anchor(&now);
	times.rate = ompp_clock_rate(&ompp_session.start, &now);
	times.now = ompp_stamp_read();
	for (uint32_t i = 0; i < n; i++)
		put_sample(thread, &pending[i], homes[i], &times);
	flush();
	let_go();
}

/* Writes what waits when it is old, so that a process that is killed loses little. */
static void flush_old(uint64_t now)
{
	if (own->n_events && now - own->first_ns > OLD_NS)
		flush();
}

static void take_block(uint32_t site, const void *address, size_t n_bytes, int ends)
{
	const struct ompp_thread *t = ompp_self;
	uint64_t now = ompp_clock_monotonic_ns(), *v = own->values;

	if (!is_ours() || begin(1, FEW_SLEEPS))
		return;
	define_site(site);
	v[OMPP_FLOW_PLACE] = t->limit ? place_of(ompp_thread_node(t), 0) : 0;
	v[OMPP_FLOW_THREAD] = t->limit ? t->slot + 1 : 0;
	v[OMPP_FLOW_TIME] = now;
	v[OMPP_FLOW_ADDRESS] = (uintptr_t)address;
	v[OMPP_FLOW_SITE] = site;
	v[OMPP_FLOW_BYTES] = n_bytes;
	put(ends ? OMPP_FLOW_CODE_END : OMPP_FLOW_CODE_BEGIN,
	    FIELD(PLACE) | FIELD(THREAD) | FIELD(TIME) | FIELD(ADDRESS) | FIELD(SITE) | FIELD(BYTES));
	flush_old(now);
	let_go();
}

/* Writes that the thread is in another place since it changed its node last. */
static void change(const struct ompp_thread *t, struct stretch *s, uint32_t place, uint64_t now)
{
	own->values[OMPP_FLOW_PLACE] = s->place = place;
	own->values[OMPP_FLOW_THREAD] = t->slot + 1;
	own->values[OMPP_FLOW_TIME] = s->since_ns ? s->since_ns : now;
	if (is_closed()) {
		lose(1);
		return;
	}
	put(OMPP_FLOW_CODE_REGION, FIELD(PLACE) | FIELD(THREAD) | FIELD(TIME));
	flush_old(now);
}

/* Notes a change of places, when its innermost node is about to change.  By the thread itself. */
static void leave(struct ompp_thread *t)
{
	struct stretch *s = &stretches[t->slot];
	const struct ompp_callnode *node = OMPP_LOAD(&OMPP_LOAD(&t->top)->node);
	uint64_t now = ompp_clock_monotonic_ns();
	uint32_t i;

	for (i = 0; i < N_RECENT && s->recent[i].node != node; i++)
		;
	if (i == N_RECENT || s->recent[i].place != s->place) {
		if (!is_ours() || hold(FEW_SLEEPS))
			return; /* the next change of nodes tells it */
		if (i == N_RECENT) {
			i = s->n_recent++ % N_RECENT;
			s->recent[i].place = place_of(node, 1);
			s->recent[i].node = node;
		}
		if (s->recent[i].place != s->place)
			change(t, s, s->recent[i].place, now);
		let_go();
	}
	s->since_ns = now;
}

/* ---- names, which the last report finds ---- */

/* Takes the right to add a name.  Returns 0 when this is no last report, or there is no trace. */
static int begin_name(void)
{
	if (!atomic_load(&ompp_session.ended) || hold(MOST_SLEEPS))
		return 0;
	if (trace.n_bytes || own->n_bytes)
		return 1;
	let_go();
	return 0;
}

static void name_line(uint64_t ip, uint32_t line, const char *function, const char *file)
{
	if (!begin_name())
		return;
	begin_definition(OMPP_FLOW_DEFINE_LINE);
	define_number(ip);
	define_number(line);
	define_text(function);
	define_text(file);
	end_definition();
	let_go();
}

static void name_site(uint32_t site, const char *name, const char *path)
{
	if (!begin_name())
		return;
	begin_definition(OMPP_FLOW_DEFINE_NAME);
	define_number(site);
	define_text(name);
	define_text(path);
	end_definition();
	let_go();
}

static void put_end(void)
{
	begin_definition(OMPP_FLOW_DEFINE_APP);
	define_text(ompp_session_app());
	end_definition();
	begin_definition(OMPP_FLOW_DEFINE_END);
	define_number(trace.n_full);
	define_number(trace.n_lost);
	end_definition();
	flush();
}

/* ---- begin and end ---- */

void ompp_trace_start(void)
{
	if (!ompp_session.options.number[OMPP_OPT_TRACE] || ompp_place_is_none())
		return;
	if (!strcmp(ompp_session.options.text[OMPP_OPT_SAMPLE], "off") && !ompp_heap_on) {
		ompp_note_say("OMPP_TRACE: nothing is sampled; choose a source with OMPP_SAMPLE");
		ompp_session_say("OMPP_TRACE: nothing is sampled; choose a source with OMPP_SAMPLE");
		return;
	}
	own = ompp_space_reserve(sizeof(*own));
	stretches = ompp_space_reserve(sizeof(*stretches) * OMPP_MAX_THREADS);
	if (!own || !stretches) {
		ompp_note_say("OMPP_TRACE: no memory for a trace; none is written");
		own = NULL;
		return;
	}
	start = ompp_stamp_read();
	ompp_samples_settled = take;
	ompp_heap_told = take_block;
	ompp_trace_boundary = leave;
	ompp_collect_line_found = name_line;
	ompp_collect_site_named = name_site;
	ompp_mode_set(OMPP_MODE_TRACE);
}

void ompp_trace_name(void)
{
	static char path[OMPP_PATH_BYTES];
	char line[512];
	struct ompp_text t;

	if (!own || hold(MOST_SLEEPS))
		return;
	if (own->n_bytes)
		flush();
	if (trace.n_bytes)
		put_end();
	ompp_place_flow(path);
	if (trace.n_bytes && path[0] && strcmp(path, trace.path) && !ompp_sys_rename(trace.path, path))
		memcpy(trace.path, path, sizeof(path));
	if (trace.n_bytes) {
		ompp_text_init(&t, line, sizeof(line));
		ompp_text_str(&t, "trace: ");
		ompp_text_strn(&t, trace.path, strnlen(trace.path, 400));
		ompp_session_say(line);
	}
	let_go();
}

void ompp_trace_after_fork(void)
{
	holder = 0;
	if (!own)
		return;
	trace.state = NOT_BEGUN;
	trace.n_bytes = trace.n_full = trace.n_lost = 0;
	empty();
	memset(own->objects, 0, sizeof(own->objects));
	memset(own->covers, 0, sizeof(own->covers));
	memset(own->sites, 0, sizeof(own->sites));
	memset(own->threads, 0, sizeof(own->threads));
	memset(own->slots, 0, sizeof(own->slots));
	own->n_places = 0;
	memset(stretches, 0, sizeof(*stretches) * (atomic_load(&ompp_n_threads) + 1));
}
