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

enum {
	SETS = 2 * VARIED_BASES,
	RUNS = 4,
	VERSIONS = 8,
	SAMPLED = 4, /* the example that has samples */
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

/* ---- the command lines ---- */

static const struct {
	const char *line, *kind;
} of_runs[] = {
	{ "report r.0.ompp r.1.ompp r.2.ompp r.3.ompp", "ranks" },
	{ "report --ranks=1,3 --top=2 --format=csv r.0.ompp r.1.ompp r.2.ompp r.3.ompp", "ranks" },
	{ "report --merge --view=overview,data a.0.ompp b.0.ompp", "merge" },
	{ "report --region=a.c --sort=time --rows=3 --columns=all a.0.ompp", "choice" },
	{ "report --view=properties --property-min=0 --far-min=1 --numa=emulate:2 a.0.ompp", "choice" },
	{ "report a.0.ompp b.0.ompp", "several" },
	{ "diff a.0.ompp a.1.ompp a.2.ompp -- b.0.ompp b.1.ompp b.2.ompp", "text" },
	{ "diff --format=csv --top=0 --instances a.0.ompp a.1.ompp a.2.ompp a.3.ompp -- b.0.ompp b.1.ompp b.2.ompp "
	  "b.3.ompp",
	  "csv" },
	{ "diff --format=json a.0.ompp a.1.ompp -- b.0.ompp b.1.ompp", "json" },
	{ "diff --format=html a.0.ompp a.1.ompp -- b.0.ompp b.1.ompp", "html" },
	{ "diff a.0.ompp b.0.ompp", "two" },
	{ "diff a.0.ompp a.1.ompp", "two" },
	{ "diff --object=a,x --level=0.2 --fail-over=5% a.0.ompp a.1.ompp -- b.0.ompp b.1.ompp", "fail" },
	{ "diff --fail-over=1% --fail-on=program,classes,counts,data a.0.ompp b.0.ompp", "fail" },
	{ "diff a.0.ompp s.0.ompp", "misfit" },
	{ "scaling s.0.ompp s.1.ompp s.2.ompp s.3.ompp", "text" },
	{ "scaling --format=csv s.0.ompp s.1.ompp s.2.ompp", "csv" },
	{ "scaling --format=json --top=3 s.0.ompp s.1.ompp s.3.ompp", "json" },
	{ "scaling --format=html s.0.ompp s.2.ompp", "html" },
	{ "scaling --size=1000 a.0.ompp a.1.ompp --size=2000 b.0.ompp b.1.ompp", "size" },
	{ "history h.0.ompp h.1.ompp h.2.ompp h.3.ompp", "text" },
	{ "history --format=csv --top=0 --least=1% h.0.ompp h.1.ompp h.2.ompp h.3.ompp", "csv" },
	{ "history --format=json h.3.ompp h.1.ompp h.2.ompp h.0.ompp", "json" },
	{ "history --format=html --fail-on=changed h.0.ompp h.1.ompp h.2.ompp", "html" },
	{ "history --fail-on=slower h", "folder" },
	{ "history --format=json h", "versions" },
	{ "history --format=csv --top=0 --least=1% h", "versions" },
	{ "history --top=3 --fail-on=ever-slower h", "versions" },
	{ "annotate --all a.0.ompp", "text" },
	{ "regions a.0.ompp", "text" },
	{ "place p.ompp", "text" },
	{ "annotate --all --format=csv p.ompp", "csv" },
	{ "report --format=html a.0.ompp", "html" },
};

static const char *const of_traces[] = {
	"flow --top=50 trace",
	"flow --view=object --object=a trace",
	"flow --view=pages --format=csv trace",
	"flow --view=functions trace",
	"flow --view=overlap trace",
	"flow --view=private trace",
	"flow --view=migrations trace",
	"flow --view=latency trace",
	"flow --view=time --slices=3 trace",
	"flow --view=paths trace",
	"flow --view=processes trace",
	"flow --view=instances trace",
	"flow --view=layouts trace",
	"flow --view=events --top=100 trace",
	"flow --view=events --kind=stores --thread=0 trace",
	"flow --view=objects --numa=emulate:2 --time=0:0.5 trace",
	"flow --format=html trace",
	"flow --chrome=/dev/stdout trace",
	"pages trace",
	"pages --view=regions trace",
	"pages --view=pages --top=20 trace",
	"pages --view=history trace",
	"pages --view=time --format=csv trace",
	"pages --view=heat trace",
	"pages --view=threads trace",
	"pages --view=sharing --shared trace",
	"pages --view=nodes trace",
	"pages --producers trace",
	"pages --csv trace",
	"pages --framesoc trace",
	"pages --view=heat --svg=/dev/stdout --color=accesses trace",
};

static const char *const of_recordings[] = { "stat recording",
	                                     "stat -e stat,vmstat recording",
	                                     "stat --discrete recording",
	                                     "export recording",
	                                     "export --form=numascope recording",
	                                     "export --form=jsonl recording",
	                                     "export --form=html recording" };

/* Words that are wrong for some commands, and right for others. */
static const char *const words[] = { "",
	                             "--help",
	                             "--nothing",
	                             "--top=x",
	                             "--top=-1",
	                             "--top",
	                             "--format=x",
	                             "--view=flatt",
	                             "missing.ompp",
	                             "trace a.0.ompp",
	                             ".",
	                             "--format=csv a.0.ompp",
	                             "--region=",
	                             "--time=3:1 trace",
	                             "-x",
	                             "--level=2 a.0.ompp b.0.ompp",
	                             "--samples=0",
	                             "--interval=0",
	                             "--numa=emulate:0 a.0.ompp",
	                             "--fail-on=x a.0.ompp b.0.ompp" };

/* Those that run no program and take nothing from the machine with these words. */
static const char *const of_words[] = { "report",   "diff", "scaling", "history", "place",
	                                "annotate", "flow", "pages",   "export",  "help" };

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
		write_ranks(set);
		write_sampled(set);
		write_versions(set);
		for (size_t i = 0; i < OMPP_COUNT_OF(of_runs); i++)
			run(of_runs[i].line, of_runs[i].kind);
	}
	for (uint32_t n = 0; n < DAMAGED; n++) {
		for (size_t t = 0; t < 2 * OMPP_COUNT_OF(traces); t++) {
			size_t k = t / 2;

			write_trace(t % 2 ? traces[k] : pages[k], t % 2 ? 0 : 1, n);
			for (size_t i = 0; i < OMPP_COUNT_OF(of_traces); i++)
				run(of_traces[i], trace_kind(of_traces[i]));
		}
		for (size_t t = 0; t < OMPP_COUNT_OF(recordings); t++) {
			write_recording(recordings[t], n);
			for (size_t i = 0; i < OMPP_COUNT_OF(of_recordings); i++)
				run(of_recordings[i], strstr(of_recordings[i], "html") ? "html" : "recording");
		}
	}
	for (size_t c = 0; c < OMPP_COUNT_OF(of_words); c++)
		for (size_t w = 0; w < OMPP_COUNT_OF(words); w++) {
			snprintf(line, sizeof(line), "%s %s", of_words[c], words[w]);
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
