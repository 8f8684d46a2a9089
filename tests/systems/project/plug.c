int plug(int n);

int plug(int n)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < n; i++)
#pragma omp critical(plug)
		s += i;
	return s;
}
