/*
 * Object: what objects, archives and shared objects tell about access hooks and counted operations, and the names
 * that a hooked object calls.
 */
#ifndef KINST_OBJECT_FILE_H
#define KINST_OBJECT_FILE_H

#include "opari/base/kinst_text.h"

/* What a file holds; for an archive, what its members hold. */
enum {
	KINST_OBJECT_HOOKED = 1,   /* code that calls access hooks */
	KINST_OBJECT_UNHOOKED = 2, /* code that does not */
	KINST_OBJECT_WORKS = 4,    /* code that counts its operations; shared objects have their own say */
	KINST_OBJECT_IDLE = 8      /* code that does not */
};

/* Returns the bits above; 0 for a file that holds no code, cannot be read, or is no object at all. */
unsigned int kinst_object_look(const char *path);

/* Returns the symbols of an archive whose names begin with `prefix`, without the prefix. */
void kinst_object_names(struct kinst_words *names, const char *archive, const char *prefix);

/*
 * Renames undefined symbols of an ELF object: old[i] becomes new[i].  If any were renamed, a note is added after the
 * names.  Returns 0 or -errno.
 */
int kinst_object_rename(const char *path, const struct kinst_words *old, const struct kinst_words *new,
                        const char *note);

/* Does the same in a text for the assembler, with names that it does not define. */
int kinst_object_rename_text(const char *path, const struct kinst_words *old, const struct kinst_words *new);

/* Returns the notes in an object, or in the members of an archive, that begin with `prefix`, without the prefix. */
void kinst_object_notes(struct kinst_words *notes, const char *path, const char *prefix);

#endif
