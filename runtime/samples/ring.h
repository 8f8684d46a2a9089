/*
 * Ring: the memory into which the kernel puts an event's records, and from which one reader takes them.
 *
 * The kernel writes data_head, and the reader data_tail; what lies between belongs to the reader.  A reader takes
 * records with ompp_ring_next(), and then gives their room back with ompp_ring_release().  While the ring is full, new
 * records are lost, and the kernel tells so in a later record.
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
	uint64_t at;      /* where the next record is; from data_tail up to data_head */
	uint64_t head;    /* data_head as it was at ompp_ring_begin() */
	size_t map_bytes;
};

/* Maps the ring of an event with n_pages pages of data, rounded down to a power of two, or with fewer, down to one,
 * where the system allows no more.  Returns 0, or the -errno of mmap(2) for one page, such as -EPERM or -ENOMEM. */
int ompp_ring_map(struct ompp_ring *ring, int fd, unsigned int n_pages);
void ompp_ring_unmap(struct ompp_ring *ring);

/* Returns how many bytes of records wait, with those of a round that is not over.  It costs two loads.  Any thread may
 * call it. */
uint64_t ompp_ring_filled(const struct ompp_ring *ring);

/* Returns where the kernel will put the next record, as bytes since the ring began.  It costs one load. */
uint64_t ompp_ring_head(const struct ompp_ring *ring);

/* Begins a round of reading, which has all that the kernel has written until now. */
void ompp_ring_begin(struct ompp_ring *ring);

/* Returns the next record of the round; NULL when there is none.  The record is valid until ompp_ring_release().
 * whole: has OMPP_RECORD_BYTES; a record that goes beyond the ring's end is put together there
 * is_bad: becomes 1 when the bytes there cannot be a record; the rest of the round is then given up */
const struct perf_event_header *ompp_ring_next(struct ompp_ring *ring, void *whole, int *is_bad);

/* Gives the room of all records that were taken back to the kernel. */
void ompp_ring_release(struct ompp_ring *ring);

#endif
