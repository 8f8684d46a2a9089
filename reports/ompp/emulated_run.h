/*
 * Emulated run: ompp run --emulate has a program run in QEMU's user mode, where a plug-in (runtime/emulator) counts its
 * accesses.
 */
#ifndef OMPP_EMULATED_RUN_H
#define OMPP_EMULATED_RUN_H

/* Makes the command that runs a program in the emulator.  Returns it, which lasts until the next call; or NULL after a
 * complaint, with the exit status; or argv itself, after a word about it, for a program that must run as it is.
 * argv: the program and its arguments */
char **ompp_emulated_run_command(char **argv, int *status);

/* Sets the environment of the emulator, for what ompp_emulated_run_command() returned.  Called between fork() and exec.
 */
void ompp_emulated_run_here(void);

/* Returns 1 when the last command runs a program into which nothing can be loaded, with libompp inside of the emulator.
 */
int ompp_emulated_run_is_inside(void);

#endif
