/*
 * Short name: removes the parts of a C++ name that a reader knows or does not need.
 */
#ifndef OMPP_PROGRAM_SHORT_NAME_H
#define OMPP_PROGRAM_SHORT_NAME_H

/* Shortens a demangled name in place.  Removed are: default arguments of the C++ library's templates, inline namespaces
 * and ABI tags, the parameters of functions around a local name, and blanks between closing brackets.
 * "f(std::vector<int, std::allocator<int> >)::{lambda()#1}" becomes "f::{lambda()#1}". */
void ompp_short_name(char *name);

#endif
