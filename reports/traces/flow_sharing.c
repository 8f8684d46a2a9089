/*
 * Flow sharing: which threads access the same pages of a trace, and which objects one thread alone accesses.
 */
#include "reports/traces/flow_command.h"

enum { THREAD_BITS = 16 };

/* Accesses to a page, or an object, by thread: sums with the key number << THREAD_BITS | thread, sorted by key. */
enum { NO_THREAD = (1 << THREAD_BITS) - 1 };

static uint64_t with_thread(uint64_t number, const struct ompp_flow_event *e)
{
	return number << THREAD_BITS | (e->thread & NO_THREAD);
}

/* Returns the thread of such a key; OMPP_FLOW_NONE when it is not known. */
static uint32_t thread_in(uint64_t key)
{
	return (key & NO_THREAD) == NO_THREAD ? OMPP_FLOW_NONE : (uint32_t)(key & NO_THREAD);
}

/* Pages in the order in which they first occur. */
static struct ompp_flow_sums pages_met;

static uint64_t page_thread_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	struct ompp_flow_sum *page = ompp_flow_sum_of(&pages_met, ompp_flow_page_of(look, e));

	(void)k;
	return with_thread(page ? (uint64_t)(page - pages_met.all) : UINT32_MAX, e);
}

static uint64_t object_thread_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	return with_thread(ompp_flow_nth_object(look->flow, e, k), e);
}

/* Sums up the accesses of all threads, whatever --thread selects, as other threads may share the pages. */
static int by_thread(const struct ompp_flow_look *look, struct ompp_flow_sums *sums,
                     uint64_t (*key)(const struct ompp_flow_look *, const struct ompp_flow_event *, uint32_t),
                     int by_object)
{
	struct ompp_flow_look all = *look;

	all.filter.thread = OMPP_FLOW_NONE;
	all.threads = NULL;
	if (ompp_flow_add_up(&all, sums, key, by_object))
		return -1;
	ompp_flow_sums_sort_by_key(sums);
	return 0;
}

static int is_asked(const struct ompp_flow_look *look, uint32_t thread)
{
	if (look->threads)
		return thread != OMPP_FLOW_NONE && look->threads[thread];
	return look->filter.thread == OMPP_FLOW_NONE || look->filter.thread == thread;
}

/* Returns the index after the last sum of the same page or object in one process, whose threads have numbers of their
 * own.
 */
static size_t end_of(const struct ompp_flow_sums *sums, size_t from)
{
	size_t to = from;

	while (to < sums->n && sums->all[to].key >> THREAD_BITS == sums->all[from].key >> THREAD_BITS &&
	       sums->all[to].process == sums->all[from].process)
		to++;
	return to;
}

/* Counts one page for each pair of threads that use it; [from, to) in `by_page` are the sums of the page.  Returns 0 or
 * -1. */
static int add_pairs(const struct ompp_flow_look *look, struct ompp_flow_sums *pairs,
                     const struct ompp_flow_sums *by_page, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		for (size_t k = i + 1; k < to; k++) {
			const struct ompp_flow_sum *a = &by_page->all[i], *b = &by_page->all[k];
			uint32_t thread = thread_in(a->key), other = thread_in(b->key);
			struct ompp_flow_sum *pair;

			if (thread == OMPP_FLOW_NONE || other == OMPP_FLOW_NONE ||
			    (!is_asked(look, thread) && !is_asked(look, other)))
				continue;
			pair = ompp_flow_sum_of(pairs, (uint64_t)thread << THREAD_BITS | other);
			if (!pair)
				return -1;
			pair->sum.n++; /* pages */
			pair->n_loads += a->sum.n;
			pair->n_stores += b->sum.n;
			pair->n_self += a->n_stores != 0;
			pair->n_self_first += b->n_stores != 0;
		}
	return 0;
}

static void pair_lines(struct ompp_flow_look *look, const struct ompp_flow_sums *pairs)
{
	ompp_flow_table(look, "",
	                "Threads that access the same pages, as far as samples show it (pages: by both; then the "
	                "samples of each in them, and in how many it stores):");
	ompp_flow_process_column(look);
	ompp_flow_columns(look, OMPP_IN_BOTH, "thread", "other thread", "pages", "samples", "other samples",
	                  "stored pages", "other stored pages");
	for (size_t i = 0; i < ompp_flow_n_shown(look, pairs->n); i++) {
		const struct ompp_flow_sum *p = &pairs->all[i];

		ompp_flow_process_value(look, ompp_flow_process_of_thread(look->flow, thread_in(p->key)));
		ompp_flow_thread_value(look, (uint32_t)(p->key >> THREAD_BITS));
		ompp_flow_thread_value(look, thread_in(p->key));
		ompp_flow_count_value(look, p->sum.n);
		ompp_flow_count_value(look, p->n_loads);
		ompp_flow_count_value(look, p->n_stores);
		ompp_flow_count_value(look, p->n_self);
		ompp_flow_count_value(look, p->n_self_first);
	}
}

int ompp_flow_overlap_view(struct ompp_flow_look *look)
{
	struct ompp_flow_sums by_page = { 0 }, pairs = { 0 };
	int status = by_thread(look, &by_page, page_thread_key, 0) ? ompp_flow_no_memory() : 0;

	for (size_t from = 0, to; from < by_page.n && !status; from = to) {
		to = end_of(&by_page, from);
		if (add_pairs(look, &pairs, &by_page, from, to))
			status = ompp_flow_no_memory();
	}
	if (!status) {
		ompp_flow_sums_sort(&pairs);
		pair_lines(look, &pairs);
		status = ompp_flow_print(look);
	}
	ompp_flow_sums_free(&by_page);
	ompp_flow_sums_free(&pages_met);
	ompp_flow_sums_free(&pairs);
	return status;
}

int ompp_flow_private_view(struct ompp_flow_look *look)
{
	struct ompp_flow_sums sums = { 0 };
	int status = 0;

	if (by_thread(look, &sums, object_thread_key, 1)) {
		ompp_flow_sums_free(&sums);
		return ompp_flow_no_memory();
	}
	ompp_flow_table(look, "",
	                "Objects that one thread alone accesses, as far as samples show it (self, from and to as those "
	                "of objects):");
	ompp_flow_process_column(look);
	ompp_flow_columns(look, OMPP_IN_BOTH, "thread", "its node");
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_cost_columns(look);
	ompp_flow_share_columns(look, "remote %", "remote % +-");
	ompp_flow_columns(look, OMPP_IN_BOTH, "from", "to");
	ompp_flow_share_columns(look, "self %", "self % +-");
	for (size_t from = 0, to; from < sums.n; from = to) {
		const struct ompp_flow_sum *s = &sums.all[from];
		uint32_t object = (uint32_t)(s->key >> THREAD_BITS), thread = thread_in(s->key);
		const struct ompp_flow_thread *t = ompp_flow_thread(look->flow, thread);

		to = end_of(&sums, from);
		if (to - from > 1 || object == OMPP_FLOW_NONE || thread == OMPP_FLOW_NONE || !is_asked(look, thread))
			continue;
		ompp_flow_process_value(look, s->process);
		ompp_flow_thread_value(look, thread);
		ompp_flow_number(look, t ? t->node : OMPP_FLOW_NONE);
		ompp_table_text(&look->table, ompp_flow_object_name(look, object));
		ompp_flow_cost_values(look, s);
		ompp_flow_share(look, s->n_far, s->n_homed);
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->from));
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->to));
		ompp_flow_share(look, s->n_self, s->n_owned);
	}
	status = ompp_flow_print(look);
	ompp_flow_sums_free(&sums);
	return status;
}
