/*
 * Foreign: each function of the C library under its own name, as a program or a preloaded library may have it.  Called from
 * libompp, it says its name and ends the process; called by anybody else, it is the C library's.
 *
 * names.h has a line STUB(number, name) for each.  The machine is x86-64, as a function is passed on with all that it was called
 * with.  Nothing here calls the C library: it would come back.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

__attribute__((visibility("hidden"))) void *foreign_find(uintptr_t number, uintptr_t caller);

/* The stub's number and the caller lie on the stack; all registers that may hold arguments are kept. */
__asm__(".text\n"
	".hidden foreign_common\n"
	"foreign_common:\n"
	"	push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax; push %r10\n"
	"	mov %rsp, %r11\n"
	"	sub $144, %rsp\n"
	"	and $-16, %rsp\n"
	"	movaps %xmm0, (%rsp); movaps %xmm1, 16(%rsp); movaps %xmm2, 32(%rsp); movaps %xmm3, 48(%rsp)\n"
	"	movaps %xmm4, 64(%rsp); movaps %xmm5, 80(%rsp); movaps %xmm6, 96(%rsp); movaps %xmm7, 112(%rsp)\n"
	"	mov %r11, 128(%rsp)\n"
	"	mov 64(%r11), %rdi\n"
	"	mov 72(%r11), %rsi\n"
	"	call foreign_find\n"
	"	movaps (%rsp), %xmm0; movaps 16(%rsp), %xmm1; movaps 32(%rsp), %xmm2; movaps 48(%rsp), %xmm3\n"
	"	movaps 64(%rsp), %xmm4; movaps 80(%rsp), %xmm5; movaps 96(%rsp), %xmm6; movaps 112(%rsp), %xmm7\n"
	"	mov 128(%rsp), %rsp\n"
	"	mov %rax, %r11\n"
	"	pop %r10; pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi\n"
	"	add $8, %rsp\n"
	"	jmp *%r11\n");

#define STUB(number, name) \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ": pushq $" #number "\njmp foreign_common\n");
#include "names.h"
#undef STUB

static const char *const names[] = {
#define STUB(number, name) [number] = #name,
#include "names.h"
};
enum { N = sizeof(names) / sizeof(names[0]) };

static void *real[N];
static uintptr_t ours_lo, ours_hi;

static long call(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}

static size_t length(const char *s)
{
	size_t n = 0;

	for (; s[n]; n++)
		__asm__("" : "+r"(s));
	return n;
}

static int same(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		__asm__("" : "+r"(a));
	return *a == *b;
}

static int contains(const char *s, const char *part)
{
	for (; *s; s++) {
		size_t i = 0;

		while (part[i] && s[i] == part[i])
			i++;
		if (!part[i])
			return 1;
	}
	return 0;
}

static void die(const char *what, const char *name)
{
	call(SYS_write, 2, (long)what, (long)length(what));
	call(SYS_write, 2, (long)name, (long)length(name));
	call(SYS_write, 2, (long)"\n", 1);
	call(SYS_exit_group, 99, 0, 0);
}

/* The function in a library's table of symbols, in the version that is linked to today. */
static void *look_up(const struct link_map *m, const char *name)
{
	const ElfW(Sym) *symbols = NULL, *s;
	const ElfW(Half) *versions = NULL;
	const char *strings = NULL;

	for (const ElfW(Dyn) *d = m->l_ld; d->d_tag; d++)
		if (d->d_tag == DT_SYMTAB)
			symbols = (const void *)d->d_un.d_ptr;
		else if (d->d_tag == DT_STRTAB)
			strings = (const void *)d->d_un.d_ptr;
		else if (d->d_tag == DT_VERSYM)
			versions = (const void *)d->d_un.d_ptr;
	for (s = symbols + 1; (const char *)s < strings; s++)   /* the strings follow */
		if (s->st_shndx && !(versions[s - symbols] & 0x8000) && same(strings + s->st_name, name)) {
			void *at = (void *)(m->l_addr + s->st_value);

			return (s->st_info & 15) == STT_GNU_IFUNC ? ((void *(*)(void))at)() : at;
		}
	return NULL;
}

/* Where libompp.so is: its first and last address, by its program headers. */
static void find_ours(const struct link_map *m)
{
	const ElfW(Ehdr) *head = (const void *)m->l_addr;
	const ElfW(Phdr) *p = (const void *)(m->l_addr + head->e_phoff);

	for (int i = 0; i < head->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && m->l_addr + p[i].p_vaddr + p[i].p_memsz > ours_hi)
			ours_hi = m->l_addr + p[i].p_vaddr + p[i].p_memsz;
	ours_lo = m->l_addr;
}

void *foreign_find(uintptr_t number, uintptr_t caller)
{
	const struct link_map *m;

	if (!ours_lo)
		for (m = _r_debug.r_map; m; m = m->l_next)
			if (contains(m->l_name, "libompp.so"))
				find_ours(m);
	if (caller >= ours_lo && caller < ours_hi)
		die("libompp has called ", names[number]);
	for (m = real[number] ? NULL : _r_debug.r_map; m; m = m->l_next)
		if (contains(m->l_name, "/libc.so.6"))
			real[number] = look_up(m, names[number]);
	if (!real[number])
		die("the C library has no ", names[number]);
	return real[number];
}
