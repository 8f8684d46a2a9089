/*
 * Profile file: a profile saved, `<app>.….ompp`.
 *
 * A file header (magic, version), then sections: a header (tag, words a record, records, bytes of text, checksum),
 * the records as 64-bit little-endian words, the text that they refer to.  Long arrays take several sections.  A
 * reader skips sections that it does not know, ignores words that are new to it, and takes 0 for words that an older
 * writer did not have; the version changes only when that is not enough.  A file that was cut off or damaged gives
 * what stands before the damage, with a note.
 *
 * Writing is ompp_profile_write() in reports/report.h.
 */
#ifndef OMPP_PROFILE_FILE_H
#define OMPP_PROFILE_FILE_H

#include <stddef.h>

#include "reports/profile/profile.h"

enum { OMPP_PROFILE_VERSION = 1, OMPP_PROFILE_MAGIC_BYTES = 8 };

/* Does a file that starts with these bytes claim to be a profile? */
int ompp_profile_is(const void *data, size_t n_bytes);

/* Read what ompp_profile_write() wrote.  Every index and length is checked, so that views never see an invalid
 * profile.  Texts are copied into the arena.  On failure *why is "cause; what to do" (constant).
 * 0; -EINVAL: not a profile, or nothing in it can be read; -EPROTO: of another version; -ENOMEM. */
int ompp_profile_parse(const void *data, size_t n_bytes, struct ompp_arena *arena, struct ompp_profile *profile,
                       const char **why);

/* The same from a file descriptor, up to its end; also what read(2) said. */
int ompp_profile_read(int fd, struct ompp_arena *arena, struct ompp_profile *profile, const char **why);

#endif
