/*
 * Speedscope: the file format of the viewer speedscope: a weighted list of stacks for each thread.  Where processor
 * time was sampled, the functions of a thread's own samples are the last frames of its work.
 */
#include "reports/exchange/exchange.h"

#include <errno.h>

#include "config.h"
#include "reports/exchange/quote.h"
#include "reports/exchange/stack_functions.h"
#include "reports/exchange/stacks.h"

static void put_bytes(void *out, const char *bytes, size_t n_bytes)
{
	ompp_out_write(out, bytes, n_bytes);
}

static void put_text(struct ompp_out *out, const char *text)
{
	ompp_json_quote(text, put_bytes, out);
}

/* What the lists of all threads are made of. */
struct scope {
	const struct ompp_analysis *a;
	struct ompp_stacks stacks;
	struct ompp_stack_functions functions;
	struct ompp_out *out;
};

/* The frames, in their order: one for each path, by its number, so that a region below two others has two frames of one
 * name; the parts that are not work; the functions. */
static uint32_t frame_of_part(const struct scope *s, int part)
{
	return s->a->profile->n_nodes + (uint32_t)part - 1;
}

static uint32_t frame_of_spot(const struct scope *s, const struct ompp_hot_spot *spot)
{
	return frame_of_part(s, OMPP_N_STACK_PARTS) + s->functions.function_of[spot - s->a->profile->hot_spots];
}

static void put_frame(struct ompp_out *out, const char *name, const char *file, uint32_t line, int is_first)
{
	ompp_out_str(out, is_first ? "\n{\"name\":" : ",\n{\"name\":");
	put_text(out, name);
	if (file[0]) {
		ompp_out_str(out, ",\"file\":");
		put_text(out, file);
	}
	if (line) {
		ompp_out_str(out, ",\"line\":");
		ompp_out_number(out, line);
	}
	ompp_out_char(out, '}');
}

static void put_frames(const struct scope *s)
{
	const struct ompp_profile *p = s->a->profile;

	ompp_out_str(s->out, "\"shared\":{\"frames\":[");
	for (uint32_t i = 0; i < p->n_nodes; i++) {
		const struct ompp_region *region = i ? &p->regions[p->nodes[i].region] : NULL;

		put_frame(s->out, s->stacks.names[i], region ? region->file : "", region ? region->begin_line : 0, !i);
	}
	for (int part = OMPP_STACK_WAITING; part < OMPP_N_STACK_PARTS; part++)
		put_frame(s->out, ompp_stack_part_name(part), "", 0, 0);
	for (uint32_t i = 0; i < s->functions.n; i++) {
		uint32_t spot = s->functions.spot_of[i];

		put_frame(s->out, s->functions.names[spot], p->hot_spots[spot].file, 0, 0);
	}
	ompp_out_str(s->out, "]},\n");
}

/* The stacks of samples and their weights are separate lists, made by the same walk. */
struct lists {
	const struct scope *scope;
	int is_weights;
	int64_t sum_ns;
	int n;
};

/* Puts a stack, whose last frame is above that of the path (OMPP_NONE for none), or its weight. */
static void put_stack(struct lists *l, uint32_t node, uint32_t last, int64_t ns)
{
	const struct ompp_analysis *a = l->scope->a;
	struct ompp_out *out = l->scope->out;

	ompp_out_str(out, l->n++ ? "," : "");
	if (l->is_weights) {
		ompp_out_number(out, ns);
		l->sum_ns = ompp_add(l->sum_ns, ns);
		return;
	}
	ompp_out_char(out, '[');
	for (uint32_t level = 0; level <= a->level[node]; level++) {
		uint32_t at = node;

		while (a->level[at] > level)
			at = a->profile->nodes[at].parent;
		ompp_out_str(out, level ? "," : "");
		ompp_out_number(out, at);
	}
	if (last != OMPP_NONE) {
		ompp_out_char(out, ',');
		ompp_out_number(out, last);
	}
	ompp_out_char(out, ']');
}

/* Puts the work of a thread at a path.  Returns 0 or -ENOMEM. */
static int put_work(struct lists *l, uint32_t node, uint32_t row, int64_t ns)
{
	struct ompp_stack_works works;

	if (ompp_stack_works(l->scope->a, node, row, ns, &works))
		return -ENOMEM;
	for (size_t i = 0; i < works.n; i++) {
		const struct ompp_hot_spot *spot = works.list[i].spot;

		put_stack(l, node, spot ? frame_of_spot(l->scope, spot) : OMPP_NONE, works.list[i].ns);
	}
	return 0;
}

/* Puts the stacks of a thread, or their weights.  Returns 0 or -ENOMEM. */
static int put_list(struct lists *l, uint32_t row)
{
	const struct ompp_profile *p = l->scope->a->profile;
	const struct ompp_stacks *stacks = &l->scope->stacks;
	int rc = 0;

	if (!row && stacks->serial_ns) /* the first thread's work outside of all regions */
		rc = put_work(l, 0, 0, stacks->serial_ns);
	for (uint32_t i = 1; i < p->n_nodes && !rc; i++) {
		const struct ompp_cell *cell = ompp_analysis_cell(p, i, row);

		for (int part = 0; cell && part < OMPP_N_STACK_PARTS && !rc; part++) {
			int64_t ns = stacks->parts[cell - p->cells][part];

			if (ns && part == OMPP_STACK_WORK)
				rc = put_work(l, i, row, ns);
			else if (ns)
				put_stack(l, i, frame_of_part(l->scope, part), ns);
		}
	}
	return rc;
}

static int put_thread(const struct scope *s, uint32_t row)
{
	struct lists stacks = { .scope = s }, weights = { .scope = s, .is_weights = 1 };
	int rc;

	ompp_out_str(s->out, row ? ",\n{\"type\":\"sampled\",\"name\":" : "\n{\"type\":\"sampled\",\"name\":");
	put_text(s->out, s->a->profile->rows[row].label);
	ompp_out_str(s->out, ",\"unit\":\"nanoseconds\",\"startValue\":0,\n\"samples\":[");
	rc = put_list(&stacks, row);
	ompp_out_str(s->out, "],\n\"weights\":[");
	if (!rc)
		rc = put_list(&weights, row);
	ompp_out_str(s->out, "],\"endValue\":");
	ompp_out_number(s->out, weights.sum_ns);
	ompp_out_char(s->out, '}');
	return rc;
}

static int write_speedscope(const struct ompp_analysis *a, struct ompp_out *out)
{
	struct scope s = { .a = a, .out = out };
	int rc = ompp_stacks(a, &s.stacks);

	if (!rc)
		rc = ompp_stack_functions(a, &s.functions);
	if (rc)
		return rc;
	ompp_out_str(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":");
	put_text(out, "ompp " PACKAGE_VERSION);
	ompp_out_str(out, ",\n\"name\":");
	put_text(out, s.stacks.names[0]);
	ompp_out_str(out, ",\n\"activeProfileIndex\":0,\n");
	put_frames(&s);
	ompp_out_str(out, "\"profiles\":[");
	for (uint32_t row = 0; row < a->profile->n_rows && !rc; row++)
		rc = put_thread(&s, row);
	ompp_out_str(out, "]}\n");
	return rc;
}

const struct ompp_exchange ompp_exchange_speedscope = { .write = write_speedscope };
