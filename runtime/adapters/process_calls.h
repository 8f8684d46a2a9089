/*
 * Process: intercepts the end of the process, fork and exec, so that the report is written before.
 */
#ifndef OMPP_ADAPTERS_PROCESS_CALLS_H
#define OMPP_ADAPTERS_PROCESS_CALLS_H

#include <signal.h>

/* Watches fork() and the fatal signals.  Called at the start, and again by the first thread, as the run-time libraries
 * of languages install their handlers in between.  Ignored signals stay ignored. */
void ompp_process_watch(void);

/* Gives the program's own actions back, before a filter of system calls under which ours could not do their work. */
void ompp_process_unwatch(void);

/* Does so only for SIGTRAP, before the first breakpoint is tried. */
void ompp_process_watch_traps(void);

/* Has the calls of a program that kinst did not link redirected to the functions below (host/redirect.h). */
void ompp_process_redirect(void);

/* kinst diverts the program's calls to these functions (ld --wrap).  They write the report and then call the real
 * function. */
void __wrap__exit(int status) __attribute__((noreturn));
void __wrap__Exit(int status) __attribute__((noreturn));
int __wrap_execve(const char *path, char *const argv[], char *const envp[]);
int __wrap_execv(const char *path, char *const argv[]);
int __wrap_execvp(const char *file, char *const argv[]);
int __wrap_execvpe(const char *file, char *const argv[], char *const envp[]);
int __wrap_fexecve(int fd, char *const argv[], char *const envp[]);
int __wrap_daemon(int no_chdir, int no_close);
int __wrap_execl(const char *path, const char *arg, ...);
int __wrap_execlp(const char *file, const char *arg, ...);
int __wrap_execle(const char *path, const char *arg, ...);

/* These two show the program only its own handlers.  When the program sets the default action of a fatal signal, they
 * install ours and report the default. */
int __wrap_sigaction(int sig, const struct sigaction *action, struct sigaction *old);
void (*__wrap_signal(int sig, void (*handler)(int)))(int);

#endif
