/*
 * Dynamic: the symbols of a loaded object (a library, the program, the kernel's vDSO), read from its dynamic section in
 * memory.
 *
 * All of it only reads memory, and may be called while the dynamic linker holds its lock.
 */
#ifndef OMPP_HOST_DYNAMIC_H
#define OMPP_HOST_DYNAMIC_H

#include <link.h>
#include <stdint.h>

struct ompp_dynamic {
	uintptr_t bias;   /* what is added to addresses of the file */
	const char *name; /* DT_SONAME; "" when it has none */
	const char *strings;
	const ElfW(Sym) * symbols;
	const ElfW(Half) * versions;     /* one a symbol; NULL: there are none */
	const uint32_t *gnu_hash, *hash; /* either may be NULL */
};

/* Returns the dynamic section of an object, as dl_iterate_phdr() passes that; NULL when it has none. */
const ElfW(Dyn) * ompp_dynamic_section(const struct dl_phdr_info *info);

/* Finds the symbols through the dynamic section.  Returns 0, or -ENOENT when it has none. */
int ompp_dynamic_open(struct ompp_dynamic *d, uintptr_t bias, const ElfW(Dyn) * section);

/* Do the same through the program headers, as dl_iterate_phdr() passes them, and through an ELF header in memory. */
int ompp_dynamic_of(struct ompp_dynamic *d, const struct dl_phdr_info *info);
int ompp_dynamic_at(struct ompp_dynamic *d, const ElfW(Ehdr) * head);

/* Return 1 when the address, or this code, lies in a segment of the object. */
int ompp_dynamic_holds(const struct dl_phdr_info *info, uintptr_t address);
int ompp_dynamic_is_own(const struct dl_phdr_info *info);

/* Finds where the object's segments begin and end, taken together. */
void ompp_dynamic_range(const struct dl_phdr_info *info, uintptr_t *lo, uintptr_t *hi);

/* Returns 1 when the object, whose dynamic section that is, needs a symbol of another one whose name is_it() takes. */
int ompp_dynamic_wants(const struct ompp_dynamic *d, const ElfW(Dyn) * section, int (*is_it)(const char *name));

/* Returns the hash of a name in DT_GNU_HASH. */
uint32_t ompp_dynamic_hash(const char *name);

/* Returns a function that the object defines, in the default version (to which programs link now); NULL when there is
 * none. */
void *ompp_dynamic_function(const struct ompp_dynamic *d, const char *name);

#endif
