/*
 * Wish: the words of a list in which the user names parts of the program (OMPP_FILTER, OMPP_FUNCTIONS), whether anything
 * met each of them, and the nearest of what did not.  A word that nothing met is most often a misspelt one.
 *
 * The lists are begun at the start of the session.  The rest may be called by several threads at once, and is COLD.
 */
#ifndef OMPP_BASE_WISH_H
#define OMPP_BASE_WISH_H

#include <stddef.h>

enum ompp_wish_list { OMPP_WISH_FILTER, OMPP_WISH_FUNCTIONS, OMPP_N_WISH_LISTS };

/* Begin a list: who made it ("OMPP_FILTER"), and a comma list of words, which has to stay.  Words beyond the 64th are taken
 * as met. */
void ompp_wish_begin(enum ompp_wish_list which, const char *subject, const char *words);

/* Are there no words? */
int ompp_wish_is_empty(enum ompp_wish_list which);

/* Is a name among the words, without regard to case?  Then the word is met. */
int ompp_wish_has(enum ompp_wish_list which, const char *name);

/* Word i was met by something that is compared in another way. */
void ompp_wish_met(enum ompp_wish_list which, size_t i);

/* This name was there, and no word means it: perhaps one should. */
void ompp_wish_consider(enum ompp_wish_list which, const char *name);

/* Hand over a sentence for each word that nothing has met, once: "OMPP_FILTER: no region 'slove' was run; did you mean
 * 'solve'?" */
void ompp_wish_tell(void (*say)(const char *line));

#endif
