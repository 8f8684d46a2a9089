// cancelled taskgroups and teams around user regions and exceptions inside of them
// settings: OMP_CANCELLATION=true OMP_CANCELLATION=false
// notes: left
#include <cstdio>
#include <omp.h>
#include <stdexcept>

static void leaf(int i)
{
	try {
#pragma omp critical
		if (i % 2)
			printf("%s", "");
		if (i % 3 == 0)
			throw i;
	} catch (int) {
	}
}

int main()
{
	int n = 0;

	for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(4) // = PARALLEL SUM execC 40
		{
#pragma omp single nowait // = SINGLE SUM singleC 10
#pragma omp taskgroup
			for (int i = 0; i < 12; i++) {
#pragma omp task untied firstprivate(i) // = TASK SUM execC 120
				{
					leaf(i);
#pragma omp taskyield
					if (i == 4) {
#pragma omp cancel taskgroup // = CANCEL SUM execC 10
					}
#pragma omp cancellation point taskgroup
					leaf(i);
				}
			}
#pragma omp barrier // = BARRIER SUM execC 40
#pragma omp atomic // = ATOMIC SUM execC 40
			n++;
		}
	}
	std::printf("%d\n", n);
}
