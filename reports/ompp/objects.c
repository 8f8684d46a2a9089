/*
 * Objects: ompp objects.  The data of a program or library that OMPP_DATA_NAME can name, largest first.
 */
#include "reports/command/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/command/command_line.h"
#include "reports/command/listing.h"
#include "reports/ompp/object_layout.h"
#include "reports/report.h"
#include "runtime/base/arena.h"
#include "runtime/base/array.h"
#include "runtime/program/variable.h"
#include "runtime/terms/option.h"

struct request {
	const char *path;
	size_t min_bytes;
	const char *format;
	int layout;
};

static int take_bytes(void *to, const char *option, const char *text)
{
	static const struct ompp_option_info size = { "MIN_BYTES", OMPP_TYPE_SIZE, "", 0, INT64_MAX, "bytes", "" };
	int64_t n;

	if (ompp_option_value(&size, text, &n)) {
		ompp_complain(option, "'%s' is not a size; write bytes, or 4K, 1M, 2G", text);
		return -1;
	}
	*(size_t *)to = (size_t)n;
	return 0;
}

static const struct ompp_command_option options[] = {
	OMPP_FORMAT_ROW(ompp_take_format, ompp_report_format, struct request, format, "WORDS"),
	OMPP_SWITCH_ROW("layout", struct request, layout,
	                "print the structures of the data in a saved profile, with the accesses to each member (of a "
	                "run with OMPP_FIELDS=1)"),
	OMPP_TAKE_ROW("min-bytes", "N", take_bytes, OMPP_MEMBER_AT(struct request, min_bytes, size_t),
	              "list only data of at least N bytes (K M G)"),
};

static int objects_compare(const void *a, const void *b)
{
	const struct ompp_variable *x = *(struct ompp_variable *const *)a, *y = *(struct ompp_variable *const *)b;

	if (x->n_bytes != y->n_bytes)
		return x->n_bytes > y->n_bytes ? -1 : 1;
	return strcmp(x->shown, y->shown);
}

static const char *objects_file(const struct ompp_variable *x)
{
	return x->source[0] ? x->source : x->unit[0] ? x->unit : "-";
}

/* Returns where it is declared, "a.c:5" as far as that is known. */
static const char *objects_declared(const struct ompp_variable *x, struct ompp_arena *arena)
{
	const char *file = objects_file(x);
	size_t n_bytes = strlen(file) + 16;
	char *text = ompp_arena_alloc(arena, n_bytes);

	if (!text || !x->line)
		return text ? file : NULL;
	snprintf(text, n_bytes, "%s:%u", file, x->line);
	return text;
}

/* Prints the list.  Returns the exit status. */
static int objects_print(const struct ompp_variable_list *list, const char *format)
{
	struct ompp_table table;
	struct ompp_arena arena;
	int status;

	ompp_arena_init(&arena, 0);
	ompp_table_init(&table, &arena);
	table.is_tight = 1;
	ompp_table_column(&table, "name", OMPP_IN_RECORDS);
	ompp_table_column(&table, "bytes", OMPP_IN_BOTH);
	ompp_table_left_column(&table, "section", OMPP_IN_BOTH);
	ompp_table_columns(&table, OMPP_IN_RECORDS, "file", "line");
	ompp_table_left_columns(&table, OMPP_IN_TEXT, "name", "declared");
	for (size_t i = 0; i < list->n; i++) {
		const struct ompp_variable *x = list->items[i];

		ompp_table_text(&table, x->shown);
		ompp_table_number(&table, OMPP_KIND_METRIC, (int64_t)x->n_bytes);
		ompp_table_text(&table, ompp_variable_section_name(x->section));
		ompp_table_text(&table, objects_file(x));
		ompp_table_number(&table, x->line ? OMPP_KIND_COUNT : OMPP_KIND_NONE, x->line);
		ompp_table_text(&table, x->shown);
		ompp_table_text(&table, objects_declared(x, &arena));
	}
	status = ompp_print_table(format, &table);
	ompp_arena_fini(&arena);
	return status;
}

/* Says what is missing in the list, and what to do about it. */
static void objects_explain(const struct request *r, const struct ompp_variables *v,
                            const struct ompp_variable_list *list, const char *why)
{
	int n_bare = 0;

	for (size_t i = 0; i < list->n; i++)
		n_bare += (list->items[i]->flags & OMPP_VARIABLE_BARE) != 0;
	if (v->is_stripped)
		ompp_complain(r->path, "no symbol table: strip removed it; only data that the file exports is listed; "
		                       "link without -s");
	else if (n_bare)
		ompp_complain(r->path, "%d statics without their function's name: %s", n_bare, why);
	if (list->n_tls)
		ompp_complain(r->path, "%zu thread-local not listed; name them with inst data in a parallel region",
		              list->n_tls);
	if (list->n_descriptors)
		ompp_complain(r->path, "%zu allocatable not listed; name them with inst data after ALLOCATE",
		              list->n_descriptors);
	if (list->n_unsure)
		ompp_complain(r->path,
		              "%zu not listed that may be allocatable; compile with -g, or name them with inst data",
		              list->n_unsure);
	if (!list->n)
		ompp_complain(r->path, "no data of at least %zu bytes in it", r->min_bytes);
}

static int objects_show(const struct request *r, struct ompp_variables *v)
{
	struct ompp_variable_list list;
	const char *why = "";
	int status = 0;

	ompp_variables_debug(v, NULL, NULL, &why);
	if (ompp_variables_list(v, r->min_bytes, &list)) {
		ompp_complain(r->path, "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	if (list.n)
		qsort(list.items, list.n, sizeof(list.items[0]), objects_compare);
	if (list.n || !ompp_report_is_text(r->format))
		status = objects_print(&list, r->format);
	objects_explain(r, v, &list, why);
	return list.n ? status : OMPP_EXIT_FAILED;
}

static int objects_unreadable(const char *path, int rc, int is_elf)
{
	if (is_elf && rc == -ENOENT)
		ompp_complain(path, "no symbol table: strip removed it; link without -s");
	else
		ompp_complain(path, "cannot be read: %s; give a program or shared library",
		              rc == -ENOEXEC ? "not a program or library of this machine" : strerror(-rc));
	return OMPP_EXIT_FAILED;
}

static int objects_main(int argc, char **argv)
{
	struct request r = { .min_bytes = 1, .format = "" };
	size_t n_files = 0;
	int status = ompp_command_words_of(&ompp_objects_command, &r, argc, argv, &n_files), rc;
	struct ompp_variables v;

	if (status)
		return status - 1;
	if (n_files != 1) {
		ompp_complain("objects", "give one file: a program or shared library");
		return OMPP_EXIT_USAGE;
	}
	r.path = argv[0];
	if (r.layout)
		return ompp_object_layout(r.path);
	rc = ompp_variables_open(&v, r.path, 1);
	if (!rc)
		status = objects_show(&r, &v);
	else
		status = objects_unreadable(r.path, rc, v.chains != NULL);
	ompp_variables_close(&v);
	return status;
}

const struct ompp_command ompp_objects_command = {
	.name = "objects",
	.usage = "[OPTIONS] FILE",
	.brief = "list the data of a program or library that OMPP_DATA_NAME accepts",
	.about = "Lists the global and static data of a program or shared library, largest first, by the names\n"
		 "that OMPP_DATA_NAME and 'ompp run --data' accept.  A name may be shortened as long as it stays\n"
		 "unique.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = objects_main,
};
