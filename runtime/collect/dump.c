/*
 * Dump: see dump.h.
 */
#define _GNU_SOURCE
#include "runtime/collect/dump.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "runtime/access/access.h"
#include "runtime/access/emulated.h"
#include "runtime/base/array.h"
#include "runtime/base/clean.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/collect/collect.h"
#include "runtime/collect/destination.h"
#include "runtime/collect/page_trace.h"
#include "runtime/collect/trace.h"
#include "runtime/core/helper_thread.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/data/site.h"
#include "runtime/host/clock.h"
#include "runtime/host/loaded.h"
#include "runtime/host/note.h"
#include "runtime/host/real.h"
#include "runtime/host/stack.h"
#include "runtime/host/stream.h"
#include "runtime/memory/placement.h"
#include "runtime/ranges/range.h"
#include "runtime/session/delegate.h"
#include "runtime/session/machine_time.h"
#include "runtime/session/session_start.h"
#include "runtime/sources/sampling.h"
#include "runtime/sums/locks.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"
#include "runtime/terms/wish.h"

enum { DUMP_STACK_BYTES = 256 * 1024, MOST_PAUSES = 2000 };

static _Atomic int reporting; /* 1 while a report is made; only the thread that makes it uses place.h */
static __thread int mine __attribute__((tls_model("initial-exec"))); /* 1 when this thread makes the report */

/* Takes the right to report.  Returns 0; or -1 when this thread has it already (a crash inside a report), or when
 * another thread does not finish its report within ten seconds. */
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

static void say_failed(const char *path, int error)
{
	char line[512];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_strn(&t, path, strnlen(path, 400));
	ompp_text_str(&t, ": report not written: ");
	ompp_text_str(&t, ompp_output_error(error));
	ompp_text_str(&t, error == -ENOMEM ? "; raise the limit of address space (ulimit -v)"
	                                   : "; set OMPP_OUTDIR or OMPP_REPORTFILE");
	ompp_session_say(line);
}

static void say_written(const char *path)
{
	char line[512];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "report: ");
	ompp_text_str(&t, path);
	ompp_session_say(line);
}

/* Does the name of rank 0's profile, ending in ".r0" at `at`, and `rest`, become that of each other rank and of no
 * other profile with a * in place of the 0?  Each rank takes its own first free number, so they are surely alike only
 * where no earlier run left any, or all are overwritten; nor may there be one of a run of more ranks. */
static int is_like_ranks(const char *path, size_t at, const char *rest, int n_ranks)
{
	char other[OMPP_PATH_BYTES];
	struct ompp_text t;

	if ((strcmp(rest, "-0.ompp") && strcmp(rest, ".ompp")) || !ompp_is_plain_word(path))
		return 0;
	ompp_text_init(&t, other, sizeof(other));
	ompp_text_strn(&t, path, at);
	ompp_text_str(&t, ".r");
	ompp_text_i64(&t, n_ranks);
	ompp_text_str(&t, rest);
	return !ompp_output_exists(other);
}

/* Says, in one rank of several, how to have one report of all.  Their names are like that of rank 0 where they have as
 * many threads. */
static void say_ranks(const char *path, const struct ompp_profile *profile)
{
	static const char own[] = ".r0";
	size_t n_own = sizeof(own) - 1, at = strlen(path);
	const char *rest;
	char line[512];
	struct ompp_text t;

	if (profile->mpi_rank || profile->mpi_size < 2)
		return;
	while (at && path[at] != '/' && strncmp(path + at, own, n_own))
		at--;
	rest = strncmp(path + at, own, n_own) ? "" : path + at + n_own;
	if (*rest != '-' && (strcmp(rest, ".ompp") || !ompp_session.options.number[OMPP_OPT_OVERWRITE]))
		return; /* the user's name, or with a process id */
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "one report of all ");
	ompp_text_i64(&t, profile->mpi_size);
	ompp_text_str(&t, " ranks");
	if (at <= 400 && is_like_ranks(path, at, rest, profile->mpi_size)) {
		ompp_text_str(&t, ", if each has ");
		ompp_text_u64(&t, profile->max_threads);
		ompp_text_str(&t, profile->max_threads == 1 ? " thread: ompp report " : " threads: ompp report ");
		ompp_text_strn(&t, path, at);
		ompp_text_str(&t, ".r*");
		ompp_text_str(&t, rest);
	} else {
		ompp_text_str(&t, ": ompp report with the profile (.ompp) of each");
	}
	ompp_session_say(line);
}

static int write_to(int fd, int format, const struct ompp_profile *profile, struct ompp_arena *arena)
{
	struct ompp_report_options options = { .views = ompp_session.options.text[OMPP_OPT_VIEW],
		                               .property_min = ompp_session.options.number[OMPP_OPT_PROPERTY_MIN],
		                               .far_min = ompp_session.options.number[OMPP_OPT_FAR_MIN] };

	if (format == OMPP_FORMAT_PROFILE)
		return ompp_profile_write(profile, fd, arena);
	options.format = ompp_report_format((size_t)format);
	return ompp_report_show(profile, &options, fd, arena);
}

/* Writes the reports to stdout or stderr, provided that it is still the same stream as at the program's start.  Fails
 * when nobody reads it. */
static int write_stream(int fd, const struct ompp_profile *profile, struct ompp_arena *arena)
{
	int rc = ompp_stream_is_same(fd) ? 0 : -EBADF;

	for (int i = 0; ompp_report_format((size_t)i) && !rc; i++)
		if (ompp_destination_formats() >> i & 1)
			rc = write_to(fd, i, profile, arena);
	return rc;
}

enum outcome { WRITTEN, FAILED, NOT_OPENED };

/* Writes the file of one format.
 * say: 1 to name the report on stderr */
static enum outcome write_file(int format, uint32_t dump, int say, const struct ompp_profile *profile,
                               struct ompp_arena *arena)
{
	struct ompp_output output;
	int rc = ompp_destination_open(&output, format, dump), is_open = !rc;

	if (is_open)
		rc = ompp_output_close(&output, write_to(output.fd, format, profile, arena));
	if (rc)
		say_failed(output.path, rc);
	else if (format != OMPP_FORMAT_PROFILE && say)
		say_written(output.path);
	else if (say && !dump)
		say_ranks(output.path, profile);
	return !rc ? WRITTEN : is_open ? FAILED : NOT_OPENED;
}

/* Writes the profile, and the reports unless they go to a stream.  The name must be taken. */
static enum outcome write_files(uint32_t dump, int say, const struct ompp_profile *profile, struct ompp_arena *arena)
{
	enum outcome outcome = WRITTEN;
	int n_written = 0;

	for (int i = 0; ompp_destination_stream() < 0 && ompp_report_format((size_t)i) && outcome == WRITTEN; i++)
		if (ompp_destination_formats() >> i & 1) {
			outcome = write_file(i, dump, say, profile, arena);
			n_written += outcome == WRITTEN;
		}
	if (outcome == WRITTEN && ompp_session.options.number[OMPP_OPT_PROFILE]) {
		outcome = write_file(OMPP_FORMAT_PROFILE, dump, say, profile, arena);
		n_written += outcome == WRITTEN;
	}
	if (!n_written && !dump)
		ompp_destination_drop();
	return outcome;
}

/* Writes the files under the chosen name.  When the file that the user named cannot be opened, one of kinst's own
 * names is used; when the user's folder cannot be used, the folder in which the program started. */
static void write_named(uint32_t dump, const struct ompp_profile *profile, struct ompp_arena *arena)
{
	char path[OMPP_PATH_BYTES];
	enum outcome outcome;
	int rc;

	do {
		rc = ompp_destination_take(profile, path);
		if (rc)
			say_failed(path, rc);
		outcome = rc ? NOT_OPENED : write_files(dump, 1, profile, arena);
	} while (outcome == NOT_OPENED && ompp_destination_give_up());
	if (rc)
		return;
	if (dump) /* the main files always hold the newest report, whatever happens later */
		write_files(0, 0, profile, arena);
}

/* Reports, on stderr and as a note, each word of an environment variable that matched nothing in the run. */
static void dump_tell(const char *line)
{
	ompp_note_say(line);
	ompp_session_say(line);
}

/* Were objects accessed, or memory that has no name?  A function that ends has accessed its stack anyway. */
static int has_accesses(const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_accesses; i++)
		if (p->accesses[i].object != OMPP_OBJECT_STACK)
			return 1;
	return p->sample_source[0] && p->n_samples;
}

/* Returns 1 for a child of fork() that certainly has nothing to report, which is decided without a look at the
 * measurements: no thread is or was in a region, and nothing exists that has_to_say() names.  Such a child ends as
 * fast as without us. */
static int is_idle_child(void)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);

	if (!ompp_session.forked || ompp_access_is_hooked() || ompp_sampling.source[0] || ompp_ranges_n_named() ||
	    ompp_sites_n_begun())
		return 0;
	for (uint32_t i = 0; i < n; i++)
		if (OMPP_LOAD(&ompp_threads[i]->top) != ompp_threads[i]->frames ||
		    ompp_callgraph_has_visits(&ompp_threads[i]->graph))
			return 0;
	return 1;
}

/* A process that has had children is a program that works itself where it has used so much CPU time, and no less than
 * they: a shell uses a few milliseconds to start another program. */
#define LEAST_OWN_NS 20000000

/* Is this the process that `ompp run` has started, of a program that works itself?  One that waits for others, such as
 * a shell, only starts them; where it is emulated, those are not. */
static int is_run_itself(void)
{
	const char *number = ompp_environment(ompp_session.envp ? ompp_session.envp : __environ, "KINST_RUN");
	struct ompp_machine_cpu cpu;

	if (!number || ompp_text_digits(&number) != (uint64_t)ompp_session.pid)
		return 0;
	ompp_machine_time_cpu(&cpu);
	return ompp_emulated_is_on() || cpu.children_ns <= 0 ||
	       (cpu.self_ns >= LEAST_OWN_NS && cpu.self_ns >= cpu.children_ns);
}

/* Does the process have anything to report?  A child of fork() without regions reports nothing unless it named
 * memory, allocated tracked blocks, or accessed memory that is counted or sampled.  First touches alone are no
 * reason, as every child that ends has some.  A child that calls exec() reports nothing either: until then it only
 * prepared the arguments.  A program into which libompp was merely loaded, and which has no regions, reports nothing,
 * unless it is the measured program itself, or a child of it whose accesses emulation counts. */
static int has_to_say(const struct ompp_profile *p, int before_exec)
{
	if (p->n_events)
		return 1;
	if (!ompp_loaded_is_linked())
		return !before_exec &&
		       (ompp_session.forked ? ompp_emulated_is_on() && has_accesses(p) : is_run_itself());
	if (!ompp_session.forked)
		return 1;
	return !before_exec && (ompp_ranges_n_named() || ompp_sites_n_begun() || has_accesses(p));
}

/* What a report is made for: the end of the process, or its exec(), and the signal that ends it; else `dump` is the
 * number of the report. */
struct job {
	int final, before_exec, signal;
	uint32_t dump;
};

static void make_report(const struct job *job)
{
	int final = job->final;
	struct ompp_profile profile;
	struct ompp_locks locks;
	struct ompp_arena arena;
	int error;

	ompp_arena_init(&arena, 0);
	if (final && !ompp_session.forked) { /* A child does not know what its parent executed after the fork. */
		if (ompp_session.options.text[OMPP_OPT_FILTER][0])
			ompp_locks_name(&locks, &arena); /* the filter may name a lock */
		ompp_wish_tell(dump_tell);
		ompp_placement_tell(dump_tell);
	}
	if (final)
		ompp_pages_close();
	if (is_idle_child())
		goto out;
	error = ompp_collect(&profile, &arena, final, job->signal);
	if (error) {
		say_failed("memory", error);
		goto out;
	}
	if (!has_to_say(&profile, job->before_exec))
		goto out;
	if (ompp_destination_stream() >= 0) {
		error = write_stream(ompp_destination_stream(), &profile, &arena);
		if (error) {
			say_failed(ompp_session.options.text[OMPP_OPT_REPORTFILE], error);
			ompp_destination_give_up();
		} else if (!ompp_session.options.number[OMPP_OPT_PROFILE]) {
			goto out;
		}
	}
	write_named(job->dump, &profile, &arena);
	if (final)
		ompp_trace_name();
out:
	if (final)
		ompp_pages_name(); /* also of a child that has no events */
	ompp_arena_fini(&arena);
}

static void run_job(void *job)
{
	make_report(job);
}

/* Makes one report.  The calling thread must have the right to. */
static void dump_report(struct job job)
{
	if (OMPP_LOAD(&ompp_modes) & OMPP_MODE_EMULATED)
		ompp_emulated_settle(ompp_self); /* before the trace of pages ends */
	if (ompp_delegate_call(run_job, &job, job.final))
		ompp_stack_call(run_job, &job);
}

static int dump_wanted(void)
{
	/* A vfork() child shares this memory, but it is not the measured process.  When nothing is reported there is
	 * no system call, as a seccomp filter may kill the program for it. */
	return !ompp_destination_is_none() && ompp_sys_getpid() == ompp_session.pid;
}

void ompp_dump_final(int signal)
{
	ompp_session_start();
	if (!dump_wanted() || take_turn())
		return;
	if (!atomic_exchange(&ompp_session.ended, 1))
		dump_report((struct job){ .final = 1, .signal = signal });
	end_turn();
}

void ompp_dump_before_exec(void)
{
	if (dump_wanted() && !atomic_load(&ompp_session.ended) && !take_turn()) {
		dump_report((struct job){ .final = 1, .before_exec = 1 });
		end_turn();
	}
}

void ompp_dump_incremental(void)
{
	ompp_session_start();
	if (dump_wanted() && !atomic_load(&ompp_session.ended) && !take_turn()) {
		dump_report((struct job){ .dump = atomic_fetch_add(&ompp_session.n_dumps, 1) + 1 });
		end_turn();
	}
}

/* What the thread for incremental reports is to do: to end before a filter, or as the last thread of the process. */
enum { INTERVALS_GO_ON, INTERVALS_END, INTERVALS_END_LAST };
static uint32_t intervals;
static _Atomic int interval_thread; /* its number; 0 when there is none */

static void end_intervals(uint32_t how)
{
	OMPP_STORE(&intervals, how);
	ompp_sys_wake(&intervals);
}

static void end_as_last(void)
{
	end_intervals(INTERVALS_END_LAST);
}

static void *dump_thread(void *arg)
{
	int64_t ns = ompp_session.options.number[OMPP_OPT_DUMP_INTERVAL];

	(void)arg;
	atomic_store(&interval_thread, ompp_sys_gettid());
	ompp_helper_thread_enter(end_as_last);
	while (OMPP_LOAD(&intervals) == INTERVALS_GO_ON) {
		int64_t until = (int64_t)ompp_clock_monotonic_ns() + ns, left = ns;

		while (left > 0 && OMPP_LOAD(&intervals) == INTERVALS_GO_ON) {
			ompp_helper_thread_wait(&intervals, INTERVALS_GO_ON, left);
			left = until - (int64_t)ompp_clock_monotonic_ns();
		}
		if (OMPP_LOAD(&intervals) == INTERVALS_GO_ON)
			ompp_dump_incremental();
	}
	ompp_helper_thread_leave();
	/* The program's exit handlers may run now. */
	if (OMPP_LOAD(&intervals) == INTERVALS_END_LAST)
		ompp_sys_sigmask(SIG_SETMASK, &ompp_session.blocked, NULL);
	return NULL;
}

void ompp_dump_end_thread(void)
{
	int thread = atomic_load(&interval_thread);

	if (thread == ompp_sys_gettid()) /* an exit handler of the program's */
		return;
	end_intervals(INTERVALS_END);
	for (int i = 0; i < MOST_PAUSES && thread; i++) {
		if (OMPP_SYS3(tgkill, ompp_sys_getpid(), thread, 0))
			break;
		ompp_sys_sleep(1000000);
	}
	atomic_store(&interval_thread, 0);
}

void ompp_dump_start(void)
{
	static _Atomic int started;
	const struct ompp_real *r = ompp_real();
	uint64_t all = OMPP_ALL_SIGNALS, before;
	pthread_attr_t attr;
	pthread_t thread;

	if (!ompp_session.options.number[OMPP_OPT_DUMP_INTERVAL] || OMPP_LOAD(&intervals) != INTERVALS_GO_ON ||
	    atomic_exchange(&started, 1))
		return;
	/* The program's signals must not be delivered to this thread. */
	ompp_sys_sigmask(SIG_BLOCK, &all, &before);
	if (!r->thread_create || r->attr_init(&attr) || r->attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) ||
	    r->attr_setstacksize(&attr, DUMP_STACK_BYTES) || r->thread_create(&thread, &attr, dump_thread, NULL))
		ompp_session_say("OMPP_DUMP_INTERVAL: no thread could be started: no incremental reports");
	ompp_sys_sigmask(SIG_SETMASK, &before, NULL);
}

void ompp_dump_after_fork(void)
{
	ompp_destination_after_fork();
	ompp_trace_after_fork();
	ompp_pages_after_fork();
	mine = 0;
	atomic_store(&reporting, 0);
	atomic_store(&ompp_session.ended, 0);
}
