/*
 * Section: with OMPP_OBJECTS=all, names for what the program and its libraries have in memory beside the variables that
 * have names: "prog: data" and "prog: bss" (which begins with zeros), "libx.so: constants", "prog: code", and "prog:
 * thread-local", of which each thread has its own.
 */
#ifndef OMPP_CORE_SECTION_H
#define OMPP_CORE_SECTION_H

#include <stdint.h>

struct ompp_symbol;

struct ompp_section_place {
	uintptr_t lo, hi;
};

/* What a thread has of its own in the files; kept with the thread's slot. */
struct ompp_thread_sections {
	struct ompp_section_place *places;
	uint32_t n, have;
};

/* Names the sections of all files that are loaded, where they have no name yet, once variables have theirs; from then
 * on ompp_sections_look() does something.  COLD. */
void ompp_sections_name(void);

/* When it is not NULL, it gets the variables of each library that is loaded later. */
extern void (*ompp_section_symbols)(const struct ompp_symbol *symbol);

/* Looks whether files were loaded since, whose sections then get names, or unloaded, whose memory loses all names. */
void ompp_sections_look(void);

/* In a forked child, whose parent may have been looking. */
void ompp_sections_after_fork(void);

/* The first names the calling thread's own variables of all files that have given it memory for them; those of a file
 * that is loaded later when it is called again.  The second takes the names away.  COLD.
 * owner: its slot + 1 */
void ompp_sections_name_thread(struct ompp_thread_sections *t, uint32_t owner);
void ompp_sections_unname_thread(struct ompp_thread_sections *t);

#endif
