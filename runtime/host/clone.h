/*
 * Clone: threads and processes of ours that share the program's memory, made without the C library.
 */
#ifndef OMPP_HOST_CLONE_H
#define OMPP_HOST_CLONE_H

#include <stdint.h>

/* Makes one that calls run(), which never returns.  It blocks all signals.  It shares the thread-local storage of the
 * calling thread, so it must not use any, nor errno.  Returns its number, -ENOSYS where that cannot be done, or another
 * -errno.
 * flags: of clone(2)
 * stack: its end, which is the highest address
 * id: set to the number before this returns, with CLONE_PARENT_SETTID, and to 0 at its end, with CLONE_CHILD_CLEARTID
 */
long ompp_clone(unsigned long flags, void *stack, void (*run)(void), uint32_t *id);

#endif
