/* allocators: OpenMP's, whose names and bytes are known beforehand. */
#include <omp.h>
#include <stdio.h>

enum { N = 10000 };

__attribute__((noinline)) static void fill(char *p, int n)
{
	for (int i = 0; p && i < n; i++) /* LLVM has no high_bw where there is no such memory */
		p[i] = 1;
}

int main(void)
{
	omp_alloctrait_t traits[] = { { omp_atk_alignment, 4096 } };
	omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 1, traits);
	omp_allocator_handle_t two[] = { omp_large_cap_mem_alloc, omp_const_mem_alloc };
	char *p, *kept;

#pragma omp parallel num_threads(2)
	{
	}
	fprintf(stderr, "%#lx\n", (unsigned long)own);
	for (int i = 0; i < 10; i++) {
		p = omp_alloc(N, omp_high_bw_mem_alloc); /* high */
		fill(p, N);
		omp_free(p, omp_high_bw_mem_alloc);
		p = omp_alloc(N + 1, omp_null_allocator); /* null */
		fill(p, N + 1);
		omp_free(p, omp_null_allocator);
		p = omp_alloc(N + 2, own); /* own */
		fill(p, N + 2);
		omp_free(p, own);
		p = omp_alloc(N + 3, two[i % 2]); /* two */
		fill(p, N + 3);
		omp_free(p, omp_null_allocator);
	}
	kept = omp_calloc(10, 1000, omp_low_lat_mem_alloc); /* zeroed */
	kept = omp_realloc(kept, 30000, omp_low_lat_mem_alloc, omp_low_lat_mem_alloc); /* longer */
	fill(kept, 30000);
	printf("%d\n", kept ? kept[29999] : 1);
	return 0;
}
