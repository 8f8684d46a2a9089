/*
 * Terminal: see terminal.h.
 */
#define _GNU_SOURCE
#include "reports/command/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/analysis/report_options.h"
#include "reports/command/arguments.h"
#include "runtime/base/array.h"
#include "runtime/base/search.h"
#include "runtime/terms/launcher.h"

enum { REPORT_COLUMNS = 80, LEAST_BAR = 8, MOST_BAR = 24, USUAL_COLUMNS = 80 };

const char *ompp_color_word(size_t i)
{
	static const char *const words[] = { "auto", "always", "never" };

	return i < OMPP_COUNT_OF(words) ? words[i] : NULL;
}

/* Returns the first of the variables that is set to something; "" when none is. */
static const char *first_of(const char *const *names)
{
	for (; *names; names++) {
		const char *value = getenv(*names);

		if (value && value[0])
			return value;
	}
	return "";
}

static unsigned int terminal_columns(void)
{
	struct winsize size;

	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : USUAL_COLUMNS;
}

static int is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !term[0] || !strcmp(term, "dumb");
}

void ompp_terminal_look(struct ompp_report_options *options)
{
	static const char *const locales[] = { "LC_ALL", "LC_CTYPE", "LANG", NULL };
	const char *word = options->color;
	const char *none = getenv("NO_COLOR"), *locale = first_of(locales);
	int is_terminal = isatty(STDOUT_FILENO), is_plain = (none && none[0]) || is_dumb();

	options->has_color = word && !strcmp(word, "always") ? 1
	                   : word && !strcmp(word, "never")  ? 0
	                                                     : is_terminal && !is_plain;
	options->has_blocks = strcasestr(locale, "UTF-8") || strcasestr(locale, "UTF8");
	options->bar_columns = 0;
	options->text_columns = is_terminal ? terminal_columns() : 0;
	if (is_terminal && terminal_columns() > REPORT_COLUMNS + LEAST_BAR) {
		options->bar_columns = terminal_columns() - REPORT_COLUMNS - 1;
		if (options->bar_columns > MOST_BAR)
			options->bar_columns = MOST_BAR;
		options->text_columns -= options->bar_columns + 1;
	}
}

/* ---- the pager ---- */

/* Signals that ompp ignores while the pager runs: those of the terminal, and SIGPIPE if the pager ends before all is
 * written. */
static const int signals[] = { SIGINT, SIGQUIT, SIGPIPE };
static struct sigaction before[OMPP_COUNT_OF(signals)];

/* Returns the command of the pager; NULL for none. */
static const char *terminal_pager(void)
{
	const char *own = getenv("OMPP_PAGER"), *usual = getenv("PAGER"), *command = own ? own : usual;
	char path[4096];

	if (!command && is_dumb()) /* on such a terminal less asks before it shows anything */
		return NULL;
	if (!command)
		return ompp_search("less", X_OK, path, sizeof(path)) ? NULL : "less";
	return command[0] && strcmp(command, "cat") ? command : NULL;
}

/* Is this one of the ranks that a launcher started?  Open MPI gives each a terminal, at which nobody sits. */
static int is_rank(void)
{
	int rank, size;

	ompp_launcher_find(environ, &rank, &size);
	return rank >= 0 && size > 1;
}

pid_t ompp_pager_start(void)
{
	const char *command = isatty(STDOUT_FILENO) && !is_rank() ? terminal_pager() : NULL;
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int ends[2];
	pid_t pid;

	if (!command || pipe(ends))
		return 0;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		/* quit if all fits on the screen; pass colours through; leave the text on the screen */
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(OMPP_EXIT_NOT_FOUND);
	}
	close(ends[0]);
	if (pid > 0) {
		dup2(ends[1], STDOUT_FILENO);
		for (size_t i = 0; i < OMPP_COUNT_OF(signals); i++)
			sigaction(signals[i], &ignore, &before[i]);
	}
	close(ends[1]);
	return pid > 0 ? pid : 0;
}

int ompp_pager_end(pid_t pid)
{
	int status = 0;

	if (!pid)
		return 0;
	fflush(stdout);
	close(STDOUT_FILENO);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < OMPP_COUNT_OF(signals); i++)
		sigaction(signals[i], &before[i], NULL);
	if (!WIFEXITED(status) ||
	    (WEXITSTATUS(status) != OMPP_EXIT_NOT_FOUND && WEXITSTATUS(status) != OMPP_EXIT_NOT_RUN))
		return 0;
	ompp_complain(getenv("OMPP_PAGER") ? "OMPP_PAGER" : "PAGER",
	              "'%s' cannot be run; give another pager, or cat for none", terminal_pager());
	return -1;
}
