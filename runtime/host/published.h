/*
 * Published: what a running program shows to ompp stat and ompp record: values and labels that it sets.
 *
 * They are plain stores into memory of the library.  A watcher of the same user finds them by the symbol
 * ompp_published, and reads them by process_vm_readv(2); so nobody pays while nobody looks, and programs have no
 * further file.  What ompp starts itself gets a file of shared memory instead (OMPP_PUBLISH), where also stays what the
 * program has set last when it ends, and what the programs that it starts set.  A watcher takes nothing in it for
 * granted.
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

/* Label number n, from 0, is in place n % LABELS; number is n + 1 when it is whole, and 0 while it is written. */
struct ompp_published_label {
	uint64_t number;
	int64_t monotonic_ns;
	uint64_t is_busy; /* 1 while a thread writes it */
	char text[OMPP_PUBLISHED_TEXT];
};

/* Where the library has what its threads do, for a reader of its memory: addresses, and distances within structs.  All
 * is written at the start of the session. */
struct ompp_published_layout {
	uint32_t pid;   /* whose memory it is, in its own numbers; 0 while there is nothing */
	uint32_t clock; /* enum ompp_clock_kind: what ticks are */
	uint64_t start_raw_ticks;
	int64_t start_ns;            /* the same moment of CLOCK_MONOTONIC */
	uint64_t threads, n_threads; /* an array of pointers; a number of 32 bits */
	uint64_t regions, n_regions; /* an array of pointers to pages of pointers; a number of 32 bits */
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

/* The library's own, when it has no file. */
extern struct ompp_published ompp_published;

/* Takes a file in place of it, which this user alone may read and write.  Returns 0 or -errno. */
int ompp_published_open(const char *path);

/* Tells where things are.  At the start of the session. */
void ompp_published_tell(const struct ompp_published_layout *layout);

/* Set a value of this name, which is cut off behind 47 bytes, and make a label.  Of more than 64 names the further ones
 * are left out.  They may be called by any thread, and in signal handlers.  WARM. */
void ompp_published_set(const char *name, int64_t number);
void ompp_published_label(const char *text);

#endif
