/*
 * Sys: the kernel's system calls, called by the instruction itself.
 *
 * libompp does not use the C library's wrappers: the program may define functions of the same names, and preloaded
 * libraries and sanitizers intercept them.  Each function returns what the kernel returns: a result of 0 or more, or
 * -errno.  None of them touches errno, is a cancellation point, or takes a lock; all may be called in a signal handler.
 * The structures are the C library's, which on 64-bit machines are those of the kernel.
 */
#ifndef OMPP_BASE_SYS_H
#define OMPP_BASE_SYS_H

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>

#include "runtime/base/filter.h"

#ifdef __SANITIZE_THREAD__
#include <errno.h>
#endif
#if !(defined(__x86_64__) && defined(__LP64__)) && !(defined(__aarch64__) && defined(__LP64__))
#include <errno.h>
#include <unistd.h>
#endif

/* Makes a system call, whatever filter the program has put in place. */
static inline long ompp_sys_direct(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__) && defined(__LP64__)
	register long fourth __asm__("r10") = d, fifth __asm__("r8") = e, sixth __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
	                 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__) && defined(__LP64__)
	register long what __asm__("x8") = number, result __asm__("x0") = a, second __asm__("x1") = b;
	register long third __asm__("x2") = c, fourth __asm__("x3") = d, fifth __asm__("x4") = e,
			    sixth __asm__("x5") = f;

	__asm__ volatile("svc #0"
	                 : "+r"(result)
	                 : "r"(what), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
	                 : "memory");
	return result;
#else
	int saved = errno;
	long result = syscall(number, a, b, c, d, e, f);

	if (result == -1)
		result = -errno;
	errno = saved;
	return result;
#endif
}

/* Makes a system call.  Under a filter of the program's it may fail instead (filter.h). */
static inline long ompp_sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	if (__builtin_expect(__atomic_load_n(&ompp_filtered, __ATOMIC_RELAXED), 0))
		return ompp_filter_call(number, a, b, c, d, e, f);
	return ompp_sys_direct(number, a, b, c, d, e, f);
}

#define OMPP_SYS6(name, a, b, c, d, e, f) \
	ompp_sys_call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define OMPP_SYS4(name, a, b, c, d) OMPP_SYS6(name, a, b, c, d, 0, 0)
#define OMPP_SYS3(name, a, b, c)    OMPP_SYS6(name, a, b, c, 0, 0, 0)
#define OMPP_SYS2(name, a, b)       OMPP_SYS6(name, a, b, 0, 0, 0, 0)
#define OMPP_SYS1(name, a)          OMPP_SYS6(name, a, 0, 0, 0, 0, 0)
#define OMPP_SYS0(name)             OMPP_SYS6(name, 0, 0, 0, 0, 0, 0)

enum { OMPP_SIGSET_BYTES = 8 }; /* of the kernel's signal sets: the start of the C library's */

/* ---- files ---- */

static inline int ompp_sys_open(const char *path, int flags, unsigned int mode)
{
	return (int)OMPP_SYS4(openat, AT_FDCWD, path, flags, mode);
}

static inline int ompp_sys_close(int fd)
{
	return (int)OMPP_SYS1(close, fd);
}

static inline ssize_t ompp_sys_read(int fd, void *to, size_t n_bytes)
{
	return OMPP_SYS3(read, fd, to, n_bytes);
}

static inline ssize_t ompp_sys_pread(int fd, void *to, size_t n_bytes, off_t at)
{
	return OMPP_SYS4(pread64, fd, to, n_bytes, at);
}

static inline ssize_t ompp_sys_write(int fd, const void *from, size_t n_bytes)
{
	return OMPP_SYS3(write, fd, from, n_bytes);
}

/* Returns 0 when the file may be used in this way (R_OK, F_OK and so on). */
static inline int ompp_sys_access(const char *path, int mode)
{
	return (int)OMPP_SYS3(faccessat, AT_FDCWD, path, mode);
}

static inline int ompp_sys_fstatfs(int fd, struct statfs *fs)
{
	return (int)OMPP_SYS2(fstatfs, fd, fs);
}

static inline int ompp_sys_fstat(int fd, struct stat *st)
{
	return (int)OMPP_SYS2(fstat, fd, st);
}

/* stat follows a symbolic link, lstat describes the link itself. */
static inline int ompp_sys_stat(const char *path, struct stat *st)
{
	return (int)OMPP_SYS4(newfstatat, AT_FDCWD, path, st, 0);
}

static inline int ompp_sys_lstat(const char *path, struct stat *st)
{
	return (int)OMPP_SYS4(newfstatat, AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

static inline int ompp_sys_truncate(int fd, off_t n_bytes)
{
	return (int)OMPP_SYS2(ftruncate, fd, n_bytes);
}

static inline int ompp_sys_rename(const char *from, const char *to)
{
	return (int)OMPP_SYS6(renameat2, AT_FDCWD, from, AT_FDCWD, to, 0, 0);
}

static inline int ompp_sys_mkdir(const char *path, unsigned int mode)
{
	return (int)OMPP_SYS3(mkdirat, AT_FDCWD, path, mode);
}

static inline int ompp_sys_unlink(const char *path)
{
	return (int)OMPP_SYS3(unlinkat, AT_FDCWD, path, 0);
}

/* Returns the length of the link's text, which gets no NUL at its end. */
static inline ssize_t ompp_sys_readlink(const char *path, char *to, size_t n_bytes)
{
	return OMPP_SYS4(readlinkat, AT_FDCWD, path, to, n_bytes);
}

/* Returns the length of the path, the NUL included. */
static inline int ompp_sys_getcwd(char *to, size_t n_bytes)
{
	return (int)OMPP_SYS2(getcwd, to, n_bytes);
}

static inline int ompp_sys_fcntl(int fd, int command, long argument)
{
	return (int)OMPP_SYS3(fcntl, fd, command, argument);
}

static inline int ompp_sys_ioctl(int fd, unsigned long request, const void *argument)
{
	return (int)OMPP_SYS3(ioctl, fd, request, argument);
}

/* Returns how many files are ready; with wait_ms -1 it waits for ever. */
static inline int ompp_sys_poll(struct pollfd *files, unsigned int n, int wait_ms)
{
	struct timespec wait = { wait_ms / 1000, wait_ms % 1000 * 1000000L };

	return (int)OMPP_SYS6(ppoll, files, n, wait_ms < 0 ? NULL : &wait, NULL, 0, 0);
}

/* ---- memory ---- */

/* Returns the address, or -errno.  To allocate memory, call ompp_space_map() (space.h) instead. */
static inline long ompp_sys_mmap(uintptr_t at, size_t n_bytes, int protection, int flags, int fd, off_t offset)
{
#ifdef __SANITIZE_THREAD__ /* it has to see that memory of another thread is reused */
	int saved = errno;
	void *made = mmap((void *)at, n_bytes, protection, flags, fd, offset);
	long result = made == MAP_FAILED ? -errno : (long)made;

	errno = saved;
	return result;
#elif defined(__s390x__) /* there the kernel reads the six arguments from memory */
	long words[6] = { (long)at, (long)n_bytes, protection, flags, fd, (long)offset };

	return OMPP_SYS1(mmap, words);
#else
	return OMPP_SYS6(mmap, at, n_bytes, protection, flags, fd, offset);
#endif
}

/* Returns 0 in a new process that is a copy of this one, and its id here, or -errno; no code of the C library's or the
 * program's runs.
 * flags: the signal that its end sends to the parent, 0 for none */
static inline long ompp_sys_fork(int flags)
{
#if defined(__s390x__) /* there the new stack comes first */
	return OMPP_SYS6(clone, NULL, flags, NULL, NULL, NULL, 0);
#else
	return OMPP_SYS6(clone, flags, NULL, NULL, NULL, NULL, 0);
#endif
}

static inline int ompp_sys_munmap(void *at, size_t n_bytes)
{
#ifdef __SANITIZE_THREAD__
	return munmap(at, n_bytes);
#else
	return (int)OMPP_SYS2(munmap, at, n_bytes);
#endif
}

static inline int ompp_sys_mprotect(void *at, size_t n_bytes, int protection)
{
	return (int)OMPP_SYS3(mprotect, at, n_bytes, protection);
}

static inline int ompp_sys_madvise(void *at, size_t n_bytes, int advice)
{
	return (int)OMPP_SYS3(madvise, at, n_bytes, advice);
}

/* Grows a mapping in place.  Returns 0, or -errno. */
static inline int ompp_sys_grow(uintptr_t at, size_t old_bytes, size_t new_bytes)
{
	long at_or_error = OMPP_SYS4(mremap, at, old_bytes, new_bytes, 0);

	return at_or_error < 0 && at_or_error > -4096 ? (int)at_or_error : 0;
}

static inline int ompp_sys_mincore(void *at, size_t n_bytes, unsigned char *pages)
{
	return (int)OMPP_SYS3(mincore, at, n_bytes, pages);
}

/* ---- the process, its threads and signals ---- */

static inline pid_t ompp_sys_getpid(void)
{
	return (pid_t)OMPP_SYS0(getpid);
}

static inline pid_t ompp_sys_gettid(void)
{
	return (pid_t)OMPP_SYS0(gettid);
}

static inline void ompp_sys_yield(void)
{
	OMPP_SYS0(sched_yield);
}

static inline void ompp_sys_sleep(int64_t ns)
{
	struct timespec pause = { ns / 1000000000, ns % 1000000000 };

	OMPP_SYS2(nanosleep, &pause, NULL);
}

/* Sleeps while the word has this value, until it is woken, or the time is over. */
static inline void ompp_sys_wait_while(uint32_t *word, uint32_t value, int64_t ns)
{
	struct timespec most = { ns / 1000000000, ns % 1000000000 };

	OMPP_SYS4(futex, word, 128 | 0, value, &most); /* FUTEX_PRIVATE_FLAG | FUTEX_WAIT */
}

static inline void ompp_sys_wake(uint32_t *word)
{
	OMPP_SYS3(futex, word, 128 | 1, INT32_MAX); /* FUTEX_PRIVATE_FLAG | FUTEX_WAKE */
}

static inline void ompp_sys_wake_one(uint32_t *word)
{
	OMPP_SYS3(futex, word, 128 | 1, 1);
}

static inline int ompp_sys_getrlimit(int what, struct rlimit *limit)
{
	return (int)OMPP_SYS4(prlimit64, 0, what, NULL, limit);
}

static inline int ompp_sys_getrusage(int who, struct rusage *usage)
{
	return (int)OMPP_SYS2(getrusage, who, usage);
}

/* Returns how many bytes of the set of processors the kernel has filled.
 * thread: its number; 0: the one that asks */
static inline int ompp_sys_getaffinity(pid_t thread, uint64_t *set, size_t n_bytes)
{
	return (int)OMPP_SYS3(sched_getaffinity, thread, n_bytes, set);
}

static inline int ompp_sys_uname(struct utsname *name)
{
	return (int)OMPP_SYS1(uname, name);
}

static inline int ompp_sys_clock_gettime(clockid_t clock, struct timespec *now)
{
	return (int)OMPP_SYS2(clock_gettime, clock, now);
}

static inline int ompp_sys_sigaltstack(const stack_t *stack, stack_t *before)
{
	return (int)OMPP_SYS2(sigaltstack, stack, before);
}

/* A signal set here is the first 64 bits of a sigset_t.  Signals 32 and 33 are the C library's own, and threads must
 * always take them. */
#define OMPP_SIGNAL(sig) (UINT64_C(1) << ((sig)-1))
#define OMPP_ALL_SIGNALS (~(OMPP_SIGNAL(32) | OMPP_SIGNAL(33)))

static inline int ompp_sys_sigmask(int how, const uint64_t *set, uint64_t *before)
{
	return (int)OMPP_SYS4(rt_sigprocmask, how, set, before, OMPP_SIGSET_BYTES);
}

/* Signals of the instruction that a thread is at: the kernel ends a process that blocks them when they come. */
#define OMPP_OWN_SIGNALS \
	(OMPP_SIGNAL(SIGSEGV) | OMPP_SIGNAL(SIGBUS) | OMPP_SIGNAL(SIGFPE) | OMPP_SIGNAL(SIGILL) | \
	 OMPP_SIGNAL(SIGTRAP) | OMPP_SIGNAL(SIGSYS))

/* Hold back all handlers of this thread, also the C library's, and let them come again, for the short time of what is
 * not reentrant. */
static inline void ompp_sys_hold_signals(uint64_t *before)
{
	const uint64_t all = ~OMPP_OWN_SIGNALS;

	ompp_sys_sigmask(SIG_BLOCK, &all, before);
}

static inline void ompp_sys_release_signals(const uint64_t *before)
{
	ompp_sys_sigmask(SIG_SETMASK, before, NULL);
}

static inline uint64_t ompp_sys_sigpending(void)
{
	uint64_t set = 0;

	OMPP_SYS2(rt_sigpending, &set, OMPP_SIGSET_BYTES);
	return set;
}

/* Consumes a pending signal of the set, whose signals are blocked; does not wait for one. */
static inline int ompp_sys_sigtake(uint64_t set)
{
	struct timespec none = { 0, 0 };

	return (int)OMPP_SYS4(rt_sigtimedwait, &set, NULL, &none, OMPP_SIGSET_BYTES);
}

/* Sends a signal to the calling thread. */
static inline int ompp_sys_raise(int signal)
{
	return (int)OMPP_SYS3(tgkill, ompp_sys_getpid(), ompp_sys_gettid(), signal);
}

#endif
