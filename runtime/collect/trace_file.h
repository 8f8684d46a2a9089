/*
 * Trace file: a file of events beside the report, in the format of reports/flow/code.h.
 *
 * As the report's name is not known before its end, the file first has a temporary name with the process id.  Between
 * two blocks it is closed, so that the program sees no descriptor of ours, and cannot close one that we then write to.
 * Each block is self-contained, so that what a killed process has written can be read.
 *
 * One thread at a time writes: the holder of the file.
 */
#ifndef OMPP_COLLECT_TRACE_FILE_H
#define OMPP_COLLECT_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "reports/flow/code.h"
#include "runtime/collect/output.h"
#include "runtime/host/note.h"

struct ompp_callnode;
struct ompp_thread;
struct ompp_trace_tables;

enum { OMPP_TRACE_MOST_SLEEPS = 1000, OMPP_TRACE_FEW_SLEEPS = 50 /* while the program waits */ };

struct ompp_trace_file {
	/* given */
	const char *what, *option, *suffix; /* for messages; suffix of its name */
	int limit;                          /* the option for its maximum size */
	enum ompp_note_kind full;           /* counts events omitted after the limit */
	const char *method, *unseen;        /* of uses of pages; NULL when there are none */
	uint64_t interval_ns;
	uint64_t ahead_ns; /* how much later than recorded uses of pages may be */
	/* used only by the holder */
	enum { OMPP_TRACE_NOT_BEGUN, OMPP_TRACE_BEGUN, OMPP_TRACE_FULL, OMPP_TRACE_GIVEN_UP } state;
	int error; /* -errno of the write at which it was given up; 0 before */
	char path[OMPP_PATH_BYTES];
	dev_t device; /* identity of the file, as another file may get its name */
	ino_t file;
	uint64_t n_bytes;
	int is_method_told, is_rank_told;
	uint64_t values[OMPP_FLOW_N_FIELDS]; /* of the next event */
	struct ompp_trace_tables *tables;    /* NULL until it is open */
	/* by any thread */
	uint64_t n_full, n_lost; /* events omitted after the limit, and events that could not be written */
	uint32_t holder;         /* id of the thread that writes; 0 for none */
};

#define OMPP_TRACE_FIELD(name) (1u << OMPP_FLOW_##name)

/* Prepares for writing.  Returns 0 or -ENOMEM.  COLD. */
int ompp_trace_file_open(struct ompp_trace_file *f);

/* Writes waiting events and the end of the run, renames the file after the reports, if they have a name, and prints its
 * name.  Called by the holder. */
void ompp_trace_file_end(struct ompp_trace_file *f);

/* Prepares a forked child to write its own file. */
void ompp_trace_file_after_fork(struct ompp_trace_file *f);

/* Makes the calling thread the holder.  Returns 0; or -1 when it already is (in a signal handler that interrupted it),
 * or another thread does not finish.
 * most_sleeps: how long to wait for another thread, in 20 microseconds */
int ompp_trace_file_hold(struct ompp_trace_file *f, int most_sleeps);
void ompp_trace_file_let_go(struct ompp_trace_file *f);

/* Makes the calling thread the holder, to add n events.  Returns 0, or -1 when they are lost, which is counted. */
int ompp_trace_file_begin(struct ompp_trace_file *f, uint64_t n, int most_sleeps);

/* ---- by the holder ---- */

/* Does the file take no more events? */
int ompp_trace_file_is_closed(const struct ompp_trace_file *f);

/* Counts events as missing in the file. */
void ompp_trace_file_lose(struct ompp_trace_file *f, uint64_t n);

/* Adds an event with the values in f->values.
 * fields: the set of fields that it has, OMPP_TRACE_FIELD(TIME) and so on */
void ompp_trace_file_put(struct ompp_trace_file *f, enum ompp_flow_code code, uint32_t fields);

/* The first writes waiting events; the second does so only when they are old, so that a killed process loses little. */
void ompp_trace_file_flush(struct ompp_trace_file *f);
void ompp_trace_file_flush_old(struct ompp_trace_file *f, uint64_t now);

/* Write definitions for events, if they are not in the file yet: allocation sites with the files of their calls, covers
 * with their objects, and threads that have a rank in a team. */
void ompp_trace_file_site(struct ompp_trace_file *f, uint32_t site);
void ompp_trace_file_cover(struct ompp_trace_file *f, uint32_t cover);

/* Defines a small variable (small.h), which has no object in this process, as an object of the trace.  Returns the
 * number of its cover there, or 0 for none. */
uint64_t ompp_trace_file_small(struct ompp_trace_file *f, uint32_t small);

/* Defines the small variables that lie in the pages of an event with this cover. */
void ompp_trace_file_lying(struct ompp_trace_file *f, uint32_t cover, uintptr_t page, uint64_t n_pages);

void ompp_trace_file_thread(struct ompp_trace_file *f, const struct ompp_thread *t, const struct ompp_callnode *node);

/* Defines the file that contains the address with this key, while it is loaded, so that names can be found even if the
 * program is killed. */
void ompp_trace_file_code(struct ompp_trace_file *f, uint64_t key);

/* Defines the rank of this process in MPI_COMM_WORLD, once. */
void ompp_trace_file_rank(struct ompp_trace_file *f, int rank, uint32_t n_ranks);

/* Returns the place of a node, i.e. its regions from the outermost one to its own, and defines these; 0 when it has
 * none.
 * changes: 1 to leave out all but parallel and user regions, and calls of MPI */
uint32_t ompp_trace_file_place(struct ompp_trace_file *f, const struct ompp_callnode *node, int changes);

#endif
