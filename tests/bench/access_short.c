/*
 * Access, short: walks lists of which the lengths and the numbers of walks are arguments, one pair behind the other,
 * and counts in a table what it meets.  Each walk is a loop of its own, of which nobody knows how long it is.
 */
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 4000 };

static struct node {
	struct node *next;
	long value;
} list[LONGEST];
static long met[4];

__attribute__((noinline)) static long walk(const struct node *node)
{
	long sum = 0;

	for (; node; node = node->next) {
		sum += node->value;
		met[sum & 3]++;
	}
	return sum;
}

int main(int argc, char **argv)
{
	long sum = 0;

#pragma pomp inst data(list)
#pragma pomp inst data(met)
	for (int k = 2; k < argc; k += 2) {
		int length = atoi(argv[k - 1]), n = atoi(argv[k]);

		for (int i = 0; i < length && i < LONGEST; i++) {
			list[i].next = i + 1 < length ? &list[i + 1] : NULL;
			list[i].value = i * 7 % 10;
		}
		for (int i = 0; i < n; i++)
			sum += walk(list);
	}
	printf("%ld %ld\n", sum, met[1]);
	return 0;
}
