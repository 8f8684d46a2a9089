/*
 * Example: the profile with samples, with names that strangers might have chosen.
 */
#include <string.h>

#include "runtime/base/array.h"
#include "tests/golden/example.h"

static const char nasty[] = "</script><img src=x onerror=alert(1)>'\"\\\n\r\t\x1b[31m=cmd|' /C calc'!A1;\xe2\x80\xae"
			    "gpj\xe2\x80\xa8,{}[]\xff\xf0\x9f\x98\x80;root;x 1";

void example_hostile_profile(struct ompp_profile *p)
{
	static const struct ompp_profile_note note = { nasty, 2 };
	static const struct ompp_condition condition = { nasty, nasty };
	static struct ompp_region regions[32];
	static struct ompp_row rows[16];
	static struct ompp_object objects[16];
	static struct ompp_metric metrics[8];
	static struct ompp_access accesses[64];
	static struct ompp_sampled_line lines[32];

	example_sample_profile(p);
	p->app = nasty;
	p->filter = nasty;
	p->notes = &note;
	p->conditions = &condition;
	p->n_notes = p->n_conditions = 1;
	memcpy(regions, p->regions, p->n_regions * sizeof(*regions));
	for (size_t i = 0; i < p->n_regions; i++) {
		regions[i].name = regions[i].clauses = regions[i].sites = nasty;
		regions[i].file = i % 2 ? nasty : "/etc/../=x;y z.c";
	}
	p->regions = regions;
	memcpy(rows, p->rows, p->n_rows * sizeof(*rows));
	p->rows = rows;
	memcpy(objects, p->objects, p->n_objects * sizeof(*objects));
	objects[2].name = nasty;
	objects[3].name = "=1+1";
	p->objects = objects;
	memcpy(metrics, p->metrics, p->n_metrics * sizeof(*metrics));
	metrics[0].name = metrics[0].detail = nasty;
	p->metrics = metrics;
	memcpy(accesses, p->accesses, p->n_accesses * sizeof(*accesses));
	accesses[0].values[OMPP_ACCESS_LOADS] = (INT64_C(1) << 53) - 1;
	accesses[0].values[OMPP_ACCESS_STORES] = INT64_C(1) << 53;
	accesses[0].values[OMPP_ACCESS_LOAD_BYTES] = INT64_MAX;
	p->accesses = accesses;
	memcpy(lines, p->sample_lines, p->n_sample_lines * sizeof(*lines));
	for (size_t i = 0; i < p->n_sample_lines; i++)
		lines[i].file = lines[i].function = nasty;
	p->sample_lines = lines;
}
