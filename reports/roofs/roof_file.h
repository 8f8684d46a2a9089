/*
 * Roof file: the roofs of a machine as a file of text, which `ompp machine` writes and `ompp report` reads.
 *
 *   ompp-machine 1
 *   host vm
 *   cpu AMD EPYC
 *   date 2026-11-28 21:00:00 UTC
 *   vector AVX-512
 *   threads 2
 *   others 12000000                          share of the processors that others used, 10^-9
 *   flops 2 83000000000 4000000 vector FMA double   kind, threads, rate a second, spread in 10^-9, name
 *   divisions …                              the same
 *   bytes …
 */
#ifndef OMPP_ROOF_FILE_H
#define OMPP_ROOF_FILE_H

#include "reports/bounds/roofs.h"
#include "runtime/base/arena.h"

/* Returns the path of this machine's file, in the user's cache folder ($XDG_CACHE_HOME/kinst, ~/.cache/kinst), by the
 * name of the host; NULL when the user has none, or without memory. */
const char *ompp_roofs_path(const char *host, struct ompp_arena *arena);

/* Writes the file anew, and the folders above it that are missing.  Returns 0 or -errno. */
int ompp_roofs_write(const struct ompp_roofs *roofs, const char *path);

/* Reads a file.  Returns 0; -errno; or -EINVAL and in *why what is wrong with it. */
int ompp_roofs_read(struct ompp_roofs *roofs, const char *path, struct ompp_arena *arena, const char **why);

#endif
