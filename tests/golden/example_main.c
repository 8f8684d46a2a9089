/*
 * Writes the example to standard output: `example_main profile`, or as a report: `example_main text|csv`.  A second
 * word `plain`, `timed` (in which all visits were), `data`, `model`, `samples`, `counters`, `visits`, `hostile`,
 * `twins` (the samples, with pairs of regions and of objects that only folders and lines tell apart), `wide` (the plain
 * one with long texts that need escapes, and large numbers) says which example; a third word N makes it that of rank N
 * of an MPI run of two, with samples on two hosts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/profile/profile_file.h"
#include "reports/report.h"
#include "tests/golden/example.h"

/* Writable cells of the profile; NULL when it has more than there is room for. */
static struct ompp_cell *own_cells(struct ompp_profile *profile)
{
	static struct ompp_cell cells[256];

	if (profile->n_cells > sizeof(cells) / sizeof(cells[0]))
		return NULL;
	memcpy(cells, profile->cells, profile->n_cells * sizeof(cells[0]));
	profile->cells = cells;
	return cells;
}

/* Makes it a run in which all visits were timed.  Returns 0, or -1 when it has more cells than there is room for. */
static int time_all(struct ompp_profile *profile)
{
	struct ompp_cell *cells = own_cells(profile);

	if (!cells)
		return -1;
	for (size_t i = 0; i < profile->n_cells; i++) {
		cells[i].n_untimed = 0;
		cells[i].error_ns = cells[i].enter_error_ns = cells[i].body_error_ns = cells[i].exit_error_ns = 0;
	}
	return 0;
}

/* Makes a profile with pairs of findings that differ in nothing that an id is made of: of two allocations in one region
 * by their lines, and of two regions by their folders.  What others wait is work.  Returns 0 or -1. */
static int make_twins(struct ompp_profile *profile)
{
	static struct ompp_region regions[32];
	static struct ompp_object objects[16];
	struct ompp_cell *cells = own_cells(profile);
	uint32_t first = OMPP_NONE, second = OMPP_NONE;

	if (!cells || profile->n_regions > 32 || profile->n_objects > 16)
		return -1;
	memcpy(regions, profile->regions, profile->n_regions * sizeof(regions[0]));
	memcpy(objects, profile->objects, profile->n_objects * sizeof(objects[0]));
	for (uint32_t i = 0; i < profile->n_regions; i++)
		if (regions[i].construct == OMPP_CRITICAL) {
			second = first == OMPP_NONE ? OMPP_NONE : i;
			first = first == OMPP_NONE ? i : first;
		}
	if (second == OMPP_NONE)
		return -1;
	regions[second] = regions[first];
	regions[second].id = profile->regions[second].id;
	regions[first].file = "/one/twin.c";
	regions[second].file = "/two/twin.c";
	for (uint32_t n = 1; n < profile->n_nodes; n++) {
		const struct ompp_node *node = &profile->nodes[n];

		for (uint32_t k = node->first_cell; k < node->first_cell + node->n_cells; k++)
			if (node->region != first && node->region != second) {
				cells[k].body_ns += cells[k].enter_ns + cells[k].exit_bar_ns;
				cells[k].enter_ns = cells[k].exit_bar_ns = 0;
			}
	}
	objects[2].name = "a.c:12 p";
	objects[3].name = "a.c:30 p";
	profile->regions = regions;
	profile->objects = objects;
	profile->n_waits = 0;
	return 0;
}

/* Makes texts of the run long, of characters that take most bytes in the formats, and its numbers large. */
static void make_wide(struct ompp_profile *profile)
{
	static char text[301];
	static const struct ompp_condition condition = { "CPU", text };

	for (size_t i = 0; i + 1 < sizeof(text); i++)
		text[i] = "\"\\<&"[i % 4];
	profile->app = profile->build_stamp = profile->build_commit = text;
	profile->conditions = &condition;
	profile->n_conditions = 1;
	profile->start_unix_ns = profile->user_ns = profile->queued_all_ns = profile->stolen_ns = INT64_C(1) << 61;
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
	else if (argc > 2 && (!strcmp(argv[2], "samples") || !strcmp(argv[2], "twins")))
		example_sample_profile(&profile);
	else if (argc > 2 && strcmp(argv[2], "plain") && strcmp(argv[2], "timed") && strcmp(argv[2], "wide"))
		example_data_profile(&profile, !strcmp(argv[2], "model"));
	else
		example_profile(&profile);
	if (argc > 2 && !strcmp(argv[2], "timed") && time_all(&profile))
		return 1;
	if (argc > 2 && !strcmp(argv[2], "twins") && make_twins(&profile))
		return 1;
	if (argc > 2 && !strcmp(argv[2], "wide"))
		make_wide(&profile);
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
