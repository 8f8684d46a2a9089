/*
 * Machine time: what the processors of this process did besides, as /proc/stat counts it: how long a hypervisor ran
 * something else on them (steal), and how long other programs had them.
 *
 * The kernel counts by processor, not by thread, in units of 10 ms.  So what was stolen is an upper bound of what a
 * thread lost.  What others had is what is left of the processors' time beside idling, waiting for disks, steal, and
 * the CPU time of this process and of its children that have ended.  The kernel measures how long a processor idles,
 * but some kernels take it from samples, and the error is that of samples.
 */
#ifndef OMPP_SESSION_MACHINE_TIME_H
#define OMPP_SESSION_MACHINE_TIME_H

#include <stdint.h>

/* Two readings' difference: what happened since ompp_machine_time_start(), on the processors on which a thread of this
 * process might run at one of them: an OpenMP library may have bound the first thread before, and binds the others
 * later.  Those above number 1023 are left out. */
struct ompp_machine_time {
	int64_t stolen_ns, stolen_most_ns; /* of all processors, and of the one that lost most */
	int64_t others_ns; /* OMPP_MISSING where the columns do not add up to the time, where this process used more
	                      than they leave, as its threads were on further processors, and where the kernel is
	                      not who tells, as in some containers */
	uint64_t others_variance; /* the square of its standard error, us^2 */
	uint32_t n_threads;       /* of this process, at the second reading */
};

/* Is there a hypervisor, as far as the processor says?  Without one nothing is stolen.  COLD. */
int ompp_machine_time_is_virtual(void);

/* Remembers what a file says.  COLD.
 * file: in the format of /proc/stat
 * tasks: a folder with a name for each thread, its number, as /proc/self/task; both here and below */
void ompp_machine_time_start(const char *file, const char *tasks);

/* CPU time since ompp_machine_time_start(): of this process, and of its children that have ended since then.  What the
 * kernel does not tell is at most 0. */
struct ompp_machine_cpu {
	int64_t self_ns, children_ns;
};

void ompp_machine_time_cpu(struct ompp_machine_cpu *cpu); /* COLD */

/* Finds what happened since then.  Returns 0, or -errno where the kernel does not tell.  COLD. */
int ompp_machine_time_read(const char *file, const char *tasks, struct ompp_machine_time *time);

#endif
