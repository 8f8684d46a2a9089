/*
 * Object layout: see object_layout.h.
 */
#include "reports/ompp/object_layout.h"

#include <stdio.h>
#include <string.h>

#include "reports/analysis/init.h"
#include "reports/command/arguments.h"
#include "reports/show/show.h"
#include "reports/tables/structure.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

enum { LINE_BYTES = 64, NAME_COLUMNS = 40, NUMBER_BYTES = 32 };

static const char *layout_number(char text[NUMBER_BYTES], uint64_t n)
{
	struct ompp_text t;

	ompp_text_init(&t, text, NUMBER_BYTES);
	ompp_text_grouped(&t, ompp_count(n));
	return text;
}

static const char *layout_clean(const char *text, struct ompp_arena *arena)
{
	const char *clean = ompp_clean_copy(text, 0, arena);

	return clean ? clean : "";
}

/* Writes a member as C declares it: "double x;", "int few[5];". */
static void layout_declare(char *text, size_t n_text, const struct ompp_member *m, struct ompp_arena *arena)
{
	const char *type = layout_clean(m->type, arena), *bracket = strchr(type, '[');
	int n_type = bracket ? (int)(bracket - type) : (int)strlen(type);

	if (ompp_member_is_padding(m))
		snprintf(text, n_text, "/* %s */", layout_clean(m->name, arena));
	else
		snprintf(text, n_text, "%.*s %s%s;", n_type, type, layout_clean(m->name, arena),
		         bracket ? bracket : "");
}

static void layout_member(const struct ompp_structure_use *use, size_t i, struct ompp_arena *arena)
{
	const struct ompp_member *m = &use->members[i];
	const struct ompp_member_access *sum = &use->sums[i];
	char text[256], loads[NUMBER_BYTES], stores[NUMBER_BYTES], n_bytes[NUMBER_BYTES];

	layout_declare(text, sizeof(text), m, arena);
	printf("\t%-*s /* %5llu %5llu  %14s %14s %15s  %s */\n", NAME_COLUMNS, text, (unsigned long long)m->offset,
	       (unsigned long long)m->n_bytes, layout_number(loads, sum->loads + sum->atomics),
	       layout_number(stores, sum->stores + sum->atomics), layout_number(n_bytes, ompp_member_bytes(sum)),
	       ompp_member_use_word(ompp_member_use_class(use, i)));
}

/* Marks where the members of another cache line begin, when the structure begins with one. */
static void layout_line(const struct ompp_structure_use *use, size_t i)
{
	uint64_t line = use->members[i].offset / LINE_BYTES;

	if (i && line && line != use->members[i - 1].offset / LINE_BYTES)
		printf("\t/* --- cacheline %llu --- */\n", (unsigned long long)line);
}

static void layout_structure(const struct ompp_structure_use *use, const char *object, struct ompp_arena *arena)
{
	uint64_t padding = 0, hot = 0;

	printf("struct %s { /* of %s */\n", layout_clean(use->structure->type, arena), layout_clean(object, arena));
	printf("\t%-*s /* %5s %5s  %14s %14s %15s  %s */\n", NAME_COLUMNS, "", "at", "bytes", "loads", "stores",
	       "of bytes", "use");
	for (size_t i = 0; i < use->n; i++) {
		uint64_t n_bytes = use->members[i].n_bytes * use->members[i].n_places;

		layout_line(use, i);
		layout_member(use, i, arena);
		padding += ompp_member_is_padding(&use->members[i]) ? n_bytes : 0;
		hot += ompp_member_use_class(use, i) == OMPP_MEMBER_HOT ? n_bytes : 0;
	}
	printf("\n\t/* size: %llu, cachelines: %llu, members: %zu */\n", (unsigned long long)use->structure->n_bytes,
	       (unsigned long long)((use->structure->n_bytes + LINE_BYTES - 1) / LINE_BYTES), use->n);
	printf("\t/* padding: %llu, hot members: %llu */\n};\n\n", (unsigned long long)padding,
	       (unsigned long long)hot);
}

int ompp_object_layout(const char *path)
{
	struct ompp_report_options options = { 0 };
	struct ompp_structure_use use;
	struct ompp_structures all;
	struct ompp_profile profile;
	struct ompp_analysis a;
	struct ompp_arena arena;
	int rc, status = 0;

	ompp_arena_init(&arena, 0);
	rc = ompp_load(path, &arena, &profile);
	if (rc) {
		status = OMPP_EXIT_FAILED;
	} else if (!profile.n_structures) {
		ompp_complain(path,
		              "no accesses to members of structures in it; build with kinst --access and -g, and run "
		              "with OMPP_FIELDS=1");
		status = OMPP_EXIT_FAILED;
	} else if (ompp_analysis_init(&a, &profile, &options, &arena) || ompp_structures_start(&all, &a)) {
		ompp_complain(path, "not enough memory");
		status = OMPP_EXIT_FAILED;
	}
	for (size_t i = 0; !status && i < profile.n_structures; i++) {
		if (ompp_structure_use(&all, i, &use)) {
			ompp_complain(path, "not enough memory");
			status = OMPP_EXIT_FAILED;
		} else {
			layout_structure(&use, profile.objects[use.structure->object].name, &arena);
		}
	}
	ompp_arena_fini(&arena);
	return status;
}
