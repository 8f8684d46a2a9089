/*
 * Page sizes: see page_sizes.h.  The numbers and structs here are the kernel's; older headers do not have them.
 */
#define _GNU_SOURCE
#include "runtime/sources/page_sizes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioctl.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/proc.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/file.h"
#include "runtime/host/folder.h"

struct page_span {
	uint64_t start, end, kinds;
};

struct scan {
	uint64_t n_bytes, flags, start, end, walk_end, spans, n_spans, most_pages;
	uint64_t inverted, all_of, any_of, told; /* sets of kinds of pages */
};

enum { PAGE_PRESENT = 1 << 3, PAGE_HUGE = 1 << 6 };

#define PAGEMAP_FIND _IOWR('f', 16, struct scan)

enum { STRETCHES = 256, MOST_PAGES = 512, WORD_BITS = 64 };

/* What the kernel said about the pages between two multiples of a huge page's size. */
struct stretch {
	uintptr_t number; /* of the stretch, + 1 */
	uint64_t look;    /* in which look it was asked; 0 while nothing was */
	int is_huge;
	uint64_t is_present[MOST_PAGES / WORD_BITS];
};

/* What is needed where sizes are asked for. */
struct work {
	struct stretch stretches[STRETCHES];
	struct page_span spans[MOST_PAGES];
};

static struct {
	int fd;
	int has_others;      /* 1 when huge pages may have other sizes, too */
	uint64_t huge_bytes; /* 0 when sizes are not known */
	uint64_t n_looks;
	void *work;
} sizes = { .fd = -1 };

static struct work *work(void)
{
	return sizes.work;
}

/* ---- begin ---- */

static uint64_t number_in(const char *text)
{
	uint64_t n = 0;

	for (; *text >= '0' && *text <= '9' && n < UINT64_MAX / 100; text++)
		n = n * 10 + (uint64_t)(*text - '0');
	return n;
}

/* Looks at the pool of one size of huge pages, "hugepages-1048576kB". */
static int look_at_pool(void *context, const char *name)
{
	static const char folder[] = "/sys/kernel/mm/hugepages/", prefix[] = "hugepages-";
	static const char *const files[] = { "/nr_hugepages", "/nr_overcommit_hugepages" };
	char path[200], line[32];

	(void)context;
	if (strncmp(name, prefix, sizeof(prefix) - 1) || strlen(name) > 40 ||
	    number_in(name + sizeof(prefix) - 1) * 1024 == sizes.huge_bytes)
		return 0;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct ompp_text t;

		ompp_text_init(&t, path, sizeof(path));
		ompp_text_str(&t, folder);
		ompp_text_str(&t, name);
		ompp_text_str(&t, files[i]);
		if (ompp_file_line(path, line, sizeof(line)) < 0 || number_in(line))
			sizes.has_others = 1;
	}
	return 0;
}

int ompp_page_sizes_start(void)
{
	char line[32];
	int rc;

	if (ompp_file_line("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", line, sizeof(line)) < 0)
		return -ENODATA;
	sizes.huge_bytes = number_in(line);
	if (sizes.huge_bytes <= ompp_page_bytes() || sizes.huge_bytes & (sizes.huge_bytes - 1) ||
	    sizes.huge_bytes / ompp_page_bytes() > MOST_PAGES) {
		sizes.huge_bytes = 0;
		return -ENODATA;
	}
	ompp_folder_each("/sys/kernel/mm/hugepages", look_at_pool, NULL);
	ompp_page_sizes_begin();
	rc = ompp_space_table(&sizes.work, sizeof(struct work)) ? 0 : -ENOMEM;
	if (!rc && !ompp_page_size_at((uintptr_t)&sizes)) /* it is in memory, as it was just written to */
		rc = -ENODATA;
	ompp_page_sizes_end();
	if (rc)
		sizes.huge_bytes = 0;
	return rc;
}

/* ---- asking ---- */

void ompp_page_sizes_begin(void)
{
	sizes.n_looks++;
}

void ompp_page_sizes_end(void)
{
	if (sizes.fd >= 0)
		ompp_sys_close(sizes.fd);
	sizes.fd = -1;
}

/* Asks for the pages of a stretch.  Returns 0, or -errno of what opens the file. */
static int page_sizes_ask(struct stretch *s, uintptr_t lo)
{
	struct scan scan = { .n_bytes = sizeof(scan),
		             .start = lo,
		             .end = lo + sizes.huge_bytes,
		             .spans = (uintptr_t)work()->spans,
		             .n_spans = MOST_PAGES,
		             .all_of = PAGE_PRESENT,
		             .told = PAGE_PRESENT | PAGE_HUGE };
	int n;

	if (sizes.fd < 0)
		sizes.fd = ompp_proc_open("pagemap", O_RDONLY | O_CLOEXEC);
	if (sizes.fd < 0)
		return sizes.fd;
	n = ompp_sys_ioctl(sizes.fd, PAGEMAP_FIND, &scan);
	s->number = lo / sizes.huge_bytes + 1;
	s->look = sizes.n_looks;
	s->is_huge = n == 1 && work()->spans[0].kinds & PAGE_HUGE;
	memset(s->is_present, 0, sizeof(s->is_present));
	for (int i = 0; i < n; i++)
		for (uintptr_t at = work()->spans[i].start; at < work()->spans[i].end; at += ompp_page_bytes()) {
			size_t page = (at - lo) / ompp_page_bytes();

			s->is_present[page / WORD_BITS] |= UINT64_C(1) << page % WORD_BITS;
		}
	return 0;
}

uint64_t ompp_page_size_at(uintptr_t address)
{
	uintptr_t lo = address & ~(uintptr_t)(sizes.huge_bytes - 1);
	size_t page = (address - lo) / ompp_page_bytes();
	struct stretch *s;

	if (!sizes.huge_bytes)
		return 0;
	s = &work()->stretches[lo / sizes.huge_bytes % STRETCHES];
	if ((s->number != lo / sizes.huge_bytes + 1 || s->look != sizes.n_looks) && page_sizes_ask(s, lo))
		return 0;
	if (!(s->is_present[page / WORD_BITS] >> page % WORD_BITS & 1))
		return 0;
	if (!s->is_huge)
		return ompp_page_bytes();
	return sizes.has_others ? 0 : sizes.huge_bytes;
}
