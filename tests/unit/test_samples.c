/*
 * Samples: known samples of two threads as the profile shows them, by call path, row and object; and their notes.
 */
#include "tests/unit/steps.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "reports/report.h"
#include "runtime/access/access.h"
#include "runtime/base/histogram.h"
#include "runtime/core/thread.h"
#include "runtime/host/note.h"
#include "runtime/memory/sample.h"
#include "runtime/ompp_mem.h"
#include "runtime/ranges/range.h"
#include "runtime/session/session_start.h"
#include "runtime/sources/sampling.h"

REGION(parallel, parallel, 1, 9);
REGION(loop, for, 20, 29);

static int64_t team;
static char page[4096];

static void take(uint32_t cover, int kind, int level, uint32_t latency)
{
	ompp_sample_take(ompp_self, ompp_self->top->node, cover,
	                 &(struct ompp_mem_sample){
				 .ip = (uintptr_t)take, /* whose line is not known without a helper */
				 .address = (uintptr_t)page,
				 .period = 10,
				 .latency = latency,
				 .cpu = UINT32_MAX,
				 .kind = (uint8_t)kind,
				 .level = (uint8_t)level });
}

static void touch(uint32_t cover)
{
	ompp_sample_touch(ompp_self, ompp_self->top->node, cover,
	                  &(struct ompp_mem_sample){ .ip = 2, .address = (uintptr_t)page, .cpu = UINT32_MAX }, 0);
}

static uint32_t cover_of(const char *name)
{
	uint32_t i;

	for (i = 0; i < atomic_load(&ompp_n_objects); i++)
		if (!strcmp(ompp_object(i)->name, name))
			return ompp_object(i)->cover;
	return OMPP_OBJECT_OTHER;
}

/* Returns how many samples there are at a call path's region line and row of an object; all levels and kinds. */
static uint64_t n_at(const struct ompp_profile *p, uint32_t line, const char *row, const char *object)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < p->n_samples; i++) {
		const struct ompp_node *node = &p->nodes[p->samples[i].node];
		uint32_t begin = node->region == OMPP_NONE ? 0 : p->regions[node->region].begin_line;

		if (begin == line && !strcmp(p->rows[p->samples[i].row].label, row) &&
		    !strcmp(p->objects[p->samples[i].object].name, object))
			n += p->samples[i].sum.n;
	}
	return n;
}

static void part(void)
{
	int i;

	at(2 + rank);
	ompp_parallel_begin(&h_parallel, team);
	POMP2_For_enter(&h_loop, loop_ctc);
	for (i = 0; i < 3 + rank; i++)
		take(cover_of("a"), OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1, 4);
	take(OMPP_OBJECT_OTHER, OMPP_MEM_STORES, OMPP_MEM_LEVEL_L3, 0);
	touch(cover_of("a"));
	POMP2_For_exit(&h_loop);
	take(cover_of("a"), OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L2, 40);
	POMP2_Parallel_end(&h_parallel);
}

/* A report can be made of samples of objects whose accesses were not counted. */
static void check_report(const struct ompp_profile *p)
{
	const struct ompp_report_options options = { .format = "csv", .views = "" };
	struct ompp_arena arena;
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	ompp_arena_init(&arena, 0);
	assert_int_equal(ompp_report_show(p, &options, fd, &arena), 0);
	ompp_arena_fini(&arena);
	close(fd);
}

/* Samples of two threads, inside of a loop, in the region around it, and outside. */
static void samples_have_their_places(void **state)
{
	const struct ompp_profile *p;
	uint64_t n = 0, n_lines = 0, n_timed = 0, n_buckets = 0, n_touches = 0;
	size_t i;

	(void)state;
	ompp_sampling = (struct ompp_sampling){ "pebs", "cycles", 10, OMPP_MEM_BOTH, 3, 1, 0, 1, 1, 0 };
	ompp_session_start();
	ompp_range_begin("a", OMPP_ORIGIN_CALL, (uintptr_t)page, sizeof(page), 0, 0);
	start_thread(1, part);
	at(0);
	POMP2_Parallel_fork(&h_parallel, 1, 2, &team, parallel_ctc);
	at(1);
	part();
	at(4);
	POMP2_Parallel_join(&h_parallel, team);
	take(OMPP_OBJECT_STACK, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1, 4);
	join_threads();
	p = collect();
	assert_string_equal(p->sample_source, "pebs");
	assert_string_equal(p->sample_latencies, "cycles");
	assert_int_equal(p->sample_period, 10);
	assert_int_equal(p->sample_kinds, OMPP_MEM_BOTH);
	assert_int_equal(p->sample_latency, 3);
	assert_int_equal(p->touched, 1);
	assert_int_equal(n_at(p, 20, "0", "a"), 3);
	assert_int_equal(n_at(p, 20, "1", "a"), 4);
	assert_int_equal(n_at(p, 20, "0", "(other)"), 1);
	assert_int_equal(n_at(p, 1, "0", "a"), 1);
	assert_int_equal(n_at(p, 1, "1", "a"), 1);
	assert_int_equal(n_at(p, 0, "0", "(stack)"), 1);
	for (i = 0; i < p->n_samples; i++) {
		n += p->samples[i].sum.n;
		n_timed += p->samples[i].sum.n_timed;
		assert_int_equal(p->samples[i].sum.estimate, 10 * p->samples[i].sum.n);
		assert_int_equal(p->samples[i].sum.variance, 90 * p->samples[i].sum.n);
	}
	for (i = 0; i < p->n_sample_histogram; i++) {
		const struct ompp_sampled_sum *s = &p->samples[p->sample_histogram[i].sampled].sum;

		n_buckets += p->sample_histogram[i].n;
		assert_int_equal(p->sample_histogram[i].bucket,
		                 ompp_histogram_bucket(s->level == OMPP_MEM_LEVEL_L2 ? 40 : 4));
	}
	assert_int_equal(n, 3 + 4 + 2 + 2 + 1);
	assert_int_equal(n_timed, n - 2);
	assert_int_equal(n_buckets, n_timed);
	for (i = 0; i < p->n_sample_lines; i++) {
		assert_string_equal(p->sample_lines[i].file, "");
		n_lines += p->sample_lines[i].sum.n;
	}
	assert_int_equal(n_lines, n);
	assert_int_equal(p->n_sample_lines, 4); /* a in L1 and L2, (other) in L3, (stack) in L1 */
	for (i = 0; i < p->n_first_touches; i++)
		if (!strcmp(p->objects[p->first_touches[i].object].name,
		            "a")) { /* not those that this run really does */
			assert_int_equal(p->first_touches[i].n_pages, 1);
			assert_int_equal(p->first_touches[i].row, n_touches++);
		}
	assert_int_equal(n_touches, 2);
	/* objects are listed, and say that accesses to them were not counted */
	for (i = 0; i < p->n_objects; i++)
		assert_int_equal(p->objects[i].measured, 0);
	assert_int_equal(p->n_accesses, 0);
	check_report(p);
}

/* What was lost is a note. */
static void losses_are_told(void **state)
{
	(void)state;
	ompp_session_start();
	POMP2_Parallel_fork(&h_parallel, 1, 1, &team, parallel_ctc);
	take(OMPP_OBJECT_OTHER, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1, 4);
	ompp_self->samples->holder = UINT32_MAX;
	take(OMPP_OBJECT_OTHER, OMPP_MEM_LOADS, OMPP_MEM_LEVEL_L1, 4);
	ompp_self->samples->holder = 0;
	POMP2_Parallel_join(&h_parallel, team);
	assert_int_equal(collect()->n_samples, 1);
	assert_int_equal(note(OMPP_NOTE_LOST_SAMPLE), 1);
}

/* Without samples there are neither objects nor a source. */
static void no_samples(void **state)
{
	(void)state;
	ompp_session_start();
	POMP2_Parallel_fork(&h_parallel, 1, 1, &team, parallel_ctc);
	POMP2_Parallel_join(&h_parallel, team);
	assert_int_equal(collect()->n_objects, 0);
	assert_int_equal(collect()->n_samples, 0);
	assert_string_equal(collect()->sample_source, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_have_their_places),
		cmocka_unit_test(losses_are_told),
		cmocka_unit_test(no_samples),
	};

	return RUN_APART(tests);
}
