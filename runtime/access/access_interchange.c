/*
 * Access interchange: see access_interchange.h.
 */
#include "runtime/access/access_interchange.h"

#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/access_model.h"
#include "runtime/access/access_relayout.h"
#include "runtime/access/loop_nest.h"
#include "runtime/base/window.h"
#include "runtime/core/thread.h"
#include "runtime/data/object.h"
#include "runtime/host/note.h"

enum {
	MOST_BETWEEN = 8,
	MOST_BYTES = 16, /* of an access that may belong to a nest */
	N_ORDERS = 2,
	OUTSIDE = UINT32_MAX,
	LEAST_NEST = 3,  /* executions of the inner loop: any two have constant steps */
	UNEVEN_ENDS = 4, /* of shorter nests, which say that a loop's steps or lengths vary: one, or a few, may be
	                  * a loop's that begins anew behind itself */
	DEEP_ENDS = 2,   /* of others, which say that there is a loop around: a loop may once be left early */
	PLACE_BITS = 12,
	N_PLACES = (1 << PLACE_BITS) + OMPP_WINDOW
};

static const struct {
	enum ompp_loop_order order;
	enum ompp_relayout_kind kind;
} orders[N_ORDERS] = { { OMPP_LOOP_INTERCHANGED, OMPP_RELAYOUT_INTERCHANGED },
	               { OMPP_LOOP_IN_BLOCKS, OMPP_RELAYOUT_BLOCKED } };

/* What was counted of one access of the nest. */
struct counted {
	uint64_t *row;
	uint64_t n, now[OMPP_CACHE_LEVELS]; /* accesses, and their misses */
};

/* An access after an execution of the inner loop. */
struct between {
	uintptr_t address;
	uint64_t *row;
	uint32_t n_bytes, missed;
	uint8_t is_store;
};

/* A thread's nest.  n_outer is 0 when there is none. */
struct ompp_interchange {
	void *cache[N_ORDERS];
	struct ompp_loop_nest nest;
	uint32_t n_walks; /* of its accesses, those of the inner loop; n is more when there are others between */
	struct counted counted[OMPP_LOOP_NEST_ACCESSES];
	uint32_t at; /* the access of the inner loop that is being counted, or OUTSIDE */
	uint32_t n_between;
	struct between between[MOST_BETWEEN]; /* since the inner loop's last execution */
	uintptr_t place;                      /* of the loop before, if all since then is in `between`; else 0 */
	uintptr_t steps_before; /* of the nest of two executions before, if all since then is of this place; else 0 */
};

int ompp_access_interchange_on;

static void *shared_caches[N_ORDERS];

void ompp_access_interchange_start(void)
{
	size_t n = ompp_cache_shared_bytes(&ompp_access_geometry);

	for (int i = 0; i < N_ORDERS && n; i++) {
		shared_caches[i] = ompp_data_alloc(n);
		if (!shared_caches[i]) {
			ompp_note_say("OMPP_LAYOUTS: no memory for the models of loops; none is interchanged");
			return;
		}
	}
	ompp_access_interchange_on = 1;
}

static struct ompp_interchange *interchange_new(struct ompp_thread *t)
{
	struct ompp_interchange *x = ompp_access_model_memory(t, sizeof(*x));

	for (int i = 0; i < N_ORDERS && x; i++) {
		x->cache[i] = ompp_access_model_cache(t, &ompp_access_geometry, shared_caches[i]);
		if (!x->cache[i])
			return NULL;
	}
	if (x)
		x->at = OUTSIDE;
	return x;
}

/* Returns the thread's nest; NULL without memory. */
static struct ompp_interchange *interchange_of(struct ompp_thread *t)
{
	if (__builtin_expect(t->interchange != NULL, 1))
		return t->interchange;
	return t->interchange = interchange_new(t);
}

/* ---- replay ---- */

/* Adds the misses of one access in another order. */
static void add_then(uint64_t *words, unsigned int missed)
{
	for (unsigned int i = 0; i < OMPP_CACHE_LEVELS && missed; i++)
		ompp_tally_add(&words[OMPP_RELAYOUT_THEN + i], missed >> i & 1);
}

/* Makes an access in all models as the program does. */
static void interchange_pass(struct ompp_interchange *x, const struct between *b)
{
	for (int i = 0; i < N_ORDERS; i++) {
		unsigned int missed = ompp_cache_access(x->cache[i], b->address, b->n_bytes);
		uint64_t *words = b->row ? b->row + orders[i].kind * OMPP_RELAYOUT_WORDS : NULL;

		if (!words)
			continue;
		ompp_tally_add(&words[OMPP_RELAYOUT_N], 1);
		for (unsigned int k = 0; k < OMPP_CACHE_LEVELS && b->missed; k++)
			ompp_tally_add(&words[OMPP_RELAYOUT_NOW + k], b->missed >> k & 1);
		add_then(words, missed);
	}
}

/* The nest in one of the models. */
struct interchange_replay {
	const struct ompp_interchange *x;
	void *cache;
	enum ompp_relayout_kind kind;
};

static void replay_access(void *context, uint32_t access, uintptr_t address)
{
	const struct interchange_replay *r = context;
	uint64_t *row = r->x->counted[access].row;
	unsigned int missed = ompp_cache_access(r->cache, address, r->x->nest.accesses[access].n_bytes);

	if (row && missed)
		add_then(row + r->kind * OMPP_RELAYOUT_WORDS, missed);
}

/* Adds what was counted of the nest's accesses as the program makes them. */
static void replay_now(const struct ompp_interchange *x, enum ompp_relayout_kind kind)
{
	for (uint32_t i = 0; i < x->nest.n; i++) {
		const struct counted *c = &x->counted[i];
		uint64_t *words = c->row ? c->row + kind * OMPP_RELAYOUT_WORDS : NULL;

		if (!words)
			continue;
		ompp_tally_add(&words[OMPP_RELAYOUT_N], c->n);
		for (unsigned int k = 0; k < OMPP_CACHE_LEVELS; k++)
			ompp_tally_add(&words[OMPP_RELAYOUT_NOW + k], c->now[k]);
	}
}

static void interchange_end(struct ompp_interchange *x)
{
	int is_free = x->nest.n_outer > 1 && ompp_loop_nest_is_free(&x->nest);
	uint32_t n_between = x->n_between;

	for (int i = 0; i < N_ORDERS && x->nest.n_outer; i++) {
		int is_other = is_free && ompp_loop_nest_is_nearer(&x->nest, orders[i].order);
		struct interchange_replay replay = { x, x->cache[i], orders[i].kind };

		replay_now(x, orders[i].kind);
		ompp_loop_nest_walk(&x->nest, is_other ? orders[i].order : OMPP_LOOP_AS_IT_IS, replay_access, &replay);
	}
	x->nest.n_outer = 0;
	x->n_between = 0;
	for (uint32_t i = 0; i < n_between; i++)
		interchange_pass(x, &x->between[i]);
}

/* ---- loops that have only some orders ---- */

/* By place in the program: how many nests ended with a further execution of their own inner loop, as steps or lengths
 * vary, and as there is a loop around. */
static uintptr_t places[N_PLACES];
static uint64_t n_uneven[N_PLACES], n_deep[N_PLACES];

void ompp_access_interchange_after_fork(void)
{
	if (!ompp_access_interchange_on)
		return;
	memset(places, 0, sizeof(places));
	memset(n_uneven, 0, sizeof(n_uneven));
	memset(n_deep, 0, sizeof(n_deep));
}

/* Returns a word for the steps of a nest's outer loop, which is not 0. */
static uintptr_t steps_of(const struct ompp_interchange *x)
{
	uintptr_t steps = 1;

	for (uint32_t i = 0; i < x->n_walks; i++)
		steps = steps * 31 + (uintptr_t)x->nest.accesses[i].outer;
	return steps ? steps : 1;
}

/* A further execution of so many iterations ends the nest.  Of two executions it is not known from one nest whether
 * steps vary or the outer loop has two iterations: then the next nest has the same steps. */
static void end_by_itself(struct ompp_interchange *x, uint64_t n_inner)
{
	int32_t at = ompp_window_find(places, PLACE_BITS, x->place);
	int is_deep = x->nest.n_outer >= LEAST_NEST;

	if (x->nest.n_outer == 2 && n_inner == x->nest.n_inner) {
		uintptr_t before = x->steps_before;

		x->steps_before = steps_of(x);
		if (!before)
			return;
		is_deep = before == x->steps_before;
	}
	/* two threads may take two places for one loop: all find the first of them once it is set, and the other keeps
	 * the few ends of meanwhile */
	if (at < 0) {
		at = ompp_window_new(places, PLACE_BITS, x->place);
		if (at < 0)
			return;
		ompp_window_set(places, at, x->place);
	}
	__atomic_fetch_add(is_deep ? &n_deep[at] : &n_uneven[at], 1, __ATOMIC_RELAXED);
}

struct ompp_interchange_loops ompp_access_interchange_loops(void)
{
	struct ompp_interchange_loops loops = { 0 };

	for (int i = 0; i < N_PLACES; i++) {
		uint64_t uneven = OMPP_LOAD(&n_uneven[i]), deep = OMPP_LOAD(&n_deep[i]);

		loops.n_uneven += uneven >= UNEVEN_ENDS && uneven >= deep;
		loops.n_deep += deep >= DEEP_ENDS && deep > uneven;
	}
	return loops;
}

/* ---- nests ---- */

/* Returns 1 when two places are consecutive ones of a walk; the second place that is known sets its step. */
static int is_next(struct ompp_loop_nest_access *a, uintptr_t address, size_t n_known)
{
	if (n_known == 1)
		a->outer = address - a->base;
	return address == a->base + n_known * a->outer;
}

/* Returns 1 when a loop is the nest's inner one once more. */
static int is_same_loop(struct ompp_interchange *x, const struct ompp_ordered_access *list, size_t n_list)
{
	if (!x->nest.n_outer || n_list != x->n_walks || list[0].n != x->nest.n_inner)
		return 0;
	for (uint32_t i = 0; i < n_list; i++) {
		struct ompp_loop_nest_access *a = &x->nest.accesses[i];

		if (list[i].step != a->inner || 1u << (list[i].how & OMPP_ORDERED_SIZE) != a->n_bytes ||
		    ((list[i].how & OMPP_ORDERED_STORE) != 0) != (a->is_store != 0) ||
		    !is_next(a, list[i].base, x->nest.n_outer))
			return 0;
	}
	return 1;
}

/* Makes what came after the inner loop's first execution accesses of the nest. */
static int start_between(struct ompp_interchange *x)
{
	if (x->n_walks + x->n_between > OMPP_LOOP_NEST_ACCESSES)
		return 0;
	for (uint32_t i = 0; i < x->n_between; i++) {
		const struct between *b = &x->between[i];

		x->nest.accesses[x->nest.n] = (struct ompp_loop_nest_access){
			.base = b->address, .n_bytes = b->n_bytes, .is_store = b->is_store, .is_between = 1
		};
		x->counted[x->nest.n++] = (struct counted){ .row = b->row };
	}
	return 1;
}

/* Returns 1 when what came after the inner loop's last execution is what came after the ones before. */
static int is_same_between(struct ompp_interchange *x)
{
	size_t n_known = x->nest.n_outer - 1;

	if (n_known == 0 && !start_between(x))
		return 0;
	if (x->n_between != x->nest.n - x->n_walks)
		return 0;
	for (uint32_t i = 0; i < x->n_between; i++) {
		struct ompp_loop_nest_access *a = &x->nest.accesses[x->n_walks + i];
		const struct between *b = &x->between[i];

		if (b->n_bytes != a->n_bytes || b->is_store != a->is_store ||
		    b->row != x->counted[x->n_walks + i].row || (n_known && !is_next(a, b->address, n_known)))
			return 0;
	}
	return 1;
}

static void count_between(struct ompp_interchange *x)
{
	for (uint32_t i = 0; i < x->n_between; i++) {
		struct counted *c = &x->counted[x->n_walks + i];

		c->n++;
		for (unsigned int k = 0; k < OMPP_CACHE_LEVELS; k++)
			c->now[k] += x->between[i].missed >> k & 1;
	}
	x->n_between = 0;
}

/* Returns 1 when each access of a loop is made in each of its iterations, of which there are several. */
static int has_all(const struct ompp_ordered_access *list, size_t n_list)
{
	for (size_t i = 0; i < n_list; i++)
		if (list[i].n != list[0].n)
			return 0;
	return n_list && n_list <= OMPP_LOOP_NEST_ACCESSES && list[0].n > 1;
}

static void nest_begin(struct ompp_interchange *x, const struct ompp_ordered_access *list, size_t n_list)
{
	x->nest.n_inner = list[0].n;
	x->nest.n_outer = 1;
	x->nest.n = x->n_walks = (uint32_t)n_list;
	memset(x->counted, 0, sizeof(x->counted));
	for (size_t i = 0; i < n_list; i++)
		x->nest.accesses[i] = (struct ompp_loop_nest_access){
			.base = list[i].base,
			.inner = list[i].step,
			.n_bytes = 1u << (list[i].how & OMPP_ORDERED_SIZE),
			.is_store = (list[i].how & OMPP_ORDERED_STORE) != 0,
		};
}

void ompp_access_interchange_loop(struct ompp_thread *t, const struct ompp_ordered_access *list, size_t n_list,
                                  uintptr_t place)
{
	struct ompp_interchange *x = interchange_of(t);

	if (!x)
		return;
	x->at = OUTSIDE;
	if (is_same_loop(x, list, n_list) && is_same_between(x)) {
		count_between(x);
		x->nest.n_outer++;
		x->at = 0;
		return;
	}
	if (x->place == place)
		end_by_itself(x, n_list ? list[0].n : 0);
	else
		x->steps_before = 0;
	x->place = place;
	interchange_end(x);
	if (has_all(list, n_list)) {
		nest_begin(x, list, n_list);
		x->at = 0;
	}
}

void ompp_access_interchange_at(struct ompp_thread *t, size_t index)
{
	if (t->interchange && t->interchange->at != OUTSIDE)
		t->interchange->at = (uint32_t)index;
}

void ompp_access_interchange_loop_end(struct ompp_thread *t)
{
	if (t->interchange)
		t->interchange->at = OUTSIDE;
}

void ompp_access_interchange_add(struct ompp_thread *t, uint64_t *row, uintptr_t address, size_t n_bytes, int is_load,
                                 unsigned int missed)
{
	const struct between b = { address, row, (uint32_t)n_bytes, missed, !is_load };
	struct ompp_interchange *x = interchange_of(t);

	if (!x)
		return;
	if (x->at != OUTSIDE) {
		struct counted *c = &x->counted[x->at];

		c->row = row;
		c->n++;
		for (unsigned int i = 0; i < OMPP_CACHE_LEVELS && missed; i++)
			c->now[i] += missed >> i & 1;
	} else if (x->nest.n_outer && x->n_between < MOST_BETWEEN && n_bytes <= MOST_BYTES) {
		x->between[x->n_between++] = b;
	} else {
		x->place = 0;
		interchange_end(x);
		interchange_pass(x, &b);
	}
}

void ompp_access_interchange_end(struct ompp_thread *t)
{
	if (!t->interchange)
		return;
	t->interchange->place = 0;
	interchange_end(t->interchange);
}
