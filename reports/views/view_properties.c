/*
 * Performance Properties: the findings by name, what would save most first: what they mean, their figures, what usually
 * helps, and what that would save at the most.  The severity is the time of all threads in the property, in per cent of
 * duration × threads; "-" where only counts are known.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/findings/findings.h"
#include "reports/tables/table_region.h"
#include "runtime/base/text.h"

/* Returns "P00001", in the arena. */
static const char *tag_of(const struct ompp_finding *f, struct ompp_arena *arena)
{
	char id[16];
	struct ompp_text t;

	ompp_text_init(&t, id, sizeof(id));
	ompp_text_char(&t, 'P');
	ompp_text_zeros(&t, f->number, 5);
	return ompp_arena_strdup(arena, id);
}

/* Returns "Property P00001 'X' holds for 'LOOP a.c (1-2)', with a severity (in percent) of 0.1991", and below it what
 * it means, the evidence, the advice, and what that would save. */
static const char *properties_sentence(const struct ompp_analysis *a, const struct ompp_finding *f)
{
	const char *location = ompp_finding_location(a, f), *tag = tag_of(f, a->arena);
	size_t n = location && tag
	                 ? strlen(location) + strlen(f->meaning) + strlen(f->evidence) + strlen(f->advice) + 300
	                 : 0;
	char *buffer = n ? ompp_arena_alloc(a->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, "Property ");
	ompp_text_str(&t, tag);
	ompp_text_str(&t, " '");
	ompp_text_str(&t, f->name);
	ompp_text_str(&t, "' holds for '");
	ompp_text_str(&t, location);
	ompp_text_str(&t, "', with a severity (in percent) of ");
	if (f->severity == OMPP_MISSING)
		ompp_text_char(&t, '-');
	else
		ompp_text_fixed(&t, f->severity, 7, 4);
	ompp_text_char(&t, '\n');
	ompp_text_str(&t, f->meaning);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, f->evidence);
	ompp_text_str(&t, f->evidence[0] ? " " : "");
	ompp_text_str(&t, f->advice);
	ompp_text_char(&t, ' ');
	ompp_finding_say_gain(a, f, &t);
	return buffer;
}

/* Did the user ask for the region of this finding? --top counts findings here. */
static int is_chosen(const struct ompp_analysis *a, const struct ompp_finding *f)
{
	return f->region == OMPP_NONE ? a->n_named == a->profile->n_regions : a->named[f->region];
}

static void properties_columns(struct ompp_table *table)
{
	ompp_table_start(table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_RECORDS, "property", "what");
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_RECORDS, "severity", "advice", "gain", "evidence", "meaning");
}

static int put_finding(const struct ompp_analysis *a, const struct ompp_finding *f, struct ompp_table *table)
{
	const char *text = properties_sentence(a, f);

	if (!text)
		return -ENOMEM;
	ompp_table_text(table, text);
	ompp_table_text(table, tag_of(f, a->arena));
	ompp_table_text(table, f->name);
	if (f->region == OMPP_NONE) {
		ompp_table_text(table, "(program)");
		for (int i = 0; i < 5; i++)
			ompp_table_text(table, "");
	} else {
		const struct ompp_region *region = &a->profile->regions[f->region];

		ompp_region_values(table, region, region->construct);
	}
	ompp_table_number(table, OMPP_KIND_SHARE, f->severity);
	ompp_table_text(table, f->advice);
	ompp_table_number(table, OMPP_KIND_TIME, f->gain_ns);
	ompp_table_text(table, f->evidence);
	ompp_table_text(table, f->meaning);
	return 0;
}

/* Adds a share of 10^-9 in per cent, with as many decimals as it has: "0.5". */
static void put_percent(struct ompp_text *t, int64_t share)
{
	unsigned int n = 7;

	for (int64_t rest = share; n && !(rest % 10); rest /= 10)
		n--;
	ompp_text_fixed(t, share, 7, n);
}

/* Puts "3 more properties hold, each with less than 1 per cent (OMPP_PROPERTY_MIN)." */
static int put_below(const struct ompp_analysis *a, const struct ompp_findings *findings, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	char buffer[160];
	struct ompp_text t;

	if (findings->n && !findings->n_below)
		return 0;
	ompp_text_init(&t, buffer, sizeof(buffer));
	if (findings->n_below) {
		ompp_text_u64(&t, findings->n_below);
		ompp_text_str(&t, findings->n ? " more" : "");
		ompp_text_str(&t, findings->n_below == 1 ? " property holds, with" : " properties hold, each with");
		ompp_text_str(&t, " a severity below ");
		put_percent(&t, findings->least);
		ompp_text_str(&t, " per cent (OMPP_PROPERTY_MIN).");
	} else {
		ompp_text_str(&t, "No property holds.");
	}
	ompp_table_start(table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	ompp_table_text(table, ompp_arena_strdup(a->arena, buffer));
	return sheet->put(sheet);
}

static int properties_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_findings findings;
	size_t n_shown = 0;
	int rc = ompp_findings(a, &findings);

	properties_columns(&sheet->table);
	for (size_t i = 0; i < findings.n && !rc && (!a->top || n_shown < a->top); i++)
		if (is_chosen(a, &findings.list[i])) {
			rc = put_finding(a, &findings.list[i], &sheet->table);
			n_shown++;
		}
	if (!rc && n_shown)
		rc = sheet->put(sheet);
	return rc ? rc : put_below(a, &findings, sheet);
}

const struct ompp_view ompp_view_properties = { .title = "Performance Properties Report",
	                                        .tag = "performance properties report",
	                                        .build = properties_build,
	                                        .has_times = 1 };
