// As causes.c, in C++: classes, templates and lambdas.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <list>
#include <mutex>
#include <omp.h>
#include <thread>
#include <vector>
#include "work.h"

#ifndef TIMES
#define TIMES 50
#endif
#ifndef STEPS
#define STEPS 60000
#endif
#ifndef MORE
#define MORE 3
#endif

namespace {

class Grid {
public:
	explicit Grid(int n) : cells(n) {}
	void step(int t);
	double first() const { return cells[0]; }

private:
	template <class Cost> void loop(Cost cost)
	{
		const int n = static_cast<int>(cells.size());
#ifdef MENDED
#pragma omp parallel for schedule(static, 1)
#else
#pragma omp parallel for schedule(static) // planted
#endif
		for (int i = 0; i < n; i++)
			cells[i] += work(cost(i));
	}
	std::vector<double> cells;
};

#if defined(LOOP)
void Grid::step(int)
{
	const int half = static_cast<int>(cells.size()) / 2;

	loop([half](int i) { return i < half ? STEPS : MORE * STEPS; });
}
#elif defined(TRIANGLE)
void Grid::step(int)
{
	loop([](int i) { return (i + 1L) * MORE * STEPS / 64; });
}
#elif defined(REGION)
void Grid::step(int)
{
#pragma omp parallel // planted
	{
		const int thread = omp_get_thread_num();
#ifdef MENDED
		cells[thread] += work(static_cast<long>(10 * (1 + MORE) * STEPS));
#else
		cells[thread] += work(thread ? 20L * STEPS : static_cast<long>(MORE * 20 * STEPS));
#endif
	}
}
#elif defined(BEFORE)
void Grid::step(int)
{
#pragma omp parallel
	{
#ifdef MENDED
#pragma omp for schedule(static, 1) nowait
#else
#pragma omp for schedule(static) nowait
#endif
		for (int i = 0; i < 64; i++)
			cells[i] += work(i < 32 ? STEPS : static_cast<long>(MORE * STEPS));
#pragma omp for schedule(static) // planted
		for (int i = 0; i < 64; i++)
			cells[i] += work(STEPS / 4);
	}
}
#elif defined(FIRST)
void Grid::step(int t)
{
#ifdef MENDED
	t = 1;
#endif
	loop([t](int) { return t ? static_cast<long>(STEPS) : static_cast<long>(STEPS) * TIMES * MORE / 10; });
}
#elif defined(GROWING)
void Grid::step(int t)
{
	static std::list<double> keys;
	std::size_t n_new = MORE * (STEPS / 1000);

#ifdef MENDED // as long all the time as in the middle of the run, or with MENDED=8 after an eighth of it
	n_new = t ? 0 : n_new * TIMES / (MENDED > 1 ? MENDED : 2);
#endif
	keys.insert(keys.end(), n_new, t + 1.0);
	const int n = static_cast<int>(cells.size());
#pragma omp parallel for schedule(static) // planted
	for (int i = 0; i < n; i++)
		cells[i] += std::find(keys.begin(), keys.end(), -1.0) != keys.end();
}
#elif defined(SINGLE)
void Grid::step(int)
{
#pragma omp parallel
	{
#ifdef MENDED
#pragma omp for schedule(static)
		for (int i = 0; i < 64; i++)
			cells[i] += work(MORE * STEPS / 10);
#else
#pragma omp single // planted
		cells[0] += work(64L * MORE * STEPS / 10);
#endif
#pragma omp for schedule(static)
		for (int i = 0; i < 64; i++)
			cells[i] += work(STEPS);
	}
}
#elif defined(CRITICAL)
void Grid::step(int)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 64; i++) {
		const double x = work((10 - MORE) * STEPS / 10);
#ifdef MENDED
		cells[i] += work(MORE * STEPS / 10) + x;
#else
#pragma omp critical(cells) // planted
		cells[0] += work(MORE * STEPS / 10) + x;
#endif
	}
}
#elif defined(LOCK)
class Lock {
public:
	Lock() { omp_init_lock(&lock); }
	~Lock() { omp_destroy_lock(&lock); }
	void lock_it() { omp_set_lock(&lock); }
	void unlock_it() { omp_unset_lock(&lock); }

private:
	omp_lock_t lock;
};

void Grid::step(int)
{
	static Lock lock;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 64; i++) {
		const double x = work((10 - MORE) * STEPS / 10);
#ifdef MENDED
		cells[i] += work(MORE * STEPS / 10) + x;
#else
		lock.lock_it();
		cells[0] += work(MORE * STEPS / 10) + x;
		lock.unlock_it();
#endif
	}
}
#elif defined(ORDERED)
void Grid::step(int)
{
#pragma omp parallel for schedule(static, 1) ordered
	for (int i = 0; i < 64; i++) {
		const double x = work((10 - MORE) * STEPS / 10);
#ifdef MENDED
		cells[i] += work(MORE * STEPS / 10) + x;
#else
#pragma omp ordered // planted
		cells[0] += work(MORE * STEPS / 10) + x;
#endif
	}
}
#elif defined(ATOMIC)
void Grid::step(int)
{
	static long hits;
#ifdef MENDED
#pragma omp parallel for schedule(static) reduction(+ : hits)
	for (int i = 0; i < 32000; i++)
		if (work(STEPS / 1000) > 0)
			hits++;
#else
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 32000; i++)
		if (work(STEPS / 1000) > 0)
#pragma omp atomic // planted
			hits++;
#endif
	cells[0] += static_cast<double>(hits);
}
#elif defined(FORKS)
void Grid::step(int)
{
#ifdef MENDED
	loop([](int) { return 100 * (STEPS / 1000); });
#else
	for (int k = 0; k < 100; k++)
#pragma omp parallel for schedule(static) // planted
		for (int i = 0; i < 64; i++)
			cells[i] += work(STEPS / 1000);
#endif
}
#elif defined(BARRIERS)
void Grid::step(int)
{
#pragma omp parallel
	for (int k = 0; k < 20000; k++) {
		cells[omp_get_thread_num()] += work(STEPS / 1000);
#ifndef MENDED
#pragma omp barrier // planted
#endif
	}
}
#elif defined(OUTSIDE)
void Grid::step(int)
{
#if defined(MENDED)
#elif defined(FUTURE) // the time of another thread, which sleeps
	std::async(std::launch::async, [] { std::this_thread::sleep_for(std::chrono::milliseconds(10 * MORE)); }).wait();
#else
	std::this_thread::sleep_for(std::chrono::milliseconds(10 * MORE));
#endif
	loop([](int) { return STEPS; });
}
#elif defined(SERIAL)
void Grid::step(int)
{
#ifdef MENDED
	loop([](int) { return MORE * STEPS / 10; });
#else
	cells[0] += work(64L * MORE * STEPS / 10);
#endif
	loop([](int) { return STEPS; });
}
#else
void Grid::step(int)
{
	loop([](int) { return STEPS; });
}
#endif

}

#ifdef EARLY // before main() half as long as all iterations of one thread
static const double early = work(TIMES * 64L * STEPS / 4);
#else
static const double early = 1;
#endif

int main()
{
	Grid grid(64);

	for (int t = 0; t < TIMES; t++)
		grid.step(t);
	std::printf("%d\n", grid.first() * early > 0);
}
