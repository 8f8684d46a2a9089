/*
 * locks: nothing of OpenMP but locks, in their present form (a lock belongs to a task, since OpenMP 3.0); a part of the
 * calls is made by a file that may be built without kinst.
 */
#include <omp.h>
#include <stdio.h>

extern omp_nest_lock_t nest;
extern omp_lock_t lock;

int other(void);

#ifdef OTHER
int other(void)
{
	int n = omp_test_nest_lock(&nest);

	omp_set_lock(&lock);
	omp_unset_lock(&lock);
	omp_unset_nest_lock(&nest);
	return n;
}
#else
omp_nest_lock_t nest;
omp_lock_t lock;

int main(void)
{
	int first, second, third;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	first = omp_test_nest_lock(&nest);
	second = omp_test_nest_lock(&nest);
	third = other();
	printf("%d %d %d\n", first, second, third);
#ifdef PARALLEL
#pragma omp parallel if (0)
	printf("%d\n", omp_test_nest_lock(&nest));
#endif
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&lock);
	return 0;
}
#endif
