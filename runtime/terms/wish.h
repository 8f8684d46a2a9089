/*
 * Wish: the words of a list in which the user names parts of the program (OMPP_FILTER, OMPP_FUNCTIONS), whether
 * anything met each of them, and the nearest of what did not.  A word that nothing met is most often a misspelt one.
 *
 * The lists are begun at the start of the session.  The rest may be called by several threads at once, and is COLD.
 */
#ifndef OMPP_TERMS_WISH_H
#define OMPP_TERMS_WISH_H

#include <stddef.h>

enum ompp_wish_list { OMPP_WISH_FILTER, OMPP_WISH_FUNCTIONS, OMPP_N_WISH_LISTS };

/* Begins a list.  Words beyond the 64th are taken as met.
 * subject: the variable that has it, "OMPP_FILTER"
 * words: a comma list, which has to stay where it is */
void ompp_wish_begin(enum ompp_wish_list which, const char *subject, const char *words);

/* Returns 1 when a list has no words. */
int ompp_wish_is_empty(enum ompp_wish_list which);

/* Returns 1 when a name is among the words, without regard to case; then the word is met. */
int ompp_wish_has(enum ompp_wish_list which, const char *name);

/* Marks word i as met; for names that are compared in another way. */
void ompp_wish_met(enum ompp_wish_list which, size_t i);

/* Remembers a name of the program that no word means: a word that nothing meets may be this one, misspelt. */
void ompp_wish_consider(enum ompp_wish_list which, const char *name);

/* Hands over a sentence for each word that nothing has met, once: "OMPP_FILTER: no region 'slove' was run; did you mean
 * 'solve'?" */
void ompp_wish_tell(void (*say)(const char *line));

#endif
