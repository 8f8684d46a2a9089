/*
 * Choose runs: see choose_runs.h.
 *
 * A folder of profiles may hold those of other programs, copies, and MPI runs of which a rank crashed.  So files of one
 * program are chosen first, then files of one run are found.  The rank that has the most files stands for the runs.  A
 * file of another rank belongs to the run whose start and end are nearest among those at the same time, if it is also
 * the nearest one of its rank for that run.  A missing file then leaves its own run incomplete, and no other.
 */
#include "reports/show/choose_runs.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/profile/merge.h"
#include "reports/profile/misfit.h"

/* A run, and which files make it, by rank. */
struct chosen {
	size_t *members, n;
	size_t n_same; /* runs that have the files of the same ranks */
};

struct choice {
	const char *command;
	char **paths;
	struct ompp_profile *profiles;
	size_t *n_files; /* of each profile: files that are added up in it */
	size_t n, n_other, n_twice, n_lacking;
	const char *first_other, *first_lacking; /* paths, for complaints; NULL when there is none */
	struct ompp_arena *arena;
};

static size_t choice_newest(const struct choice *c)
{
	size_t newest = 0;

	for (size_t i = 1; i < c->n; i++)
		if (c->profiles[i].start_unix_ns > c->profiles[newest].start_unix_ns)
			newest = i;
	return newest;
}

/* Can two files be of runs of the same kind? */
static int choice_is_kind(const struct ompp_profile *a, const struct ompp_profile *b)
{
	return !strcmp(a->app, b->app) && a->mpi_size == b->mpi_size && (a->mpi_rank < 0) == (b->mpi_rank < 0);
}

/* Can the times of two runs be compared?  They depend on the processor.  Ranks are added up. */
static int choice_is_alike(const struct ompp_profile *a, const struct ompp_profile *b)
{
	return choice_is_kind(a, b) && a->max_threads == b->max_threads && a->n_merged == b->n_merged &&
	       a->hooked == b->hooked && ompp_profile_is_emulated(a) == ompp_profile_is_emulated(b) &&
	       !strcmp(ompp_profile_condition(a, "CPU"), ompp_profile_condition(b, "CPU"));
}

/* Are two files of the same kind reports of one process? */
static int choice_is_same(const struct ompp_profile *a, const struct ompp_profile *b)
{
	return a->pid == b->pid && a->start_unix_ns == b->start_unix_ns && a->mpi_rank == b->mpi_rank;
}

/* Keeps those that are like the newest one. */
static void choice_keep(struct choice *c, int (*is_like)(const struct ompp_profile *, const struct ompp_profile *))
{
	struct ompp_profile last = c->profiles[choice_newest(c)];
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (!is_like(&c->profiles[i], &last)) {
			c->first_other = c->first_other ? c->first_other : c->paths[i];
			c->n_other += c->n_files[i];
			continue;
		}
		c->profiles[kept] = c->profiles[i];
		c->paths[kept] = c->paths[i];
		c->n_files[kept++] = c->n_files[i];
	}
	c->n = kept;
}

/* Drops copies of files. */
static void choice_once(struct choice *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		size_t k = 0;

		while (k < kept && !choice_is_same(&c->profiles[k], &c->profiles[i]))
			k++;
		if (k < kept) {
			c->n_twice++;
			continue;
		}
		c->profiles[kept] = c->profiles[i];
		c->paths[kept++] = c->paths[i];
	}
	c->n = kept;
}

/* ---- MPI runs ---- */

static int64_t choice_distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

/* Returns the file of a rank that ran at the same time as a file, and whose start and end are nearest; c->n when there
 * is none. */
static size_t choice_nearest(const struct choice *c, size_t of, int64_t rank)
{
	const struct ompp_profile *p = &c->profiles[of];
	size_t nearest = c->n;
	int64_t least = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct ompp_profile *q = &c->profiles[i];
		int64_t apart = choice_distance(p->start_unix_ns, q->start_unix_ns) +
		                choice_distance(p->end_unix_ns, q->end_unix_ns);

		if (q->mpi_rank == rank && p->start_unix_ns <= q->end_unix_ns && q->start_unix_ns <= p->end_unix_ns &&
		    (nearest == c->n || apart < least)) {
			nearest = i;
			least = apart;
		}
	}
	return nearest;
}

/* Returns the rank that has the most files. */
static int64_t choice_rank(const struct choice *c)
{
	int64_t rank = 0;
	size_t most = 0;

	for (size_t i = 0; i < c->n; i++) {
		size_t n_files = 0;

		for (size_t k = 0; k < c->n; k++)
			n_files += c->profiles[k].mpi_rank == c->profiles[i].mpi_rank;
		if (n_files > most || (n_files == most && c->profiles[i].mpi_rank < rank)) {
			most = n_files;
			rank = c->profiles[i].mpi_rank;
		}
	}
	return rank;
}

/* Can two files be of the same run? */
static int choice_fits(const struct choice *c, size_t i, size_t k)
{
	struct ompp_profile two[2] = { c->profiles[i], c->profiles[k] };
	size_t other;

	return !ompp_misfit(two, 1, &other, c->arena);
}

/* Adds a file to a run, in the order of ranks. */
static int chosen_add(struct chosen *run, size_t *room, const struct choice *c, size_t file)
{
	size_t *members = ompp_arena_grow(c->arena, run->members, room, run->n + 1, sizeof(*members)), at = run->n;

	if (!members)
		return -ENOMEM;
	for (; at && c->profiles[members[at - 1]].mpi_rank > c->profiles[file].mpi_rank; at--)
		members[at] = members[at - 1];
	members[at] = file;
	run->members = members;
	run->n++;
	return 0;
}

/* Finds which files make which run.  runs, rooms: as many zeros as files; runs[i] is the run of file i where that is of
 * the rank that stands for the runs.  Files that belong to no run are lacking. */
static int choice_find(struct choice *c, struct chosen *runs, size_t *rooms)
{
	int64_t rank = choice_rank(c);

	for (size_t i = 0; i < c->n; i++) {
		size_t of = c->profiles[i].mpi_rank == rank ? i : choice_nearest(c, i, rank);

		if (of == c->n ||
		    (of != i && (choice_nearest(c, of, c->profiles[i].mpi_rank) != i || !choice_fits(c, of, i)))) {
			c->first_lacking = c->first_lacking ? c->first_lacking : c->paths[i];
			c->n_lacking++;
		} else if (chosen_add(&runs[of], &rooms[of], c, i)) {
			return -ENOMEM;
		}
	}
	return 0;
}

/* Do two runs have the files of the same ranks? */
static int chosen_is_same(const struct choice *c, const struct chosen *a, const struct chosen *b)
{
	if (a->n != b->n)
		return 0;
	for (size_t i = 0; i < a->n; i++)
		if (c->profiles[a->members[i]].mpi_rank != c->profiles[b->members[i]].mpi_rank)
			return 0;
	return 1;
}

/* Returns the run whose ranks most runs have; of those that as many have, one with the most ranks. */
static const struct chosen *choice_usual(const struct choice *c, struct chosen *runs)
{
	const struct chosen *usual = &runs[0];

	for (size_t i = 0; i < c->n; i++) {
		for (size_t k = 0; k < c->n && runs[i].n; k++)
			runs[i].n_same += (size_t)chosen_is_same(c, &runs[i], &runs[k]);
		if (runs[i].n_same > usual->n_same || (runs[i].n_same == usual->n_same && runs[i].n > usual->n))
			usual = &runs[i];
	}
	return usual;
}

/* Adds up the files of a run. */
static int choice_add_up(const struct choice *c, const struct chosen *run, struct ompp_profile *sum)
{
	struct ompp_profile *of_run = ompp_arena_alloc(c->arena, run->n * sizeof(*of_run));

	if (!of_run)
		return -ENOMEM;
	for (size_t i = 0; i < run->n; i++)
		of_run[i] = c->profiles[run->members[i]];
	*sum = of_run[0];
	return run->n > 1 ? ompp_profile_merge(of_run, run->n, c->arena, sum) : 0;
}

/* Adds up the ranks of each run that has the files of the usual ranks, and leaves out the other ones. */
static int choice_ranks(struct choice *c)
{
	struct chosen *runs = ompp_arena_alloc(c->arena, c->n * sizeof(*runs));
	size_t *rooms = ompp_arena_alloc(c->arena, c->n * sizeof(*rooms)), n_runs = 0;
	struct ompp_profile *sums = ompp_arena_alloc(c->arena, c->n * sizeof(*sums));
	const struct chosen *usual;

	if (!runs || !rooms || !sums)
		return -ENOMEM;
	memset(runs, 0, c->n * sizeof(*runs));
	memset(rooms, 0, c->n * sizeof(*rooms));
	if (choice_find(c, runs, rooms))
		return -ENOMEM;
	usual = choice_usual(c, runs);
	for (size_t i = 0; i < c->n; i++) {
		const char *first = runs[i].n ? c->paths[runs[i].members[0]] : NULL;

		if (!runs[i].n)
			continue;
		if (!chosen_is_same(c, &runs[i], usual)) {
			c->first_lacking = c->first_lacking ? c->first_lacking : first;
			c->n_lacking += runs[i].n;
			continue;
		}
		if (choice_add_up(c, &runs[i], &sums[n_runs]))
			return -ENOMEM;
		c->n_files[n_runs++] = runs[i].n;
	}
	/* paths of files that are of no run, or not the first of one, are not needed any more */
	for (size_t i = 0, at = 0; i < c->n; i++)
		if (runs[i].n && chosen_is_same(c, &runs[i], usual))
			c->paths[at++] = c->paths[i];
	memcpy(c->profiles, sums, n_runs * sizeof(*sums));
	c->n = n_runs;
	return 0;
}

static void choice_complain(const struct choice *c)
{
	if (c->n_other)
		ompp_complain(c->command,
		              "profiles left out: %zu: they are of another program, number of threads or ranks, or "
		              "processor than the newest run (%s is the first); look at these by themselves",
		              c->n_other, c->first_other);
	if (c->n_twice)
		ompp_complain(c->command, "profiles left out: %zu: they are the same runs as others", c->n_twice);
	if (c->n_lacking)
		ompp_complain(c->command,
		              "profiles left out: %zu: their runs do not have the files of the MPI ranks that most "
		              "runs have (%s is the first); give the same ranks of each run",
		              c->n_lacking, c->first_lacking);
}

int ompp_choose_runs(const char *command, char **paths, struct ompp_profile *profiles, size_t *n, size_t *n_left_out,
                     struct ompp_arena *arena)
{
	struct choice c = { .command = command, .paths = paths, .profiles = profiles, .n = *n, .arena = arena };
	int rc = 0;

	c.n_files = ompp_arena_alloc(arena, (*n + 1) * sizeof(*c.n_files));
	if (!c.n_files)
		return -ENOMEM;
	for (size_t i = 0; i < *n; i++)
		c.n_files[i] = 1;
	choice_keep(&c, choice_is_kind);
	choice_once(&c);
	if (c.profiles[0].mpi_rank >= 0)
		rc = choice_ranks(&c);
	if (rc)
		return rc;
	choice_keep(&c, choice_is_alike);
	choice_complain(&c);
	*n_left_out += c.n_other + c.n_twice + c.n_lacking;
	*n = c.n;
	return 0;
}
