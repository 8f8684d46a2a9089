/*
 * Counter preset: PAPI's presets.  PAPI knows their events on this processor.  For processors that PAPI does not
 * support there is a table here of those presets that are equivalent to an event of perf, or to one that the kernel
 * names for Arm processors.
 */
#include <errno.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter_helper.h"
#include "runtime/counters/counter_list.h"
#include "runtime/counters/pmu.h"

/* same: the event of perf or of sysfs that counts exactly this; NULL when there is none
 * hooks: the access count that counts exactly this; NULL when there is none
 * busy: 1 when every program has such events */
static const struct {
	const char *name, *what, *same, *hooks;
	int busy;
} rows[] = {
	{ .name = "PAPI_L1_DCM", .what = "level 1 data cache misses", .busy = 1, .same = "l1d_cache_refill" },
	{ .name = "PAPI_L1_ICM", .what = "level 1 instruction cache misses", .same = "l1i_cache_refill" },
	{ .name = "PAPI_L2_DCM", .what = "level 2 data cache misses", .same = "l2d_cache_refill" },
	{ .name = "PAPI_L2_ICM", .what = "level 2 instruction cache misses" },
	{ .name = "PAPI_L3_DCM", .what = "level 3 data cache misses" },
	{ .name = "PAPI_L3_ICM", .what = "level 3 instruction cache misses" },
	{ .name = "PAPI_L1_TCM", .what = "level 1 cache misses", .busy = 1 },
	{ .name = "PAPI_L2_TCM", .what = "level 2 cache misses" },
	{ .name = "PAPI_L3_TCM", .what = "level 3 cache misses" },
	{ .name = "PAPI_CA_SNP", .what = "requests for a snoop" },
	{ .name = "PAPI_CA_SHR", .what = "requests for exclusive access to shared cache line" },
	{ .name = "PAPI_CA_CLN", .what = "requests for exclusive access to clean cache line" },
	{ .name = "PAPI_CA_INV", .what = "requests for cache line invalidation" },
	{ .name = "PAPI_CA_ITV", .what = "requests for cache line intervention" },
	{ .name = "PAPI_L3_LDM", .what = "level 3 load misses" },
	{ .name = "PAPI_L3_STM", .what = "level 3 store misses" },
	{ .name = "PAPI_BRU_IDL", .what = "cycles branch units are idle" },
	{ .name = "PAPI_FXU_IDL", .what = "cycles integer units are idle" },
	{ .name = "PAPI_FPU_IDL", .what = "cycles floating point units are idle" },
	{ .name = "PAPI_LSU_IDL", .what = "cycles load and store units are idle" },
	{ .name = "PAPI_TLB_DM", .what = "address translation misses of data", .busy = 1, .same = "l1d_tlb_refill" },
	{ .name = "PAPI_TLB_IM", .what = "address translation misses of instructions", .same = "l1i_tlb_refill" },
	{ .name = "PAPI_TLB_TL", .what = "address translation misses" },
	{ .name = "PAPI_L1_LDM", .what = "level 1 load misses", .busy = 1 },
	{ .name = "PAPI_L1_STM", .what = "level 1 store misses" },
	{ .name = "PAPI_L2_LDM", .what = "level 2 load misses" },
	{ .name = "PAPI_L2_STM", .what = "level 2 store misses" },
	{ .name = "PAPI_BTAC_M", .what = "branch target address cache misses" },
	{ .name = "PAPI_PRF_DM", .what = "data prefetch cache misses" },
	{ .name = "PAPI_L3_DCH", .what = "level 3 data cache hits" },
	{ .name = "PAPI_TLB_SD", .what = "address translations taken away by others" },
	{ .name = "PAPI_CSR_FAL", .what = "failed store conditional instructions" },
	{ .name = "PAPI_CSR_SUC", .what = "successful store conditional instructions" },
	{ .name = "PAPI_CSR_TOT", .what = "total store conditional instructions" },
	{ .name = "PAPI_MEM_SCY", .what = "cycles Stalled waiting for memory accesses" },
	{ .name = "PAPI_MEM_RCY", .what = "cycles Stalled waiting for memory reads" },
	{ .name = "PAPI_MEM_WCY", .what = "cycles Stalled waiting for memory writes" },
	{ .name = "PAPI_STL_ICY", .what = "cycles with no instruction issue" },
	{ .name = "PAPI_FUL_ICY", .what = "cycles with maximum instruction issue" },
	{ .name = "PAPI_STL_CCY", .what = "cycles with no instructions completed" },
	{ .name = "PAPI_FUL_CCY", .what = "cycles with maximum instructions completed" },
	{ .name = "PAPI_HW_INT", .what = "hardware interrupts" },
	{ .name = "PAPI_BR_UCN", .what = "unconditional branch instructions" },
	{ .name = "PAPI_BR_CN", .what = "conditional branch instructions" },
	{ .name = "PAPI_BR_TKN", .what = "conditional branch instructions taken" },
	{ .name = "PAPI_BR_NTK", .what = "conditional branch instructions not taken" },
	{ .name = "PAPI_BR_MSP", .what = "conditional branches predicted wrong", .busy = 1, .same = "branch-misses" },
	{ .name = "PAPI_BR_PRC", .what = "conditional branches predicted right" },
	{ .name = "PAPI_FMA_INS", .what = "FMA instructions completed" },
	{ .name = "PAPI_TOT_IIS", .what = "instructions issued", .busy = 1 },
	{ .name = "PAPI_TOT_INS", .what = "instructions completed", .busy = 1, .same = "instructions" },
	{ .name = "PAPI_INT_INS", .what = "integer instructions" },
	{ .name = "PAPI_FP_INS", .what = "floating point instructions" },
	{ .name = "PAPI_LD_INS", .what = "load instructions", .busy = 1, .same = "ld_retired", .hooks = "ACC_LD" },
	{ .name = "PAPI_SR_INS", .what = "store instructions", .busy = 1, .same = "st_retired", .hooks = "ACC_ST" },
	{ .name = "PAPI_BR_INS", .what = "branch instructions", .busy = 1, .same = "branches" },
	{ .name = "PAPI_VEC_INS", .what = "vector instructions, also of integers" },
	{ .name = "PAPI_RES_STL", .what = "cycles stalled on any resource" },
	{ .name = "PAPI_FP_STAL", .what = "cycles the floating point units are stalled" },
	{ .name = "PAPI_TOT_CYC", .what = "total cycles", .busy = 1, .same = "cycles" },
	{ .name = "PAPI_LST_INS", .what = "loads and stores completed", .busy = 1, .hooks = "ACC_LST" },
	{ .name = "PAPI_SYC_INS", .what = "synchronization instructions completed" },
	{ .name = "PAPI_L1_DCH", .what = "level 1 data cache hits" },
	{ .name = "PAPI_L2_DCH", .what = "level 2 data cache hits" },
	{ .name = "PAPI_L1_DCA", .what = "level 1 data cache accesses", .busy = 1, .same = "l1d_cache" },
	{ .name = "PAPI_L2_DCA", .what = "level 2 data cache accesses", .same = "l2d_cache" },
	{ .name = "PAPI_L3_DCA", .what = "level 3 data cache accesses" },
	{ .name = "PAPI_L1_DCR", .what = "level 1 data cache reads", .busy = 1 },
	{ .name = "PAPI_L2_DCR", .what = "level 2 data cache reads" },
	{ .name = "PAPI_L3_DCR", .what = "level 3 data cache reads" },
	{ .name = "PAPI_L1_DCW", .what = "level 1 data cache writes", .busy = 1 },
	{ .name = "PAPI_L2_DCW", .what = "level 2 data cache writes" },
	{ .name = "PAPI_L3_DCW", .what = "level 3 data cache writes" },
	{ .name = "PAPI_L1_ICH", .what = "level 1 instruction cache hits" },
	{ .name = "PAPI_L2_ICH", .what = "level 2 instruction cache hits" },
	{ .name = "PAPI_L3_ICH", .what = "level 3 instruction cache hits" },
	{ .name = "PAPI_L1_ICA", .what = "level 1 instruction cache accesses", .same = "l1i_cache" },
	{ .name = "PAPI_L2_ICA", .what = "level 2 instruction cache accesses" },
	{ .name = "PAPI_L3_ICA", .what = "level 3 instruction cache accesses" },
	{ .name = "PAPI_L1_ICR", .what = "level 1 instruction cache reads" },
	{ .name = "PAPI_L2_ICR", .what = "level 2 instruction cache reads" },
	{ .name = "PAPI_L3_ICR", .what = "level 3 instruction cache reads" },
	{ .name = "PAPI_L1_ICW", .what = "level 1 instruction cache writes" },
	{ .name = "PAPI_L2_ICW", .what = "level 2 instruction cache writes" },
	{ .name = "PAPI_L3_ICW", .what = "level 3 instruction cache writes" },
	{ .name = "PAPI_L1_TCH", .what = "level 1 total cache hits" },
	{ .name = "PAPI_L2_TCH", .what = "level 2 total cache hits" },
	{ .name = "PAPI_L3_TCH", .what = "level 3 total cache hits" },
	{ .name = "PAPI_L1_TCA", .what = "level 1 total cache accesses", .busy = 1 },
	{ .name = "PAPI_L2_TCA", .what = "level 2 total cache accesses" },
	{ .name = "PAPI_L3_TCA", .what = "level 3 total cache accesses" },
	{ .name = "PAPI_L1_TCR", .what = "level 1 total cache reads" },
	{ .name = "PAPI_L2_TCR", .what = "level 2 total cache reads" },
	{ .name = "PAPI_L3_TCR", .what = "level 3 total cache reads" },
	{ .name = "PAPI_L1_TCW", .what = "level 1 total cache writes" },
	{ .name = "PAPI_L2_TCW", .what = "level 2 total cache writes" },
	{ .name = "PAPI_L3_TCW", .what = "level 3 total cache writes" },
	{ .name = "PAPI_FML_INS", .what = "floating point multiply instructions" },
	{ .name = "PAPI_FAD_INS", .what = "floating point add instructions" },
	{ .name = "PAPI_FDV_INS", .what = "floating point divide instructions" },
	{ .name = "PAPI_FSQ_INS", .what = "floating point square root instructions" },
	{ .name = "PAPI_FNV_INS", .what = "floating point inverse instructions" },
	{ .name = "PAPI_FP_OPS", .what = "floating point operations" },
	{ .name = "PAPI_SP_OPS", .what = "single precision operations, each of a vector" },
	{ .name = "PAPI_DP_OPS", .what = "double precision operations, each of a vector" },
	{ .name = "PAPI_VEC_SP", .what = "single precision vector instructions" },
	{ .name = "PAPI_VEC_DP", .what = "double precision vector instructions" },
	{ .name = "PAPI_REF_CYC", .what = "reference clock cycles", .busy = 1, .same = "ref-cycles" },
};

static int fill_same(size_t i, struct ompp_counter *counter, struct ompp_text *why)
{
	size_t n = strlen(rows[i].same);
	int rc = ompp_counter_hardware_find(rows[i].same, n, counter, why);

	return rc == -ENOENT ? ompp_counter_sysfs_find(rows[i].same, n, counter, why) : rc;
}

/* Fills in the events of preset i.  On a machine with several kinds of cores the kernel's own names come first, as
 * they mean all kinds, while PAPI takes one.  Returns 0, or -errno with why. */
static int counter_preset_fill(size_t i, struct ompp_counter *counter, struct ompp_text *why)
{
	const struct ompp_papi *papi;
	const char *reason = "";
	int rc = -ENOENT;

	if (!ompp_counter_has_pmu())
		return ompp_counter_lacking(why);
	if (rows[i].same && ompp_pmu_cores(NULL, 0) > 1)
		rc = fill_same(i, counter, why);
	if (!rc)
		return 0;
	why->n_bytes = 0;
	papi = ompp_counter_helper(&reason);
	if (papi) {
		rc = papi->papi(rows[i].name, counter, why);
		if (!rc && counter->n_events == 1)
			counter->event[0].busy = (uint8_t)rows[i].busy;
	}
	if (rc && rows[i].same) {
		struct ompp_counter copy = *counter;

		if (!fill_same(i, counter, why))
			return 0;
		*counter = copy;
	}
	if (rc && !papi) {
		why->n_bytes = 0;
		ompp_text_str(why, "PAPI cannot be asked: ");
		ompp_text_str(why, reason);
	}
	return rc && rc != -EINVAL ? -ENODEV : rc;
}

int ompp_counter_preset_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	size_t i;
	int rc;

	for (i = 0; i < OMPP_COUNT_OF(rows); i++)
		if (ompp_text_same(name, n_name, rows[i].name, strlen(rows[i].name)))
			break;
	if (i == OMPP_COUNT_OF(rows))
		return -ENOENT;
	counter->kind = OMPP_COUNTER_THREAD;
	counter->unit = "";
	rc = counter_preset_fill(i, counter, why);
	if (rc && rows[i].hooks && ompp_counter_hooked) {
		rc = ompp_counter_access_find(rows[i].hooks, strlen(rows[i].hooks), counter, why);
		strcpy(counter->object, "*");
	}
	if (rc && rows[i].hooks) {
		char *end = memchr(why->data, ';', why->n_bytes);

		why->n_bytes = end ? (size_t)(end - why->data) : why->n_bytes;
		ompp_text_str(why, "; build with kinst --access and use ");
		ompp_text_str(why, rows[i].hooks);
	}
	counter->what = rows[i].what;
	counter->source = counter->kind == OMPP_COUNTER_ACCESS ? "hooks" : "PAPI";
	return rc;
}

int ompp_counter_papi_has(const char *name)
{
	const char *reason = "";
	const struct ompp_papi *papi = ompp_counter_helper(&reason);
	struct ompp_counter counter;
	struct ompp_text why;
	char text[256];

	ompp_text_init(&why, text, sizeof(text));
	ompp_counter_entry(&counter, name, "PAPI", "");
	return papi && !papi->papi(name, &counter, &why);
}

int ompp_counter_preset_each(ompp_counter_found found, void *context)
{
	int rc = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(rows) && !rc; i++) {
		struct ompp_counter counter;

		ompp_counter_entry(&counter, rows[i].name, "PAPI", rows[i].what);
		rc = found(context, &counter);
	}
	return rc;
}
