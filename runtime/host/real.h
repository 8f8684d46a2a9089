/*
 * Real: the few functions of the C library that libompp cannot do without, and never the program's of the same names.
 *
 * They are looked up in the C library's own symbol table, not by name in the process: so a function of the same name in
 * the program, in a preloaded library or in a sanitizer is never called.  A static program has them under the C
 * library's reserved names (two underscores), if it contains them.  A missing function is NULL.
 */
#ifndef OMPP_HOST_REAL_H
#define OMPP_HOST_REAL_H

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

/* The result of _dl_find_object() for the file that contains an address; the fields are glibc's, in its order. */
struct ompp_real_object {
	unsigned long long flags;
	const void *lo, *hi; /* from its first byte in memory to one past its last */
	struct link_map *map;
	const void *exceptions; /* its PT_GNU_EH_FRAME; NULL when it has none */
	unsigned long long reserved[9];
};

struct ompp_real {
	/* The first lists the loaded files, under the lock of the dynamic linker.  The next two register handlers for
	 * fork() and quick_exit(). */
	int (*dl_iterate_phdr)(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data);
	int (*register_atfork)(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *library);
	int (*at_quick_exit)(void (*call)(void *), void *library);
	int (*sigaction)(int sig, const struct sigaction *action, struct sigaction *before);
	/* These start a thread of ours, and report the end of the program's threads. */
	int (*key_create)(pthread_key_t *key, void (*at_end)(void *));
	int (*setspecific)(pthread_key_t key, const void *value);
	int (*attr_init)(pthread_attr_t *attr);
	int (*attr_setdetachstate)(pthread_attr_t *attr, int state);
	int (*attr_setstacksize)(pthread_attr_t *attr, size_t n_bytes);
	int (*thread_create)(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
	int (*fflush)(FILE *stream);
	/* Finds the file that contains an address, without a lock, also in signal handlers; returns 0 when found.
	 * Since glibc 2.35, and not in static programs. */
	int (*find_object)(const void *address, struct ompp_real_object *object);
};

/* Returns the functions, which are looked up at the first call.  COLD. */
const struct ompp_real *ompp_real(void);

/* Has the program alone be what is loaded: in the process of an emulator, whose own libraries are not the program's.
 * Called once, before anything asks. */
void ompp_real_become_host(void);

/* 1 while the calling thread cannot call other libraries, as an emulator's plug-in has called us. */
extern __thread int ompp_real_is_away __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Calls `each` for the program and each library in it, until it returns other than 0, which is the result.  Nothing is
 * loaded or unloaded meanwhile.  In a static program there is only the program. */
int ompp_real_each(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data);

/* Does the same for the files of this process, also where that is an emulator's. */
int ompp_real_each_here(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data);

/* Returns the default version of a function by its name, in the library or program that contains `function`; `function`
 * itself may be an older version of it, and is the result when no other is found. */
void *ompp_real_version(const char *name, void *function);

/* Returns 1 when the program itself defines a function of this name, so that libraries call it, too.  Returns 0 in a
 * static program, where that is not known, and in one that contains a sanitizer, whose function it would be. */
int ompp_real_is_programs(const char *name);

/* Returns 1 when both functions are in the same library, or both in the program. */
int ompp_real_are_together(const void *a, const void *b);

#endif
