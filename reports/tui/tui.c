/*
 * Tui: ompp tui: an interactive view of a saved profile in the terminal.
 */
#include "reports/show/show.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/report_options.h"
#include "reports/command/command_line.h"
#include "reports/profile/merge.h"
#include "reports/tui/tui_browse.h"
#include "runtime/base/array.h"

struct request {
	struct ompp_report_options options;
	size_t n_files;
	int merge;
};

static const struct ompp_command_option options[] = {
	OMPP_SWITCH_ROW("merge", struct request, merge, "add up profiles that are not the ranks of one MPI run"),
};

static int tui_main(int argc, char **argv)
{
	struct request r = { .options = { .property_min = ompp_setting(OMPP_OPT_PROPERTY_MIN),
		                          .far_min = ompp_setting(OMPP_OPT_FAR_MIN) } };
	struct ompp_profile *profiles, merged;
	struct ompp_arena arena;
	int status = ompp_command_words_of(&ompp_tui_command, &r, argc, argv, &r.n_files);

	if (status)
		return status - 1;
	if (!r.n_files) {
		argv = ompp_newest("tui");
		if (!argv)
			return OMPP_EXIT_USAGE;
		r.n_files = 1;
	}
	ompp_arena_init(&arena, 0);
	profiles = ompp_load_all("tui", argv, r.n_files, r.merge, &arena, &status);
	if (profiles)
		status = ompp_choice_fold("tui", &r.options, profiles, r.n_files, &arena);
	if (profiles && !status && !ompp_choice_known(&r.options, profiles, r.n_files, &arena))
		status = OMPP_EXIT_USAGE;
	if (!status) {
		struct ompp_book book = { .profile = profiles, .options = r.options };
		int rc = 0;

		if (r.n_files > 1) {
			rc = ompp_profile_merge(profiles, r.n_files, &arena, &merged);
			book.profile = &merged;
		}
		if (rc)
			ompp_complain("tui", "%s", strerror(-rc));
		status = rc ? OMPP_EXIT_FAILED : ompp_tui_browse(&book);
	}
	ompp_arena_fini(&arena);
	return status;
}

const struct ompp_command ompp_tui_command = {
	.name = "tui",
	.suffix = "ompp",
	.usage = "[OPTIONS] [FILE...]",
	.brief = "browse a report on the terminal: sort, search, open",
	.about = "Shows the report of a saved profile (.ompp), or of all ranks of an MPI run, interactively on the\n"
		 "terminal: sections, regions as a tree and as a list, the threads of a region, data objects, the\n"
		 "source.  Press ? for the keys and q to quit.  It uses no colours if NO_COLOR is set.\n",
	.tables = { { ompp_choice_options, OMPP_CHOICE_OPTIONS, offsetof(struct request, options) },
	            { options, OMPP_COUNT_OF(options), 0 } },
	.run = tui_main,
};
