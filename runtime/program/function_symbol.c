/*
 * Function symbol: see function_symbol.h.
 */
#include "runtime/program/function_symbol.h"

#include <elf.h>

#include "runtime/base/text.h"
#include "runtime/host/loaded.h"
#include "runtime/host/past.h"
#include "runtime/program/elf.h"

static int symbol_at(const struct ompp_elf *elf, uint32_t type, uintptr_t address, struct ompp_text *name)
{
	struct ompp_elf_symbols symbols;
	ElfW(Sym) symbol;

	if (ompp_elf_symbols(elf, type, &symbols))
		return 0;
	for (size_t i = 0; i < symbols.n; i++) {
		const char *text = ompp_elf_symbol(&symbols, i, &symbol);

		if (symbol.st_value == address && (symbol.st_info & 15) == STT_FUNC && text[0]) {
			ompp_text_str(name, text);
			return 1;
		}
	}
	return 0;
}

int ompp_function_symbol(uintptr_t key, char *name, size_t n_bytes)
{
	struct ompp_loaded file;
	struct ompp_elf elf;
	struct ompp_text t;
	int is_found;

	if (ompp_loaded_find(&file, key) || ompp_elf_open(&elf, file.path))
		return 0;
	ompp_text_init(&t, name, n_bytes);
	is_found = symbol_at(&elf, SHT_SYMTAB, ompp_past_address(key) - file.bias, &t) ||
	           symbol_at(&elf, SHT_DYNSYM, ompp_past_address(key) - file.bias, &t);
	ompp_elf_close(&elf);
	return is_found;
}
