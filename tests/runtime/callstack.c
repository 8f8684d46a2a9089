/*
 * Callstack: compares rules with those that readelf prints, and walks through a library that takes another's place; see
 * callstack.sh.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/program/callstack.h"
#include "runtime/program/callstack_rule.h"

#if defined(__x86_64__)
static const char sp_name[] = "rsp", fp_name[] = "rbp";
#else
static const char sp_name[] = "sp", fp_name[] = "x29";
#endif

/* Writes a rule in readelf's words: the CFA, the frame pointer's place, and the return address's. */
static void say(struct ompp_callstack_rule rule, char *text, size_t n_text)
{
	char fp[32] = "u"; /* readelf's word for both, the same and lost */

	if (rule.fp_from == OMPP_FP_AT_CFA)
		snprintf(fp, sizeof(fp), "c%+d", (int)rule.fp * 8);
	else if (rule.fp_from == OMPP_FP_AT_FP)
		strcpy(fp, "exp");
	if (rule.cfa_from == OMPP_CFA_NONE)
		snprintf(text, n_text, "none");
	else if (rule.cfa_from == OMPP_CFA_AT_FP)
		snprintf(text, n_text, "exp %s c%+d", fp, (int)rule.ra * 8);
	else
		snprintf(text, n_text, "%s%+d %s c%+d", rule.cfa_from == OMPP_CFA_SP ? sp_name : fp_name,
		         (int)rule.cfa * 8, fp, (int)rule.ra * 8);
}

/* Reads lines "FIRST END RULE" of a library's rows.  Prints those that differ, and how many there were.  The last
 * address may be that of another function: the one that signal handlers return to begins a byte before itself. */
static int compare_rules(const char *path)
{
	struct link_map *library = dlopen(path, RTLD_NOW);
	char line[256], expected[128], first[128], middle[128];
	unsigned long lo, hi, n = 0;

	if (!library)
		return 2;
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%lx %lx %127[^\n]", &lo, &hi, expected) != 3)
			return 3;
		say(ompp_callstack_rule(library->l_addr + lo), first, sizeof(first));
		say(ompp_callstack_rule(library->l_addr + lo + (hi - lo) / 2), middle, sizeof(middle));
		if (strcmp(first, expected) || strcmp(middle, expected))
			printf("%lx to %lx: %s, but %s, %s\n", lo, hi, expected, first, middle);
		n++;
	}
	printf("%lu rows\n", n);
	return 0;
}

static uintptr_t stack_hi, callers[64];
static size_t n_callers;

static __attribute__((noinline)) void walk(void)
{
	n_callers = ompp_callstack_here(stack_hi, callers, OMPP_COUNT_OF(callers));
}

static uintptr_t end_of_stack(void)
{
	pthread_attr_t attributes;
	size_t n_bytes;
	void *lo;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &lo, &n_bytes);
	pthread_attr_destroy(&attributes);
	return (uintptr_t)lo + n_bytes;
}

/* Loads and unloads the library, and lets rules be forgotten. */
static void forget(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);

	if (library)
		dlclose(library);
	ompp_callstack_forget();
}

struct turn {
	uintptr_t bias, callers[OMPP_COUNT_OF(callers)];
	size_t n;
};

/* Loads a library, walks through it, and unloads it.  Not inline, so that both turns call from one place. */
static __attribute__((noinline)) int take_turn(struct turn *turn, const char *path, int n_times)
{
	struct link_map *library = dlopen(path, RTLD_NOW);
	void (*call)(void (*)(void)) = library ? (void (*)(void (*)(void)))dlsym(library, "call") : NULL;

	if (!call)
		return 2;
	if (n_times)
		ompp_callstack_forget();
	call(walk);
	turn->bias = library->l_addr;
	turn->n = n_callers;
	memcpy(turn->callers, callers, sizeof(callers));
	dlclose(library);
	return 0;
}

/* Walks through one library and then through the other one; before the second, rules are forgotten so many times.
 * Prints whether the second has taken the place of the first, and whether the callers are the same. */
static int take_turns(char *const *paths, int n_times)
{
	static struct turn turns[2];
	int is_same;

	for (int i = 0; i < 2; i++) {
		for (int j = 1; i == 1 && j < n_times; j++)
			forget(paths[0]);
		if (take_turn(&turns[i], paths[i], n_times))
			return 2;
	}
	/* The third caller is this function, perhaps in two places. */
	is_same = turns[0].n > 3 && turns[0].n == turns[1].n && turns[0].callers[0] == turns[1].callers[0] &&
	          turns[0].callers[1] == turns[1].callers[1] && turns[0].callers[3] == turns[1].callers[3];
	printf("%s %s\n", turns[0].bias == turns[1].bias ? "there" : "elsewhere", is_same ? "same" : "other");
	return 0;
}

int main(int argc, char **argv)
{
	stack_hi = end_of_stack();
	return argc == 2 ? compare_rules(argv[1]) : take_turns(argv + 2, atoi(argv[1]));
}
