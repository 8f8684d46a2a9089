/*
 * Placement: see placement.h.
 */
#define _GNU_SOURCE
#include "runtime/memory/placement.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/auxv.h"
#include "runtime/base/nearest.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/data/object.h"
#include "runtime/data/site.h"
#include "runtime/host/loaded.h"
#include "runtime/host/note.h"
#include "runtime/host/processors.h"
#include "runtime/host/stack.h"
#include "runtime/memory/heap.h"
#include "runtime/ranges/range.h"
#include "runtime/terms/option.h"

enum { MOST_RULES = 64, MOST_NODES = 64, MOST_RUNS = 256, LINE_BYTES = 256, SHOWN_BYTES = 80, SITE_BYTES = 1024 };
enum { MOST_OF_RUN = 1 << 20 };

/* Each piece of memory with a policy of its own is a mapping to the kernel, of which a process may have 65,530: so many
 * may be for placed blocks at a time. */
enum { MOST_MAPPINGS = 16384 };

/* What a site's `placed` is: it has no rule; the number of its rule behind that. */
enum { NOT_LOOKED, NO_RULE, FIRST_RULE };

/* Of linux/mempolicy.h. */
enum { POLICY_DEFAULT = 0, POLICY_PREFERRED = 1, POLICY_INTERLEAVE = 3, MOVE_PAGES = 2 };

enum how { INTERLEAVE, PARTS, BLOCKS, ALLOCATOR };

/* So many neighbouring parts, or blocks one after another, on one node. */
struct run {
	uint32_t node, n;
};

struct rule {
	const char *name; /* in OMPP_PLACE */
	size_t n_name;
	enum how how;
	uint32_t n_runs;  /* of PARTS and BLOCKS */
	uint64_t n_units; /* parts, or blocks, of all runs together */
	struct run *runs;
	/* written by any thread, read by reports */
	uint32_t n_ranges; /* that it was tried for */
	int error;         /* errno of the last failure; 0 without */
	int is_small;      /* 1 when a range had no whole page */
	int is_told;
};

static struct rule *rules; /* [MOST_RULES] */
static uint32_t n_rules;
static uint64_t all_nodes; /* a bit for each node that has memory */
static _Atomic uint32_t n_mappings;
static _Atomic int is_full; /* 1 once there were too many */

/* ---- OMPP_PLACE ---- */

static void placement_complain(const char *word, size_t n, const char *what)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_PLACE: '");
	ompp_text_strn(&t, word, n < SHOWN_BYTES ? n : SHOWN_BYTES);
	ompp_text_str(&t, "': ");
	ompp_text_str(&t, what);
	ompp_note_say(line);
}

/* Reads "0+1*3+2" up to the end.  Returns 0, or -1 when it is no list of nodes that have memory, or too long. */
static int read_runs(struct rule *rule, const char *p, const char *end)
{
	if (!rule->runs)
		rule->runs = ompp_data_alloc(MOST_RUNS * sizeof(*rule->runs));
	while (rule->runs && p < end && rule->n_runs < MOST_RUNS) {
		uint64_t node = *p >= '0' && *p <= '9' ? ompp_text_digits(&p) : MOST_NODES, n = 1;

		if (node >= MOST_NODES || !(all_nodes >> node & 1))
			return -1;
		if (p < end && *p == '*') {
			p++;
			n = p < end && *p >= '0' && *p <= '9' ? ompp_text_digits(&p) : 0;
		}
		if (!n || n > MOST_OF_RUN)
			return -1;
		rule->runs[rule->n_runs++] = (struct run){ (uint32_t)node, (uint32_t)n };
		rule->n_units += n;
		if (p >= end)
			return 0;
		if (*p++ != '+')
			return -1;
	}
	return -1;
}

static int is_word(const char *p, const char *end, const char *word)
{
	return (size_t)(end - p) == strlen(word) && !memcmp(p, word, strlen(word));
}

/* Reads "node:", "parts:" or "blocks:".  Returns its length; 0 for another word. */
static size_t word_of_runs(struct rule *rule, const char *p, const char *end)
{
	static const struct {
		const char *word;
		enum how how;
	} words[] = { { "node:", PARTS }, { "parts:", PARTS }, { "blocks:", BLOCKS } };

	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++) {
		size_t n = strlen(words[i].word);

		if ((size_t)(end - p) > n && !memcmp(p, words[i].word, n)) {
			rule->how = words[i].how;
			return n;
		}
	}
	return 0;
}

static void read_rule(const char *word, size_t n)
{
	const char *end = word + n, *how = end;
	struct rule *rule = &rules[n_rules];

	while (how > word && how[-1] != '=')
		how--;
	*rule = (struct rule){ .name = word, .n_name = how > word ? (size_t)(how - word) - 1 : 0 };
	if (!rule->n_name) {
		placement_complain(word, n, "not NAME=HOW; write a=interleave, a=node:1 or a=parts:0+1");
		return;
	}
	if (is_word(how, end, "allocator")) {
		rule->how = ALLOCATOR;
	} else if (!is_word(how, end, "interleave")) {
		size_t n_word = word_of_runs(rule, how, end);

		if (!n_word) {
			placement_complain(how, (size_t)(end - how),
			                   "unknown; there are interleave, node:N, parts:N+N…, blocks:N+N… and "
			                   "allocator");
			return;
		}
		if (read_runs(rule, how + n_word, end) || (*how == 'n' && rule->n_units != 1)) {
			placement_complain(how, (size_t)(end - how), "not a NUMA node of this machine that has memory");
			return;
		}
	}
	n_rules++;
}

/* ---- placing ---- */

/* Sets the policy of whole pages [lo, hi).  Returns 0 or -errno. */
static int set_policy(uintptr_t lo, uintptr_t hi, int policy, uint64_t nodes)
{
	unsigned long mask = (unsigned long)nodes;

	return lo < hi ? (int)OMPP_SYS6(mbind, lo, hi - lo, policy, &mask, sizeof(mask) * 8,
	                                policy == POLICY_DEFAULT ? 0 : MOVE_PAGES)
	               : 0;
}

/* Returns the node of the block of a number, from 0; the list begins anew behind its end. */
static uint32_t node_of_block(const struct rule *rule, uint64_t order)
{
	uint32_t i = 0;

	order %= rule->n_units;
	for (; order >= rule->runs[i].n; i++)
		order -= rule->runs[i].n;
	return rule->runs[i].node;
}

/* Returns a bit for the node of the calling thread's processor; for all nodes when that has no memory. */
static uint64_t this_node(void)
{
	unsigned int node = MOST_NODES;

	if (OMPP_SYS3(getcpu, NULL, &node, NULL) || node >= MOST_NODES || !(all_nodes >> node & 1))
		return all_nodes;
	return UINT64_C(1) << node;
}

static int placement_apply(const struct rule *rule, uintptr_t lo, uintptr_t hi, uint64_t order)
{
	uintptr_t page_bytes = ompp_page_bytes(), n_pages = (hi - lo) / page_bytes;
	uint64_t done = 0;
	int rc = 0;

	if (rule->how == INTERLEAVE)
		return set_policy(lo, hi, POLICY_INTERLEAVE, all_nodes);
	if (rule->how == ALLOCATOR)
		return set_policy(lo, hi, POLICY_PREFERRED, this_node());
	if (rule->how == BLOCKS)
		return set_policy(lo, hi, POLICY_PREFERRED, UINT64_C(1) << node_of_block(rule, order));
	for (uint32_t i = 0; i < rule->n_runs && !rc; i++) {
		uint64_t next = done + rule->runs[i].n;
		uintptr_t from = (uintptr_t)((unsigned __int128)n_pages * done / rule->n_units);
		uintptr_t end = (uintptr_t)((unsigned __int128)n_pages * next / rule->n_units);

		rc = set_policy(lo + from * page_bytes, lo + end * page_bytes, POLICY_PREFERRED,
		                UINT64_C(1) << rule->runs[i].node);
		done = next;
	}
	return rc;
}

/* Places the whole pages of [lo, hi), of the block of this number. */
static void placement_place(struct rule *rule, uintptr_t lo, uintptr_t hi, uint64_t order)
{
	uintptr_t mask = ompp_page_bytes() - 1;
	int rc;

	lo = (lo + mask) & ~mask;
	hi &= ~mask;
	__atomic_fetch_add(&rule->n_ranges, 1, __ATOMIC_RELAXED);
	rc = lo < hi ? placement_apply(rule, lo, hi, order) : 0;
	if (rc)
		OMPP_STORE(&rule->error, -rc);
	if (lo >= hi)
		OMPP_STORE(&rule->is_small, 1);
}

static int is_rule_of(const struct rule *rule, const char *name)
{
	return strlen(name) == rule->n_name && !memcmp(name, rule->name, rule->n_name);
}

/* A range has got its name.  Under the lock of ranges. */
static void place_range(const struct ompp_range *range)
{
	for (uint32_t i = 0; i < n_rules; i++)
		if (!range->object->site && is_rule_of(&rules[i], range->object->name))
			placement_place(&rules[i], range->lo, range->hi, OMPP_LOAD(&rules[i].n_ranges));
}

/* Finds the rule of a site by its calls. */
static void look_for_site(void *arg)
{
	struct ompp_site *site = arg;
	struct ompp_loaded file;
	char name[SITE_BYTES];
	struct ompp_text t;
	uint32_t found = NO_RULE;

	ompp_text_init(&t, name, sizeof(name));
	for (uint32_t i = 0; i < site->n_callers; i++)
		if (!ompp_loaded_find(&file, site->callers[i] - 1))
			ompp_site_put_call(&t, file.path, file.offset + 1);
	for (uint32_t i = 0; i < n_rules && found == NO_RULE; i++)
		if (is_rule_of(&rules[i], name))
			found = FIRST_RULE + i;
	atomic_store_explicit(&site->placed, found, memory_order_relaxed);
}

/* A block begins or ends: an allocator may give the memory to somebody else then. */
static void place_block(struct ompp_site *site, uintptr_t address, size_t n_bytes, int ends)
{
	uintptr_t mask = ompp_page_bytes() - 1, lo = (address + mask) & ~mask, hi = (address + n_bytes) & ~mask;
	uint32_t placed = atomic_load_explicit(&site->placed, memory_order_relaxed), n;
	struct rule *rule;

	if (placed == NOT_LOOKED) {
		ompp_stack_call(look_for_site, site);
		placed = atomic_load_explicit(&site->placed, memory_order_relaxed);
	}
	if (placed < FIRST_RULE || atomic_load_explicit(&is_full, memory_order_relaxed))
		return;
	rule = &rules[placed - FIRST_RULE];
	n = lo < hi ? 1 + rule->n_runs * (rule->how == PARTS) : 0;
	if (ends) {
		set_policy(lo, hi, POLICY_DEFAULT, 0);
		atomic_fetch_sub(&n_mappings, n);
	} else if (atomic_fetch_add(&n_mappings, n) + n > MOST_MAPPINGS) {
		atomic_store(&is_full, 1);
		OMPP_STORE(&rule->error, ENOSPC);
	} else {
		placement_place(rule, address, address + n_bytes, ompp_site_sum(site).n_begun - 1);
	}
}

/* Is the name the calls of a site? */
static int is_site(const struct rule *rule)
{
	return memmem(rule->name, rule->n_name, "+0x", 3) != NULL;
}

void ompp_placement_start(void)
{
	const char *list = ompp_session.options.text[OMPP_OPT_PLACE], *word;
	size_t n;

	if (!list[0])
		return;
	rules = ompp_data_alloc(MOST_RULES * sizeof(*rules));
	if (!rules) {
		ompp_note_say("OMPP_PLACE: no memory; nothing is placed");
		return;
	}
	all_nodes = ompp_numa_set("/sys/devices/system/node/has_memory");
	while ((n = ompp_list_next(&list, &word)))
		if (n_rules < MOST_RULES)
			read_rule(word, n);
		else
			placement_complain(word, n, "one too many; there may be 64");
	for (uint32_t i = 0; i < n_rules; i++)
		if (is_site(&rules[i]))
			ompp_heap_placing = place_block;
		else
			ompp_range_begun = place_range;
}

/* ---- what became of it ---- */

static const char *object_name(size_t i)
{
	uint32_t n = atomic_load_explicit(&ompp_n_objects, memory_order_acquire);

	i += OMPP_OBJECT_FIRST_NAMED;
	return i < n ? ompp_object((uint32_t)i)->name : NULL;
}

static void say_error(struct ompp_text *t, int error)
{
	if (error == ENOSYS) {
		ompp_text_str(t, "the kernel has no mbind; use one with CONFIG_NUMA");
	} else if (error == EPERM) {
		ompp_text_str(t, "a security profile forbids mbind; allow it in the container's profile");
	} else if (error == ENOSPC) {
		ompp_text_str(t, "there are too many blocks, and the last ones stay as they are; use numactl");
	} else {
		ompp_text_str(t, "mbind failed with errno ");
		ompp_text_i64(t, error);
		ompp_text_str(t, "; see mbind(2)");
	}
}

void ompp_placement_tell(void (*say)(const char *line))
{
	for (uint32_t i = 0; i < n_rules; i++) {
		struct rule *rule = &rules[i];
		char line[LINE_BYTES];
		const char *near;
		struct ompp_text t;

		if (rule->is_told ||
		    (OMPP_LOAD(&rule->n_ranges) && !OMPP_LOAD(&rule->error) && !OMPP_LOAD(&rule->is_small)))
			continue;
		rule->is_told = 1;
		ompp_text_init(&t, line, sizeof(line));
		ompp_text_str(&t, "OMPP_PLACE: ");
		if (!OMPP_LOAD(&rule->n_ranges) && is_site(rule)) {
			ompp_text_str(&t, "no block was allocated by '");
			ompp_text_strn(&t, rule->name, rule->n_name < SHOWN_BYTES ? rule->n_name : SHOWN_BYTES);
			ompp_text_str(&t, "'; set OMPP_OBJECTS=all, with the program as it was for ompp place");
		} else if (!OMPP_LOAD(&rule->n_ranges)) {
			near = ompp_nearest(rule->name, rule->n_name, object_name, (unsigned int)rule->n_name / 3 + 1);
			ompp_text_str(&t, "no data was named '");
			ompp_text_strn(&t, rule->name, rule->n_name < SHOWN_BYTES ? rule->n_name : SHOWN_BYTES);
			ompp_text_str(&t, near ? "'; did you mean '" : "'; name it by inst data or OMPP_DATA_NAME");
			ompp_text_strn(&t, near ? near : "", near ? strnlen(near, SHOWN_BYTES) : 0);
			ompp_text_str(&t, near ? "'?" : "");
		} else {
			ompp_text_strn(&t, rule->name, rule->n_name < SHOWN_BYTES ? rule->n_name : SHOWN_BYTES);
			ompp_text_str(&t, " was not placed: ");
			if (OMPP_LOAD(&rule->error))
				say_error(&t, OMPP_LOAD(&rule->error));
			else
				ompp_text_str(&t, "it has no whole page; align it, or leave it where it is");
		}
		say(line);
	}
}
