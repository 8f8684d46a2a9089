/*
 * Maps: see maps.h.  A line is "lo-hi perms offset device inode path".
 */
#define _GNU_SOURCE
#include "runtime/program/maps.h"

#include "runtime/base/proc.h"
#include "runtime/base/sys.h"

enum field { LO, HI, PERMISSIONS, OFFSET, DEVICE, INODE, NAME, BRACKET, REST };

int ompp_maps_read(int fd, int (*each)(const struct ompp_mapping *mapping, void *context), void *context)
{
	const struct ompp_mapping none = { 0 };
	struct ompp_mapping m = none;
	enum field field = LO;
	char text[512]; /* small, as the program's stack may be */
	off_t at = 0;
	ssize_t n = 0, i;
	int rc = 0;

	for (; !rc && (n = ompp_sys_pread(fd, text, sizeof(text), at)) > 0; at += n)
		for (i = 0; i < n && !rc; i++) {
			char c = text[i];
			uintptr_t digit = (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);

			if (c == '\n') {
				rc = each(&m, context);
				m = none;
				field = LO;
			} else if (field < NAME && (c == ' ' || (field == LO && c == '-'))) {
				field++;
			} else if (field == LO) {
				m.lo = m.lo << 4 | digit;
			} else if (field == HI) {
				m.hi = m.hi << 4 | digit;
			} else if (field == PERMISSIONS) {
				m.writable |= c == 'w';
				m.is_private |= c == 'p';
			} else if (field == INODE) {
				m.file |= c != '0';
			} else if (field == NAME && c != ' ') {
				field = c == '[' ? BRACKET : REST;
			} else if (field == BRACKET) {
				m.is_kernels = c == 'v'; /* [vdso], [vvar], [vsyscall] */
				field = REST;
			}
		}
	return n < 0 ? (int)n : rc;
}

int ompp_maps_each(int (*each)(const struct ompp_mapping *mapping, void *context), void *context)
{
	int fd = ompp_proc_open("maps", O_RDONLY | O_CLOEXEC), rc;

	if (fd < 0)
		return fd;
	rc = ompp_maps_read(fd, each, context);
	ompp_sys_close(fd);
	return rc;
}

struct wanted {
	uintptr_t address;
	struct ompp_mapping *found;
};

static int maps_holds(const struct ompp_mapping *mapping, void *context)
{
	struct wanted *wanted = context;

	*wanted->found = *mapping;
	return mapping->lo <= wanted->address && wanted->address < mapping->hi;
}

int ompp_maps_holding(uintptr_t address, struct ompp_mapping *found)
{
	return ompp_maps_each(maps_holds, &(struct wanted){ address, found });
}
