/*
 * Qemu: the functions of QEMU's user mode that the plug-in calls, by version 1 of its interface for plug-ins.  QEMU's
 * packages hold no header of it.
 */
#ifndef OMPP_EMULATOR_QEMU_H
#define OMPP_EMULATOR_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_EXPORT __attribute__((visibility("default")))

/* Threads with a higher number are not looked at. */
enum { OMPP_MOST_CPUS = 1 << 16 };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void qemu_vcpu_cb(qemu_plugin_id_t id, unsigned int cpu);
typedef void qemu_block_cb(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void qemu_memory_cb(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
typedef void qemu_call_cb(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
                          uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);
typedef void qemu_returned_cb(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t result);
typedef void qemu_exit_cb(qemu_plugin_id_t id, void *data);
typedef void qemu_executed_cb(unsigned int cpu, void *data);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_vcpu_cb *cb);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_vcpu_cb *cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_exit_cb *cb, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_block_cb *cb);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_call_cb *cb);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_returned_cb *cb);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_executed_cb *cb,
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, qemu_executed_cb *cb,
                                          enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_memory_cb *cb,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw, void *data);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);

#endif
