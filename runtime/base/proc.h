/*
 * Proc: the files of this process in /proc.
 *
 * /proc/self is the main thread.  Once that has ended, by pthread_exit(), its memory, descriptors and program file are
 * not told any more, while other threads go on; those of each thread that lives are the same.
 */
#ifndef OMPP_BASE_PROC_H
#define OMPP_BASE_PROC_H

/* The folder of the calling thread: that of the main thread until ompp_program_file_choose() has found that both are of
 * one program.  The kernel has none for threads before Linux 3.17, and QEMU's user mode only knows the other one for
 * the program's; that of threads is its own. */
extern const char *ompp_proc_folder;

/* Opens a file of it: "maps", "fd/1".  Returns a descriptor or -errno. */
int ompp_proc_open(const char *name, int flags);

#endif
