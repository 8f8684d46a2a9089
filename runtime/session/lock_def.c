/*
 * Lock definition: see lock_def.h.
 */
#include "runtime/session/lock_def.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/terms/option.h"

enum { MOST_DEFS = 1 << 20, N_ADDRESSES = 2048, MOST_PROBES = 32 };

static struct ompp_arena arena; /* used under the lock, as are the next variables */
static struct ompp_lock_site *sites;
static uint32_t n_defs;
static struct ompp_lock_def *_Atomic defs;
static struct ompp_lock_def common[2]; /* of plain and of nested locks */
static atomic_flag lock = ATOMIC_FLAG_INIT;

/* The sites by the addresses of their strings, or of their places.  An address is claimed once; the pointer to its site
 * is written soon after. */
static struct {
	const void *_Atomic address;
	struct ompp_lock_site *_Atomic site;
} addresses[N_ADDRESSES];

/* Takes the lock.  Returns 0, or -1 after waiting for a while: a signal handler may have interrupted the holder in
 * this very thread. */
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

void ompp_lock_defs_after_fork(void)
{
	drop_lock();
}

/* ---- sites ---- */

/* Reads a number and the colon behind it at *text.  Returns 1, or 0 when there is none. */
static int lock_def_number(const char **text, const char *end, size_t *value)
{
	const char *p = *text;

	for (*value = 0; p < end && *p >= '0' && *p <= '9' && *value < UINT32_MAX; p++)
		*value = *value * 10 + (size_t)(*p - '0');
	if (p == *text || p == end || *p != ':')
		return 0;
	*text = p + 1;
	return 1;
}

static struct ompp_lock_site *read_site(const char *text, size_t n_bytes)
{
	const char *end = text + strnlen(text, n_bytes), *file;
	struct ompp_lock_site *site;
	size_t line, n_file, n;

	if (!lock_def_number(&text, end, &line) || !lock_def_number(&text, end, &n_file) ||
	    n_file >= (size_t)(end - text))
		return NULL;
	file = text;
	text += n_file + 1;
	n = (size_t)(end - text);
	for (site = sites; site; site = site->next)
		if (site->line == line && strlen(site->file) == n_file && !memcmp(site->file, file, n_file) &&
		    strlen(site->argument) == n && !memcmp(site->argument, text, n))
			return site;
	site = ompp_arena_alloc(&arena, sizeof(*site));
	if (!site)
		return NULL;
	site->line = (uint32_t)line;
	site->file = ompp_arena_strndup(&arena, file, n_file);
	site->argument = ompp_arena_strndup(&arena, text, n);
	if (!site->file || !site->argument)
		return NULL;
	site->next = sites;
	sites = site;
	return site;
}

static struct ompp_lock_site *new_site(const struct ompp_region_def *place)
{
	struct ompp_lock_site *site = ompp_arena_alloc(&arena, sizeof(*site));

	if (site)
		*site = (struct ompp_lock_site){ .file = "", .argument = "", .place = place };
	return site;
}

/* Returns the site of a string of at most n_bytes, or of a place if that is not NULL. */
static struct ompp_lock_site *site_of(const char *text, size_t n_bytes, const struct ompp_region_def *place)
{
	const void *address = place ? (const void *)place : text, *none;
	size_t at = ((uintptr_t)address >> 3) * 0x9E3779B1u % N_ADDRESSES, i;
	struct ompp_lock_site *site;

	for (i = 0; i < MOST_PROBES; i++, at = (at + 1) % N_ADDRESSES) {
		const void *have = atomic_load_explicit(&addresses[at].address, memory_order_relaxed);

		if (have == address)
			return atomic_load_explicit(&addresses[at].site, memory_order_acquire);
		none = NULL;
		if (have || !atomic_compare_exchange_strong(&addresses[at].address, &none, address))
			continue;
		if (take_lock())
			return NULL;
		site = place ? new_site(place) : read_site(text, n_bytes);
		drop_lock();
		atomic_store_explicit(&addresses[at].site, site, memory_order_release);
		return site;
	}
	return NULL;
}

struct ompp_lock_site *ompp_lock_site(const char *text, size_t n_bytes)
{
	return text ? site_of(text, n_bytes, NULL) : NULL;
}

struct ompp_lock_site *ompp_lock_site_of(const struct ompp_region_def *place)
{
	return site_of(NULL, 0, place);
}

/* ---- definitions ---- */

/* Makes a region whose name no other region has, and which no report shows. */
static struct ompp_region_def *new_region(enum ompp_construct construct)
{
	char name[16];
	struct ompp_text t;

	ompp_text_init(&t, name, sizeof(name));
	ompp_text_char(&t, '#');
	ompp_text_u64(&t, n_defs);
	return ompp_region_named(construct, name, "", 0);
}

static struct ompp_lock_def *new_def(uintptr_t address, enum ompp_construct construct, struct ompp_lock_site *maker)
{
	struct ompp_lock_def *def = n_defs < MOST_DEFS ? ompp_arena_alloc(&arena, sizeof(*def)) : NULL;

	if (!def)
		return NULL;
	n_defs++;
	def->region = new_region(construct);
	if (!def->region)
		return NULL;
	def->address = address;
	def->maker = maker;
	def->next = atomic_load_explicit(&defs, memory_order_relaxed);
	atomic_store_explicit(&defs, def, memory_order_release);
	return def;
}

static struct ompp_lock_def *lock_def_define(uintptr_t address, enum ompp_construct construct,
                                             struct ompp_lock_site *maker, struct ompp_lock_site *site)
{
	struct ompp_lock_site *of = maker ? maker : site;
	int may_share = of && ompp_session.options.number[OMPP_OPT_COLLAPSE_LOCKS] != OMPP_COLLAPSE_NONE;
	struct ompp_lock_def *def;

	if (may_share && of->n_defs >= OMPP_LOCKS_OF_ONE_PLACE) {
		if (!of->rest)
			of->rest = new_def(address, construct, maker);
		return of->rest;
	}
	def = new_def(address, construct, maker);
	if (def && of)
		of->n_defs++;
	return def;
}

struct ompp_lock_def *ompp_lock_define(struct ompp_lock_def *_Atomic *def, uintptr_t address,
                                       enum ompp_construct construct, struct ompp_lock_site *maker,
                                       struct ompp_lock_site *site)
{
	struct ompp_lock_def *have;

	if (take_lock())
		return NULL;
	have = atomic_load_explicit(def, memory_order_relaxed);
	if (!have) {
		have = lock_def_define(address, construct, maker, site);
		if (have)
			atomic_fetch_add_explicit(&have->n_locks, 1, memory_order_relaxed);
		atomic_store_explicit(def, have, memory_order_release);
	}
	drop_lock();
	return have;
}

struct ompp_lock_def *ompp_lock_common(enum ompp_construct construct)
{
	struct ompp_lock_def *def = &common[construct == OMPP_NEST_LOCK];
	int all = ompp_session.options.number[OMPP_OPT_COLLAPSE_LOCKS] == OMPP_COLLAPSE_ALL;

	if (!__atomic_load_n(&def->region, __ATOMIC_ACQUIRE))
		__atomic_store_n(&def->region,
		                 ompp_region_named(construct, all ? "(all locks)" : "(other locks)", "", 0),
		                 __ATOMIC_RELEASE);
	return def->region ? def : NULL;
}

void ompp_lock_def_add_site(struct ompp_lock_def *def, struct ompp_lock_site *site)
{
	struct ompp_lock_site *have;
	int i;

	for (i = 0; i < OMPP_LOCK_SITES; i++) {
		have = NULL;
		if (atomic_compare_exchange_strong(&def->sites[i], &have, site) || have == site)
			return;
	}
	atomic_store_explicit(&def->has_more_sites, 1, memory_order_relaxed);
}

const struct ompp_lock_def *ompp_lock_defs(void)
{
	return atomic_load_explicit(&defs, memory_order_acquire);
}
