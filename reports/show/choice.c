/*
 * Choice: checks that what --region and --object name exists.  Otherwise an empty report would look as if nothing had
 * been measured.
 */
#include "reports/show/show.h"

#include <string.h>

#include "reports/analysis/label.h"
#include "reports/analysis/selection.h"
#include "reports/command/command_line.h"
#include "reports/report.h"
#include "reports/show/fold.h"
#include "runtime/base/array.h"
#include "runtime/base/nearest.h"
#include "runtime/base/text.h"
#include "runtime/host/processors.h"

static const char *const by_words[] = { "instantiation", "place" };

enum { NAMES_A_REGION = 5, LINE_BYTES = 16 };

/* What there is to choose from, by the names that the option takes. */
struct choice {
	const char *option, *what, *view;
	const struct ompp_profile *profiles;
	size_t n_profiles;
	int (*has)(const struct ompp_profile *profile, const char *word, size_t n_bytes);
	const char **names;
	size_t n_names;
};

static const struct choice *searched;

static const char *choice_name(size_t i)
{
	return i < searched->n_names ? searched->names[i] : NULL;
}

static int has_object(const struct ompp_profile *profile, const char *word, size_t n_bytes)
{
	for (size_t i = 0; i < profile->n_objects; i++)
		if (strlen(profile->objects[i].name) == n_bytes && !memcmp(profile->objects[i].name, word, n_bytes))
			return 1;
	return 0;
}

static int has_region(const struct ompp_profile *profile, const char *word, size_t n_bytes)
{
	for (size_t i = 0; i < profile->n_regions; i++)
		if (ompp_region_is_meant(&profile->regions[i], word, n_bytes))
			return 1;
	return 0;
}

static int is_there(const struct choice *c, const char *word, size_t n_bytes)
{
	for (size_t k = 0; k < c->n_profiles; k++)
		if (c->has(&c->profiles[k], word, n_bytes))
			return 1;
	return 0;
}

/* Does each word of the list exist?  A name may have a comma in it. */
static int is_known(const struct choice *c, const char *list)
{
	searched = c;
	while (*list && !is_there(c, list, strlen(list))) {
		size_t n = strcspn(list, ",");
		const char *near;

		if (n && !is_there(c, list, n)) {
			near = ompp_nearest(list, n, choice_name, ompp_nearest_most(n));
			if (near)
				ompp_complain(c->option, "no %s '%.*s'; did you mean '%s'?", c->what, (int)n, list,
				              near);
			else if (c->n_names)
				ompp_complain(c->option, "no %s '%.*s'; --view=%s lists them", c->what, (int)n, list,
				              c->view);
			else
				ompp_complain(c->option, "no %s '%.*s'; none was measured", c->what, (int)n, list);
			return 0;
		}
		list += n + (list[n] == ',');
	}
	return 1;
}

/* Returns "a.c:12"; NULL without memory. */
static const char *choice_place(const char *file, uint32_t line, struct ompp_arena *arena)
{
	char *buffer = ompp_arena_alloc(arena, strlen(file) + LINE_BYTES);
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, strlen(file) + LINE_BYTES);
	ompp_text_str(&t, file);
	ompp_text_char(&t, ':');
	ompp_text_u64(&t, line);
	return buffer;
}

static void choice_add(struct choice *c, const char *word)
{
	if (word && word[0])
		c->names[c->n_names++] = word;
}

static void add_regions(struct choice *c, const struct ompp_profile *p, struct ompp_arena *arena)
{
	for (size_t i = 0; i < p->n_regions; i++) {
		const struct ompp_region *region = &p->regions[i];
		const char *base = strrchr(region->file, '/');

		base = base ? base + 1 : region->file;
		choice_add(c, region->name);
		choice_add(c, ompp_region_instantiation(region));
		choice_add(c, ompp_region_tag(region, "", arena));
		choice_add(c, base);
		choice_add(c, base[0] ? choice_place(base, region->begin_line, arena) : NULL);
	}
}

int ompp_choice_known(const struct ompp_report_options *options, const struct ompp_profile *profiles, size_t n,
                      struct ompp_arena *arena)
{
	struct choice regions = { "--region", "region", "overview", profiles, n, has_region, NULL, 0 };
	struct choice objects = { "--object", "data object", "data", profiles, n, has_object, NULL, 0 };
	size_t n_regions = 0, n_objects = 0;

	for (size_t k = 0; k < n; k++) {
		n_regions += profiles[k].n_regions;
		n_objects += profiles[k].n_objects;
	}
	regions.names = ompp_arena_alloc(arena, (NAMES_A_REGION * n_regions + 1) * sizeof(*regions.names));
	objects.names = ompp_arena_alloc(arena, (n_objects + 1) * sizeof(*objects.names));
	for (size_t k = 0; k < n && regions.names && objects.names; k++) {
		if (options->region)
			add_regions(&regions, &profiles[k], arena);
		for (size_t i = 0; i < profiles[k].n_objects; i++)
			choice_add(&objects, profiles[k].objects[i].name);
	}
	return (!options->region || is_known(&regions, options->region)) &&
	       (!options->object || is_known(&objects, options->object));
}

int ompp_choice_fold(const char *command, const struct ompp_report_options *options, struct ompp_profile *profiles,
                     size_t n, struct ompp_arena *arena)
{
	int rc = 0;

	for (size_t i = 0; i < n && !rc && options->by && !strcmp(options->by, by_words[1]); i++)
		rc = ompp_fold(&profiles[i], arena);
	if (rc)
		ompp_complain(command, "%s", strerror(-rc));
	return rc ? OMPP_EXIT_FAILED : 0;
}

/* ---- the options ---- */

static const char *by_word(size_t i)
{
	return i < OMPP_COUNT_OF(by_words) ? by_words[i] : NULL;
}

static int take_numa(void *to, const char *option, const char *value)
{
	struct ompp_report_options *options = to;

	options->numa = value;
	if (!ompp_numa_wish(value, &options->emulated))
		return 0;
	ompp_complain(option, "'%s' is not auto or emulate:N; N is from 2 to 64", value);
	return -1;
}

int ompp_take_least(void *to, const char *option, const char *value)
{
	if (!ompp_option_value(&ompp_option_table[OMPP_OPT_PROPERTY_MIN], value, to))
		return 0;
	ompp_complain(option, "'%s' is not a number from 0 to 100; give the least per cent of %s", value,
	              strcmp(option, "--far-min") ? "the run" : "accesses to other NUMA nodes");
	return -1;
}

const struct ompp_command_option ompp_choice_options[OMPP_CHOICE_OPTIONS] = {
	OMPP_TEXT_ROW("region", "LIST", struct ompp_report_options, region,
	              "only these regions, each given as R00004, FILE, FILE:LINE or a name"),
	OMPP_WORDS_ROW("by", "WORD", by_word, struct ompp_report_options, by,
	               "list a region in a template once for each instantiation (instantiation), or once for its place "
	               "(place)"),
	OMPP_TEXT_ROW("object", "LIST", struct ompp_report_options, object, "only these data objects, by their names"),
	OMPP_SWITCH_ROW("instances", struct ompp_report_options, instances,
	                "also list single blocks that stand out among the blocks of a data object, with their own "
	                "counts"),
	OMPP_TAKE_ROW("property-min", "N", ompp_take_least,
	              OMPP_MEMBER_AT(struct ompp_report_options, property_min, int64_t),
	              "list only properties whose severity is at least N per cent (default OMPP_PROPERTY_MIN, 1)"),
	OMPP_TAKE_ROW("numa", "WORD", take_numa, 0,
	              "use the machine's NUMA nodes (auto), or emulate so many (emulate:4)"),
	OMPP_WORDS_ROW("columns", "WORD", ompp_report_columns, struct ompp_report_options, columns,
	               "in tables of data objects print the main columns (main), or all that CSV has (all)"),
};
