/*
 * Program: see program.h.
 */
#define _GNU_SOURCE
#include "reports/sensors/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/program/elf.h"

enum { SOON = 16, SELDOM = 256 }; /* it is searched for in each of the first samples, and then in every n-th */

struct ompp_program ompp_program;
static char file_path[PATH_MAX];

/* ---- a file ---- */

#define FILE_PREFIX "kinst-watch-"

/* Removes the file if an ompp of this user made it and has not lived to remove it: each ompp holds a lock of its file.
 */
static void remove_orphan(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	if (strncmp(name, FILE_PREFIX, strlen(FILE_PREFIX)) ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return;
	fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !flock(fd, LOCK_EX | LOCK_NB))
		unlink(path);
	close(fd);
}

static void remove_orphans(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		remove_orphan(folder, entry->d_name);
	if (dir)
		closedir(dir);
}

/* Makes a file in the folder, and takes its lock.  Returns its descriptor, or -1. */
static int make_in(const char *folder)
{
	struct stat st;
	int fd;

	do {
		snprintf(file_path, sizeof(file_path), "%s/" FILE_PREFIX "XXXXXX", folder);
		fd = mkostemp(file_path, O_CLOEXEC); /* with mode 0600 */
		if (fd < 0)
			return -1;
		flock(fd, LOCK_EX);
		if (!fstat(fd, &st) && st.st_nlink)
			return fd;
		close(fd); /* another ompp took it for an orphan before it was locked */
	} while (1);
}

const char *ompp_program_make_file(void)
{
	const char *folders[] = { getenv("XDG_RUNTIME_DIR"), "/dev/shm", "/tmp" };
	int fd = -1;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && fd < 0; i++) {
		if (!folders[i] || folders[i][0] != '/')
			continue;
		remove_orphans(folders[i]);
		fd = make_in(folders[i]);
		/* All of its memory is reserved now, as a store by the program to a full file system would raise
		 * SIGBUS.
		 */
		if (fd >= 0 && posix_fallocate(fd, 0, sizeof(struct ompp_published))) {
			close(fd);
			ompp_program_remove_file();
			fd = -1;
		}
	}
	if (fd < 0)
		return NULL;
	ompp_program.file = fd; /* it is read and not mapped, as the program may truncate it */
	ompp_program.has_file = 1;
	return file_path;
}

void ompp_program_remove_file(void)
{
	if (file_path[0])
		unlink(file_path);
	file_path[0] = '\0';
}

/* ---- its process ---- */

/* Is the process an ompp? */
static int is_ompp(const char *proc, int pid)
{
	char path[PATH_MAX];
	struct stat its, own;

	snprintf(path, sizeof(path), "%s/%d/exe", proc, pid);
	return !stat(path, &its) && !stat("/proc/self/exe", &own) && its.st_ino == own.st_ino &&
	       its.st_dev == own.st_dev;
}

/* Returns the first process that this one has started and that has not ended; 0 without one. */
static int program_child(const char *proc, int pid)
{
	char path[PATH_MAX];
	FILE *children;
	int child = 0;

	snprintf(path, sizeof(path), "%s/%d/task/%d/children", proc, pid, pid);
	children = fopen(path, "re");
	if (children && fscanf(children, "%d", &child) != 1)
		child = 0;
	if (children)
		fclose(children);
	return child;
}

int ompp_program_pid(const char *proc, int pid, int last)
{
	int found = pid, child;

	while (is_ompp(proc, found) && (child = program_child(proc, found)))
		found = child;
	return found == pid ? last : found;
}

int ompp_program_begin(struct ompp_sensor_host *host, void **state, size_t n_bytes)
{
	if (!host->pid)
		return host->lacks(host, "no program is watched; give one after --, or --pid");
	*state = calloc(1, n_bytes);
	return *state ? 0 : host->lacks(host, "not enough memory");
}

/* ---- its memory ---- */

/* Returns the address of the symbol in the file, from one of its symbol tables; 0 when the table does not have it. */
static uint64_t symbol_of(const struct ompp_elf *elf, uint32_t type)
{
	struct ompp_elf_symbols symbols;

	if (ompp_elf_symbols(elf, type, &symbols))
		return 0;
	for (size_t i = 0; i < symbols.n; i++) {
		ElfW(Sym) symbol;

		if (!strcmp(ompp_elf_symbol(&symbols, i, &symbol), "ompp_published") && symbol.st_shndx != SHN_UNDEF &&
		    symbol.st_size == sizeof(struct ompp_published))
			return symbol.st_value;
	}
	return 0;
}

/* Returns the address of the symbol in a file that is mapped from `base` on; 0 when the file has none. */
static uint64_t look_in(const char *path, uint64_t base)
{
	struct ompp_elf elf;
	ElfW(Ehdr) header;
	uint64_t value;

	if (ompp_elf_open(&elf, path))
		return 0;
	value = symbol_of(&elf, SHT_DYNSYM);
	if (!value)
		value = symbol_of(&elf, SHT_SYMTAB);
	memcpy(&header, elf.data, sizeof(header));
	if (value && header.e_type == ET_DYN)
		value += base;
	ompp_elf_close(&elf);
	return value;
}

/* Searches it in files that are mapped from offset 0: the program, and any named libompp. */
static uint64_t program_find(int pid)
{
	char path[64], line[PATH_MAX + 128], exe[PATH_MAX];
	uint64_t address = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	if (!realpath(path, exe))
		exe[0] = '\0';
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	while (maps && !address && fgets(line, sizeof(line), maps)) {
		unsigned long long lo, offset;
		char *name;
		int n = 0;

		if (sscanf(line, "%llx-%*x %*s %llx %*s %*s %n", &lo, &offset, &n) != 2 || offset || line[n] != '/')
			continue;
		name = line + n;
		name[strcspn(name, "\n")] = '\0';
		if (!strcmp(name, exe) || strstr(strrchr(name, '/'), "libompp"))
			address = look_in(name, lo);
	}
	if (maps)
		fclose(maps);
	return address;
}

/* Copies the published data from the program's memory.  Returns 0 or -errno. */
static int copy_memory(struct ompp_program *p, int pid)
{
	struct iovec here = { &p->copy, sizeof(p->copy) }, there = { (void *)(uintptr_t)p->address, sizeof(p->copy) };
	ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);
	int rc = n == (ssize_t)sizeof(p->copy) ? 0 : n < 0 ? -errno : -EFAULT;

	if (rc == -EPERM)
		snprintf(p->why, sizeof(p->why),
		         "the program's memory may not be read: %s; let ompp start the program, or set "
		         "kernel.yama.ptrace_scope=0",
		         strerror(-rc));
	return rc;
}

static int is_ours(const struct ompp_published *p)
{
	return p->magic == OMPP_PUBLISHED_MAGIC && p->version == OMPP_PUBLISHED_VERSION && p->n_bytes == sizeof(*p);
}

const struct ompp_published *ompp_program_read(int pid)
{
	struct ompp_program *p = &ompp_program;

	if (p->has_file)
		return pread(p->file, &p->copy, sizeof(p->copy), 0) == (ssize_t)sizeof(p->copy) && is_ours(&p->copy)
		             ? &p->copy
		             : NULL;
	if (!pid)
		return NULL;
	if (p->pid != pid)
		p->address = p->n_asked = 0;
	p->pid = pid;
	if (p->address && copy_memory(p, pid))
		p->address = 0; /* the process has called exec, or ended */
	if (!p->address && (p->n_asked < SOON || p->n_asked % SELDOM == 0)) {
		p->address = program_find(pid);
		if (p->address && copy_memory(p, pid))
			p->address = 0;
	}
	p->n_asked++;
	return p->address && is_ours(&p->copy) ? &p->copy : NULL;
}

/* Returns the number that a label of the copy has now. */
static uint64_t number_now(const struct ompp_program *p, int pid, const struct ompp_published_label *l)
{
	size_t at = (size_t)((const char *)&l->number - (const char *)&p->copy);
	uint64_t number = 0;
	struct iovec here = { &number, sizeof(number) },
		     there = { (void *)(uintptr_t)(p->address + at), sizeof(number) };
	ssize_t n = p->has_file ? pread(p->file, &number, sizeof(number), (off_t)at)
	                        : process_vm_readv(pid, &here, 1, &there, 1, 0);

	return n == (ssize_t)sizeof(number) ? number : 0;
}

uint64_t ompp_program_labels(int pid, void (*found)(void *context, const char *text, int64_t monotonic_ns),
                             void *context)
{
	struct ompp_program *p = &ompp_program;
	const struct ompp_published *shown = ompp_program_read(pid);
	uint64_t next = shown ? shown->next_label : 0, n_lost = 0;

	if (next > p->n_labels + OMPP_PUBLISHED_LABELS) {
		n_lost = next - OMPP_PUBLISHED_LABELS - p->n_labels; /* they were overwritten by later labels */
		p->n_labels += n_lost;
	}
	for (; p->n_labels < next; p->n_labels++) {
		const struct ompp_published_label *l = &shown->labels[p->n_labels % OMPP_PUBLISHED_LABELS];
		char text[OMPP_PUBLISHED_TEXT];

		if (l->number < p->n_labels + 1 && p->n_waited != p->n_labels + 1) {
			p->n_waited = p->n_labels + 1; /* it is being written; it is read with the next sample */
			break;
		}
		if (l->number != p->n_labels + 1) {
			n_lost++;
			continue;
		}
		memcpy(text, l->text, sizeof(text));
		if (number_now(p, pid, l) != l->number) {
			n_lost++; /* it was overwritten while it was read */
			continue;
		}
		text[sizeof(text) - 1] = '\0';
		found(context, text, l->monotonic_ns);
	}
	return n_lost;
}
