/*
 * MPI calls: see mpi_calls.h.
 */
#define _GNU_SOURCE
#include "runtime/interpose/mpi_calls.h"

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/base/array.h"
#include "runtime/core/thread.h"
#include "runtime/events/map_bytes.h"
#include "runtime/events/mpi_message.h"
#include "runtime/events/visit.h"
#include "runtime/host/redirect.h"
#include "runtime/interpose/call_region.h"
#include "runtime/interpose/mpi_library.h"
#include "runtime/interpose/mpi_meeting.h"
#include "runtime/interpose/mpi_request.h"
#include "runtime/interpose/mpi_world.h"

#define WORD uintptr_t

enum { NOT_KNOWN = -1 };

/* ---- bytes ---- */

static const struct ompp_mpi_questions *const ask = &ompp_mpi_questions;

static int64_t bytes_all(int64_t n, WORD type)
{
	int bytes;
	int64_t all;

	if (n < 0 || !ask->type_size || ask->type_size(type, &bytes) || bytes < 0)
		return NOT_KNOWN;
	return __builtin_mul_overflow(n, (int64_t)bytes, &all) ? NOT_KNOWN : all;
}

/* MPI_PROC_NULL, and it alone, is below 0 where data go to a rank. */
static int64_t bytes_to_rank(int64_t n, WORD type, WORD rank)
{
	return (int)rank < 0 ? 0 : bytes_all(n, type);
}

/* A message to a rank of a communicator.
 * request: 0 where the call itself waits for it */
static int64_t message_to(enum ompp_meeting_kind kind, int64_t n, WORD type, WORD rank, WORD tag, WORD comm,
                          WORD request)
{
	int64_t bytes = bytes_to_rank(n, type, rank);
	struct ompp_mpi_channel to;
	struct ompp_mpi_comm its;
	struct ompp_mpi_begun b;

	if ((int)rank < 0)
		return bytes;
	its = ompp_mpi_comm(comm);
	ompp_mpi_message_add(&(struct ompp_mpi_message){ .rank = ompp_mpi_world_rank(its.group, (int)rank),
	                                                 .tag = (int)tag,
	                                                 .comm = ompp_mpi_comm_number(its),
	                                                 .bytes = bytes });
	to = ompp_mpi_channel_to(its, (int)rank, (int)tag);
	if (!request)
		ompp_mpi_sent(to, kind);
	else if (ompp_mpi_send_begun(to, kind, &b))
		ompp_mpi_request_begun(request, &b);
	return bytes;
}

/* ---- collective calls that the program does not wait for at once ---- */

static void collective_begin(WORD comm, enum ompp_meeting_kind kind, WORD request)
{
	struct ompp_mpi_begun b;

	if (ompp_mpi_collective_begun(ompp_mpi_comm(comm), kind, &b))
		ompp_mpi_request_begun(request, &b);
}

static void neighbours_begin(WORD comm, WORD request)
{
	struct ompp_mpi_begun b;

	if (ompp_mpi_neighbours_begun(ompp_mpi_comm(comm), ompp_mpi_comm_neighbours(comm), &b))
		ompp_mpi_request_begun(request, &b);
}

/* A copy of a communicator. */
static void copy_begin(WORD comm, WORD made, WORD request)
{
	struct ompp_mpi_copy copy = ompp_mpi_comm_begun(comm, made);
	struct ompp_mpi_begun b;

	if (ompp_mpi_copy_begun(ompp_mpi_comm(comm), copy, &b))
		ompp_mpi_request_begun(request, &b);
}

/* What waits for no other rank. */
static void alone_begin(WORD request)
{
	struct ompp_mpi_begun b;

	if (ompp_mpi_alone_begun(&b))
		ompp_mpi_request_begun(request, &b);
}

static int64_t alone_read(WORD request)
{
	struct ompp_mpi_begun b;

	return ompp_mpi_request_read(request, ompp_mpi_alone_begun(&b) ? &b : NULL);
}

static int64_t bytes_times(WORD comm, int64_t bytes)
{
	int n;

	return bytes < 0 || !ask->comm_size || ask->comm_size(comm, &n) ? NOT_KNOWN : bytes * n;
}

/* MPI_IN_PLACE is 1 or the highest address, where no data are. */
static int64_t bytes_from(WORD buffer, int64_t bytes)
{
	return buffer == 1 || buffer == UINTPTR_MAX ? NOT_KNOWN : bytes;
}

/* In a communicator of two groups the root has another number. */
static int64_t bytes_of(WORD root, WORD comm, int64_t bytes, int is_root)
{
	int rank;

	if ((int)root < 0 || !ask->comm_rank || ask->comm_rank(comm, &rank))
		return NOT_KNOWN;
	return (rank == (int)root) == is_root ? bytes : 0;
}

/* Room for a status that the program does not want to have, larger than that of any MPI library. */
struct room {
	uint64_t words[16];
};

/* MPI_STATUS_IGNORE is 0 or 1. */
static int is_ignored(WORD status)
{
	return status <= 1;
}

static int64_t bytes_of_file(WORD status, WORD type)
{
	int64_t large;
	int n;

	if (ask->get_count_c && !ask->get_count_c(status, type, &large))
		return bytes_all(large, type);
	return ask->get_count && !ask->get_count(status, type, &n) ? bytes_all(n, type) : NOT_KNOWN;
}

static void comm_forget(WORD comm)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();

	if (abi)
		ompp_mpi_comm_forget(ompp_mpi_handle(abi, comm, 0)); /* it is as large as a request's handle */
}

/* ---- calls ---- */

/* Is the thread in such a call?  MPI's functions for Fortran, and for files, call others. */
static int is_inside(const struct ompp_thread *t, struct ompp_caller caller)
{
	const struct ompp_frame *top = t->top;
	const struct ompp_region_def *def = t->limit && top > t->frames ? ompp_region_by_id(OMPP_KEY_ID(top->key))
	                                                                : NULL;

	return def && ompp_construct_is_mpi(def->construct) && top->stack >= caller.stack;
}

/* Begins a call.  Returns its region, which is off when it is not measured; NULL when it is a part of another one. */
static const struct ompp_region_def *mpi_begin(enum ompp_construct construct, const char *name,
                                               struct ompp_caller caller)
{
	const struct ompp_region_def *def;
	const struct ompp_frame *f;

	if (is_inside(ompp_self, caller))
		return NULL;
	def = ompp_call_library(construct, name, caller);
	ompp_mpi_now.began_ticks = 0;
	if (def->off)
		return def;
	f = ompp_visit_enter(def->key, caller);
	ompp_mpi_now.began_ticks = !f ? 0 : f->flags & OMPP_FRAME_UNTIMED ? ompp_clock() : f->start_ticks;
	ompp_mpi_now.region = OMPP_KEY_ID(def->key);
	ompp_mpi_inside = 1;
	return def;
}

static void mpi_end(const struct ompp_region_def *def, int64_t sent_bytes, int64_t received_bytes)
{
	if (def->off)
		return;
	ompp_mpi_inside = 0;
	ompp_map_bytes(def->key, sent_bytes, received_bytes);
	ompp_visit_exit(def->key);
}

#define NOTHING                0
#define UNKNOWN                NOT_KNOWN
#define ALL(n, type)           bytes_all(COUNTED(n), type)
#define TO_RANK(n, type, rank) bytes_to_rank(COUNTED(n), type, rank)
#define MESSAGE(kind, n, type, rank, tag, comm, request) \
	message_to(OMPP_MEETING_##kind, COUNTED(n), type, rank, tag, comm, request)
#define STARTED(n, requests)       ompp_mpi_request_start(n, requests)
#define TIMES(comm, bytes)         bytes_times(comm, bytes)
#define FROM(buffer, bytes)        bytes_from(buffer, bytes)
#define OF_ROOT(root, comm, bytes) bytes_of(root, comm, bytes, 1)
/* The group of a message's other rank. */
#define OF_COMM(comm)      ((struct ompp_mpi_from){ ompp_mpi_comm(comm), 0, 0 })
#define OF_PROBED(message) ompp_mpi_message_take(message)
/* Which of a call's requests are complete. */
#define EACH                ompp_mpi_completion_all(&c_)
#define EACH_IF(flag)       (*(const int *)(flag) ? EACH : (void)0)
#define ONE(index)          ompp_mpi_completion_list(&c_, (const int *)(index), 1)
#define ONE_IF(flag, index) (*(const int *)(flag) ? ONE(index) : (void)0)
#define SOME(n, list)       ompp_mpi_completion_list(&c_, (const int *)(list), *(const int *)(n))
/* What is done aside. */
#define FORGET_COMM(comm)           comm_forget(comm)
#define FORGET_REQUEST(request)     ompp_mpi_request_forget(request)
#define KEEP_MESSAGE(message, comm) ompp_mpi_message_keep(message, ompp_mpi_comm(comm))
#define MADE_COMM(comm)             ompp_mpi_comm_made(comm)
#define BEGUN_COMM(of, at, request) copy_begin(of, at, request)
#define BEGUN_ALONE(request)        alone_begin(request)
#define READ_ALONE(request)         alone_read(request)
#define READ_TOGETHER(request)      ompp_mpi_request_read(request, NULL)
#define WRITTEN_TOGETHER(request)   ompp_mpi_request_write(request)
#define PERSISTENT_SEND(kind, n, type, rank, tag, comm, request) \
	ompp_mpi_request_send(request, ompp_mpi_comm(comm), (int)(rank), (int)(tag), \
	                      bytes_to_rank(COUNTED(n), type, rank), OMPP_MEETING_##kind)
#define PERSISTENT_COLLECTIVE(comm, who, request) \
	ompp_mpi_request_collective(request, ompp_mpi_comm(comm), OMPP_MEETING_##who)
#define PERSISTENT_NEIGHBOURS(comm, request) \
	ompp_mpi_request_neighbours(request, ompp_mpi_comm(comm), ompp_mpi_comm_neighbours(comm))
#define PERSISTENT_RECEIVE(source, tag, comm, request) \
	ompp_mpi_request_receive(request, ompp_mpi_comm(comm), (int)(source), (int)(tag), OMPP_MPI_REQUEST_PERSISTENT)
#define OF_OTHERS(root, comm, bytes) bytes_of(root, comm, bytes, 0)

/* The parameters of a function with so many, and the arguments. */
/* clang-format off */
#define WORDS_0 void
#define WORDS_1 WORD a
#define WORDS_2 WORDS_1, WORD b
#define WORDS_3 WORDS_2, WORD c
#define WORDS_4 WORDS_3, WORD d
#define WORDS_5 WORDS_4, WORD e
#define WORDS_6 WORDS_5, WORD f
#define WORDS_7 WORDS_6, WORD g
#define WORDS_8 WORDS_7, WORD h
#define WORDS_9 WORDS_8, WORD i
#define WORDS_10 WORDS_9, WORD j
#define WORDS_11 WORDS_10, WORD k
#define WORDS_12 WORDS_11, WORD l
#define WORDS_13 WORDS_12, WORD m
#define NAMES_0
#define NAMES_1 a
#define NAMES_2 NAMES_1, b
#define NAMES_3 NAMES_2, c
#define NAMES_4 NAMES_3, d
#define NAMES_5 NAMES_4, e
#define NAMES_6 NAMES_5, f
#define NAMES_7 NAMES_6, g
#define NAMES_8 NAMES_7, h
#define NAMES_9 NAMES_8, i
#define NAMES_10 NAMES_9, j
#define NAMES_11 NAMES_10, k
#define NAMES_12 NAMES_11, l
#define NAMES_13 NAMES_12, m
/* clang-format on */

/* A count, of which the register has more bits where it is an int. */
#define COUNTED(n) (is_large ? (int64_t)(n) : (int64_t)(int)(n))

/* A function: declarations before the call, and what it sends and receives, of what that says. */
#define FUNCTION(function, name, n, kind, large, sent, received, ...) \
	static int (*real_##function)(WORDS_##n); \
	static int function##_(WORDS_##n) \
	{ \
		enum { is_large = large }; \
		const struct ompp_region_def *def = mpi_begin(OMPP_MPI_##kind, "MPI_" name, OMPP_CALLER()); \
		__VA_ARGS__; \
		int got = real_##function(NAMES_##n); \
		if (def) { \
			int64_t sent_bytes = got ? NOT_KNOWN : (sent); \
			mpi_end(def, sent_bytes, received); \
		} \
		return got; \
	}

/* Each function twice: by the name that programs call, and by that which MPI's libraries for Fortran may call. */
#define TWICE(macro, name, large, ...) \
	macro(MPI_##name, #name, large, __VA_ARGS__) macro(PMPI_##name, #name, large, __VA_ARGS__)

#define CALL(name, ...)  TWICE(CALL_OF, name, 0, __VA_ARGS__)
#define COUNT(name, ...) TWICE(CALL_OF, name, 0, __VA_ARGS__) TWICE(CALL_OF, name##_c, 1, __VA_ARGS__)
#define CALL_OF(function, name, large, n, kind, sent, received) \
	FUNCTION(function, name, n, kind, large, sent, got ? NOT_KNOWN : (received), (void)0)

#define COLLECTIVE(name, ...) TWICE(MEET_OF, name, 0, __VA_ARGS__) TWICE(MEET_OF, name##_c, 1, __VA_ARGS__)
#define BARRIER(name, ...)    TWICE(MEET_OF, name, 0, __VA_ARGS__)
#define MEET_OF(function, name, large, n, comm, who, sent, received) \
	FUNCTION(function, name, n, COLLECTIVE, large, sent, \
	         got ? NOT_KNOWN : (ompp_mpi_met(ompp_mpi_comm(comm), OMPP_MEETING_##who), received), (void)0)

/* The same, which the call only begins, and those among neighbours. */
#define IMMEDIATE(name, ...)         TWICE(BEGIN_OF, name, 0, __VA_ARGS__) TWICE(BEGIN_OF, name##_c, 1, __VA_ARGS__)
#define IMMEDIATE_BARRIER(name, ...) TWICE(BEGIN_OF, name, 0, __VA_ARGS__)
#define BEGIN_OF(function, name, large, n, comm, who, request, sent, received) \
	FUNCTION(function, name, n, COLLECTIVE, large, sent, \
	         got ? NOT_KNOWN : (collective_begin(comm, OMPP_MEETING_##who, request), received), (void)0)
#define NEIGHBOURS(name, ...) TWICE(NEIGHBOURS_OF, name, 0, __VA_ARGS__) TWICE(NEIGHBOURS_OF, name##_c, 1, __VA_ARGS__)
#define NEIGHBOURS_OF(function, name, large, n, comm) \
	FUNCTION(function, name, n, COLLECTIVE, large, UNKNOWN, \
	         (got ? (void)0 : ompp_mpi_met_neighbours(ompp_mpi_comm(comm), ompp_mpi_comm_neighbours(comm)), \
	          NOT_KNOWN), \
	         (void)0)
#define IMMEDIATE_NEIGHBOURS(name, ...) \
	TWICE(BEGIN_NEIGHBOURS_OF, name, 0, __VA_ARGS__) TWICE(BEGIN_NEIGHBOURS_OF, name##_c, 1, __VA_ARGS__)
#define BEGIN_NEIGHBOURS_OF(function, name, large, n, comm, request) \
	FUNCTION(function, name, n, COLLECTIVE, large, UNKNOWN, \
	         (got ? (void)0 : neighbours_begin(comm, request), NOT_KNOWN), (void)0)

/* Has the call a status of ours where the program wants none. */
#define STATUS_ROOM(status) \
	struct room own; \
	if (def && is_ignored(status)) \
	status = (WORD)&own
#define FILE_READ(name, ...) TWICE(FILE_OF, name, 0, __VA_ARGS__) TWICE(FILE_OF, name##_c, 1, __VA_ARGS__)
#define FILE_OF(function, name, large, n, kind, status, type) \
	FUNCTION(function, name, n, kind, large, NOTHING, got ? NOT_KNOWN : bytes_of_file(status, type), \
	         STATUS_ROOM(status))

#define RECEIVE(name, ...) TWICE(RECEIVE_OF, name, 0, __VA_ARGS__) TWICE(RECEIVE_OF, name##_c, 1, __VA_ARGS__)
#define RECEIVE_OF(function, name, large, n, kind, sent, status, its_comm) \
	FUNCTION(function, name, n, kind, large, sent, got ? NOT_KNOWN : ompp_mpi_received(status, from_), \
	         struct ompp_mpi_from from_ = def ? its_comm : (struct ompp_mpi_from){ 0 }; \
	         STATUS_ROOM(status))

#define REQUEST(name, ...) TWICE(REQUEST_OF, name, 0, __VA_ARGS__) TWICE(REQUEST_OF, name##_c, 1, __VA_ARGS__)
#define REQUEST_OF(function, name, large, n, kind, sent, request, its_comm, source, tag) \
	FUNCTION(function, name, n, kind, large, sent, \
	         got ? NOT_KNOWN \
	             : ompp_mpi_request_receive(request, from_.comm, (int)(source), (int)(tag), \
	                                        from_.is_probed ? OMPP_MPI_REQUEST_PROBED : OMPP_MPI_REQUEST_RECEIVE), \
	         struct ompp_mpi_from from_ = def ? its_comm : (struct ompp_mpi_from){ 0 })

#define COMPLETE(name, ...) TWICE(COMPLETE_OF, name, 0, __VA_ARGS__)
#define COMPLETE_OF(function, name, large, n, n_requests, requests, statuses, which) \
	FUNCTION(function, name, n, WAIT, large, NOTHING, (got ? (void)0 : which, ompp_mpi_completion_end(&c_, got)), \
	         struct ompp_mpi_completion c_; \
	         if (def) statuses = ompp_mpi_completion_begin(&c_, (int)(n_requests), requests, statuses))

#define BEFORE(name, n, kind, action) TWICE(BEFORE_OF, name, 0, n, kind, action)
#define BEFORE_OF(function, name, large, n, kind, action) \
	FUNCTION(function, name, n, kind, large, NOTHING, got ? NOT_KNOWN : NOTHING, if (def) action)

/* What takes no time is no region. */
#define ASIDE(name, ...)       TWICE(ASIDE_OF, name, 0, __VA_ARGS__)
#define ASIDE_COUNT(name, ...) TWICE(ASIDE_OF, name, 0, __VA_ARGS__) TWICE(ASIDE_OF, name##_c, 1, __VA_ARGS__)
#define ASIDE_OF(function, name, large, n, before, after) \
	static int (*real_##function)(WORDS_##n); \
	static int function##_(WORDS_##n) \
	{ \
		enum { is_large = large }; \
		int got; \
		(void)(before); \
		got = real_##function(NAMES_##n); \
		if (!got) { \
			(void)(after); \
		} \
		return got; \
	}

#include "runtime/interpose/mpi_calls.def"
#undef CALL
#undef COUNT
#undef COLLECTIVE
#undef BARRIER
#undef IMMEDIATE
#undef IMMEDIATE_BARRIER
#undef NEIGHBOURS
#undef IMMEDIATE_NEIGHBOURS
#undef FILE_READ
#undef RECEIVE
#undef REQUEST
#undef COMPLETE
#undef BEFORE
#undef ASIDE
#undef ASIDE_COUNT

/* ---- start ---- */

#define ROW(name, to, real, files) \
	{ \
		name, (ompp_call_function *)(uintptr_t)to, (ompp_call_function **)(void *)&real, files \
	}
#define CALL(name, ...) \
	ROW("MPI_" #name, MPI_##name##_, real_MPI_##name, OMPP_REDIRECT_NO_MPI), \
		ROW("PMPI_" #name, PMPI_##name##_, real_PMPI_##name, OMPP_REDIRECT_MPI_FORTRAN),
#define COUNT(name, ...)     CALL(name) CALL(name##_c)
#define COLLECTIVE           COUNT
#define BARRIER              CALL
#define IMMEDIATE            COUNT
#define IMMEDIATE_BARRIER    CALL
#define NEIGHBOURS           COUNT
#define IMMEDIATE_NEIGHBOURS COUNT
#define FILE_READ            COUNT
#define RECEIVE              COUNT
#define REQUEST              COUNT
#define COMPLETE             CALL
#define BEFORE               CALL
#define ASIDE                CALL
#define ASIDE_COUNT          COUNT

void ompp_mpi_calls_look(void)
{
	static const struct ompp_redirection list[] = {
#include "runtime/interpose/mpi_calls.def"
	};
	static _Atomic int is_on;

	if (ompp_mpi_library_look() && !atomic_exchange(&is_on, 1))
		ompp_redirect_add(list, OMPP_COUNT_OF(list));
}
