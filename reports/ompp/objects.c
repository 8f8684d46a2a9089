/*
 * Objects: ompp objects.  The data of a program or library that OMPP_DATA_NAME can name, largest first.
 */
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/option.h"
#include "runtime/base/text.h"
#include "runtime/program/variable.h"

enum { MOST_COLUMNS = 60 }; /* longer names are not aligned with the others */

struct request {
	const char *path;
	size_t min_bytes;
	const char *format;
};

static const char *option_name(size_t i)
{
	static const char *const names[] = { "--format", "--min-bytes", "--help" };

	return i < OMPP_COUNT_OF(names) ? names[i] : NULL;
}

static int parse_bytes(const char *text, size_t *n_bytes)
{
	static const struct ompp_option_info size = { "MIN_BYTES", OMPP_TYPE_SIZE, "", 0, INT64_MAX, "bytes", "" };
	int64_t n;

	if (ompp_option_value(&size, text, &n)) {
		ompp_complain("--min-bytes", "'%s' is not a size; write bytes, or 4K, 1M, 2G", text);
		return -1;
	}
	*n_bytes = (size_t)n;
	return 0;
}

/* Reads the command line.  Returns 0, or the exit status + 1. */
static int parse(int argc, char **argv, struct request *r)
{
	for (int i = 1; i < argc; i++) {
		const char *value, *near;

		if (argv[i][0] != '-' && !r->path) {
			r->path = argv[i];
		} else if (argv[i][0] != '-') {
			r->path = NULL;
			break;
		} else if (ompp_is_help(argv[i])) {
			return 1 + ompp_help_about("objects");
		} else if ((value = ompp_option_argument(argc, argv, &i, "format"))) {
			r->format = value;
			if (!ompp_format_known(value))
				return 1 + OMPP_EXIT_USAGE;
		} else if ((value = ompp_option_argument(argc, argv, &i, "min-bytes"))) {
			if (parse_bytes(value, &r->min_bytes))
				return 1 + OMPP_EXIT_USAGE;
		} else {
			near = ompp_nearest_typed(argv[i], option_name);
			ompp_complain(argv[i], "unknown option; %s%s",
			              near ? "did you mean " : "'ompp help objects' lists them", near ? near : "");
			return 1 + OMPP_EXIT_USAGE;
		}
	}
	if (r->path)
		return 0;
	ompp_complain("objects", "give one file: a program or shared library");
	return 1 + OMPP_EXIT_USAGE;
}

static int compare(const void *a, const void *b)
{
	const struct ompp_variable *x = *(struct ompp_variable *const *)a, *y = *(struct ompp_variable *const *)b;

	if (x->n_bytes != y->n_bytes)
		return x->n_bytes > y->n_bytes ? -1 : 1;
	return strcmp(x->shown, y->shown);
}

static const char *declared(const struct ompp_variable *x)
{
	return x->source[0] ? x->source : x->unit[0] ? x->unit : "-";
}

/* Prints the list for programs.  Returns the exit status. */
static int print_records(const struct ompp_variable_list *list, const char *format)
{
	static const char *const titles[] = { "name", "bytes", "section", "file", "line" };
	struct ompp_table table;
	struct ompp_arena arena;
	int status;

	ompp_arena_init(&arena, 0);
	ompp_list_start(&table, &arena, titles, OMPP_COUNT_OF(titles));
	for (size_t i = 0; i < list->n; i++) {
		const struct ompp_variable *x = list->items[i];

		ompp_table_text(&table, x->shown);
		ompp_table_number(&table, OMPP_KIND_COUNT, (int64_t)x->n_bytes);
		ompp_table_text(&table, ompp_variable_place_name(x->place));
		ompp_table_text(&table, declared(x));
		ompp_table_number(&table, x->line ? OMPP_KIND_COUNT : OMPP_KIND_NONE, x->line);
	}
	status = ompp_print_table(format, &table);
	ompp_arena_fini(&arena);
	return status;
}

static void print_text(const struct ompp_variable_list *list)
{
	size_t width = strlen("name");

	for (size_t i = 0; i < list->n; i++) {
		size_t columns = ompp_text_columns(ompp_shown(list->items[i]->shown));

		width = columns > width && columns <= MOST_COLUMNS ? columns : width;
	}
	printf("%15s  section  %-*s  declared\n", "bytes", (int)width, "name");
	for (size_t i = 0; i < list->n; i++) {
		const struct ompp_variable *x = list->items[i];
		const char *name = ompp_shown(x->shown);
		char number[32];
		struct ompp_text t;

		ompp_text_init(&t, number, sizeof(number));
		ompp_text_grouped(&t, (int64_t)x->n_bytes);
		ompp_text_pad_left(&t, 0, 15);
		printf("%s  %-7s  %s", number, ompp_variable_place_name(x->place), name);
		for (size_t n = ompp_text_columns(name); n < width; n++)
			putchar(' ');
		printf("  %s", ompp_shown(declared(x)));
		if (x->line)
			printf(":%u", x->line);
		putchar('\n');
	}
}

/* Says what the list lacks, and what to do about it. */
static void explain(const struct request *r, const struct ompp_variables *v, const struct ompp_variable_list *list,
                    const char *why)
{
	int n_bare = 0;

	for (size_t i = 0; i < list->n; i++)
		n_bare += (list->items[i]->flags & OMPP_VARIABLE_BARE) != 0;
	if (v->is_stripped)
		ompp_complain(r->path, "no symbol table: strip removed it; only what libraries may use is listed; "
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

static int show(const struct request *r, struct ompp_variables *v)
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
		qsort(list.items, list.n, sizeof(list.items[0]), compare);
	if (!ompp_report_is_text(r->format))
		status = print_records(&list, r->format);
	else if (list.n)
		print_text(&list);
	explain(r, v, &list, why);
	return list.n ? status : OMPP_EXIT_FAILED;
}

static int unreadable(const char *path, int rc, int is_elf)
{
	if (is_elf && rc == -ENOENT)
		ompp_complain(path, "no symbol table: strip removed it; link without -s");
	else
		ompp_complain(path, "cannot be read: %s; give a program or shared library",
		              rc == -ENOEXEC ? "not a program or library of this machine" : strerror(-rc));
	return OMPP_EXIT_FAILED;
}

int ompp_objects(int argc, char **argv)
{
	struct request r = { .min_bytes = 1, .format = "" };
	int status = parse(argc, argv, &r), rc;
	struct ompp_variables v;

	if (status)
		return status - 1;
	rc = ompp_variables_open(&v, r.path, 1);
	if (!rc)
		status = show(&r, &v);
	else
		status = unreadable(r.path, rc, v.chains != NULL);
	ompp_variables_close(&v);
	return status;
}
