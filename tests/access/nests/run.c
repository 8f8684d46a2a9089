/*
 * run: the part of the generated programs that is not counted: fills arrays, prints sums.  Fortran calls it, too.
 */
#include "program.h"

enum { MOST_ARRAYS = 64 };

static struct {
	void *memory;
	size_t n_bytes;
	int kind;
} arrays[MOST_ARRAYS];
static int n_arrays;
static uint64_t state;
static double rows_memory[NESTS_ROWS][NESTS_COLUMNS];

jmp_buf nests_env;
long nests_bounds[64];
volatile long nests_volatile_bounds[64];

void nests_array(const void *array, size_t n_bytes, int kind)
{
	int i;

	for (i = 0; i < 64; i++)
		nests_bounds[i] = nests_volatile_bounds[i] = i;
	if (n_arrays == MOST_ARRAYS)
		abort();
	arrays[n_arrays].memory = (void *)(uintptr_t)array;
	arrays[n_arrays].n_bytes = n_bytes;
	arrays[n_arrays++].kind = kind;
}

static unsigned int number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 20);
}

static void fill_nodes(struct node *nodes)
{
	int i, next;

	for (i = 0; i < NESTS_NODES; i++) {
		next = i + 1 + (int)(number() % 7);
		nodes[i].next = next < NESTS_NODES ? nodes + next : NULL;
		nodes[i].value = number();
	}
}

static void fill(void *memory, size_t n_bytes, int kind)
{
	unsigned char *bytes = memory;
	int *numbers = memory;
	size_t i, row = 0;

	switch (kind) {
	case INDICES:
		for (i = 0; i < n_bytes / sizeof(int); i++)
			numbers[i] = (int)(number() % 64);
		break;
	case ROWS:
		/* each row has 0 … 4 elements, and all together at most 128 */
		for (i = 0; i < n_bytes / sizeof(int); i++) {
			numbers[i] = (int)row;
			row += number() % 3 ? number() % 5 : 0;
			row = row > 128 ? 128 : row;
		}
		break;
	case FLOATS:
		for (i = 0; i < n_bytes / sizeof(float); i++)
			((float *)memory)[i] = (float)(number() % 64) / 4;
		break;
	case DOUBLES:
		for (i = 0; i < n_bytes / sizeof(double); i++)
			((double *)memory)[i] = (double)(number() % 64) / 4;
		break;
	case LONG_DOUBLES:
		for (i = 0; i < n_bytes / sizeof(long double); i++)
			((long double *)memory)[i] = (long double)(number() % 64) / 4;
		break;
	case RECORDS:
		for (i = 0; i < n_bytes / sizeof(struct record); i++)
			((struct record *)memory)[i] = (struct record){ number() % 16, (int)(number() % 1000),
				                                        (short)(number() % 99), 5, 7 };
		break;
	case PACKED:
		for (i = 0; i < n_bytes / sizeof(struct packed); i++)
			((struct packed *)memory)[i] = (struct packed){ 3, number() % 16, (short)(number() % 1000) };
		break;
	case NODES:
		fill_nodes(memory);
		break;
	case POINTERS:
		for (i = 0; i < NESTS_ROWS * NESTS_COLUMNS; i++)
			rows_memory[i / NESTS_COLUMNS][i % NESTS_COLUMNS] = number() % 16;
		break;
	default:
		for (i = 0; i < n_bytes; i++)
			bytes[i] = (unsigned char)number();
	}
}

void nests_prepare(void)
{
	int i;

	state = UINT64_C(0x9e3779b97f4a7c15);
	for (i = 0; i < n_arrays; i++)
		fill(arrays[i].memory, arrays[i].n_bytes, arrays[i].kind);
}

static uint64_t add_bytes(uint64_t sum, const void *memory, size_t n_bytes)
{
	const unsigned char *bytes = memory;
	size_t i;

	for (i = 0; i < n_bytes; i++)
		sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
	return sum;
}

static uint64_t add_array(uint64_t sum, const void *memory, size_t n_bytes, int kind)
{
	size_t i;
	double value;

	switch (kind) {
	case LONG_DOUBLES:
		for (i = 0; i < n_bytes / sizeof(long double); i++) {
			value = (double)((const long double *)memory)[i];
			sum = add_bytes(sum, &value, sizeof(value));
		}
		return sum;
	case NODES:
		for (i = 0; i < NESTS_NODES; i++)
			sum = add_bytes(sum, &((const struct node *)memory)[i].value, 8);
		return sum;
	case POINTERS:
		return add_bytes(sum, rows_memory, sizeof(rows_memory));
	default:
		return add_bytes(sum, memory, n_bytes);
	}
}

void nests_check(int function, uint64_t result)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	int i;

	for (i = 0; i < n_arrays; i++)
		sum = add_array(sum, arrays[i].memory, arrays[i].n_bytes, arrays[i].kind);
	printf("%d %016llx %016llx\n", function, (unsigned long long)result, (unsigned long long)sum);
	fflush(stdout);
}

long nests_opaque(long value)
{
	return value;
}

void nests_outside(void)
{
}

void nests_jump(int now)
{
	if (now)
		longjmp(nests_env, now);
}

double *nests_rows_memory(int row)
{
	return rows_memory[row];
}

/* ---- as Fortran calls them ---- */

void nests_array_(const void *array, const int *n_bytes, const int *kind);
void nests_prepare_(void);
void nests_check_(const int *function, const long *result);
int nests_opaque_(const int *value);
void nests_outside_(void);

void nests_array_(const void *array, const int *n_bytes, const int *kind)
{
	nests_array(array, (size_t)*n_bytes, *kind);
}

void nests_prepare_(void)
{
	nests_prepare();
}

void nests_check_(const int *function, const long *result)
{
	nests_check(*function, (uint64_t)*result);
}

int nests_opaque_(const int *value)
{
	return *value;
}

void nests_outside_(void)
{
}
