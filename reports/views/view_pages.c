/*
 * Pages: how the pages of each object were used, over the run and in each region, and which pages have most accesses.
 */
#include "reports/tables/view.h"

#include <errno.h>

#include "reports/analysis/sample_groups.h"
#include "reports/tables/data_section.h"
#include "reports/tables/table_region.h"
#include "reports/tables/variables.h"
#include "runtime/base/array.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { FEW_HOT_PAGES = 10 }; /* of them in text */

struct section {
	struct ompp_data_section data; /* of its usage only analysis and profile are filled in */
	uint32_t *order;               /* the lines of `paged` that are asked for */
	size_t n;
};

static int is_empty(const struct ompp_analysis *a)
{
	return !a->profile->pages_method[0];
}

static struct ompp_object_part part_of(uint32_t object, uint32_t region)
{
	return (struct ompp_object_part){ .object = object,
		                          .key = region == OMPP_NONE ? OMPP_SERIAL : 2 * (int64_t)region };
}

/* The whole run first, then regions; in each, objects in descending order of pages, and after them what has no name. */
static int is_after(const void *section, uint32_t x, uint32_t y)
{
	const struct ompp_profile *p = ((const struct section *)section)->data.usage.profile;
	const struct ompp_paged *a = &p->paged[x], *b = &p->paged[y];
	int named_a = a->object >= OMPP_OBJECT_FIRST_NAMED, named_b = b->object >= OMPP_OBJECT_FIRST_NAMED;

	if (a->scope != b->scope)
		return a->scope > b->scope;
	if (a->object == OMPP_NONE || b->object == OMPP_NONE)
		return a->object == OMPP_NONE && b->object != OMPP_NONE;
	if (named_a != named_b)
		return named_a < named_b;
	if (a->n_pages != b->n_pages)
		return a->n_pages < b->n_pages;
	return x > y;
}

/* Finds what is asked for: all lines of the whole run, and those of regions that are named. */
static int pages_find(struct section *s)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	const struct ompp_profile *p = a->profile;

	s->order = ompp_arena_alloc(a->arena, (p->n_paged + 1) * sizeof(*s->order));
	if (!s->order || p->n_paged > UINT32_MAX)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_paged; i++) {
		const struct ompp_paged *l = &p->paged[i];
		struct ompp_object_part part = part_of(l->object, l->region);

		if (l->object == OMPP_NONE || (l->scope == OMPP_PAGED_RUN ? a->traffic->shown[l->object]
		                                                          : ompp_samples_want(a, l->object, part.key)))
			s->order[s->n++] = i;
	}
	ompp_sort(s->order, s->n, is_after, s);
	return 0;
}

static const char *pages_heading(const struct section *s, const char *what, uint32_t scope)
{
	const struct ompp_profile *p = s->data.usage.profile;
	char buffer[400];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, what);
	if (scope == OMPP_PAGED_RUN) {
		ompp_text_str(&t, "\n(exact, by ");
		ompp_text_str(&t, p->pages_method);
		ompp_text_str(&t, "; pages of ");
		ompp_text_u64(&t, (uint64_t)p->page_bytes);
		ompp_text_str(&t, " bytes; r: read, w: written; used %: by 64ths)");
	}
	return ompp_arena_strdup(s->data.usage.analysis->arena, buffer);
}

/* In text the column of the region replaces some others. */
static void use_columns(struct ompp_table *table, uint32_t scope, int is_told)
{
	static const struct {
		const char *title, *text_title;
		enum ompp_where of_region;
	} columns[] = { { "pages", NULL, OMPP_IN_BOTH },
		        { "threads", NULL, OMPP_IN_BOTH },
		        { "private", NULL, OMPP_IN_RECORDS },
		        { "shared read", "shared r", OMPP_IN_BOTH },
		        { "shared written", "shared w", OMPP_IN_BOTH },
		        { "only read", "only r", OMPP_IN_RECORDS },
		        { "once written", "once w", OMPP_IN_RECORDS } };

	for (size_t i = 0; i < OMPP_COUNT_OF(columns); i++) {
		ompp_table_column(table, columns[i].title,
		                  scope == OMPP_PAGED_REGION ? columns[i].of_region : OMPP_IN_BOTH);
		if (table->n_columns)
			table->columns[table->n_columns - 1].text_title = columns[i].text_title;
	}
	ompp_table_columns(table, OMPP_IN_BOTH, "used %", "loads", "stores");
	ompp_table_column(table, "no hooks", is_told ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
}

/* Values that only hooks tell are missing if hooks saw no page of the line. */
static void use_values(const struct ompp_profile *p, struct ompp_table *table, const struct ompp_paged *l)
{
	uint64_t n_counted = l->n_pages - l->n_uncounted;
	const uint64_t pages[] = { l->n_private, l->n_read_shared, n_counted - l->n_private - l->n_read_shared,
		                   l->n_read_only };
	int is_counted = n_counted || !l->n_pages;

	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(l->n_pages));
	ompp_table_number(table, OMPP_KIND_COUNT, is_counted ? l->n_threads : OMPP_MISSING);
	for (size_t i = 0; i < OMPP_COUNT_OF(pages); i++)
		ompp_table_number(table, OMPP_KIND_METRIC, is_counted ? ompp_count(pages[i]) : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(l->n_written_once));
	ompp_table_number(table, OMPP_KIND_SHARE,
	                  ompp_share(ompp_count(l->n_parts), ompp_count(n_counted * OMPP_PAGED_PARTS)));
	ompp_table_number(table, OMPP_KIND_METRIC, is_counted ? ompp_count(l->loads) : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, is_counted ? ompp_count(l->stores) : OMPP_MISSING);
	ompp_table_number(table, OMPP_KIND_METRIC, p->pages_told ? ompp_count(l->n_unhooked) : OMPP_MISSING);
}

/* Puts the lines of one scope. */
static int put_lines(const struct section *s, uint32_t scope, const char *tag, const char *what,
                     struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = s->data.usage.profile;
	struct ompp_table *table = &sheet->table;
	size_t from = 0, end, most, n_left;

	while (from < s->n && p->paged[s->order[from]].scope < scope)
		from++;
	for (end = from; end < s->n && p->paged[s->order[end]].scope == scope; end++)
		;
	most = ompp_data_n_printed(&s->data, end - from);
	if (s->data.usage.analysis->top && s->data.usage.analysis->top < most)
		most = s->data.usage.analysis->top;
	n_left = end - from - most;
	ompp_table_start(table, OMPP_STYLE_GRID, tag, pages_heading(s, what, scope));
	ompp_table_left_column(table, "object", OMPP_IN_BOTH);
	use_columns(table, scope, p->pages_told);
	if (scope == OMPP_PAGED_REGION) {
		ompp_table_left_column(table, "region", OMPP_IN_TEXT);
		ompp_region_columns(table);
	}
	for (size_t i = from; i < from + most; i++) {
		const struct ompp_paged *l = &p->paged[s->order[i]];
		struct ompp_object_part part = part_of(l->object, l->region);

		if (l->object == OMPP_NONE)
			ompp_table_text(table, "(all)");
		else
			ompp_data_object(&s->data, l->object, table);
		use_values(p, table, l);
		if (scope == OMPP_PAGED_RUN)
			continue;
		ompp_table_text(table, ompp_data_region_text(&s->data, &part));
		ompp_data_region_values(&s->data, &part, table);
	}
	if (n_left) {
		ompp_table_text(table, ompp_data_more_text(&s->data, n_left));
		for (int i = 0; i < 11; i++)
			ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
		if (scope == OMPP_PAGED_REGION) {
			ompp_table_text(table, "");
			ompp_data_region_values(&s->data, NULL, table);
		}
	}
	return sheet->put(sheet);
}

static const char *address_text(const struct section *s, uint64_t address)
{
	char buffer[24];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "0x");
	ompp_text_hex(&t, address);
	return ompp_arena_strdup(s->data.usage.analysis->arena, buffer);
}

static int lies_any(const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_hot_pages; i++)
		if (p->hot_pages[i].smalls[0])
			return 1;
	return 0;
}

static int put_hot_pages(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_analysis *a = s->data.usage.analysis;
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	size_t most = a->top ? a->top : s->data.is_text ? FEW_HOT_PAGES : SIZE_MAX, n = 0;

	ompp_table_start(table, OMPP_STYLE_GRID, "hot pages", "Pages with the most accesses:");
	ompp_table_left_columns(table, OMPP_IN_BOTH, "page", "object", "use");
	ompp_table_columns(table, OMPP_IN_BOTH, "used %", "loads", "stores");
	ompp_table_left_column(table, "mostly in region", OMPP_IN_TEXT);
	ompp_region_columns(table);
	ompp_table_left_column(table, s->data.is_text ? "holds" : "variables there",
	                       lies_any(p) ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	for (size_t i = 0; i < p->n_hot_pages && n < most; i++) {
		const struct ompp_hot_page *h = &p->hot_pages[i];
		struct ompp_object_part part = part_of(h->object, h->region);

		if (!ompp_samples_want(a, h->object, part.key))
			continue;
		n++;
		ompp_table_text(table, address_text(s, h->address));
		ompp_data_object(&s->data, h->object, table);
		ompp_table_text(table, !h->is_shared ? "private" : h->stores ? "shared written" : "shared read");
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(h->n_parts, OMPP_PAGED_PARTS));
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(h->loads));
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(h->stores));
		ompp_table_text(table, ompp_data_region_text(&s->data, &part));
		ompp_data_region_values(&s->data, &part, table);
		ompp_table_text(table, h->smalls);
	}
	return sheet->put(sheet);
}

/* Puts the small variables that lie in the used parts of pages, for records. */
static int put_page_variables(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = s->data.usage.profile;
	struct ompp_table *table = &sheet->table;

	if (s->data.is_text || !p->n_page_variables)
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "page variables", "");
	ompp_table_left_columns(table, OMPP_IN_RECORDS, "object", "variable");
	ompp_table_columns(table, OMPP_IN_RECORDS, "bytes", "used 64ths", "of these alone");
	for (size_t i = 0; i < p->n_page_variables; i++) {
		const struct ompp_page_variable *v = &p->page_variables[i];

		if (!s->data.usage.analysis->traffic->shown[v->object])
			continue;
		ompp_data_object(&s->data, v->object, table);
		ompp_table_text(table, v->small);
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(v->n_bytes));
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(v->n_parts));
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(v->n_alone));
	}
	return ompp_table_n_rows(table) ? sheet->put(sheet) : 0;
}

/* Says what the numbers do not include. */
static int put_remarks(const struct section *s, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = s->data.usage.profile;
	char buffer[400];
	struct ompp_text t;
	const char *text;
	int rc = 0;

	ompp_text_init(&t, buffer, sizeof(buffer));
	if (p->n_pages_lost) {
		ompp_text_u64(&t, p->n_pages_lost);
		ompp_text_str(&t, " uses of pages are missing here, as there was no memory for them: the numbers are "
		                  "lower bounds.");
		text = ompp_arena_strdup(s->data.usage.analysis->arena, buffer);
		rc = text ? ompp_data_remark(text, sheet) : -ENOMEM;
	}
	if (rc)
		return rc;
	if (ompp_profile_is_emulated(p))
		return ompp_data_remark("What system calls use is not seen.  The working set over time, maps and "
		                        "single pages: ompp pages, of the trace that was written with this report.",
		                        sheet);
	return ompp_data_remark(p->pages_told ? "no hooks: pages of the process's private memory that the kernel told "
	                                        "to be written, and that no "
	                                        "access hook stored to; their region is that of the first writer in "
	                                        "each interval, as far as the kernel tells it.  What is read there, "
	                                        "and who writes behind that one, is "
	                                        "not known; shared memory, and memory that is given back within an "
	                                        "interval, is not seen.  The "
	                                        "working set over time, maps and single pages: ompp pages, of the "
	                                        "trace that was written with this "
	                                        "report."
	                                      : "What libraries and sources without access hooks, and system calls, "
	                                        "use is not seen.  The working "
	                                        "set over time, maps and single pages: ompp pages, of the trace that "
	                                        "was written with this report.",
	                        sheet);
}

static int pages_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct section s = { .n = 0 };
	int rc;

	if (is_empty(a))
		return ompp_data_remark("The use of pages was not looked for; set OMPP_PAGES=auto, or run the program "
		                        "by ompp run --pages; compile with kinst --access, so that reads are seen, "
		                        "too.",
		                        sheet);
	if (!a->profile->n_paged)
		return ompp_data_remark("No use of a page was seen.", sheet);
	rc = ompp_data_start(&s.data, a, sheet);
	if (!rc && a->traffic)
		rc = pages_find(&s);
	if (!rc)
		rc = put_lines(&s, OMPP_PAGED_RUN, "pages by object",
		               "Pages of each object, by their use over the run:", sheet);
	if (!rc)
		rc = put_lines(&s, OMPP_PAGED_REGION, "pages by region",
		               "Pages of each object, by their use in each region:", sheet);
	if (!rc && a->traffic)
		rc = put_hot_pages(&s, sheet);
	if (!rc && a->traffic)
		rc = put_page_variables(&s, sheet);
	if (!rc)
		rc = ompp_variables_remark(&s.data, sheet);
	return rc ? rc : put_remarks(&s, sheet);
}

const struct ompp_view ompp_view_pages = {
	.title = "Pages", .tag = "pages", .build = pages_build, .is_empty = is_empty
};
