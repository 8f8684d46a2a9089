/*
 * Server: serves the page of ompp live, and what the journal has, to browsers; and takes the commands of the page.
 *
 * It runs in a thread of its own, so that the watcher never waits for a browser.  Who does not have the token in the
 * address learns nothing but that there is a server: each request is refused that has another path, another Host or a
 * foreign Origin.  What may be asked for is bounded: connections, streams, the bytes and the time of a request.
 */
#ifndef OMPP_SERVER_H
#define OMPP_SERVER_H

#include <stddef.h>

#include "reports/watch/journal.h"

enum { OMPP_SERVER_COMMAND = 512 };

struct ompp_server;

/* Starts it.  Returns NULL after a complaint.
 * listen: ADDRESS:PORT, as 127.0.0.1:0 or [::1]:8080; port 0 is any that is free */
struct ompp_server *ompp_server_open(const char *listen, struct ompp_journal *journal);

/* Returns the address of the page, with the token. */
const char *ompp_server_address(const struct ompp_server *server);

/* Can others than this machine reach it? */
int ompp_server_is_open(const struct ompp_server *server);

/* Returns a descriptor that is readable when there are commands. */
int ompp_server_fd(const struct ompp_server *server);

/* Takes the oldest command.  Returns 0 when there is none. */
int ompp_server_command(struct ompp_server *server, char command[OMPP_SERVER_COMMAND]);

/* Hands out what the journal has, for some tenths of a second at most, and ends. */
void ompp_server_close(struct ompp_server *server);

#endif
