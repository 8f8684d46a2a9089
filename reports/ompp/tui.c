/*
 * Tui: ompp tui: a saved profile in the terminal, to go through.
 */
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/report_options.h"
#include "reports/ompp/tui_browse.h"
#include "reports/profile/merge.h"
#include "runtime/base/array.h"

static const char *option_name(size_t i)
{
	static const char *const names[] = { "--region",  "--object", "--property-min", "--numa",
		                             "--columns", "--merge",  "--instances",    "--help" };

	return i < OMPP_COUNT_OF(names) ? names[i] : NULL;
}

struct request {
	struct ompp_report_options options;
	int n_files, merge;
};

/* Reads the command line, and moves the files to the front of argv.  Returns 0, or the exit status + 1. */
static int parse(int argc, char **argv, struct request *r)
{
	int only_files = 0, taken;

	for (int i = 1; i < argc; i++) {
		const char *near;

		if (only_files || argv[i][0] != '-' || !argv[i][1]) {
			argv[r->n_files++] = argv[i];
		} else if (!strcmp(argv[i], "--")) {
			only_files = 1;
		} else if (ompp_is_help(argv[i])) {
			return 1 + ompp_help_about("tui");
		} else if (!strcmp(argv[i], "--merge")) {
			r->merge = 1;
		} else if ((taken = ompp_choice_option(argc, argv, &i, &r->options))) {
			if (taken < 0)
				return 1 + OMPP_EXIT_USAGE;
		} else {
			near = ompp_nearest_typed(argv[i], option_name);
			ompp_complain(argv[i], "unknown option; %s%s",
			              near ? "did you mean " : "'ompp help tui' lists them", near ? near : "");
			return 1 + OMPP_EXIT_USAGE;
		}
	}
	if (r->n_files)
		return 0;
	ompp_complain("tui", "no file; give a saved profile (.ompp)");
	return 1 + OMPP_EXIT_USAGE;
}

int ompp_tui(int argc, char **argv)
{
	struct request r = { .options = { .property_min = ompp_setting(OMPP_OPT_PROPERTY_MIN),
		                          .far_min = ompp_setting(OMPP_OPT_FAR_MIN) } };
	struct ompp_profile *profiles, merged;
	struct ompp_arena arena;
	int status = parse(argc, argv, &r);

	if (status)
		return status - 1;
	ompp_arena_init(&arena, 0);
	profiles = ompp_load_all("tui", argv, (size_t)r.n_files, r.merge, &arena, &status);
	if (profiles && !ompp_choice_known(&r.options, profiles, (size_t)r.n_files, &arena))
		status = OMPP_EXIT_USAGE;
	if (!status) {
		struct ompp_book book = { .profile = profiles, .options = r.options };
		int rc = 0;

		if (r.n_files > 1) {
			rc = ompp_profile_merge(profiles, (size_t)r.n_files, &arena, &merged);
			book.profile = &merged;
		}
		if (rc)
			ompp_complain("tui", "%s", strerror(-rc));
		status = rc ? OMPP_EXIT_FAILED : ompp_tui_browse(&book);
	}
	ompp_arena_fini(&arena);
	return status;
}
