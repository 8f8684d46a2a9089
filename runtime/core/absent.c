/* Stands in for parts that are not there yet. */
#include "runtime/data/cache.h"
#include "runtime/data/symbols.h"
#include "runtime/sources/breakpoint.h"
#define W __attribute__((weak))
W int ompp_breakpoints_on;
W int ompp_breakpoint_watch(uint32_t object, uintptr_t address, size_t n_bytes, char *why, size_t n_why){(void)object;(void)address;(void)n_bytes;(void)why;(void)n_why;return -1;}
W size_t ompp_breakpoint_read(struct ompp_breakpoints *own, struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS]){(void)own;(void)slots;return 0;}
W void ompp_breakpoint_stop(struct ompp_breakpoints *own){(void)own;}
W void ompp_breakpoint_after_fork(struct ompp_breakpoints *own){(void)own;}
W int ompp_cache_geometry(const char *text, struct ompp_cache_geometry *geometry, char *why, size_t n_why){(void)text;(void)geometry;(void)why;(void)n_why;return 0;}
W size_t ompp_cache_private_bytes(const struct ompp_cache_geometry *geometry){(void)geometry;return 0;}
W size_t ompp_cache_shared_bytes(const struct ompp_cache_geometry *geometry){(void)geometry;return 0;}
W unsigned int ompp_cache_access(const struct ompp_cache_geometry *geometry, void *own, void *shared, uintptr_t address, size_t n_bytes){(void)geometry;(void)own;(void)shared;(void)address;(void)n_bytes;return 0;}
W int ompp_symbols_find(const char *names, size_t min_bytes, void (*found)(const struct ompp_symbol *symbol), void (*say)(const char *line)){(void)names;(void)min_bytes;(void)found;(void)say;return 0;}
