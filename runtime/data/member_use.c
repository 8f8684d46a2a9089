/*
 * Member use: see member_use.h.
 */
#include "runtime/data/member_use.h"

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/data/object.h"
#include "runtime/data/tally.h"

struct ompp_member_uses *ompp_member_uses_new(void)
{
	return ompp_data_alloc(sizeof(struct ompp_member_uses));
}

static int member_is(const struct ompp_member_use *u, const struct ompp_member_use *wanted)
{
	return u->node == wanted->node && u->object == wanted->object && u->how == wanted->how &&
	       u->offset == wanted->offset && u->n_bytes == wanted->n_bytes;
}

/* Adds to the entry that is like this one, perhaps a new one. */
static void member_add(struct ompp_member_uses *uses, const struct ompp_member_use *wanted)
{
	uint64_t h = ((uintptr_t)wanted->node ^ (uint64_t)wanted->object << 40 ^ (uint64_t)wanted->offset << 16 ^
	              (uint64_t)wanted->n_bytes << 4 ^ wanted->how) *
	             0x9E3779B97F4A7C15u;
	struct ompp_member_use *u;

	for (size_t at = (size_t)(h >> 40);; at++) {
		u = &uses->use[at % OMPP_MEMBER_USES];
		if (member_is(u, wanted)) {
			ompp_tally_add(&u->n, wanted->n);
			return;
		}
		if (!u->node)
			break;
	}
	if (uses->n_used >= OMPP_MEMBER_USES_MOST) {
		ompp_tally_add(&uses->n_lost, wanted->n);
		return;
	}
	uses->n_used++;
	u->object = wanted->object;
	u->how = wanted->how;
	u->offset = wanted->offset;
	u->n_bytes = wanted->n_bytes;
	u->n = wanted->n;
	__atomic_store_n(&u->node, wanted->node, __ATOMIC_RELEASE);
}

/* Counts n accesses at one place of the elements. */
static void member_count_at(struct ompp_member_uses *uses, const void *node, uint32_t object,
                            const struct ompp_member_frame *frame, uint64_t at, uint64_t n, size_t n_bytes,
                            enum ompp_member_how how)
{
	struct ompp_member_use use = { .node = node, .object = object, .how = how, .n = n };
	uint64_t size = frame->n_bytes, offset = at % size, now;

	if (at >= frame->open) {
		use.offset = (uint32_t)frame->open;
		use.n_bytes = (uint32_t)(n_bytes < UINT32_MAX ? n_bytes : UINT32_MAX);
		member_add(uses, &use);
		return;
	}
	for (; n_bytes; n_bytes -= now, offset = 0) {
		now = n_bytes < size - offset ? n_bytes : size - offset;
		use.offset = (uint32_t)offset;
		use.n_bytes = (uint32_t)now;
		use.n = n;
		if (!offset && n_bytes >= size) { /* so many whole elements */
			use.n = n * (n_bytes / size);
			now = n_bytes / size * size;
		}
		member_add(uses, &use);
	}
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

void ompp_member_count(struct ompp_member_uses *uses, const void *node, uint32_t object,
                       const struct ompp_member_frame *frame, uint64_t at, size_t step, size_t n, size_t n_bytes,
                       enum ompp_member_how how)
{
	uint64_t far = (intptr_t)step < 0 ? -(uint64_t)step : step, n_places;

	ompp_assert(frame->n_bytes && frame->n_bytes <= UINT32_MAX);
	if (n == 1 || !step) {
		member_count_at(uses, node, object, frame, at, n, n_bytes, how);
		return;
	}
	/* after so many steps an access is where another element has the same bytes */
	n_places = frame->open != UINT64_MAX ? n : frame->n_bytes / greatest_divisor(far, frame->n_bytes);
	for (uint64_t i = 0; i < n_places && i < n; i++)
		member_count_at(uses, node, object, frame, at + i * step, n / n_places + (i < n % n_places), n_bytes,
		                how);
}
