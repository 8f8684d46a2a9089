/*
 * Resolve: finds the structure that a variable, a call or a name of the program stands for; see
 * runtime/program/element.h.
 */
#ifndef OMPP_SYMBOLS_RESOLVE_H
#define OMPP_SYMBOLS_RESOLVE_H

#include "runtime/helpers/symbols/symbols_element.h"

/* Answers a question of ompp_element_find().  Returns NULL when nothing is known. */
const struct ompp_symbols_element *ompp_symbols_resolve(const char *path, const struct ompp_element_question *question);

#endif
