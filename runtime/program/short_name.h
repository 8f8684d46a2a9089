/*
 * Short name: leaves out of a C++ name what a reader knows or does not ask for.
 */
#ifndef OMPP_PROGRAM_SHORT_NAME_H
#define OMPP_PROGRAM_SHORT_NAME_H

/* Shortens a demangled name in place.  These go: arguments of templates of the C++ library that are their defaults,
 * inline namespaces and ABI tags, the parameters of functions around a local name, and blanks between closing brackets.
 * "f(std::vector<int, std::allocator<int> >)::{lambda()#1}" becomes "f::{lambda()#1}". */
void ompp_short_name(char *name);

#endif
