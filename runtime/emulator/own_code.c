/*
 * Own code: see own_code.h.
 */
#include "runtime/emulator/own_code.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

struct ompp_code ompp_own_code;

static struct stat library;
static struct ompp_code other; /* the last mapping of other code, until the library's is known */

/* Looks for the mapping of an address, and remembers it. */
static void look_at_mapping(uintptr_t address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4352];

	while (maps && fgets(line, sizeof(line), maps)) {
		unsigned long lo, hi, inode;
		unsigned int major, minor;

		if (sscanf(line, "%lx-%lx %*s %*s %x:%x %lu", &lo, &hi, &major, &minor, &inode) != 5 || address < lo ||
		    address >= hi)
			continue;
		if (inode == library.st_ino && makedev(major, minor) == library.st_dev) {
			ompp_own_code.lo = lo;
			ompp_own_code.hi = hi;
		} else {
			other.lo = lo;
			other.hi = hi;
		}
		break;
	}
	if (maps)
		fclose(maps);
}

int ompp_own_code_set(const char *path)
{
	return stat(path, &library);
}

int ompp_own_code_has(uintptr_t address)
{
	if (!ompp_own_code.hi && !(address >= other.lo && address < other.hi))
		look_at_mapping(address);
	return address >= ompp_own_code.lo && address < ompp_own_code.hi;
}
