/*
 * Ends: a program with one parallel region that ends in the way that its argument names.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static sigjmp_buf back;

static void jump(int sig)
{
	siglongjmp(back, sig);
}

static void again(int sig)
{
	static const char text[] = "handler\n";

	if (write(1, text, sizeof(text) - 1) < 0)
		_exit(9);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void say_bye(void)
{
	printf("bye\n");
}

static int deep(int n)
{
	volatile char room[4096];

	room[n % 4096] = (char)n;
	return deep(n + 1) + room[0];
}

static void crash(void)
{
	volatile int *nowhere = (volatile int *)16;

	*nowhere = 1;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	struct rlimit no_core = { 0, 0 };
	int sum = 0;

	setrlimit(RLIMIT_CORE, &no_core);
	atexit(say_bye);
	if (!strcmp(how, "handler-jumps")) {
		signal(SIGSEGV, jump);
		if (!sigsetjmp(back, 1))
			crash();
	}
	if (!strcmp(how, "handler-raises"))
		signal(SIGTERM, again);
#pragma omp parallel reduction(+ : sum) num_threads(2)
	{
		sum += omp_get_thread_num() + 1;
		if (omp_get_thread_num() == 1) {
			if (!strcmp(how, "exit-inside"))
				exit(5);
			if (!strcmp(how, "crash-inside"))
				crash();
		}
#pragma omp barrier
	}
	printf("sum %d\n", sum);
	fflush(stdout);
	if (!strcmp(how, "exit"))
		exit(3);
	if (!strcmp(how, "_exit"))
		_exit(4);
	if (!strcmp(how, "_Exit"))
		_Exit(6);
	if (!strcmp(how, "quick_exit"))
		quick_exit(7);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "crash"))
		crash();
	if (!strcmp(how, "overflow"))
		return deep(0);
	if (!strcmp(how, "zero-divide"))
		return 1 / (int)(strlen(how) - 11);
	if (!strcmp(how, "term") || !strcmp(how, "handler-raises"))
		kill(getpid(), SIGTERM);
	if (!strcmp(how, "int") || !strcmp(how, "handler-jumps"))
		raise(SIGINT);
	if (!strcmp(how, "alarm")) {
		alarm(1);
		pause();
	}
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	printf("end\n");
	return 2;
}
