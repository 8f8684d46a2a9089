/*
 * Server door: see server_door.h.
 */
#define _GNU_SOURCE
#include "reports/watch/server_door.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/array.h"

enum {
	PLACES = 128,
	METHOD_BYTES = 16,
	LINE_BYTES = METHOD_BYTES + 2 + 2 * OMPP_SERVER_TOKEN + 1, /* METHOD, " /", the token, "/" */
	ACCEPTED_AT_ONCE = 1024,                                   /* in a turn, so that the server gets its own */
	WAIT_MS = 5000,
	LEAVE_MS = 1000,           /* how long a refused connection may take to read that, and to end */
	LEAVE_BYTES = 1024 * 1024, /* what it may still send; a close with unread bytes would discard the answer */
	NO_DESCRIPTOR_MS = 50,
	LISTENER = PLACES /* the listening socket's place in events */
};

/* A connection that has not sent the token. */
struct caller {
	int fd; /* -1: the place is free */
	int is_leaving;
	size_t n_dropped;
	int64_t since_ms;
};

struct ompp_server_door {
	const struct ompp_server_address *address;
	ompp_server_enter *enter;
	void *context;
	int epoll, is_deaf; /* is_deaf: the listening socket is not watched, as no descriptor was free */
	struct caller callers[PLACES];
};

enum verdict { WAITS, ENTERS, LEAVES };

static int64_t door_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

/* Judges the beginning of a request.
 * is_all: nothing will follow */
static enum verdict door_judge(const struct ompp_server_address *address, const char *text, size_t n, int is_all)
{
	char path[LINE_BYTES + 1];
	size_t method = 0, n_path;

	while (method < n && method < METHOD_BYTES && text[method] >= 'A' && text[method] <= 'Z')
		method++;
	if (method == n && !is_all)
		return WAITS;
	if (!method || method == n || text[method] != ' ')
		return LEAVES;
	text += method + 1;
	n_path = n - method - 1;
	if (n_path < 2 * OMPP_SERVER_TOKEN + 2)
		return is_all || memchr(text, '\n', n_path) ? LEAVES : WAITS;
	n_path = 2 * OMPP_SERVER_TOKEN + 2;
	memcpy(path, text, n_path);
	path[n_path] = '\0';
	return ompp_server_path(address, path) ? ENTERS : LEAVES;
}

static void caller_end(struct caller *c)
{
	close(c->fd); /* which takes it out of epoll, too */
	c->fd = -1;
}

/* Reads and drops what a refused connection still sends, up to its end. */
static void caller_drop(struct caller *c)
{
	char bytes[16 * 1024];
	ssize_t n;

	while ((n = recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0 && c->n_dropped < LEAVE_BYTES)
		c->n_dropped += (size_t)n;
	if (n >= 0 || errno != EAGAIN)
		caller_end(c);
}

static void caller_refuse(struct caller *c)
{
	static const char answer[] = "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\n"
				     "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
				     "Connection: close\r\nContent-Length: 41\r\n\r\n"
				     "Open the address that ompp live printed.\n";

	send(c->fd, answer, sizeof(answer) - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	shutdown(c->fd, SHUT_WR);
	c->is_leaving = 1;
	c->since_ms = door_now_ms();
	caller_drop(c);
}

/* Lets in or refuses a connection that has said enough for that. */
static void caller_look(struct ompp_server_door *d, struct caller *c, int is_all)
{
	struct sockaddr_storage from = { 0 };
	socklen_t n_from = sizeof(from);
	char text[LINE_BYTES];
	ssize_t n;
	int fd = c->fd;

	if (c->is_leaving) {
		caller_drop(c);
		return;
	}
	n = recv(fd, text, sizeof(text), MSG_PEEK | MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0) {
		caller_end(c);
		return;
	}
	switch (door_judge(d->address, text, (size_t)n, is_all)) {
	case ENTERS:
		epoll_ctl(d->epoll, EPOLL_CTL_DEL, fd, NULL);
		c->fd = -1;
		if (getpeername(fd, (struct sockaddr *)&from, &n_from))
			close(fd);
		else
			d->enter(d->context, fd, (struct sockaddr *)&from, n_from);
		break;
	case LEAVES:
		caller_refuse(c);
		break;
	case WAITS:
		break;
	}
}

/* Closes the connection that has been here longest.  Returns its place; NULL when there is none. */
static struct caller *door_make_room(struct ompp_server_door *d)
{
	struct caller *oldest = NULL;

	for (struct caller *c = d->callers; c < d->callers + PLACES; c++)
		if (c->fd >= 0 && (!oldest || c->since_ms < oldest->since_ms))
			oldest = c;
	if (oldest)
		caller_end(oldest);
	return oldest;
}

static struct caller *door_place(struct ompp_server_door *d)
{
	for (struct caller *c = d->callers; c < d->callers + PLACES; c++)
		if (c->fd < 0)
			return c;
	return door_make_room(d);
}

/* Watches the listening socket, or not. */
static void door_listen(struct ompp_server_door *d, int is_deaf)
{
	struct epoll_event event = { .events = is_deaf ? 0 : EPOLLIN, .data = { .u32 = LISTENER } };

	d->is_deaf = is_deaf;
	epoll_ctl(d->epoll, EPOLL_CTL_MOD, d->address->socket, &event);
}

/* Accepts what has come.  Without a free descriptor it closes who has been here longest, or waits a little. */
static void door_accept(struct ompp_server_door *d)
{
	for (int i = 0; i < ACCEPTED_AT_ONCE; i++) {
		int fd = accept4(d->address->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		struct caller *c;
		struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET };

		if (fd < 0 && errno == EAGAIN)
			return;
		if (fd < 0 && (errno == ECONNABORTED || errno == EINTR || door_make_room(d)))
			continue;
		if (fd < 0) {
			door_listen(d, 1);
			return;
		}
		c = door_place(d);
		*c = (struct caller){ .fd = fd, .since_ms = door_now_ms() };
		event.data.u32 = (uint32_t)(c - d->callers);
		if (epoll_ctl(d->epoll, EPOLL_CTL_ADD, fd, &event))
			caller_end(c);
		else
			caller_look(d, c, 0);
	}
}

/* Closes who has been here for too long.  Returns after how many milliseconds the next one has; -1: there is none. */
static int door_hurry(struct ompp_server_door *d)
{
	int64_t now = door_now_ms(), next = -1;

	for (struct caller *c = d->callers; c < d->callers + PLACES; c++) {
		int64_t left = c->since_ms + (c->is_leaving ? LEAVE_MS : WAIT_MS) - now;

		if (c->fd < 0)
			continue;
		if (left <= 0)
			caller_end(c);
		else if (next < 0 || left < next)
			next = left;
	}
	return (int)next;
}

int ompp_server_door_turn(struct ompp_server_door *d)
{
	struct epoll_event events[PLACES + 1];
	int n = epoll_wait(d->epoll, events, OMPP_COUNT_OF(events), 0), is_waiting = d->is_deaf, next;

	for (int i = 0; i < n; i++) {
		struct caller *c = d->callers + events[i].data.u32;

		if (events[i].data.u32 == LISTENER)
			is_waiting = 1;
		else if (c->fd >= 0)
			caller_look(d, c, (events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
	}
	if (d->is_deaf)
		door_listen(d, 0);
	if (is_waiting) /* after the events, none of which is then of a connection that took another's place */
		door_accept(d);
	next = door_hurry(d);
	return d->is_deaf ? NO_DESCRIPTOR_MS : next;
}

int ompp_server_door_fd(const struct ompp_server_door *d)
{
	return d->epoll;
}

struct ompp_server_door *ompp_server_door_open(const struct ompp_server_address *address, ompp_server_enter *enter,
                                               void *context)
{
	struct ompp_server_door *d = calloc(1, sizeof(*d));
	struct epoll_event event = { .events = EPOLLIN, .data = { .u32 = LISTENER } };

	if (!d)
		return NULL;
	*d = (struct ompp_server_door){ .address = address, .enter = enter, .context = context };
	for (size_t i = 0; i < PLACES; i++)
		d->callers[i].fd = -1;
	d->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (d->epoll >= 0 && !epoll_ctl(d->epoll, EPOLL_CTL_ADD, address->socket, &event))
		return d;
	if (d->epoll >= 0)
		close(d->epoll);
	free(d);
	return NULL;
}

void ompp_server_door_close(struct ompp_server_door *d)
{
	for (struct caller *c = d->callers; c < d->callers + PLACES; c++)
		if (c->fd >= 0)
			caller_end(c);
	close(d->epoll);
	free(d);
}
