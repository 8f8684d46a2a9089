/*
 * Emulator: a plug-in of QEMU's user mode, which counts each load and store of a program that was built without hooks,
 * and of its libraries.
 *
 * QEMU calls it for each access, in the thread that makes it.  It counts as hooks do (data/tally.h), in the tallies of
 * the library in the program, whose memory it shares.  What a hook would hand to the library waits (backlog.h) until
 * the library takes it, at the thread's next event (access/emulated.h).  The library's own code is not looked at.  For
 * static programs the library is inside of the plug-in (inside.h), and takes at once what waits.
 *
 * Arguments: library=FILE, the library's file, unless it is inside; work=on where operations on numbers are to be
 * counted, too (block_work.h); and order=on where all accesses are to be handed over in their order (ordered.h).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/data/emulation.h"
#include "runtime/data/object.h"
#include "runtime/data/segment.h"
#include "runtime/emulator/backlog.h"
#include "runtime/emulator/block_work.h"
#include "runtime/emulator/inside.h"
#include "runtime/emulator/living.h"
#include "runtime/emulator/moving_call.h"
#include "runtime/emulator/operations.h"
#include "runtime/emulator/ordered.h"
#include "runtime/emulator/own_code.h"
#include "runtime/emulator/qemu.h"
#include "runtime/emulator/vector_width.h"

/* QEMU reads it. */
QEMU_EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = 1;
QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

enum { WIDTH = 63, ACCESSED = 64, LOCKED = 4096 };
enum { PART_BYTES = 8, PART_SIZE = 3, PAIR_BYTES = 16, PAIR_SIZE = 4 };
enum { N_NAMELESS = OMPP_WAYS, MOST_ASKED = 4096, N_TOLD = 1 << 18, KNOWN = 128, CALL_BYTES = 2 };

/* A wide access of which QEMU has told parts. */
struct wide {
	uintptr_t next;      /* where the next part begins */
	unsigned int n_left; /* bytes */
};

/* A thread of the program; QEMU gives it a number, and the number of one that has ended to another. */
struct cpu {
	struct ompp_access_own *own; /* NULL until it is started */
	struct ompp_emulated_thread *thread;
	struct {
		uintptr_t page;
		const ompp_page *entry; /* of the table of pages: while it is 0, nothing in the page has a name */
	} nameless[N_NAMELESS];         /* pages without a name that it used recently */
	struct ompp_backlog backlog;
	struct ompp_ordered ordered;
	int is_begun;      /* a library inside of the plug-in knows of it */
	uintptr_t calling; /* behind the instruction by which the program makes a system call; 0 for the library */
	struct ompp_moved *moves; /* what the call that it makes adds to, or NULL */
} __attribute__((aligned(64)));

/* A thread that is not started has a tally in which nothing matches. */
static struct ompp_tally no_tally;
static struct ompp_access_own no_own = { .tally = &no_tally };

/* The calling thread's, which nearly all accesses need: its `own`, and its wide accesses, of the load and of the store.
 */
static __thread struct {
	struct ompp_access_own *own;
	struct wide wide[2];
} here __attribute__((tls_model("initial-exec"))) = { .own = &no_own };

const struct ompp_inside *ompp_inside;

static struct cpu *cpus[OMPP_MOST_CPUS];
static struct ompp_emulation *emulation;  /* the library's; NULL until it asks for counts */
static struct ompp_uncounted unmet, late; /* of threads that have ended */
static struct ompp_moved filled, drained; /* by the system calls of all threads */

static int counts_work; /* by the plug-in's arguments */
static int is_ordered;  /* by the plug-in's arguments, if the library's code can be called */

/* ---- counting ---- */

/* Does the thread run the C library's allocator, which accesses words of its own in the grains of small blocks? */
static inline int is_allocating(const struct cpu *c)
{
	return c->thread && OMPP_LOAD(c->thread->is_allocating);
}

/* Returns the row of an access in a page with small blocks, by its grains; 0 as below. */
static uint32_t row_by_grain(const struct cpu *c, uintptr_t address, uint32_t other)
{
	return is_allocating(c) ? other : ompp_grain_row(ompp_grains_of(address), address, other);
}

/* Returns the row of an access in a segment; 0 when the library has to find it. */
static uint32_t row_in(const struct cpu *c, const struct ompp_segment *s, uintptr_t address, size_t n_bytes)
{
	uintptr_t lo, end;

	if (!(s->row & OMPP_ROW_FLAGS))
		return ompp_segment_has(s, address, n_bytes) ? s->row : 0;
	lo = OMPP_LOAD(&s->lo);
	end = OMPP_LOAD(&s->hi);
	if (!(s->row & OMPP_ROW_BLOCKS) || address - lo >= end - lo || end - address < n_bytes)
		return 0;
	return row_by_grain(c, address, s->row & ~(uint32_t)OMPP_ROW_FLAGS);
}

/* Returns the entry of the table of pages that says that nothing has a name around an address; NULL without one. */
static const ompp_page *nameless_entry(uintptr_t address)
{
	size_t i = address >> (OMPP_PAGE_BITS + 2 * OMPP_BRANCH_BITS);
	const ompp_page *entry = i < (size_t)1 << OMPP_ROOT_BITS && ompp_access_root ? &ompp_access_root[i] : NULL;
	uintptr_t value;

	for (int shift = OMPP_PAGE_BITS + OMPP_BRANCH_BITS; entry; shift -= OMPP_BRANCH_BITS) {
		value = __atomic_load_n((const uintptr_t *)(const void *)entry, __ATOMIC_ACQUIRE);
		if (!value)
			return entry;
		if (value & 1 || shift < OMPP_PAGE_BITS)
			return NULL;
		entry = &((const struct ompp_branch *)value)->now[address >> shift & (OMPP_N_BRANCHES - 1)];
	}
	return NULL;
}

/* Returns 1 when the page was not among those that are remembered. */
static int note_nameless(struct cpu *c, uintptr_t address)
{
	size_t way = ompp_way(address);
	int is_new = c->nameless[way].page != address >> OMPP_PAGE_BITS;

	c->nameless[way].entry = nameless_entry(address);
	c->nameless[way].page = address >> OMPP_PAGE_BITS;
	return is_new;
}

/* Is an access known to be in a page in which nothing has a name, not even small blocks? */
static int is_nameless(const struct cpu *c, uintptr_t address, size_t n_bytes)
{
	size_t way = ompp_way(address);
	const ompp_page *entry = c->nameless[way].entry;

	return entry && c->nameless[way].page == address >> OMPP_PAGE_BITS &&
	       !__atomic_load_n((const uintptr_t *)(const void *)entry, __ATOMIC_ACQUIRE) &&
	       (address & ((1 << OMPP_PAGE_BITS) - 1)) + n_bytes <= 1 << OMPP_PAGE_BITS &&
	       !__atomic_load_n(emulation->grains, __ATOMIC_ACQUIRE);
}

/* Returns the row of an access by the table of pages, or 0.
 * *segment: the segment that a way may lead to, or NULL */
static uint32_t row_of(const struct cpu *c, uintptr_t address, size_t n_bytes, const struct ompp_segment **segment)
{
	const struct ompp_list *list;
	unsigned int offset = (unsigned int)(address & ((1 << OMPP_PAGE_BITS) - 1));
	uintptr_t page;
	uint32_t n;

	ompp_access_root = __atomic_load_n(emulation->root, __ATOMIC_ACQUIRE);
	ompp_access_grains = __atomic_load_n(emulation->grains, __ATOMIC_ACQUIRE);
	page = ompp_page_of(address);
	*segment = NULL;
	if (!page) {
		if (offset + n_bytes > 1 << OMPP_PAGE_BITS)
			return 0;
		return row_by_grain(c, address, emulation->other_row);
	}
	if (!(page & 1)) {
		*segment = (const struct ompp_segment *)page;
		return row_in(c, *segment, address, n_bytes);
	}
	list = (const struct ompp_list *)(page & ~(uintptr_t)OMPP_PAGE_TAGS);
	n = __atomic_load_n(&list->n, __ATOMIC_ACQUIRE);
	while (n > 1 && OMPP_LOAD(&list->entry[n - 1].start) > offset)
		n--;
	*segment = n ? OMPP_LOAD(&list->entry[n - 1].segment) : NULL;
	return n ? row_in(c, *segment, address, n_bytes) : 0;
}

static inline void count_in(struct ompp_tally *tally, uint32_t row, uintptr_t address, uint32_t n_bytes, uint32_t size,
                            uint32_t slot)
{
	if (size < OMPP_SIZES)
		ompp_tally_count(tally, row, address, size, slot);
	else
		ompp_tally_count_block(tally, row, address, n_bytes, slot);
}

static __attribute__((noinline)) void count_far(struct cpu *c, struct ompp_tally *tally, uintptr_t address,
                                                uint32_t n_bytes, uint32_t size, uint32_t slot)
{
	const struct ompp_segment *s = NULL;
	uint32_t row = tally ? row_of(c, address, n_bytes, &s) : 0;

	/* the library gives the page a segment of its own, which then is the way to its row, at the next event */
	if (row == emulation->other_row && !s && note_nameless(c, address) && c->backlog.n < MOST_ASKED)
		ompp_backlog_ask(&c->backlog, address);
	if (row && row < tally->row_end) {
		count_in(tally, row, address, n_bytes, size, slot);
		if (s && (s->row == row || s->row & OMPP_ROW_PAGE))
			tally->way[ompp_way(address)] = s;
	} else {
		ompp_backlog_add(&c->backlog, row, address, n_bytes, size, slot);
	}
	if (c->thread)
		c->thread->n_waiting = c->backlog.n;
	if (c->thread && ompp_inside)
		ompp_inside->settle();
}

/* ---- in order ---- */

/* Returns the cover of an access, or OMPP_EMULATED_UNKNOWN. */
static uint32_t cover_of(struct cpu *c, uintptr_t address, size_t n_bytes)
{
	const struct ompp_segment **way = &c->ordered.way[ompp_way(address)], *s = *way;
	uint32_t row;

	if (s && ompp_segment_has(s, address, n_bytes))
		return s->cover;
	if (is_nameless(c, address, n_bytes))
		return OMPP_OBJECT_OTHER;
	row = row_of(c, address, n_bytes, &s);
	if (!row)
		return OMPP_EMULATED_UNKNOWN;
	if (row == emulation->other_row && !s)
		note_nameless(c, address);
	if (s && s->row == row) {
		*way = s;
		return s->cover;
	}
	ompp_row_bytes = *emulation->row_bytes;
	return ompp_row_cover(row);
}

/* Hands over what waits of a thread; without one that has started, or without the library, it goes on waiting. */
static void hand_over(struct cpu *c)
{
	if (emulation)
		ompp_ordered_hand_over(&c->ordered, c->thread, emulation->take);
}

/* Tells the search for shared lines of a store, which needs it at once: between others' stores to the line, too. */
static void look_at_line(struct cpu *c, uintptr_t address, size_t n_bytes, uint32_t cover)
{
	const struct ompp_tally *tally = OMPP_LOAD(&c->own->tally);

	if (cover == OMPP_EMULATED_UNKNOWN || cover >= tally->n_rows) {
		hand_over(c); /* it gets a name, and its row */
		cover = cover_of(c, address, n_bytes);
		tally = OMPP_LOAD(&c->own->tally);
	}
	if (cover != OMPP_EMULATED_UNKNOWN && cover >= OMPP_OBJECT_FIRST_NAMED && cover < tally->n_rows &&
	    c->thread->sharing->is_made)
		ompp_sharing_store(c->thread->sharing, tally, cover, address, n_bytes);
}

static void put_in_order(struct cpu *c, uintptr_t address, uint32_t n_bytes, uint32_t size, uint32_t slot)
{
	uint32_t cover = cover_of(c, address, n_bytes);

	if (c->thread && c->ordered.n >= OMPP_ORDERED_PIECE)
		hand_over(c);
	ompp_ordered_put(&c->ordered, (struct ompp_emulated_access){ address, cover, (uint8_t)n_bytes, (uint8_t)slot,
	                                                             (uint8_t)size });
	if (!c->thread)
		return;
	c->thread->n_waiting = c->ordered.n;
	if (emulation->searches_lines && slot != OMPP_SLOT_LOAD && slot != OMPP_SLOT_BLOCK_LOAD &&
	    cover >= OMPP_OBJECT_FIRST_NAMED)
		look_at_line(c, address, n_bytes, cover);
}

/* ---- any access ---- */

/* Counts an access.
 * size: its class; OMPP_SIZES for a block */
static inline void count(struct cpu *c, uintptr_t address, uint32_t n_bytes, uint32_t size, uint32_t slot)
{
	struct ompp_tally *tally;
	const struct ompp_segment *s;

	if (is_ordered) {
		put_in_order(c, address, n_bytes, size, slot);
		return;
	}
	tally = c->own ? OMPP_LOAD(&c->own->tally) : NULL;
	s = tally ? tally->way[ompp_way(address)] : NULL;
	if (s && (size < OMPP_SIZES ? ompp_segment_holds(s, address, size) : ompp_segment_has(s, address, n_bytes))) {
		count_in(tally, s->row, address, n_bytes, size, slot);
		return;
	}
	if (s && s->row & OMPP_ROW_PAGE && address - OMPP_LOAD(&s->lo) <= (1u << OMPP_PAGE_BITS) - n_bytes) {
		const struct ompp_grain_segment *own = (const struct ompp_grain_segment *)(const void *)s;
		uint32_t word = OMPP_LOAD(&OMPP_LOAD(&own->grains)[address >> OMPP_GRAIN_BITS & (OMPP_GRAINS - 1)]);
		uint32_t row = is_allocating(c) ? emulation->other_row : word & ~(uint32_t)OMPP_GRAIN_FLAGS;

		if (row && row < tally->row_end) {
			count_in(tally, row, address, n_bytes, size, slot);
			return;
		}
	}
	if (tally && emulation->other_row < tally->row_end && is_nameless(c, address, n_bytes)) {
		count_in(tally, emulation->other_row, address, n_bytes, size, slot);
		return;
	}
	count_far(c, tally, address, n_bytes, size, slot);
}

/* Counts an access as QEMU tells it: a part of 8 bytes of a wide one may go on with the part before.
 * how: bytes that QEMU accesses in parts, or 0; ACCESSED times those that the processor does, or 0; LOCKED */
static inline void count_part(struct cpu *c, uintptr_t address, unsigned int size, unsigned int how, int is_store)
{
	uint32_t n_bytes = 1u << size;

	if (__builtin_expect(how != 0, 0)) {
		unsigned int width = how & WIDTH, accessed = how / ACCESSED & WIDTH;

		if (width > n_bytes && size == PART_SIZE) {
			if (here.wide[is_store].n_left && here.wide[is_store].next == address) {
				here.wide[is_store].n_left -= PART_BYTES;
				here.wide[is_store].next += PART_BYTES;
				return;
			}
			here.wide[is_store].n_left = width - PART_BYTES;
			here.wide[is_store].next = address + PART_BYTES;
			n_bytes = accessed ? accessed : width;
			size = n_bytes > 16 ? OMPP_SIZES : (unsigned int)__builtin_ctz(n_bytes);
		}
		if (how & LOCKED) {
			if (is_store)
				count(c, address, n_bytes, OMPP_SIZES, OMPP_SLOT_ATOMIC);
			return;
		}
	}
	if (size < OMPP_SIZES)
		count(c, address, n_bytes, size, is_store ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD);
	else
		count(c, address, n_bytes, OMPP_SIZES, is_store ? OMPP_SLOT_BLOCK_STORE : OMPP_SLOT_BLOCK_LOAD);
}

/* What QEMU said of accesses, by the word that it hands over: the class of the size, and above it the slot and KNOWN; 0
 * where it has not been asked.  Asking it each time costs as much as counting. */
static uint16_t told[N_TOLD];

/* Returns it; 0 where QEMU has to be asked. */
static inline uint32_t what_is(qemu_plugin_meminfo_t info)
{
	return __builtin_expect(info < N_TOLD, 1) ? OMPP_LOAD(&told[info]) : 0;
}

static inline size_t size_in(uint32_t what)
{
	return what & 0xff;
}

static inline size_t slot_in(uint32_t what)
{
	return (size_t)(what >> 8) - KNOWN;
}

/* Counts an access that waits for its turn with others, or is of a size that tells more than its direction. */
static __attribute__((noinline)) void accessed_anyhow(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address,
                                                      void *how)
{
	struct cpu *c = cpu < OMPP_MOST_CPUS ? cpus[cpu] : NULL;
	uint32_t what = what_is(info);
	unsigned int size = (unsigned int)size_in(what);
	int is_store = what && slot_in(what) == OMPP_SLOT_STORE;

	if (!what) {
		size = qemu_plugin_mem_size_shift(info);
		is_store = qemu_plugin_mem_is_store(info);
		if (size < OMPP_SIZES && info < N_TOLD)
			OMPP_STORE(&told[info],
			           (uint16_t)((KNOWN + (is_store ? OMPP_SLOT_STORE : OMPP_SLOT_LOAD)) << 8 | size));
	}
	if (c && ompp_inside && !c->is_begun) {
		c->is_begun = 1;
		ompp_inside->begin(cpu, address);
	}
	if (c && emulation)
		count_part(c, address, size, (unsigned int)(uintptr_t)how, is_store);
}

/* Counts an access and returns 1, if that needs no more than nearly all accesses do: its segment is in the tally's way,
 * and its address in the extent. */
static inline __attribute__((always_inline)) int count_usual(uintptr_t address, size_t size, size_t slot)
{
	struct ompp_tally *tally = OMPP_LOAD(&here.own->tally);
	const struct ompp_segment *s = tally->way[ompp_way(address)];
	uint64_t *words;

	if (__builtin_expect(address - OMPP_READ(&s->lo) >= OMPP_READ(&s->limit[size]), 0))
		return 0;
	words = (uint64_t *)(void *)((char *)tally + s->row) + slot;
	if (__builtin_expect(address - words[OMPP_SIZES] >= words[OMPP_SIZES + 1], 0))
		return 0;
	ompp_tally_add(words + size, 1);
	return 1;
}

/* QEMU calls it for most accesses.  It goes on to the long way with its own arguments, so that it needs no stack. */
static void accessed(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *none)
{
	uint32_t what = what_is(info);

	if (__builtin_expect(!what, 0) || !count_usual(address, size_in(what), slot_in(what)))
		accessed_anyhow(cpu, info, address, none);
}

/* QEMU calls it for each half of an access of 16 bytes, as most vectors are. */
static void accessed_half(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *how)
{
	uint32_t what = what_is(info);
	struct wide *wide = &here.wide[slot_in(what) == OMPP_SLOT_STORE];

	if (__builtin_expect(!what || size_in(what) != PART_SIZE, 0))
		accessed_anyhow(cpu, info, address, how);
	else if (wide->n_left == PART_BYTES && wide->next == address)
		wide->n_left = 0;
	else if (count_usual(address, PAIR_SIZE, slot_in(what)))
		*wide = (struct wide){ address + PART_BYTES, PART_BYTES };
	else
		accessed_anyhow(cpu, info, address, how);
}

/* Returns what QEMU calls for the accesses of an instruction.
 * how: as count_part() has it */
static qemu_memory_cb *callback_for(const void *how)
{
	if (is_ordered)
		return accessed_anyhow;
	if ((uintptr_t)how == PAIR_BYTES)
		return accessed_half;
	return how ? accessed_anyhow : accessed;
}

/* ---- system calls ---- */

/* Returns where the bytes belong that a call tells by its result; NULL for other calls. */
static struct ompp_moved *moved_by(int64_t number)
{
	enum ompp_moving_call way = ompp_moving_call(number);

	return way == OMPP_CALL_FILLS ? &filled : way == OMPP_CALL_DRAINS ? &drained : NULL;
}

/* Is it the instruction of system calls? */
static int is_call(const unsigned char *code, size_t n)
{
	return n == CALL_BYTES && code[0] == 0x0f && code[1] == 0x05;
}

static void calling(unsigned int cpu, void *from)
{
	if (cpu < OMPP_MOST_CPUS && cpus[cpu])
		cpus[cpu]->calling = (uintptr_t)from;
}

static void returned(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t result)
{
	struct cpu *c = cpu < OMPP_MOST_CPUS ? cpus[cpu] : NULL;

	(void)id;
	ompp_living_returned(number, result);
	if (c && c->is_begun)
		ompp_inside->returned(number, result);
	if (!c || !c->moves)
		return;
	if (result > 0) {
		__atomic_fetch_add(&c->moves->n_bytes, (uint64_t)result, __ATOMIC_RELAXED);
		__atomic_fetch_add(&c->moves->n_calls, 1, __ATOMIC_RELAXED);
	}
	c->moves = NULL;
}

static void accessed_by_library(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *none)
{
	(void)cpu, (void)info, (void)address, (void)none;
}

/* QEMU has functions of its own for locked instructions.  In QEMU 7.2 these call what is set for an instruction before,
 * such as the program's jump to the library, unless the instruction has a callback itself. */
static void translated_library(const struct qemu_plugin_tb *block)
{
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		struct ompp_instruction p;

		if (ompp_instruction_read(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn), &p) &&
		    ompp_vector_width(&p).is_locked)
			qemu_plugin_register_vcpu_mem_cb(insn, accessed_by_library, QEMU_PLUGIN_CB_NO_REGS,
			                                 QEMU_PLUGIN_MEM_RW, NULL);
	}
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
	size_t n = qemu_plugin_tb_n_insns(block);
	uint32_t words[OMPP_WORK_WORDS] = { 0 }, last[OMPP_WORK_WORDS] = { 0 };
	int is_alone; /* does the last instruction count for itself? */

	(void)id;
	if (!ompp_inside && ompp_own_code_has(qemu_plugin_tb_vaddr(block))) {
		translated_library(block);
		return;
	}
	is_alone = n > 1 && ompp_block_work_may_leave_page(qemu_plugin_tb_get_insn(block, n - 1));
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		struct ompp_instruction p;
		struct ompp_vector_width o = { 0, 0, 0 };
		void *how;

		if (ompp_instruction_read(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn), &p)) {
			o = ompp_vector_width(&p);
			ompp_operations_add(&p, is_alone && i == n - 1 ? last : words);
		}
		how = (void *)(uintptr_t)(o.n_bytes | o.n_accessed * ACCESSED | (o.is_locked ? LOCKED : 0u));
		/* one for loads and stores: of two for one instruction, QEMU 7.2 calls the wrong one */
		qemu_plugin_register_vcpu_mem_cb(insn, callback_for(how), QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
		                                 how);
		if (is_call(qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn)))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, calling, QEMU_PLUGIN_CB_NO_REGS,
			                                       (void *)(uintptr_t)(qemu_plugin_insn_vaddr(insn) +
			                                                           CALL_BYTES));
	}
	if (counts_work)
		ompp_block_work_count(block, words, is_alone ? last : NULL);
}

/* ---- threads, and what the library asks ---- */

static void cpu_ended(qemu_plugin_id_t id, unsigned int cpu)
{
	struct cpu *c = cpu < OMPP_MOST_CPUS ? cpus[cpu] : NULL;
	uint64_t n_left;

	(void)id;
	if (!c)
		return;
	n_left = ompp_backlog_clear(&c->backlog) + ompp_ordered_clear(&c->ordered);
	if (n_left) {
		struct ompp_uncounted *to = c->thread ? &late : &unmet;

		__atomic_fetch_add(&to->n_accesses, n_left, __ATOMIC_RELAXED);
		__atomic_fetch_add(&to->n_threads, 1, __ATOMIC_RELAXED);
	}
	c->own = NULL;
	c->is_begun = 0;
	ompp_block_work_to(cpu, NULL);
	c->thread = NULL;
}

/* QEMU calls it in the thread that ends. */
static void cpu_ends(qemu_plugin_id_t id, unsigned int cpu)
{
	if (ompp_inside && cpu < OMPP_MOST_CPUS && cpus[cpu])
		hand_over(cpus[cpu]);
	cpu_ended(id, cpu);
	here.own = &no_own;
	ompp_living_ended();
}

static void cpu_begun(qemu_plugin_id_t id, unsigned int cpu)
{
	cpu_ended(id, cpu); /* QEMU may not have told */
	if (cpu < OMPP_MOST_CPUS && !cpus[cpu]) {
		struct cpu *c = aligned_alloc(64, sizeof(*c));

		if (c)
			memset(c, 0, sizeof(*c));
		cpus[cpu] = c;
	}
}

/* Other threads may still run, and wait to be asked for what they have. */
static void tell_uncounted(struct ompp_emulation *e)
{
	e->unmet = unmet;
	e->late = late;
	e->filled = filled;
	e->drained = drained;
	for (size_t i = 0; i < OMPP_MOST_CPUS; i++) {
		uint64_t n = cpus[i] ? ompp_backlog_sum(&cpus[i]->backlog) + ompp_ordered_sum(&cpus[i]->ordered) : 0;
		struct ompp_uncounted *to = n && cpus[i]->thread ? &e->late : &e->unmet;

		to->n_accesses += n;
		to->n_threads += n != 0;
	}
}

void ompp_emulator_answer(unsigned int cpu, enum ompp_emulation_what what, void *about)
{
	struct cpu *c = cpus[cpu];
	struct ompp_emulation *e = about;
	struct ompp_emulated_thread *t = about;

	switch (what) {
	case OMPP_EMULATION_BEGIN:
		if (e->version != OMPP_EMULATION_VERSION)
			return;
		is_ordered = is_ordered && (ompp_inside || !ompp_ordered_allow(ompp_own_code.lo, ompp_own_code.hi));
		e->counts_work = (uint32_t)counts_work;
		e->is_ordered = (uint32_t)is_ordered;
		e->threads = ompp_inside ? NULL : &ompp_living;
		__atomic_store_n(&emulation, e, __ATOMIC_RELEASE);
		e->answer = OMPP_EMULATION_VERSION;
		break;
	case OMPP_EMULATION_THREAD:
		c->thread = t;
		c->own = here.own = t->own;
		ompp_block_work_to(cpu, t->work);
		t->n_waiting = is_ordered ? c->ordered.n : c->backlog.n;
		break;
	case OMPP_EMULATION_TAKE:
		if (is_ordered) {
			t->n_taken = 0;
			hand_over(c);
			break;
		}
		t->n_taken = ompp_backlog_take(&c->backlog, t->to, t->n_room);
		t->n_waiting = c->backlog.n;
		break;
	case OMPP_EMULATION_FORGET:
		ompp_living_forked();
		for (size_t i = 0; i < OMPP_MOST_CPUS; i++)
			if (cpus[i]) {
				ompp_backlog_clear(&cpus[i]->backlog);
				ompp_ordered_clear(&cpus[i]->ordered);
			}
		unmet = late = (struct ompp_uncounted){ 0, 0 };
		filled = drained = (struct ompp_moved){ 0, 0 };
		if (c->thread)
			c->thread->n_waiting = 0;
		break;
	case OMPP_EMULATION_UNCOUNTED:
		tell_uncounted(e);
		break;
	default:
		break;
	}
}

static void called(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
                   uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	struct cpu *c = cpu < OMPP_MOST_CPUS ? cpus[cpu] : NULL;

	(void)id, (void)a5, (void)a6, (void)a7, (void)a8;
	ompp_living_called(number, a1, c && !c->calling);
	if (!c)
		return;
	c->moves = c->calling && emulation ? moved_by(number) : NULL;
	if (c->is_begun)
		ompp_inside->called(number, (const uint64_t[]){ a1, a2, a3, a4 }, c->calling);
	c->calling = 0;
	if (number == OMPP_EMULATION_CALL && !ompp_inside)
		ompp_emulator_answer(cpu, (enum ompp_emulation_what)a1, (void *)(uintptr_t)a2);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	static const char name[] = "library=";
	int has_library = ompp_inside != NULL;

	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "work=on"))
			counts_work = 1;
		else if (!strcmp(argv[i], "order=on"))
			is_ordered = 1;
		else if (strncmp(argv[i], name, sizeof(name) - 1) || ompp_own_code_set(argv[i] + sizeof(name) - 1))
			return -1;
		else
			has_library = 1;
	}
	if (!has_library)
		return -1;
	for (size_t i = 0; i < OMPP_WAYS; i++)
		no_tally.way[i] = &ompp_no_segment;
	qemu_plugin_register_vcpu_init_cb(id, cpu_begun);
	qemu_plugin_register_vcpu_exit_cb(id, cpu_ends);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, returned);
	if (ompp_inside)
		qemu_plugin_register_atexit_cb(id, ompp_inside->ended, NULL);
	return 0;
}
