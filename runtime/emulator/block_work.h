/*
 * Block work: has each block of instructions add the operations that it makes (operations.h) when it begins, to the
 * words of the thread that runs it.
 */
#ifndef OMPP_EMULATOR_BLOCK_WORK_H
#define OMPP_EMULATOR_BLOCK_WORK_H

#include <stdint.h>

#include "runtime/counters/work.h"
#include "runtime/emulator/qemu.h"

/* Sets the words of a thread of the program; NULL when it ends. */
void ompp_block_work_to(unsigned int cpu, uint64_t *words);

/* May the instruction go over the end of its page?  QEMU 7.2 lists such a one as the last of the block before it, too,
 * though that block ends without it. */
int ompp_block_work_may_leave_page(const struct qemu_plugin_insn *insn);

/* Has a block count its operations, as it is translated.
 * last: those of its last instruction, which counts them itself, as it may not be executed with the others; NULL where
 * words has them */
void ompp_block_work_count(struct qemu_plugin_tb *block, const uint32_t *words, const uint32_t *last);

#endif
