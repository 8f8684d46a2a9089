/*
 * Treap: see treap.h.
 */
#include "runtime/base/treap.h"

#include <stddef.h>

static uint32_t random_state = 2463534242u;

/* Trees of different locks may change at the same time: then a weight may come twice, which does no harm. */
static uint32_t random_weight(void)
{
	uint32_t r = __atomic_load_n(&random_state, __ATOMIC_RELAXED);

	r ^= r << 13;
	r ^= r >> 17;
	r ^= r << 5;
	__atomic_store_n(&random_state, r, __ATOMIC_RELAXED);
	return r;
}

/* Joins two trees, of which all keys of the first are below those of the second. */
static struct ompp_treap *treap_merge(struct ompp_treap *a, struct ompp_treap *b)
{
	struct ompp_treap *top = NULL, **at = &top;

	while (a && b)
		if (a->weight > b->weight) {
			*at = a;
			at = &a->right;
			a = *at;
		} else {
			*at = b;
			at = &b->left;
			b = *at;
		}
	*at = a ? a : b;
	return top;
}

void ompp_treap_put(struct ompp_treap **root, struct ompp_treap *node)
{
	struct ompp_treap *rest, **at = root, **below, **above;

	node->weight = random_weight();
	while (*at && (*at)->weight > node->weight)
		at = (*at)->key < node->key ? &(*at)->right : &(*at)->left;
	rest = *at;
	*at = node;
	/* what stood there becomes the two sides of the node */
	below = &node->left;
	above = &node->right;
	while (rest)
		if (rest->key < node->key) {
			*below = rest;
			below = &rest->right;
			rest = *below;
		} else {
			*above = rest;
			above = &rest->left;
			rest = *above;
		}
	*below = *above = NULL;
}

void ompp_treap_take(struct ompp_treap **root, const struct ompp_treap *node)
{
	struct ompp_treap **at = root;

	while (*at && *at != node)
		at = (*at)->key < node->key ? &(*at)->right : &(*at)->left;
	if (*at)
		*at = treap_merge(node->left, node->right);
}

struct ompp_treap *ompp_treap_upto(struct ompp_treap *t, uintptr_t key)
{
	struct ompp_treap *found = NULL;

	while (t)
		if (t->key <= key) {
			found = t;
			t = t->right;
		} else {
			t = t->left;
		}
	return found;
}

struct ompp_treap *ompp_treap_from(struct ompp_treap *t, uintptr_t key)
{
	struct ompp_treap *found = NULL;

	while (t)
		if (t->key >= key) {
			found = t;
			t = t->left;
		} else {
			t = t->right;
		}
	return found;
}
