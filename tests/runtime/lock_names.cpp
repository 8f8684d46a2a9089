// Lock names: locks in classes, templates and namespaces.  As in lock_names.c.
#include <cstdio>
#include <omp.h>
#include <vector>

class Mutex {
	omp_lock_t l;

public:
	Mutex() { omp_init_lock(&l); }
	~Mutex() { omp_destroy_lock(&l); }
	void lock() { omp_set_lock(&l); }       // set: ns::here, ns::there[1], file_static, big+40, l
	void unlock() { omp_unset_lock(&l); }
};

namespace ns {
Mutex here;
static Mutex there[3];
}
static Mutex file_static;
struct Big { int a[10]; Mutex m; } big;

struct Guard {
	Mutex &m;
	Guard(Mutex &x) : m(x) { m.lock(); }
	~Guard() { m.unlock(); }
};

template <class T> struct Box {
	omp_lock_t mine;
	T v;

	Box() { omp_init_lock(&mine); }
	void touch()
	{
		omp_set_lock(&this->mine);      // set: boxed, bd
		omp_unset_lock(&this->mine);
	}
};
static Box<int> boxed;
Box<double> bd;

int main()
{
	std::vector<Mutex> v(30);
	static omp_lock_t in_main;

	{ Guard g(ns::here); }
	{ Guard g(ns::there[1]); }
	{ Guard g(file_static); }
	{ Guard g(big.m); }
	for (auto &m : v)
		Guard g(m);
	boxed.touch();
	bd.touch();
	omp_init_lock(&in_main);
	omp_set_lock(&in_main);                 // set: in_main
	omp_unset_lock(&in_main);
	std::puts("done");
}
