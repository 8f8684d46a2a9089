/*
 * Wish: the words of a list in which the user names parts of the program (OMPP_FILTER, OMPP_FUNCTIONS), whether each
 * word matched something, and else the most similar name.  A word that matched nothing is most often misspelt.
 *
 * The lists are set up at the start of the session.  The other functions may be called by several threads at once, and
 * are COLD.
 */
#ifndef OMPP_TERMS_WISH_H
#define OMPP_TERMS_WISH_H

#include <stddef.h>

enum ompp_wish_list { OMPP_WISH_FILTER, OMPP_WISH_FUNCTIONS, OMPP_N_WISH_LISTS };

/* Sets up a list.  Words beyond the 64th count as matched.
 * subject: the variable that has it, "OMPP_FILTER"
 * words: a comma list, which has to stay where it is */
void ompp_wish_begin(enum ompp_wish_list which, const char *subject, const char *words);

/* Returns 1 when a list has no words. */
int ompp_wish_is_empty(enum ompp_wish_list which);

/* Returns 1 when a name is among the words, ignoring case, and marks the word as matched. */
int ompp_wish_has(enum ompp_wish_list which, const char *name);

/* Marks word i as matched; for names that are compared in another way. */
void ompp_wish_met(enum ompp_wish_list which, size_t i);

/* Remembers a name of the program that no word matches: an unmatched word may be a misspelling of it. */
void ompp_wish_consider(enum ompp_wish_list which, const char *name);

/* Calls `say` once for each word that nothing matched: "OMPP_FILTER: no region 'slove' was run; did you mean
 * 'solve'?" */
void ompp_wish_tell(void (*say)(const char *line));

#endif
