/*
 * Redirect: see redirect.h.  Relocations are described in the generic ABI and in those of the processors; PT_GNU_RELRO
 * marks memory that the dynamic linker makes read-only after it has filled it.
 */
#define _GNU_SOURCE
#include "runtime/host/redirect.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/auxv.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/real.h"

#if defined(__x86_64__)
enum { IS_SLOT = R_X86_64_JUMP_SLOT, IS_DATA = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { IS_SLOT = R_AARCH64_JUMP_SLOT, IS_DATA = R_AARCH64_GLOB_DAT };
#else
enum { IS_SLOT = -1, IS_DATA = -1 };
#endif

struct redirect {
	const struct ompp_redirection *list;
	size_t n;
	uint64_t begins; /* a bit for how each name of the list begins */
	int n_openmp;    /* files that have GCC's OpenMP functions */
	int n_changed;
};

/* Returns the bit for how a name begins, so that most names need no comparison. */
static uint64_t begin_of(const char *name)
{
	return (uint64_t)1 << (((unsigned char)name[0] * 7u + (name[0] ? (unsigned char)name[1] : 0u)) % 64);
}

/* This is the second name of the C library's own malloc. */
extern void *__libc_malloc(size_t n_bytes) __attribute__((weak));

/* The words of a static program, which the linker puts together; there are none in others. */
extern struct ompp_static_call __start_ompp_static_calls[] __attribute__((weak, visibility("hidden"))),
	__stop_ompp_static_calls[] __attribute__((weak, visibility("hidden")));

/* ---- the functions ---- */

/* A function that every OpenMP library of GCC's kind has. */
static int has_openmp(const struct ompp_dynamic *file)
{
	return ompp_dynamic_function(file, "GOMP_parallel") != NULL;
}

static int find_real(struct dl_phdr_info *info, size_t size, void *context)
{
	struct redirect *r = context;
	struct ompp_dynamic file;

	(void)size;
	if (ompp_dynamic_of(&file, info))
		return 0;
	r->n_openmp += has_openmp(&file);
	for (size_t i = 0; i < r->n; i++)
		if (!*r->list[i].real)
			*r->list[i].real = (void (*)(void))(uintptr_t)ompp_dynamic_function(&file, r->list[i].name);
	return 0;
}

/* ---- the words ---- */

/* The part of a file's memory that is constant once it is filled. */
struct constant {
	uintptr_t lo, hi;
};

static struct constant constant_of(const struct dl_phdr_info *info)
{
	uintptr_t page = (uintptr_t)ompp_page_bytes(), lo;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
			lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			return (struct constant){ lo & -page, (lo + info->dlpi_phdr[i].p_memsz) & -page };
		}
	return (struct constant){ 0, 0 };
}

/* Writes a word.  Other threads may read it at any time.  Returns 1, or 0 when it cannot be written. */
static int write_word(uintptr_t *word, uintptr_t value, const struct constant *constant)
{
	uintptr_t page = (uintptr_t)ompp_page_bytes(), at = (uintptr_t)word & -page;
	int is_constant = at >= constant->lo && at < constant->hi;

	if (is_constant && ompp_sys_mprotect((void *)at, page, PROT_READ | PROT_WRITE))
		return 0;
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
	if (is_constant)
		ompp_sys_mprotect((void *)at, page, PROT_READ);
	return 1;
}

/* A file's relocations, in two lists. */
struct relocations {
	const ElfW(Rela) * list[2];
	size_t n[2];
};

/* Finds a file's symbols and relocations.  Returns 0, or -ENOENT when it has none that we know. */
static int relocations_of(const struct dl_phdr_info *info, struct ompp_dynamic *file, struct relocations *r)
{
	const ElfW(Dyn) *e = ompp_dynamic_section(info);
	uintptr_t at[2] = { 0, 0 };
	size_t n_bytes[2] = { 0, 0 };

	*r = (struct relocations){ .n = { 0, 0 } };
	if (!e || ompp_dynamic_open(file, info->dlpi_addr, e))
		return -ENOENT;
	for (; e->d_tag != DT_NULL; e++)
		switch (e->d_tag) {
		/* clang-format off */
		case DT_RELA:     at[0] = e->d_un.d_ptr; break;
		case DT_RELASZ:   n_bytes[0] = e->d_un.d_val; break;
		case DT_JMPREL:   at[1] = e->d_un.d_ptr; break;
		case DT_PLTRELSZ: n_bytes[1] = e->d_un.d_val; break;
		case DT_PLTREL:   if (e->d_un.d_val != DT_RELA) return -ENOENT; break;
		default:          break;
			/* clang-format on */
		}
	for (int i = 0; i < 2; i++)
		if (at[i]) {
			r->list[i] = (const ElfW(Rela) *)(at[i] < info->dlpi_addr ? at[i] + info->dlpi_addr : at[i]);
			r->n[i] = n_bytes[i] / sizeof(ElfW(Rela));
		}
	return 0;
}

/* Returns the name of the function whose address a relocation puts into a word; NULL for other relocations. */
static const char *redirect_name(const struct ompp_dynamic *file, const ElfW(Rela) * relocation)
{
	int type = (int)ELF64_R_TYPE(relocation->r_info);

	return type == IS_SLOT || type == IS_DATA
	             ? file->strings + file->symbols[ELF64_R_SYM(relocation->r_info)].st_name
	             : NULL;
}

/* Did kinst build any part of the file?  Such a part calls our functions of POMP2, and in Fortran those of our own. */
static int is_built(const struct ompp_dynamic *file, const struct relocations *r)
{
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < r->n[k]; i++) {
			const char *name = redirect_name(file, &r->list[k][i]);

			if (name && (!strncmp(name, "POMP2_", 6) || !strncmp(name, "pomp2_", 6) ||
			             !strncmp(name, "ompp_f_", 7)))
				return 1;
		}
	return 0;
}

/* What is asked of files: for is_built() the address, else the names. */
struct built {
	uintptr_t address;
	const char *begin, *own;
};

static int file_is_built(struct dl_phdr_info *info, size_t size, void *context)
{
	const struct built *built = context;
	struct relocations relocations;
	struct ompp_dynamic file;

	(void)size;
	return ompp_dynamic_holds(info, built->address) && !relocations_of(info, &file, &relocations) &&
	       is_built(&file, &relocations);
}

int ompp_redirect_is_built(uintptr_t address)
{
	const struct built built = { .address = address };

	return ompp_real_each(file_is_built, (void *)(uintptr_t)&built);
}

static int file_calls(struct dl_phdr_info *info, size_t size, void *context)
{
	const struct built *built = context;
	struct relocations relocations;
	struct ompp_dynamic file;

	(void)size;
	if (ompp_dynamic_is_own(info) || relocations_of(info, &file, &relocations) ||
	    ompp_dynamic_function(&file, built->own) || is_built(&file, &relocations))
		return 0;
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < relocations.n[k]; i++) {
			const char *name = redirect_name(&file, &relocations.list[k][i]);

			if (name && !strncmp(name, built->begin, strlen(built->begin)))
				return 1;
		}
	return 0;
}

int ompp_redirect_has_unbuilt(const char *begin, const char *own)
{
	const struct built built = { .begin = begin, .own = own };

	return ompp_real_each(file_calls, (void *)(uintptr_t)&built);
}

/* What decides which calls of a file are redirected. */
struct redirect_file {
	int has_malloc, is_unbuilt, is_unsure;
};

/* May this word be changed?  The function that is found is that of the first library that has it, but not of every
 * caller: where several have it, only words that have its address already go to us. */
static int redirect_may(const struct redirect_file *file, const struct ompp_redirection *row, uintptr_t word)
{
	switch (row->files) {
	case OMPP_REDIRECT_NO_ALLOCATORS:
		return !file->has_malloc;
	case OMPP_REDIRECT_UNBUILT:
		return file->is_unbuilt && (!file->is_unsure || word == (uintptr_t)*row->real);
	default:
		return 1;
	}
}

static void redirect_change(struct redirect *r, const struct dl_phdr_info *info, const struct ompp_dynamic *file,
                            const ElfW(Rela) * list, size_t n, const struct redirect_file *what)
{
	struct constant constant = constant_of(info);

	for (size_t i = 0; i < n; i++) {
		const char *name = redirect_name(file, &list[i]);

		if (!name || !(r->begins & begin_of(name)))
			continue;
		for (size_t k = 0; k < r->n; k++)
			if (*r->list[k].real && !strcmp(name, r->list[k].name)) {
				uintptr_t *word = (uintptr_t *)(info->dlpi_addr + list[i].r_offset);

				if (redirect_may(what, &r->list[k], *word) && *word != (uintptr_t)r->list[k].to)
					r->n_changed += write_word(word, (uintptr_t)r->list[k].to, &constant);
				break;
			}
	}
}

static int change_file(struct dl_phdr_info *info, size_t size, void *context)
{
	const struct redirect *r = context;
	struct relocations relocations;
	struct redirect_file what = { .is_unsure = r->n_openmp > 1 };
	struct ompp_dynamic file;

	(void)size;
	if (relocations_of(info, &file, &relocations))
		return 0;
	what.has_malloc = ompp_dynamic_function(&file, "malloc") != NULL;
	what.is_unbuilt = !ompp_dynamic_is_own(info) && !has_openmp(&file) && !is_built(&file, &relocations);
	for (int i = 0; i < 2; i++)
		redirect_change(context, info, &file, relocations.list[i], relocations.n[i], &what);
	return 0;
}

/* ---- static programs ---- */

static struct ompp_static_call *static_call(const char *name)
{
	struct ompp_static_call *call = __start_ompp_static_calls;

	while (call != __stop_ompp_static_calls && strcmp(call->name, name))
		call++;
	return call == __stop_ompp_static_calls ? NULL : call;
}

static void change_static(struct redirect *r)
{
	const struct ompp_static_call *allocator = static_call("malloc");
	int has_malloc = allocator && (uintptr_t)allocator->real != (uintptr_t)__libc_malloc;

	for (size_t i = 0; i < r->n; i++) {
		struct ompp_static_call *call = static_call(r->list[i].name);

		if (!call || !call->real || (has_malloc && r->list[i].files == OMPP_REDIRECT_NO_ALLOCATORS))
			continue;
		*r->list[i].real = call->real;
		r->n_changed += call->to != r->list[i].to;
		__atomic_store_n(&call->to, r->list[i].to, __ATOMIC_RELEASE);
	}
}

void (*ompp_redirect_static(const char *name))(void)
{
	const struct ompp_static_call *call = static_call(name);

	return call ? call->real : NULL;
}

int ompp_redirect(const struct ompp_redirection *list, size_t n)
{
	struct redirect r = { .list = list, .n = n };

	if (IS_SLOT < 0)
		return -ENOTSUP;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].name, "malloc") && ompp_real_is_programs("malloc"))
			return -ENOTSUP;
	for (size_t i = 0; i < n; i++)
		r.begins |= begin_of(list[i].name);
	change_static(&r);
	ompp_real_each(find_real, &r);
	ompp_real_each(change_file, &r);
	return r.n_changed;
}
