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

/* Returns 1 when [lo, hi) is in code that the program itself cannot write to, as code that is writable would have to
 * stay so. */
static int is_plain_code(const ElfW(Ehdr) * elf, uintptr_t lo, uintptr_t hi)
{
	const ElfW(Phdr) * segments;
	uintptr_t bias = 0;

	if (!elf || memcmp(elf->e_ident, ELFMAG, SELFMAG))
		return 0;
	segments = (const ElfW(Phdr) *)(const void *)((const char *)elf + elf->e_phoff);
	for (int i = 0; i < elf->e_phnum; i++)
		if (segments[i].p_type == PT_LOAD && !segments[i].p_offset)
			bias = (uintptr_t)elf - segments[i].p_vaddr;
	for (int i = 0; i < elf->e_phnum; i++) {
		uintptr_t start = bias + segments[i].p_vaddr;

		if (segments[i].p_type == PT_LOAD && start <= lo && hi <= start + segments[i].p_memsz)
			return segments[i].p_flags == (PF_R | PF_X);
	}
	return 0;
}

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
	int e;

	for (pair = m->pairs; pair < m->end; pair++) {
		uintptr_t hook = hook_of(pair);

		if (hook % ENTRY_ALIGN || !is_near(hook, variant_of(pair)))
			return -EINVAL;
		lo = hook < lo ? hook : lo;
		hi = hook + ENTRY_BYTES > hi ? hook + ENTRY_BYTES : hi;
	}
	if (!hi || !page || !is_plain_code(m->start, lo, hi))
		return -EINVAL;
	for (pair = m->pairs; pair < m->end; pair++)
		if (!may_patch(hook_of(pair)))
			return -EINVAL;
	lo &= ~(page - 1);
	hi = (hi + page - 1) & ~(page - 1);
	/* It stays executable, as other threads may run the code beside.  On 64-bit ARM the pages of a file that is
	 * marked for it lose their guard of branch targets (PROT_BTI): no call faults by that, and none is refused any
	 * more. */
	e = ompp_sys_mprotect((void *)lo, hi - lo, PROT_READ | PROT_WRITE | PROT_EXEC);
	if (e)
		return e;
	for (pair = m->pairs; pair < m->end; pair++)
		patch(hook_of(pair), variant_of(pair));
	return ompp_sys_mprotect((void *)lo, hi - lo, PROT_READ | PROT_EXEC);
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
