/*
 * Varied commands: what the commands of ompp print, and their exit statuses, are what they were, for runs of chance
 * (varied_profile.h), damaged traces and recordings, and command lines that are right and wrong.
 *
 * tests/golden/varied_commands.txt has a checksum for each command and kind of its arguments.  Usage:
 *
 *   test_varied_commands                  compares, and says which differ
 *   test_varied_commands record           prints what varied_commands.txt shall be (make update-golden)
 *   test_varied_commands show COMMAND     prints each command line of a command, and what it prints
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/flow/code.h"
#include "reports/profile/profile_file.h"
#include "reports/profile/record.h"
#include "reports/profile/schema.h"
#include "reports/watch/recording.h"
#include "runtime/base/array.h"
#include "tests/golden/varied_profile.h"
#include "tests/golden/varied_sums.h"
#include "tests/unit/varied_lines.h"
#include "tests/unit/varied_trace.h"

enum {
	SETS = 2 * VARIED_BASES,
	RUNS = 4,
	VERSIONS = 8,
	SAMPLED = 4, /* the example that has samples */
	TRACES = 6,
	DAMAGED = 4,
	MOST_WORDS = 16,
	MOST_SECONDS = 60, /* of a processor, for a command */
	EARLY_S = 1600000000,
	START_S = 1700000000, /* of the runs */
	LATE_S = 1800000000
};

static const char *sources;
static uint64_t state;

static uint32_t below(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((state >> 33) % n);
}

/* ---- the files ---- */

static void set_time(const char *path, int64_t seconds)
{
	struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };

	if (utimensat(AT_FDCWD, path, times, 0))
		abort();
}

/* Each profile is a second newer than the one before, whatever clock the files have. */
static void write_profile(const char *path, const struct ompp_profile *p, struct ompp_arena *arena)
{
	static int64_t seconds = LATE_S;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || ompp_profile_write(p, fd, arena) || close(fd))
		abort();
	set_time(path, ++seconds);
}

/* Makes a run of a program of which each call path takes so many thousandths of its time, and has noise. */
static void change_times(struct ompp_profile *p, uint32_t permille, struct ompp_arena *arena)
{
	struct ompp_cell *cells = ompp_arena_alloc(arena, (p->n_cells + 1) * sizeof(*cells));

	if (!cells)
		abort();
	memcpy(cells, p->cells, p->n_cells * sizeof(*cells));
	for (size_t i = 0; i < p->n_cells; i++) {
		int64_t by = permille + below(20),
			*ns[] = { &cells[i].exec_ns,     &cells[i].body_ns, &cells[i].enter_ns,  &cells[i].exit_ns,
			          &cells[i].exit_bar_ns, &cells[i].incl_ns, &cells[i].startup_ns };

		for (size_t k = 0; k < OMPP_COUNT_OF(ns); k++)
			if (*ns[k] != OMPP_MISSING && *ns[k] < INT64_MAX / 4096 && *ns[k] > -INT64_MAX / 4096)
				*ns[k] = *ns[k] * by / 1000;
	}
	p->cells = cells;
	if (p->duration_ns < INT64_MAX / 4096)
		p->duration_ns = p->duration_ns * (int64_t)(permille + below(20)) / 1000;
}

/* Returns "./src/a.c" of "/src/a.c", which stands in the same place of an order by bytes. */
static const char *below_here(const char *path, struct ompp_arena *arena)
{
	size_t n = strlen(path) + 2;
	char *text = ompp_arena_alloc(arena, n);

	if (!text)
		abort();
	snprintf(text, n, ".%s", path);
	return text;
}

/* Files that a profile names are below the working directory, and none is elsewhere on the machine. */
static void name_files(struct ompp_profile *p, struct ompp_arena *arena)
{
	for (enum ompp_section s = OMPP_SECTION_HEAD + 1; s < OMPP_SECTION_VALUES; s++) {
		size_t bytes = ompp_schemas[s].record_bytes, n;
		struct ompp_words words = ompp_schemas[s].words();
		const void *old;
		char *list;

		n = ompp_records(s, p, &old);
		list = ompp_arena_alloc(arena, (n + 1) * bytes);
		if (!list)
			abort();
		if (n)
			memcpy(list, old, n * bytes);
		for (size_t i = 0; i < n * words.n; i++) {
			const struct ompp_word *word = &words.list[i % words.n];
			const char **text = (const char **)(void *)(list + i / words.n * bytes + word->offset);

			if (word->type == OMPP_WORD_TEXT && **text == '/')
				*text = below_here(*text, arena);
		}
		if (n)
			ompp_records_set(s, p, list, n);
	}
}

/* Writes what a machine can do at most. */
static void write_roofs(uint32_t number)
{
	FILE *file = fopen("roofs", "w");

	state = number + 1;
	if (!file)
		abort();
	fprintf(file, "ompp-machine 1\nthreads %u\n", 1 + below(8));
	for (uint32_t i = 0; i < 7; i++) {
		static const char *const names[] = {
			"scalar", "vector FMA double", "vector FMA double", "L2", "L2", "memory", "memory"
		};
		uint32_t rate = 1 + below(90000), spread = below(9000);

		fprintf(file, "%s %u %u000000 %u000 %s\n", i < 3 ? "flops" : "bytes", 1 + i % 2, rate, spread,
		        names[i]);
	}
	if (fclose(file))
		abort();
}

/* Gives a run an identity of its own, and its regions files that are there. */
static void name_run(struct ompp_profile *p, char kind, uint32_t run, struct ompp_arena *arena)
{
	name_files(p, arena);
	p->pid = 1000 + kind;
	p->start_unix_ns = START_S * INT64_C(1000000000) + run;
	p->end_unix_ns = p->start_unix_ns + (p->duration_ns > 0 ? p->duration_ns : 0);
}

/* Writes the sources that profiles name, of before the runs or of after them. */
static void write_sources(int64_t seconds)
{
	static const char *const names[] = { "a.c", "src/a.c", "src/b.f90", "src/b/a.c" };

	if ((mkdir("src", 0700) || mkdir("src/b", 0700)) && errno != EEXIST)
		abort();
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		FILE *file = fopen(names[i], "w");

		for (int line = 1; file && line < 50; line++)
			fprintf(file, "	line(%d);\n", line);
		if (!file || fclose(file))
			abort();
		set_time(names[i], seconds);
	}
}

/* Writes a.N.ompp and b.N.ompp, runs of two versions; s.N.ompp, with more threads each; h.N.ompp, of one version after
 * another. */
static void write_set(uint32_t number)
{
	static const char hash[] = "0123456789abcdef0123456789abcdef01234567";
	struct ompp_arena arena;
	char path[64], stamp[16];

	for (uint32_t run = 0; run < RUNS; run++)
		for (const char *kind = "absh"; *kind; kind++) {
			struct ompp_profile p;

			ompp_arena_init(&arena, 64 << 20);
			varied_profile(&p, number, &arena);
			state = number * 64 + run * 8 + (uint64_t)*kind;
			change_times(&p,
			             *kind == 'b'              ? 1200
			             : *kind == 's'            ? 1000 >> run
			             : *kind == 'h' && run > 1 ? 1500
			                                       : 1000,
			             &arena);
			name_run(&p, *kind, run, &arena);
			if (*kind == 's')
				p.max_threads = 1U << run;
			snprintf(stamp, sizeof(stamp), "v%u", run);
			p.build_stamp = *kind == 'h' ? stamp : "";
			p.build_commit = *kind == 'h' ? hash + run : "";
			p.build_commit_unix_s = *kind == 'h' ? START_S + 100 * run : 0;
			snprintf(path, sizeof(path), "%c.%u.ompp", *kind, run);
			write_profile(path, &p, &arena);
			ompp_arena_fini(&arena);
		}
}

/* Writes r.N.ompp, ranks that meet. */
static void write_ranks(uint32_t number)
{
	struct ompp_profile parts[RUNS];
	struct ompp_arena arena;
	char path[64];

	ompp_arena_init(&arena, 256 << 20);
	for (uint32_t rank = 0; rank < RUNS; rank++) {
		varied_profile(&parts[rank], number, &arena);
		state = number * 64 + rank;
		change_times(&parts[rank], 1000 + 100 * rank, &arena);
		name_run(&parts[rank], (char)rank, rank, &arena);
	}
	varied_ranks(parts, RUNS, number, &arena);
	for (uint32_t rank = 0; rank < RUNS; rank++) {
		snprintf(path, sizeof(path), "r.%u.ompp", rank);
		write_profile(path, &parts[rank], &arena);
	}
	ompp_arena_fini(&arena);
}

/* Writes p.ompp, which has samples. */
static void write_sampled(uint32_t number)
{
	struct ompp_arena arena;
	struct ompp_profile p;

	ompp_arena_init(&arena, 64 << 20);
	varied_profile(&p, SAMPLED + number * VARIED_BASES, &arena);
	name_run(&p, 'p', number, &arena);
	write_profile("p.ompp", &p, &arena);
	ompp_arena_fini(&arena);
}

/* Writes folder h: runs of eight versions, of which the fifth and those behind it are slower, or quicker. */
static void write_versions(uint32_t number)
{
	static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef";

	if (mkdir("h", 0700) && errno != EEXIST)
		abort();
	for (uint32_t version = 0; version < VERSIONS; version++)
		for (uint32_t run = 0; run < RUNS; run++) {
			struct ompp_arena arena;
			struct ompp_profile p;
			char path[64], stamp[16];

			ompp_arena_init(&arena, 64 << 20);
			varied_profile(&p, number, &arena);
			state = number * 64 + version * 8 + run;
			change_times(&p, version < VERSIONS / 2 ? 1000 : number % 2 ? 1300 : 700, &arena);
			name_run(&p, (char)version, run, &arena);
			snprintf(stamp, sizeof(stamp), "v%u", version);
			snprintf(path, sizeof(path), "h/%u.%u.ompp", version, run);
			p.build_stamp = stamp;
			p.build_commit = hash + version;
			p.build_commit_unix_s = START_S + 100 * (int64_t)version;
			write_profile(path, &p, &arena);
			ompp_arena_fini(&arena);
		}
}

/* Reads a file of the corpora; the caller frees it. */
static unsigned char *corpus(const char *name, size_t *n_bytes)
{
	char path[PATH_MAX + 64];
	unsigned char *bytes = malloc(1 << 20);
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/fuzz/%s", sources, name);
	file = fopen(path, "rb");
	if (!file || !bytes)
		abort();
	*n_bytes = fread(bytes, 1, 1 << 20, file);
	fclose(file);
	return bytes;
}

static void damage(unsigned char *bytes, size_t n_bytes, uint32_t number)
{
	state = number + 1;
	for (uint32_t n = number; n > 0; n--) {
		size_t at = below((uint32_t)n_bytes);

		bytes[at] = (unsigned char)(bytes[at] ^ 1 << below(8));
	}
}

/* Writes trace, whose content is that of a file of the corpora with so many bits that are otherwise. */
static void write_trace(const char *name, size_t n_skip, uint32_t number)
{
	struct ompp_flow_head head = { .version = OMPP_FLOW_VERSION, .page_bytes = 4096, .latencies = 1 };
	unsigned char heads[OMPP_FLOW_HEAD_BYTES + OMPP_FLOW_BLOCK_HEAD_BYTES];
	size_t n_bytes;
	unsigned char *bytes = corpus(name, &n_bytes);
	struct ompp_flow_block block;
	FILE *file = fopen("trace", "wb");

	damage(bytes + n_skip, n_bytes - n_skip, number);
	block = (struct ompp_flow_block){ .n_bytes = (uint32_t)(n_bytes - n_skip),
		                          .n_plain_bytes = (uint32_t)(n_bytes - n_skip) };
	ompp_flow_head_put(&head, heads);
	ompp_flow_block_put(&block, bytes + n_skip, heads + OMPP_FLOW_HEAD_BYTES);
	if (!file ||
	    (memcmp(bytes + n_skip, OMPP_FLOW_MAGIC, strlen(OMPP_FLOW_MAGIC)) &&
	     fwrite(heads, sizeof(heads), 1, file) != 1) ||
	    fwrite(bytes + n_skip, 1, n_bytes - n_skip, file) != n_bytes - n_skip || fclose(file))
		abort();
	free(bytes);
}

static void write_recording(const char *name, uint32_t number)
{
	size_t n_bytes;
	unsigned char *bytes = corpus(name, &n_bytes);
	FILE *file = fopen("recording", "wb");

	damage(bytes, n_bytes, number);
	if (!file ||
	    fputs(OMPP_RECORDING_START "\"version\":1,\"start_unix_ns\":5,\"interval_ns\":7,\"program\":null}\n",
	          file) < 0 ||
	    fwrite(bytes, 1, n_bytes, file) != n_bytes || fclose(file))
		abort();
	free(bytes);
}

/* ---- the commands ---- */

static const struct {
	const char *name;
	const struct ompp_command *command;
} commands[] = {
	{ "report", &ompp_report_command },   { "diff", &ompp_diff_command },
	{ "scaling", &ompp_scaling_command }, { "history", &ompp_history_command },
	{ "place", &ompp_place_command },     { "annotate", &ompp_annotate_command },
	{ "flow", &ompp_flow_command },       { "pages", &ompp_pages_command },
	{ "export", &ompp_export_command },   { "stat", &ompp_stat_command },
	{ "tui", &ompp_tui_command },         { "record", &ompp_record_command },
	{ "live", &ompp_live_command },       { "run", &ompp_run_command },
	{ "regions", &ompp_regions_command }, { "counters", &ompp_counters_command },
	{ "help", &ompp_help_command },
};

static struct varied_sum sums[128];
static size_t n_sums;
static int n_ended;       /* by signals */
static const char *shown; /* the command whose output is printed; NULL: none is */

/* Runs a command in a child, and returns what it printed, which the caller unmaps, and its status. */
static char *output_of(const struct ompp_command *command, int n, char **words, size_t *n_bytes, int *status)
{
	static const struct rlimit limit = { MOST_SECONDS, MOST_SECONDS + 5 };
	int fd = memfd_create("output", MFD_CLOEXEC);
	pid_t child;
	char *text;

	fflush(NULL);
	child = fork();
	if (!child) {
		if (dup2(fd, 1) < 0 || dup2(fd, 2) < 0 || !freopen("/dev/null", "r", stdin))
			_exit(99);
		setrlimit(RLIMIT_CPU, &limit);
		n = command->run(n, words);
		fflush(NULL);
		_exit(n);
	}
	if (fd < 0 || child < 0 || waitpid(child, status, 0) != child)
		abort();
	*n_bytes = (size_t)lseek(fd, 0, SEEK_END);
	text = mmap(NULL, *n_bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
	if (text == MAP_FAILED)
		abort();
	return text;
}

static void add_sum(const char *name, const char *kind, uint64_t sum)
{
	for (size_t i = 0; i < n_sums; i++)
		if (!strcmp(sums[i].what, name) && !strcmp(sums[i].of, kind)) {
			sums[i].sum = varied_sum_add(sums[i].sum, &sum, sizeof(sum));
			return;
		}
	if (n_sums == OMPP_COUNT_OF(sums))
		abort();
	sums[n_sums++] = (struct varied_sum){ name, kind, varied_sum_add(VARIED_SUM_START, &sum, sizeof(sum)) };
}

/* Comparisons print all digits of what the library of mathematics returns. */
static int is_compared(const struct ompp_command *command)
{
	return command == &ompp_diff_command || command == &ompp_scaling_command || command == &ompp_history_command;
}

/* Files that commands write. */
static const char *const made[] = { "made", "made.prv", "made.pcf", "made.row" };

/* Adds what a file of a command has to a sum, and removes it. */
static void take_made(const char *name, const char *kind)
{
	FILE *file = fopen(name, "rb");
	char bytes[4096];
	uint64_t sum = VARIED_SUM_START;
	size_t n;

	if (!file)
		return;
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0) {
		sum = varied_sum_add(sum, bytes, n);
		if (shown)
			fwrite(bytes, 1, n, stdout);
	}
	fclose(file);
	remove(name);
	add_sum(name, kind, sum);
}

/* Runs a command line, whose first word is the command, and adds what it does to the sum of its kind. */
static void run(const char *line, const char *kind)
{
	char copy[512], *words[MOST_WORDS + 1], *text;
	size_t i = 0, n_bytes;
	int n = 0, status;
	uint64_t sum;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok(copy, " "); word && n < MOST_WORDS; word = strtok(NULL, " "))
		words[n++] = word;
	words[n] = NULL;
	while (strcmp(commands[i].name, words[0]) != 0)
		i++;
	if (shown && strcmp(shown, words[0]) != 0)
		return;
	text = output_of(commands[i].command, n, words, &n_bytes, &status);
	if (shown)
		printf("==== %s: status %x\n%.*s", line, (unsigned int)status, (int)n_bytes, text);
	for (size_t k = 0; k < OMPP_COUNT_OF(made); k++)
		take_made(made[k], kind);
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "test_varied_commands: %s: ended by %s%s\n", line, strsignal(WTERMSIG(status)),
		        WTERMSIG(status) == SIGXCPU ? ": it never ends" : "");
		n_ended++;
	}
	sum = varied_sum_add_text(VARIED_SUM_START, text, n_bytes, is_compared(commands[i].command));
	sum = varied_sum_add(sum, &status, sizeof(status));
	munmap(text, n_bytes + 1);
	add_sum(commands[i].name, kind, sum);
}

/* ---- the command lines (varied_lines.h) ---- */

static const char *trace_kind(const char *line)
{
	return strstr(line, "--view=events") ? "events" : strstr(line, "html") ? "html" : "trace";
}

static void run_all(void)
{
	static const char *const traces[] = { "corpus_flow/content", "corpus_flow/made", "corpus_flow/whole" };
	static const char *const pages[] = { "corpus_views/content", "corpus_views/pages_0", "corpus_views/flow_13" };
	static const char *const recordings[] = { "corpus_recording/samples", "corpus_recording/two",
		                                  "corpus_recording/threads", "corpus_recording/damaged" };
	char line[256];

	for (uint32_t set = 0; set < SETS; set++) {
		write_sources(set % 2 ? EARLY_S : LATE_S);
		write_set(set);
		write_roofs(set);
		write_ranks(set);
		write_sampled(set);
		write_versions(set);
		varied_trace_write("a.0.ompp.pages", set, set % 5 ? 1000 + 'a' : 1);
		for (const struct varied_line *l = varied_lines_of_runs; l->line; l++)
			run(l->line, l->kind);
	}
	for (uint32_t n = 0; n < TRACES; n++) {
		varied_trace_write("trace", n, 42);
		varied_trace_write("trace.1", n + 1, 43);
		for (const char *const *l = varied_lines_of_traces; *l; l++)
			run(*l, "whole");
		for (const char *const *l = varied_lines_of_ranks; *l; l++)
			run(*l, "ranks");
	}
	for (uint32_t n = 0; n < DAMAGED; n++) {
		for (size_t t = 0; t < 2 * OMPP_COUNT_OF(traces); t++) {
			size_t k = t / 2;

			write_trace(t % 2 ? traces[k] : pages[k], t % 2 ? 0 : 1, n);
			for (const char *const *l = varied_lines_of_traces; *l; l++)
				run(*l, trace_kind(*l));
		}
		for (size_t t = 0; t < OMPP_COUNT_OF(recordings); t++) {
			write_recording(recordings[t], n);
			for (const char *const *l = varied_lines_of_recordings; *l; l++)
				run(*l, strstr(*l, "html") ? "html" : "recording");
		}
	}
	for (const char *const *c = varied_lines_of_words; *c; c++)
		for (const char *const *w = varied_lines_words; *w; w++) {
			snprintf(line, sizeof(line), "%s %s", *c, *w);
			run(line, "words");
		}
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *walk)
{
	(void)st;
	(void)flag;
	(void)walk;
	return remove(path);
}

/* ---- a process that works, and one that removes the folder however that ends ---- */

static volatile sig_atomic_t worker;

static void end_worker(int signal)
{
	if (worker)
		kill((pid_t)worker, signal);
}

static int work(int argc, char **argv)
{
	shown = argc > 2 ? argv[2] : NULL;
	run_all();
	if (argc > 1 && !shown)
		varied_sums_print(sums, n_sums);
	if (argc > 1 || n_ended)
		return n_ended != 0;
	return VARIED_HAS_FLOATS ? varied_sums_compare(sums, n_sums, "varied_commands") : 77;
}

int main(int argc, char **argv)
{
	char folder[PATH_MAX];
	int status = 0;
	pid_t child;

	snprintf(folder, sizeof(folder), "%s/varied.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	sources = varied_start();
	if (!mkdtemp(folder) || chdir(folder)) {
		fprintf(stderr, "test_varied_commands: %s: %s\n", folder, strerror(errno));
		return 99;
	}
	setenv("HOME", ".", 1);
	setenv("TZ", "UTC", 1);
	signal(SIGINT, end_worker);
	signal(SIGTERM, end_worker);
	signal(SIGHUP, end_worker);
	fflush(NULL);
	child = fork();
	if (!child) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		status = work(argc, argv);
		fflush(NULL);
		_exit(status);
	}
	worker = child;
	while (child > 0 && waitpid(child, &status, 0) != child)
		;
	if (child < 0 || chdir("/") || nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS))
		return 99;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
