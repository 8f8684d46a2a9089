/*
 * Unsaid: what compilers warn of in the original, but not in a text with calls in it, however the compile of that text
 * goes; it makes kinst ask the compiler about the original.  More may be found than is warned of.
 */
#ifndef KINST_UNSAID_H
#define KINST_UNSAID_H

#include "opari/base/text.h"
#include "opari/command/command.h"

enum kinst_unsaid {
	KINST_UNSAID_NEVER,     /* no warning is asked for */
	KINST_UNSAID_IN_TEXT,   /* it depends on the text */
	KINST_UNSAID_ALWAYS     /* on what calls change: flow, frames, optimisation */
};

/* What the command's options ask for. */
enum kinst_unsaid kinst_unsaid_warnings(const struct kinst_command *command, int clang);

/* Has preprocessed C or C++ statements that lose a warning: indented as if they belonged to an `if` before them, the
 * empty statement of a head, a construct in front of a case label?  System headers aside. */
int kinst_unsaid_in(const struct kinst_text *text);

#endif
