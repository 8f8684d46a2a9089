/*
 * Fields of Structures: what the program did with each member of the structures of which data objects are made, in
 * which region and by which threads; how much of each cache line that is; which members are used together.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/tables/data_section.h"
#include "reports/tables/structure.h"
#include "reports/tables/table_region.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

enum { LINE_BYTES = 64, MOST_TOGETHER = 64, TEXT_BYTES = 4096 };
enum { HALF = 500000000 }; /* from this share on members are used together */

static void count_columns(struct ompp_table *table, int has_atomics)
{
	ompp_table_columns(table, OMPP_IN_BOTH, "loads", "stores");
	ompp_table_column(table, "atomics", has_atomics ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	ompp_table_columns(table, OMPP_IN_BOTH, "loaded", "stored");
	ompp_table_column(table, "updated", has_atomics ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
}

static void count_values(struct ompp_table *table, const struct ompp_member_access *sum)
{
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(sum->loads));
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(sum->stores));
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(sum->atomics));
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(sum->load_bytes));
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(sum->store_bytes));
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(sum->atomic_bytes));
}

/* Returns "a: struct p, 96 bytes, 16 of them padding:". */
static const char *fields_heading(const struct ompp_data_section *d, const struct ompp_structure_use *use)
{
	uint64_t padding = 0;
	char buffer[600];
	struct ompp_text t;

	for (size_t i = 0; i < use->n; i++)
		if (ompp_member_is_padding(&use->members[i]))
			padding += use->members[i].n_bytes * use->members[i].n_places;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, ompp_data_short_name(d, use->structure->object));
	ompp_text_str(&t, ": ");
	ompp_text_str(&t, ompp_clean_copy(use->structure->type, 0, d->usage.analysis->arena));
	ompp_text_str(&t, ", ");
	ompp_text_grouped(&t, ompp_count(use->structure->n_bytes));
	ompp_text_str(&t, " bytes");
	if (padding) {
		ompp_text_str(&t, ", ");
		ompp_text_grouped(&t, ompp_count(padding));
		ompp_text_str(&t, " of them padding");
	}
	ompp_text_str(&t, "; (%) of the bytes accessed:");
	return ompp_arena_strdup(d->usage.analysis->arena, buffer);
}

/* Puts the members in their order, with their sums. */
static int put_layout(const struct ompp_data_section *d, const struct ompp_structure_use *use, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "structure members", fields_heading(d, use));
	ompp_table_columns(table, OMPP_IN_RECORDS, "object", "structure");
	ompp_table_columns(table, OMPP_IN_BOTH, "offset", "bytes");
	ompp_table_column(table, "places", OMPP_IN_RECORDS);
	ompp_table_left_columns(table, OMPP_IN_BOTH, "member", "member type");
	ompp_table_left_column(table, "kind", OMPP_IN_RECORDS);
	count_columns(table, use->has_atomics);
	ompp_table_column(table, "(%)", OMPP_IN_BOTH);
	ompp_table_left_column(table, "use", OMPP_IN_BOTH);
	for (size_t i = 0; i < use->n; i++) {
		const struct ompp_member *m = &use->members[i];

		ompp_data_object(d, use->structure->object, table);
		ompp_table_text(table, use->structure->type);
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(m->offset));
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(m->n_bytes));
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(m->n_places));
		ompp_table_text(table, m->name);
		ompp_table_text(table, m->type);
		ompp_table_text(table, m->kind);
		count_values(table, &use->sums[i]);
		ompp_table_number(table, OMPP_KIND_SHARE,
		                  ompp_share(ompp_count(ompp_member_bytes(&use->sums[i])), ompp_count(use->all_bytes)));
		ompp_table_text(table, ompp_member_use_word(ompp_member_use_class(use, i)));
	}
	return sheet->put(sheet);
}

static struct ompp_object_part part_of(uint32_t region)
{
	return (struct ompp_object_part){ .key = region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)region };
}

/* Puts a line of the table by region: in text the sum of all threads, in records each thread. */
static void region_line(const struct ompp_data_section *d, const struct ompp_structure_use *use, uint32_t region,
                        const char *thread, uint32_t member, const struct ompp_member_access *sum,
                        struct ompp_table *table)
{
	struct ompp_object_part part = part_of(region);

	ompp_table_text(table, d->is_text ? ompp_data_region_text(d, &part) : "");
	ompp_table_text(table, use->structure->object < d->usage.profile->n_objects
	                               ? d->usage.profile->objects[use->structure->object].name
	                               : "");
	ompp_data_region_values(d, &part, table);
	ompp_table_text(table, thread);
	ompp_table_text(table, use->members[member].name);
	count_values(table, sum);
}

static void part_lines(const struct ompp_data_section *d, const struct ompp_structures *all,
                       const struct ompp_structure_use *use, const struct ompp_structure_part *part,
                       struct ompp_table *table)
{
	const struct ompp_profile *p = d->usage.profile;

	if (d->is_text) {
		for (uint32_t i = 0; i < use->n; i++)
			if (ompp_member_accesses(&part->sums[i]) && !ompp_member_is_padding(&use->members[i]))
				region_line(d, use, part->region, "", i, &part->sums[i], table);
		return;
	}
	for (size_t i = 0; i < part->n_uses; i++) {
		const struct ompp_member_access *one = &p->member_accesses[all->order[part->first + i]];

		if (one->member < use->n)
			region_line(d, use, part->region, p->rows[one->row].label, one->member, one, table);
	}
}

static int put_regions(const struct ompp_data_section *d, const struct ompp_structures *all,
                       const struct ompp_structure_use *use, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "structure members by region",
	                 "By region, each without the regions below it:");
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_region_columns(table);
	ompp_table_column(table, "thread", OMPP_IN_RECORDS);
	ompp_table_left_column(table, "member", OMPP_IN_BOTH);
	count_columns(table, use->has_atomics);
	for (size_t i = 0; i < use->n_parts; i++)
		part_lines(d, all, use, &use->parts[i], table);
	return ompp_table_n_rows(table) ? sheet->put(sheet) : 0;
}

/* Puts how much of the structure each region uses, and of each cache line. */
static int put_cache_lines(const struct ompp_data_section *d, const struct ompp_structure_use *use,
                           struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = d->usage.analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "structure lines",
	                 "Bytes that a region accesses: of a structure, and of each line of 64 bytes that it fetches:");
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	ompp_table_column(table, "object", OMPP_IN_RECORDS);
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_BOTH, "of a structure", "of a line", "(%)");
	for (size_t i = 0; i < p->n_structure_lines; i++) {
		const struct ompp_structure_line *line = &p->structure_lines[i];
		struct ompp_object_part part = part_of(line->region);
		int64_t n = ompp_count(line->n_lines), n_bytes = ompp_count(line->line_bytes);

		if (line->object != use->structure->object ||
		    (line->region == OMPP_NONE ? a->n_order != p->n_regions : !a->shown[line->region]))
			continue;
		ompp_table_text(table, d->is_text ? ompp_data_region_text(d, &part) : "");
		ompp_table_text(table, p->objects[line->object].name);
		ompp_data_region_values(d, &part, table);
		ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(line->used_bytes));
		if (n)
			ompp_table_rounded(table, n_bytes * 1000 / n, 100);
		else
			ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_SHARE, n ? ompp_share(n_bytes, n * LINE_BYTES) : OMPP_MISSING);
	}
	return ompp_table_n_rows(table) ? sheet->put(sheet) : 0;
}

/* Chooses the members with most accesses, in the order of the structure.  Returns how many. */
static size_t choose_members(const struct ompp_structure_use *use, size_t chosen[MOST_TOGETHER])
{
	size_t n = 0;

	for (size_t i = 0; i < use->n && n < MOST_TOGETHER; i++)
		if (ompp_member_accesses(&use->sums[i]) && !ompp_member_is_padding(&use->members[i]))
			chosen[n++] = i;
	return n;
}

/* Puts the names of the members of one group into a text. */
static void put_group(struct ompp_text *t, const struct ompp_structure_use *use, const size_t *chosen, size_t n,
                      const unsigned char *group, unsigned char which)
{
	uint64_t n_bytes = 0;
	size_t n_names = 0;

	for (size_t i = 0; i < n; i++) {
		const struct ompp_member *m = &use->members[chosen[i]];

		if (group[i] != which)
			continue;
		ompp_text_str(t, n_names++ ? ", " : "");
		ompp_text_str(t, m->name);
		n_bytes += m->n_bytes * m->n_places;
	}
	ompp_text_str(t, " (");
	ompp_text_grouped(t, ompp_count(n_bytes));
	ompp_text_str(t, n_bytes == 1 ? " byte)" : " bytes)");
}

/* Divides members into groups: two that are used together are in one. */
static unsigned char find_groups(const struct ompp_structure_use *use, const size_t *chosen, size_t n,
                                 unsigned char group[MOST_TOGETHER])
{
	unsigned char n_groups = 0;

	for (size_t i = 0; i < n; i++)
		group[i] = MOST_TOGETHER;
	for (size_t i = 0; i < n; i++) {
		int has_grown = 1;

		if (group[i] != MOST_TOGETHER)
			continue;
		group[i] = n_groups;
		while (has_grown) {
			has_grown = 0;
			for (size_t k = 0; k < n; k++)
				for (size_t j = 0; j < n && group[k] == n_groups; j++)
					if (group[j] == MOST_TOGETHER &&
					    ompp_members_together(use, chosen[k], chosen[j]) >= HALF) {
						group[j] = n_groups;
						has_grown = 1;
					}
		}
		n_groups++;
	}
	return n_groups;
}

/* Says in text which members are used together and which apart, and which are cold. */
static int say_together(const struct ompp_data_section *d, const struct ompp_structure_use *use,
                        struct ompp_sheet *sheet)
{
	char *buffer = ompp_arena_alloc(d->usage.analysis->arena, TEXT_BYTES);
	unsigned char group[MOST_TOGETHER], n_groups;
	size_t chosen[MOST_TOGETHER], n = choose_members(use, chosen);
	struct ompp_text t;

	if (!buffer)
		return -ENOMEM;
	if (n < 2)
		return 0;
	n_groups = find_groups(use, chosen, n, group);
	ompp_text_init(&t, buffer, TEXT_BYTES);
	ompp_text_str(&t, n_groups == 1 ? "Used together: " : "Used by the same regions, and apart from the others: ");
	for (unsigned char i = 0; i < n_groups; i++) {
		ompp_text_str(&t, i ? "; " : "");
		put_group(&t, use, chosen, n, group, i);
	}
	ompp_text_char(&t, '.');
	return ompp_data_remark(buffer, sheet);
}

/* Puts for records how far each two members are used together. */
static int put_pairs(const struct ompp_data_section *d, const struct ompp_structure_use *use, struct ompp_sheet *sheet)
{
	size_t chosen[MOST_TOGETHER], n = choose_members(use, chosen);
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "structure pairs", "");
	ompp_table_columns(table, OMPP_IN_RECORDS, "object", "member", "other member", "together");
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++) {
			ompp_data_object(d, use->structure->object, table);
			ompp_table_text(table, use->members[chosen[i]].name);
			ompp_table_text(table, use->members[chosen[k]].name);
			ompp_table_number(table, OMPP_KIND_SHARE, ompp_members_together(use, chosen[i], chosen[k]));
		}
	return n > 1 ? sheet->put(sheet) : 0;
}

static int fields_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_structure_use use;
	struct ompp_structures all;
	struct ompp_data_section d;
	int rc = ompp_data_start(&d, a, sheet);

	rc = rc ? rc : ompp_structures_start(&all, a);
	for (size_t i = 0; i < a->profile->n_structures && !rc; i++) {
		rc = ompp_structure_use(&all, i, &use);
		if (rc || !use.n_parts)
			continue;
		rc = put_layout(&d, &use, sheet);
		rc = rc ? rc : put_regions(&d, &all, &use, sheet);
		rc = rc ? rc : put_cache_lines(&d, &use, sheet);
		rc = rc ? rc : d.is_text ? say_together(&d, &use, sheet) : put_pairs(&d, &use, sheet);
	}
	if (!rc && !a->profile->n_structures)
		rc = ompp_data_remark("No accesses to members of structures were counted.  This takes a program "
		                      "built with kinst --access and -g, OMPP_FIELDS=1, and objects whose structure is "
		                      "known: not those of a Fortran statement that allocates arrays of several "
		                      "types with source=, or with a function call in a bound.  Objects are left out, "
		                      "too, where an access begins or ends within a "
		                      "member, as a note of the report says.",
		                      sheet);
	return rc;
}

static int fields_are_empty(const struct ompp_analysis *a)
{
	return !a->profile->n_structures;
}

const struct ompp_view ompp_view_fields = {
	.title = "Fields of Structures", .tag = "fields", .build = fields_build, .is_empty = fields_are_empty
};
