/*
 * Varied faults: system calls that fail.  Of runs of chance (varied_play.h) that write their files, system calls of
 * libompp's fail, one at a time (each of the first hundred, and one of four later ones); or parts of them fail with all
 * later ones of their kind, or do less than they were asked for.  Each run of the test tries a third of these.  Then
 *
 *   - the run ends as without a fault, and the program's errno is what it was,
 *   - no descriptor stays open that is not open without the fault, and no more than a few mappings: neighbours merge,
 *     so that their number does not tell of each,
 *   - each number that is in the profile is that of the run without the fault, or the profile, or stderr, has a note
 *     that the latter has not; metrics say of themselves why they are not counted, and pages how many uses were lost:
 *     no loss is silent.
 *
 * Usage: test_varied_faults [KIND [HOW CALL]], of one kind of runs, or with one fault; then it prints all numbers
 * without the fault and with it.
 */
#define _GNU_SOURCE
#include "tests/unit/steps.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/profile/profile_file.h"
#include "runtime/base/sys.h"
#include "runtime/collect/dump.h"
#include "tests/golden/varied_sums.h"
#include "tests/unit/varied_kernel.h"
#include "tests/unit/varied_machine.h"
#include "tests/unit/varied_play.h"

enum {
	TEAMS = 2,
	TEXT_BYTES = 8192,
	ERRNO = 77,
	EARLY_CALLS = 100,
	LATE_PART = 4,
	PARTS = 3,
	MOST_CPU_S = 4,
	MOST_S = 60,
	MORE_MAPPINGS = 8,
	SKIP = 77
};

/* Sanitizers have mappings of their own. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

/* What fails. */
enum how { NOTHING, ONCE, FROM_THEN_ON, IN_PART, WAYS };
static const char *const how_names[WAYS] = { "nothing", "once", "from then on", "in part" };

/* What came of a run; shared with the process that makes it. */
struct outcome {
	int has_ended, errno_after, has_profile;
	int n_files, n_mappings;
	uint32_t n_calls; /* that may fail */
	uint64_t n_pages_lost;
	long failed, error; /* the first call that failed, and how */
	uint64_t sums[OMPP_SECTION_VALUES];
	char notes[TEXT_BYTES], said[TEXT_BYTES];
};

static struct {
	enum how how;
	uint32_t call; /* the first that fails, from 1 on */
	struct outcome *outcome;
} fault;

static int is_shown;
static char folder[40];

/* ---- faults ---- */

/* The errors that a call of this number has in real life; none for calls that cannot fail, and for those that say what
 * the library does when it waits. */
static const struct errors {
	long number;
	int error[4];
} all_errors[] = {
	{ SYS_openat, { EMFILE, ENOENT, EACCES, ENFILE } },
	{ SYS_read, { EIO, EISDIR, EIO, ENXIO } },
	{ SYS_pread64, { EIO, ENXIO, EIO, ENXIO } },
	{ SYS_write, { ENOSPC, EIO, EDQUOT, EFBIG } },
	{ SYS_close, { EINTR, EIO, ENOSPC, EDQUOT } },
	{ SYS_mmap, { ENOMEM, ENOMEM, EPERM, EAGAIN } },
	{ SYS_mprotect, { ENOMEM, EACCES, ENOMEM, EACCES } },
	{ SYS_madvise, { EINVAL, ENOMEM, EAGAIN, EINVAL } },
	{ SYS_mremap, { ENOMEM, ENOMEM, EAGAIN, ENOMEM } },
	{ SYS_mincore, { ENOMEM, EAGAIN, ENOMEM, EAGAIN } },
	{ SYS_fcntl, { EMFILE, EINVAL, EMFILE, EINVAL } },
	{ SYS_ioctl, { ENOTTY, EPERM, EBUSY, EINVAL } },
	{ SYS_ftruncate, { EINVAL, EINVAL, EIO, EFBIG } },
	{ SYS_renameat2, { ENOSPC, EACCES, EXDEV, ENOENT } },
	{ SYS_mkdirat, { ENOSPC, EACCES, EROFS, ENOENT } },
	{ SYS_unlinkat, { EACCES, EROFS, ENOENT, EBUSY } },
	{ SYS_readlinkat, { ENOENT, EACCES, EINVAL, ENOENT } },
	{ SYS_newfstatat, { ENOENT, EACCES, ENOENT, EACCES } },
	{ SYS_fstat, { EIO, ENOMEM, EIO, ENOMEM } },
	{ SYS_faccessat, { ENOENT, EACCES, ENOENT, EACCES } },
	{ SYS_getdents64, { ENOENT, EIO, ENOENT, EIO } },
	{ SYS_getcwd, { ENOENT, ERANGE, ENOENT, EACCES } },
	{ SYS_perf_event_open, { EACCES, ENOENT, EMFILE, EBUSY } },
	{ SYS_clone, { EAGAIN, ENOMEM, EAGAIN, EPERM } },
	{ SYS_sched_getaffinity, { EINVAL, EPERM, EINVAL, ENOSYS } },
	{ SYS_prlimit64, { EPERM, ENOSYS, EPERM, ENOSYS } },
	{ SYS_uname, { ENOSYS, EPERM, ENOSYS, EPERM } },
	{ SYS_getrusage, { ENOSYS, EPERM, ENOSYS, EPERM } },
	{ SYS_move_pages, { ENOSYS, EPERM, ENOMEM, EACCES } },
	{ SYS_mbind, { ENOSYS, EPERM, ENOMEM, EINVAL } },
	{ SYS_get_mempolicy, { ENOSYS, EPERM, EINVAL, EFAULT } },
	{ SYS_sigaltstack, { ENOMEM, EPERM, ENOMEM, EPERM } },
	{ SYS_process_vm_readv, { EFAULT, EPERM, ENOSYS, ENOMEM } },
	{ SYS_socketpair, { EMFILE, ENFILE, EMFILE, ENOBUFS } },
	{ SYS_memfd_create, { EMFILE, ENOSYS, EMFILE, ENOMEM } },
	{ SYS_userfaultfd, { EPERM, ENOSYS, EMFILE, EINVAL } },
};

static const struct errors *errors_of(long number)
{
	for (size_t i = 0; i < OMPP_COUNT_OF(all_errors); i++)
		if (all_errors[i].number == number)
			return &all_errors[i];
	return NULL;
}

static int is_of_bytes(long number)
{
	return number == SYS_read || number == SYS_pread64 || number == SYS_write;
}

static void close_all_the_same(const long a[6])
{
	long unused;

	varied_perf_answer(SYS_close, a, &unused);
	ompp_sys_direct(SYS_close, a[0], 0, 0, 0, 0, 0);
}

/* Makes the call for the half of its bytes, but for events, which the kernel reads as a whole; other calls are
 * interrupted, where they may be.  An interrupted close() has closed all the same. */
static int answer_in_part(long number, const long a[6], long *result)
{
	if (is_of_bytes(number) && varied_perf_answer(number, a, result))
		return 1;
	if (is_of_bytes(number) && a[2] > 1) {
		*result = ompp_sys_direct(number, a[0], a[1], a[2] / 2, a[3], a[4], a[5]);
		return 1;
	}
	if (number == SYS_close)
		close_all_the_same(a);
	*result = -EINTR;
	return number == SYS_openat || number == SYS_close;
}

static int fails(long number, uint32_t call)
{
	if (fault.how == FROM_THEN_ON)
		return call == fault.call ||
		       (call > fault.call && number == __atomic_load_n(&fault.outcome->failed, __ATOMIC_RELAXED));
	return fault.how != NOTHING && call == fault.call;
}

static int answer(long number, const long a[6], long *result)
{
	const struct errors *errors = errors_of(number);
	uint32_t call;

	if (!errors || (a[0] == STDERR_FILENO && number != SYS_mmap)) /* there the loss is named */
		return 0;
	call = __atomic_add_fetch(&fault.outcome->n_calls, 1, __ATOMIC_RELAXED);
	if (!fails(number, call))
		return varied_perf_answer(number, a, result);
	if (call == fault.call)
		__atomic_store_n(&fault.outcome->failed, number, __ATOMIC_RELAXED);
	if (fault.how == IN_PART)
		return answer_in_part(number, a, result) || varied_perf_answer(number, a, result);
	*result = -errors->error[(fault.call / LATE_PART + fault.how) % OMPP_COUNT_OF(errors->error)];
	fault.outcome->error = *result;
	if (number == SYS_close) /* the descriptor is free even so */
		close_all_the_same(a);
	return 1;
}

/* ---- a run ---- */

static int count_lines(const char *path)
{
	char line[512];
	FILE *file = fopen(path, "re");
	int n = 0;

	while (file && fgets(line, sizeof(line), file))
		n += strchr(line, '\n') != NULL;
	if (file)
		fclose(file);
	return n;
}

static int count_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static void read_said(int fd, struct outcome *o)
{
	ssize_t n = pread(fd, o->said, sizeof(o->said) - 1, 0);

	o->said[n > 0 ? n : 0] = '\0';
}

/* Sums up the profile that the run has written, and removes it. */
static void read_profile(struct outcome *o)
{
	char path[64];
	const char *why;
	struct ompp_profile p;
	struct ompp_arena arena;
	int fd;

	snprintf(path, sizeof(path), "%s/r.ompp", folder);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ompp_arena_init(&arena, 0);
	o->has_profile = fd >= 0 && !ompp_profile_read(fd, &arena, &p, &why);
	/* in how many intervals of time pages are written, other programs decide, too */
	for (size_t i = 0; o->has_profile && i < p.n_paged; i++)
		((struct ompp_paged *)p.paged)[i].n_written_once = 0;
	for (enum ompp_section s = OMPP_SECTION_HEAD; o->has_profile && s < OMPP_SECTION_VALUES; s++) {
		size_t n_bytes;
		char *text;
		FILE *to = open_memstream(&text, &n_bytes);

		if (!to)
			abort();
		varied_play_put(to, s, &p);
		fclose(to);
		o->sums[s] = varied_sum_add(VARIED_SUM_START, text, n_bytes);
		if (is_shown)
			printf("%s", text);
		free(text);
	}
	for (size_t i = 0; o->has_profile && i < p.n_notes; i++) {
		size_t n = strlen(o->notes);

		snprintf(o->notes + n, sizeof(o->notes) - n, "%s\n", p.notes[i].text);
	}
	o->n_pages_lost = o->has_profile ? p.n_pages_lost : 0;
	ompp_arena_fini(&arena);
	if (fd >= 0)
		close(fd);
}

/* Makes a run with a fault in this process, which has to end after it. */
static void run(const struct varied_kind *kind, struct outcome *o)
{
	int said = memfd_create("said", MFD_CLOEXEC);
	char path[64];

	snprintf(path, sizeof(path), "%s/r", folder);
	option("OMPP_REPORTFILE", path);
	if (said < 0 || dup2(said, 2) != 2 || chdir(folder)) /* where a trace stays that gets no other name */
		abort();
	varied_kernel_set(answer);
	errno = ERRNO;
	varied_play(kind);
	varied_play_end();
	ompp_dump_final(0);
	o->errno_after = errno;
	varied_kernel_set(NULL);
	o->n_files = count_files();
	o->n_mappings = count_lines("/proc/self/maps");
	read_said(said, o);
	read_profile(o);
	o->has_ended = 1;
}

static void empty_folder(void)
{
	DIR *d = opendir(folder);
	const struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
}

/* Waits for a child, which an alarm ends.  Returns its status; -1 where it cannot be had. */
static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) != child)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Returns the status of the process that made the run. */
static int run_apart_with(const struct varied_kind *kind, enum how how, uint32_t call, struct outcome *o)
{
	struct rlimit limit = { MOST_CPU_S, MOST_CPU_S };
	pid_t child;

	memset(o, 0, sizeof(*o));
	fault.how = how;
	fault.call = call;
	fault.outcome = o;
	empty_folder();
	child = fork();
	if (!child) {
		setrlimit(RLIMIT_CPU, &limit);
		alarm(MOST_S);
		run(kind, o);
		fflush(stdout);
		_exit(0);
	}
	fflush(stdout);
	return child < 0 ? -1 : wait_for(child);
}

/* ---- what must hold ---- */

/* Does one text have a line that the other has not? */
static int says_more(const char *text, const char *than)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		const char *at = than;

		while (*at && (strncmp(at, text, n) != 0 || at[n] != '\n')) {
			at += strcspn(at, "\n");
			at += *at == '\n';
		}
		if (!*at)
			return 1;
		text += n + (text[n] == '\n');
	}
	return 0;
}

/* Has a section the numbers of metrics?  The section of these says why one is not counted. */
static int is_of_metrics(enum ompp_section s)
{
	return s == OMPP_SECTION_METRICS || s == OMPP_SECTION_CELLS || s == OMPP_SECTION_NUMA_VALUES;
}

/* Returns what is wrong with the run with a fault; NULL when nothing is.  section: the one that differs */
static const char *what_is_wrong(const struct outcome *o, const struct outcome *sound, int status, const char **section)
{
	int tells = says_more(o->notes, sound->notes) || says_more(o->said, sound->said) ||
	            o->n_pages_lost > sound->n_pages_lost;
	int are_told = o->sums[OMPP_SECTION_METRICS] != sound->sums[OMPP_SECTION_METRICS];

	*section = "";
	if (status || !o->has_ended)
		return "the run does not end";
	if (o->errno_after != ERRNO)
		return "errno is another";
	/* A descriptor is closed where the kernel says that it is still the event: what cannot be asked stays open. */
	if (o->n_files > sound->n_files && o->failed != SYS_ioctl)
		return "descriptors stay open";
	if (!IS_SANITIZED && o->n_mappings > sound->n_mappings + MORE_MAPPINGS)
		return "mappings stay";
	if (!o->has_profile && !tells)
		return "no profile, and nothing says why";
	for (enum ompp_section s = OMPP_SECTION_HEAD; o->has_profile && s < OMPP_SECTION_VALUES; s++)
		if (o->sums[s] != sound->sums[s] && !tells && !(are_told && is_of_metrics(s))) {
			*section = ompp_schemas[s].tag;
			return "other numbers, and nothing says why";
		}
	return NULL;
}

#define FILES "OMPP_PROFILE", "1", "OMPP_QUIET", "0"
#define SEED  "OMPP_SAMPLE_SEED", "1"

static const struct varied_kind kinds[] = {
	{ "plain", 1, VARIED_PLAIN, TEAMS, { FILES, "OMPP_HOT", "250", SEED } },
	{ "access",
	  9,
	  VARIED_ACCESSES,
	  TEAMS,
	  { FILES, "OMPP_CACHE", "L1=1K/2/64", "OMPP_SHARING", "1", "OMPP_REUSE", "1" } },
	{ "counted",
	  8,
	  VARIED_PLAIN,
	  TEAMS,
	  { FILES, "OMPP_CTR", "page-faults,cycles,instructions,context-switches" } },
	{ "touched", 13, VARIED_ACCESSES, TEAMS, { FILES, "OMPP_SAMPLE", "touch", SEED } },
	{ "traced", 15, VARIED_ACCESSES, TEAMS, { FILES, "OMPP_TRACE", "1" } },
	{ "pages", 16, VARIED_ACCESSES, TEAMS, { FILES, "OMPP_PAGES", "hooks" } },
	{ "named",
	  17,
	  VARIED_PLAIN,
	  TEAMS,
	  { FILES, "OMPP_DATA_NAME", "workers,tasks,nothing", "OMPP_DATA_METHOD", "breakpoint" } },
};

static void tell(const char *kind, const struct outcome *o, const char *wrong, const char *section)
{
	fprintf(stderr, "test_varied_faults %s '%s' %u: system call %ld: %s%s%.4s\n", kind, how_names[fault.how],
	        fault.call, o->failed, wrong, *section ? ": " : "", section);
}

static int check(const struct varied_kind *kind, const struct outcome *sound, enum how how, uint32_t call,
                 struct outcome *o)
{
	const char *section;
	int status = run_apart_with(kind, how, call, o);
	const char *wrong = what_is_wrong(o, sound, status, &section);

	if (wrong)
		tell(kind->name, o, wrong, section);
	return wrong != NULL;
}

/* All that fails once at the start, and parts of all else: each run makes a process. */
static int is_tried(enum how how, uint32_t call, uint32_t part)
{
	uint32_t stride = how == ONCE ? call <= EARLY_CALLS ? 1 : LATE_PART : call <= EARLY_CALLS ? 3 : 7;
	uint32_t at = how == ONCE ? call : call + how;

	if (IS_SANITIZED && call % 8)
		return 0; /* such processes take long to begin and to end */
	return at % stride == 0 && at / stride % PARTS == part;
}

/* Returns how many faults have gone wrong; -SKIP where there can be no such runs. */
static int check_kind(const struct varied_kind *kind, struct outcome *o, struct outcome *sound)
{
	int n_wrong = 0, status = run_apart_with(kind, NOTHING, 0, sound);
	uint32_t part = part_of_cases(PARTS);

	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIP) /* the addresses of its memory are not to be had */
		return -SKIP;
	if (status || !sound->has_profile) {
		fprintf(stderr, "test_varied_faults %s: without a fault there is no profile\n%s", kind->name,
		        sound->said);
		return 1;
	}
	for (uint32_t call = 1; call <= sound->n_calls; call++)
		for (enum how how = ONCE; how < WAYS; how++)
			if (is_tried(how, call, part))
				n_wrong += check(kind, sound, how, call, o);
	return n_wrong;
}

static void show(const struct outcome *o)
{
	fprintf(stderr, "---- ended %d, errno %d, %d files, %d mappings, %u calls, profile %d, error %ld\n%s%s",
	        o->has_ended, o->errno_after, o->n_files, o->n_mappings, o->n_calls, o->has_profile, o->error, o->notes,
	        o->said);
}

static int show_one(const struct varied_kind *kind, char **argv, struct outcome *o, struct outcome *sound)
{
	int rc;
	enum how how = NOTHING;

	for (enum how i = NOTHING; i < WAYS; i++)
		how = strcmp(argv[2], how_names[i]) ? how : i;
	is_shown = 1;
	run_apart_with(kind, NOTHING, 0, sound);
	printf("with the fault:\n");
	show(sound);
	rc = check(kind, sound, how, (uint32_t)strtoul(argv[3], NULL, 10), o);
	show(o);
	return rc;
}

int main(int argc, char **argv)
{
	struct outcome *o = mmap(NULL, 2 * sizeof(*o), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int n_wrong = 0, is_skipped = 0, n;

	signal(SIGCHLD, SIG_DFL);
	varied_start();
	if (!HAS_PLACES)
		return SKIP;
	if (o == MAP_FAILED)
		return 1;
	varied_folder_make(folder, sizeof(folder));
	for (size_t i = 0; i < OMPP_COUNT_OF(kinds); i++) {
		if (argc > 1 && strcmp(argv[1], kinds[i].name) != 0)
			continue;
		n = argc > 3 ? show_one(&kinds[i], argv, o, o + 1) : check_kind(&kinds[i], o, o + 1);
		n_wrong += n > 0 ? n : 0;
		is_skipped |= n == -SKIP;
	}
	empty_folder();
	rmdir(folder);
	return n_wrong ? 1 : is_skipped ? SKIP : 0;
}
