/*
 * Say: see say.h.
 */
#include "opari/base/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/kinst_text.h"
#include "runtime/base/clean.h"

static void say_put(const char *s, int keep_lines)
{
	size_t n_bytes = strlen(s) * OMPP_CLEAN_MOST + 1;
	char *buffer = kinst_alloc(n_bytes);
	struct ompp_text t;

	ompp_text_init(&t, buffer, n_bytes);
	ompp_clean(&t, s, keep_lines);
	fputs(buffer, stderr);
	free(buffer);
}

void kinst_say(const char *format, ...)
{
	char *line;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&line, format, args);
	va_end(args);
	if (n < 0)
		return;
	if (n && line[n - 1] == '\n')
		line[n - 1] = '\0';
	say_put(line, 0);
	if (n && !line[n - 1])
		fputc('\n', stderr);
	free(line);
}

void kinst_say_lines(const char *lines)
{
	if (lines)
		say_put(lines, 1);
}
