/*
 * Print: writes the samples of a session in words, in the way that users of numap know.
 */
#include <inttypes.h>

#include "runtime/mem/mem_session.h"
#include "runtime/mem/problem.h"

struct level_sums {
	uint64_t n, cycles, n_timed;
};

static void print_sample(FILE *stream, const struct ompp_mem_sample *s)
{
	fprintf(stream, "  ip %#" PRIx64 "  address %#" PRIx64 "  %s  %s", s->ip, s->address,
	        s->kind == OMPP_MEM_STORES ? "store" : "load", ompp_mem_level_name(s->level));
	if (s->latency)
		fprintf(stream, "  %" PRIu32 " cycles", s->latency);
	fputc('\n', stream);
}

static void print_levels(FILE *stream, const struct level_sums *sums, uint64_t n)
{
	for (unsigned int i = 0; i < OMPP_MEM_N_LEVELS; i++) {
		const struct level_sums *l = &sums[i];

		if (!l->n)
			continue;
		fprintf(stream, "  %-18s %10" PRIu64 "  %5.1f %%", ompp_mem_level_name(i), l->n,
		        100.0 * (double)l->n / (double)n);
		if (l->n_timed)
			fprintf(stream, "  %8.1f cycles", (double)l->cycles / (double)l->n_timed);
		fputc('\n', stream);
	}
}

static void print_counts(FILE *stream, const struct ompp_mem_counts *c)
{
	if (c->lost)
		fprintf(stream, ", %" PRIu64 " lost", c->lost);
	if (c->throttled)
		fprintf(stream, ", throttled %" PRIu64 " times", c->throttled);
	if (c->undecodable)
		fprintf(stream, ", %" PRIu64 " undecodable records", c->undecodable);
	if (c->others)
		fprintf(stream, ", %" PRIu64 " left out", c->others);
	fputc('\n', stream);
}

static void print_thread(struct ompp_mem *mem, size_t thread, FILE *stream, int each_sample)
{
	struct ompp_mem_counts counts = ompp_mem_counts(mem, thread);
	struct level_sums sums[OMPP_MEM_N_LEVELS] = { 0 };
	struct ompp_mem_sample some[64];
	size_t n, at = 0;

	fprintf(stream, "thread %d: %zu samples", (int)mem->threads[thread].tid, ompp_mem_n_samples(mem, thread));
	print_counts(stream, &counts);
	while ((n = ompp_mem_copy(mem, thread, at, some, 64))) {
		at += n;
		for (size_t i = 0; i < n; i++) {
			struct level_sums *l = &sums[some[i].level < OMPP_MEM_N_LEVELS ? some[i].level : 0];

			l->n++;
			l->cycles += some[i].latency;
			l->n_timed += some[i].latency != 0;
			if (each_sample)
				print_sample(stream, &some[i]);
		}
	}
	print_levels(stream, sums, at);
}

int ompp_mem_print(struct ompp_mem *mem, FILE *stream, int each_sample)
{
	for (size_t i = 0; i < mem->n_threads; i++)
		print_thread(mem, i, stream, each_sample);
	return ferror(stream) ? ompp_problem_is(OMPP_MEM_ERROR_SYSTEM,
	                                        "the file could not be written; see whether its disk is full")
	                      : 0;
}

int ompp_mem_print_file(struct ompp_mem *mem, const char *path, int each_sample)
{
	FILE *file = *path ? fopen(path, "a") : stdout;
	int rc;

	if (!file)
		return ompp_problem_is(OMPP_MEM_ERROR_SYSTEM,
		                       "the file cannot be opened; see whether its folder is there and "
		                       "writable");
	rc = ompp_mem_print(mem, file, each_sample);
	if (file == stdout ? fflush(file) : fclose(file))
		rc = rc ? rc
		        : ompp_problem_is(OMPP_MEM_ERROR_SYSTEM,
		                          "the file could not be written; see whether its disk is full");
	return rc;
}
