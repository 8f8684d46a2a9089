/*
 * Lost warnings: warnings that compilers give for the user's own text but not for the same text with calls in it.
 *
 * They are lost silently, so the instrumented compile does not show that the original must be compiled, too.  This
 * finds where warnings may be lost, by the options and by the text.  It may find more than a compiler would warn about.
 */
#ifndef KINST_LOST_WARNINGS_H
#define KINST_LOST_WARNINGS_H

#include "opari/base/kinst_text.h"
#include "opari/command/command.h"

enum kinst_lost_warnings {
	KINST_LOST_WARNINGS_NEVER,   /* no option asks for a warning that may be lost */
	KINST_LOST_WARNINGS_IN_TEXT, /* it depends on the text */
	KINST_LOST_WARNINGS_ALWAYS   /* an option asks about flow, frames or optimisation: calls change them */
};

/* Returns where the warnings that the command's options ask for may be lost. */
enum kinst_lost_warnings kinst_lost_warnings_asked(const struct kinst_command *command, int clang);

/*
 * Returns 1 when a preprocessed C or C++ text has a statement whose warning is lost, and 0 otherwise: a statement
 * that is indented as if it belonged to the `if` before it, an empty statement under a head, or a construct in front
 * of a case label.  System headers are not looked at.
 */
int kinst_lost_warnings_in(const struct kinst_text *text);

#endif
