/*
 * Section: see section.h.
 */
#define _GNU_SOURCE
#include "runtime/core/section.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/auxv.h"
#include "runtime/base/checksum.h"
#include "runtime/base/text.h"
#include "runtime/core/session.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/note.h"
#include "runtime/host/real.h"
#include "runtime/host/stack.h"
#include "runtime/ranges/range.h"
#include "runtime/ranges/range_block.h"
#include "runtime/ranges/small.h"
#include "runtime/ranges/symbols.h"

enum { NAME_BYTES = 256 };

#define OWN ": thread-local"

/* A part of a file in memory. */
struct section {
	const char *file;
	struct ompp_section_extent extent;
	const char *what;
};

/* A file that was loaded. */
struct library {
	const char *path;
	uintptr_t bias, lo;
};

/* A list of them. */
struct sections {
	struct ompp_arena arena;
	struct section *all;
	size_t n, have;
	int n_files, is_thread;    /* 1 for what the thread has of its own */
	struct library *libraries; /* that were not known */
	size_t n_libraries, have_libraries;
};

/* A file whose sections have names. */
struct file {
	uint64_t path; /* a hash of it; 0 when this entry is free */
	struct ompp_section_extent extent;
	int is_loaded;
	char own[NAME_BYTES]; /* the name of what threads have of their own in it; "" when there is nothing */
};

static struct file *files; /* by the one who looks alone */
static size_t n_files, have_files;
static int is_started;                     /* 1 when the files of the start have names */
static _Atomic uint32_t is_on, is_looking; /* 1 or 0 */
static _Atomic uint64_t n_changes;         /* loads and unloads when somebody looked last */
void (*ompp_section_symbols)(const struct ompp_symbol *symbol);

/* Returns the name of a file without its folders; NULL when it has none, or is ours. */
static const char *name_of(const struct dl_phdr_info *info, int is_first)
{
	const char *path = is_first ? ompp_session_app() : info->dlpi_name, *base = path ? strrchr(path, '/') : NULL;

	if (!path || !path[0] || ompp_dynamic_is_own(info))
		return NULL;
	return base ? base + 1 : path;
}

/* Adds a part to the list.  Returns 0, or -1 without memory. */
static int section_add(struct sections *s, const char *file, uintptr_t lo, uintptr_t hi, const char *what)
{
	struct section *grown = ompp_arena_grow(&s->arena, s->all, &s->have, s->n + 1, sizeof(*grown));

	if (!grown)
		return -1;
	s->all = grown;
	grown[s->n++] = (struct section){ ompp_arena_strdup(&s->arena, file), { lo, hi }, what };
	return 0;
}

/* Returns where the part of a writable segment ends that begins at lo and that the dynamic linker makes read-only when
 * it has relocated it; lo when there is none. */
static uintptr_t relocated_end(const struct dl_phdr_info *info, uintptr_t lo)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr, end = (from + p->p_memsz) & -ompp_page_bytes();

		if (p->p_type == PT_GNU_RELRO && from <= lo && lo < end)
			return end;
	}
	return lo;
}

/* Returns 1 when constants have a segment of their own: on 64-bit ARM linkers put them behind the code. */
static int constants_apart(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && !(info->dlpi_phdr[i].p_flags & (PF_W | PF_X)))
			return 1;
	return 0;
}

static const char *fixed_name(const struct dl_phdr_info *info, const ElfW(Phdr) * p)
{
	if (!(p->p_flags & PF_X))
		return ": constants";
	return constants_apart(info) ? ": code" : ": constants and code";
}

/* Adds the segments of a file to the list.  It runs under the lock of the dynamic linker, so nothing is named here. */
static int add_file(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sections *s = data;
	const char *file = name_of(info, !s->n_files++);
	int rc = 0;

	(void)size;
	for (int i = 0; file && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t lo = info->dlpi_addr + p->p_vaddr, hi = lo + p->p_memsz, zeros = lo + p->p_filesz;

		if (s->is_thread) {
			lo = (uintptr_t)info->dlpi_tls_data;
			if (p->p_type == PT_TLS && lo && p->p_memsz)
				rc |= section_add(s, file, lo, lo + p->p_memsz, OWN);
		} else if (p->p_type == PT_LOAD && p->p_memsz) {
			uintptr_t fixed = p->p_flags & PF_W ? relocated_end(info, lo) : zeros;

			fixed = fixed < zeros ? fixed : zeros;
			if (fixed > lo)
				rc |= section_add(s, file, lo, fixed, fixed_name(info, p));
			if (zeros > fixed)
				rc |= section_add(s, file, fixed, zeros, ": data");
			if (hi > zeros)
				rc |= section_add(s, file, zeros, hi, ": bss");
		}
	}
	return rc;
}

static void put_name(char name[NAME_BYTES], const char *file, const char *what)
{
	struct ompp_text t;

	ompp_text_init(&t, name, NAME_BYTES);
	ompp_text_strn(&t, file, strnlen(file, NAME_BYTES - 24));
	ompp_text_str(&t, what);
}

/* Gives the parts in the list their names, as far as they have none. */
static void name_all(const struct sections *s, uint32_t owner)
{
	for (size_t i = 0; i < s->n && s->all[i].file; i++) {
		const struct section *section = &s->all[i];
		char name[NAME_BYTES];

		put_name(name, section->file, section->what);
		ompp_range_begin_rest(name, OMPP_ORIGIN_FILE, section->extent.lo, section->extent.hi, owner);
	}
}

static void no_memory(void)
{
	ompp_note_say("OMPP_OBJECTS: no memory for the names of sections; some are in (other)");
}

/* ---- what is loaded ---- */

static int count_changes(struct dl_phdr_info *info, size_t size, void *n)
{
	(void)size;
	*(uint64_t *)n = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

static uint64_t hash_of(const char *path)
{
	return ompp_checksum(OMPP_CHECKSUM_START, path, path ? strlen(path) : 0) | 1;
}

/* Adds a file to the list of those whose variables are not known yet. */
static int add_library(struct sections *s, const struct dl_phdr_info *info, uintptr_t lo)
{
	struct library *grown;

	if (!is_started || !ompp_section_symbols)
		return 0;
	grown = ompp_arena_grow(&s->arena, s->libraries, &s->have_libraries, s->n_libraries + 1, sizeof(*grown));
	if (!grown)
		return -1;
	s->libraries = grown;
	grown[s->n_libraries++] = (struct library){ ompp_arena_strdup(&s->arena, info->dlpi_name), info->dlpi_addr,
		                                    lo };
	return 0;
}

/* Finds a file among those that are known, or notes it, and then adds its sections to the list. */
static int meet_file(struct dl_phdr_info *info, size_t size, void *data)
{
	struct sections *s = data;
	struct file *free_entry = NULL, *f;
	struct ompp_section_extent extent;
	uint64_t path = hash_of(info->dlpi_name);
	const char *name;

	ompp_dynamic_range(info, &extent.lo, &extent.hi);
	for (f = files; f < files + n_files; f++) {
		if (f->path == path && f->extent.lo == extent.lo && f->extent.hi == extent.hi) {
			f->is_loaded = 1;
			s->n_files++;
			return 0;
		}
		free_entry = f->path ? free_entry : f;
	}
	if (!free_entry) {
		if (ompp_data_grow(&files, &have_files, n_files + 1, sizeof(*files)))
			return -1;
		free_entry = &files[n_files++];
	}
	*free_entry = (struct file){ path, extent, 1, "" };
	name = name_of(info, !s->n_files);
	for (int i = 0; name && i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			put_name(free_entry->own, name, OWN);
	return add_file(info, size, s) | (name ? add_library(s, info, extent.lo) : 0);
}

/* Reads the variables of files that were loaded.  Not under the lock of the dynamic linker. */
static void read_libraries(const struct sections *s)
{
	for (size_t i = 0; i < s->n_libraries; i++) {
		const struct library *l = &s->libraries[i];

		if (!l->path || ompp_smalls_return(l->lo))
			continue;
		ompp_symbols_of_library(l->path, l->bias, ompp_section_symbols);
		ompp_smalls_put();
	}
}

/* Ends all names in the memory of files that are gone. */
static void forget_files(void)
{
	for (struct file *f = files; f < files + n_files; f++) {
		if (f->path && !f->is_loaded) {
			ompp_range_freed(f->extent.lo, f->extent.hi);
			ompp_smalls_leave(f->extent.lo, f->extent.hi);
			if (f->own[0])
				ompp_range_end_all(f->own);
			f->path = 0;
		}
		f->is_loaded = 0;
	}
}

static void section_look(void *arg)
{
	struct sections s = { .n = 0 };

	(void)arg;
	ompp_arena_init(&s.arena, 0);
	if (ompp_real_each(meet_file, &s))
		no_memory();
	forget_files();
	name_all(&s, 0);
	read_libraries(&s);
	ompp_arena_fini(&s.arena);
}

void ompp_sections_look(void)
{
	uint64_t n = 0;

	if (!atomic_load_explicit(&is_on, memory_order_relaxed))
		return;
	ompp_real_each(count_changes, &n);
	/* another thread that looks may have come too early to see what this one has changed: then the next one does */
	if (n == atomic_load(&n_changes) || atomic_exchange(&is_looking, 1))
		return;
	atomic_store(&n_changes, n);
	ompp_stack_call(section_look, NULL);
	atomic_store(&is_looking, 0);
}

void ompp_sections_name(void)
{
	atomic_store(&is_on, 1);
	ompp_sections_look();
	is_started = 1;
}

void ompp_sections_after_fork(void)
{
	atomic_store(&is_looking, 0);
}

/* ---- what threads have of their own ---- */

void ompp_sections_name_thread(struct ompp_thread_sections *t, uint32_t owner)
{
	struct sections s = { .is_thread = 1 };
	size_t have = t->have;

	if (!ompp_range_least_block) /* nothing is counted, or not all objects are asked for */
		return;
	ompp_arena_init(&s.arena, 0);
	if (ompp_real_each(add_file, &s) || ompp_data_grow(&t->extents, &have, s.n, sizeof(*t->extents))) {
		no_memory();
	} else {
		t->have = (uint32_t)have;
		for (t->n = 0; t->n < s.n; t->n++)
			t->extents[t->n] = s.all[t->n].extent;
		name_all(&s, owner);
	}
	ompp_arena_fini(&s.arena);
}

void ompp_sections_unname_thread(struct ompp_thread_sections *t)
{
	while (t->n) {
		t->n--;
		ompp_range_end_rest(OMPP_ORIGIN_FILE, t->extents[t->n].lo, t->extents[t->n].hi);
	}
}
