/*
 * Flow processes: the traces of several processes that are looked at as one: their files, what they lack, and the
 * process of each line.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/command/arguments.h"
#include "reports/traces/flow_command.h"
#include "reports/traces/flow_table.h"
#include "runtime/base/text.h"

enum { NAME_BYTES = 32 };

/* ---- files ---- */

/* A list of paths that grows. */
struct paths {
	const char **all;
	size_t n, have;
	struct ompp_arena *arena;
};

static int no_memory(void)
{
	ompp_complain("flow", "not enough memory");
	return -1;
}

static int add_path(struct paths *p, const char *path)
{
	if (p->n == p->have) {
		size_t have = p->have ? 2 * p->have : 16;
		const char **all = ompp_arena_alloc(p->arena, have * sizeof(*all));

		if (!all)
			return no_memory();
		if (p->n)
			memcpy(all, p->all, p->n * sizeof(*all));
		p->all = all;
		p->have = have;
	}
	p->all[p->n] = ompp_arena_strdup(p->arena, path);
	return p->all[p->n++] ? 0 : no_memory();
}

static int is_trace(const struct dirent *entry)
{
	static const char suffix[] = ".flow";
	size_t n = strlen(entry->d_name);

	return n > sizeof(suffix) && !strcmp(entry->d_name + n - (sizeof(suffix) - 1), suffix);
}

/* Adds the traces of a folder, sorted by the numbers in their names. */
static int add_folder(struct paths *p, const char *folder)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, is_trace, versionsort), rc = 0;

	if (n <= 0)
		ompp_complain(folder, "%s; give a trace (.ompp.flow), or a folder that has some",
		              n ? strerror(errno) : "a folder without files whose names end in .flow");
	for (int i = 0; i < n; i++) {
		char *path = NULL;

		if (!rc)
			rc = asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0 ? no_memory() : add_path(p, path);
		free(path);
		free(entries[i]);
	}
	free(entries);
	return n <= 0 ? -1 : rc;
}

/* Adds the files that match a pattern; if there are none, the pattern itself, which will then fail to open. */
static int add_pattern(struct paths *p, const char *pattern)
{
	glob_t found;
	int rc = 0;

	if (glob(pattern, GLOB_NOCHECK, NULL, &found))
		return no_memory();
	for (size_t i = 0; i < found.gl_pathc && !rc; i++)
		rc = add_path(p, found.gl_pathv[i]);
	globfree(&found);
	return rc;
}

int ompp_flow_files(const char *const *given, size_t n_given, const char ***paths, size_t *n_paths,
                    struct ompp_arena *arena)
{
	struct paths p = { .arena = arena };
	int rc = 0;

	for (size_t i = 0; i < n_given && !rc; i++) {
		struct stat st;

		if (stat(given[i], &st))
			rc = add_pattern(&p, given[i]);
		else
			rc = S_ISDIR(st.st_mode) ? add_folder(&p, given[i]) : add_path(&p, given[i]);
	}
	*paths = p.all;
	*n_paths = p.n;
	return rc;
}

/* ---- what traces lack ---- */

static void tell_one(const struct ompp_flow_process *p, const char *limit)
{
	const struct ompp_flow_info *info = &p->info;

	if (info->n_damaged)
		ompp_complain(p->path, "%" PRIu64 " of %" PRIu64 " bytes are damaged or cut off, and left out",
		              info->n_damaged, info->n_bytes);
	if (p->moved_ns)
		ompp_complain(p->path,
		              "it was recorded on another machine or after another boot: its times are aligned by "
		              "the system clocks, and are only as accurate as those");
	if (info->n_lost == UINT64_MAX) {
		ompp_complain(p->path,
		              "the run was cut off, or its trace could not be completed: events after the last write "
		              "are missing, and lines and blocks have the names that their files give now");
		return;
	}
	if (info->n_left_out)
		ompp_complain(p->path, "%" PRIu64 " events are left out, as it had reached its limit; raise %s",
		              info->n_left_out, limit);
	if (info->n_lost)
		ompp_complain(p->path, "%" PRIu64 " events could not be written", info->n_lost);
}

/* Says what all traces lack together. */
static void tell_sum(const struct ompp_flow *flow, size_t n)
{
	uint64_t n_left_out = 0, n_lost = 0, n_damaged = 0;
	size_t n_open = 0;
	char subject[NAME_BYTES];

	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_flow_info *info = &ompp_flow_process(flow, i)->info;

		n_damaged += info->n_damaged;
		n_open += info->n_lost == UINT64_MAX;
		n_left_out += info->n_lost == UINT64_MAX ? 0 : info->n_left_out;
		n_lost += info->n_lost == UINT64_MAX ? 0 : info->n_lost;
	}
	if (!n_left_out && !n_lost && !n_damaged && !n_open)
		return;
	snprintf(subject, sizeof(subject), "%zu processes", n);
	ompp_complain(subject,
	              "together %" PRIu64 " events are left out at limits, %" PRIu64 " could not be written, %" PRIu64
	              " bytes are damaged, and %zu traces have no end",
	              n_left_out, n_lost, n_damaged, n_open);
}

void ompp_flow_tell(const struct ompp_flow *flow, const char *limit)
{
	size_t n = ompp_flow_n_processes(flow);

	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_flow_process *p = ompp_flow_process(flow, i), *first = ompp_flow_process(flow, 0);

		tell_one(p, limit);
		if (p->info.app[0] && first->info.app[0] && strcmp(p->info.app, first->info.app))
			ompp_complain(p->path, "of another program than %s: %s, not %s", first->path, p->info.app,
			              first->info.app);
	}
	if (n > 1)
		tell_sum(flow, n);
}

/* ---- names of processes ---- */

static int name_processes(struct ompp_flow_look *look, size_t n)
{
	look->process_names = ompp_arena_alloc(look->arena, n * sizeof(*look->process_names));
	for (uint32_t i = 0; look->process_names && i < n; i++) {
		uint32_t pid = ompp_flow_process(look->flow, i)->info.pid;
		unsigned int same = 1;
		char name[NAME_BYTES];

		for (uint32_t k = 0; k < i; k++)
			same += ompp_flow_process(look->flow, k)->info.pid == pid;
		if (same > 1)
			snprintf(name, sizeof(name), "%" PRIu32 " #%u", pid, same);
		else
			snprintf(name, sizeof(name), "%" PRIu32, pid);
		look->process_names[i] = ompp_arena_strdup(look->arena, name);
		if (!look->process_names[i])
			return no_memory();
	}
	return look->process_names ? 0 : no_memory();
}

/* Finds the processes that --process means: by pid, or by the end of a file's name. */
static int choose_processes(struct ompp_flow_look *look, size_t n)
{
	int found = 0;

	if (!look->process)
		return 0;
	look->processes = ompp_arena_alloc(look->arena, n);
	if (!look->processes)
		return no_memory();
	for (uint32_t i = 0; i < n; i++) {
		const char *path = ompp_flow_process(look->flow, i)->path, *base = strrchr(path, '/');

		look->processes[i] = !strcmp(look->process_names[i], look->process) || !strcmp(path, look->process) ||
		                     !strcmp(base ? base + 1 : path, look->process);
		found |= look->processes[i];
	}
	if (!found)
		ompp_complain("--process", "no process '%s'; --view=processes lists them", look->process);
	return found ? 0 : -1;
}

/* Makes the set of all threads with this number in their process, and removes the number from the filter. */
static int choose_threads(const struct ompp_flow_look *look, uint32_t *number, unsigned char **set)
{
	if (*number == OMPP_FLOW_NONE)
		return 0;
	*set = ompp_arena_alloc(look->arena, ompp_flow_n_threads(look->flow) + 1);
	if (!*set)
		return no_memory();
	for (uint32_t i = 0; i < ompp_flow_n_processes(look->flow); i++) {
		const struct ompp_flow_process *p = ompp_flow_process(look->flow, i);

		if (*number < p->n_threads)
			(*set)[p->first_thread + *number] = 1;
	}
	*number = OMPP_FLOW_NONE;
	return 0;
}

int ompp_flow_find_processes(struct ompp_flow_look *look)
{
	size_t n = ompp_flow_n_processes(look->flow);

	if (n < 2 && !look->process)
		return 0;
	if (name_processes(look, n) || choose_processes(look, n) ||
	    choose_threads(look, &look->filter.thread, &look->threads) ||
	    choose_threads(look, &look->filter.allocator, &look->allocators))
		return -1;
	return 0;
}

uint32_t ompp_flow_process_of_thread(const struct ompp_flow *flow, uint32_t thread)
{
	size_t lo = 0, hi = ompp_flow_n_processes(flow);

	if (thread == OMPP_FLOW_NONE)
		return OMPP_FLOW_NONE;
	while (hi - lo > 1) {
		size_t middle = (lo + hi) / 2;

		if (ompp_flow_process(flow, (uint32_t)middle)->first_thread <= thread)
			lo = middle;
		else
			hi = middle;
	}
	/* processes without threads start at the same index as the next one; the search found the last of them */
	return (uint32_t)lo;
}

int ompp_flow_is_thread_meant(const struct ompp_flow_look *look, uint32_t thread)
{
	return (look->filter.thread == OMPP_FLOW_NONE || look->filter.thread == thread) &&
	       (!look->threads || look->threads[thread]) &&
	       (!look->processes || look->processes[ompp_flow_process_of_thread(look->flow, thread)]);
}

uint64_t ompp_flow_last_ns(const struct ompp_flow *flow, uint32_t thread)
{
	const struct ompp_flow_process *p = ompp_flow_process(flow, ompp_flow_process_of_thread(flow, thread));
	uint64_t last_ns = p->info.start_ns + (uint64_t)p->moved_ns;

	for (uint32_t i = 0; i < p->n_threads; i++) {
		uint64_t its_ns = ompp_flow_thread(flow, p->first_thread + i)->last_ns;

		last_ns = its_ns > last_ns ? its_ns : last_ns;
	}
	return last_ns;
}

void ompp_flow_process_column(struct ompp_flow_look *look)
{
	if (look->process_names)
		ompp_flow_column(look, "process", OMPP_IN_BOTH);
}

void ompp_flow_process_value(struct ompp_flow_look *look, uint32_t process)
{
	if (look->process_names)
		ompp_flow_text(look, process == OMPP_FLOW_NONE ? "" : look->process_names[process]);
}

void ompp_flow_thread_value(struct ompp_flow_look *look, uint32_t thread)
{
	uint32_t process = ompp_flow_process_of_thread(look->flow, thread);

	ompp_flow_number(look, thread == OMPP_FLOW_NONE
	                               ? thread
	                               : thread - ompp_flow_process(look->flow, process)->first_thread);
}

/* ---- the view ---- */

static void process_line(struct ompp_flow_look *look, uint32_t process)
{
	const struct ompp_flow_process *p = ompp_flow_process(look->flow, process);
	uint64_t n_accesses = 0, n_touches = 0;

	for (uint32_t i = 0; i < p->n_threads; i++) {
		const struct ompp_flow_thread *t = ompp_flow_thread(look->flow, p->first_thread + i);

		n_accesses += t->n_accesses;
		n_touches += t->n_touches;
	}
	ompp_table_text(&look->table, look->process_names[process]);
	ompp_flow_text(look, p->path);
	ompp_flow_text(look, p->info.app);
	ompp_flow_time(look, p->info.start_ns + (uint64_t)p->moved_ns);
	ompp_table_number(&look->table, OMPP_KIND_TIME, p->moved_ns);
	ompp_flow_count_value(look, p->n_threads);
	ompp_flow_count_value(look, n_accesses);
	ompp_flow_count_value(look, n_touches);
	ompp_table_number(&look->table, OMPP_KIND_METRIC,
	                  p->info.n_left_out == UINT64_MAX ? OMPP_MISSING : ompp_count(p->info.n_left_out));
	ompp_table_number(&look->table, OMPP_KIND_METRIC,
	                  p->info.n_lost == UINT64_MAX ? OMPP_MISSING : ompp_count(p->info.n_lost));
	ompp_flow_count_value(look, p->info.n_damaged);
}

int ompp_flow_processes_view(struct ompp_flow_look *look)
{
	size_t n = ompp_flow_n_processes(look->flow);

	if (!look->process_names && name_processes(look, n))
		return OMPP_EXIT_FAILED;
	ompp_flow_table(look, "",
	                "Processes (start: seconds behind the first one's; moved: by how much its times were moved, "
	                "as its clock is another one;\nleft out, lost: events beyond the limit, and those that could "
	                "not be written, - where the trace has no end):");
	ompp_flow_left(look, "process", OMPP_IN_BOTH);
	ompp_flow_left(look, "file", OMPP_IN_BOTH);
	ompp_flow_left(look, "program", OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "start", "moved", "threads", "samples", "touches", "left out", "lost",
	                  "damaged bytes");
	for (uint32_t i = 0; i < n; i++)
		if (!look->processes || look->processes[i])
			process_line(look, i);
	return ompp_flow_print(look);
}
