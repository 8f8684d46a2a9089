/*
 * Trace: see trace.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/trace.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "runtime/base/clean.h"
#include "runtime/base/clock.h"
#include "runtime/base/note.h"
#include "runtime/base/option.h"
#include "runtime/base/stream.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/collect/output.h"
#include "runtime/collect/place.h"
#include "runtime/core/region.h"
#include "runtime/core/sample.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"

enum {
	TEXT_BYTES = 64 * 1024,
	LINE_BYTES = 4096, /* a line is cut off there */
	CELL_BYTES = 1024,
	MOST_DEPTH = 32,
	MOST_TRIES = 100,
	MOST_SLEEPS = 1000,
	SLEEP_NS = 20000
};

static const char head[] = "time_ns,thread,tid,cpu,kind,ip,address,object,region,level,latency,period,home,page_bytes,"
			   "physical,data_source\n";

/* The file.  All of it is used by the holder alone. */
static struct {
	enum { NOT_BEGUN, BEGUN, GIVEN_UP } state;
	char path[OMPP_PATH_BYTES];
	dev_t device; /* which file it is, as another one may get its name */
	ino_t file;
	uint64_t n_bytes;
	char buffer[TEXT_BYTES]; /* lines that are not written yet */
	struct ompp_text text;
	uint64_t n_lines; /* of text */
} trace;

static uint32_t holder; /* the thread id of the one who writes; 0 for nobody */

static int hold(void)
{
	uint32_t me = (uint32_t)ompp_sys_gettid(), none = 0;
	int n = 0;

	while (!__atomic_compare_exchange_n(&holder, &none, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		if (none == me || n++ == MOST_SLEEPS)
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
	ompp_text_str(&t, ": samples not written: ");
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

/* Writes the lines that wait.  When they cannot be written as a whole, the file ends before them. */
static void flush(void)
{
	uint64_t most = (uint64_t)ompp_session.options.number[OMPP_OPT_TRACE_LIMIT], n = trace.text.n_bytes;
	int fd, rc;

	if (trace.n_bytes + n > most)
		ompp_note_add(OMPP_NOTE_TRACE_FULL, trace.n_lines);
	if (!trace.n_lines || trace.state == GIVEN_UP || trace.n_bytes + n > most)
		return;
	fd = rc = reopen();
	if (fd >= 0) {
		rc = trace.n_bytes ? 0 : ompp_stream_write(fd, head, sizeof(head) - 1, 0);
		if (!rc)
			rc = ompp_stream_write(fd, trace.buffer, (size_t)n, 0);
		if (rc)
			ompp_sys_truncate(fd, (off_t)trace.n_bytes);
		else
			trace.n_bytes += n + (trace.n_bytes ? 0 : sizeof(head) - 1);
		ompp_sys_close(fd);
	}
	if (rc < 0)
		give_up(rc);
}

static void flush_and_empty(void)
{
	flush();
	if (trace.state == GIVEN_UP)
		ompp_note_add(OMPP_NOTE_TRACE_LOST, trace.n_lines);
	ompp_text_init(&trace.text, trace.buffer, sizeof(trace.buffer));
	trace.n_lines = 0;
}

/* ---- lines ---- */

/* Appends a cell with a name that strangers wrote: clean, and in quotes where it needs them. */
static void put_name(struct ompp_text *t, const char *name)
{
	static char cell[CELL_BYTES];
	struct ompp_text c;

	ompp_text_init(&c, cell, sizeof(cell));
	ompp_clean(&c, name, 0);
	if (!strpbrk(cell, ",\"")) {
		ompp_text_str(t, cell);
		return;
	}
	ompp_text_char(t, '"');
	for (const char *p = cell; *p; p++) {
		if (*p == '"')
			ompp_text_char(t, '"');
		ompp_text_char(t, *p);
	}
	ompp_text_char(t, '"');
}

static void put_objects(struct ompp_text *t, uint32_t index)
{
	static char names[CELL_BYTES];
	const struct ompp_cover *cover = ompp_cover(index);
	struct ompp_text n;

	ompp_text_init(&n, names, sizeof(names));
	for (uint32_t i = 0; i < cover->n_objects; i++) {
		ompp_text_str(&n, i ? " + " : "");
		ompp_text_str(&n, ompp_object(cover->objects[i])->name);
	}
	put_name(t, names);
}

/* Appends the regions from the outermost one to the node's own, "PARALLEL a.c:3 / LOOP a.c:5". */
static void put_regions(struct ompp_text *t, const struct ompp_callnode *node)
{
	static char names[CELL_BYTES];
	uint32_t ids[MOST_DEPTH], n = 0, last = 0;
	struct ompp_text r;

	for (; node && n < MOST_DEPTH; node = node->parent) {
		uint32_t id = OMPP_KEY_ID(node->key);

		if (id && id != UINT32_MAX && id != last)
			ids[n++] = last = id;
	}
	ompp_text_init(&r, names, sizeof(names));
	while (n-- > 0) {
		const struct ompp_region_def *def = ompp_region_by_id(ids[n]);
		const char *file = strrchr(def->file, '/');

		ompp_text_str(&r, r.n_bytes ? " / " : "");
		ompp_text_str(&r, ompp_construct_name(def->construct));
		ompp_text_char(&r, ' ');
		ompp_text_str(&r, def->name[0] ? def->name : file ? file + 1 : def->file);
		if (def->begin_line) {
			ompp_text_char(&r, ':');
			ompp_text_u64(&r, def->begin_line);
		}
	}
	put_name(t, names);
}

/* Appends a number and a comma; only the comma when the number is not known. */
static void put_number(struct ompp_text *t, int is_known, uint64_t number)
{
	if (is_known)
		ompp_text_u64(t, number);
	ompp_text_char(t, ',');
}

static void put_address(struct ompp_text *t, uint64_t address)
{
	ompp_text_str(t, "0x");
	ompp_text_hex(t, address);
	ompp_text_char(t, ',');
}

/* Returns a sample's time in ns.  Hooks give theirs in ticks of the runtime's clock, and no thread id. */
static uint64_t time_of(const struct ompp_mem_sample *s)
{
	struct ompp_clock_anchor now;
	const struct ompp_clock_anchor *start = &ompp_session.start;

	if (s->tid)
		return s->time_ns;
	ompp_clock_anchor(&now);
	return (uint64_t)(start->monotonic_ns +
	                  ompp_clock_ns(ompp_clock_rate(start, &now), (int64_t)(s->time_ns - start->ticks)));
}

static void put_line(struct ompp_text *t, const struct ompp_thread *thread, const struct ompp_sample_pending *p,
                     int home)
{
	const struct ompp_mem_sample *s = &p->sample;

	put_number(t, s->time_ns != 0, time_of(s));
	put_number(t, 1, thread->slot);
	put_number(t, s->tid != 0, s->tid);
	put_number(t, s->cpu != UINT32_MAX, s->cpu);
	ompp_text_str(t, p->is_touch ? "touch," : s->kind == OMPP_MEM_STORES ? "store," : "load,");
	put_address(t, s->ip);
	put_address(t, s->address);
	put_objects(t, p->cover);
	ompp_text_char(t, ',');
	put_regions(t, p->node);
	ompp_text_char(t, ',');
	if (s->level != OMPP_MEM_LEVEL_UNKNOWN)
		ompp_text_str(t, ompp_sample_stats_level_name(s->level));
	ompp_text_char(t, ',');
	put_number(t, s->latency != 0, s->latency);
	put_number(t, s->period != 0, s->period);
	put_number(t, home >= 0, (uint64_t)home);
	put_number(t, s->page_bytes != 0, s->page_bytes);
	put_number(t, s->physical != 0, s->physical);
	if (s->data_source) {
		ompp_text_str(t, "0x");
		ompp_text_hex(t, s->data_source);
	}
	ompp_text_char(t, '\n');
}

static void take(const struct ompp_thread *thread, const struct ompp_sample_pending *pending, const int *homes,
                 uint32_t n)
{
	if (ompp_sys_getpid() != ompp_session.pid)
		return; /* a child of vfork(), or one that our handlers do not know */
	if (hold()) {
		ompp_note_add(OMPP_NOTE_TRACE_LOST, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (trace.text.n_bytes + LINE_BYTES > sizeof(trace.buffer))
			flush_and_empty();
		put_line(&trace.text, thread, &pending[i], homes[i]);
		trace.n_lines++;
	}
	flush_and_empty();
	let_go();
}

/* ---- begin and end ---- */

void ompp_trace_start(void)
{
	if (!ompp_session.options.number[OMPP_OPT_TRACE] || ompp_place_is_none())
		return;
	if (!strcmp(ompp_session.options.text[OMPP_OPT_SAMPLE], "off")) {
		ompp_note_say("OMPP_TRACE: nothing is sampled; choose a source with OMPP_SAMPLE");
		ompp_session_say("OMPP_TRACE: nothing is sampled; choose a source with OMPP_SAMPLE");
		return;
	}
	ompp_text_init(&trace.text, trace.buffer, sizeof(trace.buffer));
	ompp_samples_settled = take;
}

void ompp_trace_name(void)
{
	static char path[OMPP_PATH_BYTES];
	char line[512];
	struct ompp_text t;

	if (!ompp_samples_settled || hold())
		return;
	ompp_place_samples(path);
	if (trace.n_bytes && path[0] && strcmp(path, trace.path) && !ompp_sys_rename(trace.path, path))
		memcpy(trace.path, path, sizeof(path));
	if (trace.n_bytes) {
		ompp_text_init(&t, line, sizeof(line));
		ompp_text_str(&t, "samples: ");
		ompp_text_strn(&t, trace.path, strnlen(trace.path, 400));
		ompp_session_say(line);
	}
	let_go();
}

void ompp_trace_after_fork(void)
{
	holder = 0;
	if (!ompp_samples_settled)
		return;
	trace.state = NOT_BEGUN;
	trace.n_bytes = trace.n_lines = 0;
	ompp_text_init(&trace.text, trace.buffer, sizeof(trace.buffer));
}
