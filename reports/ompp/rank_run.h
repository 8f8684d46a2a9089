/*
 * Rank run: what ompp run does where it is itself started as a rank, as by 'mpirun -n 4 ompp run ./prog'.
 *
 * The program's processes know nothing of it: each leaves its profile, and the ompp run of the rank that ends last,
 * when all profiles are there, adds them up into one file, takes those of the ranks away, and prints the report.  Where
 * a rank left no profile all stay as they are.
 */
#ifndef OMPP_RANK_RUN_H
#define OMPP_RANK_RUN_H

#include <stdint.h>
#include <sys/types.h>

struct ompp_report_options;

/* Is this process one of several ranks?  Then the program shall not name its files, which may be gone at the end. */
int ompp_rank_run_begin(void);

/* Ends the run of this rank's program.
 *
 *   folder: where profiles are;  since_ns: when this rank began */
void ompp_rank_run_end(const char *program, int wait_status, const char *folder, int64_t since_ns,
                       const struct ompp_report_options *options);

#endif
