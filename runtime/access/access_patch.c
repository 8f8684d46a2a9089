/*
 * Access patch: see access_patch.h.
 */
#include "runtime/access/access_patch.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#include "runtime/access/access.h"
#include "runtime/base/auxv.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/sources/probe.h"

enum { UNDECIDED, PATCHES, SKIPS };
static int decision;

static struct ompp_access_module *waiting; /* modules loaded before it was decided whether hooks are needed */
static struct ompp_access_patches result;

struct ompp_access_patches ompp_access_patches(void)
{
	return (struct ompp_access_patches){ OMPP_LOAD(&result.n_patched), OMPP_LOAD(&result.n_refused),
		                             OMPP_LOAD(&result.error) };
}

static uintptr_t hook_of(const struct ompp_access_pair *pair)
{
	return (uintptr_t)&pair->hook + (uintptr_t)(intptr_t)pair->hook;
}

static uintptr_t variant_of(const struct ompp_access_pair *pair)
{
	return (uintptr_t)&pair->sampled + (uintptr_t)(intptr_t)pair->sampled;
}

/* The program headers of a loaded file, and what is added to the addresses in them. */
struct segments {
	const ElfW(Phdr) * headers;
	int n;
	uintptr_t bias;
};

/* Returns 0, or -EINVAL where there is no ELF header. */
static int segments_of(const ElfW(Ehdr) * elf, struct segments *s)
{
	if (!elf || memcmp(elf->e_ident, ELFMAG, SELFMAG))
		return -EINVAL;
	*s = (struct segments){ (const ElfW(Phdr) *)(const void *)((const char *)elf + elf->e_phoff), elf->e_phnum, 0 };
	for (int i = 0; i < s->n; i++)
		if (s->headers[i].p_type == PT_LOAD && !s->headers[i].p_offset)
			s->bias = (uintptr_t)elf - s->headers[i].p_vaddr;
	return 0;
}

/* Returns 1 when [lo, hi) is in code that the program itself cannot write to, as code that is writable would have to
 * stay so. */
static int is_plain_code(const struct segments *s, uintptr_t lo, uintptr_t hi)
{
	for (int i = 0; i < s->n; i++) {
		uintptr_t start = s->bias + s->headers[i].p_vaddr;

		if (s->headers[i].p_type == PT_LOAD && start <= lo && hi <= start + s->headers[i].p_memsz)
			return s->headers[i].p_flags == (PF_R | PF_X);
	}
	return 0;
}

#ifdef OMPP_PROBE_AARCH64
/* Linux, <asm/mman.h> and <asm/hwcap.h>; ELF for the Arm 64-bit Architecture. */
enum { GUARDED = 0x10 /* PROT_BTI */, HAS_GUARD = 1 << 17 /* HWCAP2_BTI */ };
#define PROPERTY_SEGMENT 0x6474e553u /* PT_GNU_PROPERTY */
#define PROPERTY_CODE    0xc0000000u /* GNU_PROPERTY_AARCH64_FEATURE_1_AND; its bit 0: branch targets are marked */

/* Does a note say that the file's code marks all targets of indirect branches?  The note's content is properties, each
 * of two words, which are its type and its length, and its value, filled up to 8 bytes. */
static int marks_targets(const uint32_t *note, size_t n_words)
{
	enum { HEAD = 4 /* the note's three words, and its owner */ };

	for (size_t at = HEAD; at + 2 < n_words; at += 2 + ((size_t)note[at + 1] + 7) / 8 * 2)
		if (note[at] == PROPERTY_CODE)
			return note[at + 2] & 1;
	return 0;
}

/* Returns how pages of a file's code are protected besides: in a file that says so the processor lets indirect branches
 * arrive at marked instructions alone, and a call of mprotect without this ends that. */
static int guard_of(const struct segments *s)
{
	if (!(ompp_auxv(AT_HWCAP2) & HAS_GUARD))
		return 0;
	for (int i = 0; i < s->n; i++)
		if (s->headers[i].p_type == PROPERTY_SEGMENT)
			return marks_targets((const uint32_t *)(s->bias + s->headers[i].p_vaddr),
			                     s->headers[i].p_memsz / sizeof(uint32_t))
			             ? GUARDED
			             : 0;
	return 0;
}
#else
static int guard_of(const struct segments *s)
{
	(void)s;
	return 0;
}
#endif

#ifdef OMPP_PROBE_X86_64
#define JUMP_REACH INT32_MAX
enum { ENTRY_BYTES = 16, ENTRY_ALIGN = 16 };

/* The bytes of a hook's entry, which are replaced at once. */
union entry {
	unsigned char bytes[ENTRY_BYTES];
	uint64_t words[2];
};

static int may_patch(uintptr_t hook)
{
	(void)hook;
	return 1;
}

/* Puts a jump at the begin of a hook, or behind the instruction at which indirect calls may arrive. */
static void patch(uintptr_t hook, uintptr_t variant)
{
	enum { JUMP_BYTES = 5 };
	static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */
	union entry was, now;
	size_t at;
	int32_t distance;

	memcpy(&was, (const void *)hook, sizeof(was));
	now = was;
	at = memcmp(was.bytes, landing, sizeof(landing)) ? 0 : sizeof(landing);
	distance = (int32_t)(variant - (hook + at + JUMP_BYTES));
	now.bytes[at] = 0xe9; /* jmp */
	memcpy(now.bytes + at + 1, &distance, sizeof(distance));
	__asm__ volatile("lock cmpxchg16b %0"
	                 : "+m"(*(union entry *)hook), "+a"(was.words[0]), "+d"(was.words[1])
	                 : "b"(now.words[0]), "c"(now.words[1])
	                 : "cc", "memory");
}
#elif defined(OMPP_PROBE_AARCH64)
#define JUMP_REACH ((intptr_t)1 << 27)
enum { ENTRY_BYTES = 8, ENTRY_ALIGN = 4 };

enum { IS_BRANCH = 0x14000000, BRANCH_INSTRUCTIONS = 0x3ffffff };

/* Returns the branch of a hook, which may be behind the instruction at which indirect calls arrive. */
static uint32_t *branch_of(uintptr_t hook)
{
	static const uint32_t landing = 0xd503245f; /* bti c */
	uint32_t *at = (uint32_t *)hook;

	return at + (*at == landing);
}

/* Other threads may execute a branch while another one takes its place (adapters/access_pair.h). */
static int may_patch(uintptr_t hook)
{
	return (*branch_of(hook) & ~(uint32_t)BRANCH_INSTRUCTIONS) == IS_BRANCH;
}

static void patch(uintptr_t hook, uintptr_t variant)
{
	uint32_t *at = branch_of(hook);

	OMPP_STORE(at, IS_BRANCH | ((uint32_t)((variant - (uintptr_t)at) / sizeof(*at)) & BRANCH_INSTRUCTIONS));
	/* what fetches instructions does not see stores by itself */
	__asm__ volatile("dc cvau, %0\n\tdsb ish\n\tic ivau, %0\n\tdsb ish\n\tisb" : : "r"(at) : "memory");
}
#else /* samples are not to be had (sources/probe.c), so that nothing is patched */
#define JUMP_REACH 0
enum { ENTRY_BYTES = 1, ENTRY_ALIGN = 1 };

static int may_patch(uintptr_t hook)
{
	(void)hook;
	return 0;
}

static void patch(uintptr_t hook, uintptr_t variant)
{
	(void)hook;
	(void)variant;
}
#endif

/* Does a jump in the entry of a hook reach so far? */
static int is_near(uintptr_t hook, uintptr_t variant)
{
	intptr_t distance = (intptr_t)(variant - hook);

	return distance < JUMP_REACH - ENTRY_BYTES && distance > ENTRY_BYTES - JUMP_REACH;
}

/* Returns 0, -errno, or -EINVAL when the code is not what the compiler writes. */
static int patch_all(const struct ompp_access_module *m)
{
	uintptr_t page = (uintptr_t)ompp_auxv(AT_PAGESZ), lo = UINTPTR_MAX, hi = 0;
	const struct ompp_access_pair *pair;
	struct segments segments;
	int e, code;

	for (pair = m->pairs; pair < m->end; pair++) {
		uintptr_t hook = hook_of(pair);

		if (hook % ENTRY_ALIGN || !is_near(hook, variant_of(pair)))
			return -EINVAL;
		lo = hook < lo ? hook : lo;
		hi = hook + ENTRY_BYTES > hi ? hook + ENTRY_BYTES : hi;
	}
	if (!hi || !page || segments_of(m->start, &segments) || !is_plain_code(&segments, lo, hi))
		return -EINVAL;
	for (pair = m->pairs; pair < m->end; pair++)
		if (!may_patch(hook_of(pair)))
			return -EINVAL;
	lo &= ~(page - 1);
	hi = (hi + page - 1) & ~(page - 1);
	code = PROT_READ | PROT_EXEC | guard_of(&segments);
	/* It stays executable, as other threads may run the code beside. */
	e = ompp_sys_mprotect((void *)lo, hi - lo, code | PROT_WRITE);
	if (e)
		return e;
	for (pair = m->pairs; pair < m->end; pair++)
		patch(hook_of(pair), variant_of(pair));
	return ompp_sys_mprotect((void *)lo, hi - lo, code);
}

static void patch_module(const struct ompp_access_module *m)
{
	int e = patch_all(m);

	if (!e) {
		__atomic_fetch_add(&result.n_patched, 1, __ATOMIC_RELAXED);
		return;
	}
	OMPP_STORE(&result.error, e == -EINVAL ? 0 : -e);
	__atomic_fetch_add(&result.n_refused, 1, __ATOMIC_RELAXED);
}

void ompp_access_meet_module(struct ompp_access_module *module)
{
	module->is_known = 1;
	if (__atomic_load_n(&decision, __ATOMIC_ACQUIRE) == PATCHES) {
		patch_module(module);
	} else if (OMPP_LOAD(&decision) == UNDECIDED) {
		module->next = waiting;
		waiting = module;
	}
}

void ompp_access_patch_start(void)
{
	for (const struct ompp_access_module *m = waiting; m; m = m->next)
		patch_module(m);
	waiting = NULL;
	__atomic_store_n(&decision, PATCHES, __ATOMIC_RELEASE);
}

void ompp_access_patch_skip(void)
{
	waiting = NULL;
	__atomic_store_n(&decision, SKIPS, __ATOMIC_RELEASE);
}

void ompp_access_patch_unloaded(uintptr_t lo, uintptr_t hi)
{
	for (struct ompp_access_module **m = &waiting; *m;)
		if ((uintptr_t)*m - lo < hi - lo)
			*m = (*m)->next;
		else
			m = &(*m)->next;
}
