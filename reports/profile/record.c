/*
 * Record: see record.h.
 */
#include "reports/profile/record.h"

#include <string.h>

#include "reports/profile/number.h"

/* ---- where they are ---- */

size_t ompp_records(enum ompp_section section, const struct ompp_profile *p, const void **list)
{
	size_t n;

	memcpy(list, (const char *)p + ompp_schemas[section].list, sizeof(*list));
	memcpy(&n, (const char *)p + ompp_schemas[section].n_list, sizeof(n));
	return n;
}

void ompp_records_set(enum ompp_section section, struct ompp_profile *p, const void *list, size_t n)
{
	memcpy((char *)p + ompp_schemas[section].list, &list, sizeof(list));
	memcpy((char *)p + ompp_schemas[section].n_list, &n, sizeof(n));
}

/* ---- order ---- */

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_i64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_key(const struct ompp_key *key, const char *a, const char *b)
{
	const void *x = a + key->offset, *y = b + key->offset;

	switch (key->type) {
	case OMPP_WORD_U32:
		return compare_u32(*(const uint32_t *)x, *(const uint32_t *)y);
	case OMPP_WORD_64:
		return compare_i64(*(const int64_t *)x, *(const int64_t *)y);
	case OMPP_WORD_TEXT:
		return strcmp(*(const char *const *)x, *(const char *const *)y);
	case OMPP_WORD_I32:
		break;
	}
	return 0;
}

/* Those with most accesses come first, and then the least address. */
static int compare_hot_pages(const struct ompp_hot_page *a, const struct ompp_hot_page *b)
{
	uint64_t n = a->loads + a->stores, m = b->loads + b->stores;

	if (n != m)
		return n > m ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

int ompp_record_compare(enum ompp_section section, const void *a, const void *b)
{
	const struct ompp_order *order = &ompp_orders[section];
	int d = 0;

	if (section == OMPP_SECTION_HOT_PAGES)
		return compare_hot_pages(a, b);
	for (size_t i = 0; i < order->n_keys && !d; i++)
		d = compare_key(&order->keys[i], a, b);
	return d;
}

/* ---- sums ---- */

static int64_t clamped(int64_t n)
{
	return n > OMPP_MOST_NS ? OMPP_MOST_NS : n < -OMPP_MOST_NS ? -OMPP_MOST_NS : n;
}

static uint32_t add_u32(enum ompp_join join, uint32_t a, uint32_t b)
{
	switch (join) {
	case OMPP_JOIN_ADD:
		return a > UINT32_MAX - b ? UINT32_MAX : a + b;
	case OMPP_JOIN_MOST:
		return a > b ? a : b;
	case OMPP_JOIN_LEAST:
		return a < b ? a : b;
	case OMPP_JOIN_OR:
		return a | b;
	case OMPP_JOIN_AND:
		return a && b;
	case OMPP_JOIN_KNOWN:
		return a ? a : b;
	default:
		return a;
	}
}

static int64_t add_i64(enum ompp_join join, int64_t a, int64_t b)
{
	switch (join) {
	case OMPP_JOIN_ADD:
		return clamped(ompp_add(a, b));
	case OMPP_JOIN_ADD_KNOWN:
		return ompp_add_known(a, b);
	case OMPP_JOIN_MOST:
		return a > b ? a : b;
	case OMPP_JOIN_LEAST:
		return a < b ? a : b;
	case OMPP_JOIN_COMMON:
		return a == b ? a : OMPP_MISSING;
	case OMPP_JOIN_KNOWN:
		return a ? a : b;
	default:
		return a;
	}
}

static void add_word(const struct ompp_word *word, void *a, const void *b)
{
	const char **text = a;
	int64_t *n64 = a;
	uint32_t *n32 = a;

	switch ((enum ompp_word_type)word->type) {
	case OMPP_WORD_U32:
	case OMPP_WORD_I32: /* flags, and numbers that are not negative */
		*n32 = add_u32(word->join, *n32, *(const uint32_t *)b);
		break;
	case OMPP_WORD_64:
		*n64 = add_i64(word->join, *n64, *(const int64_t *)b);
		if (*n64 == OMPP_MISSING && word->bound == OMPP_BOUND_COUNT)
			*n64 = 0;
		break;
	case OMPP_WORD_TEXT:
		if (word->join == OMPP_JOIN_KNOWN && !**text)
			*text = *(const char *const *)b;
		break;
	}
}

void ompp_record_add(enum ompp_section section, void *sum, const void *more)
{
	struct ompp_words words = ompp_schemas[section].words();

	for (size_t i = 0; i < words.n; i++)
		if (words.list[i].join != OMPP_JOIN_SAME && words.list[i].join != OMPP_JOIN_OWN)
			add_word(&words.list[i], (char *)sum + words.list[i].offset,
			         (const char *)more + words.list[i].offset);
}

/* ---- bounds ---- */

enum { RECORDS_AT_ONCE = 32 };

size_t ompp_bound_end(enum ompp_bound bound, const struct ompp_profile *p)
{
	switch (bound) {
	case OMPP_BOUND_NODE:
	case OMPP_BOUND_NODE_OR_NONE:
		return p->n_nodes;
	case OMPP_BOUND_ROW:
	case OMPP_BOUND_ROW_OR_NONE:
		return p->n_rows;
	case OMPP_BOUND_REGION:
	case OMPP_BOUND_REGION_OR_NONE:
		return p->n_regions;
	case OMPP_BOUND_OBJECT:
	case OMPP_BOUND_OBJECT_OR_NONE:
		return p->n_objects;
	case OMPP_BOUND_CELL:
		return p->n_cells;
	case OMPP_BOUND_SAMPLED:
		return p->n_samples;
	default:
		return 0;
	}
}

static int check_u32(enum ompp_bound bound, size_t end, uint32_t n)
{
	if (bound == OMPP_BOUND_FLAG)
		return n <= 1;
	return n < end || (n == OMPP_NONE && bound >= OMPP_BOUND_NODE_OR_NONE);
}

static int check_i64(enum ompp_bound bound, int64_t *n)
{
	switch (bound) {
	case OMPP_BOUND_KNOWN_TIME:
		*n = *n == OMPP_MISSING ? *n : clamped(*n);
		return 1;
	case OMPP_BOUND_TIME:
		*n = clamped(*n);
		return 1;
	case OMPP_BOUND_SAID:
		*n = *n ? *n : OMPP_MISSING;
		return check_i64(OMPP_BOUND_SIZE, n);
	case OMPP_BOUND_LATER:
	case OMPP_BOUND_SIZE:
		*n = *n < 0 || *n > OMPP_MOST_NS ? OMPP_MISSING : *n;
		return 1;
	case OMPP_BOUND_COUNT: /* an unsigned number above the bound is negative here, or above it */
	case OMPP_BOUND_COUNTED:
		return *n >= 0 && *n <= OMPP_MOST_NS;
	case OMPP_BOUND_NATURAL:
		return *n >= 0 || *n == OMPP_MISSING;
	default:
		return 1;
	}
}

/* Checks a word of n records.  Returns the number of records before the first invalid one. */
static size_t check_word(const struct ompp_word *word, const struct ompp_profile *p, char *at, size_t record_bytes,
                         size_t n)
{
	size_t end = ompp_bound_end(word->bound, p);

	if (word->bound == OMPP_BOUND_ANY || word->type == OMPP_WORD_TEXT)
		return n;
	for (size_t i = 0; i < n; i++, at += record_bytes)
		if (word->type == OMPP_WORD_64 ? !check_i64(word->bound, (int64_t *)(void *)at)
		                               : !check_u32(word->bound, end, *(const uint32_t *)(const void *)at))
			return i;
	return n;
}

size_t ompp_records_check(enum ompp_section section, const struct ompp_profile *p, void *records, size_t n)
{
	struct ompp_words words = ompp_schemas[section].words();
	size_t record_bytes = ompp_schemas[section].record_bytes, done = 0;
	int are_good = 1;

	while (done < n && are_good) { /* some at a time, which stay in the cache while each word is checked */
		size_t n_some = n - done < RECORDS_AT_ONCE ? n - done : RECORDS_AT_ONCE, n_good = n_some;

		for (size_t i = 0; i < words.n; i++)
			n_good = check_word(&words.list[i], p,
			                    (char *)records + done * record_bytes + words.list[i].offset, record_bytes,
			                    n_good);
		done += n_good;
		are_good = n_good == n_some;
	}
	return done;
}
