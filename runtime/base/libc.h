/*
 * Libc: libompp's own functions of memory and strings.  The build puts this in front of each file of libompp.
 *
 * A call of one of the names below, also one that the compiler makes for copies and loops, goes to the function in
 * libc.c, never to one of the program, of a preloaded library or of a sanitizer.  The renaming is the assembler's, so
 * that the compiler still knows what the functions do.  It has no effect in intermediate code: the libraries are
 * compiled without -flto.
 */
#ifndef OMPP_BASE_LIBC_H
#define OMPP_BASE_LIBC_H

/* Calls of __memcpy_chk and the like would be calls of the C library. */
#undef _FORTIFY_SOURCE

#define OMPP_LIBC(name) __asm__(#name " = ompp_libc_" #name)

OMPP_LIBC(memcpy);
OMPP_LIBC(memmove);
OMPP_LIBC(memset);
OMPP_LIBC(memcmp);
OMPP_LIBC(bcmp);
OMPP_LIBC(memchr);
OMPP_LIBC(memrchr);
OMPP_LIBC(memmem);
OMPP_LIBC(strcpy);
OMPP_LIBC(strlen);
OMPP_LIBC(strnlen);
OMPP_LIBC(strcmp);
OMPP_LIBC(strncmp);
OMPP_LIBC(strchr);
OMPP_LIBC(strrchr);
OMPP_LIBC(strstr);
OMPP_LIBC(strspn);
OMPP_LIBC(strcspn);
OMPP_LIBC(strpbrk);

#endif
