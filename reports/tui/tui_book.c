/*
 * Book: see tui_book.h.
 */
#include "reports/tui/tui_book.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reports/analysis/init.h"
#include "reports/analysis/label.h"
#include "reports/lines/source_files.h"
#include "reports/show/show.h"
#include "reports/tables/view.h"
#include "runtime/base/array.h"
#include "runtime/base/clean.h"

/* The views of a section, in a comma list of their names. */
static const struct {
	const char *name, *views, *about;
} sections[] = {
	{ "summary", "summary,properties", "how the time divides, and what costs it" },
	{ "regions", "flat", "all regions, each the sum of its threads" },
	{ "tree", "callgraph", "the regions as they call each other, by wall-clock time" },
	{ "overheads", "overhead", "what parallel regions lose" },
	{ "durations", "durations", "how long visits of regions take" },
	{ "hot", "hot", "functions by processor time" },
	{ "objects", "data", "accesses to data objects" },
	{ "memory", "memory", "samples of accesses, by object" },
	{ "lines", "lines", "source lines whose accesses cost most" },
	{ "touch", "touch", "who touched pages first" },
	{ "numa", "numa", "NUMA nodes" },
	{ "pages", "pages", "pages of memory and their threads" },
	{ "general", "general", "the conditions of the run" },
};

enum { REGIONS = 1, MOST_PATH_CELLS = 50000, MOST_SUM_COLUMNS = 64 };

_Static_assert(OMPP_COUNT_OF(sections) == OMPP_BOOK_SECTIONS, "sections of a book");

const char *ompp_book_section(size_t i)
{
	return sections[i].name;
}

const char *ompp_book_about(size_t i)
{
	return sections[i].about;
}

const struct ompp_value *ompp_leaf_value(const struct ompp_leaf *leaf, size_t row, size_t column)
{
	return &leaf->table.values[row * leaf->table.n_columns + column];
}

/* ---- keeping tables ---- */

/* A sheet that stores the tables put on it. */
struct keeper {
	struct ompp_sheet sheet; /* first, so that the sheet's address is the keeper's */
	struct ompp_leaves *page;
	uint32_t only;  /* the region whose tables are kept; OMPP_NONE for all */
	int has_hooks;  /* of the view at hand */
	int sums_alone; /* 1 to make one table of the sums of all regions */
};

static const char *keep_text(struct ompp_leaves *page, const char *text)
{
	const char *clean = text ? ompp_clean_copy(text, 1, &page->arena) : "";
	const char *copy = clean && clean != text ? clean : ompp_arena_strdup(&page->arena, clean);

	return copy ? copy : "(not enough memory)";
}

static struct ompp_value keep_value(struct ompp_leaves *page, struct ompp_value v)
{
	if (v.kind == OMPP_KIND_TEXT)
		v.text = keep_text(page, v.text);
	return v;
}

/* Adds a leaf to the page; NULL without memory. */
static struct ompp_leaf *add_leaf(struct ompp_leaves *page)
{
	struct ompp_leaf *list = ompp_arena_grow(&page->arena, page->list, &page->have, page->n + 1, sizeof(*list));

	if (!list)
		return NULL;
	page->list = list;
	list[page->n] = (struct ompp_leaf){ .level = OMPP_NO_COLUMN, .region = OMPP_NONE };
	ompp_table_init(&list[page->n].table, &page->arena);
	return &list[page->n++];
}

size_t ompp_leaf_branch(const char *text)
{
	size_t n = strspn(text, " |+-");

	return text[n] ? n : 0;
}

size_t ompp_leaf_word(const char *text)
{
	size_t most = 0, n = 0;

	for (text += ompp_leaf_branch(text); *text; text++) {
		n = *text == ' ' ? 0 : n + (((unsigned char)*text & 0xc0) != 0x80);
		most = n > most ? n : most;
	}
	return most;
}

/* Returns the width of the longest word of a column and of its title, with the branch of a tree in front of it; that of
 * the column, where it has a number. */
static size_t longest_word(const struct ompp_leaf *leaf, size_t column)
{
	size_t most = 0;

	if (!leaf->table.columns[column].left)
		return leaf->looks[column].width;
	for (size_t row = 0; row <= leaf->n_rows; row++) {
		const struct ompp_value *v = row < leaf->n_rows ? ompp_leaf_value(leaf, row, column) : NULL;
		const char *s = v && v->kind == OMPP_KIND_TEXT ? v->text : ompp_look_title(&leaf->table, column);
		size_t n = ompp_leaf_branch(s) + ompp_leaf_word(s);

		most = n > most ? n : most;
	}
	return most;
}

/* Computes the looks of the columns of a leaf whose table is complete.  Returns 0 or -ENOMEM. */
static int look_at(struct ompp_leaf *leaf)
{
	const struct ompp_table *t = &leaf->table;

	leaf->n_rows = ompp_table_n_rows(t);
	leaf->looks = ompp_arena_alloc(t->arena, (t->n_columns + 1) * sizeof(*leaf->looks));
	leaf->words = ompp_arena_alloc(t->arena, (t->n_columns + 1) * sizeof(*leaf->words));
	leaf->shown = ompp_arena_alloc(t->arena, (t->n_columns + 1) * sizeof(*leaf->shown));
	if (!leaf->looks || !leaf->words || !leaf->shown)
		return -ENOMEM;
	for (size_t c = 0; c < t->n_columns; c++) {
		leaf->looks[c] = ompp_look(t, c, leaf->n_rows);
		if (t->columns[c].where == OMPP_IN_RECORDS) {
			if (t->style == OMPP_STYLE_GRID && !strcmp(t->columns[c].title, "level"))
				leaf->level = c;
			continue;
		}
		leaf->words[c] = longest_word(leaf, c);
		leaf->shown[leaf->n_shown++] = c;
	}
	return 0;
}

/* Returns the region that a text names first, "R00004 a.c (1-5)"; OMPP_NONE for none. */
static uint32_t region_named(const char *text, const struct ompp_profile *p)
{
	char *end;
	unsigned long id;

	if (text[0] != 'R' || text[1] < '0' || text[1] > '9')
		return OMPP_NONE;
	id = strtoul(text + 1, &end, 10);
	if (*end && *end != ' ')
		return OMPP_NONE;
	for (uint32_t i = 0; i < p->n_regions; i++)
		if (p->regions[i].id == id)
			return i;
	return OMPP_NONE;
}

static uint32_t region_of_records(const struct ompp_table *t, const struct ompp_profile *p)
{
	uint32_t region = OMPP_NONE;

	/* the last record of a call path is the region itself; its second value is the region's number */
	for (size_t i = 0; i < t->n_records; i++)
		for (size_t k = 0; k < t->records[i].n && k < 2; k++)
			if (t->records[i].values[k].kind == OMPP_KIND_TEXT &&
			    region_named(t->records[i].values[k].text, p) != OMPP_NONE)
				region = region_named(t->records[i].values[k].text, p);
	return region;
}

static int keep_table(struct keeper *k, uint32_t region)
{
	const struct ompp_table *t = &k->sheet.table;
	struct ompp_leaf *leaf = add_leaf(k->page);
	struct ompp_table *copy;

	if (!leaf)
		return -ENOMEM;
	copy = &leaf->table;
	leaf->region = region;
	leaf->has_hooks = k->has_hooks;
	ompp_table_start(copy, t->style, "", keep_text(k->page, t->heading));
	copy->is_tight = t->is_tight;
	for (size_t c = 0; c < t->n_columns; c++) {
		const struct ompp_column *column = &t->columns[c];

		ompp_table_column(copy, keep_text(k->page, column->title), column->where);
		if (copy->rc)
			break;
		copy->columns[c] = (struct ompp_column){
			copy->columns[c].title, column->text_title ? keep_text(k->page, column->text_title) : NULL,
			column->where,          column->left,
			column->min_width,      column->joined
		};
	}
	copy->values = ompp_arena_alloc(&k->page->arena, (t->n_values + 1) * sizeof(*copy->values));
	if (copy->rc || !copy->values)
		return -ENOMEM;
	copy->n_values = copy->have_values = t->n_values;
	for (size_t i = 0; i < t->n_values; i++)
		copy->values[i] = keep_value(k->page, t->values[i]);
	if (t->tones && copy->values) {
		copy->tones = ompp_arena_alloc(&k->page->arena, ompp_table_n_rows(t) + 1);
		if (copy->tones)
			memcpy(copy->tones, t->tones, ompp_table_n_rows(t));
	}
	return look_at(leaf);
}

/* Returns the column of a title in a leaf that has sums; if there is none, adds one that is empty in the rows before;
 * OMPP_NO_COLUMN if there are too many. */
static size_t column_of(struct keeper *k, struct ompp_leaf *leaf, const struct ompp_column *column)
{
	struct ompp_table *t = &leaf->table;
	size_t n_old = t->n_columns, n_rows = ompp_table_n_rows(t);
	struct ompp_value *values;

	for (size_t c = 0; c < t->n_columns; c++)
		if (!strcmp(t->columns[c].title, column->title))
			return c;
	if (n_old >= MOST_SUM_COLUMNS)
		return OMPP_NO_COLUMN;
	values = ompp_arena_alloc(&k->page->arena, (n_rows + 1) * (n_old + 1) * sizeof(*values));
	if (!values) {
		t->rc = -ENOMEM;
		return 0;
	}
	for (size_t row = 0; row < n_rows; row++) {
		memcpy(values + row * (n_old + 1), t->values + row * n_old, n_old * sizeof(*values));
		values[row * (n_old + 1) + n_old] = (struct ompp_value){ .kind = OMPP_KIND_TEXT, .text = "" };
	}
	ompp_table_column(t, keep_text(k->page, column->title), OMPP_IN_BOTH);
	t->values = values;
	t->have_values = (n_rows + 1) * (n_old + 1);
	t->n_values = n_rows * (n_old + 1);
	return n_old;
}

/* Adds the sum of a region's threads, the last row of its table, to the table of sums. */
static int keep_sum(struct keeper *k, uint32_t region)
{
	const struct ompp_table *t = &k->sheet.table;
	struct ompp_leaf *leaf = k->page->n ? &k->page->list[0] : add_leaf(k->page);
	const struct ompp_profile *p = k->page->analysis.profile;
	size_t at[256], n = t->n_columns < OMPP_COUNT_OF(at) ? t->n_columns : OMPP_COUNT_OF(at), first;
	struct ompp_table *sums;

	if (!leaf)
		return -ENOMEM;
	sums = &leaf->table;
	leaf->has_hooks = k->has_hooks;
	if (!sums->n_columns) {
		ompp_table_left_columns(sums, OMPP_IN_BOTH, "type", "region");
	}
	for (size_t c = 1; c < n && !sums->rc; c++)
		at[c] = column_of(k, leaf, &t->columns[c]);
	if (sums->rc)
		return sums->rc;
	first = sums->n_values;
	for (size_t c = 0; c < sums->n_columns; c++)
		ompp_table_text(sums, "");
	if (sums->rc)
		return sums->rc;
	sums->values[first].text = t->n_records && t->records[0].n > 1
	                                 ? keep_text(k->page, t->records[0].values[1].text)
	                                 : "";
	sums->values[first + 1].text = keep_text(k->page, ompp_region_label(&k->page->analysis, &p->regions[region]));
	for (size_t c = 1; c < n; c++)
		if (at[c] != OMPP_NO_COLUMN)
			sums->values[first + at[c]] = keep_value(k->page, t->values[t->n_values - t->n_columns + c]);
	return 0;
}

static int tui_book_keep(struct ompp_sheet *sheet)
{
	struct keeper *k = (struct keeper *)sheet;
	const struct ompp_table *t = &sheet->table;
	uint32_t region = region_of_records(t, k->page->analysis.profile);
	int rc = t->rc, is_nothing = k->only != OMPP_NONE && !t->n_values;

	if (!rc && k->sums_alone) {
		if (region != OMPP_NONE && t->n_values && !strcmp(t->columns[0].title, "TID"))
			rc = keep_sum(k, region);
	} else if (!rc && !is_nothing && (k->only == OMPP_NONE || region == OMPP_NONE || region == k->only)) {
		rc = keep_table(k, region);
	}
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "", "");
	return rc;
}

/* ---- pages ---- */

static int tui_book_start(const struct ompp_book *book, const struct ompp_report_options *options, const char *title,
                          struct ompp_leaves *page)
{
	memset(page, 0, sizeof(*page));
	ompp_arena_init(&page->arena, 0);
	page->note = "";
	page->of_region = page->of_object = OMPP_NONE;
	page->title = keep_text(page, title);
	return ompp_analysis_init(&page->analysis, book->profile, options, &page->arena);
}

void ompp_book_close(struct ompp_leaves *page)
{
	ompp_arena_fini(&page->arena);
}

static const struct ompp_view *view_named(const char *name, size_t n_bytes)
{
	for (size_t i = 0; ompp_view(i); i++)
		if (strlen(ompp_view_name(i)) == n_bytes && !strncmp(ompp_view_name(i), name, n_bytes))
			return ompp_view(i);
	return NULL;
}

/* Adds the tables of those views in a comma list that have content.  Returns the number of these views, or -ENOMEM. */
static int add_views(struct ompp_leaves *page, const char *names, uint32_t only, int sums_alone)
{
	struct keeper k = { .sheet = { .put = tui_book_keep, .prints = OMPP_IN_TEXT },
		            .page = page,
		            .only = only,
		            .sums_alone = sums_alone };
	int rc = 0, n = 0;

	ompp_table_init(&k.sheet.table, &page->arena);
	for (; *names && !rc; names += names[strcspn(names, ",")] == ',' ? strcspn(names, ",") + 1 : strlen(names)) {
		const struct ompp_view *view = view_named(names, strcspn(names, ","));

		if (!view || ompp_view_is_empty(view, &page->analysis))
			continue;
		k.has_hooks = view->has_times && page->analysis.profile->hooked;
		rc = view->build(&page->analysis, &k.sheet);
		n++;
	}
	if (!rc && sums_alone && page->n) {
		page->list[0].table.columns[0].text_title = "construct";
		rc = look_at(&page->list[0]);
	}
	return rc ? rc : n;
}

/* Finds which sections have content. */
static void look_up(struct ompp_book *book, const struct ompp_analysis *a)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(sections); i++) {
		const struct ompp_view *view = view_named(sections[i].views, strcspn(sections[i].views, ","));

		book->has[i] = view && !ompp_view_is_empty(view, a) && (i != REGIONS || a->n_order);
	}
}

int ompp_book_open(struct ompp_book *book, size_t section, struct ompp_leaves *page)
{
	int rc = tui_book_start(book, &book->options, sections[section].name, page);

	if (!rc)
		look_up(book, &page->analysis);
	if (!rc)
		rc = add_views(page, sections[section].views, OMPP_NONE, section == REGIONS);
	if (rc < 0)
		ompp_book_close(page);
	return rc < 0 ? rc : 0;
}

int ompp_book_region(const struct ompp_book *book, uint32_t region, struct ompp_leaves *page)
{
	struct ompp_report_options options = book->options;
	const struct ompp_profile *p = book->profile;
	struct ompp_arena tags;
	size_t n_cells = 0;
	int rc;

	ompp_arena_init(&tags, 0);
	options.region = ompp_region_tag(&p->regions[region], "", &tags);
	rc = tui_book_start(book, &options, "", page);
	if (!rc)
		page->title = keep_text(page, ompp_region_title(&page->analysis, &p->regions[region],
		                                                p->regions[region].construct));
	page->of_region = region;
	if (!rc)
		rc = add_views(page, "flat,durations,hot", region, 0);
	for (size_t i = 0; i < p->n_nodes; i++)
		if (i && p->nodes[i].region == region)
			n_cells += p->nodes[i].n_cells;
	if (rc >= 0 && n_cells <= MOST_PATH_CELLS)
		rc = add_views(page, "callpath", region, 0);
	else if (rc >= 0)
		page->note = "its call paths have too many rows: 'ompp report --view=callpath --region' prints them";
	ompp_arena_fini(&tags);
	if (rc < 0)
		ompp_book_close(page);
	return rc < 0 ? rc : 0;
}

int ompp_book_object(const struct ompp_book *book, uint32_t object, struct ompp_leaves *page)
{
	struct ompp_report_options options = book->options;
	int rc;

	options.object = book->profile->objects[object].name;
	rc = tui_book_start(book, &options, options.object, page);
	page->of_object = object;
	if (!rc)
		rc = add_views(page, "data,memory,lines,touch,numa,pages", OMPP_NONE, 0);
	if (rc < 0)
		ompp_book_close(page);
	return rc < 0 ? rc : 0;
}

int ompp_book_source(const struct ompp_book *book, const char *path, uint32_t line, struct ompp_leaves *page,
                     const char **why)
{
	int rc = tui_book_start(book, &book->options, path, page);
	struct keeper k = { .page = page };

	ompp_table_init(&k.sheet.table, &page->arena);
	if (!rc)
		rc = ompp_annotate_file(&page->analysis, path, &k.sheet.table, why);
	if (!rc)
		rc = keep_table(&k, OMPP_NONE);
	if (rc) {
		ompp_book_close(page);
		return rc;
	}
	page->list[0].is_source = 1;
	page->first_row = line && line <= page->list[0].n_rows ? line - 1 : 0;
	return 0;
}

/* ---- what a row refers to ---- */

/* Returns the text of a row in the column with this title (that of records if it has two); NULL for none. */
static const char *text_in(const struct ompp_leaf *leaf, size_t row, const char *title)
{
	const struct ompp_table *t = &leaf->table;
	const char *text = NULL;

	for (size_t c = 0; c < t->n_columns; c++)
		if (!strcmp(t->columns[c].title, title) && ompp_leaf_value(leaf, row, c)->kind == OMPP_KIND_TEXT &&
		    (!text || t->columns[c].where == OMPP_IN_RECORDS))
			text = ompp_leaf_value(leaf, row, c)->text;
	return text;
}

static uint32_t number_in(const struct ompp_leaf *leaf, size_t row, const char *title)
{
	const struct ompp_table *t = &leaf->table;

	for (size_t c = 0; c < t->n_columns; c++)
		if (!strcmp(t->columns[c].title, title) && ompp_leaf_value(leaf, row, c)->kind == OMPP_KIND_COUNT)
			return (uint32_t)ompp_leaf_value(leaf, row, c)->number;
	return 0;
}

uint32_t ompp_leaf_region(const struct ompp_leaf *leaf, size_t row, const struct ompp_profile *profile)
{
	const char *text = text_in(leaf, row, "region");
	uint32_t region = text ? region_named(text, profile) : OMPP_NONE;

	for (size_t i = 0; i < leaf->n_shown && region == OMPP_NONE; i++) {
		const struct ompp_value *v = ompp_leaf_value(leaf, row, leaf->shown[i]);

		if (v->kind == OMPP_KIND_TEXT)
			region = region_named(v->text, profile);
	}
	return region;
}

uint32_t ompp_leaf_object(const struct ompp_leaf *leaf, size_t row, const struct ompp_leaves *page)
{
	const struct ompp_profile *p = page->analysis.profile;
	const char *text = text_in(leaf, row, "object");
	struct ompp_arena scratch;
	uint32_t object = OMPP_NONE;

	if (!text)
		return OMPP_NONE;
	ompp_arena_init(&scratch, 0);
	for (uint32_t i = 0; i < p->n_objects && object == OMPP_NONE; i++) {
		const char *name = ompp_clean_copy(p->objects[i].name, 1, &scratch);

		if (name && !strcmp(name, text))
			object = i;
	}
	ompp_arena_fini(&scratch);
	return object;
}

/* Returns the source line with most of an object's cost by samples or, without samples, most of its first touches. */
static const char *object_location(const struct ompp_profile *p, uint32_t object, uint32_t *line)
{
	const char *path = NULL;
	int64_t most = -1;

	for (size_t i = 0; i < p->n_sample_lines; i++)
		if (p->sample_lines[i].object == object && p->sample_lines[i].line &&
		    p->sample_lines[i].sum.estimate > most) {
			most = p->sample_lines[i].sum.estimate;
			path = p->sample_lines[i].file;
			*line = p->sample_lines[i].line;
		}
	if (path)
		return path;
	for (size_t i = 0; i < p->n_first_touches; i++)
		if (p->first_touches[i].object == object && p->first_touches[i].line &&
		    ompp_count(p->first_touches[i].n_pages) > most) {
			most = ompp_count(p->first_touches[i].n_pages);
			path = p->first_touches[i].file;
			*line = p->first_touches[i].line;
		}
	return path;
}

/* Returns the source file that a text begins with, "a.c:14 main"; NULL when it is none of the profile's. */
static const char *location_named(const char *text, const struct ompp_leaves *page, uint32_t *line)
{
	size_t n = strcspn(text, ":"), n_files;
	const char **files;
	char *end;

	if (text[n] != ':' || text[n + 1] < '1' || text[n + 1] > '9')
		return NULL;
	*line = (uint32_t)strtoul(text + n + 1, &end, 10);
	files = *end && *end != ' ' ? NULL : ompp_source_files(&page->analysis, &n_files);
	for (size_t i = 0; files && i < n_files; i++) {
		size_t n_path = strlen(files[i]);

		if (n_path >= n && !strncmp(files[i] + n_path - n, text, n) &&
		    (n_path == n || files[i][n_path - n - 1] == '/'))
			return files[i];
	}
	return NULL;
}

const char *ompp_leaf_location(const struct ompp_leaf *leaf, size_t row, const struct ompp_leaves *page, uint32_t *line)
{
	static const char *const titles[][2] = { { "file", "line" }, { "source file", "source line" } };
	static const char *const columns[] = { "line", "allocated at" };
	const struct ompp_profile *p = page->analysis.profile;
	uint32_t region = ompp_leaf_region(leaf, row, p), object = ompp_leaf_object(leaf, row, page);

	for (size_t i = 0; i < OMPP_COUNT_OF(titles); i++) {
		const char *path = text_in(leaf, row, titles[i][0]);

		*line = number_in(leaf, row, titles[i][1]);
		if (path && path[0] && *line)
			return path;
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(columns); i++) {
		const char *text = text_in(leaf, row, columns[i]),
			   *path = text ? location_named(text, page, line) : NULL;

		if (path)
			return path;
	}
	if (region == OMPP_NONE)
		region = leaf->region != OMPP_NONE ? leaf->region : page->of_region;
	if (region == OMPP_NONE && object == OMPP_NONE)
		object = page->of_object;
	if (region != OMPP_NONE && p->regions[region].begin_line) {
		*line = p->regions[region].begin_line;
		return p->regions[region].file;
	}
	return object == OMPP_NONE ? NULL : object_location(p, object, line);
}
