/*
 * Journal: the lines of a recording that were written lately, for those who look on while it goes on, and what else
 * they are told: how the watcher is set (the state), and what there is to read (the catalog).
 *
 * One thread adds, and never waits for a reader; readers have a cursor each, in another thread.  The journal is
 * bounded: the oldest samples go, and a reader that is slower than they go is told how many it has missed.  Lines that
 * others need to be understood (the header, sensors and columns) stay as long as these.  Lines are kept in blocks,
 * which are compressed where that is built in.
 *
 * Beside the lines of all samples a journal may have older lines, of samples that were put together (coarse.h). Readers
 * that begin, or have missed lines, get those of the time before the first line that is there, from the last sample on
 * that they have had.
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
	uint64_t older;        /* the same of older lines, while next is 0 */
	int64_t after_ns;      /* behind the last sample */
	uint64_t header, head; /* versions of what stands before it; 0: none */
	uint64_t state, catalog;
};

/* What a reader gets. */
struct ompp_journal_piece {
	enum ompp_journal_kind kind;
	uint64_t number;  /* of a line; 0 for those that come again */
	const char *text; /* the bytes of one line, or of several that belong together, with their ends */
	size_t n_bytes;
};

/* most_bytes, most_older: of the lines that are kept; most_older: 0 for a journal without older lines. */
struct ompp_journal *ompp_journal_open(size_t most_bytes, size_t most_older);
void ompp_journal_close(struct ompp_journal *journal);

/* Takes lines as a recorder writes them. */
void ompp_journal_add(void *journal, const char *lines, size_t n_bytes);
void ompp_journal_add_older(void *journal, const char *lines, size_t n_bytes);

/* Takes a new state or catalog, in place of the last one; without the end of a line. */
void ompp_journal_set(struct ompp_journal *journal, enum ompp_journal_kind kind, const char *text, size_t n_bytes);

/* Hands the next piece to take(), which may not come back to the journal.  Returns 0 when there is none yet. */
int ompp_journal_read(struct ompp_journal *journal, struct ompp_journal_cursor *cursor,
                      void (*take)(void *to, const struct ompp_journal_piece *piece), void *to);

/* Says how many lines have gone. */
uint64_t ompp_journal_n_gone(struct ompp_journal *journal);

#endif
