/*
 * MPI meeting: see mpi_meeting.h.
 */
#include "runtime/interpose/mpi_meeting.h"

#include <stddef.h>

#include "runtime/base/relaxed.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/partners.h"
#include "runtime/host/clock.h"
#include "runtime/interpose/mpi_library.h"

enum {
	TAGS_OF_STEP = 6 /* bits: programs that count their steps in tags leave a few for what they send in one */
};

static const struct ompp_mpi_channel no_channel = { .place = -1 };

static struct ompp_mpi_channel channel_of(uint64_t comm, int from, int to, int tag, enum ompp_meeting_kind kind)
{
	uint64_t key = ompp_meeting_key(comm, ((uint64_t)from << 32 | (uint32_t)to) + 1);

	key = ompp_meeting_key(key, (uint64_t)tag + 1);
	return (struct ompp_mpi_channel){ ompp_meeting_place(ompp_meeting_counted(key, kind)), tag,
		                          kind == OMPP_MEETING_SEND ? to : from, key };
}

/* Channels that this thread used last.  A communicator's key is never that of another one. */
enum { N_USED = 8 };
struct used {
	uint64_t comm;
	int rank, tag;
	enum ompp_meeting_kind kind;
	struct ompp_mpi_channel channel;
};
static __thread struct used used[N_USED] __attribute__((tls_model("initial-exec")));

/* Returns the messages to, or from, a rank of a communicator whose key is known. */
static struct ompp_mpi_channel channel_in(struct ompp_mpi_comm comm, int rank, int tag, enum ompp_meeting_kind kind)
{
	struct used *u = &used[(uint32_t)(rank ^ tag ^ (int)kind) % N_USED];
	uint32_t n;
	int other, own;

	if (u->comm == comm.key && u->rank == rank && u->tag == tag && u->kind == kind)
		return u->channel;
	other = ompp_mpi_world_rank(comm.group, rank);
	own = ompp_partners_rank(&n);
	if (other < 0 || own < 0)
		return no_channel;
	*u = (struct used){ .comm = comm.key,
		            .rank = rank,
		            .tag = tag,
		            .kind = kind,
		            .channel = kind == OMPP_MEETING_SEND ? channel_of(comm.key, own, other, tag, kind)
		                                                 : channel_of(comm.key, other, own, tag, kind) };
	return u->channel;
}

static int are_many(void)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();

	return !abi || abi->has_many;
}

/* Several threads that send, or receive, at once have no order that we see. */
static int is_in_order(void)
{
	static const struct ompp_thread *first;
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();

	if (!abi || !abi->has_many)
		return abi != NULL;
	if (!OMPP_LOAD(&first))
		OMPP_STORE(&first, ompp_self);
	if (OMPP_LOAD(&first) == ompp_self)
		return 1;
	ompp_meeting_spoil_messages();
	return 0;
}

struct ompp_mpi_channel ompp_mpi_channel_to(struct ompp_mpi_comm comm, int rank, int tag)
{
	return comm.key && tag >= 0 && is_in_order() ? channel_in(comm, rank, tag, OMPP_MEETING_SEND) : no_channel;
}

struct ompp_mpi_channel ompp_mpi_channel_from(struct ompp_mpi_comm comm, int rank, int tag)
{
	return comm.key && tag >= 0 && is_in_order() ? channel_in(comm, rank, tag, OMPP_MEETING_RECEIVE) : no_channel;
}

/* ---- keeping ---- */

static uint64_t phase_of(uint64_t index, int tag)
{
	return index + ((uint64_t)tag >> TAGS_OF_STEP);
}

static int is_measured(void)
{
	return ompp_mpi_now.began_ticks && !OMPP_LOAD(&ompp_session.off);
}

/* Fills in what the call in which the thread is began.  Returns 0 when it is not to be kept. */
static int begun_of(struct ompp_mpi_begun *b, enum ompp_meeting_kind kind, uint64_t index, uint64_t phase)
{
	if (!ompp_meeting_is_kept(kind, phase) || !is_measured())
		return 0;
	b->meeting.index = index;
	b->meeting.begin_ticks = b->meeting.post_ticks = ompp_mpi_now.began_ticks;
	b->meeting.end_ticks = ompp_clock();
	b->meeting.region = ompp_mpi_now.region;
	b->meeting.kind = kind;
	b->phase = phase;
	b->with = NULL;
	return 1;
}

static void keep_with(const struct ompp_mpi_begun *b)
{
	int are_from = b->meeting.kind == OMPP_MEETING_RECEIVE;
	struct ompp_meeting m = b->meeting;

	for (uint32_t i = 0; i < b->with->n[are_from]; i++) {
		m.key = b->with->list[are_from][i].key;
		m.peer = b->with->list[are_from][i].rank;
		ompp_meeting_keep(&m, b->phase);
	}
}

static void begun_keep(const struct ompp_mpi_begun *b)
{
	if (b->with)
		keep_with(b);
	else
		ompp_meeting_keep(&b->meeting, b->phase);
}

void ompp_mpi_completed(struct ompp_mpi_begun *list, uint32_t n, int is_told)
{
	uint64_t end_ticks = n ? ompp_clock() : 0;

	is_told &= is_measured();
	for (uint32_t i = 0; i < n; i++)
		is_told &= ompp_meeting_is_kept(list[i].meeting.kind, list[i].phase);
	for (uint32_t i = 0; i < n; i++) {
		struct ompp_meeting *m = &list[i].meeting;

		if (is_told || (m->kind <= OMPP_MEETING_SOME && m->peer > 1)) {
			m->begin_ticks = is_told ? ompp_mpi_now.began_ticks : end_ticks;
			m->end_ticks = end_ticks;
			m->region = is_told ? ompp_mpi_now.region : m->region;
			begun_keep(&list[i]);
		} else {
			ompp_mpi_not_completed(&list[i]);
		}
	}
}

void ompp_mpi_not_completed(struct ompp_mpi_begun *b)
{
	if (b->meeting.kind != OMPP_MEETING_SEND && b->meeting.kind != OMPP_MEETING_SYNCHRONOUS)
		return;
	b->meeting.kind = OMPP_MEETING_SEND;
	begun_keep(b);
}

/* ---- collective calls ---- */

int ompp_mpi_collective_begun(struct ompp_mpi_comm comm, enum ompp_meeting_kind kind, struct ompp_mpi_begun *b)
{
	uint64_t index;

	if (comm.place < 0)
		return 0;
	index = ompp_meeting_next(comm.place, are_many());
	if (!begun_of(b, kind, index, index))
		return 0;
	b->meeting.key = comm.key;
	b->meeting.place = comm.place;
	b->meeting.peer = comm.group->n;
	return 1;
}

int ompp_mpi_neighbours_begun(struct ompp_mpi_comm comm, const struct ompp_mpi_neighbours *with,
                              struct ompp_mpi_begun *b)
{
	uint64_t index;

	if (comm.place < 0)
		return 0;
	index = ompp_meeting_next(comm.place, are_many());
	if (!with || !begun_of(b, OMPP_MEETING_RECEIVE, index, index))
		return 0;
	b->meeting.place = comm.place;
	b->meeting.kind = OMPP_MEETING_SEND;
	b->with = with;
	begun_keep(b);
	b->meeting.kind = OMPP_MEETING_RECEIVE;
	return 1;
}

int ompp_mpi_copy_begun(struct ompp_mpi_comm of, struct ompp_mpi_copy copy, struct ompp_mpi_begun *b)
{
	if (copy.place < 0 || of.place < 0 || !begun_of(b, OMPP_MEETING_SOME, copy.index, copy.index))
		return 0;
	b->meeting.key = copy.key;
	b->meeting.place = copy.place;
	b->meeting.peer = of.group->n;
	return 1;
}

int ompp_mpi_alone_begun(struct ompp_mpi_begun *b)
{
	uint32_t n;
	int rank = ompp_partners_rank(&n);
	uint64_t key = ompp_meeting_key(OMPP_MPI_WORD_ALONE, (uint64_t)rank + 1), index;
	int32_t place = rank < 0 ? -1 : ompp_meeting_place(key);

	if (place < 0)
		return 0;
	index = ompp_meeting_next(place, are_many());
	if (!begun_of(b, OMPP_MEETING_SOME, index, index))
		return 0;
	b->meeting.key = key;
	b->meeting.place = place;
	b->meeting.peer = 1;
	return 1;
}

struct ompp_mpi_comm ompp_mpi_persistent(struct ompp_mpi_comm comm)
{
	int32_t inits = comm.place < 0 ? -1 : ompp_meeting_place(ompp_meeting_key(comm.key, OMPP_MPI_WORD_PERSISTENT));

	comm.place = -1;
	if (inits >= 0) {
		comm.key = ompp_meeting_key(ompp_meeting_key(comm.key, OMPP_MPI_WORD_STARTS),
		                            ompp_meeting_next(inits, 1) + 1);
		comm.place = ompp_meeting_place(comm.key);
	}
	return comm;
}

void ompp_mpi_met(struct ompp_mpi_comm comm, enum ompp_meeting_kind kind)
{
	struct ompp_mpi_begun b;

	if (ompp_mpi_collective_begun(comm, kind, &b))
		begun_keep(&b);
}

void ompp_mpi_met_neighbours(struct ompp_mpi_comm comm, const struct ompp_mpi_neighbours *with)
{
	struct ompp_mpi_begun b;

	if (ompp_mpi_neighbours_begun(comm, with, &b))
		begun_keep(&b);
}

/* ---- messages ---- */

int ompp_mpi_send_begun(struct ompp_mpi_channel to, enum ompp_meeting_kind kind, struct ompp_mpi_begun *b)
{
	uint64_t index;

	if (to.place < 0)
		return 0;
	index = ompp_meeting_next(to.place, are_many());
	if (!begun_of(b, kind, index, phase_of(index, to.tag)))
		return 0;
	b->meeting.key = to.key;
	b->meeting.place = to.place;
	b->meeting.peer = (uint32_t)to.peer;
	return 1;
}

void ompp_mpi_sent(struct ompp_mpi_channel to, enum ompp_meeting_kind kind)
{
	struct ompp_mpi_begun b;

	if (ompp_mpi_send_begun(to, kind, &b))
		begun_keep(&b);
}

struct ompp_mpi_receive ompp_mpi_receive_begin(struct ompp_mpi_comm comm, int rank, int tag)
{
	struct ompp_mpi_receive r = { .from = ompp_mpi_channel_from(comm, rank, tag),
		                      .posted_ticks = ompp_mpi_now.began_ticks,
		                      .posted_at = ompp_meeting_now() };

	if (r.from.place >= 0)
		r.index = ompp_meeting_next_receive(r.from.place, are_many());
	return r;
}

void ompp_mpi_receive_end(struct ompp_mpi_receive *r, struct ompp_mpi_comm comm, int rank, int tag)
{
	if (r->from.place >= 0)
		return;
	r->from = ompp_mpi_channel_from(comm, rank, tag);
	if (r->from.place < 0)
		return;
	if (ompp_meeting_was_counted(r->from.place, r->posted_at)) /* which of them is this? */
		ompp_meeting_spoil(r->from.place);
	r->index = ompp_meeting_next_receive(r->from.place, are_many());
}

void ompp_mpi_receive_cancel(const struct ompp_mpi_receive *r)
{
	if (r->from.place >= 0)
		ompp_meeting_spoil(r->from.place);
}

int ompp_mpi_receive_begun(const struct ompp_mpi_receive *r, struct ompp_mpi_begun *b)
{
	if (r->from.place < 0 || !begun_of(b, OMPP_MEETING_RECEIVE, r->index, phase_of(r->index, r->from.tag)))
		return 0;
	b->meeting.post_ticks = r->posted_ticks;
	b->meeting.key = r->from.key;
	b->meeting.place = r->from.place;
	b->meeting.peer = (uint32_t)r->from.peer;
	return 1;
}
