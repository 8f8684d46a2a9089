/*
 * Stat: ompp stat.  What the machine does, or did when it was recorded, a line at each interval.
 */
#include <stdio.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/command/command_line.h"
#include "reports/watch/recording.h"
#include "reports/watch/sheet_choice.h"
#include "reports/watch/sheet_share.h"
#include "reports/watch/sheet_text.h"
#include "reports/watch/watcher.h"
#include "reports/watch/watcher_options.h"

/* Default columns without -e, as far as the machine has them. */
static const char of_machine[] =
	"stat:user,stat:system,stat:iowait,stat:idle,stat:switches,vmstat:pgfault,node:MemFree,"
	"node:numa_hit,node:numa_miss,diskstats:read,diskstats:written";
static const char of_program[] = "task:run,task:wait,process:minor,process:resident,stat:user,stat:system,stat:idle,"
				 "node:numa_hit,node:numa_miss,value";

/* Lines of text, with shares of limits. */
struct shown {
	struct ompp_sheet_text text;
	struct ompp_sheet_share share;
	struct ompp_sink lines; /* of the text */
};

static struct ompp_sink shown_on(struct shown *s, FILE *out)
{
	s->lines = ompp_sheet_text(&s->text, out);
	return ompp_sheet_share(&s->share, &s->lines);
}

static void shown_free(void *shown)
{
	struct shown *s = shown;

	ompp_sheet_share_free(&s->share);
	ompp_sheet_text_free(&s->text);
}

static int open_text(struct ompp_watcher *w, struct ompp_sink *sink)
{
	*sink = shown_on(w->context, w->program ? stderr : stdout); /* the program's output stays its own */
	return 0;
}

static const char *asked; /* by -e, of a recording; or NULL */

static int find_column(void *context, const char *pattern)
{
	const struct ompp_sheet *sheet = context;

	for (size_t i = 0; i < sheet->n; i++)
		if (ompp_watch_fits(pattern, sheet->columns[i].sensor, sheet->columns[i].event,
		                    sheet->columns[i].source))
			return 1;
	return 0;
}

/* Returns the patterns for a recording: the default ones of a program, if it has a program's sensors; all if it has
 * nothing of the default ones. */
static const char *patterns_of(const struct ompp_sheet *sheet)
{
	const char *patterns = of_machine;

	for (size_t i = 0; i < sheet->n; i++)
		if (!strcmp(sheet->columns[i].sensor, "process") || !strcmp(sheet->columns[i].sensor, "task"))
			patterns = of_program;
	return asked ? asked : ompp_watch_each_pattern(patterns, find_column, (void *)sheet) ? patterns : "*";
}

static int stat_replay(const char *path)
{
	struct ompp_recording_info info;
	struct shown shown = { 0 };
	struct ompp_sheet_choice choice;
	struct ompp_sink lines = shown_on(&shown, stdout), sink = ompp_sheet_choice(&choice, &lines, patterns_of);
	int rc = ompp_recording_replay(path, &sink, &info);

	if (asked && choice.is_begun && !choice.n_from) {
		ompp_complain(asked, "the recording has no such event; -e '*' shows all that it has");
		rc = -2;
	}
	ompp_sheet_choice_free(&choice);
	shown_free(&shown);
	return rc ? OMPP_EXIT_FAILED : ompp_recording_tell(path, &info);
}

static int stat_main(int argc, char **argv)
{
	struct shown shown = { 0 };
	struct ompp_watcher w = { .command = "stat",
		                  .interval_ns = INT64_C(1000000000),
		                  .open = open_text,
		                  .close = shown_free,
		                  .context = &shown };
	const char *file = NULL;
	int status = ompp_watcher_parse(&w, &ompp_stat_command, &w, argc, argv, &file);

	if (status)
		return status - 1;
	if (file) {
		asked = w.events;
		w.events = NULL;
	}
	if (file && !ompp_watcher_is_idle(&w, file))
		return OMPP_EXIT_USAGE;
	return file ? stat_replay(file) : ompp_watcher_run(&w, w.program || w.pid ? of_program : of_machine);
}

const struct ompp_command ompp_stat_command = {
	.name = "stat",
	.suffix = "jsonl",
	.usage = "[OPTIONS] [-- PROGRAM [ARGS]]\n[-e LIST] FILE",
	.brief = "print what the machine does, one line per second, also while a PROGRAM runs",
	.about = "Prints a line about the machine at each interval; of counters, how much they grew per second.\n"
		 "With a PROGRAM it prints to stderr while the program runs, and exits with the program's status.\n"
		 "With a FILE that 'ompp record' wrote, it prints the same columns of the recording, or those that\n"
		 "-e selects; all columns if the recording has none of them.\n"
		 "\n",
	.tables = { { ompp_watcher_options, OMPP_WATCHER_OPTIONS, 0 } },
	.run = stat_main,
};
