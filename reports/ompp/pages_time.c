/*
 * Pages time: the working set over time, from which NUMA node to which one accesses go, and which threads use the same
 * pages at the same time.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/ompp/pages.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"

/* ---- the working set over time ---- */

struct interval {
	uint64_t index, n_pages, n_new, n_written, n_shared, loads, stores;
	uint64_t from_ns, to_ns;
};

/* What is known of a page while the events pass in the order of their times, which is that of their intervals. */
struct now {
	uint64_t index; /* of its latest use + 1; 0 before the first */
	uint32_t thread;
	int is_written, is_shared;
};

static void add_page(struct interval *v, struct now *now, const struct ompp_flow_event *e)
{
	if (now->index != v->index + 1) {
		v->n_pages++;
		v->n_new += !now->index;
		*now = (struct now){ .index = v->index + 1, .thread = e->thread };
	} else if (now->thread == OMPP_FLOW_NONE) {
		now->thread = e->thread;
	} else if (e->thread != OMPP_FLOW_NONE && now->thread != e->thread && !now->is_shared) {
		now->is_shared = 1;
		v->n_shared++;
	}
	if ((e->stores || e->kind == OMPP_FLOW_WRITTEN) && !now->is_written) {
		now->is_written = 1;
		v->n_written++;
	}
}

/* Adds an event to its interval.  Returns 0 or -1 without memory. */
static int add_event(struct ompp_flow_look *look, const struct ompp_pages *pages, struct now *now,
                     struct interval **all, size_t *n, size_t *have, const struct ompp_flow_event *e)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes, index = ompp_pages_interval(look, e);
	struct interval *v;

	if (!*n || (*all)[*n - 1].index != index) {
		if (*n == *have) {
			*have = *have ? 2 * *have : 64;
			v = realloc(*all, *have * sizeof(*v));
			if (!v)
				return -1;
			*all = v;
		}
		(*all)[(*n)++] = (struct interval){ .index = index, .from_ns = e->time_ns };
	}
	v = &(*all)[*n - 1];
	v->to_ns = e->until_ns > v->to_ns ? e->until_ns : v->to_ns;
	for (uint64_t i = 0; i < e->n_pages; i++) {
		size_t page = ompp_pages_find(pages, e->address + i * page_bytes, 0);

		if (page == SIZE_MAX)
			continue;
		v->loads += e->loads;
		v->stores += e->stores;
		add_page(v, &now[page], e);
	}
	return 0;
}

int ompp_pages_time_view(struct ompp_flow_look *look)
{
	enum { N_OF_WRITES = 3 }; /* the first ones are known without hooks, too */
	static const char *const titles[] = { "pages", "new", "written", "shared", "loads", "stores" };
	struct interval *all = NULL;
	struct ompp_pages pages;
	struct ompp_flow_event e;
	struct now *now;
	size_t n = 0, have = 0;
	int rc = 0, has_counts;

	if (ompp_pages_sum(look, OMPP_PAGES_BY_ADDRESS, &pages))
		return OMPP_EXIT_FAILED;
	has_counts = pages.has_counts;
	now = calloc(pages.n + 1, sizeof(*now));
	for (size_t at = 0; now && !rc && ompp_pages_next(look, &at, &e);)
		rc = add_event(look, &pages, now, &all, &n, &have, &e);
	ompp_pages_free(&pages);
	if (!now || rc) {
		free(now);
		free(all);
		return ompp_pages_no_memory();
	}
	ompp_flow_table(look, "", ompp_pages_heading(look, "Pages that are used in each interval:"));
	ompp_flow_column(look, "from", OMPP_IN_BOTH);
	ompp_flow_column(look, "to", OMPP_IN_BOTH);
	for (size_t i = 0; i < OMPP_COUNT_OF(titles); i++)
		ompp_flow_column(look, titles[i], OMPP_IN_BOTH);
	for (size_t i = 0; i < n && (!look->top || i < look->top); i++) {
		const uint64_t numbers[] = { all[i].n_pages,  all[i].n_new, all[i].n_written,
			                     all[i].n_shared, all[i].loads, all[i].stores };

		ompp_flow_time(look, all[i].from_ns);
		ompp_flow_time(look, all[i].to_ns);
		for (size_t k = 0; k < OMPP_COUNT_OF(numbers); k++)
			if (k < N_OF_WRITES || has_counts)
				ompp_flow_count_value(look, numbers[k]);
			else
				ompp_flow_number(look, OMPP_FLOW_NONE);
	}
	free(now);
	free(all);
	return ompp_flow_print(look);
}

/* ---- from node to node ---- */

struct nodes {
	uint64_t loads, stores, n_page_uses;
};

int ompp_pages_nodes_view(struct ompp_flow_look *look)
{
	enum { N = OMPP_FLOW_MOST_NODES + 1 }; /* the last one for those that are not known */
	size_t n_objects = ompp_flow_n_objects(look->flow) + 1;
	struct nodes *sums = calloc(n_objects * N * N, sizeof(*sums));
	struct ompp_flow_event e;

	if (!sums)
		return ompp_pages_no_memory();
	for (size_t at = 0; ompp_pages_next(look, &at, &e);) {
		size_t object = e.object == OMPP_FLOW_NONE ? n_objects - 1 : e.object;
		size_t from = e.node < N - 1 ? e.node : N - 1, to = e.home < N - 1 ? e.home : N - 1;
		struct nodes *s = &sums[(object * N + from) * N + to];

		if (e.kind != OMPP_FLOW_USE)
			continue;
		s->loads += e.loads * e.n_pages;
		s->stores += e.stores * e.n_pages;
		s->n_page_uses += e.n_pages;
	}
	ompp_flow_table(look, "",
	                ompp_pages_heading(look, "Accesses from the NUMA node of the thread to that of the page:"));
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_column(look, "from node", OMPP_IN_BOTH);
	ompp_flow_column(look, "to node", OMPP_IN_BOTH);
	ompp_flow_column(look, "loads", OMPP_IN_BOTH);
	ompp_flow_column(look, "stores", OMPP_IN_BOTH);
	ompp_flow_column(look, "page intervals", OMPP_IN_BOTH);
	for (size_t i = 0; i < n_objects * N * N; i++) {
		if (!sums[i].n_page_uses)
			continue;
		ompp_flow_text(look, ompp_flow_object_name(look, (uint32_t)(i / N / N)));
		ompp_flow_number(look, i / N % N < N - 1 ? (uint32_t)(i / N % N) : OMPP_FLOW_NONE);
		ompp_flow_number(look, i % N < N - 1 ? (uint32_t)(i % N) : OMPP_FLOW_NONE);
		ompp_flow_count_value(look, sums[i].loads);
		ompp_flow_count_value(look, sums[i].stores);
		ompp_flow_count_value(look, sums[i].n_page_uses);
	}
	free(sums);
	return ompp_flow_print(look);
}

/* ---- threads that use the same pages ---- */

/* What two threads have in common. */
struct pair {
	uint64_t n_pages, n_written; /* of the run: pages that both use, and that one of them writes */
	uint64_t n_together;         /* pages that both use in the same interval, over all intervals */
	uint64_t n_accesses;         /* there, the accesses of the one with fewer */
};

/* The uses of a page in the interval under way. */
struct user {
	uint64_t index, accesses;
	uint32_t thread, next; /* next: of the page; 0 for none */
};

struct sharing {
	struct pair *pairs; /* [n_threads * n_threads], of a < b */
	size_t n_threads;
	struct user *users;
	size_t n_users, have_users;
	uint32_t free;   /* users that are not in use any more */
	uint32_t *heads; /* by page: its latest user + 1 */
};

static struct pair *pair_of(struct sharing *s, uint32_t a, uint32_t b)
{
	return &s->pairs[a < b ? a * s->n_threads + b : b * s->n_threads + a];
}

/* Adds what the users of a page in one interval have in common, and forgets them. */
static void settle(struct sharing *s, uint32_t *head)
{
	for (uint32_t i = *head, next; i; i = next) {
		next = s->users[i - 1].next;
		for (uint32_t k = s->users[i - 1].next; k; k = s->users[k - 1].next) {
			const struct user *a = &s->users[i - 1], *b = &s->users[k - 1];
			struct pair *pair = pair_of(s, a->thread, b->thread);

			pair->n_together++;
			pair->n_accesses += a->accesses < b->accesses ? a->accesses : b->accesses;
		}
		s->users[i - 1].next = s->free;
		s->free = i;
	}
	*head = 0;
}

/* Adds the use of a page.  Returns 0 or -1 without memory. */
static int add_user(struct sharing *s, uint32_t *head, uint64_t index, const struct ompp_flow_event *e)
{
	uint32_t i;

	if (*head && s->users[*head - 1].index != index)
		settle(s, head);
	for (i = *head; i && s->users[i - 1].thread != e->thread; i = s->users[i - 1].next)
		;
	if (!i) {
		struct user *users = s->users;

		if (!s->free && s->n_users == s->have_users) {
			s->have_users = s->have_users ? 2 * s->have_users : 1024;
			users = realloc(users, s->have_users * sizeof(*users));
			if (!users)
				return -1;
			s->users = users;
		}
		i = s->free ? s->free : (uint32_t)++s->n_users;
		s->free = s->free ? users[i - 1].next : 0;
		users[i - 1] = (struct user){ .index = index, .thread = e->thread, .next = *head };
		*head = i;
	}
	s->users[i - 1].accesses += e->loads + e->stores;
	return 0;
}

static void count_pages(struct sharing *s, const struct ompp_pages *pages)
{
	for (size_t i = 0; i < pages->n; i++) {
		if (pages->all[i].n_threads < 2)
			continue;
		for (uint32_t a = 0; a < s->n_threads; a++)
			for (uint32_t b = a + 1; ompp_pages_uses(pages, i, a) && b < s->n_threads; b++)
				if (ompp_pages_uses(pages, i, b)) {
					pair_of(s, a, b)->n_pages++;
					pair_of(s, a, b)->n_written += ompp_pages_writes(pages, i, a) ||
					                               ompp_pages_writes(pages, i, b);
				}
	}
}

static int sum_up(struct ompp_flow_look *look, struct sharing *s, const struct ompp_pages *pages)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes;
	struct ompp_flow_event e;

	for (size_t at = 0; ompp_pages_next(look, &at, &e);) {
		uint64_t index = ompp_pages_interval(look, &e);

		if (e.thread == OMPP_FLOW_NONE)
			continue;
		for (uint64_t i = 0; i < e.n_pages; i++) {
			size_t page = ompp_pages_find(pages, e.address + i * page_bytes, 0);

			if (page != SIZE_MAX && pages->all[page].n_threads > 1 &&
			    add_user(s, &s->heads[page], index, &e))
				return -1;
		}
	}
	for (size_t i = 0; i < pages->n; i++)
		settle(s, &s->heads[i]);
	count_pages(s, pages);
	return 0;
}

static void show_pairs(struct ompp_flow_look *look, const struct sharing *s)
{
	ompp_flow_table(look, "",
	                ompp_pages_heading(look,
	                                   "Pairs of threads that use the same pages; together: in the same interval, "
	                                   "where accesses are those of the thread with fewer:"));
	ompp_flow_column(look, "thread", OMPP_IN_BOTH);
	ompp_flow_column(look, "and", OMPP_IN_BOTH);
	ompp_flow_column(look, "pages", OMPP_IN_BOTH);
	ompp_flow_column(look, "written", OMPP_IN_BOTH);
	ompp_flow_column(look, "together", OMPP_IN_BOTH);
	ompp_flow_column(look, "accesses", OMPP_IN_BOTH);
	ompp_flow_column(look, "node", OMPP_IN_BOTH);
	ompp_flow_column(look, "and node", OMPP_IN_BOTH);
	for (uint32_t a = 0; a < s->n_threads; a++)
		for (uint32_t b = a + 1; b < s->n_threads; b++) {
			const struct pair *p = &s->pairs[a * s->n_threads + b];

			if (!p->n_pages)
				continue;
			ompp_flow_number(look, a);
			ompp_flow_number(look, b);
			ompp_flow_count_value(look, p->n_pages);
			ompp_flow_count_value(look, p->n_written);
			ompp_flow_count_value(look, p->n_together);
			ompp_flow_count_value(look, p->n_accesses);
			ompp_flow_number(look, ompp_flow_thread(look->flow, a)->node);
			ompp_flow_number(look, ompp_flow_thread(look->flow, b)->node);
		}
}

/* ---- which threads should be on one NUMA node ---- */

enum { MOST_ADVISED = 512 /* threads: the time grows with the cube of their number */ };

/* Groups of threads, as many on each node as now. */
struct groups {
	uint32_t *node;  /* by thread: the node where it is now, or OMPP_FLOW_NONE */
	uint32_t *group; /* by thread: the node where it should be, or OMPP_FLOW_NONE while that is open */
	uint64_t total;  /* accesses that pairs of threads have in common, of those whose nodes are known */
};

static uint64_t between(const struct sharing *s, uint32_t a, uint32_t b)
{
	return s->pairs[a < b ? a * s->n_threads + b : b * s->n_threads + a].n_accesses;
}

/* Returns what pairs within one group have in common. */
static uint64_t within(const struct sharing *s, const uint32_t *group)
{
	uint64_t sum = 0;

	for (uint32_t a = 0; a < s->n_threads; a++)
		for (uint32_t b = a + 1; b < s->n_threads; b++)
			if (group[a] != OMPP_FLOW_NONE && group[a] == group[b])
				sum += between(s, a, b);
	return sum;
}

/* Returns the open thread that has most in common with a group; of an empty group, with any open thread. */
static uint32_t best_for(const struct sharing *s, const struct groups *g, uint32_t node, int is_empty)
{
	uint32_t best = OMPP_FLOW_NONE;
	uint64_t most = 0;

	for (uint32_t a = 0; a < s->n_threads; a++) {
		uint64_t sum = 0;

		if (g->node[a] == OMPP_FLOW_NONE || g->group[a] != OMPP_FLOW_NONE)
			continue;
		for (uint32_t b = 0; b < s->n_threads; b++)
			if (b != a && g->node[b] != OMPP_FLOW_NONE &&
			    (is_empty ? g->group[b] == OMPP_FLOW_NONE : g->group[b] == node))
				sum += between(s, a, b);
		if (best == OMPP_FLOW_NONE || sum > most) {
			best = a;
			most = sum;
		}
	}
	return best;
}

/* Deals the threads out to the nodes anew, as many to each as are there now: each node takes in turn the thread that
 * has most in common with those it has. */
static void deal_out(const struct sharing *s, struct groups *g)
{
	for (uint32_t a = 0; a < s->n_threads; a++) {
		uint32_t node = g->node[a], n = 0;
		int is_done = node == OMPP_FLOW_NONE;

		for (uint32_t b = 0; b < s->n_threads; b++) {
			n += g->node[b] == node;
			is_done |= b < a && g->node[b] == node;
		}
		for (uint32_t k = 0; !is_done && k < n; k++) {
			uint32_t thread = best_for(s, g, node, !k);

			if (thread != OMPP_FLOW_NONE)
				g->group[thread] = node;
		}
	}
}

static void say_groups(struct ompp_flow_look *look, const struct sharing *s, const struct groups *g)
{
	uint64_t now = within(s, g->node), then = within(s, g->group);
	char buffer[4096];
	struct ompp_text t;

	/* a tenth of it is worth a word */
	if (then <= now || (then - now) * 10 < g->total)
		return;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "Of what threads have in common, ");
	ompp_text_u64(&t, now * 100 / g->total);
	ompp_text_str(&t, " % is within NUMA nodes.  It would be ");
	ompp_text_u64(&t, then * 100 / g->total);
	ompp_text_str(&t, " % with threads");
	for (uint32_t node = 0; node < OMPP_FLOW_MOST_NODES; node++) {
		int n = 0;

		for (uint32_t a = 0; a < s->n_threads; a++)
			if (g->group[a] == node) {
				ompp_text_char(&t, ' ');
				ompp_text_u64(&t, a);
				n++;
			}
		if (n) {
			ompp_text_str(&t, " on node ");
			ompp_text_u64(&t, node);
			ompp_text_char(&t, ',');
		}
	}
	t.n_bytes--;
	buffer[t.n_bytes] = '\0';
	ompp_text_str(&t, " (OMP_PLACES lists the places of threads in their order).");
	ompp_flow_table(look, "", "");
	look->table.style = OMPP_STYLE_LINES;
	ompp_flow_left(look, "advice", OMPP_IN_BOTH);
	ompp_table_text(&look->table, ompp_arena_strdup(look->arena, buffer));
	ompp_flow_print(look);
}

/* Says which threads should be on one node together, where it would keep much more within nodes. */
static void advise(struct ompp_flow_look *look, const struct sharing *s)
{
	struct groups g = { calloc(s->n_threads + 1, sizeof(uint32_t)), calloc(s->n_threads + 1, sizeof(uint32_t)), 0 };

	for (uint32_t a = 0; g.node && g.group && a < s->n_threads; a++) {
		g.node[a] = ompp_flow_thread(look->flow, a)->node;
		g.group[a] = OMPP_FLOW_NONE;
		for (uint32_t b = 0; b < a; b++)
			if (g.node[a] != OMPP_FLOW_NONE && g.node[b] != OMPP_FLOW_NONE)
				g.total += between(s, a, b);
	}
	if (g.node && g.group && g.total) {
		deal_out(s, &g);
		say_groups(look, s, &g);
	}
	free(g.node);
	free(g.group);
}

int ompp_pages_sharing_view(struct ompp_flow_look *look)
{
	struct sharing s = { .n_threads = ompp_flow_n_threads(look->flow) };
	struct ompp_pages pages;
	int rc = -1, status;

	if (ompp_pages_sum(look, OMPP_PAGES_BY_ADDRESS, &pages))
		return OMPP_EXIT_FAILED;
	s.pairs = calloc(s.n_threads * s.n_threads + 1, sizeof(*s.pairs));
	s.heads = calloc(pages.n + 1, sizeof(*s.heads));
	if (s.pairs && s.heads)
		rc = sum_up(look, &s, &pages);
	if (!rc)
		show_pairs(look, &s);
	status = rc ? ompp_pages_no_memory() : ompp_flow_print(look);
	if (!status && s.n_threads <= MOST_ADVISED)
		advise(look, &s);
	ompp_pages_free(&pages);
	free(s.pairs);
	free(s.heads);
	free(s.users);
	return status;
}
