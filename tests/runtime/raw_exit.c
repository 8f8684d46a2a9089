/* Ends by exit(2), the system call, of its threads: "alone", or "after" a second thread that ends later, and says so.
 * Or by exit(3), by the last of its threads that end as "pthread" does. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STATUS = 3 };

static void *end_later(void *arg)
{
	(void)arg;
	usleep(500000);
	if (write(1, "later\n", 6) == 6)
		syscall(SYS_exit, STATUS);
	return NULL;
}

static void *say_later(void *arg)
{
	usleep(300000);
	puts("later");
	return arg;
}

static void say_end(void)
{
	sigset_t blocked;

	if (!pthread_sigmask(SIG_BLOCK, NULL, &blocked))
		puts(sigismember(&blocked, SIGTERM) ? "end, without SIGTERM" : "end");
}

int main(int argc, char **argv)
{
	static char memory[1 << 20];
	pthread_t thread;

#pragma omp parallel num_threads(1)
	memset(memory, argc, sizeof(memory));
	if (argc > 1 && !strcmp(argv[1], "after") && pthread_create(&thread, NULL, end_later, NULL))
		return 1;
	if (argc > 1 && !strcmp(argv[1], "pthread")) {
		puts("main");
		if (atexit(say_end) || pthread_create(&thread, NULL, say_later, NULL))
			return 1;
		pthread_exit(NULL);
	}
	syscall(SYS_exit, STATUS);
	return 2;
}
