/* target data, enter, exit, update, nowait.
 * Regions: TARGET DATA 1, TARGET 1, TASKWAIT 1, TARGET UPDATE 1, TARGET ENTER DATA 1, TARGET EXIT DATA 1. */
int main(void)
{
	int a[10] = { 0 };

#pragma omp target data map(tofrom : a)
	{
#pragma omp target nowait
		for (int i = 0; i < 10; i++)
			a[i] = i;
#pragma omp taskwait
#pragma omp target update from(a)
	}
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(from : a)
	return a[9] != 9;
}
