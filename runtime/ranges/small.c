/*
 * Small: see small.h.
 */
#include "runtime/ranges/small.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sort.h"
#include "runtime/data/object.h"
#include "runtime/host/past.h"
#include "runtime/ranges/symbols.h"

struct small {
	const char *name;
	uintptr_t address;
	size_t n_bytes;
};

/* The variables of a file.  Constant, but for is_here. */
struct file {
	struct file *next;   /* the one that was read before */
	struct small *small; /* by address */
	uint32_t first, n;   /* numbers first + 1 to first + n */
	uintptr_t lo, hi;    /* where they lie, all within */
	uint32_t past;       /* the file's number in past.h; UINT32_MAX when not known */
	const char *name;    /* without its folder; "" for the program */
	uint32_t is_here;    /* 0 while it is unloaded */
};

static struct file *newest;
static uint32_t n_known; /* of all files */

/* By who reads a file. */
static struct small *noted;
static size_t n_noted, have;
static const char *file_read, *file_name; /* that `noted` are of: its path, which may be gone, to compare; its name */

/* Returns a copy of the name of a file without its folder; "" without memory. */
static const char *copy_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *copy = ompp_data_alloc(strlen(name) + 1);

	return copy ? memcpy(copy, name, strlen(name) + 1) : "";
}

void ompp_small_add(const struct ompp_symbol *symbol)
{
	size_t n = strlen(symbol->name) + 1;
	char *name;

	if (symbol->file != file_read) {
		ompp_smalls_put();
		file_read = symbol->file;
		file_name = copy_name(file_read);
	}
	name = ompp_data_alloc(n);
	if (!name || n_noted >= UINT32_MAX - n_known || ompp_data_grow(&noted, &have, n_noted + 1, sizeof(*noted)))
		return;
	memcpy(name, symbol->name, n);
	noted[n_noted++] = (struct small){ name, symbol->address, symbol->n_bytes };
}

static int is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct small *s = context;

	return s[x].address > s[y].address;
}

/* Fills in a file by what was noted, in the order of addresses.  Returns 0, or -1 without memory. */
static int small_fill(struct file *f)
{
	uint32_t *order = ompp_data_alloc(n_noted * sizeof(*order));

	*f = (struct file){ .small = ompp_data_alloc(n_noted * sizeof(*f->small)),
		            .first = n_known,
		            .n = (uint32_t)n_noted,
		            .lo = UINTPTR_MAX,
		            .is_here = 1 };
	if (!f->small || !order)
		return -1;
	for (uint32_t i = 0; i < f->n; i++)
		order[i] = i;
	ompp_sort(order, f->n, is_after, noted);
	for (uint32_t i = 0; i < f->n; i++) {
		const struct small *s = &noted[order[i]];

		ompp_assert(!i || f->small[i - 1].address <= s->address);
		f->small[i] = *s;
		f->lo = s->address < f->lo ? s->address : f->lo;
		f->hi = s->address + s->n_bytes > f->hi ? s->address + s->n_bytes : f->hi;
	}
	f->past = ompp_past_meet(f->lo);
	f->name = file_name;
	return 0;
}

void ompp_smalls_put(void)
{
	struct file *f = n_noted ? ompp_data_alloc(sizeof(*f)) : NULL;

	if (f && !small_fill(f)) {
		ompp_assert(f->lo < f->hi && f->first == n_known);
		f->next = newest;
		__atomic_store_n(&newest, f, __ATOMIC_RELEASE);
		__atomic_store_n(&n_known, n_known + f->n, __ATOMIC_RELEASE);
	}
	n_noted = 0;
	file_read = NULL;
}

static struct file *small_files(void)
{
	return __atomic_load_n(&newest, __ATOMIC_ACQUIRE);
}

int ompp_smalls_return(uintptr_t address)
{
	uint32_t past = ompp_past_meet(address);
	int n = 0;

	for (struct file *f = small_files(); f && past != UINT32_MAX; f = f->next)
		if (f->past == past) {
			OMPP_STORE(&f->is_here, 1u);
			n++;
		}
	return n > 0;
}

void ompp_smalls_leave(uintptr_t lo, uintptr_t hi)
{
	for (struct file *f = small_files(); f; f = f->next)
		if (lo <= f->lo && f->hi <= hi)
			OMPP_STORE(&f->is_here, 0u);
}

uint32_t ompp_smalls_n(void)
{
	return __atomic_load_n(&n_known, __ATOMIC_ACQUIRE);
}

int ompp_small_may_be(uint32_t cover)
{
	const struct ompp_cover *c = ompp_smalls_n() ? ompp_cover(cover) : NULL;

	return c && c->n_objects == 1 && ompp_object(c->objects[0])->origin == OMPP_ORIGIN_FILE;
}

/* Returns how many variables of a file begin at the address or before it. */
static uint32_t n_up_to(const struct file *f, uintptr_t address)
{
	uint32_t low = 0, high = f->n;

	while (low < high) { /* all below `low` begin at the address or before it, and those from `high` on behind it */
		uint32_t middle = low + (high - low) / 2;

		if (f->small[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	ompp_assert(!low || f->small[low - 1].address <= address);
	ompp_assert(low == f->n || f->small[low].address > address);
	return low;
}

static int small_holds(const struct small *s, uintptr_t address)
{
	return address - s->address < s->n_bytes;
}

uint32_t ompp_small_at(uintptr_t address)
{
	for (const struct file *f = small_files(); f; f = f->next) {
		uint32_t n = address - f->lo < f->hi - f->lo && OMPP_LOAD(&f->is_here) ? n_up_to(f, address) : 0;

		if (n && small_holds(&f->small[n - 1], address))
			return f->first + n;
	}
	return 0;
}

/* Returns the first variable of a file that ends behind the address; NULL when there is none. */
static const struct small *first_behind(const struct file *f, uintptr_t address)
{
	uint32_t n = n_up_to(f, address);

	if (n && small_holds(&f->small[n - 1], address))
		n--;
	return n < f->n ? &f->small[n] : NULL;
}

/* Are the variables of a file meant by the name of an object?  Nothing is ever loaded where the program is. */
static int is_meant(const struct file *f, const char *object)
{
	size_t n = strlen(f->name);

	return !n || (!strncmp(object, f->name, n) && object[n] == ':');
}

uint32_t ompp_small_next(uintptr_t *at, uintptr_t end, const char *object, struct ompp_small_extent *extent)
{
	const struct small *first = NULL;
	uint32_t number = 0;

	for (const struct file *f = small_files(); f; f = f->next) {
		const struct small *s = *at < f->hi && f->lo < end && is_meant(f, object) ? first_behind(f, *at) : NULL;

		if (!s || s->address >= end || (first && first->address <= s->address))
			continue;
		first = s;
		number = f->first + (uint32_t)(s - f->small) + 1;
	}
	if (!first)
		return 0;
	*extent = (struct ompp_small_extent){ first->address, first->address + first->n_bytes };
	ompp_assert(number && extent->hi > *at);
	*at = extent->hi;
	return number;
}

const char *ompp_small_name(uint32_t number)
{
	for (const struct file *f = small_files(); f; f = f->next)
		if (number - 1 - f->first < f->n)
			return f->small[number - 1 - f->first].name;
	return "";
}
