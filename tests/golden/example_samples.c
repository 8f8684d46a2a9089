/*
 * Example samples: see example.h.  One access in 10,007 was sampled.
 */
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/histogram.h"
#include "runtime/ompp_mem.h"
#include "tests/golden/example.h"

enum { PERIOD = 10007, MAX = 64 };
enum { OTHER, STACK, A, X, Y, COUNT, BUF };

static struct ompp_sampled samples[MAX];
static struct ompp_sampled_latency histogram[2 * MAX];
static struct ompp_sampled_line lines[MAX];
static struct ompp_use uses[MAX];
static uint32_t n_samples, n_histogram, n_lines, n_uses;

static struct ompp_sampled_sum sum(uint32_t kind, uint32_t level, uint64_t n, uint32_t latency)
{
	struct ompp_sampled_sum s = { kind, level, n, latency ? n : 0, 0, 0, 0, 0 };

	s.estimate = (int64_t)n * PERIOD;
	s.variance = (int64_t)n * PERIOD * (PERIOD - 1);
	s.latency_ticks = (int64_t)(n - n / 4 + n / 4 * 2) * latency;
	s.squares = (int64_t)(n - n / 4 + n / 4 * 4) * latency * latency;
	return s;
}

/* Adds samples whose latencies are known, unless the latency is 0: a quarter took twice the latency. */
static void sample(uint32_t node, uint32_t row, uint32_t object, uint32_t home, uint64_t n_far,
                   struct ompp_sampled_sum of)
{
	uint64_t n_twice = of.n_timed / 4, n_shares = of.n_timed + n_twice;
	uint32_t latency = n_shares ? (uint32_t)((uint64_t)of.latency_ticks / n_shares) : 0;

	samples[n_samples] = (struct ompp_sampled){ node, row, object, home, n_far, of };
	if (of.n_timed)
		histogram[n_histogram++] = (struct ompp_sampled_latency){ n_samples, ompp_histogram_bucket(latency),
			                                                  of.n_timed - n_twice };
	if (n_twice)
		histogram[n_histogram++] = (struct ompp_sampled_latency){ n_samples, ompp_histogram_bucket(2 * latency),
			                                                  n_twice };
	n_samples++;
}

static void line(const char *file, uint32_t number, const char *function, uint32_t object, struct ompp_sampled_sum of)
{
	lines[n_lines++] = (struct ompp_sampled_line){ file, number, function, object, of };
}

/* Adds uses of an object whose memory is on node 0, which row 0 touched first outside of all regions. */
static void use(uint32_t node, uint32_t row, uint32_t object, uint32_t from, int64_t lo, struct ompp_sampled_sum of)
{
	of.level = 0;
	uses[n_uses++] = (struct ompp_use){ node, row, object, 0, from, ROW_0, 0, lo, lo + 65536, of, "" };
}

static uint32_t find_node(const struct ompp_profile *p, uint32_t id)
{
	uint32_t i = 1;

	while (p->nodes[i].region != id - 1)
		i++;
	return i;
}

static void add_samples(uint32_t loop, uint32_t inner)
{
	enum { L = OMPP_MEM_LOADS, S = OMPP_MEM_STORES };

	n_samples = n_histogram = n_lines = n_uses = 0;
	sample(0, ROW_0, OTHER, OMPP_NONE, 0, sum(L, OMPP_MEM_LEVEL_L1, 40, 4));
	sample(0, ROW_0, X, 0, 0, sum(S, OMPP_MEM_LEVEL_L1, 2, 0));
	sample(loop, ROW_0, A, 0, 0, sum(L, OMPP_MEM_LEVEL_UNKNOWN, 15, 0));
	sample(loop, ROW_0, A, 0, 0, sum(L, OMPP_MEM_LEVEL_L1, 3000, 5));
	sample(loop, ROW_0, A, 0, 0, sum(L, OMPP_MEM_LEVEL_L2, 400, 14));
	sample(loop, ROW_0, A, 0, 0, sum(L, OMPP_MEM_LEVEL_L3, 200, 60));
	sample(loop, ROW_0, A, 0, 0, sum(L, OMPP_MEM_LEVEL_LOCAL_MEMORY, 3580, 300));
	sample(loop, ROW_0, X, 0, 0, sum(L, OMPP_MEM_LEVEL_L1, 7195, 5));
	sample(loop, ROW_0, COUNT, 0, 0, sum(L, OMPP_MEM_LEVEL_PEER_CACHE, 100, 120));
	sample(loop, ROW_0, COUNT, 0, 0, sum(S, OMPP_MEM_LEVEL_L1, 99, 0));
	sample(loop, ROW_1, A, 0, 3595, sum(L, OMPP_MEM_LEVEL_L1, 3595, 5));
	sample(loop, ROW_1, A, 0, 3600, sum(L, OMPP_MEM_LEVEL_REMOTE_MEMORY, 3600, 700));
	sample(loop, ROW_1, X, 0, 7100, sum(L, OMPP_MEM_LEVEL_L1, 7100, 5));
	sample(loop, ROW_1, X, 0, 95, sum(L, OMPP_MEM_LEVEL_REMOTE_CACHE, 95, 400));
	sample(loop, ROW_1, COUNT, 0, 200, sum(L, OMPP_MEM_LEVEL_REMOTE_CACHE, 200, 450));
	sample(loop, ROW_1, COUNT, 0, 201, sum(S, OMPP_MEM_LEVEL_L1, 201, 0));
	sample(inner, ROW_0_1, BUF, 0, 0, sum(L, OMPP_MEM_LEVEL_L1, 3, 5));
	use(0, ROW_0, X, 0, 1 << 20, sum(S, OMPP_MEM_LEVEL_L1, 2, 0));
	use(loop, ROW_0, A, 0, 1 << 24, sum(L, OMPP_MEM_LEVEL_L1, 7195, 160));
	use(loop, ROW_0, X, 0, 1 << 20, sum(L, OMPP_MEM_LEVEL_L1, 7195, 5));
	use(loop, ROW_0, COUNT, 0, 1 << 16, sum(L, OMPP_MEM_LEVEL_L1, 100, 120));
	use(loop, ROW_0, COUNT, 0, 1 << 16, sum(S, OMPP_MEM_LEVEL_L1, 99, 0));
	use(loop, ROW_1, A, 1, 1 << 25, sum(L, OMPP_MEM_LEVEL_L1, 7195, 350));
	use(loop, ROW_1, X, 1, 1 << 20, sum(L, OMPP_MEM_LEVEL_L1, 7195, 10));
	use(loop, ROW_1, COUNT, 1, 1 << 16, sum(L, OMPP_MEM_LEVEL_L1, 200, 450));
	use(loop, ROW_1, COUNT, 1, 1 << 16, sum(S, OMPP_MEM_LEVEL_L1, 201, 0));
	uses[n_uses++] = (struct ompp_use){ inner,  ROW_0_1,         BUF, 1, 0, OMPP_NONE, OMPP_NONE, 1 << 3,
		                            1 << 3, sum(L, 0, 3, 5), "" };
	line("", 0, "", OTHER, sum(L, OMPP_MEM_LEVEL_L1, 40, 4));
	line("/src/a.c", 8, "main", X, sum(S, OMPP_MEM_LEVEL_L1, 2, 0));
	line("/src/a.c", 14, "main._omp_fn.0", A, sum(L, OMPP_MEM_LEVEL_UNKNOWN, 15, 0));
	line("/src/a.c", 14, "main._omp_fn.0", A, sum(L, OMPP_MEM_LEVEL_L1, 6595, 5));
	line("/src/a.c", 14, "main._omp_fn.0", A, sum(L, OMPP_MEM_LEVEL_L2, 400, 14));
	line("/src/a.c", 14, "main._omp_fn.0", A, sum(L, OMPP_MEM_LEVEL_L3, 200, 60));
	line("/src/a.c", 14, "main._omp_fn.0", A, sum(L, OMPP_MEM_LEVEL_LOCAL_MEMORY, 3580, 300));
	line("/src/a.c", 14, "main._omp_fn.0", A, sum(L, OMPP_MEM_LEVEL_REMOTE_MEMORY, 3600, 700));
	line("/src/a.c", 14, "main._omp_fn.0", X, sum(L, OMPP_MEM_LEVEL_L1, 14295, 5));
	line("/src/a.c", 14, "main._omp_fn.0", X, sum(L, OMPP_MEM_LEVEL_REMOTE_CACHE, 95, 400));
	line("/src/a.c", 15, "main._omp_fn.0", COUNT, sum(L, OMPP_MEM_LEVEL_PEER_CACHE, 100, 120));
	line("/src/a.c", 15, "main._omp_fn.0", COUNT, sum(L, OMPP_MEM_LEVEL_REMOTE_CACHE, 200, 450));
	line("/src/a.c", 15, "main._omp_fn.0", COUNT, sum(S, OMPP_MEM_LEVEL_L1, 300, 0));
	line("/src/a.c", 24, "main._omp_fn.1", BUF, sum(L, OMPP_MEM_LEVEL_L1, 3, 5));
}

void example_sample_profile(struct ompp_profile *p)
{
	static const struct ompp_numa_node numa_nodes[] = {
		{ 0, "0-3", (int64_t)8 << 30, "10 21", 25600, 12800, 90, 110 },
		{ 1, "4-7", (int64_t)8 << 30, "21 10", OMPP_MISSING, OMPP_MISSING, OMPP_MISSING, OMPP_MISSING }
	};
	static const struct ompp_binding bindings[] = { { ROW_0, 8, "0-7", 2, 14692, 3, 0 },
		                                        { ROW_1, 8, "0-7", 3, 14791, 17, 6 } };
	static const struct ompp_placement placements[] = { { A, 0, 281250, 0, 1 },
		                                            { A, 1, 0, 12, 1 },
		                                            { X, 0, 24, 0, 1 } };
	static struct ompp_first_touch touches[5];
	static struct ompp_paged paged[8];
	static struct ompp_hot_page hot[4];
	static const struct ompp_page_variable variables[] = { { COUNT, "n", 8, 1, 0 }, { COUNT, "sum", 16, 1, 1 } };
	uint32_t loop, inner, in_loop;

	example_data_profile(p, 0);
	loop = find_node(p, 2);
	inner = find_node(p, 5);
	add_samples(loop, inner);
	in_loop = p->nodes[loop].region;
	/*   scope, object, region, threads; pages, private, shared read, only read, written once, parts; loads, stores;
	 * no hooks
	 */
	paged[0] = (struct ompp_paged){ 0, OTHER, OMPP_NONE, 1, 12, 12, 0, 2, 10, 300, 40, 80, 0, 0 };
	paged[1] = (struct ompp_paged){ 0, A,      OMPP_NONE, 2,         281250,    281248, 2,
		                        0, 281250, 18000000,  144000000, 144000000, 0,      0 };
	paged[2] = (struct ompp_paged){ 0, X, OMPP_NONE, 2, 24, 0, 24, 0, 24, 1536, 143950000, 12000, 0, 0 };
	paged[3] = (struct ompp_paged){ 0, COUNT, OMPP_NONE, 2, 1, 0, 0, 0, 0, 1, 3000, 3000, 0, 0 };
	paged[4] = (struct ompp_paged){ 0, OMPP_NONE, OMPP_NONE, 2,         281287,    281260, 26,
		                        2, 281284,    18001837,  287953040, 144015080, 0,      0 };
	paged[5] = (struct ompp_paged){ 1, OTHER, OMPP_NONE, 1, 12, 12, 0, 2, 10, 300, 40, 80, 0, 0 };
	paged[6] = (struct ompp_paged){ 1, A, in_loop, 2, 281250, 281248, 2, 281250, 0, 18000000, 144000000, 0, 0, 0 };
	paged[7] = (struct ompp_paged){ 1, X, in_loop, 2, 24, 0, 24, 24, 0, 1536, 143950000, 0, 0, 0 };
	hot[0] = (struct ompp_hot_page){ 0x7f0000001000, X, in_loop, 1, 64, 5998000, 512, "" };
	hot[1] = (struct ompp_hot_page){ 0x7f0000002000, X, in_loop, 1, 64, 5998000, 512, "" };
	hot[2] = (struct ompp_hot_page){ 0x7f0000003000, X, OMPP_NONE, 0, 63, 5997000, 0, "" };
	hot[3] = (struct ompp_hot_page){ 0x4c2000, COUNT, in_loop, 1, 1, 3000, 0, "sum n" };
	touches[0] = (struct ompp_first_touch){ 0, ROW_0, OTHER, 0, "", 0, 12, "" };
	touches[1] = (struct ompp_first_touch){ 0, ROW_0, A, 0, "/src/a.c", 7, 281250, "" };
	touches[2] = (struct ompp_first_touch){ 0, ROW_0, X, 0, "/src/a.c", 8, 24, "small" };
	touches[3] = (struct ompp_first_touch){ inner, ROW_0_1, BUF, 0, "/src/a.c", 24, 1, "" };
	touches[4] = (struct ompp_first_touch){ inner, ROW_1_0, BUF, 1, "/src/a.c", 24, 1, "" };
	p->sample_source = "pebs";
	p->sample_kinds = OMPP_MEM_BOTH;
	p->sample_period = PERIOD;
	p->sample_seed = 20260917;
	p->sample_latencies = "cycles";
	p->touched = 1;
	p->samples = samples;
	p->n_samples = n_samples;
	p->sample_histogram = histogram;
	p->n_sample_histogram = n_histogram;
	p->sample_lines = lines;
	p->n_sample_lines = n_lines;
	p->first_touches = touches;
	p->n_first_touches = OMPP_COUNT_OF(touches);
	p->pages_method = "access hooks";
	p->page_bytes = 4096;
	p->n_pages_lost = 7;
	p->paged = paged;
	p->n_paged = OMPP_COUNT_OF(paged);
	p->hot_pages = hot;
	p->n_hot_pages = OMPP_COUNT_OF(hot);
	p->page_variables = variables;
	p->n_page_variables = OMPP_COUNT_OF(variables);
	p->uses = uses;
	p->n_uses = n_uses;
	p->numa_nodes = numa_nodes;
	p->n_numa_list = OMPP_COUNT_OF(numa_nodes);
	p->bindings = bindings;
	p->n_bindings = OMPP_COUNT_OF(bindings);
	p->placements = placements;
	p->n_placements = OMPP_COUNT_OF(placements);
}
