/*
 * Course: what a thread did when: how much of each slice of the run it worked, waited, managed tasks and teams, was in
 * MPI, or in no team.
 *
 * A slice is 2^shift ticks, counted from the start of the run.  There are at most OMPP_COURSE_SLICES; when the run
 * outlasts them, neighbours are joined, so that the memory is bounded for a run of any length.
 *
 * Events do not add anything up.  An event at which the slice is over takes all that the thread has spent so far from
 * its call tree and its open frames (course_charge.c).  Since the event before it lies within the slice, the time
 * beyond the slice's end is all of one kind: that of the innermost node.  So the parts are exact, and an event pays one
 * comparison (ompp_thread's slice_end_ticks).  Visits of a storm that are not timed (storm.h) are part of what is
 * around them.
 *
 * The thread writes it, and reports read it meanwhile.
 */
#ifndef OMPP_COURSE_H
#define OMPP_COURSE_H

#include <stdint.h>

enum ompp_course_part {
	OMPP_COURSE_WORK,   /* the program's own code, in a team or in a host thread outside of teams */
	OMPP_COURSE_WAIT,   /* barriers, locks, critical, taskwait, joins … */
	OMPP_COURSE_MANAGE, /* creating tasks; starting and ending teams */
	OMPP_COURSE_IDLE,   /* a member of teams that is in none */
	OMPP_COURSE_MPI,    /* calls of MPI, whatever they do */
	OMPP_N_COURSE_PARTS
};

enum {
	OMPP_COURSE_SLICES = 1000,
	OMPP_COURSE_LEAST_SHIFT = 20, /* 2^20 ticks: 0.3 to 1 ms */
	OMPP_COURSE_NODE_SHIFT = 12   /* a slice has at least 2^12 ticks for each node of the tree and each open frame,
	                                 as all are read at its end: below a hundredth of the time */
};

struct ompp_course_slice {
	uint16_t parts[OMPP_N_COURSE_PARTS]; /* shares of the slice's time, × 65536 and at most 65535 */
	uint32_t region;                     /* in which the thread was at the slice's end, by id; 0 in none */
};

struct ompp_course {
	uint64_t last_ticks;                  /* what is up to here is in the slices */
	uint64_t totals[OMPP_N_COURSE_PARTS]; /* of the call tree at that time; only differences count */
	uint32_t shift;
	uint32_t n_changes;               /* odd while it is written (seqlock) */
	uint32_t is_over;                 /* no thread runs in the slot */
	struct ompp_course_slice *slices; /* OMPP_COURSE_SLICES, in the slot's memory; NULL where none is kept */
};

/* Adds what a thread did from the last charge up to now.
 * spent: how much of that was of each part
 * at: the part at the end, to which all that is beyond the current slice belongs
 * region: where that was
 * start_ticks: of the run
 * totals: those of the call tree now; NULL where they are not needed any more */
void ompp_course_add(struct ompp_course *course, const uint64_t spent[OMPP_N_COURSE_PARTS], enum ompp_course_part at,
                     uint32_t region, uint64_t start_ticks, uint64_t now, const uint64_t *totals);

/* Begins the course of a thread, now, from these totals of its call tree; what was measured before stays. */
void ompp_course_start(struct ompp_course *course, const uint64_t totals[OMPP_N_COURSE_PARTS], uint64_t now);

/* Makes slices as long as those of 2^shift ticks.  COLD. */
void ompp_course_lengthen(struct ompp_course *course, uint32_t shift);

/* Returns when the slice ends that has this moment. */
static inline uint64_t ompp_course_slice_end(const struct ompp_course *course, uint64_t start_ticks, uint64_t now)
{
	return start_ticks + ((((now - start_ticks) >> course->shift) + 1) << course->shift);
}

/* Copies a course that its thread may be writing, and its slices into `slices`.  Returns 0 when it was being written.
 * COLD. */
int ompp_course_read(const struct ompp_course *course, struct ompp_course *copy, struct ompp_course_slice *slices);

#endif
