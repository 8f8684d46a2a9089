/*
 * Partners: how many messages of MPI, of how many bytes, this process sent to each rank and received from it.  Ranks
 * are those of MPI_COMM_WORLD.  All threads add to one table, which takes memory only for ranks that are partners.
 */
#ifndef OMPP_EVENTS_PARTNERS_H
#define OMPP_EVENTS_PARTNERS_H

#include <stdint.h>

enum { OMPP_MOST_PARTNERS = 65536 }; /* partners of higher ranks are added to `others` */

/* Sums of messages; a flag says that the bytes of one are not known. */
struct ompp_partner_sum {
	uint64_t n_sent, sent_bytes, n_received, received_bytes;
	uint64_t lacks_sent, lacks_received; /* 0 or 1 */
};

/* Sets the own rank, and how many there are, before the first message is added.  Any thread, also several times.
 * are_many: several threads may add messages at once; else the program sees to it that one does at a time */
void ompp_partners_start(int rank, int n_ranks, int are_many);

/* Add a message to or from a rank; below 0: of a process that has no rank there, or a rank that is not known.
 * bytes: below 0 when they are not known.  WARM. */
void ompp_partner_sent(int rank, int64_t bytes);
void ompp_partner_received(int rank, int64_t bytes);

/* Returns the own rank; -1 before the start, and n_ranks is 0 then. */
int ompp_partners_rank(uint32_t *n_ranks);

/* Returns the sums of a rank, or of the others for OMPP_MOST_PARTNERS; NULL when there are none. */
const struct ompp_partner_sum *ompp_partner(uint32_t rank);

#endif
