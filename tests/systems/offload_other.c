/* Another source with a region for a device. */
double other(double *a, int n);

double other(double *a, int n)
{
	double s = 0;

#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : s) reduction(+ : s)
	for (int i = 0; i < n; i++)
		s += a[i] / 2;
	return s;
}
