/*
 * Varied profiles: see varied_profile.h.
 */
#include "tests/golden/varied_profile.h"

#include <stdlib.h>
#include <string.h>

#include "reports/profile/profile_check.h"
#include "reports/profile/schema.h"
#include "runtime/base/array.h"
#include "runtime/terms/meeting.h"
#include "tests/golden/example.h"

enum {
	MOST_RECORDS = 12, /* that a section gets which the example lacks */
	OFTEN = 6,         /* one of so many numbers becomes another one */
	SELDOM = 60        /* so that most of what the example shows stays, at its edges */
};

static uint64_t state;
static uint32_t odds;                   /* OFTEN or SELDOM */
static const struct ompp_profile *made; /* the profile so far */

static uint32_t below(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((state >> 33) % n);
}

/* Of all sizes, small ones as often as large ones. */
static int64_t amount(void)
{
	int64_t scale = 1;

	for (uint32_t i = below(10); i > 0; i--)
		scale *= 10;
	return scale * (int64_t)below(1000) / 100;
}

static int is_amount(const struct ompp_word *word)
{
	return word->bound >= OMPP_BOUND_TIME && word->bound <= OMPP_BOUND_NATURAL;
}

static int may_be_missing(const struct ompp_word *word)
{
	return word->bound == OMPP_BOUND_KNOWN_TIME || word->bound == OMPP_BOUND_NATURAL;
}

static int64_t varied_amount(const struct ompp_word *word, int64_t old, int64_t before)
{
	switch (below(8)) {
	case 0:
		return 0;
	case 1:
		return may_be_missing(word) ? OMPP_MISSING : 1;
	case 2:
		return before;
	case 3:
		return amount();
	case 4:
		return old == OMPP_MISSING ? old : old / 1000;
	default:
		return old == OMPP_MISSING || old > INT64_MAX / 300 ? old : old * (int64_t)below(300) / 100;
	}
}

static uint32_t any_index(enum ompp_bound bound)
{
	size_t end = ompp_bound_end(bound, made);

	if (bound >= OMPP_BOUND_NODE_OR_NONE && !below(4))
		return OMPP_NONE;
	return end ? below((uint32_t)end) : 0;
}

static const char *any_text(void)
{
	static const char *const texts[] = { "",
		                             "a.c",
		                             "/src/a.c",
		                             "/src/b/a.c",
		                             "main",
		                             "step",
		                             "x",
		                             "a",
		                             "buf",
		                             "0",
		                             "1",
		                             "mod::count",
		                             "L1",
		                             "L2",
		                             "static",
		                             "dynamic",
		                             "name with blanks" };

	return texts[below(OMPP_COUNT_OF(texts))];
}

/* Gives a word of a record that is new another value. */
static void fill(const struct ompp_word *word, void *at)
{
	if (word->type == OMPP_WORD_TEXT)
		*(const char **)at = any_text();
	else if (word->bound >= OMPP_BOUND_NODE)
		*(uint32_t *)at = any_index(word->bound);
	else if (word->type != OMPP_WORD_64)
		*(uint32_t *)at = word->bound == OMPP_BOUND_FLAG ? below(2) : below(6);
	else
		*(int64_t *)at = may_be_missing(word) && !below(8) ? OMPP_MISSING : amount();
}

/* Varies a word of a record that an example has; before is that of the record before.  Which row a cell is of stays. */
static void vary(const struct ompp_word *word, void *at, const void *before)
{
	if (word->type == OMPP_WORD_TEXT && !below(4 * odds))
		*(const char **)at = any_text();
	else if (word->type == OMPP_WORD_64 && (is_amount(word) || word->bound == OMPP_BOUND_ANY) && !below(odds))
		*(int64_t *)at = varied_amount(word, *(int64_t *)at, *(const int64_t *)before);
	else if (word->type != OMPP_WORD_64 && word->type != OMPP_WORD_TEXT && word->bound >= OMPP_BOUND_NODE &&
	         word->bound != OMPP_BOUND_ROW && !below(4 * odds))
		*(uint32_t *)at = any_index(word->bound);
	else if (word->bound == OMPP_BOUND_FLAG && !below(2 * odds))
		*(uint32_t *)at ^= 1;
}

/* Is the record behind n valid ones valid, too? */
static int is_valid(enum ompp_section section, struct ompp_profile *p, void *list, size_t n)
{
	return ompp_valid_records(section, p, list, n + 1) == n + 1;
}

/* Varies the records of a section; one that would not be valid stays what it is, or is left out where it cannot. */
static void vary_section(enum ompp_section section, struct ompp_profile *p, struct ompp_arena *arena)
{
	size_t bytes = ompp_schemas[section].record_bytes, n = 0, n_before;
	struct ompp_words words = ompp_schemas[section].words();
	const void *old;
	char *list;

	n_before = ompp_records(section, p, &old);
	list = ompp_arena_alloc(arena, (n_before + 1) * bytes);
	if (!list)
		abort();
	for (size_t i = 0; i < n_before; i++) {
		char *record = list + n * bytes;

		memcpy(record, (const char *)old + i * bytes, bytes);
		for (size_t w = 0; w < words.n; w++)
			vary(&words.list[w], record + words.list[w].offset,
			     (n ? record - bytes : record) + words.list[w].offset);
		if (!is_valid(section, p, list, n)) {
			memcpy(record, (const char *)old + i * bytes, bytes);
			if (!is_valid(section, p, list, n))
				continue;
		}
		n++;
	}
	ompp_records_set(section, p, list, n);
}

/* Copies records in their order; those that are equal stay as they were. */
static void sort_records(enum ompp_section section, char *to, const char *from, size_t n)
{
	size_t bytes = ompp_schemas[section].record_bytes;

	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		while (k && ompp_orders[section].n_keys &&
		       ompp_record_compare(section, to + (k - 1) * bytes, from + i * bytes) > 0)
			k--;
		memmove(to + (k + 1) * bytes, to + k * bytes, (i - k) * bytes);
		memcpy(to + k * bytes, from + i * bytes, bytes);
	}
}

/* Values of counters belong to cells and metrics, which stay. */
static void vary_values(struct ompp_profile *p, struct ompp_arena *arena)
{
	static const struct ompp_word word = { OMPP_WORD_64, OMPP_BOUND_NATURAL, OMPP_JOIN_OWN, 0 };
	size_t n = p->n_cells * p->n_metrics;
	int64_t *values = ompp_arena_alloc(arena, (n + 1) * sizeof(*values));

	if (!values)
		abort();
	for (size_t i = 0; i < n; i++)
		values[i] = below(odds) ? p->values[i] : varied_amount(&word, p->values[i], i ? values[i - 1] : 0);
	p->values = values;
}

/* Gives a profile some records of a section that it lacks. */
static void fill_section(enum ompp_section section, struct ompp_profile *p, struct ompp_arena *arena)
{
	size_t bytes = ompp_schemas[section].record_bytes, n = 0, n_drawn = 1 + below(MOST_RECORDS);
	struct ompp_words words = ompp_schemas[section].words();
	char *drawn = ompp_arena_alloc(arena, n_drawn * bytes), *list = ompp_arena_alloc(arena, (n_drawn + 1) * bytes),
	     *ordered = ompp_arena_alloc(arena, n_drawn * bytes);

	if (!drawn || !list || !ordered)
		abort();
	for (size_t i = 0; i < n_drawn; i++)
		for (size_t w = 0; w < words.n; w++)
			fill(&words.list[w], drawn + i * bytes + words.list[w].offset);
	sort_records(section, ordered, drawn, n_drawn);
	for (size_t i = 0; i < n_drawn; i++) {
		memcpy(list + n * bytes, ordered + i * bytes, bytes);
		n += (size_t)is_valid(section, p, list, n);
	}
	ompp_records_set(section, p, list, n);
}

/* The profile's own numbers, of which the texts and what says which process it was stay. */
static void vary_head(struct ompp_profile *p)
{
	struct ompp_words words = ompp_schemas[OMPP_SECTION_HEAD].words();

	for (size_t w = 0; w < words.n; w++) {
		const struct ompp_word *word = &words.list[w];
		char *at = (char *)p + word->offset;

		if (word->bound == OMPP_BOUND_FLAG && !below(odds))
			*(uint32_t *)at ^= 1;
		else if (word->type == OMPP_WORD_64 && is_amount(word) && !below(odds))
			*(int64_t *)at = varied_amount(word, *(int64_t *)at, *(int64_t *)at);
	}
	p->start_unix_ns = (int64_t)below(UINT32_MAX) * 1000000000; /* of all days until 2106 */
	p->end_unix_ns = p->start_unix_ns + (below(2) ? p->duration_ns : 0);
	ompp_check_head(p);
}

static void take_example(struct ompp_profile *p, uint32_t which)
{
	switch (which) {
	case 0:
		example_profile(p);
		break;
	case 1:
	case 2:
		example_data_profile(p, which == 2);
		break;
	case 3:
		example_counter_profile(p);
		break;
	case 4:
		example_sample_profile(p);
		break;
	default:
		example_visits_profile(p);
	}
}

void varied_profile(struct ompp_profile *p, uint32_t number, struct ompp_arena *arena)
{
	memset(p, 0, sizeof(*p));
	take_example(p, number % VARIED_BASES);
	state = number + 1;
	odds = number / VARIED_BASES % 3 ? OFTEN : SELDOM;
	made = p;
	if (number < VARIED_BASES) {
		ompp_check_head(p);
		return;
	}
	vary_head(p);
	for (enum ompp_section s = OMPP_SECTION_HEAD + 1; s < OMPP_SECTION_VALUES; s++) {
		const void *list;

		if (s == OMPP_SECTION_NODES || s == OMPP_SECTION_METRICS)
			continue; /* which cells and values belong to what */
		if (ompp_records(s, p, &list))
			vary_section(s, p, arena);
		else if (s > OMPP_SECTION_CELLS && s != OMPP_SECTION_OBJECTS && below(4))
			fill_section(s, p, arena);
	}
	vary_values(p, arena);
	p->n_merged = (uint32_t)p->n_processes;
}

/* ---- ranks ---- */

enum { MOST_MEETINGS = 200, PEOPLE = 8 };

struct meet {
	struct ompp_mpi_meeting *all[PEOPLE];
	size_t n[PEOPLE];
	int64_t now_ns[PEOPLE], apart_ns[PEOPLE]; /* by how much a clock differs */
	uint32_t n_regions;
};

/* Adds what a rank knows of a call that it begins now, and that ends not before the time of the true clock. */
static void meet_add(struct meet *m, uint32_t rank, struct ompp_mpi_meeting meeting, int64_t not_before_ns)
{
	int64_t begin_ns = m->now_ns[rank], end_ns = begin_ns > not_before_ns ? begin_ns : not_before_ns;

	end_ns += 1000 + below(20000);
	meeting.region = m->n_regions ? below(m->n_regions) : 0;
	meeting.begin_ns = begin_ns + m->apart_ns[rank];
	meeting.end_ns = end_ns + m->apart_ns[rank];
	meeting.post_ns = meeting.begin_ns - (below(4) ? 0 : below(50000));
	m->now_ns[rank] = end_ns + below(3000000);
	m->all[rank][m->n[rank]++] = meeting;
}

static void meet_all(struct meet *m, uint32_t n, uint32_t kind, uint64_t index)
{
	struct ompp_mpi_meeting of = { .kind = kind, .peer = n, .key = 7, .index = index, .n_all = UINT64_MAX };
	int64_t last_ns = 0;

	for (uint32_t r = 0; r < n; r++)
		last_ns = m->now_ns[r] > last_ns ? m->now_ns[r] : last_ns;
	for (uint32_t r = 0; r < n; r++)
		if (below(20)) /* of some ranks it is not known */
			meet_add(m, r, of, last_ns);
}

static void meet_ring(struct meet *m, uint32_t n, uint64_t index)
{
	int64_t begun_ns[PEOPLE];

	memcpy(begun_ns, m->now_ns, sizeof(begun_ns));
	for (uint32_t r = 0; r < n; r++) {
		uint32_t to = (r + 1) % n;
		struct ompp_mpi_meeting of = { .kind = below(3) ? OMPP_MEETING_SEND : OMPP_MEETING_SYNCHRONOUS,
			                       .peer = to,
			                       .key = 100 + r,
			                       .index = index };

		of.n_all = UINT64_MAX;
		meet_add(m, r, of, below(3) ? 0 : begun_ns[to]);
		of.kind = OMPP_MEETING_RECEIVE;
		of.peer = r;
		meet_add(m, to, of, begun_ns[r]);
	}
}

void varied_ranks(struct ompp_profile *parts, uint32_t n, uint32_t number, struct ompp_arena *arena)
{
	struct meet m = { .n_regions = (uint32_t)parts[0].n_regions };
	int64_t other_ns = (int64_t)below(1000000000);

	state = number + 1000;
	for (uint32_t r = 0; r < n; r++) {
		m.all[r] = ompp_arena_alloc(arena, MOST_MEETINGS * sizeof(*m.all[r]));
		if (!m.all[r])
			abort();
		m.now_ns[r] = 1000000000 + below(1000000);
		m.apart_ns[r] = r % 2 ? other_ns : 0;
		m.n_regions = parts[r].n_regions < m.n_regions ? (uint32_t)parts[r].n_regions : m.n_regions;
	}
	for (uint64_t i = 0; i < MOST_MEETINGS / 4; i++)
		if (below(3))
			meet_ring(&m, n, i);
		else
			meet_all(&m, n, below(4) ? OMPP_MEETING_ALL : OMPP_MEETING_SOME, i);
	for (uint32_t r = 0; r < n; r++) {
		parts[r].mpi_rank = (int)r;
		parts[r].mpi_size = (int)n;
		parts[r].n_processes = parts[r].n_merged = 0;
		parts[r].clock_domain = r % 2 ? "b" : "a";
		parts[r].meetings = m.all[r];
		parts[r].n_meetings = m.n[r];
	}
}
