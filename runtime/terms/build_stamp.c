/*
 * Build stamp: see build_stamp.h.
 */
#include "runtime/terms/build_stamp.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { STAMP_EMPTY, STAMP_TAKEN, STAMP_KEPT };

/* By of_program.  The first one that sets its state to STAMP_TAKEN writes it; readers see it from STAMP_KEPT on. */
static struct ompp_build_stamp stamps[2];
static _Atomic int states[2];

static void stamp_copy(char *to, const char *from, size_t room)
{
	size_t n = strnlen(from, room - 1);

	memcpy(to, from, n);
	to[n] = '\0';
}

void ompp_build_stamp_keep(const char *text, const char *commit, int64_t commit_unix_s, int is_modified, int of_program)
{
	int which = of_program != 0, empty = STAMP_EMPTY;
	struct ompp_build_stamp *s = &stamps[which];

	if (!text || !commit || !atomic_compare_exchange_strong(&states[which], &empty, STAMP_TAKEN))
		return;
	stamp_copy(s->text, text, sizeof(s->text));
	stamp_copy(s->commit, commit, sizeof(s->commit));
	s->commit_unix_s = commit_unix_s;
	s->is_modified = is_modified != 0;
	atomic_store_explicit(&states[which], STAMP_KEPT, memory_order_release);
}

const struct ompp_build_stamp *ompp_build_stamp_get(void)
{
	for (int which = 1; which >= 0; which--)
		if (atomic_load_explicit(&states[which], memory_order_acquire) == STAMP_KEPT)
			return &stamps[which];
	return NULL;
}
