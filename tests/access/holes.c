/*
 * holes: what hooks see of C.  See holes.h.  Usage: holes LIST
 */
#include <complex.h>
#include <stdatomic.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "holes.h"

#define BOTH(type) type *x = px; type *y = py; (void)x; (void)y; (void)n

#define COPY(name, type) KERNEL(name) { BOTH(type); for (int i = 0; i < n; i++) y[i] = (type)(x[i] + 1); }
COPY(bytes, char)
COPY(ints, int)
COPY(floats, float)
COPY(doubles, double)
COPY(long_doubles, long double)
COPY(doubles_complex, double complex)
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;
COPY(int128s, wide)
#endif

typedef double vector16 __attribute__((vector_size(16)));
typedef double vector32 __attribute__((vector_size(32)));
typedef double vector64 __attribute__((vector_size(64)));
#define NEGATE(name, type) KERNEL(name) { BOTH(type); for (int i = 0; i < n; i++) y[i] = -x[i]; }
NEGATE(vectors_16, vector16)
NEGATE(vectors_32, vector32)
NEGATE(vectors_64, vector64)

KERNEL(updates) { BOTH(int); for (int i = 0; i < n; i++) x[i] += i; }
KERNEL(volatiles) { volatile int *x = px, *y = py; for (int i = 0; i < n; i++) y[i] = x[i]; }
KERNEL(simd_loop)
{
	BOTH(double);
#pragma omp simd
	for (int i = 0; i < n; i++)
		y[i] = x[i] + 1;
}

struct __attribute__((packed)) packed { char c; double d; };
KERNEL(packed) { BOTH(struct packed); for (int i = 0; i < n; i++) y[i].d = x[i].d; }

struct bits { unsigned int a : 5, b : 11, c : 16; };
KERNEL(bits_read) { struct bits *x = px; int *y = py; for (int i = 0; i < n; i++) y[i] = x[i].c; }
KERNEL(bits_written) { BOTH(struct bits); for (int i = 0; i < n; i++) x[i].b = (unsigned int)i & 7; }

#define STRUCT(size)                    \
	struct bytes_##size { char c[size]; }; \
	KERNEL(struct_##size) { BOTH(struct bytes_##size); for (int i = 0; i < n / 10; i++) y[i] = x[i]; }
STRUCT(8) STRUCT(16) STRUCT(24) STRUCT(64) STRUCT(256) STRUCT(1024) STRUCT(4096)

#define BLOCK(size)                                             \
	KERNEL(memcpy_##size)                                   \
	{                                                       \
		BOTH(char);                                     \
		for (int i = 0; i < n / 10; i++)                \
			memcpy(y + size * i, x + size * i, size); \
	}                                                       \
	KERNEL(memset_##size)                                   \
	{                                                       \
		BOTH(char);                                     \
		for (int i = 0; i < n / 10; i++)                \
			memset(y + size * i, i, size);          \
	}                                                       \
	KERNEL(builtin_##size)                                  \
	{                                                       \
		BOTH(char);                                     \
		for (int i = 0; i < n / 10; i++)                \
			__builtin_memcpy(y + size * i, x + size * i, size); \
	}
BLOCK(8) BLOCK(32) BLOCK(100) BLOCK(4096)

KERNEL(memcpy_n) { BOTH(char); for (int i = 0; i < n / 10; i++) memcpy(y + 16 * i, x + 16 * i, (size_t)n / 100); }
KERNEL(memmove_n) { BOTH(char); for (int i = 0; i < n / 10; i++) memmove(y + 16 * i, x + 16 * i, (size_t)n / 100); }
KERNEL(memcmp_8)
{
	BOTH(char);
	int equal = 0;

	for (int i = 0; i < n; i++) {
		equal += !memcmp(x + 8 * i, x + 8 * i + 8 * n, 8);
		BARRIER(equal);
	}
}
KERNEL(strlen_7)
{
	BOTH(char);

	for (int i = 0; i < n; i++)
		BARRIER(strlen(x + 8 * i));
}
KERNEL(strcpy_7) { BOTH(char); for (int i = 0; i < n; i++) strcpy(y + 8 * i, x + 8 * i); }
KERNEL(zeros) { BOTH(double); for (int i = 0; i < n; i++) y[i] = 0; }
KERNEL(copy_loop) { char *restrict x = px, *restrict y = py; for (int i = 0; i < n; i++) y[i] = x[i]; }

KERNEL(omp_add)
{
	BOTH(int);

	for (int i = 0; i < n; i++)
#pragma omp atomic
		x[i] += 1;
}
KERNEL(omp_multiply)
{
	BOTH(int);

	for (int i = 0; i < n; i++)
#pragma omp atomic
		x[i] *= 3;
}
KERNEL(omp_double)
{
	BOTH(double);

	for (int i = 0; i < n; i++)
#pragma omp atomic
		x[i] += 1;
}
KERNEL(omp_capture)
{
	BOTH(int);

	for (int i = 0; i < n; i++) {
		int v;
#pragma omp atomic capture
		v = x[i]++;
		y[i] = v;
	}
}
KERNEL(omp_read_write)
{
	BOTH(double);
	double v = 0;

	for (int i = 0; i < n; i++) {
#pragma omp atomic read
		v = x[i];
#pragma omp atomic write
		y[i] = v;
	}
	BARRIER(&v);
}
KERNEL(c11_add) { _Atomic int *x = px; (void)py; for (int i = 0; i < n; i++) atomic_fetch_add(x + i, 1); }
KERNEL(c11_load_store)
{
	_Atomic long *x = px, *y = py;

	for (int i = 0; i < n; i++)
		atomic_store_explicit(y + i, atomic_load_explicit(x + i, memory_order_acquire), memory_order_release);
}

static _Thread_local double of_thread[N];
KERNEL(array_of_thread)
{
	BOTH(double);

	name_y(of_thread, sizeof(of_thread));
	for (int i = 0; i < n; i++)
		of_thread[i] = x[i];
	BARRIER(of_thread);
}
static double global[N];
KERNEL(array_global)
{
	BOTH(double);

	name_y(global, sizeof(global));
	for (int i = 0; i < n; i++)
		global[i] += x[i];
}
static double never_written[N] = { 1, 2, 3 };
KERNEL(array_never_written)
{
	BOTH(double);

	name_y(never_written, sizeof(never_written));
	for (int i = 0; i < n; i++)
		x[i] = never_written[i];
}
static const double constants[N] = { 1, 2, 3 };
KERNEL(array_const)
{
	BOTH(double);

	name_constants(constants, sizeof(constants));
	for (int i = 0; i < n; i++)
		x[i] = constants[i];
}
KERNEL(array_local)
{
	BOTH(double);
	double local[8];

	BARRIER(local);
	name_y(local, sizeof(local));
	for (int i = 0; i < 8; i++)
		local[i] = x[i];
	BARRIER(local);
	for (int i = 0; i < n; i++) {
		x[i] = local[i & 7];
		BARRIER(local);
	}
	name_y(py, ROOM);
}
KERNEL(array_variable)
{
	BOTH(double);
	int m = n;
	double local[m];

	BARRIER(local);
	name_y(local, sizeof(local));
	for (int i = 0; i < m; i++)
		local[i] = x[i];
	BARRIER(local);
	name_y(py, ROOM);
}
KERNEL(switch_table)
{
	unsigned int *x = px;
	int *y = py;

	for (int i = 0; i < n; i++)
		switch (x[i] & 7) {
		case 0: y[i] = 3; break;
		case 1: y[i] = 17; break;
		case 2: y[i] = -1; break;
		case 3: y[i] = 99; break;
		case 4: y[i] = 12; break;
		default: y[i] = 5;
		}
}
#if defined(__x86_64__)
KERNEL(assembler) { BOTH(long); for (int i = 0; i < n; i++) __asm__ volatile("addq $1, %0" : "+m"(x[i])); }
KERNEL(store_streaming)
{
	BOTH(__m128d);

	for (int i = 0; i < n; i++)
		_mm_stream_pd((double *)(y + i), x[i]);
}
#endif
#ifdef __AVX2__
KERNEL(avx_unaligned)
{
	BOTH(double);

	for (int i = 0; i < n; i++)
		_mm256_storeu_pd(y + 4 * i, _mm256_loadu_pd(x + 4 * i));
}
KERNEL(avx_masked)
{
	BOTH(double);
	__m256i mask = _mm256_set1_epi64x(-1);

	for (int i = 0; i < n; i++)
		_mm256_maskstore_pd(y + 4 * i, mask, _mm256_maskload_pd(x + 4 * i, mask));
}
KERNEL(avx_gather)
{
	BOTH(double);
	__m128i index = _mm_set_epi32(6, 4, 2, 0);

	for (int i = 0; i < n; i++)
		_mm256_storeu_pd(y + 4 * i, _mm256_i32gather_pd(x + 8 * i, index, 8));
}
#endif

static const struct kernel kernels[] = {
	ROW(bytes, LOADS_STORES(1)),
	ROW(ints, LOADS_STORES(4)),
	ROW(floats, LOADS_STORES(4)),
	ROW(doubles, LOADS_STORES(8)),
	ROW(long_doubles, LOADS_STORES(16)),
	ROW(doubles_complex, LOADS(2 * N, 8), STORES(2 * N, 8)),
#ifdef __SIZEOF_INT128__
	ROW(int128s, LOADS_STORES(16)),
#endif
	ROW(vectors_16, LOADS_STORES(16)),
	ROW(vectors_32, LOADS_STORES(32)),
	ROW(vectors_64, LOADS_STORES(64)),
	ROW(updates, UPDATES(4), NONE),
	ROW(volatiles, LOADS_STORES(4)),
	ROW(simd_loop, LOADS_STORES(8)),
	ROW(packed, LOADS_STORES(8)),
	ROW(bits_read, LOADS(N, 2), STORES(N, 4)),
	ROW(bits_written, UPDATES(4), NONE),
	ROW(struct_8, TENTH(8)),
	ROW(struct_16, TENTH(16)),
	ROW(struct_24, TENTH(24)),
	ROW(struct_64, TENTH(64)),
	ROW(struct_256, TENTH(256)),
	ROW(struct_1024, TENTH(1024)),
	ROW(struct_4096, TENTH(4096)),
	ROW(memcpy_8, TENTH(8)),
	ROW(memcpy_32, TENTH(32)),
	ROW(memcpy_100, TENTH(100)),
	ROW(memcpy_4096, TENTH(4096)),
	ROW(memset_8, NONE, STORES(N / 10, 8)),
	ROW(memset_32, NONE, STORES(N / 10, 32)),
	ROW(memset_100, NONE, STORES(N / 10, 100)),
	ROW(memset_4096, NONE, STORES(N / 10, 4096)),
	ROW(builtin_8, TENTH(8)),
	ROW(builtin_32, TENTH(32)),
	ROW(builtin_100, TENTH(100)),
	ROW(builtin_4096, TENTH(4096)),
	ROW(memcpy_n, TENTH(10)),
	ROW(memmove_n, TENTH(10)),
	ROW(memcmp_8, LOADS(2 * N, 8), NONE),
	ROW(strlen_7, LOADS(N, 8), NONE),
	ROW(strcpy_7, LOADS_STORES(8)),
	ROW(zeros, NONE, STORES(N, 8)),
	ROW(copy_loop, LOADS_STORES(1)),
	ROW(omp_add, ATOMICS(4), NONE),
	ROW(omp_multiply, { N, 0, N, 8L * N }, NONE),
	ROW(omp_double, { N, 0, N, 16L * N }, NONE),
	ROW(omp_capture, ATOMICS(4), STORES(N, 4)),
	ROW(omp_read_write, LOADS_STORES(8)),
	ROW(c11_add, ATOMICS(4), NONE),
	ROW(c11_load_store, LOADS_STORES(8)),
	ROW(array_of_thread, LOADS_STORES(8)),
	ROW(array_global, LOADS(N, 8), UPDATES(8)),
	ROW(array_never_written, STORES(N, 8), LOADS(N, 8)),
	ROW(array_const, STORES(N, 8), LOADS(N, 8), "constants"),
	ROW(array_local, { 8, N, 0, 64 + 8L * N }, { N, 8, 0, 64 + 8L * N }),
	ROW(array_variable, LOADS_STORES(8)),
	ROW(switch_table, LOADS_STORES(4)),
#if defined(__x86_64__)
	ROW(assembler, UPDATES(8), NONE),
	ROW(store_streaming, LOADS_STORES(16)),
#endif
#ifdef __AVX2__
	ROW(avx_unaligned, LOADS_STORES(32)),
	ROW(avx_masked, LOADS_STORES(32)),
	ROW(avx_gather, LOADS(4 * N, 8), STORES(N, 32)),
#endif
};

int main(int argc, char **argv)
{
	(void)argc;
	run_all(kernels, sizeof(kernels) / sizeof(*kernels), argv[1]);
	return 0;
}
