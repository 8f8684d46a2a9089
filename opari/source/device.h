/*
 * Device: the code for devices that clang makes of a source beside that for the host (-fopenmp-targets).
 *
 * It is what the plain command makes, whatever is put into the host's part.  Since version 15 the host's object has a
 * section with the images of all devices.  clang makes none of a text that is preprocessed, so the original is compiled
 * once more, and the section of that object goes into the object of the text (-fembed-offload-object).  Before, clang
 * takes and writes bundles (bundle.h).
 */
#ifndef KINST_DEVICE_H
#define KINST_DEVICE_H

#include "opari/source/kinst_source.h"

/* Returns 1 when the command makes code for devices that has to be kept. */
int kinst_device_is_kept(const struct kinst_context *context);

/* Compiles the original for its devices.  One that does not compile is left to the compile of the text. */
void kinst_device_compile(struct kinst_source *source, const struct kinst_context *context);

/* Adds the words by which the object of a text gets the code for devices. */
void kinst_device_add(struct kinst_words *words, const struct kinst_source *source);

#endif
