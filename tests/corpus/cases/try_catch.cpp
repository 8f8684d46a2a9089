// A try block as the body; an exception that stays inside.
// Regions: PARALLEL 2, ATOMIC 2.
int main()
{
	int caught = 0;

#pragma omp parallel num_threads(2)
	try {
		throw 1;
	} catch (int) {
#pragma omp atomic
		caught++;
	}
	return caught != 2;
}
