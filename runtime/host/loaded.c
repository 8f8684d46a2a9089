/*
 * Loaded: see loaded.h.
 */
#define _GNU_SOURCE
#include "runtime/host/loaded.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/auxv.h"
#include "runtime/base/program_file.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/image.h"
#include "runtime/host/past.h"
#include "runtime/host/real.h"

uintptr_t ompp_loaded_own_lo, ompp_loaded_own_hi, ompp_loaded_data_lo, ompp_loaded_data_hi;

struct finder {
	uintptr_t address;
	struct ompp_loaded *file;
};

enum { N_COMPARED = 64 };

/* What came of the last comparisons of files: their key, which bit 1 is always of, and in bit 0 whether they are the
 * same; 0 for none.  Any thread. */
static uint64_t compared[N_COMPARED];

/* Returns a number that another file in memory, or at the path, has not. */
static uint64_t key_of(const struct dl_phdr_info *info, const struct stat *st)
{
	const uint64_t parts[] = { (uintptr_t)info->dlpi_phdr,
		                   info->dlpi_addr,
		                   info->dlpi_subs,
		                   st->st_dev,
		                   st->st_ino,
		                   (uint64_t)st->st_size,
		                   (uint64_t)st->st_mtim.tv_sec,
		                   (uint64_t)st->st_mtim.tv_nsec,
		                   (uint64_t)st->st_ctim.tv_sec,
		                   (uint64_t)st->st_ctim.tv_nsec };
	uint64_t key = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(parts); i++) {
		key = (key ^ parts[i]) * UINT64_C(0x9E3779B97F4A7C15);
		key ^= key >> 29;
	}
	return key;
}

/* Is the file at the path the one in memory?  They are compared once, and again when a file was unloaded or the one at
 * the path has changed. */
static int is_same(const char *path, const struct dl_phdr_info *info)
{
	uint64_t key, *known;
	struct stat st;
	int same;

	if (ompp_sys_stat(path, &st))
		return 1;
	key = key_of(info, &st) | 3;
	known = &compared[(key >> 8) % OMPP_COUNT_OF(compared)];
	if ((OMPP_LOAD(known) | 1) == key)
		return (int)(OMPP_LOAD(known) & 1);
	same = ompp_image_is_loaded(path, info);
	OMPP_STORE(known, same ? key : key & ~UINT64_C(1));
	return same;
}

static int find_file(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct finder *finder = data;
	struct ompp_text t;

	(void)size;
	if (!ompp_dynamic_holds(info, finder->address))
		return 0;
	finder->file->bias = info->dlpi_addr;
	finder->file->offset = finder->address - info->dlpi_addr;
	ompp_text_init(&t, finder->file->path, sizeof(finder->file->path));
	ompp_text_str(&t, info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : ompp_program_file);
	if (info->dlpi_name && info->dlpi_name[0] && !is_same(info->dlpi_name, info))
		ompp_text_str(&t, OMPP_LOADED_REPLACED);
	return 1;
}

/* Tells of a file that was unloaded. */
static int find_past(struct ompp_loaded *file, uint64_t key, const struct ompp_past_file *past)
{
	struct ompp_text t;

	file->bias = past->bias;
	file->offset = ompp_past_address(key) - past->bias;
	ompp_text_init(&t, file->path, sizeof(file->path));
	ompp_text_str(&t, past->path);
	if (!ompp_image_is_at(&past->image, past->path))
		ompp_text_str(&t, OMPP_LOADED_REPLACED);
	return past->path[0] ? 0 : -ENOENT;
}

int ompp_loaded_find(struct ompp_loaded *file, uint64_t key)
{
	struct finder finder = { ompp_past_address(key), file };
	const struct ompp_past_file *past = ompp_past_at(key);

	if (past && !OMPP_LOAD(&past->is_here))
		return find_past(file, key, past);
	if (!past && ompp_past_number(key))
		return -ENOENT;
	if (ompp_real_each(find_file, &finder) == 1)
		return 0;
	return past ? find_past(file, key, past) : -ENOENT; /* unloaded while nobody watched */
}

static int find_own(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size, (void)data;
	if (!ompp_dynamic_is_own(info))
		return 0;
	for (int i = 0; i < info->dlpi_phnum && !ompp_dynamic_holds(info, ompp_auxv(AT_ENTRY)); i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			ompp_loaded_own_lo = info->dlpi_addr + p->p_vaddr;
			ompp_loaded_own_hi = ompp_loaded_own_lo + p->p_memsz;
		}
		if (p->p_type == PT_LOAD && p->p_flags & PF_W) {
			ompp_loaded_data_lo = info->dlpi_addr + (p->p_vaddr & ~(ompp_page_bytes() - 1));
			ompp_loaded_data_hi = info->dlpi_addr + p->p_vaddr + p->p_memsz;
		}
	}
	return 1;
}

/* Finds the symbols of a file that names libompp as a library that it needs.  Returns 0 where it does not. */
static int names_us(const struct dl_phdr_info *info, struct ompp_dynamic *file)
{
	const ElfW(Dyn) *e = ompp_dynamic_section(info);

	if (!e || ompp_dynamic_open(file, info->dlpi_addr, e))
		return 0;
	for (; e->d_tag != DT_NULL; e++)
		if (e->d_tag == DT_NEEDED && !strncmp(file->strings + e->d_un.d_val, "libompp.so", 10))
			return 1;
	return 0;
}

/* Does the file name libompp as a library that it needs, or hold it? */
static int needs_us(struct dl_phdr_info *info, size_t size, void *data)
{
	struct ompp_dynamic file;

	(void)size, (void)data;
	if (ompp_dynamic_is_own(info))
		return ompp_dynamic_holds(info, ompp_auxv(AT_ENTRY));
	return names_us(info, &file);
}

struct caller {
	int (*is_it)(const char *name);
};

static int calls_us(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct caller *caller = data;
	struct ompp_dynamic file;

	(void)size;
	return !ompp_dynamic_is_own(info) && names_us(info, &file) &&
	       ompp_dynamic_wants(&file, ompp_dynamic_section(info), caller->is_it);
}

int ompp_loaded_calls(int (*is_it)(const char *name))
{
	struct caller caller = { is_it };

	return ompp_real_each(calls_us, &caller);
}

int ompp_loaded_is_linked(void)
{
	return ompp_real_each(needs_us, NULL);
}

void ompp_loaded_start(void)
{
	if (!ompp_loaded_own_hi)
		ompp_real_each(find_own, NULL);
}
