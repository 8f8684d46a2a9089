/*
 * Address symbol: see address_symbol.h.
 */
#include "runtime/program/address_symbol.h"

#include <elf.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/host/loaded.h"
#include "runtime/program/elf.h"

/* What is looked for in a file. */
struct wanted {
	uintptr_t address; /* in the file */
	unsigned int type;
	const char *part;
};

static int symbol_find(const struct ompp_elf *elf, uint32_t table, const struct wanted *w, struct ompp_text *name)
{
	struct ompp_elf_symbols symbols;
	ElfW(Sym) symbol;

	if (ompp_elf_symbols(elf, table, &symbols))
		return 0;
	for (size_t i = 0; i < symbols.n; i++) {
		const char *text = ompp_elf_symbol(&symbols, i, &symbol);
		const char *own = symbol.st_value == w->address ? strstr(text, w->part) : NULL;

		if (!own || !text[0] || (w->type != STT_NOTYPE && (symbol.st_info & 15) != w->type))
			continue;
		ompp_text_str(name, own + strlen(w->part));
		return 1;
	}
	return 0;
}

int ompp_address_symbol(uint64_t key, unsigned int type, const char *part, char *name, size_t n_bytes)
{
	struct wanted w = { .type = type, .part = part };
	struct ompp_loaded file;
	struct ompp_elf elf;
	struct ompp_text t;
	int is_found;

	if (ompp_loaded_find(&file, key) || ompp_elf_open(&elf, file.path))
		return 0;
	w.address = file.offset;
	ompp_text_init(&t, name, n_bytes);
	is_found = symbol_find(&elf, SHT_SYMTAB, &w, &t) || symbol_find(&elf, SHT_DYNSYM, &w, &t);
	ompp_elf_close(&elf);
	return is_found;
}
