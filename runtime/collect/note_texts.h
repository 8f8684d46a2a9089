/*
 * Note texts: the texts of one type in the ELF notes of the program and of the libraries that are loaded with it
 * (program/unmeasured.h).
 */
#ifndef OMPP_COLLECT_NOTE_TEXTS_H
#define OMPP_COLLECT_NOTE_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

struct ompp_note_texts {
	const char **items; /* in the notes themselves */
	size_t n;
};

/* Lists the texts of a type, in the order of the files.  Returns 0 or -ENOMEM. */
int ompp_note_texts(struct ompp_note_texts *texts, uint32_t type, struct ompp_arena *arena);

#endif
