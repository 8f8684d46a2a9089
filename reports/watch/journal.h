/*
 * Journal: the most recent lines of a recording in progress, for live readers; and what else they are told: the
 * settings of the watcher (state), and the available events (catalog).
 *
 * One thread adds, and never waits for a reader; readers, in another thread, have a cursor each.  The journal is
 * bounded: the oldest samples are dropped, and a reader that is too slow is told how many it missed.  Lines on which
 * others depend (the header, sensors and columns) are kept as long as these.  Lines are kept in blocks, which are
 * compressed if that is built in.
 *
 * Besides the lines of all samples a journal may have older lines of combined samples (coarse.h).  Readers that begin,
 * or missed lines, get these for the time between their last sample and the first full line that is kept.
 */
#ifndef OMPP_JOURNAL_H
#define OMPP_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

enum ompp_journal_kind { OMPP_JOURNAL_LINE, OMPP_JOURNAL_STATE, OMPP_JOURNAL_CATALOG, OMPP_JOURNAL_MISSED };

struct ompp_journal;

/* What a reader has had. */
struct ompp_journal_cursor {
	uint64_t next;         /* number of the next line; from 1, so that 0 is the oldest that there is */
	uint64_t older;        /* the same for older lines, while next is 0 */
	int64_t after_ns;      /* just after the last sample */
	uint64_t header, head; /* versions of the header and head that it has; 0: none */
	uint64_t state, catalog;
};

/* What a reader gets. */
struct ompp_journal_piece {
	enum ompp_journal_kind kind;
	uint64_t number;  /* of a line; 0 for repeated lines */
	const char *text; /* the bytes of one line, or of several that belong together, with their ends */
	size_t n_bytes;
};

/* most_bytes, most_older: limits of the bytes of lines that are kept; most_older is 0 for a journal without older
 * lines. */
struct ompp_journal *ompp_journal_open(size_t most_bytes, size_t most_older);
void ompp_journal_close(struct ompp_journal *journal);

/* Adds lines as a recorder writes them. */
void ompp_journal_add(void *journal, const char *lines, size_t n_bytes);
void ompp_journal_add_older(void *journal, const char *lines, size_t n_bytes);

/* Replaces the state or catalog; the text has no newline. */
void ompp_journal_set(struct ompp_journal *journal, enum ompp_journal_kind kind, const char *text, size_t n_bytes);

/* Hands the next piece to take(), which must not call the journal.  Returns 0 when there is none yet. */
int ompp_journal_read(struct ompp_journal *journal, struct ompp_journal_cursor *cursor,
                      void (*take)(void *to, const struct ompp_journal_piece *piece), void *to);

/* Returns how many lines have been dropped. */
uint64_t ompp_journal_n_gone(struct ompp_journal *journal);

#endif
