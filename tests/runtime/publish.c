/* Shows labels and values to who watches; how it is watched makes no difference to it. */
#include <ompp.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char name[80];
	int what = argc > 1 ? argv[1][0] : 's';

	if (what == 's') { /* steps, half a second */
		ompp_label("begin");
		for (int i = 0; i < 5; i++) {
			ompp_sensor_set("queue", 10 * i - 5);
			usleep(100000);
		}
		ompp_label("end \"}\x1b[2J");
		ompp_sensor_set("last", 42); /* at its very end */
	} else if (what == 'm') { /* many of all */
		for (int i = 0; i < 100; i++) {
			snprintf(name, sizeof(name), "value%d", i);
			ompp_sensor_set(name, i);
			snprintf(name, sizeof(name), "label %d", i);
			ompp_label(name);
		}
		memset(name, 'x', sizeof(name) - 1);
		name[sizeof(name) - 1] = '\0';
		ompp_sensor_set(name, 1);
		ompp_sensor_set(NULL, 1);
		ompp_label(NULL);
	} else if (what == 't') { /* threads at the same names */
#pragma omp parallel num_threads(8)
		for (int i = 0; i < 20000; i++) {
			char own[16];

			snprintf(own, sizeof(own), "t%d", i % 40);
			ompp_sensor_set(own, i);
			if (i % 1000 == 0)
				ompp_label(own);
		}
	} else if (what == 'f') { /* a child's are there, too */
		if (!fork()) {
			ompp_sensor_set("child", 7);
			_exit(0);
		}
		wait(NULL);
	} else if (what == 'n') { /* nonsense in place of it, and then nothing */
		FILE *file = fopen(getenv("OMPP_PUBLISH"), "r+");

		ompp_sensor_set("queue", 1);
		if (!file || fseek(file, 16, SEEK_SET))
			return 1;
		for (int i = 0; i < 9000; i++)
			putc(rand() & (i % 7 ? 255 : 3), file);
		fflush(file);
		usleep(100000);
		if (ftruncate(fileno(file), argc > 2 ? 100 : 20000))
			return 1;
		usleep(100000);
	} else if (what == 'w') { /* it goes on until its input ends */
		ompp_sensor_set("queue", 99);
		ompp_label("attached");
		while (getchar() != EOF)
			;
	}
	return 6;
}
