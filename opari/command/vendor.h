/*
 * Vendor: whose compiler one is that kinst does not know.
 */
#ifndef KINST_VENDOR_H
#define KINST_VENDOR_H

#include "opari/base/kinst_text.h"

/*
 * Returns whose compiler stands in front of a command, "NVIDIA's", by its name, or else by what it answers to
 * --version, behind launchers and wrappers, too; NULL when neither tells.
 */
const char *kinst_vendor_of(const struct kinst_words *command);

#endif
