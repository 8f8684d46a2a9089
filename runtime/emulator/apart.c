/*
 * Apart: what the plug-in has of its own where the library is in the emulated program, not inside of the plug-in.
 */
#include <stddef.h>
#include <sys/mman.h>

#include "runtime/data/grain.h"
#include "runtime/data/object.h"
#include "runtime/data/segment.h"
#include "runtime/data/tally.h"
#include "runtime/host/clock.h"

ompp_page *ompp_access_root;         /* the library's, as it was last */
ompp_grain_page *ompp_access_grains; /* the same */
uint32_t ompp_row_bytes;             /* the same */

/* ---- what the search for shared lines (data/sharing.h), which is part of the plug-in, needs of the library ---- */

const struct ompp_segment ompp_no_segment;
enum ompp_clock_kind ompp_clock_kind = OMPP_CLOCK_FAKE; /* no transfer is timed */
int ompp_clock_is_plain;

uint64_t ompp_clock_slow(void)
{
	return 0;
}

/* The library reads it for reports, in the same memory. */
void *ompp_data_alloc(size_t n_bytes)
{
	void *p = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}
