/*
 * Object: see object_file.h.
 */
#include "opari/hooks/object_file.h"

#include <ar.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/program/elf.h"

/* Returns 1 when a shared object imports the symbols of libompp that libompp_access.a needs. */
static int imports_runtime(const struct ompp_elf *elf)
{
	struct ompp_elf_symbols symbols;
	ElfW(Sym) symbol;

	if (ompp_elf_symbols(elf, SHT_DYNSYM, &symbols))
		return 0;
	for (size_t i = 0; i < symbols.n; i++)
		if (kinst_begins(ompp_elf_symbol(&symbols, i, &symbol), "ompp_access_") && symbol.st_shndx == SHN_UNDEF)
			return 1;
	return 0;
}

/* Returns which of the functions of ours its code needs: KINST_OBJECT_HOOKED, KINST_OBJECT_WORKS. */
static unsigned int needs_ours(const struct ompp_elf *elf)
{
	struct ompp_elf_symbols symbols;
	unsigned int needs = 0;
	ElfW(Sym) symbol;

	if (ompp_elf_symbols(elf, SHT_SYMTAB, &symbols))
		return 0;
	for (size_t i = 0; i < symbols.n; i++) {
		const char *name = ompp_elf_symbol(&symbols, i, &symbol);

		if (symbol.st_shndx != SHN_UNDEF)
			continue;
		needs |= kinst_begins(name, "__tsan_") ? KINST_OBJECT_HOOKED : 0;
		needs |= !strcmp(name, "ompp_work") ? KINST_OBJECT_WORKS : 0;
	}
	return needs;
}

/* Returns 1 when it has machine code, or gcc's intermediate code. */
static int has_code(const struct ompp_elf *elf)
{
	struct ompp_elf_section section;

	for (size_t i = 0; i < elf->n_sections; i++)
		if (!ompp_elf_section(elf, i, &section) && section.memory_bytes &&
		    (section.flags & SHF_EXECINSTR || kinst_begins(section.name, ".gnu.lto_")))
			return 1;
	return 0;
}

static unsigned int look_at(const char *data, size_t n_bytes)
{
	unsigned int found, needs;
	struct ompp_elf elf;
	ElfW(Ehdr) header;
	int code;

	if (n_bytes > 4 && !memcmp(data, "BC\xC0\xDE", 4))
		return KINST_OBJECT_UNHOOKED; /* clang's intermediate code */
	if (n_bytes < sizeof(ElfW(Ehdr)) || ompp_elf_open_memory(&elf, data, n_bytes))
		return 0;
	memcpy(&header, data, sizeof(header));
	code = has_code(&elf);
	needs = needs_ours(&elf) | (imports_runtime(&elf) ? KINST_OBJECT_HOOKED : 0);
	found = needs & KINST_OBJECT_HOOKED ? KINST_OBJECT_HOOKED : code ? KINST_OBJECT_UNHOOKED : 0;
	if (code && header.e_type == ET_REL)
		found |= needs & KINST_OBJECT_WORKS ? KINST_OBJECT_WORKS : KINST_OBJECT_IDLE;
	ompp_elf_close(&elf);
	return found;
}

/*
 * Returns the header of the archive's member at *at, with its contents, and moves *at to the next one; NULL when
 * there is none.
 */
static const struct ar_hdr *next_member(const struct kinst_text *archive, size_t *at, const char **data,
                                        size_t *n_bytes)
{
	const struct ar_hdr *header = (const void *)(archive->data + *at);
	char digits[sizeof(header->ar_size) + 1] = "";

	if (*at > archive->length || archive->length - *at < sizeof(*header))
		return NULL;
	memcpy(digits, header->ar_size, sizeof(header->ar_size));
	*at += sizeof(*header);
	*data = archive->data + *at;
	*n_bytes = strtoul(digits, NULL, 10);
	if (memcmp(header->ar_fmag, ARFMAG, 2) || *n_bytes > archive->length - *at)
		return NULL;
	*at += *n_bytes + (*n_bytes & 1);
	return header;
}

static int is_archive(const struct kinst_text *file)
{
	return file->length > SARMAG && !memcmp(file->data, ARMAG, SARMAG);
}

unsigned int kinst_object_look(const char *path)
{
	struct kinst_text file = { 0 };
	unsigned int found = 0;
	const char *data;
	size_t at = SARMAG, n_bytes;

	if (kinst_read_file(path, &file))
		found = 0;
	else if (!is_archive(&file))
		found = look_at(file.data, file.length);
	else
		while (next_member(&file, &at, &data, &n_bytes)) {
			/* Members are at even offsets; symbol tables need a larger alignment, so they are copied. */
			char *copy = kinst_alloc(n_bytes + 1);

			memcpy(copy, data, n_bytes);
			found |= look_at(copy, n_bytes);
			free(copy);
		}
	kinst_text_free(&file);
	return found;
}

/* The first member of an archive is its index: a big-endian count, as many offsets, and the names. */
void kinst_object_names(struct kinst_words *names, const char *archive, const char *prefix)
{
	struct kinst_text file = { 0 };
	const struct ar_hdr *header;
	const char *data, *name, *end;
	size_t at = SARMAG, n_bytes, n;

	if (!kinst_read_file(archive, &file) && is_archive(&file) &&
	    (header = next_member(&file, &at, &data, &n_bytes)) && !memcmp(header->ar_name, "/ ", 2) && n_bytes >= 4) {
		const unsigned char *count = (const unsigned char *)data;

		n = (size_t)count[0] << 24 | (size_t)count[1] << 16 | (size_t)count[2] << 8 | count[3];
		end = data + n_bytes;
		name = n < n_bytes / 4 ? data + 4 + 4 * n : end;
		for (; name < end && memchr(name, '\0', (size_t)(end - name)); name += strlen(name) + 1)
			if (kinst_begins(name, prefix))
				kinst_words_add(names, name + strlen(prefix));
	}
	kinst_text_free(&file);
}

/* Returns the new name of a symbol, or NULL. */
static const char *object_renamed(const char *name, const struct kinst_words *old, const struct kinst_words *new)
{
	for (size_t i = 0; i < old->n; i++)
		if (!strcmp(name, old->items[i]))
			return new->items[i];
	return NULL;
}

/*
 * Appends the new names to a copy of the table of names, and points the symbols there.  Returns how many were
 * renamed.
 */
static size_t rename_symbols(struct kinst_text *file, const struct ompp_elf_symbols *symbols,
                             const struct kinst_words *old, const struct kinst_words *new, struct kinst_text *strings)
{
	size_t n_renamed = 0, table = (size_t)(symbols->table - file->data);

	kinst_text_add(strings, symbols->strings, symbols->strings_bytes);
	for (size_t i = 0; i < symbols->n; i++) {
		ElfW(Sym) symbol;
		const char *name = object_renamed(ompp_elf_symbol(symbols, i, &symbol), old, new);

		if (!name || symbol.st_shndx != SHN_UNDEF)
			continue;
		symbol.st_name = (ElfW(Word))strings->length;
		kinst_text_add(strings, name, strlen(name) + 1);
		memcpy(file->data + table + i * sizeof(symbol), &symbol, sizeof(symbol));
		n_renamed++;
	}
	return n_renamed;
}

/* Points the header of the section at `from` to the end of the file, where its new contents are. */
static int move_section(struct kinst_text *file, const struct ompp_elf *elf, const char *from, size_t n_bytes)
{
	for (size_t i = 0; i < elf->n_sections; i++) {
		char *at = file->data + elf->sections_at + i * sizeof(ElfW(Shdr));
		ElfW(Shdr) header;

		memcpy(&header, at, sizeof(header));
		if (header.sh_type != SHT_STRTAB || header.sh_offset != (size_t)(from - elf->data))
			continue;
		header.sh_offset = file->length;
		header.sh_size = n_bytes;
		memcpy(at, &header, sizeof(header));
		return 0;
	}
	return -ENOEXEC;
}

int kinst_object_rename(const char *path, const struct kinst_words *old, const struct kinst_words *new,
                        const char *note)
{
	struct kinst_text file = { 0 }, strings = { 0 };
	struct ompp_elf_symbols symbols;
	struct ompp_elf elf;
	int error = kinst_read_file(path, &file);

	if (!error)
		error = ompp_elf_open_memory(&elf, file.data, file.length);
	if (!error) {
		error = ompp_elf_symbols(&elf, SHT_SYMTAB, &symbols);
		if (!error && rename_symbols(&file, &symbols, old, new, &strings)) {
			kinst_text_add(&strings, note, strlen(note) + 1);
			error = move_section(&file, &elf, symbols.strings, strings.length);
			if (!error) {
				kinst_text_add(&file, strings.data, strings.length);
				error = kinst_write_file(path, file.data, file.length);
			}
		}
		ompp_elf_close(&elf);
	}
	kinst_text_free(&file);
	kinst_text_free(&strings);
	return error;
}

void kinst_object_notes(struct kinst_words *notes, const char *path, const char *prefix)
{
	struct kinst_text file = { 0 };
	const char *p, *end;

	if (!kinst_read_file(path, &file)) {
		p = file.data;
		end = file.data + file.length;
		while ((p = memmem(p, (size_t)(end - p), prefix, strlen(prefix)))) {
			p += strlen(prefix);
			kinst_words_add(notes, p);
		}
	}
	kinst_text_free(&file);
}

static int is_symbol_char(char c)
{
	return c == '_' || c == '.' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* Returns 1 when the text defines the symbol. */
static int object_defines(const struct kinst_text *text, const char *symbol)
{
	char *label = kinst_format("\n%s:", symbol);
	int found = strstr(text->data, label) != NULL;

	free(label);
	return found;
}

int kinst_object_rename_text(const char *path, const struct kinst_words *old, const struct kinst_words *new)
{
	struct kinst_text file = { 0 }, result = { 0 };
	int error = kinst_read_file(path, &file), quoted = 0;

	for (const char *p = file.data; !error && *p;) {
		size_t n = 0;
		const char *name = NULL;
		char *word;

		quoted ^= *p == '"' && (p == file.data || p[-1] != '\\');
		while (is_symbol_char(p[n]))
			n++;
		if (n && !quoted) {
			word = kinst_strndup(p, n);
			name = object_renamed(word, old, new);
			if (name && object_defines(&file, word))
				name = NULL;
			free(word);
		}
		n = n ? n : 1;
		kinst_text_add(&result, name ? name : p, name ? strlen(name) : n);
		p += n;
	}
	if (!error)
		error = kinst_write_file(path, result.data ? result.data : "", result.length);
	kinst_text_free(&file);
	kinst_text_free(&result);
	return error;
}
