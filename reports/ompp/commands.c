/*
 * Command: which command was asked for.
 */
#include "reports/ompp/ompp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "reports/command/command_line.h"

static const char *command_name(size_t i)
{
	const struct ompp_command *command = ompp_command(i);

	return command ? command->name : NULL;
}

static int command_run(int argc, char **argv)
{
	const char *near;

	if (argc < 2) {
		ompp_commands_print(1);
		return OMPP_EXIT_USAGE;
	}
	for (size_t i = 0; command_name(i); i++)
		if (!strcmp(argv[1], command_name(i)))
			return ompp_command(i)->run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version")) {
		puts("ompp (" PACKAGE_NAME ") " PACKAGE_VERSION);
		return 0;
	}
	if (ompp_is_help(argv[1])) {
		ompp_commands_print(0);
		return 0;
	}
	near = ompp_nearest_typed(argv[1], command_name);
	if (near)
		ompp_complain(argv[1], "unknown command; did you mean 'ompp %s'?", near);
	else
		ompp_complain(argv[1], "unknown command; 'ompp help' lists them");
	return OMPP_EXIT_USAGE;
}

int ompp_main(int argc, char **argv)
{
	int status = command_run(argc, argv), rc = fflush(stdout) ? -errno : ferror(stdout) ? -EIO : 0;

	return status ? status : ompp_print_status(rc);
}
