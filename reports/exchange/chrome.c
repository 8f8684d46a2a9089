/*
 * Chrome: the course of the run as the Trace Event Format, which Perfetto and chrome://tracing show.
 *
 * A profile has sums of all threads by slice (course_stretch.h), no events: so there are counters, how many threads did
 * what in the mean of a slice, and one track of the region in which most threads were at the ends of slices, which is
 * sampled.  `ompp flow --chrome` has the regions of each thread, by a trace.
 */
#include "reports/exchange/exchange.h"

#include <errno.h>

#include "config.h"
#include "reports/analysis/course_stretch.h"
#include "reports/analysis/label.h"
#include "reports/exchange/quote.h"
#include "reports/profile/schema.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

enum { SHARE_DIGITS = 9, SHARE_OF_ONE = 1000000000 };
enum { PROCESS = 0, TRACK = 1 }; /* threads of the trace: counters are the process's, whose events need one, too */

struct chrome {
	const struct ompp_analysis *a;
	struct ompp_out *out;
	int64_t all_ns; /* when the course ends */
	int has_mpi;
};

static void put_bytes(void *out, const char *bytes, size_t n_bytes)
{
	ompp_out_write(out, bytes, n_bytes);
}

static void put_text(struct chrome *c, const char *text)
{
	ompp_json_quote(text, put_bytes, c->out);
}

static void put_member(struct chrome *c, const char *before, int64_t n)
{
	ompp_out_str(c->out, before);
	ompp_out_number(c->out, n);
}

static int64_t slice_begin(const struct chrome *c, size_t i)
{
	return c->a->profile->course[i].slice * c->a->profile->course_slice_ns;
}

static int64_t slice_end(const struct chrome *c, size_t i)
{
	int64_t end_ns = slice_begin(c, i) + c->a->profile->course_slice_ns;

	return end_ns < c->all_ns ? end_ns : c->all_ns;
}

/* Begins an event at a time of the run, in microseconds. */
static void chrome_begin(struct chrome *c, const char *phase, int64_t ns, int track)
{
	ompp_out_str(c->out, ",\n{\"ph\":\"");
	ompp_out_str(c->out, phase);
	put_member(c, "\",\"pid\":", c->a->profile->pid);
	put_member(c, ",\"tid\":", track);
	ompp_out_str(c->out, ",\"ts\":");
	ompp_out_fixed(c->out, ns, 3);
}

/* ---- counters ---- */

/* Writes how many threads did what from this time on: times of all threads in a length of time, which is not 0. */
static void put_threads(struct chrome *c, int64_t at_ns, const struct ompp_course_record *s, int64_t length_ns)
{
	const struct {
		const char *name;
		int64_t ns;
	} parts[] = { { "work", s->work_ns },
		      { "wait", s->wait_ns },
		      { "manage", s->manage_ns },
		      { "idle", s->idle_ns },
		      { "mpi", s->mpi_ns } };

	chrome_begin(c, "C", at_ns, PROCESS);
	ompp_out_str(c->out, ",\"name\":\"threads\",\"args\":{");
	for (size_t i = 0; i < OMPP_COUNT_OF(parts) - !c->has_mpi; i++) {
		__int128 share = (__int128)parts[i].ns * SHARE_OF_ONE / length_ns;

		ompp_out_str(c->out, i ? ",\"" : "\"");
		ompp_out_str(c->out, parts[i].name);
		ompp_out_str(c->out, "\":");
		ompp_out_fixed(c->out, (int64_t)(share < OMPP_MOST_NS ? share : OMPP_MOST_NS), SHARE_DIGITS);
	}
	ompp_out_str(c->out, "}}");
}

/* Slices that are left out had no thread. */
static void put_counters(struct chrome *c)
{
	static const struct ompp_course_record nothing;
	const struct ompp_profile *p = c->a->profile;

	for (size_t i = 0; i < p->n_course; i++) {
		put_threads(c, slice_begin(c, i), &p->course[i], slice_end(c, i) - slice_begin(c, i));
		if (i + 1 == p->n_course || slice_begin(c, i + 1) > slice_end(c, i))
			put_threads(c, slice_end(c, i), &nothing, 1);
	}
}

/* ---- the track of regions ---- */

/* Writes slices from i up to n, which have the same region. */
static int put_region(struct chrome *c, size_t i, size_t n)
{
	const struct ompp_profile *p = c->a->profile;
	const struct ompp_region *region = &p->regions[p->course[i].region];
	const char *title = ompp_region_title(c->a, region, region->construct);
	uint32_t least = p->course[i].n_there, most = least;

	if (!title)
		return -ENOMEM;
	for (size_t k = i; k < n; k++) {
		least = p->course[k].n_there < least ? p->course[k].n_there : least;
		most = p->course[k].n_there > most ? p->course[k].n_there : most;
	}
	chrome_begin(c, "X", slice_begin(c, i), TRACK);
	ompp_out_str(c->out, ",\"dur\":");
	ompp_out_fixed(c->out, slice_end(c, n - 1) - slice_begin(c, i), 3);
	ompp_out_str(c->out, ",\"cat\":\"region\",\"name\":");
	put_text(c, title);
	put_member(c, ",\"args\":{\"certainty\":\"sampled\",\"slices\":", (int64_t)(n - i));
	put_member(c, ",\"least_threads\":", least);
	put_member(c, ",\"most_threads\":", most);
	ompp_out_str(c->out, "}}");
	return 0;
}

static int put_regions(struct chrome *c)
{
	const struct ompp_profile *p = c->a->profile;
	size_t n;
	int rc = 0;

	for (size_t i = 0; i < p->n_course && !rc; i = n) {
		for (n = i + 1; n < p->n_course && p->course[n].region == p->course[i].region &&
		                p->course[n].slice == p->course[n - 1].slice + 1;
		     n++)
			;
		if (p->course[i].region != OMPP_NONE)
			rc = put_region(c, i, n);
	}
	return rc;
}

/* ---- the document ---- */

static void put_name(struct chrome *c, const char *before, const char *name)
{
	ompp_out_str(c->out, before);
	put_text(c, name);
	ompp_out_str(c->out, "}}");
}

static void put_head(struct chrome *c)
{
	const struct ompp_profile *p = c->a->profile;

	ompp_out_str(c->out, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"exporter\":");
	put_text(c, "ompp " PACKAGE_VERSION);
	put_member(c, ",\n\"slice_ns\":", p->course_slice_ns);
	put_member(c, ",\"processes\":", p->n_merged ? p->n_merged : 1);
	put_member(c, ",\"threads_left_out\":", ompp_count(p->n_course_lost));
	ompp_out_str(c->out,
	             ",\n\"threads\":\"measured: how many threads did what in the mean of a slice, all threads of "
	             "all processes together; times are those in which measuring was on\",\n"
	             "\"regions\":\"sampled: where most threads were at the end of a slice; ompp flow --chrome "
	             "has the regions of each thread, by a trace\"},\n\"traceEvents\":[\n{\"ph\":\"M\"");
	put_member(c, ",\"pid\":", p->pid);
	put_member(c, ",\"tid\":", PROCESS);
	put_name(c, ",\"name\":\"process_name\",\"args\":{\"name\":", p->app);
	put_member(c, ",\n{\"ph\":\"M\",\"pid\":", p->pid);
	put_member(c, ",\"tid\":", TRACK);
	put_name(c, ",\"name\":\"thread_name\",\"args\":{\"name\":", "where most threads were (sampled)");
}

static int write_chrome(const struct ompp_analysis *a, struct ompp_out *out)
{
	struct chrome c = {
		.a = a, .out = out, .all_ns = ompp_course_ns(a->profile), .has_mpi = ompp_course_has_mpi(a->profile)
	};
	int rc;

	put_head(&c);
	put_counters(&c);
	rc = put_regions(&c);
	ompp_out_str(out, "\n]}\n");
	return rc;
}

static const char *chrome_lacks(const struct ompp_profile *p)
{
	return ompp_course_ns(p) ? NULL
	                         : "has no course of the run, which this format shows; measure with OMPP_COURSE=1, or "
	                           "write a trace (OMPP_TRACE=1) for ompp flow --chrome";
}

const struct ompp_exchange ompp_exchange_chrome = { .write = write_chrome, .lacks = chrome_lacks };
