/*
 * Element: see element.h.
 */
#include "runtime/program/element.h"

#include <errno.h>
#include <string.h>

#include "runtime/program/debuginfo.h"

/* The members as they come. */
struct element_taker {
	struct ompp_arena *arena;
	struct ompp_element_member *all;
	size_t n, n_have;
};

static int element_take(void *context, struct ompp_message *message)
{
	struct element_taker *taker = context;
	struct ompp_element_member *m = ompp_arena_grow(taker->arena, taker->all, &taker->n_have, taker->n + 1,
	                                                sizeof(*m));

	if (!m)
		return -ENOMEM;
	taker->all = m;
	m += taker->n;
	ompp_message_get(message, m, sizeof(*m));
	m->name = ompp_arena_strdup(taker->arena, ompp_message_get_text(message));
	m->type = ompp_arena_strdup(taker->arena, ompp_message_get_text(message));
	if (message->is_bad || taker->n == OMPP_ELEMENT_MOST_MEMBERS || m->n_arrays > OMPP_ELEMENT_DEPTH)
		return -EPROTO;
	taker->n++;
	return m->name && m->type ? 0 : -ENOMEM;
}

/* Takes the END of an answer.  Returns 0 or -errno. */
static int element_end(struct ompp_message *m, const struct element_taker *taker, struct ompp_element *element)
{
	*element = (struct ompp_element){ .members = taker->all, .n = taker->n };
	element->n_bytes = (uint64_t)ompp_message_get_i64(m);
	element->flags = (uint32_t)ompp_message_get_i64(m);
	element->type = ompp_arena_strdup(taker->arena, ompp_message_get_text(m));
	if (!element->type)
		return -ENOMEM;
	if (!element->n_bytes || !element->n)
		return element->flags & OMPP_ELEMENT_NONE ? -ENODATA : -ENOENT;
	return m->is_bad || element->n_bytes > OMPP_ELEMENT_MOST_BYTES ? -EPROTO : 0;
}

int ompp_element_find(const char *path, const struct ompp_element_question *question, struct ompp_arena *arena,
                      struct ompp_element *element)
{
	struct element_taker taker = { .arena = arena };
	struct ompp_arena own;
	struct ompp_message *m;
	int rc = -ENOMEM;

	ompp_arena_init(&own, 0);
	m = ompp_arena_alloc(&own, sizeof(*m));
	if (m) {
		ompp_debuginfo_begin(m, OMPP_DEBUGINFO_ELEMENT, path);
		ompp_message_put_i64(m, question->by);
		ompp_message_put_i64(m, (int64_t)question->address);
		ompp_message_put_text(m, question->name);
		ompp_message_put_i64(m, (int64_t)question->n_earlier);
		ompp_message_put(m, question->earlier, question->n_earlier * sizeof(question->earlier[0]));
		rc = ompp_debuginfo_ask(m, element_take, &taker, NULL);
		rc = rc ? rc : element_end(m, &taker, element);
	}
	ompp_arena_fini(&own);
	return rc;
}

/* Returns how many bytes of a member are at an offset and behind it, where the member has a place there; 0 when not.
 * begin: set to where the place begins */
static uint64_t element_left(const struct ompp_element_member *m, uint64_t offset, uint64_t *begin)
{
	uint64_t at = offset - m->offset;

	if (offset < m->offset)
		return 0;
	for (uint32_t i = 0; i < m->n_arrays; i++) {
		if (!m->arrays[i].step || at / m->arrays[i].step >= m->arrays[i].n)
			return 0;
		at %= m->arrays[i].step;
	}
	*begin = offset - at;
	return at < m->n_bytes ? m->n_bytes - at : 0;
}

struct ompp_element_place ompp_element_at(const struct ompp_element *element, uint64_t offset, uint64_t n_bytes)
{
	struct ompp_element_place place = { OMPP_ELEMENT_NO_MEMBER, n_bytes };
	uint64_t begin = 0, left, most = 0, next;

	if (element->flags & OMPP_ELEMENT_OPEN && offset >= element->members[element->n - 1].offset)
		return (struct ompp_element_place){ element->n - 1, n_bytes };
	for (size_t i = 0; i < element->n && element->members[i].offset <= offset; i++) {
		const struct ompp_element_member *m = &element->members[i];

		left = element_left(m, offset, &begin);
		if (left >= n_bytes && m->unit == n_bytes && !((offset - begin) % m->unit))
			return (struct ompp_element_place){ i, n_bytes };
		if (left > most) {
			most = left;
			place = (struct ompp_element_place){ i, left < n_bytes ? left : n_bytes };
		}
	}
	/* nobody knows what is there: up to the next byte of a member */
	for (next = 1; place.member == OMPP_ELEMENT_NO_MEMBER && next < n_bytes; next++)
		for (size_t i = 0; i < element->n; i++)
			if (element_left(&element->members[i], offset + next, &begin))
				return (struct ompp_element_place){ OMPP_ELEMENT_NO_MEMBER, next };
	return place;
}

static int is_loose(const struct ompp_element_member *m)
{
	return m->kind == OMPP_ELEMENT_BITS || m->kind == OMPP_ELEMENT_UNION || !m->unit;
}

/* Is a byte one behind which a scalar ends, or in padding? */
static int element_ends(const struct ompp_element *element, uint64_t last)
{
	int is_any = 0;
	uint64_t begin;

	for (size_t i = 0; i < element->n && element->members[i].offset <= last; i++) {
		const struct ompp_element_member *m = &element->members[i];

		if (m->kind == OMPP_ELEMENT_PADDING || !element_left(m, last, &begin))
			continue;
		if (is_loose(m) || !((last + 1 - begin) % m->unit))
			return 1;
		is_any = 1;
	}
	return !is_any;
}

int ompp_element_fits(const struct ompp_element *element, uint64_t offset, uint64_t n_bytes)
{
	uint64_t begin;

	if (element->flags & OMPP_ELEMENT_OPEN && offset + n_bytes > element->members[element->n - 1].offset)
		return 1;
	for (size_t i = 0; i < element->n && element->members[i].offset <= offset; i++) {
		const struct ompp_element_member *m = &element->members[i];

		if (m->kind == OMPP_ELEMENT_PADDING || !element_left(m, offset, &begin))
			continue;
		if (is_loose(m) || (!((offset - begin) % m->unit) &&
		                    (n_bytes <= m->unit || element_ends(element, offset + n_bytes - 1))))
			return 1;
	}
	return 0;
}
