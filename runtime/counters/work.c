/*
 * Work: see work.h.
 */
#include "runtime/counters/work.h"

__thread uint64_t ompp_work[OMPP_WORK_WORDS] __attribute__((tls_model("initial-exec")));

int ompp_work_is_emulated;
