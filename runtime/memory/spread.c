/*
 * Spread: see spread.h.
 */
#include "runtime/memory/spread.h"

#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/data/object.h"
#include "runtime/ompp_mem.h"

enum {
	MOST_SPOTS = 1 << 14,    /* of a thread: 1 MiB */
	MOST_OF_COVER = 1 << 11, /* of these: 32 parts of an object in each slice, of what one thread accesses */
	FIRST_COVERS = 16,
	FIRST_SLICE_BITS = 16,
	MOST_BITS = 47
};

static uint64_t origin; /* time of the first sample of all threads; 0 before it; set once, by whoever has it */
static uint32_t longest_slice_bits; /* of all threads; it only grows, by any thread */

/* ---- the tables ---- */

static size_t hash_of(const struct ompp_spread_spot *s)
{
	uint64_t h = ((uint64_t)(uintptr_t)s->node ^ (uint64_t)s->cover << 32) * 0x9E3779B97F4A7C15u;

	h ^= (s->address >> s->step_bits) * 0xC2B2AE3D27D4EB4Fu;
	h = (h ^ h >> 29 ^ (uint64_t)s->from << 16 ^ s->slice) * 0x165667B19E3779F9u;
	return (size_t)(h >> 32);
}

static int is_same(const struct ompp_spread_spot *a, const struct ompp_spread_spot *b)
{
	return a->node == b->node && a->address == b->address && a->cover == b->cover && a->from == b->from &&
	       a->slice == b->slice;
}

/* Returns the slot of a spot, which is free when there is none like it. */
static uint32_t *slot_of(const struct ompp_spread *s, const struct ompp_spread_spot *wanted)
{
	size_t at = hash_of(wanted), mask = s->have_slots - 1;

	ompp_assert(s->have_slots > s->n && !(s->have_slots & mask));
	while (s->slots[at & mask] && !is_same(&s->spots[s->slots[at & mask] - 1], wanted))
		at++;
	return &s->slots[at & mask];
}

static struct ompp_spread_cover *cover_slot(struct ompp_spread_cover *covers, size_t have, uint32_t cover)
{
	size_t at = cover * 0x9E3779B1u;

	ompp_assert(cover && have && !(have & (have - 1)));
	while (covers[at & (have - 1)].cover && covers[at & (have - 1)].cover != cover)
		at++;
	return &covers[at & (have - 1)];
}

/* Returns what is known of a cover, made if need be; NULL without memory. */
static struct ompp_spread_cover *cover_of(struct ompp_spread *s, uint32_t cover)
{
	struct ompp_spread_cover *found, *more;
	size_t have = s->have_covers ? 2 * s->have_covers : FIRST_COVERS;

	if (2 * s->n_covers >= s->have_covers) {
		more = ompp_data_alloc(have * sizeof(*more));
		if (!more)
			return NULL;
		for (size_t i = 0; i < s->have_covers; i++)
			if (s->covers[i].cover)
				*cover_slot(more, have, s->covers[i].cover) = s->covers[i];
		s->covers = more;
		s->have_covers = have;
	}
	found = cover_slot(s->covers, s->have_covers, cover);
	if (!found->cover) {
		*found = (struct ompp_spread_cover){ .cover = cover,
			                             .step_bits = (uint32_t)__builtin_ctzl(ompp_page_bytes()) };
		s->n_covers++;
	}
	ompp_assert(2 * s->n_covers <= s->have_covers);
	return found;
}

/* Gives the table room for one more spot.  Returns 0, or -1 when there are as many as may be, or no memory. */
static int spread_grow(struct ompp_spread *s)
{
	if (s->n < s->have)
		return 0;
	if (s->have >= MOST_SPOTS)
		return -1;
	if (ompp_data_grow(&s->spots, &s->have, s->n + 1, sizeof(*s->spots)))
		return -1;
	s->slots = ompp_data_alloc(2 * s->have * sizeof(*s->slots));
	s->have_slots = s->slots ? 2 * s->have : 0;
	if (!s->slots) {
		s->n = 0;
		return -1;
	}
	for (size_t i = 0; i < s->n; i++)
		*slot_of(s, &s->spots[i]) = (uint32_t)i + 1;
	return 0;
}

/* ---- joining ---- */

/* Puts all spots into the table anew, by the steps of their covers and slices `shift` times twice as long, and joins
 * those that have become the same. */
static void spread_join(struct ompp_spread *s, uint32_t shift)
{
	size_t n = 0;

	memset(s->slots, 0, s->have_slots * sizeof(*s->slots));
	for (size_t i = 0; i < s->have_covers; i++)
		s->covers[i].n = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct ompp_spread_spot spot = s->spots[i];
		struct ompp_spread_cover *cover = cover_slot(s->covers, s->have_covers, spot.cover);
		uint32_t *slot;

		ompp_assert(cover->cover == spot.cover && cover->step_bits >= spot.step_bits);
		spot.slice = (uint16_t)(shift < 16 ? spot.slice >> shift : 0);
		spot.step_bits = (uint16_t)cover->step_bits;
		spot.address = spot.address >> spot.step_bits << spot.step_bits;
		slot = slot_of(s, &spot);
		if (*slot) {
			s->spots[*slot - 1].n += spot.n;
			s->spots[*slot - 1].estimate += spot.estimate;
			s->spots[*slot - 1].half += spot.half;
			continue;
		}
		s->spots[n++] = spot;
		*slot = (uint32_t)n;
		cover->n++;
	}
	ompp_assert(n <= s->n);
	s->n = n;
}

/* Doubles the step of a cover until it has no more than half of what it may have. */
static void spread_coarsen(struct ompp_spread *s, struct ompp_spread_cover *cover)
{
	uint32_t n = cover->n;

	while (cover->n > n / 2 && cover->step_bits < MOST_BITS) {
		cover->step_bits++;
		spread_join(s, 0);
	}
}

static struct ompp_spread_cover *largest_cover(const struct ompp_spread *s)
{
	struct ompp_spread_cover *most = s->covers;

	for (size_t i = 1; i < s->have_covers; i++)
		most = s->covers[i].n > most->n ? &s->covers[i] : most;
	return most;
}

/* ---- adding ---- */

static void spread_lengthen(uint32_t bits)
{
	uint32_t was = OMPP_LOAD(&longest_slice_bits);

	while (was < bits &&
	       !__atomic_compare_exchange_n(&longest_slice_bits, &was, bits, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void ompp_spread_align(struct ompp_spread *s)
{
	uint32_t bits = OMPP_LOAD(&longest_slice_bits);

	bits = bits < FIRST_SLICE_BITS ? FIRST_SLICE_BITS : bits;
	ompp_assert(bits >= s->slice_bits); /* slices never become shorter */
	if (bits > s->slice_bits && s->n)
		spread_join(s, bits - s->slice_bits);
	s->slice_bits = bits;
}

/* Returns the slice of a time; slices become longer when it lies behind the last one. */
static uint32_t slice_of(struct ompp_spread *s, uint64_t time)
{
	uint64_t first = OMPP_LOAD(&origin), since;

	if (!first && time && __atomic_compare_exchange_n(&origin, &first, time, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		first = time;
	since = time > first ? time - first : 0;
	ompp_spread_align(s);
	if (since >> s->slice_bits >= OMPP_SPREAD_SLICES) {
		spread_lengthen(64 - (uint32_t)__builtin_clzll(since / OMPP_SPREAD_SLICES));
		ompp_spread_align(s);
	}
	ompp_assert(since >> s->slice_bits < OMPP_SPREAD_SLICES);
	return (uint32_t)(since >> s->slice_bits);
}

/* Returns the spot like the wanted one, made if need be; NULL without memory. */
static struct ompp_spread_spot *spot_of(struct ompp_spread *s, struct ompp_spread_spot *wanted, uintptr_t address)
{
	struct ompp_spread_cover *cover = cover_of(s, wanted->cover);
	uint32_t *slot;

	if (!cover)
		return NULL;
	if (cover->n >= MOST_OF_COVER)
		spread_coarsen(s, cover);
	if (spread_grow(s)) {
		if (s->n < MOST_SPOTS)
			return NULL;
		spread_coarsen(s, largest_cover(s));
		if (s->n >= MOST_SPOTS)
			return NULL;
	}
	wanted->step_bits = (uint16_t)cover->step_bits;
	wanted->address = address >> cover->step_bits << cover->step_bits;
	slot = slot_of(s, wanted);
	if (!*slot) {
		ompp_assert(s->n < s->have && cover->n < s->n + 1);
		s->spots[s->n++] = *wanted;
		*slot = (uint32_t)s->n;
		cover->n++;
	}
	return &s->spots[*slot - 1];
}

/* Chooses half of the samples, by their number, in an order that has nothing to do with the program's: where each page
 * is accessed at each eighth sample, both halves must have all pages. */
static int is_of_half(uint32_t number)
{
	number ^= number >> 16;
	number *= 0x7FEB352Du;
	number ^= number >> 15;
	number *= 0x846CA68Bu;
	return (int)(number >> 31);
}

void ompp_spread_add(struct ompp_spread *s, const struct ompp_callnode *node, uint32_t cover, uint32_t from,
                     const struct ompp_mem_sample *sample)
{
	struct ompp_spread_spot wanted = { .node = node, .cover = cover, .from = from }, *spot;

	if (cover < OMPP_OBJECT_FIRST_NAMED) /* what has no name has no place of its own */
		return;
	wanted.slice = (uint16_t)slice_of(s, sample->time_ns);
	spot = spot_of(s, &wanted, (uintptr_t)sample->address);
	if (!spot) {
		s->n_lost++;
		return;
	}
	spot->n++;
	spot->estimate += sample->period;
	spot->half += is_of_half(s->n_samples++) ? sample->period : 0;
	ompp_assert(spot->half <= spot->estimate);
}
