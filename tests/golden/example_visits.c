/*
 * Example visits: the example with how long visits took, and where in the code the processor time went.  Its source
 * is tick.c, in the folder at hand.
 */
#include "runtime/base/array.h"
#include "tests/golden/example.h"

#define MS INT64_C(1000000)

static struct ompp_duration durations[4];
static struct ompp_duration_bucket buckets[5];
static struct ompp_duration_slice slices[15]; /* of the second thread's critical: 14 of 2 visits, and one of 1 */
static struct ompp_hot_spot spots[10];

/* Returns the path of a region by its number. */
static uint32_t path_of(const struct ompp_profile *p, uint32_t id, enum ompp_construct construct)
{
	uint32_t i = 1;

	while (p->nodes[i].region != id - 1 || p->nodes[i].construct != construct)
		i++;
	return i;
}

/* One sample stands for 10 ms. */
static struct ompp_hot_spot spot(uint32_t path, uint32_t row, const char *module, const char *function,
                                 const char *within, const char *file, uint32_t line, uint64_t n)
{
	int64_t ns = (int64_t)n * 10 * MS;

	return (struct ompp_hot_spot){ path, row, module, function, within, file, line, n, ns, ns / 10, 0 };
}

void example_visits_profile(struct ompp_profile *p)
{
	uint32_t loop, critical, exec;

	example_profile(p);
	loop = path_of(p, 2, OMPP_LOOP);
	critical = p->nodes[path_of(p, 3, OMPP_CRITICAL)].first_cell;
	exec = p->nodes[path_of(p, 9, OMPP_TASKEXEC)].first_cell;
	durations[0] = (struct ompp_duration){ p->nodes[loop].first_cell, 0, 1, 1000 * MS, 0, 0, 0, 0 }; /* one visit */
	durations[1] = (struct ompp_duration){ critical, 9, 1, 20 * MS, 9 * MS, 12 * MS, 4, 0 };
	durations[2] = (struct ompp_duration){ critical + 1, 29, 1, 4 * MS, 3 * MS, 40 * MS, 17, 0 };
	durations[3] = (struct ompp_duration){ exec, 59, 1, 11 * MS, 8 * MS, 12 * MS, 2, 0 };
	buckets[0] = (struct ompp_duration_bucket){ critical, 7, 8 * MS, 12 * MS, 9 };
	buckets[1] = (struct ompp_duration_bucket){ critical + 1, 5, 2 * MS, 4 * MS, 28 };
	buckets[2] = (struct ompp_duration_bucket){ critical + 1, 9, 32 * MS, 40 * MS, 1 };
	buckets[3] = (struct ompp_duration_bucket){ exec, 7, 8 * MS, 10 * MS, 55 };
	buckets[4] = (struct ompp_duration_bucket){ exec, 8, 10 * MS, 12 * MS, 4 };
	for (uint32_t i = 0; i < OMPP_COUNT_OF(slices); i++)
		slices[i] = (struct ompp_duration_slice){ critical + 1, i, i < 14 ? 2 : 1, i < 14 ? 7 * MS : 3 * MS };
	slices[8].ns = 43 * MS;
	spots[0] = spot(0, ROW_0, "", "read \"all\"; then", "", "tick.c", 3, 25);
	spots[1] = spot(1, ROW_0, "", "step", "", "/src/a.c", 11, 7);
	spots[2] = spot(loop, ROW_0, "", "step", "", "tick.c", 5, 40);
	spots[3] = spot(loop, ROW_0, "libgomp.so.1", "wait", "", "", 0, 12);
	spots[4] = spot(loop, ROW_0, "libm.so.6", "sin", "", "", 0, 10);
	spots[5] = spot(loop, ROW_1, "", OMPP_PROFILE_OWN, "", "", 0, 30);
	spots[6] = spot(loop, ROW_1, "", "inner", "step", "tick.c", 5, 30);
	spots[7] = spot(loop, ROW_1, "", "step", "", "tick.c", 6, 61);
	spots[8] = spot(loop, ROW_1, "", "step", "", "tick.c", 7, 9);
	spots[9] = spot(path_of(p, 6, OMPP_BARRIER), ROW_0_0, "libgomp.so.1", "wait", "", "", 0, 2);
	p->durations = durations;
	p->n_durations = OMPP_COUNT_OF(durations);
	p->duration_buckets = buckets;
	p->n_duration_buckets = OMPP_COUNT_OF(buckets);
	p->duration_slices = slices;
	p->n_duration_slices = OMPP_COUNT_OF(slices);
	p->hot_spots = spots;
	p->n_hot_spots = OMPP_COUNT_OF(spots);
	p->hot_period_ns = 10 * MS;
	p->n_hot_lost = 3;
	p->n_hot_stopped = 1;
}
