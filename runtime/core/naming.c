/*
 * Naming: see naming.h.
 */
#define _GNU_SOURCE
#include "runtime/core/naming.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/base/note.h"
#include "runtime/base/text.h"
#include "runtime/core/thread.h"
#include "runtime/data/range.h"
#include "runtime/data/symbols.h"
#include "runtime/sources/breakpoint.h"

enum { LONGEST_NAME = 255, UNLIMITED_STACK_BYTES = 64 << 20 };

/* ---- the stack ---- */

/* The mapping that holds the address, from the lines "lo-hi perms …" of /proc/self/maps.  0: not found. */
static int mapping_of(uintptr_t address, uintptr_t *lo, uintptr_t *hi)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), found = 0, field = 0;
	uintptr_t number[2] = { 0, 0 };
	char text[4096];
	ssize_t n, i;

	if (fd < 0)
		return 0;
	while (!found && (n = read(fd, text, sizeof(text))) > 0)
		for (i = 0; i < n && !found; i++) {
			char c = text[i];

			if (c == '\n') {
				field = 0;
				number[0] = number[1] = 0;
			} else if (field < 2 && (c == '-' || c == ' ')) {
				if (++field == 2 && number[0] <= address && address < number[1])
					found = 1;
			} else if (field < 2) {
				number[field] = number[field] << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
			}
		}
	close(fd);
	*lo = number[0];
	*hi = number[1];
	return found;
}

/* The thread's own variables stand above its stack in the same mapping: the lowest block of them ends the stack. */
static int lower_bound(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t *bounds = data, block = (uintptr_t)info->dlpi_tls_data;

	(void)size;
	if (block > bounds[0] && block < bounds[1])
		bounds[1] = block;
	return 0;
}

static void find_stack(struct ompp_thread *t)
{
	uintptr_t sp = (uintptr_t)__builtin_frame_address(0), bounds[2];
	struct rlimit limit;

	if (!mapping_of(sp, &t->stack_lo, &t->stack_hi)) {
		t->stack_lo = t->stack_hi = 0;
		return;
	}
	if (getpid() == gettid()) {             /* it grows */
		size_t n = UNLIMITED_STACK_BYTES;

		if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < (rlim_t)1 << 40)
			n = limit.rlim_cur;
		if (t->stack_hi > n && t->stack_hi - n < t->stack_lo)
			t->stack_lo = t->stack_hi - n;
	} else {
		bounds[0] = sp;
		bounds[1] = t->stack_hi;
		dl_iterate_phdr(lower_bound, bounds);
		t->stack_hi = bounds[1];
	}
}

void ompp_naming_stack(struct ompp_thread *t)
{
	int saved = errno;

	t->stack_named = 1;
	find_stack(t);
	if (t->stack_hi)
		t->stack_range = ompp_range_begin("(stack)", OMPP_ORIGIN_NONE, t->stack_lo, t->stack_hi - t->stack_lo,
		                                  t->slot + 1, 1);
	errno = saved;
}

/* ---- names ---- */

static struct ompp_thread *self(void)
{
	struct ompp_thread *t = ompp_self;

	if (!t->limit)
		t = ompp_thread_start(1);
	if (t && !t->stack_named)
		ompp_naming_stack(t);
	return t;
}

static int in_parallel(const struct ompp_thread *t)
{
	return t->base->flags & OMPP_FRAME_TEAM || (omp_in_parallel && omp_in_parallel());
}

/* Watch the object by breakpoints, where that is how it is measured. */
static void watch(const char *name, uintptr_t address, size_t n_bytes)
{
	(void)name;
	(void)address;
	(void)n_bytes;
}

int ompp_naming_watched(uint32_t object)
{
	(void)object;
	return 0;
}

uint64_t ompp_name(const char *name, enum ompp_origin origin, uintptr_t address, size_t n_bytes, int flags, int scoped)
{
	struct ompp_thread *t;
	uint64_t id;
	int saved = errno, on_stack;

	if (!name || !name[0] || name[0] == '(')
		return 0;
	t = self();
	on_stack = t && address >= (uintptr_t)__builtin_frame_address(0) && address < t->stack_hi;
	scoped = scoped && on_stack;
	id = ompp_range_begin(name, origin, address, n_bytes,
	                      t && (flags & OMPP_NAME_PRIVATE || in_parallel(t)) ? t->slot + 1 : 0, scoped);
	watch(name, address, n_bytes);
	errno = saved;
	return scoped ? id : 0;
}

void ompp_unname(const char *name)
{
	struct ompp_thread *t = self();
	int saved = errno;

	if (name)
		ompp_range_end_named(name, t ? t->slot + 1 : 0);
	errno = saved;
}

void ompp_unname_scoped(const char *name)
{
	int saved = errno;

	if (ompp_self->stack_hi)
		ompp_range_end_scoped(name, ompp_self->stack_lo, ompp_self->stack_hi);
	errno = saved;
}

/* ---- the user's variables ---- */

static void copy_name(char *to, const char *from, size_t n)
{
	n = n < LONGEST_NAME ? n : LONGEST_NAME;
	memcpy(to, from, n);
	to[n] = '\0';
}

static void say(const char *line)
{
	ompp_note_say(line);
}

static void complain(const char *variable, const char *item, size_t n_item, const char *what)
{
	char line[256];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, variable);
	ompp_text_str(&t, ": ");
	ompp_text_strn(&t, item, n_item);
	ompp_text_str(&t, what);
	ompp_note_say(line);
}

static int read_address(const char *text, size_t n, uintptr_t *address)
{
	size_t i = n > 2 && text[0] == '0' && (text[1] | 32) == 'x' ? 2 : 0;
	unsigned int base = i ? 16 : 10, digit;

	*address = 0;
	for (; i < n; i++) {
		char c = (char)(text[i] | 32);

		digit = text[i] >= '0' && text[i] <= '9' ? (unsigned int)(text[i] - '0') :
		        c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a' + 10) : 16;
		if (digit >= base)
			return -1;
		*address = *address * base + digit;
	}
	return *address ? 0 : -1;
}

/* OMPP_DATA_ADDR, _SIZE and _NAME item by item; a name may be left out. */
static void name_addresses(const struct ompp_options *o)
{
	static const struct ompp_option_info size = { "DATA_SIZE", OMPP_TYPE_SIZE, "", 1, INT64_MAX, "bytes", "" };
	const char *addresses = o->text[OMPP_OPT_DATA_ADDR], *sizes = o->text[OMPP_OPT_DATA_SIZE];
	const char *names = o->text[OMPP_OPT_DATA_NAME], *item, *size_item = "", *name_item = "";
	size_t n, n_size, n_name;

	while ((n = ompp_list_next(&addresses, &item))) {
		char name[LONGEST_NAME + 1], number[64];
		uintptr_t address;
		int64_t n_bytes = 0;

		n_size = ompp_list_next(&sizes, &size_item);
		n_name = ompp_list_next(&names, &name_item);
		copy_name(name, n_name ? name_item : item, n_name ? n_name : n);
		copy_name(number, size_item, n_size < sizeof(number) ? n_size : sizeof(number) - 1);
		if (read_address(item, n, &address))
			complain("OMPP_DATA_ADDR", item, n, ": not an address; write it as 0x7f001000 or decimal");
		else if (!n_size)
			complain("OMPP_DATA_SIZE", name, strlen(name), ": no size is given; write one for each address");
		else if (ompp_option_value(&size, number, &n_bytes))
			complain("OMPP_DATA_SIZE", number, strlen(number), ": not a size; write bytes, or 4K, 1M, 2G");
		else
			ompp_range_begin(name, OMPP_ORIGIN_ADDRESS, address, (size_t)n_bytes, 0, 0);
	}
}

static void found(const struct ompp_symbol *symbol)
{
	ompp_range_begin(symbol->name, OMPP_ORIGIN_SYMBOL, symbol->address, symbol->n_bytes, 0, 0);
}

void ompp_naming_start(void)
{
	const struct ompp_options *o = &ompp_session.options;

	ompp_objects_start();
	if (o->text[OMPP_OPT_DATA_ADDR][0])
		name_addresses(o);
	else if (o->text[OMPP_OPT_DATA_SIZE][0])
		ompp_note_say("OMPP_DATA_SIZE: no addresses are given; write OMPP_DATA_ADDR, or OMPP_DATA_NAME alone");
	else if (o->text[OMPP_OPT_DATA_NAME][0])
		ompp_symbols_find(o->text[OMPP_OPT_DATA_NAME], (size_t)o->number[OMPP_OPT_DATA_MIN_BYTES], found, say);
}
