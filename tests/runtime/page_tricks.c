/* page_tricks: what programs do with memory that has to come out the same while the kernel watches it for OMPP_PAGES=uffd:
 * system calls, protection and its handlers, mappings that become one, huge pages, forks, descriptors.  It prints what comes
 * out.  With `keep` it leaves out what ends the watch: userfaultfd. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw_fork.h"

enum { PAGE = 4096, PAGES = 64, HUGE_BYTES = 8 << 20 };

static volatile sig_atomic_t n_faults;

static char *map(size_t n)
{
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

static char *map_at(char *at, size_t n)
{
	return mmap(at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static unsigned int sum(const char *p, size_t n)
{
	unsigned int s = 0;

	for (size_t i = 0; i < n; i++)
		s = s * 31 + (unsigned char)p[i];
	return s;
}

/* Lets some intervals pass. */
static void rest(void)
{
	usleep(30000);
}

static void system_calls(char *p)
{
	struct iovec v[2] = { { p + 2 * PAGE, PAGE }, { p + 9 * PAGE, PAGE } };
	int ends[2], zero = open("/dev/zero", O_RDONLY);

	if (pipe(ends) || write(ends[1], "hello", 5) != 5)
		exit(2);
	rest();
	printf("descriptors %d %d %d, read %zd", zero, ends[0], ends[1], read(ends[0], p + PAGE - 2, 5));
	printf(" %.5s, readv %zd, %u\n", p + PAGE - 2, readv(zero, v, 2), sum(p, PAGES * PAGE));
	mprotect(p, PAGE, PROT_READ);
	rest();
	errno = 0;
	printf("read into constant memory %zd", read(zero, p, 8));
	printf(" errno %d\n", errno);
	mprotect(p, PAGE, PROT_READ | PROT_WRITE);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	n_faults++;
	mprotect((void *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE);
}

static void protection(char *p)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, NULL);
	mprotect(p, 16 * PAGE, PROT_READ);
	rest();
	for (int i = 0; i < 16; i++)
		p[i * PAGE] = (char)i;
	printf("faults %d, %u\n", (int)n_faults, sum(p, PAGES * PAGE));
}

static void mappings(char *p)
{
	char *hole = map(40 * PAGE), *a, *b, *both;
	int error;

	munmap(hole, 40 * PAGE);
	a = map_at(hole + 20 * PAGE, 10 * PAGE);
	memset(a, 5, 10 * PAGE);
	rest();
	b = map_at(hole + 30 * PAGE, 10 * PAGE); /* which makes one mapping of both */
	memset(b, 6, 10 * PAGE);
	errno = 77;
	both = mremap(a, 20 * PAGE, 40 * PAGE, MREMAP_MAYMOVE);
	error = errno;
	printf("moved %d errno %d", both != MAP_FAILED, error);
	if (both != MAP_FAILED) {
		rest();
		both[3 * PAGE]++;
		printf(" %u", sum(both, 40 * PAGE));
		both = mremap(both, 40 * PAGE, 4 * PAGE, 0);
		printf(" %u", sum(both, 4 * PAGE));
	}
	madvise(p, 4 * PAGE, MADV_DONTNEED);
	printf("\ngiven back %u\n", sum(p, PAGES * PAGE));
	munmap(p + 20 * PAGE, 4 * PAGE);
	printf("unmapped %d\n", mincore(p + 20 * PAGE, PAGE, (unsigned char *)p));
}

static void huge_pages(char *h)
{
	madvise(h, HUGE_BYTES, MADV_HUGEPAGE);
	memset(h, 3, HUGE_BYTES);
	rest();
	for (size_t i = 0; i < HUGE_BYTES; i += PAGE)
		h[i]++;
	printf("huge %u", sum(h, HUGE_BYTES));
	if (!mlock(h, 16 * PAGE))
		h[7] = 9;
	rest();
	h[7] = 9;
	munlock(h, 16 * PAGE);
	printf(" locked %d\n", h[7]);
}

static int deep(int n)
{
	volatile char room[PAGE];

	room[0] = (char)n;
	return n ? deep(n - 1) + 1 + 0 * room[0] : 0;
}

static void processes(char *h)
{
	char *arguments[] = { "true", NULL };
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		memset(h + PAGE, 8, HUGE_BYTES / 2);
		rest();
		h[0] = 77;
		printf("child %u, descriptor %d\n", sum(h, HUGE_BYTES), dup(0));
		fflush(stdout);
		_exit(3);
	}
	h[PAGE] = 4;
	waitpid(child, &status, 0);
	printf("parent %d %u\n", WEXITSTATUS(status), sum(h, HUGE_BYTES));
	fflush(stdout);
	if (!(child = vfork()))
		_exit(4);
	waitpid(child, &status, 0);
	printf("vfork %d", WEXITSTATUS(status));
	posix_spawn(&child, "/bin/true", NULL, NULL, arguments, NULL);
	waitpid(child, &status, 0);
	printf(" spawn %d", status);
	printf(" further children %d\n", (int)waitpid(-1, &status, 0));
	fflush(stdout);
	child = (pid_t)raw_fork();
	if (!child) {
		char *p = map(4 * PAGE);

		memset(p, 1, 4 * PAGE);
		_exit(p[5] + h[1] == 4 ? 5 : 6);
	}
	waitpid(child, &status, 0);
	printf("clone %d\n", WEXITSTATUS(status));
}

static void own_faults(char *h)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register r = { .range = { (uintptr_t)h, 1 << 20 }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);

	if (fd < 0)
		return;
	printf("userfaultfd %d %d", fd, ioctl(fd, UFFDIO_API, &api));
	printf(" %d", ioctl(fd, UFFDIO_REGISTER, &r));
	rest();
	memset(h + (2 << 20), 1, PAGE);
	rest();
	printf(" %d\n", h[2 << 20]);
}

int main(int argc, char **argv)
{
	char *p = map(PAGES * PAGE), *h = map(HUGE_BYTES);

	memset(p, 1, PAGES * PAGE);
#pragma omp parallel num_threads(4)
	h[0] = 1;
	rest();
	system_calls(p);
	protection(p);
	mappings(p);
	huge_pages(h);
	printf("deep %d\n", deep(1000));
	processes(h);
	for (int i = 3; i < 64; i++)
		close(i);
	printf("the next descriptor %d\n", dup(0));
	rest();
	if (argc < 2 || strcmp(argv[1], "keep"))
		own_faults(h);
	printf("%u\n", sum(h, HUGE_BYTES));
	return 0;
}
