/*
 * MPI library: see mpi_library.h.
 */
#define _GNU_SOURCE
#include "runtime/interpose/mpi_library.h"

#include <stdatomic.h>

#include "runtime/host/dynamic.h"
#include "runtime/host/real.h"
#include "runtime/host/redirect.h"

/* Where these libraries are.  Open MPI has three of them; more than N_FILES are forgotten, and calls that come through
 * them have their place in them. */
enum { N_FILES = 8 };
static struct {
	uintptr_t lo, hi;
} files[N_FILES];
static _Atomic uint32_t n_files;

static void file_add(const struct dl_phdr_info *info)
{
	uint32_t n = atomic_load_explicit(&n_files, memory_order_relaxed);
	uintptr_t lo, hi;

	ompp_dynamic_range(info, &lo, &hi);
	for (uint32_t i = 0; i < n; i++)
		if (files[i].lo == lo && files[i].hi == hi)
			return;
	if (n == N_FILES)
		return;
	files[n].lo = lo;
	files[n].hi = hi;
	atomic_store_explicit(&n_files, n + 1, memory_order_release);
}

__thread int ompp_mpi_inside __attribute__((tls_model("initial-exec")));
__thread struct ompp_mpi_now ompp_mpi_now __attribute__((tls_model("initial-exec")));

struct ompp_mpi_questions ompp_mpi_questions;

static void questions_find(const struct ompp_dynamic *file)
{
#define FIND(member, name) \
	ompp_mpi_questions.member = (__typeof__(ompp_mpi_questions.member))(uintptr_t) \
		ompp_dynamic_function(file, "PMPI_" name)
	FIND(type_size, "Type_size");
	FIND(comm_size, "Comm_size");
	FIND(comm_rank, "Comm_rank");
	FIND(get_count, "Get_count");
	FIND(get_count_c, "Get_count_c");
	FIND(get_elements, "Get_elements_x");
	FIND(test_cancelled, "Test_cancelled");
	FIND(initialized, "Initialized");
	FIND(query_thread, "Query_thread");
	FIND(version, "Get_library_version");
	FIND(comm_f2c, "Comm_f2c");
	FIND(type_f2c, "Type_f2c");
	FIND(comm_test_inter, "Comm_test_inter");
	FIND(comm_group, "Comm_group");
	FIND(comm_remote_group, "Comm_remote_group");
	FIND(group_size, "Group_size");
	FIND(translate, "Group_translate_ranks");
	FIND(group_free, "Group_free");
	FIND(topo_test, "Topo_test");
	FIND(cartdim_get, "Cartdim_get");
	FIND(cart_shift, "Cart_shift");
	FIND(graph_neighbors_count, "Graph_neighbors_count");
	FIND(graph_neighbors, "Graph_neighbors");
	FIND(dist_graph_neighbors_count, "Dist_graph_neighbors_count");
	FIND(dist_graph_neighbors, "Dist_graph_neighbors");
#undef FIND
}

static int look_at_file(struct dl_phdr_info *info, size_t size, void *found)
{
	struct ompp_dynamic file;

	(void)size;
	if (ompp_dynamic_of(&file, info))
		return 0;
	if (!*(int *)found && ompp_redirect_is_mpi(&file)) {
		questions_find(&file);
		*(int *)found = 1;
	}
	if (ompp_redirect_is_mpi_fortran(&file))
		file_add(info);
	return 0;
}

int ompp_mpi_library_look(void)
{
	int found = 0;

	ompp_real_each(look_at_file, &found);
	return found;
}

int ompp_mpi_library_is_fortran(uintptr_t address)
{
	uint32_t n = atomic_load_explicit(&n_files, memory_order_acquire);

	for (uint32_t i = 0; i < n; i++)
		if (address >= files[i].lo && address < files[i].hi)
			return 1;
	return 0;
}
