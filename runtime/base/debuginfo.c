/*
 * Debuginfo: see debuginfo.h.  The plug-in is looked for from the folder of the library or program that this code is in
 * (beside it; in a build's folder; from bin in lib), and then where it was to be installed.
 */
#define _GNU_SOURCE
#include "runtime/base/debuginfo.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/base/text.h"

#ifndef OMPP_LIBDIR
#define OMPP_LIBDIR "/usr/local/lib"
#endif

enum { PATH_BYTES = 4096 };

/* Weak: a static program need not have them, and must not get them because of this. */
extern void *dlsym(void *library, const char *name) __attribute__((weak));
extern char *__cxa_demangle(const char *name, char *buffer, size_t *n, int *status) __attribute__((weak));

/* LeakSanitizer ends a program that has loaded a library with thread-local variables, as the plug-in's are. */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static _Atomic int state;                       /* 0 not tried, 1 there, 2 not there; written by who tried */
static const struct ompp_debuginfo *plugin;     /* written before state */
static void *(*load_library)(const char *path, int flags);      /* dlopen(): linkers warn of it in static programs */
static const char *reason = "";

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

static void *load_from(const char *folder, size_t n_folder, const char *below)
{
	char path[PATH_BYTES + 64];
	struct ompp_text t;

	if (!n_folder || n_folder > PATH_BYTES)
		return NULL;
	ompp_text_init(&t, path, sizeof(path));
	ompp_text_strn(&t, folder, n_folder);
	ompp_text_str(&t, below);
	ompp_text_str(&t, "libompp_symbols.so");
	if (access(path, R_OK))
		return NULL;
	reason = "its plug-in libompp_symbols.so cannot be loaded; install elfutils (libdw1) and libstdc++";
	return load_library(path, RTLD_NOW | RTLD_LOCAL);
}

static void load(void)
{
	static const char *const below[] = { "", ".libs/", "../lib/" };
	struct own own = { .code = (uintptr_t)find_own };
	const struct ompp_debuginfo *found = NULL;
	void *library = NULL;
	char *slash;

	if (dlsym)
		load_library = (void *(*)(const char *, int))dlsym(RTLD_DEFAULT, "dlopen");
	if (!load_library) {
		reason = "a static program cannot load the plug-in for it";
		return;
	}
	if (__lsan_do_recoverable_leak_check) {
		reason = "it is not read beside AddressSanitizer, whose leak check would fail";
		return;
	}
	reason = "its plug-in libompp_symbols.so is not installed";
	dl_iterate_phdr(find_own, &own);
	slash = strrchr(own.path, '/');
	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]) && !library && slash && !getauxval(AT_SECURE); i++)
		library = load_from(own.path, (size_t)(slash + 1 - own.path), below[i]);
	if (!library)
		library = load_from(OMPP_LIBDIR, strlen(OMPP_LIBDIR), "/");
	if (library)
		found = dlsym(library, "ompp_debuginfo_plugin");
	if (found && found->version == OMPP_DEBUGINFO_VERSION)
		plugin = found;
	else if (library)
		reason = "its plug-in libompp_symbols.so is of another version; install kinst again";
}

const struct ompp_debuginfo *ompp_debuginfo(const char **why)
{
	if (!atomic_load_explicit(&state, memory_order_acquire)) {
		load();
		atomic_store_explicit(&state, plugin ? 1 : 2, memory_order_release);
	}
	if (why)
		*why = plugin ? "" : reason;
	return plugin;
}

char *ompp_debuginfo_demangle(const char *linkage)
{
	const struct ompp_debuginfo *p;
	int status;

	if (__cxa_demangle)
		return __cxa_demangle(linkage, NULL, NULL, &status);
	p = ompp_debuginfo(NULL);
	return p ? p->demangle(linkage) : NULL;
}
