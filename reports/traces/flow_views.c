/*
 * Flow views: what the accesses of a trace add up to, by objects, functions, threads, pages and latencies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/analysis/sample_stats.h"
#include "reports/traces/flow_command.h"
#include "runtime/base/histogram.h"
#include "runtime/base/text.h"

enum { TIME_SLICES = 20, DEFAULT_TOP = 20, PAGE_BITS = 12 };

static int is_access(const struct ompp_flow_event *e)
{
	return e->kind == OMPP_FLOW_ACCESS;
}

/* Counts of the accesses to a page by the NUMA nodes that they came from. */
struct page_nodes {
	struct ompp_flow_sums index; /* hash table of the pages; a page's index in it is its row in counts */
	uint32_t *counts;            /* [pages][OMPP_FLOW_MOST_NODES] */
	size_t have;
};

static uint32_t *row_of(struct page_nodes *p, uint64_t page)
{
	struct ompp_flow_sum *sum = ompp_flow_sum_of(&p->index, page);
	size_t row = sum ? (size_t)(sum - p->index.all) : 0;
	uint32_t *more;

	if (!sum)
		return NULL;
	if (row >= p->have) {
		size_t have = p->have ? 2 * p->have : 256;

		more = realloc(p->counts, have * OMPP_FLOW_MOST_NODES * sizeof(*more));
		if (!more)
			return NULL;
		memset(more + p->have * OMPP_FLOW_MOST_NODES, 0,
		       (have - p->have) * OMPP_FLOW_MOST_NODES * sizeof(*more));
		p->counts = more;
		p->have = have;
	}
	return p->counts + row * OMPP_FLOW_MOST_NODES;
}

/* Counts all accesses of the run, ignoring the filters, as the best node of a page depends on all of its accesses. */
static int find_page_nodes(const struct ompp_flow_look *look, struct page_nodes *p)
{
	struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_event e;

	all.kinds = 1u << OMPP_FLOW_ACCESS;
	for (size_t at = 0; ompp_flow_next(look->flow, &all, &at, &e);) {
		uint32_t *counts;

		if (e.node >= OMPP_FLOW_MOST_NODES || e.home == OMPP_FLOW_NONE)
			continue;
		counts = row_of(p, ompp_flow_page_of(look, &e));
		if (!counts)
			return -1;
		counts[e.node]++;
	}
	return 0;
}

/* Was the access far, and would its page better be on the node from which the access came? */
static int is_badly(const struct ompp_flow_look *look, struct page_nodes *p, const struct ompp_flow_event *e)
{
	const uint32_t *counts;

	if (e->node >= OMPP_FLOW_MOST_NODES || e->home == OMPP_FLOW_NONE || e->node == e->home)
		return 0;
	counts = row_of(p, ompp_flow_page_of(look, e));
	for (uint32_t node = 0; counts && node < OMPP_FLOW_MOST_NODES; node++)
		if (counts[node] > counts[e->node])
			return 0;
	return counts && (e->home >= OMPP_FLOW_MOST_NODES || counts[e->node] > counts[e->home]);
}

/* Would the access have been local if its thread had stayed on its most frequent node? */
static int is_avoidable(const struct ompp_flow_look *look, const struct ompp_flow_event *e)
{
	const struct ompp_flow_thread *t = ompp_flow_thread(look->flow, e->thread);

	return t && e->node != OMPP_FLOW_NONE && e->home != OMPP_FLOW_NONE && e->node != e->home && t->node == e->home;
}

static void page_nodes_free(struct page_nodes *p)
{
	ompp_flow_sums_free(&p->index);
	free(p->counts);
}

/* Notes the process of the access. */
static void note_process(const struct ompp_flow_look *look, struct ompp_flow_sum *sum, const struct ompp_flow_event *e)
{
	uint32_t process = ompp_flow_process_of(look->flow, e);

	if (!sum->n_processes) {
		sum->process = process;
		sum->n_processes = 1;
	} else if (sum->process != process) {
		sum->n_processes = 2;
	}
}

/* Adds each access that is meant to the sums of its keys. */
static int add_up(const struct ompp_flow_look *look, struct ompp_flow_sums *sums, struct page_nodes *pages,
                  uint64_t (*key)(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k),
                  int by_object)
{
	struct ompp_flow_event e;

	for (size_t at = 0; ompp_flow_look_next(look, &at, &e);) {
		int avoidable = pages && is_avoidable(look, &e), badly = pages && is_badly(look, pages, &e);

		for (uint32_t k = 0; is_access(&e) && k < (by_object && e.n_objects ? e.n_objects : 1); k++) {
			struct ompp_flow_sum *sum;

			if (by_object && look->objects && e.n_objects &&
			    !look->objects[ompp_flow_nth_object(look->flow, &e, k)])
				continue;
			sum = ompp_flow_sum_of(sums, key(look, &e, k));
			if (!sum)
				return -1;
			ompp_flow_sum_add(sum, &e);
			sum->n_avoidable += (uint64_t)avoidable;
			sum->n_badly += (uint64_t)badly;
			note_process(look, sum, &e);
		}
	}
	ompp_flow_sums_sort(sums);
	return 0;
}

int ompp_flow_add_up(const struct ompp_flow_look *look, struct ompp_flow_sums *sums,
                     uint64_t (*key)(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k),
                     int by_object)
{
	return add_up(look, sums, NULL, key, by_object);
}

/* Adds the process of a sum: its only one, or that there are several. */
static void only_process(struct ompp_flow_look *look, const struct ompp_flow_sum *s)
{
	if (look->process_names && s->n_processes > 1)
		ompp_flow_text(look, "several");
	else
		ompp_flow_process_value(look, s->process);
}

void ompp_flow_cost_columns(struct ompp_flow_look *look)
{
	ompp_sampled_cost_columns(&look->look, &look->table);
	ompp_flow_columns(look, OMPP_IN_BOTH, "loads", "stores");
	look->look.by_latency = 1; /* only affects the titles of latencies */
	ompp_sampled_mean_columns(&look->look, &look->table);
	look->look.by_latency = 0;
}

void ompp_flow_cost_values(struct ompp_flow_look *look, const struct ompp_flow_sum *s)
{
	ompp_sampled_cost_values(&look->look, &s->sum, s->variance, &look->table);
	ompp_flow_count_value(look, s->n_loads);
	ompp_flow_count_value(look, s->n_stores);
	ompp_sampled_mean_values(&s->sum, look->look.is_text, &look->table);
}

static void node_columns(struct ompp_flow_look *look)
{
	ompp_flow_share_columns(look, "remote %", "remote % +-");
	ompp_flow_share_columns(look, "pinned %", "pinned % +-");
	ompp_flow_share_columns(look, "placed %", "placed % +-");
	ompp_flow_columns(look, OMPP_IN_BOTH, "from", "to");
	ompp_flow_share_columns(look, "self %", "self % +-");
	ompp_flow_share_columns(look, "first %", "first % +-");
}

static void node_values(struct ompp_flow_look *look, const struct ompp_flow_sum *s)
{
	ompp_flow_share(look, s->n_far, s->n_homed);
	ompp_flow_share(look, s->n_avoidable, s->n_homed);
	ompp_flow_share(look, s->n_badly, s->n_homed);
	ompp_flow_text(look, ompp_flow_nodes_text(look, s->from));
	ompp_flow_text(look, ompp_flow_nodes_text(look, s->to));
	ompp_flow_share(look, s->n_self, s->n_owned);
	ompp_flow_share(look, s->n_self_first, s->n_owned);
}

static uint64_t object_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	return ompp_flow_nth_object(look->flow, e, k);
}

int ompp_flow_objects_view(struct ompp_flow_look *look)
{
	struct ompp_flow_sums sums = { 0 };
	struct page_nodes pages = { 0 };
	int status;

	if (find_page_nodes(look, &pages) || add_up(look, &sums, &pages, object_key, 1)) {
		status = ompp_flow_no_memory();
	} else {
		ompp_flow_table(look, "",
		                "Objects by their sampled accesses (remote: to another NUMA node; pinned: of all, what "
		                "would be local if each thread stayed on its node;\nplaced: what would be local if "
		                "each page lay where most of its accesses come from; from, to: NUMA nodes;\nself: by "
		                "the thread that allocated it; first: the same before any other thread's):");
		ompp_flow_left(look, "object", OMPP_IN_BOTH);
		ompp_flow_process_column(look);
		ompp_flow_cost_columns(look);
		node_columns(look);
		ompp_flow_left(look, "call path", OMPP_IN_RECORDS);
		for (size_t i = 0; i < ompp_flow_n_shown(look, sums.n); i++) {
			const struct ompp_flow_object *o = ompp_flow_object(look->flow, (uint32_t)sums.all[i].key);

			ompp_table_text(&look->table, ompp_flow_object_name(look, (uint32_t)sums.all[i].key));
			only_process(look, &sums.all[i]);
			ompp_flow_cost_values(look, &sums.all[i]);
			node_values(look, &sums.all[i]);
			ompp_flow_text(look, o ? o->path : "");
		}
		status = ompp_flow_print(look);
	}
	ompp_flow_sums_free(&sums);
	page_nodes_free(&pages);
	return status;
}

/* The key of a function is the index + 1 of its first instruction in the trace; 0 when it is not known. */
static struct {
	struct ompp_flow_sums keys; /* by index of the instruction: the key is `from` */
	const char **names;
	uint32_t *numbers;
	size_t n, have;
} met;

/* Returns the key of the function with this name; when the name is new, this instruction's index + 1. */
static uint64_t key_of_name(const char *name, uint32_t number)
{
	for (size_t i = 0; i < met.n; i++)
		if (!strcmp(met.names[i], name))
			return met.numbers[i] + UINT64_C(1);
	if (met.n == met.have) {
		size_t have = met.have ? 2 * met.have : 64;
		const char **names = realloc(met.names, have * sizeof(*names));
		uint32_t *numbers = names ? realloc(met.numbers, have * sizeof(*numbers)) : NULL;

		met.names = names ? names : met.names;
		met.numbers = numbers ? numbers : met.numbers;
		if (!names || !numbers)
			return 0;
		met.have = have;
	}
	met.names[met.n] = name;
	met.numbers[met.n++] = number;
	return number + UINT64_C(1);
}

/* Several processes may have different functions at one address, so instructions are told by their index. */
static uint64_t function_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	uint32_t number = look->flow->records[e->number].of.access.ip;
	size_t n = met.keys.n;
	struct ompp_flow_sum *key = ompp_flow_sum_of(&met.keys, number);
	struct ompp_flow_line line;

	(void)k;
	if (key && met.keys.n > n)
		key->from = ompp_flow_event_line(look->flow, e, &line) ? 0 : key_of_name(line.function, number);
	return key ? key->from : 0;
}

static void forget_functions(void)
{
	ompp_flow_sums_free(&met.keys);
	free(met.names);
	free(met.numbers);
	memset(&met, 0, sizeof(met));
}

static int function_table(struct ompp_flow_look *look, const char *tag)
{
	struct ompp_flow_sums sums = { 0 };
	struct page_nodes pages = { 0 };
	int status;

	if (find_page_nodes(look, &pages) || add_up(look, &sums, &pages, function_key, 0)) {
		status = ompp_flow_no_memory();
	} else {
		ompp_flow_table(look, tag, "Functions by their sampled accesses (columns as those of objects):");
		ompp_flow_left(look, "function", OMPP_IN_BOTH);
		ompp_flow_left(look, "file", OMPP_IN_RECORDS);
		ompp_flow_process_column(look);
		ompp_flow_cost_columns(look);
		node_columns(look);
		for (size_t i = 0; i < ompp_flow_n_shown(look, sums.n); i++) {
			const struct ompp_flow_ip *ip = sums.all[i].key ? &look->flow->ips[sums.all[i].key - 1] : NULL;

			ompp_flow_text(look, ip ? ip->line.function : "");
			ompp_flow_text(look, ip ? ip->line.file : "");
			only_process(look, &sums.all[i]);
			ompp_flow_cost_values(look, &sums.all[i]);
			node_values(look, &sums.all[i]);
		}
		status = ompp_flow_print(look);
	}
	ompp_flow_sums_free(&sums);
	forget_functions();
	page_nodes_free(&pages);
	return status;
}

int ompp_flow_functions_view(struct ompp_flow_look *look)
{
	return function_table(look, "");
}

static uint64_t latency_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	(void)look;
	(void)k;
	return (uint64_t)e->level << 8 | (e->latency ? ompp_histogram_bucket(e->latency) : 0);
}

int ompp_flow_latency_view(struct ompp_flow_look *look)
{
	const char *unit = ompp_flow_info(look->flow)->latencies;
	struct ompp_flow_sums sums = { 0 };
	char heading[128];
	uint64_t n_timed = 0;
	int status;

	if (add_up(look, &sums, NULL, latency_key, 0)) {
		ompp_flow_sums_free(&sums);
		return ompp_flow_no_memory();
	}
	for (size_t i = 0; i < sums.n; i++)
		n_timed += sums.all[i].sum.n_timed;
	ompp_flow_sums_sort_by_key(&sums);
	snprintf(heading, sizeof(heading),
	         "Latencies of sampled accesses by the level that served them%s%s:", unit[0] ? ", in " : "", unit);
	ompp_flow_table(look, "", heading);
	ompp_flow_left(look, "level", OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "at least", "below", "samples");
	ompp_flow_share_columns(look, "%", "% +-");
	for (size_t i = 0; i < sums.n; i++) {
		const struct ompp_flow_sum *s = &sums.all[i];
		uint32_t bucket = s->key & 0xff;

		if (!s->sum.n_timed)
			continue;
		ompp_table_text(&look->table, ompp_sample_stats_level_name((uint32_t)(s->key >> 8)));
		ompp_flow_number(look, ompp_histogram_least(bucket));
		ompp_table_number(&look->table, OMPP_KIND_COUNT,
		                  bucket + 1 < OMPP_HISTOGRAM_BUCKETS ? (int64_t)ompp_histogram_least(bucket + 1)
		                                                      : INT64_C(1) << 32);
		ompp_flow_count_value(look, s->sum.n);
		ompp_flow_share(look, s->sum.n_timed, n_timed);
	}
	status = ompp_flow_print(look);
	ompp_flow_sums_free(&sums);
	return status;
}

struct span {
	uint64_t first_ns, last_ns;
};

static struct span span;

static uint64_t slice_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	uint64_t length = span.last_ns - span.first_ns + 1;

	(void)look;
	(void)k;
	return (uint64_t)((unsigned __int128)(e->time_ns < span.first_ns ? 0 : e->time_ns - span.first_ns) *
	                  TIME_SLICES / length)
	            << 32 |
	       e->thread;
}

static void find_span(const struct ompp_flow_look *look)
{
	struct ompp_flow_event e;

	span = (struct span){ 0, 0 };
	for (size_t at = 0; ompp_flow_look_next(look, &at, &e);) {
		if (!is_access(&e) || !e.time_ns)
			continue;
		span.first_ns = span.first_ns ? span.first_ns : e.time_ns;
		span.last_ns = e.time_ns;
	}
}

static int flow_views_timeline(struct ompp_flow_look *look)
{
	struct ompp_flow_sums sums = { 0 };
	int status;

	find_span(look);
	if (add_up(look, &sums, NULL, slice_key, 0)) {
		ompp_flow_sums_free(&sums);
		return ompp_flow_no_memory();
	}
	ompp_flow_sums_sort_by_key(&sums);
	ompp_flow_table(look, "timeline", "Its accesses in time, by thread (from: seconds of the run):");
	ompp_flow_column(look, "from", OMPP_IN_BOTH);
	ompp_flow_process_column(look);
	ompp_flow_columns(look, OMPP_IN_BOTH, "thread", "loads", "stores");
	ompp_flow_share_columns(look, "remote %", "remote % +-");
	ompp_flow_column(look, "from nodes", OMPP_IN_BOTH);
	for (size_t i = 0; i < sums.n; i++) {
		const struct ompp_flow_sum *s = &sums.all[i];
		uint64_t length = span.last_ns - span.first_ns + 1;

		ompp_flow_time(look,
		               span.first_ns + (uint64_t)((unsigned __int128)length * (s->key >> 32) / TIME_SLICES));
		ompp_flow_process_value(look, s->process);
		ompp_flow_thread_value(look, (uint32_t)s->key);
		ompp_flow_count_value(look, s->n_loads);
		ompp_flow_count_value(look, s->n_stores);
		ompp_flow_share(look, s->n_far, s->n_homed);
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->from));
	}
	status = ompp_flow_print(look);
	ompp_flow_sums_free(&sums);
	return status;
}

static int object_facts(struct ompp_flow_look *look, uint32_t object)
{
	const struct ompp_flow_object *o = ompp_flow_object(look->flow, object);
	const struct ompp_flow_site *s = ompp_flow_site(look->flow, o->site);

	ompp_flow_table(look, "object", "The object:");
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_columns(look, OMPP_IN_BOTH, "accesses", "touches", "blocks", "ended", "bytes");
	ompp_flow_process_column(look);
	ompp_flow_column(look, "allocator", OMPP_IN_BOTH);
	ompp_flow_left(look, "call path", OMPP_IN_BOTH);
	ompp_table_text(&look->table, ompp_flow_object_name(look, object));
	ompp_flow_count_value(look, o->n_accesses);
	ompp_flow_count_value(look, o->n_touches);
	ompp_table_number(&look->table, OMPP_KIND_METRIC, s ? ompp_count(s->n_blocks) : OMPP_MISSING);
	ompp_table_number(&look->table, OMPP_KIND_METRIC, s ? ompp_count(s->n_ended) : OMPP_MISSING);
	ompp_table_number(&look->table, OMPP_KIND_METRIC, s ? ompp_count(s->n_bytes) : OMPP_MISSING);
	ompp_flow_process_value(look, ompp_flow_process_of_thread(look->flow, o->allocator));
	ompp_flow_thread_value(look, o->allocator);
	ompp_flow_text(look, o->path);
	return ompp_flow_print(look);
}

int ompp_flow_object_view(struct ompp_flow_look *look)
{
	int status = 0;

	if (!look->objects) {
		ompp_complain("--view=object", "choose one with --object=NAME; --view=objects lists them");
		return OMPP_EXIT_USAGE;
	}
	for (uint32_t i = 0; i < ompp_flow_n_objects(look->flow) && !status; i++)
		if (look->objects[i])
			status = object_facts(look, i);
	status = status ? status : flow_views_timeline(look);
	return status ? status : function_table(look, "functions");
}

/* Who touched a page first, and on which node it is. */
static struct ompp_flow_sums owners;

enum { NO_OWNER = 0xffff };

static int find_owners(const struct ompp_flow_look *look)
{
	struct ompp_flow_filter touches = ompp_flow_all();
	struct ompp_flow_event e;

	touches.kinds = 1u << OMPP_FLOW_TOUCH;
	for (size_t at = 0; ompp_flow_next(look->flow, &touches, &at, &e);) {
		uint64_t n = e.page_bytes >> PAGE_BITS;

		for (uint64_t i = 0; i < (n && n <= 512 ? n : 1); i++) { /* a huge page has several */
			struct ompp_flow_sum *s = ompp_flow_sum_of(&owners, ompp_flow_page_of(look, &e) + i);

			if (!s)
				return -1;
			s->from = e.thread;
			s->to = e.home;
		}
	}
	return 0;
}

static uint32_t owner_of(uint64_t page)
{
	struct ompp_flow_sum *s = NULL;

	if (owners.n) {
		size_t n = owners.n;

		s = ompp_flow_sum_of(&owners, page);
		if (owners.n > n) { /* the page is new */
			s->from = OMPP_FLOW_NONE;
			s->to = OMPP_FLOW_NONE;
		}
	}
	return s ? (uint32_t)s->from : OMPP_FLOW_NONE;
}

static uint64_t owner_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	(void)k;
	return (uint64_t)owner_of(ompp_flow_page_of(look, e)) << 32 | e->thread;
}

static uint64_t page_key(const struct ompp_flow_look *look, const struct ompp_flow_event *e, uint32_t k)
{
	(void)k;
	return ompp_flow_page_of(look, e);
}

static void flow_views_matrix(struct ompp_flow_look *look, const struct ompp_flow_sums *sums)
{
	ompp_flow_table(look, "owners", "Who accesses pages that another thread touched first:");
	ompp_flow_process_column(look);
	ompp_flow_columns(look, OMPP_IN_BOTH, "owner", "accessor");
	ompp_flow_cost_columns(look);
	ompp_flow_share_columns(look, "remote %", "remote % +-");
	ompp_flow_columns(look, OMPP_IN_BOTH, "from", "to");
	for (size_t i = 0; i < sums->n; i++) {
		const struct ompp_flow_sum *s = &sums->all[i];

		ompp_flow_process_value(look, s->process);
		ompp_flow_thread_value(look, (uint32_t)(s->key >> 32));
		ompp_flow_thread_value(look, (uint32_t)s->key);
		ompp_flow_cost_values(look, s);
		ompp_flow_share(look, s->n_far, s->n_homed);
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->from));
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->to));
	}
}

static void page_lines(struct ompp_flow_look *look, const struct ompp_flow_sums *sums)
{
	size_t most = look->top || !look->look.is_text ? ompp_flow_n_shown(look, sums->n) : DEFAULT_TOP;

	ompp_flow_table(look, "pages", "Pages by their sampled accesses (owner: the thread that touched it first):");
	ompp_flow_left(look, "page", OMPP_IN_BOTH);
	ompp_flow_process_column(look);
	ompp_flow_column(look, "owner", OMPP_IN_BOTH);
	ompp_flow_cost_columns(look);
	ompp_flow_share_columns(look, "remote %", "remote % +-");
	ompp_flow_columns(look, OMPP_IN_BOTH, "from", "to");
	for (size_t i = 0; i < sums->n && i < most; i++) {
		const struct ompp_flow_sum *s = &sums->all[i];

		ompp_flow_hex(look, ompp_flow_page_address(s->key));
		ompp_flow_process_value(look, s->process);
		ompp_flow_thread_value(look, owner_of(s->key));
		ompp_flow_cost_values(look, s);
		ompp_flow_share(look, s->n_far, s->n_homed);
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->from));
		ompp_flow_text(look, ompp_flow_nodes_text(look, s->to));
	}
}

int ompp_flow_pages_view(struct ompp_flow_look *look)
{
	struct ompp_flow_sums by_owner = { 0 }, by_page = { 0 };
	int status = 0;

	memset(&owners, 0, sizeof(owners));
	if (find_owners(look) || add_up(look, &by_owner, NULL, owner_key, 0) ||
	    add_up(look, &by_page, NULL, page_key, 0)) {
		status = ompp_flow_no_memory();
	} else {
		flow_views_matrix(look, &by_owner);
		status = ompp_flow_print(look);
		page_lines(look, &by_page);
		status = status ? status : ompp_flow_print(look);
	}
	ompp_flow_sums_free(&by_owner);
	ompp_flow_sums_free(&by_page);
	ompp_flow_sums_free(&owners);
	return status;
}
