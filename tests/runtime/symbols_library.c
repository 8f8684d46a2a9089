/*
 * symbols_library.c: data of a library of symbols.c.
 */
#include <stdio.h>

int of_library[1700];
static int hidden[1800], same[1900];

void show_library(void);
void touch(void *);

/* The compiler must not know what is done with the data. */
void touch(void *data)
{
	__asm__ volatile("" : : "r"(data) : "memory");
}

void show_library(void)
{
	touch(of_library);
	touch(hidden);
	touch(same);
	printf("of_library %#lx %zu\n", (unsigned long)of_library, sizeof(of_library));
	printf("hidden %#lx %zu\n", (unsigned long)hidden, sizeof(hidden));
	printf("libsymbols.so:same %#lx %zu\n", (unsigned long)same, sizeof(same));
}
