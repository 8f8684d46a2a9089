/*
 * Environment: variables that make compilers write files which their command line does not name, such as logs of their
 * calls or of included files.  Compiles that kinst adds must not appear in these files.
 */
#ifndef KINST_ENVIRONMENT_H
#define KINST_ENVIRONMENT_H

/* Hides these variables from all that is run, and shows them again. */
void kinst_environment_hide(void);
void kinst_environment_show(void);

/* Returns 1 when one of those that are hidden asks for dependencies of each source. */
int kinst_environment_wants_depend(void);

#endif
