/*
 * Deal: see deal.h.
 */
#include "runtime/span/deal.h"

#include <stddef.h>

#include "runtime/base/check.h"

enum {
	MOST_CHUNKS = 1 << 14, /* of more, some are dealt out as one */
	QUARTER_FROM = 8       /* who has so many chunks left loses a quarter of them at once */
};

/* States of a thread's range: its thread has not come yet, and others may take all of it; chunks are left; none are. */
enum { NOT_COME, OPEN, EMPTY };

static uint32_t n_parts(uint32_t n, uint32_t size)
{
	return n / size + (n % size != 0);
}

/* Returns where the part of thread k begins, of n threads that share so many. */
static uint32_t share_begin(uint32_t many, uint32_t n, uint32_t k)
{
	uint32_t more = many % n;

	return k * (many / n) + (k < more ? k : more);
}

/* ---- what the run shows ---- */

/* Returns whether all chunks are as long as a number says, but the last one, and stand where they must. */
static int is_even(const struct ompp_deal *deal, uint32_t chunk)
{
	for (uint32_t i = 0; i < deal->n; i++) {
		const struct ompp_strand_chunk *c = &ompp_deal_strand(deal, i)->chunk;

		if (c->first % chunk || (c->n != chunk && (c->n > chunk || c->first + c->n != deal->n_iterations)))
			return 0;
	}
	return 1;
}

/* Returns whether each thread has one part, as if it were schedule(static). */
static int is_blocks(const struct ompp_deal *deal, uint32_t n)
{
	for (uint32_t i = 0; i < deal->n; i++) {
		const struct ompp_strand *s = ompp_deal_strand(deal, i);
		uint32_t begin, end;

		if (s->rank >= n)
			return 0;
		begin = share_begin(deal->n_iterations, n, s->rank);
		end = share_begin(deal->n_iterations, n, s->rank + 1);
		if (s->chunk.first != begin || s->chunk.n != end - begin)
			return 0;
	}
	return 1;
}

/* Returns whether threads may have chunks in turn. */
static int may_be_in_turn(const struct ompp_deal *deal, uint32_t n)
{
	for (uint32_t i = 0; i < deal->n; i++)
		if (ompp_deal_strand(deal, i)->chunk.first / deal->chunk % n != ompp_deal_strand(deal, i)->rank)
			return 0;
	return 1;
}

/* Finds whether threads steal, by the chunks that they got first: those are the begins of their ranges, or else the
 * first ones of the loop.  A thread may have come too late for either. */
static void find_stealing(struct ompp_deal *deal, uint32_t n)
{
	const struct ompp_strand *first[OMPP_DEAL_THREADS] = { 0 };
	uint32_t n_chunks = n_parts(deal->n_iterations, deal->chunk), n_own = 0, n_next = 0;

	deal->ways[0] = OMPP_DEAL_IN_ORDER;
	deal->ways[1] = OMPP_DEAL_STEALING;
	if (n < 2 || n_chunks <= n || n > OMPP_DEAL_THREADS)
		return;
	for (uint32_t i = 0; i < deal->n; i++) {
		const struct ompp_strand *s = ompp_deal_strand(deal, i), **to = s->rank < n ? &first[s->rank] : NULL;

		if (to && (!*to || s->chunk.asked_time < (*to)->chunk.asked_time))
			*to = s;
	}
	for (uint32_t k = 0; k < n; k++) {
		uint32_t chunk = first[k] ? first[k]->chunk.first / deal->chunk : UINT32_MAX;

		n_own += chunk == share_begin(n_chunks, n, k);
		n_next += chunk < n;
	}
	if (n_own * 4 >= n * 3)
		deal->ways[0] = OMPP_DEAL_STEALING;
	else if (n_next * 4 >= n * 3)
		deal->ways[1] = OMPP_DEAL_IN_ORDER;
}

static void deal_set(struct ompp_deal *deal, enum ompp_deal_way way)
{
	deal->ways[0] = deal->ways[1] = way;
}

/* Finds the way where the program does not say it.  One thread gets all iterations, or chunks in their order, in any
 * way; and where each thread has one part of the same length, or hardly more than one, that may be chunks of any way.
 */
static void find_any(struct ompp_deal *deal, uint32_t n)
{
	const struct ompp_strand_chunk *c = &ompp_deal_strand(deal, 0)->chunk;
	uint32_t half = deal->n_iterations / n / 2;

	if (n < 2)
		return;
	deal->chunk = c->n;
	if (is_even(deal, deal->chunk)) {
		if (!may_be_in_turn(deal, n))
			find_stealing(deal, n);
		else if (deal->n >= 2 * n && n_parts(deal->n_iterations, deal->chunk) <= MOST_CHUNKS)
			deal_set(deal, OMPP_DEAL_IN_TURN); /* two rounds are no chance */
		return;
	}
	if (is_blocks(deal, n)) {
		deal_set(deal, OMPP_DEAL_BLOCKS);
		return;
	}
	if (c->first || c->n > half + 1 || c->n + 1 < half)
		return;
	for (uint32_t i = 0; i + 1 < deal->n; i++)
		deal->chunk = ompp_deal_strand(deal, i)->chunk.n < deal->chunk ? ompp_deal_strand(deal, i)->chunk.n
		                                                               : deal->chunk;
	deal_set(deal, OMPP_DEAL_GUIDED);
}

void ompp_deal_find(struct ompp_deal *deal, uint32_t n)
{
	const struct ompp_strand_loop *loop = &ompp_deal_strand(deal, 0)->chunk.loop;

	ompp_assert(deal->n && n);
	deal->n_iterations = loop->n;
	deal->chunk = loop->chunk ? loop->chunk : 1;
	deal_set(deal, OMPP_DEAL_UNKNOWN);
	if (loop->schedule == OMPP_STRAND_ANY)
		find_any(deal, n);
	else if (loop->schedule ==
	         OMPP_STRAND_GUIDED) /* which one thread gets as one chunk, of which no part is known */
		deal_set(deal, n > 1 ? OMPP_DEAL_GUIDED : OMPP_DEAL_UNKNOWN);
	else if (!is_even(deal, deal->chunk))
		return;
	else if (loop->schedule == OMPP_STRAND_IN_ORDER)
		deal_set(deal, OMPP_DEAL_IN_ORDER);
	else
		find_stealing(deal, n);
}

/* ---- dealing ---- */

void ompp_dealer_start(struct ompp_dealer *dealer, const struct ompp_deal *deal, enum ompp_deal_way way, uint32_t n)
{
	ompp_assert(n && n <= OMPP_DEAL_THREADS && way != OMPP_DEAL_UNKNOWN && way != OMPP_DEAL_BLOCKS);
	dealer->deal = deal;
	dealer->n = n;
	dealer->chunk = deal->chunk;
	while (n_parts(deal->n_iterations, dealer->chunk) > MOST_CHUNKS && way != OMPP_DEAL_GUIDED)
		dealer->chunk *= 2;
	dealer->n_chunks = n_parts(deal->n_iterations, dealer->chunk);
	dealer->way = way == OMPP_DEAL_STEALING && (n < 2 || dealer->n_chunks < n) ? OMPP_DEAL_IN_ORDER : way;
	dealer->next = 0;
	for (uint32_t k = 0; k < n; k++) {
		dealer->of[k].next = way == OMPP_DEAL_IN_TURN ? k : share_begin(dealer->n_chunks, n, k);
		dealer->of[k].end = share_begin(dealer->n_chunks, n, k + 1);
		dealer->of[k].victim = (k + 1) % n;
		dealer->of[k].state = NOT_COME;
	}
}

static uint64_t part_of(uint64_t ticks, uint64_t part, uint64_t whole)
{
	return (uint64_t)((unsigned __int128)ticks * part / whole);
}

/* Adds what of a chunk that was executed is among so many iterations. */
static void dealt_add(struct ompp_dealt *to, const struct ompp_strand *s, uint64_t begin, uint64_t end)
{
	uint64_t first = s->chunk.first, behind = first + s->chunk.n;

	begin = begin > first ? begin : first;
	end = end < behind ? end : behind;
	to->ticks += part_of(s->ticks, end - begin, s->chunk.n);
	to->locked_ticks += part_of(s->locked_ticks, end - begin, s->chunk.n);
	to->lock = s->locked_ticks ? s->lock : to->lock;
}

/* Sets what iterations from begin to end take. */
static void dealt_set(const struct ompp_deal *deal, uint64_t begin, uint64_t end, struct ompp_dealt *to)
{
	uint32_t low = 0, high = deal->n;

	while (low < high) { /* the first chunk that ends behind the begin */
		uint32_t middle = low + (high - low) / 2;
		const struct ompp_strand_chunk *c = &ompp_deal_strand(deal, middle)->chunk;

		if ((uint64_t)c->first + c->n > begin)
			high = middle;
		else
			low = middle + 1;
	}
	*to = (struct ompp_dealt){ 0 };
	for (; low < deal->n && ompp_deal_strand(deal, low)->chunk.first < end; low++)
		dealt_add(to, ompp_deal_strand(deal, low), begin, end);
}

/* Takes chunks from the end of another thread's range.  Returns the first of them. */
static uint32_t steal_from(struct ompp_dealer *d, uint32_t rank, uint32_t victim)
{
	uint32_t end = d->of[victim].end, left = end - d->of[victim].next,
		 from = end - (left >= QUARTER_FROM ? left / 4 : 1);

	d->of[victim].end = from;
	d->of[rank].victim = victim;
	d->of[rank].next = from + 1;
	d->of[rank].end = end;
	d->of[rank].state = from + 1 < end ? OPEN : EMPTY;
	return from;
}

/* Takes the whole range of a thread that has not come yet.  Returns its first chunk. */
static uint32_t steal_all(struct ompp_dealer *d, uint32_t rank, uint32_t victim)
{
	uint32_t from = d->of[victim].next;

	d->of[victim].state = EMPTY;
	d->of[rank].victim = (victim + 1) % d->n;
	d->of[rank].next = from + 1;
	d->of[rank].end = d->of[victim].end;
	d->of[rank].state = from + 1 < d->of[rank].end ? OPEN : EMPTY;
	d->of[victim].end = from;
	return from;
}

/* Looks for a thread that has chunks left, as often as there are other threads.  Returns a chunk; UINT32_MAX for none.
 */
static uint32_t dealer_steal(struct ompp_dealer *d, uint32_t rank)
{
	d->of[rank].state = EMPTY;
	for (uint32_t tries = 1; tries < d->n; tries++) {
		uint32_t victim = d->of[rank].victim, last = (victim + d->n - 1) % d->n;

		while (d->of[victim].state == EMPTY && victim != last)
			victim = (victim + 1) % d->n;
		if (d->of[victim].state == NOT_COME)
			return steal_all(d, rank, victim);
		if (d->of[victim].state == OPEN && d->of[victim].next < d->of[victim].end)
			return steal_from(d, rank, victim);
		if (d->of[victim].state == OPEN)
			d->of[rank].victim = (victim + 1) % d->n;
	}
	return UINT32_MAX;
}

/* Returns a thread's next chunk, by its own range or by others'; UINT32_MAX for none. */
static uint32_t next_stealing(struct ompp_dealer *d, uint32_t rank)
{
	if (d->of[rank].state == NOT_COME)
		d->of[rank].state = OPEN;
	if (d->of[rank].state == OPEN && d->of[rank].next < d->of[rank].end)
		return d->of[rank].next++;
	return dealer_steal(d, rank);
}

uint32_t ompp_dealer_chunk(struct ompp_dealer *d, uint32_t rank)
{
	uint32_t next = d->of[rank].next;

	if (d->way == OMPP_DEAL_STEALING)
		return next_stealing(d, rank);
	if (d->way == OMPP_DEAL_IN_ORDER)
		return d->next < d->n_chunks ? d->next++ : UINT32_MAX;
	d->of[rank].next += d->n;
	return next < d->n_chunks ? next : UINT32_MAX;
}

/* Returns how many iterations a guided loop hands out next. */
static uint32_t guided_size(const struct ompp_dealer *d)
{
	uint64_t left = d->deal->n_iterations - d->next, chunk = d->chunk, n = d->n;

	if (n < 2)
		return (uint32_t)left;
	if ((2 * chunk + 1) * n < d->deal->n_iterations && left >= 2 * n * (chunk + 1))
		return (uint32_t)(left / (2 * n));
	return (uint32_t)(chunk < left ? chunk : left);
}

int ompp_dealer_next(struct ompp_dealer *dealer, uint32_t rank, struct ompp_dealt *to)
{
	uint64_t begin, end;

	if (dealer->way == OMPP_DEAL_GUIDED) {
		begin = dealer->next;
		if (begin == dealer->deal->n_iterations)
			return 0;
		end = dealer->next += guided_size(dealer);
	} else {
		uint32_t chunk = ompp_dealer_chunk(dealer, rank);

		if (chunk == UINT32_MAX)
			return 0;
		begin = (uint64_t)chunk * dealer->chunk;
		end = begin + dealer->chunk;
	}
	dealt_set(dealer->deal, begin, end, to);
	return 1;
}
