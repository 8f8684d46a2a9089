/*
 * Piece: see piece.h.
 */
#include "runtime/ranges/piece.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/data/page.h"
#include "runtime/data/tracked.h"

enum { MOST_OBJECTS = 64 }; /* objects over one byte */

/* A piece of this size stays a piece when it has no range any more, as all its pages would have to be gone through.
 * Smaller ones are dropped, as they would be many. */
enum { LARGE = 1 << 16 };

static struct ompp_treap *pieces;
static struct ompp_piece *free_pieces;
static struct ompp_segment **ended; /* segments that the running change ends */
static size_t n_ended, have_ended;

struct ompp_piece *ompp_piece_from(uintptr_t address)
{
	struct ompp_piece *p = (struct ompp_piece *)ompp_treap_upto(pieces, address);

	return p && p->hi > address ? p : (struct ompp_piece *)ompp_treap_from(pieces, address);
}

struct ompp_piece *ompp_piece_upto(uintptr_t address)
{
	return (struct ompp_piece *)ompp_treap_upto(pieces, address);
}

static struct ompp_piece *new_piece(uintptr_t lo, uintptr_t hi)
{
	struct ompp_piece *p = free_pieces;

	if (p)
		free_pieces = p->next_free;
	else
		p = ompp_data_alloc(sizeof(*p));
	if (!p)
		return NULL;
	if (!p->members) {
		p->members = p->own_members;
		p->have_members = OMPP_INLINE_MEMBERS;
	}
	ompp_assert(lo < hi && p->have_members >= OMPP_INLINE_MEMBERS);
	p->tree.key = p->lo = lo;
	p->hi = hi;
	p->n_members = 0;
	p->segment = NULL;
	ompp_treap_put(&pieces, &p->tree);
	return p;
}

/* Takes the piece out of the tree, and keeps its struct for another piece. */
static void drop_piece(struct ompp_piece *p)
{
	ompp_treap_take(&pieces, &p->tree);
	p->next_free = free_pieces;
	free_pieces = p;
}

static int add_member(struct ompp_piece *p, struct ompp_range *r)
{
	if (p->n_members == p->have_members) {
		struct ompp_range **more = ompp_data_alloc(2 * p->have_members * sizeof(struct ompp_range *));

		if (!more)
			return -1;
		memcpy(more, p->members, p->n_members * sizeof(struct ompp_range *));
		p->members = more;
		p->have_members *= 2;
	}
	ompp_assert(p->n_members < p->have_members && r->lo <= p->lo && p->lo < r->hi);
	p->members[p->n_members++] = r;
	return 0;
}

static void remove_member(struct ompp_piece *p, const struct ompp_range *r)
{
	uint32_t i, n = 0;

	for (i = 0; i < p->n_members; i++)
		if (p->members[i] != r)
			p->members[n++] = p->members[i];
	p->n_members = n;
}

static int same_members(const struct ompp_piece *a, const struct ompp_piece *b)
{
	return a->n_members == b->n_members &&
	       !memcmp(a->members, b->members, a->n_members * sizeof(struct ompp_range *));
}

static void end_later(struct ompp_segment *s)
{
	if (s && !ompp_data_grow(&ended, &have_ended, n_ended + 1, sizeof(*ended)))
		ended[n_ended++] = s;
}

/* Makes the address a bound between pieces, by cutting the piece around it in two.  Returns 0, or -1 without memory. */
static int piece_cut(uintptr_t address)
{
	struct ompp_piece *p = ompp_piece_from(address), *right;
	uint32_t i;

	if (!p || p->lo >= address)
		return 0;
	ompp_assert(address < p->hi);
	right = new_piece(address, p->hi);
	if (!right)
		return -1;
	for (i = 0; i < p->n_members; i++)
		if (add_member(right, p->members[i]))
			return -1;
	p->hi = address;
	end_later(p->segment);
	p->segment = NULL;
	return 0;
}

/* Joins the pieces on both sides of the address if nothing tells them apart. */
static void piece_mend(uintptr_t address)
{
	struct ompp_piece *left = address ? ompp_piece_from(address - 1) : NULL, *right = ompp_piece_from(address);

	if (!left || !right || left == right || left->hi != right->lo || !same_members(left, right))
		return;
	end_later(left->segment);
	end_later(right->segment);
	ompp_assert(left->lo < left->hi && right->lo < right->hi);
	left->hi = right->hi;
	left->segment = NULL;
	drop_piece(right);
}

int ompp_piece_rank(const struct ompp_object_def *object)
{
	if (object->index == OMPP_OBJECT_STACK)
		return OMPP_RANK_STACK;
	return object->is_found ? OMPP_RANK_FOUND : OMPP_RANK_GIVEN;
}

/* Returns the cover of a piece: the objects of its ranges, those of the highest rank alone.  So what has a name counts
 * for its name, and not for the call that allocated it, too.  Sets *rc to −1 when there are more objects than a cover
 * can hold. */
static uint32_t cover_of(const struct ompp_piece *p, int *rc)
{
	uint32_t set[MOST_OBJECTS + 1], n = 0, tracked = 0, i, j;
	int highest = OMPP_RANK_STACK;

	for (i = 0; i < p->n_members; i++) {
		const struct ompp_object_def *def = p->members[i]->object;
		int rank = ompp_piece_rank(def);

		if (p->members[i]->is_watch)
			continue;
		tracked = p->members[i]->tracked ? p->members[i]->tracked : tracked;
		if (rank < highest)
			continue;
		n = rank > highest ? 0 : n;
		highest = rank;
		for (j = 0; j < n && set[j] < def->index; j++)
			;
		if (j < n && set[j] == def->index)
			continue;
		memmove(set + j + 1, set + j, (n - j) * sizeof(*set));
		set[j] = def->index;
		if (n == MOST_OBJECTS)
			*rc = -1;
		else
			n++;
	}
	for (i = 0; i < p->n_members && highest > OMPP_RANK_FOUND; i++)
		if (ompp_piece_rank(p->members[i]->object) == OMPP_RANK_FOUND)
			OMPP_STORE(&p->members[i]->object->has_names, 1);
	if (tracked)
		return ompp_tracked_cover(tracked, set, n);
	return n ? ompp_cover_of(set, n) : (uint32_t)OMPP_OBJECT_OTHER;
}

/* Returns the container whose own bytes a piece has; OMPP_SEVERAL when they belong to several, NULL when to none. */
static const struct ompp_container *container_of(const struct ompp_piece *p)
{
	const struct ompp_container *c = NULL;
	uint32_t i;

	for (i = 0; i < p->n_members; i++)
		if (p->members[i]->is_watch)
			c = c ? OMPP_SEVERAL : p->members[i]->container;
	return c;
}

/* Makes a page show the pieces on it.  Returns 0, or -1 without memory. */
static int publish_page(uintptr_t page)
{
	static union {
		struct ompp_list list;
		char room[sizeof(struct ompp_list) + (OMPP_PAGE_BYTES + 1) * 16];
	} wanted;
	struct ompp_list *w = &wanted.list;
	struct ompp_piece *p = ompp_piece_from(page);
	uintptr_t at = page, end = page + OMPP_PAGE_BYTES;

	w->n = 0;
	while (at < end) {
		struct ompp_segment *s;
		uintptr_t hi;

		if (p && p->lo <= at) {
			s = p->segment;
			hi = p->hi;
			p = hi < end ? ompp_piece_from(hi) : NULL;
		} else {
			hi = p && p->lo < end ? p->lo : end;
			s = ompp_segment_find(at, hi, OMPP_OBJECT_OTHER, NULL);
		}
		if (!s)
			return -1;
		ompp_assert(at < hi && (!w->n || w->entry[w->n - 1].start < at - page));
		w->entry[w->n].start = at - page;
		w->entry[w->n++].segment = s;
		at = hi < end ? hi : end;
	}
	return ompp_page_put(page, w);
}

static uintptr_t floor_page(uintptr_t address)
{
	return address & ~(OMPP_PAGE_BYTES - 1);
}

static int publish_pages(uintptr_t page, uintptr_t last)
{
	int rc = 0;

	while (page < last && !rc) {
		struct ompp_piece *p = ompp_piece_from(page);
		int is_inside = p && p->lo <= page;
		uintptr_t end = floor_page(is_inside ? p->hi : p ? p->lo : last);

		end = end < last ? end : last;
		if (end <= page || (is_inside && !p->segment)) {
			rc = publish_page(page);
			page += OMPP_PAGE_BYTES;
		} else {
			ompp_assert(!((page | end) & (OMPP_PAGE_BYTES - 1)));
			rc = ompp_pages_fill(page, end, is_inside ? p->segment : NULL);
			page = end;
		}
	}
	return rc;
}

int ompp_pieces_publish(uintptr_t lo, uintptr_t hi)
{
	struct ompp_piece *p;
	uintptr_t first = lo, last = hi;
	size_t i;
	int rc = 0, lost = 0;

	for (p = ompp_piece_from(lo); p && p->lo < hi; p = ompp_piece_from(p->hi)) {
		uint32_t cover = cover_of(p, &lost);
		const struct ompp_container *container = container_of(p);
		struct ompp_segment *old = p->segment;

		if (old && old->cover == cover && old->lo == p->lo && old->hi == p->hi &&
		    ompp_segment_watch(old) == container)
			continue;
		p->segment = ompp_segment_find(p->lo, p->hi, cover, container);
		if (!p->segment) {
			p->segment = old;
			rc = -1;
		} else {
			end_later(old);
		}
		first = p->lo < first ? p->lo : first;
		last = p->hi > last ? p->hi : last;
	}
	rc = rc ? rc : publish_pages(floor_page(first), floor_page(last + OMPP_PAGE_BYTES - 1));
	for (i = 0; i < n_ended; i++) {
		struct ompp_segment *s = ended[i];

		p = ompp_piece_from(s->lo);
		if (!p || p->segment != s)
			(rc ? ompp_segment_end : ompp_segment_drop)(s); /* after a failure a page may still have it */
	}
	n_ended = 0;
	return rc | lost;
}

int ompp_pieces_add(struct ompp_range *r)
{
	int rc = piece_cut(r->lo) || piece_cut(r->hi);
	uintptr_t at = r->lo;
	struct ompp_piece *p;

	while (at < r->hi && !rc) {
		p = ompp_piece_from(at);
		if (!p || p->lo > at)
			p = new_piece(at, p && p->lo < r->hi ? p->lo : r->hi);
		rc = !p || add_member(p, r);
		at = p ? p->hi : r->hi;
	}
	return rc ? -1 : 0;
}

void ompp_pieces_remove(const struct ompp_range *r)
{
	struct ompp_piece *p;
	uintptr_t hi;

	for (p = ompp_piece_from(r->lo); p && p->lo < r->hi; p = ompp_piece_from(hi)) {
		hi = p->hi;
		remove_member(p, r);
		if (!p->n_members && hi - p->lo < LARGE) {
			end_later(p->segment);
			drop_piece(p);
		}
	}
	piece_mend(r->lo);
	piece_mend(r->hi);
}
