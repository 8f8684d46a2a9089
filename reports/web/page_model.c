/*
 * Page model: see page_model.h.
 */
#include "reports/web/page_model.h"

#include <errno.h>

#include "config.h"
#include "reports/analysis/classes.h"
#include "reports/analysis/label.h"
#include "reports/analysis/untimed.h"
#include "reports/bounds/path_times.h"
#include "reports/bounds/reuse_curve.h"
#include "reports/findings/findings.h"
#include "reports/tables/table_region.h"
#include "runtime/base/array.h"

static void put_run(struct ompp_embed *e, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;

	ompp_embed_key(e, "run");
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "app", p->app);
	ompp_embed_text_of(e, "ompp", PACKAGE_VERSION);
	ompp_embed_text_of(e, "runtime", p->version);
	ompp_embed_text_of(e, "clock", p->clock);
	ompp_embed_number_of(e, "duration", p->duration_ns);
	ompp_embed_number_of(e, "measured", a->measured_ns);
	ompp_embed_number_of(e, "capacity", a->capacity_ns);
	ompp_embed_number_of(e, "user", p->user_ns);
	ompp_embed_number_of(e, "system", p->system_ns);
	ompp_embed_number_of(e, "off", p->off_ns);
	ompp_embed_number_of(e, "threads", a->n_threads);
	ompp_embed_number_of(e, "cost", p->cost_ns);
	ompp_embed_number_of(e, "costLeast", p->cost_least_ns);
	ompp_embed_number_of(e, "costMost", p->cost_most_ns);
	ompp_embed_number_of(e, "final", p->final);
	ompp_embed_number_of(e, "signal", p->signal);
	ompp_embed_number_of(e, "processes", p->n_merged);
	ompp_embed_number_of(e, "hooked", p->hooked);
	ompp_embed_number_of(e, "propertyMin", a->property_min);
	ompp_embed_number_of(e, "whole", a->n_order == p->n_regions);
	if (p->n_distances) {
		ompp_embed_number_of(e, "l1Bytes", ompp_reuse_level(p, 0));
		ompp_embed_number_of(e, "l2Bytes", ompp_reuse_level(p, 1));
		ompp_embed_number_of(e, "l3Bytes", ompp_reuse_level(p, 2));
	}
	ompp_embed_text_of(e, "dataMethod", p->data_method);
	ompp_embed_text_of(e, "sampleSource", p->sample_source);
	ompp_embed_text_of(e, "sampleLatencies", p->sample_latencies);
	ompp_embed_close(e, '}');
}

static void put_metrics(struct ompp_embed *e, const struct ompp_profile *p)
{
	ompp_embed_key(e, "metrics");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < p->n_metrics; i++) {
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "name", p->metrics[i].name);
		ompp_embed_text_of(e, "unit", p->metrics[i].unit);
		ompp_embed_text_of(e, "certainty", ompp_certainty_name(p->metrics[i].certainty));
		ompp_embed_text_of(e, "detail", p->metrics[i].detail);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

/* Puts what each construct is: its name, and which times it has (enum ompp_form). */
static void put_constructs(struct ompp_embed *e)
{
	static const char *const forms[OMPP_N_FORMS] = { [OMPP_FORM_PLAIN] = "plain",
		                                         [OMPP_FORM_TARGET] = "target",
		                                         [OMPP_FORM_MESSAGE] = "message",
		                                         [OMPP_FORM_TASK] = "task",
		                                         [OMPP_FORM_TASKS] = "tasks",
		                                         [OMPP_FORM_WAIT] = "wait",
		                                         [OMPP_FORM_CRITICAL] = "critical",
		                                         [OMPP_FORM_LOCK] = "lock",
		                                         [OMPP_FORM_LOOP] = "loop",
		                                         [OMPP_FORM_SINGLE] = "single",
		                                         [OMPP_FORM_SECTIONS] = "sections",
		                                         [OMPP_FORM_TEAM] = "team",
		                                         [OMPP_FORM_TEAM_SECTIONS] = "teamsections" };

	ompp_embed_key(e, "constructs");
	ompp_embed_open(e, '[');
	for (int i = 0; i < OMPP_N_CONSTRUCTS; i++) {
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "name", ompp_construct_name((enum ompp_construct)i));
		ompp_embed_text_of(e, "form", forms[ompp_constructs[i].form]);
		ompp_embed_text_of(e, "overhead",
		                   ompp_constructs[i].overhead == OMPP_WORK
		                           ? ""
		                           : ompp_overhead_name((enum ompp_overhead)ompp_constructs[i].overhead));
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

static void put_rows(struct ompp_embed *e, const struct ompp_profile *p)
{
	ompp_embed_key(e, "rows");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < p->n_rows; i++)
		ompp_embed_text(e, p->rows[i].label);
	ompp_embed_close(e, ']');
}

static void put_error(struct ompp_embed *e, const struct ompp_cell *sum)
{
	char buffer[32];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_region_error(&t, sum);
	ompp_embed_text_of(e, "error", buffer);
}

static int put_regions(struct ompp_embed *e, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;

	ompp_embed_key(e, "regions");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < p->n_regions; i++) {
		const struct ompp_region *r = &p->regions[i];
		const char *location = ompp_region_location(a, r);

		if (!location)
			return -ENOMEM;
		ompp_embed_open(e, '{');
		ompp_embed_number_of(e, "id", r->id);
		ompp_embed_number_of(e, "construct", r->construct);
		ompp_embed_text_of(e, "place", location);
		ompp_embed_text_of(e, "file", r->file);
		ompp_embed_number_of(e, "begin", r->begin_line);
		ompp_embed_number_of(e, "end", r->end_line);
		if (r->clauses[0])
			ompp_embed_text_of(e, "clauses", r->clauses);
		if (r->sites[0])
			ompp_embed_text_of(e, "sites", r->sites);
		if (r->costly)
			ompp_embed_number_of(e, "costly", 1);
		if (a->sums[0][i].n_untimed)
			put_error(e, &a->sums[0][i]);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	return 0;
}

/* Puts an array of a number of each node. */
#define PUT_NODES(e, p, key, number) \
	do { \
		ompp_embed_key(e, key); \
		ompp_embed_open(e, '['); \
		for (uint32_t i = 0; i < (p)->n_nodes; i++) \
			ompp_embed_number(e, number); \
		ompp_embed_close(e, ']'); \
	} while (0)

static uint64_t page_model_executions(const struct ompp_profile *p, uint32_t node)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < p->nodes[node].n_cells; k++)
		if (__builtin_add_overflow(n, p->cells[p->nodes[node].first_cell + k].n_exec, &n))
			return UINT64_MAX;
	return n;
}

/* Puts the time of each node itself on the longest path, where that is known. */
static void put_longest_path(struct ompp_embed *e, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	const int64_t *ns = ompp_has_path_times(p) ? ompp_path_times(a) : NULL;

	if (ns)
		PUT_NODES(e, p, "path", ns[i]);
}

static void put_nodes(struct ompp_embed *e, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;

	ompp_embed_key(e, "nodes");
	ompp_embed_open(e, '{');
	PUT_NODES(e, p, "parent", p->nodes[i].parent == OMPP_NONE ? -1 : (int64_t)p->nodes[i].parent);
	PUT_NODES(e, p, "region", p->nodes[i].region == OMPP_NONE ? -1 : (int64_t)p->nodes[i].region);
	PUT_NODES(e, p, "construct", i ? (int64_t)p->nodes[i].construct : -1);
	PUT_NODES(e, p, "wall", a->wall_ns[i]);
	PUT_NODES(e, p, "self", ompp_analysis_exclusive_ns(a, i));
	if (a->has_untimed) {
		PUT_NODES(e, p, "wallError", ompp_untimed_wall_error_ns(a, i));
		PUT_NODES(e, p, "selfError", ompp_untimed_exclusive_error_ns(a, i));
	}
	PUT_NODES(e, p, "count", i ? ompp_count(page_model_executions(p, i)) : 1);
	PUT_NODES(e, p, "rows", p->nodes[i].n_cells);
	put_longest_path(e, a);
	ompp_embed_close(e, '}');
}

static void put_parallel(struct ompp_embed *e, const struct ompp_parallel *c)
{
	ompp_embed_number_of(e, "total", c->total_ns);
	ompp_embed_number_of(e, "own", c->own_ns);
	ompp_embed_number_of(e, "wall", c->wall_ns);
	ompp_embed_key(e, "overheads");
	ompp_embed_open(e, '[');
	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		ompp_embed_number(e, c->overhead_ns[k]);
	ompp_embed_close(e, ']');
	ompp_embed_key(e, "errors");
	ompp_embed_open(e, '[');
	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		ompp_embed_number(e, c->error_ns[k]);
	ompp_embed_close(e, ']');
}

static int put_classes(struct ompp_embed *e, const struct ompp_analysis *a)
{
	struct ompp_classes classes;
	int rc = ompp_classes(a, &classes);

	if (rc)
		return rc;
	ompp_embed_key(e, "classes");
	ompp_embed_open(e, '{');
	ompp_embed_key(e, "names");
	ompp_embed_open(e, '[');
	for (int k = 0; k < OMPP_N_OVERHEADS; k++)
		ompp_embed_text(e, ompp_overhead_name((enum ompp_overhead)k));
	ompp_embed_close(e, ']');
	ompp_embed_number_of(e, "covered", classes.covered_ns);
	ompp_embed_number_of(e, "serial", classes.serial_ns);
	ompp_embed_number_of(e, "idle", classes.idle_ns);
	ompp_embed_key(e, "sum");
	ompp_embed_open(e, '{');
	put_parallel(e, &classes.sum);
	ompp_embed_close(e, '}');
	ompp_embed_key(e, "list");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < classes.n; i++) {
		if (!a->shown[classes.list[i].region])
			continue;
		ompp_embed_open(e, '{');
		ompp_embed_number_of(e, "region", classes.list[i].region);
		put_parallel(e, &classes.list[i]);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
	return 0;
}

enum { MOST_SMALL = 200 };

static int put_finding(struct ompp_embed *e, const struct ompp_analysis *a, const struct ompp_finding *f)
{
	const char *location = ompp_finding_location(a, f);

	if (!location)
		return -ENOMEM;
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "name", f->name);
	ompp_embed_text_of(e, "meaning", f->meaning);
	ompp_embed_text_of(e, "place", location);
	ompp_embed_number_of(e, "number", f->number);
	ompp_embed_number_of(e, "region", f->region == OMPP_NONE ? -1 : (int64_t)f->region);
	ompp_embed_number_of(e, "ns", f->ns);
	ompp_embed_number_of(e, "severity", f->severity);
	ompp_embed_number_of(e, "gain", f->gain_ns);
	ompp_embed_text_of(e, "evidence", f->evidence);
	ompp_embed_text_of(e, "advice", f->advice);
	ompp_embed_close(e, '}');
	return 0;
}

/* Puts the findings, and then the first ones of those below the limit, which the page shows when it is asked to. */
static int put_findings(struct ompp_embed *e, const struct ompp_analysis *a)
{
	struct ompp_findings findings;
	int rc = ompp_findings(a, &findings);

	if (rc)
		return rc;
	ompp_embed_number_of(e, "findingsBelow", ompp_count(findings.n_below));
	ompp_embed_key(e, "findings");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < findings.n && !rc; i++)
		rc = put_finding(e, a, &findings.list[i]);
	ompp_embed_close(e, ']');
	ompp_embed_key(e, "findingsSmall");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < findings.n_below && i < MOST_SMALL && !rc; i++)
		rc = put_finding(e, a, &findings.below[i]);
	ompp_embed_close(e, ']');
	return rc;
}

static void put_notes(struct ompp_embed *e, const struct ompp_profile *p)
{
	ompp_embed_key(e, "notes");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < p->n_notes; i++) {
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "text", p->notes[i].text);
		ompp_embed_number_of(e, "n", ompp_count(p->notes[i].n));
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

int ompp_page_model(struct ompp_embed *e, const struct ompp_analysis *a)
{
	int rc;

	put_run(e, a);
	put_metrics(e, a->profile);
	put_constructs(e);
	put_rows(e, a->profile);
	put_notes(e, a->profile);
	put_nodes(e, a);
	rc = put_regions(e, a);
	if (!rc)
		rc = put_classes(e, a);
	return rc ? rc : put_findings(e, a);
}
