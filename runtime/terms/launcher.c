/*
 * Launcher: see launcher.h.
 */
#include "runtime/terms/launcher.h"

#include <stddef.h>

#include "runtime/base/array.h"
#include "runtime/terms/option.h"

/* Variables that a launcher sets together. */
struct launcher {
	const char *rank, *size;
	int is_batch; /* 1 when it sets them for a single process, too: such a one is no rank */
};

/* The launcher of the ranks themselves comes before that of the job in which it may have been started: Open MPI, MPICH
 * and others with PMI, MVAPICH, PMIx, Flux, jsrun of LSF, PALS of Cray, srun with PMIx, srun alone. */
static const struct launcher launchers[] = {
	{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", 0 },
	{ "PMI_RANK", "PMI_SIZE", 0 },
	{ "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", 0 },
	{ "PMIX_RANK", "PMIX_SIZE", 0 },
	{ "FLUX_TASK_RANK", "FLUX_JOB_SIZE", 0 },
	{ "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", 0 },
	{ "PALS_RANKID", "PALS_SIZE", 0 },
	{ "PMIX_RANK", "SLURM_STEP_NUM_TASKS", 0 },
	{ "PMIX_RANK", "SLURM_NTASKS", 0 },
	{ "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", 1 },
	{ "SLURM_PROCID", "SLURM_NTASKS", 1 },
};

/* Returns the number that a variable begins with; -1 where there is none. */
static int launcher_number(char *const *envp, const char *name)
{
	const char *v = ompp_environment(envp, name);
	int n = 0;

	if (!v || *v < '0' || *v > '9')
		return -1;
	for (; *v >= '0' && *v <= '9' && n < 100000000; v++)
		n = n * 10 + (*v - '0');
	return n;
}

/* Some launchers do not tell the number of all. */
void ompp_launcher_find(char *const *envp, int *rank, int *size)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(launchers); i++) {
		*rank = launcher_number(envp, launchers[i].rank);
		*size = launcher_number(envp, launchers[i].size);
		if (*rank >= 0 && *rank < *size && (*size > 1 || !launchers[i].is_batch))
			return;
	}
	*size = 0;
	for (size_t i = 0; i < OMPP_COUNT_OF(launchers); i++) {
		*rank = launchers[i].is_batch ? -1 : launcher_number(envp, launchers[i].rank);
		if (*rank >= 0)
			return;
	}
}

/* Adds a job's name: its letters and digits up to the name of a host, which PBS puts behind a dot. */
static void put_word(struct ompp_text *t, const char *word)
{
	enum { MOST = 32 };
	int n = 0;

	for (; *word && *word != '.' && n < MOST; word++, n++) {
		int is_plain = (*word >= '0' && *word <= '9') || (*word >= 'a' && *word <= 'z') ||
		               (*word >= 'A' && *word <= 'Z');

		ompp_text_char(t, is_plain ? *word : '_');
	}
}

void ompp_launcher_job(struct ompp_text *t, char *const *envp)
{
	/* of Slurm, PBS, LSF and Flux; the second one tells the steps, or elements, of a job apart */
	static const char *const jobs[][2] = { { "SLURM_JOB_ID", "SLURM_STEP_ID" },
		                               { "PBS_JOBID", NULL },
		                               { "LSB_JOBID", "LSB_JOBINDEX" },
		                               { "FLUX_JOB_ID", NULL } };

	for (size_t i = 0; i < OMPP_COUNT_OF(jobs); i++) {
		const char *job = ompp_environment(envp, jobs[i][0]);
		const char *step = jobs[i][1] ? ompp_environment(envp, jobs[i][1]) : NULL;

		if (!job || !job[0])
			continue;
		ompp_text_char(t, 'j');
		put_word(t, job);
		if (step && step[0]) {
			ompp_text_char(t, '.');
			put_word(t, step);
		}
		return;
	}
}
