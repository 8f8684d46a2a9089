/*
 * symbols.h: a static of a function in a header, which every source file has for itself.
 */
#include <stdio.h>

void touch(void *);

static inline void show_cache(void)
{
	static int cache[1024 + LARGER];

	touch(cache);
	printf(UNIT ":show_cache.cache %#lx %zu\n", (unsigned long)cache, sizeof(cache));
}
