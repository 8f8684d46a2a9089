/*
 * Folded: a line for each call path, its frames from the program down with semicolons between them, and the
 * nanoseconds of all threads there, as flame graphs (FlameGraph, speedscope, inferno) read it.  Where processor time
 * was sampled, functions are the last frames of work.
 *
 * Folded path: the same lines with how much of the run's longest path each call path has.  Samples do not tell which
 * work was on it, so it has no functions.
 */
#include "reports/exchange/exchange.h"

#include <errno.h>
#include <string.h>

#include "reports/bounds/path_times.h"
#include "reports/exchange/stacks.h"
#include "runtime/base/text.h"

enum { NAME_BYTES = 512 };

static void put_count(struct ompp_out *out, int64_t n)
{
	ompp_out_char(out, ' ');
	ompp_out_number(out, n);
	ompp_out_char(out, '\n');
}

/* A semicolon would end the frame. */
static void put_frame(struct ompp_out *out, const char *name)
{
	for (; *name; name++)
		ompp_out_char(out, *name == ';' ? ':' : *name);
}

/* Writes the frames down to a path, whose level is the deepest. */
static void put_stack(const struct ompp_analysis *a, const struct ompp_stacks *s, uint32_t node, struct ompp_out *out)
{
	for (uint32_t level = 0; level <= a->level[node]; level++) {
		uint32_t at = node;

		while (a->level[at] > level)
			at = a->profile->nodes[at].parent;
		if (level)
			ompp_out_char(out, ';');
		put_frame(out, s->names[at]);
	}
}

/* Writes the work at a path, divided among functions.  Returns 0 or -ENOMEM. */
static int put_work(const struct ompp_analysis *a, const struct ompp_stacks *s, uint32_t node, int64_t ns,
                    struct ompp_out *out)
{
	struct ompp_stack_works works;
	char name[NAME_BYTES];
	struct ompp_text t;

	if (ompp_stack_works(a, node, OMPP_NONE, ns, &works))
		return -ENOMEM;
	for (size_t i = 0; i < works.n; i++) {
		put_stack(a, s, node, out);
		if (works.list[i].spot) {
			ompp_text_init(&t, name, sizeof(name));
			ompp_hot_put_function(&t, works.list[i].spot);
			ompp_out_char(out, ';');
			put_frame(out, name);
		}
		put_count(out, works.list[i].ns);
	}
	return 0;
}

static int write_folded(const struct ompp_analysis *a, struct ompp_out *out)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_stacks s;
	int rc = ompp_stacks(a, &s);

	for (uint32_t i = 0; i < p->n_nodes && !rc; i++) {
		int64_t sums[OMPP_N_STACK_PARTS] = { i ? 0 : s.serial_ns };

		for (uint32_t k = 0; i && k < p->nodes[i].n_cells; k++)
			for (int part = 0; part < OMPP_N_STACK_PARTS; part++)
				sums[part] = ompp_add(sums[part], s.parts[p->nodes[i].first_cell + k][part]);
		for (int part = 0; part < OMPP_N_STACK_PARTS; part++) {
			if (!sums[part])
				continue;
			if (part == OMPP_STACK_WORK) {
				rc = put_work(a, &s, i, sums[part], out);
				continue;
			}
			put_stack(a, &s, i, out);
			ompp_out_char(out, ';');
			ompp_out_str(out, ompp_stack_part_name(part));
			put_count(out, sums[part]);
		}
	}
	return rc;
}

const struct ompp_exchange ompp_exchange_folded = { .write = write_folded };

/* "[others]": time of which the call path is not kept. */
static int write_folded_path(const struct ompp_analysis *a, struct ompp_out *out)
{
	const struct ompp_profile *p = a->profile;
	const int64_t *ns = ompp_path_times(a);
	struct ompp_stacks s;
	int rc = ns ? ompp_stacks(a, &s) : -ENOMEM;

	for (uint32_t i = 0; i < p->n_nodes && !rc; i++) {
		if (!ns[i])
			continue;
		put_stack(a, &s, i, out);
		put_count(out, ns[i]);
	}
	if (!rc && p->span_rest_ns && p->span_rest_ns != OMPP_MISSING) {
		put_stack(a, &s, 0, out);
		ompp_out_str(out, ";[others]");
		put_count(out, p->span_rest_ns);
	}
	return rc;
}

static const char *folded_path_lacks(const struct ompp_profile *p)
{
	return ompp_has_path_times(p) ? NULL
	                              : "has no longest path, which this format shows; measure with OMPP_SPAN=1, and "
	                                "show one process alone";
}

const struct ompp_exchange ompp_exchange_folded_path = { .write = write_folded_path, .lacks = folded_path_lacks };
