/*
 * Calls: preloaded, counts malloc and its kin, and writes the count to the file that CALLS names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic long n;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

void *malloc(size_t bytes)
{
	n++;
	return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	n++;
	return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
	n++;
	return __libc_realloc(old, bytes);
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("CALLS");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;

	if (fd >= 0)
		dprintf(fd, "%ld\n", n);
}
