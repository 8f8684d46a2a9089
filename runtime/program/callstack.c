/*
 * Callstack: see callstack.h.
 *
 * The table: multiplying an address by an odd number modulo 2^48 is a bijection.  The upper bits of the product select
 * a set, and an entry stores the others, so that each entry belongs to exactly one address.  An entry is one word, read
 * and written atomically:
 *
 *     37 bits of the product      15 bits: the generation      12 bits: which of the rules
 *
 * Programs have some hundred different rules, so each is stored once, permanently, in a separate list.  When the
 * generation changes, older entries no longer match.
 */
#define _GNU_SOURCE
#include "runtime/program/callstack.h"

#include <link.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/relaxed.h"
#include "runtime/host/real.h"
#include "runtime/program/callstack_rule.h"

#if defined(__x86_64__) || defined(__aarch64__)

enum {
	ADDRESS_BITS = 48,
	SET_BITS = 11,
	RULE_BITS = 12,
	GENERATION_BITS = 15,
	N_WAYS = 4, /* of a set: addresses that are met often do not drive each other out */
	MAX_RULES = 1 << RULE_BITS,
	LAST_GENERATION = (1 << GENERATION_BITS) - 1
};

/* Golden ratio; the shift drops what is above the 48 bits. */
#define FACTOR ((uint64_t)0x9e3779b97f4b << (64 - ADDRESS_BITS))

/* Any thread reads and writes these at any time, one word at once.  A word of the table that is 0 was never written: no
 * generation is 0.  A rule is written once; one that is 0 is free, and the first stays 0, which ends walks. */
static uint64_t table[1 << SET_BITS][N_WAYS] __attribute__((aligned(64)));
static uint64_t rules[MAX_RULES], generation = 1;
static uint64_t last_way, n_loaded;

static uint64_t word_of(struct ompp_callstack_rule rule)
{
	uint64_t word;

	_Static_assert(sizeof(rule) == sizeof(word), "a rule is one word");
	memcpy(&word, &rule, sizeof(word));
	return word;
}

static struct ompp_callstack_rule rule_of(uint64_t word)
{
	struct ompp_callstack_rule rule;

	memcpy(&rule, &word, sizeof(rule));
	return rule;
}

/* Returns where the rule is in the list; MAX_RULES when the list is full. */
static uint64_t index_of(struct ompp_callstack_rule rule)
{
	uint64_t word = word_of(rule), at, there;

	if (rule.cfa_from == OMPP_CFA_NONE)
		return 0;
	for (uint64_t i = 0; i < MAX_RULES - 1; i++) {
		at = 1 + ((word * FACTOR >> (64 - ADDRESS_BITS)) + i) % (MAX_RULES - 1);
		there = OMPP_LOAD(&rules[at]);
		if (!there &&
		    __atomic_compare_exchange_n(&rules[at], &there, word, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return at;
		if (there == word) /* also when another thread has just written it */
			return at;
	}
	return MAX_RULES;
}

/* Keeps an entry.  It replaces one that is never looked up any more, otherwise the next one in turn. */
static void callstack_keep(uint64_t *set, uint64_t entry)
{
	const uint64_t mask = (uint64_t)LAST_GENERATION << RULE_BITS;
	uint64_t way;

	for (way = 0; way < N_WAYS; way++)
		if ((OMPP_LOAD(&set[way]) ^ entry) & mask)
			break;
	if (way == N_WAYS) {
		way = OMPP_LOAD(&last_way) + 1;
		OMPP_STORE(&last_way, way);
	}
	__atomic_store_n(&set[way % N_WAYS], entry, __ATOMIC_RELEASE); /* the rule is in the list before */
}

static __attribute__((noinline, cold)) struct ompp_callstack_rule find_rule(uintptr_t address, uint64_t *set,
                                                                            uint64_t wanted)
{
	struct ompp_callstack_rule rule = ompp_callstack_rule(address);
	uint64_t index = index_of(rule);

	if (index < MAX_RULES)
		callstack_keep(set, wanted | index);
	return rule;
}

/* Returns the rule at an address, which is below 2^48. */
static inline struct ompp_callstack_rule rule_at(uintptr_t address)
{
	uint64_t product = address * FACTOR, *set = table[product >> (64 - SET_BITS)];
	uint64_t wanted = product << SET_BITS | OMPP_LOAD(&generation) << RULE_BITS;

	for (int way = 0; way < N_WAYS; way++) {
		uint64_t index = __atomic_load_n(&set[way], __ATOMIC_ACQUIRE) ^ wanted;

		if (index < MAX_RULES)
			return rule_of(OMPP_LOAD(&rules[index]));
	}
	return find_rule(address, set, wanted);
}

/* The registers of a function, and the end of its stack. */
struct frame {
	uintptr_t sp, fp, hi;
};

/* The stack is read as it is: sanitizers know of borders between variables, and of other threads' variables. */
#define READS_STACK __attribute__((no_sanitize("address"), no_sanitize("thread")))

/* Reads a word of the stack.  Returns 0 when it is none. */
READS_STACK static inline int read_word(const struct frame *f, uintptr_t at, uintptr_t *word)
{
	if (at - f->sp >= f->hi - f->sp || at % sizeof(*word))
		return 0;
	*word = *(const uintptr_t *)at;
	return 1;
}

/* Finds the caller's registers.  Returns the address at which it goes on; 0 when nobody knows. */
READS_STACK static inline uintptr_t go_up(struct frame *f, struct ompp_callstack_rule rule)
{
	uintptr_t cfa = (rule.cfa_from == OMPP_CFA_SP ? f->sp : f->fp) + (uintptr_t)(rule.cfa * 8), fp = f->fp, ra;

	if (rule.cfa_from == OMPP_CFA_NONE || (rule.cfa_from == OMPP_CFA_AT_FP && !read_word(f, cfa, &cfa)))
		return 0;
	if (cfa <= f->sp || cfa > f->hi || !read_word(f, cfa + (uintptr_t)(rule.ra * 8), &ra))
		return 0;
	if (rule.fp_from == OMPP_FP_AT_CFA && !read_word(f, cfa + (uintptr_t)(rule.fp * 8), &fp))
		return 0;
	if (rule.fp_from == OMPP_FP_AT_FP && !read_word(f, f->fp + (uintptr_t)(rule.fp * 8), &fp))
		return 0;
	f->sp = cfa;
	f->fp = rule.fp_from == OMPP_FP_LOST ? 0 : fp;
#if defined(__aarch64__)
	ra &= ((uintptr_t)1 << ADDRESS_BITS) - 1; /* without its signature */
#endif
	return ra;
}

READS_STACK size_t ompp_callstack(uintptr_t pc, uintptr_t sp, uintptr_t fp, uintptr_t stack_hi, uintptr_t *callers,
                                  size_t n_most)
{
	struct frame f = { sp, fp, stack_hi & ~(uintptr_t)7 };
	size_t n = 0;

	if (sp >= f.hi)
		return 0;
	/* A rule is that of the call: where the caller goes on may be another function, after a call that never
	 * returns. */
	for (uintptr_t at = pc; n < n_most && !(at >> ADDRESS_BITS); at = callers[n++] - 1) {
		callers[n] = go_up(&f, rule_at(at));
		if (!callers[n])
			break;
	}
	return n;
}

static int count_loaded(struct dl_phdr_info *info, size_t size, void *data)
{
	uint64_t *n = data;

	if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs))
		*n = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

void ompp_callstack_forget(void)
{
	uint64_t now = 0, before = OMPP_LOAD(&generation), next = before + 1;

	ompp_real_each(count_loaded, &now);
	if (__atomic_exchange_n(&n_loaded, now, __ATOMIC_RELAXED) == now)
		return;
	if (before == LAST_GENERATION) { /* the first ones come back */
		for (size_t i = 0; i < OMPP_COUNT_OF(table); i++)
			for (size_t way = 0; way < N_WAYS; way++)
				OMPP_STORE(&table[i][way], 0);
		next = 1;
	}
	/* When it fails, another thread has just done the same. */
	__atomic_compare_exchange_n(&generation, &before, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#else

size_t ompp_callstack(uintptr_t pc, uintptr_t sp, uintptr_t fp, uintptr_t stack_hi, uintptr_t *callers, size_t n_most)
{
	(void)pc, (void)sp, (void)fp, (void)stack_hi, (void)callers, (void)n_most;
	return 0;
}

void ompp_callstack_forget(void)
{
}

#endif
