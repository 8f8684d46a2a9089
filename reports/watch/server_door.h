/*
 * Server door: accepts connections, and lets in those whose first line has the token.  Others are refused here and
 * never reach the HTTP server, so that they cannot block clients that have the token.
 *
 * Connections whose first line is incomplete wait here, for some seconds at most.  When a new one comes and there is no
 * room, the one that has waited longest is closed: a client with the token sends it at once.  Used by one thread.
 */
#ifndef OMPP_SERVER_DOOR_H
#define OMPP_SERVER_DOOR_H

#include <sys/socket.h>

#include "reports/watch/server_address.h"

struct ompp_server_door;

/* Takes a connection that sent the token; nothing has been read from it.  It owns the descriptor. */
typedef void ompp_server_enter(void *context, int fd, const struct sockaddr *address, socklen_t n_address);

/* Returns NULL with errno.  The address, whose socket stays the caller's, lives longer than the door. */
struct ompp_server_door *ompp_server_door_open(const struct ompp_server_address *address, ompp_server_enter *enter,
                                               void *context);

/* Returns a descriptor that is readable when the next turn has something to do. */
int ompp_server_door_fd(const struct ompp_server_door *door);

/* Accepts, lets in and refuses; never waits.  Returns after how many milliseconds the next turn is due at the latest;
 * -1: any time. */
int ompp_server_door_turn(struct ompp_server_door *door);

void ompp_server_door_close(struct ompp_server_door *door);

#endif
