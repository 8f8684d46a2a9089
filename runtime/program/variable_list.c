/*
 * Variable: see variable.h.  This file makes lists of variables with unique names.
 */
#include "runtime/program/variable.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"

static void variable_list_sort(struct ompp_variable **list, size_t n)
{
	size_t gap, i, k;

	for (gap = n / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
		for (i = gap; i < n; i++) {
			struct ompp_variable *x = list[i];

			for (k = i; k >= gap && strcmp(list[k - gap]->shown, x->shown) > 0; k -= gap)
				list[k] = list[k - gap];
			list[k] = x;
		}
}

enum { N_WAYS = 6 };

static const char *with_address(struct ompp_variables *v, const struct ompp_variable *x)
{
	char number[20];
	struct ompp_text t;

	ompp_text_init(&t, number, sizeof(number));
	ompp_text_hex(&t, x->address);
	return ompp_variables_join(v, x->name, "@0x", number);
}

/* Returns name number i of a variable.  The numbers are ways to tell variables of the same name apart, in the order
 * in which they are tried. */
static const char *variable_list_way(struct ompp_variables *v, const struct ompp_variable *x, int i)
{
	const char *unit = x->unit[0] ? x->unit : ompp_variable_file(x->source);
	const char *name = i == 1 ? x->name : i == 0 || i == 2 ? x->full : x->linkage;

	if (i == N_WAYS - 1)
		return with_address(v, x);
	return i == 0 || i == 3 || !unit[0] ? name : ompp_variables_join(v, unit, ":", name);
}

static int variable_list_differ(struct ompp_variable **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(list[i]->shown, list[k]->shown) && list[i]->address != list[k]->address)
				return 0;
	return 1;
}

int ompp_variables_unique(struct ompp_variables *v, struct ompp_variable *const *given, size_t n)
{
	struct ompp_variable **list = ompp_arena_alloc(&v->arena, n * sizeof(*list));
	size_t i, k, end;

	if (!list)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		list[i] = given[i];
		list[i]->shown = ompp_variable_name(v, list[i]);
	}
	variable_list_sort(list, n);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && !strcmp(list[end]->shown, list[i]->shown); end++)
			;
		for (int w = 0; w < N_WAYS && !variable_list_differ(list + i, end - i); w++)
			for (k = i; k < end; k++)
				list[k]->shown = variable_list_way(v, list[k], w);
	}
	return 0;
}

/* Returns 1 when another symbol of the same address is larger, or as large and earlier in the list. */
static int is_alias(struct ompp_variables *v, const struct ompp_variable *x)
{
	const struct ompp_variable *other = NULL;

	while ((other = ompp_variables_at(v, other, x->address)))
		if (other != x && !(other->flags & OMPP_VARIABLE_NO_OBJECT) &&
		    (other->n_bytes > x->n_bytes || (other->n_bytes == x->n_bytes && other < x)))
			return 1;
	return 0;
}

int ompp_variable_may_describe(const struct ompp_variable *x)
{
	enum { HEAD_BYTES = 40, DIMENSION_BYTES = 24, MOST_DIMENSIONS = 15 }; /* as gfortran 9 and later lay it out */
	size_t n = x->n_bytes;

	if (!(x->flags & OMPP_VARIABLE_FORTRAN) || x->name[0] == '/') /* a common block is no descriptor */
		return 0;
	return !x->source[0] && x->section != OMPP_IN_RODATA && n > HEAD_BYTES &&
	       n <= HEAD_BYTES + MOST_DIMENSIONS * DIMENSION_BYTES && (n - HEAD_BYTES) % DIMENSION_BYTES == 0;
}

int ompp_variables_list(struct ompp_variables *v, size_t min_bytes, struct ompp_variable_list *list)
{
	*list = (struct ompp_variable_list){ .items = ompp_arena_alloc(&v->arena, v->n * sizeof(*list->items)) };
	if (!list->items)
		return -ENOMEM;
	for (size_t i = 0; i < v->n; i++) {
		struct ompp_variable *x = &v->items[i];

		if (x->n_bytes < min_bytes || !x->n_bytes)
			continue;
		ompp_variable_name(v, x); /* this may find that the compiler has made it */
		if (x->flags & (OMPP_VARIABLE_MADE | OMPP_VARIABLE_GONE | OMPP_VARIABLE_MEMBER))
			continue;
		if (x->flags & OMPP_VARIABLE_TLS)
			list->n_tls += !(x->flags & OMPP_VARIABLE_DEBUG); /* its symbol counts it already */
		else if (x->flags & OMPP_VARIABLE_DESCRIPTOR)
			list->n_descriptors++;
		else if (ompp_variable_may_describe(x))
			list->n_unsure++;
		else if (!is_alias(v, x))
			list->items[list->n++] = x;
	}
	return ompp_variables_unique(v, list->items, list->n);
}
