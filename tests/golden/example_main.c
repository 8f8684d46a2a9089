/*
 * Writes the example to standard output: `example_main profile`, or as a report: `example_main text|csv`.  A second
 * word `plain`, `timed` (in which all visits were), `data`, `model`, `samples`, `counters`, `visits` or `hostile` says
 * which example; a third word N makes it that of rank N of an MPI run of two, with samples on two hosts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "tests/golden/example.h"

/* Makes it a run in which all visits were timed.  Returns 0, or -1 when it has more cells than there is room for. */
static int time_all(struct ompp_profile *profile)
{
	static struct ompp_cell cells[256];

	if (profile->n_cells > sizeof(cells) / sizeof(cells[0]))
		return -1;
	memcpy(cells, profile->cells, profile->n_cells * sizeof(cells[0]));
	for (size_t i = 0; i < profile->n_cells; i++) {
		cells[i].n_untimed = 0;
		cells[i].error_ns = cells[i].enter_error_ns = cells[i].body_error_ns = cells[i].exit_error_ns = 0;
	}
	profile->cells = cells;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct ompp_condition elsewhere[] = { { "Host", "elsewhere" } };
	const char *what = argc > 1 ? argv[1] : "text";
	struct ompp_profile profile;
	struct ompp_arena arena;
	int rc;

	if (argc > 2 && !strcmp(argv[2], "counters"))
		example_counter_profile(&profile);
	else if (argc > 2 && !strcmp(argv[2], "hostile"))
		example_hostile_profile(&profile);
	else if (argc > 2 && !strcmp(argv[2], "visits"))
		example_visits_profile(&profile);
	else if (argc > 2 && !strcmp(argv[2], "samples"))
		example_sample_profile(&profile);
	else if (argc > 2 && strcmp(argv[2], "plain") && strcmp(argv[2], "timed"))
		example_data_profile(&profile, !strcmp(argv[2], "model"));
	else
		example_profile(&profile);
	if (argc > 2 && !strcmp(argv[2], "timed") && time_all(&profile))
		return 1;
	if (argc > 3) {
		profile.mpi_rank = atoi(argv[3]);
		profile.mpi_size = 2;
	}
	if (profile.mpi_rank == 1 && profile.sample_source[0]) {
		profile.conditions = elsewhere;
		profile.n_conditions = 1;
	}
	ompp_arena_init(&arena, 0);
	rc = !strcmp(what, "profile") ? ompp_profile_write(&profile, STDOUT_FILENO, &arena)
	                              : ompp_report_write(&profile, "", what, STDOUT_FILENO, &arena);
	ompp_arena_fini(&arena);
	return rc ? 1 : 0;
}
