/*
 * Launcher: what the programs that start the processes of a parallel run, and the batch systems behind them, tell these
 * in their environment.
 */
#ifndef OMPP_TERMS_LAUNCHER_H
#define OMPP_TERMS_LAUNCHER_H

#include "runtime/base/text.h"

/* Finds the rank of this process and the number of all in an environment; -1 and 0 without a launcher. */
void ompp_launcher_find(char *const *envp, int *rank, int *size);

/* Adds the job and its step, "j4711.2", as a part of a file's name; nothing outside of a job. */
void ompp_launcher_job(struct ompp_text *t, char *const *envp);

#endif
