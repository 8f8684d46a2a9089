/*
 * Published: what a running program shows to ompp stat and ompp record: values and labels that it sets.
 *
 * They are plain stores into memory of the library.  A watcher of the same user finds them through the symbol
 * ompp_published, and reads them with process_vm_readv(2); so they cost nothing while nobody watches, and programs open
 * no further file.  A program that ompp starts itself gets a file of shared memory instead (OMPP_PUBLISH).  The last
 * values remain there after the program ends, and programs that it starts write there, too.  A watcher does not trust
 * the contents.
 */
#ifndef OMPP_HOST_PUBLISHED_H
#define OMPP_HOST_PUBLISHED_H

#include <stdint.h>

enum {
	OMPP_PUBLISHED_VERSION = 1,
	OMPP_PUBLISHED_VALUES = 64,
	OMPP_PUBLISHED_LABELS = 32,
	OMPP_PUBLISHED_NAME = 48,
	OMPP_PUBLISHED_TEXT = 104
};

#define OMPP_PUBLISHED_MAGIC UINT64_C(0x6b696e737470756c)

enum ompp_published_state { OMPP_PUBLISHED_FREE, OMPP_PUBLISHED_BEGUN, OMPP_PUBLISHED_READY };

/* A value; once it is READY its name never changes. */
struct ompp_published_value {
	char name[OMPP_PUBLISHED_NAME];
	int64_t number;
	uint32_t state, is_set;
};

/* Label n, from 0, is in slot n % LABELS; its number is n + 1 when it is complete, and 0 while it is being written. */
struct ompp_published_label {
	uint64_t number;
	int64_t monotonic_ns;
	uint64_t is_busy; /* 1 while a thread writes it */
	char text[OMPP_PUBLISHED_TEXT];
};

/* Where the state of the library's threads is, for a reader of its memory: addresses, and offsets within structs.  All
 * of it is written at the start of the session. */
struct ompp_published_layout {
	uint32_t pid;   /* whose memory it is, in its own PID namespace; 0 while nothing is set */
	uint32_t clock; /* enum ompp_clock_kind: what ticks are */
	uint64_t start_raw_ticks;
	int64_t start_ns;            /* the same moment of CLOCK_MONOTONIC */
	uint64_t threads, n_threads; /* an array of pointers; a 32-bit count */
	uint64_t regions, n_regions; /* an array of pointers to pages of pointers; a 32-bit count */
	uint32_t regions_a_page;
	uint32_t thread_top, thread_newest;                /* of a thread: pointers to a frame and to a node */
	uint32_t frame_node;                               /* of a frame */
	uint32_t node_key, node_older, node_n, node_ticks; /* of a node; the ticks stand behind the n */
	uint32_t region_construct, region_file, region_begin, region_name; /* of a region */
};

struct ompp_published {
	uint64_t magic; /* 0 while nothing was set */
	uint32_t version, n_bytes;
	uint64_t next_label; /* how many labels there were */
	struct ompp_published_layout layout;
	struct ompp_published_value values[OMPP_PUBLISHED_VALUES];
	struct ompp_published_label labels[OMPP_PUBLISHED_LABELS];
};

/* The library's own memory, used when there is no file. */
extern struct ompp_published ompp_published;

/* Uses a file instead, which only this user may read and write.  Returns 0 or -errno. */
int ompp_published_open(const char *path);

/* Publishes the layout.  Called at the start of the session. */
void ompp_published_tell(const struct ompp_published_layout *layout);

/* Set the value of a name, which is truncated to 47 bytes, and add a label.  Names beyond the 64th are left out.  They
 * may be called by any thread, and in signal handlers.  WARM. */
void ompp_published_set(const char *name, int64_t number);
void ompp_published_label(const char *text);

#endif
