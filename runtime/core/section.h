/*
 * Section: with OMPP_OBJECTS=all, names for what the program and its libraries have in memory beside the variables that
 * have names: "prog: data", "libx.so: constants", "prog: code".
 */
#ifndef OMPP_CORE_SECTION_H
#define OMPP_CORE_SECTION_H

/* Names the sections of all files that are loaded, where they have no name yet, once variables have theirs.  Files that
 * are loaded later have none.  COLD. */
void ompp_sections_name(void);

#endif
