/*
 * Held: accesses that a thread holds back (does not count yet) while it changes a container (follow.h).
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

/* A thread's state for containers; used only by this thread. */
struct ompp_follow {
	int is_busy; /* 1 while is_holding or is_asking: accesses are passed here first */
	int is_holding;
	int is_asking;            /* 1 while functions of the program are called to find a container's data */
	int is_open;              /* 1 when these have read memory outside the container */
	uintptr_t lo, hi, frame;  /* the container's [lo, hi); the stack above those functions */
	uint32_t n_held, n_quiet; /* number of held accesses; how many of the last ones in a row were elsewhere */
	uint32_t n_touched; /* containers that the thread has stored into; above OMPP_TOUCHED, some of them are not
	                       remembered */
	struct ompp_container *touched[OMPP_TOUCHED];
	struct ompp_held held[OMPP_HELD];
};

#endif
