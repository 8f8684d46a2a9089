/*
 * Steps: see steps.h.
 */
#define _GNU_SOURCE
#include "tests/unit/steps.h"

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/text.h"
#include "runtime/collect/collect.h"
#include "runtime/core/session.h"

enum { MAX_THREADS = 128, TOO_LONG_S = 60 };

__thread int rank;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int now_step;
static int may_end;
static __thread int acting;

static pthread_t threads[MAX_THREADS];
static int n_threads;
static pthread_barrier_t barrier;

static struct ompp_profile profile;
static struct ompp_arena arena;

int omp_get_thread_num(void)
{
	return rank;
}

int omp_get_max_threads(void)
{
	return 2;
}

uint32_t part_of_cases(uint32_t n_parts)
{
	const char *cases = getenv("CASES");
	uint32_t part = cases ? (uint32_t)strtoul(cases, NULL, 10) - 1 : (uint32_t)time(NULL);

	part %= n_parts;
	fprintf(stderr, "part %u of %u of the cases: CASES=%u\n", part + 1, n_parts, part + 1);
	return part;
}

void option(const char *name, const char *value)
{
	setenv(name, value, 1);
}

static void end_step(void)
{
	if (!acting)
		return;
	acting = 0;
	now_step++;
	pthread_cond_broadcast(&turn);
}

void at(int k)
{
	struct timespec limit;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += TOO_LONG_S;
	pthread_mutex_lock(&lock);
	end_step();
	while (now_step != k)
		if (pthread_cond_timedwait(&turn, &lock, &limit)) {
			fprintf(stderr, "step %d never came; stuck before %d\n", k, now_step);
			_exit(1);
		}
	acting = 1;
	pthread_mutex_unlock(&lock);
}

struct thread_start {
	int rank;
	void (*body)(void);
};

static void *run_thread(void *arg)
{
	struct thread_start start = *(struct thread_start *)arg;

	free(arg);
	rank = start.rank;
	start.body();
	/* The end of a thread reads the clock, so it must not come while other threads act. */
	pthread_mutex_lock(&lock);
	end_step();
	while (!may_end)
		pthread_cond_wait(&turn, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

void start_thread(int its_rank, void (*body)(void))
{
	struct thread_start *start = malloc(sizeof(*start));

	assert_non_null(start);
	assert_true(n_threads < MAX_THREADS);
	*start = (struct thread_start){ its_rank, body };
	assert_int_equal(pthread_create(&threads[n_threads++], NULL, run_thread, start), 0);
}

void join_threads(void)
{
	pthread_mutex_lock(&lock);
	end_step();
	may_end = 1;
	pthread_cond_broadcast(&turn);
	pthread_mutex_unlock(&lock);
	while (n_threads)
		pthread_join(threads[--n_threads], NULL);
	may_end = 0;
}

void barrier_init(int n)
{
	pthread_barrier_init(&barrier, NULL, (unsigned int)n);
}

void barrier_wait(void)
{
	pthread_barrier_wait(&barrier);
}

const struct ompp_profile *collect(void)
{
	ompp_arena_fini(&arena);
	assert_int_equal(ompp_collect(&profile, &arena, 1, 0), 0);
	return &profile;
}

/* Tells whether the node's region is called name (n bytes): a line or a name, with an 'x' at the end for a TASKEXEC. */
static int is_called(const struct ompp_node *node, const char *name, size_t n)
{
	const struct ompp_region *region = &profile.regions[node->region];
	char line[16];
	struct ompp_text t;

	if ((node->construct == OMPP_TASKEXEC) != (n > 0 && name[n - 1] == 'x'))
		return 0;
	n -= node->construct == OMPP_TASKEXEC;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_u64(&t, region->begin_line);
	return (t.n_bytes == n && !memcmp(line, name, n)) ||
	       (strlen(region->name) == n && !memcmp(region->name, name, n));
}

static const struct ompp_node *find_node(const char *path)
{
	uint32_t at_node = 0, i;

	while (*path) {
		size_t n = strcspn(path, "/");

		for (i = at_node + 1; i < profile.n_nodes; i++)
			if (profile.nodes[i].parent == at_node && is_called(&profile.nodes[i], path, n))
				break;
		if (i == profile.n_nodes)
			return NULL;
		at_node = i;
		path += n + (path[n] == '/');
	}
	return &profile.nodes[at_node];
}

static const struct ompp_cell *find_cell(const char *path, const char *row)
{
	const struct ompp_node *node = find_node(path);
	uint32_t i;

	for (i = 0; node && i < node->n_cells; i++)
		if (!strcmp(profile.rows[profile.cells[node->first_cell + i].row].label, row))
			return &profile.cells[node->first_cell + i];
	return NULL;
}

int has_cell(const char *path, const char *row)
{
	return find_cell(path, row) != NULL;
}

const struct ompp_cell *cell(const char *path, const char *row)
{
	const struct ompp_cell *found = find_cell(path, row);

	if (!found)
		fail_msg("no numbers at %s for %s", path, row);
	return found;
}

int64_t metric(const char *path, const char *row)
{
	return profile.values[(size_t)(cell(path, row) - profile.cells) * profile.n_metrics];
}

uint64_t note(enum ompp_note_kind kind)
{
	size_t i;

	for (i = 0; i < profile.n_notes; i++)
		if (!strcmp(profile.notes[i].text, ompp_note_text(kind)))
			return profile.notes[i].n;
	return 0;
}

static int64_t known(int64_t ns)
{
	return ns == OMPP_MISSING ? 0 : ns;
}

static void check_cell(enum ompp_construct construct, const struct ompp_cell *c)
{
	int64_t exit_bar = known(c->exit_bar_ns), task = known(c->task_ns), waits = exit_bar + task;

	assert_true(c->exec_ns >= 0 && c->body_ns >= 0 && c->enter_ns >= 0 && c->exit_ns >= 0 && exit_bar >= 0 &&
	            c->startup_ns >= 0 && c->shutdown_ns >= 0 && known(c->mgmt_ns) >= 0 && task >= 0 &&
	            c->incl_ns >= 0 && c->cost_ns >= 0);
	if (c->mgmt_ns == OMPP_MISSING) { /* only the body is known then */
		assert_true(c->body_ns <= c->exec_ns);
		return;
	}
	switch (construct) {
	case OMPP_LOOP:
	case OMPP_WORKSHARE:
		assert_int_equal(c->exec_ns, c->body_ns + waits);
		break;
	case OMPP_CRITICAL:
	case OMPP_ORDERED:
	case OMPP_LOCK:
	case OMPP_NEST_LOCK:
		assert_int_equal(c->exec_ns, c->enter_ns + c->body_ns + c->exit_ns);
		break;
	case OMPP_PARALLEL:
	case OMPP_PARALLEL_LOOP:
	case OMPP_PARALLEL_SECTIONS:
	case OMPP_PARALLEL_WORKSHARE:
		assert_int_equal(c->exec_ns, c->startup_ns + c->body_ns + c->mgmt_ns + waits + c->shutdown_ns);
		break;
	case OMPP_SINGLE:
	case OMPP_SECTIONS:
		assert_int_equal(c->exec_ns, c->body_ns + c->mgmt_ns + waits);
		break;
	default:
		break;
	}
}

void check_identities(void)
{
	size_t i, j;

	for (i = 1; i < profile.n_nodes; i++) {
		const struct ompp_node *node = &profile.nodes[i];

		assert_true(node->parent < i);
		assert_true(node->region < profile.n_regions);
		for (j = node->first_cell; j < node->first_cell + node->n_cells; j++) {
			if (j > node->first_cell)
				assert_true(profile.cells[j].row > profile.cells[j - 1].row);
			assert_true(profile.cells[j].row < profile.n_rows);
			check_cell(node->construct, &profile.cells[j]);
		}
	}
}

int run_apart(const struct CMUnitTest *tests, size_t n_tests)
{
	int failed = 0, status;
	size_t i;

	option("OMPP_CLOCK", "fake");
	for (i = 0; i < n_tests; i++) {
		const char *only = getenv("ONLY"); /* one test by its name, in this process, for a debugger */
		pid_t child;

		if (only && strcmp(only, tests[i].name))
			continue;
		if (only)
			return _cmocka_run_group_tests(tests[i].name, &tests[i], 1, NULL, NULL);
		fflush(NULL);
		child = fork();
		if (!child)
			exit(_cmocka_run_group_tests(tests[i].name, &tests[i], 1, NULL, NULL));
		if (child < 0 || waitpid(child, &status, 0) != child || status) {
			fprintf(stderr, "%s failed\n", tests[i].name);
			failed = 1;
		}
	}
	return failed;
}
