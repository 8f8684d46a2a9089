/*
 * Naming: see naming.h.
 */
#define _GNU_SOURCE
#include "runtime/session/naming.h"

#include <string.h>

#include "runtime/access/access.h"
#include "runtime/access/access_model.h"
#include "runtime/access/access_reuse.h"
#include "runtime/access/follow.h"
#include "runtime/base/check.h"
#include "runtime/base/text.h"
#include "runtime/core/section.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/core/thread_stack.h"
#include "runtime/events/thread_start.h"
#include "runtime/host/note.h"
#include "runtime/memory/block_extent.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/placement.h"
#include "runtime/ranges/range.h"
#include "runtime/ranges/range_block.h"
#include "runtime/ranges/small.h"
#include "runtime/ranges/symbols.h"
#include "runtime/sources/breakpoint.h"
#include "runtime/terms/mode.h"
#include "runtime/terms/option.h"

enum { LONGEST_NAME = 255, MOST_SHOWN = 80 };

static struct ompp_thread *naming_self(void)
{
	struct ompp_thread *t = ompp_self;

	if (!t->limit)
		t = ompp_thread_start(1);
	if (t && !t->stack_named)
		ompp_thread_name_stack(t);
	return t;
}

static int in_parallel(const struct ompp_thread *t)
{
	return (t->base->flags & OMPP_FRAME_TEAM) != 0;
}

static int method_is(const char *word)
{
	return ompp_list_has(ompp_session.options.text[OMPP_OPT_DATA_METHOD], word, strlen(word));
}

/* Lets breakpoints follow when a range comes into force or goes, in a program without hooks.  Called under the lock of
 * ranges. */
static void naming_watch(const struct ompp_range *r, int in_force)
{
	struct ompp_object_def *def = r->object;
	char why[200];

	if (def->index < OMPP_OBJECT_FIRST_NAMED || def->site || def->origin == OMPP_ORIGIN_FILE)
		return;
	if (in_force && r->next) /* in several places at once */
		ompp_breakpoint_refuse(def->index);
	else if (ompp_breakpoint_watch(def->index, r->lo, in_force ? r->hi - r->lo : 0, why, sizeof(why)) && in_force &&
	         method_is("breakpoint"))
		ompp_note_say(why);
	if (OMPP_LOAD(&ompp_breakpoints_on) && ompp_self->limit)
		ompp_access_boundary(ompp_self);
}

/* Stops all breakpoints when the program has hooks, which count the same accesses and more. */
static void naming_unwatch(void)
{
	uint32_t n = ompp_n_objects, i;
	char why[200];

	ompp_range_changed = NULL;
	for (i = OMPP_OBJECT_FIRST_NAMED; i < n && OMPP_LOAD(&ompp_breakpoints_on); i++)
		ompp_breakpoint_watch(i, 0, 0, why, sizeof(why));
	if (OMPP_LOAD(&ompp_breakpoints_on) && ompp_self->limit)
		ompp_access_boundary(ompp_self); /* Breakpoints that are still open count nothing any more; hooks do. */
	if (method_is("breakpoint"))
		ompp_note_say("OMPP_DATA_METHOD=breakpoint: not needed: the program has access hooks, which count all "
		              "accesses");
}

/* Refuses ranges that cannot be memory of a program.  Returns 0 when the range is possible, and 1 when it is refused;
 * each name is noted once. */
static int is_impossible(const char *name, uintptr_t address, size_t n_bytes)
{
	char line[256];
	struct ompp_text t;
	size_t n_head;

	if (!n_bytes || (n_bytes <= OMPP_LAST_ADDRESS && address <= OMPP_LAST_ADDRESS - n_bytes))
		return 0;
	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "Not named: ");
	ompp_text_strn(&t, name, strnlen(name, MOST_SHOWN));
	ompp_text_str(&t, ": ");
	n_head = t.n_bytes;
	if (n_bytes > PTRDIFF_MAX) {
		ompp_text_str(&t, "its size is negative (-");
		ompp_text_u64(&t, -(uint64_t)n_bytes);
		ompp_text_str(&t, " bytes); check how the size is computed");
	} else if (address > OMPP_LAST_ADDRESS) {
		ompp_text_str(&t, "0x");
		ompp_text_hex(&t, address);
		ompp_text_str(&t, " is not an address in a program's memory; name what it points to");
	} else {
		ompp_text_str(&t, "its ");
		ompp_text_u64(&t, n_bytes);
		ompp_text_str(&t, " bytes would end past the address space; check how the size is computed");
	}
	ompp_note_say_once(line, n_head);
	return 1;
}

static enum ompp_range_kind kind_of(int flags)
{
	return flags & OMPP_NAME_EACH ? OMPP_RANGE_EACH : flags & OMPP_NAME_SUM ? OMPP_RANGE_SUM : OMPP_RANGE_MOVES;
}

/* Names the data of a container.  It is followed when hooks can see the container change and the data lie outside of
 * it; the data of a std::array lie inside. */
static uint64_t name_container(struct ompp_thread *t, const struct ompp_name *n, uint32_t owner, uintptr_t scope)
{
	int is_hooked = ompp_access_objects.source || ompp_access_objects.plain, is_open;
	struct ompp_container *container;
	const void *data;
	size_t n_bytes;
	uint64_t id;

	if (!t)
		return 0;
	is_open = ompp_follow_ask(t, n->look, n->address, n->address + n->n_bytes, &data, &n_bytes);
	if (is_open)
		ompp_follow_not(n->text, OMPP_FOLLOW_OPEN);
	if (n->flags & OMPP_NAME_NESTED)
		ompp_follow_not(n->text, OMPP_FOLLOW_NESTED);
	if (is_open || !is_hooked || ((uintptr_t)data == n->address && n_bytes == n->n_bytes))
		return ompp_range_begin_as(kind_of(n->flags), n->text, n->origin, (uintptr_t)data, n_bytes, owner,
		                           scope);
	id = ompp_container_begin(kind_of(n->flags), n->text, n->origin, n->address, n->n_bytes, n->look, owner, scope,
	                          &container);
	if (container)
		ompp_follow_look(t, container);
	return id;
}

uint64_t ompp_name(const struct ompp_name *n)
{
	uintptr_t scope = n->scope;
	size_t n_bytes = n->n_bytes;
	struct ompp_thread *t;
	uint32_t owner;
	uint64_t id;

	if (!n->text || !n->text[0] || n->text[0] == '(')
		return 0;
	if (!ompp_session_is_started() || method_is("none"))
		return 0;
	t = naming_self();
	if (t && t->follow.is_holding)
		ompp_follow_settle(t);
	if (!t || n->flags & OMPP_NAME_UNSCOPED || n->address < (uintptr_t)__builtin_frame_address(0) ||
	    n->address >= t->stack_hi)
		scope = 0;
	if (is_impossible(n->text, n->address, n_bytes))
		n_bytes = 0;
	owner = t && (n->flags & OMPP_NAME_PRIVATE || in_parallel(t)) ? t->slot + 1 : 0;
	id = n->look ? name_container(t, n, owner, scope)
	             : ompp_range_begin_as(kind_of(n->flags), n->text, n->origin, n->address, n_bytes, owner, scope);
	if (OMPP_LOAD(&ompp_breakpoints_on) && t)
		ompp_access_boundary(t); /* breakpoints count from here on */
	if (OMPP_IS_CHECKED(ompp_n_ranges))
		ompp_ranges_check();
	return scope ? id : 0;
}

void ompp_unname(const char *name)
{
	struct ompp_thread *t = naming_self();

	if (name)
		ompp_range_end_named(name, t ? t->slot + 1 : 0);
}

void ompp_unname_scoped(const char *name, uintptr_t frame)
{
	if (ompp_self->stack_hi)
		ompp_range_end_scoped(name, ompp_self->stack_lo, frame + 1);
}

/* ---- the user's variables ---- */

static void copy_name(char *to, const char *from, size_t n)
{
	n = n < LONGEST_NAME ? n : LONGEST_NAME;
	memcpy(to, from, n);
	to[n] = '\0';
}

static void naming_complain(const char *variable, const char *item, size_t n_item, const char *what)
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

		digit = text[i] >= '0' && text[i] <= '9' ? (unsigned int)(text[i] - '0')
		      : c >= 'a' && c <= 'f'             ? (unsigned int)(c - 'a' + 10)
		                                         : 16;
		if (digit >= base)
			return -1;
		*address = *address * base + digit;
	}
	return *address ? 0 : -1;
}

/* Names what OMPP_DATA_ADDR, _SIZE and _NAME list, item by item; a name may be left out. */
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
			naming_complain("OMPP_DATA_ADDR", item, n,
			                ": not an address; write it as 0x7f001000 or decimal");
		else if (!n_size)
			naming_complain("OMPP_DATA_SIZE", name, strlen(name),
			                ": no size is given; write one for each address");
		else if (ompp_option_value(&size, number, &n_bytes))
			naming_complain("OMPP_DATA_SIZE", number, strlen(number),
			                ": not a size; write bytes, or 4K, 1M, 2G");
		else if (!is_impossible(name, address, (size_t)n_bytes))
			ompp_range_begin(name, OMPP_ORIGIN_ADDRESS, address, (size_t)n_bytes, 0, 0);
	}
}

static void name_variable(const struct ompp_symbol *symbol, int is_found)
{
	ompp_range_is_found(symbol->name, OMPP_ORIGIN_SYMBOL, is_found);
	ompp_range_begin(symbol->name, OMPP_ORIGIN_SYMBOL, symbol->address, symbol->n_bytes, 0, 0);
}

static void asked_for(const struct ompp_symbol *symbol)
{
	name_variable(symbol, 0);
}

/* Variables smaller than OMPP_OBJECT_MIN are objects of their own where what threads do with each alone is looked for,
 * shared cache lines and misses; samples, first touches and pages tell them apart by their addresses. */
static int names_small(void)
{
	return ompp_session.options.number[OMPP_OPT_SHARING] || ompp_access_modelled || ompp_access_reused;
}

static int knows_small(void)
{
	return names_small() || strcmp(ompp_session.options.text[OMPP_OPT_SAMPLE], "off") ||
	       strcmp(ompp_session.options.text[OMPP_OPT_PAGES], "off");
}

static void found_any(const struct ompp_symbol *symbol)
{
	if (symbol->n_bytes >= (size_t)ompp_session.options.number[OMPP_OPT_OBJECT_MIN] ||
	    (names_small() && !symbol->is_constant))
		name_variable(symbol, 1);
	else if (!symbol->is_constant)
		ompp_small_add(&(struct ompp_symbol){ symbol->name, "", symbol->address, symbol->n_bytes, 0 });
}

/* With OMPP_OBJECTS=all nobody asked for a certain variable, so nobody is told that there is none. */
static void not_asked_for(const char *line)
{
	(void)line;
}

/* Variables of libraries are no objects; their addresses tell them apart, whatever their size. */
static void found_in_library(const struct ompp_symbol *symbol)
{
	if (!symbol->is_constant)
		ompp_small_add(symbol);
}

static void name_variables(void)
{
	ompp_symbols_find("*", knows_small() ? 1 : (size_t)ompp_session.options.number[OMPP_OPT_OBJECT_MIN], found_any,
	                  not_asked_for);
	if (knows_small()) {
		ompp_symbols_of_libraries(found_in_library);
		ompp_section_symbols = found_in_library;
	}
	ompp_smalls_put();
}

void ompp_naming_here(void)
{
	struct ompp_thread *t = OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES ? naming_self() : NULL;

	if (t)
		ompp_access_boundary(t);
}

void ompp_naming_start(void)
{
	const struct ompp_options *o = &ompp_session.options;

	ompp_objects_start();
	ompp_placement_start();
	if (strcmp(o->text[OMPP_OPT_SAMPLE], "off"))
		ompp_extents_start();
	ompp_access_hooked = naming_unwatch;
	if (method_is("none"))
		return;
	if (ompp_access_objects.plain || ompp_access_objects.source) /* the constructors of hooked files came first */
		naming_unwatch();
	else if (method_is("breakpoint") || (method_is("auto") && !ompp_breakpoint_may_lose()))
		ompp_range_changed = naming_watch;
	if (method_is("breakpoint"))
		ompp_breakpoint_at_any_cost();
	if (ompp_heap_on && !o->text[OMPP_OPT_DATA_ADDR][0])
		name_variables();
	if (o->text[OMPP_OPT_DATA_ADDR][0])
		name_addresses(o);
	else if (o->text[OMPP_OPT_DATA_SIZE][0])
		ompp_note_say("OMPP_DATA_SIZE: no addresses are given; write OMPP_DATA_ADDR, or OMPP_DATA_NAME alone");
	else if (o->text[OMPP_OPT_DATA_NAME][0])
		ompp_symbols_find(o->text[OMPP_OPT_DATA_NAME], (size_t)o->number[OMPP_OPT_DATA_MIN_BYTES], asked_for,
		                  ompp_note_say);
	if (ompp_heap_on && ompp_range_least_block) /* accesses or samples are counted */
		ompp_sections_name();
}
