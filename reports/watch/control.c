/*
 * Control: see control.h.
 */
#define _GNU_SOURCE
#include "reports/watch/control.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/command/arguments.h"

/* OURS is the mode of a FIFO that ompp made.  The sticky bit, which means nothing else there, says so to the next ompp
 * when this one does not live to remove it. */
enum { LINE_BYTES = 4096, OURS = S_ISVTX | S_IRUSR | S_IWUSR };

struct ompp_control {
	int fd, is_ours, is_too_long;
	char path[PATH_MAX], line[LINE_BYTES];
	size_t n;
};

/* Takes the lock that the ompp which removes the FIFO holds.  Returns whether an ompp made it, and none that lives will
 * remove it. */
static int control_inherit(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_ISVTX) && !flock(fd, LOCK_EX | LOCK_NB);
}

/* Returns why an existing FIFO is refused; NULL when it is accepted. */
static const char *control_refused(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		return "exists, and is not a FIFO; choose another path";
	if (st.st_uid != geteuid())
		return "belongs to another user; choose another path";
	if (st.st_mode & (S_IRWXG | S_IRWXO))
		return "other users may write to it or read it; chmod 600, or choose another path";
	return NULL;
}

struct ompp_control *ompp_control_open(const char *path)
{
	struct ompp_control *c = calloc(1, sizeof(*c));
	const char *why;

	if (!c || strlen(path) >= sizeof(c->path)) {
		ompp_complain("--control", c ? "the path is too long" : "not enough memory");
		free(c);
		return NULL;
	}
	strcpy(c->path, path);
	c->is_ours = !mkfifo(path, S_IRUSR | S_IWUSR);
	if (!c->is_ours && errno != EEXIST) {
		ompp_complain(path, "cannot be made: %s; choose another path", strerror(errno));
		free(c);
		return NULL;
	}
	/* opened for writing, too, so that there is no end of file when a writer closes it */
	c->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
	why = c->fd < 0 ? "cannot be opened" : control_refused(c->fd);
	if (!why) {
		if (c->is_ours)
			fchmod(c->fd, OURS);
		c->is_ours |= control_inherit(c->fd);
		return c;
	}
	if (c->fd < 0)
		ompp_complain(path, "cannot be opened: %s; choose another path", strerror(errno));
	else
		ompp_complain(path, "%s", why);
	ompp_control_close(c);
	return NULL;
}

int ompp_control_fd(const struct ompp_control *c)
{
	return c->fd;
}

static void take_byte(struct ompp_control *c, char byte, void (*take)(void *context, char *line), void *context)
{
	if (byte != '\n') {
		if (c->n + 1 < sizeof(c->line))
			c->line[c->n++] = byte ? byte : ' ';
		else
			c->is_too_long = 1;
		return;
	}
	c->line[c->n] = '\0';
	if (c->is_too_long)
		ompp_complain(c->path, "a line of more than %d bytes is left out", LINE_BYTES - 1);
	else if (c->n)
		take(context, c->line);
	c->n = 0;
	c->is_too_long = 0;
}

void ompp_control_read(struct ompp_control *c, void (*take)(void *context, char *line), void *context)
{
	char bytes[LINE_BYTES];
	/* only once, so that an endless writer cannot stop the watching */
	ssize_t n = read(c->fd, bytes, sizeof(bytes));

	for (ssize_t i = 0; i < n; i++)
		take_byte(c, bytes[i], take, context);
}

void ompp_control_close(struct ompp_control *c)
{
	if (c->fd >= 0)
		close(c->fd);
	if (c->is_ours)
		unlink(c->path);
	free(c);
}
