/*
 * Object match: see object_match.h.
 */
#include "reports/compare/object_match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/profile/profile.h"
#include "runtime/base/sort.h"

/* A name without its line. */
struct place {
	const char *name, *rest; /* rest: behind the line; "" where the name has none */
	size_t n_file;           /* bytes of the name in front of the line */
	unsigned long line;      /* 0 for none */
};

static struct place place_of(const char *name)
{
	struct place p = { name, "", strlen(name), 0 };

	for (const char *at = strchr(name, ':'); at; at = strchr(at + 1, ':')) {
		size_t n = strspn(at + 1, "0123456789");

		if (!n || at[1 + n] != ' ')
			continue;
		p.n_file = (size_t)(at - name);
		p.line = strtoul(at + 1, NULL, 10);
		p.rest = at + 1 + n;
		break;
	}
	return p;
}

/* Compares names without their lines. */
static int object_match_compare(const struct place *x, const struct place *y)
{
	size_t n = x->n_file < y->n_file ? x->n_file : y->n_file;
	int d = memcmp(x->name, y->name, n);

	if (!d && x->n_file != y->n_file)
		d = x->n_file < y->n_file ? -1 : 1;
	return d ? d : strcmp(x->rest, y->rest);
}

static int is_after(const void *places, uint32_t x, uint32_t y)
{
	const struct place *a = (const struct place *)places + x, *b = (const struct place *)places + y;
	int d = object_match_compare(a, b);

	return d ? d > 0 : a->line != b->line ? a->line > b->line : x > y;
}

struct side {
	struct place *places;
	uint32_t *order;
	size_t n;
};

static int object_match_start(struct side *s, const char *const *names, size_t n, struct ompp_arena *arena)
{
	s->n = n;
	s->places = ompp_arena_alloc(arena, (n + 1) * sizeof(*s->places));
	for (size_t i = 0; s->places && i < n; i++)
		s->places[i] = place_of(names[i]);
	s->order = s->places ? ompp_sorted(arena, n, is_after, s->places) : NULL;
	return s->order ? 0 : -ENOMEM;
}

static const struct place *at(const struct side *s, size_t i)
{
	return &s->places[s->order[i]];
}

/* Returns the end of the names from i on that are the same but for their lines. */
static size_t end_of(const struct side *s, size_t i)
{
	size_t end = i + 1;

	while (end < s->n && !object_match_compare(at(s, i), at(s, end)))
		end++;
	return end;
}

/* Matches names that are the same but for their lines: [i, i_end) of a, [k, k_end) of b. */
static void match_group(const struct side *a, size_t i, size_t i_end, const struct side *b, size_t k, size_t k_end,
                        uint32_t *match)
{
	int are_as_many = i_end - i == k_end - k;

	while (i < i_end && k < k_end) {
		unsigned long x = at(a, i)->line, y = at(b, k)->line;

		if (are_as_many || x == y)
			match[b->order[k]] = a->order[i];
		i += are_as_many || x <= y;
		k += are_as_many || y <= x;
	}
}

int ompp_match_objects(const char *const *a, size_t n_a, const char *const *b, size_t n_b, uint32_t *match,
                       struct ompp_arena *arena)
{
	struct side x, y;

	memset(match, 0xff, n_b * sizeof(*match));
	if (object_match_start(&x, a, n_a, arena) || object_match_start(&y, b, n_b, arena))
		return -ENOMEM;
	for (size_t i = 0, k = 0; i < n_a && k < n_b;) {
		int d = object_match_compare(at(&x, i), at(&y, k));
		size_t i_end = d <= 0 ? end_of(&x, i) : i, k_end = d >= 0 ? end_of(&y, k) : k;

		if (!d)
			match_group(&x, i, i_end, &y, k, k_end, match);
		i = i_end;
		k = k_end;
	}
	return 0;
}
