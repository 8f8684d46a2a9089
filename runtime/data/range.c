/*
 * Range: see range.h.  Pieces are a treap by address; the table of pages has two levels of 2^18 entries.
 */
#define _GNU_SOURCE
#include "runtime/data/range.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { PAGE_BYTES = 1 << OMPP_PAGE_BITS, N_INLINE = 3, N_LIST_HASH = 1 << 16 };

struct piece {
	uintptr_t            lo, hi;
	struct piece        *left, *right;
	uint32_t             priority;
	uint32_t             n_members, have_members;
	struct ompp_range  **members;           /* ranges over it; in the order in which they came */
	struct ompp_range   *own_members[N_INLINE];
	struct ompp_segment *segment;           /* NULL: new */
};

uint32_t ompp_row_bytes = OMPP_N_SLOTS * sizeof(uint64_t);
_Atomic uint32_t ompp_n_ranges;
_Atomic uint64_t ompp_n_lost_ranges;
void (*ompp_range_changed)(const struct ompp_range *range, int in_force);

_Atomic(ompp_page *) ompp_access_root[1 << OMPP_ROOT_BITS];

static struct ompp_segment beyond;              /* addresses that the table does not reach */

/* All below: under the lock. */
static atomic_flag lock = ATOMIC_FLAG_INIT;
static __thread int holding __attribute__((tls_model("initial-exec")));
static struct piece *pieces, *free_pieces;
static struct ompp_range *free_ranges, **ranges;
static uint32_t n_ranges_made, have_ranges;
static struct ompp_segment **interned;          /* open addressing by (lo, hi, row) */
static size_t n_interned, have_interned;
static struct ompp_list *lists[N_LIST_HASH];    /* all that were made, by their content */
static struct ompp_segment **ended;             /* of the running change */
static size_t n_ended, have_ended;
static uint32_t random_state = 2463534242u;

static int take_lock(void)
{
	if (holding) {                          /* a signal handler inside one of our calls */
		atomic_fetch_add_explicit(&ompp_n_lost_ranges, 1, memory_order_relaxed);
		return -1;
	}
	holding = 1;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		sched_yield();
	return 0;
}

static void drop_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
	holding = 0;
}

static int held_for_fork;                       /* not by a handler that forks inside one of our calls */

void ompp_ranges_before_fork(void)
{
	if (!holding) {
		take_lock();
		held_for_fork = 1;
	}
}

void ompp_ranges_after_fork(void)
{
	if (held_for_fork) {
		held_for_fork = 0;
		drop_lock();
	}
}

static void lost(void)
{
	atomic_fetch_add_explicit(&ompp_n_lost_ranges, 1, memory_order_relaxed);
}

/* A table with room for n more entries; the old one is left behind.  0, or -1 without memory. */
static int grow(void *table, size_t *have, size_t n_need, size_t entry_bytes)
{
	void **old = table, *fresh;
	size_t n = *have ? *have * 2 : 256;

	if (n_need <= *have)
		return 0;
	while (n < n_need)
		n *= 2;
	fresh = ompp_data_alloc(n * entry_bytes);
	if (!fresh)
		return -1;
	if (*old)
		memcpy(fresh, *old, *have * entry_bytes);
	*old = fresh;
	*have = n;
	return 0;
}

/* ---- segments ---- */

static void set_limits(struct ompp_segment *s)
{
	for (unsigned int i = 0; i < OMPP_SIZES; i++) {
		uintptr_t n = s->hi - s->lo, size = (uintptr_t)1 << i;

		__atomic_store_n(&s->limit[i], n >= size ? n - size + 1 : 0, __ATOMIC_RELEASE);
	}
}

static void end_segment(struct ompp_segment *s)
{
	for (unsigned int i = 0; i < OMPP_SIZES; i++)
		__atomic_store_n(&s->limit[i], 0, __ATOMIC_RELEASE);
}

static struct ompp_segment *new_segment(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	char *room = ompp_data_alloc(sizeof(struct ompp_segment) + 48);
	struct ompp_segment *s = (void *)(((uintptr_t)room + 63) & ~(uintptr_t)63);

	if (!room)
		return NULL;
	s->lo = lo;
	s->hi = hi;
	s->cover = cover;
	s->row = (uint32_t)sizeof(struct ompp_tally) + cover * ompp_row_bytes;
	set_limits(s);
	return s;
}

static size_t segment_hash(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	uint64_t h = (lo ^ hi << 23 ^ (uint64_t)cover << 41) * 0x9E3779B97F4A7C15u;

	return (size_t)(h ^ h >> 31);
}

/* The segment of this state, alive. */
static struct ompp_segment *find_segment(uintptr_t lo, uintptr_t hi, uint32_t cover)
{
	size_t at, i, have = have_interned;
	struct ompp_segment *s, **old = interned;

	for (at = segment_hash(lo, hi, cover); have; at++) {
		s = interned[at & (have - 1)];
		if (!s)
			break;
		if (s->lo == lo && s->hi == hi && s->cover == cover) {
			if (!s->limit[0])
				set_limits(s);
			return s;
		}
	}
	if (2 * n_interned >= have) {
		size_t n = have ? have * 2 : 1024;
		struct ompp_segment **fresh = ompp_data_alloc(n * sizeof(*fresh));

		if (!fresh)
			return NULL;
		for (i = 0; i < have; i++) {
			if (!old[i])
				continue;
			for (at = segment_hash(old[i]->lo, old[i]->hi, old[i]->cover); fresh[at & (n - 1)]; at++)
				;
			fresh[at & (n - 1)] = old[i];
		}
		interned = fresh;
		have_interned = n;
	}
	s = new_segment(lo, hi, cover);
	if (!s)
		return NULL;
	for (at = segment_hash(lo, hi, cover); interned[at & (have_interned - 1)]; at++)
		;
	interned[at & (have_interned - 1)] = s;
	n_interned++;
	return s;
}

/* ---- the table of pages ---- */

static ompp_page *slot_of(uintptr_t address, int make)
{
	size_t i = address >> (OMPP_PAGE_BITS + OMPP_LEAF_BITS);
	ompp_page *leaf, *fresh;

	if (i >= (size_t)1 << OMPP_ROOT_BITS)
		return NULL;
	leaf = atomic_load_explicit(&ompp_access_root[i], memory_order_acquire);
	if (!leaf && make) {
		fresh = ompp_data_alloc(sizeof(*fresh) << OMPP_LEAF_BITS);
		if (!fresh)
			return NULL;
		if (atomic_compare_exchange_strong(&ompp_access_root[i], &leaf, fresh))
			leaf = fresh;           /* else another thread's; ours is lost, once */
	}
	return leaf ? &leaf[address >> OMPP_PAGE_BITS & (((size_t)1 << OMPP_LEAF_BITS) - 1)] : NULL;
}

static struct ompp_list *list_of(uintptr_t value)
{
	return value & 1 ? (struct ompp_list *)(value & ~(uintptr_t)OMPP_PAGE_TAGS) : NULL;
}

static const struct ompp_segment *in_slot(uintptr_t value, uintptr_t address)
{
	const struct ompp_list *l = list_of(value);
	uint32_t offset = address & (PAGE_BYTES - 1), i = 0, n;

	if (!l)
		return (const struct ompp_segment *)value;
	for (n = l->n; n > 1;) {
		uint32_t half = n / 2;

		if (l->entry[i + half].start <= offset) {
			i += half;
			n -= half;
		} else {
			n = half;
		}
	}
	return l->entry[i].segment;
}

const struct ompp_segment *ompp_segment_at(uintptr_t address)
{
	ompp_page *slot = slot_of(address, 1);
	uintptr_t value, page = address & ~(uintptr_t)(PAGE_BYTES - 1);
	struct ompp_segment *s;

	if (!slot)
		goto none;
	value = atomic_load_explicit(slot, memory_order_acquire);
	if (value)
		return in_slot(value, address);
	s = new_segment(page, page + PAGE_BYTES, OMPP_OBJECT_OTHER);
	if (!s)
		goto none;
	if (atomic_compare_exchange_strong(slot, &value, (uintptr_t)s))
		return s;
	return in_slot(value, address);
none:
	beyond.row = (uint32_t)sizeof(struct ompp_tally);       /* limits 0: never remembered as a way that fits */
	beyond.hi = UINTPTR_MAX;
	return &beyond;
}

/* ---- pieces ---- */

static struct piece *merge(struct piece *a, struct piece *b)
{
	if (!a || !b)
		return a ? a : b;
	if (a->priority > b->priority) {
		a->right = merge(a->right, b);
		return a;
	}
	b->left = merge(a, b->left);
	return b;
}

/* Those that begin below key, and the others. */
static void split(struct piece *t, uintptr_t key, struct piece **below, struct piece **rest)
{
	if (!t) {
		*below = *rest = NULL;
	} else if (t->lo < key) {
		split(t->right, key, &t->right, rest);
		*below = t;
	} else {
		split(t->left, key, below, &t->left);
		*rest = t;
	}
}

/* The first piece that ends above the address; NULL: none. */
static struct piece *piece_from(uintptr_t address)
{
	struct piece *p = pieces, *found = NULL;

	while (p)
		if (p->hi > address) {
			found = p;
			p = p->left;
		} else {
			p = p->right;
		}
	return found;
}

static struct piece *new_piece(uintptr_t lo, uintptr_t hi)
{
	struct piece *p = free_pieces, *below, *rest;

	if (p)
		free_pieces = p->left;
	else
		p = ompp_data_alloc(sizeof(*p));
	if (!p)
		return NULL;
	if (!p->members) {
		p->members = p->own_members;
		p->have_members = N_INLINE;
	}
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	p->priority = random_state;
	p->lo = lo;
	p->hi = hi;
	p->left = p->right = NULL;
	p->n_members = 0;
	p->segment = NULL;
	split(pieces, lo, &below, &rest);
	pieces = merge(merge(below, p), rest);
	return p;
}

/* Take the piece out of the tree. */
static void drop_piece(struct piece *p)
{
	struct piece *below, *rest, *self;

	split(pieces, p->lo, &below, &rest);
	split(rest, p->lo + 1, &self, &rest);
	pieces = merge(below, rest);
	p->left = free_pieces;
	free_pieces = p;
}

static int add_member(struct piece *p, struct ompp_range *r)
{
	if (p->n_members == p->have_members) {
		struct ompp_range **more = ompp_data_alloc(2 * p->have_members * sizeof(struct ompp_range *));

		if (!more)
			return -1;
		memcpy(more, p->members, p->n_members * sizeof(struct ompp_range *));
		p->members = more;
		p->have_members *= 2;
	}
	p->members[p->n_members++] = r;
	return 0;
}

static void remove_member(struct piece *p, const struct ompp_range *r)
{
	uint32_t i, n = 0;

	for (i = 0; i < p->n_members; i++)
		if (p->members[i] != r)
			p->members[n++] = p->members[i];
	p->n_members = n;
}

static int same_members(const struct piece *a, const struct piece *b)
{
	return a->n_members == b->n_members &&
	       !memcmp(a->members, b->members, a->n_members * sizeof(struct ompp_range *));
}

static void end_later(struct ompp_segment *s)
{
	if (s && !grow(&ended, &have_ended, n_ended + 1, sizeof(*ended)))
		ended[n_ended++] = s;
}

/* Let a bound of pieces be at the address. */
static int cut(uintptr_t address)
{
	struct piece *p = piece_from(address), *right;
	uint32_t i;

	if (!p || p->lo >= address)
		return 0;
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

/* The pieces on both sides of the address become one if nothing tells them apart. */
static void mend(uintptr_t address)
{
	struct piece *left = address ? piece_from(address - 1) : NULL, *right = piece_from(address);

	if (!left || !right || left == right || left->hi != right->lo || !same_members(left, right))
		return;
	end_later(left->segment);
	end_later(right->segment);
	left->hi = right->hi;
	left->segment = NULL;
	drop_piece(right);
}

/* The cover of a piece: its ranges' objects; the stack only where there is nothing else. */
static uint32_t cover_of(const struct piece *p)
{
	uint32_t set[64], n = 0, i, j;

	for (i = 0; i < p->n_members && n < 64; i++) {
		uint32_t object = p->members[i]->object->index;

		for (j = 0; j < n && set[j] < object; j++)
			;
		if (j < n && set[j] == object)
			continue;
		memmove(set + j + 1, set + j, (n - j) * sizeof(*set));
		set[j] = object;
		n++;
	}
	if (n > 1 && set[0] == OMPP_OBJECT_STACK)
		return ompp_cover_of(set + 1, n - 1);
	return n ? ompp_cover_of(set, n) : (uint32_t)OMPP_OBJECT_OTHER;
}

/* ---- publishing ---- */

/* What a page's segments were: those inside the page alone end, unless the new list has them. */
static void end_page(uintptr_t old, uintptr_t new, uintptr_t page)
{
	const struct ompp_list *was = list_of(old), *is = list_of(new);
	struct ompp_segment *s;
	uint32_t i, j;

	if (!old || old == new)
		return;
	if (!was) {
		s = (struct ompp_segment *)old;
		if (s->cover == OMPP_OBJECT_OTHER && s->lo == page && s->hi == page + PAGE_BYTES)
			end_segment(s);
		return;
	}
	for (i = 0; i < was->n; i++) {
		s = (struct ompp_segment *)(uintptr_t)was->entry[i].segment;
		if (s->cover != OMPP_OBJECT_OTHER || s->lo < page || s->hi > page + PAGE_BYTES)
			continue;
		for (j = 0; is && j < is->n && is->entry[j].segment != s; j++)
			;
		if (!is || j == is->n)
			end_segment(s);
	}
}

static uintptr_t list_value(const struct ompp_list *l)
{
	return (uintptr_t)l | (l->n < OMPP_LIST_HEAD ? 1 : 3);
}

/* The list of a page, found again when there was one like it: no two pages have the same. */
static uintptr_t page_list(const struct ompp_list *wanted)
{
	size_t n_entries = wanted->n * sizeof(wanted->entry[0]);
	struct ompp_list *l, *fresh;
	uint64_t h = 0;
	char *room;
	uint32_t i;

	for (i = 0; i < wanted->n; i++)
		h = (h ^ (uintptr_t)wanted->entry[i].segment) * 0x9E3779B97F4A7C15u;
	h = (h ^ h >> 31) % N_LIST_HASH;
	for (l = lists[h]; l; l = l->next)
		if (l->n == wanted->n && !memcmp(l->entry, wanted->entry, n_entries))
			return list_value(l);
	room = ompp_data_alloc(sizeof(*fresh) + n_entries + 48);
	fresh = (void *)(((uintptr_t)room + 63) & ~(uintptr_t)63);
	if (!room)
		return 0;
	memcpy(fresh, wanted, sizeof(*fresh) + n_entries);
	for (i = 0; i < OMPP_LIST_HEAD; i++) {
		fresh->start[i] = i < wanted->n ? (int16_t)wanted->entry[i].start : INT16_MAX;
		fresh->row[i] = i < wanted->n ? wanted->entry[i].segment->row : UINT32_MAX;
	}
	fresh->next = lists[h];
	lists[h] = fresh;
	return list_value(fresh);
}

/* Put the page's present state into its slot. */
static int publish_page(ompp_page *slot, uintptr_t page)
{
	static union { struct ompp_list list; char room[sizeof(struct ompp_list) + (PAGE_BYTES + 1) * 16]; } wanted;
	struct ompp_list *w = &wanted.list;
	struct piece *p = piece_from(page);
	uintptr_t at = page, end = page + PAGE_BYTES, old = atomic_load_explicit(slot, memory_order_relaxed), new;

	w->n = 0;
	while (at < end) {
		struct ompp_segment *s;
		uintptr_t hi;

		if (p && p->lo <= at) {
			s = p->segment;
			hi = p->hi;
			p = hi < end ? piece_from(hi) : NULL;
		} else {
			hi = p && p->lo < end ? p->lo : end;
			s = find_segment(at, hi, OMPP_OBJECT_OTHER);
		}
		if (!s)
			return -1;
		w->entry[w->n].start = at - page;
		w->entry[w->n++].segment = s;
		at = hi < end ? hi : end;
	}
	new = w->n == 1 ? (uintptr_t)w->entry[0].segment : page_list(w);
	if (!new)
		return -1;
	old = atomic_exchange_explicit(slot, new, memory_order_acq_rel);
	end_page(old, new, page);
	return 0;
}

/* Give each piece of [lo, hi) its segment and each page its state; then end what is no more. */
static void publish(uintptr_t lo, uintptr_t hi)
{
	struct piece *p;
	uintptr_t page, first = lo, last = hi;
	size_t i;
	int rc = 0;

	for (p = piece_from(lo); p && p->lo < hi; p = piece_from(p->hi)) {
		uint32_t cover = cover_of(p);
		struct ompp_segment *old = p->segment;

		if (old && old->cover == cover && old->lo == p->lo && old->hi == p->hi)
			continue;
		p->segment = find_segment(p->lo, p->hi, cover);
		if (!p->segment) {
			p->segment = old;
			rc = -1;
		} else {
			end_later(old);
		}
		first = p->lo < first ? p->lo : first;
		last = p->hi > last ? p->hi : last;
	}
	last = (last + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1);
	for (page = first & ~(uintptr_t)(PAGE_BYTES - 1); page < last && !rc; page += PAGE_BYTES) {
		ompp_page *slot = slot_of(page, 1);

		if (!slot)
			break;
		p = piece_from(page);
		if (p && p->lo <= page && p->hi >= page + PAGE_BYTES && p->segment) {
			uintptr_t end = p->hi < last ? p->hi : last, n;

			/* a run of pages inside one piece, as far as the leaf goes */
			for (n = 0; page + PAGE_BYTES <= end; page += PAGE_BYTES, n++) {
				uintptr_t old;

				if (n && !(page & (((uintptr_t)1 << (OMPP_PAGE_BITS + OMPP_LEAF_BITS)) - 1)))
					break;
				old = atomic_load_explicit(slot + n, memory_order_relaxed);
				if (old != (uintptr_t)p->segment) {
					old = atomic_exchange_explicit(slot + n, (uintptr_t)p->segment,
					                               memory_order_acq_rel);
					end_page(old, (uintptr_t)p->segment, page);
				}
			}
			page -= PAGE_BYTES;
		} else {
			rc = publish_page(slot, page);
		}
	}
	for (i = 0; i < n_ended; i++) {
		struct ompp_segment *s = ended[i];

		p = piece_from(s->lo);
		if (!p || p->segment != s)
			end_segment(s);
	}
	n_ended = 0;
	if (rc)
		lost();
}

/* ---- ranges ---- */

static struct ompp_range *new_range(void)
{
	struct ompp_range *r = free_ranges;

	if (r) {
		free_ranges = r->next;
		return r;
	}
	if (n_ranges_made == have_ranges) {
		size_t have = have_ranges;

		if (grow(&ranges, &have, have + 1, sizeof(struct ompp_range *)))
			return NULL;
		have_ranges = (uint32_t)have;
	}
	r = ompp_data_alloc(sizeof(*r));
	if (!r)
		return NULL;
	r->index = n_ranges_made;
	ranges[n_ranges_made++] = r;
	return r;
}

static int is_name(const struct ompp_range *r)
{
	return r->object->index >= OMPP_OBJECT_FIRST_NAMED;
}

/* Put a range in force. */
static int set(struct ompp_range *r)
{
	struct piece *p;
	uintptr_t at = r->lo;
	int rc = cut(r->lo) || cut(r->hi);

	while (at < r->hi && !rc) {
		p = piece_from(at);
		if (!p || p->lo > at)
			p = new_piece(at, p && p->lo < r->hi ? p->lo : r->hi);
		rc = !p || add_member(p, r);
		at = p ? p->hi : r->hi;
	}
	publish(r->lo ? r->lo - 1 : 0, r->hi + 1);
	r->next = r->object->ranges;
	r->object->ranges = r;
	OMPP_ADD(&r->object->n_live, 1u);
	if (is_name(r))
		atomic_fetch_add_explicit(&ompp_n_ranges, 1, memory_order_relaxed);
	if (ompp_range_changed)
		ompp_range_changed(r, 1);
	return rc ? -1 : 0;
}

/* Take a range out of force; the struct stays. */
static void unset(struct ompp_range *r)
{
	struct ompp_range **link;
	struct piece *p;

	if (ompp_range_changed)
		ompp_range_changed(r, 0);
	for (p = piece_from(r->lo); p && p->lo < r->hi; p = piece_from(p->hi))
		remove_member(p, r);
	mend(r->lo);
	mend(r->hi);
	publish(r->lo ? r->lo - 1 : 0, r->hi + 1);
	for (link = &r->object->ranges; *link && *link != r; link = &(*link)->next)
		;
	if (*link)
		*link = r->next;
	OMPP_ADD(&r->object->n_live, -1u);
	if (is_name(r))
		atomic_fetch_sub_explicit(&ompp_n_ranges, 1, memory_order_relaxed);
}

static void end(struct ompp_range *r)
{
	unset(r);
	r->generation++;
	r->next = free_ranges;
	free_ranges = r;
}

static uint64_t id_of(const struct ompp_range *r)
{
	return ((uint64_t)r->generation << 32 | r->index) + 1;
}

static struct ompp_range *find_named(const struct ompp_object_def *def, uint32_t owner, int scoped)
{
	struct ompp_range *r;

	for (r = def->ranges; r; r = r->next)
		if (r->owner == owner && (scoped || !r->scope))
			return r;
	return NULL;
}

uint64_t ompp_range_begin(const char *name, enum ompp_origin origin, uintptr_t address, size_t n_bytes, uint32_t owner,
                          uintptr_t scope)
{
	struct ompp_object_def *def;
	struct ompp_range *r = NULL;
	uint64_t id = 0;

	if (take_lock())
		return 0;
	def = ompp_object_named(name, origin);
	if (!def) {
		lost();
		goto out;
	}
	if (!scope && def->index >= OMPP_OBJECT_FIRST_NAMED) {
		r = find_named(def, owner, 0);
		if (r && r->lo == address && r->hi - r->lo == n_bytes && n_bytes) {
			id = id_of(r);
			goto out;
		}
		if (r)
			end(r);
	}
	if (!address || !n_bytes || address + n_bytes < address)
		goto out;
	r = new_range();
	if (!r) {
		lost();
		goto out;
	}
	r->lo = address;
	r->hi = address + n_bytes;
	r->object = def;
	r->owner = owner;
	r->scope = scope;
	if (!def->n_ranges && def->index)
		def->cover = ompp_cover_of(&def->index, 1);
	OMPP_ADD(&def->n_ranges, 1u);
	OMPP_STORE(&def->last_owner, owner);
	OMPP_STORE(&def->address, address);
	OMPP_STORE(&def->n_bytes, n_bytes);
	if (set(r))
		lost();
	id = id_of(r);
out:
	drop_lock();
	return id;
}

void ompp_range_end(uint64_t id)
{
	struct ompp_range *r;

	if (!id-- || take_lock())
		return;
	r = (uint32_t)id < n_ranges_made ? ranges[(uint32_t)id] : NULL;
	if (r && r->generation == id >> 32)
		end(r);
	drop_lock();
}

void ompp_range_end_named(const char *name, uint32_t owner)
{
	struct ompp_object_def *def;
	struct ompp_range *r;

	if (take_lock())
		return;
	def = ompp_object_named(name, OMPP_ORIGIN_CALL);
	r = def ? find_named(def, owner, 1) : NULL;
	if (!r && def)
		r = find_named(def, 0, 1);
	if (r && is_name(r))
		end(r);
	drop_lock();
}

/* The first range of a name that lies in [lo, hi). */
static struct ompp_range *find_inside(uintptr_t lo, uintptr_t hi)
{
	struct piece *p;
	uint32_t i;

	for (p = piece_from(lo); p && p->lo < hi; p = piece_from(p->hi))
		for (i = 0; i < p->n_members; i++) {
			struct ompp_range *r = p->members[i];

			if (is_name(r) && r->lo >= lo && r->hi <= hi)
				return r;
		}
	return NULL;
}

/* Lock-free: can there be a name in [lo, hi)? */
static int may_be_named(uintptr_t lo, uintptr_t hi)
{
	int i;

	if (!atomic_load_explicit(&ompp_n_ranges, memory_order_relaxed))
		return 0;
	for (i = 0; i < 64 && lo < hi; i++) {
		ompp_page *slot = slot_of(lo, 0);
		uintptr_t value = slot ? atomic_load_explicit(slot, memory_order_acquire) : 0;
		const struct ompp_segment *s;

		if (!value) {
			lo = (lo | (PAGE_BYTES - 1)) + 1;
			continue;
		}
		s = in_slot(value, lo);
		if (s->cover >= OMPP_OBJECT_FIRST_NAMED)
			return 1;
		lo = s->hi > lo ? s->hi : hi;
	}
	return lo < hi;
}

void ompp_range_end_scoped(const char *name, uintptr_t lo, uintptr_t hi)
{
	struct ompp_object_def *def;
	struct ompp_range *r, *next;

	if (take_lock())
		return;
	def = ompp_object_named(name, OMPP_ORIGIN_PRAGMA);
	for (r = def ? def->ranges : NULL; r; r = next) {
		next = r->next;
		if (r->scope && r->scope >= lo && r->scope < hi && is_name(r))
			end(r);
	}
	drop_lock();
}

void ompp_range_freed(uintptr_t lo, uintptr_t hi)
{
	struct ompp_range *r;

	if (!may_be_named(lo, hi) || take_lock())
		return;
	while ((r = find_inside(lo, hi)))
		end(r);
	drop_lock();
}

struct ompp_range *ompp_range_detach(uintptr_t lo, uintptr_t hi)
{
	struct ompp_range *r, *list = NULL;

	if (!may_be_named(lo, hi) || take_lock())
		return NULL;
	while ((r = find_inside(lo, hi))) {
		unset(r);
		r->next = list;
		list = r;
	}
	drop_lock();
	return list;
}

void ompp_range_attach(struct ompp_range *list, uintptr_t old_lo, uintptr_t new_lo, size_t n_bytes)
{
	struct ompp_range *next;

	if (!list || take_lock())
		return;
	for (; list; list = next) {
		uintptr_t offset = list->lo - old_lo, n = list->hi - list->lo;

		next = list->next;
		if (offset >= n_bytes) {
			list->generation++;
			list->next = free_ranges;
			free_ranges = list;
			continue;
		}
		list->lo = new_lo + offset;
		list->hi = list->lo + (n < n_bytes - offset ? n : n_bytes - offset);
		OMPP_ADD(&list->object->n_ranges, (uint32_t)(new_lo != old_lo));
		OMPP_STORE(&list->object->address, list->lo);
		OMPP_STORE(&list->object->n_bytes, list->hi - list->lo);
		if (set(list))
			lost();
	}
	drop_lock();
}
