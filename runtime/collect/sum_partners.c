/*
 * Sum, partners: see sum_partners.h.
 */
#include "runtime/collect/sum_partners.h"

#include <errno.h>

#include "reports/profile/record.h"
#include "reports/profile/schema.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"
#include "runtime/events/partners.h"

static struct ompp_partner_record partner_record(int rank, uint32_t partner, const struct ompp_partner_sum *sum)
{
	return (struct ompp_partner_record){
		.rank = (uint32_t)rank,
		.partner = partner,
		.n_sent = OMPP_LOAD(&sum->n_sent),
		.sent_bytes = OMPP_LOAD(&sum->lacks_sent) ? OMPP_MISSING : (int64_t)OMPP_LOAD(&sum->sent_bytes),
		.n_received = OMPP_LOAD(&sum->n_received),
		.received_bytes = OMPP_LOAD(&sum->lacks_received) ? OMPP_MISSING
		                                                  : (int64_t)OMPP_LOAD(&sum->received_bytes)
	};
}

/* Partners with most messages come first. */
static int has_fewer(const void *records, uint32_t x, uint32_t y)
{
	const struct ompp_partner_record *a = (const struct ompp_partner_record *)records + x;
	const struct ompp_partner_record *b = (const struct ompp_partner_record *)records + y;
	uint64_t n_a = a->n_sent + a->n_received, n_b = b->n_sent + b->n_received;

	return n_a != n_b ? n_a < n_b : x > y;
}

static int is_after(const void *records, uint32_t x, uint32_t y)
{
	const struct ompp_partner_record *all = records;

	return ompp_record_compare(OMPP_SECTION_PARTNERS, &all[x], &all[y]) > 0;
}

/* Returns the records in an order; NULL without memory. */
static struct ompp_partner_record *reordered(const struct ompp_partner_record *all, size_t n,
                                             int (*after)(const void *, uint32_t, uint32_t), struct ompp_arena *arena)
{
	struct ompp_partner_record *out = ompp_arena_alloc(arena, (n + 1) * sizeof(*out));
	const uint32_t *order = ompp_sorted(arena, n, after, all);

	if (!out || !order)
		return NULL;
	for (size_t i = 0; i < n; i++)
		out[i] = all[order[i]];
	return out;
}

int ompp_collect_partners(struct ompp_profile *p, struct ompp_arena *arena)
{
	const struct ompp_partner_sum *sum = ompp_partner(OMPP_MOST_PARTNERS);
	struct ompp_partner_record *all;
	uint32_t n_ranks;
	int rank = ompp_partners_rank(&n_ranks);
	size_t n = 0;

	if (rank < 0)
		return 0;
	for (uint32_t i = 0; i < n_ranks; i++)
		n += ompp_partner(i) != NULL;
	all = ompp_arena_alloc(arena, (n + 1) * sizeof(*all));
	if (!all)
		return -ENOMEM;
	n = 0;
	for (uint32_t i = 0; i < n_ranks; i++)
		if (ompp_partner(i))
			all[n++] = partner_record(rank, i, ompp_partner(i));
	all = reordered(all, n, has_fewer, arena);
	if (!all)
		return -ENOMEM;
	for (size_t i = OMPP_SHOWN_PARTNERS; i < n; i++) {
		all[i].partner = OMPP_NONE;
		if (i > OMPP_SHOWN_PARTNERS)
			ompp_record_add(OMPP_SECTION_PARTNERS, &all[OMPP_SHOWN_PARTNERS], &all[i]);
	}
	n = n > OMPP_SHOWN_PARTNERS ? OMPP_SHOWN_PARTNERS + 1 : n;
	if (sum && n > OMPP_SHOWN_PARTNERS) {
		struct ompp_partner_record others = partner_record(rank, OMPP_NONE, sum);

		ompp_record_add(OMPP_SECTION_PARTNERS, &all[OMPP_SHOWN_PARTNERS], &others);
	} else if (sum) {
		all[n++] = partner_record(rank, OMPP_NONE, sum);
	}
	p->partners = reordered(all, n, is_after, arena);
	p->n_partners = n;
	return p->partners ? 0 : -ENOMEM;
}
