/*
 * Short name: a C++ name without what a reader knows or does not ask for.
 */
#ifndef OMPP_BASE_SHORT_NAME_H
#define OMPP_BASE_SHORT_NAME_H

/* Shorten a demangled name in place: arguments of templates of the C++ library that are their defaults go, as do inline
 * namespaces and ABI tags, the parameters of functions around a local name, and blanks between closing brackets.
 * "f(std::vector<int, std::allocator<int> >)::{lambda()#1}" becomes "f::{lambda()#1}". */
void ompp_short_name(char *name);

#endif
