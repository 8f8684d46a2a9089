/*
 * Pages variables: see pages_variables.h.
 */
#include "reports/pages/pages_variables.h"

#include <stdlib.h>
#include <string.h>

#include "reports/profile/number.h"
#include "runtime/base/text.h"

enum { TEXT_BYTES = 16384, NAME_BYTES = 256, FEW_NAMES = 4 };

static int by_address(const void *a, const void *b)
{
	const struct ompp_flow_variable *x = *(const struct ompp_flow_variable *const *)a;
	const struct ompp_flow_variable *y = *(const struct ompp_flow_variable *const *)b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->name, y->name);
}

int ompp_pages_variables(const struct ompp_flow_look *look, struct ompp_pages_variables *v)
{
	v->n = ompp_flow_n_variables(look->flow);
	v->all = malloc((v->n + 1) * sizeof(*v->all));
	if (!v->all)
		return -1;
	for (size_t i = 0; i < v->n; i++)
		v->all[i] = ompp_flow_variable(look->flow, i);
	qsort(v->all, v->n, sizeof(*v->all), by_address);
	return 0;
}

/* Returns the first variable that may extend beyond the address; those before end earlier. */
static size_t first_near(const struct ompp_pages_variables *v, uint64_t address)
{
	size_t low = 0, high = v->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v->all[middle]->address + v->all[middle]->n_bytes <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *ompp_pages_variables_in(struct ompp_flow_look *look, const struct ompp_pages_variables *v,
                                    const struct ompp_pages_page *p)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes, parts = p->is_counted ? p->parts : UINT64_MAX;
	char buffer[TEXT_BYTES];
	struct ompp_text t;
	int n = 0;

	ompp_text_init(&t, buffer, sizeof(buffer));
	for (size_t i = first_near(v, p->address); i < v->n && v->all[i]->address < p->address + page_bytes; i++) {
		uint64_t end = v->all[i]->address + v->all[i]->n_bytes;

		if (end <= p->address || !(parts & ompp_paged_parts(p->address, page_bytes, v->all[i]->address, end)))
			continue;
		if ((look->look.is_text && n == FEW_NAMES) || t.n_bytes + 2 * NAME_BYTES > sizeof(buffer)) {
			ompp_text_str(&t, " …");
			break;
		}
		ompp_text_str(&t, n++ ? " " : "");
		ompp_text_strn(&t, v->all[i]->name, strnlen(v->all[i]->name, NAME_BYTES));
	}
	return ompp_arena_strdup(look->arena, buffer);
}
