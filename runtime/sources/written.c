/*
 * Written: see written.h.  The numbers and structs here are the kernel's; older headers do not have them.
 */
#define _GNU_SOURCE
#include "runtime/sources/written.h"

#include <errno.h>
#include <linux/ioctl.h>

#include "runtime/base/auxv.h"
#include "runtime/base/proc.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/host/clock.h"

/* ---- userfaultfd ---- */

struct handshake {
	uint64_t version, features, calls;
};

struct watch {
	uint64_t start, n_bytes, mode, calls;
};

#define FAULTS_VERSION   UINT64_C(0xAA)
#define ASYNCHRONOUS     (UINT64_C(1) << 15)
#define OF_WRITES        (UINT64_C(1) << 1)
#define FAULTS_HANDSHAKE _IOWR(0xAA, 0x3F, struct handshake)
#define FAULTS_WATCH     _IOWR(0xAA, 0x00, struct watch)

enum { USER_MODE_ONLY = 1 }; /* which any user may have; the asynchronous mode knows no difference */

/* ---- PAGEMAP_SCAN ---- */

struct page_span {
	uint64_t start, end, kinds;
};

struct scan {
	uint64_t n_bytes, flags, start, end, walk_end, spans, n_spans, most_pages;
	uint64_t inverted, all_of, any_of, told; /* sets of kinds of pages */
};

enum {
	PAGE_WRITTEN = 1 << 1,
	PAGE_OF_FILE = 1 << 2, /* and not a copy that this process has written */
	PAGE_PRESENT = 1 << 3,
	PAGE_SWAPPED = 1 << 4,
	PAGE_OF_ZEROS = 1 << 5, /* that readers of fresh memory share */
	PROTECT = 1 << 0,
	MUST_BE_WATCHED = 1 << 1
};

#define PAGEMAP_FIND _IOWR('f', 16, struct scan)

enum { SPANS = 512, PAGES = 16, ROUNDS = 3 };

int ompp_written_watch(const struct ompp_written *w, uintptr_t lo, uintptr_t hi)
{
	struct watch watch = { .start = lo, .n_bytes = hi - lo, .mode = OF_WRITES };

	return ompp_sys_ioctl(w->fd, FAULTS_WATCH, &watch);
}

int ompp_written_scan(const struct ompp_written *w, uintptr_t *lo, uintptr_t hi, enum ompp_written_pages what,
                      struct ompp_span *spans, size_t most)
{
	struct page_span found[SPANS];
	struct scan scan = { .n_bytes = sizeof(scan),
		             .flags = PROTECT | MUST_BE_WATCHED,
		             .start = *lo,
		             .end = hi,
		             .spans = (uintptr_t)found,
		             .n_spans = most < SPANS ? most : SPANS,
		             .inverted = PAGE_OF_FILE | PAGE_OF_ZEROS,
		             .all_of = PAGE_OF_FILE | PAGE_OF_ZEROS,
		             .any_of = PAGE_PRESENT | PAGE_SWAPPED,
		             .told = PAGE_PRESENT };
	int n;

	if (what == OMPP_WRITTEN_SINCE)
		scan.all_of |= PAGE_WRITTEN;
	n = ompp_sys_ioctl(w->pagemap, PAGEMAP_FIND, &scan);
	if (n < 0)
		return n;
	for (int i = 0; i < n; i++)
		spans[i] = (struct ompp_span){ (uintptr_t)found[i].start, (uintptr_t)found[i].end };
	*lo = (uintptr_t)scan.walk_end;
	return n;
}

/* ---- begin and end ---- */

/* Finds out whether the kernel shares one page of zeros among all that is read and not written, by a page that is
 * read. */
static int has_reads(const struct ompp_written *w, const char *page)
{
	uintptr_t at = (uintptr_t)page, end = at + ompp_page_bytes();
	struct ompp_span span;

	(void)*(const volatile char *)page;
	return !ompp_written_watch(w, at, end) && ompp_written_scan(w, &at, end, OMPP_WRITTEN_EVER, &span, 1) == 1;
}

/* Measures the first write to a protected page, the quickest round of some. */
static void time_faults(struct ompp_written *w)
{
	size_t page_bytes = ompp_page_bytes(), n_bytes = PAGES * page_bytes;
	char *pages = ompp_space_reserve(n_bytes);
	uintptr_t lo = (uintptr_t)pages;
	struct ompp_span span;

	w->fault_ns = 0;
	if (!pages)
		return;
	for (int round = 0; round <= ROUNDS; round++) {
		uintptr_t at = lo;
		uint64_t begin = ompp_clock_monotonic_ns(), passed;

		for (size_t i = 0; i < n_bytes; i += page_bytes)
			((volatile char *)pages)[i] = 1;
		passed = (ompp_clock_monotonic_ns() - begin) / PAGES;
		if (round && (round == 1 || passed < w->fault_ns)) /* the first one writes to fresh memory */
			w->fault_ns = passed;
		if ((!round && ompp_written_watch(w, lo, lo + n_bytes)) ||
		    ompp_written_scan(w, &at, lo + n_bytes, OMPP_WRITTEN_SINCE, &span, 1) < 0)
			break;
	}
	ompp_sys_munmap(pages, n_bytes);
}

/* Writes the second of three pages of its own.  Returns 0 when the kernel tells that one alone. */
static int try_it(struct ompp_written *w)
{
	size_t n_bytes = ompp_page_bytes();
	char *pages = ompp_space_reserve(4 * n_bytes);
	uintptr_t lo = (uintptr_t)pages, at = lo, end = lo + 3 * n_bytes;
	struct ompp_span spans[4];
	int rc = -ENOMEM;

	if (!pages)
		return rc;
	for (int i = 0; i < 3; i++)
		((volatile char *)pages)[(size_t)i * n_bytes] = 1;
	rc = ompp_written_watch(w, lo, end);
	if (!rc)
		rc = ompp_written_scan(w, &at, end, OMPP_WRITTEN_SINCE, spans, 4);
	if (rc >= 0) {
		rc = rc == 1 && spans[0].lo == lo && spans[0].hi == end ? 0 : -ENODATA;
		((volatile char *)pages)[n_bytes] = 2;
		at = lo;
	}
	if (!rc) {
		rc = ompp_written_scan(w, &at, end, OMPP_WRITTEN_SINCE, spans, 4);
		rc = rc < 0                                                                    ? rc
		   : rc == 1 && spans[0].lo == lo + n_bytes && spans[0].hi == lo + 2 * n_bytes ? 0
		                                                                               : -ENODATA;
	}
	w->has_reads = !rc && has_reads(w, pages + 3 * n_bytes);
	ompp_sys_munmap(pages, 4 * n_bytes);
	return rc;
}

static int open_all(struct ompp_written *w, const char **why)
{
	struct handshake handshake = { .version = FAULTS_VERSION, .features = ASYNCHRONOUS };
	int rc;

	*why = "userfaultfd is refused here, as in most containers; allow it there, or use access hooks";
	w->fd = (int)OMPP_SYS1(userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);
	if (w->fd < 0)
		return w->fd;
	*why = "the kernel does not tell which pages are written; Linux 6.7 and later can, where it has "
	       "CONFIG_PTE_MARKER_UFFD_WP; or use access hooks";
	rc = ompp_sys_ioctl(w->fd, FAULTS_HANDSHAKE, &handshake);
	if (rc < 0)
		return rc;
	w->pagemap = ompp_proc_open("pagemap", O_RDONLY | O_CLOEXEC);
	if (w->pagemap < 0) {
		*why = "/proc/self/pagemap cannot be read; mount /proc, or use access hooks";
		return w->pagemap;
	}
	rc = try_it(w);
	if (!rc)
		time_faults(w);
	return rc;
}

int ompp_written_open(struct ompp_written *w, const char **why)
{
	int rc;

	w->fd = w->pagemap = -1;
	rc = open_all(w, why);
	if (rc < 0)
		ompp_written_close(w);
	return rc;
}

void ompp_written_close(struct ompp_written *w)
{
	if (w->fd >= 0)
		ompp_sys_close(w->fd);
	if (w->pagemap >= 0)
		ompp_sys_close(w->pagemap);
	w->fd = w->pagemap = -1;
}
