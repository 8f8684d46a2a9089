/*
 * Demangle: names of each kind, the C++ library's names compared with its own __cxa_demangle(), and damaged names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/base/array.h"
#include "runtime/program/demangle.h"
#include "runtime/program/elf.h"
#include "runtime/program/short_name.h"

static struct ompp_arena arena;

static int start(void **state)
{
	(void)state;
	ompp_arena_init(&arena, 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	ompp_arena_fini(&arena);
	return 0;
}

static void names_are_shortened(void **state)
{
	static const char *const names[][2] = {
		{ "main", "main" },
		{ "S::get<int>(std::vector<int, std::allocator<int> > const&)::{lambda(int)#1}::operator()",
		  "S::get<int>::{lambda(int)#1}::operator()" },
		{ "f<std::map<int, long, std::less<int>, std::allocator<std::pair<int const, long> > > >",
		  "f<std::map<int, long>>" },
		{ "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size",
		  "std::string::size" },
		{ "f<std::vector<int, mine<int> > >", "f<std::vector<int, mine<int>>>" },
		{ "f<A<std::allocator<int>, int> >", "f<A<std::allocator<int>, int>>" },
		{ "g<A<int, std::allocator<int>, int> >", "g<A<int, std::allocator<int>, int>>" },
		{ "(anonymous namespace)::f(int)::L::operator()(int) const::M::m",
		  "(anonymous namespace)::f::L::operator()::M::m" },
		{ "operator<<", "operator<<" },
		{ "X<1>::operator<(int) const::m", "X<1>::operator<::m" },
		{ "X::operator()", "X::operator()" },
		{ "g<int (*)(int)>", "g<int (*)(int)>" },
		{ "f[abi:cxx11]", "f" },
		{ "f<std::vector<int, std::allocator<int", "f<std::vector<int, std::allocator<int" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		char name[256];

		snprintf(name, sizeof(name), "%s", names[i][0]);
		ompp_short_name(name);
		assert_string_equal(name, names[i][1]);
	}
}

static void each_kind_of_name(void **state)
{
	static const char *const names[][3] = {
		/* the symbol, the whole name, the name without types and parameters */
		{ "_Z1fv", "f()", "f" },
		{ "_ZN2ns1vE", "ns::v", "ns::v" },
		{ "_ZN2ns1fIiEEiT_", "int ns::f<int>(int)", "ns::f<int>" },
		{ "_ZN1AC1Ev", "A::A()", "A::A" },
		{ "_ZN1AIiED2Ev", "A<int>::~A()", "A<int>::~A" },
		{ "_ZNK1A3getEv", "A::get() const", "A::get" },
		{ "_ZNO1A4takeEv", "A::take() &&", "A::take" },
		{ "_ZN1AcviEv", "A::operator int()", "A::operator int" },
		{ "_ZN1AcvT_IiEEv", "A::operator int<int>()", "A::operator int<int>" },
		{ "_ZplRK1AS1_", "operator+(A const&, A const&)", "operator+" },
		{ "_ZltI1AEbT_S1_", "bool operator< <A>(A, A)", "operator< <A>" },
		{ "_ZN1AnwEm", "A::operator new(unsigned long)", "A::operator new" },
		{ "_Zli2_xy", "operator\"\" _x(unsigned long long)", "operator\"\" _x" },
		{ "_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()", "(anonymous namespace)::f" },
		{ "_ZZNK12_GLOBAL__N_11CclEiE3buf", "(anonymous namespace)::C::operator()(int) const::buf", NULL },
		{ "_ZZN2ns1fIiEEiT_E3buf", "ns::f<int>(int)::buf", NULL },
		{ "_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const", "main::{lambda()#1}::operator()" },
		{ "_ZZ4mainENKUlT_E0_clIiEEDaS_", "auto main::{lambda(auto:1)#2}::operator()<int>(int) const",
		  "main::{lambda(auto:1)#2}::operator()<int>" },
		{ "_Z3tagB5cxx11", "tag[abi:cxx11]", NULL },
		{ "_ZTV1C", "vtable for C", NULL },
		{ "_ZTI1C", "typeinfo for C", NULL },
		{ "_ZGVZ1fvE1x", "guard variable for f()::x", NULL },
		{ "_ZThn16_N1A1fEv", "non-virtual thunk to A::f()", NULL },
		{ "_Z1fv.cold", "f() [clone .cold]", "f" },
		{ "_Z1fi.constprop.0.isra.1", "f(int) [clone .constprop.0] [clone .isra.1]", "f" },
		{ "_Z1fPFvRA3_KiE", "f(void (*)(int const (&) [3]))", "f" },
		{ "_Z1fM1AKFivE", "f(int (A::*)() const)", "f" },
		{ "_Z1fM1Ai", "f(int A::*)", "f" },
		{ "_Z1fPKcz", "f(char const*, ...)", "f" },
		{ "_Z1fSsSaIcE", "f(std::string, std::allocator<char>)", "f" },
		{ "_ZNSsC1Ev", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string()",
		  NULL },
		{ "_Z1fIJilEEvDpT_", "void f<int, long>(int, long)", "f<int, long>" },
		{ "_Z1fIJEEvDpT_", "void f<>()", "f<>" },
		{ "_Z1fIRiEvOT_", "void f<int&>(int&)", "f<int&>" },
		{ "_Z1fILi3ELb1ELm7EEvv", "void f<3, true, 7ul>()", "f<3, true, 7ul>" },
		{ "_Z1fISt4pairIiS0_IcdEEEvT_",
		  "void f<std::pair<int, std::pair<char, double> > >(std::pair<int, std::pair<char, double> >)", NULL },
		{ "_Z1fIiENSt9enable_ifIXsr5is_okIT_EE5valueEiE4typeES1_",
		  "std::enable_if<is_ok<int>::value, int>::type f<int>(int)", "f<int>" },
		{ "_ZDC1a1bE", "[a, b]", NULL },
		{ "_Z1fIiEDTmmfp_ET_", "decltype ({parm#1}--) f<int>(int)", "f<int>" },
		{ "_Z1fIiEDTpp_fp_ET_", "decltype (++{parm#1}) f<int>(int)", "f<int>" },
	};

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		const char *whole = ompp_demangle(names[i][0], OMPP_DEMANGLE_WHOLE, &arena);
		const char *name = ompp_demangle(names[i][0], OMPP_DEMANGLE_NAME, &arena);

		if (!whole || strcmp(whole, names[i][1]))
			fail_msg("%s: '%s', not '%s'", names[i][0], whole ? whole : "", names[i][1]);
		if (names[i][2])
			assert_string_equal(name, names[i][2]);
		assert_non_null(name);
	}
}

static void what_is_none_has_no_name(void **state)
{
	/* clang-format off */
	static const char *const none[] = {
		"", "main", "_Z", "_ZN", "_ZN1aE1", "_Z5abc", "_Z1fT_", "_Z1fS5_", "_Z1fP", "_ZS_", "_Z99999999999999999999a",
		"_Z1fLi", "_ZL", "_Z1fIXE", "_Zcv", "_ZTh", "_ZZ", "_Z1f.", "_ZUl", "_ZNC1E"
	};
	/* clang-format on */
	char deep[4096] = "_Z1f";

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(none); i++)
		if (ompp_demangle(none[i], OMPP_DEMANGLE_WHOLE, &arena) && strcmp(none[i], "_Z1f."))
			fail_msg("%s has a name", none[i]);
	memset(deep + 4, 'P', sizeof(deep) - 6);
	deep[sizeof(deep) - 2] = 'i';
	assert_null(ompp_demangle(deep, OMPP_DEMANGLE_WHOLE, &arena));
}

/* A short symbol may double its length with each step when it is written out: time and length are bounded. */
static void doubling_names_end(void **state)
{
	char name[1024] = "_Z1f1a";
	size_t n = strlen(name);

	(void)state;
	for (int i = 0; i < 30; i++)
		n += (size_t)snprintf(name + n, sizeof(name) - n, "1bIS%.*s_S%.*s_E", i > 0,
		                      &"0123456789ABCDEFGHIJKLMNOPQRSTU"[i ? i - 1 : 0], i > 0,
		                      &"0123456789ABCDEFGHIJKLMNOPQRSTU"[i ? i - 1 : 0]);
	ompp_demangle(name, OMPP_DEMANGLE_WHOLE, &arena);
}

/* ---- the C++ library ---- */

static char *(*real)(const char *name, char *buffer, size_t *n, int *status);

/* Compares names without their blanks, in which versions of the library differ. */
static int is_same(const char *a, const char *b)
{
	for (; *a || *b; a++, b++) {
		while (*a == ' ')
			a++;
		while (*b == ' ')
			b++;
		if (*a != *b)
			return 0;
		if (!*a)
			break;
	}
	return 1;
}

static void damage(const char *symbol, unsigned int *seed)
{
	char name[4096];
	size_t n = strlen(symbol);

	if (n >= sizeof(name))
		return;
	for (int i = 0; i < 3; i++) {
		memcpy(name, symbol, n + 1);
		for (int k = 0; k <= i; k++) {
			*seed = *seed * 1664525 + 1013904223;
			name[2 + (*seed >> 8) % (n - 2)] = "NSTIJEZLXPROKVDFAMUCGB_0129sp."[(*seed >> 3) % 30];
		}
		ompp_demangle(name, OMPP_DEMANGLE_WHOLE, &arena);
	}
	ompp_arena_fini(&arena);
}

static void the_library_has_the_same_names(void **state)
{
	void *library = dlopen("libstdc++.so.6", RTLD_NOW);
	struct ompp_elf_symbols symbols;
	struct link_map *map;
	struct ompp_elf elf;
	unsigned int seed = 1;
	int n = 0, n_same = 0, n_none = 0;

	(void)state;
	real = library ? (char *(*)(const char *, char *, size_t *, int *))dlsym(library, "__cxa_demangle") : NULL;
	if (!real || dlinfo(library, RTLD_DI_LINKMAP, &map) || ompp_elf_open(&elf, map->l_name)) {
		skip();
		return;
	}
	assert_int_equal(ompp_elf_symbols(&elf, SHT_DYNSYM, &symbols), 0);
	for (size_t i = 0; i < symbols.n; i++) {
		ElfW(Sym) s;
		const char *symbol = ompp_elf_symbol(&symbols, i, &s), *got;
		int status;
		char *want;

		if (strncmp(symbol, "_Z", 2))
			continue;
		want = real(symbol, NULL, NULL, &status);
		got = ompp_demangle(symbol, OMPP_DEMANGLE_WHOLE, &arena);
		n += want != NULL;
		n_none += want && !got;
		n_same += want && got && is_same(want, got);
		free(want);
		damage(symbol, &seed);
	}
	ompp_elf_close(&elf);
	print_message("%d names, %d the same, %d not known\n", n, n_same, n_none);
	assert_true(n > 1000 && n_same >= n - n / 100 && n_none <= n / 200);
}

/* gfortran's procedures of modules; a name that only looks like one stays as it is. */
static void procedures_of_modules(void **state)
{
	static const char *const names[][2] = { { "__grids_MOD_smooth", "grids::smooth" },
		                                { "__a_b_MOD_c_d", "a_b::c_d" },
		                                { "__m_MOD_x._omp_fn.0", "m::x._omp_fn.0" },
		                                { "__MOD_x", NULL },
		                                { "_m_MOD_x", NULL },
		                                { "__m_MO_x", NULL },
		                                { "main", NULL } };

	(void)state;
	for (size_t i = 0; i < OMPP_COUNT_OF(names); i++) {
		char name[32];

		strcpy(name, names[i][0]);
		assert_int_equal(ompp_demangle_procedure(name), names[i][1] != NULL);
		assert_string_equal(name, names[i][1] ? names[i][1] : names[i][0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_shortened),
		cmocka_unit_test(procedures_of_modules),
		cmocka_unit_test_setup_teardown(each_kind_of_name, start, end),
		cmocka_unit_test_setup_teardown(what_is_none_has_no_name, start, end),
		cmocka_unit_test_setup_teardown(doubling_names_end, start, end),
		cmocka_unit_test_setup_teardown(the_library_has_the_same_names, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
