/*
 * Region: the registry.  See region.h.
 */
#define _GNU_SOURCE
#include "runtime/core/region.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/check.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/host/note.h"
#include "runtime/host/past.h"
#include "runtime/terms/clauses.h"
#include "runtime/terms/ctc.h"
#include "runtime/terms/option.h"
#include "runtime/terms/wish.h"

enum { PAGE = 4096, MAX_PAGES = 1024, N_BUCKETS = 4096 }; /* at most 4 Mi regions */

struct entry {
	struct ompp_region_def def;
	struct entry *next; /* the next one in the bucket */
};

/* Written under the lock and read by anyone.  Pages are written before n_regions, both with release and read with
 * acquire. */
static struct entry **pages[MAX_PAGES];
static _Atomic uint32_t n_regions;
static struct entry *buckets[N_BUCKETS];
static struct ompp_arena arena;
static atomic_flag lock = ATOMIC_FLAG_INIT;

/* Takes the lock.  Returns 0, or -1 when it was not to be had for a while.  A thread takes no signals while it has the
 * lock, as a handler with a region of its own would wait for the thread that it interrupts.
 * before: gets the thread's mask of signals */
static int take_lock(uint64_t *before)
{
	int i;

	ompp_sys_hold_signals(before);
	for (i = 0; i < 1000000; i++) {
		if (!atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
			return 0;
		ompp_sys_yield();
	}
	ompp_sys_release_signals(before);
	return -1;
}

static void drop_lock(const uint64_t *before)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
	ompp_sys_release_signals(before);
}

void ompp_regions_after_fork(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

uint32_t ompp_region_count(void)
{
	return atomic_load_explicit(&n_regions, memory_order_acquire);
}

struct ompp_region_def *ompp_region_by_id(uint32_t id)
{
	if (!id || id > ompp_region_count())
		return NULL;
	ompp_assert(OMPP_KEY_ID(pages[(id - 1) / PAGE][(id - 1) % PAGE]->def.key) == id);
	return &pages[(id - 1) / PAGE][(id - 1) % PAGE]->def;
}

const void *ompp_region_pages(uint32_t *n_a_page, const void **number)
{
	*n_a_page = PAGE;
	*number = &n_regions;
	return pages;
}

static uint32_t hash_bytes(uint32_t h, const char *s, size_t n)
{
	while (n--)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

/* Returns 1 when one item of OMPP_FILTER means this region: as "file:line" (with any tail of the path), by a name, or
 * by a construct. */
static int filter_means(const char *item, size_t n, const struct ompp_region_def *def)
{
	const char *construct = ompp_construct_name(def->construct);
	const char *colon = memrchr(item, ':', n);

	if (ompp_text_same(item, n, construct, strlen(construct)))
		return 1;
	if (def->name[0] && strlen(def->name) == n && !memcmp(def->name, item, n))
		return 1;
	if (colon && def->file[0]) {
		size_t n_file = (size_t)(colon - item), n_have = strlen(def->file);
		const char *p;
		uint64_t line = 0;

		for (p = colon + 1; p < item + n && *p >= '0' && *p <= '9'; p++)
			line = line * 10 + (uint64_t)(*p - '0');
		return p == item + n && p > colon + 1 && line == def->begin_line && n_file && n_file <= n_have &&
		       !memcmp(def->file + n_have - n_file, item, n_file) &&
		       (n_file == n_have || def->file[n_have - n_file - 1] == '/');
	}
	return 0;
}

/* Offers the names by which OMPP_FILTER could have meant the region: its name, or file:line. */
static void region_consider(const struct ompp_region_def *def)
{
	const char *base = strrchr(def->file, '/');
	char place[256];
	struct ompp_text t;

	if (ompp_construct_is_lock(def->construct) && !def->file[0])
		return; /* its name is not known yet */
	ompp_wish_consider(OMPP_WISH_FILTER, def->name);
	if (!def->file[0])
		return;
	ompp_text_init(&t, place, sizeof(place));
	ompp_text_str(&t, base ? base + 1 : def->file);
	ompp_text_char(&t, ':');
	ompp_text_u64(&t, def->begin_line);
	ompp_wish_consider(OMPP_WISH_FILTER, place);
}

int ompp_region_is_filtered(const struct ompp_region_def *def)
{
	const char *list = ompp_session.options.text[OMPP_OPT_FILTER], *item;
	int found = 0;
	size_t n;

	for (size_t i = 0; (n = ompp_list_next(&list, &item)); i++)
		if (filter_means(item, n, def)) {
			ompp_wish_met(OMPP_WISH_FILTER, i);
			found = 1;
		}
	region_consider(def);
	return found;
}

static int is_off(const struct ompp_region_def *def)
{
	int option = ompp_constructs[def->construct].option;

	return ompp_region_is_filtered(def) ||
	       (option != OMPP_DISABLE_NONE && (ompp_session.options.disabled >> option & 1));
}

/* Returns in which order threads get the iterations of a loop. */
static struct ompp_loop_order order_of(const char *clauses)
{
	uint64_t chunk = ompp_schedule_chunk(clauses);

	if (ompp_schedule_is_in_order(clauses))
		return (struct ompp_loop_order){ OMPP_ORDER_RANKS, 0 };
	if (ompp_schedule_is(clauses, "static") && chunk)
		return (struct ompp_loop_order){ OMPP_ORDER_CHUNKS, chunk };
	if (ompp_schedule_is(clauses, "dynamic") || ompp_schedule_is(clauses, "guided"))
		return (struct ompp_loop_order){ OMPP_ORDER_TIMES, 0 };
	return (struct ompp_loop_order){ OMPP_ORDER_UNKNOWN, 0 };
}

/* Finds the region or makes it.  The caller holds the lock. */
static struct ompp_region_def *register_locked(enum ompp_construct construct, const char *file, size_t n_file,
                                               uint32_t begin, uint32_t end, const char *name, size_t n_name,
                                               int own_barrier, const char *clauses, uintptr_t address)
{
	uint32_t h = hash_bytes(hash_bytes(2166136261u ^ (uint32_t)construct ^ begin * 31u, file, n_file), name,
	                        n_name);
	struct entry **bucket = &buckets[h % N_BUCKETS], *e;
	uint32_t n = atomic_load_explicit(&n_regions, memory_order_relaxed);

	ompp_assert(atomic_flag_test_and_set(&lock)); /* the caller has it, so that this changes nothing */
	for (e = *bucket; e; e = e->next)
		if (e->def.construct == construct && e->def.begin_line == begin && e->def.end_line == end &&
		    e->def.address == address && strlen(e->def.file) == n_file && !memcmp(e->def.file, file, n_file) &&
		    strlen(e->def.name) == n_name && !memcmp(e->def.name, name, n_name))
			return &e->def;
	if (n >= (uint32_t)PAGE * MAX_PAGES)
		return NULL;
	if (!pages[n / PAGE])
		pages[n / PAGE] = ompp_arena_alloc(&arena, PAGE * sizeof(struct entry *));
	e = ompp_arena_alloc(&arena, sizeof(*e));
	if (!e || !pages[n / PAGE])
		return NULL;
	e->def.key = OMPP_KEY(n + 1, 0);
	ompp_assert(e->def.key && !pages[n / PAGE][n % PAGE]);
	e->def.construct = construct;
	e->def.file = ompp_arena_strndup(&arena, file, n_file);
	e->def.name = ompp_arena_strndup(&arena, name, n_name);
	e->def.begin_line = begin;
	e->def.end_line = end;
	e->def.own_barrier = own_barrier;
	e->def.clauses = ompp_arena_strdup(&arena, clauses);
	e->def.is_after_some = ompp_has_clause(clauses, "depend");
	if (construct == OMPP_LOOP || construct == OMPP_PARALLEL_LOOP)
		e->def.order = order_of(clauses);
	e->def.is_on_demand = (construct == OMPP_LOOP || construct == OMPP_PARALLEL_LOOP) &&
	                      ompp_schedule_is_on_demand(clauses);
	e->def.address = address;
	e->def.shown_as = n + 1;
	if (!e->def.file || !e->def.name || !e->def.clauses)
		return NULL;
	e->def.off = is_off(&e->def);
	e->next = *bucket;
	*bucket = e;
	pages[n / PAGE][n % PAGE] = e;
	atomic_store_explicit(&n_regions, n + 1, memory_order_release);
	return &e->def;
}

/* Returns the key of a handle in the program or a library; 0 for a copy of one elsewhere, as `target` makes it. */
static uintptr_t handle_key(void *const *handle)
{
	return ompp_past_meet((uintptr_t)handle) == UINT32_MAX ? 0 : ompp_past_key((uintptr_t)handle);
}

/* Keeps the number of a region, which each source that includes the header where it stands tells; where two tell
 * different ones, as they see other parts of it, there is none.  The caller holds the lock. */
static void region_number(struct ompp_region_def *def, uint32_t number)
{
	if (!def->number)
		def->number = number;
	else if (def->number != number)
		def->number = OMPP_NUMBERS_DIFFER;
}

struct ompp_region_def *ompp_region_assign(void **handle, const char *ctc, size_t n_bytes)
{
	struct ompp_ctc parsed;
	struct ompp_region_def *def = NULL;
	uintptr_t address = 0;
	uint64_t signals;
	int rc = ompp_ctc_parse(ctc, n_bytes, &parsed);

	if (!rc && parsed.per_handle)
		address = handle_key(handle);
	if (!rc && !take_lock(&signals)) {
		def = register_locked(parsed.construct, parsed.file, parsed.file_bytes, parsed.begin_line,
		                      parsed.end_line, parsed.name, parsed.name_bytes, parsed.own_barrier,
		                      parsed.clauses, address);
		if (def)
			region_number(def, parsed.number);
		drop_lock(&signals);
	}
	if (!def)
		ompp_note_add(OMPP_NOTE_LOST_REGION, 1);
	__atomic_store_n(handle, def, __ATOMIC_RELEASE);
	return def;
}

/* Registers a region without CTC. */
static struct ompp_region_def *register_named(enum ompp_construct construct, const char *name, const char *file,
                                              uint32_t line, uintptr_t address)
{
	struct ompp_region_def *def = NULL;
	uint64_t signals;

	if (!take_lock(&signals)) {
		def = register_locked(construct, file, strlen(file), line, line, name, strlen(name), 0, "", address);
		drop_lock(&signals);
	}
	if (!def)
		ompp_note_add(OMPP_NOTE_LOST_REGION, 1);
	return def;
}

struct ompp_region_def *ompp_region_named(enum ompp_construct construct, const char *name, const char *file,
                                          uint32_t line)
{
	return register_named(construct, name, file ? file : "", line, 0);
}

struct ompp_region_def *ompp_region_function(const char *name, uintptr_t address)
{
	return register_named(OMPP_FUNCTION, name, "", 0, address);
}

struct ompp_region_def *ompp_region_call(enum ompp_construct construct, const char *name, uintptr_t address)
{
	return register_named(construct, name, "", 0, address);
}

/* Returns a copy of a text that lives as long as the regions; "" without memory. */
static const char *region_keep(const char *text)
{
	const char *kept = NULL;
	uint64_t signals;

	if (text[0] && !take_lock(&signals)) {
		kept = ompp_arena_strdup(&arena, text);
		drop_lock(&signals);
	}
	return kept ? kept : "";
}

void ompp_region_found_in(struct ompp_region_def *def, const char *instantiation)
{
	def->instantiation = region_keep(instantiation);
}

void ompp_region_found_at(struct ompp_region_def *def, const char *source, uint32_t line)
{
	def->source = region_keep(source);
	def->source_line = def->source[0] ? line : 0;
}

void ompp_region_found_behind(struct ompp_region_def *def, const char *symbol)
{
	def->symbol = region_keep(symbol);
}

int ompp_region_has_durations(enum ompp_construct construct, enum ompp_part part)
{
	if (part == OMPP_PART_FORK || part == OMPP_PART_TASKEXEC)
		return 1;
	return part == OMPP_PART_REGION && construct != OMPP_ATOMIC && construct != OMPP_FLUSH &&
	       construct != OMPP_FUNCTION && construct != OMPP_TASK && construct != OMPP_MUTEX &&
	       construct != OMPP_RWLOCK && !ompp_construct_is_lock(construct);
}

int ompp_region_counts(const struct ompp_region_def *def, enum ompp_part part)
{
	const struct ompp_construct_info *construct = &ompp_constructs[def ? def->construct : OMPP_USER_REGION];

	switch (part) {
	case OMPP_PART_REGION:
		return construct->counts == OMPP_COUNTS_ALL;
	case OMPP_PART_TEAM:
		return construct->counts != OMPP_COUNTS_BODIES;
	case OMPP_PART_BODY:
		return construct->counts == OMPP_COUNTS_BODIES;
	case OMPP_PART_BARRIER: /* in other constructs the bodies are counted, which end before the barrier */
		return construct->form == OMPP_FORM_LOOP || construct->form == OMPP_FORM_TEAM;
	case OMPP_PART_TASKEXEC:
		return 1;
	default:
		return 0;
	}
}
