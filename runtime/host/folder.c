/*
 * Folder: see folder.h.
 */
#define _GNU_SOURCE
#include "runtime/host/folder.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/sys.h"

/* The structure that getdents64(2) fills, which is readdir64()'s. */
enum { BUFFER_BYTES = 8192 };

struct names {
	struct ompp_arena arena;
	const char **items;
	size_t n, n_have;
};

static int folder_add(struct names *names, const char *name)
{
	const char **grown;
	size_t at;

	if (name[0] == '.')
		return 0;
	grown = ompp_arena_grow(&names->arena, names->items, &names->n_have, names->n + 1, sizeof(*grown));
	name = ompp_arena_strdup(&names->arena, name);
	if (!grown || !name)
		return -ENOMEM;
	names->items = grown;
	for (at = names->n++; at && strcmp(grown[at - 1], name) > 0; at--)
		grown[at] = grown[at - 1];
	grown[at] = name;
	return 0;
}

static int read_names(struct names *names, int fd)
{
	char buffer[BUFFER_BYTES] __attribute__((aligned(8)));
	long n, at;
	int rc = 0;

	while (!rc && (n = OMPP_SYS3(getdents64, fd, buffer, sizeof(buffer))) != 0)
		for (at = 0, rc = n < 0 ? (int)n : 0; at < n && !rc;) {
			const struct dirent64 *entry = (const void *)(buffer + at);

			rc = folder_add(names, entry->d_name);
			at += entry->d_reclen;
		}
	return rc;
}

int ompp_folder_each(const char *path, int (*found)(void *context, const char *name), void *context)
{
	int fd = ompp_sys_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0), rc;
	struct names names = { .n = 0 };

	if (fd < 0)
		return fd;
	ompp_arena_init(&names.arena, 0);
	rc = read_names(&names, fd);
	ompp_sys_close(fd);
	for (size_t i = 0; i < names.n && !rc; i++)
		rc = found(context, names.items[i]);
	ompp_arena_fini(&names.arena);
	return rc;
}
