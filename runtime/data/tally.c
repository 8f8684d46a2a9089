/*
 * Tally: see tally.h.
 */
#include "runtime/data/tally.h"

const struct ompp_segment ompp_no_segment; /* its limits are 0, so no access fits it */

#define W4(w)  w, w, w, w
#define W16(w) W4(w), W4(w), W4(w), W4(w)
#define W64(w) W16(w), W16(w), W16(w), W16(w)
struct ompp_tally ompp_no_tally = {
	.way = { W64(&ompp_no_segment), W64(&ompp_no_segment), W64(&ompp_no_segment), W64(&ompp_no_segment) },
};

__thread struct ompp_access_own ompp_access_own __attribute__((tls_model("initial-exec"))) = {
	.tally = &ompp_no_tally,
	.countdown = OMPP_NOT_DRAWN,
};
