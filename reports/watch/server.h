/*
 * Server: serves the page of ompp live, and what the journal has, to browsers; and receives the commands of the page.
 *
 * It runs in a thread of its own, so that the watcher never waits for a browser.  Without the token in the address a
 * client learns only that there is a server: requests with another path, another Host or a foreign Origin are refused.
 * Connections, streams, and the bytes and time of a request are limited.
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
const char *ompp_server_url(const struct ompp_server *server);

/* Can others than this machine reach it? */
int ompp_server_is_open(const struct ompp_server *server);

/* Returns a descriptor that is readable when there are commands. */
int ompp_server_fd(const struct ompp_server *server);

/* Takes the oldest pending command.  Returns 0 when there is none. */
int ompp_server_command(struct ompp_server *server, char command[OMPP_SERVER_COMMAND]);

/* Sends the rest of the journal, for some tenths of a second at most, and ends. */
void ompp_server_close(struct ompp_server *server);

#endif
