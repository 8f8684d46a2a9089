/*
 * Live: ompp live.  What the machine does, or did when it was recorded, as a page in a browser.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/command/command_line.h"
#include "reports/watch/bytes.h"
#include "reports/watch/coarse.h"
#include "reports/watch/journal.h"
#include "reports/watch/recorder.h"
#include "reports/watch/recording.h"
#include "reports/watch/server.h"
#include "reports/watch/watch_json.h"
#include "reports/watch/watcher.h"
#include "reports/watch/watcher_options.h"
#include "runtime/base/array.h"

enum {
	KEPT_BYTES = 3 << 20,    /* of samples, compressed, for pages that are opened later or were cut off */
	OLDER_BYTES = 3 << 19,   /* of the combined samples of each second, which go further back */
	KEPT_OF_FILE = 512 << 20 /* of a recording, which is read once and completely */
};

#define SECOND_NS INT64_C(1000000000)

/* The events that a page shows at first; others can be switched on there. */
static const char usual[] =
	"stat:user,stat:system,stat:iowait,stat:idle,vmstat:pgfault,vmstat:pgmajfault,node:MemFree@*,"
	"node:numa_hit@*,node:numa_miss@*,diskstats:read,diskstats:written,net:received,net:sent,"
	"task:run,task:wait,process:minor,process:resident,value,region:threads@*,region:waiting@*";

struct live {
	const char *listen;
	struct ompp_server *server;
	struct ompp_journal *journal;
	struct ompp_recorder *recorder; /* which writes into the journal */
	struct ompp_sink record;
	struct ompp_recorder *older; /* which writes combined samples */
	struct ompp_coarse *coarse;
	unsigned int known;     /* the watch's state that the catalog is for */
	struct ompp_bytes text; /* that is being composed */
};

struct request {
	struct ompp_watcher watcher;
	struct live live;
};

static const struct ompp_command_option options[] = {
	OMPP_TEXT_ROW("listen", "ADDR:PORT", struct request, live.listen,
	              "address of the page (default 127.0.0.1:0: this machine only, any free port)"),
};

/* ---- what pages are told ---- */

static void live_str(struct live *l, const char *text)
{
	ompp_bytes_put(&l->text, text, strlen(text));
}

/* Adds a member of an object, whose text is quoted. */
static void live_member(struct live *l, const char *key, const char *text)
{
	live_str(l, key);
	ompp_json_quote(text ? text : "", ompp_bytes_put, &l->text);
}

static void live_number(struct live *l, const char *key, int64_t n)
{
	char text[32];

	live_str(l, key);
	ompp_bytes_put(&l->text, text, (size_t)snprintf(text, sizeof(text), "%lld", (long long)n));
}

static void live_tell(struct live *l, enum ompp_journal_kind kind)
{
	if (!l->text.is_failed)
		ompp_journal_set(l->journal, kind, l->text.text, l->text.n);
	l->text.n = 0;
	l->text.is_failed = 0;
}

/* Publishes the settings of the watcher.
 * about, why: of a command that failed, or NULL */
static void tell_state(void *context, const struct ompp_watcher *w, const char *about, const char *why)
{
	struct live *l = context;

	live_str(l, "{");
	live_number(l, "\"interval_ns\":", w->interval_ns);
	live_number(l, ",\"paused\":", w->is_paused);
	live_number(l, ",\"ended\":", w->is_over);
	live_number(l, ",\"discrete\":", w->is_discrete);
	live_str(l, ",\"patterns\":[");
	for (size_t i = 0; i < w->watch.n_patterns; i++)
		live_member(l, i ? "," : "", w->watch.patterns[i]);
	live_str(l, "]");
	if (why) {
		live_member(l, ",\"about\":", about);
		live_member(l, ",\"why\":", why);
	}
	live_str(l, "}");
	live_tell(l, OMPP_JOURNAL_STATE);
}

/* Publishes the events that can be read, and why others cannot. */
static void tell_catalog(struct live *l, const struct ompp_watch *watch)
{
	unsigned int known = 1;

	for (size_t i = 0; i < watch->n_meters; i++)
		known += watch->meters[i].generation;
	if (known == l->known)
		return;
	l->known = known;
	live_str(l, "{\"sensors\":[");
	for (size_t i = 0; i < watch->n_meters; i++) {
		const struct ompp_meter *m = &watch->meters[i];

		live_member(l, i ? ",{\"sensor\":" : "{\"sensor\":", m->sensor->name);
		live_member(l, ",\"what\":", m->sensor->what);
		live_member(l, ",\"of\":", m->sensor->of);
		if (!m->is_open)
			live_member(l, ",\"why\":", m->why);
		live_number(l, ",\"sources\":", (int64_t)m->n_sources);
		live_str(l, ",\"events\":[");
		for (size_t e = 0; e < m->n_events; e++) {
			live_member(l, e ? ",{\"name\":" : "{\"name\":", m->events[e].name);
			live_member(l, ",\"unit\":", m->events[e].unit);
			live_member(l, ",\"what\":", m->events[e].what);
			live_number(l, ",\"gauge\":", m->events[e].kind == OMPP_SENSOR_GAUGE);
			live_str(l, "}");
		}
		live_str(l, "]}");
	}
	live_str(l, "]}");
	live_tell(l, OMPP_JOURNAL_CATALOG);
}

/* ---- the sink ---- */

static int on_sample(void *context, const struct ompp_sheet *sheet)
{
	struct ompp_watcher *w = context;
	struct live *l = w->context;

	tell_catalog(l, &w->watch);
	l->record.sample(l->record.context, sheet);
	ompp_coarse_sample(l->coarse, sheet);
	return 0;
}

static int on_threads(void *context, const struct ompp_sheet_threads *threads)
{
	struct live *l = ((struct ompp_watcher *)context)->context;

	ompp_coarse_threads(l->coarse, threads);
	return l->record.threads(l->record.context, threads);
}

static int on_label(void *context, const char *text, int64_t time_ns)
{
	struct live *l = ((struct ompp_watcher *)context)->context;

	ompp_coarse_label(l->coarse, text, time_ns);
	return l->record.label(l->record.context, text, time_ns);
}

static int on_pause(void *context, int is_paused, int64_t time_ns)
{
	struct live *l = ((struct ompp_watcher *)context)->context;

	ompp_coarse_pause(l->coarse, is_paused, time_ns);
	return l->record.pause(l->record.context, is_paused, time_ns);
}

static int on_end(void *context, int64_t time_ns)
{
	struct ompp_watcher *w = context;
	struct live *l = w->context;

	w->is_over = 1;
	tell_state(l, w, NULL, NULL);
	return l->record.end(l->record.context, time_ns);
}

/* ---- the page ---- */

/* Starts the server, and says where it is.  Returns 0, or the exit status after a complaint. */
static int live_serve(struct live *l, FILE *out)
{
	l->server = ompp_server_open(l->listen, l->journal);
	if (!l->server)
		return OMPP_EXIT_FAILED;
	if (ompp_server_is_open(l->server))
		ompp_complain("--listen", "other machines can reach this address: anyone who knows it with its token "
		                          "sees everything shown, and the connection is not encrypted");
	fprintf(out, "%s\n", ompp_server_url(l->server));
	fflush(out);
	return 0;
}

static int open_page(struct ompp_watcher *w, struct ompp_sink *sink)
{
	struct live *l = w->context;
	struct ompp_sink older;

	l->journal = ompp_journal_open(KEPT_BYTES, OLDER_BYTES);
	l->recorder = l->journal ? ompp_recorder_to(ompp_journal_add, l->journal, w->program, w->interval_ns,
	                                            w->start_unix_ns)
	                         : NULL;
	l->older = l->journal ? ompp_recorder_to(ompp_journal_add_older, l->journal, w->program, w->interval_ns,
	                                         w->start_unix_ns)
	                      : NULL;
	if (!l->recorder || !l->older)
		return OMPP_EXIT_FAILED;
	l->record = ompp_recorder_sink(l->recorder);
	older = ompp_recorder_sink(l->older);
	l->coarse = ompp_coarse_open(&older, SECOND_NS);
	if (!l->coarse)
		return OMPP_EXIT_FAILED;
	*sink = (struct ompp_sink){ .sample = on_sample,
		                    .threads = on_threads,
		                    .label = on_label,
		                    .pause = on_pause,
		                    .end = on_end,
		                    .context = w };
	tell_catalog(l, &w->watch);
	tell_state(l, w, NULL, NULL);
	return live_serve(l, w->program ? stderr : stdout); /* the program's output stays its own */
}

static void close_page(void *context)
{
	struct live *l = context;

	if (l->server)
		ompp_server_close(l->server);
	if (l->recorder)
		ompp_recorder_close(l->recorder);
	if (l->coarse)
		ompp_coarse_close(l->coarse);
	if (l->older)
		ompp_recorder_close(l->older);
	if (l->journal)
		ompp_journal_close(l->journal);
	free(l->text.text);
}

static int page_fd(void *context)
{
	struct live *l = context;

	return l->server ? ompp_server_fd(l->server) : -1;
}

static int next_command(void *context, char *command, size_t n_command)
{
	struct live *l = context;
	char text[OMPP_SERVER_COMMAND];

	if (!ompp_server_command(l->server, text))
		return 0;
	snprintf(command, n_command, "%s", text);
	return 1;
}

/* ---- a recording ---- */

/* Begins a recording of the file; a file may have several. */
static int on_start(void *context, const struct ompp_recording_info *info)
{
	struct live *l = context;

	if (l->recorder)
		ompp_recorder_close(l->recorder);
	l->recorder = ompp_recorder_to(ompp_journal_add, l->journal, NULL, info->interval_ns, info->start_unix_ns);
	if (l->recorder)
		l->record = ompp_recorder_sink(l->recorder);
	return l->recorder ? 0 : -1;
}

static int replay_sample(void *context, const struct ompp_sheet *sheet)
{
	struct live *l = context;

	return l->record.sample(l->record.context, sheet);
}

static int replay_threads(void *context, const struct ompp_sheet_threads *threads)
{
	struct live *l = context;

	return l->record.threads(l->record.context, threads);
}

static int replay_label(void *context, const char *text, int64_t time_ns)
{
	struct live *l = context;

	return l->record.label(l->record.context, text, time_ns);
}

static int replay_pause(void *context, int is_paused, int64_t time_ns)
{
	struct live *l = context;

	return l->record.pause(l->record.context, is_paused, time_ns);
}

/* Shows a recording until it is interrupted. */
static int live_replay(struct live *l, const char *path)
{
	struct ompp_sink sink = { .start = on_start,
		                  .sample = replay_sample,
		                  .threads = replay_threads,
		                  .label = replay_label,
		                  .pause = replay_pause,
		                  .context = l };
	struct ompp_recording_info info;
	sigset_t ends;
	int status = OMPP_EXIT_FAILED, live_number;
	uint64_t n_gone;

	l->journal = ompp_journal_open(KEPT_OF_FILE, 0);
	if (l->journal && !ompp_recording_replay(path, &sink, &info)) {
		ompp_recording_tell(path, &info);
		n_gone = ompp_journal_n_gone(l->journal);
		if (n_gone)
			ompp_complain(path, "its first %llu lines are not shown, as it has more than %d MiB",
			              (unsigned long long)n_gone, KEPT_OF_FILE >> 20);
		live_str(l, "{\"replay\":true,");
		live_member(l, "\"file\":", path);
		live_str(l, "}");
		live_tell(l, OMPP_JOURNAL_STATE);
		sigemptyset(&ends);
		sigaddset(&ends, SIGINT);
		sigaddset(&ends, SIGTERM);
		sigaddset(&ends, SIGHUP);
		sigprocmask(SIG_BLOCK, &ends, NULL);
		signal(SIGPIPE, SIG_IGN);
		status = live_serve(l, stdout);
		if (!status)
			sigwait(&ends, &live_number);
	}
	close_page(l);
	return status;
}

static int live_main(int argc, char **argv)
{
	struct request r = { .live = { .listen = "127.0.0.1:0" },
		             .watcher = { .command = "live",
		                          .interval_ns = INT64_C(100000000),
		                          .stays = 1,
		                          .open = open_page,
		                          .close = close_page,
		                          .command_fd = page_fd,
		                          .next_command = next_command,
		                          .tell = tell_state,
		                          .context = &r.live } };
	const char *file = NULL;
	int status = ompp_watcher_parse(&r.watcher, &ompp_live_command, &r, argc, argv, &file);

	if (status)
		return status - 1;
	if (file && !ompp_watcher_is_idle(&r.watcher, file))
		return OMPP_EXIT_USAGE;
	return file ? live_replay(&r.live, file) : ompp_watcher_run(&r.watcher, usual);
}

const struct ompp_command ompp_live_command = {
	.name = "live",
	.suffix = "jsonl",
	.usage = "[OPTIONS] [-- PROGRAM [ARGS]]\nFILE",
	.brief = "show what the machine does, or such a recording, as a web page",
	.about = "Shows what the machine does as a web page, and prints the page's address; with a PROGRAM, while\n"
		 "it runs.  The page stays available until Ctrl-C, and the exit status is the program's.  With a\n"
		 "FILE it shows what 'ompp record' recorded.  Only those who have the whole address, including its\n"
		 "token, can see the page.\n",
	.tables = { { ompp_watcher_options, OMPP_WATCHER_OPTIONS, offsetof(struct request, watcher) },
	            { options, OMPP_COUNT_OF(options), 0 } },
	.run = live_main,
};
