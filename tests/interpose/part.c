int OTHER(int n);
int OWN(int n)
{
	int s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
	{
#pragma omp critical
		s += n;
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 4; i++)
			s++;
	}
	return s;
}
#ifdef MAIN
int main(void)
{
	return OWN(1) + OTHER(2) != 14;
}
#endif
