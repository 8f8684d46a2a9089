/*
 * Speedscope: the file format of the viewer speedscope: a weighted list of stacks for each thread.
 */
#include "reports/exchange/exchange.h"

#include "config.h"
#include "reports/exchange/quote.h"
#include "reports/exchange/stacks.h"
#include "runtime/base/text.h"

static void put_bytes(void *out, const char *bytes, size_t n_bytes)
{
	ompp_out_write(out, bytes, n_bytes);
}

static void put_text(struct ompp_out *out, const char *text)
{
	ompp_json_quote(text, put_bytes, out);
}

static void put_number(struct ompp_out *out, int64_t n)
{
	char buffer[32];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_i64(&t, n);
	ompp_out_str(out, buffer);
}

/* Writes the frames: one for each path, by its number, so that a region below two others has two frames of one name;
 * then the frames of parts that are not work. */
static void put_frames(const struct ompp_profile *p, const struct ompp_stacks *s, struct ompp_out *out)
{
	ompp_out_str(out, "\"shared\":{\"frames\":[");
	for (uint32_t i = 0; i < p->n_nodes; i++) {
		const struct ompp_region *region = i ? &p->regions[p->nodes[i].region] : NULL;

		ompp_out_str(out, i ? ",\n{\"name\":" : "\n{\"name\":");
		put_text(out, s->names[i]);
		if (region && region->file[0]) {
			ompp_out_str(out, ",\"file\":");
			put_text(out, region->file);
		}
		if (region && region->begin_line) {
			ompp_out_str(out, ",\"line\":");
			put_number(out, region->begin_line);
		}
		ompp_out_char(out, '}');
	}
	for (int part = OMPP_STACK_WAITING; part < OMPP_N_STACK_PARTS; part++) {
		ompp_out_str(out, ",\n{\"name\":");
		put_text(out, ompp_stack_part_name(part));
		ompp_out_char(out, '}');
	}
	ompp_out_str(out, "]},\n");
}

/* The stacks of samples and their weights are separate lists, made by the same walk. */
struct lists {
	const struct ompp_analysis *a;
	const struct ompp_stacks *s;
	struct ompp_out *out;
	int64_t sum_ns;
	int n;
};

static void put_stack(struct lists *l, uint32_t node, int part)
{
	const struct ompp_analysis *a = l->a;

	ompp_out_str(l->out, l->n++ ? ",[" : "[");
	for (uint32_t level = 0; level <= a->level[node]; level++) {
		uint32_t at = node;

		while (a->level[at] > level)
			at = a->profile->nodes[at].parent;
		ompp_out_str(l->out, level ? "," : "");
		put_number(l->out, at);
	}
	if (part) {
		ompp_out_char(l->out, ',');
		put_number(l->out, (int64_t)a->profile->n_nodes + part - 1);
	}
	ompp_out_char(l->out, ']');
}

static void put_weight(struct lists *l, int64_t ns)
{
	ompp_out_str(l->out, l->n++ ? "," : "");
	put_number(l->out, ns);
	l->sum_ns = ompp_add(l->sum_ns, ns);
}

/* Writes the stacks of a thread, or their weights. */
static void put_list(struct lists *l, uint32_t row, int is_weights)
{
	const struct ompp_profile *p = l->a->profile;

	l->n = 0;
	l->sum_ns = 0;
	if (!row && l->s->serial_ns) { /* the first thread's work outside of all regions */
		if (is_weights)
			put_weight(l, l->s->serial_ns);
		else
			put_stack(l, 0, OMPP_STACK_WORK);
	}
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct ompp_cell *cell = ompp_analysis_cell(p, i, row);

		for (int part = 0; cell && part < OMPP_N_STACK_PARTS; part++) {
			int64_t ns = l->s->parts[cell - p->cells][part];

			if (ns && is_weights)
				put_weight(l, ns);
			else if (ns)
				put_stack(l, i, part);
		}
	}
}

static int write_speedscope(const struct ompp_analysis *a, struct ompp_out *out)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_stacks s;
	struct lists l = { a, &s, out, 0, 0 };
	int rc = ompp_stacks(a, &s);

	if (rc)
		return rc;
	ompp_out_str(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":");
	put_text(out, "ompp " PACKAGE_VERSION);
	ompp_out_str(out, ",\n\"name\":");
	put_text(out, s.names[0]);
	ompp_out_str(out, ",\n\"activeProfileIndex\":0,\n");
	put_frames(p, &s, out);
	ompp_out_str(out, "\"profiles\":[");
	for (uint32_t row = 0; row < p->n_rows; row++) {
		ompp_out_str(out, row ? ",\n{\"type\":\"sampled\",\"name\":" : "\n{\"type\":\"sampled\",\"name\":");
		put_text(out, p->rows[row].label);
		ompp_out_str(out, ",\"unit\":\"nanoseconds\",\"startValue\":0,\n\"samples\":[");
		put_list(&l, row, 0);
		ompp_out_str(out, "],\n\"weights\":[");
		put_list(&l, row, 1);
		ompp_out_str(out, "],\"endValue\":");
		put_number(out, l.sum_ns);
		ompp_out_char(out, '}');
	}
	ompp_out_str(out, "]}\n");
	return 0;
}

const struct ompp_exchange ompp_exchange_speedscope = { write_speedscope };
