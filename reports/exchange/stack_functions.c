/*
 * Stack functions: see stack_functions.h.
 */
#include "reports/exchange/stack_functions.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/sort.h"

enum { NAME_BYTES = 512 };

struct naming {
	const struct ompp_hot_spot *spots;
	const char **names;
};

static int name_is_after(const void *naming, uint32_t x, uint32_t y)
{
	const struct naming *s = naming;
	int d = strcmp(s->names[x], s->names[y]);

	d = d ? d : strcmp(s->spots[x].file, s->spots[y].file);
	return d ? d > 0 : x > y;
}

/* Names the function of each hot spot.  Returns 0 or -ENOMEM. */
static int name_spots(const struct ompp_analysis *a, const char **names)
{
	const struct ompp_profile *p = a->profile;

	for (size_t i = 0; i < p->n_hot_spots; i++) {
		char name[NAME_BYTES];
		struct ompp_text t;

		ompp_text_init(&t, name, sizeof(name));
		ompp_hot_put_function(&t, &p->hot_spots[i]);
		names[i] = ompp_arena_strdup(a->arena, name);
		if (!names[i])
			return -ENOMEM;
	}
	return 0;
}

int ompp_stack_functions(const struct ompp_analysis *a, struct ompp_stack_functions *f)
{
	const struct ompp_hot_spot *spots = a->profile->hot_spots;
	size_t n = a->profile->n_hot_spots;
	struct naming naming;
	uint32_t *order, last = OMPP_NONE;

	f->n = 0;
	f->names = ompp_arena_alloc(a->arena, (n + 1) * sizeof(*f->names));
	f->function_of = ompp_arena_alloc(a->arena, (n + 1) * sizeof(*f->function_of));
	f->spot_of = ompp_arena_alloc(a->arena, (n + 1) * sizeof(*f->spot_of));
	if (!f->names || !f->function_of || !f->spot_of || name_spots(a, f->names))
		return -ENOMEM;
	naming = (struct naming){ spots, f->names };
	order = ompp_sorted(a->arena, n, name_is_after, &naming);
	for (size_t i = 0; order && i < n; i++) {
		uint32_t at = order[i];

		if (ompp_hot_is_openmp(&spots[at]))
			continue;
		if (last == OMPP_NONE || strcmp(f->names[at], f->names[last]) ||
		    strcmp(spots[at].file, spots[last].file))
			f->spot_of[f->n++] = at;
		f->function_of[at] = f->n - 1;
		last = at;
	}
	return order ? 0 : -ENOMEM;
}
