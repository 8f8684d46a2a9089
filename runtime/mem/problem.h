/*
 * Problem: keeps what went wrong with the calling thread's last call of ompp_mem.h, as a number and in words.
 */
#ifndef OMPP_MEM_PROBLEM_H
#define OMPP_MEM_PROBLEM_H

#include "runtime/base/text.h"
#include "runtime/ompp_mem.h"

/* Begins a message.  Returns the text that the cause and the advice go into. */
struct ompp_text *ompp_problem(void);

/* Returns the error of ompp_mem.h that fits what the kernel answered.  The message is already made, or becomes "not
 * enough memory".
 * rc: the kernel's -errno */
int ompp_problem_of(int rc);

/* Makes a message of a sentence, and returns the error. */
int ompp_problem_is(enum ompp_mem_error error, const char *sentence);

#endif
