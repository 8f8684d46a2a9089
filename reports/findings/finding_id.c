/*
 * Finding id: see finding_id.h.
 */
#include "reports/findings/finding_id.h"

#include <string.h>

#include "reports/profile/schema.h"
#include "runtime/base/checksum.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { ID_DIGITS = 12 };

/* Adds a text and the byte that ends it, so that no two lists of texts are the same bytes. */
static uint64_t id_add(uint64_t sum, const char *text)
{
	return ompp_checksum(sum, text, strlen(text) + 1);
}

static uint64_t id_number(uint64_t sum, uint64_t n)
{
	char digits[24];
	struct ompp_text t;

	ompp_text_init(&t, digits, sizeof(digits));
	ompp_text_u64(&t, n);
	return id_add(sum, digits);
}

/* Adds an object's name without the lines in it: blocks of memory have the names of the calls that allocate them,
 * "a.c:12 main". */
static uint64_t id_object(uint64_t sum, const char *name)
{
	for (; *name; name++) {
		sum = ompp_checksum(sum, name, 1);
		if (*name == ':')
			while (name[1] >= '0' && name[1] <= '9')
				name++;
	}
	return ompp_checksum(sum, name, 1);
}

static const char *id_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Compares regions by what an id has of them. */
static int id_compare(const struct ompp_region *x, const struct ompp_region *y)
{
	int d = x->construct != y->construct ? (x->construct < y->construct ? -1 : 1)
	                                     : strcmp(id_base(x->file), id_base(y->file));

	d = d ? d : strcmp(x->name, y->name);
	return d ? d : strcmp(ompp_region_instantiation(x), ompp_region_instantiation(y));
}

static int id_compare_lines(const struct ompp_region *x, const struct ompp_region *y)
{
	return x->begin_line != y->begin_line ? (x->begin_line < y->begin_line ? -1 : 1)
	     : x->end_line != y->end_line     ? (x->end_line < y->end_line ? -1 : 1)
	                                      : 0;
}

static int region_is_after(const void *regions, uint32_t x, uint32_t y)
{
	const struct ompp_region *a = (const struct ompp_region *)regions + x,
				 *b = (const struct ompp_region *)regions + y;
	int d = id_compare(a, b);

	return (d ? d : id_compare_lines(a, b)) > 0;
}

/* Returns by region how many alike ones are above it in the file, where kinst told its number also those that were not
 * executed; NULL without memory. */
static uint32_t *regions_above(const struct ompp_profile *p, struct ompp_arena *arena)
{
	uint32_t *order = ompp_sorted(arena, p->n_regions, region_is_after, p->regions), first = 0;
	uint32_t *n_above = ompp_arena_alloc(arena, (p->n_regions + 1) * sizeof(*n_above));

	if (!order || !n_above)
		return NULL;
	for (uint32_t i = 1; i < p->n_regions; i++) {
		const struct ompp_region *before = &p->regions[order[i - 1]], *region = &p->regions[order[i]];

		if (id_compare(before, region))
			first = i;
		n_above[order[i]] = id_compare_lines(before, region) ? i - first : n_above[order[i - 1]];
	}
	for (uint32_t i = 0; i < p->n_regions; i++)
		n_above[i] = p->regions[i].number ? p->regions[i].number - 1 : n_above[i];
	return n_above;
}

/* Adds where a region is. */
static uint64_t id_region(uint64_t sum, const struct ompp_region *region, uint32_t n_above)
{
	sum = id_add(sum, ompp_construct_name(region->construct));
	sum = id_add(sum, id_base(region->file));
	sum = id_add(sum, region->name);
	sum = id_add(sum, ompp_region_instantiation(region));
	return id_number(sum, n_above);
}

/* Returns the sum of all that an id is made of but for the number of alike findings. */
static uint64_t id_sum(const struct ompp_profile *p, const uint32_t *n_above, const struct ompp_finding *f)
{
	uint64_t sum = id_add(OMPP_CHECKSUM_START, f->name);

	sum = f->region == OMPP_NONE ? id_add(sum, "program")
	                             : id_region(sum, &p->regions[f->region], n_above[f->region]);
	return id_object(sum, f->object ? f->object : "");
}

static void id_put(struct ompp_finding_id *id, uint64_t sum)
{
	struct ompp_text t;

	ompp_text_init(&t, id->text, sizeof(id->text));
	ompp_text_char(&t, 'F');
	for (int digit = ID_DIGITS - 1; digit >= 0; digit--)
		ompp_text_char(&t, "0123456789abcdef"[(sum >> (4 * digit)) & 15]);
}

static int sum_is_after(const void *sums, uint32_t x, uint32_t y)
{
	const uint64_t *s = sums;

	return s[x] != s[y] ? s[x] > s[y] : x > y;
}

struct ompp_finding_id *ompp_finding_ids(const struct ompp_analysis *a, const struct ompp_findings *findings)
{
	const uint32_t *n_above = regions_above(a->profile, a->arena), *order;
	struct ompp_finding_id *ids = ompp_arena_alloc(a->arena, (findings->n + 1) * sizeof(*ids));
	uint64_t *sums = ompp_arena_alloc(a->arena, (findings->n + 1) * sizeof(*sums));

	if (!n_above || !ids || !sums)
		return NULL;
	for (size_t i = 0; i < findings->n; i++)
		sums[i] = id_sum(a->profile, n_above, &findings->list[i]);
	order = ompp_sorted(a->arena, findings->n, sum_is_after, sums);
	if (!order)
		return NULL;
	/* the sums, not the findings: names of objects differ in lines that are not in the sum, and regions in folders
	 */
	for (size_t i = 0, first = 0; i < findings->n; i++) {
		uint64_t sum = sums[order[i]];

		if (sum != sums[order[first]])
			first = i;
		id_put(&ids[order[i]], i > first ? id_number(sum, i - first) : sum);
	}
	return ids;
}
