/*
 * Plug-in: see plugin.h.  It is looked for from the folder of the library or program that this code is in
 * (beside it; in a build's folder; from bin in lib), and then where it was to be installed.
 */
#define _GNU_SOURCE
#include "runtime/base/plugin.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/base/text.h"

#ifndef OMPP_LIBDIR
#define OMPP_LIBDIR "/usr/local/lib"
#endif

enum { PATH_BYTES = 4096 };

/* Weak: a static program need not have it, and must not get it because of this. */
extern void *dlsym(void *library, const char *name) __attribute__((weak));

/* LeakSanitizer ends a program that has loaded a library with thread-local variables, as those of plug-ins
 * are. */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* dlopen(), by dlsym() as linkers warn of it in static programs. */
static void *load_library(const char *path)
{
	void *(*load)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_DEFAULT, "dlopen");

	return load ? load(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

/* The folder, with its last slash, of the file that this code was loaded from. */
struct own { uintptr_t code; char path[PATH_BYTES]; };

static int find_own(struct dl_phdr_info *info, size_t size, void *data)
{
	struct own *own = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || own->code - info->dlpi_addr - p->p_vaddr >= p->p_memsz)
			continue;
		if (info->dlpi_name && info->dlpi_name[0]) {
			strncpy(own->path, info->dlpi_name, PATH_BYTES - 1);
		} else {
			ssize_t n = readlink("/proc/self/exe", own->path, PATH_BYTES - 1);

			own->path[n > 0 ? n : 0] = '\0';
		}
		return 1;
	}
	return 0;
}

static void *load_from(struct ompp_plugin *plugin, const char *folder, size_t n_folder, const char *below)
{
	char path[PATH_BYTES + 64];
	struct ompp_text t;

	if (!n_folder || n_folder > PATH_BYTES)
		return NULL;
	ompp_text_init(&t, path, sizeof(path));
	ompp_text_strn(&t, folder, n_folder);
	ompp_text_str(&t, below);
	ompp_text_str(&t, plugin->file);
	if (access(path, R_OK))
		return NULL;
	plugin->why = plugin->why_not_loadable;
	return load_library(path);
}

static void *find_library(struct ompp_plugin *plugin)
{
	static const char *const below[] = { "", ".libs/", "../lib/" };
	struct own own = { .code = (uintptr_t)find_own };
	void *library = NULL;
	char *slash;

	plugin->why = plugin->why_not_installed;
	dl_iterate_phdr(find_own, &own);
	slash = strrchr(own.path, '/');
	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]) && !library && slash && !getauxval(AT_SECURE); i++)
		library = load_from(plugin, own.path, (size_t)(slash + 1 - own.path), below[i]);
	return library ? library : load_from(plugin, OMPP_LIBDIR, strlen(OMPP_LIBDIR), "/");
}

static const void *load(struct ompp_plugin *plugin)
{
	const void *found = NULL;
	void *library;

	if (!dlsym || !dlsym(RTLD_DEFAULT, "dlopen")) {
		plugin->why = "a static program cannot load the plug-in for it";
		return NULL;
	}
	if (__lsan_do_recoverable_leak_check) {
		plugin->why = "its plug-in is not loaded beside AddressSanitizer, whose leak check would fail";
		return NULL;
	}
	library = find_library(plugin);
	if (library)
		found = dlsym(library, plugin->symbol);
	if (found && *(const unsigned int *)found == plugin->version)
		return found;
	if (library)
		plugin->why = plugin->why_other_version;
	return NULL;
}

const void *ompp_plugin(struct ompp_plugin *plugin, const char **why)
{
	if (!atomic_load_explicit(&plugin->state, memory_order_acquire)) {
		plugin->functions = load(plugin);
		atomic_store_explicit(&plugin->state, plugin->functions ? 1 : 2, memory_order_release);
	}
	if (why)
		*why = plugin->functions ? "" : plugin->why;
	return plugin->functions;
}
