/*
 * History: see history.h.
 */
#include "reports/compare/history.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "reports/compare/diff_values.h"
#include "reports/compare/document.h"
#include "reports/exchange/quote.h"

static const double all_level = 0.05, least_share = 0.01;

const char *ompp_history_course(const struct ompp_history_series *series)
{
	static const char *const names[] = { "few", "steady", "changed", "drift" };

	return series->is_tested ? names[series->points.course] : "small";
}

/* ---- versions ---- */

static const char *history_text(const char *text)
{
	return text ? text : "";
}

/* Returns "2026-11-29 22:15:30", in UTC, for a run without a stamp. */
static const char *history_time(int64_t unix_ns, struct ompp_arena *arena)
{
	time_t s = (time_t)(unix_ns / 1000000000);
	struct tm parts;
	char buffer[64];

	if (!gmtime_r(&s, &parts) || !strftime(buffer, sizeof(buffer), "%Y-%m-%d %H:%M:%S", &parts))
		snprintf(buffer, sizeof(buffer), "%lld", (long long)s);
	return ompp_arena_strdup(arena, buffer);
}

static int history_is_of(const struct ompp_version *v, const struct ompp_profile *p)
{
	return history_text(p->build_stamp)[0] && !strcmp(v->name, p->build_stamp) &&
	       !strcmp(v->commit, history_text(p->build_commit));
}

/* Is version a before b?  by_commit: 1 when all have the time of their commit */
static int history_is_before(const struct ompp_version *a, const struct ompp_version *b, int by_commit)
{
	if (by_commit && a->commit_unix_s != b->commit_unix_s)
		return a->commit_unix_s < b->commit_unix_s;
	return a->start_unix_ns < b->start_unix_ns;
}

/* Finds the versions, and numbers[i], which of them run i is of, before they are sorted. */
static int find_versions(struct ompp_history *h, const struct ompp_profile *profiles, size_t *numbers,
                         struct ompp_arena *arena)
{
	for (size_t i = 0; i < h->n_runs; i++) {
		const struct ompp_profile *p = &profiles[i];
		struct ompp_version *v;
		size_t k = 0;

		while (k < h->n_versions && !history_is_of(&h->versions[k], p))
			k++;
		v = &h->versions[k];
		numbers[i] = k;
		if (k == h->n_versions) {
			h->n_versions++;
			*v = (struct ompp_version){ .name = p->build_stamp,
				                    .commit = history_text(p->build_commit),
				                    .commit_unix_s = p->build_commit_unix_s > 0 ? p->build_commit_unix_s
				                                                                : OMPP_MISSING,
				                    .start_unix_ns = p->start_unix_ns };
			if (!history_text(v->name)[0])
				v->name = history_time(p->start_unix_ns, arena);
			if (!v->name)
				return -ENOMEM;
		}
		v->n++;
		if (p->start_unix_ns < v->start_unix_ns)
			v->start_unix_ns = p->start_unix_ns;
	}
	return 0;
}

/* Sorts the versions, and the profiles by them.  Runs of one version stay in the order in which they were given. */
static int sort_versions(struct ompp_history *h, struct ompp_profile *profiles, const size_t *numbers,
                         struct ompp_arena *arena)
{
	size_t *order = ompp_arena_alloc(arena, (h->n_versions + 1) * sizeof(*order)), n_put = 0;
	struct ompp_profile *sorted = ompp_arena_alloc(arena, (h->n_runs + 1) * sizeof(*sorted));
	struct ompp_version *versions = ompp_arena_alloc(arena, (h->n_versions + 1) * sizeof(*versions));
	int by_commit = 1;

	if (!order || !sorted || !versions)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_versions; i++)
		by_commit &= h->versions[i].commit_unix_s != OMPP_MISSING;
	for (size_t i = 0; i < h->n_versions; i++) {
		size_t k = i;

		for (; k && history_is_before(&h->versions[i], &h->versions[order[k - 1]], by_commit); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (size_t k = 0; k < h->n_versions; k++) {
		versions[k] = h->versions[order[k]];
		versions[k].first = n_put;
		for (size_t i = 0; i < h->n_runs; i++)
			if (numbers[i] == order[k])
				sorted[n_put++] = profiles[i];
	}
	memcpy(profiles, sorted, h->n_runs * sizeof(*profiles));
	h->versions = versions;
	return 0;
}

/* ---- series ---- */

static int take_series(struct ompp_history *h, struct ompp_diff_values *d, size_t subject, struct ompp_arena *arena)
{
	struct ompp_history_series *s = &h->series[h->n_series++];
	const struct ompp_diff_subject *told = &d->subjects[subject].told;
	double *room = ompp_arena_alloc(arena, (h->n_runs + 1) * sizeof(*room));

	s->name = subject ? told->name_b ? told->name_b : told->name_a : "wall time";
	s->ns = ompp_diff_times(d, subject);
	s->median_ns = ompp_arena_alloc(arena, (h->n_versions + 1) * sizeof(*s->median_ns));
	if (!room || !s->median_ns || !s->name)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_runs; i++) {
		double all = subject ? (double)d->analyses[i].capacity_ns : s->ns[i], share = s->ns[i] / all;

		if (all > 0 && share > s->share)
			s->share = share;
	}
	s->is_tested = !subject || s->share >= least_share;
	for (size_t v = 0; v < h->n_versions; v++) {
		size_t n = 0;

		for (size_t i = 0; i < h->versions[v].n; i++)
			if (!isnan(s->ns[h->versions[v].first + i]))
				room[n++] = s->ns[h->versions[v].first + i];
		s->median_ns[v] = ompp_median(room, n);
	}
	return 0;
}

/* Those that changed come first, then those that drift, and of each kind the longest. */
static int series_rank(const struct ompp_history_series *s)
{
	return s->points.n ? 2 : s->points.course == OMPP_VERSIONS_DRIFT;
}

static int series_is_before(const struct ompp_history_series *a, const struct ompp_history_series *b)
{
	if (series_rank(a) != series_rank(b))
		return series_rank(a) > series_rank(b);
	return a->share > b->share;
}

static void sort_series(struct ompp_history *h)
{
	for (size_t i = 2; i < h->n_series; i++)
		for (size_t k = i; k > 1 && series_is_before(&h->series[k], &h->series[k - 1]); k--) {
			struct ompp_history_series swap = h->series[k];

			h->series[k] = h->series[k - 1];
			h->series[k - 1] = swap;
		}
}

static int test_series(struct ompp_history *h, double least, struct ompp_arena *arena)
{
	size_t *numbers = ompp_arena_alloc(arena, (h->n_runs + 1) * sizeof(*numbers)), n_tested = 0;
	int rc = numbers ? 0 : -ENOMEM;

	for (size_t v = 0; v < h->n_versions && !rc; v++)
		for (size_t i = 0; i < h->versions[v].n; i++)
			numbers[h->versions[v].first + i] = v;
	for (size_t i = 0; i < h->n_series; i++)
		n_tested += (size_t)h->series[i].is_tested;
	h->n_small = h->n_series - n_tested;
	h->level = n_tested ? all_level / (double)n_tested : all_level;
	for (size_t i = 0; i < h->n_series && !rc; i++)
		if (h->series[i].is_tested)
			rc = ompp_change_points(h->series[i].ns, numbers, h->n_runs, h->level, least, arena,
			                        &h->series[i].points);
	return rc;
}

int ompp_history(struct ompp_profile *profiles, size_t n, double least, struct ompp_arena *arena,
                 struct ompp_history *h)
{
	static const struct ompp_diff_options nothing = { .level = 0.05 };
	size_t *numbers = ompp_arena_alloc(arena, (n + 1) * sizeof(*numbers)), n_before;
	struct ompp_diff_values d;
	int rc;

	*h = (struct ompp_history){ .n_runs = n };
	h->versions = ompp_arena_alloc(arena, (n + 1) * sizeof(*h->versions));
	if (!numbers || !h->versions)
		return -ENOMEM;
	rc = find_versions(h, profiles, numbers, arena);
	if (!rc)
		rc = sort_versions(h, profiles, numbers, arena);
	if (rc)
		return rc;
	n_before = h->versions[h->n_versions - 1].first; /* names are those of the newest version */
	rc = ompp_diff_values_take(&d, profiles, n_before ? n_before : n, n, &nothing, arena);
	if (rc)
		return rc;
	h->series = ompp_arena_alloc(arena, (d.n_subjects + 1) * sizeof(*h->series));
	if (!h->series)
		return -ENOMEM;
	memset(h->series, 0, (d.n_subjects + 1) * sizeof(*h->series));
	for (size_t s = 0; s < d.n_subjects && !rc; s++)
		if (d.subjects[s].kind == OMPP_COMPARED_PROGRAM || d.subjects[s].kind == OMPP_COMPARED_REGION)
			rc = take_series(h, &d, s, arena);
	if (!rc)
		rc = test_series(h, least, arena);
	sort_series(h);
	return rc;
}

/* ---- JSON ---- */

struct put {
	const struct ompp_history *history;
	const char *app;
	size_t n_left_out;
};

static void put_versions(struct ompp_embed *e, const struct ompp_history *h)
{
	ompp_embed_key(e, "versions");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < h->n_versions; i++) {
		const struct ompp_version *v = &h->versions[i];

		ompp_embed_line(e);
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "name", v->name);
		ompp_embed_text_of(e, "commit", v->commit);
		ompp_embed_number_of(e, "commit_unix_s", v->commit_unix_s);
		ompp_embed_number_of(e, "start_unix_ns", v->start_unix_ns);
		ompp_embed_number_of(e, "runs", (int64_t)v->n);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

static void put_series(struct ompp_embed *e, const struct ompp_history *h, const struct ompp_history_series *s)
{
	int is_drift = s->points.course == OMPP_VERSIONS_DRIFT;

	ompp_embed_line(e);
	ompp_embed_open(e, '{');
	ompp_embed_text_of(e, "name", s->name);
	ompp_embed_double_of(e, "share", s->share);
	ompp_embed_text_of(e, "course", ompp_history_course(s));
	ompp_embed_doubles_of(e, "run_ns", s->ns, h->n_runs);
	ompp_embed_doubles_of(e, "median_ns", s->median_ns, h->n_versions);
	ompp_embed_double_of(e, "drift", is_drift ? s->points.drift : NAN);
	ompp_embed_double_of(e, "drift_from", is_drift ? s->points.drift_low : NAN);
	ompp_embed_double_of(e, "drift_to", is_drift ? s->points.drift_high : NAN);
	ompp_embed_key(e, "changes");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < s->points.n; i++) {
		const struct ompp_change_point *c = &s->points.list[i];

		ompp_embed_open(e, '{');
		ompp_embed_number_of(e, "version_index", (int64_t)c->at);
		ompp_embed_number_of(e, "version_index_from", (int64_t)c->from);
		ompp_embed_number_of(e, "version_index_to", (int64_t)c->to);
		ompp_embed_double_of(e, "ratio", c->ratio);
		ompp_embed_double_of(e, "ratio_from", c->low);
		ompp_embed_double_of(e, "ratio_to", c->high);
		ompp_embed_double_of(e, "p", c->p);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

static void put_history(struct ompp_embed *e, const void *of)
{
	const struct put *put = of;
	const struct ompp_history *h = put->history;

	ompp_embed_document(e, "ompp-history");
	ompp_embed_text_of(e, "app", put->app);
	ompp_embed_double_of(e, "level", h->level);
	ompp_embed_number_of(e, "left_out", (int64_t)put->n_left_out);
	put_versions(e, h);
	ompp_embed_key(e, "series");
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < h->n_series; i++)
		put_series(e, h, &h->series[i]);
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

static struct ompp_document document_of(const struct put *put)
{
	return (struct ompp_document){ "history", put->app, &ompp_page_history, put_history, put };
}

int ompp_history_json(const struct ompp_history *history, const char *app, size_t n_left_out, int fd,
                      struct ompp_arena *scratch)
{
	struct put put = { history, app, n_left_out };
	struct ompp_document d = document_of(&put);

	return ompp_document_json(&d, fd, scratch);
}

int ompp_history_page(const struct ompp_history *history, const char *app, size_t n_left_out, int fd,
                      struct ompp_arena *scratch)
{
	struct put put = { history, app, n_left_out };
	struct ompp_document d = document_of(&put);

	return ompp_document_page(&d, fd, scratch);
}
