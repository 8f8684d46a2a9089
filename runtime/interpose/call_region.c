/*
 * Call region: see call_region.h.
 */
#include "runtime/interpose/call_region.h"

#include <elf.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/text.h"
#include "runtime/core/thread.h"
#include "runtime/host/loaded.h"
#include "runtime/host/note.h"
#include "runtime/host/past.h"
#include "runtime/host/redirect.h"
#include "runtime/host/stack.h"
#include "runtime/memory/heap.h"
#include "runtime/program/callstack.h"
#include "runtime/program/elf.h"
#include "runtime/program/templates.h"
#include "runtime/session/addresses.h"
#include "runtime/session/register.h"

enum {
	N_ADDRESSES = 16384,
	NAME_BYTES = 512,
	MOST_CALLERS = 32,
	CONSTRUCT_SHIFT = 50, /* above the addresses of programs, below the number in a key (host/past.h) */
	LAST_SHIFT = OMPP_PAST_NUMBER_SHIFT - 1
};
_Static_assert(OMPP_N_CONSTRUCTS <= 1 << (LAST_SHIFT - CONSTRUCT_SHIFT), "constructs in a word");

/* The regions, by the key of the address and the construct. */
static struct ompp_addresses regions = { .n = N_ADDRESSES };
static struct ompp_region_def nothing = { .off = 1 };

/* Stands for calls in which threads wait, in functions of the C++ library's headers that were not inlined: their place
 * is that of the caller outside of them. */
static struct ompp_region_def inner = { .off = 1 };

/* What ompp_stack_call() passes on: what the call says, and the region that it gets. */
struct definition {
	enum ompp_construct construct;
	const void *lock;
	uintptr_t address, key;
	uint32_t is_told;
	int is_last; /* it is no `inner` */
	struct ompp_region_def *def;
};

/* Finds the name of a critical section in one of a file's tables: GCC's symbol is .gomp_critical_user_NAME. */
static int critical_name(const struct ompp_elf *elf, uint32_t type, uintptr_t address, char name[NAME_BYTES])
{
	static const char sign[] = "gomp_critical_user_";
	struct ompp_elf_symbols symbols;
	ElfW(Sym) symbol;

	if (ompp_elf_symbols(elf, type, &symbols))
		return 0;
	for (size_t i = 0; i < symbols.n; i++) {
		const char *text = ompp_elf_symbol(&symbols, i, &symbol);
		const char *own = symbol.st_value == address ? strstr(text, sign) : NULL;

		if (own) {
			struct ompp_text to;

			ompp_text_init(&to, name, NAME_BYTES);
			ompp_text_str(&to, own + sizeof(sign) - 1);
			return 1;
		}
	}
	return 0;
}

static void call_name(const void *lock, char name[NAME_BYTES])
{
	struct ompp_loaded file;
	struct ompp_elf elf;

	if (ompp_loaded_find(&file, (uintptr_t)lock) || ompp_elf_open(&elf, file.path))
		return;
	if (!critical_name(&elf, SHT_SYMTAB, (uintptr_t)lock - file.bias, name))
		critical_name(&elf, SHT_DYNSYM, (uintptr_t)lock - file.bias, name);
	ompp_elf_close(&elf);
}

/* Says by which means the construct is measured. */
static void call_say(enum ompp_construct construct, uint32_t is_told)
{
	static const char told[] =
		"files that kinst did not build: their constructs are known by what LLVM's OpenMP library tells; not "
		"seen: combined constructs (each is its parts), names of critical sections, each of the sections, "
		"taskyield, target, atomics of the processor";
	static const char openmp[] =
		"files that kinst did not build: their constructs are known by the calls that GCC has them "
		"make; not seen: loops with a static schedule (but their barriers), masked, master, "
		"atomics, flush, and where a single ends";
	static const char threads[] =
		"files that kinst did not build: their threads, and where these wait for each other, are known by "
		"the calls of the C library; not seen: waiting by other means (spinning, futexes, pipes)";

	if (is_told)
		ompp_note_say_once(told, sizeof(told) - 1);
	else if (construct == OMPP_THREAD || ompp_construct_is_wait(construct))
		ompp_note_say_once(threads, sizeof(threads) - 1);
	else
		ompp_note_say_once(openmp, sizeof(openmp) - 1);
}

static void call_define(void *arg)
{
	static const char not_told[] = "place not told";
	struct definition *d = arg;
	char name[NAME_BYTES] = "";

	if (d->is_told && ompp_redirect_is_built(d->address))
		return; /* its own calls of libompp say what it does */
	if (!d->is_last && ompp_construct_is_wait(d->construct) && ompp_templates_hold(d->address - 1)) {
		d->def = &inner;
		return;
	}
	call_say(d->construct, d->is_told);
	ompp_past_meet(d->address); /* it may be unloaded before the report asks where it was */
	if (d->lock)
		call_name(d->lock, name);
	else if (!d->address)
		memcpy(name, not_told, sizeof(not_told));
	d->def = ompp_register_call(d->construct, name, d->key);
	if (d->def)
		OMPP_STORE(&d->def->is_told, d->is_told);
}

/* Returns the key of the address.  Where a function calls another one at its very end, that returns to the function's
 * own caller: in the body of a parallel region, to us.  The place is that of the region then. */
static __attribute__((noinline, cold)) uintptr_t own_key(uintptr_t address)
{
	const struct ompp_thread *t = ompp_self;
	struct ompp_region_def *def;

	for (const struct ompp_frame *f = t->top; t->limit && f > t->frames; f--) {
		def = ompp_region_by_id(OMPP_KEY_ID(f->key));
		if (def && ompp_region_is_code(def))
			return def->address;
	}
	return ompp_past_key(address);
}

static inline uintptr_t call_key(uintptr_t address)
{
	return __builtin_expect(ompp_loaded_is_own(address), 0) ? own_key(address) : ompp_past_key(address);
}

/* Defines the region of a call that is met for the first time, and puts it where it is looked for. */
static __attribute__((noinline, cold)) struct ompp_region_def *call_new(ompp_address_region *place,
                                                                        struct definition *d)
{
	struct ompp_region_def *def;

	ompp_stack_call(call_define, d);
	def = d->def ? d->def : &nothing;
	atomic_store_explicit(place, def, memory_order_release);
	return def;
}

/* is_last: 1 for the caller outside of the C++ library's headers, which is the place whatever it is */
static inline struct ompp_region_def *region_of(enum ompp_construct construct, const void *lock, uintptr_t address,
                                                uint32_t is_told, int is_last)
{
	uintptr_t key = call_key(address);
	uintptr_t word = key ^ (uintptr_t)construct << CONSTRUCT_SHIFT ^ (uintptr_t)is_last << LAST_SHIFT;
	ompp_address_region *place = ompp_addresses_place(&regions, word);
	struct ompp_region_def *def;

	if (__builtin_expect(!place, 0)) {
		ompp_note_add(OMPP_NOTE_LOST_REGION, 1);
		return &nothing;
	}
	def = atomic_load_explicit(place, memory_order_acquire);
	if (__builtin_expect(!def, 0))
		def = call_new(place, &(struct definition){ construct, lock, address, key, is_told, is_last, NULL });
	return def;
}

/* Returns the innermost call outside of the C++ library's headers that leads to this one, which the thread is in; the
 * call itself when that is not known. */
static __attribute__((noinline, cold)) uintptr_t outer_call(uintptr_t address)
{
	uintptr_t callers[MOST_CALLERS], stack_hi = ompp_heap_stack();
	size_t n = stack_hi ? ompp_callstack_here(stack_hi, callers, MOST_CALLERS) : 0, i = 0;

	while (i < n && callers[i] != address)
		i++;
	while (i < n && ompp_templates_hold(callers[i] - 1))
		i++;
	return i < n ? callers[i] : address;
}

struct ompp_region_def *ompp_call_region(enum ompp_construct construct, const void *lock, uintptr_t address)
{
	struct ompp_region_def *def = region_of(construct, lock, address, 0, 0);

	return __builtin_expect(def == &inner, 0) ? region_of(construct, lock, outer_call(address), 0, 1) : def;
}

struct ompp_region_def *ompp_call_told(enum ompp_construct construct, uintptr_t address)
{
	return region_of(construct, NULL, address, 1, 0);
}

struct ompp_region_def *ompp_call_open(enum ompp_construct kind, enum ompp_construct or_kind, uintptr_t *stack)
{
	const struct ompp_thread *t = ompp_self;

	if (!t->limit)
		return NULL;
	for (const struct ompp_frame *f = t->top; f > t->base; f--) {
		enum ompp_part part = OMPP_KEY_PART(f->key);
		struct ompp_region_def *def = part == OMPP_PART_REGION || part == OMPP_PART_WORK
		                                    ? ompp_region_by_id(OMPP_KEY_ID(f->key))
		                                    : NULL;

		if (def && (def->construct == kind || def->construct == or_kind)) {
			if (stack)
				*stack = f->stack;
			return def;
		}
	}
	return NULL;
}
