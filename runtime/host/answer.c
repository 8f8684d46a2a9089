/*
 * Answer: see answer.h.
 */
#include "runtime/host/answer.h"

#include "runtime/base/array.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/host/helper.h"
#include "runtime/host/write.h"

enum { SOCKET = 0, STDERR = 2, FIRST_OTHER = 3, USAGE = 2 };

int ompp_answer_item(const struct ompp_message *m)
{
	return m->is_bad ? 0 : ompp_message_send(m, SOCKET);
}

/* What the handler needs; mapped, as libompp has this code, too, and no address space for it. */
static struct {
	struct ompp_message message;
	char stack[16384]; /* the process's own may be what the signal is about */
} * last;

/* Says by which signal this process ends, and ends by it: the action was SA_RESETHAND's. */
static void answer_die(int signal)
{
	ompp_message_begin(&last->message, OMPP_HELPER_DIED);
	ompp_message_put_i64(&last->message, signal);
	ompp_message_send(&last->message, SOCKET);
	ompp_sys_raise(signal);
}

static void answer_watch(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP };
	const struct sigaction action = { .sa_handler = answer_die, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK };
	stack_t own = { .ss_size = sizeof(last->stack) };

	last = ompp_space_take(sizeof(*last));
	if (!last)
		return;
	own.ss_sp = last->stack;
	ompp_sys_sigaltstack(&own, NULL);
	for (size_t i = 0; i < OMPP_COUNT_OF(signals); i++)
		sigaction(signals[i], &action, NULL);
}

int ompp_answer(int64_t version, struct ompp_message *m, void (*answer)(void))
{
	static const char usage[] = "A part of kinst, which libompp and ompp start themselves.\n";
	uint64_t none = 0;
	struct stat st;

	if (ompp_sys_fstat(SOCKET, &st) || !S_ISSOCK(st.st_mode)) {
		ompp_write_all(STDERR, usage, sizeof(usage) - 1);
		return USAGE;
	}
	/* What the program has open is not ours, and who asks had all signals blocked. */
#ifdef SYS_close_range
	OMPP_SYS3(close_range, FIRST_OTHER, ~0u, 0);
#endif
	ompp_sys_sigmask(SIG_SETMASK, &none, NULL);
	answer_watch();
	ompp_message_begin(m, OMPP_HELPER_HELLO);
	ompp_message_put_i64(m, version);
	while (!ompp_message_send(m, SOCKET) && !ompp_message_receive(m, SOCKET, -1))
		answer();
	return 0;
}
