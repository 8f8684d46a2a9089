/*
 * Thread names: see thread_names.h.
 */
#include "runtime/collect/thread_names.h"

#include <string.h>

#include "runtime/core/region.h"

/* Returns the name of a thread's function; "" when it is not known. */
static const char *name_of(const struct ompp_merge_path *path)
{
	const struct ompp_region_def *def = ompp_region_by_id(path->region);

	return def && def->symbol ? def->symbol : "";
}

const char *const *ompp_thread_names(struct ompp_merge *merge)
{
	const char **names = ompp_arena_alloc(merge->arena, (merge->n_rows + 1) * sizeof(*names));

	for (size_t i = 0; names && i < merge->n_sums; i++) {
		const struct ompp_merge_sums *sums = &merge->sums[i];
		const struct ompp_merge_path *path = &merge->paths[sums->path];
		const char **name = &names[sums->row];

		if (path->construct == OMPP_THREAD && !path->parent)
			*name = !*name || !strcmp(*name, name_of(path)) ? name_of(path) : "";
	}
	for (size_t i = 0; names && i < merge->n_rows; i++)
		if (names[i] && !names[i][0])
			names[i] = NULL;
	return names;
}
