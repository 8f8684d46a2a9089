/*
 * Varied machine: see varied_machine.h.
 */
#define _GNU_SOURCE
#include "tests/unit/varied_machine.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "runtime/base/array.h"
#include "runtime/base/sys.h"
#include "tests/golden/varied_sums.h"
#include "tests/unit/varied_kernel.h"

enum { MOST_BYTES = 1 << 16, PLACES = 4096 };
enum { FUSE_MAGIC = 0x65735546, TMPFS_MAGIC = 0x01021994 }; /* <linux/magic.h> */

uint32_t varied_damage_odds;
uint64_t varied_processors;
int varied_is_fuse;

static uint64_t seed;
static uint32_t n_choices[PLACES]; /* made at each place of the source so far */
static char folder[40];
static int is_made;

/* ---- choices ---- */

uint64_t varied_word_at(uint32_t place)
{
	uint64_t x = seed + UINT64_C(0x9e3779b97f4a7c15) * (place + ((uint64_t)n_choices[place % PLACES]++ << 20));

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

uint32_t varied_below_at(uint32_t place, uint32_t n)
{
	return (uint32_t)((varied_word_at(place) >> 32) % n);
}

uint64_t varied_number_at(uint32_t place)
{
	static const uint64_t ends[] = { 0, 1, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX };
	uint64_t word = varied_word_at(place);

	switch (varied_below_at(place, 8)) {
	case 0:
		return ends[word % OMPP_COUNT_OF(ends)];
	case 1:
		return word >> varied_below_at(place, 64);
	case 2:
	case 3:
		return word % 1000000;
	default:
		return word % 20;
	}
}

/* ---- files ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	return at->level ? remove(path) : 0;
}

void varied_folder_make(char *path, size_t n)
{
	static const char *const places[] = { "/dev/shm", "/tmp" };

	for (size_t i = 0; i < OMPP_COUNT_OF(places); i++) {
		snprintf(path, n, "%s/kinst-varied-XXXXXX", places[i]);
		if (mkdtemp(path))
			return;
	}
	abort();
}

/* A path of /proc and /sys, which leads into the folder; else NULL. */
static const char *path_here(const char *path)
{
	return path && (!strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5)) ? path + 1 : NULL;
}

static long answer_affinity(const long a[6])
{
	if (!varied_processors)
		return -ESRCH;
	memcpy((void *)a[2], &varied_processors, sizeof(varied_processors));
	return (long)sizeof(varied_processors);
}

static long answer_fstatfs(const long a[6])
{
	struct statfs fs = { .f_type = varied_is_fuse ? FUSE_MAGIC : TMPFS_MAGIC };

	memcpy((void *)a[1], &fs, sizeof(fs));
	return 0;
}

static uint64_t asked;

/* The flags, and whether there is a leader, belong to the event; the thread and the processor to who asks; how large
 * the struct is, to the kernel's headers. */
static void note_event(const long a[6])
{
	struct perf_event_attr attr;
	long more[] = { a[4], a[3] >= 0 };

	memcpy(&attr, (const void *)a[0], PERF_ATTR_SIZE_VER5);
	attr.size = 0;
	asked = varied_sum_add(varied_sum_add(asked, &attr, PERF_ATTR_SIZE_VER5), more, sizeof(more));
}

uint64_t varied_machine_asked(void)
{
	return asked;
}

static int machine_answer(long number, const long a[6], long *result)
{
	const char *path = NULL;

	if (number == SYS_perf_event_open)
		note_event(a);
	if (varied_perf_answer(number, a, result))
		return 1;
	if (number == SYS_sched_getaffinity || number == SYS_fstatfs) {
		*result = number == SYS_fstatfs ? answer_fstatfs(a) : answer_affinity(a);
		return 1;
	}
	if (number == SYS_openat || number == SYS_newfstatat || number == SYS_faccessat || number == SYS_readlinkat)
		path = path_here((const char *)a[1]);
	if (!path)
		return 0;
	*result = ompp_sys_direct(number, a[0], (long)path, a[2], a[3], a[4], a[5]);
	return 1;
}

void varied_machine_begin(uint64_t new_seed)
{
	if (!is_made)
		varied_folder_make(folder, sizeof(folder));
	if (!is_made && chdir(folder))
		abort();
	if (is_made)
		nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	is_made = 1;
	seed = new_seed * UINT64_C(0xd1342543de82ef95);
	memset(n_choices, 0, sizeof(n_choices));
	asked = VARIED_SUM_START;
	varied_perf_refuses = 0;
	varied_damage_odds = 3;
	varied_processors = 0xff;
	varied_is_fuse = 0;
	varied_kernel_set(machine_answer);
}

void varied_machine_end(void)
{
	varied_kernel_set(NULL);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (chdir("/") || rmdir(folder))
		abort();
}

void varied_put_bytes(const char *path, const void *bytes, size_t n)
{
	char copy[256];
	int fd;

	if (strlen(path) >= sizeof(copy))
		abort();
	strcpy(copy, path);
	fd = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		for (char *slash = strchr(copy, '/'); slash; slash = strchr(slash + 1, '/')) {
			*slash = '\0';
			mkdir(copy, 0777);
			*slash = '/';
		}
		fd = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	}
	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || close(fd))
		abort();
}

/* ---- damage ---- */

static char byte_of_chance(int is_text)
{
	static const char texts[] = " \n\t0-,:=/x9ZaE.()~_\x7f\xff";

	return is_text ? texts[varied_below(sizeof(texts) - 1)] : (char)varied_below(256);
}

size_t varied_damage(char *bytes, size_t n, size_t n_have, int is_text)
{
	size_t at, part;

	if (!n || varied_below(varied_damage_odds))
		return n;
	at = varied_below((uint32_t)n);
	part = 1 + varied_below((uint32_t)(n - at < 40 ? n - at : 40));
	switch (varied_below(6)) {
	case 0:
		return at;
	case 1: /* without a part */
		memmove(bytes + at, bytes + at + part, n - at - part);
		return n - part;
	case 2: /* with a part twice */
		if (n + part >= n_have)
			return n;
		memmove(bytes + at + part, bytes + at, n - at);
		return n + part;
	case 3: /* a number that is too large */
		memset(bytes + at, is_text ? '9' : 0xff, part);
		return n;
	case 4:
		memset(bytes + at, is_text ? ' ' : 0, part);
		return n;
	default:
		for (size_t i = 0; i < part; i += 1 + varied_below(8))
			bytes[at + i] = byte_of_chance(is_text);
		return n;
	}
}

void varied_put_file(const char *path, const char *format, ...)
{
	static char text[MOST_BYTES];
	va_list more;
	int n;

	va_start(more, format);
	n = vsnprintf(text, sizeof(text), format, more);
	va_end(more);
	if (n < 0 || n >= MOST_BYTES)
		abort();
	varied_put_bytes(path, text, varied_damage(text, (size_t)n, sizeof(text), 1));
}

void varied_text_open(struct varied_text *t)
{
	t->to = open_memstream(&t->text, &t->n);
	if (!t->to)
		abort();
}

void varied_text_close(struct varied_text *t)
{
	if (fclose(t->to))
		abort();
}
