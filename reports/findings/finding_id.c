/*
 * Finding id: see finding_id.h.
 */
#include "reports/findings/finding_id.h"

#include <string.h>

#include "reports/profile/schema.h"
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

static int id_is_alike(const struct ompp_region *a, const struct ompp_region *b)
{
	return a->construct == b->construct && !strcmp(id_base(a->file), id_base(b->file)) &&
	       !strcmp(a->name, b->name) && !strcmp(ompp_region_instantiation(a), ompp_region_instantiation(b));
}

/* Adds where a region is. */
static uint64_t id_region(uint64_t sum, const struct ompp_profile *p, uint32_t index)
{
	const struct ompp_region *region = &p->regions[index];
	uint64_t n_above = 0;

	for (uint32_t i = 0; i < p->n_regions; i++) {
		const struct ompp_region *other = &p->regions[i];

		n_above += id_is_alike(region, other) &&
		           (other->begin_line < region->begin_line ||
		            (other->begin_line == region->begin_line && other->end_line < region->end_line));
	}
	sum = id_add(sum, ompp_construct_name(region->construct));
	sum = id_add(sum, id_base(region->file));
	sum = id_add(sum, region->name);
	sum = id_add(sum, ompp_region_instantiation(region));
	return id_number(sum, n_above);
}

/* Returns the sum of all that an id is made of but for the number of alike findings. */
static uint64_t id_sum(const struct ompp_profile *p, const struct ompp_finding *f)
{
	uint64_t sum = id_add(OMPP_CHECKSUM_START, f->name);

	sum = f->region == OMPP_NONE ? id_add(sum, "program") : id_region(sum, p, f->region);
	return id_object(sum, f->object ? f->object : "");
}

void ompp_finding_id(const struct ompp_analysis *a, const struct ompp_findings *findings, size_t i,
                     char id[OMPP_FINDING_ID_BYTES])
{
	uint64_t sum = id_sum(a->profile, &findings->list[i]), n_before = 0;
	struct ompp_text t;

	/* the sums, not the findings: names of objects differ in lines that are not in the sum, and regions in folders
	 */
	for (size_t k = 0; k < i; k++)
		n_before += id_sum(a->profile, &findings->list[k]) == sum;
	if (n_before)
		sum = id_number(sum, n_before);
	ompp_text_init(&t, id, OMPP_FINDING_ID_BYTES);
	ompp_text_char(&t, 'F');
	for (int digit = ID_DIGITS - 1; digit >= 0; digit--)
		ompp_text_char(&t, "0123456789abcdef"[(sum >> (4 * digit)) & 15]);
}
