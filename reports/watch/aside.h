/*
 * Aside: keeps ompp off the processors of the program that it watches.
 */
#ifndef OMPP_ASIDE_H
#define OMPP_ASIDE_H

#include <sys/types.h>

/* Puts this process on the processors of a list "0-3,8".  Returns 0, or -1 after a complaint. */
int ompp_aside_on(const char *cpus);

/* Puts this process on processors that no thread of the program may use, where there are any. */
void ompp_aside_of(pid_t pid);

#endif
