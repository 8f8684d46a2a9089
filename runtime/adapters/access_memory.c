/*
 * Access, memory: functions of the C library that read and write memory for the program's own code.
 *
 * kinst gives hooked objects the names here (such as __wrap_memcpy for memcpy), so that calls of other code stay as
 * they are.  A copy or fill is one access of all its bytes; a function that stops at a byte is counted up to that
 * byte.
 */
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "runtime/adapters/access_copy.h"
#include "runtime/adapters/access_hooks.h"
#include "runtime/adapters/access_near.h"
#include "runtime/adapters/access_pair.h"

/* These belong to _FORTIFY_SOURCE; no header declares them. */
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memmove_chk(void *to, const void *from, size_t n, size_t room);
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memset_chk(void *to, int c, size_t n, size_t room);
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__stpcpy_chk(char *to, const char *from, size_t room);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);

#pragma GCC visibility push(hidden)

static IN_HOOK void access_memory_loads(const void *p, size_t n_bytes)
{
	SAMPLE(p, n_bytes, OMPP_ACCESS_LOAD)
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_LOAD);
}

static IN_HOOK void access_memory_stores(const void *p, size_t n_bytes)
{
	SAMPLE(p, n_bytes, OMPP_ACCESS_STORE)
	ompp_count_block((uintptr_t)p, n_bytes, OMPP_SLOT_BLOCK_STORE);
}

static IN_HOOK void copied_block(const void *to, const void *from, size_t n_bytes, const void *site)
{
	if (ompp_copy_was_hooked(to, from, n_bytes, site))
		return;
	access_memory_loads(from, n_bytes);
	access_memory_stores(to, n_bytes);
}

/* Declares a function and begins its definition. */
#define WRAP(result, name, ...) \
	PAIR(__wrap_##name) \
	result NAME(__wrap_##name)(__VA_ARGS__); \
	result NAME(__wrap_##name)(__VA_ARGS__)

/* ---- blocks ---- */

#define COPY(name) \
	WRAP(void *, name, void *to, const void *from, size_t n) \
	{ \
		copied_block(to, from, n, __builtin_return_address(0)); \
		return name(to, from, n); \
	} \
	WRAP(void *, __##name##_chk, void *to, const void *from, size_t n, size_t room) \
	{ \
		copied_block(to, from, n, __builtin_return_address(0)); \
		return __##name##_chk(to, from, n, room); \
	}

COPY(memcpy)
COPY(memmove)
COPY(mempcpy)

WRAP(void *, memset, void *to, int c, size_t n)
{
	if (!ompp_copy_was_hooked(to, NULL, n, __builtin_return_address(0)))
		access_memory_stores(to, n);
	return memset(to, c, n);
}

WRAP(void *, __memset_chk, void *to, int c, size_t n, size_t room)
{
	access_memory_stores(to, n);
	return __memset_chk(to, c, n, room);
}

#ifndef OMPP_ACCESS_SAMPLED
/* clang may call these for its own copies and fills.  They are other names of the hooks, so that these see who called,
 * and samples replace both. */
#define OTHER_NAME(name, hook) \
	__asm__(".hidden " #name "\n\t" \
	        ".globl " #name "\n\t" \
	        ".type " #name ", %function\n\t" \
	        ".set " #name ", " #hook);

OTHER_NAME(__tsan_memcpy, __wrap_memcpy)
OTHER_NAME(__tsan_memmove, __wrap_memmove)
OTHER_NAME(__tsan_memset, __wrap_memset)
#endif

WRAP(void, bzero, void *to, size_t n)
{
	access_memory_stores(to, n);
	bzero(to, n);
}

WRAP(void, bcopy, const void *from, void *to, size_t n)
{
	access_memory_loads(from, n);
	access_memory_stores(to, n);
	bcopy(from, to, n);
}

/* Returns how many bytes are compared: up to the first one that differs, which is included.
 * strings: 1 when a 0 ends both, too */
static size_t n_equal(const unsigned char *a, const unsigned char *b, size_t n, int strings)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (a[i] != b[i] || (strings && !a[i]))
			return i + 1;
	return n;
}

#define COMPARE(name, strings) \
	WRAP(int, name, const void *a, const void *b, size_t n) \
	{ \
		size_t met = n_equal(a, b, n, strings); \
		access_memory_loads(a, met); \
		access_memory_loads(b, met); \
		return name(a, b, n); \
	}

COMPARE(memcmp, 0)
COMPARE(bcmp, 0)
COMPARE(strncmp, 1)

WRAP(void *, memchr, const void *p, int c, size_t n)
{
	const char *found = memchr(p, c, n);

	access_memory_loads(p, found ? (size_t)(found - (const char *)p) + 1 : n);
	return (void *)(uintptr_t)found;
}

/* ---- strings ---- */

WRAP(int, strcmp, const char *a, const char *b)
{
	size_t met = n_equal((const unsigned char *)a, (const unsigned char *)b, SIZE_MAX, 1);

	access_memory_loads(a, met);
	access_memory_loads(b, met);
	return strcmp(a, b);
}

WRAP(size_t, strlen, const char *s)
{
	size_t n = strlen(s);

	access_memory_loads(s, n + 1);
	return n;
}

WRAP(size_t, strnlen, const char *s, size_t most)
{
	size_t n = strnlen(s, most);

	access_memory_loads(s, n < most ? n + 1 : n);
	return n;
}

static IN_HOOK void access_memory_copied(char *to, const char *from)
{
	size_t n = strlen(from) + 1;

	access_memory_loads(from, n);
	access_memory_stores(to, n);
}

#define STRING_COPY(name) \
	WRAP(char *, name, char *to, const char *from) \
	{ \
		access_memory_copied(to, from); \
		return name(to, from); \
	} \
	WRAP(char *, __##name##_chk, char *to, const char *from, size_t room) \
	{ \
		access_memory_copied(to, from); \
		return __##name##_chk(to, from, room); \
	}

STRING_COPY(strcpy)
STRING_COPY(stpcpy)

static IN_HOOK void copied_n(char *to, const char *from, size_t n)
{
	size_t length = strnlen(from, n);

	access_memory_loads(from, length < n ? length + 1 : n);
	access_memory_stores(to, n); /* the rest of the memory is filled with zeros */
}

WRAP(char *, strncpy, char *to, const char *from, size_t n)
{
	copied_n(to, from, n);
	return strncpy(to, from, n);
}

WRAP(char *, __strncpy_chk, char *to, const char *from, size_t n, size_t room)
{
	copied_n(to, from, n);
	return __strncpy_chk(to, from, n, room);
}

static IN_HOOK void access_memory_appended(char *to, const char *from)
{
	size_t before = strlen(to), n = strlen(from) + 1;

	access_memory_loads(to, before + 1);
	access_memory_loads(from, n);
	access_memory_stores(to + before, n);
}

WRAP(char *, strcat, char *to, const char *from)
{
	access_memory_appended(to, from);
	return strcat(to, from);
}

WRAP(char *, __strcat_chk, char *to, const char *from, size_t room)
{
	access_memory_appended(to, from);
	return __strcat_chk(to, from, room);
}

static IN_HOOK void access_memory_searched(const char *s, const char *found)
{
	access_memory_loads(s, found ? (size_t)(found - s) + 1 : strlen(s) + 1);
}

WRAP(char *, strchr, const char *s, int c)
{
	char *found = strchr(s, c);

	access_memory_searched(s, found);
	return found;
}

WRAP(char *, strrchr, const char *s, int c)
{
	access_memory_searched(s, NULL);
	return strrchr(s, c);
}

#pragma GCC visibility pop
