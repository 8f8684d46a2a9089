/*
 * zones: several zones of unequal sizes, distributed over the ranks of MPI; OpenMP threads share the rows of each zone,
 * and neighbouring zones exchange their borders after each step (the structure of the NAS multi-zone benchmarks).
 *
 *     kinst mpicc -O2 -fopenmp zones.c -o zones
 *     mpirun -n 4 ompp run ./zones
 *
 * Each rank gets as many zones as the others, but not as many cells, so ranks with few cells wait for the one with the
 * most.  The report must show that: the load balance of the ranks (--view=efficiency) is about the mean number of cells
 * of a rank by the most, which the program prints, and UnequalRanks names the rank with the most.  With "even" zones go
 * to the rank with the fewest cells so far, the largest first.
 *
 *     zones [STEPS [blocks|even [NS]]]      NS: sleep so many ns a cell, so that work takes a known time
 *
 * Each step makes a cell the mean of its four neighbours.  Of x*x + y*y + t that is exactly x*x + y*y + t + 1, so each
 * cell of the result is known: the program ends with 1 if one is wrong.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ACROSS = 4, ZONES = ACROSS * ACROSS, SMALLEST = 24, MOST_REQUESTS = ZONES * 8 };
enum side { WEST, EAST, NORTH, SOUTH, SIDES };

struct zone {
	int x, y, width, height; /* the place of its first cell in the whole, and its size */
	int rank;                /* whose it is */
	double *now, *next;      /* with a border of one cell; NULL in other ranks */
};

static struct zone zones[ZONES];
static int rank, n_ranks, side_cells; /* side_cells: of the whole */

/* ---- the zones ---- */

static void place_zones(void)
{
	int begin[ACROSS + 1] = { 0 }, width = SMALLEST;

	for (int i = 0; i < ACROSS; i++, width = width * 8 / 5)
		begin[i + 1] = begin[i] + width;
	side_cells = begin[ACROSS];
	for (int i = 0; i < ZONES; i++) {
		int column = i % ACROSS, row = i / ACROSS;

		zones[i].x = begin[column];
		zones[i].y = begin[row];
		zones[i].width = begin[column + 1] - begin[column];
		zones[i].height = begin[row + 1] - begin[row];
	}
}

static long cells_of(const struct zone *z)
{
	return (long)z->width * z->height;
}

/* As many zones for each rank. */
static void distribute_blocks(void)
{
	for (int i = 0; i < ZONES; i++)
		zones[i].rank = (int)((long)i * n_ranks / ZONES);
}

/* The largest zone that is left to the rank with the fewest cells. */
static void distribute_evenly(void)
{
	long *cells = calloc((size_t)n_ranks, sizeof(*cells));

	for (int i = 0; i < ZONES; i++)
		zones[i].rank = -1;
	for (int n = 0; n < ZONES; n++) {
		int largest = -1, least = 0;

		for (int i = 0; i < ZONES; i++)
			if (zones[i].rank < 0 && (largest < 0 || cells_of(&zones[i]) > cells_of(&zones[largest])))
				largest = i;
		for (int r = 1; r < n_ranks; r++)
			least = cells[r] < cells[least] ? r : least;
		zones[largest].rank = least;
		cells[least] += cells_of(&zones[largest]);
	}
	free(cells);
}

static double *cell(const struct zone *z, double *values, int x, int y)
{
	return &values[(size_t)(y + 1) * (z->width + 2) + x + 1];
}

static double exact(const struct zone *z, int x, int y, int t)
{
	double gx = z->x + x, gy = z->y + y;

	return gx * gx + gy * gy + t;
}

/* Sets the cells of the first step, and borders that no exchange has reached to a wrong value. */
static void fill(struct zone *z)
{
	size_t n = (size_t)(z->width + 2) * (z->height + 2);

	z->now = malloc(n * sizeof(*z->now));
	z->next = malloc(n * sizeof(*z->next));
	if (!z->now || !z->next)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (size_t i = 0; i < n; i++)
		z->now[i] = z->next[i] = -1e9;
	for (int y = 0; y < z->height; y++)
		for (int x = 0; x < z->width; x++)
			*cell(z, z->now, x, y) = exact(z, x, y, 0);
}

/* ---- a step ---- */

/* Returns the zone on a side of another one; -1 at the border of the whole. */
static int neighbour(int i, enum side side)
{
	int column = i % ACROSS, row = i / ACROSS;

	column += (side == EAST) - (side == WEST);
	row += (side == SOUTH) - (side == NORTH);
	return column < 0 || column >= ACROSS || row < 0 || row >= ACROSS ? -1 : row * ACROSS + column;
}

static enum side opposite(enum side side)
{
	return (enum side)(side ^ 1);
}

/* Returns the first cell of an edge, or of the border outside of it. */
static double *edge(const struct zone *z, enum side side, int is_border)
{
	int x = side == EAST ? z->width - 1 + is_border : side == WEST ? -is_border : 0;
	int y = side == SOUTH ? z->height - 1 + is_border : side == NORTH ? -is_border : 0;

	return cell(z, z->now, x, y);
}

static int edge_cells(const struct zone *z, enum side side)
{
	return side <= EAST ? z->height : z->width;
}

static int edge_stride(const struct zone *z, enum side side)
{
	return side <= EAST ? z->width + 2 : 1;
}

static MPI_Datatype edge_type(const struct zone *z, enum side side)
{
	MPI_Datatype type;

	MPI_Type_vector(edge_cells(z, side), 1, edge_stride(z, side), MPI_DOUBLE, &type);
	MPI_Type_commit(&type);
	return type;
}

/* At the border of the whole the values are given. */
static void give_border(const struct zone *z, enum side side, int t)
{
	int x = side == EAST ? z->width : side == WEST ? -1 : 0, y = side == SOUTH ? z->height : side == NORTH ? -1 : 0;

	for (int k = 0; k < edge_cells(z, side); k++)
		if (side <= EAST)
			*cell(z, z->now, x, k) = exact(z, x, k, t);
		else
			*cell(z, z->now, k, y) = exact(z, k, y, t);
}

static void copy_border(const struct zone *to, const struct zone *from, enum side side)
{
	double *border = edge(to, side, 1), *inner = edge(from, opposite(side), 0);

	for (int k = 0; k < edge_cells(to, side); k++)
		border[k * edge_stride(to, side)] = inner[k * edge_stride(from, opposite(side))];
}

/* Gets all borders of this rank's zones.  A message has the number of the border that it is for as its tag. */
static void exchange(int t)
{
	MPI_Request requests[MOST_REQUESTS];
	int n = 0;

	for (int i = 0; i < ZONES; i++)
		for (enum side side = WEST; side < SIDES && zones[i].rank == rank; side++) {
			int other = neighbour(i, side);
			MPI_Datatype type;

			if (other < 0) {
				give_border(&zones[i], side, t);
			} else if (zones[other].rank == rank) {
				copy_border(&zones[i], &zones[other], side);
			} else {
				type = edge_type(&zones[i], side);
				MPI_Irecv(edge(&zones[i], side, 1), 1, type, zones[other].rank, i * SIDES + (int)side,
				          MPI_COMM_WORLD, &requests[n++]);
				MPI_Isend(edge(&zones[i], side, 0), 1, type, zones[other].rank,
				          other * SIDES + (int)opposite(side), MPI_COMM_WORLD, &requests[n++]);
				MPI_Type_free(&type);
			}
		}
	MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

static void compute(struct zone *z, long ns)
{
	double *values = z->now;

#pragma omp parallel
	{
		long n_cells = 0;

#pragma omp for nowait
		for (int y = 0; y < z->height; y++) {
			for (int x = 0; x < z->width; x++)
				*cell(z, z->next, x, y) = (*cell(z, values, x - 1, y) + *cell(z, values, x + 1, y) +
				                           *cell(z, values, x, y - 1) + *cell(z, values, x, y + 1)) /
				                          4;
			n_cells += z->width;
		}
		if (ns) {
			struct timespec nap = { n_cells * ns / 1000000000, n_cells * ns % 1000000000 };

			nanosleep(&nap, NULL);
		}
	}
	z->now = z->next;
	z->next = values;
}

/* Returns how many cells of this rank are wrong after so many steps. */
static long check(int t)
{
	long n_wrong = 0;

	for (int i = 0; i < ZONES; i++)
		for (int y = 0; y < zones[i].height && zones[i].rank == rank; y++)
			for (int x = 0; x < zones[i].width; x++)
				n_wrong += *cell(&zones[i], zones[i].now, x, y) != exact(&zones[i], x, y, t);
	return n_wrong;
}

/* Prints the share of the cells of each rank. */
static void tell(void)
{
	long all = 0, most = 0;

	for (int r = 0; r < n_ranks; r++) {
		long n_zones = 0, cells = 0;

		for (int i = 0; i < ZONES; i++)
			if (zones[i].rank == r) {
				n_zones++;
				cells += cells_of(&zones[i]);
			}
		printf("rank %d: %ld zones, %ld cells\n", r, n_zones, cells);
		all += cells;
		most = cells > most ? cells : most;
	}
	printf("load balance by cells: %.4f\n", (double)all / n_ranks / most);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 20, given;
	long ns = argc > 3 ? atol(argv[3]) : 0, n_wrong, all_wrong;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
	place_zones();
	if (argc > 2 && !strcmp(argv[2], "even"))
		distribute_evenly();
	else
		distribute_blocks();
	for (int i = 0; i < ZONES; i++)
		if (zones[i].rank == rank)
			fill(&zones[i]);
	for (int t = 0; t < steps; t++) {
		exchange(t);
		for (int i = 0; i < ZONES; i++)
			if (zones[i].rank == rank)
				compute(&zones[i], ns);
	}
	n_wrong = check(steps);
	MPI_Allreduce(&n_wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0) {
		tell();
		printf("%ld of %d cells are wrong after %d steps\n", all_wrong, side_cells * side_cells, steps);
	}
	for (int i = 0; i < ZONES; i++) {
		free(zones[i].now);
		free(zones[i].next);
	}
	MPI_Finalize();
	return all_wrong != 0;
}
