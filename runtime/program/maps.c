/*
 * Maps: see maps.h.  A line is "lo-hi perms offset device inode path".
 */
#define _GNU_SOURCE
#include "runtime/program/maps.h"

#include "runtime/base/sys.h"

enum field { LO, HI, PERMISSIONS, OFFSET, DEVICE, INODE, REST };

int ompp_maps_each(int (*each)(const struct ompp_mapping *mapping, void *context), void *context)
{
	int fd = ompp_sys_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0), rc = 0;
	struct ompp_mapping m = { 0, 0, 0, 0 };
	enum field field = LO;
	char text[512]; /* small, as the program's stack may be */
	ssize_t n = 0, i;

	if (fd < 0)
		return fd;
	while (!rc && (n = ompp_sys_read(fd, text, sizeof(text))) > 0)
		for (i = 0; i < n && !rc; i++) {
			char c = text[i];
			uintptr_t digit = (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);

			if (c == '\n') {
				rc = each(&m, context);
				m = (struct ompp_mapping){ 0, 0, 0, 0 };
				field = LO;
			} else if (field < REST && (c == ' ' || (field == LO && c == '-'))) {
				field++;
			} else if (field == LO) {
				m.lo = m.lo << 4 | digit;
			} else if (field == HI) {
				m.hi = m.hi << 4 | digit;
			} else if (field == PERMISSIONS) {
				m.writable |= c == 'w';
			} else if (field == INODE) {
				m.file |= c != '0';
			}
		}
	if (n < 0)
		rc = (int)n;
	ompp_sys_close(fd);
	return rc;
}
