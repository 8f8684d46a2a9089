/*
 * Sampling: see sampling.h.
 */
#include "runtime/sources/sampling.h"

#include "runtime/host/seed.h"

struct ompp_sampling ompp_sampling = { .source = "", .latencies = "", .seed = 1 };

static uint64_t n_forks; /* of this process; two threads that fork at once may leave out a number */

void ompp_sampling_seed(uint64_t given, uint64_t pid)
{
	ompp_sampling.seed = given ? given : ompp_seed_draw(pid);
}

void ompp_sampling_seed_rank(uint64_t rank)
{
	ompp_sampling.seed = ompp_seed_of_child(ompp_sampling.seed, ~rank);
}

void ompp_sampling_before_fork(void)
{
	__atomic_fetch_add(&n_forks, 1, __ATOMIC_RELAXED);
}

void ompp_sampling_after_fork(void)
{
	ompp_sampling.seed = ompp_seed_of_child(ompp_sampling.seed, n_forks);
	n_forks = 0;
}
