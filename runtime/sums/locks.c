/*
 * Locks: see locks.h.
 *
 * Symbols are searched once for all locks together.  Locks in the same member of the elements of one variable form a
 * class; so do locks without a variable that one place has initialised.  If there are enough locks to fill the
 * variable, the distance between locks of a class is the size of an element.  Otherwise the name has the offset in
 * bytes instead of the index.
 */
#define _GNU_SOURCE
#include "runtime/sums/locks.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/program_file.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/host/real.h"
#include "runtime/program/statement.h"
#include "runtime/program/variable.h"
#include "runtime/session/lock.h"
#include "runtime/terms/option.h"

enum { MANY = 16, MOST_SITES = 8, NAME_BYTES = 160, MOST_MODULES = 1024 };

/* A variable of the program in which there are locks. */
struct symbol {
	const char *name, *linkage;
	uintptr_t address;
	size_t n_bytes;
};

/* A lock that is shown or was only initialised. */
struct place {
	uintptr_t address;
	const struct ompp_lock_site *maker;
	const struct symbol *symbol; /* NULL when it is in no variable */
	uint32_t made;   /* its number among all locks that were initialised, from 1; 0 when that was not seen */
	uint32_t number; /* its number among the locks of the same maker, from 1; 0 when it is the only one */
};

struct item {
	const struct ompp_lock_def *def;
	const struct ompp_lock_site *from; /* the place that made it, or else sets it; NULL when not known */
	const struct symbol *symbol;
	const char *member; /* what follows the index in the argument, or "" */
	uint32_t number; /* its number among the locks of its maker, from 1; 0 when it is the only one, or not known */
};

struct module {
	const char *path;
	uintptr_t bias, lo, hi;
};

struct namer {
	struct ompp_arena *arena;
	const struct ompp_lock_def *newest; /* the newest lock that gets a name */
	struct item *items;
	size_t n_items;
	uint32_t *order; /* indices of the items, class by class */
	struct place *places;
	size_t n_places, have_places;
	uint32_t *by_address; /* indices of the places in ascending order of address */
	struct module *modules;
	size_t n_modules;
	int failed;
};

/* ---- sites ---- */

static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Return where a call is in the source, "" and 0 where that is not known.  That of a file that kinst did not build was
 * looked up before. */
static const char *path_of(const struct ompp_lock_site *site)
{
	return !site->place ? site->file : site->place->source ? site->place->source : "";
}

static uint32_t line_of(const struct ompp_lock_site *site)
{
	return site->place ? site->place->source_line : site->line;
}

static int site_is_after(const struct ompp_lock_site *a, const struct ompp_lock_site *b)
{
	int d = strcmp(file_of(path_of(a)), file_of(path_of(b)));

	return d ? d > 0 : line_of(a) != line_of(b) ? line_of(a) > line_of(b) : strcmp(a->argument, b->argument) > 0;
}

static int is_fortran(const struct ompp_lock_site *site)
{
	return site && ompp_statement_is_fortran(path_of(site));
}

/* Finds the brackets around the last index of an argument.  Returns 0 when there is none. */
static int find_index(const char *text, int fortran, size_t *open, size_t *close)
{
	char from = fortran ? '(' : '[', to = fortran ? ')' : ']';
	size_t at = strlen(text);
	int depth = 0;

	while (at && text[at - 1] != to)
		at--;
	if (!at)
		return 0;
	for (*close = --at;; at--) {
		depth += (text[at] == to) - (text[at] == from);
		if (!depth)
			break;
		if (!at)
			return 0;
	}
	*open = at;
	return at > 0;
}

/* Returns the place that names a lock: the one that made it, or else always the same one of the places that set it. */
static const struct ompp_lock_site *from_of(const struct ompp_lock_def *def)
{
	const struct ompp_lock_site *first = NULL;
	int i;

	if (def->maker)
		return def->maker;
	for (i = 0; i < OMPP_LOCK_SITES; i++) {
		const struct ompp_lock_site *site = atomic_load_explicit(&def->sites[i], memory_order_acquire);

		if (site && (!first || site_is_after(first, site)))
			first = site;
	}
	return first;
}

static const char *member_of(const struct ompp_lock_site *site)
{
	size_t open, close;

	if (!site)
		return "";
	return find_index(site->argument, is_fortran(site), &open, &close) ? site->argument + close + 1 : "";
}

/* ---- symbols ---- */

/* Adds a loaded file.  It runs under the lock of the dynamic linker, so it opens nothing. */
static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct namer *n = data;
	struct module *m = &n->modules[n->n_modules];

	(void)size;
	if (n->n_modules == MOST_MODULES)
		return 1;
	*m = (struct module){ .bias = info->dlpi_addr, .lo = UINTPTR_MAX };
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, hi = lo + info->dlpi_phdr[i].p_memsz;

		if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_W))
			continue;
		m->lo = lo < m->lo ? lo : m->lo;
		m->hi = hi > m->hi ? hi : m->hi;
	}
	m->path = n->n_modules ? ompp_arena_strdup(n->arena, info->dlpi_name ? info->dlpi_name : "")
	                       : ompp_program_file;
	n->n_modules++;
	return m->path ? 0 : 1;
}

static int place_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct place *places = context;

	return places[x].address > places[y].address;
}

/* Returns the first place at or behind an address. */
static size_t first_place(const struct namer *n, uintptr_t address)
{
	size_t low = 0, high = n->n_places;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (n->places[n->by_address[middle]].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Gives the symbol to the places in it.  Of two symbols over one place, the smaller one says more. */
static void give_symbol(struct namer *n, const struct ompp_variable *x, uintptr_t bias)
{
	size_t i = first_place(n, bias + x->address);
	struct symbol *symbol = NULL;

	for (; i < n->n_places; i++) {
		struct place *place = &n->places[n->by_address[i]];

		if (place->address - bias - x->address >= x->n_bytes)
			return;
		if (place->symbol && place->symbol->n_bytes <= x->n_bytes)
			continue;
		if (!symbol) {
			symbol = ompp_arena_alloc(n->arena, sizeof(*symbol));
			if (!symbol)
				return;
			*symbol = (struct symbol){ ompp_arena_strdup(n->arena, x->name),
				                   ompp_arena_strdup(n->arena, x->linkage), bias + x->address,
				                   x->n_bytes };
			if (!symbol->name || !symbol->linkage)
				return;
		}
		place->symbol = symbol;
	}
}

static void search_module(struct namer *n, const struct module *m)
{
	struct ompp_variables v;
	size_t first = first_place(n, m->lo);

	if (first == n->n_places || n->places[n->by_address[first]].address >= m->hi)
		return;
	if (!ompp_variables_open(&v, m->path, 0))
		for (size_t i = 0; i < v.n; i++)
			if (v.items[i].n_bytes && !(v.items[i].flags & (OMPP_VARIABLE_TLS | OMPP_VARIABLE_GONE)))
				give_symbol(n, &v.items[i], m->bias);
	ompp_variables_close(&v);
}

static void add_place(const struct ompp_lock *lock, void *context)
{
	struct namer *n = context;
	struct place *places = ompp_arena_grow(n->arena, n->places, &n->have_places, n->n_places + 1, sizeof(*places));

	if (!places) {
		n->failed = 1;
		return;
	}
	n->places = places;
	places[n->n_places++] = (struct place){ atomic_load_explicit(&lock->address, memory_order_relaxed), lock->maker,
		                                NULL, lock->made, 0 };
}

static int find_symbols(struct namer *n)
{
	ompp_locks_each(add_place, n);
	n->by_address = ompp_arena_alloc(n->arena, n->n_places * sizeof(*n->by_address));
	n->modules = ompp_arena_alloc(n->arena, MOST_MODULES * sizeof(*n->modules));
	if (n->failed || !n->by_address || !n->modules)
		return -ENOMEM;
	for (size_t i = 0; i < n->n_places; i++)
		n->by_address[i] = (uint32_t)i;
	ompp_sort(n->by_address, n->n_places, place_is_after, n->places);
	ompp_real_each(add_module, n);
	for (size_t i = 0; i < n->n_modules; i++)
		search_module(n, &n->modules[i]);
	return 0;
}

static const struct place *place_at(const struct namer *n, uintptr_t address)
{
	size_t i = first_place(n, address);

	return i < n->n_places && n->places[n->by_address[i]].address == address ? &n->places[n->by_address[i]] : NULL;
}

static int made_after(const void *context, uint32_t x, uint32_t y)
{
	const struct place *a = (const struct place *)context + x, *b = (const struct place *)context + y;

	return a->maker != b->maker ? a->maker > b->maker : a->made > b->made;
}

/* Numbers the locks of each place that makes more than one. */
static int number_places(struct namer *n)
{
	uint32_t *order = ompp_arena_alloc(n->arena, n->n_places * sizeof(*order));
	size_t i, first, end;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < n->n_places; i++)
		order[i] = (uint32_t)i;
	ompp_sort(order, n->n_places, made_after, n->places);
	for (first = 0; first < n->n_places; first = end) {
		for (end = first + 1; end < n->n_places && n->places[order[end]].maker == n->places[order[first]].maker;
		     end++)
			;
		for (i = first; i < end && end - first > 1 && n->places[order[i]].maker; i++)
			n->places[order[i]].number = (uint32_t)(i - first + 1);
	}
	return 0;
}

/* ---- classes ---- */

static int class_order(const struct item *a, const struct item *b)
{
	if (a->symbol != b->symbol)
		return a->symbol < b->symbol ? -1 : 1;
	if (!a->symbol)
		return a->from == b->from ? 0 : a->from < b->from ? -1 : 1;
	return strcmp(a->member, b->member);
}

static int item_is_after(const void *context, uint32_t x, uint32_t y)
{
	const struct item *items = context;
	int d = class_order(&items[x], &items[y]);

	return d ? d > 0 : x > y;
}

static int is_one_class(const struct item *a, const struct item *b)
{
	return (a->symbol || a->from) && !class_order(a, b);
}

static uintptr_t common_divisor(uintptr_t a, uintptr_t b)
{
	while (b) {
		uintptr_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Returns the distance in bytes from one element to the next; 0 when it is not known. */
static uintptr_t stride_of(const struct namer *n, const struct item *item)
{
	const struct symbol *s = item->symbol;
	uintptr_t first = 0, stride = 0;
	size_t i, n_locks = 0;

	for (i = first_place(n, s->address); i < n->n_places; i++) {
		const struct place *place = &n->places[n->by_address[i]];

		if (place->address - s->address >= s->n_bytes)
			break;
		if (place->symbol != s || (place->maker && strcmp(member_of(place->maker), item->member)))
			continue;
		if (n_locks++)
			stride = common_divisor(place->address - first, stride);
		else
			first = place->address;
	}
	if (n_locks == 1)
		stride = s->n_bytes;
	return n_locks * stride == s->n_bytes && first - s->address < stride ? stride : 0;
}

/* ---- names ---- */

static int is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Writes the words of a mangled C++ name, "ns::v" of _ZN2ns1vE; or the whole name where it has more than words. */
static void put_linkage(struct ompp_text *t, const char *s)
{
	size_t before = t->n_bytes;
	const char *p = s + 2, *end;
	int nested;

	nested = *p == 'N';
	p += nested;
	for (;;) {
		size_t n = 0;

		p += *p == 'L'; /* the mark of a name that is known to its file alone */
		if (*p < '1' || *p > '9')
			break;

		for (end = p; *end >= '0' && *end <= '9' && n < NAME_BYTES; end++)
			n = n * 10 + (size_t)(*end - '0');
		if (strnlen(end, n) < n)
			break;
		ompp_text_str(t, t->n_bytes > before ? "::" : "");
		ompp_text_strn(t, end, n);
		p = end + n;
	}
	if (t->n_bytes > before && (nested ? !strcmp(p, "E") : !*p))
		return;
	t->n_bytes = before;
	t->data[before] = '\0';
	ompp_text_str(t, s);
}

/* Returns where the name of this variable ends in the argument; 0 when the argument does not have it. */
static size_t names_symbol(const char *text, const struct symbol *s)
{
	const char *p = text, *end;

	for (; *p; p = end) {
		char mangled[NAME_BYTES];
		size_t n_word;
		const char *word = ompp_variable_word(s->name, strlen(s->name), &n_word);
		struct ompp_text t;

		for (end = p; is_word(*end); end++)
			;
		if (end == p) {
			end++;
			continue;
		}
		if ((size_t)(end - p) == n_word && ompp_text_same(p, n_word, word, n_word))
			return (size_t)(end - text);
		ompp_text_init(&t, mangled, sizeof(mangled));
		ompp_text_u64(&t, (uint64_t)(end - p));
		ompp_text_strn(&t, p, (size_t)(end - p));
		if (!strncmp(s->linkage, "_Z", 2) && strstr(s->linkage, mangled))
			return (size_t)(end - text);
	}
	return 0;
}

static void put_symbol(struct ompp_text *t, const struct symbol *s)
{
	if (!strncmp(s->linkage, "_Z", 2))
		put_linkage(t, s->linkage);
	else
		ompp_text_str(t, s->name);
}

/* Writes the argument with "*" for each index of C, or for the last one of Fortran. */
static void put_folded(struct ompp_text *t, const char *text, int fortran)
{
	size_t open, close, i;
	int depth = 0;

	if (fortran) {
		if (!find_index(text, 1, &open, &close)) {
			ompp_text_str(t, text);
			return;
		}
		ompp_text_strn(t, text, open);
		ompp_text_str(t, "(*)");
		ompp_text_str(t, text + close + 1);
		return;
	}
	for (i = 0; text[i]; i++) {
		depth -= text[i] == ']' && depth;
		if (!depth)
			ompp_text_char(t, text[i]);
		if (text[i] == '[' && !depth++)
			ompp_text_char(t, '*');
	}
}

static int has_one_index(const char *text)
{
	const char *open = strchr(text, '[');

	return open && !strchr(open + 1, '[');
}

static void put_index(struct ompp_text *t, const char *text, uint64_t index)
{
	size_t open, close;

	find_index(text, 0, &open, &close);
	ompp_text_strn(t, text, open + 1);
	ompp_text_u64(t, index);
	ompp_text_str(t, text + close);
}

/* Writes the name of one lock in a variable. */
static void put_variable(struct ompp_text *t, const struct namer *n, const struct item *item)
{
	const struct symbol *s = item->symbol;
	uintptr_t offset = item->def->address - s->address, stride = stride_of(n, item);
	const char *text = item->from ? item->from->argument : "";
	size_t end = names_symbol(text, s);

	if (stride == s->n_bytes && end) {
		ompp_text_str(t, text);
		return;
	}
	if (stride && stride < s->n_bytes && end && !is_fortran(item->from) && has_one_index(text)) {
		put_index(t, text, offset / stride);
		return;
	}
	if (end && strspn(text, "&*( ") == 0 && strcspn(text, "[(.-+ ") == end)
		ompp_text_strn(t, text, end);
	else
		put_symbol(t, s);
	if (stride && stride < s->n_bytes) {
		ompp_text_str(t, is_fortran(item->from) ? " #" : "[");
		ompp_text_u64(t, offset / stride + (is_fortran(item->from) ? 1 : 0));
		ompp_text_str(t, is_fortran(item->from) ? "" : "]");
		ompp_text_str(t, item->member);
	} else if (offset) {
		ompp_text_char(t, '+');
		ompp_text_u64(t, offset);
	}
}

/* Returns what stands for the name of a lock without one: of a call whose place in the source is not known its symbol,
 * "main+0x1f"; "" where it is, which says enough, or where nothing is known. */
static const char *nameless(const struct ompp_lock_site *from)
{
	return from && from->place && !path_of(from)[0] ? ompp_region_shown_name(from->place) : "";
}

/* Returns the name of one lock, or of all locks of its class when these are folded into one region.
 * number: its number in the class, from 1; 0 when it is alone */
static const char *name_of(const struct namer *n, const struct item *item, int folded, size_t number)
{
	const char *text = item->from ? item->from->argument : "";
	char name[NAME_BYTES];
	struct ompp_text t;

	ompp_text_init(&t, name, sizeof(name));
	if (item->def->maker)
		number = item->number;
	if (folded && item->symbol && !names_symbol(text, item->symbol)) {
		put_symbol(&t, item->symbol);
		ompp_text_str(&t, is_fortran(item->from) ? "(*)" : "[*]");
	} else if (folded && item->symbol && !strpbrk(text, "[(")) {
		ompp_text_strn(&t, text, names_symbol(text, item->symbol));
		ompp_text_str(&t, "[*]");
	} else if (folded) {
		put_folded(&t, text[0] ? text : nameless(item->from), is_fortran(item->from));
	} else if (item->symbol) {
		put_variable(&t, n, item);
	} else {
		ompp_text_str(&t, text[0] ? text : nameless(item->from));
		if (number) {
			ompp_text_str(&t, t.n_bytes ? " #" : "#");
			ompp_text_u64(&t, number);
		}
	}
	return ompp_arena_strdup(n->arena, name);
}

/* Returns where the locks of a class are set, "a.c:12, a.c:40 and more". */
static const char *sites_of(const struct namer *n, const uint32_t *order, size_t n_class)
{
	const struct ompp_lock_site *sites[MOST_SITES];
	size_t n_sites = 0, i, k, room = 32;
	int more = 0, j;
	struct ompp_text t;
	char *text;

	for (i = 0; i < n_class; i++) {
		const struct ompp_lock_def *def = n->items[order[i]].def;

		more |= atomic_load_explicit(&def->has_more_sites, memory_order_relaxed) != 0;
		for (j = 0; j < OMPP_LOCK_SITES; j++) {
			const struct ompp_lock_site *site = atomic_load_explicit(&def->sites[j], memory_order_acquire);

			for (k = 0; site && k < n_sites; k++)
				if (line_of(sites[k]) == line_of(site) && !strcmp(path_of(sites[k]), path_of(site)))
					site = NULL;
			if (!site)
				continue;
			if (n_sites == MOST_SITES) {
				more = 1;
				continue;
			}
			for (k = n_sites++; k > 0 && site_is_after(sites[k - 1], site); k--)
				sites[k] = sites[k - 1];
			sites[k] = site;
		}
	}
	for (k = 0; k < n_sites; k++)
		room += strlen(file_of(path_of(sites[k]))) + 16;
	text = ompp_arena_alloc(n->arena, room);
	if (!text)
		return NULL;
	ompp_text_init(&t, text, room);
	for (k = 0; k < n_sites; k++) {
		ompp_text_str(&t, k ? ", " : "");
		ompp_text_str(&t, file_of(path_of(sites[k])));
		ompp_text_char(&t, ':');
		ompp_text_u64(&t, line_of(sites[k]));
	}
	ompp_text_str(&t, more ? " and more" : "");
	return text;
}

/* Names the locks of a class, as one region or as one each. */
static int name_class(struct namer *n, struct ompp_locks *locks, const uint32_t *order, size_t n_class)
{
	int64_t mode = ompp_session.options.number[OMPP_OPT_COLLAPSE_LOCKS];
	const struct item *first = &n->items[order[0]];
	uint32_t n_locks = 0, shown_as = OMPP_KEY_ID(first->def->region->key);
	int folds;
	size_t i;

	for (i = 0; i < n_class; i++)
		n_locks += atomic_load_explicit(&n->items[order[i]].def->n_locks, memory_order_relaxed);
	folds = mode == OMPP_COLLAPSE_ARRAY ? n_locks > 1 : mode == OMPP_COLLAPSE_AUTO && n_locks > MANY;
	for (i = 0; i < n_class; i++) {
		const struct item *item = &n->items[order[i]];
		uint32_t id = OMPP_KEY_ID(item->def->region->key);
		struct ompp_lock_name *name = &locks->names[id];

		if (folds && i) {
			*name = locks->names[shown_as];
			continue;
		}
		name->name = name_of(n, item, folds, n_class > 1 ? i + 1 : 0);
		name->file = item->def->maker ? path_of(item->def->maker) : "";
		name->line = item->def->maker ? line_of(item->def->maker) : 0;
		name->n_locks = folds ? n_locks : 1;
		name->sites = sites_of(n, order + i, folds ? n_class : 1);
		name->shown_as = id;
		if (!name->name || !name->sites)
			return -ENOMEM;
		name->is_off = ompp_region_is_filtered(
			&(struct ompp_region_def){ .construct = item->def->region->construct,
		                                   .file = name->file,
		                                   .begin_line = name->line,
		                                   .end_line = name->line,
		                                   .name = name->name });
	}
	return 0;
}

static int list_items(struct namer *n)
{
	const struct ompp_lock_def *def;
	size_t i;

	for (def = n->newest; def; def = def->next)
		n->n_items++;
	n->items = ompp_arena_alloc(n->arena, n->n_items * sizeof(*n->items));
	n->order = ompp_arena_alloc(n->arena, n->n_items * sizeof(*n->order));
	if (!n->items || !n->order || find_symbols(n) || number_places(n))
		return -ENOMEM;
	for (def = n->newest, i = n->n_items; i-- > 0; def = def->next) {
		const struct place *place = place_at(n, def->address);

		n->items[i] = (struct item){ def, from_of(def), place ? place->symbol : NULL, "",
			                     place ? place->number : 0 };
		n->items[i].member = member_of(n->items[i].from);
		n->order[i] = (uint32_t)i;
	}
	ompp_sort(n->order, n->n_items, item_is_after, n->items);
	return 0;
}

int ompp_locks_name(struct ompp_locks *locks, struct ompp_arena *arena)
{
	struct namer n = { .arena = arena, .newest = ompp_lock_defs() };
	size_t first, end;
	int rc;

	*locks = (struct ompp_locks){ NULL, 0 };
	if (!n.newest)
		return 0;
	locks->n = ompp_region_count() + 1; /* after the newest was read, so its region counts */
	locks->names = ompp_arena_alloc(arena, locks->n * sizeof(*locks->names));
	rc = locks->names ? list_items(&n) : -ENOMEM;
	for (first = 0; first < n.n_items && !rc; first = end) {
		for (end = first + 1; end < n.n_items && is_one_class(&n.items[n.order[first]], &n.items[n.order[end]]);
		     end++)
			;
		rc = name_class(&n, locks, n.order + first, end - first);
	}
	return rc;
}

const struct ompp_lock_name *ompp_locks_at(const struct ompp_locks *locks, uint32_t region)
{
	return region < locks->n && locks->names[region].name ? &locks->names[region] : NULL;
}
