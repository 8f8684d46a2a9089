/*
 * Server address: see server_address.h.
 */
#define _GNU_SOURCE
#include "reports/watch/server_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "runtime/base/array.h"

static int complain_of_address(const char *address, const char *cause)
{
	ompp_complain("--listen", "'%s': %s; write ADDRESS:PORT, as 127.0.0.1:0, 0.0.0.0:8080 or [::1]:0", address,
	              cause);
	return -1;
}

int ompp_server_listen(struct ompp_server_address *a, const char *address)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		                  .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE };
	struct addrinfo *found = NULL;
	char name[OMPP_SERVER_HOST];
	char *colon, *host = name;
	int fd, one = 1, rc;

	snprintf(name, sizeof(name), "%s", address);
	colon = strrchr(name, ':');
	if (strlen(address) >= sizeof(name) || !colon || colon == name)
		return complain_of_address(address, "has no port");
	*colon = '\0';
	if (host[0] == '[' && colon[-1] == ']') {
		colon[-1] = '\0';
		host++;
	}
	rc = getaddrinfo(strcmp(host, "localhost") ? host : "127.0.0.1", colon + 1, &hints, &found);
	if (rc || strspn(colon + 1, "0123456789") != strlen(colon + 1) || !colon[1] || atol(colon + 1) > 65535) {
		if (!rc)
			freeaddrinfo(found);
		return complain_of_address(address,
		                           rc && rc != EAI_SERVICE ? "is no address in numbers" : "has no port");
	}
	fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (found->ai_family == AF_INET6)
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	}
	rc = fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, SOMAXCONN) ? -errno : 0;
	freeaddrinfo(found);
	if (!rc) {
		a->socket = fd;
		return 0;
	}
	if (fd >= 0)
		close(fd);
	return complain_of_address(address, strerror(-rc));
}

/* Finds the address of the page, and the Host headers that browsers will send. */
static int name_hosts(struct ompp_server_address *a)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} at;
	socklen_t n = sizeof(at);
	char host[OMPP_SERVER_HOST - 16] = "";

	if (getsockname(a->socket, &at.any, &n))
		return -1;
	if (at.any.sa_family == AF_INET6) {
		a->port = ntohs(at.v6.sin6_port);
		host[0] = '[';
		inet_ntop(AF_INET6, &at.v6.sin6_addr, host + 1, sizeof(host) - 2);
		strcat(host, "]");
		a->is_any = IN6_IS_ADDR_UNSPECIFIED(&at.v6.sin6_addr);
		a->is_open = !IN6_IS_ADDR_LOOPBACK(&at.v6.sin6_addr);
	} else {
		a->port = ntohs(at.v4.sin_port);
		inet_ntop(AF_INET, &at.v4.sin_addr, host, sizeof(host));
		a->is_any = at.v4.sin_addr.s_addr == htonl(INADDR_ANY);
		a->is_open = ntohl(at.v4.sin_addr.s_addr) >> 24 != 127;
	}
	if (a->is_any && gethostname(host, sizeof(host) - 1))
		snprintf(host, sizeof(host), "localhost");
	snprintf(a->hosts[0], sizeof(a->hosts[0]), "%s:%u", host, a->port);
	if (!a->is_open || a->is_any)
		snprintf(a->hosts[1], sizeof(a->hosts[1]), "localhost:%u", a->port);
	if (a->port == 80)
		snprintf(a->hosts[2], sizeof(a->hosts[2]), "%s", host);
	snprintf(a->url, sizeof(a->url), "http://%s/%s/", a->hosts[0], a->token);
	return 0;
}

static int make_token(struct ompp_server_address *a)
{
	unsigned char bytes[OMPP_SERVER_TOKEN];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return -1;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(a->token + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

int ompp_server_name(struct ompp_server_address *a)
{
	return make_token(a) || name_hosts(a) ? -1 : 0;
}

/* Are the strings equal?  The comparison takes constant time. */
static int is_equal(const char *a, const char *b, size_t n)
{
	volatile unsigned char differs = 0;

	for (size_t i = 0; i < n; i++)
		differs = (unsigned char)(differs | (a[i] ^ b[i]));
	return !differs;
}

const char *ompp_server_path(const struct ompp_server_address *a, const char *url)
{
	size_t n = 2 * OMPP_SERVER_TOKEN;

	if (url[0] != '/' || strlen(url) < 2 + n || url[1 + n] != '/' || !is_equal(url + 1, a->token, n))
		return NULL;
	return url + 2 + n;
}

/* Is the text a numeric address with this server's port? */
static int is_number(const struct ompp_server_address *a, const char *host)
{
	char name[OMPP_SERVER_HOST], port[16];
	unsigned char bytes[sizeof(struct in6_addr)];
	char *colon;

	snprintf(name, sizeof(name), "%s", host);
	colon = strrchr(name, ':');
	if (!colon)
		return 0;
	*colon = '\0';
	snprintf(port, sizeof(port), "%u", a->port);
	if (strcmp(colon + 1, port))
		return 0;
	if (name[0] == '[' && colon[-1] == ']') {
		colon[-1] = '\0';
		return inet_pton(AF_INET6, name + 1, bytes) == 1;
	}
	return inet_pton(AF_INET, name, bytes) == 1;
}

static int is_host(const struct ompp_server_address *a, const char *host)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(a->hosts); i++)
		if (a->hosts[i][0] && !strcasecmp(host, a->hosts[i]))
			return 1;
	return a->is_any && is_number(a, host); /* DNS rebinding needs a name, and this is a numeric address */
}

int ompp_server_is_meant(const struct ompp_server_address *a, const struct ompp_server_headers *h)
{
	if (h->n_hosts != 1 || !h->host || !is_host(a, h->host) || h->n_origins > 1)
		return 0;
	if (h->n_origins && (!h->origin || strncmp(h->origin, "http://", 7) || strcasecmp(h->origin + 7, h->host)))
		return 0;
	return !h->site || !strcmp(h->site, "same-origin") || !strcmp(h->site, "none");
}
