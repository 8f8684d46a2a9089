/*
 * Published: what a running program shows to ompp stat and ompp record: values and labels that it sets.
 *
 * They are plain stores into memory of the library.  A watcher of the same user finds them by the symbol
 * ompp_published, and reads them by process_vm_readv(2); so nobody pays while nobody looks, and programs have no
 * further file.  What ompp starts itself gets a file of shared memory instead (OMPP_PUBLISH), where also stays what the
 * program has set last when it ends, and what the programs that it starts set.  A watcher takes nothing in it for
 * granted.
 */
#ifndef OMPP_BASE_PUBLISHED_H
#define OMPP_BASE_PUBLISHED_H

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

struct ompp_published {
	uint64_t magic; /* 0 while nothing was set */
	uint32_t version, n_bytes;
	uint64_t next_label; /* how many labels there were */
	struct ompp_published_value values[OMPP_PUBLISHED_VALUES];
	struct ompp_published_label labels[OMPP_PUBLISHED_LABELS];
};

/* The library's own, when it has no file. */
extern struct ompp_published ompp_published;

/* Takes a file in place of it, which this user alone may read and write.  Returns 0 or -errno. */
int ompp_published_open(const char *path);

/* Set a value of this name, which is cut off behind 47 bytes, and make a label.  Of more than 64 names the further ones
 * are left out.  They may be called by any thread, and in signal handlers.  WARM. */
void ompp_published_set(const char *name, int64_t number);
void ompp_published_label(const char *text);

#endif
