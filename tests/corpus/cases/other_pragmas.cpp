// Pragmas of the compiler in a construct; a plain g++ takes none between a directive and its loop.
// Regions: PARALLEL LOOP 2.
int main()
{
	int sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 4; i++) {
#pragma GCC unroll 4
		for (int j = 0; j < 4; j++)
			sum++;
	}
	return sum != 16;
}
