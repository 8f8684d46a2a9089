/*
 * Variable: see variable.h.  This file reads the symbol table.
 */
#define _GNU_SOURCE
#include "runtime/program/variable.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/program/demangle.h"
#include "runtime/program/statement.h"

static int variable_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

const char *ompp_variable_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *ompp_variable_word(const char *name, size_t n_name, size_t *n)
{
	size_t at;

	if (n_name && name[n_name - 1] == '/')
		n_name--;
	for (at = n_name; at && !strchr(":./)", name[at - 1]); at--)
		;
	*n = n_name - at;
	return name + at;
}

static const char *variable_cut(struct ompp_variables *v, const char *s, size_t n)
{
	const char *copy = s[n] ? ompp_arena_strndup(&v->arena, s, n) : s;

	return copy ? copy : s;
}

/* ---- from symbols to names ---- */

/* Returns 1 for names that compilers, C libraries and kinst reserve for themselves. */
static int is_reserved(const char *s)
{
	/* clang-format off */
	static const char *const prefixes[] = {
		".", "__", "_IO_", "_nl_", "_dl_", "_rtld_", "_gfortran", "_ZT", "_ZGV", "_ZSt", "_ZNSt", "_ZNKSt",
		"_ZN9__gnu_cxx", "_ZN10__cxxabiv", "CSWTCH.", "switch.table.", "reltable.", "DW.ref.", "ompp_",
		"kinst_", "opari2_", "pomp2_", "POMP2_"
	};
	/* clang-format on */
	static const char *const names[] = { "stdin", "stdout", "stderr", "environ", "_environ" };
	size_t i;

	for (i = 0; i < OMPP_COUNT_OF(prefixes); i++)
		if (variable_starts(s, prefixes[i]))
			return 1;
	for (i = 0; i < OMPP_COUNT_OF(names); i++)
		if (!strcmp(s, names[i]))
			return 1;
	return strstr(s, "__kinst_") != NULL; /* in a function of C++ */
}

/* Returns the length without the numbers at the end, and how many numbers there are: 3 and 1 for "buf.12". */
static size_t without_numbers(const char *s, size_t n, unsigned int *n_numbers)
{
	for (*n_numbers = 0;; ++*n_numbers) {
		size_t at = n;

		while (at && s[at - 1] >= '0' && s[at - 1] <= '9')
			at--;
		if (at == n || at < 2 || s[at - 1] != '.')
			return n;
		n = at - 1;
	}
}

/* Returns the length without what link-time optimisation appends, such as ".lto_priv.0" or ".llvm.123456". */
static size_t without_suffix(const char *s, size_t n)
{
	const char *lto = memmem(s, n, ".lto_priv.", 10), *llvm = memmem(s, n, ".llvm.", 6);

	if (lto && lto > s)
		n = (size_t)(lto - s);
	return llvm && llvm > s && (size_t)(llvm - s) < n ? (size_t)(llvm - s) : n;
}

/* Names a variable of a module, which gfortran calls "__module_MOD_variable".  Returns 0 when it is no such
 * variable. */
static int name_of_module(struct ompp_variables *v, struct ompp_variable *x)
{
	const char *mod = variable_starts(x->linkage, "__") ? strstr(x->linkage, "_MOD_") : NULL;

	if (!mod || mod < x->linkage + 3)
		return 0;
	x->name = ompp_variables_join(v, variable_cut(v, x->linkage + 2, (size_t)(mod - x->linkage - 2)),
	                              "::", mod + 5);
	x->flags |= OMPP_VARIABLE_FORTRAN | (variable_starts(mod + 5, "__") ? OMPP_VARIABLE_MADE : 0);
	return 1;
}

/* Derives name and flags from the symbol.  A C++ name stays mangled until someone asks for it. */
static void name_of_symbol(struct ompp_variables *v, struct ompp_variable *x)
{
	const char *s = x->linkage;
	size_t n = without_suffix(s, strcspn(s, "@")), head;
	unsigned int n_numbers;

	if (s[strcspn(s, "@")]) /* it is a library's variable that was copied into the program */
		x->flags |= OMPP_VARIABLE_MADE;
	if (ompp_statement_is_fortran(x->unit))
		x->flags |= OMPP_VARIABLE_FORTRAN;
	if (name_of_module(v, x)) {
	} else if (is_reserved(s)) {
		x->name = variable_cut(v, s, n);
		x->flags |= strcmp(s, "__BLNK__") ? OMPP_VARIABLE_MADE : OMPP_VARIABLE_FORTRAN;
	} else if (variable_starts(s, "_Z")) {
		x->name = variable_cut(v, s, n);
		return;
	} else {
		head = without_numbers(s, n, &n_numbers);
		x->name = variable_cut(v, s, head);
		if (n_numbers > 1)
			x->flags |= OMPP_VARIABLE_MADE;
		else if (n_numbers && !memchr(s, '.', head))
			x->flags |= OMPP_VARIABLE_BARE;
	}
	x->full = x->shown = x->name;
	x->flags |= OMPP_VARIABLE_NAMED;
}

/* Names the common blocks.  The symbol of a common block is global and has a '_' at its end. */
static void name_commons(struct ompp_variables *v)
{
	for (size_t i = 0; i < v->n; i++) {
		struct ompp_variable *x = &v->items[i];
		size_t n = strlen(x->name);

		if (!strcmp(x->linkage, "__BLNK__"))
			x->name = "//";
		else if (!v->is_fortran || !(x->flags & OMPP_VARIABLE_GLOBAL) || n < 2 || x->name[n - 1] != '_' ||
		         x->flags & (OMPP_VARIABLE_MADE | OMPP_VARIABLE_TLS) || x->name[0] == '_')
			continue;
		else
			x->name = ompp_variables_join(v, "/", variable_cut(v, x->name, n - 1), "/");
		x->full = x->shown = x->name;
		x->flags |= OMPP_VARIABLE_FORTRAN;
	}
}

/* ---- C++ ---- */

/* Returns what follows the qualifiers after an argument list, " const" and the like, which still belong to the
 * function. */
static const char *skip_qualifiers(const char *s)
{
	static const char *const words[] = { " const", " volatile", " &&", " &", "[abi:cxx11]" };
	size_t i = 0;

	while (i < OMPP_COUNT_OF(words))
		if (variable_starts(s, words[i])) {
			s += strlen(words[i]);
			i = 0;
		} else {
			i++;
		}
	return s;
}

/* Returns what follows the bracket that closes the one at s. */
static const char *skip_brackets(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		depth += *s == '(' || *s == '<' || *s == '{' || *s == '[';
		depth -= *s == ')' || *s == '>' || *s == '}' || *s == ']';
		if (!depth)
			return s + 1;
	}
	return s;
}

/* Makes "ns::f<int>.buf" of "int ns::f<int>(int) const::buf".  Anonymous namespaces are left out. */
static void variable_simplify(const char *full, struct ompp_text *t)
{
	size_t start = 0; /* where the name begins; what stands before it is a result type */

	while (*full) {
		const char *end;

		if (variable_starts(full, "(anonymous namespace)::")) {
			full += strlen("(anonymous namespace)::");
		} else if (variable_starts(full, "[abi:")) {
			full = skip_brackets(full);
		} else if (variable_starts(full, "operator()")) {
			ompp_text_str(t, "operator()");
			full += strlen("operator()");
		} else if (*full == '(') {
			full = skip_qualifiers(skip_brackets(full));
			if (start && start < t->n_bytes) {
				memmove(t->data, t->data + start, t->n_bytes - start + 1);
				t->n_bytes -= start;
			}
			start = 0;
			if (variable_starts(full, "::")) {
				ompp_text_char(t, '.');
				full += 2;
			}
		} else if (*full == '<' || *full == '{') {
			end = skip_brackets(full);
			ompp_text_strn(t, full, (size_t)(end - full));
			full = end;
		} else {
			if (*full == ' ')
				start = t->n_bytes + 1;
			ompp_text_char(t, *full++);
		}
	}
}

const char *ompp_variable_name(struct ompp_variables *v, struct ompp_variable *x)
{
	const char *full;
	struct ompp_text t;
	char *text;

	if (x->flags & OMPP_VARIABLE_NAMED)
		return x->name;
	x->flags |= OMPP_VARIABLE_NAMED;
	full = ompp_demangle(x->name, OMPP_DEMANGLE_WHOLE, &v->arena);
	text = full ? ompp_arena_alloc(&v->arena, strlen(full) + 1) : NULL;
	if (!text)
		return x->name;
	ompp_text_init(&t, text, strlen(full) + 1);
	variable_simplify(full, &t);
	x->name = x->shown = text;
	x->full = full;
	if (variable_starts(full, "std::") || variable_starts(full, "__gnu_cxx::") ||
	    variable_starts(full, "guard variable"))
		x->flags |= OMPP_VARIABLE_MADE;
	return x->name;
}

/* ---- the symbol table ---- */

/* Returns the kind of each section, one byte for each; NULL without memory. */
static unsigned char *variable_sections(struct ompp_variables *v, const struct ompp_elf *elf)
{
	unsigned char *section = ompp_arena_alloc(&v->arena, elf->n_sections + 1);
	struct ompp_elf_section s;

	for (size_t i = 0; section && i < elf->n_sections; i++)
		section[i] = ompp_elf_section(elf, i, &s) ? OMPP_IN_NONE : ompp_variable_section_of(&s);
	return section;
}

/* Returns 1 for names of startup files and of objects in the C library's archive.  The table has their variables
 * after these names. */
static int is_system_file(const char *file)
{
	size_t n = strlen(file);

	return !strcmp(file, "crtstuff.c") || (n > 2 && !strcmp(file + n - 2, ".o"));
}

/* Marks the static variables from `first` on, which are of one source file, as those of kinst's libraries. */
static void mark_own(struct ompp_variables *v, size_t first)
{
	for (size_t i = first; i < v->n; i++)
		if (!(v->items[i].flags & OMPP_VARIABLE_GLOBAL))
			v->items[i].flags |= OMPP_VARIABLE_MADE;
}

static int read_symbols(struct ompp_variables *v, const struct ompp_elf *elf, const struct ompp_elf_symbols *symbols)
{
	const unsigned char *section = variable_sections(v, elf);
	size_t first_of_file = 0;
	const char *file = "";
	int is_own = 0;

	if (!section)
		return -ENOMEM;
	for (size_t i = 0; i < symbols->n; i++) {
		ElfW(Sym) s;
		const char *name = ompp_elf_symbol(symbols, i, &s);
		unsigned int type = s.st_info & 15, is_local = s.st_info >> 4 == STB_LOCAL;
		struct ompp_variable *x;
		unsigned int where;

		if (type == STT_FILE) {
			if (is_own)
				mark_own(v, first_of_file);
			file = name;
			first_of_file = v->n;
			is_own = 0;
		}
		is_own |= is_local && s.st_shndx == SHN_ABS && !strcmp(name, "ompp_own");
		if (variable_starts(name, "_gfortran_") || (variable_starts(name, "__") && strstr(name, "_MOD_")))
			v->is_fortran = 1;
		if ((type != STT_OBJECT && type != STT_TLS && type != STT_COMMON) || !s.st_shndx || !name[0])
			continue;
		where = s.st_shndx < elf->n_sections ? section[s.st_shndx]
		      : s.st_shndx == SHN_COMMON     ? OMPP_IN_BSS
		      : s.st_shndx == SHN_XINDEX     ? ompp_variables_section(v, s.st_value)
		                                     : OMPP_IN_NONE;
		if (where == OMPP_IN_NONE)
			continue;
		x = ompp_variables_add(v, name, type == STT_TLS ? 0 : s.st_value);
		if (!x)
			return -ENOMEM;
		x->n_bytes = s.st_size;
		x->section = (enum ompp_variable_section)where;
		x->unit = is_local ? file : "";
		x->flags = (is_local ? 0 : OMPP_VARIABLE_GLOBAL) | (type == STT_TLS ? OMPP_VARIABLE_TLS : 0) |
		           (is_local && is_system_file(file) ? OMPP_VARIABLE_MADE : 0);
		name_of_symbol(v, x);
	}
	if (is_own)
		mark_own(v, first_of_file);
	name_commons(v);
	return 0;
}

int ompp_variables_open(struct ompp_variables *v, const char *path, int separate)
{
	struct ompp_elf_symbols symbols;
	const struct ompp_elf *debug;
	int rc;

	*v = (struct ompp_variables){ .path = path, .debug_tried = !separate };
	ompp_arena_init(&v->arena, 0);
	rc = ompp_elf_open(&v->elf, path);
	if (rc)
		return rc;
	v->path = ompp_arena_strdup(&v->arena, path);
	if (!v->path || ompp_variables_begin(v))
		return -ENOMEM;
	if (!ompp_elf_symbols(&v->elf, SHT_SYMTAB, &symbols))
		return read_symbols(v, &v->elf, &symbols);
	debug = ompp_variables_debug_elf(v, ".symtab");
	if (debug && !ompp_elf_symbols(debug, SHT_SYMTAB, &symbols))
		return read_symbols(v, debug, &symbols);
	v->is_stripped = 1;
	rc = ompp_elf_symbols(&v->elf, SHT_DYNSYM, &symbols);
	return rc ? rc : read_symbols(v, &v->elf, &symbols);
}

void ompp_variables_close(struct ompp_variables *v)
{
	ompp_elf_close(&v->elf);
	ompp_elf_close(&v->debug_elf);
	ompp_arena_fini(&v->arena);
	*v = (struct ompp_variables){ 0 };
}
