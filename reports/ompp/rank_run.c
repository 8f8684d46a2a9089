/*
 * Rank run: see rank_run.h.
 */
#define _GNU_SOURCE
#include "reports/ompp/rank_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/analysis/report_options.h"
#include "reports/command/command_line.h"
#include "reports/ompp/ompp.h"
#include "reports/profile/merge.h"
#include "reports/profile/misfit.h"
#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "reports/show/show.h"
#include "reports/show/show_ranks.h"
#include "runtime/terms/launcher.h"

enum { PATH_BYTES = 4096 + NAME_MAX + 64 };

static const int64_t most_apart_ns = INT64_C(60000000000); /* between the begins of two ranks of one run */

static int is_quiet; /* the user set OMPP_QUIET */

int ompp_rank_run_begin(void)
{
	int rank, size;

	ompp_launcher_find(environ, &rank, &size);
	if (rank < 0 || size < 2)
		return 0;
	is_quiet = getenv("OMPP_QUIET") != NULL;
	setenv("OMPP_QUIET", "1", 0);
	return 1;
}

/* The files of a run, by rank. */
struct found {
	const char *folder;
	int rank, size;
	char **paths; /* NULL: this rank has none */
	int n, is_twice, is_merged;
	int64_t n_bytes, written_ns; /* written_ns: when the last one was */
	int64_t told_ns;             /* when the last report of all ranks was written; 0: never */
	struct ompp_arena arena;
};

/* Returns the rank in "prog.2.r3-0.ompp" and the end of what stands before it; -1 without one. */
static int rank_of(const char *name, size_t *n_stem)
{
	size_t n = strlen(name), at;
	int rank = 0;

	if (n < 5 || strcmp(name + n - 5, ".ompp"))
		return -1;
	for (at = n - 5; at && name[at - 1] >= '0' && name[at - 1] <= '9'; at--)
		;
	if (!at || name[--at] != '-')
		return -1;
	for (n = at; at && name[at - 1] >= '0' && name[at - 1] <= '9'; at--)
		;
	if (at == n || at < 2 || name[at - 1] != 'r' || name[at - 2] != '.')
		return -1;
	for (size_t i = at; i < n && rank < INT_MAX / 20; i++)
		rank = rank * 10 + (name[i] - '0');
	*n_stem = at - 2;
	return rank;
}

/* Looks at a file of the folder that is not older than this rank's begin. */
static void found_add(struct found *f, const char *name, int64_t since_ns)
{
	char path[PATH_BYTES], of_all[32];
	int64_t ns;
	size_t n_stem;
	struct stat st;
	int rank = rank_of(name, &n_stem);

	snprintf(path, sizeof(path), "%s/%s", f->folder, name);
	snprintf(of_all, sizeof(of_all), ".ranks%d-", f->size);
	if ((rank < 0 || rank >= f->size) && !strstr(name, of_all) && !strstr(name, ".merging"))
		return;
	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_mtim.tv_sec + 1 < since_ns / 1000000000)
		return;
	ns = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
	if (rank < 0 || rank >= f->size) {
		f->is_merged = 1;
		if (strstr(name, ".ompp.txt") && ns > f->told_ns)
			f->told_ns = ns;
		return;
	}
	f->written_ns = ns > f->written_ns ? ns : f->written_ns;
	f->is_twice |= f->paths[rank] != NULL;
	f->n += !f->paths[rank];
	f->n_bytes += st.st_size;
	f->paths[rank] = ompp_arena_strdup(&f->arena, path);
}

/* Reads the profiles.  Returns NULL where they are not those of one run, or not whole. */
static struct ompp_profile *found_read(struct found *f, int64_t since_ns)
{
	struct ompp_profile *ranks = ompp_arena_alloc(&f->arena, (size_t)f->size * sizeof(*ranks));
	size_t other;

	for (int i = 0; ranks && i < f->size; i++) {
		int fd = open(f->paths[i], O_RDONLY | O_CLOEXEC);
		const char *why;
		int rc = fd < 0 ? -errno : ompp_profile_read(fd, &f->arena, &ranks[i], &why);

		if (fd >= 0)
			close(fd);
		if (rc || ranks[i].is_damaged || !ranks[i].final || ranks[i].mpi_rank != i ||
		    ranks[i].mpi_size != f->size || ranks[i].start_unix_ns < since_ns - most_apart_ns ||
		    ompp_misfit(ranks, (size_t)i, &other, &f->arena))
			return NULL;
	}
	return ranks;
}

/* Opens a file of all ranks, "prog.2.ranks4-0.ompp", under the first number that is free.  Returns -errno. */
static int open_merged(const struct found *f, const char *suffix, char path[PATH_BYTES])
{
	const char *first = f->paths[0], *base = strrchr(first, '/');
	size_t n_stem = 0;
	int fd = -EEXIST;

	base = base ? base + 1 : first;
	rank_of(base, &n_stem);
	for (int n = 0; fd == -EEXIST && n < 100000; n++) {
		snprintf(path, PATH_BYTES, "%.*s.ranks%d-%d%s", (int)((size_t)(base - first) + n_stem), first, f->size,
		         n, suffix);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		fd = fd < 0 ? -errno : fd;
	}
	return fd;
}

/* Takes the profile of a rank away, with its reports. */
static void remove_rank(const char *path)
{
	char report[PATH_BYTES];

	unlink(path);
	for (size_t i = 0; ompp_report_format(i); i++) {
		snprintf(report, sizeof(report), "%s.%s", path, ompp_report_suffix(i));
		unlink(report);
	}
}

/* Adds the profiles up into one file.  Returns 0 or -errno. */
static int found_merge(struct found *f, const struct ompp_profile *ranks, struct ompp_profile *merged,
                       char path[PATH_BYTES])
{
	int rc = ompp_profile_merge(ranks, (size_t)f->size, &f->arena, merged);
	int fd = rc ? rc : open_merged(f, ".ompp", path);

	if (fd < 0)
		return fd;
	rc = ompp_profile_write(merged, fd, &f->arena);
	if (close(fd) && !rc)
		rc = -errno;
	if (rc)
		unlink(path);
	for (int i = 0; i < f->size && !rc; i++)
		remove_rank(f->paths[i]);
	return rc;
}

/* Looks at the folder. */
static void found_look(struct found *f, int64_t since_ns)
{
	struct dirent *entry;
	DIR *dir = opendir(f->folder);

	f->n = f->is_twice = f->is_merged = 0;
	f->n_bytes = f->written_ns = f->told_ns = 0;
	f->paths = ompp_arena_alloc(&f->arena, (size_t)f->size * sizeof(*f->paths));
	while (dir && f->paths && (entry = readdir(dir)))
		found_add(f, entry->d_name, since_ns);
	if (dir)
		closedir(dir);
}

/* Merges all profiles, and prints the report. */
static void found_end(struct found *f, int64_t since_ns, const struct ompp_report_options *options)
{
	char path[PATH_BYTES];
	struct ompp_profile *ranks = found_read(f, since_ns), merged;
	int rc = ranks ? found_merge(f, ranks, &merged, path) : 0;

	if (rc)
		ompp_complain("run",
		              "the profiles of the ranks stay apart, as one file of all cannot be written: %s; 'ompp "
		              "report "
		              "FILE...' adds them up",
		              strerror(-rc));
	if (!ranks || rc)
		return;
	ompp_print(&merged, 1, options, path, &f->arena);
	if (!is_quiet)
		ompp_complain("profile", "%s", path);
}

/* Has what is written to stdout in a file, which is copied there then. */
static int report_to(int fd, struct found *f, const struct ompp_report_options *options)
{
	int out, status;
	char bytes[8192];
	ssize_t n;

	fflush(stdout);
	out = dup(STDOUT_FILENO);
	if (out < 0 || dup2(fd, STDOUT_FILENO) < 0)
		return -1;
	status = ompp_show_ranks(f->paths, (size_t)f->size, options);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	for (off_t at = 0; !status && (n = pread(fd, bytes, sizeof(bytes), at)) > 0; at += n)
		fwrite(bytes, 1, (size_t)n, stdout);
	fflush(stdout);
	return status;
}

/* The report of so many ranks, or such large profiles, that they are read one by one, and stay: it is in a file, which
 * also says to ranks that end later that it was made. */
static void found_end_large(struct found *f, int64_t since_ns, const struct ompp_report_options *options)
{
	static const char apart[] = "the profiles of the %d ranks stay apart, as they have %lld MiB; 'ompp report "
				    "FILE...' adds them up";
	char path[PATH_BYTES];
	int fd = -1, status = -1;

	found_look(f, since_ns);
	if (!f->paths || f->n < f->size || f->is_twice || f->told_ns >= f->written_ns)
		return;
	if (ompp_show_ranks_is(f->paths, (size_t)f->size, options))
		fd = open_merged(f, ".ompp.txt", path);
	if (fd >= 0) {
		status = report_to(fd, f, options);
		close(fd);
	}
	if (fd >= 0 && status)
		unlink(path);
	if (!is_quiet || status)
		ompp_complain("run", apart, f->size, (long long)(f->n_bytes >> 20));
	if (!status && !is_quiet)
		ompp_complain("report", "%s", path);
}

/* Adds up all profiles, unless another rank does or did. */
static void found_add_up(struct found *f, int64_t since_ns, const struct ompp_report_options *options)
{
	char marker[PATH_BYTES];
	int fd;

	snprintf(marker, sizeof(marker), "%s.merging", f->paths[0]);
	fd = open(marker, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return;
	close(fd);
	if (f->n_bytes <= OMPP_MOST_WHOLE_BYTES)
		found_end(f, since_ns, options);
	else
		found_end_large(f, since_ns, options);
	unlink(marker);
}

void ompp_rank_run_end(const char *program, int wait_status, const char *folder, int64_t since_ns,
                       const struct ompp_report_options *options)
{
	struct found f = { .folder = folder };

	ompp_launcher_find(environ, &f.rank, &f.size);
	ompp_arena_init(&f.arena, 0);
	found_look(&f, since_ns);
	if (WIFSIGNALED(wait_status))
		ompp_complain(program, "rank %d of %d was ended by signal %d (%s)", f.rank, f.size,
		              WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	if (f.paths && f.n == f.size && !f.is_twice)
		found_add_up(&f, since_ns, options);
	else if (f.paths && !f.paths[f.rank] && !f.is_merged)
		ompp_explain_absent(program, wait_status, folder);
	ompp_arena_fini(&f.arena);
}
