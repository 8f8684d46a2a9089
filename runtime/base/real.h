/*
 * Real: the few functions of the C library that nothing can stand in for, past those of the program.
 *
 * They are looked up in the C library's own symbol table, not by name in the process: so a function of the same name in
 * the program, in a preloaded library or in a sanitizer is never called.  A static program has them under the names that
 * are the C library's alone (two underscores), where it contains them.  NULL: there is no such function here.
 */
#ifndef OMPP_BASE_REAL_H
#define OMPP_BASE_REAL_H

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

struct ompp_real {
	/* what is loaded, under the lock of the dynamic linker; and what is to be called before and after fork() */
	int (*dl_iterate_phdr)(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data);
	int (*register_atfork)(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *library);
	int (*at_quick_exit)(void (*call)(void *), void *library);
	int (*sigaction)(int sig, const struct sigaction *action, struct sigaction *before);
	/* threads: a thread of ours, and the end of the program's */
	int (*key_create)(pthread_key_t *key, void (*at_end)(void *));
	int (*setspecific)(pthread_key_t key, const void *value);
	int (*attr_init)(pthread_attr_t *attr);
	int (*attr_setdetachstate)(pthread_attr_t *attr, int state);
	int (*attr_setstacksize)(pthread_attr_t *attr, size_t n_bytes);
	int (*thread_create)(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
	int (*fflush)(FILE *stream);
};

/* The functions; looked up at the first call.  COLD. */
const struct ompp_real *ompp_real(void);

/* Call `each` for the program and each library in it until it answers other than 0, which is the result.  Nothing is
 * loaded or unloaded meanwhile; a static program is all there is. */
int ompp_real_each(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data);

/* The function that a name has for who links to it today, in the library (or program) that `function` is in; where it has
 * several versions, `function` may be an old one.  `function` itself when nothing else is found. */
void *ompp_real_version(const char *name, void *function);

/* Tells whether the program itself has a function of this name, which libraries get, too.  In a static program that is not known,
 * and where a sanitizer is in the program it would be the sanitizer's: the answer is 0. */
int ompp_real_is_programs(const char *name);

/* Are both functions in the same library, or in the program? */
int ompp_real_are_together(const void *a, const void *b);

#endif
