/*
 * Region: the registry.  See region.h.
 */
#define _GNU_SOURCE
#include "runtime/core/region.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/note.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/base/wish.h"
#include "runtime/core/ctc.h"
#include "runtime/core/session.h"

enum { PAGE = 4096, MAX_PAGES = 1024, N_BUCKETS = 4096 };        /* at most 4 Mi regions */

struct entry {
	struct ompp_region_def def;
	struct entry          *next;            /* in the bucket */
};

/* Written under the lock; read by anyone: pages before n_regions, both with release / acquire. */
static struct entry **pages[MAX_PAGES];
static _Atomic uint32_t n_regions;
static struct entry *buckets[N_BUCKETS];
static struct ompp_arena arena;
static atomic_flag lock = ATOMIC_FLAG_INIT;

/* A handler of the same thread may interrupt a registration, so the lock must not be waited for for ever. */
static int take_lock(void)
{
	int i;

	for (i = 0; i < 1000000; i++) {
		if (!atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
			return 0;
		ompp_sys_yield();
	}
	return -1;
}

static void drop_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

void ompp_regions_after_fork(void)
{
	drop_lock();
}

uint32_t ompp_region_count(void)
{
	return atomic_load_explicit(&n_regions, memory_order_acquire);
}

struct ompp_region_def *ompp_region_by_id(uint32_t id)
{
	if (!id || id > ompp_region_count())
		return NULL;
	return &pages[(id - 1) / PAGE][(id - 1) % PAGE]->def;
}

static uint32_t hash_bytes(uint32_t h, const char *s, size_t n)
{
	while (n--)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

/* Does one item of OMPP_FILTER mean this region?  "file:line" (any tail of the path), a name, or a construct. */
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

/* A name that OMPP_FILTER could have meant: the region's, or file:line. */
static void consider(const struct ompp_region_def *def)
{
	const char *base = strrchr(def->file, '/');
	char place[256];
	struct ompp_text t;

	if ((def->construct == OMPP_LOCK || def->construct == OMPP_NEST_LOCK) && !def->file[0])
		return;                         /* what it is called is not known yet */
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
	consider(def);
	return found;
}

static int is_off(const struct ompp_region_def *def)
{
	static const int disable[OMPP_N_CONSTRUCTS] = {
		[OMPP_ATOMIC] = OMPP_OPT_DISABLE_ATOMIC,
		[OMPP_BARRIER] = OMPP_OPT_DISABLE_BARRIER,
		[OMPP_CRITICAL] = OMPP_OPT_DISABLE_CRITICAL,
		[OMPP_FLUSH] = OMPP_OPT_DISABLE_FLUSH,
		[OMPP_LOOP] = OMPP_OPT_DISABLE_LOOP,
		[OMPP_MASTER] = OMPP_OPT_DISABLE_MASTER,
		[OMPP_ORDERED] = OMPP_OPT_DISABLE_ORDERED,
		[OMPP_SECTIONS] = OMPP_OPT_DISABLE_SECTIONS,
		[OMPP_SINGLE] = OMPP_OPT_DISABLE_SINGLE,
		[OMPP_WORKSHARE] = OMPP_OPT_DISABLE_WORKSHARE,
		[OMPP_USER_REGION] = OMPP_OPT_DISABLE_USER_REGION,
		[OMPP_FUNCTION] = OMPP_OPT_DISABLE_USER_REGION,
		[OMPP_LOCK] = OMPP_OPT_DISABLE_LOCK,
		[OMPP_NEST_LOCK] = OMPP_OPT_DISABLE_LOCK,
		[OMPP_TASK] = OMPP_OPT_DISABLE_TASK,
		[OMPP_TASKWAIT] = OMPP_OPT_DISABLE_TASK,
		[OMPP_TASKLOOP] = OMPP_OPT_DISABLE_TASK,
		[OMPP_TASKGROUP] = OMPP_OPT_DISABLE_TASK,
		[OMPP_TASKYIELD] = OMPP_OPT_DISABLE_TASK,
		[OMPP_MASKED] = OMPP_OPT_DISABLE_MASTER,
		[OMPP_SCOPE] = OMPP_OPT_DISABLE_WORKSHARE,
		[OMPP_GENERIC_LOOP] = OMPP_OPT_DISABLE_LOOP,
	};
	int option = disable[def->construct];

	return ompp_region_is_filtered(def) || (option && ompp_session.options.number[option]);
}

/* Find or make; the lock is held. */
static struct ompp_region_def *register_locked(enum ompp_construct construct, const char *file, size_t n_file,
                                               uint32_t begin, uint32_t end, const char *name, size_t n_name,
                                               int own_barrier, const char *clauses, uintptr_t address)
{
	uint32_t h = hash_bytes(hash_bytes(2166136261u ^ (uint32_t)construct ^ begin * 31u, file, n_file), name, n_name);
	struct entry **bucket = &buckets[h % N_BUCKETS], *e;
	uint32_t n = atomic_load_explicit(&n_regions, memory_order_relaxed);

	for (e = *bucket; e; e = e->next)
		if (e->def.construct == construct && e->def.begin_line == begin && e->def.end_line == end &&
		    e->def.address == address &&
		    strlen(e->def.file) == n_file && !memcmp(e->def.file, file, n_file) &&
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
	e->def.construct = construct;
	e->def.file = ompp_arena_strndup(&arena, file, n_file);
	e->def.name = ompp_arena_strndup(&arena, name, n_name);
	e->def.begin_line = begin;
	e->def.end_line = end;
	e->def.own_barrier = own_barrier;
	e->def.clauses = ompp_arena_strdup(&arena, clauses);
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

struct ompp_region_def *ompp_region_assign(void **handle, const char *ctc, size_t n_bytes)
{
	struct ompp_ctc parsed;
	struct ompp_region_def *def = NULL;

	ompp_session_start();
	if (!ompp_ctc_parse(ctc, n_bytes, &parsed) && !take_lock()) {
		def = register_locked(parsed.construct, parsed.file, parsed.file_bytes, parsed.begin_line,
		                      parsed.end_line, parsed.name, parsed.name_bytes, parsed.own_barrier,
		                      parsed.clauses, 0);
		drop_lock();
	}
	if (!def)
		ompp_note_add(OMPP_NOTE_LOST_REGION, 1);
	__atomic_store_n(handle, def, __ATOMIC_RELEASE);
	return def;
}

/* Without CTC. */
static struct ompp_region_def *register_named(enum ompp_construct construct, const char *name, const char *file,
                                              uint32_t line, uintptr_t address)
{
	struct ompp_region_def *def = NULL;

	ompp_session_start();
	if (!take_lock()) {
		def = register_locked(construct, file, strlen(file), line, line, name, strlen(name), 0, "", address);
		drop_lock();
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

void ompp_region_found_at(struct ompp_region_def *def, const char *source, uint32_t line)
{
	const char *kept = NULL;

	if (source[0] && !take_lock()) {
		kept = ompp_arena_strdup(&arena, source);
		drop_lock();
	}
	def->source = kept ? kept : "";
	def->source_line = kept ? line : 0;
}

/* Constructs whose counters cover the bodies alone. */
static int counts_bodies(enum ompp_construct construct)
{
	return construct == OMPP_CRITICAL || construct == OMPP_SINGLE || construct == OMPP_SECTIONS ||
	       construct == OMPP_PARALLEL_SECTIONS || construct == OMPP_ORDERED;
}

static int counts_nothing(enum ompp_construct construct)
{
	return construct == OMPP_ATOMIC || construct == OMPP_FLUSH || construct == OMPP_BARRIER ||
	       construct == OMPP_LOCK || construct == OMPP_NEST_LOCK || construct == OMPP_CANCEL ||
	       construct == OMPP_CANCELLATION_POINT || construct == OMPP_DEPOBJ;
}

int ompp_region_counts(const struct ompp_region_def *def, enum ompp_part part)
{
	enum ompp_construct construct = def ? def->construct : OMPP_USER_REGION;

	switch (part) {
	case OMPP_PART_REGION:
		return !counts_bodies(construct) && !counts_nothing(construct);
	case OMPP_PART_TEAM:
		return !counts_bodies(construct);
	case OMPP_PART_BODY:
		return counts_bodies(construct);
	case OMPP_PART_BARRIER:
		return construct == OMPP_LOOP || construct == OMPP_WORKSHARE || construct == OMPP_PARALLEL ||
		       construct == OMPP_PARALLEL_LOOP || construct == OMPP_PARALLEL_WORKSHARE ||
		       construct == OMPP_SCOPE;
	case OMPP_PART_TASKEXEC:
		return 1;
	default:
		return 0;
	}
}
