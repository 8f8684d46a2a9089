/*
 * Ranks: which profiles of several MPI runs belong to one of them, for commands that compare runs.
 *
 * The files of a run have the same number of ranks, and overlap in time.  The ranks of a run may start at different
 * times, and runs may follow each other immediately, so times alone do not separate runs; but the second file of each
 * rank belongs to the second run.  So files may be given in any order.
 */
#include "reports/show/show.h"

#include <stdio.h>
#include <string.h>

#include "reports/profile/merge.h"
#include "reports/profile/misfit.h"

/* Can two files be of the same run, or of runs of the same kind? */
static int is_alike(const struct ompp_profile *profiles, const double *kinds, size_t i, size_t k)
{
	return i == k || (profiles[i].mpi_size == profiles[k].mpi_size &&
	                  (!kinds || (kinds[i] <= kinds[k] && kinds[i] >= kinds[k])));
}

/* Returns the number of the run that a file is of, among those of its kind: how many files of the same rank began
 * before it. */
static size_t number_of(const struct ompp_profile *profiles, const double *kinds, size_t n, size_t i)
{
	size_t number = 0;

	for (size_t k = 0; k < n; k++)
		if (is_alike(profiles, kinds, i, k) && profiles[k].mpi_rank == profiles[i].mpi_rank &&
		    (profiles[k].start_unix_ns < profiles[i].start_unix_ns ||
		     (profiles[k].start_unix_ns == profiles[i].start_unix_ns && k < i)))
			number++;
	return number;
}

/* Are the files those of several MPI ranks, without others among them?  Returns -1 after a complaint. */
static int has_ranks(const char *command, char **paths, const struct ompp_profile *profiles, size_t n)
{
	int is_several = 0;

	for (size_t i = 1; i < n; i++) {
		if ((profiles[i].mpi_rank < 0) != (profiles[0].mpi_rank < 0)) {
			ompp_complain(command,
			              "%s, %s: one is a rank of an MPI run, and the other is not; give runs of one "
			              "kind",
			              paths[0], paths[i]);
			return -1;
		}
		is_several |= profiles[i].mpi_rank != profiles[0].mpi_rank;
	}
	return is_several;
}

/* Finds the files of the run of file `first`, by rank, and how many there are.  members: room for n numbers */
static size_t find_members(const struct ompp_profile *profiles, const double *kinds, const size_t *numbers, size_t n,
                           size_t first, size_t *members)
{
	size_t n_members = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at = n_members;

		if (!is_alike(profiles, kinds, first, i) || numbers[i] != numbers[first])
			continue;
		for (; at && profiles[members[at - 1]].mpi_rank > profiles[i].mpi_rank; at--)
			members[at] = members[at - 1];
		members[at] = i;
		n_members++;
	}
	return n_members;
}

/* Do the files make one run?  If not, it complains.  of_run: the profiles of its files, by rank */
static int is_run(const char *command, char **paths, const struct ompp_profile *of_run, const size_t *members, size_t n,
                  struct ompp_arena *arena)
{
	for (size_t i = 1; i < n; i++) {
		size_t other;
		const char *cause = ompp_misfit(of_run, i, &other, arena);

		if (!cause)
			continue;
		ompp_complain(command,
		              "%s, %s: not added up: they are %s; give the same ranks of each run, or one rank of each",
		              paths[members[other]], paths[members[i]], cause);
		return 0;
	}
	return 1;
}

/* Do the runs have the same ranks?  If not, it complains. */
static int have_same_ranks(const char *command, char **paths, const struct ompp_profile *profiles,
                           const size_t *run_sizes, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (profiles[i].mpi_size == profiles[k].mpi_size && run_sizes[i] != run_sizes[k]) {
				ompp_complain(command,
				              "%s, %s: one run has the files of %zu of its ranks, and the other those "
				              "of %zu; give the "
				              "same ranks of each run",
				              paths[i], paths[k], run_sizes[i], run_sizes[k]);
				return 0;
			}
	return 1;
}

static char *run_name(const char *path, size_t n, struct ompp_arena *arena)
{
	char more[32];
	size_t n_bytes = strlen(path) + sizeof(more);
	char *name = ompp_arena_alloc(arena, n_bytes);

	snprintf(more, sizeof(more), " + %zu more", n - 1);
	if (name)
		snprintf(name, n_bytes, "%s%s", path, more);
	return name;
}

int ompp_add_ranks(const char *command, char **paths, struct ompp_profile *profiles, double *kinds, size_t *n,
                   struct ompp_arena *arena)
{
	size_t *numbers = ompp_arena_alloc(arena, *n * sizeof(*numbers));
	size_t *members = ompp_arena_alloc(arena, *n * sizeof(*members));
	size_t *run_sizes = ompp_arena_alloc(arena, *n * sizeof(*run_sizes));
	struct ompp_profile *runs = ompp_arena_alloc(arena, *n * sizeof(*runs));
	char **names = ompp_arena_alloc(arena, *n * sizeof(*names));
	int several = has_ranks(command, paths, profiles, *n);
	size_t n_runs = 0;

	if (several <= 0)
		return several ? OMPP_EXIT_USAGE : 0;
	if (!numbers || !members || !run_sizes || !runs || !names)
		return OMPP_EXIT_FAILED;
	for (size_t i = 0; i < *n; i++)
		numbers[i] = number_of(profiles, kinds, *n, i);
	for (size_t i = 0; i < *n; i++) {
		size_t n_members = find_members(profiles, kinds, numbers, *n, i, members);
		struct ompp_profile *of_run = ompp_arena_alloc(arena, n_members * sizeof(*of_run));
		size_t first = i;

		for (size_t k = 0; k < n_members; k++)
			first = members[k] < first ? members[k] : first;
		if (first < i) /* the run is there already */
			continue;
		if (!of_run)
			return OMPP_EXIT_FAILED;
		for (size_t k = 0; k < n_members; k++)
			of_run[k] = profiles[members[k]];
		if (!is_run(command, paths, of_run, members, n_members, arena))
			return OMPP_EXIT_USAGE;
		runs[n_runs] = of_run[0];
		if (n_members > 1 && ompp_profile_merge(of_run, n_members, arena, &runs[n_runs])) {
			ompp_complain(command, "not enough memory");
			return OMPP_EXIT_FAILED;
		}
		names[n_runs] = n_members > 1 ? run_name(paths[members[0]], n_members, arena) : paths[i];
		if (!names[n_runs])
			return OMPP_EXIT_FAILED;
		run_sizes[n_runs] = n_members;
		if (kinds)
			kinds[n_runs] = kinds[i];
		n_runs++;
	}
	if (!have_same_ranks(command, names, runs, run_sizes, n_runs))
		return OMPP_EXIT_USAGE;
	memcpy(profiles, runs, n_runs * sizeof(*runs));
	memcpy(paths, names, n_runs * sizeof(*names));
	*n = n_runs;
	return 0;
}
