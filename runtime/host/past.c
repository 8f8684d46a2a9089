/*
 * Past: see past.h.
 */
#define _GNU_SOURCE
#include "runtime/host/past.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/base/program_file.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/holder.h"
#include "runtime/host/note.h"
#include "runtime/host/real.h"

enum { N_SLEEPS = 100 };

enum { LIMIT_FILES, LIMIT_NUMBERS, LIMIT_PATH, N_LIMITS };

static void *files; /* struct ompp_past_file[OMPP_PAST_FILES + 1]; the last one is for a file that is looked for */
static unsigned char is_met[N_LIMITS]; /* 1 for a limit beyond which names are not known; only set */
static uint32_t n_files, holder;
uint32_t ompp_past_n_gone;

/* By the holder. */
static uint32_t n_numbers;                     /* given to files */
static uint64_t n_known;                       /* how often something was loaded or unloaded, when all were noted */
static unsigned char is_seen[OMPP_PAST_FILES]; /* while all are noted */

/* Those that were unloaded once, in the order in which they were first; only added to. */
static uint16_t gone[OMPP_PAST_FILES];
static uintptr_t gone_lo = UINTPTR_MAX, gone_hi; /* all of them are between these */

static struct ompp_past_file *file_at(uint32_t index)
{
	return (struct ompp_past_file *)__atomic_load_n(&files, __ATOMIC_ACQUIRE) + index;
}

static uint32_t past_count(void)
{
	return __atomic_load_n(&n_files, __ATOMIC_ACQUIRE);
}

const struct ompp_past_file *ompp_past_file(uint32_t index)
{
	return index < past_count() ? file_at(index) : NULL;
}

static int past_holds(const struct ompp_past_file *f, uintptr_t address)
{
	return address - f->lo < f->hi - f->lo;
}

/* Returns the file of those that are in memory that holds the address; UINT32_MAX when none is known. */
static uint32_t find_here(uintptr_t address)
{
	for (uint32_t i = past_count(); i-- > 0;)
		if (OMPP_LOAD(&file_at(i)->is_here) && past_holds(file_at(i), address))
			return i;
	return UINT32_MAX;
}

/* ---- noting ---- */

/* Writes the path of a file from the root. */
static void put_path(struct ompp_past_file *f, const char *path)
{
	struct ompp_text t;

	ompp_text_init(&t, f->path, sizeof(f->path));
	if (f->is_program) {
		ompp_program_path(f->path, sizeof(f->path));
		return;
	}
	if (path[0] != '/') {
		if (ompp_sys_getcwd(f->path, sizeof(f->path)) < 0) {
			f->path[0] = '\0';
			return;
		}
		t.n_bytes = strnlen(f->path, sizeof(f->path) - 1);
		ompp_text_char(&t, '/');
	}
	if (t.n_bytes + strlen(path) < sizeof(f->path))
		ompp_text_str(&t, path);
	else
		f->path[0] = '\0';
}

static const char *name_of(const struct ompp_past_file *f)
{
	const char *slash = strrchr(f->path, '/');

	return slash ? slash + 1 : f->path;
}

/* Two files of one name at one place.  The folder is not compared, as a path may begin in the current one. */
static int is_placed_as(const struct ompp_past_file *a, const struct ompp_past_file *b)
{
	return a->lo == b->lo && a->hi == b->hi && a->bias == b->bias && !strcmp(name_of(a), name_of(b));
}

/* Returns the file at the same place that has not been unloaded since it was noted, else an unloaded one that has come
 * back; n_files when there is none.  Identifies the file in the second case. */
static uint32_t past_find(struct ompp_past_file *f, const struct dl_phdr_info *info)
{
	uint32_t i;

	for (i = 0; i < n_files; i++)
		if (file_at(i)->is_here && is_placed_as(file_at(i), f))
			return i;
	ompp_image_identify(&f->image, f->is_program ? ompp_program_file : f->path, info);
	for (i = 0; i < n_files; i++)
		if (is_placed_as(file_at(i), f) && ompp_image_is_same(&file_at(i)->image, &f->image))
			break;
	return i;
}

/* Returns the number for a new file: 0 where there was none before. */
static uint32_t new_number(const struct ompp_past_file *f)
{
	uint32_t i;

	for (i = 0; i < n_files; i++)
		if (file_at(i)->lo < f->hi && f->lo < file_at(i)->hi)
			break;
	if (i == n_files)
		return 0;
	if (n_numbers + 1 < OMPP_PAST_UNKNOWN)
		return ++n_numbers;
	is_met[LIMIT_NUMBERS] = 1;
	return OMPP_PAST_UNKNOWN;
}

/* Notes a file, or finds it.  By the holder.  Returns its index, or UINT32_MAX without room. */
static uint32_t past_note(const struct dl_phdr_info *info)
{
	struct ompp_past_file *all = ompp_space_table(&files, sizeof(*all) * (OMPP_PAST_FILES + 1)), *f;
	const char *path = info->dlpi_name ? info->dlpi_name : "";
	uint32_t i;

	if (!all)
		return UINT32_MAX;
	f = &all[n_files];
	*f = (struct ompp_past_file){ .bias = info->dlpi_addr, .is_program = !path[0], .is_here = 1 };
	ompp_dynamic_range(info, &f->lo, &f->hi);
	put_path(f, path);
	if (f->lo >= f->hi || (path[0] && ompp_dynamic_holds(info, ompp_auxv(AT_SYSINFO_EHDR))))
		return UINT32_MAX; /* the kernel's vDSO is no file */
	i = past_find(f, info);
	if (i < n_files) {
		OMPP_STORE(&all[i].is_here, 1);
		return i;
	}
	if (n_files == OMPP_PAST_FILES) {
		is_met[LIMIT_FILES] = 1;
		return UINT32_MAX;
	}
	is_met[LIMIT_PATH] |= !f->path[0];
	f->number = new_number(f);
	__atomic_store_n(&n_files, n_files + 1, __ATOMIC_RELEASE);
	return i;
}

static int note_each(struct dl_phdr_info *info, size_t size, void *changes)
{
	uint64_t *n = changes;
	uint32_t i;

	if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs))
		*n = info->dlpi_adds + info->dlpi_subs;
	if (*n && *n == n_known)
		return 1;
	i = past_note(info);
	if (i != UINT32_MAX)
		is_seen[i] = 1;
	return 0;
}

static void past_leave(uint32_t i)
{
	uint32_t n = ompp_past_n_gone, k = 0;

	OMPP_STORE(&file_at(i)->is_here, 0);
	while (k < n && gone[k] != i)
		k++;
	if (k < n)
		return;
	gone[n] = (uint16_t)i;
	if (file_at(i)->lo < gone_lo)
		OMPP_STORE(&gone_lo, file_at(i)->lo);
	if (file_at(i)->hi > gone_hi)
		OMPP_STORE(&gone_hi, file_at(i)->hi);
	__atomic_store_n(&ompp_past_n_gone, n + 1, __ATOMIC_RELEASE);
}

void ompp_past_note(void)
{
	uint64_t n = 0;

	if (ompp_holder_take(&holder, 0, N_SLEEPS))
		return;
	memset(is_seen, 0, sizeof(is_seen));
	if (!ompp_real_each(note_each, &n)) {
		n_known = n;
		for (uint32_t i = 0; i < n_files; i++)
			if (!is_seen[i] && file_at(i)->is_here)
				past_leave(i);
	}
	ompp_holder_drop(&holder);
}

struct meeting {
	uintptr_t address;
	uint32_t index;
};

static int meet_each(struct dl_phdr_info *info, size_t size, void *data)
{
	struct meeting *m = data;

	(void)size;
	if (!ompp_dynamic_holds(info, m->address))
		return 0;
	m->index = past_note(info);
	return 1;
}

/* Returns the header of the file that the dynamic linker says is at an address; NULL when it is not in memory.  Where
 * the file's segments have gaps between them, as on machines whose pages may be of 64 KiB, it tells of the address's
 * segment alone, and the header is in the first one. */
static const ElfW(Ehdr) * meet_head(const struct ompp_real_object *object)
{
	const void *begin = (const void *)object->map->l_addr;
	struct ompp_real_object first = *object;

	if (object->lo != begin && begin &&
	    (ompp_real()->find_object(begin, &first) || first.map != object->map || first.lo != begin))
		first = *object;
	if ((size_t)((const char *)first.hi - (const char *)first.lo) < sizeof(ElfW(Ehdr)) ||
	    memcmp(first.lo, ELFMAG, SELFMAG))
		return NULL;
	return first.lo;
}

/* Notes the file that the dynamic linker says is at this address. */
static uint32_t meet_found(const struct ompp_real_object *object)
{
	struct dl_phdr_info info = { .dlpi_addr = object->map->l_addr, .dlpi_name = object->map->l_name };
	const ElfW(Ehdr) *head = meet_head(object);

	if (head && head->e_phentsize == sizeof(ElfW(Phdr))) {
		info.dlpi_phdr = (const void *)((const char *)head + head->e_phoff);
		info.dlpi_phnum = head->e_phnum;
	} else if (!info.dlpi_name[0] &&
	           ompp_auxv(AT_PHENT) == sizeof(ElfW(Phdr))) { /* the program, at fixed addresses */
		info.dlpi_phdr = (const void *)(uintptr_t)ompp_auxv(AT_PHDR);
		info.dlpi_phnum = (ElfW(Half))ompp_auxv(AT_PHNUM);
	}
	return info.dlpi_phdr ? past_note(&info) : UINT32_MAX;
}

uint32_t ompp_past_meet(uintptr_t address)
{
	struct meeting m = { address, find_here(address) };
	struct ompp_real_object object;
	int (*find_object)(const void *address, struct ompp_real_object *object) = ompp_real()->find_object;

	if (m.index != UINT32_MAX || (find_object && find_object((const void *)address, &object)) ||
	    ompp_holder_take(&holder, 0, N_SLEEPS))
		return m.index;
	if (!find_object)
		ompp_real_each(meet_each, &m);
	else if (!find_object((const void *)address, &object)) /* it is not unloaded as long as this is held */
		m.index = meet_found(&object);
	ompp_holder_drop(&holder);
	return m.index;
}

/* ---- keys ---- */

uintptr_t ompp_past_key_of(uintptr_t address)
{
	uint32_t n = __atomic_load_n(&ompp_past_n_gone, __ATOMIC_ACQUIRE), i = 0, number;

	if ((uint64_t)address >> OMPP_PAST_NUMBER_SHIFT || address < OMPP_LOAD(&gone_lo) ||
	    address >= OMPP_LOAD(&gone_hi))
		return address;
	while (i < n && !past_holds(file_at(gone[i]), address))
		i++;
	if (i == n)
		return address;
	i = ompp_past_meet(address);
	number = i == UINT32_MAX ? OMPP_PAST_UNKNOWN : file_at(i)->number;
	return address | (uintptr_t)((uint64_t)number << OMPP_PAST_NUMBER_SHIFT);
}

const struct ompp_past_file *ompp_past_at(uint64_t key)
{
	uint32_t number = ompp_past_number(key), n = key >> 63 ? 0 : past_count();

	for (uint32_t i = 0; i < n && number != OMPP_PAST_UNKNOWN; i++)
		if (file_at(i)->number == number && past_holds(file_at(i), ompp_past_address(key)))
			return file_at(i);
	return NULL;
}

_Static_assert(OMPP_PAST_FILES == 512 && OMPP_PAST_UNKNOWN == 63 && OMPP_PAST_PATH_BYTES == 512,
               "the numbers of the notes");

void ompp_past_say(void)
{
	static const char *const texts[N_LIMITS] = {
		[LIMIT_FILES] = "More than 512 files were loaded; addresses in later ones have no names",
		[LIMIT_NUMBERS] = "More than 62 files were loaded at one place; addresses in later ones have no names",
		[LIMIT_PATH] = "The path of a file has more than 511 bytes; addresses in it have no names",
	};

	for (int i = 0; i < N_LIMITS; i++)
		if (is_met[i])
			ompp_note_say_once(texts[i], strlen(texts[i]));
}

void ompp_past_after_fork(void)
{
	OMPP_STORE(&holder, 0u);
}
