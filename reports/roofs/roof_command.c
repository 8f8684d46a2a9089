/*
 * Roof command: ompp machine.
 */
#define _GNU_SOURCE
#include "reports/command/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "reports/command/command_line.h"
#include "reports/command/listing.h"
#include "reports/report.h"
#include "reports/roofs/roof_file.h"
#include "reports/roofs/roof_measure.h"
#include "runtime/base/array.h"

struct request {
	const char *file, *format;
	int show;
};

static const struct command_words {
	const char *kind, *unit;
} words[OMPP_N_ROOF_KINDS] = {
	[OMPP_ROOF_FLOPS] = { "operations", "Gflop/s" },
	[OMPP_ROOF_DIVISIONS] = { "divisions", "G/s" },
	[OMPP_ROOF_BYTES] = { "bytes", "GB/s" },
};

static const struct ompp_command_option options[] = {
	OMPP_TEXT_ROW("file", "FILE", struct request, file,
	              "save the roofs in this file instead of the user's cache directory"),
	OMPP_SWITCH_ROW("show", struct request, show, "print the roofs that the file has; measure nothing"),
	OMPP_FORMAT_ROW(ompp_take_format, ompp_report_format, struct request, format, "WORDS"),
};

/* Prints all roofs.  Returns the exit status. */
static int roofs_list(const struct ompp_roofs *r, const struct request *request, struct ompp_arena *arena)
{
	struct ompp_table table;

	ompp_table_init(&table, arena);
	ompp_table_left_columns(&table, OMPP_IN_BOTH, "roof", "of");
	ompp_table_columns(&table, OMPP_IN_BOTH, "threads", "rate");
	ompp_table_left_column(&table, "unit", OMPP_IN_BOTH);
	ompp_table_column(&table, "spread", OMPP_IN_BOTH);
	for (size_t i = 0; i < r->n; i++) {
		ompp_table_text(&table, r->list[i].name);
		ompp_table_text(&table, words[r->list[i].kind].kind);
		ompp_table_number(&table, OMPP_KIND_COUNT, r->list[i].n_threads);
		ompp_table_decimal(&table, ompp_decimal(r->list[i].rate, -9));
		ompp_table_text(&table, words[r->list[i].kind].unit);
		ompp_table_number(&table, OMPP_KIND_SHARE, r->list[i].spread);
	}
	if (ompp_report_is_text(request->format))
		printf("%s%s%s, %s, %u threads, vectors: %s; others used %.1f %% of the processors\n\n",
		       ompp_shown(r->host), r->cpu[0] ? ", " : "", ompp_shown(r->cpu), ompp_shown(r->date),
		       r->n_threads, ompp_shown(r->vector), (double)r->others / 1e7);
	return ompp_print_table(request->format, &table);
}

/* Measures, and keeps what was measured.  Returns 0, or the exit status after a complaint. */
static int measure(struct ompp_roofs *roofs, const char *path, struct ompp_arena *arena)
{
	int rc = ompp_roofs_measure(roofs, arena);

	if (rc) {
		ompp_complain("machine", "its roofs cannot be measured: %s", strerror(-rc));
		return OMPP_EXIT_FAILED;
	}
	rc = ompp_roofs_write(roofs, path);
	if (rc) {
		ompp_complain(path, "cannot be written: %s; name another file with --file", strerror(-rc));
		return OMPP_EXIT_FAILED;
	}
	if (roofs->others > OMPP_ROOFS_MOST_OTHERS)
		ompp_complain("machine",
		              "it was busy: others used %.1f %% of its processors, so the roofs may be too low; "
		              "measure again when it is idle",
		              (double)roofs->others / 1e7);
	return 0;
}

static int show(struct ompp_roofs *roofs, const char *path, struct ompp_arena *arena)
{
	const char *why;
	int rc = ompp_roofs_read(roofs, path, arena, &why);

	if (rc == -EINVAL)
		ompp_complain(path, "%s", why);
	else if (rc)
		ompp_complain(path, "cannot be read: %s; 'ompp machine' measures the roofs", strerror(-rc));
	return rc ? OMPP_EXIT_FAILED : 0;
}

static int machine_main(int argc, char **argv)
{
	struct request r = { .format = "" };
	size_t n_words = 0;
	int status = ompp_command_words_of(&ompp_machine_command, &r, argc, argv, &n_words);
	struct utsname name;
	struct ompp_roofs roofs;
	struct ompp_arena arena;

	if (status)
		return status - 1;
	if (n_words) {
		ompp_complain(argv[0], "unexpected word; 'ompp machine' takes only options");
		return OMPP_EXIT_USAGE;
	}
	uname(&name);
	ompp_arena_init(&arena, 0);
	if (!r.file)
		r.file = ompp_roofs_path(name.nodename, &arena);
	if (!r.file) {
		ompp_complain("machine", "neither XDG_CACHE_HOME nor HOME is set; name a file with --file");
		status = OMPP_EXIT_USAGE;
	}
	if (!status)
		status = r.show ? show(&roofs, r.file, &arena) : measure(&roofs, r.file, &arena);
	if (!status)
		status = roofs_list(&roofs, &r, &arena);
	ompp_arena_fini(&arena);
	return status;
}

const struct ompp_command ompp_machine_command = {
	.name = "machine",
	.usage = "[OPTIONS]",
	.brief = "measure the most operations and bytes per second of this machine",
	.about = "Measures the roofs of this machine in about a second: operations per second of one thread and of\n"
		 "all threads, and the bandwidth of each cache, of memory and of each NUMA node.  It saves them\n"
		 "for the section Roofline of 'ompp report'.  Run it on an idle machine.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = machine_main,
};
