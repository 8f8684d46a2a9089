/*
 * Helper: see helper.h.  Helpers are looked for relative to the folder of the library that contains this code (in the
 * build folder itself; for an installed lib, in libexec), and then in the configured installation folder.
 */
#define _GNU_SOURCE
#include "runtime/host/helper.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/base/array.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/dynamic.h"
#include "runtime/host/real.h"

#ifndef OMPP_HELPERDIR
#define OMPP_HELPERDIR "/usr/local/libexec/kinst"
#endif

enum { PATH_BYTES = 4096, PATIENCE_MS = 30000, MOST_HELPERS = 4, NO_SUCH_PROGRAM = 127, FIRST_OTHER = 3 };
enum { STOP_TRIES = 10000, STOP_PAUSE_NS = 100000 };

int ompp_helper_beside;

static atomic_flag lock = ATOMIC_FLAG_INIT;
static struct ompp_helper *running[MOST_HELPERS];
static size_t n_running;

static void take_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		ompp_sys_yield();
}

static void drop_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

/* ---- where it is ---- */

/* The folder, with its last slash, of the file that this code was loaded from. */
struct own {
	char path[PATH_BYTES];
	size_t n_folder;
};

static int find_own(struct dl_phdr_info *info, size_t size, void *data)
{
	struct own *own = data;
	const char *slash;
	ssize_t n;

	(void)size;
	if (!ompp_dynamic_is_own(info))
		return 0;
	n = 0;
	if (info->dlpi_name && info->dlpi_name[0]) {
		n = (ssize_t)strnlen(info->dlpi_name, PATH_BYTES - 1);
		memcpy(own->path, info->dlpi_name, (size_t)n);
	} else if (ompp_helper_beside) {
		n = ompp_sys_readlink("/proc/self/exe", own->path, PATH_BYTES - 1);
	}
	slash = n > 0 ? memrchr(own->path, '/', (size_t)n) : NULL;
	own->n_folder = slash ? (size_t)(slash + 1 - own->path) : 0;
	return 1;
}

/* Returns 1 when the helper is in this folder; then its path is in t. */
static int is_at(struct ompp_text *t, const char *folder, size_t n_folder, const char *below, const char *file)
{
	t->n_bytes = 0;
	ompp_text_strn(t, folder, n_folder);
	ompp_text_str(t, below);
	ompp_text_str(t, file);
	return n_folder && !ompp_sys_access(t->data, X_OK);
}

static int find_program(const char *file, char path[PATH_BYTES])
{
	static const char *const below[] = { "", "../", "../../", "../libexec/kinst/", "../../libexec/kinst/" };
	struct own own = { .n_folder = 0 };
	struct ompp_text t;

	ompp_text_init(&t, path, PATH_BYTES);
	ompp_real_each_here(find_own, &own);
	for (size_t i = 0; i < OMPP_COUNT_OF(below); i++)
		if (is_at(&t, own.path, own.n_folder, below[i], file))
			return 0;
	return is_at(&t, OMPP_HELPERDIR, strlen(OMPP_HELPERDIR), "/", file) ? 0 : -ENOENT;
}

/* ---- its process ---- */

struct child {
	const char *path;
	char **environment;
	int fd, its_end;
};

/* Makes the helper's environment: the program's, without what makes the dynamic linker load more, and without our own
 * variables. */
static char **environment_of_child(struct ompp_arena *arena)
{
	static const char *const not [] = { "LD_PRELOAD=", "LD_AUDIT=", "OMPP_" };
	char **all = __environ, **chosen;
	size_t n = 0, n_chosen = 0, k;

	while (all && all[n])
		n++;
	chosen = ompp_arena_alloc(arena, (n + 1) * sizeof(*chosen));
	for (size_t i = 0; chosen && i < n; i++) {
		for (k = 0; k < OMPP_COUNT_OF(not ) && strncmp(all[i], not [k], strlen(not [k])); k++)
			;
		if (k == OMPP_COUNT_OF(not ))
			chosen[n_chosen++] = all[i];
	}
	return chosen;
}

/* Becomes the helper.  That answers on stdin, its other files lead nowhere, and it ends when its parent is killed. */
__attribute__((noreturn, noinline, no_sanitize("address"))) static void helper_become(const struct child *c)
{
	const char *arguments[] = { c->path, NULL };
	int null = ompp_sys_fcntl(ompp_sys_open("/dev/null", O_RDWR, 0), F_DUPFD, FIRST_OTHER);

	OMPP_SYS2(prctl, PR_SET_PDEATHSIG, SIGKILL);
	OMPP_SYS3(dup3, c->fd, 0, 0);
	OMPP_SYS3(dup3, null, 1, 0);
	OMPP_SYS3(dup3, null, 2, 0);
	OMPP_SYS3(execve, c->path, arguments, c->environment);
	for (;;)
		OMPP_SYS1(exit_group, NO_SUCH_PROGRAM);
}

/* The process between the program and the helper.  exec makes any process one whose end sends SIGCHLD: that signal is
 * for this one, which sends none itself.  As it ignores it, what time the helper takes is not counted as the program's
 * children's. */
__attribute__((noreturn, noinline, no_sanitize("address"))) static void stand_between(const struct child *c)
{
	static const struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} ignore = { .handler = SIG_IGN };
	long pid = ompp_sys_fork(SIGCHLD);

	if (!pid)
		helper_become(c);
	OMPP_SYS4(rt_sigaction, SIGCHLD, &ignore, NULL, OMPP_SIGSET_BYTES);
	/* What the program has open may be waited for to be closed. */
#ifdef SYS_close_range
	OMPP_SYS3(close_range, 0, ~0u, 0);
#endif
	ompp_sys_close(c->fd);
	ompp_sys_close(c->its_end);
	while (OMPP_SYS4(wait4, pid, NULL, 0, NULL) == -EINTR)
		;
	for (;;)
		OMPP_SYS1(exit_group, 0);
}

/* The helper's end of the socket must not be one of the numbers that it gets for its files: the program may have closed
 * these. */
static int move_up(int fd)
{
	int moved = fd < FIRST_OTHER ? ompp_sys_fcntl(fd, F_DUPFD_CLOEXEC, FIRST_OTHER) : fd;

	if (moved != fd)
		ompp_sys_close(fd);
	return moved;
}

static int helper_start(struct ompp_helper *h, const char *path)
{
	struct child child = { .path = path };
	struct ompp_arena arena;
	uint64_t all = UINT64_MAX, signals;
	int ends[2];
	long pid;

	if (OMPP_SYS4(socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -EMFILE;
	h->fd = child.its_end = move_up(ends[0]);
	child.fd = move_up(ends[1]);
	ompp_arena_init(&arena, 0);
	child.environment = environment_of_child(&arena);
	/* No handler of the program's may run in a child. */
	ompp_sys_sigmask(SIG_BLOCK, &all, &signals);
	pid = h->fd < 0 || child.fd < 0 || !child.environment ? -EMFILE : ompp_sys_fork(0);
	if (pid == -EINVAL) /* QEMU's user mode has no processes whose end sends nothing */
		pid = ompp_sys_fork(SIGCHLD);
	if (!pid)
		stand_between(&child);
	ompp_sys_sigmask(SIG_SETMASK, &signals, NULL);
	ompp_arena_fini(&arena);
	ompp_sys_close(child.fd);
	if (pid < 0)
		ompp_sys_close(h->fd);
	h->pid = (int)pid;
	return pid < 0 ? (int)pid : 0;
}

/* Ends a helper.  It ends by itself when nobody can ask any more; when it still works and does not, it is killed. */
static void helper_stop(struct ompp_helper *h)
{
	long rc = 0;

	if (h->state != 1)
		return;
	h->state = 0;
	ompp_sys_close(h->fd);
	for (int i = 0; i < STOP_TRIES && !rc; i++) {
		rc = OMPP_SYS4(wait4, h->pid, NULL, __WALL | WNOHANG, NULL);
		if (!rc)
			ompp_sys_sleep(STOP_PAUSE_NS);
	}
	if (rc)
		return;
	OMPP_SYS2(kill, h->pid, SIGKILL);
	while (OMPP_SYS4(wait4, h->pid, NULL, __WALL, NULL) == -EINTR)
		;
}

static void try_to_start(struct ompp_helper *h)
{
	static struct ompp_message hello; /* under the lock */
	char path[PATH_BYTES];

	h->state = 2;
	h->why = h->why_not_installed;
	if (n_running == MOST_HELPERS || find_program(h->file, path))
		return;
	h->why = "a process for its helper cannot be made; see `ulimit -u` and `ulimit -n`";
	if (helper_start(h, path))
		return;
	h->why = h->why_not_runnable;
	h->state = 1;
	if (ompp_message_receive(&hello, h->fd, PATIENCE_MS) || hello.kind != OMPP_HELPER_HELLO) {
		helper_stop(h);
		h->state = 2;
	} else if (ompp_message_get_i64(&hello) != h->version) {
		helper_stop(h);
		h->state = 2;
		h->why = h->why_other_version;
	} else {
		h->why = "";
		running[n_running++] = h;
	}
}

static int helper_need(struct ompp_helper *h, const char **why)
{
	if (!h->state)
		try_to_start(h);
	if (why)
		*why = h->why;
	return h->state == 1 ? 0 : -ENOENT;
}

/* ---- questions ---- */

/* Keeps how the helper ended: by itself, or as the kernel ends processes for want of memory, it says nothing. */
static void helper_died(struct ompp_helper *h, struct ompp_message *last)
{
	struct ompp_text t;

	ompp_text_init(&t, h->died, sizeof(h->died));
	ompp_text_str(&t, "its helper ");
	ompp_text_str(&t, h->file);
	ompp_text_str(&t, " ended");
	if (last) {
		ompp_text_str(&t, " by signal ");
		ompp_text_u64(&t, (uint64_t)ompp_message_get_i64(last));
	}
}

static int helper_ask(struct ompp_helper *h, struct ompp_message *m, int (*item)(void *, struct ompp_message *),
                      void *context)
{
	int rc = ompp_message_send(m, h->fd), found;

	h->died[0] = '\0';
	if (rc)
		helper_died(h, NULL);
	while (!rc) {
		rc = ompp_message_receive(m, h->fd, PATIENCE_MS);
		if (!rc && m->kind == OMPP_HELPER_END)
			return 0;
		if (rc == -EPIPE || (!rc && m->kind == OMPP_HELPER_DIED))
			helper_died(h, rc ? NULL : m);
		if (rc || m->kind == OMPP_HELPER_DIED)
			break;
		found = item ? item(context, m) : 0;
		if (found) { /* it may have much more to say */
			helper_stop(h);
			return found;
		}
	}
	helper_stop(h);
	return -ENOENT;
}

static void helper_forget(struct ompp_helper *h)
{
	for (size_t i = 0; i < n_running; i++)
		if (running[i] == h)
			running[i] = running[--n_running];
}

int ompp_helper_ask(struct ompp_helper *h, struct ompp_message *message,
                    int (*item)(void *context, struct ompp_message *m), void *context, const char **why)
{
	int rc;

	take_lock();
	rc = helper_need(h, why);
	if (!rc) {
		rc = helper_ask(h, message, item, context);
		if (!h->state)
			helper_forget(h);
		if (rc == -ENOENT && why)
			*why = h->died[0] ? h->died : h->why_not_runnable;
	}
	drop_lock();
	return rc;
}

int ompp_helper_start(struct ompp_helper *h, const char **why)
{
	int rc;

	take_lock();
	rc = helper_need(h, why);
	drop_lock();
	return rc;
}

void ompp_helper_end(void)
{
	take_lock();
	while (n_running)
		helper_stop(running[--n_running]);
	drop_lock();
}
