/*
 * Process: see process.h.  No other file forks.
 */
#include "opari/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opari/base/signals.h"
#include "opari/base/temp.h"
#include "runtime/base/clean.h"
#include "runtime/base/search.h"

static int printing = -1; /* descriptor to which commands are printed, or -1 */

void kinst_process_init(int print_fd)
{
	printing = print_fd;
	kinst_signals_catch();
}

/* Returns 1 when the word has bytes that are unsafe for a terminal.  Tabs and line feeds are allowed. */
static int is_dirty(const char *word)
{
	for (;; word++) {
		word += ompp_clean_bytes(word, 1);
		if (*word != '\t')
			return *word != '\0';
	}
}

/* Adds such a word as bash takes it, $'\x1b'. */
static void quote_bytes(struct kinst_text *line, const char *word)
{
	kinst_text_puts(line, "$'");
	for (; *word; word++) {
		char *byte = kinst_format(*word >= ' ' && *word < 0x7f && *word != '\'' && *word != '\\' ? "%c"
		                                                                                         : "\\x%02x",
		                          (unsigned char)*word);

		kinst_text_puts(line, byte);
		free(byte);
	}
	kinst_text_puts(line, "'");
}

/* Adds a word as the shell takes it. */
static void process_quote(struct kinst_text *line, const char *word)
{
	if (ompp_is_plain_word(word)) {
		kinst_text_puts(line, word);
		return;
	}
	if (is_dirty(word)) {
		quote_bytes(line, word);
		return;
	}
	kinst_text_puts(line, "'");
	for (; *word; word++)
		if (*word == '\'')
			kinst_text_puts(line, "'\\''");
		else
			kinst_text_add(line, word, 1);
	kinst_text_puts(line, "'");
}

void kinst_process_print(const struct kinst_words *words, int fd)
{
	struct kinst_text line = { 0 };

	for (size_t i = 0; i < words->n; i++) {
		if (i)
			kinst_text_puts(&line, " ");
		process_quote(&line, words->items[i]);
	}
	kinst_text_puts(&line, "\n");
	if (write(fd, line.data, line.length) < 0)
		errno = 0; /* the reader of the pipe has closed it */
	kinst_text_free(&line);
}

/* Returns the words for execve(2); if they exceed its limit, the command and a response file. */
static char **argv_of(const struct kinst_words *words, struct kinst_words *brief)
{
	struct kinst_text file = { 0 };
	size_t n_bytes = 0;
	char *path, *at;

	for (size_t i = 0; i < words->n; i++)
		n_bytes += strlen(words->items[i]) + 1 + sizeof(char *);
	path = n_bytes > 1000000 ? kinst_temp_path("arguments") : NULL;
	if (!path)
		return words->items;
	for (size_t i = 1; i < words->n; i++) {
		kinst_text_puts(&file, "\"");
		for (const char *p = words->items[i]; *p; p++) {
			if (*p == '"' || *p == '\\')
				kinst_text_puts(&file, "\\");
			kinst_text_add(&file, p, 1);
		}
		kinst_text_puts(&file, "\"\n");
	}
	kinst_write_file(path, file.data, file.length);
	at = kinst_format("@%s", path);
	kinst_words_add(brief, words->items[0]);
	kinst_words_add(brief, at);
	free(at);
	free(path);
	kinst_text_free(&file);
	return brief->items;
}

static void use_input(int in)
{
	if (in < 0)
		return;
	lseek(in, 0, SEEK_SET);
	dup2(in, 0);
}

int kinst_process_exec(const struct kinst_words *words, int in)
{
	if (printing >= 0)
		kinst_process_print(words, printing);
	use_input(in);
	execvp(words->items[0], words->items);
	return -ompp_search_error(words->items[0], errno);
}

/* Reads both pipes until both end. */
static void process_drain(int fds[2], struct kinst_text *texts[2])
{
	struct pollfd polls[2] = { { fds[0], POLLIN, 0 }, { fds[1], POLLIN, 0 } };
	char part[16384];

	while (polls[0].fd >= 0 || polls[1].fd >= 0) {
		if (poll(polls, 2, -1) < 0 && errno != EINTR)
			break;
		for (int i = 0; i < 2; i++) {
			ssize_t n;

			if (polls[i].fd < 0 || !polls[i].revents)
				continue;
			n = read(polls[i].fd, part, sizeof(part));
			if (n > 0)
				kinst_text_add(texts[i], part, (size_t)n);
			else if (!n || errno != EINTR)
				polls[i].fd = -1;
		}
	}
}

/* A program that runs. */
struct child {
	pid_t pid;                /* 0 when there is none */
	int ends[2], inner[2];    /* of the pipes for its output; -1 without */
	int start[2];             /* of the pipe that reports why it did not start */
	int error;                /* error number of a failure in kinst */
	struct kinst_words brief; /* its words if a response file is used */
};

/* Starts a program, while signals are held. */
static void start(struct child *child, const struct kinst_run *run)
{
	struct kinst_text *texts[2] = { run->out, run->err };
	char **argv = argv_of(run->words, &child->brief);
	int error;

	for (int i = 0; i < 2; i++) {
		int both[2];

		if (!texts[i])
			continue;
		if (pipe2(both, O_CLOEXEC)) {
			child->error = errno;
			return;
		}
		child->ends[i] = both[0];
		child->inner[i] = both[1];
	}
	if (pipe2(child->start, O_CLOEXEC)) {
		child->error = errno;
		return;
	}
	child->pid = fork();
	if (!child->pid) {
		kinst_signals_as_before();
		for (int i = 0; i < 2; i++)
			if (child->inner[i] >= 0)
				dup2(child->inner[i], i + 1);
		use_input(run->in);
		if (run->in_english)
			setenv("LC_ALL", "C", 1);
		execvp(argv[0], argv);
		error = ompp_search_error(argv[0], errno);
		if (write(child->start[1], &error, sizeof(error)) < 0)
			_exit(126);
		_exit(127);
	}
	if (child->pid < 0) {
		child->error = errno;
		child->pid = 0;
	}
}

static void close_pipe(int fds[2])
{
	for (int i = 0; i < 2; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

/* Waits for a program's end.  Returns its status, as kinst_process_run() does. */
static int wait_for(struct child *child)
{
	int status = 0;

	if (child->pid) {
		while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
			;
		if (read(child->start[0], &child->error, sizeof(child->error)) < 0)
			child->error = 0;
	}
	close_pipe(child->start);
	close_pipe(child->ends);
	kinst_words_free(&child->brief);
	if (child->error)
		return -child->error;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int kinst_process_run(const struct kinst_run *run)
{
	static const pid_t none[KINST_CHILDREN];
	struct kinst_text *texts[2] = { run->out, run->err };
	struct child children[KINST_CHILDREN];
	pid_t pids[KINST_CHILDREN];
	int status;

	kinst_signals_end();
	for (int i = 0; i < KINST_CHILDREN; i++)
		children[i] = (struct child){ .ends = { -1, -1 }, .inner = { -1, -1 }, .start = { -1, -1 } };
	/* If the reader of the printed commands is gone, kinst dies of SIGPIPE, but only after the program has run to
	 * its end. */
	if (printing >= 0) {
		kinst_process_print(run->words, printing);
		if (run->beside)
			kinst_process_print(run->beside->words, printing);
	}
	kinst_signals_hold();
	start(&children[0], run);
	if (run->beside)
		start(&children[1], run->beside);
	for (int i = 0; i < KINST_CHILDREN; i++) {
		pids[i] = children[i].pid;
		close_pipe(children[i].inner);
		if (children[i].start[1] >= 0)
			close(children[i].start[1]);
		children[i].start[1] = -1;
	}
	kinst_signals_pass_to(pids);
	if (children[0].pid)
		process_drain(children[0].ends, texts);
	status = wait_for(&children[0]);
	if (run->beside) {
		pids[0] = 0;
		kinst_signals_pass_to(pids);
		run->beside->status = wait_for(&children[1]);
	}
	kinst_signals_pass_to(none);
	kinst_signals_end();
	return status;
}

int kinst_process_is_room(void)
{
	double load;

	return getloadavg(&load, 1) == 1 && load + 1 < (double)sysconf(_SC_NPROCESSORS_ONLN);
}
