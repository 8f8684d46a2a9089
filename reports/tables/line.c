/*
 * Line: see line.h.
 */
#include "reports/tables/line.h"

#include <errno.h>
#include <string.h>

void ompp_line_add(const struct ompp_profile *profile, struct ompp_line *sum, const struct ompp_line *line)
{
	sum->n_rows++;
	ompp_cell_add(&sum->cell, &line->cell);
	sum->exclusive_ns = ompp_add_known(sum->exclusive_ns, line->exclusive_ns);
	sum->exclusive_error_ns = ompp_error_add(sum->exclusive_error_ns, line->exclusive_error_ns);
	for (size_t m = 0; m < profile->n_metrics; m++) {
		sum->values[m] = ompp_add_known(sum->values[m], line->values[m]);
		sum->exclusive_values[m] = ompp_add_known(sum->exclusive_values[m], line->exclusive_values[m]);
	}
}

int ompp_line_init(const struct ompp_profile *profile, struct ompp_line *line, struct ompp_arena *arena)
{
	memset(line, 0, sizeof(*line));
	line->label = "";
	line->values = ompp_arena_alloc(arena, profile->n_metrics * sizeof(int64_t));
	line->exclusive_values = ompp_arena_alloc(arena, profile->n_metrics * sizeof(int64_t));
	return line->values && line->exclusive_values ? 0 : -ENOMEM;
}

void ompp_line_clear(const struct ompp_profile *profile, struct ompp_line *line)
{
	line->n_rows = 0;
	memset(&line->cell, 0, sizeof(line->cell));
	line->exclusive_ns = line->exclusive_error_ns = 0;
	memset(line->values, 0, profile->n_metrics * sizeof(int64_t));
	memset(line->exclusive_values, 0, profile->n_metrics * sizeof(int64_t));
}
