/*
 * Room: storage for a table that may exceed the main memory.  When it is large it is a mapped file without a name, of
 * which only the pages in use are in memory.
 */
#ifndef OMPP_FLOW_ROOM_H
#define OMPP_FLOW_ROOM_H

#include <stddef.h>

/* All 0 at first. */
struct ompp_flow_room {
	void *at;
	size_t n_bytes;
	int fd; /* its file + 1; 0 while it has none */
	int is_file;
};

/* Makes the room at least n_bytes large; its address may change.  Returns 0, or -1 when there is neither memory nor a
 * file. */
int ompp_flow_room_grow(struct ompp_flow_room *room, size_t n_bytes);

/* Releases the pages of a file from memory; they are read again when they are used, which other threads may do at the
 * same time. */
void ompp_flow_room_rest(const struct ompp_flow_room *room);

/* Closes the file; the room cannot grow any more. */
void ompp_flow_room_seal(struct ompp_flow_room *room);

void ompp_flow_room_free(struct ompp_flow_room *room);

#endif
