/*
 * Vendor: names who makes a compiler that kinst does not support, for the message that refuses it.
 */
#ifndef KINST_VENDOR_H
#define KINST_VENDOR_H

#include "opari/base/kinst_text.h"

/*
 * Returns whose compiler a command runs, as "NVIDIA's", also behind launchers and wrappers.  The compiler's name tells,
 * or else its answer to --version.  NULL: neither does.
 */
const char *kinst_vendor_of(const struct kinst_words *command);

#endif
