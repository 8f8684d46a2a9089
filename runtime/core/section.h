/*
 * Section: with OMPP_OBJECTS=all, names for the memory of the program and its libraries beside named variables: "prog:
 * data" and "prog: bss" (which begins with zeros), "libx.so: constants", "prog: code", "liby.so: constants and code"
 * where linkers put them together, and "prog: thread-local" (per thread).
 */
#ifndef OMPP_CORE_SECTION_H
#define OMPP_CORE_SECTION_H

#include <stdint.h>

struct ompp_symbol;

struct ompp_section_extent {
	uintptr_t lo, hi;
};

/* A thread's thread-local storage in the loaded files; kept with the thread's slot. */
struct ompp_thread_sections {
	struct ompp_section_extent *extents;
	uint32_t n, have;
};

/* Names the parts of the sections of all loaded files that have no name yet.  Call it after variables have their names;
 * it also enables ompp_sections_look().  COLD. */
void ompp_sections_name(void);

/* If not NULL, called for the variables of each library that is loaded later. */
extern void (*ompp_section_symbols)(const struct ompp_symbol *symbol);

/* Checks which files were loaded since, and names their sections, and which were unloaded, and removes all names from
 * their memory. */
void ompp_sections_look(void);

/* In a forked child, whose parent may have been in ompp_sections_look(). */
void ompp_sections_after_fork(void);

/* The first names the calling thread's thread-local storage of all files for which it has been allocated; call it again
 * for files that are loaded later.  The second removes the names.  COLD.
 * owner: its slot + 1 */
void ompp_sections_name_thread(struct ompp_thread_sections *t, uint32_t owner);
void ompp_sections_unname_thread(struct ompp_thread_sections *t);

#endif
