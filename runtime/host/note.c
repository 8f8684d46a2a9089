/*
 * Notes: see note.h.
 */
#include "runtime/host/note.h"

#include <stdatomic.h>
#include <string.h>

enum { MAX_SAID = 32, SAID_BYTES = 256 };

static _Atomic uint64_t counts[OMPP_NOTE_N];
static char said[MAX_SAID][SAID_BYTES];
static _Atomic int n_said; /* up to MAX_SAID */

static const char *const texts[OMPP_NOTE_N] = {
	[OMPP_NOTE_LOST_MEMORY] = "events were charged to (lost), as the call tree was full; raise OMPP_MEM, or "
				  "what ulimit -v allows",
	[OMPP_NOTE_LOST_DEPTH] = "events were deeper than the frame stack and are not measured; it is smaller "
				 "under ulimit -v",
	[OMPP_NOTE_LOST_THREAD] = "threads could not be registered for want of memory and are not measured",
	[OMPP_NOTE_LOST_REGION] = "regions could not be registered and are not measured",
	[OMPP_NOTE_LOST_TEAM] =
		"threads entered a parallel region whose team could not be identified; their part of it "
		"is not measured",
	[OMPP_NOTE_LEFT] =
		"regions were left without their end (return, goto, exception, cancellation); their time runs "
		"to the next event that shows it",
	[OMPP_NOTE_OPEN] = "regions were open when the report was made; their time runs to the report",
	[OMPP_NOTE_STRAY] = "ends of regions came without a begin and are not measured",
	[OMPP_NOTE_FOLDED] =
		"visits were deeper than OMPP_MAX_DEPTH levels of one region and are folded into that level",
	[OMPP_NOTE_NEGATIVE] = "intervals that the clocks of two processors made negative are counted as 0",
	[OMPP_NOTE_NO_HANDLE] = "events came with a region handle that was never assigned and are not measured",
	[OMPP_NOTE_LOCKS] =
		"lock calls were charged to one common LOCK region, as there was no room for one of their own",
	[OMPP_NOTE_LOST_ACCESS] =
		"accesses are not counted, as their thread had no memory for counts or was just starting",
	[OMPP_NOTE_LOST_RANGE] = "ranges of data could not be named, for want of memory or because a signal handler "
				 "came in between",
	[OMPP_NOTE_LOST_LINE] =
		"stores and loads were not looked at for shared cache lines, as the table of lines was full",
	[OMPP_NOTE_UNWATCHED_LINE] = "times other threads' loads from a line that is stored to again and again were "
				     "not looked at for shared cache lines, as so many other lines are",
	[OMPP_NOTE_LOST_SAMPLE] = "samples of memory accesses were lost, as a signal handler interrupted or there was "
				  "no memory",
	[OMPP_NOTE_LATE_SAMPLE] =
		"samples of memory accesses came too late to tell their region or object, and are left "
		"out",
	[OMPP_NOTE_DROPPED_SAMPLE] = "samples of memory accesses were dropped by the kernel, as a ring was full, so "
				     "estimates are too low; raise OMPP_SAMPLE_PERIOD",
	[OMPP_NOTE_THROTTLED] = "times the kernel stopped sampling for a while, as it took too long, so estimates are "
				"too low; raise OMPP_SAMPLE_PERIOD or kernel.perf_event_max_sample_rate",
	[OMPP_NOTE_BAD_SAMPLE] = "records of samples could not be understood, and are left out",
	[OMPP_NOTE_CUT_SAMPLE] = "pieces of Arm's SPE packets came with some samples missing, so estimates are too low",
	[OMPP_NOTE_LOST_REQUEST] = "receives of MPI are in no sum of bytes and messages: there was no room for their "
				   "requests (65536 at once), or "
				   "they were freed before they were complete",
	[OMPP_NOTE_UNEVEN_LOOP] =
		"loops in others have only their own order in Layouts, as their lengths or steps vary from one "
		"execution to the next (triangles, rows behind pointers)",
	[OMPP_NOTE_SPAN_OVER] =
		"tasks were created when the search for work and span was given up, " OMPP_NOTE_SPAN_REASON,
	[OMPP_NOTE_DEEP_LOOP] =
		"loops stand in two or more others: in Layouts only they and the loop around them change places",
	[OMPP_NOTE_OWN_BARRIER] =
		"regions keep the barrier at their end (cancel, copyprivate, reduction of tasks): waiting "
		"there is in their body, and in no class of overhead",
	[OMPP_NOTE_SWITCHED] =
		"times a thread was inside of a region when another one switched measuring off or on: its "
		"counters stop and go on at its own next event",
	[OMPP_NOTE_NO_RANK] = "threads are numbered in order of arrival, as omp_get_thread_num was not found",
	[OMPP_NOTE_BUSY_RING] =
		"times samples or first touches could not be read for a report, as whoever was reading them did "
		"not go on (it was interrupted by a signal, or ended): the latest ones are missing",
	[OMPP_NOTE_BUSY_SAMPLE] =
		"samples or first touches are missing in a report, as their thread was interrupted by a signal, or "
		"ended, while it added them up",
	[OMPP_NOTE_TRACE_FULL] = "events are not in the trace, which had reached its limit; raise OMPP_TRACE_LIMIT",
	[OMPP_NOTE_PAGES_FULL] =
		"uses of pages are not in the trace, which had reached its limit; raise OMPP_PAGES_LIMIT",
	[OMPP_NOTE_TRACE_LOST] = "events could not be written to the trace",
	[OMPP_NOTE_LOST_TOUCH] = "page faults were lost, so that first touches are missing; raise "
				 "kernel.perf_event_mlock_kb or `ulimit -l`",
	[OMPP_NOTE_LOST_WRITER] = "page faults were lost, so that of some pages it is not known which thread wrote to "
				  "them; raise kernel.perf_event_mlock_kb or `ulimit -l`",
	[OMPP_NOTE_LOST_HOLDER] = "waits for locks are missing where it is said who had the lock, as there was no room "
				  "for so many pairs of places",
};

const char *ompp_note_text(enum ompp_note_kind kind)
{
	return (unsigned int)kind < OMPP_NOTE_N ? texts[kind] : "";
}

void ompp_note_add(enum ompp_note_kind kind, uint64_t n)
{
	if (n)
		atomic_fetch_add_explicit(&counts[kind], n, memory_order_relaxed);
}

uint64_t ompp_note_count(enum ompp_note_kind kind)
{
	return atomic_load_explicit(&counts[kind], memory_order_relaxed);
}

void ompp_note_reset(void)
{
	int i;

	for (i = 0; i < OMPP_NOTE_N; i++)
		atomic_store_explicit(&counts[i], 0, memory_order_relaxed);
}

void ompp_note_say(const char *text)
{
	int i = atomic_load_explicit(&n_said, memory_order_relaxed);
	size_t n = strlen(text);

	do {
		if (i >= MAX_SAID) {
			strcpy(said[MAX_SAID - 1], "further notes were dropped");
			return;
		}
	} while (
		!atomic_compare_exchange_weak_explicit(&n_said, &i, i + 1, memory_order_relaxed, memory_order_relaxed));
	if (n > SAID_BYTES - 1)
		n = SAID_BYTES - 1;
	memcpy(said[i], text, n);
}

void ompp_note_say_once(const char *text, size_t n_bytes)
{
	int i, n = ompp_note_n_said();

	for (i = 0; i < n; i++)
		if (!strncmp(said[i], text, n_bytes))
			return;
	ompp_note_say(text);
}

int ompp_note_n_said(void)
{
	return atomic_load_explicit(&n_said, memory_order_relaxed);
}

const char *ompp_note_said(int i)
{
	return said[i];
}
