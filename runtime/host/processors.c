/*
 * Processors: see processors.h.  The files are described in the kernel's Documentation/admin-guide/cgroup-v2.rst
 * (cpu.max) and Documentation/scheduler/sched-bwc.rst (cpu.cfs_quota_us).
 */
#include "runtime/host/processors.h"

#include <stddef.h>
#include <string.h>

#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/file.h"

enum {
	MAX_PROCESSORS = 65536,
	MAX_NODE_PROCESSORS = 8192, /* the most that Linux supports */
	MOST_EMULATED = 64,
	MAX_NODES = 1024, /* as well */
	TEXT_BYTES = 4096,
	PATH_BYTES = 4096
};

/* Where glibc has told the kernel to write the processor of each thread: __rseq_offset bytes from the thread pointer
 * there is a struct rseq of <linux/rseq.h>, whose second word it is.  The size is 0 where the kernel does not. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

uint32_t ompp_processor(void)
{
	unsigned int cpu = 0;
#if defined(__x86_64__) || defined(__aarch64__)
	const char *thread;

	if (&__rseq_size && &__rseq_offset && __rseq_size) {
#if defined(__x86_64__)
		__asm__("movq %%fs:0, %0" : "=r"(thread));
#else
		__asm__("mrs %0, tpidr_el0" : "=r"(thread));
#endif
		cpu = OMPP_LOAD((const uint32_t *)(const void *)(thread + __rseq_offset) + 1);
		if ((int)cpu >= 0)
			return cpu;
	}
#endif
	return OMPP_SYS3(getcpu, &cpu, 0, 0) ? UINT32_MAX : cpu;
}

uint32_t ompp_processors_allowed(void)
{
	uint64_t words[MAX_PROCESSORS / 64];
	int n_bytes = ompp_sys_getaffinity(0, words, sizeof(words));
	uint32_t n = 0;

	for (int i = 0; i < n_bytes / (int)sizeof(words[0]); i++)
		for (uint64_t word = words[i]; word; word &= word - 1)
			n++;
	return n;
}

/* Takes the next numbers, from *first to *last, out of a list, "0-3,8".  Returns 0 at its end. */
static int next_in_list(const char **p, uint64_t *first, uint64_t *last)
{
	if (**p < '0' || **p > '9')
		return 0;
	*first = *last = ompp_text_digits(p);
	if (**p == '-' && (*p)++)
		*last = ompp_text_digits(p);
	*p += **p == ',';
	return 1;
}

/* Returns how many numbers are in a file with a list. */
static uint32_t count_list(const char *path)
{
	char list[TEXT_BYTES] = "";
	const char *p = list;
	uint64_t n = 0, first, last;

	ompp_file_line(path, list, sizeof(list));
	while (next_in_list(&p, &first, &last))
		n += last - first + 1;
	return n < UINT32_MAX ? (uint32_t)n : 0;
}

uint32_t ompp_processors_online(void)
{
	uint32_t n = count_list("/sys/devices/system/cpu/online");

	return n ? n : ompp_processors_allowed();
}

uint32_t ompp_numa_nodes(const char *list)
{
	return count_list(list);
}

static uint16_t node_of[MAX_NODE_PROCESSORS]; /* 1 + the NUMA node of a processor; 0 when it is not known */

/* Notes the processors of one NUMA node. */
static void place_processors(const char *root, uint64_t node)
{
	char path[256], list[TEXT_BYTES] = "";
	const char *p = list;
	struct ompp_text t;
	uint64_t first, last;

	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, root);
	ompp_text_str(&t, "/node");
	ompp_text_u64(&t, node);
	ompp_text_str(&t, "/cpulist");
	ompp_file_line(path, list, sizeof(list));
	while (next_in_list(&p, &first, &last))
		for (; first <= last && first < MAX_NODE_PROCESSORS; first++)
			node_of[first] = (uint16_t)(node + 1);
}

void ompp_numa_start(const char *root)
{
	char path[256], list[TEXT_BYTES] = "";
	const char *p = list;
	struct ompp_text t;
	uint64_t first, last;

	memset(node_of, 0, sizeof(node_of));
	ompp_text_init(&t, path, sizeof(path));
	ompp_text_str(&t, root);
	ompp_text_str(&t, "/online");
	ompp_file_line(path, list, sizeof(list));
	while (next_in_list(&p, &first, &last))
		for (; first <= last && first < MAX_NODES; first++)
			place_processors(root, first);
}

uint64_t ompp_numa_set(const char *path)
{
	char list[TEXT_BYTES] = "";
	const char *p = list;
	uint64_t set = 0, first, last;

	ompp_file_line(path, list, sizeof(list));
	while (next_in_list(&p, &first, &last))
		for (; first <= last && first < 64; first++)
			set |= UINT64_C(1) << first;
	return set;
}

int ompp_numa_wish(const char *text, uint32_t *n_emulated)
{
	static const char emulate[] = "emulate:";
	uint64_t n;

	*n_emulated = 0;
	if (!text[0] || !strcmp(text, "auto"))
		return 0;
	if (strncmp(text, emulate, sizeof(emulate) - 1))
		return -1;
	text += sizeof(emulate) - 1;
	n = *text >= '0' && *text <= '9' ? ompp_text_digits(&text) : 0;
	if (*text || n < 2 || n > MOST_EMULATED)
		return -1;
	*n_emulated = (uint32_t)n;
	return 0;
}

uint32_t ompp_numa_node_of(uint32_t cpu)
{
	return cpu < MAX_NODE_PROCESSORS ? node_of[cpu] - 1u : OMPP_NUMA_UNKNOWN;
}

/* Reads a file's first bytes as a text.  Returns its length, or 0 when it cannot be read. */
static size_t read_text(const char *path, char *text, size_t most)
{
	int n = ompp_file_read(path, text, most);

	return n > 0 ? (size_t)n : 0;
}

/* Returns a decimal number, or −1 when there is none ("max"). */
static int64_t processors_number(const char **text)
{
	const char *s = *text;
	int64_t v = 0;

	if (*s < '0' || *s > '9')
		return -1;
	for (; *s >= '0' && *s <= '9'; s++)
		v = v < INT64_MAX / 100000 ? v * 10 + (*s - '0') : v;
	*text = s + (*s == ' ');
	return v;
}

static int64_t share_of(int64_t quota, int64_t period)
{
	return quota >= 0 && period > 0 ? quota * 1000 / period : INT64_MAX;
}

/* Returns the quota that the folder of one group has. */
static int64_t quota_in(char *path, size_t n)
{
	char text[64];
	const char *p = text;
	struct ompp_text t;
	int64_t quota;

	ompp_text_init(&t, path + n, PATH_BYTES - n);
	ompp_text_str(&t, "/cpu.max");
	if (read_text(path, text, sizeof(text))) {
		quota = processors_number(&p);
		return share_of(quota, processors_number(&p));
	}
	t.n_bytes = 0;
	ompp_text_str(&t, "/cpu.cfs_quota_us");
	if (!read_text(path, text, sizeof(text)))
		return INT64_MAX;
	quota = processors_number(&p);
	t.n_bytes = 0;
	ompp_text_str(&t, "/cpu.cfs_period_us");
	p = text;
	return read_text(path, text, sizeof(text)) ? share_of(quota, processors_number(&p)) : INT64_MAX;
}

/* Returns the least quota of a group and those above it.
 * folder: "", or "/cpu,cpuacct" for groups of version 1 */
static int64_t quota_of(const char *root, const char *folder, size_t n_folder, const char *group, size_t n_group)
{
	char path[PATH_BYTES];
	struct ompp_text t;
	int64_t least = INT64_MAX;
	size_t n_root;

	ompp_text_init(&t, path, sizeof(path) - 32);
	ompp_text_str(&t, root);
	ompp_text_strn(&t, folder, n_folder);
	n_root = t.n_bytes;
	ompp_text_strn(&t, group, n_group);
	for (size_t n = t.n_bytes;;) {
		int64_t here;

		while (n > n_root && path[n - 1] == '/')
			n--;
		here = quota_in(path, n);
		least = here < least ? here : least;
		if (n <= n_root)
			return least;
		while (n > n_root && path[n - 1] != '/')
			n--;
	}
}

int64_t ompp_processors_quota(const char *groups, const char *root)
{
	char text[TEXT_BYTES], folder[64];
	int64_t least = INT64_MAX;

	if (!read_text(groups, text, sizeof(text)))
		return INT64_MAX;
	for (const char *line = text, *end; *line; line = end + (*end == '\n')) { /* "0::/a/b", "4:cpu,cpuacct:/a" */
		const char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
		struct ompp_text t;
		int64_t here;

		end = line + strcspn(line, "\n");
		if (!group || group > end)
			continue;
		ompp_text_init(&t, folder, sizeof(folder));
		if (group > names + 1) {
			ompp_text_char(&t, '/');
			ompp_text_strn(&t, names + 1, (size_t)(group - names - 1));
			if (strncmp(folder, "/cpu,", 5) && strcmp(folder, "/cpu") && !strstr(folder, ",cpu"))
				continue;
		}
		here = quota_of(root, folder, t.n_bytes, group + 1, (size_t)(end - group - 1));
		least = here < least ? here : least;
	}
	return least;
}
