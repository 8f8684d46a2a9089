/*
 * Ring: the ring buffer into which the kernel writes an event's records, and from which one reader takes them.
 *
 * The kernel writes data_head, and the reader data_tail; the data between them belong to the reader.  A reader takes
 * records with ompp_ring_next(), and then frees their space with ompp_ring_release().  While the ring is full, new
 * records are lost, which the kernel reports in a later record.
 */
#ifndef OMPP_SAMPLES_RING_H
#define OMPP_SAMPLES_RING_H

#include <stddef.h>
#include <stdint.h>

struct perf_event_header;
struct perf_event_mmap_page;

enum { OMPP_RECORD_BYTES = 65536 }; /* more than any record has, as its header's size has 16 bits */

struct ompp_ring {
	struct perf_event_mmap_page *page; /* NULL when there is no ring */
	const unsigned char *data;
	uint64_t n_bytes; /* bytes of data, a power of two */
	uint64_t at;      /* position of the next record; from data_tail up to data_head */
	uint64_t head;    /* the value of data_head at ompp_ring_begin() */
	size_t map_bytes;
};

/* Maps the ring of an event with n_pages pages of data, rounded down to a power of two, or with fewer, down to one, if
 * the system allows no more.  Returns 0, or the -errno of mmap(2) for one page, such as -EPERM or -ENOMEM. */
int ompp_ring_map(struct ompp_ring *ring, int fd, unsigned int n_pages);
void ompp_ring_unmap(struct ompp_ring *ring);

/* Returns the number of bytes of unread records, including those of an unfinished round.  It costs two loads.  Any
 * thread may call it. */
uint64_t ompp_ring_filled(const struct ompp_ring *ring);

/* Returns the position of the kernel's next record, in bytes since the ring was created.  It costs one load. */
uint64_t ompp_ring_head(const struct ompp_ring *ring);

/* Begins a round of reading, which covers all records written so far. */
void ompp_ring_begin(struct ompp_ring *ring);

/* Returns the next record of the round; NULL when there is none.  The record is valid until ompp_ring_release().
 * whole: has OMPP_RECORD_BYTES; a record that wraps around the ring's end is assembled there
 * is_bad: set to 1 when the bytes there cannot be a record; the rest of the round is then skipped */
const struct perf_event_header *ompp_ring_next(struct ompp_ring *ring, void *whole, int *is_bad);

/* Does the same where no record has more than n_whole bytes, which `whole` has; longer ones cannot be records. */
const struct perf_event_header *ompp_ring_next_of(struct ompp_ring *ring, void *whole, size_t n_whole, int *is_bad);

/* Returns the space of all records taken to the kernel. */
void ompp_ring_release(struct ompp_ring *ring);

#endif
