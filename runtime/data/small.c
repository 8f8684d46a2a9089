/*
 * Small: see small.h.
 */
#include "runtime/data/small.h"

#include <stddef.h>
#include <string.h>

#include "runtime/base/sort.h"
#include "runtime/data/object.h"
#include "runtime/data/symbols.h"

struct small {
	const char *name;
	uintptr_t address;
	size_t n_bytes;
};

static struct small *smalls;
static size_t n_noted, have;
static uint32_t *order;   /* indices of smalls, by address */
static uint32_t n_sorted; /* of order; written last */

void ompp_small_add(const struct ompp_symbol *symbol)
{
	size_t n = strlen(symbol->name) + 1;
	char *name = ompp_data_alloc(n);

	if (!name || n_noted == UINT32_MAX || ompp_data_grow(&smalls, &have, n_noted + 1, sizeof(*smalls)))
		return;
	memcpy(name, symbol->name, n);
	smalls[n_noted++] = (struct small){ name, symbol->address, symbol->n_bytes };
}

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct small *s = context;

	return s[x].address > s[y].address;
}

void ompp_smalls_start(void)
{
	order = n_noted ? ompp_data_alloc(n_noted * sizeof(*order)) : NULL;
	if (!order)
		return;
	for (size_t i = 0; i < n_noted; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, n_noted, is_after, smalls);
	__atomic_store_n(&n_sorted, (uint32_t)n_noted, __ATOMIC_RELEASE);
}

uint32_t ompp_smalls_n(void)
{
	return __atomic_load_n(&n_sorted, __ATOMIC_ACQUIRE);
}

uint32_t ompp_small_at(uintptr_t address)
{
	uint32_t low = 0, high = ompp_smalls_n();

	while (low < high) { /* all below `low` begin at the address or before it, and those from `high` on behind it */
		uint32_t middle = low + (high - low) / 2;

		if (smalls[order[middle]].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - smalls[order[low - 1]].address >= smalls[order[low - 1]].n_bytes)
		return 0;
	return order[low - 1] + 1;
}

const char *ompp_small_name(uint32_t number)
{
	return smalls[number - 1].name;
}
