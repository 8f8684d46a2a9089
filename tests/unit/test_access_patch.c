/*
 * Access patch: files in memory as a linker would make them, whose hooks return 1 and whose variants return 2, in
 * machine code.
 */
#define _GNU_SOURCE
#include "tests/unit/steps.h"

#include <elf.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/access/access.h"
#include "runtime/access/access_patch.h"
#include "runtime/sources/probe.h"

#if defined(OMPP_PROBE_X86_64)
#define CODE \
	"file_hook: endbr64\n\tmov $1, %eax\n\tret\n\t.balign 16\n" \
	"file_bare: mov $1, %eax\n\tret\n\t.balign 16\n" \
	".byte 0x90\n" \
	"file_odd: mov $1, %eax\n\tret\n" /* not aligned */ \
	"file_variant: mov $2, %eax\n\tret\n" \
	"file_unmarked: mov $3, %eax\n\tret\n"
#elif defined(OMPP_PROBE_AARCH64)
#define CODE \
	"file_hook: hint #34\n\tb 1f\n" /* bti c */ \
	"file_bare: b 1f\n" \
	"1: mov w0, #1\n\tret\n" \
	"file_odd: hint #34\n\tmov w0, #1\n\tret\n" /* no branch */ \
	"file_variant: mov w0, #2\n\tret\n" \
	"file_unmarked: mov w0, #3\n\tret\n"
#endif

#ifdef CODE
__asm__("\t.pushsection .rodata\n\t.balign 16\nfile_code:\n" CODE "file_code_end:\n\t.popsection\n");
#pragma GCC visibility push(hidden) /* they are here */
extern const char file_code[], file_code_end[], file_hook[], file_bare[], file_odd[], file_variant[], file_unmarked[];
#pragma GCC visibility pop

/* The first page of a file, which nothing is executed in; the code is in the second one. */
struct head {
	ElfW(Ehdr) elf;
	ElfW(Phdr) segments[3];
	uint32_t property[8]; /* the note that linkers write where all code has marks for branch targets */
	struct ompp_access_pair pair;
	struct ompp_access_module module;
};

static char *code_of(struct head *file)
{
	return (char *)file + sysconf(_SC_PAGESIZE);
}

static int call(struct head *file, const char *function)
{
	return ((int (*)(void))(uintptr_t)(code_of(file) + (function - file_code)))();
}

enum { PROT_GUARDED = 0x10 /* PROT_BTI */, HWCAP_GUARDED = 1 << 17 /* HWCAP2_BTI */ };

static int processor_guards(void)
{
#ifdef OMPP_PROBE_AARCH64
	return (getauxval(AT_HWCAP2) & HWCAP_GUARDED) != 0;
#else
	return 0;
#endif
}

/* Loads a file with one hook, as the dynamic linker does.
 * flags: of the segment with the code
 * is_marked: the file says that all targets of its indirect branches are marked */
static struct head *load(const char *hook, ElfW(Word) flags, int is_marked)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct head *file = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *code;

	assert_true(file != MAP_FAILED);
	code = code_of(file);
	memcpy(file->elf.e_ident, ELFMAG, SELFMAG);
	file->elf.e_phoff = offsetof(struct head, segments);
	file->elf.e_phnum = OMPP_COUNT_OF(file->segments);
	file->segments[0] = (ElfW(Phdr)){ .p_type = PT_LOAD, .p_flags = PF_R, .p_memsz = page };
	file->segments[1] = (ElfW(
		Phdr)){ .p_type = PT_LOAD, .p_flags = flags, .p_offset = page, .p_vaddr = page, .p_memsz = page };
	file->segments[2] = (ElfW(Phdr)){ .p_type = 0x6474e553 /* PT_GNU_PROPERTY */,
		                          .p_vaddr = offsetof(struct head, property),
		                          .p_memsz = sizeof(file->property) };
	/* 5 is NT_GNU_PROPERTY_TYPE_0; the type of the one property is that of branch targets, its value has 4 bytes:
	 * 2 says that return addresses are signed, and 1 that targets are marked. */
	memcpy(file->property, (const uint32_t[]){ 4, 16, 5, 0, 0xc0000000, 4, is_marked ? 3 : 2, 0 },
	       sizeof(file->property));
	memcpy(&file->property[3], "GNU", 4);
	file->pair.hook = (int32_t)(code + (hook - file_code) - (char *)&file->pair.hook);
	file->pair.sampled = (int32_t)(code + (file_variant - file_code) - (char *)&file->pair.sampled);
	file->module = (struct ompp_access_module){ .start = file, .pairs = &file->pair, .end = &file->pair + 1 };
	memcpy(code, file_code, (size_t)(file_code_end - file_code));
	__builtin___clear_cache(code, code + page);
	assert_int_equal(mprotect(code, page,
	                          PROT_READ | PROT_EXEC | (is_marked && processor_guards() ? PROT_GUARDED : 0)),
	                 0);
	return file;
}

static struct head *plain(void)
{
	return load(file_hook, PF_R | PF_X, 0);
}

static void assert_results(uint32_t n_patched, uint32_t n_refused)
{
	struct ompp_access_patches results = ompp_access_patches();

	assert_int_equal(results.n_patched, n_patched);
	assert_int_equal(results.n_refused, n_refused);
	assert_int_equal(results.error, 0);
}

/* What is known before the start is patched at the start, and other files when they are met. */
static void test_patched(void **unused)
{
	struct head *early = plain(), *bare = load(file_bare, PF_R | PF_X, 0), *late = plain();

	(void)unused;
	ompp_access_meet_module(&early->module);
	ompp_access_meet_module(&bare->module);
	assert_int_equal(call(early, file_hook), 1);
	assert_int_equal(call(bare, file_bare), 1);
	ompp_access_patch_start();
	assert_int_equal(call(early, file_hook), 2);
	assert_int_equal(call(bare, file_bare), 2);
	assert_int_equal(call(late, file_hook), 1);
	ompp_access_meet_module(&late->module);
	assert_int_equal(call(late, file_hook), 2);
	assert_memory_equal(code_of(early), file_code, 4); /* where indirect calls arrive */
	assert_results(3, 0);
}

static void test_skipped(void **unused)
{
	struct head *early = plain(), *late = plain();

	(void)unused;
	ompp_access_meet_module(&early->module);
	ompp_access_patch_skip();
	ompp_access_meet_module(&late->module);
	assert_int_equal(call(early, file_hook), 1);
	assert_int_equal(call(late, file_hook), 1);
	assert_results(0, 0);
}

static void test_unloaded(void **unused)
{
	struct head *gone = plain(), *stays = plain();

	(void)unused;
	ompp_access_meet_module(&gone->module);
	ompp_access_meet_module(&stays->module);
	ompp_access_patch_unloaded((uintptr_t)gone, (uintptr_t)code_of(gone));
	ompp_access_patch_start();
	assert_int_equal(call(gone, file_hook), 1);
	assert_int_equal(call(stays, file_hook), 2);
	assert_results(1, 0);
}

/* Code that is not as compilers and linkers write it stays as it is. */
static void test_refused(void **unused)
{
	struct head *writable = load(file_hook, PF_R | PF_W | PF_X, 0), *headless = plain(), *elsewhere = plain();
	struct head *odd = load(file_odd, PF_R | PF_X, 0);

	(void)unused;
	ompp_access_patch_start();
	headless->elf.e_ident[0] = 0;
	elsewhere->segments[1].p_vaddr *= 2;
	ompp_access_meet_module(&writable->module);
	ompp_access_meet_module(&headless->module);
	ompp_access_meet_module(&elsewhere->module);
	ompp_access_meet_module(&odd->module);
	assert_int_equal(call(writable, file_hook), 1);
	assert_int_equal(call(headless, file_hook), 1);
	assert_int_equal(call(elsewhere, file_hook), 1);
	assert_memory_equal(code_of(odd), file_code, (size_t)(file_code_end - file_code));
	assert_results(0, 4);
}

/* Is the code readable and executable, and nothing else? */
static int is_code(struct head *file)
{
	char line[512], begin[32];
	FILE *maps = fopen("/proc/self/maps", "r");
	int is = 0;

	assert_non_null(maps);
	snprintf(begin, sizeof(begin), "%lx-", (unsigned long)(uintptr_t)code_of(file));
	while (fgets(line, sizeof(line), maps))
		is |= !strncmp(line, begin, strlen(begin)) && strstr(line, " r-xp ");
	fclose(maps);
	return is;
}

/* Returns what ends a process that calls code without a mark through a pointer; 0 where it comes back. */
static int unmarked_call(struct head *file)
{
	int status;
	pid_t child = fork();

	if (!child) {
		signal(SIGILL, SIG_DFL);
		_exit(call(file, file_unmarked) == 3 ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* What calls may do in a file, and what they may not, is as it was before. */
static void test_guard(void **unused)
{
	struct head *marked = load(file_hook, PF_R | PF_X, 1), *unmarked = plain();
	int guarded = processor_guards() ? SIGILL : 0;

	(void)unused;
	assert_int_equal(unmarked_call(marked), guarded);
	assert_int_equal(unmarked_call(unmarked), 0);
	ompp_access_patch_start();
	ompp_access_meet_module(&marked->module);
	ompp_access_meet_module(&unmarked->module);
	assert_results(2, 0);
	assert_int_equal(call(marked, file_hook), 2);
	assert_int_equal(call(unmarked, file_hook), 2);
	assert_true(is_code(marked) && is_code(unmarked));
	assert_int_equal(unmarked_call(marked), guarded);
	assert_int_equal(unmarked_call(unmarked), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_patched), cmocka_unit_test(test_skipped),
		                            cmocka_unit_test(test_unloaded), cmocka_unit_test(test_refused),
		                            cmocka_unit_test(test_guard) };

	return RUN_APART(tests);
}
#else
/* Without such code there are no variants (adapters/access_pair.h), and nothing is patched. */
static void test_nothing(void **unused)
{
	struct ompp_access_module module = { .start = NULL };

	(void)unused;
	ompp_access_patch_start();
	ompp_access_meet_module(&module);
	assert_int_equal(ompp_access_patches().n_patched, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing) };

	return RUN_APART(tests);
}
#endif
