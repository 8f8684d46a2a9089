/*
 * Diff page: see diff_page.h.
 */
#include "reports/compare/diff_page.h"

#include <math.h>

#include "reports/compare/document.h"

static void put_text(struct ompp_embed *e, const char *key, const char *text)
{
	ompp_embed_key(e, key);
	if (text)
		ompp_embed_text(e, text);
	else
		ompp_embed_null(e);
}

static void put_side(struct ompp_embed *e, const struct ompp_diff_runs *runs, const char *key, size_t from, size_t n)
{
	const struct ompp_profile *p = &runs->profiles[from];

	ompp_embed_key(e, key);
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "app", p->app);
	ompp_embed_number_of(e, "threads", p->max_threads);
	ompp_embed_key(e, "files");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < n; i++)
		ompp_embed_text(e, runs->paths[from + i]);
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

static void put_row(struct ompp_embed *e, const struct ompp_diff *diff, const struct ompp_diff_row *row)
{
	ompp_embed_line(e);
	ompp_embed_open(e, '{');
	put_text(e, "group", ompp_diff_group_name(row->group));
	put_text(e, "measure", row->measure);
	put_text(e, "name_a", row->subject->name_a);
	put_text(e, "name_b", row->subject->name_b);
	put_text(e, "unit", row->unit);
	put_text(e, "certainty", ompp_diff_certainty_name(row));
	ompp_embed_doubles_of(e, "values_a", row->values, diff->n_a);
	ompp_embed_doubles_of(e, "values_b", row->values + diff->n_a, diff->n_b);
	ompp_embed_double_of(e, "mean_a", row->a.mean);
	ompp_embed_double_of(e, "mean_b", row->b.mean);
	ompp_embed_double_of(e, "at_most_a", row->at_most_a);
	ompp_embed_double_of(e, "at_most_b", row->at_most_b);
	ompp_embed_double_of(e, "change", row->difference.change);
	ompp_embed_double_of(e, "relative", ompp_diff_relative(row));
	ompp_embed_double_of(e, "from", row->difference.low);
	ompp_embed_double_of(e, "to", row->difference.high);
	ompp_embed_double_of(e, "adjusted_p", row->adjusted_p);
	put_text(e, "sure", ompp_diff_verdict_name(row->verdict));
	ompp_embed_close(e, '}');
}

static void put_lonely(struct ompp_embed *e, const char *key, const struct ompp_diff_subject **list, size_t n, int is_a)
{
	ompp_embed_line(e);
	ompp_embed_key(e, key);
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < n; i++) {
		ompp_embed_open(e, '{');
		put_text(e, "name", is_a ? list[i]->name_a : list[i]->name_b);
		ompp_embed_number_of(e, "exec_ns", is_a ? list[i]->ns_a : list[i]->ns_b);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

static void put_unmatched(struct ompp_embed *e, const struct ompp_diff *diff)
{
	ompp_embed_line(e);
	ompp_embed_key(e, "unmatched");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < diff->n_unmatched; i++) {
		ompp_embed_open(e, '{');
		put_text(e, "name", diff->unmatched[i].name);
		put_text(e, "why", diff->unmatched[i].why);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

static void put_tree(struct ompp_embed *e, const struct ompp_diff *diff)
{
	ompp_embed_line(e);
	ompp_embed_key(e, "tree");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < diff->tree.n; i++) {
		const struct ompp_diff_node *node = &diff->tree.nodes[i];

		ompp_embed_line(e);
		ompp_embed_open(e, '{');
		ompp_embed_number_of(e, "parent", node->parent == OMPP_NONE ? OMPP_MISSING : (int64_t)node->parent);
		put_text(e, "name", node->name);
		ompp_embed_double_of(e, "a", node->a.mean);
		ompp_embed_double_of(e, "b", node->b.mean);
		ompp_embed_double_of(e, "from", node->difference.low);
		ompp_embed_double_of(e, "to", node->difference.high);
		put_text(e, "sure", isnan(node->difference.p) ? "unknown" : node->is_sure ? "yes" : "no");
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

static void put_all(struct ompp_embed *e, const void *of)
{
	const struct ompp_diff_runs *runs = of;
	const struct ompp_diff *diff = runs->diff;

	ompp_embed_document(e, "ompp-diff");
	put_side(e, runs, "a", 0, diff->n_a);
	put_side(e, runs, "b", diff->n_a, diff->n_b);
	ompp_embed_text_of(e, "test", "Welch's t-test, corrected by Holm's method over all rows");
	ompp_embed_double_of(e, "level", diff->level);
	ompp_embed_double_of(e, "others_a", diff->others_a);
	ompp_embed_double_of(e, "others_b", diff->others_b);
	ompp_embed_key(e, "notes");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < diff->n_notes; i++)
		ompp_embed_text(e, diff->notes[i]);
	ompp_embed_close(e, ']');
	ompp_embed_key(e, "tests");
	ompp_embed_open(e, '{');
	for (int group = 0; group < OMPP_DIFF_N_GROUPS; group++)
		ompp_embed_number_of(e, ompp_diff_group_name((enum ompp_diff_group)group),
		                     (int64_t)diff->n_tests[group]);
	ompp_embed_close(e, '}');
	ompp_embed_line(e);
	ompp_embed_key(e, "rows");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < diff->n_rows; i++)
		put_row(e, diff, &diff->rows[i]);
	ompp_embed_close(e, ']');
	put_unmatched(e, diff);
	put_tree(e, diff);
	put_lonely(e, "only_a", diff->only_a, diff->n_only_a, 1);
	put_lonely(e, "only_b", diff->only_b, diff->n_only_b, 0);
	ompp_embed_close(e, '}');
}

static struct ompp_document diff_page_document(const struct ompp_diff_runs *runs)
{
	return (struct ompp_document){ "diff", runs->profiles[runs->diff->n_a].app, &ompp_page_diff, put_all, runs };
}

int ompp_diff_json(const struct ompp_diff_runs *runs, int fd, struct ompp_arena *scratch)
{
	struct ompp_document d = diff_page_document(runs);

	return ompp_document_json(&d, fd, scratch);
}

int ompp_diff_page(const struct ompp_diff_runs *runs, int fd, struct ompp_arena *scratch)
{
	struct ompp_document d = diff_page_document(runs);

	return ompp_document_page(&d, fd, scratch);
}
