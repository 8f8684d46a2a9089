/*
 * Ring: see ring.h.
 */
#include "runtime/samples/ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"

int ompp_ring_map(struct ompp_ring *ring, int fd, unsigned int n_pages)
{
	size_t page = ompp_page_bytes(), n = 1;

	while (n <= n_pages / 2)
		n *= 2;
	for (;; n /= 2) {
		size_t bytes = page * (n + 1);
		long answer = ompp_space_map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		if (answer > 0) {
			ring->page = (struct perf_event_mmap_page *)answer;
			ompp_assert(!(n & (n - 1)));
			ring->data = (const unsigned char *)ring->page + page;
			ring->n_bytes = page * n;
			ring->map_bytes = bytes;
			ring->at = ring->head = ring->page->data_tail;
			return 0;
		}
		if (n == 1) {
			ring->page = NULL;
			return (int)answer;
		}
	}
}

void ompp_ring_unmap(struct ompp_ring *ring)
{
	if (ring->page)
		ompp_sys_munmap(ring->page, ring->map_bytes);
	ring->page = NULL;
}

uint64_t ompp_ring_head(const struct ompp_ring *ring)
{
	return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
}

uint64_t ompp_ring_filled(const struct ompp_ring *ring)
{
	return ring->page ? ompp_ring_head(ring) - __atomic_load_n(&ring->page->data_tail, __ATOMIC_RELAXED) : 0;
}

void ompp_ring_begin(struct ompp_ring *ring)
{
	ring->head = ring->page ? ompp_ring_head(ring) : ring->at;
}

/* Copies n bytes from a position of the ring on; they may go on at the ring's start. */
static void ring_copy(const struct ompp_ring *ring, uint64_t from, void *to, size_t n_bytes)
{
	size_t at = (size_t)(from & (ring->n_bytes - 1)), first = (size_t)ring->n_bytes - at;

	ompp_assert(ring->n_bytes && !(ring->n_bytes & (ring->n_bytes - 1)));
	ompp_assert(n_bytes <= ring->n_bytes);
	if (first > n_bytes)
		first = n_bytes;
	memcpy(to, ring->data + at, first);
	memcpy((char *)to + first, ring->data, n_bytes - first);
}

const struct perf_event_header *ompp_ring_next_of(struct ompp_ring *ring, void *whole, size_t n_whole, int *is_bad)
{
	uint64_t left = ring->head - ring->at;
	struct perf_event_header header;
	size_t at;

	if (!left)
		return NULL;
	if (left >= sizeof(header) && left <= ring->n_bytes)
		ring_copy(ring, ring->at, &header, sizeof(header));
	else
		header.size = 0;
	if (header.size < sizeof(header) || header.size > left || header.size % 8 || header.size > n_whole) {
		*is_bad = 1;
		ring->at = ring->head;
		return NULL;
	}
	at = (size_t)(ring->at & (ring->n_bytes - 1));
	ompp_assert(ring->at + header.size <= ring->head);
	ring->at += header.size;
	if (at + header.size <= ring->n_bytes)
		return (const void *)(ring->data + at);
	ring_copy(ring, ring->at - header.size, whole, header.size);
	return whole;
}

const struct perf_event_header *ompp_ring_next(struct ompp_ring *ring, void *whole, int *is_bad)
{
	return ompp_ring_next_of(ring, whole, OMPP_RECORD_BYTES, is_bad);
}

void ompp_ring_release(struct ompp_ring *ring)
{
	if (ring->page)
		__atomic_store_n(&ring->page->data_tail, ring->at, __ATOMIC_RELEASE);
}
