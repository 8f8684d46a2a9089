/*
 * access_empty: access hooks that do nothing, to see what calling them costs.
 */
#include <stddef.h>

#define HOOK(name) void name(void *address); void name(void *address) { (void)address; }
#define SIZES(name) HOOK(name##1) HOOK(name##2) HOOK(name##4) HOOK(name##8) HOOK(name##16)
#define RANGE(name) void name(void *address, size_t n); void name(void *address, size_t n) { (void)address; (void)n; }

SIZES(__tsan_read)
SIZES(__tsan_write)
SIZES(__tsan_unaligned_read)
SIZES(__tsan_unaligned_write)
SIZES(__tsan_volatile_read)
SIZES(__tsan_volatile_write)
HOOK(__tsan_vptr_read)
RANGE(__tsan_vptr_update)
RANGE(__tsan_read_range)
RANGE(__tsan_write_range)
HOOK(__tsan_func_entry)

#define START(name) void name(void); void name(void) { }

START(__tsan_init)
START(__tsan_init_gcc)
START(__tsan_init_gcc_source)
START(__tsan_init_clang)
START(__tsan_init_clang_source)
START(__tsan_func_exit)
