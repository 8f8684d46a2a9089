/*
 * Page writers: see page_writers.h.
 */
#include "runtime/memory/page_writers.h"

#include <stddef.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/sort.h"
#include "runtime/base/space.h"
#include "runtime/host/note.h"
#include "runtime/memory/touch.h"

enum { MOST_FAULTS = 1 << 18 };

struct fault {
	uintptr_t page;
	uint64_t time_ns;
	struct ompp_page_writer by; /* the thread is NULL when it was found */
};

/* Faults that were told, by the holder of the lock of touch.h.  Those behind n_sorted are not in order yet. */
static struct {
	struct fault *faults; /* [MOST_FAULTS], NULL while none are kept */
	uint32_t *order;      /* the same, by page and time */
	uint32_t n, n_sorted;
} told;

static void page_writers_keep(struct ompp_thread *thread, const struct ompp_callnode *node,
                              const struct ompp_mem_sample *sample)
{
	if (told.n == MOST_FAULTS) {
		ompp_note_add(OMPP_NOTE_LOST_WRITER, 1);
		return;
	}
	ompp_assert(told.n < MOST_FAULTS && told.n_sorted <= told.n);
	told.faults[told.n++] = (struct fault){ .page = sample->address & ~(uintptr_t)(ompp_page_bytes() - 1),
		                                .time_ns = sample->time_ns,
		                                .by = { thread, node, sample->cpu } };
}

void ompp_page_writers_start(void)
{
	struct fault *faults = ompp_space_reserve(MOST_FAULTS * sizeof(*faults));
	uint32_t *order = ompp_space_reserve(MOST_FAULTS * sizeof(*order));

	if (!faults || !order)
		return; /* what there is stays unused */
	told.order = order;
	told.faults = faults;
	if (ompp_touches_hand_over(page_writers_keep))
		told.faults = NULL;
}

void ompp_page_writers_end(void)
{
	ompp_touches_hand_over(NULL);
	told.faults = NULL;
}

int ompp_page_writers_are_on(void)
{
	return told.faults != NULL;
}

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct fault *faults = context, *a = &faults[x], *b = &faults[y];

	return a->page != b->page ? a->page > b->page : a->time_ns > b->time_ns;
}

void ompp_page_writers_take(void)
{
	uint32_t n;

	if (!told.faults)
		return;
	ompp_touches_drain();
	if (ompp_touches_hold())
		return;
	n = told.n;
	ompp_touches_let_go();
	ompp_assert(told.n_sorted <= n);
	for (uint32_t i = told.n_sorted; i < n; i++)
		told.order[i] = i;
	for (uint32_t i = told.n_sorted ? told.n_sorted : 1; i < n; i++)
		if (is_after(told.faults, told.order[i - 1], told.order[i])) {
			ompp_sort(told.order, n, is_after, told.faults);
			break;
		}
	told.n_sorted = n;
}

/* Returns the place in the order of the first fault that is of the page or behind it. */
static uint32_t first_of(uintptr_t page)
{
	uint32_t lo = 0, hi = told.n_sorted;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (told.faults[told.order[middle]].page < page)
			lo = middle + 1;
		else
			hi = middle;
	}
	ompp_assert(!lo || told.faults[told.order[lo - 1]].page < page);
	ompp_assert(lo == told.n_sorted || told.faults[told.order[lo]].page >= page);
	return lo;
}

/* The write is the last fault before the kernel was asked: those before it were reads of fresh memory.  When there is
 * none, it may have come while the kernel answered, and then it is the first one. */
struct ompp_page_writer ompp_page_writers_find(uintptr_t page, uint64_t asked_ns, uint64_t answered_ns)
{
	struct ompp_page_writer by = { .cpu = UINT32_MAX };
	struct fault *found = NULL;

	ompp_assert(asked_ns <= answered_ns && !(page & (ompp_page_bytes() - 1)));
	for (uint32_t i = told.faults ? first_of(page) : told.n_sorted; i < told.n_sorted; i++) {
		struct fault *f = &told.faults[told.order[i]];

		if (f->page != page || f->time_ns >= answered_ns || (found && f->time_ns >= asked_ns))
			break;
		found = f->by.thread ? f : found;
	}
	if (found) {
		by = found->by;
		found->by.thread = NULL;
	}
	return by;
}

void ompp_page_writers_forget(uint64_t before_ns)
{
	uint32_t n = 0;

	if (!told.faults || ompp_touches_hold())
		return;
	for (uint32_t i = 0; i < told.n; i++)
		if (told.faults[i].by.thread && told.faults[i].time_ns >= before_ns)
			told.faults[n++] = told.faults[i];
	told.n = n;
	told.n_sorted = 0;
	ompp_touches_let_go();
}

void ompp_page_writers_after_fork(void)
{
	told.n = told.n_sorted = 0;
}
