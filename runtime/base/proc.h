/*
 * Proc: the files of this process in /proc.
 *
 * /proc/self is the main thread.  Once that has ended, by pthread_exit(), its memory, descriptors and program file are
 * not told any more, while other threads go on; those of each thread that lives are the same.
 */
#ifndef OMPP_BASE_PROC_H
#define OMPP_BASE_PROC_H

/* Opens the file of the calling thread: "maps", "fd/1".  Where the kernel has no names for threads (before Linux 3.17),
 * that of the main thread.  Returns a descriptor or -errno. */
int ompp_proc_open(const char *name, int flags);

#endif
