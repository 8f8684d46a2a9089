/*
 * Pprof: profile.proto, the format of pprof and what else reads its files, without compression, which they all take.
 *
 * A sample is a call path of a thread, whose label it has: its time there, its executions and its counters.  Waiting,
 * management and sampled functions are frames of their own above a region, which have time alone.
 *
 * The format has no missing values.  A counter that is missing anywhere is left out, and a comment says why.  Comments
 * also name the call paths of which some threads' time is not known.
 */
#include "reports/exchange/exchange.h"

#include <errno.h>
#include <string.h>

#include "config.h"
#include "reports/analysis/untimed.h"
#include "reports/exchange/path_counts.h"
#include "reports/exchange/proto.h"
#include "reports/exchange/stack_functions.h"
#include "reports/exchange/stacks.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

/* The numbers of fields, as profile.proto has them. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING };
enum { PROFILE_TIME_NS = 9, PROFILE_DURATION_NS, PROFILE_COMMENT = 13, PROFILE_DEFAULT_TYPE };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_FILES, MAPPING_HAS_LINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_START_LINE };

enum { THE_MAPPING = 1, COMMENT_BYTES = 1024 };

struct pprof {
	const struct ompp_analysis *a;
	struct ompp_stacks stacks;
	struct ompp_stack_functions functions;
	struct ompp_out *out;
	struct ompp_proto message, inner, innermost; /* of the profile; a message in it; and one in that */
	int64_t n_strings;                           /* written so far */
	int64_t thread_key, *labels;                 /* numbers of texts; labels by row */
	int64_t **counts;                            /* by metric: by cell; NULL when it is not written */
};

/* Writes what was added to the profile. */
static void pprof_flush(struct pprof *w)
{
	ompp_out_write(w->out, w->message.bytes, w->message.n_bytes);
	w->message.n_bytes = 0;
}

/* Writes a text, with what it may not have as \x1b, and returns its number.  The first is "". */
static int64_t pprof_string(struct pprof *w, const char *text)
{
	const char *clean = ompp_clean_copy(text, 0, w->a->arena);

	if (w->n_strings && !text[0])
		return 0;
	w->message.is_short |= !clean;
	ompp_proto_text_element(&w->message, PROFILE_STRING, clean ? clean : "");
	pprof_flush(w);
	return w->n_strings++;
}

static void put_inner(struct pprof *w, unsigned int field)
{
	ompp_proto_move(&w->message, field, &w->inner);
	pprof_flush(w);
}

/* ---- what is measured ---- */

static void put_type(struct pprof *w, const char *name, const char *unit)
{
	int64_t name_at = pprof_string(w, name), unit_at = pprof_string(w, unit);

	ompp_proto_number(&w->inner, TYPE_NAME, name_at);
	ompp_proto_number(&w->inner, TYPE_UNIT, unit_at);
	put_inner(w, PROFILE_SAMPLE_TYPE);
	if (name_at == 1)
		ompp_proto_number(&w->message, PROFILE_DEFAULT_TYPE, name_at);
}

static void put_types(struct pprof *w)
{
	const struct ompp_profile *p = w->a->profile;

	put_type(w, "time", "nanoseconds");
	put_type(w, "executions", "count");
	for (size_t m = 0; m < p->n_metrics; m++)
		if (w->counts[m])
			put_type(w, p->metrics[m].name, p->metrics[m].unit[0] ? p->metrics[m].unit : "count");
}

static void put_comment(struct pprof *w, const char *about, const char *name, const char *behind)
{
	char comment[COMMENT_BYTES];
	struct ompp_text t;
	int64_t at;

	ompp_text_init(&t, comment, sizeof(comment));
	ompp_text_str(&t, about);
	ompp_text_str(&t, name);
	ompp_text_str(&t, behind);
	at = pprof_string(w, comment);
	ompp_proto_element(&w->message, PROFILE_COMMENT, at);
}

static void put_left_out(struct pprof *w, size_t m)
{
	char about[COMMENT_BYTES / 2];
	struct ompp_text t;

	ompp_text_init(&t, about, sizeof(about));
	ompp_text_str(&t, "left out, as ");
	ompp_text_str(&t, ompp_path_counts_why(w->a->profile, m));
	ompp_text_str(&t, ": ");
	put_comment(w, about, w->a->profile->metrics[m].name, "");
}

/* Writes the standard error of an estimated time as a comment. */
static void put_error(struct pprof *w, uint32_t node)
{
	int64_t error_ns = ompp_stack_error_ns(w->a, node);
	char behind[COMMENT_BYTES / 2];
	struct ompp_text t;

	ompp_text_init(&t, behind, sizeof(behind));
	ompp_text_str(&t, " below ");
	ompp_text_str(&t, w->stacks.names[w->a->profile->nodes[node].parent]);
	ompp_text_str(&t, ", standard error ");
	if (error_ns == OMPP_MISSING)
		ompp_text_str(&t, "-");
	else
		ompp_text_i64(&t, error_ns);
	ompp_text_str(&t, " ns");
	put_comment(w, "an estimate, as not all visits were timed: ", w->stacks.names[node], behind);
}

static int has_time(const struct ompp_profile *p, uint32_t node)
{
	for (uint32_t k = 0; k < p->nodes[node].n_cells; k++)
		if (p->cells[p->nodes[node].first_cell + k].incl_ns == OMPP_MISSING)
			return 0;
	return 1;
}

static void put_comments(struct pprof *w)
{
	const struct ompp_profile *p = w->a->profile;

	put_comment(w,
	            "by ompp " PACKAGE_VERSION ": time is measured, of all threads; functions share a region's work "
	            "by samples; executions are exact",
	            "", "");
	for (size_t m = 0; m < p->n_metrics; m++)
		if (w->counts[m])
			put_comment(w, p->metrics[m].name, ": ", ompp_certainty_name(p->metrics[m].certainty));
		else
			put_left_out(w, m);
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		if (ompp_untimed_at(p, i))
			put_error(w, i);
		if (!has_time(p, i))
			put_comment(w, "the time of some threads is not known: ", w->stacks.names[i], "");
	}
}

/* ---- functions, each with one location of the same number ---- */

static int64_t function_of_node(const struct pprof *w, uint32_t node)
{
	const struct ompp_node *n = &w->a->profile->nodes[node];

	return node ? 2 + 2 * (int64_t)n->region + (n->construct == OMPP_TASKEXEC) : 1;
}

static int64_t function_of_part(const struct pprof *w, int part)
{
	return 1 + 2 * (int64_t)w->a->profile->n_regions + part;
}

static int64_t function_of_spot(const struct pprof *w, const struct ompp_hot_spot *spot)
{
	return function_of_part(w, OMPP_N_STACK_PARTS) + w->functions.function_of[spot - w->a->profile->hot_spots];
}

static void put_function(struct pprof *w, int64_t id, const char *name, const char *file, uint32_t line)
{
	int64_t name_at = pprof_string(w, name), file_at = pprof_string(w, file);

	ompp_proto_number(&w->inner, FUNCTION_ID, id);
	ompp_proto_number(&w->inner, FUNCTION_NAME, name_at);
	ompp_proto_number(&w->inner, FUNCTION_SYSTEM_NAME, name_at);
	ompp_proto_number(&w->inner, FUNCTION_FILE, file_at);
	ompp_proto_number(&w->inner, FUNCTION_START_LINE, line);
	put_inner(w, PROFILE_FUNCTION);
	ompp_proto_number(&w->innermost, LINE_FUNCTION, id);
	ompp_proto_number(&w->innermost, LINE_NUMBER, line);
	ompp_proto_number(&w->inner, LOCATION_ID, id);
	ompp_proto_number(&w->inner, LOCATION_MAPPING, THE_MAPPING);
	ompp_proto_move(&w->inner, LOCATION_LINE, &w->innermost);
	put_inner(w, PROFILE_LOCATION);
}

static void put_functions(struct pprof *w)
{
	const struct ompp_profile *p = w->a->profile;

	if (p->n_nodes)
		put_function(w, 1, w->stacks.names[0], "", 0);
	for (uint32_t r = 0; r < p->n_regions; r++)
		for (int kind = 0; kind < 2; kind++) {
			uint32_t node = w->a->same_first[kind][r];

			if (node != OMPP_NONE && node)
				put_function(w, function_of_node(w, node), w->stacks.names[node], p->regions[r].file,
				             p->regions[r].begin_line);
		}
	for (int part = OMPP_STACK_WAITING; part < OMPP_N_STACK_PARTS; part++)
		put_function(w, function_of_part(w, part), ompp_stack_part_name(part), "", 0);
	for (uint32_t i = 0; i < w->functions.n; i++) {
		const struct ompp_hot_spot *spot = &p->hot_spots[w->functions.spot_of[i]];

		put_function(w, function_of_spot(w, spot), w->functions.names[w->functions.spot_of[i]], spot->file, 0);
	}
}

/* The program, which all locations are in: says that nobody needs to look for their names. */
static void put_mapping(struct pprof *w)
{
	int64_t file_at = pprof_string(w, w->a->profile->app);

	ompp_proto_number(&w->inner, MAPPING_ID, THE_MAPPING);
	ompp_proto_number(&w->inner, MAPPING_FILE, file_at);
	ompp_proto_number(&w->inner, MAPPING_HAS_FUNCTIONS, 1);
	ompp_proto_number(&w->inner, MAPPING_HAS_FILES, 1);
	ompp_proto_number(&w->inner, MAPPING_HAS_LINES, 1);
	put_inner(w, PROFILE_MAPPING);
}

/* ---- samples ---- */

/* Writes a sample of a row at a path, whose last frame is above that of the path (0 for none); with the executions and
 * counters of a cell, where there is one. */
static void put_sample(struct pprof *w, uint32_t node, uint32_t row, int64_t last, int64_t ns,
                       const struct ompp_cell *cell)
{
	const struct ompp_profile *p = w->a->profile;

	if (last)
		ompp_proto_element(&w->inner, SAMPLE_LOCATION, last);
	for (uint32_t at = node; at; at = p->nodes[at].parent)
		ompp_proto_element(&w->inner, SAMPLE_LOCATION, function_of_node(w, at));
	ompp_proto_element(&w->inner, SAMPLE_LOCATION, 1);
	ompp_proto_element(&w->inner, SAMPLE_VALUE, ns);
	ompp_proto_element(&w->inner, SAMPLE_VALUE, cell ? ompp_count(cell->n_exec) : 0);
	for (size_t m = 0; m < p->n_metrics; m++)
		if (w->counts[m])
			ompp_proto_element(&w->inner, SAMPLE_VALUE, cell ? w->counts[m][cell - p->cells] : 0);
	ompp_proto_number(&w->innermost, LABEL_KEY, w->thread_key);
	ompp_proto_number(&w->innermost, LABEL_TEXT, w->labels[row]);
	ompp_proto_move(&w->inner, SAMPLE_LABEL, &w->innermost);
	put_inner(w, PROFILE_SAMPLE);
}

/* Writes the work of a row at a path: at the region what is in no function, with executions and counters.  Returns 0 or
 * -ENOMEM. */
static int put_work(struct pprof *w, uint32_t node, uint32_t row, int64_t ns, const struct ompp_cell *cell)
{
	struct ompp_stack_works works = { NULL, 0 };
	int64_t own_ns = 0;

	if (ns && ompp_stack_works(w->a, node, row, ns, &works))
		return -ENOMEM;
	for (size_t i = 0; i < works.n; i++)
		own_ns = ompp_add(own_ns, works.list[i].spot ? 0 : works.list[i].ns);
	if (own_ns || cell)
		put_sample(w, node, row, 0, own_ns, cell);
	for (size_t i = 0; i < works.n; i++)
		if (works.list[i].spot)
			put_sample(w, node, row, function_of_spot(w, works.list[i].spot), works.list[i].ns, NULL);
	return 0;
}

static int put_samples(struct pprof *w)
{
	const struct ompp_profile *p = w->a->profile;
	int rc = 0;

	if (p->n_rows && w->stacks.serial_ns) /* the first thread's work outside of all regions */
		rc = put_work(w, 0, 0, w->stacks.serial_ns, NULL);
	for (uint32_t i = 1; i < p->n_nodes; i++)
		for (uint32_t k = 0; k < p->nodes[i].n_cells && !rc; k++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[i].first_cell + k];
			const int64_t *parts = w->stacks.parts[cell - p->cells];

			rc = put_work(w, i, cell->row, parts[OMPP_STACK_WORK], cell);
			for (int part = OMPP_STACK_WAITING; part < OMPP_N_STACK_PARTS; part++)
				if (parts[part])
					put_sample(w, i, cell->row, function_of_part(w, part), parts[part], NULL);
		}
	return rc;
}

static int pprof_init(struct pprof *w)
{
	const struct ompp_profile *p = w->a->profile;

	w->message.arena = w->inner.arena = w->innermost.arena = w->a->arena;
	w->counts = ompp_arena_alloc(w->a->arena, (p->n_metrics + 1) * sizeof(*w->counts));
	w->labels = ompp_arena_alloc(w->a->arena, (p->n_rows + 1) * sizeof(*w->labels));
	if (!w->counts || !w->labels || ompp_stacks(w->a, &w->stacks))
		return -ENOMEM;
	for (size_t m = 0; m < p->n_metrics; m++)
		if (ompp_path_counts_known(p, m)) {
			w->counts[m] = ompp_path_counts_own(w->a, m);
			if (!w->counts[m])
				return -ENOMEM;
		}
	return ompp_stack_functions(w->a, &w->functions);
}

static int write_pprof(const struct ompp_analysis *a, struct ompp_out *out)
{
	struct pprof w = { .a = a, .out = out };
	const struct ompp_profile *p = a->profile;
	int rc = pprof_init(&w);

	if (rc)
		return rc;
	pprof_string(&w, "");
	put_types(&w);
	put_comments(&w);
	put_mapping(&w);
	w.thread_key = pprof_string(&w, "thread");
	for (size_t row = 0; row < p->n_rows; row++)
		w.labels[row] = pprof_string(&w, p->rows[row].label);
	put_functions(&w);
	rc = put_samples(&w);
	ompp_proto_number(&w.message, PROFILE_TIME_NS, p->start_unix_ns);
	ompp_proto_number(&w.message, PROFILE_DURATION_NS, p->duration_ns);
	pprof_flush(&w);
	return rc ? rc : w.message.is_short ? -ENOMEM : 0;
}

const struct ompp_exchange ompp_exchange_pprof = { .write = write_pprof, .is_binary = 1 };
