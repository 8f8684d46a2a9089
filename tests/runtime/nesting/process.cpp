// regions before main and behind it: constructors, destructors, atexit handlers; and in signal handlers
#include <csignal>
#include <cstdio>
#include <cstdlib>

static volatile int n;

static void region()
{
#pragma omp parallel num_threads(2) // = PARALLEL SUM execC 8
	{
#pragma omp atomic // = ATOMIC SUM execC 8
		n += 1;
	}
}

struct object {
	object() { region(); }
	~object()
	{
		std::printf("%d in a destructor\n", n);
		n++;
	}
};

static object here;

__attribute__((constructor)) static void before_main()
{
	region();
}

static void handler(int)
{
#pragma omp critical(handler) // = CRITICAL SUM execC 2
	n += 100;
}

static void at_exit()
{
	region();
	std::printf("%d at exit\n", n);
}

int main()
{
	std::atexit(at_exit);
	std::signal(SIGUSR1, handler);
	std::raise(SIGUSR1);
#pragma omp parallel num_threads(2)
	{
#pragma omp master
		std::raise(SIGUSR1);
	}
	region();
	std::printf("%d in main\n", n);
}
