/*
 * Loaded: see loaded.h.
 */
#define _GNU_SOURCE
#include "runtime/base/loaded.h"

#include <elf.h>
#include <errno.h>

#include "runtime/base/auxv.h"
#include "runtime/base/dynamic.h"
#include "runtime/base/real.h"
#include "runtime/base/text.h"

uintptr_t ompp_loaded_own_lo, ompp_loaded_own_hi, ompp_loaded_data_lo, ompp_loaded_data_hi;

struct finder {
	uintptr_t address;
	struct ompp_loaded *file;
};

static int find_file(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct finder *finder = data;
	struct ompp_text t;

	(void)size;
	if (!ompp_dynamic_holds(info, finder->address))
		return 0;
	finder->file->bias = info->dlpi_addr;
	ompp_text_init(&t, finder->file->path, sizeof(finder->file->path));
	ompp_text_str(&t, info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe");
	return 1;
}

int ompp_loaded_find(struct ompp_loaded *file, uintptr_t address)
{
	struct finder finder = { address, file };

	return ompp_real_each(find_file, &finder) == 1 ? 0 : -ENOENT;
}

static int find_own(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size, (void)data;
	if (!ompp_dynamic_holds(info, (uintptr_t)find_own))
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

void ompp_loaded_start(void)
{
	if (!ompp_loaded_own_hi)
		ompp_real_each(find_own, NULL);
}
