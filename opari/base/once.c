/*
 * Once: see once.h.
 */
#include "opari/base/once.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "opari/base/kinst_text.h"
#include "opari/base/temp.h"

/* Returns the descriptor that a path names, or -1. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	char *end;
	long n;

	if (!strcmp(path, "/dev/stdin"))
		return 0;
	for (int i = 0; i < 2; i++)
		if (kinst_begins(path, folders[i])) {
			path += strlen(folders[i]);
			n = strtol(path, &end, 10);
			return *path >= '0' && *path <= '9' && !*end && n <= 0xffff ? (int)n : -1;
		}
	return -1;
}

/* Returns 1 for a file that each reader finds the same in: /dev/null is empty for all. */
static int is_same_again(const struct stat *st)
{
	return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode) || (S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3));
}

enum kinst_once kinst_once_keep(const char *path)
{
	struct kinst_text text = { 0 };
	int descriptor = descriptor_of(path), copy = -1;
	struct stat st;
	char *kept;

	if (stat(path, &st) || is_same_again(&st))
		return KINST_ONCE_FREE;
	kept = descriptor < 0 ? NULL : kinst_temp_path("once");
	if (kept && !kinst_read_fd(descriptor, &text) && !kinst_write_file(kept, text.data, text.length))
		copy = open(kept, O_RDONLY);
	if (copy >= 0 && copy != descriptor) {
		dup2(copy, descriptor);
		close(copy);
	}
	kinst_text_free(&text);
	free(kept);
	return copy < 0 ? KINST_ONCE_LEFT : KINST_ONCE_KEPT;
}
