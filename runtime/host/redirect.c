/*
 * Redirect: see redirect.h.  Relocations are described in the generic ABI and in those of the processors; PT_GNU_RELRO
 * marks memory that the dynamic linker makes read-only after it has filled it.
 */
#define _GNU_SOURCE
#include "runtime/host/redirect.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/auxv.h"
#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/note.h"
#include "runtime/host/real.h"

#if defined(__x86_64__)
enum { IS_SLOT = R_X86_64_JUMP_SLOT, IS_DATA = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { IS_SLOT = R_AARCH64_JUMP_SLOT, IS_DATA = R_AARCH64_GLOB_DAT };
#else
enum { IS_SLOT = -1, IS_DATA = -1 };
#endif

enum { N_LISTS = 32, N_NAMES = 1024 /* more than all rows */ };

/* All lists, in the order in which they came, and their rows by name: of two rows of one name the last is there.  They
 * grow, and other threads may read them meanwhile. */
struct list {
	const struct ompp_redirection *rows;
	_Atomic size_t n; /* 0 until it is filled */
};
static struct list lists[N_LISTS];
static _Atomic uint32_t n_lists;
static const struct ompp_redirection *_Atomic names[N_NAMES];
static _Atomic uint64_t begins; /* a bit for how each name begins */

/* One walk, for some of the lists. */
struct redirect {
	const struct list *lists;
	uint32_t n_lists;
	int is_start; /* nothing was loaded by the program yet */
	int n_openmp; /* files that have GCC's OpenMP functions */
	int n_changed, n_unsure;
};

/* Returns the bit for how a name begins, so that most names need no comparison. */
static uint64_t begin_of(const char *name)
{
	return (uint64_t)1 << (((unsigned char)name[0] * 7u + (name[0] ? (unsigned char)name[1] : 0u)) % 64);
}

/* Finds the row of a name, NULL when there is none.  Returns where it is, or would be. */
static const struct ompp_redirection *_Atomic *name_entry(const char *name, const struct ompp_redirection **row)
{
	uint32_t at = ompp_dynamic_hash(name);

	while ((*row = atomic_load_explicit(&names[at % N_NAMES], memory_order_acquire)) && strcmp((*row)->name, name))
		at++;
	return &names[at % N_NAMES];
}

static const struct ompp_redirection *row_of(const char *name)
{
	const struct ompp_redirection *row = NULL;

	if (atomic_load_explicit(&begins, memory_order_relaxed) & begin_of(name))
		name_entry(name, &row);
	return row;
}

static void row_add(const struct ompp_redirection *row)
{
	const struct ompp_redirection *_Atomic *entry, *have;

	atomic_fetch_or(&begins, begin_of(row->name));
	do
		entry = name_entry(row->name, &have);
	while (!atomic_compare_exchange_strong(entry, &have, row));
}

/* Is the row one of the walk's? */
static int redirect_has(const struct redirect *r, const struct ompp_redirection *row)
{
	for (uint32_t i = 0; i < r->n_lists; i++)
		if (row >= r->lists[i].rows && row < r->lists[i].rows + r->lists[i].n)
			return 1;
	return 0;
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

int ompp_redirect_is_mpi(const struct ompp_dynamic *file)
{
	return ompp_dynamic_function(file, "PMPI_Init") != NULL;
}

int ompp_redirect_is_mpi_fortran(const struct ompp_dynamic *file)
{
	return ompp_dynamic_function(file, "mpi_init_") || ompp_dynamic_function(file, "mpi_init_f08_");
}

/* Calls `find` for the name of each row whose function is not known yet. */
static void each_real(const struct redirect *r, void *(*find)(const void *where, const char *name), const void *where)
{
	for (uint32_t k = 0; k < r->n_lists; k++)
		for (size_t i = 0; i < r->lists[k].n; i++) {
			const struct ompp_redirection *row = &r->lists[k].rows[i];

			if (!*row->real)
				*row->real = (void (*)(void))(uintptr_t)find(where, row->name);
		}
}

static void *find_in(const void *file, const char *name)
{
	return ompp_dynamic_function(file, name);
}

static int find_real(struct dl_phdr_info *info, size_t size, void *context)
{
	struct redirect *r = context;
	struct ompp_dynamic file;

	(void)size;
	if (ompp_dynamic_of(&file, info))
		return 0;
	r->n_openmp += has_openmp(&file);
	each_real(r, find_in, &file);
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
	int is_bound; /* see struct redirect_file */
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
		case DT_BIND_NOW: r->is_bound = 1; break;
		case DT_FLAGS:    r->is_bound |= (e->d_un.d_val & DF_BIND_NOW) != 0; break;
		case DT_FLAGS_1:  r->is_bound |= (e->d_un.d_val & DF_1_NOW) != 0; break;
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
	int has_malloc, is_unbuilt;
	int is_bound; /* its words are filled when it is loaded, not by the first calls */
	int is_mpi, is_mpi_fortran;
};

static int is_openmp(const char *name)
{
	return !strncmp(name, "GOMP_", 5) || !strncmp(name, "omp_", 4) || !strncmp(name, "__kmpc_", 7);
}

/* Is it not known to which of several OpenMP libraries a call goes?  The function that is found is that of the first
 * file that has it.  At the start all files' calls go there, but for those that have another version of the function in
 * another library (omp_set_lock); words that have the address already are known.  A file that is loaded later may have
 * a library of its own.  It is known of all its words, as a part of them would be begins without ends, where the
 * dynamic linker fills them all at once. */
static int redirect_is_unsure(const struct redirect *r, const struct redirect_file *file,
                              const struct ompp_redirection *row, uintptr_t word)
{
	if (r->n_openmp < 2 || !is_openmp(row->name) || (r->is_start && strncmp(row->name, "omp_", 4) != 0))
		return 0;
	return word != (uintptr_t)*row->real || !(r->is_start || file->is_bound);
}

/* May this word be changed? */
static int redirect_may(struct redirect *r, const struct redirect_file *file, const struct ompp_redirection *row,
                        uintptr_t word)
{
	if (row->files == OMPP_REDIRECT_NO_ALLOCATORS && file->has_malloc)
		return 0;
	if (row->files == OMPP_REDIRECT_UNBUILT && !file->is_unbuilt)
		return 0;
	if (row->files == OMPP_REDIRECT_NO_MPI && file->is_mpi)
		return 0;
	if (row->files == OMPP_REDIRECT_MPI_FORTRAN && !file->is_mpi_fortran)
		return 0;
	if (!redirect_is_unsure(r, file, row, word))
		return 1;
	r->n_unsure += file->is_unbuilt;
	return 0;
}

static void redirect_change(struct redirect *r, const struct dl_phdr_info *info, const struct ompp_dynamic *file,
                            const ElfW(Rela) * list, size_t n, const struct redirect_file *what)
{
	struct constant constant = constant_of(info);

	for (size_t i = 0; i < n; i++) {
		const char *name = redirect_name(file, &list[i]);
		const struct ompp_redirection *row = name ? row_of(name) : NULL;
		uintptr_t *word = (uintptr_t *)(info->dlpi_addr + list[i].r_offset);

		if (row && *row->real && redirect_has(r, row) && *word != (uintptr_t)row->to &&
		    redirect_may(r, what, row, *word))
			r->n_changed += write_word(word, (uintptr_t)row->to, &constant);
	}
}

static int change_file(struct dl_phdr_info *info, size_t size, void *context)
{
	struct relocations relocations;
	struct redirect_file what;
	struct ompp_dynamic file;
	int has_mpi = row_of("MPI_Init") != NULL; /* else no row asks for it */

	(void)size;
	if (relocations_of(info, &file, &relocations))
		return 0;
	what.has_malloc = ompp_dynamic_function(&file, "malloc") != NULL;
	what.is_bound = relocations.is_bound;
	what.is_mpi = has_mpi && ompp_redirect_is_mpi(&file);
	what.is_mpi_fortran = has_mpi && ompp_redirect_is_mpi_fortran(&file);
	what.is_unbuilt = !ompp_dynamic_is_own(info) && !has_openmp(&file) && !is_built(&file, &relocations);
	for (int i = 0; i < 2; i++)
		redirect_change(context, info, &file, relocations.list[i], relocations.n[i], &what);
	return 0;
}

/* ---- static programs ---- */

void (*ompp_redirect_static(const char *name))(void)
{
	const struct ompp_static_call *call = __start_ompp_static_calls;

	while (call != __stop_ompp_static_calls && strcmp(call->name, name))
		call++;
	return call == __stop_ompp_static_calls ? NULL : call->real;
}

static void *find_static(const void *nowhere, const char *name)
{
	(void)nowhere;
	return (void *)(uintptr_t)ompp_redirect_static(name);
}

static void change_static(struct redirect *r)
{
	void (*allocator)(void) = ompp_redirect_static("malloc");
	int has_malloc = allocator && (uintptr_t)allocator != (uintptr_t)__libc_malloc;

	if (!__start_ompp_static_calls)
		return;
	each_real(r, find_static, NULL);
	for (struct ompp_static_call *call = __start_ompp_static_calls; call != __stop_ompp_static_calls; call++) {
		const struct ompp_redirection *row = row_of(call->name);

		if (!row || !redirect_has(r, row) || !call->real ||
		    (has_malloc && row->files == OMPP_REDIRECT_NO_ALLOCATORS))
			continue;
		r->n_changed += call->to != row->to;
		__atomic_store_n(&call->to, row->to, __ATOMIC_RELEASE);
	}
}

/* Walks over all relocations of all files once, for these lists.  Returns how many words were changed. */
static int redirect_walk(const struct list *some, uint32_t n, int is_start)
{
	static const char unsure[] =
		"OpenMP functions that several libraries here have: where it is not known to which of them a call "
		"goes it is not seen, which may be locks, and all constructs of files that were loaded later";
	struct redirect r = { .lists = some, .n_lists = n, .is_start = is_start };

	change_static(&r);
	ompp_real_each(find_real, &r);
	ompp_real_each(change_file, &r);
	if (r.n_unsure)
		ompp_note_say_once(unsure, sizeof(unsure) - 1);
	return r.n_changed;
}

int ompp_redirect_add(const struct ompp_redirection *list, size_t n)
{
	uint32_t k;

	if (IS_SLOT < 0)
		return -ENOSYS;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].name, "malloc") && ompp_real_is_programs("malloc"))
			return -ENOTSUP;
	k = atomic_fetch_add(&n_lists, 1);
	ompp_assert(k < N_LISTS);
	lists[k].rows = list;
	atomic_store_explicit(&lists[k].n, n, memory_order_release);
	for (size_t i = 0; i < n; i++)
		row_add(&list[i]);
	return 0;
}

int ompp_redirect(const struct ompp_redirection *list, size_t n)
{
	const struct list own = { list, n };
	int rc = ompp_redirect_add(list, n);

	return rc ? rc : redirect_walk(&own, 1, 0);
}

void ompp_redirect_all(void)
{
	static _Atomic int is_started;
	uint32_t n = atomic_load_explicit(&n_lists, memory_order_acquire);

	redirect_walk(lists, n, !atomic_exchange(&is_started, 1));
}
