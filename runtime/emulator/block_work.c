/*
 * Block work: see block_work.h.
 */
#include "runtime/emulator/block_work.h"

#include <stdlib.h>

#include "runtime/data/segment.h"

enum { LONGEST_INSTRUCTION = 15 };

static uint64_t *words_of[OMPP_MOST_CPUS]; /* NULL: the thread is not started */

void ompp_block_work_to(unsigned int cpu, uint64_t *words)
{
	if (cpu < OMPP_MOST_CPUS)
		words_of[cpu] = words;
}

/* What a block of instructions adds to the words of operations.  It lasts as long as the process, as QEMU may have the
 * block run at any time. */
struct block_work {
	uint32_t n;
	struct {
		uint32_t word, n;
	} add[];
};

static void block_worked(unsigned int cpu, void *block)
{
	uint64_t *words = cpu < OMPP_MOST_CPUS ? words_of[cpu] : NULL;
	const struct block_work *w = block;

	for (uint32_t i = 0; words && i < w->n; i++)
		words[w->add[i].word] += w->add[i].n;
}

/* Returns what is added to the words of operations; NULL where it is nothing. */
static struct block_work *new_block_work(const uint32_t words[OMPP_WORK_WORDS])
{
	struct block_work *w;
	uint32_t n = 0;

	for (int i = 0; i < OMPP_WORK_WORDS; i++)
		n += words[i] != 0;
	w = n ? malloc(sizeof(*w) + n * sizeof(w->add[0])) : NULL;
	if (n && !w)
		abort(); /* counts are exact, or there are none */
	if (!w)
		return NULL;
	w->n = 0;
	for (uint32_t i = 0; i < OMPP_WORK_WORDS; i++) {
		if (!words[i])
			continue;
		w->add[w->n].word = i;
		w->add[w->n++].n = words[i];
	}
	return w;
}

int ompp_block_work_may_leave_page(const struct qemu_plugin_insn *insn)
{
	uint64_t address = qemu_plugin_insn_vaddr(insn);

	return (address ^ (address + LONGEST_INSTRUCTION - 1)) >> OMPP_PAGE_BITS != 0;
}

void ompp_block_work_count(struct qemu_plugin_tb *block, const uint32_t *words, const uint32_t *last)
{
	struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, qemu_plugin_tb_n_insns(block) - 1);
	struct block_work *w = new_block_work(words);

	if (w)
		qemu_plugin_register_vcpu_tb_exec_cb(block, block_worked, QEMU_PLUGIN_CB_NO_REGS, w);
	w = last ? new_block_work(last) : NULL;
	if (w)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, block_worked, QEMU_PLUGIN_CB_NO_REGS, w);
}
