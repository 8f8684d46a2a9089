/*
 * Page smalls: see page_smalls.h.
 */
#include "runtime/data_sums/page_smalls.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/number.h"
#include "reports/profile/record.h"
#include "runtime/base/auxv.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/ranges/small.h"

enum { TEXT_BYTES = 400, NAME_BYTES = 120, MOST_NAMES = 8 };

int ompp_page_smalls_start(struct ompp_page_smalls *s, struct ompp_arena *arena)
{
	if (ompp_smalls_count(&s->named, arena))
		return -ENOMEM;
	s->of = ompp_arena_alloc(arena, s->named.n * sizeof(*s->of));
	return s->of ? 0 : -ENOMEM;
}

/* Returns the parts of a page in which a variable has bytes.  It has some in the page. */
static uint64_t parts_of(uintptr_t page, const struct ompp_small_extent *extent)
{
	return ompp_paged_parts(page, ompp_page_bytes(), extent->lo, extent->hi);
}

/* Returns the parts of a page in which more than one variable has bytes. */
static uint64_t shared_parts(const struct ompp_page_small_use *use)
{
	uintptr_t page = use->page, at = page, end = page + ompp_page_bytes();
	struct ompp_small_extent extent;
	uint64_t once = 0, twice = 0;

	while (ompp_small_next(&at, end, use->object, &extent)) {
		twice |= once & parts_of(page, &extent);
		once |= parts_of(page, &extent);
	}
	return twice;
}

void ompp_page_smalls_add(struct ompp_page_smalls *s, uint32_t object, const struct ompp_page_small_use *use)
{
	uintptr_t at = use->page, end = use->page + ompp_page_bytes();
	uint64_t shared = use->parts ? shared_parts(use) : 0;
	struct ompp_small_extent extent;
	uint32_t number;

	while (use->parts && (number = ompp_small_next(&at, end, use->object, &extent))) {
		uint64_t in = parts_of(use->page, &extent) & use->parts;

		if (number >= s->named.n || !in)
			continue;
		s->named.counts[number] += (uint64_t)__builtin_popcountll(in);
		s->of[number].object = object;
		s->of[number].n_bytes = extent.hi - extent.lo;
		s->of[number].n_parts = s->named.counts[number];
		s->of[number].n_alone += (uint64_t)__builtin_popcountll(in & ~shared);
	}
}

static int is_after(const void *variables, uint32_t x, uint32_t y)
{
	const struct ompp_page_variable *v = variables;
	int d = ompp_record_compare(OMPP_SECTION_PAGE_VARIABLES, &v[x], &v[y]);

	return d ? d > 0 : x > y;
}

/* Adds a variable, which may have been in another place before: then both are one. */
static void page_smalls_put(struct ompp_page_variable *out, size_t *n, const struct ompp_page_variable *v)
{
	if (*n && !ompp_record_compare(OMPP_SECTION_PAGE_VARIABLES, &out[*n - 1], v))
		ompp_record_add(OMPP_SECTION_PAGE_VARIABLES, &out[*n - 1], v);
	else
		out[(*n)++] = *v;
}

int ompp_page_smalls_put(struct ompp_page_smalls *s, struct ompp_arena *arena, struct ompp_profile *p)
{
	struct ompp_page_variable *all = ompp_arena_alloc(arena, OMPP_MOST_SMALL * sizeof(*all));
	struct ompp_page_variable *out = ompp_arena_alloc(arena, OMPP_MOST_SMALL * sizeof(*out));
	uint32_t n = 0, *order;

	if (!all || !out || ompp_smalls_name(&s->named, arena))
		return -ENOMEM;
	for (uint32_t i = 1; i < s->named.n; i++)
		if (s->named.names[i][0])
			all[n++] = (struct ompp_page_variable){ s->of[i].object, s->named.names[i], s->of[i].n_bytes,
				                                s->of[i].n_parts, s->of[i].n_alone };
	order = ompp_sorted(arena, n, is_after, all);
	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		page_smalls_put(out, &p->n_page_variables, &all[order[i]]);
	p->page_variables = out;
	return 0;
}

const char *ompp_page_smalls_text(struct ompp_arena *arena, const struct ompp_page_small_use *use)
{
	uintptr_t at = use->page, end = use->page + ompp_page_bytes();
	struct ompp_small_extent extent;
	char buffer[TEXT_BYTES];
	struct ompp_text t;
	uint32_t number;
	int n = 0;

	ompp_text_init(&t, buffer, sizeof(buffer));
	while (use->parts && (number = ompp_small_next(&at, end, use->object, &extent))) {
		const char *name = ompp_small_name(number);

		if (!(parts_of(use->page, &extent) & use->parts))
			continue;
		if (n == MOST_NAMES || t.n_bytes + NAME_BYTES > sizeof(buffer)) {
			ompp_text_str(&t, " …");
			break;
		}
		ompp_text_str(&t, n++ ? " " : "");
		ompp_text_strn(&t, name, strnlen(name, NAME_BYTES));
	}
	return ompp_arena_strdup(arena, buffer);
}
