/*
 * Symbols: reads debug information by elfutils, in the helper ompp-symbols; see runtime/program/debuginfo.h.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/text.h"
#include "runtime/program/debuginfo.h"

enum { SCOPE_BYTES = 1024, DEEPEST = 64 };

struct walk {
	ompp_debug_found found;
	void *context;
	const char *name;      /* the only name that is wanted; NULL for all */
	unsigned int language; /* of the unit: OMPP_DEBUG_FORTRAN or 0 */
};

/* A scope: the joined names of what encloses it. */
struct scope {
	char text[SCOPE_BYTES];
	int in_function, depth;
};

/* Returns a flag of this entry itself, and not of the one that it completes. */
static int is_set(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	bool flag = false;

	return dwarf_attr(die, name, &attribute) && !dwarf_formflag(&attribute, &flag) && flag;
}

/* Finds the type of a variable, without typedef names, const and volatile. */
static int type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute, *given = dwarf_attr_integrate(die, DW_AT_type, &attribute);
	Dwarf_Die plain;

	if (!given || !dwarf_formref_die(given, type))
		return 0;
	if (!dwarf_peel_type(type, &plain))
		*type = plain;
	return 1;
}

static size_t bytes_of(Dwarf_Die *die)
{
	Dwarf_Word n = 0;
	Dwarf_Die type;

	return type_of(die, &type) && !dwarf_aggregate_size(&type, &n) ? (size_t)n : 0;
}

/* Returns whether the variable only says where its data is: an array's descriptor, or in Fortran the address of a
 * scalar. */
static int is_descriptor(const struct walk *w, Dwarf_Die *die)
{
	Dwarf_Die type;

	if (!type_of(die, &type))
		return 0;
	if (dwarf_tag(&type) == DW_TAG_pointer_type)
		return w->language == OMPP_DEBUG_FORTRAN && dwarf_hasattr(&type, DW_AT_type);
	return dwarf_tag(&type) == DW_TAG_array_type && dwarf_hasattr(&type, DW_AT_data_location);
}

/* Finds where a variable is: its address, or the flag OMPP_DEBUG_TLS.  Returns 0 when it is in no static storage. */
static int symbols_locate(Dwarf_Die *die, uintptr_t *address, unsigned int *flags)
{
	Dwarf_Attribute attribute, pool;
	Dwarf_Op *ops;
	Dwarf_Addr at;
	size_t n;

	if (dwarf_getlocation(dwarf_attr_integrate(die, DW_AT_location, &attribute), &ops, &n) || !n)
		return 0;
	if (ops[n - 1].atom == DW_OP_GNU_push_tls_address || ops[n - 1].atom == DW_OP_form_tls_address) {
		*flags |= OMPP_DEBUG_TLS;
		return 1;
	}
	if (ops[0].atom == DW_OP_addr)
		at = ops[0].number;
	else if (dwarf_getlocation_attr(&attribute, &ops[0], &pool) || dwarf_formaddr(&pool, &at))
		return 0;
	for (size_t i = 1; i < n; i++)
		if (ops[i].atom == DW_OP_plus_uconst)
			at += ops[i].number;
		else
			return 0;
	*address = (uintptr_t)at;
	return 1;
}

/* Returns whether a variable that has no place was meant to have a static one. */
static int is_static(Dwarf_Die *die, const struct scope *scope)
{
	return !is_set(die, DW_AT_declaration) && (!scope->in_function || is_set(die, DW_AT_external)) &&
	       !dwarf_hasattr_integrate(die, DW_AT_location) && !dwarf_hasattr_integrate(die, DW_AT_const_value);
}

static const char *without_folder(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "";
}

/* Returns the file in which it is declared.  dwarf_decl_file() is not used, as it ends the program when the list of
 * files is in another file (split debug information). */
static const char *file_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute, *given = dwarf_attr_integrate(die, DW_AT_decl_file, &attribute);
	Dwarf_Files *files;
	Dwarf_Word i;
	Dwarf_Die unit;
	const char *name = NULL;
	size_t n;

	if (given && !dwarf_formudata(given, &i) &&
	    dwarf_cu_die(given->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) &&
	    !dwarf_getsrcfiles(&unit, &files, &n) && i < n)
		name = dwarf_filesrc(files, i, NULL, NULL);
	return name ? name : "";
}

/* Returns the source file in which it was compiled.  With link-time optimisation the entry that has the place refers
 * to the one that has the name, which is in the unit of the source. */
static const char *unit_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin, unit;
	Dwarf_Die *of = dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attribute), &origin) ? &origin : die;

	return without_folder(dwarf_diecu(of, &unit, NULL, NULL) ? dwarf_diename(&unit) : NULL);
}

/* Reports a variable that is at an address, or at none when its flags say so. */
static void symbols_report(struct walk *w, Dwarf_Die *die, const struct scope *scope, unsigned int flags,
                           uintptr_t address)
{
	struct ompp_debug_variable v = { .name = dwarf_diename(die),
		                         .scope = scope->text,
		                         .file = file_of(die),
		                         .flags = w->language | flags,
		                         .in_function = scope->in_function,
		                         .address = address,
		                         .n_bytes = bytes_of(die),
		                         .unit = unit_of(die) };
	int line = 0;

	if (!v.name)
		return;
	if (!dwarf_decl_line(die, &line) && line > 0)
		v.line = (unsigned int)line;
	if (is_descriptor(w, die))
		v.flags |= OMPP_DEBUG_DESCRIPTOR;
	w->found(w->context, &v);
}

static int is_wanted(const struct walk *w, Dwarf_Die *die)
{
	const char *name = w->name ? dwarf_diename(die) : NULL, *want = w->name;

	while (name && *name && ompp_text_lower(*name) == ompp_text_lower(*want)) {
		name++;
		want++;
	}
	return !w->name || (name && !*name && !*want);
}

static void symbols_variable(struct walk *w, Dwarf_Die *die, const struct scope *scope, unsigned int flags)
{
	uintptr_t address = 0;

	if ((!is_wanted(w, die) && !(flags & OMPP_DEBUG_MEMBER)) || is_set(die, DW_AT_artificial))
		return;
	if (!symbols_locate(die, &address, &flags)) {
		if (flags || !is_static(die, scope))
			return;
		flags |= OMPP_DEBUG_GONE;
	}
	symbols_report(w, die, scope, flags, address);
}

static void symbols_enter(struct scope *inner, const struct scope *outer, Dwarf_Die *die, int is_function)
{
	const char *name = dwarf_diename(die), *between = !outer->text[0] ? "" : outer->in_function ? "." : "::";
	struct ompp_text t;

	inner->depth = outer->depth + 1;
	inner->in_function = is_function || outer->in_function;
	if (!name)
		between = name = "";
	ompp_text_init(&t, inner->text, SCOPE_BYTES);
	ompp_text_str(&t, outer->text);
	if (t.n_bytes + strlen(between) + strlen(name) >= SCOPE_BYTES)
		return;
	ompp_text_str(&t, between);
	ompp_text_str(&t, name);
}

/* Reports a common block and its variables.  The block has no place of its own where only parts of it are used; then
 * it starts with the first of them. */
static void symbols_common(struct walk *w, Dwarf_Die *block, const struct scope *outer)
{
	struct scope scope;
	uintptr_t first = UINTPTR_MAX, address;
	unsigned int flags = 0;
	Dwarf_Die child;

	symbols_enter(&scope, &(struct scope){ .depth = outer->depth }, block, 0);
	if (dwarf_child(block, &child))
		return;
	do {
		if (dwarf_tag(&child) != DW_TAG_variable)
			continue;
		symbols_variable(w, &child, &scope, OMPP_DEBUG_MEMBER);
		if (symbols_locate(&child, &address, &flags) && !flags && address < first)
			first = address;
	} while (!dwarf_siblingof(&child, &child));
	if (first != UINTPTR_MAX)
		symbols_report(w, block, outer, OMPP_DEBUG_COMMON, first);
}

static void symbols_children(struct walk *w, Dwarf_Die *parent, const struct scope *scope)
{
	Dwarf_Die die;

	if (scope->depth > DEEPEST || dwarf_child(parent, &die))
		return;
	do {
		struct scope inner;

		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			symbols_variable(w, &die, scope, 0);
			break;
		case DW_TAG_common_block:
			symbols_common(w, &die, scope);
			break;
		case DW_TAG_lexical_block:
			inner = *scope;
			inner.depth++;
			symbols_children(w, &die, &inner);
			break;
		case DW_TAG_subprogram:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
			if (!dwarf_haschildren(&die))
				break;
			symbols_enter(&inner, scope, &die, dwarf_tag(&die) == DW_TAG_subprogram);
			symbols_children(w, &die, &inner);
			break;
		default:
			break;
		}
	} while (!dwarf_siblingof(&die, &die));
}

static int is_fortran(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return 1;
	default:
		return 0;
	}
}

/* Returns whether the unit is of this source file. */
static int is_of(Dwarf_Die *unit, const char *source)
{
	return !source || !strcmp(without_folder(dwarf_diename(unit)), source);
}

/* Returns whether there are types in the unit.  Debug information with line tables alone (-g1) has none, and knows no
 * variables. */
static int has_types(Dwarf_Die *unit)
{
	Dwarf_Die die;

	if (dwarf_child(unit, &die))
		return 0;
	do
		if (dwarf_tag(&die) == DW_TAG_base_type || dwarf_tag(&die) == DW_TAG_typedef ||
		    dwarf_tag(&die) == DW_TAG_structure_type)
			return 1;
	while (!dwarf_siblingof(&die, &die));
	return 0;
}

static int symbols_units(struct walk *w, Dwarf *dwarf, const char *source)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die top, split;
	uint8_t type;
	int n = 0;

	while (!dwarf_get_units(dwarf, unit, &unit, NULL, &type, &top, &split)) {
		Dwarf_Die *die = type == DW_UT_skeleton && split.addr ? &split : &top;

		if (type == DW_UT_type || type == DW_UT_split_type || !is_of(die, source))
			continue;
		w->language = is_fortran(die) ? OMPP_DEBUG_FORTRAN : 0;
		symbols_children(w, die, &(struct scope){ .depth = 0 });
		n += has_types(die);
	}
	return n;
}

int ompp_symbols_variables(const char *path, const char *source, const char *name, ompp_debug_found found,
                           void *context)
{
	struct walk w = { .found = found, .context = context, .name = name };
	int fd = open(path, O_RDONLY | O_CLOEXEC), n = 0;
	Dwarf *dwarf;
	Elf *elf;

	if (fd < 0)
		return -errno;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	if (dwarf) {
		n = symbols_units(&w, dwarf, source);
		dwarf_end(dwarf);
	}
	elf_end(elf);
	close(fd);
	return n;
}
