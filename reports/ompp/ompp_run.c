/*
 * Run: ompp run.  It sets OMPP_ variables from the options, runs the program, and prints the report of the profile that
 * the program left.
 *
 * The profile is saved where the user's options say, as without ompp.  It is found by the pid and the start time that
 * are saved in it.  Programs that only start others (mpirun, a shell) leave the profiles of their children: those of
 * MPI ranks are merged; for other processes it lists the reports.
 */
#define _GNU_SOURCE
#include "reports/ompp/ompp.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "reports/command/child.h"
#include "reports/command/command_line.h"
#include "reports/command/terminal.h"
#include "reports/ompp/emulated_run.h"
#include "reports/ompp/kokkos_run.h"
#include "reports/ompp/preload.h"
#include "reports/ompp/progress.h"
#include "reports/ompp/rank_run.h"
#include "reports/profile/misfit.h"
#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "reports/show/show.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/terms/option.h"

enum { MAX_PATH = 4096, MAX_PROFILES = 4096 };

enum { MOST_COUNTS = 64, MOST_THREADS = 65536, MOST_RUNS = 1000 };

struct series {
	uint32_t counts[MOST_COUNTS]; /* of threads */
	size_t n_counts, n_runs;      /* n_runs of each */
	char **paths;                 /* of the profiles; the first one is the name of the command that shows them */
	size_t n_paths, n_room;
};

struct request {
	const char *color;
	int has_progress;
	int is_emulated;
	int is_apart;  /* ranks leave a profile each */
	int is_kokkos; /* Kokkos tells of its kernels */
	int has_page;  /* a page (html) is to be written after the run */
	struct series series;
};

/* Complains about the value of an option.  Returns -1. */
static int bad_value(const char *option, const struct ompp_option_info *info, const char *value, int rc)
{
	char cause[256];
	struct ompp_text t;
	int has_near;

	ompp_text_init(&t, cause, sizeof(cause));
	has_near = ompp_option_explain(&t, info, value, rc);
	ompp_complain(option, "%s%s", cause, has_near ? "" : "; 'ompp help run' tells more");
	return -1;
}

/* Copies a list of formats without the page (html), which ompp writes after the run, as the program itself has neither
 * its styles nor its scripts.  Returns 1 when the page was in it. */
static int take_page(const char *list, char *rest, size_t n_rest)
{
	const char *name;
	struct ompp_text t;
	int has_page = 0;
	size_t n;

	ompp_text_init(&t, rest, n_rest);
	while ((n = ompp_list_next(&list, &name))) {
		if (ompp_text_same(name, n, "html", 4)) {
			has_page = 1;
			continue;
		}
		ompp_text_str(&t, t.n_bytes ? "," : "");
		ompp_text_strn(&t, name, n);
	}
	if (has_page && !t.n_bytes)
		ompp_text_str(&t, ompp_report_format(0));
	return has_page;
}

/* Takes the page out of the formats that the variable asks for.  Returns 1 when it was there. */
static int take_page_of_variable(void)
{
	const char *list = getenv("OMPP_OUTFORMAT");
	char rest[256];

	return list && take_page(list, rest, sizeof(rest)) && !setenv("OMPP_OUTFORMAT", rest, 1);
}

/* Finds the row of an option's variable, as for "--dump-interval"; --data is an abbreviation. */
static size_t variable_find(const char *option)
{
	size_t i = 0, n;

	if (!strcmp(option, "--data"))
		return OMPP_OPT_DATA_NAME;
	for (; i < OMPP_N_OPTIONS; i++) {
		const char *name = ompp_option_table[i].name;

		for (n = 0; name[n] && tolower((unsigned char)name[n]) == (option[n + 2] == '-' ? '_' : option[n + 2]);)
			n++;
		if (!name[n] && !option[n + 2])
			break;
	}
	return i;
}

/* Sets an older variable, --disable-atomic. */
static int take_older(void *to, const char *option, const char *value)
{
	char variable[80] = "OMPP_";
	int64_t number;

	(void)to;
	for (size_t i = 2; option[i] && i + 4 < sizeof(variable); i++)
		variable[i + 3] = option[i] == '-' ? '_' : (char)toupper((unsigned char)option[i]);
	if (ompp_option_value(&ompp_option_table[OMPP_OPT_QUIET], value, &number))
		return bad_value(option, &ompp_option_table[OMPP_OPT_QUIET], value, -EINVAL);
	return setenv(variable, value, 1) ? -1 : 0;
}

/* Sets the variable of an option. */
static int take_variable(void *to, const char *option, const char *value)
{
	size_t k = variable_find(option);
	const struct ompp_option_info *info = &ompp_option_table[k];
	struct request *r = to;
	char variable[80], rest[256];
	int64_t number;
	int rc;

	if (k == OMPP_OPT_OUTFORMAT) {
		r->has_page = take_page(value, rest, sizeof(rest));
		value = r->has_page ? rest : value;
	}
	rc = ompp_option_value(info, value, &number);
	if (rc)
		return bad_value(option, info, value, rc);
	if (k == OMPP_OPT_VIEW && !ompp_words_known(option, value, ompp_report_view))
		return -1;
	snprintf(variable, sizeof(variable), "OMPP_%s", info->name);
	if (!setenv(variable, value, 1))
		return 0;
	ompp_complain(option, "%s", strerror(errno));
	return -1;
}

static const char *run_setting(const char *variable)
{
	const char *value = getenv(variable);

	return value ? value : "";
}

/* Gets the folder in which profiles are saved. */
static void run_folder(char path[MAX_PATH])
{
	const char *file = run_setting("OMPP_REPORTFILE"), *slash = strrchr(file, '/'),
		   *outdir = run_setting("OMPP_OUTDIR");
	int is_stream = !strcasecmp(file, "stdout") || !strcasecmp(file, "stderr");

	if (file[0] && !is_stream)
		snprintf(path, MAX_PATH, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
	else
		snprintf(path, MAX_PATH, "%s", outdir[0] ? outdir : ".");
}

struct saved {
	char *path;
	struct ompp_profile profile;
};

/* Finds the final profiles in the folder that were started since the given time.  Returns their number. */
static size_t run_find(const char *where, int64_t since_ns, struct ompp_arena *arena, struct saved *found)
{
	DIR *dir = opendir(where);
	struct dirent *entry;
	size_t n = 0;

	while (dir && n < MAX_PROFILES && (entry = readdir(dir))) {
		size_t n_name = strlen(entry->d_name);
		char path[MAX_PATH + NAME_MAX + 2];
		struct stat st;
		const char *why;
		int fd;

		if (n_name < 5 || strcmp(entry->d_name + n_name - 5, ".ompp"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", where, entry->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd < 0)
			continue;
		if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_mtim.tv_sec + 1 >= since_ns / 1000000000 &&
		    !ompp_profile_read(fd, arena, &found[n].profile, &why) &&
		    found[n].profile.start_unix_ns >= since_ns && found[n].profile.final) {
			found[n].path = ompp_arena_strdup(arena, path);
			n += found[n].path != NULL;
		}
		close(fd);
	}
	if (dir)
		closedir(dir);
	return n;
}

static int by_rank_and_start(const void *a, const void *b)
{
	const struct saved *x = a, *y = b;

	if (x->profile.mpi_rank != y->profile.mpi_rank)
		return x->profile.mpi_rank < y->profile.mpi_rank ? -1 : 1;
	return (x->profile.start_unix_ns > y->profile.start_unix_ns) -
	       (x->profile.start_unix_ns < y->profile.start_unix_ns);
}

/* Chooses among the profiles of children those of the first one's MPI run, in the order of their ranks; where there is
 * none, that of the first one with regions.  Returns their number. */
static size_t choose_ranks(const struct saved *found, size_t n, struct ompp_profile *ranks, struct ompp_arena *arena)
{
	size_t n_ranks = 0, other, first = 0;

	while (first < n && found[first].profile.mpi_rank < 0)
		first++;
	if (first == n)
		for (first = 0; first + 1 < n && found[first].profile.n_nodes < 2; first++)
			;
	for (size_t i = first; i < n; i++) {
		ranks[n_ranks] = found[i].profile;
		n_ranks += !n_ranks || !ompp_misfit(ranks, n_ranks, &other, arena);
	}
	return n_ranks;
}

static char *path_of(const struct saved *found, size_t n, int64_t pid)
{
	static char none[] = "";

	for (size_t i = 0; i < n; i++)
		if (found[i].profile.pid == pid)
			return found[i].path;
	return none;
}

/* Has another process regions, where this one, such as a shell, has none? */
static int is_only_a_parent(const struct saved *found, size_t n, const struct ompp_profile *own)
{
	for (size_t i = 0; i < n && own->n_nodes < 2; i++)
		if (found[i].profile.n_nodes > 1)
			return 1;
	return 0;
}

/* Finds the profiles that a program left which was started at the given time, sorted, and selects its own profile; or
 * else those of the ranks of an MPI run that it started, or that of its first child.  Returns their number.
 * found: all profiles, *n of them; NULL without memory
 * ranks: those that are chosen */
static size_t find_run(const char *where, pid_t pid, int64_t since_ns, struct ompp_arena *arena, struct saved **found,
                       size_t *n, struct ompp_profile **ranks)
{
	size_t n_ranks = 0;

	*found = ompp_arena_alloc(arena, MAX_PROFILES * sizeof(**found));
	*ranks = ompp_arena_alloc(arena, MAX_PROFILES * sizeof(**ranks));
	*n = *found && *ranks ? run_find(where, since_ns, arena, *found) : 0;
	if (*found && *ranks && !*n && strcmp(where, ".")) /* where a program writes that cannot use the folder */
		*n = run_find(".", since_ns, arena, *found);
	if (!*n)
		return 0;
	qsort(*found, *n, sizeof(**found), by_rank_and_start);
	for (size_t i = 0; i < *n; i++)
		if ((*found)[i].profile.pid == pid && !is_only_a_parent(*found, *n, &(*found)[i].profile))
			(*ranks)[n_ranks++] = (*found)[i].profile;
	return n_ranks ? n_ranks : choose_ranks(*found, *n, *ranks, arena);
}

/* Writes the page beside the profile, as prog.4-0.html beside prog.4-0.ompp, and says so. */
static void save_page(const struct ompp_profile *profiles, size_t n, const struct ompp_report_options *options,
                      const char *profile_path, struct ompp_arena *arena)
{
	char path[MAX_PATH + NAME_MAX + 2];
	size_t n_name = strlen(profile_path);

	if (n_name < 5 || n_name >= sizeof(path)) /* it ends in .ompp */
		return;
	snprintf(path, sizeof(path), "%.*s.html", (int)(n_name - 5), profile_path);
	if (!ompp_save_page(profiles, n, options, profile_path, path, arena) && strcmp(run_setting("OMPP_QUIET"), "1"))
		ompp_complain("page", "%s", path);
}

/* Prints the program's own profile; or those of its children, with ranks merged. */
static void print_reports(const char *program, pid_t pid, int wait_status, int64_t since_ns, const char *color,
                          int has_page)
{
	const char *file = run_setting("OMPP_REPORTFILE"), *format = run_setting("OMPP_OUTFORMAT");
	struct ompp_report_options options = { .views = run_setting("OMPP_VIEW"),
		                               .color = color,
		                               .property_min = ompp_setting(OMPP_OPT_PROPERTY_MIN),
		                               .far_min = ompp_setting(OMPP_OPT_FAR_MIN) };
	struct ompp_arena arena;
	struct saved *found;
	struct ompp_profile *ranks;
	char where[MAX_PATH], first[16];
	const char *shown = "FILE...";
	size_t n, n_ranks;

	if (!strcasecmp(file, "stdout") || !strcasecmp(file, "stderr")) {
		if (has_page)
			ompp_complain("--outformat",
			              "html: a program that prints its report leaves no profile to make a "
			              "page of; leave out OMPP_REPORTFILE");
		return; /* the program has printed it */
	}
	run_folder(where);
	ompp_arena_init(&arena, 0);
	n_ranks = find_run(where, pid, since_ns, &arena, &found, &n, &ranks);
	if (!n) {
		ompp_explain_absent(program, wait_status, where);
		ompp_arena_fini(&arena);
		return;
	}
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(format, ","), format);
	options.format = ompp_report_has_format(first) ? first : "";
	for (size_t i = 0; i < n && n_ranks == 1; i++)
		if (found[i].profile.pid == ranks[0].pid)
			shown = found[i].path + (!strncmp(found[i].path, "./", 2) ? 2 : 0);
	if (has_page)
		save_page(ranks, n_ranks, &options, path_of(found, n, ranks[0].pid), &arena);
	ompp_print(ranks, n_ranks, &options, shown, &arena);
	for (size_t i = 0; i < n && strcmp(run_setting("OMPP_QUIET"), "1"); i++) {
		size_t k = 0;

		while (k < n_ranks && ranks[k].pid != found[i].profile.pid)
			k++;
		if (k == n_ranks)
			ompp_complain(found[i].path, "the profile of process %lld%s", (long long)found[i].profile.pid,
			              found[i].profile.pid == pid ? ", which has no regions" : ", which it started");
	}
	ompp_arena_fini(&arena);
}

/* Ends the program of a rank.  Where the user names files, these stay. */
static void end_rank(const char *program, int wait_status, int64_t since_ns, const char *color)
{
	struct ompp_report_options options = { .views = run_setting("OMPP_VIEW"),
		                               .color = color,
		                               .property_min = ompp_setting(OMPP_OPT_PROPERTY_MIN),
		                               .far_min = ompp_setting(OMPP_OPT_FAR_MIN),
		                               .most_ranks = OMPP_MOST_RANKS };
	char where[MAX_PATH];

	run_folder(where);
	ompp_rank_run_end(program, wait_status, where, since_ns, &options);
}

/* ---- runs with several numbers of threads ---- */

static int take_counts(void *to, const char *option, const char *list)
{
	struct series *s = to;
	const char *at = list;

	s->n_counts = 0;
	while (*at) {
		char *end;
		unsigned long n = strtoul(at, &end, 10);
		int is_number = *at >= '0' && *at <= '9' && n >= 1 && n <= MOST_THREADS && (*end == ',' || !*end);

		for (size_t i = 0; i < s->n_counts; i++)
			is_number = is_number && s->counts[i] != n;
		if (!is_number || s->n_counts == MOST_COUNTS)
			break;
		s->counts[s->n_counts++] = (uint32_t)n;
		at = end + (*end == ',');
	}
	if (!*at && s->n_counts > 1)
		return 0;
	ompp_complain(option, "'%s' is not a list of different numbers of threads; write 1,2,4,8 for example", list);
	return -1;
}

static int take_runs(void *to, const char *option, const char *text)
{
	struct series *s = to;
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (text[0] >= '0' && text[0] <= '9' && !*end && n >= 1 && n <= MOST_RUNS) {
		s->n_runs = n;
		return 0;
	}
	ompp_complain(option, "'%s' is not a number from 1 to %d; give how often to run with each number of threads",
	              text, MOST_RUNS);
	return -1;
}

/* Will each run write to different files?  If not, it complains. */
static int has_own_files(const struct series *s)
{
	const char *option = run_setting("OMPP_REPORTFILE")[0]                 ? "--reportfile"
	                   : s->n_runs > 1 && ompp_setting(OMPP_OPT_OVERWRITE) ? "--overwrite"
	                   : !ompp_setting(OMPP_OPT_PROFILE)                   ? "--profile"
	                                                                       : NULL;

	if (option)
		ompp_complain(option, "each run needs a saved profile of its own; leave the option out");
	return !option;
}

/* Adds a path to the series.  Returns 0, or the exit status without memory.
 * arena: where paths live */
static int add_path(struct series *s, const char *path, struct ompp_arena *arena)
{
	if (s->n_paths + 1 >= s->n_room) { /* with room for the final NULL */
		size_t room = s->n_room ? 2 * s->n_room : 64;
		char **paths = ompp_arena_alloc(arena, room * sizeof(*paths));

		if (!paths)
			return OMPP_EXIT_FAILED;
		if (s->n_paths)
			memcpy(paths, s->paths, s->n_paths * sizeof(*paths));
		s->paths = paths;
		s->n_room = room;
	}
	s->paths[s->n_paths] = ompp_arena_strdup(arena, path);
	if (!s->paths[s->n_paths])
		return OMPP_EXIT_FAILED;
	s->paths[++s->n_paths] = NULL;
	return 0;
}

/* Runs the program once, and adds its profile to the series, or those of the MPI ranks that it started.  Returns the
 * exit status.
 * arena: where paths live */
static int run_one(char **argv, uint32_t n_threads, struct series *s, struct ompp_arena *arena)
{
	struct ompp_arena scratch;
	struct ompp_profile *ranks;
	struct saved *found;
	struct ompp_child child;
	struct timespec now;
	char where[MAX_PATH], count[16];
	int status, wait_status;
	size_t n, n_ranks;

	snprintf(count, sizeof(count), "%u", n_threads);
	if (setenv("OMP_NUM_THREADS", count, 1)) {
		ompp_complain("run", "not enough memory");
		return OMPP_EXIT_FAILED;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	status = ompp_child_start(&child, argv,
	                          ompp_preload_find(ompp_preload_program(argv)) ? ompp_preload_here : NULL);
	if (!status)
		status = ompp_child_go(&child, "");
	if (status)
		return status;
	wait_status = ompp_child_wait(&child);
	if (wait_status) {
		ompp_complain(argv[0], "did not end well with %u threads; so there is nothing to compare", n_threads);
		return ompp_child_end_like(wait_status);
	}
	run_folder(where);
	ompp_arena_init(&scratch, 0);
	n_ranks = find_run(where, child.pid, now.tv_sec * INT64_C(1000000000) + now.tv_nsec, &scratch, &found, &n,
	                   &ranks);
	for (size_t i = 0; i < n_ranks && !status; i++)
		status = add_path(s, path_of(found, n, ranks[i].pid), arena);
	ompp_arena_fini(&scratch);
	if (n_ranks)
		return status;
	ompp_explain_absent(ompp_preload_program(argv), wait_status, where);
	return OMPP_EXIT_FAILED;
}

/* Runs the program with each number of threads in turn, repeatedly, so that disturbances on the machine affect all
 * numbers alike, and shows how its time depends on the number.  Returns the exit status. */
static int run_series(char **argv, struct series *s)
{
	struct ompp_arena arena;
	int status = has_own_files(s) ? 0 : OMPP_EXIT_USAGE;

	ompp_arena_init(&arena, 0);
	if (!status)
		status = add_path(s, "scaling", &arena);
	for (size_t run = 0; run < s->n_runs && !status; run++)
		for (size_t i = 0; i < s->n_counts && !status; i++)
			status = run_one(argv, s->counts[i], s, &arena);
	if (!status)
		status = ompp_scaling_command.run((int)s->n_paths, s->paths);
	ompp_arena_fini(&arena);
	return status;
}

#define IS_SWITCH(type)  (OMPP_TYPE_##type == OMPP_TYPE_BOOL)
#define IS_SPAN(name)    (OMPP_OPT_##name == OMPP_OPT_SPAN)
#define IS_AUTO(option)  (OMPP_OPT_##option == OMPP_OPT_SAMPLE || OMPP_OPT_##option == OMPP_OPT_PAGES)
#define IS_OBJECTS(name) (OMPP_OPT_##name == OMPP_OPT_OBJECTS)
#define IS_CACHE(name)   (OMPP_OPT_##name == OMPP_OPT_CACHE)
#define IS_VIEW(name)    (OMPP_OPT_##name == OMPP_OPT_VIEW)

/* Can the word behind --cache only be its value: 0, 1, or L1=32K/8/64? */
static int is_cache(const char *word)
{
	return ((word[0] == '0' || word[0] == '1') && !word[1]) ||
	       (word[0] == 'L' && isdigit((unsigned char)word[1]) && word[2] == '=');
}

/* What help calls the values. */
#define VALUE_BOOL    "0|1"
#define VALUE_INT     "N"
#define VALUE_SIZE    "BYTES"
#define VALUE_SECONDS "SECONDS"
#define VALUE_PERCENT "PERCENT"
#define VALUE_TEXT    "TEXT"
#define VALUE_PATH    "PATH"
#define VALUE_LIST    "LIST"
#define VALUE_CHOICE  "WORD"
#define VALUE_CHOICES "LIST"

/* An option for each variable; an option that may be given without a value does not take the next word, which may be
 * the program. */
static const struct ompp_command_option variables[] = {
#define OPTION(its_name, type, def, min, max, unit, doc) \
	{ .name = #its_name, \
	  .value = VALUE_##type, \
	  .help = doc, \
	  .bare = IS_SWITCH(type)      ? "1" \
		: IS_SPAN(its_name)    ? "1" \
		: IS_AUTO(its_name)    ? "auto" \
		: IS_OBJECTS(its_name) ? "all" \
		: IS_CACHE(its_name)   ? "1" \
		                       : NULL, \
	  .is_value = IS_CACHE(its_name) ? is_cache : NULL, \
	  .words = IS_VIEW(its_name) ? ompp_report_view : NULL, \
	  .variable = &ompp_option_table[OMPP_OPT_##its_name], \
	  .take = take_variable },
#include "env/options.def"
#undef OPTION
};

static const struct ompp_command_option options[] = {
	OMPP_SWITCH_ROW("progress", struct request, has_progress,
	                "while the program runs, show the elapsed time and the most expensive regions in one line on "
	                "the terminal"),
	OMPP_SWITCH_ROW("emulate", struct request, is_emulated,
	                "run an x86-64 program in QEMU's user mode, which counts all its loads and stores although "
	                "kinst did not build it; it takes 20 to 80 times as long, and times are the emulator's"),
	OMPP_SWITCH_ROW("apart", struct request, is_apart,
	                "as a rank of MPI leave a profile of each rank, in place of one of all"),
	OMPP_SWITCH_ROW("kokkos", struct request, is_kokkos,
	                "in a program that uses Kokkos make each kernel, deep copy, fence and profile region a region, "
	                "and each View a data object, by their labels"),
	OMPP_WORDS_ROW("color", "WHEN", ompp_color_word, struct request, color,
	               "colour the report: on a terminal (auto; unless NO_COLOR is set), always, or never"),
	OMPP_TAKE_ROW("threads", "LIST", take_counts, OMPP_MEMBER_AT(struct request, series, struct series),
	              "run it with each of these numbers of threads, such as 1,2,4, and show how its time scales"),
	OMPP_TAKE_ROW("runs", "N", take_runs, OMPP_MEMBER_AT(struct request, series, struct series),
	              "with --threads: run each number of threads N times"),
	OMPP_TAKE_ROW("data", "LIST", take_variable, 0, "short for --data-name"),
#define DISABLED(its_name, word) { .name = "disable-" #its_name, .value = "0|1", .bare = "1", .take = take_older },
#include "env/disabled.def"
#undef DISABLED
};

static int run_main(int argc, char **argv)
{
	struct request r = { .has_page = take_page_of_variable() };
	struct ompp_command_line line = ompp_command_line(&ompp_run_command, &r, argc, argv);
	struct series *series = &r.series;
	struct timespec now;
	struct ompp_child child;
	char **command;
	int status = 0, wait_status, is_bare, is_rank;

	if (!ompp_command_next(&line)) {
		if (line.status)
			return line.status - 1;
		ompp_complain("run", "no program; give one");
		return OMPP_EXIT_USAGE;
	}
	argv += line.i - 1;
	if (series->n_runs && !series->n_counts) {
		ompp_complain("--runs", "needs --threads, too; write --threads=1,2,4 for example");
		return OMPP_EXIT_USAGE;
	}
	series->n_runs += !series->n_runs;
	if (series->n_counts && r.has_page)
		ompp_complain("--threads",
		              "an HTML page shows a single run, so none is written; 'ompp report --format=html' makes "
		              "one of a profile");
	if (series->n_counts && r.is_emulated) {
		ompp_complain("--threads",
		              "compares times, and under --emulate they are not the program's; leave one of them out");
		return OMPP_EXIT_USAGE;
	}
	if (r.is_kokkos)
		ompp_kokkos_run();
	if (series->n_counts)
		return run_series(argv, series);
	command = r.is_emulated ? ompp_emulated_run_command(argv, &status) : argv;
	if (!command)
		return status;
	is_bare = r.is_emulated && command == argv;
	is_rank = !is_bare && !r.is_apart && !r.has_page && !run_setting("OMPP_REPORTFILE")[0] && ompp_rank_run_begin();
	clock_gettime(CLOCK_REALTIME, &now);
	status = ompp_child_start(&child, command,
	                          is_bare                                         ? NULL
	                          : r.is_emulated                                 ? ompp_emulated_run_here
	                          : ompp_preload_find(ompp_preload_program(argv)) ? ompp_preload_here
	                                                                          : NULL);
	if (!status)
		status = ompp_child_go(&child, "");
	if (status)
		return status;
	if (r.has_progress)
		ompp_progress(child.pid);
	wait_status = ompp_child_wait(&child);
	if (is_rank)
		end_rank(ompp_preload_program(argv), wait_status, now.tv_sec * INT64_C(1000000000) + now.tv_nsec,
		         r.color);
	else if (!is_bare && strcasecmp(run_setting("OMPP_REPORTFILE"), "none"))
		print_reports(ompp_preload_program(argv), child.pid, wait_status,
		              now.tv_sec * INT64_C(1000000000) + now.tv_nsec, r.color, r.has_page);
	return ompp_child_end_like(wait_status);
}

const struct ompp_command ompp_run_command = {
	.name = "run",
	.usage = "[OPTIONS] PROGRAM [ARGS]",
	.brief = "run a program, then print its report",
	.about = "Runs the program, then prints the report on standard output.  The exit status is the program's.\n"
		 "A program that kinst did not build is measured through the calls that GCC and the OpenMP library\n"
		 "make for it; ompp(1) lists what they do not show.\n"
		 "Every OMPP_ variable is also an option: --dump-interval=5 means OMPP_DUMP_INTERVAL=5.\n"
		 "--outformat=html, alone or in a list, writes the report as a web page next to the profile after\n"
		 "the run.  --threads prints the report that 'ompp help scaling' describes.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 }, { variables, OMPP_COUNT_OF(variables), 0 } },
	.run = run_main,
};
