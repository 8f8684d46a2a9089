/*
 * Variable: see variable.h.  This file has the growing list of variables, indexed by address.
 */
#include "runtime/program/variable.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"

enum { FIRST_CHAIN_BITS = 10, MOST_CHAIN_BITS = 26 };

static uint32_t *chain_of(const struct ompp_variables *v, uintptr_t address)
{
	return &v->chains[(uint32_t)(address >> 2) * 0x9E3779B1u >> (32 - v->chain_bits)];
}

/* Makes new chains, 1 << bits, for all variables of the list.  Returns 0 or -ENOMEM. */
static int make_chains(struct ompp_variables *v, unsigned int bits)
{
	uint32_t *chains = ompp_arena_alloc(&v->arena, sizeof(*chains) << bits);

	if (!chains)
		return -ENOMEM;
	v->chains = chains;
	v->chain_bits = bits;
	for (size_t i = 0; i < v->n; i++) {
		uint32_t *chain = chain_of(v, v->items[i].address);

		v->items[i].next = *chain;
		*chain = (uint32_t)i + 1;
	}
	return 0;
}

int ompp_variables_begin(struct ompp_variables *v)
{
	return make_chains(v, FIRST_CHAIN_BITS);
}

struct ompp_variable *ompp_variables_at(struct ompp_variables *v, const struct ompp_variable *before, uintptr_t address)
{
	uint32_t next = before ? before->next : *chain_of(v, address);

	for (; next; next = v->items[next - 1].next)
		if (v->items[next - 1].address == address)
			return &v->items[next - 1];
	return NULL;
}

struct ompp_variable *ompp_variables_add(struct ompp_variables *v, const char *name, uintptr_t address)
{
	struct ompp_variable *items = ompp_arena_grow(&v->arena, v->items, &v->n_have, v->n + 1, sizeof(*items));
	uint32_t *chain;

	if (!items || !name || v->n >= UINT32_MAX - 1)
		return NULL;
	v->items = items;
	if (v->n >> v->chain_bits && v->chain_bits < MOST_CHAIN_BITS && make_chains(v, v->chain_bits + 1))
		return NULL;
	chain = chain_of(v, address);
	items[v->n] = (struct ompp_variable){ .name = name,
		                              .full = name,
		                              .linkage = name,
		                              .shown = name,
		                              .unit = "",
		                              .source = "",
		                              .address = address,
		                              .next = *chain };
	*chain = (uint32_t)++v->n;
	return &items[v->n - 1];
}

const char *ompp_variables_join(struct ompp_variables *v, const char *a, const char *between, const char *b)
{
	size_t n = strlen(a) + strlen(between) + strlen(b) + 1;
	char *text = ompp_arena_alloc(&v->arena, n);
	struct ompp_text t;

	if (!text)
		return b;
	ompp_text_init(&t, text, n);
	ompp_text_str(&t, a);
	ompp_text_str(&t, between);
	ompp_text_str(&t, b);
	return text;
}
