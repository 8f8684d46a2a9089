/*
 * Variable: see variable.h.  This file adds debug information to the symbols.
 */
#define _GNU_SOURCE
#include "runtime/program/variable.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/program/debuginfo.h"

enum { PATH_BYTES = 4096 };

/* ---- where it is ---- */

static int has_section(const struct ompp_elf *elf, const char *name)
{
	struct ompp_elf_section s;

	return !ompp_elf_section_named(elf, name, &s);
}

/* Opens a file as the debug information if it has the same build-id.  Returns 1 when it is taken. */
static int try_debug(struct ompp_variables *v, const char *path)
{
	const unsigned char *own, *its;
	size_t n = ompp_elf_build_id(&v->elf, &own);

	if (!n || ompp_elf_open(&v->debug_elf, path))
		return 0;
	if (ompp_elf_build_id(&v->debug_elf, &its) == n && !memcmp(own, its, n)) {
		v->debug_path = ompp_arena_strdup(&v->arena, path);
		return v->debug_path != NULL;
	}
	ompp_elf_close(&v->debug_elf);
	return 0;
}

/* Tries "/usr/lib/debug/.build-id/ab/cdef.debug" for the build-id "abcdef". */
static int try_build_id(struct ompp_variables *v)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *id;
	size_t n = ompp_elf_build_id(&v->elf, &id), i;
	char path[PATH_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, "/usr/lib/debug/.build-id/");
	for (i = 0; i < n; i++) {
		ompp_text_char(&t, digits[id[i] >> 4]);
		ompp_text_char(&t, digits[id[i] & 15]);
		if (!i)
			ompp_text_char(&t, '/');
	}
	ompp_text_str(&t, ".debug");
	return n > 1 && try_debug(v, path);
}

/* Tries the file that .gnu_debuglink names, in the program's folder and in the folder .debug there. */
static int try_link(struct ompp_variables *v)
{
	static const char *const folders[] = { "", ".debug/" };
	const char *folder_end = strrchr(v->path, '/');
	struct ompp_elf_section s;
	char path[PATH_BYTES];
	struct ompp_text t;

	if (ompp_elf_section_named(&v->elf, ".gnu_debuglink", &s) || !memchr(s.data, '\0', s.n_bytes))
		return 0;
	for (int i = 0; i < 2; i++) {
		ompp_text_init(&t, path, sizeof(path));
		ompp_text_strn(&t, v->path, folder_end ? (size_t)(folder_end + 1 - v->path) : 0);
		ompp_text_str(&t, folders[i]);
		ompp_text_str(&t, s.data);
		if (try_debug(v, path))
			return 1;
	}
	return 0;
}

const struct ompp_elf *ompp_variables_debug_elf(struct ompp_variables *v, const char *section)
{
	if (has_section(&v->elf, section))
		return &v->elf;
	if (!v->debug_tried) {
		v->debug_tried = 1;
		if (!try_build_id(v))
			try_link(v);
	}
	return v->debug_path && has_section(&v->debug_elf, section) ? &v->debug_elf : NULL;
}

/* Returns 1 when the strings are in a file that several programs share (dwz), or in one file for each source file
 * (-gsplit-dwarf). */
static int are_strings_elsewhere(const struct ompp_elf *elf)
{
	struct ompp_elf_section s;

	return has_section(elf, ".gnu_debugaltlink") ||
	       (!ompp_elf_section_named(elf, ".debug_str", &s) && memmem(s.data, s.n_bytes, ".dwo", sizeof(".dwo")));
}

int ompp_variables_mention(struct ompp_variables *v, const char *name)
{
	static const char *const sections[] = { ".debug_str", ".debug_info" };
	const struct ompp_elf *elf = ompp_variables_debug_elf(v, ".debug_info");
	size_t n_name = strlen(name);
	char word[PATH_BYTES];

	if (!elf || n_name >= sizeof(word))
		return 0;
	memcpy(word, name, n_name + 1);
	for (int lower = 0; lower < 2; lower++) {
		struct ompp_elf_section s;

		for (size_t i = 0; i < OMPP_COUNT_OF(sections); i++)
			if (!ompp_elf_section_named(elf, sections[i], &s) &&
			    (s.flags & SHF_COMPRESSED || memmem(s.data, s.n_bytes, word, n_name + 1)))
				return 1;
		for (size_t i = 0; i < n_name; i++)
			word[i] = ompp_text_lower(word[i]);
	}
	return are_strings_elsewhere(elf);
}

/* ---- what it says ---- */

static const char *name_of(struct ompp_variables *v, const struct ompp_debug_variable *d)
{
	const char *block = d->flags & OMPP_DEBUG_COMMON ? d->name : d->scope;

	if (d->flags & (OMPP_DEBUG_COMMON | OMPP_DEBUG_MEMBER))
		return ompp_variables_join(v, ompp_variables_join(v, "/", strcmp(block, "__BLNK__") ? block : "", "/"),
		                           "", d->flags & OMPP_DEBUG_MEMBER ? d->name : "");
	if (!d->scope[0])
		return ompp_arena_strdup(&v->arena, d->name);
	return ompp_variables_join(v, d->scope, d->in_function ? "." : "::", d->name);
}

static void take_over(struct ompp_variables *v, struct ompp_variable *x, const struct ompp_debug_variable *d)
{
	const char *source = d->file[0] ? ompp_arena_strdup(&v->arena, d->file) : NULL;

	if (!x->unit[0] || d->unit[0] != '<') {
		const char *unit = ompp_arena_strdup(&v->arena, d->unit);

		x->unit = unit && strcmp(unit, x->unit) ? unit : x->unit;
	}
	if (!x->source[0] && source) {
		x->source = source;
		x->line = d->line;
	}
	if (!x->n_bytes)
		x->n_bytes = d->n_bytes;
	if (d->flags & OMPP_DEBUG_FORTRAN)
		x->flags |= OMPP_VARIABLE_FORTRAN;
	if (d->flags & OMPP_DEBUG_DESCRIPTOR)
		x->flags |= OMPP_VARIABLE_DESCRIPTOR;
}

/* Returns 1 when a variable with this name, this address and one of these flags is in the list. */
static int is_known(struct ompp_variables *v, const char *name, uintptr_t address, unsigned int flags)
{
	struct ompp_variable *x = NULL;

	while ((x = ompp_variables_at(v, x, address)))
		if (x->flags & flags && !strcmp(x->name, name))
			return 1;
	return 0;
}

static void add_new(struct ompp_variables *v, const char *name, const struct ompp_debug_variable *d, unsigned int flags)
{
	struct ompp_variable *x;

	if (!name || is_known(v, name, d->address, flags))
		return;
	x = ompp_variables_add(v, name, d->address);
	if (!x)
		return;
	x->flags = flags | OMPP_VARIABLE_NAMED;
	x->section = ompp_variables_section(v, d->address);
	take_over(v, x, d);
}

/* Returns a number in place of the address that a variable lacks.  It is made of the name, so the name finds the
 * variable in its chain. */
static uintptr_t no_address(const char *name)
{
	uintptr_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash << 2;
}

static void add_nowhere(struct ompp_variables *v, const char *name, const struct ompp_debug_variable *d)
{
	struct ompp_debug_variable there = *d;

	if (!name)
		return;
	there.address = no_address(name);
	add_new(v, name, &there,
	        OMPP_VARIABLE_DEBUG | (d->flags & OMPP_DEBUG_TLS ? OMPP_VARIABLE_TLS : OMPP_VARIABLE_GONE));
}

static void variable_debug_merge(void *context, const struct ompp_debug_variable *d)
{
	struct ompp_variables *v = context;
	struct ompp_variable *x = NULL;
	const char *name;
	int n_symbols = 0;

	if (d->flags & (OMPP_DEBUG_TLS | OMPP_DEBUG_GONE)) {
		add_nowhere(v, name_of(v, d), d);
		return;
	}
	if (ompp_variables_section(v, d->address) >= OMPP_IN_NONE)
		return; /* the linker has dropped it, or it is no variable of the program's */
	if (d->flags & OMPP_DEBUG_MEMBER) {
		add_new(v, name_of(v, d), d, OMPP_VARIABLE_MEMBER);
		return;
	}
	while ((x = ompp_variables_at(v, x, d->address))) {
		if (x->flags & (OMPP_VARIABLE_MEMBER | OMPP_VARIABLE_MADE))
			continue;
		n_symbols++;
		if (d->flags & OMPP_DEBUG_COMMON || x->flags & OMPP_VARIABLE_BARE) {
			name = name_of(v, d);
			if (name)
				x->name = x->full = x->shown = name;
			x->flags &= ~(unsigned int)OMPP_VARIABLE_BARE;
		}
		take_over(v, x, d);
	}
	if (!n_symbols && !ompp_variables_at(v, NULL, d->address))
		add_new(v, name_of(v, d), d, OMPP_VARIABLE_DEBUG);
}

int ompp_variables_debug(struct ompp_variables *v, const char *source, const char *name, const char **why)
{
	const struct ompp_elf *elf = ompp_variables_debug_elf(v, ".debug_info");
	const char *path, *reason = "";
	int n;

	if (v->all_debug_read)
		return 0;
	if (!elf) {
		if (why)
			*why = "there is no debug information; compile with -g";
		return -ENOENT;
	}
	path = elf == &v->elf ? v->path : v->debug_path;
	n = ompp_debuginfo_variables(path, source, name, variable_debug_merge, v, &reason);
	if (!n && source) /* link-time optimisation leaves other file names in the symbols */
		n = ompp_debuginfo_variables(path, source = NULL, name, variable_debug_merge, v, &reason);
	if (n <= 0) {
		if (why)
			*why = reason[0] ? reason : "its debug information cannot be read";
		return -ENOENT;
	}
	v->all_debug_read = !source && !name;
	return 0;
}
