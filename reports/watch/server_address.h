/*
 * Server address: where a server listens, the address of its page, which has a random token, and which requests are
 * meant for it: those of its own page, and of programs that know the token.
 */
#ifndef OMPP_SERVER_ADDRESS_H
#define OMPP_SERVER_ADDRESS_H

#include <stdint.h>

enum { OMPP_SERVER_TOKEN = 16, OMPP_SERVER_HOST = 300 }; /* random bytes, each two digits; bytes of a host's name */

struct ompp_server_address {
	int socket;
	int is_open, is_any; /* other machines can reach it; it listens at all addresses */
	uint16_t port;
	char token[2 * OMPP_SERVER_TOKEN + 1], url[OMPP_SERVER_HOST + 2 * OMPP_SERVER_TOKEN + 16];
	char hosts[3][OMPP_SERVER_HOST]; /* accepted values of the Host header */
};

/* Opens the socket.  Returns 0, or -1 after a complaint. */
int ompp_server_listen(struct ompp_server_address *address, const char *text);

/* Finds the page's address, and what requests for it have as their host.  Returns 0, or -1 with errno. */
int ompp_server_name(struct ompp_server_address *address);

/* Returns what follows the token in a request's path; NULL without the token. */
const char *ompp_server_path(const struct ompp_server_address *address, const char *path);

/* Headers of a request; NULL for what it does not have. */
struct ompp_server_headers {
	const char *host, *origin, *site;
	int n_hosts, n_origins;
};

/* Does a request with such headers come from our page, or not from a page at all? */
int ompp_server_is_meant(const struct ompp_server_address *address, const struct ompp_server_headers *headers);

#endif
