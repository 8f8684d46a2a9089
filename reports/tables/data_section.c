/*
 * Data section: see data_section.h.
 */
#include "reports/tables/data_section.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/tables/fit.h"
#include "reports/tables/table_region.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

int ompp_data_start(struct ompp_data_section *d, const struct ompp_analysis *a, const struct ompp_sheet *sheet)
{
	*d = (struct ompp_data_section){ .usage = { .analysis = a, .profile = a->profile },
		                         .is_text = sheet->prints == OMPP_IN_TEXT,
		                         .named = ompp_analysis_array(a, a->profile->n_objects, 1, 0) };
	return d->named ? 0 : -ENOMEM;
}

void ompp_data_object(const struct ompp_data_section *d, uint32_t object, struct ompp_table *table)
{
	d->named[object] = 1;
	ompp_table_text(table, d->usage.profile->objects[object].name);
}

const char *ompp_data_more_text(const struct ompp_data_section *d, size_t n)
{
	char buffer[40];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_char(&t, '(');
	ompp_text_u64(&t, n);
	ompp_text_str(&t, " more)");
	return ompp_arena_strdup(d->usage.analysis->arena, buffer);
}

size_t ompp_data_n_printed(const struct ompp_data_section *d, size_t n)
{
	return d->is_text && n > OMPP_DATA_MOST_LINES ? OMPP_DATA_MOST_LINES : n;
}

static enum ompp_construct construct_of(const struct ompp_data_section *d, const struct ompp_object_part *part)
{
	return part->key & 1 ? OMPP_TASKEXEC : d->usage.profile->regions[part->key / 2].construct;
}

const char *ompp_data_region_text(const struct ompp_data_section *d, const struct ompp_object_part *part)
{
	const char *label, *construct;
	struct ompp_text t;
	char *buffer;
	size_t n;

	if (part->key == OMPP_SERIAL)
		return "(serial)";
	label = ompp_region_label(d->usage.analysis, &d->usage.profile->regions[part->key / 2]);
	construct = ompp_construct_name(construct_of(d, part));
	n = label ? strlen(label) + strlen(construct) + 2 : 0;
	buffer = label ? ompp_arena_alloc(d->usage.analysis->arena, n) : NULL;
	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, label);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, construct);
	return buffer;
}

void ompp_data_region_values(const struct ompp_data_section *d, const struct ompp_object_part *part,
                             struct ompp_table *table)
{
	if (part && part->key != OMPP_SERIAL) {
		ompp_region_values(table, &d->usage.profile->regions[part->key / 2], construct_of(d, part));
		return;
	}
	ompp_table_text(table, part ? "(serial)" : "");
	for (int i = 0; i < 5; i++)
		ompp_table_text(table, "");
}

const char *ompp_data_name(const struct ompp_data_section *d, uint32_t object)
{
	const char *name = ompp_clean_copy(d->usage.profile->objects[object].name, 0, d->usage.analysis->arena);

	return name ? name : "";
}

const char *ompp_data_short_name(const struct ompp_data_section *d, uint32_t object)
{
	enum { MOST_COLUMNS = 40 };
	const struct ompp_profile *p = d->usage.profile;
	const char *name = ompp_data_name(d, object);
	size_t n = strlen(name) + sizeof("\u2026"); /* an ellipsis may take the place of fewer bytes */
	struct ompp_text t;
	char *buffer;

	if (ompp_text_columns(name) <= MOST_COLUMNS)
		return name;
	for (uint32_t o = 0; o < p->n_objects; o++)
		if (o != object && ompp_fit_same(p->objects[object].name, p->objects[o].name, MOST_COLUMNS))
			return name;
	buffer = ompp_arena_alloc(d->usage.analysis->arena, n);
	if (!buffer)
		return name;
	ompp_text_init(&t, buffer, n);
	ompp_fit_middle(&t, name, MOST_COLUMNS);
	return buffer;
}

int ompp_data_remark(const char *text, struct ompp_sheet *sheet)
{
	if (sheet->prints != OMPP_IN_TEXT)
		return 0;
	ompp_table_start(&sheet->table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(&sheet->table, "", OMPP_IN_TEXT);
	ompp_table_text(&sheet->table, text);
	return sheet->put(sheet);
}

void ompp_data_size(struct ompp_text *t, int64_t bytes)
{
	static const char units[] = "KMGT";
	int unit = 0;

	if (bytes == OMPP_MISSING) {
		ompp_text_char(t, '-');
		return;
	}
	while (unit < 3 && bytes >= INT64_C(1) << (10 * (unit + 2)))
		unit++;
	if (bytes & ((INT64_C(1) << (10 * (unit + 1))) - 1))
		ompp_text_fixed(t, (int64_t)((__int128)bytes * 100 >> (10 * (unit + 1))), 2, 2);
	else
		ompp_text_i64(t, bytes >> (10 * (unit + 1)));
	ompp_text_char(t, units[unit]);
}
