/*
 * Dump: see dump.h.
 *
 * File names are ompP's: <app>.<threads>-<n>.ompp.txt with the first free n.  The name is taken once per process, by
 * creating the file exclusively, so processes and MPI ranks never share one; later reports of the process replace
 * its content, and each incremental one is also kept as .dump<k>.
 */
#define _GNU_SOURCE
#include "runtime/collect/dump.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "reports/report.h"
#include "runtime/base/note.h"
#include "runtime/base/real.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/base/wish.h"
#include "runtime/collect/collect.h"
#include "runtime/collect/locks.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"

enum { PATH_BYTES = 8192, MAX_TRIES = 100000, DUMP_STACK_BYTES = 256 * 1024 };

static struct {
	char path[PATH_BYTES];                  /* of all files, without suffix; "" until taken */
} name;
static _Atomic int reporting;                   /* 1 while a report is made; the holder alone uses `name` */
static __thread int mine __attribute__((tls_model("initial-exec")));    /* this thread is the holder */

/* Take the right to report: 0, or -1 when this thread has it already (a crash inside a report) or when the holder
 * does not finish within ten seconds. */
static int take_turn(void)
{
	int i, expected;

	if (mine)
		return -1;
	for (i = 0; i < 10000; i++) {
		expected = 0;
		if (atomic_compare_exchange_strong(&reporting, &expected, 1)) {
			mine = 1;
			return 0;
		}
		ompp_sys_sleep(1000000);
	}
	return -1;
}

static void end_turn(void)
{
	mine = 0;
	atomic_store(&reporting, 0);
}

static const char *error_text(int error)
{
	switch (error) {
	case ENOSPC:       return "no space left on the device";
	case EDQUOT:       return "quota exceeded";
	case EACCES:
	case EPERM:        return "permission denied";
	case EROFS:        return "read-only file system";
	case ENOENT:
	case ENOTDIR:      return "no such folder";
	case EISDIR:       return "is a folder";
	case ENAMETOOLONG: return "name too long";
	case EMFILE:
	case ENFILE:       return "too many open files";
	case EIO:          return "input/output error";
	case EPIPE:        return "nobody reads the pipe";
	case ENOMEM:       return "not enough memory";
	default:           return "system error";
	}
}

static void say_failed(const char *path, int error)
{
	char line[512];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_strn(&t, path, strnlen(path, 400));
	ompp_text_str(&t, ": report not written: ");
	ompp_text_str(&t, error_text(error));
	ompp_text_str(&t, "; set OMPP_OUTDIR or OMPP_REPORTFILE");
	ompp_session_say(line);
}

/* Where OMPP_REPORTFILE sends the report when that is no file, else -1. */
static int stream(void)
{
	const char *file = ompp_session.options.text[OMPP_OPT_REPORTFILE];

	return !strcmp(file, "stdout") ? STDOUT_FILENO : !strcmp(file, "stderr") ? STDERR_FILENO : -1;
}

/* Formats asked for, as bits; both kinds of CSV are one file, which is raw when that is asked for. */
enum { TEXT = 1, CSV = 2 };

static int is_raw(void)
{
	return ompp_list_has(ompp_session.options.text[OMPP_OPT_OUTFORMAT], "CSV-RAW", 7);
}

static int formats(void)
{
	const char *list = ompp_session.options.text[OMPP_OPT_OUTFORMAT];

	return (ompp_list_has(list, "PLAIN", 5) || ompp_list_has(list, "TEXT", 4) ? TEXT : 0) |
	       (ompp_list_has(list, "CSV", 3) || is_raw() ? CSV : 0);
}

/* An absolute path is used as it is; another starts in the folder in which the program started. */
static void put_folder(struct ompp_text *t, const char *path)
{
	if (path[0] != '/' && ompp_session.folder[0]) {
		ompp_text_str(t, ompp_session.folder);
		ompp_text_char(t, '/');
	}
	ompp_text_str(t, path);
}

static void put_process(struct ompp_text *t)
{
	if (ompp_mpi_size() > 1 && ompp_mpi_rank() >= 0) {
		ompp_text_str(t, ".r");
		ompp_text_u64(t, (uint64_t)ompp_mpi_rank());
	}
	if (ompp_session.forked || ompp_session.options.number[OMPP_OPT_USEPID]) {
		ompp_text_char(t, '.');
		ompp_text_u64(t, (uint64_t)ompp_session.pid);
	}
}

/* Path of one file: the name, .dump<k>, the suffix. */
static const char *file_path(char *to, const char *suffix, uint32_t dump)
{
	struct ompp_text t;

	ompp_text_init(&t, to, PATH_BYTES);
	ompp_text_str(&t, name.path);
	if (dump) {
		ompp_text_str(&t, ".dump");
		ompp_text_u64(&t, dump);
	}
	ompp_text_str(&t, suffix);
	return to;
}

static const char *suffix_of(int format)
{
	if (ompp_session.options.text[OMPP_OPT_REPORTFILE][0] && stream() < 0)
		return formats() == (TEXT | CSV) ? (format == TEXT ? ".txt" : ".csv") : "";
	return format == TEXT ? ".ompp.txt" : ".ompp.csv";
}

/* Choose the name: 0 or the error. */
static int take_name(const struct ompp_profile *profile)
{
	const char *file = ompp_session.options.text[OMPP_OPT_REPORTFILE], *p;
	int n, error = 0;
	const char *first = stream() >= 0 ? ".ompp" : suffix_of(formats() & TEXT ? TEXT : CSV);
	char *path = name.path;
	struct ompp_text t;
	size_t stem;

	if (name.path[0])
		return 0;
	ompp_text_init(&t, path, PATH_BYTES - 64);
	if (file[0] && stream() < 0) {
		put_folder(&t, file);
		if (ompp_session.forked || ompp_mpi_size() > 1)
			put_process(&t);
		return 0;
	}
	put_folder(&t, ompp_session.options.text[OMPP_OPT_OUTDIR]);
	if (t.n_bytes && path[t.n_bytes - 1] != '/')
		ompp_text_char(&t, '/');
	for (p = profile->app; *p; p++)
		ompp_text_char(&t, *p == '/' ? '_' : *p);
	ompp_text_char(&t, '.');
	ompp_text_u64(&t, profile->max_threads);
	put_process(&t);
	if (ompp_session.options.number[OMPP_OPT_OVERWRITE])
		return 0;
	stem = t.n_bytes;
	for (n = 0; n < MAX_TRIES; n++) {
		char full[PATH_BYTES];
		int fd;

		t.n_bytes = stem;
		path[stem] = '\0';
		ompp_text_char(&t, '-');
		ompp_text_u64(&t, (uint64_t)n);
		if (!ompp_sys_access(file_path(full, ".ompp.txt", 0), F_OK) ||
		    !ompp_sys_access(file_path(full, ".ompp.csv", 0), F_OK) ||
		    !ompp_sys_access(file_path(full, ".ompp", 0), F_OK))
			continue;
		fd = ompp_sys_open(file_path(full, first, 0), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0) {
			ompp_sys_close(fd);
			return 0;
		}
		error = -fd;
		if (error != EEXIST)
			break;
	}
	t.n_bytes = stem;
	path[stem] = '\0';
	return error ? error : EEXIST;
}

/* Write one file; what: 0 the profile, else the format.  0 or the error. */
static int write_to(int fd, int what, const struct ompp_profile *profile, struct ompp_arena *arena)
{
	struct ompp_report_options options = {
		.views = ompp_session.options.text[OMPP_OPT_VIEW], .format = what == TEXT ? "text" : is_raw() ? "csv-raw" : "csv",
		.property_min = ompp_session.options.number[OMPP_OPT_PROPERTY_MIN]
	};

	return -(what ? ompp_report_show(profile, &options, fd, arena) : ompp_profile_write(profile, fd, arena));
}

/* say: 1 to name the report, or what went wrong, on stderr. */
static int write_file(const char *suffix, uint32_t dump, int what, int say, const struct ompp_profile *profile,
                      struct ompp_arena *arena)
{
	char path[PATH_BYTES], line[512];
	struct ompp_text t;
	int fd = ompp_sys_open(file_path(path, suffix, dump), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), error, rc;

	error = fd < 0 ? -fd : write_to(fd, what, profile, arena);
	rc = fd < 0 ? 0 : ompp_sys_close(fd);
	if (!error)
		error = -rc;
	if (error && say)
		say_failed(path, error);
	if (!error && what && say) {
		ompp_text_init(&t, line, sizeof(line));
		ompp_text_str(&t, "report: ");
		ompp_text_str(&t, path);
		ompp_session_say(line);
	}
	return error;
}

static const int kinds[] = { TEXT, CSV };
enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static void write_stream(int fd, const struct ompp_profile *profile, struct ompp_arena *arena)
{
	unsigned int i;

	for (i = 0; i < N_KINDS; i++)
		if (formats() & kinds[i]) {
			int error = write_to(fd, kinds[i], profile, arena);

			if (error)
				say_failed(ompp_session.options.text[OMPP_OPT_REPORTFILE], error);
		}
}

/* The reports, unless they go to a stream, and the profile; the name is taken. */
static void write_files(uint32_t dump, int say, const struct ompp_profile *profile, struct ompp_arena *arena)
{
	unsigned int i;

	for (i = 0; stream() < 0 && i < N_KINDS; i++)
		if (formats() & kinds[i] && write_file(suffix_of(kinds[i]), dump, kinds[i], say, profile, arena))
			return;
	if (ompp_session.options.number[OMPP_OPT_PROFILE])
		write_file(".ompp", dump, 0, say, profile, arena);
}

/* A word of the environment that nothing met: said on stderr and in the report. */
static void tell(const char *line)
{
	ompp_note_say(line);
	ompp_session_say(line);
}

/* Make one report; the turn is ours. */
static void report(int final, int signal, uint32_t dump)
{
	struct ompp_profile profile;
	struct ompp_locks locks;
	struct ompp_arena arena;
	int error;

	ompp_arena_init(&arena, 0);
	if (final && !ompp_session.forked) {    /* a child does not know what its parent met later */
		if (ompp_session.options.text[OMPP_OPT_FILTER][0])
			ompp_locks_name(&locks, &arena);        /* it may mean one of them */
		ompp_wish_tell(tell);
	}
	error = -ompp_collect(&profile, &arena, final, signal);
	if (error) {
		say_failed("memory", error);
		goto out;
	}
	if (ompp_session.forked && !profile.n_events)
		goto out;
	if (stream() >= 0) {
		write_stream(stream(), &profile, &arena);
		if (!ompp_session.options.number[OMPP_OPT_PROFILE])
			goto out;
	}
	error = take_name(&profile);
	if (error) {
		say_failed(name.path, error);
		name.path[0] = '\0';
		goto out;
	}
	write_files(dump, 1, &profile, &arena);
	if (dump)                               /* the main files hold the newest, whatever happens later */
		write_files(0, 0, &profile, &arena);
out:
	ompp_arena_fini(&arena);
}

static int wanted(void)
{
	/* A vfork() child shares our memory, but is not the process that was measured. */
	return ompp_sys_getpid() == ompp_session.pid && strcmp(ompp_session.options.text[OMPP_OPT_REPORTFILE], "none");
}

void ompp_dump_final(int signal)
{
	ompp_session_start();
	if (!wanted() || take_turn())
		return;
	if (!atomic_exchange(&ompp_session.ended, 1))
		report(1, signal, 0);
	end_turn();
}

void ompp_dump_before_exec(void)
{
	if (wanted() && !atomic_load(&ompp_session.ended) && !take_turn()) {
		report(1, 0, 0);
		end_turn();
	}
}

void ompp_dump_incremental(void)
{
	ompp_session_start();
	if (wanted() && !atomic_load(&ompp_session.ended) && !take_turn()) {
		report(0, 0, atomic_fetch_add(&ompp_session.n_dumps, 1) + 1);
		end_turn();
	}
}

static void *dump_thread(void *arg)
{
	int64_t ns = ompp_session.options.number[OMPP_OPT_DUMP_INTERVAL];

	(void)arg;
	for (;;) {
		ompp_sys_sleep(ns);
		ompp_dump_incremental();
	}
	return NULL;
}

void ompp_dump_start(void)
{
	static _Atomic int started;
	const struct ompp_real *r = ompp_real();
	uint64_t all = OMPP_ALL_SIGNALS, before;
	pthread_attr_t attr;
	pthread_t thread;

	if (!ompp_session.options.number[OMPP_OPT_DUMP_INTERVAL] || atomic_exchange(&started, 1))
		return;
	/* The program's signals are not for this thread. */
	ompp_sys_sigmask(SIG_BLOCK, &all, &before);
	if (!r->thread_create || r->attr_init(&attr) || r->attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) ||
	    r->attr_setstacksize(&attr, DUMP_STACK_BYTES) || r->thread_create(&thread, &attr, dump_thread, NULL))
		ompp_session_say("OMPP_DUMP_INTERVAL: no thread could be started: no incremental reports");
	ompp_sys_sigmask(SIG_SETMASK, &before, NULL);
}

void ompp_dump_after_fork(void)
{
	name.path[0] = '\0';
	mine = 0;
	atomic_store(&reporting, 0);
	atomic_store(&ompp_session.ended, 0);
}
