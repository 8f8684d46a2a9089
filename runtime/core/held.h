/*
 * Held: accesses that a thread holds back while it changes a container (follow.h).
 */
#ifndef OMPP_CORE_HELD_H
#define OMPP_CORE_HELD_H

#include <stddef.h>
#include <stdint.h>

struct ompp_container;

enum { OMPP_HELD = 16, OMPP_TOUCHED = 4 };

struct ompp_held {
	uintptr_t address;
	size_t n_bytes;
	uint8_t slot, size;
	int is_block;
};

/* What a thread remembers of containers; read and written by this thread alone. */
struct ompp_follow {
	int is_busy; /* 1 while is_holding or is_asking: accesses come here first */
	int is_holding;
	int is_asking;            /* 1 while the program's own functions are asked for a container's data */
	int is_open;              /* 1 when these have read memory that is not the container's own */
	uintptr_t lo, hi, frame;  /* the container's [lo, hi); the stack above those functions */
	uint32_t n_held, n_quiet; /* accesses that are held; how many of the last ones in a row were elsewhere */
	uint32_t n_touched; /* containers that the thread has stored into; when there are more than OMPP_TOUCHED, some
	                       of them were forgotten */
	struct ompp_container *touched[OMPP_TOUCHED];
	struct ompp_held held[OMPP_HELD];
};

#endif
