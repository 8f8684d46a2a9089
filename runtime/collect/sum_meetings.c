/*
 * Sum, meetings: see sum_meetings.h.
 */
#include "runtime/collect/sum_meetings.h"

#include <errno.h>

#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/events/meetings.h"
#include "runtime/host/file.h"

enum { NAME_BYTES = 128 };

/* Returns a name of CLOCK_MONOTONIC that all processes have that read the same one: of the kernel's start and of the
 * time namespace; "" where it is not known. */
static const char *clock_domain(struct ompp_arena *arena)
{
	char boot[NAME_BYTES], space[NAME_BYTES], both[2 * NAME_BYTES];
	struct ompp_text t;
	ssize_t n = ompp_sys_readlink("/proc/self/ns/time", space, sizeof(space) - 1);

	if (ompp_file_line("/proc/sys/kernel/random/boot_id", boot, sizeof(boot)) <= 0)
		return "";
	space[n > 0 ? n : 0] = '\0'; /* before Linux 5.6 there are none */
	ompp_text_init(&t, both, sizeof(both));
	ompp_text_str(&t, boot);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, space);
	return ompp_arena_strdup(arena, both);
}

/* Returns CLOCK_MONOTONIC at a reading of the clock, which was never stopped. */
static int64_t monotonic_at(struct ompp_clock_rate rate, uint64_t ticks)
{
	const struct ompp_clock_anchor *start = &ompp_session.start;

	return start->monotonic_ns + ompp_clock_ns(rate, (int64_t)(ticks - start->ticks));
}

/* Adds the meetings of one list.  Returns how many. */
static size_t add_list(int are_messages, struct ompp_mpi_meeting *out, const uint32_t *index, uint32_t n_ids,
                       struct ompp_clock_rate rate)
{
	const struct ompp_meeting *m;
	size_t n = 0;

	for (uint32_t i = 0; (m = ompp_meetings(are_messages, i)); i++) {
		if (!m->region || m->region > n_ids || index[m->region] == OMPP_NONE)
			continue;
		out[n++] = (struct ompp_mpi_meeting){ .kind = m->kind,
			                              .region = index[m->region],
			                              .peer = m->peer,
			                              .key = m->key,
			                              .index = m->index,
			                              .n_all = ompp_meeting_total(m->place),
			                              .begin_ns = monotonic_at(rate, m->begin_ticks),
			                              .end_ns = monotonic_at(rate, m->end_ticks),
			                              .post_ns = monotonic_at(rate, m->post_ticks) };
	}
	return n;
}

static uint32_t list_length(int are_messages)
{
	uint32_t n = 0;

	while (ompp_meetings(are_messages, n))
		n++;
	return n;
}

int ompp_collect_meetings(struct ompp_profile *p, struct ompp_arena *arena, const uint32_t *index, uint32_t n_ids,
                          struct ompp_clock_rate rate)
{
	struct ompp_mpi_meeting *out;
	size_t n;

	p->clock_domain = "";
	if (p->off_ns || ompp_clock_kind == OMPP_CLOCK_FAKE || ompp_meetings_stop())
		return 0;
	n = (size_t)list_length(0) + list_length(1);
	out = n ? ompp_arena_alloc(arena, n * sizeof(*out)) : NULL;
	if (out) {
		p->clock_domain = clock_domain(arena);
		p->n_meetings = add_list(0, out, index, n_ids, rate);
		p->n_meetings += add_list(1, out + p->n_meetings, index, n_ids, rate);
		p->meetings = out;
	}
	ompp_meetings_go();
	return (n && !out) || !p->clock_domain ? -ENOMEM : 0;
}
