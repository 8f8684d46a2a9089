/*
 * Wish: see wish.h.
 */
#include "runtime/terms/wish.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/nearest.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/terms/option.h"

enum { MAX_WORDS = 64, NEAR_BYTES = 64, LINE_BYTES = 256, MAX_WAITS = 10000 };

struct word {
	const char *text;
	size_t n_bytes;
	_Atomic int is_met;
	unsigned int n_edits;  /* of the nearest name; written and read under the lock */
	char near[NEAR_BYTES]; /* "": none is near */
};

static struct list {
	const char *subject; /* NULL: not begun */
	const char *words;
	size_t n;
	struct word items[MAX_WORDS];
} lists[OMPP_N_WISH_LISTS];

static const char *const unmet[OMPP_N_WISH_LISTS][2] = {
	[OMPP_WISH_FILTER] = { "no region '", "' was run" },
	[OMPP_WISH_FUNCTIONS] = { "no function '", "' was called in what kinst --functions compiled" },
};

static atomic_flag lock = ATOMIC_FLAG_INIT;

/* Takes the lock.  Returns 0, or −1 when the holder does not let go, as this may be a signal handler that interrupted
 * it. */
static int take_lock(void)
{
	for (int i = 0; i < MAX_WAITS; i++) {
		if (!atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
			return 0;
		ompp_sys_yield();
	}
	return -1;
}

void ompp_wish_begin(enum ompp_wish_list which, const char *subject, const char *words)
{
	struct list *list = &lists[which];
	const char *rest = words, *text;
	size_t n_bytes;

	list->n = 0;
	while (list->n < MAX_WORDS && (n_bytes = ompp_list_next(&rest, &text))) {
		struct word *word = &list->items[list->n++];

		word->text = text;
		word->n_bytes = n_bytes;
		word->n_edits = (unsigned int)n_bytes / 3 + 2; /* one more than may be */
		word->near[0] = '\0';
		atomic_store(&word->is_met, 0);
	}
	list->words = words;
	list->subject = subject;
}

int ompp_wish_is_empty(enum ompp_wish_list which)
{
	return !lists[which].n;
}

int ompp_wish_has(enum ompp_wish_list which, const char *name)
{
	struct list *list = &lists[which];
	size_t n = strlen(name);
	int found = 0;

	for (size_t i = 0; i < list->n; i++)
		if (ompp_text_same(list->items[i].text, list->items[i].n_bytes, name, n)) {
			atomic_store_explicit(&list->items[i].is_met, 1, memory_order_relaxed);
			found = 1;
		}
	return found || (list->n == MAX_WORDS && ompp_list_has(list->words, name, n));
}

void ompp_wish_met(enum ompp_wish_list which, size_t i)
{
	if (i < lists[which].n)
		atomic_store_explicit(&lists[which].items[i].is_met, 1, memory_order_relaxed);
}

void ompp_wish_consider(enum ompp_wish_list which, const char *name)
{
	struct list *list = &lists[which];
	size_t n = strlen(name);

	if (!list->n || !n || n >= NEAR_BYTES || take_lock())
		return;
	for (size_t i = 0; i < list->n; i++) {
		struct word *word = &list->items[i];
		unsigned int n_edits;

		if (atomic_load_explicit(&word->is_met, memory_order_relaxed))
			continue;
		n_edits = ompp_distance(word->text, word->n_bytes, name, n);
		if (n_edits < word->n_edits) {
			word->n_edits = n_edits;
			memcpy(word->near, name, n + 1);
		}
	}
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

void ompp_wish_tell(void (*say)(const char *line))
{
	for (int which = 0; which < OMPP_N_WISH_LISTS; which++)
		for (size_t i = 0; i < lists[which].n; i++) {
			struct word *word = &lists[which].items[i];
			char line[LINE_BYTES];
			struct ompp_text t;

			if (atomic_exchange(&word->is_met, 1))
				continue;
			ompp_text_init(&t, line, sizeof(line));
			ompp_text_str(&t, lists[which].subject);
			ompp_text_str(&t, ": ");
			ompp_text_str(&t, unmet[which][0]);
			ompp_text_strn(&t, word->text, word->n_bytes < NEAR_BYTES ? word->n_bytes : NEAR_BYTES);
			ompp_text_str(&t, unmet[which][1]);
			if (word->n_edits && word->near[0]) {
				ompp_text_str(&t, "; did you mean '");
				ompp_text_str(&t, word->near);
				ompp_text_str(&t, "'?");
			}
			say(line);
		}
}
