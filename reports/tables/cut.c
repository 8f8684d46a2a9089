/*
 * Cut: see cut.h.
 */
#include "reports/tables/cut.h"

#include <errno.h>

#include "reports/findings/finding_say.h"
#include "runtime/base/sort.h"

int ompp_cut_init(struct ompp_cut *cut, const struct ompp_analysis *a, size_t n)
{
	*cut = (struct ompp_cut){ .n = n,
		                  .ns = ompp_analysis_array(a, n, sizeof(*cut->ns), 0),
		                  .n_rows = ompp_analysis_array(a, n, sizeof(*cut->n_rows), 0),
		                  .is_out = ompp_analysis_array(a, n, sizeof(*cut->is_out), 0) };
	return cut->ns && cut->n_rows && cut->is_out ? 0 : -ENOMEM;
}

static int is_shorter(const void *context, uint32_t x, uint32_t y)
{
	const struct ompp_cut *cut = context;

	return cut->ns[x] != cut->ns[y] ? cut->ns[x] < cut->ns[y] : x > y;
}

int ompp_cut_choose(struct ompp_cut *cut, const struct ompp_analysis *a, const struct ompp_sheet *sheet)
{
	uint64_t n_rows = 0;
	uint32_t *order;

	for (size_t i = 0; i < cut->n; i++)
		n_rows += cut->n_rows[i];
	if (sheet->prints != OMPP_IN_TEXT || !a->rows || n_rows <= a->rows)
		return 0;
	order = ompp_sorted(a->arena, cut->n, is_shorter, cut);
	if (!order)
		return -ENOMEM;
	n_rows = 0;
	for (size_t i = 0; i < cut->n; i++) {
		uint32_t block = order[i];

		if (!cut->n_rows[block])
			continue;
		n_rows += cut->n_rows[block];
		if (cut->n_blocks++ && n_rows > a->rows) {
			cut->longest_ns = cut->n_out++ ? cut->longest_ns : cut->ns[block];
			cut->is_out[block] = 1;
		}
	}
	return 0;
}

int ompp_cut_say(const struct ompp_cut *cut, const struct ompp_analysis *a, const char *what, struct ompp_sheet *sheet)
{
	struct ompp_text t;

	if (!cut->n_out)
		return 0;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "Left out: ");
	ompp_text_grouped(&t, (int64_t)cut->n_out);
	ompp_text_str(&t, " of ");
	ompp_say_count(&t, cut->n_blocks, what);
	ompp_text_str(&t, ", those of least time: the longest of them took ");
	ompp_say_time(&t, cut->longest_ns);
	ompp_text_str(&t, " of all threads' time. A section of text has at most ");
	ompp_say_count(&t, a->rows, "row");
	ompp_text_str(&t, " of threads; --rows=all shows all of them.");
	ompp_table_start(&sheet->table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(&sheet->table, "", OMPP_IN_TEXT);
	ompp_table_text(&sheet->table, t.data);
	return sheet->put(sheet);
}
