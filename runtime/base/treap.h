/*
 * Treap: a map from keys to structs, as a randomly balanced search tree.  The node is the struct's first member.
 *
 * The caller serialises all use of a tree.
 */
#ifndef OMPP_BASE_TREAP_H
#define OMPP_BASE_TREAP_H

#include <stdint.h>

struct ompp_treap {
	uintptr_t key; /* set before the node is put in, and constant while it is there; no two are the same */
	struct ompp_treap *left, *right;
	uint32_t weight; /* above those of its children */
};

void ompp_treap_put(struct ompp_treap **root, struct ompp_treap *node);
void ompp_treap_take(struct ompp_treap **root, const struct ompp_treap *node);

/* Returns the node with the largest key that is not above the wanted one; NULL when there is none. */
struct ompp_treap *ompp_treap_upto(struct ompp_treap *root, uintptr_t key);

/* Returns the node with the least key that is not below the wanted one; NULL when there is none. */
struct ompp_treap *ompp_treap_from(struct ompp_treap *root, uintptr_t key);

#endif
