/*
 * Traffic: counts the bytes that the memory controllers of each NUMA node read and write; see ompp_mem.h.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/pmu.h"
#include "runtime/mem/problem.h"
#include "runtime/sources/source_uncore.h"

/* The memory controllers that kernels name: those of Intel's servers and clients, and AMD's since Zen 4 (64 bytes a
 * command).  A controller has units, "uncore_imc_0" and so on, of which each may count on processors of its own.  A row
 * is used when both its events count here in all units. */
static const struct controller {
	const char *pmu, *read, *write;
	uint64_t unit_bytes;
} controllers[] = {
	{ "uncore_imc", "cas_count_read", "cas_count_write", 1 },
	{ "uncore_imc_free_running", "data_read", "data_write", 1 },
	{ "uncore_imc", "data_reads", "data_writes", 1 },
	{ "amd_umc", "event=0xa,rdwrmask=1", "event=0xa,rdwrmask=2", 64 },
};

/* One event of one unit. */
struct unit {
	struct unit *next;
	struct ompp_counter counter;
	int is_write;
};

/* The events belong to the process and are opened once; sessions read them. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct unit *units;
static uint64_t unit_bytes; /* 0 when they are not open */

struct ompp_mem_traffic {
	struct ompp_uncore_reading *from, *to;
	struct ompp_mem_node *nodes;
	size_t n_nodes;
	int is_running;
};

static int traffic_add(const struct ompp_pmu *pmu, const char *event, int is_write)
{
	struct ompp_text *why = ompp_problem();
	struct unit *unit = calloc(1, sizeof(*unit));
	char name[OMPP_COUNTER_NAME];
	struct ompp_text t;
	int rc;

	if (!unit)
		return -ENOMEM;
	ompp_text_init(&t, name, sizeof(name));
	ompp_text_str(&t, pmu->name);
	ompp_text_char(&t, '/');
	ompp_text_str(&t, event);
	ompp_text_char(&t, '/');
	rc = ompp_counter_find(name, strlen(name), &unit->counter, why);
	rc = rc || unit->counter.kind != OMPP_COUNTER_NODE ? -ENODEV : ompp_uncore_add(&unit->counter, why);
	if (rc) {
		free(unit);
		return rc;
	}
	unit->is_write = is_write;
	unit->next = units;
	units = unit;
	return 0;
}

/* Is the PMU the controller, or a unit of it with a number? */
static int is_unit(const struct controller *c, const char *name)
{
	size_t n = strlen(c->pmu);

	return !strncmp(name, c->pmu, n) &&
	       (!name[n] || (name[n] == '_' && name[n + 1] && !name[n + 1 + strspn(name + n + 1, "0123456789")]));
}

static int add_if_unit(void *context, const struct ompp_pmu *pmu)
{
	const struct controller *c = context;
	int rc;

	if (!is_unit(c, pmu->name))
		return 0;
	rc = traffic_add(pmu, c->read, 0);
	return rc ? rc : traffic_add(pmu, c->write, 1);
}

static void close_units(void)
{
	ompp_uncore_close();
	while (units) {
		struct unit *next = units->next;

		free(units);
		units = next;
	}
}

static int open_controllers(void)
{
	int rc = -ENODEV;

	for (size_t i = 0; i < OMPP_COUNT_OF(controllers) && rc == -ENODEV; i++) {
		rc = ompp_pmu_each(add_if_unit, (void *)(uintptr_t)&controllers[i]);
		if (rc == -ENOENT || (!rc && !units)) /* no folder, or no such controller */
			rc = -ENODEV;
		if (!rc)
			unit_bytes = controllers[i].unit_bytes;
		else
			close_units();
	}
	if (rc == -ENODEV)
		ompp_problem_is(OMPP_MEM_ERROR_MACHINE,
		                "this machine shows no memory controllers that count, as virtual machines do not; "
		                "run it on another");
	return rc;
}

static void free_all(struct ompp_mem_traffic *t)
{
	if (!t)
		return;
	free(t->from);
	free(t->to);
	free(t->nodes);
	free(t);
}

static void find_nodes(struct ompp_mem_traffic *t)
{
	for (uint32_t i = 0; i < ompp_n_uncore; i++) {
		size_t k = 0;

		while (k < t->n_nodes && t->nodes[k].node != ompp_uncore[i].node)
			k++;
		if (k == t->n_nodes)
			t->nodes[t->n_nodes++].node = ompp_uncore[i].node;
	}
}

int ompp_mem_traffic_new(struct ompp_mem_traffic **result)
{
	struct ompp_mem_traffic *t = calloc(1, sizeof(*t));
	int rc = 0;

	*result = NULL;
	pthread_mutex_lock(&lock);
	if (!unit_bytes)
		rc = open_controllers();
	pthread_mutex_unlock(&lock);
	if (t && !rc) {
		t->from = calloc(ompp_n_uncore, sizeof(*t->from));
		t->to = calloc(ompp_n_uncore, sizeof(*t->to));
		t->nodes = calloc(ompp_n_uncore, sizeof(*t->nodes));
	}
	if (!rc && (!t || !t->from || !t->to || !t->nodes))
		rc = -ENOMEM;
	if (rc) {
		free_all(t);
		return ompp_problem_of(rc);
	}
	find_nodes(t);
	*result = t;
	return 0;
}

void ompp_mem_traffic_free(struct ompp_mem_traffic *traffic)
{
	free_all(traffic);
}

int ompp_mem_traffic_start(struct ompp_mem_traffic *traffic)
{
	if (traffic->is_running)
		return ompp_problem_is(OMPP_MEM_ERROR_STATE, "it was started already; stop it first");
	ompp_uncore_read(traffic->from);
	traffic->is_running = 1;
	return 0;
}

int ompp_mem_traffic_stop(struct ompp_mem_traffic *traffic)
{
	if (!traffic->is_running)
		return ompp_problem_is(OMPP_MEM_ERROR_STATE, "it was not started; start it first");
	ompp_uncore_read(traffic->to);
	traffic->is_running = 0;
	return 0;
}

size_t ompp_mem_n_nodes(const struct ompp_mem_traffic *traffic)
{
	return traffic->n_nodes;
}

static int is_counter_of(const char *name, int is_write)
{
	const struct unit *unit = units;

	while (unit && unit->counter.name != name)
		unit = unit->next;
	return unit && unit->is_write == is_write;
}

/* Returns the bytes of a node that all units have read or written; UINT64_MAX when they are not known. */
static uint64_t bytes_of(const struct ompp_mem_traffic *t, uint32_t node, int is_write)
{
	uint64_t sum = UINT64_MAX, n;

	for (uint32_t i = 0; i < ompp_n_uncore; i++) {
		if (ompp_uncore[i].node != node || !is_counter_of(ompp_uncore[i].metric.name, is_write))
			continue;
		if (ompp_uncore_between(i, &t->from[i], &t->to[i], &n))
			return UINT64_MAX;
		sum = (sum == UINT64_MAX ? 0 : sum) + n * unit_bytes;
	}
	return sum;
}

int ompp_mem_node(struct ompp_mem_traffic *traffic, size_t i, struct ompp_mem_node *node)
{
	if (i >= traffic->n_nodes)
		return ompp_problem_is(OMPP_MEM_ERROR_ARGUMENT,
		                       "there is no such node; give a number below ompp_mem_n_nodes()");
	if (traffic->is_running)
		ompp_uncore_read(traffic->to);
	*node = (struct ompp_mem_node){ traffic->nodes[i].node, bytes_of(traffic, traffic->nodes[i].node, 0),
		                        bytes_of(traffic, traffic->nodes[i].node, 1) };
	return 0;
}
