/*
 * C++ thread: see cxx_thread.h.
 */
#include "runtime/interpose/cxx_thread.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/host/past.h"
#include "runtime/program/function_symbol.h"

enum {
	OF_STATE = 2,   /* the function in the table of a state, behind two destructors */
	MOST_WORDS = 9, /* of a state: its table, arguments, and the pointer */
	N_KNOWN = 256,
	SYMBOL_BYTES = 1024,
	PAGE_BYTES = 4096
};

/* What was found of a function: the symbol of a state's, or whether another one begins there. */
enum { UNKNOWN, NO, YES };

/* Answers, by the keys of the functions.  Any thread adds; a key stays, and its answer follows it. */
static struct known {
	_Atomic uintptr_t key;
	_Atomic int answer;
} known[N_KNOWN];

/* Does the symbol say that a state calls a pointer to a function, or to a member function of the program's?  Of those
 * that get another such pointer as an argument it does not: "PF" begins the type of one, "M" that of a member's. */
static int calls_pointer(const char *symbol)
{
	static const char begin[] = "_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJ";
	const char *type = symbol + sizeof(begin) - 1;

	if (strncmp(symbol, begin, sizeof(begin) - 1) != 0)
		return 0;
	if (!strncmp(type, "PF", 2) || !strncmp(type, "PDoF", 4))
		return !strstr(type + 2, "PF") && !strstr(type + 2, "PDoF");
	return *type == 'M' && strncmp(type, "MSt", 3) && strncmp(type, "MNSt", 4) && !strstr(type, "PF");
}

static int cxx_ask(uintptr_t key, int is_state)
{
	char symbol[SYMBOL_BYTES];

	if (!ompp_function_symbol(key, symbol, sizeof(symbol)))
		return NO;
	return !is_state || calls_pointer(symbol) ? YES : NO;
}

/* Returns what is known of the function at an address, and asks when it is new.
 * is_state: 1 to ask whether it calls a pointer; 0, whether it is a function */
static int cxx_known(uintptr_t address, int is_state)
{
	uintptr_t key;
	struct known *k;
	int answer;

	if (ompp_past_meet(address) == UINT32_MAX)
		return NO;
	key = ompp_past_key(address);
	for (size_t i = 0, at = key / 16; i < N_KNOWN; i++, at++) {
		uintptr_t before = 0;

		k = &known[at % N_KNOWN];
		if (!atomic_compare_exchange_strong(&k->key, &before, key) && before != key)
			continue;
		answer = atomic_load(&k->answer);
		if (answer == UNKNOWN) {
			answer = cxx_ask(key, is_state);
			atomic_store(&k->answer, answer);
		}
		return answer;
	}
	return cxx_ask(key, is_state);
}

uintptr_t ompp_cxx_thread_function(const uintptr_t *state)
{
	uintptr_t of_state = ((const uintptr_t *)state[0])[OF_STATE];

	if (cxx_known(of_state, 1) != YES)
		return of_state;
	for (int i = 1; i < MOST_WORDS && (uintptr_t)&state[i] % PAGE_BYTES; i++)
		if (cxx_known(state[i], 0) == YES)
			return state[i];
	return of_state;
}
