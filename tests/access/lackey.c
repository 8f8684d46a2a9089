/*
 * lackey: what a program accessed of its arrays, from valgrind's trace of all its addresses.
 *
 * Usage: lackey SYMBOLS [OURS [PAGES]] <TRACE
 *   SYMBOLS   `nm -S` of the program       OURS   `nm` of the archive of hooks linked into it
 *   PAGES     a file that gets the pages of each array: name, page, and r, w, R or W for what the program and libraries
 *             loaded and stored there
 *   TRACE     `valgrind --tool=lackey --trace-mem=yes`, with the lines of kernel.h in between
 *
 * Prints for each array, of what lies inside it: name, loads, stores, atomics, bytes of all, and bytes that libraries
 * loaded and stored.  An array is in force from its line on.  An access belongs to the instruction before it in the trace:
 *
 *   the program's       L a load, S a store, M both (one instruction that reads and writes back); L and M of one
 *                       instruction at one address are one with a lock prefix: an atomic update
 *   the hooks'          the operations of atomic updates, which hooks do in the program's place: M is the update
 *   a library's         set aside, and shown apart: of one call each byte once, as copies load some bytes twice
 *   the kernel's frame  (kernel_…) set aside
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096 };
enum { MAX_SYMBOLS = 200000, MAX_OURS = 2000, MAX_ARRAYS = 32 };

enum owner { PROGRAM, HOOKS, FRAME, LIBRARY };

struct symbol {
	unsigned long begin, end;
	enum owner owner;
};

struct array {
	char name[64];
	unsigned long begin, end;
	unsigned long loads, stores, atomics, bytes, library_loaded, library_stored;
	unsigned char *touched;                 /* of the library's call: bit 0 loaded, bit 1 stored */
	unsigned char *pages; /* bits 0 and 1: the program loaded and stored there; bits 2 and 3: libraries did */
};

static struct symbol symbols[MAX_SYMBOLS];
static size_t n_symbols;
static char *ours[MAX_OURS];
static size_t n_ours;
static struct array arrays[MAX_ARRAYS];
static size_t n_arrays;
static unsigned long first_array = ~0ul, last_array;
static unsigned long kernel_array, bias;

/* The instruction that runs, and the load that it made last, which may turn out to be a part of an atomic update. */
static enum owner owner;
static unsigned long held, held_bytes;
static int library_touched;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "lackey: %s\n", what);
	exit(2);
}

static int is_ours(const char *name)
{
	size_t i;

	for (i = 0; i < n_ours; i++) {
		if (!strcmp(ours[i], name))
			return 1;
	}
	return 0;
}

static void read_ours(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[4096], name[4096], kind;

	if (!f)
		die("no list of the hooks");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%*x %c %4095s", &kind, name) == 2 && strchr("tTwW", kind) && n_ours < MAX_OURS)
			ours[n_ours++] = strdup(name);
	}
	fclose(f);
}

static int by_begin(const void *a, const void *b)
{
	const struct symbol *s = a, *t = b;

	return (s->begin > t->begin) - (s->begin < t->begin);
}

static void read_symbols(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[4096], name[4096], kind;
	unsigned long begin, size;

	if (!f)
		die("no symbols");
	while (fgets(line, sizeof(line), f)) {
		struct symbol *s = &symbols[n_symbols];

		if (sscanf(line, "%lx %lx %c %4095s", &begin, &size, &kind, name) != 4 || !strchr("tTwWuiV", kind))
			continue;
		if (++n_symbols >= MAX_SYMBOLS)
			die("too many symbols");
		s->begin = begin;
		s->end = begin + size;
		s->owner = is_ours(name) ? HOOKS : !strncmp(name, "kernel_", 7) ? FRAME : PROGRAM;
		if (!strcmp(name, "kernel_array"))
			kernel_array = begin;
	}
	fclose(f);
	qsort(symbols, n_symbols, sizeof(*symbols), by_begin);
	if (!kernel_array)
		die("no kernel_array in the symbols");
}

static enum owner owner_of(unsigned long ip)
{
	static const struct symbol *last = symbols;
	size_t low = 0, high = n_symbols;

	ip -= bias;
	if (ip >= last->begin && ip < last->end)
		return last->owner;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (symbols[middle].begin <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || ip >= symbols[low - 1].end)
		return LIBRARY;
	last = &symbols[low - 1];
	return last->owner;
}

static void mark_pages(struct array *y, unsigned char bits, unsigned long address, unsigned long n)
{
	unsigned long i, first = address > y->begin ? address : y->begin, end = address + n < y->end ? address + n : y->end;

	for (i = first / PAGE_BYTES; i <= (end - 1) / PAGE_BYTES; i++)
		y->pages[i - y->begin / PAGE_BYTES] |= bits;
}

/* One access of kind L, S, M or A (atomic). */
static void count(struct array *y, char kind, unsigned long address, unsigned long n)
{
	unsigned long i;

	if (address >= y->end || address + n <= y->begin || owner == FRAME)
		return;
	mark_pages(y, (unsigned char)((kind == 'L' ? 1 : kind == 'S' ? 2 : 3) << (owner == LIBRARY ? 2 : 0)), address, n);
	if (owner == LIBRARY) {
		for (i = address; i < address + n; i++) {
			if (i >= y->begin && i < y->end)
				y->touched[i - y->begin] |= kind == 'L' ? 1 : kind == 'S' ? 2 : 3;
		}
		library_touched = 1;
		return;
	}
	if (address + n > y->end)
		n = y->end - address;
	if (address < y->begin)
		n -= y->begin - address;
	switch (kind) {
	case 'L':
		y->loads++;
		break;
	case 'S':
		y->stores++;
		break;
	case 'A':
		y->atomics++;
		break;
	default:
		y->loads++;
		y->stores++;
		n *= 2;
	}
	y->bytes += n;
}

static void access_of(char kind, unsigned long address, unsigned long n)
{
	size_t i;

	if (address >= last_array || address + n <= first_array)
		return;
	for (i = 0; i < n_arrays; i++)
		count(&arrays[i], kind, address, n);
}

static void flush_held(void)
{
	if (held_bytes)
		access_of('L', held, held_bytes);
	held_bytes = 0;
}

static void flush_library(void)
{
	size_t i;
	unsigned long k;

	for (i = 0; i < n_arrays; i++) {
		struct array *y = &arrays[i];

		for (k = 0; k < y->end - y->begin; k++) {
			y->library_loaded += y->touched[k] & 1;
			y->library_stored += y->touched[k] >> 1;
		}
		memset(y->touched, 0, y->end - y->begin);
	}
	library_touched = 0;
}

static void new_array(const char *line)
{
	struct array *y = &arrays[n_arrays];
	unsigned long n;

	if (n_arrays == MAX_ARRAYS || sscanf(line, "A %63s %lx %lu", y->name, &y->begin, &n) != 3)
		die("a line of an array");
	y->end = y->begin + n;
	y->touched = calloc(1, n);
	y->pages = calloc(1, n / PAGE_BYTES + 2);
	if (!y->touched || !y->pages)
		die("no memory");
	if (y->begin < first_array)
		first_array = y->begin;
	if (y->end > last_array)
		last_array = y->end;
	n_arrays++;
}

static void data_line(const char *line)
{
	char *end;
	unsigned long address = strtoul(line + 3, &end, 16), n = strtoul(end + 1, NULL, 10);
	char kind = line[1];

	if (kind == 'M' && held_bytes == n && held == address) {
		held_bytes = 0;
		access_of('A', address, n);
		return;
	}
	flush_held();
	if (kind == 'L') {
		held = address;
		held_bytes = n;
	} else {
		access_of(kind == 'M' && owner == HOOKS ? 'A' : kind, address, n);
	}
}

static void instruction_line(const char *line)
{
	enum owner now;

	flush_held();
	now = owner_of(strtoul(line + 3, NULL, 16));
	if (library_touched && now != LIBRARY)
		flush_library();
	owner = now;
}

static void write_pages(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die("the file of pages");
	for (size_t i = 0; i < n_arrays; i++) {
		const struct array *y = &arrays[i];

		for (unsigned long k = y->begin / PAGE_BYTES; k <= (y->end - 1) / PAGE_BYTES; k++)
			for (int bit = 0; bit < 4; bit++)
				if (y->pages[k - y->begin / PAGE_BYTES] >> bit & 1)
					fprintf(f, "%s 0x%lx %c\n", y->name, k * PAGE_BYTES, "rwRW"[bit]);
	}
	fclose(f);
}

int main(int argc, char **argv)
{
	static char line[4096];
	size_t i;

	if (argc < 2)
		die("usage: lackey SYMBOLS [OURS [PAGES]] <TRACE");
	if (argc > 2)
		read_ours(argv[2]);
	read_symbols(argv[1]);
	while (fgets(line, sizeof(line), stdin)) {
		if (line[0] == 'I' && line[1] == ' ') {
			if (n_arrays)
				instruction_line(line);
		} else if (line[0] == ' ') {
			if (n_arrays)
				data_line(line);
		} else if (line[0] == 'A') {
			new_array(line);
		} else if (line[0] == 'B') {
			bias = strtoul(line + 2, NULL, 16) - kernel_array;
		}
	}
	flush_held();
	flush_library();
	if (!n_arrays)
		die("no arrays in the trace");
	if (argc > 3)
		write_pages(argv[3]);
	for (i = 0; i < n_arrays; i++) {
		const struct array *y = &arrays[i];

		printf("%s %lu %lu %lu %lu %lu %lu\n", y->name, y->loads, y->stores, y->atomics, y->bytes, y->library_loaded,
		       y->library_stored);
	}
	return 0;
}
