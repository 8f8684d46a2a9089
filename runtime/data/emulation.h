/*
 * Emulation: the interface between the plug-in of the emulator (runtime/emulator) and the library in the emulated
 * program.
 *
 * The library makes a system call with a number that no kernel knows.  The plug-in sees it before the emulator does,
 * which then answers as the kernel would.  Both use the same addresses, as the emulator maps the program's memory at
 * its own addresses.
 */
#ifndef OMPP_DATA_EMULATION_H
#define OMPP_DATA_EMULATION_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/grain.h"
#include "runtime/data/sharing.h"
#include "runtime/data/tally.h"

enum { OMPP_EMULATION_CALL = 0x6f6d7070, OMPP_EMULATION_VERSION = 6 };

/* The first argument of the call.  The second is the address of a struct ompp_emulation or of a struct
 * ompp_emulated_thread. */
enum ompp_emulation_what {
	OMPP_EMULATION_BEGIN,    /* from here on accesses are counted */
	OMPP_EMULATION_THREAD,   /* the calling thread is started */
	OMPP_EMULATION_TAKE,     /* hand over accesses of the calling thread that wait */
	OMPP_EMULATION_FORGET,   /* forget them: they are those of the process that forked this one */
	OMPP_EMULATION_UNCOUNTED /* tell which accesses are not counted, and what calls move */
};

/* Accesses that are not counted, and how many threads made them. */
struct ompp_uncounted {
	uint64_t n_accesses;
	uint32_t n_threads;
};

/* What the kernel moves for read, write and their like, which are no accesses. */
struct ompp_moved {
	uint64_t n_bytes, n_calls;
};

/* The emulated threads of the process, which the kernel cannot tell from the emulator's own.  The plug-in writes it.
 * n:            those that have not ended; a new one is counted before it is there, the library's own are among them
 * is_main_over: 1 when the main thread has ended by itself
 * status:       what the last one that did so gave exit(2), the system call; not of threads that the library ends */
struct ompp_emulated_threads {
	uint32_t n, is_main_over, status;
};

/* An access that waits to be handed over in its place among the thread's. */
struct ompp_emulated_access {
	uintptr_t address;
	uint32_t cover;        /* when it was made; OMPP_EMULATED_UNKNOWN where the table of pages did not know it */
	uint8_t n_bytes, slot; /* of enum ompp_slot, as for ompp_access_block() unless the size has a class */
	uint8_t size;          /* its class; OMPP_SIZES for others */
};
#define OMPP_EMULATED_UNKNOWN UINT32_MAX

/* is_ordered: 1 when the plug-in hands over each thread's accesses in their order, by calling take() in the thread that
 *             made them, itself and not by the emulator: at an event, or before so many wait that there is no room. The
 *             thread's own storage is in place then, signals are blocked; and the emulator does not know of memory that
 *             is mapped meanwhile.  It returns 0, or -1 when the thread is none that is measured now.
 * unmet: of threads that did not start
 * late:  of started ones, after their last event, or more at once than the plug-in has memory for
 * filled, drained: what calls wrote to the program's memory, and what they read there */
struct ompp_emulation {
	uint32_t version, answer;  /* the plug-in sets the answer to the version */
	ompp_page **root;          /* &ompp_access_root */
	ompp_grain_page **grains;  /* &ompp_access_grains */
	uint32_t other_row;        /* the row of memory without a name */
	const uint32_t *row_bytes; /* &ompp_row_bytes */
	int (*take)(const struct ompp_emulated_access *some, size_t n);
	uint32_t searches_lines;          /* 1 when the plug-in is to search for shared lines (data/sharing.h) */
	uint32_t counts_work, is_ordered; /* by the plug-in: 1 when it counts operations; above */
	const struct ompp_emulated_threads *threads; /* by the plug-in */
	struct ompp_uncounted unmet, late;           /* by the plug-in */
	struct ompp_moved filled, drained;           /* by the plug-in */
};

/* Accesses of one thread and one size that wait for the library, as the thread's tally lacks their row; none, where the
 * library is only to meet a page that has no name, so that it gets a segment. */
struct ompp_emulated_accesses {
	uintptr_t lo, hi; /* their lowest and their highest address */
	uint64_t n;
	uint32_t row; /* 0: it is to be found by the address, and lo is hi */
	uint32_t n_bytes;
	uint32_t slot; /* OMPP_SLOT_LOAD or OMPP_SLOT_STORE; as for ompp_access_block() for other sizes and atomics */
	uint32_t size; /* the class of the size; OMPP_SIZES for a block */
};

/* A thread of the program; the library sets all but n_waiting and n_taken.
 * is_allocating: 1 while the C library's allocator runs, whose own words lie in the last 16 bytes of small
 * blocks: what it accesses is in no block, as one begins after it was allocated, and ends before it is freed */
struct ompp_emulated_thread {
	struct ompp_access_own *own;
	uint64_t *work; /* its words of operations (counters/work.h) */
	struct ompp_sharing *sharing;
	const int *is_allocating;
	uintptr_t storage;  /* the address of its thread-local storage */
	uint64_t n_waiting; /* entries that wait */
	struct ompp_emulated_accesses *to;
	size_t n_room, n_taken;
};

#endif
