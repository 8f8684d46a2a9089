/*
 * Varied flow: see varied_flow.h.
 */
#include "tests/unit/varied_flow.h"

#include "reports/ompp_flow.h"

static void put_head(FILE *to, const struct ompp_flow *flow)
{
	const struct ompp_flow_info *info = ompp_flow_info(flow);

	fprintf(to, "head %s %s %s %llu %d %llu %llu %llu\n", info->latencies, info->method, info->unseen,
	        (unsigned long long)info->period, info->is_whole, (unsigned long long)info->n_left_out,
	        (unsigned long long)info->n_lost, (unsigned long long)info->n_damaged);
}

static void put_tables(FILE *to, const struct ompp_flow *flow)
{
	for (uint32_t i = 0; i < ompp_flow_n_objects(flow); i++) {
		const struct ompp_flow_object *o = ompp_flow_object(flow, i);

		fprintf(to, "object %s %s %u %u %llu\n", o->name, o->path, o->site, o->allocator,
		        (unsigned long long)o->n_accesses);
	}
	for (uint32_t i = 0; i < ompp_flow_n_sites(flow); i++) {
		const struct ompp_flow_site *s = ompp_flow_site(flow, i);

		fprintf(to, "site %s %s %u %llu %llu %llu\n", s->name, s->path, s->thread,
		        (unsigned long long)s->n_blocks, (unsigned long long)s->n_ended,
		        (unsigned long long)s->n_bytes);
	}
	for (uint32_t i = 0; i < ompp_flow_n_regions(flow); i++) {
		const struct ompp_flow_region *r = ompp_flow_region(flow, i);

		fprintf(to, "region %s %s %s %u %u %u\n", r->construct, r->name, r->file, r->begin_line, r->end_line,
		        r->parent);
	}
	for (uint32_t i = 0; i < ompp_flow_n_threads(flow); i++) {
		const struct ompp_flow_thread *t = ompp_flow_thread(flow, i);

		fprintf(to, "thread %u %llu %llu\n", t->rank, (unsigned long long)t->n_accesses,
		        (unsigned long long)t->n_allocations);
	}
}

static void put_event(FILE *to, const struct ompp_flow *flow, const struct ompp_flow_event *e)
{
	uint64_t n_ns = e->time_ns && e->until_ns >= e->time_ns;

	fprintf(to, "event %d %u %u %llx %llu %llu %d %u %llu %llu %llu %llu %llx %d", (int)e->kind, e->thread,
	        e->region, (unsigned long long)e->address, (unsigned long long)e->period,
	        (unsigned long long)e->page_bytes, e->access, e->site, (unsigned long long)e->bytes,
	        (unsigned long long)e->n_pages, (unsigned long long)e->loads, (unsigned long long)e->stores,
	        (unsigned long long)e->parts, (int)n_ns);
	for (uint32_t i = 0; i < e->n_objects; i++)
		fprintf(to, " %u", ompp_flow_nth_object(flow, e, i));
	fputc('\n', to);
}

int varied_flow_put(FILE *to, const char *path)
{
	struct ompp_flow_filter all = ompp_flow_all();
	struct ompp_flow_event e;
	struct ompp_flow *flow;
	size_t at = 0;
	int rc = ompp_flow_open(&flow, path);

	if (rc)
		return rc;
	all.kinds &= ~(1U << OMPP_FLOW_MIGRATION | 1U << OMPP_FLOW_TOUCH); /* whenever the kernel does that */
	put_head(to, flow);
	put_tables(to, flow);
	while (ompp_flow_next(flow, &all, &at, &e))
		put_event(to, flow, &e);
	ompp_flow_close(flow);
	return 0;
}
