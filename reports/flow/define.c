/*
 * Define: see define.h.
 */
#include "reports/flow/define.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/check.h"
#include "runtime/host/past.h"

enum { TEXTS_BYTES = 64 * 1024 };

const char *ompp_flow_keep(struct ompp_flow *flow, const char *from, size_t n_bytes)
{
	struct ompp_flow_texts *t = flow->texts;
	char *text;

	if (!n_bytes)
		return "";
	if (!t || t->have - t->n_bytes < n_bytes + 1) {
		size_t room = n_bytes + 1 > TEXTS_BYTES ? n_bytes + 1 : TEXTS_BYTES;

		t = malloc(sizeof(*t) + room);
		if (!t)
			return NULL;
		*t = (struct ompp_flow_texts){ flow->texts, 0, room };
		flow->texts = t;
	}
	text = t->bytes + t->n_bytes;
	memcpy(text, from, n_bytes);
	text[n_bytes] = '\0';
	t->n_bytes += n_bytes + 1;
	ompp_assert(t->n_bytes <= t->have);
	return text;
}

/* Returns a text of a definition, which lives as long as the trace. */
static const char *text_of(struct ompp_flow_defining *d, uint32_t i)
{
	const char *text = i < d->definition.n_texts
	                         ? ompp_flow_keep(d->flow, d->definition.texts[i].text, d->definition.texts[i].n_bytes)
	                         : "";

	d->failed |= !text;
	return text ? text : "";
}

/* Returns the index of a number; an entry is added if it is new. */
static uint32_t index_of(struct ompp_flow_defining *d, struct ompp_flow_map *map, uint64_t number, void *table,
                         size_t *n, size_t *have, size_t entry_bytes)
{
	uint32_t *at = ompp_flow_map_at(map, number);

	if (at && !*at && ompp_flow_grow(table, n, have, entry_bytes))
		*at = (uint32_t)*n;
	if (!at || !*at) {
		d->failed = 1;
		return OMPP_FLOW_NONE;
	}
	return *at - 1;
}

#define INDEX_OF(d, what, number) \
	index_of(d, &(d)->flow->what##_map, number, &(d)->flow->what##s, &(d)->flow->n_##what##s, \
	         &(d)->flow->have_##what##s, sizeof(*(d)->flow->what##s))

uint32_t ompp_flow_define_site(struct ompp_flow_defining *d, uint64_t number)
{
	size_t n = d->flow->n_sites;
	uint32_t i = INDEX_OF(d, site, number);

	if (d->flow->n_sites > n) {
		d->flow->sites[i].name = d->flow->sites[i].path = "";
		d->flow->sites[i].thread = OMPP_FLOW_NONE;
	}
	return i;
}

uint32_t ompp_flow_define_ip(struct ompp_flow_defining *d, uint64_t number)
{
	size_t n = d->flow->n_ips;
	uint32_t i = INDEX_OF(d, ip, number);

	if (d->flow->n_ips > n) {
		d->flow->ips[i].ip = ompp_past_address(number);
		d->flow->ips[i].key = number;
		d->flow->ips[i].line.function = d->flow->ips[i].line.file = "";
	}
	return i;
}

static uint32_t object_of(struct ompp_flow_defining *d, uint64_t number)
{
	size_t n = d->flow->n_objects;
	uint32_t i = INDEX_OF(d, object, number);

	if (d->flow->n_objects > n) {
		d->flow->objects[i].name = d->flow->objects[i].path = "";
		d->flow->objects[i].site = d->flow->objects[i].allocator = OMPP_FLOW_NONE;
	}
	return i;
}

static void define_region(struct ompp_flow_defining *d)
{
	const uint64_t *numbers = d->definition.numbers;
	uint32_t parent = numbers[1] ? ompp_flow_map_find(&d->flow->region_map, numbers[1]) : OMPP_FLOW_NONE;
	uint32_t i = INDEX_OF(d, region, numbers[0]);

	if (i == OMPP_FLOW_NONE)
		return;
	d->flow->regions[i] = (struct ompp_flow_region){ .construct = text_of(d, 0),
		                                         .name = text_of(d, 1),
		                                         .file = text_of(d, 2),
		                                         .begin_line = (uint32_t)numbers[3],
		                                         .end_line = (uint32_t)numbers[4],
		                                         .parent = parent < i ? parent : OMPP_FLOW_NONE };
}

static void define_object(struct ompp_flow_defining *d)
{
	uint32_t i = object_of(d, d->definition.numbers[0]), site = OMPP_FLOW_NONE;

	if (d->definition.numbers[1])
		site = ompp_flow_define_site(d, d->definition.numbers[1]);
	if (i == OMPP_FLOW_NONE)
		return;
	d->flow->objects[i].site = site;
	d->flow->objects[i].name = site == OMPP_FLOW_NONE ? text_of(d, 0) : "";
}

static void define_cover(struct ompp_flow_defining *d)
{
	size_t n = d->flow->n_covers;
	uint32_t i = INDEX_OF(d, cover, d->definition.numbers[0]);

	if (i == OMPP_FLOW_NONE || d->flow->n_covers == n)
		return; /* it never changes */
	d->flow->covers[i].first = (uint32_t)d->flow->n_members;
	for (uint32_t k = 1; k < d->definition.n_numbers && !d->failed; k++) {
		uint32_t object = object_of(d, d->definition.numbers[k]);
		uint32_t *member = ompp_flow_grow(&d->flow->members, &d->flow->n_members, &d->flow->have_members,
		                                  sizeof(*member));

		if (!member) {
			d->failed = 1;
			return;
		}
		*member = object;
		d->flow->covers[i].n++;
	}
}

static void keep_callers(struct ompp_flow_defining *d, uint32_t site)
{
	struct ompp_flow *flow = d->flow;
	struct ompp_flow_calls *calls = ompp_flow_grow(&flow->calls, &flow->n_calls, &flow->have_calls, sizeof(*calls));

	if (!calls) {
		d->failed = 1;
		return;
	}
	*calls = (struct ompp_flow_calls){ .site = site, .first = (uint32_t)flow->n_callers };
	for (uint32_t i = 2; i < d->definition.n_numbers && i < 2 + OMPP_FLOW_MOST_CALLERS; i++) {
		uintptr_t *caller = ompp_flow_grow(&flow->callers, &flow->n_callers, &flow->have_callers,
		                                   sizeof(*caller));

		if (!caller) {
			d->failed = 1;
			return;
		}
		*caller = (uintptr_t)d->definition.numbers[i];
		flow->calls[flow->n_calls - 1].n++;
	}
}

static void define_site(struct ompp_flow_defining *d)
{
	uint32_t i = ompp_flow_define_site(d, d->definition.numbers[0]);
	uint64_t thread = d->definition.numbers[1];

	if (i != OMPP_FLOW_NONE && thread && thread <= OMPP_FLOW_MOST_THREADS)
		d->flow->sites[i].thread = (uint32_t)thread - 1;
	if (i != OMPP_FLOW_NONE)
		keep_callers(d, i);
}

static void define_file(struct ompp_flow_defining *d)
{
	struct ompp_flow *flow = d->flow;
	const uint64_t *numbers = d->definition.numbers;
	struct ompp_flow_file *f = ompp_flow_grow(&flow->files, &flow->n_files, &flow->have_files, sizeof(*f));

	if (!f) {
		d->failed = 1;
		return;
	}
	f->number = numbers[0];
	f->lo = numbers[1];
	f->hi = numbers[2];
	f->bias = numbers[3];
	f->is_program = numbers[4] != 0;
	f->image = (struct ompp_image){
		.device = numbers[5], .inode = numbers[6], .n_bytes = numbers[7], .modified_ns = numbers[8]
	};
	f->image.n_id = numbers[9] <= OMPP_IMAGE_ID_BYTES ? (uint32_t)numbers[9] : 0;
	for (uint32_t i = 0; i < f->image.n_id; i++)
		f->image.id[i] = (unsigned char)(numbers[10 + i / 8] >> i % 8 * 8);
	f->path = text_of(d, 0);
}

static void define_name(struct ompp_flow_defining *d)
{
	uint32_t i = ompp_flow_define_site(d, d->definition.numbers[0]);

	if (i == OMPP_FLOW_NONE)
		return;
	d->flow->sites[i].name = text_of(d, 0);
	d->flow->sites[i].path = text_of(d, 1);
}

static void define_line(struct ompp_flow_defining *d)
{
	uint32_t i = ompp_flow_define_ip(d, d->definition.numbers[0]);

	if (i != OMPP_FLOW_NONE)
		d->flow->ips[i].line = (struct ompp_flow_line){ text_of(d, 0), text_of(d, 1),
			                                        (uint32_t)d->definition.numbers[1] };
}

static void define_end(struct ompp_flow_defining *d)
{
	d->has_end = 1;
	d->flow->info.n_left_out = d->definition.numbers[0];
	d->flow->info.n_lost = d->definition.numbers[1];
	d->flow->info.ahead_ns = d->definition.n_numbers > 2 ? d->definition.numbers[2] : 0;
}

int ompp_flow_define_threads(struct ompp_flow_defining *d, size_t n)
{
	struct ompp_flow *flow = d->flow;

	while (flow->n_threads < n && !d->failed) {
		struct ompp_flow_thread *t = ompp_flow_grow(&flow->threads, &flow->n_threads, &flow->have_threads,
		                                            sizeof(*t));

		if (t)
			t->rank = OMPP_FLOW_NONE;
		else
			d->failed = 1;
	}
	return d->failed ? -1 : 0;
}

static void define_thread(struct ompp_flow_defining *d)
{
	uint64_t thread = d->definition.numbers[0], rank = d->definition.numbers[1];

	if (thread < OMPP_FLOW_MOST_THREADS && rank < OMPP_FLOW_NONE && !ompp_flow_define_threads(d, thread + 1))
		d->flow->threads[thread].rank = (uint32_t)rank;
}

static void define_app(struct ompp_flow_defining *d)
{
	d->flow->info.app = text_of(d, 0);
}

static void define_uses(struct ompp_flow_defining *d)
{
	d->flow->info.interval_ns = d->definition.numbers[0];
	d->flow->info.method = text_of(d, 0);
	d->flow->info.unseen = text_of(d, 1);
}

static void define_variable(struct ompp_flow_defining *d)
{
	struct ompp_flow_variable *v = ompp_flow_grow(&d->flow->variables, &d->flow->n_variables,
	                                              &d->flow->have_variables, sizeof(*v));

	if (!v) {
		d->failed = 1;
		return;
	}
	v->name = text_of(d, 0);
	v->address = d->definition.numbers[1];
	v->n_bytes = d->definition.numbers[2];
}

static void define_rank(struct ompp_flow_defining *d)
{
	uint64_t rank = d->definition.numbers[0], n = d->definition.numbers[1];

	if (rank >= n || n > INT32_MAX)
		return;
	d->flow->mpi_rank = (uint32_t)rank;
	d->flow->mpi_size = (uint32_t)n;
}

void ompp_flow_define_take(struct ompp_flow_defining *d)
{
	static const struct {
		uint32_t least_numbers;
		void (*take)(struct ompp_flow_defining *d);
	} kinds[] = {
		[OMPP_FLOW_DEFINE_PLACE] = { 5, define_region },  [OMPP_FLOW_DEFINE_OBJECT] = { 2, define_object },
		[OMPP_FLOW_DEFINE_COVER] = { 1, define_cover },   [OMPP_FLOW_DEFINE_SITE] = { 2, define_site },
		[OMPP_FLOW_DEFINE_NAME] = { 1, define_name },     [OMPP_FLOW_DEFINE_LINE] = { 2, define_line },
		[OMPP_FLOW_DEFINE_APP] = { 0, define_app },       [OMPP_FLOW_DEFINE_END] = { 2, define_end },
		[OMPP_FLOW_DEFINE_THREAD] = { 2, define_thread }, [OMPP_FLOW_DEFINE_USES] = { 1, define_uses },
		[OMPP_FLOW_DEFINE_FILE] = { 14, define_file },    [OMPP_FLOW_DEFINE_VARIABLE] = { 3, define_variable },
		[OMPP_FLOW_DEFINE_RANK] = { 2, define_rank },
	};
	uint32_t what = d->definition.what;

	if (what < sizeof(kinds) / sizeof(kinds[0]) && d->definition.n_numbers >= kinds[what].least_numbers)
		kinds[what].take(d);
}
