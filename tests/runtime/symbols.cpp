// symbols.cpp: data of all kinds, in C++.  Prints "name address bytes" of each object; names may hold blanks, so that
// they stand last.
#include <cstddef>
#include <cstdio>

#include "ompp.h"

static void show(const char *name, void *address, size_t n_bytes)
{
	__asm__ volatile("" : : "r"(address) : "memory");
	printf("%#lx %zu %s\n", (unsigned long)address, n_bytes, name);
}

#define SHOW(name, object) show(name, &(object), sizeof(object))

struct Tracer {
	virtual ~Tracer() { }
};
Tracer with_vtable;

namespace ns {
int variable[1000];
struct Class {
	static int member[1100];
	int method(int)
	{
		static int buf[1200];
		SHOW("ns::Class::method.buf", buf);
		return buf[0];
	}
};
int Class::member[1100];
static void f(int)
{
	static int buf[1300];
	SHOW("ns::f(int)::buf", buf);
}
static void f(double)
{
	static int buf[1400];
	SHOW("ns::f(double)::buf", buf);
}
template <class T, int N> struct Pair {
	static T data[N];
};
template <class T, int N> T Pair<T, N>::data[N];
template <class T> static int convert(T)
{
	static T table[1500];
	SHOW("ns::convert<short>.table", table);
	return 0;
}
}

namespace {
int anonymous[1600];
namespace deep {
int buried[1700];
}
}
static int of_file[1800];
inline int shared[1900];

int main()
{
	ompp_region_begin("r");
	SHOW("ns::variable", ns::variable);
	SHOW("ns::Class::member", ns::Class::member);
	SHOW("ns::Pair<long, 900>::data", (ns::Pair<long, 900>::data));
	SHOW("anonymous", anonymous);
	SHOW("deep::buried", deep::buried);
	SHOW("of_file", of_file);
	SHOW("shared", shared);
	ns::Class().method(1);
	ns::f(1);
	ns::f(1.0);
	ns::convert<short>(1);
	show("with_vtable", &with_vtable, sizeof(with_vtable));
	ompp_region_end("r");
	return 0;
}
