// regions in threads of the program's own, by pthread and std::thread, in their destructors
// notes: left
#include <cstdio>
#include <omp.h>
#include <pthread.h>
#include <thread>
#include <vector>

static int total;

struct late {
	~late()
	{
#pragma omp parallel num_threads(2) // = PARALLEL SUM execC 8
		{
#pragma omp atomic
			total++;
		}
	}
};

static thread_local late at_end;

static void work()
{
#pragma omp parallel for num_threads(2) // = PARALLEL_LOOP SUM execC 12
	for (int i = 0; i < 4; i++) {
#pragma omp atomic
		total++;
	}
}

static void *exits(void *)
{
#pragma omp critical(leaver) // = CRITICAL SUM execC 1
	total++;
	work();
	pthread_exit(nullptr);
}

int main()
{
	std::vector<std::thread> threads;
	pthread_t one;

	for (int i = 0; i < 4; i++)
		threads.emplace_back([] {
			(void)&at_end;
			work();
		});
	for (auto &t : threads)
		t.join();
	pthread_create(&one, nullptr, exits, nullptr);
	pthread_join(one, nullptr);
	work();
	std::printf("%d\n", total);
}
