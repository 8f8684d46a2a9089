/*
 * Environment: variables by which compilers write more files than their words tell, as logs of their calls and of what
 * they included.  The compiles of kinst are not the user's and must not be in them.
 */
#ifndef KINST_ENVIRONMENT_H
#define KINST_ENVIRONMENT_H

/* Hides these variables from all that is run, and shows them again. */
void kinst_environment_hide(void);
void kinst_environment_show(void);

/* Returns 1 when one of those that are hidden asks for dependencies of each source. */
int kinst_environment_wants_depend(void);

#endif
