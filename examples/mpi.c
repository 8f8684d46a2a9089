/*
 * mpi: MPI + OpenMP; each rank has its own report.
 *
 * The report of rank r must show PARALLEL LOOP r + 1 times a thread; its file name and its header name the rank.
 * `ompp report` of all the profiles shows the sums and a row for each rank and thread.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	double sum = 0, total = 0;
	int rank, round, i;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (round = 0; round <= rank; round++) {
#pragma omp parallel for reduction(+ : sum)
		for (i = 0; i < 1000; i++)
			sum += i;
	}
	MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("total %.0f\n", total);
	MPI_Finalize();
	return 0;
}
