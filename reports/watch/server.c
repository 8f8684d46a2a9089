/*
 * Server: see server.h.
 */
#define _GNU_SOURCE
#include "reports/watch/server.h"

#include "config.h"
#include "reports/command/arguments.h"

#ifdef HAVE_MICROHTTPD
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "reports/watch/bytes.h"
#include "reports/watch/server_address.h"
#include "reports/watch/server_door.h"
#include "reports/web/live.h"
#include "runtime/base/array.h"

enum {
	MOST_CONNECTIONS = 64, /* that sent the token */
	MOST_STREAMS = 16,
	MOST_COMMANDS = 64,
	REQUEST_BYTES = 16 * 1024,
	BLOCK_BYTES = 64 * 1024, /* what is taken from the journal at once */
	TURN_MS = 50,            /* how often streams get what is new */
	REQUEST_MS = 5000,       /* how long a connection may be open before its first request is complete */
	SILENT_MS = 5000,        /* a silent stream gets a keep-alive after that, so that a lost browser is noticed */
	IDLE_S = 15,             /* after that MHD closes idle connections */
	LINGER_MS = 700
};

/* A connection that sent the token. */
struct visitor {
	struct visitor *next;
	int64_t since_ms;
	int fd, is_known;
};

/* An event stream to a browser. */
struct stream {
	struct stream *next;
	struct ompp_server *server;
	struct MHD_Connection *connection;
	struct ompp_journal_cursor cursor;
	struct ompp_bytes bytes;
	size_t done; /* so many of them were sent */
	int64_t said_ms;
	int is_suspended;
};

/* A request that is coming in. */
struct request {
	char body[OMPP_SERVER_COMMAND];
	size_t n;
	int is_too_long;
};

struct ompp_server {
	struct MHD_Daemon *daemon;
	struct ompp_server_door *door;
	struct ompp_journal *journal;
	struct visitor *visitors; /* only the server's thread uses this and all members up to the lock */
	struct stream *streams;
	unsigned int n_streams;
	int64_t ending_ms; /* when it was told to end; 0: not yet */
	int wake, fd;
	struct ompp_server_address address;
	pthread_t thread;
	pthread_mutex_t lock; /* protects what follows */
	int is_ending;
	char commands[MOST_COMMANDS][OMPP_SERVER_COMMAND];
	size_t n_commands;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

static void wake(int fd)
{
	uint64_t one = 1;
	ssize_t n = write(fd, &one, sizeof(one));

	(void)n; /* the pipe is full, so the reader is awake anyway */
}

static void server_drain(int fd)
{
	uint64_t number;
	ssize_t n = read(fd, &number, sizeof(number));

	(void)n;
}

static void server_guard(struct MHD_Response *r, const char *type)
{
	static const char *const headers[][2] = {
		{ "Content-Security-Policy",
		  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
		  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "X-Frame-Options", "DENY" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cross-Origin-Opener-Policy", "same-origin" },
		{ "Cache-Control", "no-store" },
	};

	MHD_add_response_header(r, "Content-Type", type);
	for (size_t i = 0; i < OMPP_COUNT_OF(headers); i++)
		MHD_add_response_header(r, headers[i][0], headers[i][1]);
}

static enum MHD_Result server_answer(struct MHD_Connection *c, unsigned int status, const char *type, const char *bytes,
                                     size_t n_bytes)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(n_bytes, (void *)bytes, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result rc;

	if (!r)
		return MHD_NO;
	server_guard(r, type);
	if (status >= 400)
		MHD_add_response_header(r, "Connection", "close");
	rc = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return rc;
}

static enum MHD_Result server_refuse(struct MHD_Connection *c, unsigned int status, const char *why)
{
	return server_answer(c, status, "text/plain; charset=utf-8", why, strlen(why));
}

/* Adds a piece of the journal as an event of the stream, one event per line. */
static void put_piece(void *to, const struct ompp_journal_piece *piece)
{
	static const char *const names[] = { [OMPP_JOURNAL_STATE] = "event: state\n",
		                             [OMPP_JOURNAL_CATALOG] = "event: catalog\n",
		                             [OMPP_JOURNAL_MISSED] = "event: missed\n" };
	struct stream *s = to;
	const char *at = piece->text, *end = at + piece->n_bytes;
	char number[40];

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop ? stop : end;
		if (names[piece->kind])
			ompp_bytes_put(&s->bytes, names[piece->kind], strlen(names[piece->kind]));
		if (piece->number)
			ompp_bytes_put(&s->bytes, number,
			               (size_t)snprintf(number, sizeof(number), "id: %llu\n",
			                                (unsigned long long)piece->number));
		ompp_bytes_put(&s->bytes, "data: ", 6);
		ompp_bytes_put(&s->bytes, at, (size_t)(stop - at));
		ompp_bytes_put(&s->bytes, "\n\n", 2);
		at = stop + 1;
	}
}

/* So that the page notices that the server is gone when the network does not say it. */
static const char alive[] = "event: alive\ndata: {}\n\n";

static ssize_t read_stream(void *context, uint64_t position, char *to, size_t room)
{
	struct stream *s = context;
	size_t n;

	(void)position;
	if (s->done == s->bytes.n) {
		s->done = s->bytes.n = 0;
		while (s->bytes.n < BLOCK_BYTES && !s->bytes.is_failed &&
		       ompp_journal_read(s->server->journal, &s->cursor, put_piece, s))
			;
		if (!s->bytes.n && now_ms() - s->said_ms > SILENT_MS)
			ompp_bytes_put(&s->bytes, alive, sizeof(alive) - 1);
	}
	if (s->bytes.is_failed)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	n = s->bytes.n - s->done < room ? s->bytes.n - s->done : room;
	if (n) {
		memcpy(to, s->bytes.text + s->done, n);
		s->done += n;
		s->said_ms = now_ms();
		return (ssize_t)n;
	}
	if (s->server->ending_ms)
		return MHD_CONTENT_READER_END_OF_STREAM;
	s->is_suspended = 1;
	MHD_suspend_connection(s->connection);
	return 0;
}

static void end_stream(void *context)
{
	struct stream *s = context;
	struct stream **at = &s->server->streams;

	while (*at && *at != s)
		at = &(*at)->next;
	if (*at)
		*at = s->next;
	s->server->n_streams--;
	free(s->bytes.text);
	free(s);
}

static enum MHD_Result begin_stream(struct ompp_server *server, struct MHD_Connection *c)
{
	const char *last = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Last-Event-ID");
	struct stream *s = server->n_streams < MOST_STREAMS ? calloc(1, sizeof(*s)) : NULL;
	struct MHD_Response *r = NULL;
	enum MHD_Result rc;

	if (!s)
		return server_refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, "Too many pages look on already; close one.\n");
	*s = (struct stream){ .server = server, .connection = c, .said_ms = now_ms() };
	if (!last)
		last = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "after");
	if (last && last[0] >= '0' && last[0] <= '9' && strlen(last) < 19)
		s->cursor.next = strtoull(last, NULL, 10) + 1;
	r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_stream, s, end_stream);
	if (!r) {
		free(s);
		return MHD_NO;
	}
	server->n_streams++;
	s->next = server->streams;
	server->streams = s;
	server_guard(r, "text/event-stream; charset=utf-8");
	rc = MHD_queue_response(c, MHD_HTTP_OK, r);
	MHD_destroy_response(r);
	return rc;
}

static enum MHD_Result take_header(void *context, enum MHD_ValueKind kind, const char *key, const char *value)
{
	struct ompp_server_headers *h = context;

	(void)kind;
	if (!strcasecmp(key, "Host"))
		h->host = value, h->n_hosts++;
	else if (!strcasecmp(key, "Origin"))
		h->origin = value, h->n_origins++;
	else if (!strcasecmp(key, "Sec-Fetch-Site"))
		h->site = value;
	return MHD_YES;
}

/* Does the request come from our page, or not from a page at all? */
static int is_from_here(const struct ompp_server *s, struct MHD_Connection *c)
{
	struct ompp_server_headers h = { 0 };

	MHD_get_connection_values(c, MHD_HEADER_KIND, take_header, &h);
	return ompp_server_is_meant(&s->address, &h);
}

static int is_command(const char *text)
{
	static const char *const words[] = { "pause", "resume", "stop", "interval ", "enable ", "disable " };
	size_t i = 0;

	for (const char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			return 0;
	while (i < OMPP_COUNT_OF(words) && (i < 3 ? strcmp(text, words[i]) : strncmp(text, words[i], strlen(words[i]))))
		i++;
	return i < OMPP_COUNT_OF(words);
}

static enum MHD_Result take_command(struct ompp_server *s, struct MHD_Connection *c, struct request *r)
{
	int is_taken = 0;

	if (r->is_too_long)
		return server_refuse(c, MHD_HTTP_CONTENT_TOO_LARGE, "A command is shorter.\n");
	r->body[r->n] = '\0';
	if (strlen(r->body) != r->n || !is_command(r->body))
		return server_refuse(c, MHD_HTTP_BAD_REQUEST, "That is no command.\n");
	pthread_mutex_lock(&s->lock);
	if (s->n_commands < MOST_COMMANDS) {
		memcpy(s->commands[s->n_commands++], r->body, r->n + 1);
		is_taken = 1;
	}
	pthread_mutex_unlock(&s->lock);
	if (!is_taken)
		return server_refuse(c, MHD_HTTP_SERVICE_UNAVAILABLE, "Too many commands at once.\n");
	wake(s->fd);
	return server_refuse(c, MHD_HTTP_ACCEPTED, "");
}

static const char page[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<title>ompp live</title>\n<link rel=\"icon\" href=\"data:,\">\n"
	"<link rel=\"stylesheet\" href=\"color.css\">\n<link rel=\"stylesheet\" "
	"href=\"style.css\">\n<script src=\"base.js\"></script>\n<script src=\"lines.js\"></script>\n"
	"<script src=\"live.js\"></script>\n"
	"</head>\n<body></body>\n</html>\n";

static const struct {
	const char *name, *type;
	const struct ompp_page_asset *asset;
} page_parts[] = {
	{ "color.css", "text/css; charset=utf-8", &ompp_page_color },
	{ "style.css", "text/css; charset=utf-8", &ompp_page_live_style },
	{ "base.js", "text/javascript; charset=utf-8", &ompp_page_base },
	{ "lines.js", "text/javascript; charset=utf-8", &ompp_page_live_lines },
	{ "live.js", "text/javascript; charset=utf-8", &ompp_page_live },
};

/* Answers with a part of the page. */
static enum MHD_Result answer_page(struct MHD_Connection *c, const char *name)
{
	if (!name[0])
		return server_answer(c, MHD_HTTP_OK, "text/html; charset=utf-8", page, sizeof(page) - 1);
	for (size_t i = 0; i < OMPP_COUNT_OF(page_parts); i++)
		if (!strcmp(name, page_parts[i].name))
			return server_answer(c, MHD_HTTP_OK, page_parts[i].type,
			                     (const char *)page_parts[i].asset->bytes, page_parts[i].asset->n_bytes);
	return server_refuse(c, MHD_HTTP_NOT_FOUND, "There is nothing of this name.\n");
}

/* Notes that a complete request with the token came on this connection. */
static void server_know(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	if (info && info->socket_context)
		((struct visitor *)info->socket_context)->is_known = 1;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *c, const char *url, const char *method,
                                  const char *version, const char *upload, size_t *n_upload, void **state)
{
	struct ompp_server *s = context;
	struct request *r = *state;
	const char *name;
	int is_get = !strcmp(method, "GET"), is_post = !strcmp(method, "POST");

	(void)version;
	if (r) { /* the body of a command, in pieces, and then its end */
		for (size_t i = 0; i < *n_upload; i++)
			if (r->n + 1 < sizeof(r->body))
				r->body[r->n++] = upload[i];
			else
				r->is_too_long = 1;
		if (*n_upload) {
			*n_upload = 0;
			return MHD_YES;
		}
		server_know(c);
		return take_command(s, c, r);
	}
	name = ompp_server_path(&s->address, url);
	if (!name || !is_from_here(s, c))
		return server_refuse(c, MHD_HTTP_FORBIDDEN, "Open the address that ompp live printed.\n");
	if (!strcmp(name, "command")) {
		if (!is_post)
			return server_refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, "A command is sent by POST.\n");
		*state = calloc(1, sizeof(struct request));
		return *state ? MHD_YES : MHD_NO;
	}
	server_know(c);
	if (!is_get)
		return server_refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, "There is nothing to write here.\n");
	if (!strcmp(name, "events"))
		return begin_stream(s, c);
	return answer_page(c, name);
}

static void on_completed(void *context, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode why)
{
	(void)context, (void)c, (void)why;
	free(*state);
	*state = NULL;
}

static void on_connection(void *context, struct MHD_Connection *c, void **visitor,
                          enum MHD_ConnectionNotificationCode what)
{
	struct ompp_server *s = context;
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct visitor *v;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		v = calloc(1, sizeof(*v));
		if (!v || !info) {
			free(v);
			return;
		}
		*v = (struct visitor){ .next = s->visitors, .since_ms = now_ms(), .fd = info->connect_fd };
		s->visitors = *visitor = v;
		return;
	}
	for (struct visitor **at = &s->visitors; *at; at = &(*at)->next)
		if (*at == *visitor) {
			v = *at;
			*at = v->next;
			free(v);
			break;
		}
	*visitor = NULL;
}

/* Closes connections that send their first request too slowly. */
static void end_slow(struct ompp_server *s)
{
	int64_t now = now_ms();

	for (struct visitor *v = s->visitors; v; v = v->next)
		if (!v->is_known && now - v->since_ms > REQUEST_MS)
			shutdown(v->fd, SHUT_RDWR);
}

/* Gives a connection to MHD, which closes it when it has too many. */
static void on_enter(void *context, int fd, const struct sockaddr *address, socklen_t n_address)
{
	struct ompp_server *s = context;

	MHD_add_connection(s->daemon, fd, address, n_address);
}

/* Resumes the streams that have data to send. */
static void resume_all(struct ompp_server *s)
{
	for (struct stream *t = s->streams; t; t = t->next)
		if (t->is_suspended) {
			t->is_suspended = 0;
			MHD_resume_connection(t->connection);
		}
}

static int is_told_to_end(struct ompp_server *s)
{
	int is_ending;

	pthread_mutex_lock(&s->lock);
	is_ending = s->is_ending;
	pthread_mutex_unlock(&s->lock);
	return is_ending;
}

static void *server_serve(void *context)
{
	struct ompp_server *s = context;
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	struct pollfd fds[] = { { info->epoll_fd, POLLIN, 0 },
		                { s->wake, POLLIN, 0 },
		                { ompp_server_door_fd(s->door), POLLIN, 0 } };
	int door_ms = -1;

	for (;;) {
		MHD_UNSIGNED_LONG_LONG limit;
		int timeout = s->n_streams ? TURN_MS : s->visitors ? 1000 : -1;

		if (door_ms >= 0 && (timeout < 0 || door_ms < timeout))
			timeout = door_ms;
		if (MHD_get_timeout(s->daemon, &limit) == MHD_YES && (timeout < 0 || limit < (unsigned int)timeout))
			timeout = (int)limit;
		poll(fds, OMPP_COUNT_OF(fds), timeout);
		if (fds[1].revents)
			server_drain(s->wake);
		if (!s->ending_ms && is_told_to_end(s))
			s->ending_ms = now_ms();
		door_ms = ompp_server_door_turn(s->door);
		end_slow(s);
		resume_all(s);
		MHD_run(s->daemon);
		if (s->ending_ms && (!s->n_streams || now_ms() - s->ending_ms > LINGER_MS))
			break;
	}
	resume_all(s);
	return NULL;
}

static int server_start(struct ompp_server *s)
{
	unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET;
	sigset_t all, before;
	int rc;

	s->daemon = MHD_start_daemon(flags, 0, NULL, NULL, on_request, s, MHD_OPTION_CONNECTION_LIMIT,
	                             (unsigned int)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
	                             (unsigned int)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
	                             (size_t)REQUEST_BYTES + BLOCK_BYTES, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
	                             NULL, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_STRICT_FOR_CLIENT,
	                             1, MHD_OPTION_END);
	s->door = s->daemon ? ompp_server_door_open(&s->address, on_enter, s) : NULL;
	if (!s->door)
		return -1;
	sigfillset(&all); /* only the watcher's thread gets signals */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&s->thread, NULL, server_serve, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc ? -1 : 0;
}

static void server_tidy(struct ompp_server *s)
{
	if (s->door)
		ompp_server_door_close(s->door);
	if (s->daemon)
		MHD_stop_daemon(s->daemon);
	if (s->address.socket >= 0)
		close(s->address.socket);
	if (s->wake >= 0)
		close(s->wake);
	if (s->fd >= 0)
		close(s->fd);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

struct ompp_server *ompp_server_open(const char *address, struct ompp_journal *journal)
{
	struct ompp_server *s = calloc(1, sizeof(*s));

	if (!s) {
		ompp_complain("live", "not enough memory");
		return NULL;
	}
	pthread_mutex_init(&s->lock, NULL);
	s->journal = journal;
	s->address.socket = -1;
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	s->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (ompp_server_listen(&s->address, address)) {
		server_tidy(s);
		return NULL;
	}
	if (s->wake < 0 || s->fd < 0 || ompp_server_name(&s->address) || server_start(s)) {
		ompp_complain("live", "the server cannot be started: %s", strerror(errno));
		server_tidy(s);
		return NULL;
	}
	return s;
}

int ompp_server_command(struct ompp_server *s, char command[OMPP_SERVER_COMMAND])
{
	int is_there;

	server_drain(s->fd);
	pthread_mutex_lock(&s->lock);
	is_there = s->n_commands != 0;
	if (is_there) {
		memcpy(command, s->commands[0], OMPP_SERVER_COMMAND);
		s->n_commands--;
		memmove(s->commands[0], s->commands[1], s->n_commands * sizeof(s->commands[0]));
	}
	pthread_mutex_unlock(&s->lock);
	return is_there;
}

void ompp_server_close(struct ompp_server *s)
{
	pthread_mutex_lock(&s->lock);
	s->is_ending = 1;
	pthread_mutex_unlock(&s->lock);
	wake(s->wake);
	pthread_join(s->thread, NULL);
	server_tidy(s);
}

const char *ompp_server_url(const struct ompp_server *s)
{
	return s->address.url;
}

int ompp_server_is_open(const struct ompp_server *s)
{
	return s->address.is_open;
}

int ompp_server_fd(const struct ompp_server *s)
{
	return s->fd;
}

#else
#include <stdlib.h>

struct ompp_server {
	char address[1];
};

struct ompp_server *ompp_server_open(const char *address, struct ompp_journal *journal)
{
	(void)address, (void)journal;
	ompp_complain("live",
	              "this ompp was built without libmicrohttpd; build it where libmicrohttpd-dev is installed, "
	              "or use 'ompp stat' and 'ompp record --form=html'");
	return NULL;
}

int ompp_server_command(struct ompp_server *s, char command[OMPP_SERVER_COMMAND])
{
	command[0] = s->address[0];
	return 0;
}

void ompp_server_close(struct ompp_server *s)
{
	free(s);
}

const char *ompp_server_url(const struct ompp_server *s)
{
	return s->address;
}

int ompp_server_is_open(const struct ompp_server *s)
{
	return s->address[0];
}

int ompp_server_fd(const struct ompp_server *s)
{
	return s->address[0];
}
#endif
