/*
 * Varied ELF: files of programs with symbols of chance, and the answers of the helper that reads debug information.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/host/helper.h"
#include "runtime/program/debuginfo.h"
#include "runtime/program/element.h"
#include "runtime/program/elf.h"
#include "runtime/program/openmp.h"
#include "runtime/program/unmeasured.h"
#include "runtime/program/variable.h"
#include "runtime/ranges/symbol_query.h"
#include "runtime/ranges/symbols.h"
#include "tests/unit/varied_machine.h"

typedef unsigned long long ull;

enum {
	FILE_BYTES = 32768,
	MOST_SECTIONS = 20,
	MOST_SYMBOLS = 40,
	DATA_AT = 0x4000,
	BSS_AT = 0x5000,
	CONST_AT = 0x2000
};

/* ---- texts ---- */

static const char *const words[] = { "a", "buf", "x", "table", "counts", "n", "Grid", "work_1", "v" };

/* Returns a symbol as compilers make them; the text is valid until the next eight. */
static const char *symbol_of_chance(void)
{
	static char texts[8][96];
	static unsigned int turn;
	char *t = texts[turn++ % 8];
	const char *w = VARIED_ONE_OF(words), *o = VARIED_ONE_OF(words);
	size_t n = sizeof(texts[0]);

	switch (varied_below(14)) {
	case 0:
		snprintf(t, n, "%s.%u", w, varied_below(3000));
		break;
	case 1:
		snprintf(t, n, "_ZN%zu%s%zu%sE", strlen(o), o, strlen(w), w);
		break;
	case 2:
		snprintf(t, n, "_ZZN%zu%s4mainEvE%zu%s", strlen(o), o, strlen(w), w);
		break;
	case 3:
		snprintf(t, n, "__%s_MOD_%s", o, w);
		break;
	case 4:
		snprintf(t, n, "%s_", w);
		break;
	case 5:
		snprintf(t, n, "%s.lto_priv.%u", w, varied_below(9));
		break;
	case 6:
		snprintf(t, n, "%s@GLIBC_2.2", w);
		break;
	case 7:
		snprintf(t, n, "_ZL%zu%s", strlen(w), w);
		break;
	case 8:
		snprintf(t, n, "%s%s", varied_below(2) ? "_gfortran_" : "__", w);
		break;
	case 9:
		snprintf(t, n, "%s.%u.%u", w, varied_below(9), varied_below(9));
		break;
	case 10:
		snprintf(t, n, "_ZZ%zu%sRSt6vectorIdSaIdEEiE%zu%s_%u", strlen(o), o, strlen(w), w, varied_below(3));
		break;
	default:
		snprintf(t, n, "%s", w);
	}
	return t;
}

static const char *unit_of_chance(void)
{
	static const char *const units[] = { "a.c",      "b.c",        "c.cc",         "d.f90", "e.F",
		                             "/src/f.c", "crtstuff.c", "<artificial>", "" };

	return VARIED_ONE_OF(units);
}

/* ---- a file ---- */

struct image {
	char bytes[FILE_BYTES];
	size_t n;
	ElfW(Shdr) sections[MOST_SECTIONS];
	size_t n_sections;
	char names[512];
	size_t n_names;
};

static size_t image_put(struct image *i, const void *bytes, size_t n)
{
	size_t at = (i->n + 7) & ~(size_t)7;

	if (at + n > sizeof(i->bytes))
		abort();
	memcpy(i->bytes + at, bytes, n);
	i->n = at + n;
	return at;
}

/* Adds a section and returns it.  bytes: NULL for one without bytes in the file */
static ElfW(Shdr) * image_section(struct image *i, const char *name, uint32_t type, uint64_t flags, uint64_t address,
                                  const void *bytes, size_t n)
{
	ElfW(Shdr) *s = &i->sections[i->n_sections++];

	if (i->n_sections > MOST_SECTIONS || i->n_names + strlen(name) + 1 > sizeof(i->names))
		abort();
	*s = (ElfW(Shdr)){
		.sh_type = type, .sh_flags = flags, .sh_addr = address, .sh_size = n, .sh_name = (ElfW(Word))i->n_names
	};
	strcpy(i->names + i->n_names, name);
	i->n_names += strlen(name) + 1;
	if (bytes)
		s->sh_offset = image_put(i, bytes, n);
	return s;
}

/* Adds a symbol table and its strings. */
static void image_symbols(struct image *i, const char *name, uint32_t type)
{
	ElfW(Sym) table[MOST_SYMBOLS];
	char strings[MOST_SYMBOLS * 96] = "";
	size_t n_strings = 1, n = 1 + varied_below(MOST_SYMBOLS - 1);
	ElfW(Shdr) * s;

	memset(table, 0, sizeof(table));
	for (size_t k = 1; k < n; k++) {
		int is_file = varied_below(6) == 0;
		uint32_t section = 2 + varied_below(4), bind = varied_below(2) ? STB_GLOBAL : STB_LOCAL;
		const char *text = is_file ? unit_of_chance() : symbol_of_chance();
		static const unsigned char types[] = { STT_OBJECT, STT_OBJECT, STT_OBJECT, STT_OBJECT,
			                               STT_FUNC,   STT_TLS,    STT_NOTYPE, STT_COMMON };

		table[k].st_name = (ElfW(Word))n_strings;
		table[k].st_info = (unsigned char)ELF64_ST_INFO(is_file ? STB_LOCAL : bind,
		                                                is_file ? STT_FILE : VARIED_ONE_OF(types));
		table[k].st_shndx = is_file ? SHN_ABS : varied_below(20) ? (ElfW(Half))section : SHN_UNDEF;
		table[k].st_size = is_file ? 0 : varied_below(4) ? 8 * varied_below(40) : varied_number() >> 32;
		table[k].st_value = is_file ? 0
		                            : (section == 2   ? CONST_AT
		                               : section == 3 ? DATA_AT
		                                              : BSS_AT) +
		                                      16 * varied_below(64);
		strcpy(strings + n_strings, text);
		n_strings += strlen(text) + 1;
	}
	s = image_section(i, name, type, 0, 0, table, n * sizeof(table[0]));
	s->sh_entsize = sizeof(table[0]);
	s->sh_link = (ElfW(Word))i->n_sections;
	image_section(i, type == SHT_SYMTAB ? ".strtab" : ".dynstr", SHT_STRTAB, 0, 0, strings, n_strings);
}

static void image_notes(struct image *i, unsigned char id)
{
	char note[200] = { 4, 0, 0, 0, 0, 0, 0, 0, NT_GNU_BUILD_ID, 0, 0, 0, 'G', 'N', 'U' };
	uint32_t n_id = varied_below(4) ? 20 : varied_below(40), n_text;
	char text[120];

	memcpy(note + 4, &n_id, sizeof(n_id));
	memset(note + 16, id, n_id);
	image_section(i, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x300, note, 16 + n_id);
	memset(note, 0, sizeof(note));
	n_text = (uint32_t)snprintf(text, sizeof(text), "%s:%u: %s, %s", unit_of_chance(), varied_below(99), "simd",
	                            varied_below(2) ? "not measured: it is target code" : "") +
	         1;
	memcpy(note, &(uint32_t){ sizeof(OMPP_UNMEASURED_OWNER) }, 4);
	memcpy(note + 4, &n_text, 4);
	memcpy(note + 8, &(uint32_t){ varied_below(3) }, 4);
	memcpy(note + 12, OMPP_UNMEASURED_OWNER, sizeof(OMPP_UNMEASURED_OWNER));
	memcpy(note + 20, text, n_text);
	image_section(i, ".note.kinst", SHT_NOTE, SHF_ALLOC, 0x380, note, (20 + n_text + 3) & ~3u);
}

static void image_end(struct image *i, const char *path)
{
	ElfW(Ehdr) head = {
		.e_type = ET_DYN, .e_version = EV_CURRENT, .e_ehsize = sizeof(head), .e_shentsize = sizeof(ElfW(Shdr))
	};
	size_t n;

	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	head.e_ident[EI_VERSION] = EV_CURRENT;
	head.e_machine = EM_X86_64;
	image_section(i, ".shstrtab", SHT_STRTAB, 0, 0, NULL, 0);
	i->sections[i->n_sections - 1].sh_offset = image_put(i, i->names, i->n_names);
	i->sections[i->n_sections - 1].sh_size = i->n_names;
	head.e_shnum = (ElfW(Half))i->n_sections;
	head.e_shstrndx = (ElfW(Half))(i->n_sections - 1);
	head.e_shoff = image_put(i, i->sections, i->n_sections * sizeof(i->sections[0]));
	memcpy(i->bytes, &head, sizeof(head));
	n = varied_damage(i->bytes, i->n, sizeof(i->bytes), 0);
	varied_put_bytes(path, i->bytes, n);
}

/* Makes the file of a program.  id: the bytes of its build id */
static void put_program(const char *path, unsigned char id, int is_debug)
{
	static struct image image;
	static const char zeros[256], debug[] = "\0a\0buf\0GRID\0x.dwo\0table";
	struct image *i = &image;

	memset(i, 0, sizeof(*i));
	i->n = sizeof(ElfW(Ehdr));
	i->n_names = 1;
	i->n_sections = 1;
	image_section(i, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, zeros, 64);
	image_section(i, ".rodata", SHT_PROGBITS, SHF_ALLOC, CONST_AT, zeros, sizeof(zeros));
	image_section(i, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, DATA_AT, zeros, sizeof(zeros));
	image_section(i, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, BSS_AT, NULL, 0x800);
	image_section(i, ".tbss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS, BSS_AT + 0x800, NULL, 0x40);
	image_notes(i, id);
	if (varied_below(5))
		image_symbols(i, ".symtab", SHT_SYMTAB);
	if (varied_below(2))
		image_symbols(i, ".dynsym", SHT_DYNSYM);
	if (is_debug || varied_below(2)) {
		image_section(i, ".debug_info", SHT_PROGBITS, 0, 0, debug, varied_below(2) ? sizeof(debug) : 4);
		image_section(i, ".debug_str", SHT_PROGBITS, varied_below(8) ? 0 : SHF_COMPRESSED, 0, debug,
		              varied_below(3) ? sizeof(debug) : 6);
	}
	if (varied_below(2))
		image_section(i, ".gnu_debuglink", SHT_PROGBITS, 0, 0, "prog.debug\0\0\1\2\3\4", 16);
	image_end(i, path);
}

static void put_program_and_debug(void)
{
	unsigned char id = (unsigned char)(1 + varied_below(200));

	put_program("bin/prog", id, 0);
	if (varied_below(2))
		put_program(varied_below(2) ? "bin/prog.debug" : "bin/.debug/prog.debug", varied_below(4) ? id : 7, 1);
}

static void make_elf(FILE *to)
{
	static const uint32_t tables[] = { SHT_SYMTAB, SHT_DYNSYM };
	struct ompp_elf elf;
	struct ompp_elf_section s;
	struct ompp_elf_symbols symbols;
	const unsigned char *id;
	size_t n_id;
	int rc;

	put_program("bin/prog", 5, 0);
	rc = ompp_elf_open(&elf, "bin/prog");
	fprintf(to, "%d %d\n", rc, ompp_elf_open(&(struct ompp_elf){ 0 }, "bin/none"));
	if (rc)
		return;
	for (size_t i = 0; i < elf.n_sections && i < 40; i++) {
		rc = ompp_elf_section(&elf, i, &s);
		fprintf(to, "%d", rc);
		if (!rc)
			fprintf(to, " %s %u %u %llx %llx %zu %zu %d", s.name, s.type, s.link, (ull)s.flags,
			        (ull)s.address, s.memory_bytes, s.n_bytes, s.data != NULL);
		if (!rc && s.data && s.type == SHT_NOTE) {
			const char *text;
			size_t at = 0;

			while ((text = ompp_unmeasured_next(s.data, s.n_bytes, OMPP_UNMEASURED_TYPE, &at)))
				fprintf(to, " [%s %zu %zu]", text, ompp_unmeasured_file(text),
				        ompp_unmeasured_construct(text));
		}
		fputc('\n', to);
	}
	for (size_t k = 0; k < OMPP_COUNT_OF(tables); k++) {
		rc = ompp_elf_symbols(&elf, tables[k], &symbols);
		fprintf(to, "%d %zu\n", rc, rc ? 0 : symbols.n);
		for (size_t i = 0; !rc && i < symbols.n && i < 100; i++) {
			ElfW(Sym) sym;
			const char *name = ompp_elf_symbol(&symbols, i, &sym);

			fprintf(to, "%s %x %u %llx %llu\n", name, sym.st_info, sym.st_shndx, (ull)sym.st_value,
			        (ull)sym.st_size);
		}
	}
	n_id = ompp_elf_build_id(&elf, &id);
	fprintf(to, "id %zu %u\n", n_id, n_id ? id[n_id - 1] : 0);
	ompp_elf_close(&elf);
}

/* ---- the helper ---- */

/* 1 while it answers. */
static int has_helper;

static int rc_of_chance(void)
{
	return varied_below(9) ? 0 : -ENODEV;
}

static void put_variable(struct ompp_message *m)
{
	static const char *const scopes[] = { "", "", "f", "mod", "mod::f", "ns::Class", "common", "__BLNK__" };
	struct ompp_debug_variable v = { .name = VARIED_ONE_OF(words),
		                         .scope = VARIED_ONE_OF(scopes),
		                         .unit = unit_of_chance(),
		                         .line = varied_below(99) };

	v.file = unit_of_chance();
	v.flags = varied_below(3) ? 0 : 1u << varied_below(6);
	v.in_function = (int)varied_below(2);
	v.address = (varied_below(2)   ? DATA_AT
	             : varied_below(3) ? BSS_AT
	                               : CONST_AT) +
	            16 * varied_below(varied_below(3) ? 64 : 4096);
	v.n_bytes = 8 * varied_below(30);
	ompp_debuginfo_put(m, &v);
}

static void put_frame(struct ompp_message *m)
{
	struct ompp_debug_frame f = { unit_of_chance(), VARIED_ONE_OF(words), varied_below(100), varied_below(40),
		                      (int)varied_below(2) };

	ompp_debuginfo_put_frame(m, &f);
}

static void put_member(struct ompp_message *m, uint64_t offset)
{
	struct ompp_element_member member = { .offset = offset, .kind = varied_below(5), .n_arrays = varied_below(3) };

	member.unit = UINT64_C(1) << varied_below(4);
	member.n_bytes = member.unit * (1 + varied_below(4));
	for (uint32_t i = 0; i < member.n_arrays; i++)
		member.arrays[i] = (struct ompp_element_array){ member.n_bytes * (1 + varied_below(3)),
			                                        1 + varied_below(3) };
	ompp_message_put(m, &member, sizeof(member));
	ompp_message_put_text(m, VARIED_ONE_OF(words));
	ompp_message_put_text(m, varied_below(2) ? "double" : "struct p *");
}

static void put_end(struct ompp_message *m, int64_t question)
{
	switch (question) {
	case OMPP_DEBUGINFO_VARIABLES:
		ompp_message_put_i64(m, varied_below(4));
		break;
	case OMPP_DEBUGINFO_LOCATION:
	case OMPP_DEBUGINFO_LINE:
		ompp_message_put_i64(m, varied_below(5) ? varied_below(300) : (int64_t)varied_number());
		ompp_message_put_text(m, unit_of_chance());
		ompp_message_put_text(m, VARIED_ONE_OF(words));
		break;
	case OMPP_DEBUGINFO_CALL:
		ompp_message_put_text(m, symbol_of_chance());
		for (int i = 0; i < 3; i++)
			ompp_message_put_i64(m, varied_below(3));
		break;
	default:
		ompp_message_put_i64(m, varied_below(9) ? 8 * varied_below(20) : (int64_t)varied_number());
		ompp_message_put_i64(m, varied_below(16));
		ompp_message_put_text(m, "struct s");
	}
}

static void damage_message(struct ompp_message *m)
{
	if (!varied_below(60))
		m->n_bytes = varied_below(m->n_bytes + 1);
}

int __wrap_ompp_helper_ask(struct ompp_helper *h, struct ompp_message *message,
                           int (*item)(void *context, struct ompp_message *m), void *context, const char **why);
int __wrap_ompp_helper_ask(struct ompp_helper *h, struct ompp_message *message,
                           int (*item)(void *context, struct ompp_message *m), void *context, const char **why)
{
	static struct ompp_message one;
	int64_t question = ompp_message_get_i64(message);
	uint64_t offset = 0;
	int rc = has_helper ? rc_of_chance() : -ENOENT;

	if (rc && why)
		*why = h->why_not_installed;
	for (uint32_t i = varied_below(question == OMPP_DEBUGINFO_CALL && !varied_below(9) ? 60 : 12);
	     i > 0 && item && !rc; i--) {
		ompp_message_begin(&one, OMPP_HELPER_ITEM);
		if (question == OMPP_DEBUGINFO_VARIABLES)
			put_variable(&one);
		else if (question == OMPP_DEBUGINFO_CALL)
			put_frame(&one);
		else
			put_member(&one, offset);
		offset += varied_below(24);
		damage_message(&one);
		rc = item(context, &one);
	}
	ompp_message_begin(message, OMPP_HELPER_END);
	put_end(message, question);
	damage_message(message);
	return rc;
}

int __wrap_ompp_helper_start(struct ompp_helper *h, const char **why);
int __wrap_ompp_helper_start(struct ompp_helper *h, const char **why)
{
	if (why)
		*why = h->why_not_installed;
	return -ENOENT;
}

/* ---- libraries: there are none, as each machine has others ---- */

struct each {
	int (*call)(struct dl_phdr_info *info, size_t n_bytes, void *data);
	void *data;
	int rc;
};

static int each_program(struct dl_phdr_info *info, size_t n_bytes, void *data)
{
	struct each *each = data;

	each->rc = each->call(info, n_bytes, each->data);
	return 1; /* the program is the first */
}

int __wrap_ompp_real_each(int (*call)(struct dl_phdr_info *info, size_t n_bytes, void *data), void *data);
int __wrap_ompp_real_each(int (*call)(struct dl_phdr_info *info, size_t n_bytes, void *data), void *data)
{
	struct each each = { call, data, 0 };

	dl_iterate_phdr(each_program, &each);
	return each.rc;
}

/* ---- variables ---- */

static void put_variables(FILE *to, struct ompp_variables *v)
{
	for (size_t i = 0; i < v->n; i++) {
		struct ompp_variable *x = &v->items[i];

		fprintf(to, "%s", ompp_variable_name(v, x));
		fprintf(to, " | %s | %s | %s | %s:%u | %x %s %llx %llu %d\n", x->full, x->linkage, x->unit, x->source,
		        x->line, x->flags, ompp_variable_section_name(x->section),
		        x->flags & (OMPP_VARIABLE_TLS | OMPP_VARIABLE_GONE) ? 0 : (ull)x->address, (ull)x->n_bytes,
		        ompp_variable_may_describe(x));
	}
}

static void make_variables(FILE *to)
{
	static struct ompp_variables v;
	struct ompp_variable_list list = { 0 };
	const char *why = "";
	int rc;

	has_helper = varied_below(5) != 0;
	put_program_and_debug();
	rc = ompp_variables_open(&v, "bin/prog", (int)varied_below(2));
	fprintf(to, "%d %d %d\n", rc, v.is_stripped, v.is_fortran);
	if (!rc) {
		put_variables(to, &v);
		fprintf(to, "mention %d %d\n", ompp_variables_mention(&v, "buf"), ompp_variables_mention(&v, "Grid"));
		rc = ompp_variables_debug(&v, varied_below(2) ? "a.c" : NULL,
		                          varied_below(2) ? VARIED_ONE_OF(words) : NULL, &why);
		fprintf(to, "debug %d %s\n", rc, why);
		put_variables(to, &v);
		rc = ompp_variables_list(&v, 1 + varied_below(100), &list);
		fprintf(to, "list %d %zu tls, %zu descriptors, %zu unsure\n", rc, list.n_tls, list.n_descriptors,
		        list.n_unsure);
		for (size_t i = 0; !rc && i < list.n; i++) {
			fprintf(to, "%s %s\n", list.items[i]->shown, list.items[i]->name);
			for (size_t k = 0; k < i; k++) /* whatever comes, the names differ */
				if (!strcmp(list.items[i]->shown, list.items[k]->shown))
					abort();
		}
	}
	ompp_variables_close(&v);
}

/* ---- queries ---- */

static const char *query_of_chance(void)
{
	static char text[200];
	size_t n = 0;

	for (uint32_t i = 1 + varied_below(3); i > 0; i--) {
		static const char *const before[] = { "",       "",  "",       "a.c:",  "f.",    "ns::",
			                              "Grid::", "/", "d.f90:", "prog:", "main::" };
		static const char *const behind[] = { "", "", "", "@0x4010", "/", "@17", " ", "[3]", "(int, a)" };

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s%s%s", n ? "," : "", VARIED_ONE_OF(before),
		                      varied_below(12) ? VARIED_ONE_OF(words) : "*", VARIED_ONE_OF(behind));
	}
	text[varied_damage(text, n, sizeof(text), 1)] = '\0';
	return text;
}

static void make_queries(FILE *to)
{
	static struct ompp_variables v;
	const char *names = query_of_chance(), *list = names;
	struct ompp_arena arena;
	struct ompp_query q;
	int rc;

	has_helper = 0;
	put_program_and_debug();
	rc = ompp_variables_open(&v, "bin/prog", 0);
	ompp_arena_init(&arena, 0);
	fprintf(to, "%s: %d\n", names, rc);
	while (ompp_query_next(&list, &q)) {
		ompp_query_read(&arena, &q);
		fprintf(to, "%.*s|%.*s|%.*s|%.*s|%llx|%s|%d %d:", (int)q.n_written, q.written, (int)q.n, q.text,
		        (int)q.n_word, q.word, (int)q.n_file, q.n_file ? q.file : "", (ull)q.address, q.name,
		        ompp_query_is_repeated(names, &q), ompp_query_is_star(&q));
		for (size_t i = 0; !rc && i < v.n; i++)
			fprintf(to, "%d", ompp_query_rank(&v, "bin/prog", &v.items[i], &q));
		fputc('\n', to);
	}
	ompp_arena_fini(&arena);
	ompp_variables_close(&v);
}

static FILE *found_to;

static void found(const struct ompp_symbol *s)
{
	fprintf(found_to, "%s %s %zu %d\n", s->name, s->file, s->n_bytes, s->is_constant);
}

static void say(const char *line)
{
	fprintf(found_to, "%s\n", line);
}

static void make_symbols(FILE *to)
{
	found_to = to;
	has_helper = varied_below(3) != 0;
	put_program("proc/self/exe", 9, 0);
	fprintf(to, "%d\n", ompp_symbols_find(query_of_chance(), varied_below(100), found, say));
	fprintf(to, "%d\n", ompp_symbols_of_library("proc/self/exe", 0, found));
}

static void make_openmp(FILE *to)
{
	put_program("proc/self/exe", 9, 0);
	ompp_openmp_find();
	fprintf(to, "%d %d\n", ompp_openmp_is_known(), ompp_openmp_is_gnu());
}

/* ---- what the helper says ---- */

static void make_calls(FILE *to)
{
	struct ompp_debug_call call = { 0 };
	char file[40], function[12];
	struct ompp_arena arena;
	unsigned int line;
	int rc;

	has_helper = varied_below(9) != 0;
	ompp_arena_init(&arena, 0);
	rc = ompp_debuginfo_call("bin/prog", 0x1010, &arena, &call);
	fprintf(to, "%d", rc);
	for (size_t i = 0; !rc && i < call.n_frames; i++)
		fprintf(to, " %s %s %u:%u %d", call.frames[i].file, call.frames[i].function, call.frames[i].line,
		        call.frames[i].column, call.frames[i].is_of_system);
	if (!rc)
		fprintf(to, " %s %llu %d %d", call.symbol, (ull)call.offset, call.is_of_system, call.is_own);
	line = ompp_debuginfo_line("bin/prog", 0x1010, file, sizeof(file), function, sizeof(function));
	fprintf(to, "\n%u %s %s", line, file, function);
	line = ompp_debuginfo_location("bin/prog", 0x1010, file, 4 + varied_below(8));
	fprintf(to, " %u %s\n", line, file);
	ompp_arena_fini(&arena);
}

static void make_element(FILE *to)
{
	struct ompp_element_question q = {
		.by = varied_below(3), .address = 0x4010, .name = "p", .n_earlier = varied_below(4)
	};
	struct ompp_element e;
	struct ompp_arena arena;
	int rc;

	has_helper = 1;
	ompp_arena_init(&arena, 0);
	rc = ompp_element_find("bin/prog", &q, &arena, &e);
	fprintf(to, "%d", rc);
	if (!rc) {
		fprintf(to, " %s %llu %x", e.type, (ull)e.n_bytes, e.flags);
		for (size_t i = 0; i < e.n; i++)
			fprintf(to, " %s:%llu+%llu/%llu", e.members[i].name, (ull)e.members[i].offset,
			        (ull)e.members[i].n_bytes, (ull)e.members[i].unit);
		for (uint64_t at = 0; at < e.n_bytes && at < 200; at += 1 + varied_below(4))
			for (uint64_t n = 1; n <= 16; n *= 2) {
				struct ompp_element_place p = ompp_element_at(&e, at, n);

				fprintf(to, " %lld/%llu/%d", (long long)p.member, (ull)p.n_bytes,
				        ompp_element_fits(&e, at, n));
			}
	}
	fputc('\n', to);
	ompp_arena_fini(&arena);
}

const struct varied_part varied_elf_parts[] = {
	{ "elf", 600, make_elf },         { "variables", 600, make_variables },
	{ "queries", 600, make_queries }, { "symbols", 300, make_symbols },
	{ "openmp", 40, make_openmp },    { "calls", 600, make_calls },
	{ "element", 600, make_element }, { NULL, 0, NULL },
};
