/*
 * MPI request: see mpi_request.h.
 */
#define _GNU_SOURCE
#include "runtime/interpose/mpi_request.h"

#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/window.h"
#include "runtime/events/mpi_message.h"
#include "runtime/host/note.h"
#include "runtime/interpose/mpi_library.h"
#include "runtime/interpose/mpi_meeting.h"

enum { REQUEST_BITS = 16, N_PLACES = (1 << REQUEST_BITS) + OMPP_WINDOW, MOST_REQUESTS = 1 << 20 };
#define MESSAGE_BIT ((uintptr_t)1 << (8 * sizeof(uintptr_t) - 1)) /* no handle has it */

enum request_kind {
	A_RECEIVE,
	A_FILE,
	A_MESSAGE, /* that was probed */
	A_SEND,
	A_COLLECTIVE, /* operation */
	A_WRITE       /* to a file, of several ranks together */
};

/* What is known of a request or message.  It is written before its key, and then by who has taken the key; is_active
 * and `begun` by the thread that begins or completes the request, which MPI allows to one at a time. */
struct request {
	struct ompp_mpi_comm comm;
	int64_t bytes;              /* of a persistent send */
	int rank, tag;              /* as the program gave them; of a persistent send, rank is that in MPI_COMM_WORLD */
	struct ompp_mpi_channel to; /* of a persistent send */
	const struct ompp_mpi_neighbours *with; /* of a persistent collective operation among them */
	union {                                 /* since it was begun */
		struct ompp_mpi_receive receive;
		struct ompp_mpi_begun begun; /* of a send, collective operation or file, where has_begun */
	};
	uint64_t posted_ns;             /* ompp_mpi_message_begun() of the call that began to receive, or that probed */
	enum ompp_meeting_kind meeting; /* of a persistent send or collective operation */
	enum request_kind kind;
	unsigned char is_persistent, is_active, is_nobody, is_probed, is_among_neighbours, has_begun;
};

struct table {
	uintptr_t keys[N_PLACES];
	struct request requests[N_PLACES];
};

static struct table *table;
static uint32_t n_receives, n_others; /* in the table: where there are none, nothing is looked for */

/* Handles that MPI gives to all requests with which it is ready at once: they are in the table twice, if in it. */
enum { MOST_SHARED = 4 };
static uintptr_t shared[MOST_SHARED];

static struct table *table_here(void)
{
	return __atomic_load_n(&table, __ATOMIC_ACQUIRE);
}

static uint32_t *n_of(enum request_kind kind)
{
	return kind <= A_FILE ? &n_receives : &n_others;
}

/* Returns 0, or -1 without room. */
static int request_put(uintptr_t key, const struct request *request)
{
	struct table *t = ompp_space_table((void **)&table, sizeof(*t));
	int32_t place = t && key >= OMPP_WINDOW_FIRST ? ompp_window_new(t->keys, REQUEST_BITS, key) : -1;

	if (place < 0) {
		ompp_note_add(OMPP_NOTE_LOST_REQUEST, 1);
		return -1;
	}
	t->requests[place] = *request;
	__atomic_fetch_add(n_of(request->kind), 1, __ATOMIC_RELAXED);
	ompp_window_set(t->keys, place, key);
	return 0;
}

/* Takes a request out.  Returns 1 when it was there. */
static int request_remove(uintptr_t key, struct request *request)
{
	struct table *t = table_here();
	int32_t place = t ? ompp_window_take(t->keys, REQUEST_BITS, key) : -1;

	if (place < 0)
		return 0;
	*request = t->requests[place];
	__atomic_fetch_sub(n_of(request->kind), 1, __ATOMIC_RELAXED);
	ompp_window_set(t->keys, place, OMPP_WINDOW_FREE);
	return 1;
}

/* Of what no communicator is known: files, and messages that were probed. */
static const struct ompp_mpi_comm no_comm = { .place = -1 };
static const struct ompp_mpi_receive no_receive = { .from = { .place = -1 } };

static struct ompp_mpi_receive receive_begin(const struct request *r)
{
	return r->is_probed ? no_receive : ompp_mpi_receive_begin(r->comm, r->rank, r->tag);
}

int64_t ompp_mpi_request_receive(uintptr_t request, struct ompp_mpi_comm comm, int source, int tag,
                                 enum ompp_mpi_request_kind kind)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	int is_persistent = kind == OMPP_MPI_REQUEST_PERSISTENT, is_nobody = abi && source == abi->proc_null;
	struct request r = { .comm = comm,
		             .rank = source,
		             .tag = tag,
		             .posted_ns = ompp_mpi_message_begun(),
		             .is_persistent = is_persistent != 0,
		             .is_active = !is_persistent,
		             .is_nobody = is_nobody != 0,
		             .is_probed = kind == OMPP_MPI_REQUEST_PROBED,
		             .kind = A_RECEIVE };

	if (!abi)
		return OMPP_MPI_NOT_KNOWN;
	if (is_nobody && !is_persistent) /* such requests may share a handle */
		return 0;
	r.receive = is_persistent ? no_receive : receive_begin(&r);
	if (!request_put(ompp_mpi_handle(abi, request, 0), &r))
		return 0;
	if (r.receive.from.place < 0 && !is_persistent)
		ompp_meeting_spoil_messages();
	return OMPP_MPI_NOT_KNOWN;
}

int64_t ompp_mpi_request_read(uintptr_t request, const struct ompp_mpi_begun *b)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	struct request r = { .comm = no_comm, .is_active = 1, .kind = A_FILE, .has_begun = b != NULL };

	if (!abi)
		return OMPP_MPI_NOT_KNOWN;
	if (b)
		r.begun = *b;
	return request_put(ompp_mpi_handle(abi, request, 0), &r) ? OMPP_MPI_NOT_KNOWN : 0;
}

static int is_shared(uintptr_t key)
{
	for (int i = 0; i < MOST_SHARED; i++)
		if (OMPP_LOAD(&shared[i]) == key)
			return 1;
	return 0;
}

/* Notes such a handle.  Where there are more, the last ones are found again each time. */
static void shared_add(uintptr_t key)
{
	for (int i = 0; i < MOST_SHARED; i++) {
		uintptr_t have = 0;

		if (__atomic_compare_exchange_n(&shared[i], &have, key, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return;
	}
}

/* Is MPI ready with a request that just began, so that it has the handle of others? */
static int is_ready(uintptr_t key)
{
	struct table *t = table_here();

	if (is_shared(key))
		return 1;
	if (!t || ompp_window_find(t->keys, REQUEST_BITS, key) < 0)
		return 0;
	shared_add(key);
	return 1;
}

void ompp_mpi_request_write(uintptr_t request)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	uintptr_t key = abi ? ompp_mpi_handle(abi, request, 0) : 0;

	if (abi && !is_ready(key))
		request_put(key, &(struct request){ .comm = no_comm, .is_active = 1, .kind = A_WRITE });
}

void ompp_mpi_request_begun(uintptr_t request, struct ompp_mpi_begun *b)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	uintptr_t key = abi ? ompp_mpi_handle(abi, request, 0) : 0;

	if (is_ready(key) ||
	    request_put(key, &(struct request){ .begun = *b,
	                                        .kind = b->meeting.kind <= OMPP_MEETING_SOME || b->with ? A_COLLECTIVE
	                                                                                                : A_SEND,
	                                        .is_active = 1,
	                                        .has_begun = 1 }))
		ompp_mpi_not_completed(b);
}

void ompp_mpi_request_collective(uintptr_t request, struct ompp_mpi_comm comm, enum ompp_meeting_kind kind)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();

	if (abi)
		request_put(ompp_mpi_handle(abi, request, 0), &(struct request){ .comm = ompp_mpi_persistent(comm),
		                                                                 .meeting = kind,
		                                                                 .is_persistent = 1,
		                                                                 .kind = A_COLLECTIVE });
}

void ompp_mpi_request_neighbours(uintptr_t request, struct ompp_mpi_comm comm, const struct ompp_mpi_neighbours *with)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();

	if (abi)
		request_put(ompp_mpi_handle(abi, request, 0), &(struct request){ .comm = ompp_mpi_persistent(comm),
		                                                                 .with = with,
		                                                                 .is_persistent = 1,
		                                                                 .is_among_neighbours = 1,
		                                                                 .kind = A_COLLECTIVE });
}

void ompp_mpi_request_send(uintptr_t request, struct ompp_mpi_comm comm, int rank, int tag, int64_t bytes,
                           enum ompp_meeting_kind kind)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();

	if (abi && request_put(ompp_mpi_handle(abi, request, 0),
	                       &(struct request){ .comm = comm,
	                                          .bytes = bytes,
	                                          .rank = ompp_mpi_world_rank(comm.group, rank),
	                                          .tag = tag,
	                                          .to = ompp_mpi_channel_to(comm, rank, tag),
	                                          .meeting = kind,
	                                          .is_persistent = 1,
	                                          .kind = A_SEND,
	                                          .is_nobody = rank < 0 }))
		ompp_meeting_spoil_messages();
}

/* Begins a persistent request.  Returns the bytes sent. */
static int64_t start_one(struct request *r)
{
	r->is_active = 1;
	r->has_begun = 0;
	if (r->is_nobody)
		return 0;
	if (r->kind == A_RECEIVE) {
		r->receive = receive_begin(r);
		r->posted_ns = ompp_mpi_message_begun();
		return 0;
	}
	if (r->kind == A_COLLECTIVE) {
		r->has_begun = r->is_among_neighbours ? ompp_mpi_neighbours_begun(r->comm, r->with, &r->begun) != 0
		                                      : ompp_mpi_collective_begun(r->comm, r->meeting, &r->begun) != 0;
		return OMPP_MPI_NOT_KNOWN;
	}
	ompp_mpi_message_add(&(struct ompp_mpi_message){
		.rank = r->rank, .tag = r->tag, .comm = ompp_mpi_comm_number(r->comm), .bytes = r->bytes });
	r->has_begun = ompp_mpi_send_begun(r->to, r->meeting, &r->begun) != 0;
	return r->bytes;
}

int64_t ompp_mpi_request_start(int64_t n, uintptr_t requests)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	struct table *t = table_here();
	int64_t bytes = 0, its_bytes;

	if (!abi || !t)
		return OMPP_MPI_NOT_KNOWN;
	for (int64_t i = 0; i < n; i++) {
		int32_t place = ompp_window_find(t->keys, REQUEST_BITS, ompp_mpi_handle(abi, requests, (size_t)i));
		struct request *r = place < 0 ? NULL : &t->requests[place];

		its_bytes = r ? start_one(r) : OMPP_MPI_NOT_KNOWN;
		bytes = bytes < 0 || its_bytes < 0 ? OMPP_MPI_NOT_KNOWN : bytes + its_bytes;
	}
	return bytes;
}

void ompp_mpi_request_forget(uintptr_t request)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	struct request r;

	if (!abi || !request_remove(ompp_mpi_handle(abi, request, 0), &r) || !r.is_active)
		return;
	if (r.kind <= A_FILE)
		ompp_note_add(OMPP_NOTE_LOST_REQUEST, 1);
	else if (r.has_begun)
		ompp_mpi_not_completed(&r.begun);
}

void ompp_mpi_message_keep(uintptr_t message, struct ompp_mpi_comm comm)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();

	if (abi)
		request_put(ompp_mpi_handle(abi, message, 0) | MESSAGE_BIT,
		            &(struct request){
				    .comm = comm, .posted_ns = ompp_mpi_message_begun(), .kind = A_MESSAGE });
}

struct ompp_mpi_from ompp_mpi_message_take(uintptr_t message)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	struct request r;
	int is_there = abi && request_remove(ompp_mpi_handle(abi, message, 0) | MESSAGE_BIT, &r);

	return is_there ? (struct ompp_mpi_from){ r.comm, 1, r.posted_ns } : (struct ompp_mpi_from){ no_comm, 1, 0 };
}

static int64_t received_bytes(const struct ompp_mpi_abi *abi, uintptr_t status)
{
	int64_t bytes;

	return ompp_mpi_questions.get_elements(status, abi->byte, &bytes) || bytes < 0 ? OMPP_MPI_NOT_KNOWN : bytes;
}

/* A message came.
 * from: its posted_ns is that of the call that began to receive, or probed */
static int64_t message_came(const struct ompp_mpi_abi *abi, uintptr_t status, struct ompp_mpi_from from,
                            struct ompp_mpi_receive *r)
{
	int64_t bytes;
	int at[2]; /* MPI_SOURCE and MPI_TAG */
	int is_cancelled;

	if (ompp_mpi_questions.test_cancelled(status, &is_cancelled))
		return OMPP_MPI_NOT_KNOWN;
	memcpy(at, (const char *)status + abi->source_at, sizeof(at));
	if (is_cancelled)
		ompp_mpi_receive_cancel(r);
	if (is_cancelled || at[0] < 0)
		return 0;
	bytes = received_bytes(abi, status);
	ompp_mpi_message_add(&(struct ompp_mpi_message){ .is_received = 1,
	                                                 .rank = ompp_mpi_world_rank(from.comm.group, at[0]),
	                                                 .tag = at[1],
	                                                 .comm = ompp_mpi_comm_number(from.comm),
	                                                 .bytes = bytes,
	                                                 .posted_ns = from.posted_ns });
	if (from.is_probed) {
		struct ompp_mpi_channel channel = ompp_mpi_channel_from(from.comm, at[0], at[1]);

		if (channel.place >= 0)
			ompp_meeting_spoil(channel.place);
	} else {
		ompp_mpi_receive_end(r, from.comm, at[0], at[1]);
	}
	return bytes;
}

int64_t ompp_mpi_received(uintptr_t status, struct ompp_mpi_from from)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	struct ompp_mpi_receive r = no_receive;
	struct ompp_mpi_begun b;
	int64_t bytes;

	if (!abi)
		return OMPP_MPI_NOT_KNOWN;
	r.posted_ticks = ompp_mpi_now.began_ticks;
	r.posted_at = ompp_meeting_now();
	if (!from.is_probed)
		from.posted_ns = ompp_mpi_message_begun();
	bytes = message_came(abi, status, from, &r);
	if (ompp_mpi_receive_begun(&r, &b))
		ompp_mpi_completed(&b, 1, 1);
	return bytes;
}

/* ---- completion ---- */

/* MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE are 0 or 1. */
static int is_ignored(uintptr_t statuses)
{
	return statuses <= 1;
}

/* Finds room for the handles, for what is complete and, where the program has none, for the statuses.  Returns 0, or -1
 * without memory. */
static int completion_room(struct ompp_mpi_completion *c, uint32_t n, int is_own)
{
	size_t handle_bytes = n * sizeof(*c->handles), met_bytes = n * sizeof(*c->met);

	c->handles = c->few_handles;
	c->met = c->few_met;
	if (is_own)
		c->statuses = (uintptr_t)c->few_statuses;
	if (n <= OMPP_MPI_FEW_REQUESTS)
		return 0;
	c->room_bytes = met_bytes + handle_bytes + (is_own ? n * c->abi->status_bytes : 0);
	c->room = ompp_space_take(c->room_bytes);
	if (!c->room)
		return -1;
	c->met = c->room;
	c->handles = (uintptr_t *)(c->met + n);
	if (is_own)
		c->statuses = (uintptr_t)(c->handles + n);
	return 0;
}

uintptr_t ompp_mpi_completion_begin(struct ompp_mpi_completion *c, int64_t n, uintptr_t requests, uintptr_t statuses)
{
	c->abi = ompp_mpi_abi();
	c->n = c->n_met = 0;
	c->room = NULL;
	c->statuses = statuses;
	c->is_told = 1;
	c->bytes = c->abi ? 0 : OMPP_MPI_NOT_KNOWN;
	c->has_statuses = OMPP_LOAD(&n_receives) != 0;
	if (!c->abi || n <= 0 || (!c->has_statuses && !OMPP_LOAD(&n_others)))
		return statuses;
	if (n > MOST_REQUESTS || completion_room(c, (uint32_t)n, c->has_statuses && is_ignored(statuses))) {
		c->statuses = statuses;
		c->bytes = OMPP_MPI_NOT_KNOWN;
		return statuses;
	}
	c->n = (uint32_t)n;
	for (uint32_t i = 0; i < c->n; i++)
		c->handles[i] = ompp_mpi_handle(c->abi, requests, i);
	return c->statuses;
}

/* Takes a request that is complete out of the table, unless it is a persistent one.  Returns 1 when it was there. */
static int request_complete(uintptr_t key, struct request *r)
{
	struct table *t = table_here();
	int32_t place = t ? ompp_window_find(t->keys, REQUEST_BITS, key) : -1;

	if (place < 0)
		return 0;
	if (!t->requests[place].is_persistent)
		return request_remove(key, r);
	*r = t->requests[place];
	t->requests[place].is_active = 0;
	return 1;
}

/* Something came by a request. */
static void completion_came(struct ompp_mpi_completion *c, struct request *r, uintptr_t status)
{
	int64_t bytes;

	if (r->kind == A_FILE) {
		bytes = received_bytes(c->abi, status);
	} else {
		bytes = message_came(c->abi, status, (struct ompp_mpi_from){ r->comm, r->is_probed, r->posted_ns },
		                     &r->receive);
		if (ompp_mpi_receive_begun(&r->receive, &c->met[c->n_met]))
			c->n_met++;
		else
			c->is_told = 0;
	}
	c->bytes = bytes < 0 || c->bytes < 0 ? OMPP_MPI_NOT_KNOWN : c->bytes + bytes;
}

/* A request is complete. */
static void completion_add(struct ompp_mpi_completion *c, uint32_t request, uint32_t status)
{
	struct request r;

	if (!request_complete(c->handles[request], &r) || !r.is_active || r.is_nobody)
		return;
	if (r.has_begun)
		c->met[c->n_met++] = r.begun;
	else if (r.kind == A_FILE || r.kind == A_WRITE)
		c->is_told = 0;
	if (r.kind <= A_FILE && c->has_statuses)
		completion_came(c, &r, c->statuses + status * c->abi->status_bytes);
}

void ompp_mpi_completion_all(struct ompp_mpi_completion *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		completion_add(c, i, i);
}

void ompp_mpi_completion_list(struct ompp_mpi_completion *c, const int *list, int n)
{
	for (int i = 0; i < n; i++)
		if (list[i] >= 0 && (uint32_t)list[i] < c->n)
			completion_add(c, (uint32_t)list[i], (uint32_t)i);
}

int64_t ompp_mpi_completion_end(struct ompp_mpi_completion *c, int error)
{
	if (!error && c->n_met)
		ompp_mpi_completed(c->met, c->n_met, c->is_told);
	if (c->room)
		ompp_sys_munmap(c->room, c->room_bytes);
	return error ? OMPP_MPI_NOT_KNOWN : c->bytes;
}
