/*
 * Real: the few functions of the C library that libompp cannot do without, and never the program's of the same names.
 *
 * They are looked up in the C library's own symbol table, not by name in the process: so a function of the same name in
 * the program, in a preloaded library or in a sanitizer is never called.  A static program has them under the names
 * that are the C library's alone (two underscores), where it contains them.  A function that is not there is NULL.
 */
#ifndef OMPP_HOST_REAL_H
#define OMPP_HOST_REAL_H

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

/* What _dl_find_object() tells of the file that holds an address; the fields are glibc's, in its order. */
struct ompp_real_object {
	unsigned long long flags;
	const void *lo, *hi; /* from its first byte in memory to behind its last */
	struct link_map *map;
	const void *exceptions; /* its PT_GNU_EH_FRAME; NULL when it has none */
	unsigned long long reserved[9];
};

struct ompp_real {
	/* The first tells what is loaded, under the lock of the dynamic linker.  The next two set what is called around
	 * fork() and at quick_exit(). */
	int (*dl_iterate_phdr)(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data);
	int (*register_atfork)(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *library);
	int (*at_quick_exit)(void (*call)(void *), void *library);
	int (*sigaction)(int sig, const struct sigaction *action, struct sigaction *before);
	/* These start a thread of ours, and tell when threads of the program end. */
	int (*key_create)(pthread_key_t *key, void (*at_end)(void *));
	int (*setspecific)(pthread_key_t key, const void *value);
	int (*attr_init)(pthread_attr_t *attr);
	int (*attr_setdetachstate)(pthread_attr_t *attr, int state);
	int (*attr_setstacksize)(pthread_attr_t *attr, size_t n_bytes);
	int (*thread_create)(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
	int (*fflush)(FILE *stream);
	/* Finds the file that holds an address, without a lock, in signal handlers, too; returns 0 when it did.  Since
	 * glibc 2.35, and not in static programs. */
	int (*find_object)(const void *address, struct ompp_real_object *object);
};

/* Returns the functions, which are looked up at the first call.  COLD. */
const struct ompp_real *ompp_real(void);

/* Calls `each` for the program and each library in it, until it returns other than 0, which is the result.  Nothing is
 * loaded or unloaded meanwhile.  In a static program there is the program alone. */
int ompp_real_each(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data);

/* Returns the function that programs which are linked today get by a name, in the library or program that `function` is
 * in; `function` itself may be an old version of it, and is the result when no other is found. */
void *ompp_real_version(const char *name, void *function);

/* Tells whether the program itself has a function of this name, which libraries get, too.  In a static program that is
 * not known, and where a sanitizer is in the program it would be the sanitizer's: the answer is 0. */
int ompp_real_is_programs(const char *name);

/* Returns 1 when both functions are in the same library, or both in the program. */
int ompp_real_are_together(const void *a, const void *b);

#endif
