/*
 * Range check: checks that pieces and ranges are consistent.  See range.h and piece.h.
 */
#include "runtime/base/check.h"
#include "runtime/data/object.h"
#include "runtime/data/tally.h"
#include "runtime/ranges/piece.h"
#include "runtime/ranges/range_set.h"

static int has_member(const struct ompp_piece *p, const struct ompp_range *r)
{
	uint32_t i;

	for (i = 0; i < p->n_members && p->members[i] != r; i++)
		;
	return i < p->n_members;
}

/* A range over the piece goes on in the pieces beside it, up to its own ends. */
static void check_member(const struct ompp_piece *before, const struct ompp_piece *p, const struct ompp_piece *after,
                         const struct ompp_range *r)
{
	ompp_check(r->object && !r->is_detached);
	ompp_check(r->lo <= p->lo && p->hi <= r->hi);
	ompp_check(r->lo == p->lo || (before && before->hi == p->lo && has_member(before, r)));
	ompp_check(r->hi == p->hi || (after && after->lo == p->hi && has_member(after, r)));
}

/* The cover of what readers see has an object for each range, but for those below the rank of its objects. */
static void check_cover(const struct ompp_piece *p)
{
	const struct ompp_cover *cover;
	uint32_t i, k;

	ompp_check(p->segment);
	ompp_check(p->segment->lo <= p->lo && p->hi <= p->segment->hi);
	cover = ompp_cover(p->segment->cover);
	for (i = 1; i < cover->n_objects; i++)
		ompp_check(cover->objects[i - 1] < cover->objects[i]);
	for (i = 0; i < p->n_members; i++) {
		const struct ompp_object_def *object = p->members[i]->object;

		for (k = 0; k < cover->n_objects && cover->objects[k] != object->index; k++)
			;
		ompp_check(k < cover->n_objects || p->members[i]->is_watch ||
		           ompp_piece_rank(object) < ompp_piece_rank(ompp_object(cover->objects[0])));
	}
}

/* After a failed allocation the pieces are incomplete; these checks are skipped then. */
static void check_pieces(void)
{
	const struct ompp_piece *before = NULL, *p = ompp_piece_from(0), *after;
	int is_whole = !__atomic_load_n(&ompp_n_lost_ranges, __ATOMIC_RELAXED);

	for (; p; before = p, p = after) {
		after = ompp_piece_from(p->hi);
		ompp_check(p->lo < p->hi && (!after || p->hi <= after->lo));
		ompp_check(p->n_members <= p->have_members);
		for (uint32_t i = 0; is_whole && i < p->n_members; i++)
			check_member(before, p, after, p->members[i]);
		if (is_whole)
			check_cover(p);
	}
}

void ompp_ranges_check(void)
{
	if (ompp_ranges_lock())
		return;
	check_pieces();
	ompp_ranges_unlock();
}
