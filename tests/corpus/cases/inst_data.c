/* Named data, in both spellings, with the case of its name kept.
 * Regions: PARALLEL LOOP 2. */
#include <stdlib.h>

int main(void)
{
	double a[10];
	double *MyArray = malloc(sizeof(a));

#pragma omp inst data(a, sizeof(a), "a")
#pragma pomp inst data(MyArray, sizeof(a), "MyArray")
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 10; i++)
		MyArray[i] = a[i] = i;
	return a[9] != 9 || MyArray[4] != 4;
}
