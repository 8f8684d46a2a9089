/*
 * By object: see by_object.h.
 */
#include "runtime/memory/by_object.h"

#include "runtime/data/object.h"

const void *ompp_by_object_get(const struct ompp_by_object *all, uint32_t object)
{
	size_t n = __atomic_load_n(&all->n, __ATOMIC_ACQUIRE); /* of this table, or of one before it */
	void **table = __atomic_load_n(&all->table, __ATOMIC_ACQUIRE);

	return object < n ? __atomic_load_n(&table[object], __ATOMIC_ACQUIRE) : NULL;
}

void *ompp_by_object_make(struct ompp_by_object *all, uint32_t object, size_t n_bytes)
{
	size_t n = all->n;
	void **table = all->table, *made;

	if (object >= n) {
		if (ompp_data_grow(&table, &n, (size_t)object + 1, sizeof(*table)))
			return NULL;
		__atomic_store_n(&all->table, table, __ATOMIC_RELEASE);
		__atomic_store_n(&all->n, n, __ATOMIC_RELEASE);
	}
	made = table[object];
	if (!made) {
		made = ompp_data_alloc(n_bytes);
		__atomic_store_n(&table[object], made, __ATOMIC_RELEASE);
	}
	return made;
}
