/*
 * C++ thread: see cxx_thread.h.
 *
 * A state of libstdc++ is the pointer to its table, the arguments from the last to the first, and what it calls.  Where
 * these are numbers and pointers, their sizes say where the pointer to the function is.
 */
#include "runtime/interpose/cxx_thread.h"

#include <elf.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/array.h"
#include "runtime/host/past.h"
#include "runtime/program/address_symbol.h"
#include "runtime/program/demangle.h"

enum {
	OF_STATE = 2, /* the function in the table of a state, behind two destructors */
	MOST_ARGUMENTS = 16,
	N_KNOWN = 256, /* functions of states; those beyond keep their own name */
	SYMBOL_BYTES = 2048
};

/* Where the states of a function have the pointer: its offset; NO where they have none, or where it is cannot be told.
 */
enum { UNKNOWN, NO };

/* Answers, by the keys of the functions.  Any thread adds; a key stays, and its answer follows it. */
static struct known {
	_Atomic uintptr_t key;
	_Atomic uint32_t answer;
} known[N_KNOWN];

static const struct {
	const char *name;
	size_t n_bytes;
} numbers[] = {
	{ "bool", sizeof(bool) },
	{ "char", 1 },
	{ "signed char", 1 },
	{ "unsigned char", 1 },
	{ "short", sizeof(short) },
	{ "unsigned short", sizeof(short) },
	{ "int", sizeof(int) },
	{ "unsigned int", sizeof(int) },
	{ "long", sizeof(long) },
	{ "unsigned long", sizeof(long) },
	{ "long long", sizeof(long long) },
	{ "unsigned long long", sizeof(long long) },
	{ "float", sizeof(float) },
	{ "double", sizeof(double) },
};

/* Returns the bytes of an argument that is a number or a pointer; 0 for others. */
static size_t argument_bytes(const char *type, size_t n)
{
	static const char reference[] = "std::reference_wrapper<";

	for (size_t i = 0; i < OMPP_COUNT_OF(numbers); i++)
		if (strlen(numbers[i].name) == n && !strncmp(type, numbers[i].name, n))
			return numbers[i].n_bytes;
	return type[n - 1] == '*' || !strncmp(type, reference, sizeof(reference) - 1) ? sizeof(void *) : 0;
}

/* Returns the length of the type that begins here: up to a comma, or the '>' that ends the list. */
static size_t type_length(const char *at)
{
	int depth = 0;
	size_t n;

	for (n = 0; at[n] && (depth || (at[n] != ',' && at[n] != '>')); n++)
		depth += strchr("<([{", at[n])                                        ? 1
		       : strchr(">)]}", at[n]) && !(at[n] == '>' && at[n - 1] == '-') ? -1
		                                                                      : 0;
	return n;
}

/* Is it a pointer to a function, "void (*)(int)", or to a member function that is not the library's own? */
static int is_function_pointer(const char *type, size_t n)
{
	const char *sign = strstr(type, "*)("), *library = strstr(type, "std::");

	return sign && sign < type + n && (!library || library > sign);
}

/* Returns the offset of the pointer in the states that have this function, given by its name; NO when it has none. */
static uint32_t pointer_offset(const char *name)
{
	static const char begin[] = "std::thread::_State_impl<std::thread::_Invoker<std::tuple<";
	size_t sizes[MOST_ARGUMENTS], n_sizes = 0, offset = sizeof(void *), n;
	const char *at = name + sizeof(begin) - 1;

	if (strncmp(name, begin, sizeof(begin) - 1) != 0)
		return NO;
	n = type_length(at);
	if (!n || !is_function_pointer(at, n))
		return NO;
	for (at += n; *at == ','; at += n) {
		at += strspn(at, ", ");
		n = type_length(at);
		sizes[n_sizes] = n ? argument_bytes(at, n) : 0;
		if (!sizes[n_sizes] || ++n_sizes == MOST_ARGUMENTS)
			return NO;
	}
	while (n_sizes) {
		size_t n_bytes = sizes[--n_sizes];

		offset = (offset + n_bytes - 1) / n_bytes * n_bytes + n_bytes;
	}
	return *at == '>' ? (uint32_t)((offset + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *)) : NO;
}

static uint32_t cxx_ask(uintptr_t key)
{
	char symbol[SYMBOL_BYTES];
	struct ompp_arena arena;
	const char *name;
	uint32_t answer = NO;

	if (!ompp_address_symbol(key, STT_FUNC, "", symbol, sizeof(symbol)) || strlen(symbol) + 1 == sizeof(symbol))
		return NO;
	ompp_arena_init(&arena, 0);
	name = ompp_demangle(symbol, OMPP_DEMANGLE_NAME, &arena);
	if (name)
		answer = pointer_offset(name);
	ompp_arena_fini(&arena);
	return answer;
}

static uint32_t cxx_known(uintptr_t of_state)
{
	uintptr_t key;

	if (ompp_past_meet(of_state) == UINT32_MAX)
		return NO;
	key = ompp_past_key(of_state);
	for (size_t i = 0, at = key / 16; i < N_KNOWN; i++, at++) {
		struct known *k = &known[at % N_KNOWN];
		uintptr_t before = 0;
		uint32_t answer;

		if (!atomic_compare_exchange_strong(&k->key, &before, key) && before != key)
			continue;
		answer = atomic_load(&k->answer);
		if (answer == UNKNOWN) {
			answer = cxx_ask(key);
			atomic_store(&k->answer, answer);
		}
		return answer;
	}
	return NO;
}

uintptr_t ompp_cxx_thread_function(const uintptr_t *state)
{
	uintptr_t of_state = ((const uintptr_t *)state[0])[OF_STATE], function;
	uint32_t offset = cxx_known(of_state);

	if (offset == NO)
		return of_state;
	function = state[offset / sizeof(*state)];
	return ompp_past_meet(function) != UINT32_MAX ? function : of_state; /* a virtual function's is no address */
}
