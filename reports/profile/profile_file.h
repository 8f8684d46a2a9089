/*
 * Profile file: a saved profile, `<app>.….ompp`.
 *
 * The file has a header (magic, version) and then sections.  A section has a header (tag, words of a record, number of
 * records, bytes of text, checksum), its records as 64-bit little-endian words, and the text to which they refer.  Long
 * arrays take several sections.  A reader skips unknown sections, ignores unknown words at the end of a record, and
 * reads words that an older writer did not write as 0; the version changes only when that is not enough.  From a
 * truncated or damaged file a reader gets what is before the damage, with a note.
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

#endif
