/*
 * Streams: run a program whose stderr (or stdout) is hard to write to.
 * Usage: streams WHAT DESCRIPTOR PROGRAM [ARGS…]
 *
 * gone-pipe, gone-socket, gone-terminal      nobody reads
 * full-pipe, full-socket, full-terminal      there is no room, and nobody makes any
 * stopped-terminal                           there is room, but ^S was typed
 * slow-pipe, slow-socket, slow-terminal      it is read little by little; what comes is written to the file `read`
 *
 * The status is the program's, or 128 and its signal; 99, and a line on stdout, when it does not end within a minute, or when
 * it has changed the file's flags.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { MOST_MS = 60000, SLOW_BYTES = 1000, SLOW_MS = 5 };

static int here, there;         /* our end, the program's */

static void check(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(98);
}

static void make(const char *kind)
{
	struct termios raw;
	int ends[2], small = 4096;

	if (!strcmp(kind, "pipe")) {
		check(!pipe(ends), "pipe");
		fcntl(ends[1], F_SETPIPE_SZ, small);
	} else if (!strcmp(kind, "socket")) {
		check(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
		setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	} else {
		check(!openpty(&ends[0], &ends[1], NULL, NULL, NULL), "openpty");
		check(!tcgetattr(ends[1], &raw), "tcgetattr");
		cfmakeraw(&raw);
		check(!tcsetattr(ends[1], TCSANOW, &raw), "tcsetattr");
	}
	here = ends[0];
	there = ends[1];
}

static void fill(void)
{
	char block[512] = "";
	int flags = fcntl(there, F_GETFL);

	fcntl(there, F_SETFL, flags | O_NONBLOCK);
	for (size_t n = sizeof(block); n; n /= 2)
		while (write(there, block, n) > 0)
			;
	fcntl(there, F_SETFL, flags);
}

/* Read some of what there is, slowly.  0: there was nothing. */
static int read_some(int to)
{
	struct pollfd ready = { .fd = here, .events = POLLIN };
	char block[SLOW_BYTES];
	ssize_t n = poll(&ready, 1, SLOW_MS) > 0 ? read(here, block, sizeof(block)) : 0;

	if (n > 0)
		check(write(to, block, (size_t)n) == n, "read");
	return n > 0;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 3 ? strchr(argv[1], '-') : NULL;
	int target = kind ? atoi(argv[2]) : 0, to = -1, status, flags, ms;
	pid_t child;

	if (!kind)
		return 98;
	make(kind + 1);
	if (!strncmp(argv[1], "full", 4))
		fill();
	if (!strncmp(argv[1], "stopped", 7))
		check(!tcflow(there, TCOOFF), "tcflow");
	if (!strncmp(argv[1], "slow", 4))
		to = open("read", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (!strncmp(argv[1], "gone", 4))
		close(here);
	flags = fcntl(there, F_GETFL);
	child = fork();
	if (!child) {
		signal(SIGPIPE, SIG_DFL);
		dup2(there, target);
		close(here);
		close(there);
		execv(argv[3], argv + 3);
		_exit(127);
	}
	for (ms = 0; !waitpid(child, &status, WNOHANG) && ms < MOST_MS; ms += SLOW_MS)
		if (to >= 0)
			read_some(to);
		else
			usleep(SLOW_MS * 1000);
	if (ms >= MOST_MS) {
		kill(child, SIGKILL);
		printf("the program does not end\n");
		return 99;
	}
	while (to >= 0 && read_some(to))
		;
	if (fcntl(there, F_GETFL) != flags) {
		printf("the flags of the file are others\n");
		return 99;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
