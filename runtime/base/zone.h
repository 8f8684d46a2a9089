/*
 * Zone: how far local time is ahead of UTC, by TZ and the system's files of time zones, as localtime() has it.
 *
 * The C library's function takes memory from the program's heap, and what it reads is kept for the program's later
 * calls.
 */
#ifndef OMPP_BASE_ZONE_H
#define OMPP_BASE_ZONE_H

#include <stdint.h>

/* Returns by how many seconds local time is ahead of UTC at unix_s, or 0 where the zone is not known.  tz and tzdir are
 * the variables TZ and TZDIR, NULL when not set. */
int64_t ompp_zone_offset(int64_t unix_s, const char *tz, const char *tzdir);

/* Does the same by a rule of POSIX alone, "CET-1CEST,M3.5.0,M10.5.0/3".  Returns 0, or -EINVAL when it is no rule. */
int ompp_zone_rule(const char *rule, int64_t unix_s, int64_t *offset);

#endif
