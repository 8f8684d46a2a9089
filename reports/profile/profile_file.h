/*
 * Profile file: a saved profile, `<app>.….ompp`.
 *
 * The file has a header (magic, version) and then sections.  A section has a header (tag, words of a record, number of
 * records, bytes of text, checksum), its records as 64-bit little-endian words, and the text to which they refer.  Long
 * arrays take several sections.  A reader skips unknown sections, and ignores unknown words at the end of a record.
 * Words that a record lacks are read as 0, or as missing (ompp_word_absent()): an older writer does not know them, and
 * a writer leaves out the last words of a section if all its records have that value there.  The version changes only
 * when these rules are not enough.  From a truncated or damaged file a reader gets what is before the damage, with a
 * note.
 */
#ifndef OMPP_PROFILE_FILE_H
#define OMPP_PROFILE_FILE_H

#include <stddef.h>

#include "reports/profile/profile.h"

enum { OMPP_PROFILE_VERSION = 1, OMPP_PROFILE_MAGIC_BYTES = 8 };

/* Does a file that starts with these bytes have the magic number of a profile? */
int ompp_profile_is(const void *data, size_t n_bytes);

/* Saves a profile.  Runs in the measured process; `scratch` is working memory.  Returns 0 or -errno. */
int ompp_profile_write(const struct ompp_profile *profile, int fd, struct ompp_arena *scratch);

/* Reads what ompp_profile_write() wrote.  Every index and length is checked, so that views never see an invalid
 * profile.  Texts are copied into the arena.  Returns 0; -EINVAL when it is not a profile, or nothing in it can be
 * read; -EPROTO when it is of another version; -ENOMEM.  Then *why is "cause; what to do", a constant text. */
int ompp_profile_parse(const void *data, size_t n_bytes, struct ompp_arena *arena, struct ompp_profile *profile,
                       const char **why);

/* Does the same from a file descriptor, up to its end.  Returns also what read(2) said. */
int ompp_profile_read(int fd, struct ompp_arena *arena, struct ompp_profile *profile, const char **why);

/* A file in memory. */
struct ompp_profile_image {
	const unsigned char *data;
	size_t n_bytes;
	size_t n_sound; /* what ompp_profile_sum() found: sections that end here or before have the right checksum */
};

enum { OMPP_PROFILE_IMAGES = 8 }; /* as many as ompp_profile_sum() takes */

/* Computes the checksums of several files beside each other, which takes a third of the time that they take one after
 * the other: most of a file is one piece, and a checksum waits for each of its own steps (ompp_checksums()). */
void ompp_profile_sum(struct ompp_profile_image *images, size_t n);

/* Does what ompp_profile_parse() does; of what is sound no checksum is computed again. */
int ompp_profile_parse_image(const struct ompp_profile_image *image, struct ompp_arena *arena,
                             struct ompp_profile *profile, const char **why);

#endif
