/*
 * Child: see child.h.
 */
#define _GNU_SOURCE
#include "reports/command/child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "runtime/base/search.h"

static __attribute__((noreturn)) void child_become(struct ompp_child *child, int go, int answer, void (*prepare)(void))
{
	ssize_t n;
	int error;
	char word;

	sigaction(SIGINT, &child->interrupt, NULL);
	sigaction(SIGQUIT, &child->quit, NULL);
	if (prepare)
		prepare();
	while ((n = read(go, &word, 1)) < 0 && errno == EINTR)
		;
	if (n != 1)
		_exit(OMPP_EXIT_FAILED); /* ompp has ended */
	execvp(child->argv[0], child->argv);
	error = ompp_search_error(child->argv[0], errno);
	n = write(answer, &error, sizeof(error));
	_exit(n == sizeof(error) ? OMPP_EXIT_NOT_RUN : OMPP_EXIT_FAILED);
}

int ompp_child_start(struct ompp_child *child, char **argv, void (*prepare)(void))
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int go[2] = { -1, -1 }, answer[2] = { -1, -1 }, error = 0;

	*child = (struct ompp_child){ .pid = -1, .argv = argv };
	if (pipe2(go, O_CLOEXEC) || pipe2(answer, O_CLOEXEC)) {
		error = errno;
	} else {
		sigaction(SIGINT, &ignore, &child->interrupt); /* only the program reacts to the terminal's signals */
		sigaction(SIGQUIT, &ignore, &child->quit);
		child->pid = fork();
		if (!child->pid) {
			close(go[1]);
			child_become(child, go[0], answer[1], prepare);
		}
		error = child->pid < 0 ? errno : 0;
		if (error) {
			sigaction(SIGINT, &child->interrupt, NULL);
			sigaction(SIGQUIT, &child->quit, NULL);
		}
	}
	if (go[0] >= 0)
		close(go[0]);
	if (answer[1] >= 0)
		close(answer[1]);
	child->go = go[1];
	child->answer = answer[0];
	if (!error)
		return 0;
	if (go[1] >= 0)
		close(go[1]);
	if (answer[0] >= 0)
		close(answer[0]);
	ompp_complain(argv[0], "cannot be run: %s", strerror(error));
	return OMPP_EXIT_NOT_RUN;
}

int ompp_child_go(struct ompp_child *child, const char *advice)
{
	int error = 0;
	ssize_t n = write(child->go, "", 1);

	close(child->go);
	while (n == 1 && (n = read(child->answer, &error, sizeof(error))) < 0 && errno == EINTR)
		n = 1;
	close(child->answer);
	if (!error)
		return 0;
	ompp_child_wait(child);
	ompp_complain(child->argv[0], "cannot be run: %s%s", strerror(error), advice);
	return error == ENOENT ? OMPP_EXIT_NOT_FOUND : OMPP_EXIT_NOT_RUN;
}

int ompp_child_wait(struct ompp_child *child)
{
	int wait_status = 0;

	while (waitpid(child->pid, &wait_status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &child->interrupt, NULL);
	sigaction(SIGQUIT, &child->quit, NULL);
	return wait_status;
}

int ompp_child_end_like(int wait_status)
{
	struct rlimit no_core = { 0, 0 };

	if (WIFEXITED(wait_status))
		return WEXITSTATUS(wait_status);
	setrlimit(RLIMIT_CORE, &no_core); /* so that ompp does not overwrite the program's own core file */
	signal(WTERMSIG(wait_status), SIG_DFL);
	raise(WTERMSIG(wait_status));
	return 128 + WTERMSIG(wait_status);
}
