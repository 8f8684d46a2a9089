/*
 * Program file: the file of the measured program.
 */
#ifndef OMPP_BASE_PROGRAM_FILE_H
#define OMPP_BASE_PROGRAM_FILE_H

#include <stddef.h>

/* The path under which it can be opened: "/proc/self/exe", or that of the calling thread (base/proc.h); in the process
 * of an emulator, whose own file that is, the absolute path of the emulated program.  Set once, before the session
 * starts. */
extern const char *ompp_program_file;

/* Takes the path of the calling thread, where that means the same file: emulators that answer for "/proc/self/exe" know
 * these words alone. */
void ompp_program_file_choose(void);

/* Writes the absolute path of the file to `path`, with its end.  Returns the number of bytes before the end; 0 when the
 * path is not known. */
size_t ompp_program_path(char *path, size_t n_room);

#endif
