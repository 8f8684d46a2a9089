/* message_calls: what calls of MPI take, of one rank with itself by a communicator of its own.  Prints a line for each
 * kind of exchange: its name, how many calls it has, and the least processor time that one of them took, in ns, of as
 * many rounds as the first argument says, of 3,000 exchanges each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_EXCHANGES = 3000 };

static MPI_Comm own;
static double sent, received;
static MPI_Request kept[2];

static void barrier(void)
{
	MPI_Barrier(own);
}

static void broadcast(void)
{
	MPI_Bcast(&sent, 1, MPI_DOUBLE, 0, own);
}

static void sendrecv(void)
{
	MPI_Sendrecv(&sent, 1, MPI_DOUBLE, 0, 1, &received, 1, MPI_DOUBLE, 0, 1, own, MPI_STATUS_IGNORE);
}

static void irecv_send(void)
{
	MPI_Request request;

	MPI_Irecv(&received, 1, MPI_DOUBLE, 0, 1, own, &request);
	MPI_Send(&sent, 1, MPI_DOUBLE, 0, 1, own);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void isend_recv(void)
{
	MPI_Request request;

	MPI_Isend(&sent, 1, MPI_DOUBLE, 0, 1, own, &request);
	MPI_Recv(&received, 1, MPI_DOUBLE, 0, 1, own, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void irecv_isend(void)
{
	MPI_Request requests[2];

	MPI_Irecv(&received, 1, MPI_DOUBLE, 0, 1, own, &requests[0]);
	MPI_Isend(&sent, 1, MPI_DOUBLE, 0, 1, own, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void persistent(void)
{
	MPI_Start(&kept[0]);
	MPI_Start(&kept[1]);
	MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
}

static void ibarrier(void)
{
	MPI_Request request;

	MPI_Ibarrier(own, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static const struct {
	const char *name;
	int n_calls;
	void (*exchange)(void);
} kinds[] = {{"Barrier", 1, barrier},
	{"Bcast", 1, broadcast},
	{"Sendrecv", 1, sendrecv},
	{"Irecv,Send,Wait", 3, irecv_send},
	{"Isend,Recv,Wait", 3, isend_recv},
	{"Irecv,Isend,Waitall", 3, irecv_isend},
	{"Start,Start,Waitall", 3, persistent},
	{"Ibarrier,Wait", 2, ibarrier}};

static double processor_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
	int n_rounds = argc > 1 ? atoi(argv[1]) : 100;

	MPI_Init(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &own);
	MPI_Recv_init(&received, 1, MPI_DOUBLE, 0, 1, own, &kept[0]);
	MPI_Send_init(&sent, 1, MPI_DOUBLE, 0, 1, own, &kept[1]);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		double least = 0;

		for (int round = 0; round < n_rounds; round++) {
			double begin = processor_ns(), took;

			for (int i = 0; i < N_EXCHANGES; i++)
				kinds[k].exchange();
			took = (processor_ns() - begin) / N_EXCHANGES;
			if (round == 0 || took < least)
				least = took;
		}
		printf("%s %d %.1f\n", kinds[k].name, kinds[k].n_calls, least);
	}
	MPI_Request_free(&kept[0]);
	MPI_Request_free(&kept[1]);
	MPI_Comm_free(&own);
	MPI_Finalize();
	return 0;
}
