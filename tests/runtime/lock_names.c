/*
 * Lock names: locks of every storage, made and set in every way.  Behind `set`, the name that the report must give the
 * lock, or what it is with many others; the lines are those of the sets.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct cell { double x; omp_lock_t lock; omp_nest_lock_t nest; };
struct node { struct node *next; omp_lock_t lk; };

static omp_lock_t single, arr[4], many[100], grid[3][4], partly[10], never[20];
static struct cell cells[5];
omp_lock_t wrapped_a, wrapped_b[2];
static char pool[1 << 20];
/* Its offset in a thread's memory is no address: pool lies in the same range. */
static __thread char scratch[1 << 19];

static void init(omp_lock_t *l)
{
	omp_init_lock(l);
}

#define SET(l) omp_set_lock(&(l)->lk)

int main(void)
{
	omp_lock_t local, *heap = malloc(8 * sizeof(*heap));
	static omp_lock_t in_main;
	struct node *n[20];
	int i, j;

	scratch[sizeof(scratch) - 1] = 1;
	omp_init_lock((omp_lock_t *)(pool + 65536));
	omp_init_lock(&single);
	for (i = 0; i < 4; i++)
		omp_init_lock(&arr[i]);
	for (i = 0; i < 100; i++)
		omp_init_lock(many + i);
	for (i = 0; i < 3; i++)
		for (j = 0; j < 4; j++)
			omp_init_lock(&grid[i][j]);
	for (i = 0; i < 5; i++) {
		omp_init_lock(&cells[i].lock);
		omp_init_nest_lock(&cells[i].nest);
	}
	omp_init_lock(&partly[2]);
	omp_init_lock(&partly[6]);
	for (i = 0; i < 20; i++)
		omp_init_lock(&never[i]);
	init(&wrapped_a);
	for (i = 0; i < 2; i++)
		init(&wrapped_b[i]);
	omp_init_lock(&local);
	omp_init_lock(&in_main);
	for (i = 0; i < 20; i++) {
		n[i] = malloc(sizeof(*n[i]));
		omp_init_lock(&n[i]->lk);
	}
	for (i = 0; i < 8; i++)
		omp_init_lock(heap + i);

	for (i = 0; i < 2; i++) {
		omp_set_lock(&single);          /* set: single */
		omp_unset_lock(&single);
	}
	omp_set_lock(arr + 2);                  /* set: arr[2] */
	omp_unset_lock(arr + 2);
	omp_set_lock(&arr[3]);                  /* set: arr[3] */
	omp_unset_lock(&arr[3]);
	for (i = 0; i < 100; i++) {
		omp_set_lock(&many[i]);         /* set: many[*] */
		omp_unset_lock(&many[i]);
	}
	omp_set_lock(&grid[1][2]);              /* set: grid[6] */
	omp_unset_lock(&grid[1][2]);
	if (omp_test_lock(&cells[3].lock))      /* set: cells[3].lock */
		omp_unset_lock(&cells[3].lock);
	omp_set_nest_lock(&cells[4].nest);      /* set: cells[4].nest */
	omp_unset_nest_lock(&cells[4].nest);
	omp_set_lock(&wrapped_a);               /* set: wrapped_a */
	omp_unset_lock(&wrapped_a);
	omp_set_lock(&wrapped_b[1]);            /* set: wrapped_b[1] */
	omp_unset_lock(&wrapped_b[1]);
	omp_set_lock(&local);                   /* set: local */
	omp_unset_lock(&local);
	omp_set_lock(&in_main);                 /* set: in_main */
	omp_unset_lock(&in_main);
	for (i = 0; i < 20; i++) {
		SET(n[i]);                      /* set: n[*]->lk */
		omp_unset_lock(&n[i]->lk);
	}
	omp_set_lock(&heap[3]);                 /* set: heap+i #4 */
	omp_unset_lock(&heap[3]);
	omp_set_lock(heap);                     /* set: heap+i #1 */
	omp_unset_lock(heap);
	omp_set_lock((omp_lock_t *)(pool + 65536)); /* set: (omp_lock_t*)(pool+65536) */
	omp_unset_lock((omp_lock_t *)(pool + 65536));
	/* two of ten: which ones cannot be told from their places alone, but how many bytes they are behind the first */
	omp_set_lock(&partly[6]);               /* set: partly+SIX */
	omp_unset_lock(&partly[6]);
	printf("%zu\n", 6 * sizeof(partly[0]));
	return 0;
}
