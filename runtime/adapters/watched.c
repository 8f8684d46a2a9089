/*
 * Watched: see watched.h.
 *
 * Memory can be watched by only one userfaultfd.  When the program starts to use one, with the ioctl() for the API
 * version that every user needs, ours ends first.  And mappings are watched as soon as they are made: otherwise the
 * kernel would not merge them with adjacent ones, and an mremap() of both together would fail.
 */
#define _GNU_SOURCE
#include "runtime/adapters/watched.h"

#include <errno.h>
#include <linux/ioctl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>

#include "runtime/base/array.h"
#include "runtime/base/auxv.h"
#include "runtime/host/redirect.h"
#include "runtime/memory/page_writes.h"

enum { FAULTS_TYPE = 0xAA, FAULTS_HANDSHAKE = 0x3F }; /* of userfaultfd */

typedef void function(void);

void ompp_watched_mapped(void *p, size_t n, int flags)
{
	int saved = errno;

	if (p != MAP_FAILED && (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) == (MAP_PRIVATE | MAP_ANONYMOUS))
		ompp_page_writes_map((uintptr_t)p, (n + ompp_page_bytes() - 1) & ~(ompp_page_bytes() - 1));
	errno = saved;
}

static void *(*real_mmap)(void *at, size_t n, int protection, int flags, int fd, off_t offset);
static void *mmap_(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	void *p = real_mmap(at, n, protection, flags, fd, offset);

	ompp_watched_mapped(p, n, flags);
	return p;
}

static void *(*real_mmap64)(void *at, size_t n, int protection, int flags, int fd, off_t offset);
static void *mmap64_(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	void *p = real_mmap64(at, n, protection, flags, fd, offset);

	ompp_watched_mapped(p, n, flags);
	return p;
}

static int (*real_ioctl)(int fd, unsigned long request, ...);
static int ioctl_(int fd, unsigned long request, ...)
{
	void *argument;
	va_list more;

	va_start(more, request);
	argument = va_arg(more, void *);
	va_end(more);
	if (_IOC_TYPE(request) == FAULTS_TYPE && _IOC_NR(request) == FAULTS_HANDSHAKE)
		ompp_page_writes_yield("the program began to use userfaultfd itself");
	return real_ioctl(fd, request, argument);
}

void ompp_watched_start(void)
{
	/* clang-format off */
	static const struct ompp_redirection list[] = {
		{ "ioctl", (function *)(uintptr_t)ioctl_, (function **)(void *)&real_ioctl, 0 },
		{ "mmap", (function *)(uintptr_t)mmap_, (function **)(void *)&real_mmap, 0 },
		{ "mmap64", (function *)(uintptr_t)mmap64_, (function **)(void *)&real_mmap64, 0 }
	};
	/* clang-format on */

	if (!ompp_page_writes_are_on())
		return;
	ompp_redirect(list, OMPP_COUNT_OF(list));
	if (!real_ioctl)
		ompp_page_writes_yield(
			"the program is static, so that nobody would know whether it uses userfaultfd itself");
}
