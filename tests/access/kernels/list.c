/*
 * list: a linked list, its nodes shuffled in a pool; walked, reversed, and walked again with updates.  One thread.
 */
#include "kernel.h"

#include <stdlib.h>

enum { N = 3000 * SCALE, WALKS = 3 };

struct node {
	struct node *next;
	int          value;
	short        visits;
};

static struct node *build(struct node *pool)
{
	struct node *head = NULL;
	size_t i;

	for (i = 0; i < N; i++) {
		struct node *n = &pool[i * 2503 % N];

		n->value = (int)i;
		n->visits = 0;
		n->next = head;
		head = n;
	}
	return head;
}

static struct node *reverse(struct node *list)
{
	struct node *done = NULL;

	while (list) {
		struct node *next = list->next;

		list->next = done;
		done = list;
		list = next;
	}
	return done;
}

int main(void)
{
	struct node *pool = malloc(N * sizeof(*pool)), *list, *n;
	double sum = 0;
	int k;

	if (!pool)
		return 1;
#pragma pomp inst data(pool, N * sizeof(*pool), "pool")
	kernel_array("pool", pool, N * sizeof(*pool));
	list = reverse(build(pool));
	for (k = 0; k < WALKS; k++) {
		for (n = list; n; n = n->next) {
			sum += n->value;
			n->visits++;
		}
	}
	kernel_sum(sum);
	kernel_expect("pool", N + WALKS * N * 3, 3 * N + N + WALKS * N, 0);
	return 0;
}
