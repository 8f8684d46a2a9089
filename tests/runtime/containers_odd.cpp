// containers_odd: containers that cannot be asked at all times, or that cannot be followed, change nothing of the program.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <vector>

#include <omp.h>

static double sink[100];

static void store(double *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		static_cast<volatile double *>(p)[i] = i;
}

static void (*volatile fill)(double *, size_t) = store;

// Its data is known elsewhere: to ask it after its end would be the program's end.
struct Handle {
	struct Part { double *p; size_t n; } *part;
	Handle() : part(new Part{ new double[10], 10 }) {}
	~Handle() { delete[] part->p; delete part; part = nullptr; }
	double *data() const { return part->p; }
	size_t size() const { return part->n; }
};

// The same, but for as long as it is empty nothing shows it.
struct Late {
	Handle::Part *part;
	double *data() const { return part ? part->p : nullptr; }
	size_t size() const { return part ? part->n : 0; }
};

static void handles()
{
	alignas(Handle) char room[sizeof(Handle)];
	Handle *handle = new (room) Handle;
	Handle::Part part = { sink, 10 };
	Late late = { nullptr };
#pragma pomp inst data(*handle, "handle")
#pragma pomp inst data(late)
	fill(handle->data(), 10);
	handle->~Handle();
	fill(sink, 100);
	late.part = &part;
	fill(sink, 100);
	late.part = reinterpret_cast<Handle::Part *>(8);
	fill(sink, 100);
}

static void nested()
{
	std::vector<std::vector<double>> rows(10, std::vector<double>(10));
#pragma pomp inst data(rows)
	for (auto &row : rows)
		fill(row.data(), row.size());
}

struct Member {
	std::vector<double> v;
	Member() : v(10)
	{
#pragma pomp inst data(v, "member")
	}
};

static void leave_member()
{
	Member m;
	fill(m.v.data(), 10);
}

// Its bytes on the stack are other variables' now.
static void use_stack()
{
	volatile double *room[40];

	for (size_t k = 0; k < 20; k++)
		for (int i = 0; i < 40; i++)
			room[i] = sink + (i * 7 + k) % 100;
	for (int i = 0; i < 40; i++)
		*room[i] = i;
}

static void plug_in(const char *file)
{
	std::vector<double> v(10);
	void *library = dlopen(file, RTLD_NOW);
	auto name = library ? reinterpret_cast<void (*)(std::vector<double> &)>(dlsym(library, "name")) : nullptr;

	if (!name) {
		puts(dlerror());
		return;
	}
	name(v);
	fill(v.data(), 10);
	dlclose(library);
	for (int i = 0; i < 1000; i++)
		v.push_back(i);
	fill(v.data(), v.size());
}

int main(int, char **argv)
{
	handles();
	nested();
	leave_member();
	use_stack();
	plug_in(argv[1]);
	double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+:sum)
	for (int i = 0; i < 100; i++)
		sum += sink[i];
	printf("%g\n", sum);
	return 0;
}
