/*
 * Machine: see machine.h.
 */
#include "opari/command/machine.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opari/base/folders.h"
#include "opari/base/kinst_text.h"
#include "runtime/base/array.h"

/* What names of machines begin with, and their numbers in ELF files. */
static const struct {
	const char *begin;
	int machine;
} machines[] = {
	{ "arm64", EM_AARCH64 }, { "x86_64", EM_X86_64 }, { "aarch64", EM_AARCH64 },
	{ "arm", EM_ARM },       { "i386", EM_386 },      { "i486", EM_386 },
	{ "i586", EM_386 },      { "i686", EM_386 },      { "powerpc64", EM_PPC64 },
	{ "ppc64", EM_PPC64 },   { "riscv", EM_RISCV },   { "s390", EM_S390 },
	{ "mips", EM_MIPS },     { "sparc", EM_SPARCV9 }, { "loongarch", 258 /* EM_LOONGARCH */ },
};

/* Returns the number of a machine; EM_NONE when it is not known. */
static int machine_number(const char *name)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(machines); i++)
		if (kinst_begins(name, machines[i].begin))
			return machines[i].machine;
	return EM_NONE;
}

/* Returns the machine of an ELF file, or of the first one in an archive; EM_NONE when there is none.  The file may be
 * of a machine whose bytes are in another order than this one's. */
static int machine_of_file(const char *path)
{
	char bytes[64 * 1024];
	int fd = open(path, O_RDONLY | O_CLOEXEC), machine = EM_NONE;
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	const char *elf = n > 0 ? memmem(bytes, (size_t)n, ELFMAG, SELFMAG) : NULL;

	if (elf && bytes + n - elf >= (ssize_t)sizeof(Elf32_Ehdr)) {
		/* the machine is at the same place in files of 64 bits */
		const unsigned char *number = (const unsigned char *)elf + offsetof(Elf32_Ehdr, e_machine);

		machine = elf[EI_DATA] == ELFDATA2MSB ? number[0] << 8 | number[1] : number[1] << 8 | number[0];
	}
	if (fd >= 0)
		close(fd);
	return machine;
}

static int machine_of_library(const char *folder)
{
	static const char *const names[] = { "libompp.so", "libompp.a" };
	int machine = EM_NONE;

	for (size_t i = 0; i < OMPP_COUNT_OF(names) && machine == EM_NONE; i++) {
		char *path = kinst_format("%s/%s", folder, names[i]);

		machine = machine_of_file(path);
		free(path);
	}
	return machine;
}

/* Returns the machine that the command asks for; "" when that is not known. */
static const char *machine_asked(const struct kinst_compiler *compiler, const struct kinst_command *command)
{
	const char *name = compiler->target ? compiler->target : "";

	for (size_t i = 0; i < command->n_words; i++) {
		const char *word = command->words[i].text;

		if (kinst_begins(word, "--target="))
			name = word + strlen("--target=");
		else if ((!strcmp(word, "-target") || !strcmp(word, "--target")) && i + 1 < command->n_words)
			name = command->words[i + 1].text;
		else if (!strcmp(word, "-m32") && machine_number(name) == EM_X86_64)
			name = "i386";
	}
	return name;
}

/* Returns 1 when a name, as in "x86_64-w64-mingw32", has another system than Linux. */
static int is_other_system(const char *name)
{
	return strchr(name, '-') && !strstr(name, "linux");
}

char *kinst_machine_other(const struct kinst_compiler *compiler, const struct kinst_command *command,
                          const char *library)
{
	const char *name = machine_asked(compiler, command);
	int asked = machine_number(name), have = machine_of_library(library);

	if (asked == EM_NONE || have == EM_NONE || (asked == have && !is_other_system(name)))
		return NULL;
	return kinst_strdup(name);
}

char *kinst_machine_folder(const char *name)
{
	const char *vendor = strchr(name, '-'), *system = vendor ? strchr(vendor + 1, '-') : NULL;

	if (!system || !strchr(system + 1, '-'))
		return kinst_strdup(name);
	return kinst_format("%.*s%s", (int)(vendor - name), name, system);
}

/* Returns the folder of this name beside another one, without "..": the program keeps it, and on its machine the other
 * one may not be there.  The caller frees it. */
static char *folder_beside(const char *folder, const char *name)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	while (n && folder[n - 1] != '/')
		n--;
	return kinst_format("%.*s%s", (int)n, folder, name);
}

char *kinst_machine_library(const struct kinst_compiler *compiler, const struct kinst_command *command)
{
	char *library = kinst_folders_library(), *name = kinst_machine_other(compiler, command, library), *folder;
	char *places[2];

	if (!name)
		return library;
	folder = kinst_machine_folder(name);
	places[0] = kinst_format("%s/%s", library, folder);
	places[1] = folder_beside(library, folder);
	for (size_t i = 0; i < OMPP_COUNT_OF(places); i++) {
		char *other = kinst_machine_other(compiler, command, places[i]);

		if (!other && machine_of_library(places[i]) != EM_NONE) {
			free(library);
			library = kinst_strdup(places[i]);
			break;
		}
		free(other);
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(places); i++)
		free(places[i]);
	free(folder);
	free(name);
	return library;
}

int kinst_machine_is_this(const struct kinst_compiler *compiler)
{
	int of_compiler = compiler->target ? machine_number(compiler->target) : EM_NONE;
	int this = machine_of_file("/proc/self/exe");

	return of_compiler == EM_NONE || this == EM_NONE || of_compiler == this;
}
