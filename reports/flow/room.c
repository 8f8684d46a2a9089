/*
 * Room: see room.h.
 *
 * The file is in $TMPDIR, or in /var/tmp, which is not in memory as /tmp may be.  All of its bytes are reserved before
 * they are mapped, as a store to a full disk would end the process (SIGBUS).  If no file can be made, the room is in
 * memory.
 */
#define _GNU_SOURCE
#include "reports/flow/room.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/base/check.h"

enum { IN_MEMORY_BYTES = 4 << 20, STEP_BYTES = 32 << 20 };

/* Returns a file that disappears when it is closed, or -1. */
static int open_file(void)
{
	const char *folder = secure_getenv("TMPDIR");
	char name[4096];
	int fd, n;

	folder = folder && folder[0] ? folder : "/var/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	n = snprintf(name, sizeof(name), "%s/ompp-flow-XXXXXX", folder); /* not all file systems support O_TMPFILE */
	fd = n > 0 && (size_t)n < sizeof(name) ? mkostemp(name, O_CLOEXEC) : -1;
	if (fd >= 0)
		unlink(name);
	return fd;
}

/* Maps more of the file.  Returns 0 or -1. */
static int grow_file(struct ompp_flow_room *room, size_t n_bytes)
{
	void *at;

	ompp_assert(room->is_file && room->fd && n_bytes > room->n_bytes);
	if (posix_fallocate(room->fd - 1, (off_t)room->n_bytes, (off_t)(n_bytes - room->n_bytes)))
		return -1;
	at = mremap(room->at, room->n_bytes, n_bytes, MREMAP_MAYMOVE);
	if (at == MAP_FAILED)
		return -1;
	room->at = at;
	room->n_bytes = n_bytes;
	return 0;
}

/* Moves the room from memory into a file.  Returns 0 or -1. */
static int become_file(struct ompp_flow_room *room, size_t n_bytes)
{
	int fd = open_file();
	void *at = MAP_FAILED;

	ompp_assert(!room->is_file && n_bytes > room->n_bytes);
	if (fd < 0)
		return -1;
	if (!posix_fallocate(fd, 0, (off_t)n_bytes))
		at = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED) {
		close(fd);
		return -1;
	}
	if (room->n_bytes)
		memcpy(at, room->at, room->n_bytes);
	free(room->at);
	*room = (struct ompp_flow_room){ at, n_bytes, fd + 1, 1 };
	return 0;
}

/* Makes the room larger in anonymous memory, and moves it there if it was in a file.  Returns 0 or -1. */
static int grow_memory(struct ompp_flow_room *room, size_t n_bytes)
{
	struct ompp_flow_room file = *room;
	void *at = realloc(room->is_file ? NULL : room->at, n_bytes);

	if (!at)
		return -1;
	if (room->is_file) {
		memcpy(at, file.at, file.n_bytes);
		ompp_flow_room_free(&file);
	}
	*room = (struct ompp_flow_room){ at, n_bytes, 0, 0 };
	return 0;
}

int ompp_flow_room_grow(struct ompp_flow_room *room, size_t n_bytes)
{
	size_t wanted = room->n_bytes;

	if (n_bytes <= room->n_bytes)
		return 0;
	while (wanted < n_bytes)
		wanted += wanted >= STEP_BYTES ? STEP_BYTES : wanted >= 4096 ? wanted : 4096;
	if (wanted <= IN_MEMORY_BYTES)
		return grow_memory(room, wanted);
	if (room->is_file ? room->fd && !grow_file(room, wanted) : !become_file(room, wanted))
		return 0;
	return grow_memory(room, wanted);
}

void ompp_flow_room_rest(const struct ompp_flow_room *room)
{
	if (room->is_file)
		madvise(room->at, room->n_bytes, MADV_DONTNEED);
}

void ompp_flow_room_seal(struct ompp_flow_room *room)
{
	if (room->fd)
		close(room->fd - 1);
	room->fd = 0;
}

void ompp_flow_room_free(struct ompp_flow_room *room)
{
	ompp_flow_room_seal(room);
	if (room->is_file)
		munmap(room->at, room->n_bytes);
	else
		free(room->at);
	*room = (struct ompp_flow_room){ 0 };
}
