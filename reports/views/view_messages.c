/*
 * Messages: how many messages of MPI each rank sent to each other one, and how many bytes.  Text has a matrix of few
 * ranks, and the busiest pairs of many; records have all pairs.  And how long calls waited for other ranks.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <stdlib.h>

#include "reports/ranks/rank_waits.h"
#include "reports/tables/data_section.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { MOST_COLUMNS = 32 };

static const char *number_text(uint32_t n, struct ompp_arena *arena)
{
	char buffer[16];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_u64(&t, n);
	return ompp_arena_strdup(arena, buffer);
}

/* Returns one more than the highest rank that counted, or was a partner. */
static uint32_t n_ranks_of(const struct ompp_profile *p)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->n_partners; i++) {
		const struct ompp_partner_record *r = &p->partners[i];

		n = r->rank >= n ? r->rank + 1 : n;
		n = r->partner != OMPP_NONE && r->partner >= n ? r->partner + 1 : n;
	}
	return n;
}

/* ---- few ranks ---- */

/* Returns what a rank sent to another one: none where it counted other messages alone, not known where it counted none,
 * or some together. */
static int64_t sent_by(const struct ompp_profile *p, uint32_t rank, uint32_t to, int is_bytes)
{
	int64_t none = OMPP_MISSING;

	for (size_t i = 0; i < p->n_partners; i++) {
		const struct ompp_partner_record *r = &p->partners[i];

		if (r->rank != rank)
			continue;
		if (r->partner == to)
			return is_bytes ? r->sent_bytes : ompp_count(r->n_sent);
		none = r->partner == OMPP_NONE ? OMPP_MISSING : 0; /* that record is the last of its rank */
	}
	return none;
}

static int put_matrix(const struct ompp_analysis *a, uint32_t n, int is_bytes, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "",
	                 is_bytes ? "Bytes that each rank (row) sent to each (column):"
	                          : "Messages that each rank (row) sent to each (column):");
	ompp_table_left_column(table, "rank", OMPP_IN_TEXT);
	for (uint32_t to = 0; to < n; to++)
		ompp_table_column(table, number_text(to, a->arena), OMPP_IN_TEXT);
	for (uint32_t rank = 0; rank < n; rank++) {
		ompp_table_text(table, number_text(rank, a->arena));
		for (uint32_t to = 0; to < n; to++)
			ompp_table_number(table, OMPP_KIND_METRIC, sent_by(a->profile, rank, to, is_bytes));
	}
	return sheet->put(sheet);
}

/* ---- pairs ---- */

/* Pairs with most bytes come first, and those with most messages. */
static int is_less(const void *records, uint32_t x, uint32_t y)
{
	const struct ompp_partner_record *a = (const struct ompp_partner_record *)records + x;
	const struct ompp_partner_record *b = (const struct ompp_partner_record *)records + y;
	int64_t a_bytes = ompp_add_known(a->sent_bytes, a->received_bytes);
	int64_t b_bytes = ompp_add_known(b->sent_bytes, b->received_bytes);

	if (a_bytes != b_bytes)
		return a_bytes < b_bytes;
	return a->n_sent + a->n_received != b->n_sent + b->n_received
	             ? a->n_sent + a->n_received < b->n_sent + b->n_received
	             : x > y;
}

static int put_pairs(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	const uint32_t *order = ompp_sorted(a->arena, p->n_partners, is_less, p->partners);
	int is_text = sheet->prints == OMPP_IN_TEXT;
	size_t n = is_text && p->n_partners > OMPP_DATA_MOST_LINES ? OMPP_DATA_MOST_LINES : p->n_partners;

	if (!order)
		return -ENOMEM;
	ompp_table_start(table, OMPP_STYLE_GRID, "messages by pair",
	                 n < p->n_partners ? "Messages of each rank with each partner, those with most bytes:"
	                                   : "Messages of each rank with each partner:");
	ompp_table_columns(table, OMPP_IN_BOTH, "rank", "partner", "sent", "sentB", "received", "receivedB");
	for (size_t i = 0; i < n; i++) {
		const struct ompp_partner_record *r = &p->partners[is_text ? order[i] : i];

		ompp_table_number(table, OMPP_KIND_COUNT, r->rank);
		if (r->partner == OMPP_NONE)
			ompp_table_text(table, "others");
		else
			ompp_table_number(table, OMPP_KIND_COUNT, r->partner);
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(r->n_sent));
		ompp_table_number(table, OMPP_KIND_METRIC, r->sent_bytes);
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(r->n_received));
		ompp_table_number(table, OMPP_KIND_METRIC, r->received_bytes);
	}
	return sheet->put(sheet);
}

static int messages_are_empty(const struct ompp_analysis *a)
{
	return !a->profile->n_partners && !a->profile->n_rank_waits;
}

static int messages_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	uint32_t n = n_ranks_of(p);
	int rc = p->n_rank_waits ? ompp_put_rank_waits(a, sheet) : 0;

	if (rc)
		return rc;
	if (!p->n_partners)
		return ompp_data_remark("No messages of MPI between two ranks were counted.", sheet);
	if (sheet->prints == OMPP_IN_TEXT && p->n_processes > 1 && n <= MOST_COLUMNS) {
		rc = put_matrix(a, n, 0, sheet);
		rc = rc ? rc : put_matrix(a, n, 1, sheet);
	} else {
		rc = put_pairs(a, sheet);
	}
	return rc ? rc
	          : ompp_data_remark("Counted where they are sent, and where they are received, as the status of the "
	                             "call or of the request says. Collective and one-sided calls are none. Ranks are "
	                             "those of MPI_COMM_WORLD; others: ranks with few messages, and processes that are "
	                             "not in it.",
	                             sheet);
}

const struct ompp_view ompp_view_messages = {
	.title = "Messages", .tag = "messages", .build = messages_build, .is_empty = messages_are_empty
};
