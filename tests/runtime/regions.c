/* Two threads whose whereabouts are known: thread 1 sleeps in the loop while thread 0 waits at its end, then both want the
 * critical region in turn, then both are in no region; and a user region of one thread. */
#include <omp.h>
#include <ompp.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 3;

	for (int r = 0; r < rounds; r++) {
#pragma omp parallel num_threads(2)
		{
#pragma omp for schedule(static, 1)
			for (int i = 0; i < 2; i++)
				usleep(i ? 400000 : 1000);
#pragma omp critical(x)
			usleep(200000);
		}
		ompp_region_begin("alone, and slow");
		usleep(200000);
		ompp_region_end("alone, and slow");
	}
	for (int i = 0; i < 200000; i++) {
#pragma omp atomic
		rounds++;
	}
	return argc > 2 ? system(argv[2]) != 0 : 6;
}
