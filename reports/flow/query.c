/*
 * Query: what a trace has, and the events that a filter means.
 */
#include <string.h>

#include "reports/flow/flow.h"
#include "runtime/base/check.h"

#define KERNEL_BEGIN UINT64_C(0xffff000000000000) /* of the upper half of the address space, where the kernel is */

const struct ompp_flow_info *ompp_flow_info(const struct ompp_flow *flow)
{
	return &flow->info;
}

size_t ompp_flow_n_objects(const struct ompp_flow *flow)
{
	return flow->n_objects;
}

const struct ompp_flow_object *ompp_flow_object(const struct ompp_flow *flow, uint32_t object)
{
	return object < flow->n_objects ? &flow->objects[object] : NULL;
}

size_t ompp_flow_n_sites(const struct ompp_flow *flow)
{
	return flow->n_sites;
}

const struct ompp_flow_site *ompp_flow_site(const struct ompp_flow *flow, uint32_t site)
{
	return site < flow->n_sites ? &flow->sites[site] : NULL;
}

size_t ompp_flow_n_variables(const struct ompp_flow *flow)
{
	return flow->n_variables;
}

const struct ompp_flow_variable *ompp_flow_variable(const struct ompp_flow *flow, size_t variable)
{
	return variable < flow->n_variables ? &flow->variables[variable] : NULL;
}

size_t ompp_flow_n_regions(const struct ompp_flow *flow)
{
	return flow->n_regions;
}

const struct ompp_flow_region *ompp_flow_region(const struct ompp_flow *flow, uint32_t region)
{
	return region < flow->n_regions ? &flow->regions[region] : NULL;
}

size_t ompp_flow_n_threads(const struct ompp_flow *flow)
{
	return flow->n_threads;
}

const struct ompp_flow_thread *ompp_flow_thread(const struct ompp_flow *flow, uint32_t thread)
{
	return thread < flow->n_threads ? &flow->threads[thread] : NULL;
}

size_t ompp_flow_n_processes(const struct ompp_flow *flow)
{
	return flow->n_parts;
}

const struct ompp_flow_process *ompp_flow_process(const struct ompp_flow *flow, uint32_t process)
{
	return process < flow->n_parts ? &flow->parts[process].process : NULL;
}

uint32_t ompp_flow_part_of(const struct ompp_flow *flow, size_t record)
{
	size_t lo = 0, hi = flow->n_parts;

	while (hi - lo > 1) {
		size_t middle = (lo + hi) / 2;

		if (flow->parts[middle].first_record <= record)
			lo = middle;
		else
			hi = middle;
	}
	ompp_assert(lo < flow->n_parts && flow->parts[lo].first_record <= record);
	return (uint32_t)lo;
}

uint32_t ompp_flow_process_of(const struct ompp_flow *flow, const struct ompp_flow_event *event)
{
	return ompp_flow_part_of(flow, event->number);
}

/* Layout of a page key: the page number in the lower bits (addresses have up to 57 bits; the highest bit marks the
 * kernel's half of the address space), the process above them. */
enum { PAGE_BITS = 12, PAGE_NUMBER_BITS = 46 };

uint64_t ompp_flow_page_key(uint32_t process, uint64_t address)
{
	return (uint64_t)process << PAGE_NUMBER_BITS | (address >> PAGE_BITS & ((UINT64_C(1) << PAGE_NUMBER_BITS) - 1));
}

uint64_t ompp_flow_page_address(uint64_t key)
{
	uint64_t page = key & ((UINT64_C(1) << PAGE_NUMBER_BITS) - 1);

	if (page >> (PAGE_NUMBER_BITS - 1))
		page |= ~UINT64_C(0) << PAGE_NUMBER_BITS;
	return page << PAGE_BITS;
}

int ompp_flow_line(const struct ompp_flow *flow, uint64_t ip, struct ompp_flow_line *line)
{
	uint32_t i = ompp_flow_map_find(&flow->ip_map, ip);

	if (i == OMPP_FLOW_NONE || !flow->ips[i].line.line)
		return -1;
	*line = flow->ips[i].line;
	return 0;
}

int ompp_flow_event_line(const struct ompp_flow *flow, const struct ompp_flow_event *event, struct ompp_flow_line *line)
{
	const struct ompp_flow_record *r = event->number < flow->n_records ? &flow->records[event->number] : NULL;

	if (!r || (r->kind != OMPP_FLOW_ACCESS && r->kind != OMPP_FLOW_TOUCH) || !flow->ips[r->of.access.ip].line.line)
		return -1;
	*line = flow->ips[r->of.access.ip].line;
	return 0;
}

int ompp_flow_is_within(const struct ompp_flow *flow, uint32_t region, uint32_t other)
{
	while (region < flow->n_regions && region != other) {
		uint32_t parent = flow->regions[region].parent;

		ompp_assert(parent == OMPP_FLOW_NONE || parent < region);
		region = parent;
	}
	return region == other && region < flow->n_regions;
}

/* ---- events ---- */

static uint32_t query_known(uint32_t number)
{
	return number - 1; /* 0 becomes OMPP_FLOW_NONE */
}

static int is_access(const struct ompp_flow_record *r)
{
	return r->kind == OMPP_FLOW_ACCESS || r->kind == OMPP_FLOW_TOUCH;
}

static int is_of_pages(const struct ompp_flow_record *r)
{
	return r->kind == OMPP_FLOW_USE || r->kind == OMPP_FLOW_WRITTEN;
}

static int is_message(const struct ompp_flow_record *r)
{
	return r->kind == OMPP_FLOW_SEND || r->kind == OMPP_FLOW_RECEIVE;
}

static int has_cover(const struct ompp_flow_record *r)
{
	return is_access(r) || is_of_pages(r);
}

static const struct ompp_flow_cover *cover_of(const struct ompp_flow *flow, const struct ompp_flow_record *r)
{
	static const struct ompp_flow_cover none;

	return has_cover(r) && r->set ? &flow->covers[r->set - 1] : &none;
}

static int has_object(const struct ompp_flow *flow, const struct ompp_flow_record *r, uint32_t object)
{
	const struct ompp_flow_cover *c = cover_of(flow, r);

	if (!has_cover(r))
		return r->set && (r->kind == OMPP_FLOW_ALLOCATION || r->kind == OMPP_FLOW_FREE) &&
		       object < flow->n_objects && flow->objects[object].site == r->set - 1;
	for (uint32_t k = 0; k < c->n; k++)
		if (flow->members[c->first + k] == object)
			return 1;
	return 0;
}

/* Do the fields that only accesses have match the filter? */
static int fits_access(const struct ompp_flow *flow, const struct ompp_flow_filter *f, const struct ompp_flow_record *r)
{
	const struct ompp_flow_ip *ip = &flow->ips[r->of.access.ip];

	if (!(f->levels >> (r->level >> 2) & 1) || (r->kind == OMPP_FLOW_ACCESS && !(f->accesses & r->level & 3)))
		return 0;
	if (r->of.access.latency < f->least_latency || r->of.access.latency > f->most_latency)
		return 0;
	if (!(f->modes & (ip->ip >= KERNEL_BEGIN ? 2 : 1)))
		return 0;
	if (f->home != OMPP_FLOW_NONE && r->home != f->home + 1)
		return 0;
	return !f->function || strstr(ip->line.function, f->function) != NULL;
}

/* Do the fields that only uses of pages have match the filter? */
static int fits_use(const struct ompp_flow *flow, const struct ompp_flow_filter *f, const struct ompp_flow_record *r)
{
	const struct ompp_flow_use *u = &flow->uses[r->of.use];
	uint32_t accesses = (u->loads ? OMPP_MEM_LOADS : 0) |
	                    (u->stores || r->kind == OMPP_FLOW_WRITTEN ? OMPP_MEM_STORES : 0);

	return f->accesses & accesses && f->levels == UINT32_MAX && !f->least_latency &&
	       f->most_latency == UINT32_MAX && f->modes & 1 && !f->function &&
	       (f->home == OMPP_FLOW_NONE || r->home == f->home + 1);
}

/* Does the filter have no condition on fields that other events lack? */
static int fits_others(const struct ompp_flow_filter *f)
{
	return f->levels == UINT32_MAX && f->accesses == OMPP_MEM_BOTH && !f->least_latency &&
	       f->most_latency == UINT32_MAX && f->modes == 3 && f->home == OMPP_FLOW_NONE && !f->function;
}

static int query_fits(const struct ompp_flow *flow, const struct ompp_flow_filter *f, const struct ompp_flow_record *r)
{
	uint64_t time_ns = r->time_ns > flow->info.start_ns ? r->time_ns - flow->info.start_ns : 0, until_ns = time_ns,
		 first = is_message(r) ? 0 : r->address, last = first;

	if (is_of_pages(r)) {
		until_ns += flow->uses[r->of.use].until_ns - r->time_ns;
		last += flow->uses[r->of.use].n_pages * flow->info.page_bytes - 1;
	}
	if (!(f->kinds >> r->kind & 1) || until_ns < f->from_ns || time_ns >= f->to_ns)
		return 0;
	if (f->thread != OMPP_FLOW_NONE && r->thread != f->thread + 1)
		return 0;
	if (f->region != OMPP_FLOW_NONE && !ompp_flow_is_within(flow, query_known(r->region), f->region))
		return 0;
	if (f->object != OMPP_FLOW_NONE && !has_object(flow, r, f->object))
		return 0;
	if (f->node != OMPP_FLOW_NONE && r->node != f->node + 1)
		return 0;
	if (f->allocator != OMPP_FLOW_NONE && r->allocator != f->allocator + 1)
		return 0;
	if (last < f->least_address || first > f->most_address)
		return 0;
	if (is_of_pages(r))
		return fits_use(flow, f, r);
	return is_access(r) ? fits_access(flow, f, r) : fits_others(f);
}

static void query_fill(const struct ompp_flow *flow, const struct ompp_flow_record *r, struct ompp_flow_event *e)
{
	const struct ompp_flow_cover *c = cover_of(flow, r);

	memset(e, 0, sizeof(*e));
	e->kind = (enum ompp_flow_kind)r->kind;
	e->thread = query_known(r->thread);
	e->time_ns = r->time_ns;
	e->region = query_known(r->region);
	e->address = is_message(r) ? 0 : r->address;
	e->cpu = query_known(r->cpu);
	e->node = query_known(r->node);
	e->home = query_known(r->home);
	e->allocator = query_known(r->allocator);
	e->object = c->n ? flow->members[c->first] : OMPP_FLOW_NONE;
	e->n_objects = c->n;
	e->site = e->from_cpu = e->from_node = e->partner = OMPP_FLOW_NONE;
	e->number = (uint32_t)(r - flow->records);
	if (r->extra) {
		const struct ompp_flow_extra *extra = &flow->extras[r->extra - 1];

		e->period = extra->period;
		e->page_bytes = extra->page_bytes;
		e->data_source = extra->data_source;
		e->tid = extra->tid;
		e->snoop = extra->detail >> 8 & 15;
		e->translation = extra->detail >> 4 & 15;
		e->lock = extra->detail & 15;
	}
	if (is_message(r)) {
		e->partner = query_known(r->set);
		e->bytes = r->address - 1; /* 0 becomes UINT64_MAX */
		e->posted_ns = r->physical;
		e->tag = r->of.message.tag;
		e->comm = r->of.message.comm;
		return;
	}
	e->physical = r->physical;
	if (is_access(r)) {
		e->ip = flow->ips[r->of.access.ip].ip;
		e->is_kernel = e->ip >= KERNEL_BEGIN;
		e->latency = r->of.access.latency;
		e->access = r->level & 3;
		e->level = r->level >> 2;
	} else if (r->kind == OMPP_FLOW_MIGRATION) {
		e->from_cpu = query_known(r->of.from.cpu);
		e->from_node = query_known(r->of.from.node);
	} else if (is_of_pages(r)) {
		const struct ompp_flow_use *u = &flow->uses[r->of.use];

		e->until_ns = u->until_ns;
		e->n_pages = u->n_pages;
		e->loads = u->loads;
		e->stores = u->stores;
		e->parts = u->parts;
		e->page_bytes = u->page_bytes;
		e->physical = u->physical;
	} else if (r->kind != OMPP_FLOW_CHANGE) {
		e->site = query_known(r->set);
		e->bytes = r->of.bytes;
	}
}

struct ompp_flow_filter ompp_flow_all(void)
{
	return (struct ompp_flow_filter){ .kinds = UINT32_MAX,
		                          .to_ns = UINT64_MAX,
		                          .thread = OMPP_FLOW_NONE,
		                          .object = OMPP_FLOW_NONE,
		                          .region = OMPP_FLOW_NONE,
		                          .node = OMPP_FLOW_NONE,
		                          .home = OMPP_FLOW_NONE,
		                          .allocator = OMPP_FLOW_NONE,
		                          .levels = UINT32_MAX,
		                          .accesses = OMPP_MEM_BOTH,
		                          .modes = 3,
		                          .most_latency = UINT32_MAX,
		                          .most_address = UINT64_MAX };
}

int ompp_flow_next(const struct ompp_flow *flow, const struct ompp_flow_filter *filter, size_t *at,
                   struct ompp_flow_event *event)
{
	while (*at < flow->n_records) {
		const struct ompp_flow_record *r = &flow->records[flow->order[*at]];

		ompp_flow_walked(flow, ++*at);
		if (!query_fits(flow, filter, r))
			continue;
		query_fill(flow, r, event);
		return 1;
	}
	return 0;
}

uint32_t ompp_flow_nth_object(const struct ompp_flow *flow, const struct ompp_flow_event *event, uint32_t i)
{
	const struct ompp_flow_cover *c = event->number < flow->n_records
	                                        ? cover_of(flow, &flow->records[event->number])
	                                        : NULL;

	return c && i < c->n ? flow->members[c->first + i] : OMPP_FLOW_NONE;
}
