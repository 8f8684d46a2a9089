/*
 * Functions: makes regions for the functions of files compiled with kinst --functions (gcc's -finstrument-functions).
 *
 * The hooks get the function's address.  At its first call the name is looked up in the symbol table of its object file
 * (COLD).  Functions that are not in the list are recorded as such, and cost one table lookup per call.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/adapters/heap_calls.h"
#include "runtime/adapters/user.h"
#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/events/visit.h"
#include "runtime/host/past.h"
#include "runtime/host/stack.h"
#include "runtime/program/address_symbol.h"
#include "runtime/program/demangle.h"
#include "runtime/program/short_name.h"
#include "runtime/session/addresses.h"
#include "runtime/session/register.h"
#include "runtime/session/session_start.h"
#include "runtime/terms/option.h"
#include "runtime/terms/wish.h"

enum { N_ADDRESSES = 65536, NAME_BYTES = 512 };

static struct ompp_addresses regions = { .n = N_ADDRESSES }; /* by the functions' keys (past.h) */
static struct ompp_region_def unwanted = { .off = 1 };
static __thread int looking_up __attribute__((tls_model("initial-exec")));

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

void ompp_functions_default(const char *list)
{
	static _Atomic int is_set;

	ompp_session_start();
	if (!ompp_session.options.given[OMPP_OPT_FUNCTIONS] && !atomic_exchange(&is_set, 1))
		ompp_wish_begin(OMPP_WISH_FUNCTIONS, "kinst --functions", list);
}

static void copy_name(char *to, const char *name)
{
	size_t n = strnlen(name, NAME_BYTES - 1);

	memcpy(to, name, n);
	to[n] = '\0';
}

static int find_name(uintptr_t key, char *name)
{
	ompp_heap_watch_loads();
	ompp_past_meet(ompp_past_address(key)); /* it may be unloaded before the report asks where it was */
	return ompp_address_symbol(key, STT_FUNC, "", name, NAME_BYTES);
}

/* Demangles a name and takes the arguments away: the list names functions, not overloads. */
static void functions_demangle(char *name)
{
	struct ompp_arena arena;
	char *plain;

	if (ompp_demangle_procedure(name))
		return;
	ompp_arena_init(&arena, 0);
	plain = ompp_demangle(name, OMPP_DEMANGLE_NAME, &arena);
	if (plain) {
		ompp_short_name(plain);
		copy_name(name, plain);
	}
	ompp_arena_fini(&arena);
}

/* Returns whether a function belongs to the C or C++ library, by its symbol.  Names that begin with two underscores
 * belong to it, except gfortran's.  `St` is std; the other letters are abbreviations of its classes, or the operators
 * new and delete. */
static int is_library(const char *symbol)
{
	static const char *const operators[] = { "_Znw", "_Zna", "_Zdl", "_Zda" };

	if (strncmp(symbol, "_Z", 2))
		return symbol[0] == '_' && symbol[1] == '_' && !strstr(symbol, "_MOD_");
	for (size_t i = 0; i < OMPP_COUNT_OF(operators); i++)
		if (!strncmp(symbol, operators[i], strlen(operators[i])))
			return 1;
	symbol += 2;
	symbol += *symbol == 'N';
	symbol += *symbol == 'K';
	return (symbol[0] == 'S' && symbol[1] && strchr("tabsiod", symbol[1])) || !strncmp(symbol, "9__gnu_cxx", 10);
}

/* Copies the name of a template's instance without its return type and arguments: of "int std::accumulate<…>" remains
 * "std::accumulate".  `to` has NAME_BYTES. */
static void copy_bare(char *to, const char *name)
{
	const char *operator= strstr(name, "operator");
	size_t n = 0;
	int depth = 0;

	for (const char *p = name; *p && p != operator; p++) {
		depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
		if (*p == '(' || *p == ')' || (!depth && *p != '>'))
			to[n++] = *p;
		if (*p == ' ' && !depth)
			n = 0; /* what came before was a type */
	}
	copy_name(to + n, operator ? operator : "");
}

/* Returns whether the list names the function: by its whole name or by what follows its last "::".  A function of the
 * library must be named by its whole name. */
static int is_wanted(const char *name, int library)
{
	char bare[2 * NAME_BYTES];
	const char *last, *p;

	if (ompp_wish_is_empty(OMPP_WISH_FUNCTIONS))
		return !library;
	copy_bare(bare, name);
	name = last = bare;
	if (library)
		return ompp_wish_has(OMPP_WISH_FUNCTIONS, name);
	for (p = strstr(name, "::"); p; p = strstr(p + 2, "::"))
		last = p + 2;
	if (ompp_wish_has(OMPP_WISH_FUNCTIONS, name) || ompp_wish_has(OMPP_WISH_FUNCTIONS, last))
		return 1;
	ompp_wish_consider(OMPP_WISH_FUNCTIONS, last);
	ompp_wish_consider(OMPP_WISH_FUNCTIONS, name);
	return 0;
}

static struct ompp_region_def *functions_define(uintptr_t function)
{
	char name[NAME_BYTES];
	struct ompp_region_def *def = NULL;
	int library;

	if (!find_name(function, name))
		return &unwanted;
	library = is_library(name);
	functions_demangle(name);
	if (is_wanted(name, library))
		def = ompp_register_function(name, function);
	return def ? def : &unwanted;
}

/* What ompp_stack_call() passes on: the function, and the region that it gets. */
struct definition {
	uintptr_t function;
	struct ompp_region_def *def;
};

static void define_it(void *arg)
{
	struct definition *definition = arg;

	definition->def = functions_define(definition->function);
}

static struct ompp_region_def *define_on_stack(uintptr_t function)
{
	struct definition definition = { function, NULL };

	ompp_stack_call(define_it, &definition);
	return definition.def;
}

static struct ompp_region_def *region_of(void *address)
{
	uintptr_t function = ompp_past_key((uintptr_t)address);
	ompp_address_region *entry = ompp_addresses_entry(&regions, function);
	struct ompp_region_def *def = entry ? atomic_load_explicit(entry, memory_order_acquire) : &unwanted;

	if (__builtin_expect(def != NULL, 1))
		return def;
	/* The look-up may call instrumented functions, which must not be looked up in turn. */
	if (looking_up)
		return &unwanted;
	looking_up = 1;
	def = define_on_stack(function);
	looking_up = 0;
	atomic_store_explicit(entry, def, memory_order_release);
	return def;
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	struct ompp_region_def *def = region_of(function);

	(void)call_site;
	if (!def->off)
		ompp_visit_enter(def->key, OMPP_CALLER());
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	struct ompp_region_def *def = region_of(function);

	(void)call_site;
	if (!def->off)
		ompp_visit_exit(def->key);
}
