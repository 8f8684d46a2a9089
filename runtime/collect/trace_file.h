/*
 * Trace file: a file of events beside the report, in the form of reports/flow/code.h.
 *
 * As the report's name is not known before its end, the file first has one of its own, with the process's number.
 * Between two blocks it is closed, so that the program meets no descriptor of ours, and cannot close one that we then
 * write to.  Each block stands by itself, so that a process that is killed leaves all that it has written.
 *
 * One thread at a time writes: it holds the file.
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
	const char *what, *option, *suffix; /* for messages, and the end of its name */
	int limit;                          /* the option that has the most bytes of it */
	enum ompp_note_kind full;           /* counts events that are left out at the limit */
	const char *method, *unseen;        /* of uses of pages; NULL when there are none */
	uint64_t interval_ns;
	uint64_t ahead_ns; /* how much later than told uses of pages may be */
	/* used by the holder alone */
	enum { OMPP_TRACE_NOT_BEGUN, OMPP_TRACE_BEGUN, OMPP_TRACE_FULL, OMPP_TRACE_GIVEN_UP } state;
	int error; /* -errno of the write after which it was given up; 0 before */
	char path[OMPP_PATH_BYTES];
	dev_t device; /* which file it is, as another one may get its name */
	ino_t file;
	uint64_t n_bytes;
	int is_method_told;
	uint64_t values[OMPP_FLOW_N_FIELDS]; /* of the event that is put next */
	struct ompp_trace_tables *tables;    /* NULL until it is open */
	/* by any thread */
	uint64_t n_full, n_lost; /* events that are left out at the limit, and that could not be written */
	uint32_t holder;         /* the thread id of the one who writes; 0 for nobody */
};

#define OMPP_TRACE_FIELD(name) (1u << OMPP_FLOW_##name)

/* Gets ready to write.  Returns 0 or -ENOMEM.  COLD. */
int ompp_trace_file_open(struct ompp_trace_file *f);

/* Writes what waits and that the run has ended, gives the file the name of the reports, if they have one, and says it.
 * By the holder. */
void ompp_trace_file_end(struct ompp_trace_file *f);

/* Lets a forked child have a file of its own. */
void ompp_trace_file_after_fork(struct ompp_trace_file *f);

/* Makes the calling thread the holder.  Returns 0; or -1 when it is the holder already (a signal handler in the middle
 * of it), or another thread does not end.
 * most_sleeps: how long to wait for another thread, in 20 microseconds */
int ompp_trace_file_hold(struct ompp_trace_file *f, int most_sleeps);
void ompp_trace_file_let_go(struct ompp_trace_file *f);

/* Takes the right to add n events.  Returns 0, or -1 when they are lost, which is counted. */
int ompp_trace_file_begin(struct ompp_trace_file *f, uint64_t n, int most_sleeps);

/* ---- by the holder ---- */

/* Do events come to an end here? */
int ompp_trace_file_is_closed(const struct ompp_trace_file *f);

/* Counts events that are not in the file. */
void ompp_trace_file_lose(struct ompp_trace_file *f, uint64_t n);

/* Adds an event, whose values are filled.
 * fields: the set of fields that it has, OMPP_TRACE_FIELD(TIME) and so on */
void ompp_trace_file_put(struct ompp_trace_file *f, enum ompp_flow_code code, uint32_t fields);

/* The first writes what waits; the second does so when it is old, so that a process that is killed loses little. */
void ompp_trace_file_flush(struct ompp_trace_file *f);
void ompp_trace_file_flush_old(struct ompp_trace_file *f, uint64_t now);

/* Define what events refer to, when it is not in the file yet: places that allocate, with the files of their calls,
 * covers with their objects, and threads that have a rank in a team. */
void ompp_trace_file_site(struct ompp_trace_file *f, uint32_t site);
void ompp_trace_file_cover(struct ompp_trace_file *f, uint32_t cover);

/* Defines a variable that is no object in this process (small.h) as one of the trace.  Returns the number of its cover
 * there, or 0 where it has none. */
uint64_t ompp_trace_file_small(struct ompp_trace_file *f, uint32_t small);

/* Defines the variables that are too small for objects of their own and lie in pages that an event with this cover is
 * about. */
void ompp_trace_file_lying(struct ompp_trace_file *f, uint32_t cover, uintptr_t page, uint64_t n_pages);

void ompp_trace_file_thread(struct ompp_trace_file *f, const struct ompp_thread *t, const struct ompp_callnode *node);

/* Defines the file that the address with this key is in, while it is in memory, so that names can be found when the
 * program does not come to its end. */
void ompp_trace_file_code(struct ompp_trace_file *f, uint64_t key);

/* Returns the place of a node: its regions from the outermost one to its own, which are defined; 0 when it has none.
 * changes: 1 to leave out all but parallel and user regions */
uint32_t ompp_trace_file_place(struct ompp_trace_file *f, const struct ompp_callnode *node, int changes);

#endif
