/*
 * Run: ompp run.  It sets OMPP_ variables from the options, runs the program, and prints the report of the profile that
 * the program left.
 *
 * The profile goes where the user's options say, as it would without ompp.  It is found again by the pid and the start
 * time that are saved in it.  Programs that only start others (mpirun, a shell) leave profiles of their children: those
 * of MPI ranks are merged, and the reports of other processes are named.
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

#include "reports/ompp/child.h"
#include "reports/ompp/progress.h"
#include "reports/ompp/terminal.h"
#include "reports/profile/misfit.h"
#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "runtime/base/array.h"
#include "runtime/base/option.h"
#include "runtime/base/text.h"

enum { MAX_PATH = 4096, MAX_PROFILES = 4096 };

/* Returns "--dump-interval" for option i, in a static buffer; behind the last option comes the short form of one. */
static const char *option_word(size_t i)
{
	static char words[OMPP_N_OPTIONS][64];
	size_t n = 0;

	static const char *const own[] = { "--data", "--progress", "--color", "--threads", "--runs" };

	if (i >= OMPP_N_OPTIONS)
		return i - OMPP_N_OPTIONS < OMPP_COUNT_OF(own) ? own[i - OMPP_N_OPTIONS] : NULL;
	n = (size_t)snprintf(words[i], sizeof(words[i]), "--%s", ompp_option_table[i].name);
	for (size_t k = 0; k < n && k < sizeof(words[i]); k++)
		words[i][k] = words[i][k] == '_' ? '-' : (char)tolower((unsigned char)words[i][k]);
	return words[i];
}

/* Returns the value of an option, under its long name or as --data. */
static const char *option_value(int argc, char **argv, int *i, size_t k)
{
	const char *value = ompp_option_argument(argc, argv, i, option_word(k) + 2);

	return !value && k == OMPP_OPT_DATA_NAME ? ompp_option_argument(argc, argv, i, "data") : value;
}

/* Complains about the value of an option.  Returns -1. */
static int bad_value(size_t option, const char *value, int rc)
{
	char cause[256];
	struct ompp_text t;
	int has_near;

	ompp_text_init(&t, cause, sizeof(cause));
	has_near = ompp_option_explain(&t, &ompp_option_table[option], value, rc);
	ompp_complain(option_word(option), "%s%s", cause, has_near ? "" : "; 'ompp help run' tells more");
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

/* Sets the variable of one option.  Returns 0, or -1 after a complaint. */
static int set_option(int argc, char **argv, int *i, int *has_page)
{
	const char *word = argv[*i], *value = NULL, *near;
	char variable[80], rest[256];
	int64_t number;
	int rc;

	for (size_t k = 0; k < OMPP_N_OPTIONS; k++) {
		const struct ompp_option_info *info = &ompp_option_table[k];

		if (info->type == OMPP_TYPE_BOOL && !strcmp(word, option_word(k)))
			value = "1";
		else if ((k == OMPP_OPT_SAMPLE || k == OMPP_OPT_PAGES) && !strcmp(word, option_word(k)))
			value = "auto"; /* the next word is the program's, as touch may be */
		else if (k == OMPP_OPT_OBJECTS && !strcmp(word, option_word(k)))
			value = "all";
		else
			value = option_value(argc, argv, i, k);
		if (!value)
			continue;
		if (k == OMPP_OPT_OUTFORMAT) {
			*has_page = take_page(value, rest, sizeof(rest));
			value = *has_page ? rest : value;
		}
		rc = ompp_option_value(info, value, &number);
		if (rc)
			return bad_value(k, value, rc);
		if (k == OMPP_OPT_VIEW && !ompp_words_known("--view", value, ompp_report_view))
			return -1;
		snprintf(variable, sizeof(variable), "OMPP_%s", info->name);
		if (setenv(variable, value, 1)) {
			ompp_complain(word, "%s", strerror(errno));
			return -1;
		}
		return 0;
	}
	near = ompp_nearest_typed(word, option_word);
	ompp_complain(word, "unknown option; %s%s", near ? "did you mean " : "'ompp help run' lists them",
	              near ? near : "");
	return -1;
}

static const char *setting(const char *variable)
{
	const char *value = getenv(variable);

	return value ? value : "";
}

/* Gets the folder of the profiles. */
static void folder(char path[MAX_PATH])
{
	const char *file = setting("OMPP_REPORTFILE"), *slash = strrchr(file, '/'), *outdir = setting("OMPP_OUTDIR");
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
static size_t find(const char *where, int64_t since_ns, struct ompp_arena *arena, struct saved *found)
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

/* Chooses among the profiles of children those of the first one's MPI run, in the order of their ranks.  Returns their
 * number. */
static size_t choose_ranks(const struct saved *found, size_t n, struct ompp_profile *ranks, struct ompp_arena *arena)
{
	size_t n_ranks = 0, other, first = 0;

	while (first < n && found[first].profile.mpi_rank < 0)
		first++;
	for (size_t i = first < n ? first : 0; i < n; i++) {
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

/* Finds the profiles that a program left which was started at the given time, sorted, and chooses among them its own,
 * or else those of the ranks of an MPI run that it started, or of its first child.  Returns their number.
 * found: all profiles, *n of them; NULL without memory
 * ranks: those that are chosen */
static size_t find_run(const char *where, pid_t pid, int64_t since_ns, struct ompp_arena *arena, struct saved **found,
                       size_t *n, struct ompp_profile **ranks)
{
	size_t n_ranks = 0;

	*found = ompp_arena_alloc(arena, MAX_PROFILES * sizeof(**found));
	*ranks = ompp_arena_alloc(arena, MAX_PROFILES * sizeof(**ranks));
	*n = *found && *ranks ? find(where, since_ns, arena, *found) : 0;
	if (!*n)
		return 0;
	qsort(*found, *n, sizeof(**found), by_rank_and_start);
	for (size_t i = 0; i < *n; i++)
		if ((*found)[i].profile.pid == pid)
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
	if (!ompp_save_page(profiles, n, options, profile_path, path, arena) && strcmp(setting("OMPP_QUIET"), "1"))
		ompp_complain("page", "%s", path);
}

/* Prints the program's own profile; or those of its children, with ranks merged. */
static void print_reports(const char *program, pid_t pid, int wait_status, int64_t since_ns, const char *color,
                          int has_page)
{
	const char *file = setting("OMPP_REPORTFILE"), *format = setting("OMPP_OUTFORMAT");
	struct ompp_report_options options = { .views = setting("OMPP_VIEW"),
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
	folder(where);
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
	for (size_t i = 0; i < n && strcmp(setting("OMPP_QUIET"), "1"); i++) {
		size_t k = 0;

		while (k < n_ranks && ranks[k].pid != found[i].profile.pid)
			k++;
		if (k == n_ranks)
			ompp_complain(found[i].path, "the profile of process %lld, which it started",
			              (long long)found[i].profile.pid);
	}
	ompp_arena_fini(&arena);
}

/* ---- runs with several numbers of threads ---- */

enum { MOST_COUNTS = 64, MOST_THREADS = 65536, MOST_RUNS = 1000 };

struct series {
	uint32_t counts[MOST_COUNTS]; /* of threads */
	size_t n_counts, n_runs;      /* n_runs of each */
	char **paths;                 /* of the profiles; the first one is the name of the command that shows them */
	size_t n_paths, n_room;
};

static int parse_counts(const char *list, struct series *s)
{
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
	ompp_complain("--threads", "'%s' is not a list of different numbers of threads; write 1,2,4,8 for example",
	              list);
	return -1;
}

static int parse_runs(const char *text, struct series *s)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (text[0] >= '0' && text[0] <= '9' && !*end && n >= 1 && n <= MOST_RUNS) {
		s->n_runs = n;
		return 0;
	}
	ompp_complain("--runs", "'%s' is not a number from 1 to %d; give how often to run with each number of threads",
	              text, MOST_RUNS);
	return -1;
}

/* Will each run have files of its own?  If not, it complains. */
static int has_own_files(const struct series *s)
{
	const char *option = setting("OMPP_REPORTFILE")[0]                     ? "--reportfile"
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
	if (s->n_paths + 1 >= s->n_room) { /* a NULL ends them */
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
	status = ompp_child_start(&child, argv, NULL);
	if (!status)
		status = ompp_child_go(&child, "; give a program built by kinst");
	if (status)
		return status;
	wait_status = ompp_child_wait(&child);
	if (wait_status) {
		ompp_complain(argv[0], "did not end well with %u threads; so there is nothing to compare", n_threads);
		return ompp_child_end_like(wait_status);
	}
	folder(where);
	ompp_arena_init(&scratch, 0);
	n_ranks = find_run(where, child.pid, now.tv_sec * INT64_C(1000000000) + now.tv_nsec, &scratch, &found, &n,
	                   &ranks);
	for (size_t i = 0; i < n_ranks && !status; i++)
		status = add_path(s, path_of(found, n, ranks[i].pid), arena);
	ompp_arena_fini(&scratch);
	if (n_ranks)
		return status;
	ompp_explain_absent(argv[0], wait_status, where);
	return OMPP_EXIT_FAILED;
}

/* Runs the program with each number of threads in turn, so that what the machine does otherwise meets all of them, and
 * shows how its time depends on that.  Returns the exit status. */
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
		status = ompp_scaling_command((int)s->n_paths, s->paths);
	ompp_arena_fini(&arena);
	return status;
}

int ompp_run(int argc, char **argv)
{
	struct series series = { 0 };
	struct timespec now;
	struct ompp_child child;
	const char *color = NULL, *word;
	int i, status, wait_status, has_progress = 0, has_page = take_page_of_variable();

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--")) {
			i++;
			break;
		}
		if (ompp_is_help(argv[i]))
			return ompp_help_about("run");
		if (!strcmp(argv[i], "--progress")) {
			has_progress = 1;
		} else if ((word = ompp_option_argument(argc, argv, &i, "color"))) {
			color = word;
			if (!ompp_words_known("--color", word, ompp_color_word))
				return OMPP_EXIT_USAGE;
		} else if ((word = ompp_option_argument(argc, argv, &i, "threads"))) {
			if (parse_counts(word, &series))
				return OMPP_EXIT_USAGE;
		} else if ((word = ompp_option_argument(argc, argv, &i, "runs"))) {
			if (parse_runs(word, &series))
				return OMPP_EXIT_USAGE;
		} else if (set_option(argc, argv, &i, &has_page)) {
			return OMPP_EXIT_USAGE;
		}
	}
	if (i >= argc) {
		ompp_complain("run", "no program; give one that was built by kinst");
		return OMPP_EXIT_USAGE;
	}
	if (series.n_runs && !series.n_counts) {
		ompp_complain("--runs", "needs --threads, too; write --threads=1,2,4 for example");
		return OMPP_EXIT_USAGE;
	}
	series.n_runs += !series.n_runs;
	if (series.n_counts && has_page)
		ompp_complain("--threads",
		              "a page (html) is of one run, so none is written; 'ompp report --format=html' makes "
		              "one of a profile");
	if (series.n_counts)
		return run_series(argv + i, &series);
	clock_gettime(CLOCK_REALTIME, &now);
	status = ompp_child_start(&child, argv + i, NULL);
	if (!status)
		status = ompp_child_go(&child, "; give a program built by kinst");
	if (status)
		return status;
	if (has_progress)
		ompp_progress(child.pid);
	wait_status = ompp_child_wait(&child);
	if (strcasecmp(setting("OMPP_REPORTFILE"), "none"))
		print_reports(argv[i], child.pid, wait_status, now.tv_sec * INT64_C(1000000000) + now.tv_nsec, color,
		              has_page);
	return ompp_child_end_like(wait_status);
}
