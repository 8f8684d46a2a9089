/*
 * Session: see session.h.
 */
#include "runtime/core/session.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/clean.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/note.h"
#include "runtime/host/stream.h"

struct ompp_session ompp_session;

static _Atomic int state;                                                /* 0 not started, 1 starting, 2 started */
static __thread int starting __attribute__((tls_model("initial-exec"))); /* 1 while this thread starts the session */

void ompp_session_say(const char *line)
{
	char text[512];
	struct ompp_text t;

	if (ompp_session.options.number[OMPP_OPT_QUIET] || !ompp_stream_is_same(STDERR_FILENO))
		return;
	ompp_text_init(&t, text, sizeof(text) - 1);
	ompp_text_str(&t, "ompp: ");
	ompp_clean(&t, line, 0);
	text[t.n_bytes] = '\n';
	ompp_stream_write(STDERR_FILENO, text, t.n_bytes + 1, 0);
}

void ompp_session_read_clocks(void)
{
	struct timespec now;

	ompp_clock_read(CLOCK_REALTIME, &now);
	ompp_session.start_unix_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	ompp_clock_anchor(&ompp_session.start);
}

const char *ompp_session_app(void)
{
	const char *given = ompp_session.options.text[OMPP_OPT_APPNAME], *path, *slash;

	if (given[0])
		return given;
	path = ompp_session.argc > 0 && ompp_session.argv[0] ? ompp_session.argv[0] : "unknown";
	slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

void ompp_session_after_fork(void)
{
	ompp_session.pid = ompp_sys_getpid();
	ompp_session.forked = 1;
	ompp_session.main_ticks = 0;
	atomic_store(&ompp_session.n_dumps, 0);
	ompp_session_read_clocks();
}

/* Waits until another thread has started the session. */
static void wait_for_start(void)
{
	while (atomic_load_explicit(&state, memory_order_acquire) != 2)
		ompp_sys_sleep(10000);
}

int ompp_session_is_started(void)
{
	int now = atomic_load_explicit(&state, memory_order_acquire), saved = errno;

	if (now == 1 && !starting) {
		wait_for_start();
		errno = saved;
		return 1;
	}
	return now == 2;
}

int ompp_session_begin(void (*start)(void))
{
	int expected = 0, saved, i;

	if (atomic_load_explicit(&state, memory_order_acquire) == 2)
		return 1;
	if (starting)
		return 0;
	saved = errno;
	if (atomic_compare_exchange_strong(&state, &expected, 1)) {
		starting = 1;
		start();
		starting = 0;
		atomic_store_explicit(&state, 2, memory_order_release);
		for (i = 0; i < ompp_note_n_said(); i++)
			ompp_session_say(ompp_note_said(i));
	} else {
		wait_for_start();
	}
	errno = saved;
	return 1;
}
