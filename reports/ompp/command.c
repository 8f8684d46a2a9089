/*
 * Command: which command was asked for.
 */
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "runtime/base/array.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "run", ompp_run },
	{ "report", ompp_show },
	{ "tui", ompp_tui },
	{ "annotate", ompp_annotate },
	{ "regions", ompp_regions },
	{ "objects", ompp_objects },
	{ "counters", ompp_counters },
	{ "place", ompp_place },
	{ "flow", ompp_flow_command },
	{ "pages", ompp_pages_command },
	{ "sensors", ompp_sensors_command },
	{ "stat", ompp_stat },
	{ "record", ompp_record },
	{ "export", ompp_export },
	{ "live", ompp_live },
	{ "diff", ompp_diff_command },
	{ "scaling", ompp_scaling_command },
	{ "help", ompp_help },
};

static const char *command_name(size_t i)
{
	return i < OMPP_COUNT_OF(commands) ? commands[i].name : NULL;
}

static int run(int argc, char **argv)
{
	const char *near;

	if (argc < 2) {
		ompp_help(0, NULL);
		return OMPP_EXIT_USAGE;
	}
	for (size_t i = 0; command_name(i); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version")) {
		puts("ompp (" PACKAGE_NAME ") " PACKAGE_VERSION);
		return 0;
	}
	if (ompp_is_help(argv[1]))
		return ompp_help(argc - 1, argv + 1);
	near = ompp_nearest_typed(argv[1], command_name);
	if (near)
		ompp_complain(argv[1], "unknown command; did you mean 'ompp %s'?", near);
	else
		ompp_complain(argv[1], "unknown command; 'ompp help' lists them");
	return OMPP_EXIT_USAGE;
}

int ompp_main(int argc, char **argv)
{
	int status = run(argc, argv), rc = fflush(stdout) ? -errno : ferror(stdout) ? -EIO : 0;

	return status ? status : ompp_print_status(rc);
}
