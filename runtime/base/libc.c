/*
 * Libc: see libc.h.
 *
 * None of these may become a call of itself: compilers recognise loops that fill, copy and measure memory, and replace
 * them by a call of memset, memcpy or strlen.  KEEP in a loop prevents that.
 */
#include <stddef.h>
#include <stdint.h>

#define KEEP(p) __asm__("" : "+r"(p))

#pragma GCC visibility push(hidden)

/* Declares a function and begins it. */
#define LIBC(result, name, ...) \
	result ompp_libc_##name(__VA_ARGS__); \
	result ompp_libc_##name(__VA_ARGS__)

typedef uint64_t __attribute__((may_alias, aligned(1))) word;

typedef uint32_t __attribute__((may_alias, aligned(1))) half;

enum { WORD = sizeof(word), HALF = sizeof(half) };

/* ---- blocks ---- */

static void copy_up(unsigned char *to, const unsigned char *from, size_t n)
{
	for (; n >= WORD; n -= WORD, to += WORD, from += WORD) {
		*(word *)to = *(const word *)from;
		KEEP(to);
	}
	for (; n; n--) {
		*to++ = *from++;
		KEEP(to);
	}
}

static void copy_down(unsigned char *to, const unsigned char *from, size_t n)
{
	for (; n >= WORD; n -= WORD) {
		*(word *)(to + n - WORD) = *(const word *)(from + n - WORD);
		KEEP(to);
	}
	for (; n; n--) {
		to[n - 1] = from[n - 1];
		KEEP(to);
	}
}

/* Most copies are short: up to 16 bytes need no loop, but two words that may share bytes in the middle.  Returns 0 for
 * sizes that are none of these. */
static inline int copy_short(unsigned char *to, const unsigned char *from, size_t n)
{
	if (n >= WORD && n <= 2 * WORD) {
		uint64_t first = *(const word *)from, last = *(const word *)(from + n - WORD);

		*(word *)to = first;
		*(word *)(to + n - WORD) = last;
		return 1;
	}
	if (n >= HALF && n < WORD) {
		uint32_t first = *(const half *)from, last = *(const half *)(from + n - HALF);

		*(half *)to = first;
		*(half *)(to + n - HALF) = last;
		return 1;
	}
	return 0;
}

LIBC(void *, memcpy, void *to, const void *from, size_t n)
{
	if (!copy_short(to, from, n))
		copy_up(to, from, n);
	return to;
}

LIBC(void *, memmove, void *to, const void *from, size_t n)
{
	if ((uintptr_t)to - (uintptr_t)from >= n)
		copy_up(to, from, n);
	else
		copy_down(to, from, n);
	return to;
}

LIBC(void *, memset, void *to, int c, size_t n)
{
	word value = UINT64_C(0x0101010101010101) * (unsigned char)c;
	unsigned char *p = to;

	if (n >= WORD && n <= 2 * WORD) {
		*(word *)p = value;
		*(word *)(p + n - WORD) = value;
		return to;
	}
	if (n >= HALF && n < WORD) {
		*(half *)p = (uint32_t)value;
		*(half *)(p + n - HALF) = (uint32_t)value;
		return to;
	}
	for (; n >= WORD; n -= WORD, p += WORD) {
		*(word *)p = value;
		KEEP(p);
	}
	for (; n; n--) {
		*p++ = (unsigned char)c;
		KEEP(p);
	}
	return to;
}

LIBC(int, memcmp, const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	for (; n >= WORD && *(const word *)p == *(const word *)q; n -= WORD, p += WORD, q += WORD)
		KEEP(p);
	for (; n && *p == *q; n--, p++, q++)
		KEEP(p);
	return n ? *p - *q : 0;
}

LIBC(int, bcmp, const void *a, const void *b, size_t n)
{
	return ompp_libc_memcmp(a, b, n);
}

LIBC(void *, memchr, const void *block, int c, size_t n)
{
	const unsigned char *p = block;

	for (; n && *p != (unsigned char)c; n--, p++)
		KEEP(p);
	return n ? (void *)(uintptr_t)p : NULL;
}

LIBC(void *, memrchr, const void *block, int c, size_t n)
{
	const unsigned char *p = block;

	for (; n && p[n - 1] != (unsigned char)c; n--)
		KEEP(p);
	return n ? (void *)(uintptr_t)(p + n - 1) : NULL;
}

LIBC(void *, memmem, const void *block, size_t n_block, const void *part, size_t n_part)
{
	const unsigned char *p = block, *first = part;

	if (!n_part)
		return (void *)(uintptr_t)block;
	for (; n_part <= n_block; n_block--, p++) {
		if (*p == *first && !ompp_libc_memcmp(p, part, n_part))
			return (void *)(uintptr_t)p;
		KEEP(p);
	}
	return NULL;
}

/* ---- strings ---- */

LIBC(size_t, strlen, const char *s)
{
	const char *p = s;

	for (; *p; p++)
		KEEP(p);
	return (size_t)(p - s);
}

LIBC(char *, strcpy, char *to, const char *from)
{
	return ompp_libc_memcpy(to, from, ompp_libc_strlen(from) + 1);
}

LIBC(size_t, strnlen, const char *s, size_t most)
{
	size_t n = 0;

	for (; n < most && s[n]; n++)
		KEEP(s);
	return n;
}

LIBC(int, strncmp, const char *a, const char *b, size_t n)
{
	for (; n && *a && *a == *b; n--, a++, b++)
		KEEP(a);
	return n ? (unsigned char)*a - (unsigned char)*b : 0;
}

LIBC(int, strcmp, const char *a, const char *b)
{
	return ompp_libc_strncmp(a, b, SIZE_MAX);
}

LIBC(char *, strchr, const char *s, int c)
{
	for (; *s && *s != (char)c; s++)
		KEEP(s);
	return *s == (char)c ? (char *)(uintptr_t)s : NULL;
}

LIBC(char *, strrchr, const char *s, int c)
{
	return ompp_libc_memrchr(s, c, ompp_libc_strlen(s) + 1);
}

LIBC(char *, strstr, const char *s, const char *part)
{
	return ompp_libc_memmem(s, ompp_libc_strlen(s), part, ompp_libc_strlen(part));
}

LIBC(size_t, strspn, const char *s, const char *set)
{
	size_t n = 0;

	while (s[n] && ompp_libc_strchr(set, s[n]))
		n++;
	return n;
}

LIBC(size_t, strcspn, const char *s, const char *set)
{
	size_t n = 0;

	while (s[n] && !ompp_libc_strchr(set, s[n]))
		n++;
	return n;
}

LIBC(char *, strpbrk, const char *s, const char *set)
{
	s += ompp_libc_strcspn(s, set);
	return *s ? (char *)(uintptr_t)s : NULL;
}

#pragma GCC visibility pop
