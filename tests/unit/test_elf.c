/*
 * Elf: what the reader finds in this very program, and that no damage to a file makes it read outside of the file.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/program/elf.h"

char ompp_test_elf_object[1234] = "content";

static uintptr_t bias;

static int first_object(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uintptr_t *)data = info->dlpi_addr;
	return 1;
}

static void own_symbol_is_found(void **state)
{
	struct ompp_elf_symbols symbols;
	struct ompp_elf elf;
	ElfW(Sym) s;
	int n_found = 0;

	(void)state;
	dl_iterate_phdr(first_object, &bias);
	assert_int_equal(ompp_elf_open(&elf, "/proc/self/exe"), 0);
	assert_int_equal(ompp_elf_symbols(&elf, SHT_SYMTAB, &symbols), 0);
	for (size_t i = 0; i < symbols.n; i++) {
		struct ompp_elf_section section;

		if (strcmp(ompp_elf_symbol(&symbols, i, &s), "ompp_test_elf_object"))
			continue;
		n_found++;
		assert_int_equal(s.st_value + bias, (uintptr_t)ompp_test_elf_object);
		assert_int_equal(s.st_size, sizeof(ompp_test_elf_object));
		assert_int_equal(ompp_elf_section(&elf, s.st_shndx, &section), 0);
		assert_string_equal(section.name, ".data");
		assert_string_equal(section.data + (s.st_value - section.address), "content");
	}
	assert_int_equal(n_found, 1);
	ompp_elf_close(&elf);
}

static void what_is_no_elf_is_refused(void **state)
{
	struct ompp_elf elf;

	(void)state;
	assert_int_equal(ompp_elf_open(&elf, "/proc/self/no such file"), -ENOENT);
	assert_int_equal(ompp_elf_open(&elf, "/"), -ENOEXEC);
	assert_int_equal(ompp_elf_open(&elf, "/dev/null"), -ENOEXEC);
	assert_int_equal(ompp_elf_open_memory(&elf, "#!/bin/sh\n", 10), -ENOEXEC);
}

/* Asks for everything that the reader can tell, and reads each byte of the answers. */
static size_t read_all(const struct ompp_elf *elf)
{
	static const uint32_t types[] = { SHT_SYMTAB, SHT_DYNSYM };
	const unsigned char *id = NULL;
	struct ompp_elf_section section;
	struct ompp_elf_symbols symbols;
	size_t sum = 0, n, i;
	ElfW(Sym) s;

	for (i = 0; i < elf->n_sections && i < 1000; i++)
		if (!ompp_elf_section(elf, i, &section)) {
			sum += strlen(section.name);
			if (section.n_bytes)
				sum += (unsigned char)section.data[0] +
				       (unsigned char)section.data[section.n_bytes - 1];
		}
	for (n = 0; n < 2; n++)
		if (!ompp_elf_symbols(elf, types[n], &symbols))
			for (i = 0; i < symbols.n && i < 3000; i++)
				sum += strlen(ompp_elf_symbol(&symbols, i, &s));
	for (n = ompp_elf_build_id(elf, &id); n; n--)
		sum += id[n - 1];
	return sum;
}

/* The file ends at the end of a page, and no page follows, so that a read beyond it ends the test. */
static void damage_is_survived(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n, room;
	struct ompp_elf_section section;
	struct ompp_elf file, elf;
	char *block, *copy;
	int refused = 0;

	(void)state;
	srand(1);
	assert_int_equal(ompp_elf_open(&file, "/proc/self/exe"), 0);
	assert_int_equal(ompp_elf_section_named(&file, ".shstrtab", &section), 0);
	n = file.n_bytes;
	room = (n + page - 1) / page * page;
	block = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(block, MAP_FAILED);
	assert_int_equal(mprotect(block + room, page, PROT_NONE), 0);
	copy = block + room - n;
	for (int round = 0; round < 3000; round++) {
		size_t length = round % 3 ? n : (size_t)rand() % n, headers = file.sections_at;

		/* damage where it matters: in the first bytes and in the section headers */
		memcpy(copy + n - length, file.data, length);
		for (int i = 0; round && i < 1 + round % 4; i++) {
			size_t at = i % 2 ? (size_t)rand() % 64 : headers + (size_t)rand() % (64 * file.n_sections);

			if (at < length)
				copy[n - length + at] = (char)(rand() % 4 ? rand() : 0xff);
		}
		if (ompp_elf_open_memory(&elf, copy + n - length, length))
			refused++;
		else
			read_all(&elf);
		ompp_elf_close(&elf);
	}
	assert_true(refused > 0);
	munmap(block, room + page);
	ompp_elf_close(&file);
}

static void build_id_is_found(void **state)
{
	struct {
		ElfW(Ehdr) head;
		ElfW(Shdr) sections[2];
		uint32_t note[8];
	} f = { 0 };
	const unsigned char *id = NULL;
	struct ompp_elf elf;

	(void)state;
	memcpy(f.head.e_ident, ELFMAG, SELFMAG);
	f.head.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	f.head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	f.head.e_shoff = offsetof(__typeof__(f), sections);
	f.head.e_shentsize = sizeof(f.sections[0]);
	f.head.e_shnum = 2;
	f.sections[1].sh_type = SHT_NOTE;
	f.sections[1].sh_offset = offsetof(__typeof__(f), note);
	f.sections[1].sh_size = 6 * sizeof(uint32_t);
	f.note[0] = 4;
	f.note[1] = 5;
	f.note[2] = NT_GNU_BUILD_ID;
	memcpy(&f.note[3], "GNU", 4);
	memcpy(&f.note[4], "abcde", 5);
	assert_int_equal(ompp_elf_open_memory(&elf, &f, sizeof(f)), 0);
	assert_int_equal(ompp_elf_build_id(&elf, &id), 5);
	assert_memory_equal(id, "abcde", 5);
	f.note[1] = 9; /* longer than the section */
	assert_int_equal(ompp_elf_build_id(&elf, &id), 0);
	f.note[1] = f.note[0] = UINT32_MAX;
	assert_int_equal(ompp_elf_build_id(&elf, &id), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_symbol_is_found),
		cmocka_unit_test(what_is_no_elf_is_refused),
		cmocka_unit_test(damage_is_survived),
		cmocka_unit_test(build_id_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
