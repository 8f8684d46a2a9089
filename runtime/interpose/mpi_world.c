/*
 * MPI world: see mpi_world.h.
 */
#define _GNU_SOURCE
#include "runtime/interpose/mpi_world.h"

#include <string.h>

#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/window.h"
#include "runtime/events/meetings.h"
#include "runtime/events/partners.h"
#include "runtime/interpose/mpi_library.h"
#include "runtime/interpose/mpi_neighbours.h"

enum {
	VERSION_BYTES = 8192, /* MPI_MAX_LIBRARY_VERSION_STRING of both */
	OPEN_MPI_WORLD = 0,   /* these are the numbers of Fortran */
	OPEN_MPI_BYTE = 1,
	OPEN_MPI_COMM_NULL = 2,
	THREAD_MULTIPLE = 3, /* of both */
	COMM_BITS = 10,
	MOST_GROUPS = 1024,
	MOST_GROUP_BYTES = 8 << 20 /* of all groups together */
};

static const struct ompp_mpi_questions *const ask = &ompp_mpi_questions;

/* ---- the ABI ---- */

static struct ompp_mpi_abi open_mpi = { .request_bytes = sizeof(void *),
	                                .status_bytes = 24,
	                                .source_at = 0,
	                                .proc_null = -2,
	                                .cart = 1,
	                                .graph = 2,
	                                .dist_graph = 3 };
static struct ompp_mpi_abi mpich = { .request_bytes = sizeof(int),
	                             .status_bytes = 20,
	                             .source_at = 8,
	                             .proc_null = -1,
	                             .graph = 1,
	                             .cart = 2,
	                             .dist_graph = 3,
	                             .byte = 0x4c00010d,
	                             .world = 0x44000000,
	                             .comm_null = 0x04000000 };
static struct ompp_mpi_group world;
static struct ompp_mpi_comm world_comm = { .group = &world };

enum { NOT_LOOKED, NOT_KNOWN, KNOWN };
static int state; /* of the three below, which are written before it */
static const struct ompp_mpi_abi *abi_known;

static __attribute__((noinline)) int is_like_mpich(void)
{
	static const char *const names[] = { "MPICH", "MVAPICH", "Intel(R) MPI" };
	char version[VERSION_BYTES];
	int n;

	if (!ask->version || ask->version(version, &n))
		return 0;
	version[sizeof(version) - 1] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(version, names[i]) == version)
			return 1;
	return 0;
}

/* ---- keys ---- */

/* ranks: NULL for those of MPI_COMM_WORLD */
static uint64_t ranks_key(const int *ranks, uint32_t n)
{
	uint64_t key = ompp_meeting_key(n, ranks ? 2 : 1);

	for (uint32_t i = 0; ranks && i < n; i++)
		key = ompp_meeting_key(key, (uint64_t)ranks[i] + 2);
	return key;
}

/* Sets the key of a communicator, the n-th one that was made of its ranks, as they all count alike. */
static void comm_key(struct ompp_mpi_comm *c, uint32_t n)
{
	c->key = ompp_meeting_key(c->group->key, n);
	c->place = c->group->n > 1 ? ompp_meeting_place(c->key) : -1;
}

/* Programs that know sessions alone have no MPI_COMM_WORLD. */
static __attribute__((noinline, cold)) const struct ompp_mpi_abi *abi_look(void)
{
	struct ompp_mpi_abi *abi = NULL;
	int is_there = 0, level = 0, rank, n;

	if (!ask->initialized || ask->initialized(&is_there) || !is_there || !ask->comm_rank || !ask->comm_size ||
	    !ask->get_elements || !ask->test_cancelled)
		return NULL;
	if (ask->comm_f2c && ask->type_f2c && sizeof(void *) == 8) {
		abi = &open_mpi;
		abi->byte = ask->type_f2c(OPEN_MPI_BYTE);
		abi->world = ask->comm_f2c(OPEN_MPI_WORLD);
		abi->comm_null = ask->comm_f2c(OPEN_MPI_COMM_NULL);
	} else if (is_like_mpich()) {
		abi = &mpich;
	}
	if (abi && !ask->comm_rank(abi->world, &rank) && !ask->comm_size(abi->world, &n) && n > 0) {
		abi->has_many = !ask->query_thread || ask->query_thread(&level) || level >= THREAD_MULTIPLE;
		world.n = (uint32_t)n;
		world.key = ranks_key(NULL, world.n);
		world.n_made = 1;
		ompp_partners_start(rank, n, abi->has_many);
		comm_key(&world_comm, 1);
		abi_known = abi;
	}
	__atomic_store_n(&state, abi_known ? KNOWN : NOT_KNOWN, __ATOMIC_RELEASE);
	return abi_known;
}

const struct ompp_mpi_abi *ompp_mpi_abi(void)
{
	int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);

	return __builtin_expect(now == KNOWN, 1) ? abi_known : now == NOT_LOOKED ? abi_look() : NULL;
}

/* ---- communicators ---- */

static uintptr_t comms[(1 << COMM_BITS) + OMPP_WINDOW];
static struct ompp_mpi_comm comm_at[(1 << COMM_BITS) + OMPP_WINDOW];

/* By place: the neighbours; no_neighbours where there are none, NULL before they were asked for. */
static const struct ompp_mpi_neighbours *neighbours_at[(1 << COMM_BITS) + OMPP_WINDOW];
static const struct ompp_mpi_neighbours no_neighbours;

/* The different groups, the last one first.  They only become more: whoever adds one looks at those that came since, so
 * that there is one of each without a lock. */
static struct ompp_mpi_group *last_group;
static uint32_t n_groups;
static size_t n_group_bytes;

static int is_world(const int *ranks, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (ranks[i] != (int)i)
			return 0;
	return n == world.n;
}

/* Returns the group with the ranks of `group`, of those from `last` up to `end`, which is not one of them. */
static struct ompp_mpi_group *group_find(const struct ompp_mpi_group *group, struct ompp_mpi_group *last,
                                         const struct ompp_mpi_group *end)
{
	for (struct ompp_mpi_group *g = last; g != end; g = g->before)
		if (g->key == group->key && g->n == group->n &&
		    !memcmp(g->ranks, group->ranks, group->n * sizeof(*group->ranks)))
			return g;
	return NULL;
}

/* Returns the group with these ranks, which is `group` if it is a new one; NULL without room. */
static struct ompp_mpi_group *group_keep(struct ompp_mpi_group *group, size_t n_bytes)
{
	struct ompp_mpi_group *end = NULL, *last = __atomic_load_n(&last_group, __ATOMIC_ACQUIRE), *found;

	if (is_world(group->ranks, group->n))
		return &world;
	group->key = ranks_key(group->ranks, group->n);
	for (;;) {
		found = group_find(group, last, end);
		if (found || __atomic_load_n(&n_groups, __ATOMIC_RELAXED) >= MOST_GROUPS ||
		    __atomic_load_n(&n_group_bytes, __ATOMIC_RELAXED) + n_bytes > MOST_GROUP_BYTES)
			return found;
		end = group->before = last;
		if (__atomic_compare_exchange_n(&last_group, &last, group, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			break;
	}
	__atomic_fetch_add(&n_groups, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&n_group_bytes, n_bytes, __ATOMIC_RELAXED);
	return group;
}

/* Asks for the ranks of a communicator: own numbers go to `numbers`, those of MPI_COMM_WORLD to `ranks`. */
static int ranks_ask(uintptr_t group, uintptr_t all, int *numbers, int *ranks, int n)
{
	for (int i = 0; i < n; i++)
		numbers[i] = i;
	if (ask->translate(group, n, numbers, all, ranks))
		return -1;
	for (int i = 0; i < n; i++)
		ranks[i] = ranks[i] < 0 ? -1 : ranks[i];
	return 0;
}

static struct ompp_mpi_group *group_make(uintptr_t group)
{
	struct ompp_mpi_group *made, *kept = NULL;
	uintptr_t all = 0;
	int n = 0, *ranks;
	size_t n_bytes;

	if (ask->group_size(group, &n) || n <= 0 || ask->comm_group(abi_known->world, &all))
		return NULL;
	n_bytes = sizeof(*made) + 2 * (size_t)n * sizeof(*ranks);
	made = n_bytes > MOST_GROUP_BYTES ? NULL : ompp_space_take(n_bytes);
	ranks = made ? (int *)(made + 1) : NULL;
	if (made && !ranks_ask(group, all, ranks + n, ranks, n)) {
		*made = (struct ompp_mpi_group){ .n = (uint32_t)n, .ranks = ranks };
		kept = group_keep(made, n_bytes);
	}
	if (made && kept != made)
		ompp_sys_munmap(made, n_bytes);
	ask->group_free(&all);
	return kept;
}

/* Returns the group of which comm_group or comm_remote_group tells. */
static struct ompp_mpi_group *group_of(uintptr_t comm, int (*tell)(uintptr_t comm, uintptr_t *group))
{
	struct ompp_mpi_group *its;
	uintptr_t group = 0;

	if (tell(comm, &group))
		return NULL;
	its = group_make(group);
	ask->group_free(&group);
	return its;
}

/* Sets the key of a communicator between two groups, both of which count those that were made between them. */
static void inter_key(struct ompp_mpi_comm *c, const struct ompp_mpi_group *own)
{
	uint64_t least = own->key < c->group->key ? own->key : c->group->key, most = own->key ^ c->group->key ^ least;
	uint64_t key = ompp_meeting_key(least, most);
	int32_t place = ompp_meeting_place(key);

	c->key = place < 0 ? 0 : ompp_meeting_key(key, ompp_meeting_next(place, 1) + 1);
}

/* Keeps what is known of a communicator. */
static void comm_keep(uintptr_t comm, const struct ompp_mpi_comm *its)
{
	int32_t place = ompp_window_new(comms, COMM_BITS, comm);

	if (place < 0)
		return;
	comm_at[place] = *its;
	neighbours_at[place] = NULL;
	ompp_window_set(comms, place, comm);
}

/* is_made: it was just made, by all of its ranks */
static __attribute__((noinline, cold)) struct ompp_mpi_comm comm_new(uintptr_t comm, int is_made)
{
	struct ompp_mpi_comm made = { .place = -1 };
	struct ompp_mpi_group *its, *own;
	int is_inter = 0;

	if (!ask->comm_group || !ask->comm_remote_group || !ask->comm_test_inter || !ask->group_size ||
	    !ask->translate || !ask->group_free || ask->comm_test_inter(comm, &is_inter))
		return made;
	made.group = its = group_of(comm, is_inter ? ask->comm_remote_group : ask->comm_group);
	if (its && is_made && !is_inter)
		comm_key(&made, __atomic_add_fetch(&its->n_made, 1, __ATOMIC_RELAXED));
	own = its && is_made && is_inter ? group_of(comm, ask->comm_group) : NULL;
	if (own)
		inter_key(&made, own);
	comm_keep(comm, &made);
	return made;
}

/* Returns the handle that a register has, which has more bits. */
static uintptr_t comm_of(const struct ompp_mpi_abi *abi, uintptr_t comm)
{
	return abi->request_bytes == sizeof(int) ? (uint32_t)comm : comm;
}

struct ompp_mpi_comm ompp_mpi_comm(uintptr_t comm)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	int32_t place;

	if (!abi || comm < OMPP_WINDOW_FIRST)
		return (struct ompp_mpi_comm){ .place = -1 };
	comm = comm_of(abi, comm);
	if (comm == abi->world)
		return world_comm;
	place = ompp_window_find(comms, COMM_BITS, comm);
	return __builtin_expect(place >= 0, 1) ? comm_at[place] : comm_new(comm, 0);
}

const struct ompp_mpi_neighbours *ompp_mpi_comm_neighbours(uintptr_t comm)
{
	struct ompp_mpi_comm known = ompp_mpi_comm(comm);
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	int32_t place = abi && known.place >= 0 ? ompp_window_find(comms, COMM_BITS, comm_of(abi, comm)) : -1;
	const struct ompp_mpi_neighbours *have;

	if (place < 0)
		return NULL;
	have = __atomic_load_n(&neighbours_at[place], __ATOMIC_ACQUIRE);
	if (!have) {
		have = ompp_mpi_neighbours_ask(abi, comm_of(abi, comm), known);
		__atomic_store_n(&neighbours_at[place], have ? have : &no_neighbours, __ATOMIC_RELEASE);
	}
	return have == &no_neighbours ? NULL : have;
}

void ompp_mpi_comm_forget(uintptr_t comm)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	int32_t place;

	if (abi)
		comm = comm_of(abi, comm);
	while ((place = ompp_window_take(comms, COMM_BITS, comm)) >= 0)
		ompp_window_set(comms, place, OMPP_WINDOW_FREE);
}

/* Returns the handle at an address, and forgets another communicator that had it; 0 for none. */
static uintptr_t comm_handle_new(uintptr_t at)
{
	const struct ompp_mpi_abi *abi = ompp_mpi_abi();
	uintptr_t comm = abi ? ompp_mpi_handle(abi, at, 0) : 0;

	if (abi)
		comm = comm_of(abi, comm);
	if (comm < OMPP_WINDOW_FIRST || comm == abi->comm_null)
		return 0;
	ompp_mpi_comm_forget(comm);
	return comm;
}

void ompp_mpi_comm_made(uintptr_t at)
{
	uintptr_t comm = comm_handle_new(at);

	if (comm)
		comm_new(comm, 1);
}

struct ompp_mpi_copy ompp_mpi_comm_begun(uintptr_t of, uintptr_t at)
{
	struct ompp_mpi_comm its = ompp_mpi_comm(of), made = { .group = its.group, .place = -1 };
	struct ompp_mpi_copy copy = { .place = -1 };
	uintptr_t comm = comm_handle_new(at);

	if (its.key) {
		copy.key = ompp_meeting_key(its.key, OMPP_MPI_WORD_IDUP);
		copy.place = ompp_meeting_place(copy.key);
	}
	if (copy.place >= 0) {
		copy.index = ompp_meeting_next(copy.place, 1);
		made.key = ompp_meeting_key(ompp_meeting_key(its.key, OMPP_MPI_WORD_COPY), copy.index + 1);
	}
	if (made.key && its.place >= 0)
		made.place = ompp_meeting_place(made.key);
	if (comm)
		comm_keep(comm, &made);
	return copy;
}
