/* traces SEED: random messages among all ranks, each with its number in it, in communicators of all ranks and of some,
 * with blocking, non-blocking, persistent and probed receives, which complete in another order than they began; and
 * parallel regions.  The file stamps.RANK says when each call, send, receive and body of a thread began and ended, by
 * CLOCK_MONOTONIC in ns. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 4, MESSAGES = 24, COMMS = 5, LONGEST = 40, WILD = 2, MOST = ROUNDS * MESSAGES + 8 };
enum { SEND, ISEND, PERSISTENT_SEND, SENDS };
enum { RECV, IRECV, PROBED, PERSISTENT, RECEIVES };

static struct message {
	int from, to, comm, tag, n, send, receive;
} m[MESSAGES];
static int data_out[MESSAGES][LONGEST], data_in[MESSAGES][LONGEST], rank, n_ranks, comm_size[COMMS], comm_rank[COMMS];
static MPI_Comm comms[COMMS];
static MPI_Request out[MESSAGES], in[MESSAGES];
static long long begun[MESSAGES], posted[MESSAGES], before, after;
static FILE *stamps;
static unsigned int seed;

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int dice(int n)
{
	seed = seed * 1664525u + 1013904223u;
	return (int)((seed >> 16) % (unsigned int)n);
}

#define CALL(name, ...) \
	(before = now(), MPI_##name(__VA_ARGS__), after = now(), \
	 fprintf(stamps, "call MPI_" #name " %lld %lld\n", before, after))

/* The ranks of a communicator in MPI_COMM_WORLD: in order, reversed, or the even ones alone. */
static int world_rank(int comm, int r)
{
	return comm == 3 ? n_ranks - 1 - r : comm == 4 ? 2 * r : r;
}

static void received(int i, const int *data, long long since, long long until)
{
	fprintf(stamps, "received %d %lld %lld %lld %lld\n", data[0], since, until, before, after);
}

static void round_of(int round)
{
	for (int i = 0; i < MESSAGES; i++) {
		struct message *x = &m[i];

		x->comm = dice(COMMS);
		int n = x->comm == 4 ? (n_ranks + 1) / 2 : n_ranks;
		x->from = dice(n), x->to = dice(n), x->tag = dice(2), x->n = 1 + dice(LONGEST - 1);
		x->send = dice(SENDS), x->receive = dice(RECEIVES);
		if (x->from == x->to) /* a blocking call may wait for itself */
			x->send = ISEND, x->receive = IRECV;
		if (x->comm == WILD && x->receive == PROBED)
			x->receive = RECV;
	}
#define MINE(who) (comms[x->comm] != MPI_COMM_NULL && comm_rank[x->comm] == x->who)
#define SOURCE    (x->comm == WILD ? MPI_ANY_SOURCE : x->from)
	for (int i = 0; i < MESSAGES; i++) {
		struct message *x = &m[i];

		if (!MINE(to) || (x->receive != IRECV && x->receive != PERSISTENT))
			continue;
		if (x->receive == IRECV)
			CALL(Irecv, data_in[i], LONGEST, MPI_INT, SOURCE, x->tag, comms[x->comm], &in[i]);
		else {
			MPI_Recv_init(data_in[i], LONGEST, MPI_INT, SOURCE, x->tag, comms[x->comm], &in[i]);
			CALL(Start, &in[i]);
		}
		begun[i] = before;
		posted[i] = after;
	}
	for (int i = 0; i < MESSAGES; i++) {
		struct message *x = &m[i];

		if (!MINE(from))
			continue;
		data_out[i][0] = round * MESSAGES + i;
		if (x->send == SEND)
			CALL(Send, data_out[i], x->n, MPI_INT, x->to, x->tag, comms[x->comm]);
		else if (x->send == ISEND)
			CALL(Isend, data_out[i], x->n, MPI_INT, x->to, x->tag, comms[x->comm], &out[i]);
		else {
			MPI_Send_init(data_out[i], x->n, MPI_INT, x->to, x->tag, comms[x->comm], &out[i]);
			CALL(Start, &out[i]);
		}
		fprintf(stamps, "sent %d %lld %lld %d %d %d\n", data_out[i][0], before, after,
		        world_rank(x->comm, x->to), x->tag, x->n * (int)sizeof(int));
	}
	for (int i = 0; i < MESSAGES; i++) {
		struct message *x = &m[i];
		MPI_Message probed;

		if (!MINE(to) || (x->receive != RECV && x->receive != PROBED))
			continue;
		if (x->receive == RECV) {
			CALL(Recv, data_in[i], LONGEST, MPI_INT, SOURCE, x->tag, comms[x->comm], MPI_STATUS_IGNORE);
			received(i, data_in[i], before, after);
		} else {
			CALL(Mprobe, x->from, x->tag, comms[x->comm], &probed, MPI_STATUS_IGNORE);
			begun[i] = before;
			posted[i] = after;
			CALL(Mrecv, data_in[i], LONGEST, MPI_INT, &probed, MPI_STATUS_IGNORE);
			received(i, data_in[i], begun[i], posted[i]);
		}
	}
	for (int i = MESSAGES - 1; i >= 0; i--) {
		struct message *x = &m[i];

		if (MINE(to) && (x->receive == IRECV || x->receive == PERSISTENT)) {
			CALL(Wait, &in[i], MPI_STATUS_IGNORE);
			received(i, data_in[i], begun[i], posted[i]);
			if (x->receive == PERSISTENT)
				MPI_Request_free(&in[i]);
		}
		if (MINE(from) && x->send != SEND) {
			CALL(Wait, &out[i], MPI_STATUS_IGNORE);
			if (x->send == PERSISTENT_SEND)
				MPI_Request_free(&out[i]);
		}
	}
}

int main(int argc, char **argv)
{
	char name[40];
	int given;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
	sprintf(name, "stamps.%d", rank);
	stamps = fopen(name, "w");
	seed = (unsigned int)atoi(argv[1]);
	comms[0] = MPI_COMM_WORLD;
	MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
	MPI_Comm_dup(comms[1], &comms[WILD]);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[3]);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 0, rank, &comms[4]);
	for (int c = 0; c < COMMS; c++)
		if (comms[c] != MPI_COMM_NULL)
			MPI_Comm_rank(comms[c], &comm_rank[c]);
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(2)
		{
			long long begin = now();

			usleep(2000);
#pragma omp critical
			fprintf(stamps, "body %d %lld %lld\n", omp_get_thread_num(), begin, now());
		}
		CALL(Barrier, MPI_COMM_WORLD);
		round_of(round);
	}
	fclose(stamps);
	MPI_Finalize();
	return 0;
}
