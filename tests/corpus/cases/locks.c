/* Locks: taken by name, through a pointer to the function, and with a hint.
 * Regions: LOCK 0, LOCK 2, PARALLEL 2. */
#include <omp.h>

static void (*take)(omp_lock_t *) = omp_set_lock;

int main(void)
{
	omp_lock_t lock, other;
	int sum = 0;

	omp_init_lock(&lock);
	omp_init_lock(&other);
	if (0)
		omp_init_lock_with_hint(&other, omp_sync_hint_uncontended);     /* declared, but in no library of gcc 12 */
#pragma omp parallel num_threads(2)
	{
		take(&lock);
		sum++;
		omp_unset_lock(&lock);
		omp_set_lock(&other);
		omp_unset_lock(&other);
	}
	omp_destroy_lock(&lock);
	omp_destroy_lock(&other);
	return sum != 2;
}
