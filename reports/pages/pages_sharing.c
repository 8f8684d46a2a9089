/*
 * Pages sharing: see pages_sharing.h.
 */
#include "reports/pages/pages_sharing.h"

#include <stdlib.h>

/* The uses of a page in the current interval. */
struct user {
	uint64_t index, accesses;
	uint32_t thread, next; /* next: of the page; 0 for none */
};

/* All current users, and the matrix to which they are added. */
struct users {
	struct ompp_pages_sharing *sharing;
	struct user *all;
	size_t n, have;
	uint32_t free;   /* list of free users */
	uint32_t *heads; /* by page: its latest user + 1 */
};

struct ompp_pages_pair *ompp_pages_pair(const struct ompp_pages_sharing *s, size_t a, size_t b)
{
	return &s->pairs[a < b ? a * s->n_threads + b : b * s->n_threads + a];
}

/* Adds what the users of a page in one interval have in common to the matrix, and frees them. */
static void pages_sharing_settle(struct users *u, uint32_t *head)
{
	for (uint32_t i = *head, next; i; i = next) {
		next = u->all[i - 1].next;
		for (uint32_t k = u->all[i - 1].next; k; k = u->all[k - 1].next) {
			const struct user *a = &u->all[i - 1], *b = &u->all[k - 1];
			struct ompp_pages_pair *pair = ompp_pages_pair(u->sharing, a->thread, b->thread);

			pair->n_together++;
			pair->n_accesses += a->accesses < b->accesses ? a->accesses : b->accesses;
		}
		u->all[i - 1].next = u->free;
		u->free = i;
	}
	*head = 0;
}

/* Adds the use of a page.  Returns 0 or -1 without memory. */
static int add_user(struct users *u, uint32_t *head, uint64_t index, const struct ompp_flow_event *e)
{
	uint32_t i;

	if (*head && u->all[*head - 1].index != index)
		pages_sharing_settle(u, head);
	for (i = *head; i && u->all[i - 1].thread != e->thread; i = u->all[i - 1].next)
		;
	if (!i) {
		struct user *all = u->all;

		if (!u->free && u->n == u->have) {
			u->have = u->have ? 2 * u->have : 1024;
			all = realloc(all, u->have * sizeof(*all));
			if (!all)
				return -1;
			u->all = all;
		}
		i = u->free ? u->free : (uint32_t)++u->n;
		u->free = u->free ? all[i - 1].next : 0;
		all[i - 1] = (struct user){ .index = index, .thread = e->thread, .next = *head };
		*head = i;
	}
	u->all[i - 1].accesses += e->loads + e->stores;
	return 0;
}

static void count_pages(const struct ompp_pages_sharing *s, const struct ompp_pages *pages)
{
	for (size_t i = 0; i < pages->n; i++) {
		if (pages->all[i].n_threads < 2)
			continue;
		for (uint32_t a = 0; a < s->n_threads; a++)
			for (uint32_t b = a + 1; ompp_pages_uses(pages, i, a) && b < s->n_threads; b++)
				if (ompp_pages_uses(pages, i, b)) {
					ompp_pages_pair(s, a, b)->n_pages++;
					ompp_pages_pair(s, a, b)->n_written += ompp_pages_writes(pages, i, a) ||
					                                       ompp_pages_writes(pages, i, b);
				}
	}
}

static int sum_up(struct ompp_flow_look *look, struct users *u, const struct ompp_pages *pages)
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
			    add_user(u, &u->heads[page], index, &e))
				return -1;
		}
	}
	for (size_t i = 0; i < pages->n; i++)
		pages_sharing_settle(u, &u->heads[i]);
	count_pages(u->sharing, pages);
	return 0;
}

int ompp_pages_sharing_sum(struct ompp_flow_look *look, struct ompp_pages_sharing *s)
{
	struct users u = { .sharing = s };
	struct ompp_pages pages;
	int rc = -1;

	*s = (struct ompp_pages_sharing){ .n_threads = ompp_flow_n_threads(look->flow) };
	if (ompp_pages_sum(look, OMPP_PAGES_BY_ADDRESS, &pages))
		return OMPP_EXIT_FAILED;
	s->pairs = calloc(s->n_threads * s->n_threads + 1, sizeof(*s->pairs));
	u.heads = calloc(pages.n + 1, sizeof(*u.heads));
	if (s->pairs && u.heads)
		rc = sum_up(look, &u, &pages);
	ompp_pages_free(&pages);
	free(u.heads);
	free(u.all);
	return rc ? ompp_pages_no_memory() : 0;
}

void ompp_pages_sharing_free(struct ompp_pages_sharing *s)
{
	free(s->pairs);
	s->pairs = NULL;
}
