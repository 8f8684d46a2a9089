/*
 * Range: compares ranges with a list that is searched from end to end, for random names over a few pages, which are
 * moved, nested, ended and detached.  After each change, the segment at each place must have the cover that the list
 * gives, and each segment that a way still remembers must be ended or right.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/data/page.h"
#include "runtime/ranges/container.h"
#include "runtime/ranges/range.h"
#include "runtime/ranges/range_set.h"

enum { N_NAMES = 24, N_LIVE = 16, N_STEPS = 20000, N_FAR_STEPS = 3000, N_KEPT = 64 };

#define BASE ((uintptr_t)1 << 40)
#define SPAN ((uintptr_t)16 * 4096)
#define FAR  (BASE + ((uintptr_t)1 << 42)) /* where the huge ranges begin */

/* Where random ranges lie, and how large they are at most: a few pages, or what whole tables of pages describe. */
static uintptr_t base = BASE, span = SPAN, largest = 3 * 4096;

struct live {
	int name;
	uint32_t owner;
	uintptr_t lo, hi;
	uint64_t id;
	int scoped;
};

static struct live live[N_LIVE];
static int n_live;
static uint64_t state = 88172645463325252u;
static const struct ompp_segment *kept[N_KEPT];
static uintptr_t rest_lo, rest_hi; /* where memory without another name has that behind the last one */

static uint64_t random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

static const char *name_of(int i)
{
	static char name[16];

	snprintf(name, sizeof(name), "object%d", i);
	return name;
}

static void drop(int i)
{
	memmove(live + i, live + i + 1, (size_t)(n_live - i - 1) * sizeof(live[0]));
	n_live--;
}

/* Returns the names that cover the address, as one bit for each. */
static uint32_t expected(uintptr_t address)
{
	uint32_t set = 0;

	for (int i = 0; i < n_live; i++)
		if (live[i].lo <= address && address < live[i].hi)
			set |= (uint32_t)1 << live[i].name;
	if (!set && rest_lo <= address && address < rest_hi)
		set = (uint32_t)1 << N_NAMES;
	return set;
}

static uint32_t names_in(uint32_t cover)
{
	const struct ompp_cover *c = ompp_cover(cover);
	uint32_t set = 0;

	for (uint32_t i = 0; i < c->n_objects; i++)
		if (c->objects[i] >= OMPP_OBJECT_FIRST_NAMED)
			set |= (uint32_t)1 << atoi(ompp_object(c->objects[i])->name + strlen("object"));
	return set;
}

static void check(uintptr_t address)
{
	const struct ompp_segment *s = ompp_segment_at(address);
	uintptr_t page;

	assert_true(s->lo <= address && address < s->hi);
	assert_int_equal(names_in(s->cover), expected(address));
	assert_int_equal(s->limit[0], s->hi - s->lo);
	assert_int_equal(s->limit[3], s->hi - s->lo >= 8 ? s->hi - s->lo - 7 : 0);
	page = ompp_page_of(address);
	if ((page & OMPP_PAGE_TAGS) == 1) {
		const struct ompp_list *list = (const struct ompp_list *)(page - 1);
		unsigned int i = ompp_list_find(list, address & 4095);

		assert_ptr_equal(list->entry[i].segment, s);
		assert_int_equal(list->row[i], s->row);
	}
	kept[random_below(N_KEPT)] = s;
}

/* The covers of a page are those that its addresses have, each once. */
static void check_page(uintptr_t page)
{
	uint32_t covers[N_LIVE * 4], n = ompp_page_covers(page, covers, N_LIVE * 4), seen = 0;
	const struct ompp_segment *s;
	uint32_t i;

	for (uintptr_t at = page; at < page + OMPP_PAGE_BYTES; at = s->hi) {
		s = ompp_segment_at(at);
		for (i = 0; i < n && covers[i] != s->cover; i++)
			;
		assert_true(i < n && i < 32);
		seen |= (uint32_t)1 << i;
	}
	assert_int_equal(seen, (uint32_t)((UINT64_C(1) << n) - 1));
}

static void check_all(void)
{
	check_page(base + random_below(span / OMPP_PAGE_BYTES) * OMPP_PAGE_BYTES);
	for (int i = 0; i < n_live; i++) {
		check(live[i].lo);
		check(live[i].lo - 1);
		check(live[i].hi - 1);
		check(live[i].hi);
	}
	for (int i = 0; i < 8; i++)
		check(base + random_below(span));
	for (int i = 0; i < N_KEPT; i++)
		if (kept[i] && kept[i]->limit[0]) {
			assert_int_equal(names_in(kept[i]->cover), expected(kept[i]->lo));
			assert_int_equal(names_in(kept[i]->cover), expected(kept[i]->lo + kept[i]->limit[0] - 1));
		}
}

static void begin(void)
{
	struct live l = { .name = (int)random_below(N_NAMES), .owner = (uint32_t)random_below(3) };
	uintptr_t n = random_below(4) ? random_below(200) + 1 : random_below(largest) + 1;

	l.scoped = !random_below(4);
	l.lo = base + (random_below(2) ? random_below(span) : random_below(span / 512) * 512);
	if (!random_below(4)) { /* what whole pages, leaves or branches of the table describe */
		uintptr_t unit = (uintptr_t)4096 << random_below(largest > ((uintptr_t)1 << 31) ? 3 : 1) * 9;

		l.lo &= ~(unit - 1);
		n = (n + unit - 1) & ~(unit - 1);
	}
	l.hi = l.lo + n;
	if (!l.scoped)
		for (int i = 0; i < n_live; i++)
			if (live[i].name == l.name && live[i].owner == l.owner && !live[i].scoped)
				drop(i--);
	if (n_live == N_LIVE)
		return;
	l.id = ompp_range_begin(name_of(l.name), OMPP_ORIGIN_CALL, l.lo, n, l.owner, l.scoped ? (uintptr_t)&l : 0);
	assert_true(l.id != 0);
	live[n_live++] = l;
}

static void end(void)
{
	int i = n_live ? (int)random_below((uint64_t)n_live) : 0;

	if (!n_live)
		return;
	ompp_range_end(live[i].id);
	ompp_range_end(live[i].id); /* ended twice, it does nothing */
	drop(i);
}

static void freed(void)
{
	uintptr_t lo = base + random_below(span), hi = lo + random_below(largest);

	ompp_range_freed(lo, hi);
	for (int i = 0; i < n_live; i++)
		if (live[i].lo >= lo && live[i].hi <= hi)
			drop(i--);
}

static void moved(void)
{
	uintptr_t lo = base + random_below(span), hi = lo + random_below(largest), to = base + random_below(span);
	size_t n = random_below(2) ? hi - lo : random_below(largest), slack = random_below(64);
	struct ompp_range *list;

	if (n_live && random_below(2)) { /* free a block that ranges may cover */
		lo = live[0].lo;
		hi = live[0].hi + random_below(64);
	}
	list = ompp_range_detach(lo, hi, slack);

	for (int i = 0; i < n_live; i++) {
		uintptr_t offset = live[i].lo - lo;
		int is_whole = !offset && hi - live[i].hi < slack;

		if (live[i].lo < lo || live[i].hi > hi)
			continue;
		live[i].hi = live[i].hi - lo < n && !is_whole ? to + (live[i].hi - lo) : to + n;
		live[i].lo = to + offset;
		if (offset >= n)
			drop(i--);
	}
	ompp_range_attach(list, lo, to, n);
}

static void change_at_random(int n_steps)
{
	for (int i = 0; i < n_steps; i++) {
		switch (random_below(8)) {
		case 0:
		case 1:
		case 2:
		case 3:
			begin();
			break;
		case 4:
		case 5:
			end();
			break;
		case 6:
			freed();
			break;
		default:
			moved();
			break;
		}
		check_all();
		assert_int_equal(ompp_n_ranges, n_live);
	}
	assert_int_equal(ompp_n_lost_ranges, 0);
	while (n_live)
		end();
	for (int i = 0; i < N_KEPT; i++)
		kept[i] = NULL;
}

static void test_random(void **unused)
{
	(void)unused;
	change_at_random(N_STEPS);
	base = FAR;
	span = (uintptr_t)1 << 36;
	largest = (uintptr_t)1 << 35;
	change_at_random(N_FAR_STEPS);
	base = FAR - ((uintptr_t)1 << 33); /* it ends in the first gigabyte of the other range */
	span = (uintptr_t)1 << 32;
	largest = (uintptr_t)1 << 33;
	change_at_random(N_FAR_STEPS);
}

/* What has no name gets one as a whole, and loses it again; names that were there stay as they are. */
static void test_rest(void **unused)
{
	uint64_t n_before = ompp_n_ranges, n_lost = ompp_n_lost_ranges; /* other tests have left some */

	(void)unused;
	base = BASE;
	span = SPAN;
	largest = 3 * 4096;
	for (int round = 0; round < 200; round++) {
		for (int n = (int)random_below(6); n; n--)
			begin();
		rest_lo = base + random_below(span);
		rest_hi = rest_lo + random_below(largest);
		ompp_range_begin_rest(name_of(N_NAMES), OMPP_ORIGIN_FILE, rest_lo, rest_hi, 0);
		for (int i = 0; i < 20; i++)
			check(base + random_below(span));
		for (int i = 0; i < 20 && rest_lo < rest_hi; i++)
			check(rest_lo + random_below(rest_hi - rest_lo));
		check(rest_lo - 1);
		check(rest_hi);
		ompp_range_end_rest(OMPP_ORIGIN_FILE, rest_lo, rest_hi);
		rest_lo = rest_hi = 0;
		check_all();
		assert_int_equal(ompp_n_ranges - n_before, n_live);
		while (n_live && random_below(4))
			end();
	}
	assert_int_equal(ompp_n_lost_ranges, n_lost);
	while (n_live)
		end();
	for (int i = 0; i < N_KEPT; i++)
		kept[i] = NULL;
}

/* What a signal handler wants to name while its thread names something is lost, and noted; nothing waits. */
static void test_lost(void **unused)
{
	static char memory[64];
	struct ompp_range *list = NULL;
	uintptr_t lo = (uintptr_t)memory, hi = lo + sizeof(memory);
	uint64_t n_lost = ompp_n_lost_ranges, n_named = ompp_ranges_n_named(), id;

	(void)unused;
	id = ompp_range_begin("kept", OMPP_ORIGIN_CALL, lo, 64, 0, 0);
	assert_true(id && ompp_ranges_n_named() == n_named + 1 && ompp_n_lost_ranges == n_lost);
	assert_int_equal(ompp_ranges_lock(), 0);
	assert_int_equal(ompp_range_begin("lost", OMPP_ORIGIN_CALL, lo, 8, 0, 0), 0);
	assert_int_equal(ompp_n_lost_ranges, n_lost + 1);
	ompp_range_end(id);
	assert_int_equal(ompp_n_lost_ranges, n_lost + 2);
	ompp_range_end_named("kept", 0);
	assert_int_equal(ompp_n_lost_ranges, n_lost + 3);
	ompp_range_end_all("kept");
	assert_int_equal(ompp_n_lost_ranges, n_lost + 4);
	ompp_range_end_scoped("kept", lo, hi);
	assert_int_equal(ompp_n_lost_ranges, n_lost + 5);
	ompp_range_freed(lo, hi);
	assert_int_equal(ompp_n_lost_ranges, n_lost + 6);
	assert_null(ompp_range_detach(lo, hi, 0));
	assert_int_equal(ompp_n_lost_ranges, n_lost + 7);
	ompp_range_begin_rest("lost", OMPP_ORIGIN_FILE, lo, hi, 0);
	assert_int_equal(ompp_n_lost_ranges, n_lost + 8);
	ompp_range_end_rest(OMPP_ORIGIN_CALL, lo, hi);
	assert_int_equal(ompp_n_lost_ranges, n_lost + 9);
	assert_int_equal(ompp_ranges_each(NULL, NULL), -1); /* who only reads loses nothing */
	assert_int_equal(ompp_n_lost_ranges, n_lost + 9);
	ompp_ranges_unlock();
	assert_int_equal(ompp_ranges_n_named(), n_named + 1);
	assert_null(ompp_object_find("lost"));
	list = ompp_range_detach(lo, hi, 0); /* it is still there, and moves */
	assert_non_null(list);
	ompp_range_attach(list, lo, lo + 8, 56);
	assert_int_equal(ompp_object_find("kept")->address, lo + 8);
	ompp_range_end(id);
	assert_int_equal(ompp_object_find("kept")->n_live, 0);
	assert_int_equal(ompp_n_lost_ranges, n_lost + 9);
	/* addresses that no program has are no memory */
	assert_int_equal(ompp_range_begin_as(OMPP_RANGE_EACH, "none", OMPP_ORIGIN_CALL, OMPP_LAST_ADDRESS, 1, 0, 0), 0);
	assert_int_equal(ompp_range_begin_as(OMPP_RANGE_EACH, "none", OMPP_ORIGIN_CALL, lo, 0, 0, 0), 0);
	assert_null(ompp_object_find("none"));
}

static long resident_pages(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long all = 0, resident = 0;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%ld %ld", &all, &resident), 2);
	fclose(f);
	return resident;
}

/* The cost of ranges does not grow with their size: a quarter of all addresses takes no gigabytes. */
static void test_huge(void **unused)
{
	uintptr_t lo = ((uintptr_t)1 << 44) + 4096 * 77 + 8, n = (uintptr_t)1 << 46;
	long before = resident_pages();

	(void)unused;
	for (int i = 0; i < 20; i++) {
		assert_true(ompp_range_begin("huge", OMPP_ORIGIN_CALL, lo + 8 * (uintptr_t)i, n, 0, 0));
		assert_string_equal(ompp_object(ompp_cover(ompp_segment_at(lo + n / 2)->cover)->objects[0])->name,
		                    "huge");
	}
	ompp_range_end_named("huge", 0);
	assert_int_equal(ompp_segment_at(lo + n / 2)->cover, OMPP_OBJECT_OTHER);
	assert_true(resident_pages() - before < 1 << 14);
}

/* No program has such ranges: they wrap around, or end beyond the table. */
static void test_beyond(void **unused)
{
	(void)unused;
	assert_int_equal(ompp_range_begin("beyond", OMPP_ORIGIN_CALL, BASE, (size_t)-8, 0, 0), 0);
	assert_int_equal(ompp_range_begin("beyond", OMPP_ORIGIN_CALL, BASE, SIZE_MAX - BASE + 8, 0, 0), 0);
	assert_int_equal(ompp_range_begin("beyond", OMPP_ORIGIN_CALL, OMPP_LAST_ADDRESS - 8, 9, 0, 0), 0);
	assert_int_equal(ompp_range_begin("beyond", OMPP_ORIGIN_CALL, (uintptr_t)0xffff800000000000, 8, 0, 0), 0);
	assert_true(ompp_range_begin("beyond", OMPP_ORIGIN_CALL, OMPP_LAST_ADDRESS - 8, 8, 0, 0));
	assert_int_not_equal(ompp_segment_at(OMPP_LAST_ADDRESS - 1)->cover, OMPP_OBJECT_OTHER);
	assert_int_equal(ompp_segment_at(OMPP_LAST_ADDRESS)->cover, OMPP_OBJECT_OTHER);
	ompp_range_end_named("beyond", 0);
}

enum { N_READERS = 3, N_CHANGES = 600, TRIES = 100 };

static _Atomic int done;

/* Does the segment that is found contain the address?  It may end, and begin elsewhere, before it is looked at. */
static int is_found(uintptr_t address)
{
	const struct ompp_segment *s = ompp_segment_at(address);

	return OMPP_LOAD(&s->lo) <= address && OMPP_LOAD(&s->hi) > address;
}

/* Each segment that a reader finds contains the address; when nothing is named any more, nothing is found. */
static void *read_at_random(void *seed)
{
	uint64_t own = *(uint64_t *)seed;

	while (!done) {
		uintptr_t address;
		int tries = 0;

		own = own * 6364136223846793005u + 1442695040888963407u;
		address = FAR + (own >> 20) % ((uintptr_t)1 << (own % 3 ? 24 : 34));
		while (!is_found(address))
			if (++tries == TRIES) /* so often in a row it is no thread that was just held up */
				abort();
	}
	return NULL;
}

static void test_readers(void **unused)
{
	static uint64_t seeds[N_READERS] = { 1, 77, 4242 };
	pthread_t readers[N_READERS];

	(void)unused;
	base = FAR;
	largest = (uintptr_t)1 << 33;
	for (int i = 0; i < N_READERS; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, read_at_random, &seeds[i]), 0);
	for (int i = 0; i < N_CHANGES; i++) {
		span = (uintptr_t)1 << (i % 3 ? 24 : 34);
		if (random_below(3))
			begin();
		else
			end();
	}
	done = 1;
	for (int i = 0; i < N_READERS; i++)
		pthread_join(readers[i], NULL);
	while (n_live)
		end();
	for (uintptr_t page = 0; page < (uintptr_t)1 << 24; page += 4096) {
		const struct ompp_segment *s = ompp_segment_at(FAR + page);

		assert_int_equal(s->cover, OMPP_OBJECT_OTHER);
		assert_int_equal(s->limit[0], s->hi - s->lo);
	}
}

/* A block that is named and freed at one place in a loop takes memory only at first. */
static void test_no_growth(void **unused)
{
	char *before, *after;

	(void)unused;
	for (int i = 0; i < 10; i++) {
		ompp_range_begin("loop", OMPP_ORIGIN_CALL, BASE + 2 * SPAN + 24, 1000 + 8 * (uintptr_t)(i % 3), 0, 0);
		ompp_range_end_named("loop", 0);
	}
	before = ompp_data_alloc(16);
	for (int i = 0; i < 10000; i++) {
		ompp_range_begin("loop", OMPP_ORIGIN_CALL, BASE + 2 * SPAN + 24, 1000 + 8 * (uintptr_t)(i % 3), 0, 0);
		ompp_range_end_named("loop", 0);
	}
	after = ompp_data_alloc(16);
	assert_ptr_equal(after, before + 16);
}

/* Ranges overlap and move, each time elsewhere; the memory that they take is bounded by the ranges in force. */
static void move_at_random(int n)
{
	static const char *const names[] = { "moving0", "moving1", "moving2", "moving3" };
	uintptr_t window = (uintptr_t)1 << 20;

	for (int i = 0; i < n; i++) {
		uintptr_t lo = BASE + 64 * SPAN + random_below((int)window);
		size_t n_bytes = 8 + (size_t)random_below(i % 8 ? 3000 : 100000);
		const char *name = names[random_below(4)];

		if (random_below(4))
			ompp_range_begin(name, OMPP_ORIGIN_CALL, lo, n_bytes, 0, 0);
		else
			ompp_range_end_named(name, 0);
		ompp_segment_at(lo + (uintptr_t)random_below(4096));
	}
}

static void test_bounded(void **unused)
{
	long before;

	(void)unused;
	move_at_random(30000);
	before = resident_pages();
	move_at_random(60000);
	assert_true(resident_pages() - before < 512);
}

struct holder {
	double *data;
	size_t n;
};

static int n_looks;

static void look(const void *object, const void **data, size_t *n_bytes)
{
	const struct holder *h = object;

	n_looks++;
	*data = h->data;
	*n_bytes = h->n * sizeof(double);
}

static void look_at(struct ompp_container *c)
{
	struct ompp_seen seen;
	const void *data;
	size_t n_bytes;

	if (!ompp_container_see(c, &seen))
		return;
	seen.look((const void *)seen.lo, &data, &n_bytes);
	ompp_container_follow(c, &seen, data, n_bytes);
}

static const char *name_at(const void *address)
{
	const struct ompp_cover *c = ompp_cover(ompp_segment_at((uintptr_t)address)->cover);

	return ompp_object(c->objects[c->n_objects - 1])->name;
}

/* A container's own bytes are watched and have no name; its data has the name, and both end with the container. */
static void test_container(void **unused)
{
	static double a[100], b[200];
	static struct holder h[2];
	struct ompp_container *c, *other;
	uint32_t n = ompp_n_ranges;
	uint64_t id;

	(void)unused;
	id = ompp_container_begin(OMPP_RANGE_MOVES, "held", OMPP_ORIGIN_PRAGMA, (uintptr_t)&h[0], sizeof(h[0]), look, 0,
	                          0, &c);
	assert_true(id && c);
	assert_ptr_equal(ompp_segment_watch(ompp_segment_at((uintptr_t)&h[0] + 8)), c);
	assert_int_equal(ompp_segment_at((uintptr_t)&h[0])->limit[0], 0);
	assert_null(ompp_segment_watch(ompp_segment_at((uintptr_t)&h[1])));
	look_at(c);
	assert_int_equal(ompp_n_ranges, n + 1);
	assert_int_equal(ompp_container_has_changed(c), 0);
	h[0] = (struct holder){ a, 50 };
	assert_int_equal(ompp_container_has_changed(c), 1);
	look_at(c);
	assert_int_equal(ompp_container_has_changed(c), 0);
	assert_string_equal(name_at(a + 49), "held");
	assert_string_equal(name_at(a + 50), "(other)");
	h[0] = (struct holder){ b, (size_t)-3 };
	look_at(c); /* a nonsensical answer names nothing */
	assert_string_equal(name_at(a), "(other)");
	assert_string_equal(name_at(b), "(other)");
	h[0].n = 200;
	look_at(c);
	assert_string_equal(name_at(b + 199), "held");
	ompp_range_freed((uintptr_t)b, (uintptr_t)(b + 200));
	assert_string_equal(name_at(b), "(other)");
	assert_int_equal(ompp_n_containers, 1);
	look_at(c);
	assert_string_equal(name_at(b), "held");
	ompp_range_attach(ompp_range_detach((uintptr_t)b, (uintptr_t)(b + 200), 1), (uintptr_t)b, (uintptr_t)a, 800);
	assert_string_equal(name_at(a), "held");

	/* another container with this name replaces it, or stands beside it */
	ompp_container_begin(OMPP_RANGE_SUM, "held", OMPP_ORIGIN_PRAGMA, (uintptr_t)&h[1], sizeof(h[1]), look, 0, 0,
	                     &other);
	assert_ptr_not_equal(c, other);
	assert_int_equal(ompp_n_containers, 2);
	ompp_container_begin(OMPP_RANGE_MOVES, "held", OMPP_ORIGIN_PRAGMA, (uintptr_t)&h[1], sizeof(h[1]), look, 0, 0,
	                     &c);
	assert_int_equal(ompp_n_containers, 1);
	assert_string_equal(name_at(a), "(other)");
	h[1] = (struct holder){ a, 1 };
	look_at(c);
	assert_string_equal(name_at(a), "held");
	n_looks = 0;
	ompp_range_freed((uintptr_t)h, (uintptr_t)(h + 2));
	assert_int_equal(ompp_n_containers, 0);
	assert_string_equal(name_at(a), "(other)");
	assert_null(ompp_segment_watch(ompp_segment_at((uintptr_t)&h[1])));
	look_at(c); /* it exists no more, and nothing happens */
	assert_int_equal(n_looks, 0);
	ompp_range_end(id);
	assert_int_equal(ompp_n_ranges, n);
}

/* Names on the stack go before the stack's own name. */
static void test_stack(void **unused)
{
	uintptr_t lo = BASE + 4 * SPAN;
	uint64_t stack = ompp_range_begin("(stack)", OMPP_ORIGIN_NONE, lo, SPAN, 1, 1), id;

	(void)unused;
	assert_int_equal(ompp_segment_at(lo + 5000)->cover, OMPP_OBJECT_STACK);
	id = ompp_range_begin("buffer", OMPP_ORIGIN_CALL, lo + 4990, 100, 0, 1);
	assert_string_equal(ompp_object(ompp_cover(ompp_segment_at(lo + 5000)->cover)->objects[0])->name, "buffer");
	assert_int_equal(ompp_cover(ompp_segment_at(lo + 5000)->cover)->n_objects, 1);
	assert_int_equal(ompp_segment_at(lo + 4989)->cover, OMPP_OBJECT_STACK);
	ompp_range_freed(lo, lo + SPAN); /* names end; the stack stays */
	assert_int_equal(ompp_segment_at(lo + 5000)->cover, OMPP_OBJECT_STACK);
	ompp_range_end(id);
	ompp_range_end(stack);
	assert_int_equal(ompp_segment_at(lo + 5000)->cover, OMPP_OBJECT_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_random),    cmocka_unit_test(test_huge),
		                            cmocka_unit_test(test_beyond),    cmocka_unit_test(test_readers),
		                            cmocka_unit_test(test_no_growth), cmocka_unit_test(test_bounded),
		                            cmocka_unit_test(test_container), cmocka_unit_test(test_stack),
		                            cmocka_unit_test(test_rest),      cmocka_unit_test(test_lost) };

	ompp_objects_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
