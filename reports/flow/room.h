/*
 * Room: the memory of a table that may be larger than what there is of memory.  When it is large it is that of a file
 * without a name, of which only what is in use is in memory.
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

/* Makes the room at least so large, at another address perhaps.  Returns 0, or -1 when there is neither memory nor a
 * file. */
int ompp_flow_room_grow(struct ompp_flow_room *room, size_t n_bytes);

/* Gives the pages of a file back, which come again when they are used, also by other threads just now. */
void ompp_flow_room_rest(const struct ompp_flow_room *room);

/* Closes the file; the room cannot grow any more. */
void ompp_flow_room_seal(struct ompp_flow_room *room);

void ompp_flow_room_free(struct ompp_flow_room *room);

#endif
